"""From the names in a proposal to the entities they mean (no Home Assistant here).

Names match exactly, case and outer blanks aside. Nothing is guessed, nothing widens (R6): only what names a set (a room,
floor or label with a device type, a device, the whole home) reaches more than one entity.
"""

import re
from dataclasses import dataclass, replace

from .catalogue import operation
from .catalogue.device_types import is_of_type, words
from .chain import Refuse, listed, settled
from .codes import Code
from .devices import DeviceRecord, Place, PlaceKind, Room
from .facts import Facts
from .models import NOW, ModelCandidate

_ENTITY_ID = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")
_TIMED = re.compile(
    r"\b(?:in|after) (?:\w+ ){1,2}?(?:seconds?|minutes?|hours?|days?)\b|\b(?:every|each) (?:\w+ )?\w+"
    r"|\b(?:tomorrow|tonight|at \d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?|when)\b",
    re.IGNORECASE,
)
"""What reads like a time in a name that no device has."""
_LIST_TOOL = "edgehome.list_devices shows what this caller may name."
_AS_ALIAS = "device is for all that a physical device has; send the name of one thing as device_alias."


@dataclass(frozen=True)
class Found:
    """The entities that are meant; ``is_set``: they were named as a set, of which the unfit are left out."""

    records: tuple[DeviceRecord, ...]
    is_set: bool = False


def find(candidate: ModelCandidate, facts: Facts, scope: tuple[str, ...], here: str | None = None) -> Found | Refuse:
    """The entities that a proposal names in this caller's areas, or why there are none.

    ``here`` is the area of the voice device that was spoken to: it stands in where no place is named.
    """
    room = _room(candidate.room, facts, scope) if candidate.room else None
    if isinstance(room, Refuse):
        return room
    if candidate.device_alias:
        found = _by_name(candidate, candidate.device_alias, room, facts, scope)
        return found if isinstance(found, Refuse) else Found(found)
    place = _place(candidate, facts)
    if isinstance(place, Refuse):
        return place
    if place is not None:
        return _in_place(candidate, place, facts, scope)
    device_type = settled(candidate.device_type)
    if room:
        there = facts.devices_in(room.area_id, device_type)
        return Found(there, is_set=True) if there else _not_there(device_type, room, facts)
    if here:
        return _said_in(here, device_type, facts, scope)
    return _only_one(device_type, facts, scope)


def _said_in(here: str, device_type: str, facts: Facts, scope: tuple[str, ...]) -> Found | Refuse:
    """What of a type is meant by somebody in a room: what is there; else the only one that there is at all."""
    name = next((room.name for room in facts.rooms_named(here)), here)
    if scope and here not in scope:
        return _out_of_scope(name, _TYPE)
    if there := facts.devices_in(here, device_type):
        return Found(there, is_set=True)
    found = _only_one(device_type, facts, scope)
    if isinstance(found, Refuse) and found.candidates:
        rooms = tuple(dict.fromkeys(one.room for one in facts.devices_of_type(device_type, scope) if one.room))
        message = f"There is no {device_type} in {name}, where this was said, and there are several elsewhere."
        hint = f"Ask which room is meant, and send it: {listed(rooms)}." if rooms else "Ask which one is meant."
        return replace(found, message=message, hint=hint, candidates=rooms)
    return found


def _only_one(device_type: str, facts: Facts, scope: tuple[str, ...]) -> Found | Refuse:
    there = facts.devices_of_type(device_type, scope)
    if len(there) > 1:
        return _ambiguous(f"There are several of type {device_type}.", there, _TYPE)
    return Found(there) if there else _nothing(f"There is no {device_type}.", _TYPE)


_TYPE = "model_candidate.device_type"
_HOME = Place(kind=PlaceKind.HOME, id="", name="the home")


def _place(candidate: ModelCandidate, facts: Facts) -> Place | Refuse | None:
    """The floor, label, device or home that is named."""
    if candidate.scope:
        return _HOME
    given = {PlaceKind.FLOOR: candidate.floor, PlaceKind.LABEL: candidate.label, PlaceKind.DEVICE: candidate.device}
    kind, name = next(((kind, name) for kind, name in given.items() if name), (None, None))
    if kind is None or name is None:
        return None
    found = facts.places_named(kind, name)
    field = f"model_candidate.{kind.value}"
    if len(found) > 1:
        return Refuse(
            code=Code.AMBIGUOUS_AREA,
            message=f"Several {kind.value}s are called {name!r}.",
            hint="Use a name that only one has, or name the devices.",
            field=field,
        )
    if not found:
        return Refuse(
            code=Code.AREA_NOT_FOUND,
            message=f"There is no {kind.value} called {name!r}.",
            hint=_AS_ALIAS if kind is PlaceKind.DEVICE and _is_shown(name, facts) else _LIST_TOOL,
            field=field,
        )
    return found[0]


def _is_shown(name: str, facts: Facts) -> bool:
    """Whether something of this name may be known to agents."""
    return any(record.exposed and record.targetable for record in facts.devices_named(name))


def _in_place(candidate: ModelCandidate, place: Place, facts: Facts, scope: tuple[str, ...]) -> Found | Refuse:
    """What of a type is in a place and in this caller's areas; of a device, what can do what is asked for."""
    found = facts.devices_at(place, candidate.device_type or "")
    if not candidate.device_type:
        found = tuple(record for record in found if operation(record.domain, candidate.intent) is not None)
    there = tuple(record for record in found if not scope or record.area_id in scope)
    if there:
        return Found(there, is_set=True)
    if found:
        where = "scope" if place.kind is PlaceKind.HOME else place.kind.value
        return _out_of_scope(place.name, f"model_candidate.{where}")
    what = candidate.device_type or f"device that can {candidate.intent.value}"
    return _nothing(f"There is no {what} in {place.name}.", _TYPE)


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


def _not_there(device_type: str, room: Room, facts: Facts) -> Refuse:
    """There is nothing of this type in a room; what there is instead."""
    there = facts.devices_at(Place(kind=PlaceKind.AREA, id=room.area_id, name=room.name), "")
    types = tuple(dict.fromkeys(record.device_type for record in there))
    return replace(
        _nothing(f"There is no {device_type} in {room.name}.", _TYPE),
        hint=f"In {room.name} there is: {listed(types, 20)}." if types else f"Agents may name nothing in {room.name}.",
        candidates=types,
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
