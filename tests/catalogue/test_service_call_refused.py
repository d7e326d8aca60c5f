"""Calls in Home Assistant's words that are refused: code, the place that was really sent, and the repair (R4, R6)."""

from typing import Any

import pytest

from custom_components.edgehome.catalogue.left_out import LEFT_OUT
from custom_components.edgehome.chain import Ready, Refuse
from custom_components.edgehome.codes import Code, GateName
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.judge import Judgement, judge
from tests.made_devices import house_of_all
from tests.made_house import MadeHouse, request


def judged(call: object, house: MadeHouse | None = None) -> Judgement:
    """What the chain says to a service_call."""
    return judge(request({"service_call": call}), Facts(house or house_of_all()))


def refusal(call: object, house: MadeHouse | None = None) -> Refuse:
    """Its refusal."""
    step = judged(call, house).step
    assert isinstance(step, Refuse), step
    return step


def lamp(service: str = "light.turn_on", entity_id: object = "light.lamp", **data: object) -> dict[str, Any]:
    """A call on the lamp."""
    return {"service": service, "target": {"entity_id": entity_id}, "data": data}


CARRIED = {
    f"{domain}.toggle"
    for domain in (
        "light", "switch", "input_boolean", "fan", "cover", "valve", "climate", "humidifier", "media_player", "siren",
        "remote",
    )
} | {"media_player.volume_up", "media_player.volume_down"}  # fmt: skip
"""The actions of which a row says what they mean."""


@pytest.mark.parametrize("service", sorted(LEFT_OUT.keys() - CARRIED))
def test_left_out(service: str) -> None:
    """What is left out on purpose is refused with the reason."""
    step = refusal(lamp(service, f"{service.partition('.')[0]}.x"))
    assert (step.code, step.field) == (Code.SERVICE_NOT_FOUND, "service_call.service")
    assert step.message == f"{service} cannot be called through EdgeHome: {LEFT_OUT[service]}."


@pytest.mark.parametrize("service", ["script.toggle", "cover.toggle_cover_tilt", "media_player.media_play_pause"])
def test_the_reason_is_true(service: str) -> None:
    """No refusal says that what is refused is carried out."""
    assert "carries it out" not in refusal(lamp(service, f"{service.partition('.')[0]}.x")).message


@pytest.mark.parametrize(
    "service",
    [
        "homeassistant.turn_on", "homeassistant.turn_off", "homeassistant.toggle", "homeassistant.restart",
        "homeassistant.update_entity", "scene.apply", "automation.trigger", "automation.turn_off", "mqtt.publish",
        "shell_command.x", "script.goodnight", "script.anything", "rest_command.x", "python_script.x", "group.set",
        "recorder.purge", "tts.speak", "notify.mobile_app_x", "edgehome.execute", "lock.open_cover", "light.turnon",
        "LIGHT.TURN_ON", "light.turn_on ", "light.", ".turn_on", "light.turn_on.x", "all.turn_on",
    ],
)  # fmt: skip
def test_not_in_the_catalogue(service: str) -> None:
    """What has no row is not done, whatever it is called (R4)."""
    step = refusal(lamp(service))
    assert (step.code, step.field) == (Code.SERVICE_NOT_FOUND, "service_call.service")
    assert judged(lamp(service)).gate is GateName.SCHEMA


@pytest.mark.parametrize(
    ("service", "candidates"),
    [
        ("light.turn_onn", ("light.turn_on", "light.turn_off", "climate.turn_on")),
        ("scene.apply", ("scene.turn_on",)),
        ("cover.open", ("cover.open_cover", "cover.stop_cover", "lock.open")),
        ("mqtt.publish", ()),
    ],
)
def test_candidates(service: str, candidates: tuple[str, ...]) -> None:
    """Those that come near, or the domain's own."""
    assert refusal(lamp(service)).candidates == candidates


@pytest.mark.parametrize("service", ["sensor.read", "binary_sensor.get", "todo.get_items", "weather.get_forecasts"])
def test_reading(service: str) -> None:
    """Who wants to read is told how."""
    assert "intent status" in refusal(lamp(service)).hint


