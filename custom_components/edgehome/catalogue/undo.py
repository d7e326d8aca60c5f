"""What takes a plan back: proposals made from the states before it, which go through the whole chain like any other."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from ..devices import DeviceState
from ..evidence.redaction import redacted
from ..expectation import is_already_so
from ..plan import Expectation, GatedCommand, Restore
from .reach import Surroundings
from .risk import OPAQUE
from .ways_back import restoring


def restores(action: GatedCommand, facts: Surroundings) -> tuple[Restore, ...]:
    """What takes an action back; of a group the members that it changes, or the group if all of them were alike."""
    if any(other.risk >= OPAQUE and other.entity_id not in action.members for other in action.reaches):
        # What an automation made of it, such as an open gate, does not come back with it.
        return ()
    return tuple(replace(way, of=action.entity_id) for way in _ways(action, facts))


def _ways(action: GatedCommand, facts: Surroundings) -> tuple[Restore, ...]:
    if not action.members:
        way = _restore(action, facts.state(action.entity_id))
        return (way,) if way else ()
    states = {member: facts.state(member) for member in action.members if not facts.makeup(member).members}
    there = {member: state for member, state in states.items() if state and state.is_available}
    changed = {member: state for member, state in there.items() if not is_already_so(action.expect, state)}
    ways = [_restore(replace(action, entity_id=member, key=""), state) for member, state in changed.items()]
    found = tuple(way for way in ways if way)
    if len(found) < len(ways):
        return ()
    if found and len(changed) == len(there) and all(_alike(way, found[0]) for way in found):
        return (replace(found[0], entity_id=action.entity_id, key=action.key, members=action.members),)
    return found


def _alike(one: Restore, other: Restore) -> bool:
    return (one.intent, one.params) == (other.intent, other.params)


def _restore(action: GatedCommand, before: DeviceState | None) -> Restore | None:
    """The way back of one entity; what the evidence would not keep as it is has none (R12)."""
    try:
        way = restoring(action, before) if before else None
    except ArithmeticError, TypeError, ValueError:
        # A device that shows what is no value has nothing to go back to.
        return None
    if way is None:
        return None
    found = Restore(entity_id=action.entity_id, intent=way[0].value, params=way[1], left=action.expect, key=action.key)
    return found if redacted(kept := to_json(found), _OWN) == kept else None


_OWN = frozenset({"key"})
"""Words of EdgeHome's own that look like the name of a secret."""


def to_json(way: Restore) -> dict[str, object]:
    """A way back as the evidence keeps it."""
    return {
        "entity_id": way.entity_id,
        "intent": way.intent,
        "params": dict(way.params),
        "key": way.key,
        "of": way.of,
        "members": list(way.members),
        "left": [
            {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(item).items()}
            for item in way.left
        ],
    }


def from_json(kept: Mapping[str, Any]) -> Restore:
    """The same read back.

    Raises:
        KeyError: it is something else.
        TypeError: the same.
    """
    left = tuple(_expectation(item) for item in kept["left"])
    return Restore(
        entity_id=kept["entity_id"],
        intent=kept["intent"],
        params=kept["params"],
        left=left,
        key=kept["key"],
        of=kept["of"],
        members=tuple(kept["members"]),
    )


def _expectation(kept: Mapping[str, Any]) -> Expectation:
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()}
    return Expectation(**fields)
