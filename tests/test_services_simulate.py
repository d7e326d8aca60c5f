"""``edgehome.simulate`` over Home Assistant's real doors."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.real_home import AgentAccess, Doors, owner_token, proposing

GARAGE = proposing("open", "Garage Door")


async def test_for_an_agent(hass: HomeAssistant, agent: AgentAccess, doors: Doors, home: MockConfigEntry) -> None:
    """The owner sees what an agent would get; nothing is done, and no trace is kept."""
    owner = await owner_token(hass)
    before = {state.entity_id: state.state for state in hass.states.async_all()}
    told = await doors.ask(owner, "simulate", {"agent": "hermes", **proposing("turn_off", "Kitchen Lights")})
    assert told["would"] == "execute"
    assert told["plan"]["actions"][0]["service"] == "light.turn_off"
    told = await doors.ask(owner, "simulate", {"agent": "Hermes", **GARAGE})
    assert (told["would"], told["code"]) == ("refuse", "NO_APPROVER")
    states = {"cover.garage_door": {"state": "open"}}
    told = await doors.ask(owner, "simulate", {"agent": "Hermes", "states": states, **GARAGE})
    assert told["would"] == "no_change"
    assert {state.entity_id: state.state for state in hass.states.async_all()} == before
    assert await home.runtime_data.evidence.latest(agent.id, 5) == ()


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        pytest.param({"agent": "Nobody"}, "AGENT_UNKNOWN", id="no such agent"),
        pytest.param({"agent": 5}, "AGENT_UNKNOWN", id="no name"),
        pytest.param({"states": []}, "SCHEMA", id="no states"),
        pytest.param({"states": {"light.a": "on"}}, "SCHEMA", id="no state"),
        pytest.param({"nothing": 1}, "SCHEMA", id="no proposal"),
    ],
)
async def test_refused(
    hass: HomeAssistant, home: MockConfigEntry, doors: Doors, payload: dict[str, Any], code: str
) -> None:
    """What is wrong is said with its field."""
    told = await doors.ask(await owner_token(hass), "simulate", payload)
    assert told["code"] == code
    assert told["hint"]


async def test_for_the_owner_only(agent: AgentAccess, doors: Doors) -> None:
    """An agent does not get to know the rules, not even its own."""
    told = await doors.ask(agent.token, "simulate", GARAGE)
    assert (told["code"], "actions" in told) == ("OWNER_ONLY", False)
