"""What the owner keeps back on an entity, under whatever name, and how far agents may go."""

from dataclasses import replace
from typing import Any

import pytest

from custom_components.edgehome.chain import Pass, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import OwnersWord
from custom_components.edgehome.gates.capability import Capability
from custom_components.edgehome.listing import devices_for
from tests.made_devices import house_of_all, wish
from tests.made_house import MadeHouse, asked


def house(name: str, word: OwnersWord, changed: dict[str, Any] | None = None) -> MadeHouse:
    """One of each, and the owner's word on one of them."""
    made = house_of_all(**{name: changed or {}})
    entity_id = next(item for item in made.devices if item.partition(".")[2] == name)
    made.devices[entity_id] = replace(made.devices[entity_id], owner=word)
    return made


def verdict(made: MadeHouse, intent: str, name: str, params: dict[str, Any]) -> Refuse | None:
    """Why not, if not."""
    step, _ = asked(Capability, made, wish(intent, name, **params))
    assert isinstance(step, Refuse | Pass)
    return step if isinstance(step, Refuse) else None


BUT_OPEN = ("close", "stop", "toggle", "set_position", "set_tilt")
BUT_OFF = ("turn_on", "toggle", "set_brightness", "set_color", "set_color_temperature")


@pytest.mark.parametrize(
    ("name", "allowed", "changed", "intent", "params", "kept"),
    [
        pytest.param("blind", BUT_OPEN, {}, "open", {}, "open", id="open"),
        pytest.param("blind", BUT_OPEN, {}, "set_position", {"position": 100}, "open", id="position 100"),
        pytest.param("blind", BUT_OPEN, {}, "set_position", {"position": 1}, "open", id="position 1"),
        pytest.param(
            "blind", BUT_OPEN, {"state": "closed", "current_position": 0}, "toggle", {}, "open",
            id="toggle of what is closed",
        ),
        pytest.param("blind", BUT_OPEN, {}, "set_position", {"position": 0}, None, id="position 0 closes"),
        pytest.param("blind", BUT_OPEN, {}, "toggle", {}, None, id="toggle of what is open closes"),
        pytest.param("blind", BUT_OPEN, {}, "close", {}, None, id="close"),
        pytest.param("blind", ("open",), {}, "set_position", {"position": 100}, "set position", id="the other way"),
        pytest.param("lamp", BUT_OFF, {}, "turn_off", {}, "turn off", id="off"),
        pytest.param("lamp", BUT_OFF, {}, "toggle", {}, "turn off", id="toggle of what is on"),
        pytest.param("lamp", BUT_OFF, {}, "set_brightness", {"brightness": 0}, "turn off", id="brightness 0"),
        pytest.param("lamp", BUT_OFF, {}, "set_brightness", {"brightness": 1}, None, id="brightness 1"),
        pytest.param(
            "lamp", BUT_OFF, {}, "set_brightness", {"brightness_step": -20}, "turn off", id="a step to nothing",
        ),
        pytest.param("lamp", ("turn_on",), {}, "turn_on", {}, None, id="on"),
        pytest.param("lamp", ("turn_on",), {}, "turn_on", {"brightness": 5}, "set brightness", id="on with brightness"),
        pytest.param("lamp", ("turn_on",), {}, "turn_on", {"color": "red"}, "set color", id="on with colour"),
        pytest.param(
            "lamp", ("set_brightness",), {"state": "off"}, "set_brightness", {"brightness": 5}, "turn on",
            id="dimming what is off switches it on",
        ),
        pytest.param("fan", ("turn_on",), {}, "set_speed", {"speed": 67}, "set speed", id="speed"),
        pytest.param(
            "fan", ("turn_on",), {}, "turn_on", {"speed": 67}, "set speed", id="on with a speed",
        ),
        pytest.param("fan", ("turn_on", "set_speed"), {}, "set_speed", {"speed": 0}, "turn off", id="speed 0"),
        pytest.param("heating", ("set_mode",), {}, "set_mode", {"mode": "off"}, "turn off", id="mode off"),
        pytest.param("heating", ("set_mode",), {}, "set_mode", {"mode": "cool"}, None, id="another mode"),
        pytest.param("door", ("lock", "open"), {}, "open", {}, "unlock", id="the latch unlocks"),
        pytest.param("door", ("lock",), {}, "unlock", {}, "unlock", id="unlock"),
        pytest.param(
            "alarm", ("arm_home", "arm_away"), {"state": "armed_away"}, "arm_home", {}, "disarm", id="lowering"
        ),
        pytest.param("alarm", ("arm_home", "arm_away"), {}, "arm_home", {}, None, id="arming"),
        pytest.param("goodnight", ("turn_on",), {}, "turn_on", {}, "run", id="a script runs"),
        pytest.param("evening", ("turn_on", "activate"), {}, "turn_on", {}, None, id="a scene, both allowed"),
        pytest.param("water", BUT_OPEN, {}, "set_position", {"position": 5}, "open", id="a valve"),
        pytest.param("lamp", None, {}, "turn_off", {}, None, id="the owner says nothing"),
    ],
)  # fmt: skip
def test_kept_back(
    name: str,
    allowed: tuple[str, ...] | None,
    changed: dict[str, Any],
    intent: str,
    params: dict[str, Any],
    kept: str | None,
) -> None:
    """What the owner keeps back is kept back under every name that it has (R5)."""
    refusal = verdict(house(name, OwnersWord(operations=allowed), changed), intent, name, params)
    if kept is None:
        assert refusal is None
        return
    assert refusal is not None
    assert (refusal.code, refusal.field) == (Code.OWNERS_LIMIT, "model_candidate.intent")
    assert refusal.message == f"The owner does not let agents {kept} {name}."
    assert refusal.candidates == allowed


