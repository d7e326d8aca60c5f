"""``edgehome.list_devices``, ``get_trace`` and ``cancel``: what each caller gets to know, and what not."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.real_home import EXPOSED, AgentAccess, Doors, add_agent, proposing

KITCHEN = ["cover.kitchen_window", "light.kitchen_lights"]
OFF = proposing("turn_off", "Kitchen Lights")
QUESTIONS = pytest.mark.parametrize(
    "action",
    [
        pytest.param("list_devices", id="list"),
        pytest.param("get_trace", id="trace"),
        pytest.param("cancel", id="cancel"),
    ],
)
BOTH = pytest.mark.parametrize("action", [pytest.param("get_trace", id="trace"), pytest.param("cancel", id="cancel")])


def ids(answer: dict[str, Any]) -> list[str]:
    """The entities of a list; none where it was refused."""
    return [device["entity_id"] for device in answer.get("devices", ())]


def device(answer: dict[str, Any], entity_id: str) -> dict[str, Any]:
    """One device of a list."""
    found: dict[str, Any] = next(item for item in answer["devices"] if item["entity_id"] == entity_id)
    return found


@pytest.mark.parametrize(
    ("areas", "payload", "listed"),
    [
        pytest.param([], {}, sorted(EXPOSED), id="everything that is exposed"),
        pytest.param(["kitchen"], {}, KITCHEN, id="the agent's rooms"),
        pytest.param(["nowhere"], {}, [], id="a room that is gone"),
        pytest.param([], {"room": "Kitchen"}, KITCHEN, id="one room"),
        pytest.param([], {"room": " kitchen "}, KITCHEN, id="one room, written otherwise"),
        pytest.param([], {"room": "Galley"}, KITCHEN, id="one room by its alias"),
        pytest.param(["hall"], {"room": "Kitchen"}, [], id="another room than the agent's"),
        pytest.param([], {"room": "Cellar"}, [], id="no such room"),
        pytest.param([], {"room": ""}, [], id="blank room"),
        pytest.param([], {"room": "all"}, [], id="all rooms"),
        pytest.param([], {"room": None}, [], id="null is not everything"),
        pytest.param([], {"room": ["Kitchen"]}, [], id="a list is not everything"),
        pytest.param([], {"device_type": "garage_door"}, ["cover.garage_door"], id="one type"),
        pytest.param([], {"device_type": "Garage Door"}, ["cover.garage_door"], id="one type in people's words"),
        pytest.param([], {"device_type": "gizmo"}, [], id="no such type"),
        pytest.param([], {"device_type": None}, [], id="null is not every type"),
        pytest.param([], {"room": "Kitchen", "device_type": "light"}, ["light.kitchen_lights"], id="both"),
    ],
)
async def test_listed(
    hass: HomeAssistant,
    home: MockConfigEntry,
    area_registry: ar.AreaRegistry,
    doors: Doors,
    areas: list[str],
    payload: dict[str, object],
    listed: list[str],
) -> None:
    """Only what is exposed, in the agent's rooms, and asked for; nothing widens (R6)."""
    area_registry.async_update("kitchen", aliases={"Galley"})
    agent = await add_agent(hass, home, areas=areas)
    assert ids(await doors.ask(agent.token, "list_devices", payload)) == listed
    assert ids(await doors.ask_websocket(agent.token, "list_devices", payload)) == listed


