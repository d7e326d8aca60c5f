"""Every row of the catalogue: when it is already so, and when the device would do nothing although it is not (R7)."""

from typing import Any

import pytest

from custom_components.edgehome.chain import Pass, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import DeviceState
from custom_components.edgehome.expectation import has_followed
from custom_components.edgehome.gates.freshness import Freshness
from tests.made_devices import fitted, house_of_all, wish
from tests.made_house import asked


def known(intent: str, name: str, params: dict[str, Any], changed: dict[str, Any]) -> bool | Code:
    """Whether it is already so, or why nothing is called."""
    step, _ = asked(Freshness, house_of_all(**{name: changed}), wish(intent, name, **params))
    if isinstance(step, Refuse):
        return step.code
    assert isinstance(step, Pass)
    (action,) = step.context.actions
    return action.already_so


ALREADY_SO: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    ("turn_on", "lamp", {}, {}),
    ("turn_on", "lamp", {"brightness": 20}, {}),
    ("turn_off", "lamp", {}, {"state": "off", "brightness": None}),
    ("set_brightness", "lamp", {"brightness": 20}, {}),
    ("set_color", "lamp", {"color": [1, 2, 3]}, {"rgb_color": [1, 2, 3]}),
    ("set_color_temperature", "lamp", {"color_temperature": 2700}, {"color_temp_kelvin": 2702}),
    ("turn_on", "relay", {}, {"state": "on"}),
    ("turn_off", "relay", {}, {}),
    ("turn_on", "guests", {}, {"state": "on"}),
    ("turn_off", "guests", {}, {}),
    ("turn_on", "fan", {}, {}),
    ("turn_off", "fan", {}, {"state": "off"}),
    ("set_speed", "fan", {"speed": 33}, {}),
    ("set_speed", "fan", {"speed": 0}, {"state": "off"}),
    ("set_preset", "fan", {"preset": "eco"}, {"preset_mode": "eco"}),
    ("set_direction", "fan", {"option": "forward"}, {"direction": "forward"}),
    ("open", "blind", {}, {"current_position": 100}),
    ("close", "blind", {}, {"state": "closed"}),
    ("set_position", "blind", {"position": 100}, {}),
    ("set_tilt", "blind", {"tilt": 10}, {}),
    ("open", "water", {}, {"state": "open"}),
    ("close", "water", {}, {}),
    ("set_position", "water", {"position": 0}, {}),
    ("lock", "door", {}, {}),
    ("unlock", "door", {}, {"state": "unlocked"}),
    ("open", "door", {}, {"state": "open"}),
    ("set_temperature", "heating", {"temperature": 20}, {}),
    ("set_mode", "heating", {"mode": "heat"}, {}),
    ("set_fan_mode", "heating", {"mode": "low"}, {"fan_mode": "low"}),
    ("set_swing_mode", "heating", {"mode": "on"}, {"swing_mode": "on"}),
    ("set_preset", "heating", {"preset": "home"}, {"preset_mode": "home"}),
    ("set_humidity", "heating", {"humidity": 50}, {"humidity": 50}),
    ("turn_on", "heating", {}, {}),
    ("turn_off", "heating", {}, {"state": "off"}),
    ("set_temperature", "boiler", {"temperature": 50}, {}),
    ("set_mode", "boiler", {"mode": "eco"}, {"operation_mode": "eco"}),
    ("turn_on", "boiler", {}, {}),
    ("turn_off", "boiler", {}, {"state": "off"}),
    ("turn_on", "mist", {}, {}),
    ("turn_off", "mist", {}, {"state": "off"}),
    ("set_humidity", "mist", {"humidity": 45}, {}),
    ("set_mode", "mist", {"mode": "auto"}, {"mode": "auto"}),
    ("turn_on", "radio", {}, {}),
    ("turn_off", "radio", {}, {"state": "off"}),
    ("play", "radio", {}, {}),
    ("pause", "radio", {}, {"state": "paused"}),
    ("set_volume", "radio", {"volume": 30}, {}),
    ("select_source", "radio", {"source": "TV"}, {"source": "TV"}),
    ("set_mode", "radio", {"mode": "movie"}, {"sound_mode": "movie"}),
    ("start", "robot", {}, {}),
    ("pause", "robot", {}, {"state": "paused"}),
    ("stop", "robot", {}, {"state": "idle"}),
    ("dock", "robot", {}, {"state": "docked"}),
    ("set_fan_mode", "robot", {"mode": "quiet"}, {}),
    ("start", "mower", {}, {}),
    ("pause", "mower", {}, {"state": "paused"}),
    ("dock", "mower", {}, {"state": "docked"}),
    ("arm_home", "alarm", {}, {"state": "armed_home"}),
    ("arm_away", "alarm", {}, {"state": "armed_away"}),
    ("arm_night", "alarm", {}, {"state": "armed_night"}),
    ("disarm", "alarm", {}, {}),
    ("turn_on", "siren", {}, {"state": "on"}),
    ("turn_off", "siren", {}, {}),
    ("turn_on", "remote", {}, {"state": "on"}),
    ("turn_on", "remote", {"option": "TV"}, {"state": "on", "current_activity": "TV"}),
    ("turn_off", "remote", {}, {}),
    ("stop", "goodnight", {}, {}),
    ("select_option", "program", {"option": "wool"}, {}),
    ("select_option", "mode", {"option": "day"}, {}),
    ("set_value", "label", {"value": "old"}, {}),
    ("set_value", "note", {"value": "old"}, {}),
    ("set_value", "birthday", {"value": "2026-01-01"}, {}),
    ("set_value", "bedtime", {"value": "06:00"}, {}),
    ("set_value", "wake", {"value": "06:00"}, {}),
    ("start", "eggs", {}, {}),
    ("pause", "eggs", {}, {"state": "paused"}),
    ("stop", "eggs", {}, {"state": "idle"}),
    ("install", "firmware", {}, {"state": "off"}),
]


