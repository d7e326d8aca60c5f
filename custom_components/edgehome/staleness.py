"""What is done on a state that may be out of date, of an action's own entity and of all that it reaches (no Home Assistant here)."""

from dataclasses import dataclass, replace

from .chain import Refuse
from .codes import Code
from .facts import Facts
from .plan import Effect, GatedCommand

_SERIOUS, _CRITICAL = 2, 4
"""From which risk on a state that may be out of date is fetched, and refused."""
_WRAPPERS = frozenset({"switch_as_x"})
"""Entities that show another one's state under another word."""


@dataclass(frozen=True)
class _Part:
    """An entity whose state matters to an action: itself, what it is made of, what it reaches."""

    entity_id: str
    name: str
    risk: int
    secures: bool
    goes_by_the_state: bool = False

    @property
    def is_too_much(self) -> bool:
        """Whether nothing is done on a state of it that may be out of date."""
        return (self.risk >= _CRITICAL and not self.secures) or (self.risk >= _SERIOUS and self.goes_by_the_state)


def _parts(action: GatedCommand, goes_by_the_state: bool, facts: Facts) -> tuple[list[_Part], list[_Part]]:
    """What an action is made of, and what else of it is serious."""
    made_of = [action.entity_id, *action.members]
    if facts.makeup(action.entity_id).kind in _WRAPPERS:
        made_of += [other.entity_id for other in action.reaches]
    secures = action.effect is Effect.SECURE
    own = [_Part(one, action.name, action.risk, secures, goes_by_the_state) for one in made_of]
    beyond = [
        _Part(other.entity_id, other.name, other.risk, set(other.effects) == {Effect.SECURE.value})
        for other in action.reaches
        if other.is_known and other.risk >= _SERIOUS and other.entity_id not in made_of
    ]
    return own, beyond


def current(
    action: GatedCommand, goes_by_the_state: bool, facts: Facts, needed: dict[str, None]
) -> GatedCommand | Refuse:
    """An action whose state is known to be true, or what is to be done where it may be out of date."""
    own, beyond = _parts(action, goes_by_the_state, facts)
    stale: dict[str, _Part] = {}
    for part in (*own, *beyond):
        state = facts.state(part.entity_id)
        if state is None or not state.is_available or not (live := facts.liveness(part.entity_id)).is_stale:
            continue
        stale[part.entity_id] = part
        if live.can_fetch and live.fetched is None and (part.risk >= _SERIOUS or part.goes_by_the_state):
            needed[part.entity_id] = None
    if too_much := next((part for one, part in stale.items() if part.is_too_much and one not in needed), None):
        present = facts.state(too_much.entity_id)
        return Refuse(
            code=Code.STATE_STALE,
            message=f"{too_much.name} was last known to be {present.state if present else 'there'}, and its device does"
            " not answer now.",
            hint="Try again when it answers; a person at the device can do it by hand. Nothing was called.",
        )
    doubtful = {part.entity_id for part in beyond if part.entity_id in stale or _is_guessed(part, facts)}
    reaches = tuple(
        replace(other, uncertain=True) if other.entity_id in doubtful else other for other in action.reaches
    )
    if any(part.entity_id in stale for part in own):
        return replace(action, reaches=reaches, stale=True, uncertain=True, already_so=False)
    return replace(action, reaches=reaches) if doubtful else action


STATELESS = frozenset({"button", "input_button", "notify", "scene", "script"})
"""Domains whose state says nothing about how they are: they need to be available only (R7)."""


def _is_guessed(part: _Part, facts: Facts) -> bool:
    """Whether the state of something that is reached is only assumed, or not known at all."""
    state = facts.state(part.entity_id)
    is_unknown = state is not None and state.state == "unknown" and part.entity_id.partition(".")[0] not in STATELESS
    return state is not None and (state.is_assumed or is_unknown)
