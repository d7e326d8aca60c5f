"""``edgehome.execute`` over Home Assistant's real doors: what each caller is answered, and that a retry is safe."""

import asyncio
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.auth.models import TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN as LONG_LIVED
from homeassistant.auth.models import TOKEN_TYPE_NORMAL as NORMAL
from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.core import Event, HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_capture_events

from custom_components.edgehome.errors import RequestRefusedError
from tests.real_home import AgentAccess, Doors, add_agent, add_user, proposing, token_of

DOORS = pytest.mark.parametrize("door", [pytest.param("ask", id="REST"), pytest.param("ask_websocket", id="websocket")])
OFF = proposing("turn_off", "Kitchen Lights")
ANSWER = {"trace_id", "outcome", "code", "gate", "message", "hint", "plan", "result"}


def calls_of(events: list[Event[Any]], domain: str) -> list[Any]:
    """The calls of a domain's actions among the events."""
    return [event.data["service"] for event in events if event.data["domain"] == domain]


@DOORS
@pytest.mark.parametrize(
    ("payload", "outcome", "code", "gate"),
    [
        pytest.param(OFF, "executed", "DONE", "execution", id="done"),
        pytest.param(proposing("turn_on", "Kitchen Lights"), "no_change", "ALREADY_SO", "dry_run", id="already so"),
        pytest.param(OFF | {"dry_run": True}, "dry_run", "PREVIEW", "dry_run", id="dry run"),
        pytest.param(proposing("status", "Front Door"), "read", "STATUS", "dry_run", id="reading"),
        pytest.param(
            {"model_candidate": {"intent": "turn_off", "room": "Kitchen", "device_type": "light"}},
            "executed",
            "DONE",
            "execution",
            id="a room's lights",
        ),
        pytest.param(OFF | {"reason": "{{ 1 }}"}, "blocked", "TEMPLATE_TEXT", "input_guard", id="template"),
        pytest.param({}, "blocked", "SCHEMA", "schema", id="nothing"),
        pytest.param({"entity_id": "all"}, "blocked", "SCHEMA", "schema", id="Home Assistant's own words"),
        pytest.param({"raw_input": "lights off"}, "blocked", "UNSUPPORTED_FORM", "schema", id="a sentence"),
        pytest.param(proposing("turn_off", "all"), "blocked", "SCHEMA", "schema", id="everything"),
        pytest.param(
            proposing("turn_off", "Kitchen Lihgts"), "blocked", "ENTITY_NOT_FOUND", "device_resolver", id="mistyped"
        ),
        pytest.param(
            proposing("turn_off", "light.office_rgbw_lights"), "blocked", "NOT_EXPOSED", "device_resolver", id="hidden"
        ),
        pytest.param(
            proposing("turn_off", "switch.edgehome_lockdown"),
            "blocked",
            "NOT_TARGETABLE",
            "device_resolver",
            id="EdgeHome itself",
        ),
        pytest.param(
            proposing("set_brightness", "Bed Light", brightness=101),
            "blocked",
            "OUT_OF_RANGE",
            "capability",
            id="101 %",
        ),
        pytest.param(proposing("lock", "Front Door"), "blocked", "POLICY_DENIED", "policy", id="denied"),
        pytest.param(proposing("open", "Garage Door"), "blocked", "NO_APPROVER", "execution", id="nobody to ask"),
    ],
)
async def test_verdicts(
    agent: AgentAccess, doors: Doors, door: str, payload: dict[str, object], outcome: str, code: str, gate: str
) -> None:
    """The same proposal has the same structured answer over every door, refused or not."""
    answer = await getattr(doors, door)(agent.token, "execute", payload)
    assert (answer["outcome"], answer["code"], answer["gate"]) == (outcome, code, gate)
    assert answer.keys() >= ANSWER
    assert answer["message"]


@DOORS
async def test_done(hass: HomeAssistant, agent: AgentAccess, doors: Doors, door: str) -> None:
    """What is answered as done and verified is done."""
    answer = await getattr(doors, door)(agent.token, "execute", OFF)
    assert answer["result"] == {
        "actions": [
            {
                "entity_id": "light.kitchen_lights",
                "done": True,
                "verification": "verified",
                "state": "off",
                "error": None,
            }
        ],
        "final": True,
    }
    assert hass.states.is_state("light.kitchen_lights", "off")


async def test_unknown_colour(hass: HomeAssistant, agent: AgentAccess, doors: Doors) -> None:
    """A colour that Home Assistant does not know is refused, not shown as white (R6)."""
    calls = async_capture_events(hass, EVENT_CALL_SERVICE)
    answer = await doors.ask(agent.token, "execute", proposing("set_color", "Bed Light", color="ultragreen"))
    assert (answer["outcome"], answer.get("field")) == ("blocked", "model_candidate.params.color")
    assert calls_of(calls, "light") == []


