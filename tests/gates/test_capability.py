"""Capability: can each of them do it, with these values?"""

from typing import Any

import pytest

from custom_components.edgehome.chain import Pass, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import ServiceFacts
from custom_components.edgehome.gates.capability import Capability
from tests.made_house import MadeHouse, asked, proposing

DIMMABLE: dict[str, Any] = {"supported_color_modes": ["brightness"]}
COLOR: dict[str, Any] = {
    "supported_color_modes": ["hs", "color_temp"],
    "min_color_temp_kelvin": 2000,
    "max_color_temp_kelvin": 6500,
}
HEATING: dict[str, Any] = {"supported_features": 1 | 128 | 256, "min_temp": 7, "max_temp": 35, "temperature": 20}


def house() -> MadeHouse:
    """One of each device, with the features that its cases need."""
    return (
        MadeHouse()
        .add("light.plain", "Plain", supported_color_modes=["onoff"])
        .add("light.dimmer", "Dimmer", **DIMMABLE)
        .add("light.color", "Color", **COLOR)
        .add("light.white", "White", supported_color_modes=["color_temp"])
        .add("light.gone", "Gone", "unavailable")
        .add("climate.heating", "Heating", "heat", hvac_modes=["off", "heat"], **HEATING)
        .add("cover.blind", "Blind", "open", device_class="blind", supported_features=3)
        .add("cover.shade", "Shade", "open", device_class="shade", supported_features=15, current_position=50)
        .add("lock.door", "Door", "locked", supported_features=0)
        .add("media_player.radio", "Radio", "on")
    )


def candidate(intent: str, device: str, **params: object) -> dict[str, object]:
    """A proposal on a named device."""
    return proposing(intent, device_alias=device, params=params)


@pytest.mark.parametrize(
    ("payload", "service", "data"),
    [
        pytest.param(candidate("turn_on", "Plain"), "light.turn_on", {}, id="plain on"),
        pytest.param(candidate("toggle", "Plain"), "light.turn_on", {}, id="toggle of an unlit lamp"),
        pytest.param(
            candidate("set_brightness", "Dimmer", brightness=80), "light.turn_on", {"brightness_pct": 80}, id="dim"
        ),
        pytest.param(
            candidate("set_color", "Color", color=[255, 0, 0]), "light.turn_on", {"rgb_color": [255, 0, 0]}, id="rgb"
        ),
        pytest.param(
            candidate("set_color", "Color", color="Dark Blue"), "light.turn_on", {"rgb_color": [0, 0, 139]}, id="named"
        ),
        pytest.param(
            candidate("set_color_temperature", "Color", color_temperature=3000),
            "light.turn_on",
            {"color_temp_kelvin": 3000},
            id="kelvin",
        ),
        pytest.param(
            candidate("set_temperature", "Heating", temperature=21.5),
            "climate.set_temperature",
            {"temperature": 21.5},
            id="set point",
        ),
        pytest.param(
            candidate("set_temperature", "Heating", temperature=68, unit="°F"),
            "climate.set_temperature",
            {"temperature": 20},
            id="set point in another unit, said so",
        ),
        pytest.param(
            candidate("set_position", "Shade", position=0), "cover.set_cover_position", {"position": 0}, id="position"
        ),
        pytest.param(candidate("lock", "Door"), "lock.lock", {}, id="lock"),
    ],
)
def test_fits(payload: dict[str, object], service: str, data: dict[str, object]) -> None:
    """What a device can do becomes one call in the service's own words."""
    step, result = asked(Capability, house(), payload)
    assert isinstance(step, Pass)
    assert result.passed
    (action,) = step.context.actions
    assert action.service == service
    assert dict(action.data) == data


