"""What each operation stands for in Home Assistant's own words, and how it shows: written beside the catalogue, not from it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .differential_shows import (
    Params,
    Shows,
    both,
    changes,
    flips,
    is_in,
    is_not,
    moved,
    near,
    opened,
    same,
    shows_fan,
    shows_light,
    shows_moment,
    turns,
    unless_off,
    warm,
)
from .differential_values import PERCENT, PLACES, Look, Source, fixed, moments, options, span, speeds, words


@dataclass(frozen=True, kw_only=True)
class Field:
    """A value of a proposal: the service's word for it, what it becomes there, and what to try.

    ``feature`` is a bit without which Home Assistant drops the value silently; ``start`` an attribute that a step needs.
    """

    name: str
    source: Source
    feature: int = 0
    start: str = ""
    convert: Callable[[Any, Look], Any] = lambda value, _: value


@dataclass(frozen=True, kw_only=True)
class Deed:
    """One operation. ``combos`` are the sets of values to try together; without them each value alone."""

    service: str
    fields: Mapping[str, Field] = field(default_factory=dict)
    combos: tuple[tuple[str, ...], ...] | None = None
    also: Mapping[str, Any] = field(default_factory=dict)
    shows: Shows = lambda _params, _before, _after: None

    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The sets of values to try."""
        return self.combos or tuple((name,) for name in self.fields) or ((),)

    def drops(self, params: Params, look: Look) -> str | None:
        """What Home Assistant drops silently on this entity, or could not start from."""
        features = int(look.attributes.get("supported_features") or 0)
        for name, item in self.fields.items():
            if name in params and item.feature and not item.feature & features:
                return f"{item.name} is dropped: the entity has no feature {item.feature}"
            if name in params and item.start and look.number(item.start) is None:
                return f"there is no {item.start} to start from"
        return None

    def payload(self, params: Params, before: Look) -> dict[str, Any]:
        """The service's data; what the operation does not know goes along under its own name."""
        data = dict(self.also)
        for name, value in params.items():
            known = self.fields.get(name)
            key = color_key(value) if name == "color" else known.name if known else name
            if known and key == "moment":
                key = _moment_key(before)
            data[key] = known.convert(value, before) if known else value
        return data


def color_key(value: Any) -> str:
    """A colour by name or by channels."""
    return "color_name" if isinstance(value, str) else "rgb_color"


def _moment_key(look: Look) -> str:
    has_date, has_time = look.attributes.get("has_date"), look.attributes.get("has_time")
    return "datetime" if has_date and has_time else "date" if has_date else "time"


def _stepped(attribute: str, scale: float = 1) -> Callable[[Any, Look], Any]:
    """A step as the absolute value that it means, where the service knows no steps."""
    return lambda value, before: round((before.number(attribute) or 0) + value * scale, 4)


_LIGHT = {
    "brightness": Field(name="brightness_pct", source=PERCENT),
    "brightness_step": Field(name="brightness_step_pct", source=fixed(20, -20, beyond=(90, -90))),
    "color": Field(name="rgb_color", source=fixed([255, 0, 0], "blue", strange=("no_such_word",))),
    "color_temperature": Field(
        name="color_temp_kelvin",
        source=span("min_color_temp_kelvin", "max_color_temp_kelvin", default=(2000, 6500)),
    ),
}


def _light(*names: str, combos: tuple[tuple[str, ...], ...] | None = None) -> Deed:
    fields = {name: _LIGHT[name] for name in names}
    return Deed(service="light.turn_on", fields=fields, combos=combos, shows=shows_light)


def _on_off(domain: str, *, off: str = "off") -> dict[tuple[str, str], Deed]:
    return {
        (domain, "turn_on"): Deed(service=f"{domain}.turn_on", shows=is_not(off)),
        (domain, "turn_off"): Deed(service=f"{domain}.turn_off", shows=is_in(off)),
        (domain, "toggle"): Deed(service=f"{domain}.toggle", shows=flips(off)),
    }


def _one(service: str, name: str, given: Field, shows: Shows) -> Deed:
    return Deed(service=service, fields={name: given}, shows=shows)


def chosen(
    service: str,
    name: str,
    word: str,
    listed: str,
    attribute: str | None,
    around: Callable[[Shows], Shows] | None = None,
) -> Deed:
    """A word out of a list of the entity's own."""
    shows = same(name, attribute)
    return _one(service, name, Field(name=word, source=options(listed)), around(shows) if around else shows)