async def test_candidates_come_from_the_agents_scope(hass: HomeAssistant, home: MockConfigEntry, doors: Doors) -> None:
    """An agent of the kitchen does not get to know the other rooms by asking for near names (R6)."""
    cook = await add_agent(hass, home, areas=["kitchen"])
    payload = {"model_candidate": {"intent": "turn_off", "room": "Bedrom", "device_type": "light"}}
    answer = await doors.ask(cook.token, "execute", payload)
    assert answer["code"] == "AREA_NOT_FOUND"
    assert "Bedroom" not in str(answer)


@pytest.mark.parametrize(
    ("payload", "status", "words"),
    [
        pytest.param(OFF, 200, "[]", id="done"),
        pytest.param(proposing("turn_on", "Kitchen Lights"), 200, "[]", id="already so"),
        pytest.param(OFF | {"dry_run": True}, 200, "[]", id="dry run"),
        pytest.param(
            proposing("unlock", "Front Door"),
            400,
            "the policy's rule 'Never unlock' (no_unlocking) denies it.",
            id="denied",
        ),
        pytest.param({}, 400, 'model_candidate is missing. Send {"model_candidate": ', id="nothing sent"),
    ],
)
async def test_rest_without_a_response(
    agent: AgentAccess, doors: Doors, payload: dict[str, object], status: int, words: str
) -> None:
    """A REST caller that wants no response learns of a refusal by the status and its words."""
    answered, body = await doors.rest(agent.token, "execute", payload, wanted=False)
    assert answered == status
    assert words in str(body)


async def test_websocket_without_a_response(agent: AgentAccess, doors: Doors) -> None:
    """A websocket caller that wants no response gets an error that can be translated."""
    message = await doors.websocket(agent.token, "execute", proposing("unlock", "Front Door"), wanted=False)
    assert message["success"] is False
    error = message["error"]
    assert (error["code"], error["translation_domain"], error["translation_key"]) == (
        "service_validation_error",
        "edgehome",
        "policy_denied",
    )
    assert error["translation_placeholders"].keys() == {"message", "hint", "trace_id"}
    trace = await doors.ask(agent.token, "get_trace", {"trace_id": error["translation_placeholders"]["trace_id"]})
    assert trace["code"] == "POLICY_DENIED"


async def test_websocket_without_a_response_done(hass: HomeAssistant, agent: AgentAccess, doors: Doors) -> None:
    """A websocket caller that wants no response gets none when all went well."""
    message = await doors.websocket(agent.token, "execute", OFF, wanted=False)
    assert message["success"] is True
    assert "response" not in message["result"]
    assert hass.states.is_state("light.kitchen_lights", "off")


async def test_automation(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Where the owner allows it, an automation is judged like everybody else."""
    await hass.services.async_call("edgehome", "execute", OFF, blocking=True)
    assert hass.states.is_state("light.kitchen_lights", "off")
    answer: Any = await hass.services.async_call(
        "edgehome", "execute", proposing("unlock", "Front Door"), blocking=True, return_response=True
    )
    assert (answer["outcome"], answer["code"]) == ("blocked", "POLICY_DENIED")


async def test_automation_refused(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A refused automation stops with an error in plain words: the rule, the hint, the trace."""
    with pytest.raises(RequestRefusedError) as refused:
        await hass.services.async_call("edgehome", "execute", proposing("unlock", "Front Door"), blocking=True)
    assert refused.value.translation_key == "policy_denied"
    words = "unlock on Front Door (risk 4): the policy's rule 'Never unlock' (no_unlocking) denies it. The owner decides this"
    assert str(refused.value).startswith(words)
    assert "(trace " in str(refused.value)
    assert hass.states.is_state("lock.front_door", "locked")


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(OFF, id="acting"),
        pytest.param(proposing("status", "Kitchen Lights"), id="reading"),
    ],
)
async def test_automation_off(hass: HomeAssistant, home: MockConfigEntry, payload: dict[str, object]) -> None:
    """Where the owner does not allow it, a call without a user is refused, with and without a response."""
    hass.config_entries.async_update_entry(home, options={"preset": "strict", "automations": False})
    await hass.async_block_till_done()
    answer: Any = await hass.services.async_call("edgehome", "execute", payload, blocking=True, return_response=True)
    assert (answer["outcome"], answer["code"], answer["gate"]) == ("blocked", "AUTOMATION_OFF", "input_guard")
    with pytest.raises(RequestRefusedError) as refused:
        await hass.services.async_call("edgehome", "execute", payload, blocking=True)
    assert refused.value.translation_key == "automation_off"
    assert hass.states.is_state("light.kitchen_lights", "on")


@DOORS
@pytest.mark.parametrize(
    ("group", "client_id", "token_type", "hint"),
    [
        pytest.param(GROUP_ID_ADMIN, None, LONG_LIVED, "Add agent", id="an administrator's long-lived token"),
        pytest.param(GROUP_ID_ADMIN, "https://example.com/app", NORMAL, "Settings > System", id="a foreign client"),
        pytest.param(GROUP_ID_USER, "http://ha.example:8123/", NORMAL, "Add agent", id="a plain user"),
    ],
)
async def test_unregistered(
    hass: HomeAssistant,
    home: MockConfigEntry,
    owner: str,
    doors: Doors,
    door: str,
    group: str,
    client_id: str | None,
    token_type: str,
    hint: str,
) -> None:
    """Who is neither an agent nor the owner is refused and told how to become one."""
    token = await token_of(hass, await add_user(hass, "Bob", group), client_id, token_type)
    answer = await getattr(doors, door)(token, "execute", OFF)
    assert (answer["outcome"], answer["code"]) == ("blocked", "AGENT_UNKNOWN")
    assert hint in answer["hint"]
    assert hass.states.is_state("light.kitchen_lights", "on")


