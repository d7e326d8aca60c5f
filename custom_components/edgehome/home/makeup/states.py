"""What it takes to bring entities into given states: scenes (``components/*/reproduce_state.py``)."""

import math
from collections.abc import Iterator, Mapping

from homeassistant.helpers.template import Template

from ...catalogue import DOMAINS, OPERATIONS, operation
from ...devices import Deed
from ...models import Intent

_OF_STATE = {
    (row.domain, item.value): row.intent.value
    for row in reversed(OPERATIONS)
    for item in row.expect
    if item.attribute is None and not item.differs
}
"""The operation that brings an entity of a domain into a state."""

_ON_THE_WAY = {
    ("lock", "locking"): ("lock",),
    ("lock", "unlocking"): ("unlock",),
    ("lock", "opening"): ("open", "unlock"),
    ("lock", "open"): ("open", "unlock"),
    ("cover", "opening"): ("open",),
    ("cover", "closing"): ("close",),
    ("valve", "opening"): ("open",),
    ("valve", "closing"): ("close",),
}
BOTH_WAYS: dict[str, tuple[str, ...]] = {
    "alarm_control_panel": ("disarm", "arm_away"),
    "cover": ("open", "close"),
    "lock": ("unlock", "lock", "open"),
    "scene": ("activate",),
    "script": ("run", "stop"),
    "valve": ("open", "close"),
}
"""All that may be done to an entity of a domain, where nobody can tell which."""

ON_OFF = ("turn_on", "turn_off")
_POSITIONED = frozenset({"cover", "valve"})


def deeds_to_reach(states: object) -> Iterator[Deed]:
    """What is done to bring entities into states: by entity id, a state or an object with ``state``."""
    if not isinstance(states, Mapping):
        yield Deed(why="states that are only known when it runs")
        return
    for entity_id, wanted in states.items():
        domain = str(entity_id).partition(".")[0]
        if domain not in DOMAINS or "{" in str(entity_id):
            yield Deed(why=f"a state of {entity_id}, which is not in the catalogue")
            continue
        attributes = wanted if isinstance(wanted, Mapping) else getattr(wanted, "attributes", {})
        temperature = attributes.get("temperature") if isinstance(attributes, Mapping) else None
        yield Deed(
            entity_id=str(entity_id),
            verbs=(*value_verbs(domain, attributes), *_verbs(domain, wanted)),
            temperature=float(temperature) if isinstance(temperature, int | float) else None,
            amount=amount_in(attributes),
        )


_OF_VALUE = {
    "brightness": Intent.SET_BRIGHTNESS, "brightness_pct": Intent.SET_BRIGHTNESS, "brightness_step": Intent.SET_BRIGHTNESS,
    "brightness_step_pct": Intent.SET_BRIGHTNESS, "color_name": Intent.SET_COLOR, "hs_color": Intent.SET_COLOR,
    "rgb_color": Intent.SET_COLOR, "rgbw_color": Intent.SET_COLOR, "rgbww_color": Intent.SET_COLOR,
    "xy_color": Intent.SET_COLOR, "color_temp": Intent.SET_COLOR_TEMPERATURE,
    "color_temp_kelvin": Intent.SET_COLOR_TEMPERATURE, "kelvin": Intent.SET_COLOR_TEMPERATURE,
    "position": Intent.SET_POSITION, "current_position": Intent.SET_POSITION, "tilt_position": Intent.SET_TILT,
    "current_tilt_position": Intent.SET_TILT, "temperature": Intent.SET_TEMPERATURE,
    "target_temp_high": Intent.SET_TEMPERATURE, "target_temp_low": Intent.SET_TEMPERATURE, "hvac_mode": Intent.SET_MODE,
    "operation_mode": Intent.SET_MODE, "fan_mode": Intent.SET_FAN_MODE, "swing_mode": Intent.SET_SWING_MODE,
    "preset_mode": Intent.SET_PRESET, "humidity": Intent.SET_HUMIDITY, "percentage": Intent.SET_SPEED,
    "volume_level": Intent.SET_VOLUME, "source": Intent.SELECT_SOURCE, "value": Intent.SET_VALUE,
    "option": Intent.SELECT_OPTION,
}  # fmt: skip
"""What sets each value, as Home Assistant names them."""


def value_verbs(domain: str, values: object) -> tuple[str, ...]:
    """The operations by which these values would be proposed: a rule about one of them is about a script's step too."""
    if not isinstance(values, Mapping):
        return ()
    wanted = dict.fromkeys(_OF_VALUE[name] for name, value in values.items() if name in _OF_VALUE and value is not None)
    return tuple(intent.value for intent in wanted if operation(domain, intent))


_AMOUNTS = {
    "brightness_pct": 1.0, "brightness": 100 / 255, "volume_level": 100.0, "position": 1.0, "current_position": 1.0,
    "percentage": 1.0, "humidity": 1.0, "temperature": 1.0, "target_temp_high": 1.0, "value": 1.0,
}  # fmt: skip
"""The values that an owner's range is about, as Home Assistant names them, and what makes them those of a proposal."""


def amount_in(values: object) -> float | None:
    """The value that is set, in the words of a proposal; infinite where it is only known when it runs."""
    if not isinstance(values, Mapping):
        return None
    told = [(values[key], factor) for key, factor in _AMOUNTS.items() if key in values]
    amounts = [value * factor if isinstance(value, int | float) else math.inf for value, factor in told]
    return amounts[0] if amounts else None


def _verbs(domain: str, wanted: object) -> tuple[str, ...]:
    state = wanted.get("state") if isinstance(wanted, Mapping) else getattr(wanted, "state", wanted)
    attributes = wanted if isinstance(wanted, Mapping) else getattr(wanted, "attributes", {})
    if isinstance(state, Template) or "{" in str(state):
        return BOTH_WAYS.get(domain, ON_OFF)
    word = {True: "on", False: "off"}.get(state, str(state)) if isinstance(state, bool) else str(state)
    position = attributes.get("current_position") if isinstance(attributes, Mapping) else None
    if domain in _POSITIONED and position is not None:
        # The position decides, whatever the state says.
        return ("close",) if position == 0 else ("open",) if isinstance(position, int | float) else BOTH_WAYS[domain]
    if known := _ON_THE_WAY.get((domain, word)):
        return known
    told = _OF_STATE.get((domain, word))
    if told is not None:
        return (told,)
    return BOTH_WAYS.get(domain, (Intent.SET_MODE.value,))