_TEMPERATURE = Field(name="temperature", source=span("min_temp", "max_temp", "target_temp_step", default=(7, 35)))
_WARMER = Field(
    name="temperature", source=fixed(1, -1, beyond=(200,)), convert=_stepped("temperature"), start="temperature"
)
_LOW, _HIGH = (
    Field(name=name, source=span("min_temp", "max_temp", "target_temp_step", default=(7, 35)))
    for name in ("target_temp_low", "target_temp_high")
)
_WARM = both(
    warm("temperature", "temperature"),
    moved("temperature_step", "temperature", off_by=0.25),
    warm("temperature_low", "target_temp_low"),
    warm("temperature_high", "target_temp_high"),
)
_HUMIDITY = Field(name="humidity", source=span("min_humidity", "max_humidity"))
_VOLUME = Field(name="volume_level", source=PERCENT, convert=lambda value, _: value / 100)
_LOUDER = Field(
    name="volume_level",
    source=fixed(10, -10, beyond=(150,)),
    convert=_stepped("volume_level", 0.01),
    start="volume_level",
)
_POSITION, _TILT = (Field(name=name, source=PLACES) for name in ("position", "tilt_position"))
_FLAG = fixed(*(True, False), strange=("perhaps",))
_SPEED = Field(name="percentage", source=speeds)
_PRESET = Field(name="preset_mode", source=options("preset_modes"))
_MESSAGE = Field(name="message", source=fixed("hello"))
_TTS = "media-source://tts/demo?message=hello"


