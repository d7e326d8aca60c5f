"""The way back from an action, by domain: what restores the state before it, and nothing else.

What has no way back (a press, a script, an announcement), or whose state before is not known, has none.
"""

from collections.abc import Callable, Mapping
from math import isfinite

from ..devices import DeviceState
from ..models import Intent, Verb
from ..plan import GatedCommand

type Proposal = tuple[Intent, Mapping[str, object]]
"""Intent and values of a model candidate."""

_NOT_KNOWN = frozenset({"unknown", "unavailable"})
_COLORS = {
    "hs": "rgb_color", "rgb": "rgb_color", "xy": "xy_color", "rgbw": "rgbw_color", "rgbww": "rgbww_color",
}  # fmt: skip
"""Where a lamp shows its colour, by color mode (``components/light/__init__.py``)."""
_COLOR_SHOWN = frozenset({"color_temp_kelvin", *_COLORS.values()})
_LEAST_PERCENT = 1


def restoring(action: GatedCommand, before: DeviceState) -> Proposal | None:
    """The proposal that takes an action back, or None."""
    way = _WAYS.get(action.entity_id.partition(".")[0])
    if way is None or action.custom is not None or action.stale or before.state in _NOT_KNOWN:
        return None
    return way(_Change(action), before)


def left_by(action: GatedCommand, before: DeviceState) -> str:
    """What does not come back, in words; empty if everything does.

    A fan that was off goes off; some remember a speed while they are off, and nothing sets that without switching on. An
    effect of a lamp cannot be proposed, nor what a player played before it went off.
    """
    change, domain = _Change(action), action.entity_id.partition(".")[0]
    went_off = change.is_any(Intent.TURN_OFF)
    if domain == "fan" and before.state == "off" and change.shows & {"percentage", "preset_mode"}:
        return "the speed that it remembers while it is off" if before.number("percentage") != 0 else ""
    if domain == "light" and before.state == "on" and (went_off or change.shows & _COLOR_SHOWN):
        return "the effect" if before.attributes.get("effect") not in _NO_EFFECT else ""
    return "what it played" if domain == "media_player" and went_off and before.state in _PLAYING else ""


_NO_EFFECT = frozenset({None, "", "off", "None", "none"})
_PLAYING = frozenset({"playing", "paused", "buffering"})


class _Change:
    """What an action does, for its way back."""

    def __init__(self, action: GatedCommand) -> None:
        self.verbs: frozenset[Verb] = frozenset(action.operations)
        self.shows = {item.attribute for item in action.expect}
        """What changes: attributes, and None for the state itself."""

    def is_any(self, *verbs: Intent) -> bool:
        """Whether it is one of these."""
        return bool(self.verbs & set(verbs))


def _to(intent: Intent, **params: object) -> Proposal | None:
    """A proposal; None where one of its values is not known."""
    return None if None in params.values() else (intent, params)


def _switched(_: _Change, before: DeviceState) -> Proposal | None:
    return {"on": _to(Intent.TURN_ON), "off": _to(Intent.TURN_OFF)}.get(before.state)


def _light(change: _Change, before: DeviceState) -> Proposal | None:
    """A lamp that was off goes off; one that was on gets back what changed: brightness, colour, or both after off."""
    if before.state != "on":
        return _switched(change, before)
    went_off = change.is_any(Intent.TURN_OFF)
    params: dict[str, object] = {}
    if (went_off or "brightness" in change.shows) and (brightness := before.number("brightness")) is not None:
        params["brightness"] = round(brightness / 2.55, 2)
        if params["brightness"] < _LEAST_PERCENT:  # type: ignore[operator]  # a number, just made
            return None
    if went_off or change.shows & _COLOR_SHOWN:
        params |= _color(before)
        if not went_off and not params.keys() & {"color", "color_temperature"}:
            return None
    return _to(Intent.TURN_ON, **params)


