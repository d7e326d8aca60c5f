"""An agent's requests over REST to a real Home Assistant: the answer, and what the devices really did."""

from typing import Any

import pytest

from tests.house.client import Client
from tests.house.demo_home import DemoHome

pytestmark = pytest.mark.e2e

BEFORE = (
    ("light.turn_on", {"entity_id": "light.bed_light", "brightness_pct": 50}),
    ("light.turn_on", {"entity_id": ["light.ceiling_lights", "light.kitchen_lights"], "brightness_pct": 70}),
    ("light.turn_off", {"entity_id": "light.office_rgbw_lights"}),
    ("climate.set_temperature", {"entity_id": "climate.heatpump", "temperature": 20}),
    ("lock.lock", {"entity_id": "lock.front_door"}),
    ("light.turn_off", {"entity_id": ["light.cellar_lamp", "light.odd_lamp"]}),
    ("cover.close_cover", {"entity_id": "cover.garage_door"}),
    ("cover.set_cover_position", {"entity_id": "cover.hall_window", "position": 10}),
)


@pytest.fixture(autouse=True)
def known_state(home: DemoHome) -> None:
    """Puts the devices that the cases watch into a known state, as the owner."""
    for service, data in BEFORE:
        assert home.owner.call(service, data).ok


def light(state: str, brightness: int | None) -> dict[str, Any]:
    """What is expected of a light."""
    return {"state": state, "brightness": brightness}


def look(home: DemoHome, entity_id: str, expected: dict[str, Any]) -> dict[str, Any]:
    """The expected facts of an entity as Home Assistant has them."""
    state = home.owner.state(entity_id)
    assert state is not None
    return {key: state["state"] if key == "state" else state["attributes"].get(key) for key in expected}