@pytest.mark.parametrize(
    ("payload", "code", "field", "candidates"),
    [
        pytest.param({"room": "Kitchn"}, "AREA_NOT_FOUND", "room", ["Kitchen"], id="a room mistyped"),
        pytest.param({"room": "Cellar"}, "AREA_NOT_FOUND", "room", None, id="a room that nothing comes near"),
        pytest.param({"room": ""}, "AREA_NOT_FOUND", "room", None, id="a blank room"),
        pytest.param({"room": "all"}, "AREA_NOT_FOUND", "room", None, id="all is no room"),
        pytest.param({"room": "Bedrom"}, "AREA_NOT_FOUND", "room", None, id="no candidate of another's scope"),
        pytest.param({"room": None}, "SCHEMA", "room", None, id="null"),
        pytest.param({"room": ["Kitchen"]}, "SCHEMA", "room", None, id="a list"),
        pytest.param({"device_type": 7}, "SCHEMA", "device_type", None, id="a number"),
        pytest.param({"area": "Kitchen"}, "SCHEMA", "area", ["room", "device_type"], id="an unknown field"),
        pytest.param(
            {"room": "Kitchen", "entity_id": "light.kitchen_lights"},
            "SCHEMA",
            "entity_id",
            ["room", "device_type"],
            id="an unknown field beside a good one",
        ),
    ],
)
async def test_wrong_question(
    hass: HomeAssistant,
    home: MockConfigEntry,
    doors: Doors,
    payload: dict[str, object],
    code: str,
    field: str,
    candidates: list[str] | None,
) -> None:
    """A narrowing that is not understood is refused with the field and a hint, never left out (R6)."""
    cook = await add_agent(hass, home, areas=["kitchen"])
    answer = await doors.ask(cook.token, "list_devices", payload)
    assert (answer["outcome"], answer["code"], answer["field"], answer.get("candidates")) == (
        "blocked",
        code,
        field,
        candidates,
    )
    assert answer["message"]
    assert answer["hint"]
    assert "devices" not in answer


async def test_device(home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """A device comes with its room and what may be done on it, with which values and which verdict."""
    answer = await doors.ask(agent.token, "list_devices", {"room": "Hall"})
    assert answer == {
        "devices": [
            {
                "entity_id": "climate.hvac",
                "name": "Hvac",
                "device_type": "thermostat",
                "room": "Hall",
                "available": True,
                "operations": {
                    "set_temperature": {
                        "verdict": "allow",
                        "params": {
                            "temperature": {"min": 7, "max": 35, "unit": "°C"},
                            "temperature_low": {"min": 7, "max": 35, "unit": "°C"},
                            "temperature_high": {"min": 7, "max": 35, "unit": "°C"},
                            "temperature_step": {"relative": True, "unit": "°C"},
                            "mode": {"values": ["off", "heat", "cool", "auto", "dry", "fan_only"]},
                        },
                    },
                    "set_mode": {
                        "verdict": "allow",
                        "params": {"mode": {"values": ["off", "heat", "cool", "auto", "dry", "fan_only"]}},
                    },
                    "set_fan_mode": {
                        "verdict": "allow",
                        "params": {"mode": {"values": ["on_low", "on_high", "auto_low", "auto_high", "off"]}},
                    },
                    "set_swing_mode": {
                        "verdict": "allow",
                        "params": {"mode": {"values": ["auto", "1", "2", "3", "off"]}},
                    },
                    "set_humidity": {"verdict": "allow", "params": {"humidity": {"min": 30, "max": 99, "unit": "%"}}},
                    "turn_on": {"verdict": "allow"},
                    "turn_off": {"verdict": "allow"},
                    "toggle": {"verdict": "allow"},
                    "status": {"verdict": "allow"},
                },
            }
        ]
    }


@pytest.mark.parametrize(
    ("preset", "max_risk", "entity_id", "operations"),
    [
        pytest.param("strict", 5, "lock.front_door", {"status": "allow"}, id="denied is not shown"),
        pytest.param(
            "balanced", 5, "lock.front_door", {"lock": "allow", "unlock": "confirm", "status": "allow"}, id="balanced"
        ),
        pytest.param("balanced", 3, "lock.front_door", {"status": "allow"}, id="above the agent's risk is not shown"),
        pytest.param(
            "strict",
            5,
            "cover.garage_door",
            {"open": "confirm", "close": "confirm", "toggle": "confirm", "status": "allow"},
            id="what must be asked for says so",
        ),
        pytest.param(
            "strict",
            3,
            "cover.kitchen_window",
            {"open": "confirm", "close": "confirm", "toggle": "confirm", "stop": "confirm", "status": "allow"},
            id="only what the cover can do",
        ),
        pytest.param("strict", 1, "switch.decorative_lights", {"status": "allow"}, id="a switch above the risk"),
        pytest.param(
            "strict",
            2,
            "switch.decorative_lights",
            {"turn_on": "allow", "turn_off": "allow", "toggle": "allow", "status": "allow"},
            id="a switch within the risk",
        ),
    ],
)
async def test_allowed_operations(
    hass: HomeAssistant,
    home: MockConfigEntry,
    doors: Doors,
    preset: str,
    max_risk: int,
    entity_id: str,
    operations: dict[str, str],
) -> None:
    """The list shows what this caller may do, and nothing that would be refused."""
    hass.config_entries.async_update_entry(home, options={"preset": preset, "automations": True})
    agent = await add_agent(hass, home, max_risk=max_risk)
    found = device(await doors.ask(agent.token, "list_devices", {}), entity_id)
    assert {name: shown["verdict"] for name, shown in found["operations"].items()} == operations


async def test_unavailable_device(hass: HomeAssistant, agent: AgentAccess, doors: Doors) -> None:
    """A device that cannot be reached is listed as such."""
    hass.states.async_set("light.bed_light", "unavailable")
    found = device(await doors.ask(agent.token, "list_devices", {}), "light.bed_light")
    assert found["available"] is False


@QUESTIONS
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        pytest.param({"enabled": False}, "AGENT_DISABLED", id="paused"),
        pytest.param({"expires_at": "2020-01-01T00:00:00+00:00"}, "AGENT_EXPIRED", id="expired"),
    ],
)
async def test_refused_agent(
    hass: HomeAssistant, home: MockConfigEntry, doors: Doors, action: str, changes: dict[str, Any], code: str
) -> None:
    """Who may not call gets to know nothing."""
    agent = await add_agent(hass, home, **changes)
    answer = await doors.ask(agent.token, action, {})
    assert (answer["outcome"], answer["code"], answer["gate"]) == ("blocked", code, "input_guard")
    assert "devices" not in answer