@DOORS
async def test_owner(hass: HomeAssistant, home: MockConfigEntry, owner: str, doors: Doors, door: str) -> None:
    """The owner may try proposals from the frontend; the policy is the same for him."""
    assert (await getattr(doors, door)(owner, "execute", OFF))["outcome"] == "executed"
    answer = await getattr(doors, door)(owner, "execute", proposing("unlock", "Front Door"))
    assert answer["code"] == "POLICY_DENIED"


async def test_rate(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """An agent's requests are counted over all doors and actions, each agent's by itself."""
    slow = await add_agent(hass, home, "Slow", requests_per_minute=3)
    question = proposing("status", "Hvac")
    answers = [
        await doors.ask(slow.token, "execute", question),
        await doors.ask_websocket(slow.token, "execute", question),
        await doors.ask(slow.token, "list_devices", {}),
        await doors.ask(slow.token, "execute", question),
        await doors.ask(slow.token, "list_devices", {}),
        await doors.ask(agent.token, "execute", question),
    ]
    assert [answer.get("code") for answer in answers] == [
        "STATUS",
        "STATUS",
        None,
        "RATE_LIMIT",
        "RATE_LIMIT",
        "STATUS",
    ]


async def test_repeated_request_id(hass: HomeAssistant, agent: AgentAccess, doors: Doors) -> None:
    """The same id gives the same trace, over any door, and the device is called once (R13)."""
    calls = async_capture_events(hass, EVENT_CALL_SERVICE)
    payload = OFF | {"request_id": "night-1"}
    first = await doors.ask(agent.token, "execute", payload)
    hass.states.async_set("light.kitchen_lights", "on")
    again = await doors.ask_websocket(agent.token, "execute", payload | {"reason": "Did it work?"})
    assert again == first
    assert calls_of(calls, "light") == ["turn_off"]


async def test_request_id_twice_at_once(hass: HomeAssistant, agent: AgentAccess, doors: Doors) -> None:
    """Two calls with one id at the same time are one request (R13)."""
    calls = async_capture_events(hass, EVENT_CALL_SERVICE)
    payload = OFF | {"request_id": "night-1"}
    answers = await asyncio.gather(*(doors.ask(agent.token, "execute", payload) for _ in range(5)))
    assert len({answer["trace_id"] for answer in answers}) == 1
    assert {answer["outcome"] for answer in answers} == {"executed"}
    assert calls_of(calls, "light") == ["turn_off"]


async def test_request_id_of_something_else(hass: HomeAssistant, agent: AgentAccess, doors: Doors) -> None:
    """An id that was used for something else is refused, and the first answer stays (R13)."""
    first = await doors.ask(agent.token, "execute", OFF | {"request_id": "night-1"})
    other = await doors.ask(agent.token, "execute", proposing("turn_off", "Ceiling Lights") | {"request_id": "night-1"})
    assert (other["outcome"], other["code"], other["field"]) == ("blocked", "REQUEST_ID_CONFLICT", "request_id")
    assert hass.states.is_state("light.ceiling_lights", "on")
    assert await doors.ask(agent.token, "execute", OFF | {"request_id": "night-1"}) == first


async def test_refusals_repeat(hass: HomeAssistant, agent: AgentAccess, doors: Doors) -> None:
    """A refusal is repeated too, also when the reason is gone (R13)."""
    hass.states.async_set("light.bed_light", "unavailable")
    payload = proposing("turn_off", "Bed Light") | {"request_id": "night-1"}
    first = await doors.ask(agent.token, "execute", payload)
    assert first["code"] == "ENTITY_UNAVAILABLE"
    hass.states.async_set("light.bed_light", "on")
    assert await doors.ask(agent.token, "execute", payload) == first


async def test_request_ids_are_each_callers_own(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors
) -> None:
    """Another agent's equal id is another request and tells nothing of the first."""
    other = await add_agent(hass, home, "Apollo")
    payload = OFF | {"request_id": "night-1"}
    first = await doors.ask(agent.token, "execute", payload)
    second = await doors.ask(other.token, "execute", payload)
    assert (first["outcome"], second["outcome"]) == ("executed", "no_change")
    assert first["trace_id"] != second["trace_id"]


async def test_not_loaded(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """While EdgeHome is not loaded its actions are there and say so."""
    await hass.config_entries.async_unload(home.entry_id)
    status, body = await doors.rest(agent.token, "execute", OFF)
    assert status == 400
    assert "not loaded" in body["message"]
    with pytest.raises(ServiceValidationError):
        await hass.services.async_call("edgehome", "execute", OFF, blocking=True)
    assert hass.states.is_state("light.kitchen_lights", "on")
