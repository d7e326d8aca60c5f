"""Every value of the catalogue out of its range, off its grid or not among its options: code, field and repair (R6)."""

from typing import Any

import pytest

from custom_components.edgehome.codes import Code
from tests.made_devices import house_of_all, refused

_OWN = "in the home's own time."

REFUSED: list[tuple[str, str, dict[str, Any], Code, str]] = [
    ("set_brightness", "lamp", {"brightness": 101}, Code.OUT_OF_RANGE, "Send a number from 0 to 100, in percent."),
    ("set_brightness", "lamp", {"brightness": -1}, Code.OUT_OF_RANGE, "Send a number from 0 to 100, in percent."),
    (
        "turn_on",
        "lamp",
        {"brightness": 0.5},
        Code.OUT_OF_RANGE,
        "Send 50 if that is what you mean; percent go from 0 to 100.",
    ),
    (
        "turn_on",
        "lamp",
        {"color": "blurple"},
        Code.INVALID_OPTION,
        "Send a CSS colour name such as darkblue, or [red, green, blue], each 0-255.",
    ),
    (
        "set_color",
        "lamp",
        {"color": "blurple"},
        Code.INVALID_OPTION,
        "Send a CSS colour name such as darkblue, or [red, green, blue], each 0-255.",
    ),
    (
        "set_color_temperature",
        "lamp",
        {"color_temperature": 1999},
        Code.OUT_OF_RANGE,
        "Send a number from 2000 to 6500, in kelvin.",
    ),
    (
        "set_color_temperature",
        "lamp",
        {"color_temperature": 6501},
        Code.OUT_OF_RANGE,
        "Send a number from 2000 to 6500, in kelvin.",
    ),
    (
        "set_color_temperature",
        "lamp",
        {"color_temperature": 2700.5},
        Code.OUT_OF_RANGE,
        "Send 2700 or 2701.",
    ),
    (
        "set_brightness",
        "lamp",
        {"brightness_step": 81},
        Code.OUT_OF_RANGE,
        "It goes to 100 %: send at most 80 in this direction.",
    ),
    (
        "set_brightness",
        "lamp",
        {"brightness_step": -21},
        Code.OUT_OF_RANGE,
        "It goes to 0 %: send at most 20 in this direction.",
    ),
    ("set_brightness", "lamp", {"brightness_step": 0}, Code.OUT_OF_RANGE, "Send a step of at least 1."),
    ("turn_on", "fan", {"speed": 50}, Code.OUT_OF_RANGE, "Send one of: 33, 67, 100."),
    ("set_speed", "fan", {"speed": 50}, Code.OUT_OF_RANGE, "Send one of: 33, 67, 100."),
    ("set_speed", "fan", {"speed": 101}, Code.OUT_OF_RANGE, "Send a number from 0 to 100, in percent."),
    ("set_speed", "fan", {"speed": -1}, Code.OUT_OF_RANGE, "Send a number from 0 to 100, in percent."),
    ("set_speed", "fan", {"speed": 66.7}, Code.OUT_OF_RANGE, "Send 66 or 67."),
    ("set_preset", "fan", {"preset": "turbo"}, Code.INVALID_OPTION, "Send one of: eco, boost."),
    ("turn_on", "fan", {"preset": "turbo"}, Code.INVALID_OPTION, "Send one of: eco, boost."),
    ("oscillate", "fan", {"value": 1}, Code.INVALID_OPTION, "Send true or false."),
    ("oscillate", "fan", {"value": "yes"}, Code.INVALID_OPTION, "Send true or false."),
    ("set_direction", "fan", {"option": "up"}, Code.INVALID_OPTION, "Send one of: forward, reverse."),
    ("set_position", "blind", {"position": 101}, Code.OUT_OF_RANGE, "Send a number from 0 to 100, in percent."),
    ("set_position", "blind", {"position": 33.5}, Code.OUT_OF_RANGE, "Send 33 or 34."),
    ("set_tilt", "blind", {"tilt": -1}, Code.OUT_OF_RANGE, "Send a number from 0 to 100, in percent."),
    ("set_position", "water", {"position": 101}, Code.OUT_OF_RANGE, "Send a number from 0 to 100, in percent."),
    ("set_temperature", "heating", {"temperature": 31}, Code.OUT_OF_RANGE, "Send a number from 7 to 30 °C."),
    (
        "set_temperature",
        "heating",
        {"temperature": 70},
        Code.UNIT_MISMATCH,
        "70 °F is 21.1 °C: send that, or add unit '°F'.",
    ),
    (
        "set_temperature",
        "heating",
        {"temperature_step": 10.5},
        Code.OUT_OF_RANGE,
        "It goes to 30 °C: send at most 10 in this direction.",
    ),
    (
        "set_temperature",
        "heating",
        {"temperature_step": -14},
        Code.OUT_OF_RANGE,
        "It goes to 7 °C: send at most 13 in this direction.",
    ),
    ("set_temperature", "heating", {"temperature_step": 0}, Code.OUT_OF_RANGE, "Send a step of at least 0.1."),
    (
        "set_temperature",
        "heating",
        {"temperature_low": 5, "temperature_high": 22},
        Code.OUT_OF_RANGE,
        "Send a number from 7 to 30 °C.",
    ),
    (
        "set_temperature",
        "heating",
        {"temperature_low": 18, "temperature_high": 35},
        Code.OUT_OF_RANGE,
        "Send a number from 7 to 30 °C.",
    ),
    ("set_mode", "heating", {"mode": "dry"}, Code.INVALID_OPTION, "Send one of: off, heat, cool."),
    ("set_fan_mode", "heating", {"mode": "turbo"}, Code.INVALID_OPTION, "Send one of: low, high."),
    ("set_swing_mode", "heating", {"mode": "both"}, Code.INVALID_OPTION, "Send one of: on, off."),
    ("set_preset", "heating", {"preset": "eco"}, Code.INVALID_OPTION, "Send one of: home, away."),
    ("set_humidity", "heating", {"humidity": 71}, Code.OUT_OF_RANGE, "Send a number from 30 to 70, in percent."),
    ("set_humidity", "heating", {"humidity": 29}, Code.OUT_OF_RANGE, "Send a number from 30 to 70, in percent."),
    ("set_temperature", "boiler", {"temperature": 66}, Code.OUT_OF_RANGE, "Send a number from 40 to 65 °C."),
    ("set_temperature", "boiler", {"temperature": 39}, Code.OUT_OF_RANGE, "Send a number from 40 to 65 °C."),
    (
        "set_temperature",
        "boiler",
        {"temperature_step": 16},
        Code.OUT_OF_RANGE,
        "It goes to 65 °C: send at most 15 in this direction.",
    ),
    ("set_mode", "boiler", {"mode": "gas"}, Code.INVALID_OPTION, "Send one of: off, eco, performance."),
    ("set_humidity", "mist", {"humidity": 61}, Code.OUT_OF_RANGE, "Send a number from 30 to 60, in percent."),
    ("set_mode", "mist", {"mode": "turbo"}, Code.INVALID_OPTION, "Send one of: auto, sleep."),
    ("set_volume", "radio", {"volume": 101}, Code.OUT_OF_RANGE, "Send a number from 0 to 100, in percent."),
    (
        "set_volume",
        "radio",
        {"volume": 0.3},
        Code.OUT_OF_RANGE,
        "Send 30 if that is what you mean; percent go from 0 to 100.",
    ),
    (
        "set_volume",
        "radio",
        {"volume_step": 71},
        Code.OUT_OF_RANGE,
        "It goes to 100 %: send at most 70 in this direction.",
    ),
    (
        "set_volume",
        "radio",
        {"volume_step": -31},
        Code.OUT_OF_RANGE,
        "It goes to 0 %: send at most 30 in this direction.",
    ),
    ("set_volume", "radio", {"volume_step": 0}, Code.OUT_OF_RANGE, "Send a step of at least 1."),
    ("mute", "radio", {"value": "on"}, Code.INVALID_OPTION, "Send true or false."),
    ("shuffle", "radio", {"value": 0}, Code.INVALID_OPTION, "Send true or false."),
    ("select_source", "radio", {"source": "CD"}, Code.INVALID_OPTION, "Send one of: Radio, TV."),
    ("set_mode", "radio", {"mode": "jazz"}, Code.INVALID_OPTION, "Send one of: music, movie."),
    (
        "play_media",
        "radio",
        {"media": "media-source://tts/x?message=hi"},
        Code.INVALID_OPTION,
        "Send announce with message instead.",
    ),
    ("set_fan_mode", "robot", {"mode": "loud"}, Code.INVALID_OPTION, "Send one of: quiet, max."),
    ("turn_on", "siren", {"option": "horn"}, Code.INVALID_OPTION, "Send one of: fire, bell."),
    ("turn_on", "siren", {"volume": 120}, Code.OUT_OF_RANGE, "Send a number from 0 to 100, in percent."),
    ("turn_on", "remote", {"option": "Games"}, Code.INVALID_OPTION, "Send one of: TV, Music."),
    ("set_value", "limit", {"value": 4.5}, Code.OUT_OF_RANGE, "Send a number from 5 to 20 A."),
    ("set_value", "limit", {"value": 20.5}, Code.OUT_OF_RANGE, "Send a number from 5 to 20 A."),
    ("set_value", "limit", {"value": 12.3}, Code.OUT_OF_RANGE, "Send 12 or 12.5."),
    ("set_value", "limit", {"value": True}, Code.INVALID_OPTION, "Send a number from 5 to 20 A."),
    ("set_value", "limit", {"value": "12"}, Code.INVALID_OPTION, "Send a number from 5 to 20 A."),
    ("set_value", "level", {"value": -11}, Code.OUT_OF_RANGE, "Send a number from -10 to 10."),
    ("set_value", "level", {"value": 2.5}, Code.OUT_OF_RANGE, "Send 2 or 3."),
    ("set_value", "level", {"value": -2.5}, Code.OUT_OF_RANGE, "Send -3 or -2."),
    ("set_value", "visits", {"value": 7.5}, Code.OUT_OF_RANGE, "Send 7 or 8."),
    ("select_option", "program", {"option": "silk"}, Code.INVALID_OPTION, "Send one of: wool, cotton."),
    ("select_option", "mode", {"option": "Day"}, Code.INVALID_OPTION, "Send one of: day, night."),
    ("set_value", "label", {"value": "a"}, Code.OUT_OF_RANGE, "Send 2 to 8 characters."),
    ("set_value", "label", {"value": "toolonglabel"}, Code.OUT_OF_RANGE, "Send 2 to 8 characters."),
    ("set_value", "label", {"value": "New"}, Code.INVALID_OPTION, "It must match '[a-z]+$'."),
    ("set_value", "label", {"value": 5}, Code.INVALID_OPTION, "Send text."),
    ("set_value", "label", {"value": True}, Code.INVALID_OPTION, "Send text."),
    ("set_value", "birthday", {"value": "24.12.2026"}, Code.INVALID_OPTION, f"Send it like 2026-12-24, {_OWN}"),
    ("set_value", "birthday", {"value": "2026-02-30"}, Code.INVALID_OPTION, f"Send it like 2026-12-24, {_OWN}"),
    ("set_value", "birthday", {"value": "2026-12-24T07:30"}, Code.INVALID_OPTION, f"Send it like 2026-12-24, {_OWN}"),
    ("set_value", "birthday", {"value": 20261224}, Code.INVALID_OPTION, f"Send it like 2026-12-24, {_OWN}"),
    ("set_value", "bedtime", {"value": "25:00"}, Code.INVALID_OPTION, f"Send it like 07:30:00, {_OWN}"),
    ("set_value", "bedtime", {"value": "7pm"}, Code.INVALID_OPTION, f"Send it like 07:30:00, {_OWN}"),
    ("set_value", "bedtime", {"value": "07:30+02:00"}, Code.INVALID_OPTION, f"Send it like 07:30:00, {_OWN}"),
    ("set_value", "bedtime", {"value": "2026-12-24"}, Code.INVALID_OPTION, f"Send it like 07:30:00, {_OWN}"),
    ("set_value", "start", {"value": "2026-12-24"}, Code.INVALID_OPTION, f"Send it like 2026-12-24T07:30:00, {_OWN}"),
    ("set_value", "start", {"value": "tomorrow"}, Code.INVALID_OPTION, f"Send it like 2026-12-24T07:30:00, {_OWN}"),
    ("set_value", "wake", {"value": "2026-12-24"}, Code.INVALID_OPTION, f"Send it like 07:30:00, {_OWN}"),
    ("set_value", "wake", {"value": "noon"}, Code.INVALID_OPTION, f"Send it like 07:30:00, {_OWN}"),
    ("set_value", "wake", {"value": True}, Code.INVALID_OPTION, f"Send it like 07:30:00, {_OWN}"),
]