@pytest.mark.parametrize(
    ("candidate", "outcome", "code", "gate", "entity_id", "expected"),
    [
        pytest.param(
            {"intent": "set_brightness", "device_alias": "Bed Light", "params": {"brightness": 80}},
            "executed", "DONE", "execution", "light.bed_light", light("on", 204), id="dim",
        ),
        pytest.param(
            {"intent": "turn_off", "device_alias": "light.bed_light"},
            "executed", "DONE", "execution", "light.bed_light", light("off", None), id="off by entity id",
        ),
        pytest.param(
            {"intent": "turn_off", "device_alias": "lamp", "room": "bedroom"},
            "executed", "DONE", "execution", "light.bed_light", light("off", None), id="an alias in a room, any case",
        ),
        pytest.param(
            {"intent": "turn_off", "room": "Lounge", "device_type": "light"},
            "executed", "DONE", "execution", "light.ceiling_lights", light("off", None), id="a room by its alias",
        ),
        pytest.param(
            {"intent": "toggle", "device_alias": "Bed Light"},
            "executed", "DONE", "execution", "light.bed_light", light("off", None), id="toggle",
        ),
        pytest.param(
            {"intent": "set_color", "device_alias": "Kitchen Lights", "params": {"color": [0, 0, 255]}},
            "executed", "DONE", "execution", "light.kitchen_lights", {"rgb_color": [0, 0, 255]}, id="colour",
        ),
        pytest.param(
            {"intent": "set_temperature", "device_alias": "HeatPump", "params": {"temperature": 68, "unit": "°F"}},
            "no_change", "ALREADY_SO", "dry_run", "climate.heatpump", {"temperature": 20}, id="68 °F is 20 °C",
        ),
        pytest.param(
            {"intent": "turn_on", "room": "Bathroom", "device_type": "light"},
            "blocked", "AREA_NOT_FOUND", "device_resolver", "light.office_rgbw_lights", light("off", None),
            id="an unknown room never widens",
        ),
        pytest.param(
            {"intent": "turn_on", "device_alias": "Lamp"},
            "blocked", "AMBIGUOUS_TARGET", "device_resolver", "light.office_rgbw_lights", light("off", None),
            id="a name of two",
        ),
        pytest.param(
            {"intent": "turn_on", "device_type": "light"},
            "blocked", "AMBIGUOUS_TARGET", "device_resolver", "light.office_rgbw_lights", light("off", None),
            id="a type of many",
        ),
        pytest.param(
            {"intent": "turn_on", "device_alias": "light.typo_entity"},
            "blocked", "ENTITY_NOT_FOUND", "device_resolver", "light.office_rgbw_lights", light("off", None),
            id="an entity that is not there",
        ),
        pytest.param(
            {"intent": "turn_on", "device_alias": "all"},
            "blocked", "SCHEMA", "schema", "light.office_rgbw_lights", light("off", None), id="all is no name",
        ),
        pytest.param(
            {"intent": "set_brightness", "device_alias": "Bed Light", "params": {"brightness": 255}},
            "blocked", "OUT_OF_RANGE", "capability", "light.bed_light", light("on", 128), id="255 is no percent",
        ),
        pytest.param(
            {"intent": "turn_on", "device_alias": "Attic Lamp"},
            "blocked", "ENTITY_UNAVAILABLE", "freshness", "light.attic_lamp", {"state": "unavailable"},
            id="unavailable",
        ),
        pytest.param(
            {"intent": "turn_on", "device_alias": "Odd Lamp"},
            "blocked", "NO_APPROVER", "execution", "light.odd_lamp", {"state": "off"},
            id="a template that cannot be read: never done unasked",
        ),
        pytest.param(
            {"intent": "turn_on", "device_alias": "Cellar Lamp"},
            "executed", "DONE", "execution", "light.cellar_lamp", {"state": "on"}, id="a template that can be read",
        ),
        pytest.param(
            {"intent": "unlock", "device_alias": "Front Door"},
            "blocked", "POLICY_DENIED", "policy", "lock.front_door", {"state": "locked"}, id="unlock",
        ),
        pytest.param(
            {"intent": "turn_off", "device_alias": "Front Door"},
            "blocked", "UNSUPPORTED_OPERATION", "capability", "lock.front_door", {"state": "locked"},
            id="off is no word for a lock",
        ),
        pytest.param(
            {"intent": "open", "device_alias": "Garage Door"},
            "blocked", "NO_APPROVER", "execution", "cover.garage_door", {"state": "closed"}, id="open the garage",
        ),
        pytest.param(
            {"intent": "set_position", "device_alias": "Garage Door", "params": {"position": 100}},
            "blocked", "UNSUPPORTED_OPERATION", "capability", "cover.garage_door", {"state": "closed"},
            id="the garage by position, which it does not have",
        ),
        pytest.param(
            {"intent": "set_position", "device_alias": "Hall Window", "params": {"position": 100}},
            "blocked", "NO_APPROVER", "execution", "cover.hall_window", {"current_position": 10},
            id="a cover without a class is not harmless",
        ),
        pytest.param(
            {"intent": "set_temperature", "device_alias": "HeatPump", "params": {"temperature": 30}},
            "blocked", "NO_APPROVER", "execution", "climate.heatpump", {"temperature": 20}, id="a large jump asks",
        ),
        pytest.param(
            {"intent": "turn_on", "device_alias": "Office RGBW Lights", "params": {"entity_id": "lock.front_door"}},
            "blocked", "SCHEMA", "schema", "light.office_rgbw_lights", light("off", None), id="a target in params",
        ),
        pytest.param(
            {"intent": "turn_on", "device_alias": "{{ states('lock.front_door') }}"},
            "blocked", "TEMPLATE_TEXT", "input_guard", "light.office_rgbw_lights", light("off", None), id="a template",
        ),
        pytest.param(
            {"intent": "status", "device_alias": "Front Door"},
            "read", "STATUS", "dry_run", "lock.front_door", {"state": "locked"}, id="status",
        ),
    ],
)  # fmt: skip
def test_request(
    home: DemoHome,
    agent: Client,
    candidate: dict[str, Any],
    outcome: str,
    code: str,
    gate: str,
    entity_id: str,
    expected: dict[str, Any],
) -> None:
    """The answer is this, and the device is like that: read with the owner's token."""
    answer = agent.execute(candidate)
    assert (answer["outcome"], answer["code"], answer["gate"]) == (outcome, code, gate)
    assert look(home, entity_id, expected) == expected


