"""What a plan promises: a way back only where it could be asked for, and in words what does not come back with it."""

import json
from dataclasses import replace
from typing import Any

import pytest

from custom_components.edgehome.catalogue.undo import from_json, restores, to_json
from custom_components.edgehome.devices import OwnersWord
from custom_components.edgehome.facts import Facts
from tests.made_devices import fitted, house_of_all
from tests.made_house import MadeHouse

LAMP = "light.lamp"


def lamp(state: str) -> MadeHouse:
    """A house with a lamp."""
    return MadeHouse().add(LAMP, "lamp", state, supported_color_modes=["onoff"])


@pytest.mark.parametrize(
    ("state", "attributes", "leaves"),
    [
        pytest.param("off", {"percentage": 33}, True, id="off, remembers a speed"),
        pytest.param("off", {"percentage": None}, True, id="off, nobody knows its speed"),
        pytest.param("off", {"percentage": 0}, False, id="off, remembers none"),
        pytest.param("on", {"percentage": 33}, False, id="on"),
    ],
)
def test_fan(state: str, attributes: dict[str, Any], leaves: bool) -> None:
    """A fan that was off goes off; that the speed that it remembers stays is said."""
    house = MadeHouse().add("fan.fan", "fan", state, supported_features=0x3F, percentage_step=1, **attributes)
    action = fitted("set_speed", "fan", {"speed": 66}, house)
    (way,) = ways = restores(action, Facts(house))
    assert (way.leaves == "the speed that it remembers while it is off") is leaves
    assert from_json(json.loads(json.dumps(to_json(way)))) == way
    assert replace(action, restores=ways).undo_leaves == way.leaves
    (switched,) = restores(fitted("toggle", "fan", {}, house), Facts(house))
    assert switched.leaves == ""


def test_not_for_whom_it_is_hidden() -> None:
    """A member of an old group is called as itself, and taken back only by who may name it."""
    house = lamp("off")
    house.devices[LAMP] = replace(house.devices[LAMP], exposed=False)
    action = replace(fitted("turn_on", "lamp", {}, lamp("off")))
    assert restores(action, Facts(house)) == ()


CODED = {"code_format": "number", "code_arm_required": False, "supported_features": 63}


@pytest.mark.parametrize(
    ("attributes", "has_code", "expected"),
    [
        pytest.param(CODED, False, [], id="a code that is not there"),
        pytest.param(CODED, True, ["disarm"], id="a code that the owner gave"),
        pytest.param({**CODED, "code_format": None}, False, ["disarm"], id="no code needed"),
    ],
)
def test_alarm(attributes: dict[str, Any], has_code: bool, expected: list[str]) -> None:
    """What needs a code that nobody has given cannot be taken back."""
    house = MadeHouse().add("alarm_control_panel.a", "a", "disarmed", **attributes)
    house.devices["alarm_control_panel.a"] = replace(house.devices["alarm_control_panel.a"], has_code=has_code)
    assert [way.intent for way in restores(fitted("arm_away", "a", {}, house), Facts(house))] == expected


@pytest.mark.parametrize(
    ("entity_id", "state", "attributes", "intent", "params"),
    [
        pytest.param("input_text.a", "x" * 230, {"max": 255}, "set_value", {"value": "new"}, id="a long text"),
        pytest.param(
            "light.a",
            "on",
            {"supported_color_modes": ["color_temp"], "color_mode": "color_temp", "color_temp_kelvin": 6536,
             "max_color_temp_kelvin": 6535},
            "set_color_temperature",
            {"color_temperature": 3000},
            id="a white beyond its own range",
        ),
        pytest.param(
            "input_number.a", "0.35", {"min": 0, "max": 1, "step": 0.1}, "set_value", {"value": 0.5}, id="between steps"
        ),
    ],
)  # fmt: skip
def test_what_could_not_be_asked_for(
    entity_id: str, state: str, attributes: dict[str, Any], intent: str, params: dict[str, Any]
) -> None:
    """A state that no proposal brings about is not promised."""
    made = MadeHouse().add(entity_id, "a", state, **attributes)
    assert restores(fitted(intent, "a", params, made), Facts(made)) == ()


def test_beyond_the_owners_range() -> None:
    """A heating that somebody turned up by hand beyond what agents may set does not come back by an agent."""
    house = house_of_all(heating={"temperature": 26})
    house.devices["climate.heating"] = replace(house.devices["climate.heating"], owner=OwnersWord(low=18, high=24))
    assert restores(fitted("set_temperature", "heating", {"temperature": 20}, house), Facts(house)) == ()


@pytest.mark.parametrize(
    ("entity_id", "state", "attributes", "intent", "params", "leaves"),
    [
        ("light.a", "on", {"effect": "rainbow"}, "turn_off", {}, "the effect"),
        ("light.a", "on", {"effect": "rainbow"}, "set_color", {"color": [255, 0, 0]}, "the effect"),
        ("light.a", "on", {"effect": "rainbow"}, "set_brightness", {"brightness": 10}, ""),
        ("light.a", "on", {"effect": "off"}, "turn_off", {}, ""),
        ("light.a", "on", {}, "turn_off", {}, ""),
        ("media_player.a", "playing", {}, "turn_off", {}, "what it played"),
        ("media_player.a", "paused", {}, "toggle", {}, "what it played"),
        ("media_player.a", "idle", {}, "turn_off", {}, ""),
        ("media_player.a", "playing", {}, "pause", {}, ""),
    ],
)
def test_what_does_not_come_back(
    entity_id: str, state: str, attributes: dict[str, Any], intent: str, params: dict[str, Any], leaves: str
) -> None:
    """What cannot be brought back, though the device can, is said."""
    able: dict[str, Any] = {
        "supported_features": 0x7FFFFF,
        "supported_color_modes": ["rgb"],
        "color_mode": "rgb",
        "brightness": 99,
    }
    able |= {"rgb_color": (1, 2, 3)}
    made = MadeHouse().add(entity_id, "a", state, **able, **attributes)
    (way,) = restores(fitted(intent, "a", params, made), Facts(made))
    assert way.leaves == leaves


def test_what_cannot_be_read() -> None:
    """Nobody knows what to take back of what cannot be read."""
    made = lamp("off")
    assert restores(replace(fitted("turn_on", "lamp", {}, made), opaque=True), Facts(made)) == ()


def test_what_the_owner_keeps_back() -> None:
    """A lamp that agents may only switch on is not taken back by switching it off."""
    house = lamp("off")
    house.devices[LAMP] = replace(house.devices[LAMP], owner=OwnersWord(operations=("turn_on",)))
    assert restores(fitted("turn_on", "lamp", {}, house), Facts(house)) == ()
