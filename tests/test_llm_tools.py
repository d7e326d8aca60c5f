"""The tools of a language model: what they are told as, and that they answer as every other door."""

from dataclasses import dataclass
from typing import Any

import probatio
import pytest
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import llm
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.catalogue.device_types import words
from custom_components.edgehome.devices import CustomOperation
from custom_components.edgehome.llm_tools import AgentTool, tools_of
from custom_components.edgehome.models import Intent, ModelCandidate, Params
from tests.real_home import AgentAccess, add_voice_device

NAMES = ("execute", "list_devices", "get_trace", "cancel", "undo")


def told(tool: AgentTool) -> dict[str, Any]:
    """A tool's arguments as a model is told them."""
    return probatio.to_openapi(tool.parameters, custom_serializer=llm.selector_serializer, openapi_version="3.1.0")


def voice(device_id: str | None = None) -> llm.LLMContext:
    """A conversation with nobody logged in."""
    return llm.LLMContext(
        platform="test", context=Context(), language="en", assistant="conversation", device_id=device_id
    )


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a model gets."""

    data: dict[str, Any]
    error: bool


async def call(
    hass: HomeAssistant, agent_id: str, name: str, args: dict[str, Any], device_id: str | None = None
) -> Result:
    """A model's call of a tool."""
    tool = next(one for one in tools_of(agent_id, ()) if one.name == f"edgehome__{name}")
    sent = llm.ToolInput(tool_name=tool.name, tool_args=args)
    result = await tool.async_call(hass, sent, voice(device_id))
    return Result(data=dict(result.data), error=result.error)


def test_names() -> None:
    """Five tools, with names that are no other integration's."""
    tools = tools_of("hermes", ())
    assert [tool.name for tool in tools] == [f"edgehome__{name}" for name in NAMES]
    assert all(tool.integration == "edgehome" and tool.title and tool.description for tool in tools)


@pytest.mark.parametrize(
    ("name", "read_only", "destructive"),
    [
        pytest.param("execute", False, True, id="execute"),
        pytest.param("list_devices", True, False, id="list_devices"),
        pytest.param("get_trace", True, False, id="get_trace"),
        pytest.param("cancel", False, False, id="cancel"),
        pytest.param("undo", False, True, id="undo"),
    ],
)
def test_annotations(name: str, read_only: bool, destructive: bool) -> None:
    """What a tool says of itself is true: filters of other integrations go by it."""
    (tool,) = (one for one in tools_of("hermes", ()) if one.name == f"edgehome__{name}")
    seen = tool.annotations
    assert (seen.read_only, seen.destructive, seen.open_world) == (read_only, destructive, False)


def test_execute_is_the_candidate() -> None:
    """What can be sent is what the chain takes: no field less, and none more than the envelope's."""
    properties = told(tools_of("hermes", ())[0])["properties"]
    assert properties.keys() == ModelCandidate.model_fields.keys() | {"reason", "dry_run", "wait"}
    assert properties["params"]["properties"].keys() == Params.model_fields.keys()
    assert properties["intent"]["enum"] == [intent.value for intent in Intent]
    assert properties["device_type"]["enum"] == list(words())
    assert properties["scope"]["enum"] == ["home"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param("brightness", {"type": "number"}, id="percent"),
        pytest.param("volume_step", {"type": "number"}, id="step"),
        pytest.param("mode", {"type": "string"}, id="word"),
        pytest.param(
            "color",
            {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "number"}}]},
            id="colour",
        ),
        pytest.param("unit", {"type": "string", "enum": ["°C", "°F"]}, id="unit"),
    ],
)
def test_values(name: str, kind: dict[str, Any]) -> None:
    """A model is told which values are numbers."""
    assert told(tools_of("hermes", ())[0])["properties"]["params"]["properties"][name] == kind