DEEDS: dict[tuple[str, str], Deed] = {
    **_on_off("light"),
    ("light", "turn_on"): _light(
        "brightness", "color", "color_temperature",
        combos=((), ("brightness",), ("color",), ("color_temperature",), ("brightness", "color")),
    ),
    ("light", "set_brightness"): _light("brightness", "brightness_step"),
    ("light", "set_color"): _light("color", "brightness", combos=(("color",), ("color", "brightness"))),
    ("light", "set_color_temperature"): _light(
        "color_temperature", "brightness", combos=(("color_temperature",), ("color_temperature", "brightness"))
    ),
    **_on_off("switch"),
    **_on_off("input_boolean"),
    **_on_off("fan"),
    ("fan", "turn_on"): Deed(
        service="fan.turn_on", fields={"speed": _SPEED, "preset": _PRESET}, combos=((), ("speed",), ("preset",)),
        shows=shows_fan,
    ),
    ("fan", "set_speed"): _one("fan.set_percentage", "speed", _SPEED, shows_fan),
    ("fan", "set_preset"): _one("fan.set_preset_mode", "preset", _PRESET, shows_fan),
    ("fan", "oscillate"): _one(
        "fan.oscillate", "value", Field(name="oscillating", source=_FLAG), same("value", "oscillating")
    ),
    ("fan", "set_direction"): _one(
        "fan.set_direction", "option", Field(name="direction", source=fixed("forward", "reverse", strange=("up",))),
        same("option", "direction"),
    ),
    ("cover", "open"): Deed(service="cover.open_cover", shows=opened),
    ("cover", "close"): Deed(service="cover.close_cover", shows=is_in("closed")),
    ("cover", "toggle"): Deed(service="cover.toggle", shows=turns),
    ("cover", "stop"): Deed(service="cover.stop_cover"),
    ("cover", "set_position"): _one(
        "cover.set_cover_position", "position", _POSITION, near("position", "current_position")
    ),
    ("cover", "set_tilt"): _one(
        "cover.set_cover_tilt_position", "tilt", _TILT, near("tilt", "current_tilt_position")
    ),
    ("valve", "open"): Deed(service="valve.open_valve", shows=opened),
    ("valve", "close"): Deed(service="valve.close_valve", shows=is_in("closed")),
    ("valve", "toggle"): Deed(service="valve.toggle", shows=turns),
    ("valve", "stop"): Deed(service="valve.stop_valve"),
    ("valve", "set_position"): _one(
        "valve.set_valve_position", "position", _POSITION, near("position", "current_position")
    ),
    ("lock", "lock"): Deed(service="lock.lock", shows=is_in("locked")),
    ("lock", "unlock"): Deed(service="lock.unlock", shows=is_in("unlocked")),
    ("lock", "open"): Deed(service="lock.open", shows=is_in("open")),
    **_on_off("climate"),
    ("climate", "set_temperature"): Deed(
        service="climate.set_temperature",
        fields={
            "temperature": _TEMPERATURE, "temperature_step": _WARMER,
            "temperature_low": _LOW, "temperature_high": _HIGH,
        },
        combos=(("temperature",), ("temperature_step",), ("temperature_low", "temperature_high")),
        shows=_WARM,
    ),
    ("climate", "set_mode"): chosen("climate.set_hvac_mode", "mode", "hvac_mode", "hvac_modes", None),
    ("climate", "set_fan_mode"): chosen("climate.set_fan_mode", "mode", "fan_mode", "fan_modes", "fan_mode"),
    ("climate", "set_swing_mode"): chosen(
        "climate.set_swing_mode", "mode", "swing_mode", "swing_modes", "swing_mode"
    ),
    ("climate", "set_preset"): chosen(
        "climate.set_preset_mode", "preset", "preset_mode", "preset_modes", "preset_mode"
    ),
    ("climate", "set_humidity"): _one("climate.set_humidity", "humidity", _HUMIDITY, near("humidity", "humidity")),
    ("water_heater", "turn_on"): Deed(service="water_heater.turn_on", shows=is_not("off")),
    ("water_heater", "turn_off"): Deed(service="water_heater.turn_off", shows=is_in("off")),
    ("water_heater", "set_temperature"): Deed(
        service="water_heater.set_temperature",
        fields={"temperature": _TEMPERATURE, "temperature_step": _WARMER},
        shows=_WARM,
    ),
    ("water_heater", "set_mode"): chosen(
        "water_heater.set_operation_mode", "mode", "operation_mode", "operation_list", "operation_mode"
    ),
    **_on_off("humidifier"),
    ("humidifier", "set_humidity"): _one(
        "humidifier.set_humidity", "humidity", _HUMIDITY, near("humidity", "humidity")
    ),
    ("humidifier", "set_mode"): chosen("humidifier.set_mode", "mode", "mode", "available_modes", "mode"),
    **_on_off("media_player"),
    ("media_player", "play"): Deed(service="media_player.media_play", shows=is_in("playing")),
    ("media_player", "pause"): Deed(service="media_player.media_pause", shows=is_in("paused")),
    ("media_player", "stop"): Deed(service="media_player.media_stop", shows=is_in("off", "idle", "standby")),
    ("media_player", "next"): Deed(service="media_player.media_next_track"),
    ("media_player", "previous"): Deed(service="media_player.media_previous_track"),
    ("media_player", "set_volume"): Deed(
        service="media_player.volume_set",
        fields={"volume": _VOLUME, "volume_step": _LOUDER},
        shows=unless_off(both(near("volume", "volume_level", 0.01), moved("volume_step", "volume_level", 0.01))),
    ),
    ("media_player", "mute"): _one(
        "media_player.volume_mute", "value", Field(name="is_volume_muted", source=_FLAG),
        unless_off(same("value", "is_volume_muted")),
    ),
    ("media_player", "shuffle"): _one(
        "media_player.shuffle_set", "value", Field(name="shuffle", source=_FLAG), unless_off(same("value", "shuffle"))
    ),
    ("media_player", "select_source"): chosen(
        "media_player.select_source", "source", "source", "source_list", "source", unless_off
    ),
    ("media_player", "set_mode"): chosen(
        "media_player.select_sound_mode", "mode", "sound_mode", "sound_mode_list", "sound_mode", unless_off
    ),
    ("media_player", "play_media"): Deed(
        service="media_player.play_media",
        fields={"media": Field(name="media_content_id", source=fixed("library/track/1"))},
        also={"media_content_type": "music"},
    ),
    ("media_player", "announce"): Deed(
        service="media_player.play_media",
        fields={"message": Field(name="media_content_id", source=fixed("hello"), convert=lambda _value, _look: _TTS, feature=1048576)},
        also={"media_content_type": "music", "announce": True},
    ),
    ("vacuum", "start"): Deed(service="vacuum.start", shows=is_in("cleaning")),
    ("vacuum", "pause"): Deed(service="vacuum.pause", shows=is_in("paused")),
    ("vacuum", "stop"): Deed(service="vacuum.stop", shows=is_in("idle")),
    ("vacuum", "dock"): Deed(service="vacuum.return_to_base", shows=is_in("docked", "returning")),
    ("vacuum", "locate"): Deed(service="vacuum.locate"),
    ("vacuum", "set_fan_mode"): chosen(
        "vacuum.set_fan_speed", "mode", "fan_speed", "fan_speed_list", "fan_speed"
    ),
    ("lawn_mower", "start"): Deed(service="lawn_mower.start_mowing", shows=is_in("mowing")),
    ("lawn_mower", "pause"): Deed(service="lawn_mower.pause", shows=is_in("paused")),
    ("lawn_mower", "dock"): Deed(service="lawn_mower.dock", shows=is_in("docked", "returning")),
    ("lawn_mower", "stop"): Deed(service="lawn_mower.stop"),
    ("alarm_control_panel", "arm_home"): Deed(
        service="alarm_control_panel.alarm_arm_home", shows=is_in("armed_home")
    ),
    ("alarm_control_panel", "arm_away"): Deed(
        service="alarm_control_panel.alarm_arm_away", shows=is_in("armed_away")
    ),
    ("alarm_control_panel", "arm_night"): Deed(
        service="alarm_control_panel.alarm_arm_night", shows=is_in("armed_night")
    ),
    ("alarm_control_panel", "disarm"): Deed(service="alarm_control_panel.alarm_disarm", shows=is_in("disarmed")),
    **_on_off("siren"),
    ("siren", "turn_on"): Deed(
        service="siren.turn_on",
        fields={"option": Field(name="tone", source=options("available_tones"), feature=4), "volume": replace(_VOLUME, feature=8)},
        combos=((), ("option",), ("volume",)),
        shows=is_in("on"),
    ),
    **_on_off("remote"),
    ("remote", "turn_on"): Deed(
        service="remote.turn_on",
        fields={"option": Field(name="activity", source=options("activity_list"))},
        combos=((), ("option",)),
        shows=both(is_in("on"), same("option", "current_activity")),
    ),
    ("scene", "activate"): Deed(service="scene.turn_on", shows=changes()),
    ("scene", "turn_on"): Deed(service="scene.turn_on", shows=changes()),
    ("scene", "run"): Deed(service="scene.turn_on", shows=changes()),
    ("script", "run"): Deed(service="script.turn_on", shows=changes("last_triggered")),
    ("script", "turn_on"): Deed(service="script.turn_on", shows=changes("last_triggered")),
    ("script", "activate"): Deed(service="script.turn_on", shows=changes("last_triggered")),
    ("script", "stop"): Deed(service="script.turn_off", shows=is_in("off")),
    ("button", "press"): Deed(service="button.press", shows=changes()),
    ("input_button", "press"): Deed(service="input_button.press", shows=changes()),
    **{
        (domain, "set_value"): _one(
            f"{domain}.set_value", "value", Field(name="value", source=span("min", "max", "step")), near("value", None)
        )
        for domain in ("number", "input_number")
    },
    ("counter", "set_value"): _one(
        "counter.set_value", "value", Field(name="value", source=span("minimum", "maximum", default=(-1000, 1000))),
        near("value", None),
    ),
    ("select", "select_option"): chosen("select.select_option", "option", "option", "options", None),
    ("input_select", "select_option"): chosen("input_select.select_option", "option", "option", "options", None),
    **{
        (domain, "set_value"): _one(
            f"{domain}.set_value", "value", Field(name="value", source=words), same("value", None)
        )
        for domain in ("text", "input_text")
    },
    ("date", "set_value"): _one(
        "date.set_value", "value",
        Field(name="date", source=fixed("2026-12-24", beyond=("2026-02-30",), strange=("soon",))), shows_moment,
    ),
    ("time", "set_value"): _one(
        "time.set_value", "value",
        Field(name="time", source=fixed("07:30:00", beyond=("25:00:00",), strange=("soon",))), shows_moment,
    ),
    ("datetime", "set_value"): _one(
        "datetime.set_value", "value",
        Field(name="datetime", source=fixed("2026-12-24T07:30:00", strange=("soon", "07:30:00"))), shows_moment,
    ),
    ("input_datetime", "set_value"): _one(
        "input_datetime.set_datetime", "value", Field(name="moment", source=moments), shows_moment
    ),
    ("timer", "start"): Deed(service="timer.start", shows=is_in("active")),
    ("timer", "pause"): Deed(service="timer.pause", shows=is_in("paused")),
    ("timer", "stop"): Deed(service="timer.cancel", shows=is_in("idle")),
    ("todo", "add_item"): _one(
        "todo.add_item", "message", Field(name="item", source=fixed("milk")),
        lambda _params, before, after: after.state.isdigit() and int(after.state) == int(before.state) + 1,
    ),
    ("notify", "announce"): _one("notify.send_message", "message", _MESSAGE, changes()),
    ("assist_satellite", "announce"): _one("assist_satellite.announce", "message", _MESSAGE, lambda *_: None),
    ("update", "install"): Deed(service="update.install", shows=is_in("off")),
    ("camera", "turn_on"): Deed(service="camera.turn_on"),
    ("camera", "turn_off"): Deed(service="camera.turn_off"),
}  # fmt: skip
"""Every operation of the catalogue, by domain and intent."""