@pytest.mark.parametrize(
    ("intent", "name", "params", "code", "hint"),
    [pytest.param(*case, id=f"{case[1]} {case[0]} {case[2]}") for case in REFUSED],
)
def test_does_not_fit(intent: str, name: str, params: dict[str, Any], code: Code, hint: str) -> None:
    """A value that the device does not take is refused with what it would take; nothing is clamped."""
    refusal = refused(intent, name, params)
    assert (refusal.code, refusal.hint) == (code, hint)
    assert str(refusal.field) in {f"model_candidate.params.{param}" for param in params}


@pytest.mark.parametrize(
    ("intent", "name", "params", "changed", "code", "hint"),
    [
        pytest.param(
            "set_brightness",
            "lamp",
            {"brightness_step": 10},
            {"state": "unknown", "brightness": None},
            Code.UNSUPPORTED_FIELD,
            "Send brightness instead of brightness_step.",
            id="a lamp of which nobody knows how bright it is",
        ),
        pytest.param(
            "set_brightness",
            "lamp",
            {"brightness_step": -10},
            {"state": "off", "brightness": None},
            Code.OUT_OF_RANGE,
            "It is at its end already.",
            id="a lamp that is off starts from 0",
        ),
        pytest.param(
            "set_volume",
            "radio",
            {"volume_step": 10},
            {"volume_level": None},
            Code.UNSUPPORTED_FIELD,
            "Send volume instead of volume_step.",
            id="a player that tells no volume",
        ),
        pytest.param(
            "set_temperature",
            "heating",
            {"temperature_step": 1},
            {"state": "off", "temperature": None},
            Code.UNSUPPORTED_FIELD,
            "Send temperature instead of temperature_step.",
            id="a thermostat that tells no set point",
        ),
        pytest.param(
            "set_brightness",
            "lamp",
            {"brightness_step": 5},
            {"brightness": 255},
            Code.OUT_OF_RANGE,
            "It is at its end already.",
            id="as bright as it goes",
        ),
        pytest.param(
            "set_volume",
            "radio",
            {"volume_step": -1},
            {"volume_level": 0},
            Code.OUT_OF_RANGE,
            "It is at its end already.",
            id="as low as it goes",
        ),
        pytest.param(
            "set_speed", "fan", {"speed": 60}, {"percentage_step": 25}, Code.OUT_OF_RANGE, "25, 50, 75, 100.", id="of 4"
        ),
        pytest.param(
            "set_value", "label", {"value": "new"}, {"pattern": "[a-"}, Code.INVALID_OPTION, "'[a-'", id="broken pattern"
        ),
        pytest.param(
            "set_value",
            "label",
            {"value": "new"},
            {"mode": "password"},
            Code.UNSUPPORTED_FIELD,
            "The owner sets it in Home Assistant.",
            id="a password",
        ),
        pytest.param(
            "set_value",
            "wake",
            {"value": "07:30"},
            {"has_date": True, "has_time": True},
            Code.INVALID_OPTION,
            "2026-12-24T07:30:00",
            id="a time for a date and time",
        ),
        pytest.param(
            "set_value",
            "wake",
            {"value": "07:30"},
            {"has_date": True, "has_time": False},
            Code.INVALID_OPTION,
            "2026-12-24,",
            id="a time for a date",
        ),
        pytest.param(
            "select_option", "program", {"option": "wool"}, {"options": []}, Code.INVALID_OPTION, "no choice", id="none"
        ),
        pytest.param(
            "set_temperature", "boiler", {"temperature": 61}, {"min_temp": None, "max_temp": None}, Code.OUT_OF_RANGE,
            "from 43.3 to 60 °C", id="a boiler that names no range",
        ),
        pytest.param(
            "set_humidity", "mist", {"humidity": 101}, {"min_humidity": None, "max_humidity": None}, Code.OUT_OF_RANGE,
            "from 0 to 100", id="a humidifier that names no range",
        ),
        pytest.param(
            "set_value", "visits", {"value": -1}, {"minimum": 0, "maximum": None}, Code.OUT_OF_RANGE, "from 0 on.",
            id="no highest",
        ),
        pytest.param(
            "set_value", "visits", {"value": 101}, {}, Code.OUT_OF_RANGE, "up to 100.", id="no lowest",
        ),
    ],
)  # fmt: skip
def test_by_the_device(
    intent: str, name: str, params: dict[str, Any], changed: dict[str, Any], code: Code, hint: str
) -> None:
    """Ranges, grids and forms are the device's own, and so is the present value that a step starts from."""
    refusal = refused(intent, name, params, house_of_all(**{name: changed}))
    assert refusal.code is code
    assert hint in refusal.hint