def test_a_value_of_any_kind() -> None:
    """The value of a helper may be a number, a word or a truth."""
    value = told(tools_of("hermes", ())[0])["properties"]["params"]["properties"]["value"]
    assert {kind["type"] for kind in value["anyOf"]} == {"number", "string", "boolean"}


def test_owners_operations() -> None:
    """An operation that the owner added is offered beside those of the catalogue."""
    custom = CustomOperation(name="clean_room", domain="vacuum", service="vacuum.clean_spot", effect="motion", risk=2)
    assert told(tools_of("hermes", (custom,))[0])["properties"]["intent"]["enum"][-1] == "clean_room"


async def test_execute(hass: HomeAssistant, agent: AgentAccess) -> None:
    """A wish goes through the chain, as this agent's."""
    done = await call(hass, agent.id, "execute", {"intent": "turn_off", "device_alias": "Kitchen Lights"})
    assert (done.data["outcome"], done.error) == ("executed", False)
    await hass.async_block_till_done()
    state = hass.states.get("light.kitchen_lights")
    assert state is not None
    assert state.state == "off"


@pytest.mark.parametrize(
    ("args", "code", "field"),
    [
        pytest.param({"device_alias": "Kitchen Lights"}, "SCHEMA", "intent", id="no intent"),
        pytest.param(
            {"intent": "turn_on", "device_alias": "Attic"}, "ENTITY_NOT_FOUND", "device_alias", id="no device"
        ),
        pytest.param(
            {"intent": "turn_on", "room": "Attic", "device_type": "light"}, "AREA_NOT_FOUND", "room", id="room"
        ),
        pytest.param(
            {"intent": "set_brightness", "device_alias": "Bed Light", "params": {"brightness": "30"}},
            "SCHEMA",
            "params.brightness",
            id="a number as text",
        ),
        pytest.param({"intent": "turn_on", "device": "x", "zone": 1}, "SCHEMA", "zone", id="unknown field"),
    ],
)
async def test_refusals(hass: HomeAssistant, agent: AgentAccess, args: dict[str, Any], code: str, field: str) -> None:
    """What is wrong is an error with its code, its hint, and the field as the model knows it."""
    refused = await call(hass, agent.id, "execute", args)
    assert refused.error
    assert (refused.data["code"], refused.data["field"]) == (code, field)
    assert refused.data["hint"]


async def test_room_of_the_voice_device(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess) -> None:
    """A type without a room means the room that is spoken in; without a voice device it is refused, and never wider."""
    wish = {"intent": "turn_off", "device_type": "light"}
    nowhere = await call(hass, agent.id, "execute", wish)
    assert nowhere.data["code"] == "AMBIGUOUS_TARGET"
    here = await call(hass, agent.id, "execute", wish, add_voice_device(hass, home, "Kitchen"))
    assert here.data["outcome"] == "executed"
    assert [action["entity_id"] for action in here.data["plan"]["actions"]] == ["light.kitchen_lights"]


async def test_room_outside_the_scope(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess) -> None:
    """The voice device's room does not widen an agent's scope."""
    bedroom = ar.async_get(hass).async_get_area_by_name("Bedroom")
    assert bedroom is not None
    (subentry,) = (one for one in home.subentries.values() if one.subentry_id == agent.id)
    hass.config_entries.async_update_subentry(home, subentry, data={**subentry.data, "areas": [bedroom.id]})
    await hass.async_block_till_done()
    kitchen = add_voice_device(hass, home, "Kitchen")
    done = await call(hass, agent.id, "execute", {"intent": "turn_off", "device_type": "light"}, kitchen)
    assert (done.data["code"], done.data["plan"]) == ("OUT_OF_SCOPE", None)


