"""What an action reaches beyond its own entity: members, scenes, scripts, wrappers, automations (R5).

Bounded in depth and number: what goes further counts as something that cannot be read.
"""

import hashlib
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from ..devices import OWN_PLATFORM, WHATEVER, Deed, DeviceRecord, DeviceState, Makeup, OwnersWord
from ..models import CustomVerb, Intent, Verb
from ..plan import Effect, GatedCommand, Reached
from . import operation
from .device_types import classes_of
from .risk import LARGE_JUMP, OPAQUE, base_risk, effect_on

DEEPEST, MOST = 6, 200
_RUNNING = frozenset({Intent.ACTIVATE.value, Intent.RUN.value})
_ENDING = frozenset({"close", "lock", "stop", "turn_off"})
"""Verbs that a template keeps apart from all others: what sets a value may switch on by another of its actions."""

_STARTED_BY_ON = {"scene": Intent.ACTIVATE.value, "script": Intent.RUN.value}
_JUDGED_BY_STATE = frozenset({"alarm_control_panel", "lock"})
"""Domains where an operation means another one too, whatever its values."""

_OWN = "switch EdgeHome's own"
"""What no agent gets done to ``OWN_PLATFORM``, in words."""

_TOO_FAR = "more than EdgeHome follows"
_AMONG_SERIOUS = "a scene of an integration that has serious devices too"


class Surroundings(Protocol):
    """What is asked of a house to find out what is reached in it."""

    def makeup(self, entity_id: str) -> Makeup:
        """What acting on an entity does elsewhere."""
        ...

    def device(self, entity_id: str) -> DeviceRecord | None:
        """The entity with this id."""
        ...

    def state(self, entity_id: str) -> DeviceState | None:
        """The entity's present state."""
        ...


@dataclass(frozen=True)
class Reach:
    """What is reached, what of it cannot be read, and a digest of all that was written for it."""

    actions: tuple[Reached, ...]
    unread: tuple[str, ...]
    digest: str


def called(found: Iterable[DeviceRecord], facts: Surroundings) -> tuple[DeviceRecord, ...]:
    """What is called: groups of the old kind as their members, each once; everything else as itself (R5)."""
    calls: dict[str, DeviceRecord] = {}
    waiting = list(found)[::-1]
    seen = {record.entity_id for record in waiting}
    while waiting:
        record = waiting.pop()
        makeup = facts.makeup(record.entity_id)
        if not makeup.as_members:
            calls[record.entity_id] = record
            continue
        for member in reversed(makeup.members):
            inner = facts.device(member) if member not in seen and len(seen) < MOST else None
            seen.add(member)
            if inner is not None:
                waiting.append(inner)
    return tuple(calls.values())


def with_reach(action: GatedCommand, record: DeviceRecord, facts: Surroundings) -> GatedCommand:
    """An action with everything that it does elsewhere; its risk is that of the riskiest part."""
    if action.effect is Effect.READ:
        return action
    reach = reach_of(record.entity_id, tuple(name.value for name in action.operations), facts)
    is_opaque = bool(reach.unread) and not record.vetted
    action = replace(action, own_risk=action.risk)
    risk, reasons = action.risk, list(action.risk_reasons)
    riskiest = max(reach.actions, key=lambda item: item.risk, default=None)
    if riskiest and riskiest.risk > risk:
        risk = riskiest.risk
        reasons.append(f"it reaches {riskiest.entity_id} ({riskiest.verbs[-1]}): {risk}")
    if is_opaque:
        reasons.append(f"cannot be read: {', '.join(reach.unread[:3])}")
        is_run = _RUNNING & {name.value for name in action.operations}
        if is_run and (record.owner is None or record.owner.risk is None):
            risk = max(risk, OPAQUE)
    return replace(
        action,
        risk=risk,
        risk_reasons=tuple(reasons),
        opaque=is_opaque,
        reaches=reach.actions,
        written=reach.digest,
        members=_members(record.entity_id, facts),
    )


def reach_of(entity_id: str, verbs: tuple[str, ...], facts: Surroundings) -> Reach:
    """Everything that is done elsewhere when these verbs are done to an entity."""
    found: dict[tuple[str, tuple[str, ...]], Reached] = {}
    unread: dict[str, None] = {}
    digests: set[str] = set()
    waiting = [(entity_id, _started(entity_id, verbs), 0)]
    seen = {waiting[0][:2]}
    while waiting:
        here, done, depth = waiting.pop()
        makeup = facts.makeup(here)
        digests.add(f"{here} {makeup.digest} {sorted(makeup.members)}")
        for deed in _follows(here, makeup, done, facts):
            if deed.why:
                unread[deed.why] = None
            there, what = deed.entity_id, _started(deed.entity_id or "", deed.verbs)
            if there is None:
                if deed.domain:
                    found |= {
                        (f"{one.entity_id} {one.device_type}", what): one for one in _somewhere(deed.domain, what)
                    }
                continue
            if (there, what) in seen:
                continue
            if depth >= DEEPEST or len(seen) > MOST:
                unread[_TOO_FAR] = None
                break
            seen.add((there, what))
            waiting.append((there, what, depth + 1))
            if there != entity_id and (record := facts.device(there)):
                found[there, what] = reached = _reached(record, what, deed, facts)
                unread |= _doubt(makeup, deed, reached)
    digest = hashlib.sha256("\n".join(sorted(digests)).encode()).hexdigest()[:32]
    return Reach(actions=tuple(found.values()), unread=tuple(unread), digest=digest)