def test_no_voice() -> None:
    """A home without a voice announces nothing on its players."""
    house = house_of_all()
    house.has_voice = False
    refusal = refused("announce", "radio", {"message": "Dinner"}, house)
    assert (refusal.code, refusal.field) == (Code.SERVICE_NOT_FOUND, "model_candidate.params.message")
    assert "text-to-speech" in refusal.message


def test_a_little_speed_is_no_speed() -> None:
    """A fan of three speeds has no 1 %: it would run at 33."""
    assert refused("set_speed", "fan", {"speed": 1}).code is Code.OUT_OF_RANGE


@pytest.mark.parametrize(("name", "value"), [("bedtime", "07:30:00.9"), ("start", "2026-12-24T07:30:00.9")])
def test_fractions_of_a_second(name: str, value: str) -> None:
    """What cannot be set as it was sent is refused."""
    refused("set_value", name, {"value": value})


def test_another_zone_is_no_time_of_an_input_datetime() -> None:
    """Home Assistant keeps the clock's digits and forgets the zone: the wrong hour would be set."""
    house = house_of_all(wake={"has_date": True, "has_time": True})
    refused("set_value", "wake", {"value": "2026-12-24T07:30:00+09:00"}, house)


def test_neighbours_below_zero() -> None:
    """The two values next to one between them, also below zero."""
    house = house_of_all(level={"min": None, "max": None})
    assert refused("set_value", "level", {"value": -1.5}, house).hint == "Send -2 or -1."
