"""Taking back what a request did: which request, and what of it is still as the request left it (no Home Assistant here)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from .catalogue.undo import can_go_back, from_json
from .codes import Outcome
from .devices import DeviceRecord
from .expectation import has_followed, is_moving
from .facts import Facts
from .models import Principal
from .plan import Restore
from .trace import RecordedTrace

_UNDOING = ".undo"
"""How the doors are called through which something is taken back."""
LOOK_BACK = 50
"""So many of a caller's latest deeds are looked at for one that can be taken back."""
_CARRIED_OUT = frozenset({Outcome.EXECUTED, Outcome.CONFIRMED, Outcome.PARTIAL, Outcome.NO_CHANGE})


@dataclass(frozen=True, kw_only=True)
class WayBack:
    """The commands that take a request back, and what is left as it is, with the reason."""

    commands: tuple[dict[str, object], ...]
    left_out: tuple[dict[str, str], ...]


def last_of(traces: Iterable[RecordedTrace], principal: Principal) -> RecordedTrace | None:
    """The last deed that can be taken back, was not yet, and is no undoing itself; ``traces`` are the last one first.

    Of an agent that several people speak to it is the last deed of this speaker at this place. An undoing that did
    nothing, or was taken back itself, leaves its deed to be taken back.
    """
    undone: set[object] = set()
    for trace in traces:
        if not _is_of(trace, principal):
            continue
        if is_undoing(trace):
            if trace.trace_id not in undone and trace.recorded_answer.get("outcome") in _CARRIED_OUT:
                undone.add(undone_by(trace))
        elif trace.undo and trace.trace_id not in undone and trace.done:
            return trace
    return None


def _is_of(trace: RecordedTrace, principal: Principal) -> bool:
    about = trace.about.get("principal")
    who = (about.get("speaker"), about.get("area_id")) if isinstance(about, Mapping) else (None, None)
    return who == (principal.speaker, principal.area_id)


def is_undoing(trace: RecordedTrace) -> bool:
    """Whether a request took another one back."""
    return str(trace.about.get("door")).endswith(_UNDOING)


def undone_by(trace: RecordedTrace) -> object:
    """The trace id of what an undoing took back."""
    request = trace.about.get("request")
    return request.get("undoes") if isinstance(request, dict) else None


def way_back(trace: RecordedTrace, facts: Facts, areas: tuple[str, ...]) -> WayBack:
    """What takes a trace back now, for a caller who may name what is in these areas; empty is everywhere."""
    ways = {way.entity_id: way for way in map(from_json, trace.undo) if way.of in trace.done}
    ways = _apart(ways)
    commands: list[dict[str, object]] = []
    left_out: list[dict[str, str]] = []
    for way in ways.values():
        record = facts.device(way.entity_id)
        if record is None or not record.is_nameable(areas):
            # Whoever may not name a device does not get to know how it is.
            left_out.append({"why": "something that you may not name"})
        elif why := _obstacle(way, record, facts):
            left_out.append({"entity_id": way.entity_id, "why": why})
        else:
            commands.append(way.candidate)
            if way.leaves:
                left_out.append({"entity_id": way.entity_id, "why": f"{way.leaves} does not come back"})
    return WayBack(commands=tuple(commands), left_out=tuple(left_out))


def _apart(ways: Mapping[str, Restore]) -> dict[str, Restore]:
    """Each entity once: a group some of whose members are taken back one by one is taken back so as well."""
    alone = {one: way for one, way in ways.items() if not way.members}
    for one, way in ways.items():
        if way.members and not alone.keys() & set(way.members):
            alone[one] = way
        elif way.members:
            parts = {member: replace(way, entity_id=member, key="", members=()) for member in way.members}
            alone = parts | alone
    return alone


def _obstacle(way: Restore, record: DeviceRecord, facts: Facts) -> str:
    """Why an entity is left alone, if it is."""
    if way.key and record.key != way.key:
        return "it is another device now"
    if way.members and not set(facts.makeup(way.entity_id).members) <= set(way.members):
        return "it has other members now"
    state = facts.state(way.entity_id)
    if state is None or not state.is_available:
        return "it cannot be reached now"
    is_as_left = not way.left or state.is_assumed or has_followed(way.left, state) or is_moving(way.left, state)
    if not is_as_left:
        return "it is not as the request left it"
    return "" if can_go_back(record, way, state, facts) else "it does not take what it was before any more"
