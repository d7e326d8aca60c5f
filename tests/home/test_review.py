"""What the owner should look through once."""

from types import MappingProxyType
from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.home.exposure import ASSISTANT
from custom_components.edgehome.home.owners_words import key_of
from custom_components.edgehome.home.review import Review, loaded_parts, review, unread_of
from custom_components.edgehome.home.vetting import config_hash

SCRIPTS = {
    "odd": {"sequence": [{"event": "x"}]},
    "plain": {"sequence": [{"action": "light.turn_on", "target": {"entity_id": "light.bed_light"}}]},
}


async def with_scripts(hass: HomeAssistant) -> None:
    """A script that can be read, and one that cannot, both exposed."""
    assert await async_setup_component(hass, "script", {"script": SCRIPTS})
    await hass.async_block_till_done()
    for name in SCRIPTS:
        async_expose_entity(hass, ASSISTANT, f"script.{name}", should_expose=True)


async def say(hass: HomeAssistant, entry: MockConfigEntry, entity_id: str, **words: Any) -> None:
    """The owner says something about an entity."""
    data = {"entity": key_of(hass, entity_id), "aliases": [], "operations": [], **words}
    subentry = ConfigSubentry(data=MappingProxyType(data), subentry_type="entity", title=entity_id, unique_id=None)
    hass.config_entries.async_add_subentry(entry, subentry)
    await hass.async_block_till_done()


async def test_what_is_listed(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Switches and covers that could be anything, and what cannot be read; nothing that agents may not name."""
    await with_scripts(hass)
    covers = ("cover.kitchen_window", "cover.living_room_window")
    assert review(home.runtime_data.house) == Review(
        untyped=(*covers, "switch.decorative_lights"), opaque=("script.odd",)
    )


@pytest.mark.parametrize("entity_id", ["switch.decorative_lights", "script.odd"])
async def test_what_the_owner_spoke_about_is_not(hass: HomeAssistant, home: MockConfigEntry, entity_id: str) -> None:
    """Any word of the owner's takes a thing off the list."""
    await with_scripts(hass)
    await say(hass, home, entity_id)
    found = review(home.runtime_data.house)
    assert entity_id not in {*found.untyped, *found.opaque}


async def test_vetted(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """What is vetted is known, and can still be told as what cannot be read."""
    await with_scripts(hass)
    await say(hass, home, "script.odd", vetted=config_hash(home.runtime_data.makeups, "script.odd"))
    assert review(home.runtime_data.house).opaque == ()
    assert unread_of(home.runtime_data.house, "script.odd") == ("the event x, whoever listens",)


@pytest.mark.parametrize("entity_id", ["script.plain", "light.bed_light", "sensor.outside_temperature", "nonsense"])
async def test_nothing_unread(hass: HomeAssistant, home: MockConfigEntry, entity_id: str) -> None:
    """What can be read, and what nothing is done to."""
    await with_scripts(hass)
    assert unread_of(home.runtime_data.house, entity_id) == ()


async def test_loaded_parts(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Only a loaded EdgeHome has parts."""
    assert loaded_parts(home) is home.runtime_data
    assert await hass.config_entries.async_unload(home.entry_id)
    assert loaded_parts(home) is None
