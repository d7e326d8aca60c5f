"""Base risk of an operation, 0 harmless to 5 critical: the owner's first orientation, before any rule."""

from ..models import Intent, Verb
from ..plan import Effect

_BY_TYPE: dict[str, dict[Verb | None, int]] = {
    "light": {None: 1},
    "switch": {None: 2},
    "outlet": {None: 2},
    "thermostat": {None: 2},
    "lock": {None: 4, Intent.OPEN: 5},
    "garage_door": {None: 4, Intent.CLOSE: 3, Intent.STOP: 3},
    "gate": {None: 4, Intent.CLOSE: 3, Intent.STOP: 3},
    "door": {None: 4, Intent.CLOSE: 3, Intent.STOP: 3},
    "window": {None: 3, Intent.CLOSE: 2, Intent.STOP: 2},
    "blind": {None: 1},
    "curtain": {None: 1},
    "shade": {None: 1},
    "shutter": {None: 1},
    "awning": {None: 1},
    "damper": {None: 3},
    "cover": {None: 3},
    "valve": {None: 4, Intent.CLOSE: 2, Intent.STOP: 2},
    "water_heater": {None: 3},
    "humidifier": {None: 2},
    "fan": {None: 1},
    "speaker": {None: 1, Intent.ANNOUNCE: 2},
    "tv": {None: 1, Intent.ANNOUNCE: 2},
    "media_player": {None: 1, Intent.ANNOUNCE: 2},
    "vacuum": {None: 1, Intent.START: 2},
    "mower": {None: 2},
    "alarm": {None: 3, Intent.DISARM: 5},
    "siren": {None: 3, Intent.TURN_OFF: 2},
    "remote": {None: 3},
    "scene": {None: 1},
    "script": {None: 1},
    "button": {None: 3},
    "input_button": {None: 3},
    "camera": {None: 2, Intent.TURN_OFF: 3},
    "update": {None: 3},
    "todo": {None: 1},
    "notify": {None: 2},
    "assist_satellite": {None: 2},
    "number": {None: 2},
    "select": {None: 2},
    "text": {None: 2},
    "date": {None: 2},
    "time": {None: 2},
    "datetime": {None: 2},
    "input_boolean": {None: 2},
    "input_number": {None: 2},
    "input_select": {None: 2},
    "input_text": {None: 2},
    "input_datetime": {None: 2},
    "counter": {None: 2},
    "timer": {None: 2},
}

OPAQUE = 3
"""What a scene or script that cannot be read is at least (R5)."""

BARRIERS = frozenset({"garage_door", "gate", "door", "window", "cover"})
"""Covers that keep somebody out, or could."""

UNLISTED = 5
"""What is not in the table is critical until somebody says otherwise (R2)."""

LARGE_JUMP = {"°C": 5.0, "°F": 9.0}
"""A set-point change above this raises the risk by one."""


def base_risk(device_type: str, operation: Verb) -> int:
    """The risk of an operation on a device type, 0-5; ``status`` is always 0."""
    if operation is Intent.STATUS:
        return 0
    row = _BY_TYPE.get(device_type)
    if row is None:
        return UNLISTED
    return row.get(operation, row[None])


def effect_on(device_type: str, operation: Verb, plain: Effect) -> Effect:
    """What an operation does to the house: moving a barrier secures or unsecures it."""
    if found := _EFFECTS.get((device_type, operation)):
        return found
    if device_type not in BARRIERS:
        return plain
    ends: dict[Verb, Effect] = {Intent.OPEN: Effect.UNSECURE, Intent.CLOSE: Effect.SECURE}
    return ends.get(operation, plain)


_EFFECTS: dict[tuple[str, Verb], Effect] = {
    ("valve", Intent.OPEN): Effect.UNSECURE,
    ("valve", Intent.CLOSE): Effect.SECURE,
    ("alarm", Intent.DISARM): Effect.UNSECURE,
}
"""What else secures and unsecures."""