def test_answer_has_its_keys(agent: Client) -> None:
    """Every answer has the documented keys; a refusal says what to do instead."""
    answer = agent.execute({"intent": "turn_on", "room": "Bathroom", "device_type": "light"})
    assert answer.keys() >= {"trace_id", "outcome", "code", "gate", "message", "hint", "plan", "result"}
    assert answer["field"] == "model_candidate.room"
    assert answer["candidates"] == ["Bedroom"]


def test_verified(agent: Client) -> None:
    """Dispatched is one thing, that the device followed another; both are said."""
    answer = agent.execute({"intent": "turn_off", "device_alias": "Kitchen Lights"})
    assert answer["result"]["actions"] == [
        {"entity_id": "light.kitchen_lights", "done": True, "verification": "verified", "state": "off", "error": None}
    ]


def test_dry_run(home: DemoHome, agent: Client) -> None:
    """A dry run tells the call and what it would require, and calls nothing."""
    candidate = {"intent": "open", "device_alias": "Garage Door"}
    answer = agent.execute(candidate, dry_run=True)
    assert (answer["outcome"], answer["requirement"]["verdict"]) == ("dry_run", "confirm")
    assert [action["service"] for action in answer["plan"]["actions"]] == ["cover.open_cover"]
    assert look(home, "cover.garage_door", {"state": ""}) == {"state": "closed"}


def test_retry(home: DemoHome, agent: Client) -> None:
    """The same request id gives the same trace, and the owner's switching in between stands."""
    candidate = {"intent": "turn_off", "device_alias": "Kitchen Lights"}
    first = agent.execute(candidate, request_id=f"retry-{home.process.version}")
    assert home.owner.call("light.turn_on", {"entity_id": "light.kitchen_lights"}).ok
    again = agent.execute(candidate, request_id=f"retry-{home.process.version}", reason="once more")
    other = agent.execute({**candidate, "intent": "toggle"}, request_id=f"retry-{home.process.version}")
    assert first["outcome"] == "executed"
    assert again == first
    assert other["code"] == "REQUEST_ID_CONFLICT"
    assert look(home, "light.kitchen_lights", {"state": ""}) == {"state": "on"}


@pytest.mark.parametrize(
    ("envelope", "code"),
    [
        pytest.param({}, "SCHEMA", id="nothing"),
        pytest.param({"model_candidate": None}, "SCHEMA", id="null"),
        pytest.param({"model_candidate": []}, "SCHEMA", id="a list"),
        pytest.param({"model_candidate": {"intent": "turn_on", "room": None}}, "SCHEMA", id="a null room"),
        pytest.param({"service_call": {"service": "lock.unlock"}}, "SCHEMA", id="a call without a target"),
        pytest.param({"commands": []}, "SCHEMA", id="no command"),
        pytest.param({"raw_input": "open the door"}, "UNSUPPORTED_FORM", id="a sentence"),
        pytest.param({"entity_id": "lock.front_door"}, "SCHEMA", id="Home Assistant's own target"),
        pytest.param({"model_candidate": {"a": [[[[[[[[1]]]]]]]]}}, "TOO_LARGE", id="deep"),
        pytest.param({"model_candidate": {"intent": "x" * 5000}}, "TOO_LARGE", id="long"),
    ],
)
def test_malformed(agent: Client, envelope: dict[str, Any], code: str) -> None:
    """What is not a proposal gets a structured refusal with a hint, over plain REST."""
    answer = agent.edgehome("execute", **envelope)
    assert (answer["outcome"], answer["code"]) == ("blocked", code)
    assert answer["hint"]


def test_websocket_gives_the_same_answer(agent: Client) -> None:
    """The same proposal over the websocket has the same verdict."""
    candidate = {"intent": "unlock", "device_alias": "Front Door"}
    over_rest = agent.execute(candidate)
    call = {"type": "call_service", "domain": "edgehome", "service": "execute", "return_response": True}
    (result,) = agent.command({**call, "service_data": {"model_candidate": candidate}})
    assert {**result["response"], "trace_id": ""} == {**over_rest, "trace_id": ""}


def test_without_a_response_refusals_are_errors(agent: Client) -> None:
    """A caller that wants no response, as an automation, gets a translated error."""
    body = {"model_candidate": {"intent": "unlock", "device_alias": "Front Door"}}
    response = agent.request("POST", "/api/services/edgehome/execute", body)
    assert response.status_code == 400
    assert "no_unlocking" in response.json()["message"]
