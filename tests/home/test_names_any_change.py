"""The index of names equals a fresh one, whatever happens in the registries."""

import random

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.home.names import NameIndex

NAMES = ("Lamp", "lamp ", "LAMP", "Desk", "Straße", "STRASSE", "É", "", " ", None)


def come(hass: HomeAssistant, entry: MockConfigEntry, chance: random.Random) -> None:
    """Something comes into the home: an entity of a device, or one without a registry entry."""
    name, number = chance.choice(NAMES), chance.randrange(6)
    if chance.random() < 0.5:
        hass.states.async_set(f"light.loose_{number}", "on", {"friendly_name": name} if name else {})
        return
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", str(number % 3))}, name=name or "Thing"
    )
    er.async_get(hass).async_get_or_create(
        "light",
        "test",
        str(number),
        device_id=device.id,
        config_entry=entry,
        original_name=name,
        has_entity_name=chance.random() < 0.5,
    )


def turn(hass: HomeAssistant, entry: MockConfigEntry, chance: random.Random) -> None:
    """One change of the kind that happens in a home."""
    entities, devices = er.async_get(hass), dr.async_get(hass)
    ids = sorted(entities.entities)
    if not ids or chance.random() < 0.2:
        come(hass, entry, chance)
        return
    name, one, free = chance.choice(NAMES), chance.choice(ids), f"light.moved_{chance.randrange(6)}"
    match chance.randrange(7):
        case 0:
            entities.async_update_entity(one, name=name)
        case 1:
            entities.async_update_entity(one, aliases=[name or "Lamp", "Other"])
        case 2:
            entities.async_remove(one)
        case 3:
            hass.states.async_remove(one)
        case 4:
            hass.states.async_set(one, "on", {"friendly_name": name or "Shown"})
        case 5 if entities.async_get(free) is None and hass.states.get(free) is None:
            entities.async_update_entity(one, new_entity_id=free)
        case _:
            for device in list(dr.async_entries_for_config_entry(devices, entry.entry_id))[:1]:
                devices.async_update_device(device.id, name_by_user=name)


@pytest.mark.parametrize("seed", range(12))
async def test_equals_a_fresh_index(hass: HomeAssistant, seed: int) -> None:
    """After every few of many random changes."""
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    index = NameIndex(hass)
    stop = index.async_start()
    chance = random.Random(seed)  # noqa: S311  # a test's own luck
    for _ in range(40):
        for _ in range(4):
            turn(hass, entry, chance)
        await hass.async_block_till_done()
        fresh = NameIndex(hass)
        fresh.async_start()()
        assert index.snapshot() == fresh.snapshot()
        for name in {item for names in fresh.snapshot().values() for item in names}:
            assert index.find(name) == fresh.find(name)
            assert index.near(name) == fresh.near(name)
    stop()
