"""An operation that the owner adds, on a running Home Assistant: from his form to the device, through every door."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
import voluptuous as vol
from homeassistant.components.demo.media_player import DemoYoutubePlayer
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import EVENT_CALL_SERVICE, Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.service import async_get_all_descriptions, async_set_service_schema
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_capture_events

from custom_components.edgehome.home.records import ASSISTANT
from tests.home.test_operation_flow import add
from tests.real_home import AgentAccess, Doors, add_agent, furnish, proposing

ROBOT, PLAYER, MUSIC = "vacuum.demo_vacuum_0_ground_floor", "media_player.bedroom", "media_player.walkman"
SPOT = {"verb": "clean_spot", "domain": "vacuum", "risk": 2}
SEEK = {"verb": "seek", "domain": "media_player", "risk": 1, "effect": "adjust", "fields": ["seek_position"]}


@pytest.fixture
def fast_demo() -> Iterator[None]:
    """The demo integration with players and robots only."""
    platforms = [Platform.MEDIA_PLAYER, Platform.VACUUM]
    with patch("homeassistant.components.demo.COMPONENTS_WITH_CONFIG_ENTRY_DEMO_PLATFORM", platforms):
        yield


@pytest.fixture
async def home(hass: HomeAssistant, entry: MockConfigEntry, fast_demo: None) -> MockConfigEntry:
    """EdgeHome with two operations that the owner added, and devices for them."""
    await furnish(hass, {})
    for entity_id in (ROBOT, PLAYER, MUSIC):
        async_expose_entity(hass, ASSISTANT, entity_id, True)  # noqa: FBT003  # Home Assistant's signature
    await async_get_all_descriptions(hass)
    await add(hass, entry, "vacuum.clean_spot", **SPOT)
    await add(hass, entry, "media_player.media_seek", **SEEK)
    return entry


async def test_without_values(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """It is done, on the one device, and recorded like any other."""
    calls = async_capture_events(hass, EVENT_CALL_SERVICE)
    answer = await doors.ask(agent.token, "execute", proposing("clean_spot", ROBOT))
    assert (answer["outcome"], answer["code"]) == ("executed", "DONE"), answer
    (done,) = [event.data for event in calls if event.data["domain"] == "vacuum"]
    assert (done["service"], done["service_data"]) == ("clean_spot", {"entity_id": [ROBOT]})
    assert hass.states.is_state(ROBOT, "cleaning")
    trace = await doors.ask(agent.token, "get_trace", {"trace_id": answer["trace_id"]})
    assert "clean_spot" in str(trace)


async def test_with_a_value(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """Its value reaches the device as it was sent, over the websocket too."""
    with patch.object(DemoYoutubePlayer, "media_seek", create=True) as seek:
        answer = await doors.ask_websocket(agent.token, "execute", proposing("seek", PLAYER, seek_position=12.5))
    assert (answer["outcome"], answer["result"]["actions"][0]["done"]) == ("executed", True), answer
    seek.assert_called_once_with(12.5)


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        pytest.param(proposing("seek", PLAYER), "MISSING_FIELD", id="without its value"),
        pytest.param(proposing("seek", PLAYER, seek_position=-1), "OUT_OF_RANGE", id="below the selector's range"),
        pytest.param(proposing("seek", PLAYER, seek_position="1"), "INVALID_OPTION", id="text for a number"),
        pytest.param(proposing("seek", PLAYER, seek_position=1, volume=5), "UNSUPPORTED_FIELD", id="another value"),
        pytest.param(proposing("seek", MUSIC, seek_position=1), "UNSUPPORTED_OPERATION", id="a player that cannot"),
        pytest.param(proposing("seek", ROBOT, seek_position=1), "UNSUPPORTED_OPERATION", id="another domain"),
        pytest.param(proposing("clean_spot", ROBOT, x=1), "UNSUPPORTED_FIELD", id="a value for what takes none"),
        pytest.param(proposing("clear_playlist", MUSIC), "SCHEMA", id="what nobody added"),
    ],
)
async def test_refused(
    hass: HomeAssistant, agent: AgentAccess, doors: Doors, payload: dict[str, Any], code: str
) -> None:
    """What Home Assistant asks of the action's entities and values is asked, and nothing is called."""
    calls = async_capture_events(hass, EVENT_CALL_SERVICE)
    answer = await doors.ask(agent.token, "execute", payload)
    assert (answer["outcome"], answer["code"]) == ("blocked", code), answer
    assert answer["hint"]
    assert [event.data["service"] for event in calls if event.data["domain"] != "edgehome"] == []


async def test_listed(home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """``list_devices`` shows it where it can be done."""
    answer = await doors.ask(agent.token, "list_devices", {})
    operations = {device["entity_id"]: device["operations"] for device in answer["devices"]}
    assert operations[ROBOT]["clean_spot"] == {"verdict": "allow"}
    most = 2**63
    seek = {"verdict": "allow", "params": {"seek_position": {"values": "number", "min": 0, "max": most}}}
    assert operations[PLAYER]["seek"] == seek
    assert "seek" not in operations[MUSIC] | operations[ROBOT]


async def test_gone(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """What the owner takes back is a word that nobody knows."""
    for subentry in list(home.get_subentries_of_type("operation")):
        hass.config_entries.async_remove_subentry(home, subentry.subentry_id)
    await hass.async_block_till_done()
    answer = await doors.ask(agent.token, "execute", proposing("clean_spot", ROBOT))
    assert (answer["code"], answer["field"]) == ("SCHEMA", "model_candidate.intent")


async def test_it_must_be_asked_for(hass: HomeAssistant, home: MockConfigEntry, doors: Doors) -> None:
    """With a high risk it is asked about, and above the agent's risk refused."""
    subentry = next(item for item in home.get_subentries_of_type("operation") if item.title == "clean_spot")
    hass.config_entries.async_update_subentry(home, subentry, data={**subentry.data, "risk": 4})
    await hass.async_block_till_done()
    for max_risk, code in ((5, "NO_APPROVER"), (3, "RISK_TOO_HIGH")):
        agent = await add_agent(hass, home, f"Agent {max_risk}", max_risk=max_risk)
        answer = await doors.ask(agent.token, "execute", proposing("clean_spot", ROBOT))
        assert (answer["outcome"], answer["code"]) == ("blocked", code)


async def test_a_reload_keeps_it(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """After a start it is as before."""
    before = home.runtime_data.house.custom_operations()
    assert await hass.config_entries.async_reload(home.entry_id)
    await hass.async_block_till_done()
    assert home.runtime_data.house.custom_operations() == before
    assert [custom.name for custom in before] == ["clean_spot", "seek"]


async def test_a_whole_number(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """What Home Assistant would round to fit is refused (R6): the selector says how fine the number is."""
    got: list[object] = []
    schema = cv.make_entity_service_schema({vol.Required("count"): vol.Coerce(int)})
    hass.services.async_register("vacuum", "wipe", lambda call: got.append(call.data["count"]), schema=schema)
    described = {"fields": {"count": {"required": True, "selector": {"number": {"min": 0, "max": 9, "step": 1}}}}}
    async_set_service_schema(hass, "vacuum", "wipe", {"description": "x", **described})
    await add(hass, home, "vacuum.wipe", verb="wipe", domain="vacuum", risk=1, fields=["count"])
    answer = await doors.ask(agent.token, "execute", proposing("wipe", ROBOT, count=1.7))
    assert (answer["code"], got) == ("OUT_OF_RANGE", [])
