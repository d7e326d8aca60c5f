"""Which automations listen to an entity, in a Home Assistant that runs them."""

from collections.abc import Mapping
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from custom_components.edgehome.devices import Deed
from custom_components.edgehome.home.makeup.listeners import Listeners

OPEN = {"action": "cover.open_cover", "target": {"entity_id": "cover.gate"}}
OPENED = Deed(entity_id="cover.gate", verbs=("open",))


def listeners(hass: HomeAssistant) -> Mapping[str, tuple[Deed, ...]]:
    """What follows a change of each entity."""
    found = Listeners(hass)
    everything = dict.fromkeys([*hass.states.async_entity_ids(), *er.async_get(hass).entities])
    return {one: deeds for one in everything if (deeds := found.of(one).deeds)}


async def listening(hass: HomeAssistant, *triggers: dict[str, Any], **more: object) -> Mapping[str, tuple[Deed, ...]]:
    """Who listens once an automation with these triggers is there."""
    for domain in ("homeassistant", "input_boolean", "timer"):
        assert await async_setup_component(hass, domain, {})
    automation = {"id": "a", "alias": "Trap", "triggers": list(triggers), "actions": [OPEN], **more}
    assert await async_setup_component(hass, "automation", {"automation": [automation]})
    await hass.async_block_till_done()
    for entity_id in ("switch.a", "light.b", "number.a", "timer.a"):
        if hass.states.get(entity_id) is None:
            hass.states.async_set(entity_id, "off")
    return listeners(hass)


@pytest.mark.parametrize(
    ("trigger", "heard"),
    [
        pytest.param({"trigger": "state", "entity_id": "switch.a"}, {"switch.a"}, id="state"),
        pytest.param({"trigger": "state", "entity_id": ["switch.a", "light.b"]}, {"switch.a", "light.b"}, id="states"),
        pytest.param({"trigger": "state", "entity_id": "switch.a", "to": "on", "for": 5}, {"switch.a"}, id="for a while"),
        pytest.param({"trigger": "numeric_state", "entity_id": "number.a", "above": 3}, {"number.a"}, id="number"),
        pytest.param({"trigger": "template", "value_template": "{{ is_state('switch.a', 'on') }}"}, {"switch.a"}, id="template"),
        pytest.param({"trigger": "template", "value_template": "{{ states('switch.a') }}"}, {"switch.a"}, id="states()"),
        pytest.param({"trigger": "template", "value_template": "{{ states.switch.a.state == 'on' }}"}, {"switch.a"}, id="states."),
        pytest.param({"trigger": "template", "value_template": "{{ state_attr('switch.a', 'x') }}"}, {"switch.a"}, id="attribute"),
        pytest.param({"trigger": "timer.finished", "target": {"entity_id": "timer.a"}}, {"timer.a"}, id="target"),
        pytest.param(
            {"trigger": "event", "event_type": "timer.finished", "event_data": {"entity_id": "timer.a"}}, {"timer.a"}, id="event"
        ),
        pytest.param(
            {"trigger": "event", "event_type": "state_changed", "event_data": {"entity_id": "switch.a"}}, {"switch.a"}, id="event of a state"
        ),
        pytest.param({"trigger": "event", "event_type": "x"}, set(), id="another event"),
    ],
)  # fmt: skip
async def test_heard(hass: HomeAssistant, trigger: dict[str, Any], heard: set[str]) -> None:
    """An entity that an automation listens to does what the automation does."""
    found = await listening(hass, trigger)
    assert {entity_id for entity_id in found if OPENED in found[entity_id]} >= heard
    if not heard:
        assert found == {}


async def test_places_and_groups(
    hass: HomeAssistant, area_registry: ar.AreaRegistry, entity_registry: er.EntityRegistry
) -> None:
    """A target's area and a group's members are listened to."""
    area = area_registry.async_create("Hall")
    made = entity_registry.async_get_or_create("timer", "test", "1", suggested_object_id="one")
    entity_registry.async_update_entity(made.entity_id, area_id=area.id)
    hass.states.async_set("group.several", "on", {"entity_id": ["switch.a"]})
    by_area = {"trigger": "timer.finished", "target": {"area_id": area.id}}
    found = await listening(hass, by_area, {"trigger": "state", "entity_id": "group.several"})
    assert {"timer.one", "switch.a"} <= found.keys()


async def test_by_the_registrys_id(hass: HomeAssistant, entity_registry: er.EntityRegistry) -> None:
    """A trigger may name the registry's own id."""
    made = entity_registry.async_get_or_create("switch", "test", "1", suggested_object_id="one")
    assert "switch.one" in await listening(hass, {"trigger": "state", "entity_id": made.id})


@pytest.mark.parametrize("actions", [[OPEN, OPEN], [{"if": [], "then": [OPEN]}]], ids=["twice", "within"])
async def test_deeds(hass: HomeAssistant, actions: list[dict[str, Any]]) -> None:
    """What it does is told once."""
    found = await listening(hass, {"trigger": "state", "entity_id": "switch.a"}, actions=actions)
    assert found == {"switch.a": (OPENED,)}


async def test_off(hass: HomeAssistant) -> None:
    """An automation that is off does nothing; switched on it does."""
    assert await listening(hass, {"trigger": "state", "entity_id": "switch.a"}, initial_state=False) == {}
    await hass.services.async_call("automation", "turn_on", {"entity_id": "automation.trap"}, blocking=True)
    assert listeners(hass) == {"switch.a": (OPENED,)}


async def test_broken(hass: HomeAssistant) -> None:
    """An automation that cannot be loaded does nothing."""
    assert await listening(hass, {"trigger": "nonsense"}) == {}


def test_without_automations(hass: HomeAssistant) -> None:
    """A home without any."""
    assert listeners(hass) == {}
