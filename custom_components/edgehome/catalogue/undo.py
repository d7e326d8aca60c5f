"""What takes a plan back: proposals made from the states before it, which go through the whole chain like any other."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from pydantic import ValidationError

from ..chain import Refuse, settled
from ..devices import DeviceRecord, DeviceState
from ..evidence.redaction import redacted
from ..expectation import is_already_so
from ..facts import Facts
from ..models import Intent, ModelCandidate
from ..plan import Expectation, GatedCommand, Restore
from . import operation
from .action import action_for, carrying, in_home_unit
from .fitting import Around, kept_back, with_values
from .light import applies, shows
from .operation import supports
from .risk import OPAQUE
from .ways_back import left_by, restoring


def restores(action: GatedCommand, facts: Facts, areas: tuple[str, ...] = ()) -> tuple[Restore, ...]:
    """What takes an action back, for a caller with these areas; of a group the members that it changes.

    If all members were alike, it is the group. Nothing where a part could not be taken back.
    """
    if action.opaque or any(other.risk >= OPAQUE and other.entity_id not in action.members for other in action.reaches):
        # What an automation made of it, such as an open gate, does not come back with it; nor what cannot be read.
        return ()
    return tuple(replace(way, of=action.entity_id) for way in _ways(action, facts, areas))


def _ways(action: GatedCommand, facts: Facts, areas: tuple[str, ...]) -> tuple[Restore, ...]:
    if not action.members:
        way = _restore(action, facts, areas)
        return (way,) if way else ()
    leaves = [member for member in action.members if not facts.makeup(member).members]
    parts = [part for member in leaves if (part := _part(action, member, facts))]
    # A member that is away now would be told too, once it is back.
    is_away = any(not (state and state.is_available) for state in map(facts.state, leaves))
    changed = [part for part in parts if not is_already_so(part.expect, settled(facts.state(part.entity_id)))]
    ways = [_restore(part, facts) for part in changed]
    found = tuple(replace(way, left=_comparable(way, facts)) for way in ways if way)
    if len(found) < len(ways):
        return ()
    if found and not is_away and len(changed) == len(parts) and all(_alike(way, found[0]) for way in found):
        others = [member for member in leaves if member not in {part.entity_id for part in parts}]
        if not any(_could(member, found[0], facts) for member in others):
            told = ", ".join(dict.fromkeys(way.leaves for way in found if way.leaves))
            whole = replace(found[0], entity_id=action.entity_id, key=action.key, members=action.members)
            return (replace(whole, leaves=told),)
    # One by one they are named, and what this caller may not name cannot be taken back.
    return found if all(_may_name(part.entity_id, facts, areas) for part in changed) else ()


def _could(member: str, way: Restore, facts: Facts) -> bool:
    """Whether a member that the deed passed by would be told by the way back."""
    state, row = facts.state(member), operation(member.partition(".")[0], Intent(way.intent))
    return state is not None and row is not None and supports(state, row.features)


def _part(action: GatedCommand, member: str, facts: Facts) -> GatedCommand | None:
    """What an action on a group is on one of its members; None if it is nothing."""
    state, row = facts.state(member), carrying(action)
    if state is None or not state.is_available or (row and not supports(state, row.features)):
        # A group does not pass on what a member has no feature for (``components/group/cover.py``, ``fan.py``).
        return None
    expect = action.expect
    if member.startswith("light."):
        # Lamps get everything, and do with it what they can: a plain one goes on.
        modes = set(state.options("supported_color_modes"))
        expect = tuple(item for item in expect if item.attribute is None or applies(item.attribute, modes))
    return replace(action, entity_id=member, key="", expect=expect)


def _comparable(way: Restore, facts: Facts) -> tuple[Expectation, ...]:
    """What of a lamp shows whether it is still as it was left: a colour that it had to make white of does not."""
    state = facts.state(way.entity_id)
    if state is None or not way.entity_id.startswith("light."):
        return way.left
    modes = set(state.options("supported_color_modes"))
    return tuple(item for item in way.left if item.attribute is None or shows(item.attribute, modes))


def _may_name(entity_id: str, facts: Facts, areas: tuple[str, ...]) -> bool:
    record = facts.device(entity_id)
    return record is not None and record.is_nameable(areas)


def _alike(one: Restore, other: Restore) -> bool:
    return (one.intent, one.params) == (other.intent, other.params)


def _restore(action: GatedCommand, facts: Facts, areas: tuple[str, ...] | None = None) -> Restore | None:
    """The way back of one entity, which a caller with ``areas`` may name; what the evidence would not keep has none (R12)."""
    before, record = facts.state(action.entity_id), facts.device(action.entity_id)
    if before is None or record is None or (areas is not None and not record.is_nameable(areas)):
        return None
    try:
        way = restoring(action, before)
    except ArithmeticError, TypeError, ValueError:
        # A device that shows what is no value has nothing to go back to.
        return None
    if way is None:
        return None
    found = Restore(
        entity_id=action.entity_id,
        intent=way[0].value,
        params=way[1],
        left=action.expect,
        key=action.key,
        leaves=left_by(action, before),
    )
    is_kept_whole = redacted(kept := to_json(found), _OWN) == kept
    return found if is_kept_whole and can_go_back(record, found, before, facts) else None


def can_go_back(record: DeviceRecord, way: Restore, state: DeviceState, facts: Facts) -> bool:
    """Whether a way back is one that an agent could ask for: no code that is not there, within ranges and the owner's limits."""
    row = operation(record.domain, Intent(way.intent))
    if row is None or (not record.has_code and any(state.attributes.get(name) for name in row.needs_code)):
        return False
    if not way.params and record.owner is None:
        # Nothing is sent that could be too much: most ways back are on or off.
        return True
    try:
        candidate = ModelCandidate.model_validate(way.candidate)
    except ValidationError:
        return False
    service = facts.service(row.service) if row.service else None
    if service is None:
        return row.service is None
    params = in_home_unit(candidate.params.given(), state.unit)
    action = action_for(record, candidate.intent, params, state)
    if kept_back(action, record.owner):
        return False
    around = Around(state=state, facts=facts, service=service, owner=record.owner)
    return not isinstance(with_values(action, row, params, around), Refuse)


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
