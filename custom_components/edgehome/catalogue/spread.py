"""What raises the risk of a whole request: several rooms at once, several doors at once (R5)."""

from collections.abc import Iterable
from dataclasses import replace

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
_OPENS = frozenset({Intent.OPEN.value, Intent.UNLOCK.value})
CRITICAL = 5


def spread(actions: Iterable[GatedCommand]) -> tuple[GatedCommand, ...]:
    """The actions of a request with what they are together."""
    raised = tuple(actions)
    if len(_doors(raised)) > 1:
        raised = tuple(_raised(item, CRITICAL, "several doors at once") if _doors((item,)) else item for item in raised)
    together = [item for item in raised if set(item.operations) & _TOGETHER]
    if len({area for item in together for area in _areas(item)}) > 1:
        raised = tuple(
            _raised(item, _in_several(item), "several rooms at once: +1") if item in together else item
            for item in raised
        )
    return raised


def _in_several(action: GatedCommand) -> int:
    """One more than what an action is by itself, and than what it reaches in a room."""
    beyond = (other.risk for other in action.reaches if other.area_id)
    return min(max(action.own_risk, *beyond, 0) + 1, CRITICAL)


def _areas(action: GatedCommand) -> set[str]:
    """The rooms that an action is about; what is in no room is in none."""
    return {area for area in (action.area_id, *(other.area_id for other in action.reaches)) if area}


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