def test_reading_is_never_kept_back() -> None:
    """What may be named may be read."""
    assert verdict(house("lamp", OwnersWord(operations=("turn_on",))), "status", "lamp", {}) is None


@pytest.mark.parametrize(
    ("name", "low", "high", "intent", "params", "hint"),
    [
        pytest.param("blind", 20, 80, "set_position", {"position": 20}, None, id="lowest"),
        pytest.param("blind", 20, 80, "set_position", {"position": 80}, None, id="highest"),
        pytest.param("blind", 20, 80, "set_position", {"position": 81}, "from 20 to 80", id="above"),
        pytest.param("blind", 20, 80, "set_position", {"position": 19}, "from 20 to 80", id="below"),
        pytest.param("blind", None, 80, "open", {}, "up to 80", id="opening is 100"),
        pytest.param("blind", 20, None, "close", {}, "from 20", id="closing is 0"),
        pytest.param("blind", 20, None, "open", {}, None, id="opening is not below"),
        pytest.param("blind", None, 80, "close", {}, None, id="closing is not above"),
        pytest.param("blind", 20, None, "toggle", {}, "from 20", id="toggling closes"),
        pytest.param("blind", 20, 80, "stop", {}, None, id="stopping is no position"),
        pytest.param("blind", 20, 80, "set_tilt", {"tilt": 0}, None, id="a tilt is no position"),
        pytest.param("water", None, 50, "open", {}, "up to 50", id="a valve"),
        pytest.param("water", None, 50, "toggle", {}, "up to 50", id="a valve toggled"),
        pytest.param("lamp", 10, 60, "set_brightness", {"brightness": 61}, "from 10 to 60", id="brightness"),
        pytest.param("lamp", 10, 60, "turn_on", {"brightness": 61}, "from 10 to 60", id="brightness, switching on"),
        pytest.param("lamp", 10, 60, "set_brightness", {"brightness_step": 41}, "from 10 to 60", id="a step past it"),
        pytest.param("lamp", 10, 60, "set_brightness", {"brightness_step": 40}, None, id="a step up to it"),
        pytest.param("lamp", 10, 60, "set_color_temperature", {"color_temperature": 2700}, None, id="kelvin"),
        pytest.param("heating", 18, 22, "set_temperature", {"temperature": 22.5}, "from 18 to 22", id="set point"),
        pytest.param("heating", 18, 22, "set_temperature", {"temperature_step": 2.5}, "from 18 to 22", id="by a step"),
        pytest.param(
            "heating", 18, 22, "set_temperature", {"temperature_low": 17, "temperature_high": 21}, "from 18 to 22",
            id="a range's end",
        ),
        pytest.param("heating", 18, 22, "set_humidity", {"humidity": 50}, None, id="humidity beside the set point"),
        pytest.param("mist", 40, 50, "set_humidity", {"humidity": 55}, "from 40 to 50", id="humidity of a humidifier"),
        pytest.param("radio", None, 40, "set_volume", {"volume": 41}, "up to 40", id="volume, in percent"),
        pytest.param("radio", None, 40, "set_volume", {"volume_step": 11}, "up to 40", id="volume by a step"),
        pytest.param("limit", None, 15, "set_value", {"value": 15.5}, "up to 15", id="a number"),
        pytest.param("limit", None, 15, "set_value", {"value": 15}, None, id="a number at its end"),
        pytest.param("visits", 5, None, "set_value", {"value": 4}, "from 5", id="a counter"),
        pytest.param("fan", None, 70, "set_speed", {"speed": 100}, "up to 70", id="speed"),
        pytest.param("siren", None, 50, "turn_on", {"volume": 60}, "up to 50", id="a siren's volume"),
    ],
)  # fmt: skip
def test_range(
    name: str, low: float | None, high: float | None, intent: str, params: dict[str, Any], hint: str | None
) -> None:
    """The owner's range binds every way to the number, in the words of a proposal."""
    refusal = verdict(house(name, OwnersWord(low=low, high=high)), intent, name, params)
    if hint is None:
        assert refusal is None
        return
    assert refusal is not None
    assert (refusal.code, refusal.hint) == (Code.OWNERS_LIMIT, f"Send a value {hint}.")


