"""Taking back what was done to very many devices: all of them come back, in one request."""

from typing import Any, override

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.light import LightEntity
from homeassistant.components.light.const import DATA_COMPONENT, ColorMode
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er

from custom_components.edgehome.home.exposure import ASSISTANT
from tests.real_home import AgentAccess, Doors

MANY = 260


class Lamp(LightEntity):
    """A lamp with five channels, lit in a colour of its own."""

    _attr_should_poll = False
    _attr_color_mode = ColorMode.RGBWW
    _attr_is_on = True

    def __init__(self, number: int) -> None:
        self._attr_unique_id, self._attr_name = f"many_{number}", f"Many {number}"
        self._attr_supported_color_modes = {ColorMode.RGBWW}
        self._attr_brightness, self._attr_rgbww_color = 10 + number % 200, (number % 256, 20, 30, 40, 50)

    @override
    async def async_turn_on(self, **sent: Any) -> None:
        self._attr_is_on = True
        self._attr_brightness = sent.get("brightness", self._attr_brightness)
        self._attr_rgbww_color = sent.get("rgbww_color", self._attr_rgbww_color)
        self.async_write_ha_state()

    @override
    async def async_turn_off(self, **_: Any) -> None:
        self._attr_is_on = False
        self._attr_brightness = 1
        self.async_write_ha_state()


@pytest.fixture
async def hall(hass: HomeAssistant, agent: AgentAccess) -> list[str]:
    """A hall with very many lamps."""
    await hass.data[DATA_COMPONENT].async_add_entities([Lamp(number) for number in range(MANY)])
    area = ar.async_get(hass).async_get_or_create("Great Hall")
    ids = [entity_id for entity_id in hass.states.async_entity_ids("light") if entity_id.startswith("light.many_")]
    for entity_id in ids:
        er.async_get(hass).async_update_entity(entity_id, name=entity_id, area_id=area.id)
        async_expose_entity(hass, ASSISTANT, entity_id, should_expose=True)
    await hass.async_block_till_done()
    return ids


async def test_a_great_hall(hass: HomeAssistant, hall: list[str], agent: AgentAccess, doors: Doors) -> None:
    """Every lamp is as it was; nothing of it is too much for the gates, and none is lost in what was written."""
    assert len(hall) == MANY
    before = {entity_id: hass.states.get(entity_id) for entity_id in hall}
    wish = {"intent": "turn_off", "room": "Great Hall", "device_type": "light"}
    sent = await doors.ask(agent.token, "execute", {"model_candidate": wish})
    assert sent["outcome"] == "executed", sent["message"]
    await hass.async_block_till_done()
    assert {state.state for entity_id in hall if (state := hass.states.get(entity_id))} == {"off"}
    answer = await doors.ask(agent.token, "undo", {})
    assert (answer["outcome"], answer["left_out"]) == ("executed", []), answer["message"]
    await hass.async_block_till_done()
    for entity_id, was in before.items():
        now = hass.states.get(entity_id)
        assert was is not None
        assert now is not None
        assert (now.state, now.attributes["rgbww_color"]) == (was.state, was.attributes["rgbww_color"])
        assert abs(now.attributes["brightness"] - was.attributes["brightness"]) <= 1


async def test_an_agents_own_list_is_bounded(agent: AgentAccess, doors: Doors) -> None:
    """What an agent sends itself may not be as long, whatever it says that it takes back."""
    commands = [{"intent": "turn_on", "device_alias": f"light.many_{number}"} for number in range(MANY)]
    answer = await doors.ask(agent.token, "execute", {"commands": commands, "undoes": "01M8"})
    assert (answer["outcome"], answer["field"]) == ("blocked", "commands")