@pytest.mark.parametrize(
    ("payload", "code", "field", "hint"),
    [
        pytest.param(
            candidate("set_brightness", "Plain", brightness=40),
            Code.UNSUPPORTED_FIELD,
            "model_candidate.params.brightness",
            "can only be switched",
            id="brightness of an on/off lamp",
        ),
        pytest.param(
            candidate("set_color", "White", color=[0, 255, 0]),
            Code.UNSUPPORTED_FIELD,
            "model_candidate.params.color",
            "set_color_temperature",
            id="colour of a white lamp offers kelvin",
        ),
        pytest.param(
            candidate("set_color", "Color", color="blurple"),
            Code.INVALID_OPTION,
            "model_candidate.params.color",
            "[red, green, blue]",
            id="no such colour",
        ),
        pytest.param(
            candidate("set_brightness", "Dimmer", brightness=255),
            Code.OUT_OF_RANGE,
            "model_candidate.params.brightness",
            "from 0 to 100",
            id="255 where percent is meant",
        ),
        pytest.param(
            candidate("set_temperature", "Heating", temperature=45),
            Code.OUT_OF_RANGE,
            "model_candidate.params.temperature",
            "from 7 to 35 °C",
            id="too hot",
        ),
        pytest.param(
            candidate("set_temperature", "Heating", temperature=70),
            Code.UNIT_MISMATCH,
            "model_candidate.params.temperature",
            "21.1 °C",
            id="fahrenheit in a celsius home",
        ),
        pytest.param(
            candidate("set_temperature", "Heating", temperature_low=18, temperature_high=22),
            Code.UNSUPPORTED_FIELD,
            "model_candidate.params.temperature_low",
            "temperature",
            id="a range on a thermostat with one set point",
        ),
        pytest.param(
            candidate("set_mode", "Heating", mode="cool"),
            Code.INVALID_OPTION,
            "model_candidate.params.mode",
            "off, heat",
            id="a mode it does not have",
        ),
        pytest.param(
            candidate("set_position", "Blind", position=50),
            Code.UNSUPPORTED_OPERATION,
            "model_candidate.intent",
            "open, close",
            id="position of a blind without",
        ),
        pytest.param(
            candidate("set_position", "Shade"),
            Code.MISSING_FIELD,
            "model_candidate.params.position",
            "position",
            id="position without a position",
        ),
        pytest.param(
            candidate("turn_on", "Door"),
            Code.UNSUPPORTED_OPERATION,
            "model_candidate.intent",
            "lock, unlock",
            id="on is no word for a lock",
        ),
        pytest.param(
            candidate("open", "Door"),
            Code.UNSUPPORTED_OPERATION,
            "model_candidate.intent",
            "lock, unlock",
            id="a lock without a latch",
        ),
        pytest.param(
            candidate("play", "Radio"),
            Code.UNSUPPORTED_OPERATION,
            "model_candidate.intent",
            "status",
            id="a domain without operations",
        ),
        pytest.param(
            candidate("turn_on", "Plain", volume=3),
            Code.UNSUPPORTED_FIELD,
            "model_candidate.params.volume",
            "turn_on takes",
            id="a value of another operation",
        ),
        pytest.param(
            candidate("status", "Plain", brightness=3),
            Code.UNSUPPORTED_FIELD,
            "model_candidate.params.brightness",
            "status takes: no values",
            id="a value on a reading",
        ),
    ],
)
def test_refuses(payload: dict[str, object], code: Code, field: str, hint: str) -> None:
    """What a device cannot do is refused with the field and what it can do."""
    step, result = asked(Capability, house(), payload)
    assert isinstance(step, Refuse)
    assert (step.code, result.reason, result.passed) == (code, code, False)
    assert step.field == field
    assert hint in step.hint


def test_registered_handler_may_ask_for_more() -> None:
    """Of the catalogue's features and the handler's, the stricter count."""
    made = house()
    made.services["cover.open_cover"] = ServiceFacts(required_features=(1024,))
    step, _ = asked(Capability, made, candidate("open", "Blind"))
    assert isinstance(step, Refuse)
    assert step.code is Code.UNSUPPORTED_OPERATION


def test_missing_service() -> None:
    """A service that is not registered is refused, not called."""
    made = house()
    made.services["light.turn_on"] = None
    step, _ = asked(Capability, made, candidate("turn_on", "Plain"))
    assert isinstance(step, Refuse)
    assert step.code is Code.SERVICE_NOT_FOUND


def test_unavailable_passes_unjudged() -> None:
    """An unavailable lamp shows no colour modes; that says nothing about what it can."""
    step, _ = asked(Capability, house(), candidate("set_brightness", "Gone", brightness=40))
    assert isinstance(step, Pass)


def test_unable_members_of_a_set_are_skipped() -> None:
    """In a room the able are set and the unable reported."""
    made = (
        MadeHouse()
        .add("light.a", "A", room="Kitchen", **DIMMABLE)
        .add("light.b", "B", room="Kitchen", supported_color_modes=["onoff"])
    )
    payload = proposing("set_brightness", room="Kitchen", device_type="light", params={"brightness": 30})
    step, _ = asked(Capability, made, payload)
    assert isinstance(step, Pass)
    assert [action.entity_id for action in step.context.actions] == ["light.a"]
    assert [(skip.entity_id, skip.code) for skip in step.context.skipped] == [("light.b", Code.UNSUPPORTED_FIELD)]