@pytest.mark.parametrize(
    ("data", "code", "field", "hint"),
    [
        ({"brightness": 256}, Code.OUT_OF_RANGE, "brightness", "Send brightness from 0 to 255."),
        ({"brightness": -1}, Code.OUT_OF_RANGE, "brightness", "Send brightness from 0 to 255."),
        ({"brightness_step": 300}, Code.OUT_OF_RANGE, "brightness_step", "Send brightness_step from -255 to 255."),
        ({"brightness_pct": 101}, Code.OUT_OF_RANGE, "brightness_pct", "Send a number from 0 to 100, in percent."),
        ({"brightness": 128, "brightness_pct": 50}, Code.CONFLICT, "brightness_pct", "Send one of the two."),
        ({"brightness": "128"}, Code.SCHEMA, "brightness", "without quotes"),
        ({"brightness": True}, Code.SCHEMA, "brightness", "number alone"),
        ({"brightness": [128]}, Code.SCHEMA, "brightness", "number alone"),
        ({"color_name": "red", "color_temp_kelvin": 2700}, Code.CONFLICT, "color_temp_kelvin", "Send one of the two."),
        ({"color_name": "blurple"}, Code.INVALID_OPTION, "color_name", "CSS colour name"),
        ({"color_temp_kelvin": 9000}, Code.OUT_OF_RANGE, "color_temp_kelvin", "from 2000 to 6500"),
        ({"brightness_pct": 0}, Code.CONFLICT, "brightness_pct", "Send turn_off."),
        ({"flash": "long"}, Code.UNSUPPORTED_FIELD, "flash", "light.turn_on takes: "),
        ({"effect": "x"}, Code.UNSUPPORTED_FIELD, "effect", "light.turn_on takes: "),
        ({"code": "1234"}, Code.UNSUPPORTED_FIELD, "code", "Agents give no codes"),
        ({"xyz" * 40: 1}, Code.UNSUPPORTED_FIELD, "xyz" * 40, "light.turn_on takes: "),
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", ["data", "service_data"])
def test_values(data: dict[str, Any], code: Code, field: str, hint: str, key: str) -> None:
    """A value is refused in Home Assistant's units, at the place where it was sent."""
    call = {"service": "light.turn_on", "target": {"entity_id": "light.lamp"}, key: data}
    step = refusal(call)
    assert (step.code, step.field) == (code, f"service_call.{key}.{field}")
    assert hint in step.hint


@pytest.mark.parametrize("other", [{"color_name": "red"}, {"color_temp_kelvin": 2700}, {"brightness_step_pct": 5}])
def test_not_at_once(other: dict[str, Any]) -> None:
    """Values that no one operation takes together are refused, not dropped."""
    step = refusal(lamp(brightness_step=51, **other))
    assert step.code is Code.CONFLICT
    assert str(step.field).startswith("service_call.data")


@pytest.mark.parametrize(
    ("level", "hint"),
    [
        (50, "Send volume_level from 0 to 1: 0.5 if you mean 50 percent."),
        (1.5, "Send volume_level from 0 to 1: 0.015 if you mean 1.5 percent."),
        (101, "Send volume_level from 0 to 1."),
        (-0.1, "Send volume_level from 0 to 1: -0.001 if you mean -0.1 percent."),
    ],
)
def test_volume(level: float, hint: str) -> None:
    """Volume goes from 0 to 1 there."""
    step = refusal(lamp("media_player.volume_set", "media_player.radio", volume_level=level))
    assert (step.code, step.field, step.hint) == (Code.OUT_OF_RANGE, "service_call.data.volume_level", hint)


def test_a_whisper_is_told_in_its_own_unit() -> None:
    """A hint that is followed to the letter must not deafen: 50 is no volume_level, and 0.5 is a hundred times louder."""
    assert "50" not in refusal(lamp("media_player.volume_set", "media_player.radio", volume_level=0.005)).hint


@pytest.mark.parametrize(
    ("call", "code", "field"),
    [
        pytest.param(lamp(entity_id="lock.door"), Code.DEVICE_TYPE_MISMATCH, "target.entity_id", id="another domain"),
        pytest.param(
            lamp(entity_id=["light.lamp", "lock.door"]), Code.DEVICE_TYPE_MISMATCH, "target.entity_id", id="one of two"
        ),
        pytest.param(lamp(entity_id="all"), Code.DEVICE_TYPE_MISMATCH, "target.entity_id", id="all"),
        pytest.param(lamp(entity_id="none"), Code.DEVICE_TYPE_MISMATCH, "target.entity_id", id="none"),
        pytest.param(lamp(entity_id=["all"]), Code.DEVICE_TYPE_MISMATCH, "target.entity_id", id="all in a list"),
        pytest.param(lamp(entity_id="*"), Code.DEVICE_TYPE_MISMATCH, "target.entity_id", id="star"),
        pytest.param(lamp(entity_id=None), Code.SCHEMA, "target.entity_id", id="null"),
        pytest.param(lamp(entity_id=5), Code.DEVICE_TYPE_MISMATCH, "target.entity_id", id="a number"),
        pytest.param(lamp(entity_id={"a": 1}), Code.DEVICE_TYPE_MISMATCH, "target.entity_id", id="an object"),
        pytest.param(lamp(entity_id=""), Code.DEVICE_TYPE_MISMATCH, "target.entity_id", id="nothing"),
        pytest.param(lamp(entity_id="LIGHT.LAMP"), Code.DEVICE_TYPE_MISMATCH, "target.entity_id", id="upper case"),
        pytest.param(lamp(entity_id="Light.lamp"), Code.DEVICE_TYPE_MISMATCH, "target.entity_id", id="a capital"),
        pytest.param(lamp(entity_id=" light.lamp"), Code.DEVICE_TYPE_MISMATCH, "target.entity_id", id="a blank"),
        pytest.param(lamp(entity_id="lamp"), Code.DEVICE_TYPE_MISMATCH, "target.entity_id", id="a name"),
        pytest.param(lamp(entity_id="light.lamp, light.x"), Code.ENTITY_NOT_FOUND, "target.entity_id", id="commas"),
        pytest.param(lamp(entity_id="light.lamp,lock.door"), Code.ENTITY_NOT_FOUND, "target.entity_id", id="a smuggle"),
        pytest.param(lamp(entity_id="light.*"), Code.ENTITY_NOT_FOUND, "target.entity_id", id="a pattern"),
        pytest.param(lamp(entity_id="light.nowhere"), Code.ENTITY_NOT_FOUND, "target.entity_id", id="none of it"),
        pytest.param(lamp(entity_id=[]), Code.SCHEMA, "target.entity_id", id="an empty list"),
        pytest.param(
            lamp(entity_id=[f"light.lamp_{place}" for place in range(21)]), Code.SCHEMA, "target.entity_id", id="too many"
        ),
        pytest.param({"service": "light.turn_on", "target": {}}, Code.SCHEMA, "target", id="an empty target"),
        pytest.param({"service": "light.turn_on"}, Code.SCHEMA, "data", id="no target"),
        pytest.param({"service": "light.turn_on", "target": "light.lamp"}, Code.SCHEMA, "target", id="text"),
        pytest.param({"service": "light.turn_on", "target": ["light.lamp"]}, Code.SCHEMA, "target", id="a list"),
        pytest.param(
            {"service": "light.turn_on", "target": {"entity_id": "light.lamp", "area_id": "hall"}},
            Code.CONFLICT, "target", id="entities and an area",
        ),
        pytest.param(
            {"service": "light.turn_on", "target": {"area_id": "nowhere"}},
            Code.AREA_NOT_FOUND, "target.area_id", id="no such area",
        ),
        pytest.param({"service": "light.turn_on", "target": {"area_id": "all"}}, Code.SCHEMA, "target.area_id", id="a"),
        pytest.param({"service": "light.turn_on", "target": {"area_id": None}}, Code.SCHEMA, "target.area_id", id="0"),
        pytest.param(
            {"service": "light.turn_on", "data": {"entity_id": "all"}},
            Code.DEVICE_TYPE_MISMATCH, "data.entity_id", id="all among the values",
        ),
        *(
            pytest.param(
                {"service": "light.turn_on", "target": {"entity_id": "light.lamp", later: "x"}},
                Code.CONFLICT, "target", id=later,
            )
            for later in ("device_id", "floor_id", "label_id")
        ),
        pytest.param(
            {"service": "light.turn_on", "data": {"device_id": "x"}},
            Code.AREA_NOT_FOUND, "data.device_id", id="a device among the values",
        ),
    ],
)  # fmt: skip
def test_targets(call: dict[str, Any], code: Code, field: str) -> None:
    """A target that is none, or more than it says, is refused; nothing widens and nothing is skipped silently."""
    step = refusal(call)
    assert (step.code, step.field) == (code, f"service_call.{field}")
    assert step.hint


def test_templates() -> None:
    """Templates are never rendered."""
    assert refusal(lamp(entity_id="{{ states.light }}")).code is Code.TEMPLATE_TEXT


@pytest.mark.parametrize(
    ("call", "field"),
    [
        pytest.param({"target": {"entity_id": "light.lamp"}}, "service", id="no service"),
        pytest.param({"service": "turn_on", "target": {"entity_id": "light.lamp"}}, "service", id="no domain"),
        pytest.param(
            {"service": "light.turn_on", "action": "light.turn_on", "target": {"entity_id": "light.lamp"}},
            "service", id="service and action",
        ),
        pytest.param({"service": "", "target": {}}, "service", id="blank"),
        pytest.param({"service": 5, "target": {}}, "service", id="a number"),
        pytest.param({"service": ["light.turn_on"]}, "service", id="a list"),
        pytest.param({"service": "light.turn_on", "entity_id": "light.lamp"}, "entity_id", id="target outside"),
        pytest.param({"service": "light.turn_on", "return_response": True}, "return_response", id="unknown field"),
        pytest.param(lamp(brightness_pct=None), "data", id="null for a value"),
        pytest.param({"service": "light.turn_on", "data": [1]}, "data", id="a list of values"),
        pytest.param({"service": "light.turn_on", "data": "x"}, "data", id="text for values"),
    ],
)  # fmt: skip
def test_form(call: dict[str, Any], field: str) -> None:
    """What is no call is refused with the field."""
    step = refusal(call)
    assert (step.code, step.field) == (Code.SCHEMA, f"service_call.{field}")


@pytest.mark.parametrize("call", [None, 5, "light.turn_on", [], [lamp()]], ids=str)
def test_no_call(call: object) -> None:
    """Something else in its place is no call."""
    step = refusal(call)
    assert (step.code, step.field) == (Code.SCHEMA, "service_call")


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lamp("light.turn_off"), id="target"),
        pytest.param({"action": "light.turn_off", "target": {"entity_id": ["light.lamp"]}}, id="action, a list"),
        pytest.param(lamp("light.turn_off", ["light.lamp"] * 21), id="the same many times"),
        pytest.param({"service": "light.turn_off", "data": {"entity_id": "light.lamp"}}, id="among the values"),
        pytest.param({"service": "light.turn_off", "service_data": {"entity_id": "light.lamp"}}, id="old words"),
        pytest.param({"domain": "light", "service": "turn_off", "target": {"entity_id": "light.lamp"}}, id="apart"),
        pytest.param(
            {"service": "light.turn_off", "target": {"entity_id": "light.lamp"}, "data": None}, id="null data"
        ),
    ],
)
def test_taken(call: dict[str, Any]) -> None:
    """The ways in which Home Assistant's own callers write the same call."""
    step = judged(call).step
    assert isinstance(step, Ready)
    assert step.plan.entity_ids == ("light.lamp",)