async def test_questions(hass: HomeAssistant, agent: AgentAccess) -> None:
    """The list, a trace and undo are this agent's, through this door as through any other."""
    listed = await call(hass, agent.id, "list_devices", {"room": "Bedroom"})
    assert [device["name"] for device in listed.data["devices"]] == ["Bed Light"]
    done = await call(hass, agent.id, "execute", {"intent": "turn_on", "device_alias": "Bed Light"})
    await hass.async_block_till_done()
    trace = await call(hass, agent.id, "get_trace", {"trace_id": done.data["trace_id"]})
    assert trace.data["outcome"] == "executed"
    undone = await call(hass, agent.id, "undo", {})
    assert (undone.data["undoes"], undone.data["outcome"]) == (done.data["trace_id"], "executed")
    again = await call(hass, agent.id, "undo", {})
    assert again.data["code"] == "NOTHING_TO_UNDO"
    late = await call(hass, agent.id, "cancel", {"trace_id": done.data["trace_id"]})
    assert late.data["cancelled"] is False
    strange = await call(hass, agent.id, "get_trace", {"trace_id": "01M8"})
    assert (strange.data["code"], strange.error) == ("TRACE_NOT_FOUND", True)


@pytest.mark.parametrize("args", [None, [1], "x", 5, [], True], ids=str)
@pytest.mark.parametrize("name", NAMES)
async def test_no_arguments(hass: HomeAssistant, agent: AgentAccess, name: str, args: Any) -> None:
    """Arguments that are no object are refused as everything else that is wrong."""
    refused = await call(hass, agent.id, name, args)
    assert (refused.data["code"], refused.error) == ("SCHEMA", True)


@pytest.mark.parametrize(
    "args", [{1: 2}, {"trace_id": []}, {"request_id": "a", "trace_id": []}, {"request_id": "b"}, {None: None}], ids=str
)
async def test_odd_arguments_of_undo(hass: HomeAssistant, agent: AgentAccess, args: dict[Any, Any]) -> None:
    """Odd names and values are refused, and ids of requests: several people speak through one model."""
    refused = await call(hass, agent.id, "undo", args)
    assert (refused.data["outcome"], refused.error) == ("blocked", True)


@pytest.mark.parametrize(("enabled", "outcome"), [(True, "executed"), (False, "blocked")])
async def test_an_automation_speaks(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, enabled: bool, outcome: str
) -> None:
    """Where nobody speaks and nothing listens it is an automation: off until the owner lets them act, then this agent."""
    hass.config_entries.async_update_entry(home, options={**home.options, "automations": enabled})
    await hass.async_block_till_done()
    done = await call(hass, agent.id, "execute", {"intent": "turn_off", "device_alias": "Kitchen Lights"}, None)
    assert done.data["outcome"] == outcome
    assert enabled or done.data["code"] == "AUTOMATION_OFF"


async def test_an_agent_that_is_gone(hass: HomeAssistant, agent: AgentAccess) -> None:
    """A conversation that outlives its agent does nothing any more."""
    refused = await call(hass, "gone", "execute", {"intent": "turn_on", "device_alias": "Bed Light"})
    assert refused.data["code"] == "AGENT_UNKNOWN"


async def test_not_loaded(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess) -> None:
    """While EdgeHome is not loaded a tool is an error, as Home Assistant tells a model errors."""
    await hass.config_entries.async_unload(home.entry_id)
    with pytest.raises(ServiceValidationError):
        await call(hass, agent.id, "execute", {"intent": "turn_on", "device_alias": "Bed Light"})


async def test_speaker_is_kept(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess) -> None:
    """The evidence says through which door, and in which room, it was asked."""
    kitchen = add_voice_device(hass, home, "Kitchen")
    done = await call(hass, agent.id, "execute", {"intent": "status", "device_alias": "Kitchen Lights"}, kitchen)
    trace = await home.runtime_data.evidence.trace(done.data["trace_id"])
    assert trace.about["door"] == "llm.execute"
    assert trace.about["principal"] == {
        "kind": "agent",
        "id": agent.id,
        "name": "Hermes",
        "speaker": None,
        "speaker_name": "",
        "area_id": "kitchen",
        "area_name": "Kitchen",
    }
