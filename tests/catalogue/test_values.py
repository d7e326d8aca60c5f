"""How a proposed value becomes service data. Nothing is clamped, nothing converted silently (R6)."""

from typing import Any

import pytest

from custom_components.edgehome.catalogue import OPERATIONS
from custom_components.edgehome.catalogue.light import BRIGHTNESS_MODES
from custom_components.edgehome.catalogue.values import Color, Kelvin, Kind, Option, Percent, Temperature, Value
from custom_components.edgehome.chain import Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import DeviceState
from custom_components.edgehome.expectation import has_followed
from tests.made_devices import DEVICES

POSITION = Percent(field="position", attribute="current_position", moving=("opening", "closing"))
BRIGHTNESS = Percent(
    field="brightness_pct",
    attribute="brightness",
    scale=255,
    modes_attribute="supported_color_modes",
    modes=BRIGHTNESS_MODES,
    whole=False,
    states=((0, "off"),),
)
HUMIDITY = Percent(field="humidity", attribute="humidity", limits=("min_humidity", "max_humidity"))
SET_POINT = Temperature(field="temperature", attribute="temperature")
MODE = Option(field="hvac_mode", options="hvac_modes", attribute=None)
PRESET = Option(field="preset_mode", options="preset_modes", attribute="preset_mode")

DIMMABLE: dict[str, Any] = {"supported_color_modes": ["brightness"]}
WHITE: dict[str, Any] = {
    "supported_color_modes": ["color_temp"],
    "min_color_temp_kelvin": 2202,
    "max_color_temp_kelvin": 4000,
}
RGB: dict[str, Any] = {"supported_color_modes": ["rgb"]}
HS: dict[str, Any] = {"supported_color_modes": ["hs", "color_temp"]}


def state(unit: str = "°C", **attributes: object) -> DeviceState:
    """A state with these attributes."""
    return DeviceState(state="on", attributes=attributes, unit=unit)


@pytest.mark.parametrize(
    ("kind", "value", "present", "data"),
    [
        pytest.param(POSITION, 0, state(), {"position": 0}, id="position 0"),
        pytest.param(POSITION, 100.0, state(), {"position": 100}, id="position 100 as a float"),
        pytest.param(BRIGHTNESS, 80, state(**DIMMABLE), {"brightness_pct": 80}, id="brightness"),
        pytest.param(BRIGHTNESS, 1, state(**DIMMABLE), {"brightness_pct": 1}, id="the least brightness"),
        pytest.param(BRIGHTNESS, 1.0, state(**DIMMABLE), {"brightness_pct": 1}, id="the least as a float"),
        pytest.param(BRIGHTNESS, 12.5, state(**DIMMABLE), {"brightness_pct": 12.5}, id="a fraction of brightness"),
        pytest.param(BRIGHTNESS, 100, state(supported_color_modes=["hs"]), {"brightness_pct": 100}, id="colour lamp"),
        pytest.param(HUMIDITY, 55, state(min_humidity=40, max_humidity=60), {"humidity": 55}, id="humidity"),
        pytest.param(HUMIDITY, 40, state(min_humidity=40, max_humidity=60), {"humidity": 40}, id="lowest humidity"),
        pytest.param(Kelvin(), 2700, state(**WHITE), {"color_temp_kelvin": 2700}, id="kelvin"),
        pytest.param(Kelvin(), 2202, state(**WHITE), {"color_temp_kelvin": 2202}, id="lowest kelvin"),
        pytest.param(Color(), (255, 0, 1), state(**RGB), {"rgb_color": [255, 0, 1]}, id="rgb"),
        pytest.param(SET_POINT, 21.5, state(min_temp=7, max_temp=30), {"temperature": 21.5}, id="set point"),
        pytest.param(SET_POINT, 70, state("°F", min_temp=45, max_temp=90), {"temperature": 70}, id="fahrenheit home"),
        pytest.param(SET_POINT, 35, state(), {"temperature": 35}, id="without a range"),
        pytest.param(MODE, "heat", state(hvac_modes=["off", "heat"]), {"hvac_mode": "heat"}, id="mode"),
        pytest.param(PRESET, "away", state(preset_modes=("home", "away")), {"preset_mode": "away"}, id="preset"),
    ],
)
def test_fits(kind: Kind, value: object, present: DeviceState, data: dict[str, object]) -> None:
    """A value that the device takes goes into the service's field as it is."""
    answer = kind.convert("name", value, "Thing", present)
    assert isinstance(answer, Value)
    assert dict(answer.data) == data


