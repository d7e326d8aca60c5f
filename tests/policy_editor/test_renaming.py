"""Renaming what a rule is about does not get it out of the rule: entities are kept by the registry's own ids."""

from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.lock import LockEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity_component import DATA_INSTANCES
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.home.exposure import ASSISTANT
from tests.policy_editor.forms import Row, edit, opened, put_in_force, rows_of, rules_in_force, save, sent
from tests.real_home import AgentAccess, Doors, add_agent, proposing

LIGHT, GARAGE, LOCK = "light.kitchen_lights", "cover.garage_door", "lock.vault"
DENY_LIGHT: Row = {"id": "not_this", "verdict": "deny", "entities": [LIGHT]}
ALL: Row = {"id": "all", "verdict": "allow"}


async def rename(hass: HomeAssistant, entity_id: str, new: str, **more: Any) -> None:
    """The owner calls an entity otherwise."""
    er.async_get(hass).async_update_entity(entity_id, new_entity_id=new, **more)
    await hass.async_block_till_done()


class Vault(LockEntity):
    """A lock that the registry knows; the demo's have no ids."""

    _attr_name = "Vault"
    _attr_unique_id = "vault"
    _attr_is_locked = True
    _attr_should_poll = False


@pytest.fixture
async def vault(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """The lock, exposed."""
    await hass.data[DATA_INSTANCES]["lock"].async_add_entities([Vault()])
    async_expose_entity(hass, ASSISTANT, LOCK, should_expose=True)
    await hass.async_block_till_done()


@pytest.mark.parametrize(
    ("old", "new", "payload"),
    [
        pytest.param(LIGHT, "light.other", proposing("turn_off", "Kitchen Lights"), id="a light"),
        pytest.param(LIGHT, "light.other", proposing("turn_off", "light.other"), id="a light by its new id"),
        pytest.param(GARAGE, "cover.shed", proposing("close", "Garage Door"), id="a garage"),
    ],
)
@pytest.mark.parametrize("way", ["rows", "text"])
async def test_renamed(
    hass: HomeAssistant,
    home: MockConfigEntry,
    agent: AgentAccess,
    doors: Doors,
    old: str,
    new: str,
    payload: dict[str, Any],
    way: str,
) -> None:
    """A rule still decides about an entity that was renamed, however the rule was written."""
    rule: Row = {"id": "not_this", "verdict": "deny", "entities": [old]}
    if way == "rows":
        await save(hass, await edit(hass, home, [rule, ALL]))
    else:
        await put_in_force(hass, home, rule, ALL)
    await rename(hass, old, new)
    answer = await doors.ask(agent.token, "execute", payload)
    assert answer["code"] == "POLICY_DENIED"
    assert "'not_this'" in answer["message"]


@pytest.mark.usefixtures("vault")
async def test_renamed_lock(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """A lock is not unlocked under another name."""
    await put_in_force(hass, home, {"id": "not_this", "verdict": "deny", "entities": [LOCK]}, ALL)
    await rename(hass, LOCK, "lock.shed")
    for name in ("Vault", "lock.shed"):
        answer = await doors.ask(agent.token, "execute", proposing("unlock", name))
        assert answer["code"] == "POLICY_DENIED"
        assert "'not_this'" in answer["message"]


async def test_another_takes_the_name(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors
) -> None:
    """A rule about an entity is not about another one that gets its entity id."""
    await put_in_force(hass, home, DENY_LIGHT, ALL)
    await rename(hass, LIGHT, "light.other")
    await rename(hass, "light.ceiling_lights", LIGHT)
    assert (await doors.ask(agent.token, "execute", proposing("turn_off", "Ceiling Lights")))["code"] == "DONE"
    answer = await doors.ask(agent.token, "execute", proposing("turn_off", "Kitchen Lights"))
    assert answer["code"] == "POLICY_DENIED"


async def test_shown_by_its_new_name(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """The form shows what an entity is called now, and saving it so changes nothing."""
    await put_in_force(hass, home, {**DENY_LIGHT, "name": "Not this"}, {**ALL, "name": "All"})
    before = home.runtime_data.house.policy()
    await rename(hass, LIGHT, "light.other")
    rows = rows_of(await opened(hass, home, "rules"))
    assert (rows[0]["entities"], rows[0]["summary"]) == (["light.other"], "Deny · light.other")
    await save(hass, await edit(hass, home, rows))
    assert home.runtime_data.house.policy() == before


async def test_an_entity_that_is_gone(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors
) -> None:
    """A rule about an entity that was removed stays as it is; the next review tells of it."""
    await put_in_force(hass, home, {**DENY_LIGHT, "name": "Not this"}, {**ALL, "name": "All"})
    before = rules_in_force(home)
    er.async_get(hass).async_remove(LIGHT)
    await hass.async_block_till_done()
    rows = rows_of(await opened(hass, home, "rules"))
    assert rows[0]["entities"] == before[0]["entities"]
    review = await edit(hass, home, rows)
    assert (
        f"names what is not there: entities: {rows[0]['entities'][0]}" in review["description_placeholders"]["review"]
    )
    await save(hass, review)
    assert rules_in_force(home) == before


async def test_an_entity_that_the_registry_does_not_know(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors
) -> None:
    """What has no id in the registry is kept by its entity id, and the rule decides about it."""
    hass.states.async_set("light.made", "on", {"friendly_name": "Made", "supported_color_modes": ["onoff"]})
    async_expose_entity(hass, ASSISTANT, "light.made", should_expose=True)
    await hass.async_block_till_done()
    await put_in_force(hass, home, {"id": "not_this", "verdict": "deny", "entities": ["light.made"]}, ALL)
    assert rules_in_force(home)[0]["entities"] == ["light.made"]
    assert (await doors.ask(agent.token, "execute", proposing("status", "Made")))["code"] == "POLICY_DENIED"
    assert (await doors.ask(agent.token, "execute", proposing("status", "Front Door")))["code"] == "STATUS"


@pytest.mark.parametrize("way", ["rows", "version"])
async def test_found_rooms(hass: HomeAssistant, home: MockConfigEntry, way: str) -> None:
    """A rule about a room stays with it when the room is renamed and another one gets its name."""
    areas = ar.async_get(hass)
    await put_in_force(hass, home, {"id": "a", "name": "A", "verdict": "deny", "areas": ["kitchen"]})
    before = home.runtime_data.house.policy()
    areas.async_update("kitchen", name="Pantry")
    assert areas.async_create("Kitchen").id != "kitchen"
    if way == "rows":
        await save(hass, await edit(hass, home, rows_of(await opened(hass, home, "rules"))))
    else:
        await save(hass, await sent(hass, await opened(hass, home, "preset"), {"preset": "strict"}))
        await save(hass, await sent(hass, await opened(hass, home, "versions"), {"version": "2"}))
    assert home.runtime_data.house.policy() == before


async def test_found_automations(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A rule about automations is not about an agent that is called so."""
    await add_agent(hass, home, "Automation")
    await save(hass, await edit(hass, home, [{"id": "a", "verdict": "deny", "agents": ["automation"]}]))
    assert rules_in_force(home)[0]["agents"] == ["automation"]
