"""An entity as the registries know it."""

from dataclasses import replace

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.devices import DeviceRecord
from custom_components.edgehome.home.exposure import FOLLOWS_ASSIST
from custom_components.edgehome.home.records import area_of, record_of


def known(hass: HomeAssistant, entity_id: str) -> DeviceRecord:
    """The record of an entity that there is."""
    record = record_of(hass, entity_id, FOLLOWS_ASSIST)
    assert record is not None
    return record


@pytest.mark.parametrize(
    "expected",
    [
        pytest.param(
            DeviceRecord(
                entity_id="light.kitchen_lights",
                name="Kitchen Lights",
                device_type="light",
                area_id="kitchen",
                room="Kitchen",
                exposed=True,
                platform="demo",
            ),
            id="light in the area of its device",
        ),
        pytest.param(
            DeviceRecord(
                entity_id="cover.garage_door",
                name="Garage Door",
                device_type="garage_door",
                area_id="garage",
                room="Garage",
                exposed=True,
                platform="demo",
            ),
            id="cover with a device class",
        ),
        pytest.param(
            DeviceRecord(
                entity_id="lock.front_door", name="Front Door", device_type="lock", exposed=True, platform="demo"
            ),
            id="without a registry entry",
        ),
        pytest.param(
            DeviceRecord(
                entity_id="light.office_rgbw_lights",
                name="Office RGBW Lights",
                device_type="light",
                exposed=False,
                platform="demo",
            ),
            id="not exposed",
        ),
        pytest.param(
            DeviceRecord(
                entity_id="switch.edgehome_lockdown",
                name="EdgeHome Lockdown",
                device_type="switch",
                area_id=None,
                exposed=False,
                targetable=False,
                platform="edgehome",
            ),
            id="EdgeHome's own is never a target",
        ),
    ],
)
async def test_record(
    hass: HomeAssistant, home: MockConfigEntry, entity_registry: er.EntityRegistry, expected: DeviceRecord
) -> None:
    """What is known about each kind of entity; its key is the registry's own id."""
    key = getattr(entity_registry.entities.get(expected.entity_id), "id", "")
    assert record_of(hass, expected.entity_id, FOLLOWS_ASSIST) == replace(expected, key=key)


async def test_key(hass: HomeAssistant, home: MockConfigEntry, entity_registry: er.EntityRegistry) -> None:
    """Renaming does not change the key, another entity of the same name has another, and without an entry there is none."""
    before = known(hass, "light.kitchen_lights").key
    entity_registry.async_update_entity("light.kitchen_lights", new_entity_id="light.galley")
    entity_registry.async_update_entity("light.bed_light", new_entity_id="light.kitchen_lights")
    await hass.async_block_till_done()
    hass.states.async_set("light.unregistered", "on")
    assert known(hass, "light.galley").key == before
    assert known(hass, "light.kitchen_lights").key not in {before, ""}
    assert known(hass, "light.unregistered").key == ""


@pytest.mark.parametrize(
    "entity_id",
    [
        pytest.param("light.nowhere", id="no such entity"),
        pytest.param("light", id="no id"),
        pytest.param("", id="nothing"),
    ],
)
async def test_no_such_entity(hass: HomeAssistant, home: MockConfigEntry, entity_id: str) -> None:
    """What is neither registered nor has a state is no entity."""
    assert record_of(hass, entity_id, FOLLOWS_ASSIST) is None


async def test_edgehome_stays_untargetable_when_exposed(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Exposing EdgeHome's switch does not make it a target (R4)."""
    async_expose_entity(hass, "conversation", "switch.edgehome_lockdown", should_expose=True)
    record = known(hass, "switch.edgehome_lockdown")
    assert (record.exposed, record.targetable) == (True, False)


@pytest.mark.parametrize(
    "update",
    [
        pytest.param({"hidden_by": er.RegistryEntryHider.USER}, id="hidden by the owner"),
        pytest.param({"hidden_by": er.RegistryEntryHider.INTEGRATION}, id="hidden by a helper"),
        pytest.param({"entity_category": EntityCategory.DIAGNOSTIC}, id="diagnostic"),
        pytest.param({"entity_category": EntityCategory.CONFIG}, id="configuration"),
    ],
)
async def test_hidden_is_no_target(
    hass: HomeAssistant, home: MockConfigEntry, entity_registry: er.EntityRegistry, update: dict[str, object]
) -> None:
    """Hidden, diagnostic and configuration entities are no targets."""
    assert known(hass, "light.kitchen_lights").targetable
    entity_registry.async_update_entity("light.kitchen_lights", **update)  # type: ignore[arg-type]  # a table of fields
    assert not known(hass, "light.kitchen_lights").targetable


async def test_device_class_of_the_owner(
    hass: HomeAssistant, home: MockConfigEntry, entity_registry: er.EntityRegistry
) -> None:
    """The owner's choice of a class makes a plain cover a gate, also while its integration is not loaded."""
    assert known(hass, "cover.kitchen_window").device_type == "cover"
    entity_registry.async_update_entity("cover.kitchen_window", device_class="gate")
    await hass.async_block_till_done()
    assert known(hass, "cover.kitchen_window").device_type == "gate"
    hass.states.async_remove("cover.kitchen_window")
    assert known(hass, "cover.kitchen_window").device_type == "gate"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("Old Lamp", "Old Lamp", id="the owner's name"),
        pytest.param(None, "Original", id="the integration's name"),
    ],
)
async def test_name_without_a_state(
    hass: HomeAssistant, home: MockConfigEntry, entity_registry: er.EntityRegistry, name: str | None, shown: str
) -> None:
    """An entity that is not loaded goes by the registry's name."""
    entity_registry.async_get_or_create("light", "test", "1", suggested_object_id="old", original_name="Original")
    entity_registry.async_update_entity("light.old", name=name)
    assert known(hass, "light.old").name == shown


async def test_area(
    hass: HomeAssistant,
    home: MockConfigEntry,
    area_registry: ar.AreaRegistry,
    device_registry: dr.DeviceRegistry,
    entity_registry: er.EntityRegistry,
) -> None:
    """An entity's own area comes before its device's, a child device without one is in its parent's."""
    parent = device_registry.async_get_or_create(
        config_entry_id=home.entry_id, identifiers={("test", "p")}, name="Strip"
    )
    device_registry.async_update_device(parent.id, area_id="kitchen")
    child = device_registry.async_get_or_create_child(
        config_entry_id=home.entry_id, identifiers={("test", "c")}, name="Socket", parent_device_id=parent.id
    )
    made = entity_registry.async_get_or_create(
        "switch", "test", "s", device_id=child.id, config_entry=home, original_name="Socket"
    )
    assert area_of(hass, made) == "kitchen"
    named = entity_registry.async_update_entity(made.entity_id, name="My Socket")
    assert area_of(hass, entity_registry.async_update_entity(named.entity_id, area_id="hall")) == "hall"
    assert area_of(hass, None) is None