@pytest.mark.parametrize(
    ("kind", "value", "state_before", "words"),
    [
        pytest.param(POSITION, 40, state(current_position=0), ("0 %", "40 %"), id="position"),
        pytest.param(POSITION, 40, state(), ("", "40 %"), id="a position that is not told"),
        pytest.param(BRIGHTNESS, 80, state(brightness=51, **DIMMABLE), ("20 %", "80 %"), id="brightness in percent"),
        pytest.param(BRIGHTNESS, 12.5, state(brightness=None, **DIMMABLE), ("", "12.5 %"), id="a lamp that is off"),
        pytest.param(Kelvin(), 2700, state(**WHITE), ("", "2700 K"), id="kelvin"),
        pytest.param(Color(), (255, 0, 1), state(**RGB), ("", "RGB [255, 0, 1]"), id="colour"),
        pytest.param(SET_POINT, 21.5, state(temperature=20), ("20 °C", "21.5 °C"), id="set point"),
        pytest.param(SET_POINT, 70, state("°F", temperature=68.0), ("68 °F", "70 °F"), id="fahrenheit"),
        pytest.param(
            MODE, "heat", DeviceState(state="off", attributes={"hvac_modes": ["heat"]}), ("off", "heat"), id="mode"
        ),
        pytest.param(PRESET, "away", state(preset_modes=["away"], preset_mode="home"), ("home", "away"), id="preset"),
        pytest.param(PRESET, "away", state(preset_modes=["away"]), ("", "away"), id="a preset that is not told"),
        pytest.param(PRESET, "away", state(preset_modes=["away"], preset_mode=None), ("", "away"), id="no preset"),
    ],
)
def test_words(kind: Kind, value: object, state_before: DeviceState, words: tuple[str, str]) -> None:
    """What a person reads of a value: as it is and as it would be, with its unit; what is not known is left out."""
    answer = kind.convert("name", value, "Thing", state_before)
    assert isinstance(answer, Value)
    assert (answer.present, answer.wanted) == words


