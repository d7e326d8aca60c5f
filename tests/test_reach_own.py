"""EdgeHome's own switch is reached by no way around (R4)."""

from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.home.exposure import ASSISTANT
from tests.real_home import AgentAccess, Doors, proposing

LOCKDOWN = "switch.edgehome_lockdown"


@pytest.mark.parametrize(("intent", "device"), [("turn_on", "group.own"), ("run", "script.own")])
async def test_own_switch(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors, intent: str, device: str
) -> None:
    """Neither a group nor a script lets an agent switch the lockdown unasked."""
    step: dict[str, Any] = {"action": "switch.turn_on", "target": {"entity_id": LOCKDOWN}}
    await hass.services.async_call("group", "set", {"object_id": "own", "entities": [LOCKDOWN]}, blocking=True)
    assert await async_setup_component(hass, "script", {"script": {"own": {"sequence": [step]}}})
    await hass.async_block_till_done()
    async_expose_entity(hass, ASSISTANT, device, should_expose=True)
    answer = await doors.ask(agent.token, "execute", proposing(intent, device))
    await hass.async_block_till_done()
    assert answer["outcome"] == "blocked"
    assert not home.runtime_data.house.lockdown()


async def test_empty_group(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """A group of nothing is not done; it does not count as done either."""
    await hass.services.async_call("group", "set", {"object_id": "void", "entities": ["light.nowhere"]}, blocking=True)
    async_expose_entity(hass, ASSISTANT, "group.void", should_expose=True)
    answer = await doors.ask(agent.token, "execute", proposing("turn_on", "group.void"))
    assert answer["outcome"] == "blocked"
