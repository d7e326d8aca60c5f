"""Taking back what a request did: which request, and what of it is still as the request left it (no Home Assistant here)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from .catalogue.undo import from_json
from .devices import DeviceState
from .expectation import has_followed, is_moving
from .plan import Restore
from .trace import RecordedTrace

DOOR = "edgehome.undo"
LOOK_BACK = 20
"""So many of a caller's latest deeds are looked at for one that can be taken back."""


class States(Protocol):
    """What is asked of a house."""

    def state(self, entity_id: str) -> DeviceState | None:
        """The entity's present state."""
        ...


@dataclass(frozen=True, kw_only=True)
class WayBack:
    """The commands that take a request back, and what is left as it is, with the reason."""

    commands: tuple[dict[str, object], ...]
    left_out: tuple[dict[str, str], ...]


def last_of(traces: Iterable[RecordedTrace]) -> RecordedTrace | None:
    """The last deed that can be taken back, was not yet, and is no undoing itself; ``traces`` are the last one first."""
    undone: set[object] = set()
    for trace in traces:
        if trace.about.get("door") == DOOR:
            undone.add(undone_by(trace))
        elif trace.undo and trace.trace_id not in undone:
            return trace
    return None


def undone_by(trace: RecordedTrace) -> object:
    """The trace id of what an undoing took back."""
    request = trace.about.get("request")
    return request.get("undoes") if isinstance(request, dict) else None


def way_back(trace: RecordedTrace, house: States) -> WayBack:
    """What takes a trace back now."""
    commands: list[dict[str, object]] = []
    left_out: list[dict[str, str]] = []
    for way in map(from_json, trace.undo):
        if why := _obstacle(way, house.state(way.entity_id)):
            left_out.append({"entity_id": way.entity_id, "why": why})
        else:
            commands.append(way.candidate)
    return WayBack(commands=tuple(commands), left_out=tuple(left_out))


def _obstacle(way: Restore, state: DeviceState | None) -> str:
    """Why an entity is left alone, if it is."""
    if state is None or not state.is_available:
        return "it cannot be reached now"
    is_as_left = not way.left or state.is_assumed or has_followed(way.left, state) or is_moving(way.left, state)
    return "" if is_as_left else "it is not as the request left it"