@pytest.mark.parametrize(
    ("kind", "value", "present", "code", "hint"),
    [
        pytest.param(POSITION, -1, state(), Code.OUT_OF_RANGE, "from 0 to 100", id="below"),
        pytest.param(POSITION, 100.5, state(), Code.OUT_OF_RANGE, "from 0 to 100", id="above"),
        pytest.param(POSITION, 33.3, state(), Code.OUT_OF_RANGE, "33 or 34", id="a fraction of a position"),
        pytest.param(BRIGHTNESS, 255, state(**DIMMABLE), Code.OUT_OF_RANGE, "from 0 to 100", id="255 for percent"),
        pytest.param(BRIGHTNESS, 0.8, state(**DIMMABLE), Code.OUT_OF_RANGE, "Send 80 if", id="a fraction of one"),
        pytest.param(BRIGHTNESS, 0.999, state(**DIMMABLE), Code.OUT_OF_RANGE, "Send 99.9 if", id="nearly one"),
        pytest.param(BRIGHTNESS, 1e-9, state(**DIMMABLE), Code.OUT_OF_RANGE, "from 0 to 100", id="next to nothing"),
        pytest.param(
            BRIGHTNESS,
            40,
            state(supported_color_modes=["onoff"]),
            Code.UNSUPPORTED_FIELD,
            "switched",
            id="a lamp without a dimmer",
        ),
        pytest.param(BRIGHTNESS, 40, state(), Code.UNSUPPORTED_FIELD, "switched", id="a lamp that says nothing"),
        pytest.param(
            BRIGHTNESS, 40, state(supported_color_modes="brightness"), Code.UNSUPPORTED_FIELD, "switched", id="no list"
        ),
        pytest.param(
            HUMIDITY, 61, state(min_humidity=40, max_humidity=60), Code.OUT_OF_RANGE, "from 40 to 60", id="too humid"
        ),
        pytest.param(Kelvin(), 2201, state(**WHITE), Code.OUT_OF_RANGE, "from 2202 to 4000", id="too warm a white"),
        pytest.param(Kelvin(), 4001, state(**WHITE), Code.OUT_OF_RANGE, "from 2202 to 4000", id="too cold a white"),
        pytest.param(Kelvin(), 3000, state(**RGB), Code.UNSUPPORTED_FIELD, "Leave", id="kelvin of a colour lamp"),
        pytest.param(
            Color(),
            (0, 255, 0),
            state(**WHITE),
            Code.UNSUPPORTED_FIELD,
            "from 2202 to 4000 (K)",
            id="green of a white one",
        ),
        pytest.param(
            Color(), "red", state(**DIMMABLE), Code.UNSUPPORTED_FIELD, "Leave color out", id="red of a dimmer"
        ),
        pytest.param(SET_POINT, 31, state(min_temp=7, max_temp=30), Code.OUT_OF_RANGE, "from 7 to 30 °C", id="too hot"),
        pytest.param(
            SET_POINT, 6.9, state(min_temp=7, max_temp=30), Code.OUT_OF_RANGE, "from 7 to 30 °C", id="too cold"
        ),
        pytest.param(SET_POINT, 1000, state(), Code.OUT_OF_RANGE, "from 7 to 35 °C", id="without a range"),
        pytest.param(
            SET_POINT, 70, state(min_temp=7, max_temp=30), Code.UNIT_MISMATCH, "21.1 °C", id="fahrenheit in celsius"
        ),
        pytest.param(
            SET_POINT,
            20.5,
            state("°F", min_temp=44.6, max_temp=95),
            Code.UNIT_MISMATCH,
            "68.9 °F",
            id="celsius in fahrenheit (case 34)",
        ),
        pytest.param(
            MODE, "cool", state(hvac_modes=["off", "heat"]), Code.INVALID_OPTION, "off, heat", id="no such mode"
        ),
        pytest.param(MODE, "HEAT", state(hvac_modes=["heat"]), Code.INVALID_OPTION, "heat", id="upper case"),
        pytest.param(MODE, "heat", state(), Code.INVALID_OPTION, "no choice", id="a device without modes"),
        pytest.param(
            MODE, "h", state(hvac_modes="heat"), Code.INVALID_OPTION, "no choice", id="modes that are no list"
        ),
    ],
)
def test_does_not_fit(kind: Kind, value: object, present: DeviceState, code: Code, hint: str) -> None:
    """A value that the device does not take is refused with what it would take."""
    answer = kind.convert("name", value, "Thing", present)
    assert isinstance(answer, Refuse), answer
    assert (answer.code, answer.field) == (code, "model_candidate.params.name")
    assert hint in answer.hint


@pytest.mark.parametrize(
    ("kind", "value", "able", "after", "met"),
    [
        pytest.param(POSITION, 50, {}, {"current_position": 50}, True, id="position"),
        pytest.param(POSITION, 50, {}, {"current_position": 51}, False, id="another position"),
        pytest.param(POSITION, 50, {}, {}, False, id="no position"),
        pytest.param(BRIGHTNESS, 80, DIMMABLE, {"brightness": 204}, True, id="brightness"),
        pytest.param(BRIGHTNESS, 80, DIMMABLE, {"brightness": 206}, True, id="rounded by the device"),
        pytest.param(BRIGHTNESS, 80, DIMMABLE, {"brightness": 207}, False, id="one percent more"),
        pytest.param(BRIGHTNESS, 1, DIMMABLE, {"brightness": None}, False, id="off"),
        pytest.param(Color(), (255, 0, 0), RGB, {"rgb_color": (250, 10, 0)}, True, id="nearly the colour"),
        pytest.param(Color(), (255, 0, 0), RGB, {"rgb_color": [255, 0, 0]}, True, id="a list"),
        pytest.param(Color(), (255, 0, 0), RGB, {"rgb_color": (255, 0, 17)}, False, id="another colour"),
        pytest.param(Color(), (255, 0, 0), RGB, {"rgb_color": None}, False, id="no colour"),
        pytest.param(Color(), (238, 130, 238), HS, {"rgb_color": (255, 139, 255)}, True, id="violet by its hue"),
        pytest.param(Color(), (0, 0, 128), HS, {"rgb_color": (0, 0, 255)}, True, id="navy by its hue"),
        pytest.param(Color(), (0, 0, 0), HS, {"rgb_color": (255, 255, 255)}, True, id="black has no hue"),
        pytest.param(Color(), (0, 0, 128), RGB, {"rgb_color": (0, 0, 255)}, False, id="navy by its channels"),
        pytest.param(Kelvin(), 2700, WHITE, {"color_temp_kelvin": 2707}, True, id="kelvin"),
        pytest.param(Kelvin(), 2700, WHITE, {"color_temp_kelvin": 3000}, False, id="other kelvin"),
        pytest.param(SET_POINT, 21, {}, {"temperature": 21.0}, True, id="set point"),
        pytest.param(SET_POINT, 21, {}, {"temperature": 20}, False, id="another set point"),
        pytest.param(PRESET, "away", {"preset_modes": ["away"]}, {"preset_mode": "away"}, True, id="preset"),
        pytest.param(PRESET, "away", {"preset_modes": ["away"]}, {"preset_mode": "home"}, False, id="another preset"),
    ],
)
def test_expectation(kind: Kind, value: object, able: dict[str, Any], after: dict[str, Any], met: bool) -> None:
    """What the device must show afterwards to have followed."""
    answer = kind.convert("name", value, "Thing", state(**able))
    assert isinstance(answer, Value)
    assert has_followed(answer.expect, state(**after)) is met