def _color(before: DeviceState) -> dict[str, object]:
    mode = before.attributes.get("color_mode")
    if mode == "color_temp" and (kelvin := before.number("color_temp_kelvin")) is not None:
        return {"color_temperature": round(kelvin)}
    # In the lamp's own numbers, where it has others than hue: a conversion to red, green and blue and back is not exact.
    channels = before.attributes.get(_COLORS.get(str(mode), ""))
    return {"color": list(channels)} if isinstance(channels, list | tuple) else {}


def _fan(change: _Change, before: DeviceState) -> Proposal | None:
    if change.is_any(Intent.OSCILLATE):
        return _to(Intent.OSCILLATE, value=before.attributes.get("oscillating"))
    if change.is_any(Intent.SET_DIRECTION):
        return _to(Intent.SET_DIRECTION, option=before.attributes.get("direction"))
    if before.state != "on":
        return _switched(change, before)
    if "percentage" in change.shows and (speed := before.number("percentage")):
        return _to(Intent.SET_SPEED, speed=speed)
    if (preset := before.attributes.get("preset_mode")) is not None:
        return _to(Intent.SET_PRESET, preset=preset)
    if speed := before.number("percentage"):
        return _to(Intent.SET_SPEED, speed=speed)
    return _to(Intent.TURN_ON) if change.is_any(Intent.TURN_OFF) else None


def _cover(change: _Change, before: DeviceState) -> Proposal | None:
    """Back to the position, where it has one, else open or closed; nobody knows where one on its way comes from."""
    if change.is_any(Intent.SET_TILT):
        return _to(Intent.SET_TILT, tilt=before.number("current_tilt_position"))
    if change.is_any(Intent.STOP):
        return None
    position = before.number("current_position")
    # Some are "open" at any position: open is no way back to the end.
    is_between = position is not None and 0 < position < (101 if change.is_any(Intent.SET_POSITION) else 100)
    if is_between:
        return _to(Intent.SET_POSITION, position=position) if before.state == "open" else None
    return {"open": _to(Intent.OPEN), "closed": _to(Intent.CLOSE)}.get(before.state)


def _lock(_: _Change, before: DeviceState) -> Proposal | None:
    return {"locked": _to(Intent.LOCK), "unlocked": _to(Intent.UNLOCK)}.get(before.state)


def _climate(change: _Change, before: DeviceState) -> Proposal | None:
    if change.is_any(Intent.SET_TEMPERATURE):
        points = {
            name: before.number(attribute) for name, attribute in _SET_POINTS.items() if attribute in change.shows
        }
        mode = {"mode": before.state} if None in change.shows else {}
        return _to(Intent.SET_TEMPERATURE, **points, **mode, unit=before.unit)
    for intent, (param, attribute) in _MODES.items():
        if change.is_any(intent):
            return _to(intent, **{param: before.attributes.get(attribute)})
    return _to(Intent.SET_MODE, mode=before.state)


_SET_POINTS = {
    "temperature": "temperature",
    "temperature_low": "target_temp_low",
    "temperature_high": "target_temp_high",
}
_MODES = {
    Intent.SET_FAN_MODE: ("mode", "fan_mode"),
    Intent.SET_SWING_MODE: ("mode", "swing_mode"),
    Intent.SET_PRESET: ("preset", "preset_mode"),
    Intent.SET_HUMIDITY: ("humidity", "humidity"),
}


def _water_heater(change: _Change, before: DeviceState) -> Proposal | None:
    if change.is_any(Intent.SET_TEMPERATURE):
        return _to(Intent.SET_TEMPERATURE, temperature=before.number("temperature"), unit=before.unit)
    mode = before.attributes.get("operation_mode")
    if mode is not None and (before.state != "off" or change.is_any(Intent.SET_MODE)):
        return _to(Intent.SET_MODE, mode=mode)
    return _to(Intent.TURN_OFF if before.state == "off" else Intent.TURN_ON)


def _humidifier(change: _Change, before: DeviceState) -> Proposal | None:
    if change.is_any(Intent.SET_HUMIDITY):
        return _to(Intent.SET_HUMIDITY, humidity=before.number("humidity"))
    if change.is_any(Intent.SET_MODE):
        return _to(Intent.SET_MODE, mode=before.attributes.get("mode"))
    return _switched(change, before)