def test_the_device_comes_first() -> None:
    """A wider range than the device's changes nothing."""
    refusal = verdict(house("limit", OwnersWord(low=0, high=1000)), "set_value", "limit", {"value": 21})
    assert refusal is not None
    assert refusal.code is Code.OUT_OF_RANGE


def test_kept_back_is_not_listed() -> None:
    """What the owner keeps back is not offered."""
    made = house("lamp", OwnersWord(operations=("turn_on", "set_color")))
    (entry,) = devices_for(made, (made.devices["light.lamp"],), made.stand)
    operations = entry["operations"]
    assert isinstance(operations, dict)
    assert list(operations) == ["turn_on", "set_color", "status"]


@pytest.mark.parametrize(
    ("name", "low", "high", "intent", "param", "ends"),
    [
        pytest.param("lamp", 10, 60, "set_brightness", "brightness", (10, 60), id="brightness"),
        pytest.param("lamp", 10, None, "turn_on", "brightness", (10, 100), id="from"),
        pytest.param("lamp", None, 60, "set_brightness", "brightness", (0, 60), id="up to"),
        pytest.param("lamp", -5, 300, "set_brightness", "brightness", (0, 100), id="the device is narrower"),
        pytest.param("lamp", None, None, "set_brightness", "brightness", (0, 100), id="nothing said"),
        pytest.param("heating", 18, 22.5, "set_temperature", "temperature", (18, 22.5), id="set point"),
        pytest.param("heating", 18, 22, "set_temperature", "temperature_low", (18, 22), id="a range's end"),
        pytest.param("heating", 18, 22, "set_humidity", "humidity", (30, 70), id="humidity beside the set point"),
        pytest.param("mist", 40, 50, "set_humidity", "humidity", (40, 50), id="humidity of a humidifier"),
        pytest.param("blind", 10, 60, "set_position", "position", (10, 60), id="position"),
        pytest.param("blind", 10, 60, "set_tilt", "tilt", (0, 100), id="tilt beside the position"),
        pytest.param("radio", None, 40, "set_volume", "volume", (0, 40), id="volume"),
        pytest.param("limit", 6, 15, "set_value", "value", (6, 15), id="a number"),
        pytest.param(
            "lamp", 10, 60, "set_color_temperature", "color_temperature", (2000, 6500), id="kelvin",
        ),
        pytest.param(
            "visits", 5, None, "set_value", "value", (5, 100), id="an end that only the owner names",
        ),
    ],
)  # fmt: skip
def test_listed_range(
    name: str, low: float | None, high: float | None, intent: str, param: str, ends: tuple[float, float]
) -> None:
    """``list_devices`` shows the range that the gate holds."""
    made = house(name, OwnersWord(low=low, high=high))
    entity_id = next(item for item in made.devices if item.partition(".")[2] == name)
    (entry,) = devices_for(made, (made.devices[entity_id],), made.stand)
    operations: Any = entry["operations"]
    described = operations[intent]["params"][param]
    assert (described.get("min"), described.get("max")) == ends
    for value in ends:
        given = {"temperature_low": value, "temperature_high": value} if param == "temperature_low" else {param: value}
        assert verdict(made, intent, name, given) is None