@QUESTIONS
async def test_refused_stranger(home: MockConfigEntry, hass_access_token: str, doors: Doors, action: str) -> None:
    """A client that nobody registered gets to know nothing."""
    assert (await doors.ask(hass_access_token, action, {}))["code"] == "AGENT_UNKNOWN"


async def test_own_trace(home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """A caller reads what became of its own request, gate by gate, without what the gates read."""
    done = await doors.ask(agent.token, "execute", OFF)
    trace = await doors.ask_websocket(agent.token, "get_trace", {"trace_id": done["trace_id"]})
    gates, received_at, request = trace.pop("gates"), trace.pop("received_at"), trace.pop("request")
    assert trace == done
    assert request == OFF
    assert received_at.endswith("+00:00")
    names = ["input_guard", "schema", "device_resolver", "capability", "freshness", "policy", "dry_run", "execution"]
    assert gates == [{"gate": name, "passed": True, "reason": None} for name in names]


async def test_refused_trace(home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """The trace of a refusal ends with the gate that refused."""
    refused = await doors.ask(agent.token, "execute", proposing("unlock", "Front Door"))
    trace = await doors.ask(agent.token, "get_trace", {"trace_id": refused["trace_id"]})
    assert trace["gates"][-1] == {"gate": "policy", "passed": False, "reason": "POLICY_DENIED"}


async def test_owner_reads_everything(home: MockConfigEntry, agent: AgentAccess, owner: str, doors: Doors) -> None:
    """The owner reads everybody's traces with the caller, the door and everything that the gates read."""
    done = await doors.ask(agent.token, "execute", OFF)
    trace = await doors.ask(owner, "get_trace", {"trace_id": done["trace_id"]})
    assert trace["outcome"] == "executed"
    assert [read[0] for read in trace["gates"][0]["reads"]] == [
        "lockdown",
        "standing",
        "usage",
        "flag_verdicts",
    ]
    assert {key for gate in trace["gates"] for key in gate} == {"gate", "passed", "reason", "evidence", "reads"}
    caller = {"kind": "agent", "id": agent.id, "name": "Hermes", "speaker": None, "area_id": None}
    caller |= {"speaker_name": "", "area_name": ""}
    assert trace["caller"] == caller
    assert (trace["door"], trace["request"], trace["notes"]) == ("edgehome.execute", OFF, [])


@pytest.mark.parametrize(
    "reader",
    [
        pytest.param({"name": "Apollo"}, id="another agent"),
        pytest.param({"name": "Hermes"}, id="another agent of the same name"),
    ],
)
@BOTH
async def test_trace_of_another(
    hass: HomeAssistant,
    home: MockConfigEntry,
    agent: AgentAccess,
    doors: Doors,
    reader: dict[str, str],
    action: str,
) -> None:
    """Another agent's trace is answered exactly like one that there is not."""
    done = await doors.ask(agent.token, "execute", OFF)
    other = await add_agent(hass, home, **reader)
    answer = await doors.ask(other.token, action, {"trace_id": done["trace_id"]})
    none = await doors.ask(other.token, action, {"trace_id": "01JDXW3Z5N8Q9K2M4P6R7S8T9V"})
    assert answer["code"] == none["code"] == "TRACE_NOT_FOUND"
    assert answer == none
    assert answer.keys() == {"outcome", "code", "message", "hint", "field"}
    assert answer["outcome"] == "blocked"


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        pytest.param({}, "SCHEMA", id="no id"),
        pytest.param({"trace_id": None}, "TRACE_NOT_FOUND", id="null"),
        pytest.param({"trace_id": 7}, "TRACE_NOT_FOUND", id="a number"),
        pytest.param({"trace_id": ["a"]}, "TRACE_NOT_FOUND", id="a list"),
        pytest.param({"trace_id": ""}, "TRACE_NOT_FOUND", id="blank"),
        pytest.param({"trace_id": "' OR 1=1 --"}, "TRACE_NOT_FOUND", id="SQL"),
    ],
)
@BOTH
async def test_no_such_trace(
    home: MockConfigEntry,
    agent: AgentAccess,
    owner: str,
    doors: Doors,
    action: str,
    payload: dict[str, object],
    code: str,
) -> None:
    """What is no id of a trace is answered plainly, the owner's question too."""
    await doors.ask(agent.token, "execute", OFF)
    answers = [await doors.ask(token, action, payload) for token in (agent.token, owner)]
    assert [(answer["outcome"], answer["code"], answer["field"]) for answer in answers] == [
        ("blocked", code, "trace_id")
    ] * 2


async def test_nothing_to_cancel(home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """What has come to its end cannot be taken back, and its trace stays as it is."""
    done = await doors.ask(agent.token, "execute", OFF)
    answer = await doors.ask(agent.token, "cancel", {"trace_id": done["trace_id"]})
    assert (answer["trace_id"], answer["cancelled"]) == (done["trace_id"], False)
    trace = await doors.ask(agent.token, "get_trace", {"trace_id": done["trace_id"]})
    assert (trace["outcome"], trace["code"]) == ("executed", "DONE")


async def test_automation_reads_its_own(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors
) -> None:
    """Automations may list and read their own traces, not an agent's."""
    done = await doors.ask(agent.token, "execute", OFF)

    async def ask(action: str, payload: dict[str, object]) -> Any:
        return await hass.services.async_call("edgehome", action, payload, blocking=True, return_response=True)

    own = await ask("execute", proposing("status", "Hvac"))
    assert ids(await ask("list_devices", {})) == sorted(EXPOSED)
    assert (await ask("get_trace", {"trace_id": own["trace_id"]}))["code"] == "STATUS"
    assert (await ask("get_trace", {"trace_id": done["trace_id"]}))["code"] == "TRACE_NOT_FOUND"