@pytest.mark.parametrize(
    ("intent", "name", "params", "changed"),
    [pytest.param(*case, id=f"{case[1]} {case[0]} {case[2]} {case[3]}") for case in ALREADY_SO],
)
def test_already_so(intent: str, name: str, params: dict[str, Any], changed: dict[str, Any]) -> None:
    """What already looks as asked for is not called again; a guessed or unknown state is never already so."""
    assert known(intent, name, params, changed) is True
    assert known(intent, name, params, {**changed, "assumed_state": True}) in {False, Code.NOTHING_TO_DO}


NOT_SO: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    ("turn_on", "relay", {}, {}),
    ("turn_on", "relay", {}, {"state": "unknown"}),
    ("set_speed", "fan", {"speed": 67}, {}),
    ("set_speed", "fan", {"speed": 0}, {}),
    ("set_direction", "fan", {"option": "reverse"}, {"direction": "forward"}),
    ("oscillate", "fan", {"value": True}, {}),
    ("open", "water", {}, {"state": "opening"}),
    ("set_position", "water", {"position": 1}, {}),
    ("lock", "door", {}, {"state": "locking"}),
    ("lock", "door", {}, {"state": "jammed"}),
    ("turn_on", "heating", {}, {"state": "unknown"}),
    ("set_volume", "radio", {"volume": 31}, {}),
    ("mute", "radio", {}, {"is_volume_muted": False}),
    ("mute", "radio", {}, {}),
    ("arm_home", "alarm", {}, {"state": "arming"}),
    ("arm_home", "alarm", {}, {"state": "armed_away"}),
    ("dock", "robot", {}, {"state": "returning"}),
    ("set_value", "limit", {"value": 12}, {}),
    ("set_value", "start", {"value": "2026-01-01T06:00:00"}, {}),
    ("activate", "evening", {}, {}),
    ("run", "goodnight", {}, {"state": "on"}),
    ("press", "restart", {}, {}),
    ("announce", "radio", {"message": "Dinner"}, {}),
    ("play_media", "radio", {"media": "x"}, {}),
    ("next", "radio", {}, {}),
    ("stop", "blind", {}, {}),
    ("locate", "robot", {}, {}),
    ("stop", "mower", {}, {}),
    ("add_item", "shopping", {"message": "Milk"}, {}),
    ("turn_off", "yard", {}, {}),
    ("install", "firmware", {}, {}),
    ("turn_on", "siren", {"volume": 40}, {}),
]


@pytest.mark.parametrize(
    ("intent", "name", "params", "changed"),
    [pytest.param(*case, id=f"{case[1]} {case[0]} {case[2]} {case[3]}") for case in NOT_SO],
)
def test_not_so(intent: str, name: str, params: dict[str, Any], changed: dict[str, Any]) -> None:
    """What is otherwise, on its way, or in no state at all is called."""
    assert known(intent, name, params, changed) is False


NOTHING_TO_DO = {
    ("radio", "pause"): ("off", "standby", "idle"),
    ("radio", "stop"): ("off", "standby", "idle"),
    ("radio", "next"): ("off", "standby", "idle"),
    ("radio", "previous"): ("off", "standby", "idle"),
    ("robot", "pause"): ("docked", "idle"),
    ("robot", "stop"): ("docked",),
    ("mower", "pause"): ("docked",),
    ("mower", "stop"): ("docked",),
    ("eggs", "pause"): ("idle",),
}


@pytest.mark.parametrize(
    ("name", "intent", "state"), [(*what, state) for what, states in NOTHING_TO_DO.items() for state in states]
)
def test_nothing_to_do(name: str, intent: str, state: str) -> None:
    """What would do nothing, while Home Assistant reports success, is said to be so."""
    step, result = asked(Freshness, house_of_all(**{name: {"state": state}}), wish(intent, name))
    assert isinstance(step, Refuse)
    assert (step.code, result.reason, result.passed) == (Code.NOTHING_TO_DO, Code.NOTHING_TO_DO, False)
    assert step.message == f"{name} is {state}: there is nothing to {intent}."


