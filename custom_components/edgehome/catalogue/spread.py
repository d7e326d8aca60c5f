"""What raises the risk of a whole request: several rooms at once, several doors at once (R5)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..models import Intent, Verb
from ..plan import GatedCommand

_TOGETHER: frozenset[Verb] = frozenset(
    {
        Intent.TURN_ON, Intent.TURN_OFF, Intent.TOGGLE, Intent.OPEN, Intent.CLOSE, Intent.RUN, Intent.ACTIVATE,
        Intent.SET_POSITION,
    }
)  # fmt: skip
"""On, off, open, close or run; values and announcements may go to several rooms."""

_DOORS = frozenset({"door", "garage_door", "gate", "lock"})
_RUNNING = frozenset({"scene", "script"})
_OPENS = frozenset({Intent.OPEN.value, Intent.UNLOCK.value})
CRITICAL = 5


def spread(actions: Iterable[GatedCommand]) -> tuple[GatedCommand, ...]:
    """The actions of a request with what they are together."""
    raised = tuple(actions)
    if len(_doors(raised)) > 1:
        raised = tuple(_raised(item, CRITICAL, "several doors at once") if _doors((item,)) else item for item in raised)
    # What an operation of the owner's own really does is not told.
    together = [item for item in raised if item.custom or set(item.operations) & _TOGETHER]
    deeds = [deed for item in together for deed in _deeds(item)]
    return tuple(
        _raised(item, _in_several(item, deeds), "several rooms at once: +1") if item in together else item
        for item in raised
    )


@dataclass(frozen=True)
class _Deed:
    """Something that is done in a room, by an action itself or by what it reaches."""

    risk: int
    area: str


def _deeds(action: GatedCommand) -> list[_Deed]:
    """What an action does in which room; what is in no room is in none.

    A lamp that the owner made of a relay in its room is one lamp in one room; scenes and scripts are what they do.
    """
    beyond = [_Deed(other.risk, other.area_id) for other in action.reaches if other.area_id]
    own = [_Deed(action.own_risk if action.reaches else action.risk, action.area_id)] if action.area_id else []
    is_one_thing = (
        bool(own) and action.device_type not in _RUNNING and {deed.area for deed in beyond} <= {action.area_id}
    )
    return own if is_one_thing else own + beyond


def _in_several(action: GatedCommand, deeds: list[_Deed]) -> int:
    """The risk of an action among others: one more where things as serious as one of its own are done in several rooms.

    A kettle in one room and lamps in three are no kettles in three rooms.
    """
    risk = action.risk
    own = _deeds(action) or [_Deed(action.risk, "")]
    for deed in own:
        if len({other.area for other in deeds if other.risk >= deed.risk}) > 1:
            risk = max(risk, min(deed.risk + 1, CRITICAL))
    return risk


def _doors(actions: tuple[GatedCommand, ...]) -> set[str]:
    """The doors that are opened, by the actions themselves or what they reach."""
    own = {
        item.entity_id
        for item in actions
        if item.device_type in _DOORS and _OPENS & {name.value for name in item.operations}
    }
    beyond = {
        other.entity_id
        for item in actions
        for other in item.reaches
        if other.device_type in _DOORS and _OPENS & set(other.verbs)
    }
    return own | beyond


def _raised(action: GatedCommand, risk: int, why: str) -> GatedCommand:
    return replace(action, risk=risk, risk_reasons=(*action.risk_reasons, why)) if risk > action.risk else action
