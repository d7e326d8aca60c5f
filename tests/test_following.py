"""What EdgeHome follows while it is loaded: the owner's options and words, the exposed list, and the end."""

from types import MappingProxyType
from typing import Any
from unittest.mock import patch

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import EVENT_COMPONENT_LOADED
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import issue_registry as ir
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.const import DOMAIN
from custom_components.edgehome.home.exposure import ASSISTANT
from custom_components.edgehome.home.owners_words import key_of
from custom_components.edgehome.repairs import LOOK_THROUGH
from tests.real_home import add_agent, add_user

LAMP = "light.kitchen_lights"


def change(hass: HomeAssistant, entry: MockConfigEntry, **options: Any) -> None:
    """The owner changes options."""
    hass.config_entries.async_update_entry(entry, options={**entry.options, **options})


async def test_options(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """New options are in force at once, in the house and in the questions, and the policy is kept with the evidence."""
    change(hass, home, preset="balanced", approvals={"seconds": 20})
    await hass.async_block_till_done()
    data = home.runtime_data
    assert data.house.policy().name == "balanced"
    assert data.questions.settings is data.house.settings
    assert data.house.settings.seconds == 20


async def test_unreadable_policy(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A policy that cannot be read denies everything at once (R2)."""
    change(hass, home, preset="lenient")
    await hass.async_block_till_done()
    assert home.runtime_data.house.policy().name == "unreadable"
    assert home.runtime_data.book.problem == "there is no preset 'lenient'"


async def test_words_are_names(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """The owner's names for things find them at once, and not any more when they are taken back."""
    data = {"entity": key_of(hass, LAMP), "aliases": ["Big Thing"], "operations": []}
    subentry = ConfigSubentry(data=MappingProxyType(data), subentry_type="entity", title="Lamp", unique_id=None)
    hass.config_entries.async_add_subentry(home, subentry)
    await hass.async_block_till_done()
    assert home.runtime_data.names.find("big thing") == (LAMP,)
    hass.config_entries.async_remove_subentry(home, subentry.subentry_id)
    await hass.async_block_till_done()
    assert home.runtime_data.names.find("big thing") == ()


async def test_agents_that_are_gone(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """The user of an agent that the owner removes is removed."""
    access = await add_agent(hass, home)
    assert await hass.auth.async_get_user(access.user_id) is not None
    hass.config_entries.async_remove_subentry(home, access.id)
    await hass.async_block_till_done()
    assert await hass.auth.async_get_user(access.user_id) is None


@pytest.mark.parametrize("exposed", [True, False])
async def test_exposed_list(hass: HomeAssistant, home: MockConfigEntry, exposed: bool) -> None:
    """Whatever changes in Assist's list ends the grants, and the list to look through follows."""
    cover = "cover.hall_window"
    async_expose_entity(hass, ASSISTANT, cover, should_expose=not exposed)
    await hass.async_block_till_done()
    before = _count(hass)
    with patch.object(home.runtime_data.questions.grants, "end_all") as end_all:
        async_expose_entity(hass, ASSISTANT, cover, should_expose=exposed)
        await hass.async_block_till_done()
    end_all.assert_called_once_with("what agents may name has changed")
    assert _count(hass) - before == (1 if exposed else -1)


def _count(hass: HomeAssistant) -> int:
    issue = ir.async_get(hass).async_get_issue(DOMAIN, LOOK_THROUGH)
    return int((issue.translation_placeholders or {})["count"]) if issue else 0


async def test_lockdown(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """The lockdown is in force at once, ends the grants, and is over at once."""
    data, ada = home.runtime_data, Context(user_id=(await add_user(hass, "Ada")).id)
    target = {"entity_id": "switch.edgehome_lockdown"}
    with patch.object(data.questions.grants, "end_all") as end_all:
        await hass.services.async_call("switch", "turn_on", target, blocking=True, context=ada)
        assert data.house.lockdown()
        await hass.services.async_call("switch", "turn_off", target, blocking=True, context=ada)
        assert not data.house.lockdown()
    assert end_all.call_count == 2


async def test_integrations_that_come_later(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """What the actions of a later integration ask for is read before anybody may call them."""
    with patch("custom_components.edgehome.following.async_get_all_descriptions") as describe:
        hass.bus.async_fire(EVENT_COMPONENT_LOADED, {"component": "valve"})
        await hass.async_block_till_done()
    describe.assert_awaited_once_with(hass)


async def test_nothing_is_followed_any_more(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """After the end of the entry nothing of it listens."""
    names, makeups = home.runtime_data.names, home.runtime_data.makeups
    assert await hass.config_entries.async_unload(home.entry_id)
    revision = makeups.revision
    hass.states.async_set("light.later", "on", {"friendly_name": "Later"})
    async_expose_entity(hass, ASSISTANT, "cover.hall_window", should_expose=True)
    change(hass, home, preset="balanced")
    await hass.async_block_till_done()
    assert names.find("later") == ()
    assert makeups.revision == revision