@pytest.mark.parametrize(
    ("name", "intent", "state"),
    [
        ("radio", "play", "off"),
        ("radio", "play", "standby"),
        ("radio", "play", "idle"),
        ("radio", "play", "paused"),
        ("radio", "pause", "playing"),
        ("radio", "next", "paused"),
        ("radio", "next", "unknown"),
        ("robot", "pause", "returning"),
        ("robot", "stop", "paused"),
        ("robot", "start", "docked"),
        ("mower", "pause", "mowing"),
        ("mower", "dock", "paused"),
        ("eggs", "pause", "active"),
        ("eggs", "start", "idle"),
        ("firmware", "install", "on"),
    ],
)
def test_something_to_do(name: str, intent: str, state: str) -> None:
    """In other states it is called."""
    assert known(intent, name, {}, {"state": state}) is False


@pytest.mark.parametrize("name", ["lamp", "relay", "fan", "blind", "water", "heating", "mist", "radio", "siren"])
def test_a_toggle_of_nobody_knows_what(name: str) -> None:
    """Which way it would go cannot be told."""
    assert known("toggle", name, {}, {"state": "unknown"}) is Code.STATE_UNKNOWN


@pytest.mark.parametrize("intent", ["run", "turn_on"])
@pytest.mark.parametrize(
    ("changed", "answer"),
    [
        pytest.param({"state": "on", "mode": "single"}, Code.NOTHING_TO_DO, id="runs, one at a time"),
        pytest.param({"state": "off", "mode": "single"}, False, id="rests"),
        pytest.param({"state": "on", "mode": "parallel"}, False, id="runs beside itself"),
        pytest.param({"state": "on", "mode": "queued"}, False, id="runs again afterwards"),
        pytest.param({"state": "on", "mode": "restart"}, False, id="starts over"),
        pytest.param({"state": "on"}, False, id="nobody knows its mode"),
        pytest.param({"state": "unknown", "mode": "single"}, False, id="nobody knows whether it runs"),
    ],
)
def test_a_running_script(intent: str, changed: dict[str, Any], answer: bool | Code) -> None:
    """A script of mode single that runs ignores another start; it can be stopped."""
    assert known(intent, "goodnight", {}, changed) is answer
    assert known("stop", "goodnight", {}, changed) is (changed["state"] == "off")


@pytest.mark.parametrize(("name", "intent"), sorted(NOTHING_TO_DO))
def test_unavailable_comes_first(name: str, intent: str) -> None:
    """What cannot be reached is unavailable, whatever it would do."""
    assert known(intent, name, {}, {"state": "unavailable"}) is Code.ENTITY_UNAVAILABLE


@pytest.mark.parametrize(("name", "value"), [("limit", 10), ("level", 3), ("visits", 3)])
def test_a_number_is_already_so(name: str, value: float) -> None:
    """A number that is set already is not set again."""
    assert known("set_value", name, {"value": value}, {}) is True


@pytest.mark.parametrize(
    ("intent", "name", "params", "changed"),
    [
        pytest.param("oscillate", "fan", {"value": False}, {}, id="still"),
        pytest.param("mute", "radio", {}, {"is_volume_muted": True}, id="muted"),
        pytest.param("mute", "radio", {"value": False}, {"is_volume_muted": False}, id="not muted"),
        pytest.param("shuffle", "radio", {}, {"shuffle": True}, id="shuffled"),
    ],
)
def test_a_flag_is_already_so(intent: str, name: str, params: dict[str, Any], changed: dict[str, Any]) -> None:
    """A flag that stands as asked is not set again."""
    assert known(intent, name, params, changed) is True


@pytest.mark.parametrize(
    ("intent", "name", "params", "state", "attributes"),
    [
        pytest.param("set_speed", "fan", {"speed": 67}, "on", {"percentage": 66}, id="speed, rounded by the fan"),
        pytest.param("set_volume", "radio", {"volume": 55}, "playing", {"volume_level": 0.55}, id="volume"),
        pytest.param("set_position", "blind", {"position": 0}, "closed", {"current_position": 0}, id="position"),
        pytest.param("set_mode", "mist", {"mode": "sleep"}, "on", {"mode": "sleep"}, id="mode"),
        pytest.param("set_value", "bedtime", {"value": "07:30"}, "07:30:00", {}, id="time"),
        pytest.param("pause", "eggs", {}, "paused", {}, id="timer"),
        pytest.param("dock", "robot", {}, "docked", {}, id="dock"),
        pytest.param("arm_away", "alarm", {}, "armed_away", {}, id="alarm"),
        pytest.param(
            "set_value", "limit", {"value": 12.5}, "12.5", {}, id="number",
        ),
        pytest.param(
            "mute", "radio", {}, "playing", {"is_volume_muted": True}, id="muted",
        ),
        pytest.param(
            "oscillate", "fan", {"value": True}, "on", {"oscillating": True}, id="oscillating",
        ),
    ],
)  # fmt: skip
def test_followed(intent: str, name: str, params: dict[str, Any], state: str, attributes: dict[str, Any]) -> None:
    """A device that did what was asked shows it."""
    assert has_followed(fitted(intent, name, params).expect, DeviceState(state=state, attributes=attributes))