def test_several_and_an_area() -> None:
    """Several ids are several actions; an area is all its devices of the action's domain."""
    house = (
        MadeHouse().add("light.a", "A", room="Hall").add("light.b", "B", room="Hall").add("switch.c", "C", room="Hall")
    )
    for target in ({"entity_id": ["light.b", "light.a"]}, {"area_id": "hall"}):
        step = judged({"service": "light.turn_on", "target": target}, house).step
        assert isinstance(step, Ready)
        assert sorted(step.plan.entity_ids) == ["light.a", "light.b"]


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(
            {**lamp("light.turn_off"), "data": {"entity_id": "lock.door"}}, id="another target among the values",
        ),
        pytest.param(
            {**lamp("light.turn_off"), "data": {"area_id": "kitchen"}}, id="an area among the values",
        ),
        pytest.param(
            {**lamp("light.turn_off"), "data": {"device_id": "x"}}, id="a device among the values",
        ),
        pytest.param(
            {"service": "light.turn_off", "target": {"entity_id": "light.lamp", "room": "Hall"}}, id="a word in target",
        ),
        pytest.param(
            {**lamp("light.turn_off"), "domain": "lock"}, id="another domain",
        ),
        pytest.param(
            {**lamp(brightness_pct=10), "service_data": {"brightness_pct": 90}}, id="values twice",
        ),
    ],
)  # fmt: skip
def test_nothing_is_overlooked(call: dict[str, Any]) -> None:
    """What a call says beside the rest is refused where it cannot be meant, not dropped (R6)."""
    refusal(call)


@pytest.mark.parametrize(
    ("call", "changed", "code", "field"),
    [
        pytest.param(
            lamp("cover.set_cover_position", "cover.blind"), {}, Code.MISSING_FIELD, "data", id="missing",
        ),
        pytest.param(
            lamp("cover.open_cover", "cover.blind"), {"supported_features": 2}, Code.UNSUPPORTED_OPERATION, "service",
            id="unsupported",
        ),
        pytest.param(
            lamp("cover.set_cover_position", "cover.blind", position=300), {}, Code.OUT_OF_RANGE, "data.position",
            id="out of range",
        ),
    ],
)  # fmt: skip
def test_places(call: dict[str, Any], changed: dict[str, Any], code: Code, field: str) -> None:
    """A refusal of any gate names a place that the call has."""
    step = refusal(call, house_of_all(blind=changed))
    assert (step.code, step.field) == (code, f"service_call.{field}")


def test_place_of_a_payload() -> None:
    """What Home Assistant's own schema refuses is said to be in the data."""
    house = house_of_all(lamp={"state": "off"})
    house.faults["light.turn_on"] = "not so"
    step = refusal(lamp(brightness_pct=50), house)
    assert (step.code, step.field) == (Code.PAYLOAD_INVALID, "service_call.data")
