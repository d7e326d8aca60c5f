"""What takes a plan back: proposals made from the states before it, which go through the whole chain like any other."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from ..chain import settled
from ..devices import DeviceRecord, DeviceState
from ..evidence.redaction import redacted
from ..expectation import is_already_so
from ..models import Intent
from ..plan import Expectation, GatedCommand, Restore
from . import operation
from .action import action_for, carrying
from .fitting import kept_back
from .operation import supports
from .reach import Surroundings
from .risk import OPAQUE
from .ways_back import left_by, restoring


def restores(action: GatedCommand, facts: Surroundings, areas: tuple[str, ...] = ()) -> tuple[Restore, ...]:
    """What takes an action back, for a caller with these areas; of a group the members that it changes.

    If all members were alike, it is the group. Nothing where a part could not be taken back.
    """
    if any(other.risk >= OPAQUE and other.entity_id not in action.members for other in action.reaches):
        # What an automation made of it, such as an open gate, does not come back with it.
        return ()
    return tuple(replace(way, of=action.entity_id) for way in _ways(action, facts, areas))


def _ways(action: GatedCommand, facts: Surroundings, areas: tuple[str, ...]) -> tuple[Restore, ...]:
    if not action.members:
        way = _restore(action, facts, areas)
        return (way,) if way else ()
    leaves = [member for member in action.members if not facts.makeup(member).members]
    parts = [part for member in leaves if (part := _part(action, member, facts))]
    changed = [part for part in parts if not is_already_so(part.expect, settled(facts.state(part.entity_id)))]
    ways = [_restore(part, facts) for part in changed]
    found = tuple(way for way in ways if way)
    if len(found) < len(ways):
        return ()
    if found and len(changed) == len(parts) and all(_alike(way, found[0]) for way in found):
        return (replace(found[0], entity_id=action.entity_id, key=action.key, members=action.members),)
    # One by one they are named, and what this caller may not name cannot be taken back.
    return found if all(_may_name(part.entity_id, facts, areas) for part in changed) else ()


def _part(action: GatedCommand, member: str, facts: Surroundings) -> GatedCommand | None:
    """What an action on a group is on one of its members; None if it is nothing."""
    state, row = facts.state(member), carrying(action)
    if state is None or not state.is_available or (row and not supports(state, row.features)):
        # A group does not pass on what a member has no feature for (``components/group/cover.py``, ``fan.py``).
        return None
    shown = action.expect
    if member.startswith("light."):
        # Lamps get everything, and show what they have: a plain one only that it is on.
        shown = tuple(item for item in shown if item.attribute is None or item.attribute in state.attributes)
    return replace(action, entity_id=member, key="", expect=shown)


def _may_name(entity_id: str, facts: Surroundings, areas: tuple[str, ...]) -> bool:
    record = facts.device(entity_id)
    return record is not None and record.is_nameable(areas)


def _alike(one: Restore, other: Restore) -> bool:
    return (one.intent, one.params) == (other.intent, other.params)


def _restore(action: GatedCommand, facts: Surroundings, areas: tuple[str, ...] | None = None) -> Restore | None:
    """The way back of one entity, which a caller with ``areas`` may name; what the evidence would not keep has none (R12)."""
    before, record = facts.state(action.entity_id), facts.device(action.entity_id)
    if before is None or record is None or (areas is not None and not record.is_nameable(areas)):
        return None
    try:
        way = restoring(action, before)
    except ArithmeticError, TypeError, ValueError:
        # A device that shows what is no value has nothing to go back to.
        return None
    if way is None or not _may_be_asked(record, way[0], before):
        return None
    found = Restore(
        entity_id=action.entity_id,
        intent=way[0].value,
        params=way[1],
        left=action.expect,
        key=action.key,
        leaves=left_by(action, before),
    )
    return found if redacted(kept := to_json(found), _OWN) == kept else None


def _may_be_asked(record: DeviceRecord, intent: Intent, state: DeviceState) -> bool:
    """Whether the way back is one that an agent could ask for: without a code that is not there, and not kept back."""
    row = operation(record.domain, intent)
    needs_code = row is not None and any(state.attributes.get(name) for name in row.needs_code)
    is_kept_back = kept_back(action_for(record, intent, {}, state), record.owner) is not None
    return not is_kept_back and (record.has_code or not needs_code)


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
        "leaves": way.leaves,
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
        leaves=kept.get("leaves", ""),
    )


def _expectation(kept: Mapping[str, Any]) -> Expectation:
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()}
    return Expectation(**fields)