@pytest.mark.parametrize(
    ("kind", "present", "described"),
    [
        pytest.param(POSITION, state(), {"min": 0, "max": 100, "unit": "%"}, id="position"),
        pytest.param(BRIGHTNESS, state(**DIMMABLE), {"min": 0, "max": 100, "unit": "%"}, id="brightness"),
        pytest.param(BRIGHTNESS, state(supported_color_modes=["onoff"]), None, id="no brightness"),
        pytest.param(
            HUMIDITY, state(min_humidity=30, max_humidity=70), {"min": 30, "max": 70, "unit": "%"}, id="humidity"
        ),
        pytest.param(Kelvin(), state(**WHITE), {"min": 2202, "max": 4000, "unit": "K"}, id="kelvin"),
        pytest.param(
            Kelvin(),
            state(supported_color_modes=["color_temp"]),
            {"min": 2000, "max": 6500, "unit": "K"},
            id="usual kelvin",
        ),
        pytest.param(Kelvin(), state(**RGB), None, id="no kelvin"),
        pytest.param(Color(), state(**WHITE), None, id="no colour"),
        pytest.param(SET_POINT, state(min_temp=7.5, max_temp=30.0), {"min": 7.5, "max": 30, "unit": "°C"}, id="range"),
        pytest.param(SET_POINT, state("°F"), {"min": 44.6, "max": 95, "unit": "°F"}, id="usual fahrenheit"),
        pytest.param(MODE, state(hvac_modes=["off", "heat"]), {"values": ["off", "heat"]}, id="modes"),
        pytest.param(MODE, state(hvac_modes=[]), None, id="no modes"),
    ],
)
def test_description(kind: Kind, present: DeviceState, described: dict[str, object] | None) -> None:
    """What a caller is told that the device takes."""
    assert kind.describe(present) == described


def test_nothing_of_brightness_is_off() -> None:
    """A brightness of nothing is expected to show as off."""
    answer = BRIGHTNESS.convert("brightness", 0, "Thing", state(**DIMMABLE))
    assert isinstance(answer, Value)
    assert has_followed(answer.expect, DeviceState(state="off"))


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: f"{row.domain}.{row.intent}")
def test_what_is_offered_is_taken(row: Any) -> None:
    """Both ends of every range and every choice that a caller is told of are taken."""
    attributes = next(more for entity_id, (_, more) in DEVICES.items() if entity_id.startswith(f"{row.domain}."))
    present = DeviceState(state="on", attributes=attributes)
    for name, parameter in row.params.items():
        described = parameter.kind.describe(present)
        assert described, name
        ends = described.get("values", ())
        if isinstance(ends, str) or "relative" in described:
            continue
        ends = ends or [described[end] for end in ("min", "max", "example") if end in described]
        answers = [parameter.kind.convert(name, end, "Thing", present) for end in ends]
        assert answers
        assert [answer for answer in answers if not isinstance(answer, Value)] == []
