"""From the names in a proposal to the entities they mean (no Home Assistant here).

Names match exactly, case and outer blanks aside. Nothing is guessed, nothing widens (R6): only a room together with a
device type reaches more than one entity.
"""

import re

from .catalogue.device_types import is_of_type, words
from .chain import Refuse, listed, settled
from .codes import Code
from .facts import DeviceRecord, Facts, Room
from .models import NOW, ModelCandidate

_ENTITY_ID = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")
_TIMED = re.compile(
    r"\b(?:in|after) (?:\w+ ){1,2}?(?:seconds?|minutes?|hours?|days?)\b|\b(?:every|each) (?:\w+ )?\w+"
    r"|\b(?:tomorrow|tonight|at \d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?|when)\b",
    re.IGNORECASE,
)
"""What reads like a time in a name that no device has."""
_LIST_TOOL = "edgehome.list_devices shows what this caller may name."


def find(candidate: ModelCandidate, facts: Facts, scope: tuple[str, ...]) -> tuple[DeviceRecord, ...] | Refuse:
    """The entities that a proposal names in this caller's areas, or why there are none."""
    room = _room(candidate.room, facts, scope) if candidate.room else None
    if isinstance(room, Refuse):
        return room
    if candidate.device_alias:
        return _by_name(candidate, candidate.device_alias, room, facts, scope)
    device_type = settled(candidate.device_type)
    if room:
        found = facts.devices_in(room.area_id, device_type)
        return found or _nothing(f"There is no {device_type} in {room.name}.", "model_candidate.device_type")
    found = facts.devices_of_type(device_type, scope)
    if len(found) > 1:
        return _ambiguous(
            f"There are several of type {device_type}.",
            found,
            "model_candidate.device_type",
        )
    return found or _nothing(f"There is no {device_type}.", "model_candidate.device_type")


def _room(name: str, facts: Facts, scope: tuple[str, ...]) -> Room | Refuse:
    rooms = facts.rooms_named(name)
    if len(rooms) > 1 and scope:
        rooms = tuple(room for room in rooms if room.area_id in scope) or rooms[:1]
    if len(rooms) > 1:
        return Refuse(
            code=Code.AMBIGUOUS_AREA,
            message=f"Several rooms are called {name!r}.",
            hint="Use a name or alias that only one room has.",
            field="model_candidate.room",
            candidates=tuple(room.name for room in rooms),
        )
    if not rooms:
        near = facts.rooms_like(name, scope)
        return Refuse(
            code=Code.AREA_NOT_FOUND,
            message=f"There is no room called {name!r}.",
            hint=f"Rooms with a similar name: {listed(near)}." if near else _LIST_TOOL,
            field="model_candidate.room",
            candidates=near,
        )
    if scope and rooms[0].area_id not in scope:
        return _out_of_scope(rooms[0].name, "model_candidate.room")
    return rooms[0]


def _by_name(
    candidate: ModelCandidate,
    name: str,
    room: Room | None,
    facts: Facts,
    scope: tuple[str, ...],
) -> tuple[DeviceRecord, ...] | Refuse:
    field = "model_candidate.device_alias"
    by_id = facts.device(name) if _ENTITY_ID.fullmatch(name) else None
    found = (by_id,) if by_id else facts.devices_named(name)
    if not found:
        near = facts.devices_like(name, scope)
        if _TIMED.search(name):
            message = f"There is no device called {name!r}; it reads like a time or a repetition."
            return Refuse(code=Code.ENTITY_NOT_FOUND, message=message, hint=NOW, field=field, candidates=near)
        hint = f"Did you mean: {listed(near)}?" if near else _LIST_TOOL
        if "," in name or (room is None and candidate.device_type is None):
            hint += " Name one device; for a whole room send room and device_type."
        return Refuse(
            code=Code.ENTITY_NOT_FOUND,
            message=f"There is no device called {name!r}.",
            hint=hint,
            field=field,
            candidates=near,
        )
    steps = (
        (
            Code.NOT_TARGETABLE,
            lambda item: item.targetable,
            f"{name!r} is a hidden, diagnostic or own entity.",
        ),
        (
            Code.NOT_EXPOSED,
            lambda item: item.exposed,
            f"{name!r} is not exposed to agents.",
        ),
        (
            Code.OUT_OF_SCOPE,
            lambda item: not scope or item.area_id in scope,
            f"{name!r} is outside this agent's rooms.",
        ),
        (
            Code.ENTITY_NOT_FOUND,
            lambda item: room is None or item.area_id == room.area_id,
            f"{name!r} is not in {room.name if room else ''}.",
        ),
        (
            Code.DEVICE_TYPE_MISMATCH,
            lambda item: not candidate.device_type or is_of_type(item.device_type, item.domain, candidate.device_type),
            f"{name!r} is not a {candidate.device_type}.",
        ),
    )
    for code, fits, message in steps:
        left = tuple(record for record in found if fits(record))
        if not left:
            return Refuse(code=code, message=message, hint=_HINTS[code], field=field)
        found = left
    return found if len(found) == 1 else _ambiguous(f"Several devices are called {name!r}.", found, field)


_HINTS = {
    Code.NOT_TARGETABLE: _LIST_TOOL,
    Code.NOT_EXPOSED: "The owner can expose it under Settings > Voice assistants > Expose.",
    Code.OUT_OF_SCOPE: "The owner can widen this agent's rooms in EdgeHome.",
    Code.ENTITY_NOT_FOUND: "Leave the room out, or name the room that the device is in.",
    Code.DEVICE_TYPE_MISMATCH: "Leave device_type out, or name the right device.",
}


def _out_of_scope(what: str, field: str) -> Refuse:
    return Refuse(
        code=Code.OUT_OF_SCOPE,
        message=f"{what!r} is outside this agent's rooms.",
        hint=_HINTS[Code.OUT_OF_SCOPE],
        field=field,
    )


def _nothing(message: str, field: str) -> Refuse:
    return Refuse(
        code=Code.ENTITY_NOT_FOUND,
        message=message,
        hint=f"Device types are: {listed(words(), 40)}.",
        field=field,
    )


def _ambiguous(message: str, found: tuple[DeviceRecord, ...], field: str) -> Refuse:
    candidates = tuple(record.entity_id for record in found)
    return Refuse(
        code=Code.AMBIGUOUS_TARGET,
        message=message,
        hint=f"Add the room, or use one of: {listed(candidates)}.",
        field=field,
        candidates=candidates,
    )