def _media_player(change: _Change, before: DeviceState) -> Proposal | None:
    values: dict[Intent, tuple[str, object]] = {
        Intent.MUTE: ("value", before.attributes.get("is_volume_muted")),
        Intent.SHUFFLE: ("value", before.attributes.get("shuffle")),
        Intent.SELECT_SOURCE: ("source", before.attributes.get("source")),
        Intent.SET_MODE: ("mode", before.attributes.get("sound_mode")),
    }
    if change.is_any(Intent.SET_VOLUME):
        volume = before.number("volume_level")
        return _to(Intent.SET_VOLUME, volume=None if volume is None else round(volume * 100, 2))
    for intent, (param, value) in values.items():
        if change.is_any(intent):
            return _to(intent, **{param: value})
    if change.is_any(Intent.PLAY, Intent.PAUSE):
        return {"playing": _to(Intent.PLAY), "paused": _to(Intent.PAUSE)}.get(before.state)
    if change.is_any(Intent.TURN_ON, Intent.TURN_OFF):
        return _to(Intent.TURN_OFF if before.state == "off" else Intent.TURN_ON)
    return None


def _vacuum(change: _Change, before: DeviceState) -> Proposal | None:
    if change.is_any(Intent.SET_FAN_MODE):
        return _to(Intent.SET_FAN_MODE, mode=before.attributes.get("fan_speed"))
    return _machine(change, before)


def _machine(change: _Change, before: DeviceState) -> Proposal | None:
    if not change.is_any(Intent.START, Intent.PAUSE, Intent.DOCK):
        return None
    # What has gone to its dock cannot be paused on its way any more.
    pause = _to(Intent.PAUSE) if change.is_any(Intent.START) else None
    start, dock = _to(Intent.START), _to(Intent.DOCK)
    return {"docked": dock, "paused": pause, "cleaning": start, "mowing": start}.get(before.state)


def _alarm(_: _Change, before: DeviceState) -> Proposal | None:
    return {
        "disarmed": _to(Intent.DISARM),
        "armed_home": _to(Intent.ARM_HOME),
        "armed_away": _to(Intent.ARM_AWAY),
        "armed_night": _to(Intent.ARM_NIGHT),
    }.get(before.state)


def _number(_: _Change, before: DeviceState) -> Proposal | None:
    value = float(before.state)
    return _to(Intent.SET_VALUE, value=value) if isfinite(value) else None


def _choice(_: _Change, before: DeviceState) -> Proposal | None:
    return _to(Intent.SELECT_OPTION, option=before.state)


def _words(_: _Change, before: DeviceState) -> Proposal | None:
    """A text; one for passwords shows none (R12), and an empty one cannot be proposed."""
    is_secret = before.attributes.get("mode") == "password"
    return None if is_secret or not before.state else _to(Intent.SET_VALUE, value=before.state)


def _moment(_: _Change, before: DeviceState) -> Proposal | None:
    return _to(Intent.SET_VALUE, value=before.state)


_WAYS: dict[str, Callable[[_Change, DeviceState], Proposal | None]] = {
    "light": _light,
    **dict.fromkeys(("switch", "input_boolean", "siren", "remote"), _switched),
    "fan": _fan,
    **dict.fromkeys(("cover", "valve"), _cover),
    "lock": _lock,
    "climate": _climate,
    "water_heater": _water_heater,
    "humidifier": _humidifier,
    "media_player": _media_player,
    "vacuum": _vacuum,
    "lawn_mower": _machine,
    "alarm_control_panel": _alarm,
    **dict.fromkeys(("number", "input_number", "counter"), _number),
    **dict.fromkeys(("select", "input_select"), _choice),
    **dict.fromkeys(("text", "input_text"), _words),
    **dict.fromkeys(("date", "time", "input_datetime"), _moment),
}
UNDOABLE = frozenset(_WAYS)
"""The domains with a way back."""