def _follows(here: str, makeup: Makeup, done: tuple[str, ...], facts: Surroundings) -> Iterator[Deed]:
    """What follows at once when verbs are done here; what is only bounded does not where the owner vouches for it."""
    yield from (Deed(entity_id=member, verbs=done) for member in makeup.members)
    yield from _deeds(makeup, done)
    if makeup.bound and (record := facts.device(here)) is not None and not record.vetted:
        yield from makeup.bound


def _doubt(makeup: Makeup, deed: Deed, reached: Reached) -> dict[str, None]:
    """What cannot be read of something that could reach serious things."""
    return {_AMONG_SERIOUS: None} if deed in makeup.bound and reached.risk >= OPAQUE else {}


def _members(entity_id: str, facts: Surroundings) -> tuple[str, ...]:
    """The members of a group, those of groups within it included."""
    found: dict[str, None] = {}
    waiting = list(facts.makeup(entity_id).members)
    while waiting and len(found) < MOST:
        member = waiting.pop(0)
        if member not in found and member != entity_id:
            found[member] = None
            waiting.extend(facts.makeup(member).members)
    return tuple(found)


def _deeds(makeup: Makeup, done: tuple[str, ...]) -> Iterator[Deed]:
    """What is done beside; a verb that is not known could do any of it."""
    for verb in (*done, WHATEVER):
        if verb in makeup.deeds:
            yield from makeup.deeds[verb]
    is_template = makeup.kind == "template"
    for verb in done:
        if is_template and verb not in _ENDING:
            yield from (deed for key, deeds in makeup.deeds.items() if key not in _ENDING for deed in deeds)
        elif makeup.kind in {"scene", "script"} and verb not in makeup.deeds:
            yield from (deed for deeds in makeup.deeds.values() for deed in deeds)


def _started(entity_id: str, verbs: tuple[str, ...]) -> tuple[str, ...]:
    """What is done to a scene or script that is switched on."""
    other = _STARTED_BY_ON.get(entity_id.partition(".")[0])
    return tuple(other if other and verb == Intent.TURN_ON.value else verb for verb in verbs)


def _reached(record: DeviceRecord, verbs: tuple[str, ...], deed: Deed, facts: Surroundings) -> Reached:
    state = facts.state(record.entity_id) if record.domain in _JUDGED_BY_STATE or deed.temperature is not None else None
    names = [_verb(verb) for verb in verbs]
    if record.domain in _JUDGED_BY_STATE:
        rows = (operation(record.domain, name) for name in tuple(names))
        known = state or DeviceState(state="unknown")
        names += [meant for row in rows if row and row.means for meant in row.means({}, known)]
    risk = max((base_risk(record.device_type, name) for name in names), default=0)
    if record.owner and record.owner.risk is not None:
        risk = record.owner.risk
    if deed.temperature is not None and _jumps(deed.temperature, state):
        risk = min(risk + 1, 5)
    names = list(dict.fromkeys(names))
    effects = [effect_on(record.device_type, name, _plain_effect(record.domain, name)) for name in names]
    return Reached(
        degrees=_degrees(deed.temperature, state),
        entity_id=record.entity_id,
        device_type=record.device_type,
        verbs=tuple(name.value for name in names),
        risk=risk,
        name=record.name,
        area_id=record.area_id,
        unsecures=Effect.UNSECURE in effects,
        effects=tuple(effect.value for effect in effects),
        key=record.key,
        floor_id=record.floor_id,
        labels=record.labels,
        kept_back=_OWN if record.platform == OWN_PLATFORM else _kept_back(record.owner, names, deed.amount),
    )


def _plain_effect(domain: str, verb: Verb) -> Effect:
    row = operation(domain, verb)
    return row.effect if row else Effect.ADJUST


def _kept_back(owner: OwnersWord | None, names: list[Verb], amount: float | None) -> str:
    """What of it the owner does not let agents do, in words; empty if nothing."""
    if owner is None:
        return ""
    kept = next(
        (name.value for name in names if owner.operations is not None and name.value not in owner.operations), ""
    )
    if kept or amount is None:
        return kept.replace("_", " ")
    is_within = (owner.low is None or amount >= owner.low) and (owner.high is None or amount <= owner.high)
    return "" if is_within else f"{names[-1].value.replace('_', ' ')} beyond the owner's range"


def _jumps(wanted: float, state: DeviceState | None) -> bool:
    """Whether a set point moves far, as with a plain request."""
    present = state.number("temperature") if state else None
    if present is None and state:
        present = state.number("current_temperature")
    return state is not None and (present is None or abs(wanted - present) > LARGE_JUMP[state.unit])


def _degrees(wanted: float | None, state: DeviceState | None) -> float:
    """By how much a set point moves; from the measured temperature where there is none."""
    if wanted is None:
        return 0.0
    present = state.number("temperature") if state else None
    if present is None and state:
        present = state.number("current_temperature")
    return math.inf if present is None else abs(wanted - present)


def _somewhere(domain: str, verbs: tuple[str, ...]) -> Iterator[Reached]:
    """Something that is done to an entity of a domain that is not told: it could be of any of its types."""
    names = [_verb(verb) for verb in verbs]
    for word in classes_of(domain) or (domain,):
        risk = max(base_risk(word, name) for name in names)
        effects = [effect_on(word, name, _plain_effect(domain, name)) for name in names]
        yield Reached(
            entity_id=f"{domain}.?",
            device_type=word,
            verbs=verbs,
            risk=risk,
            effects=tuple(effect.value for effect in effects),
            unsecures=Effect.UNSECURE in effects,
            is_known=False,
        )


def _verb(word: str) -> Verb:
    return Intent(word) if word in Intent else CustomVerb(word)
