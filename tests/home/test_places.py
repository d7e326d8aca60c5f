"""Floors, labels and devices by name, and what is there, by Home Assistant's own resolver."""

import pytest
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.devices import PlaceKind
from custom_components.edgehome.home.house import HomeAssistantHouse
from custom_components.edgehome.home.places import entities_at

KITCHEN, LIVING, GARAGE = "light.kitchen_lights", "light.ceiling_lights", "cover.garage_door"


@pytest.fixture
async def placed(
    hass: HomeAssistant,
    home: MockConfigEntry,
    area_registry: ar.AreaRegistry,
    floor_registry: fr.FloorRegistry,
    label_registry: lr.LabelRegistry,
    entity_registry: er.EntityRegistry,
) -> HomeAssistantHouse:
    """Kitchen and garage are on the ground floor; lamps and the garage door have a label."""
    floor = floor_registry.async_create("Ground", aliases={"Downstairs"})
    floor_registry.async_create("Attic")
    label = label_registry.async_create("Night Time")
    for room in ("Kitchen", "Garage"):
        area = area_registry.async_get_area_by_name(room)
        assert area is not None
        area_registry.async_update(area.id, floor_id=floor.floor_id)
    for entity_id in (LIVING, GARAGE):
        entity_registry.async_update_entity(entity_id, labels={label.label_id})
    await hass.async_block_till_done()
    house: HomeAssistantHouse = home.runtime_data.house
    return house


@pytest.mark.usefixtures("placed")
@pytest.mark.parametrize(
    ("kind", "name", "found"),
    [
        pytest.param("floor", "Ground", ["Ground"], id="floor"),
        pytest.param("floor", " gROUND ", ["Ground"], id="case and blanks aside"),
        pytest.param("floor", "Downstairs", ["Ground"], id="alias"),
        pytest.param("floor", "ground", ["Ground"], id="id"),
        pytest.param("floor", "Groun", [], id="nearly"),
        pytest.param("floor", "Kitchen", [], id="an area is no floor"),
        pytest.param("label", "Night Time", ["Night Time"], id="label"),
        pytest.param("label", "night_time", ["Night Time"], id="its id"),
        pytest.param("label", " night time", ["Night Time"], id="label, case and blanks aside"),
        pytest.param("label", "night", [], id="part of a label"),
        pytest.param("device", "Garage Door", ["Garage Door"], id="device"),
        pytest.param("device", "garage door ", ["Garage Door"], id="device, case and blanks aside"),
        pytest.param("device", "Garage", [], id="part of a device"),
        pytest.param("area", "Kitchen", [], id="areas are found elsewhere"),
        *(pytest.param(kind, blank, [], id=f"{kind} {blank!r}") for kind in ("floor", "label", "device") for blank in ("", " ")),
    ],
)  # fmt: skip
async def test_names(placed: HomeAssistantHouse, kind: str, name: str, found: list[str]) -> None:
    """Names match exactly, case and outer blanks aside."""
    assert [place.name for place in placed.places_named(kind, name)] == found


async def test_devices(hass: HomeAssistant, placed: HomeAssistantHouse, device_registry: dr.DeviceRegistry) -> None:
    """A device goes by the owner's name or its id; two of one name are both told."""
    entry = er.async_get(hass).entities[GARAGE]
    assert entry.device_id
    device_registry.async_update_device(entry.device_id, name_by_user="Big Door")
    assert [place.id for place in placed.places_named("device", "Big Door")] == [entry.device_id]
    assert placed.places_named("device", "Garage Door") == ()
    assert [place.name for place in placed.places_named("device", entry.device_id)] == ["Big Door"]
    other = er.async_get(hass).entities[KITCHEN].device_id
    assert other
    device_registry.async_update_device(other, name_by_user="big door")
    assert len(placed.places_named("device", "Big Door")) == 2


@pytest.mark.parametrize(
    ("kind", "name", "domain", "found"),
    [
        pytest.param("floor", "Ground", "light", [KITCHEN], id="lamps of a floor"),
        pytest.param("floor", "Ground", "cover", [GARAGE, "cover.kitchen_window"], id="covers of a floor"),
        pytest.param("floor", "Attic", "light", [], id="an empty floor"),
        pytest.param("label", "Night Time", "light", [LIVING], id="lamps of a label"),
        pytest.param("label", "Night Time", "", [GARAGE, LIVING], id="all of a label"),
        pytest.param("device", "Garage Door", "", [GARAGE], id="a device"),
    ],
)
def test_entities(
    hass: HomeAssistant, placed: HomeAssistantHouse, kind: str, name: str, domain: str, found: list[str]
) -> None:
    """What of a domain is there."""
    (place,) = placed.places_named(kind, name)
    assert list(entities_at(hass, place.kind, place.id, domain)) == found


@pytest.mark.usefixtures("placed")
def test_home(hass: HomeAssistant) -> None:
    """The home is everything that has a state."""
    assert set(entities_at(hass, PlaceKind.HOME, "", "lock")) == set(hass.states.async_entity_ids("lock"))
    assert set(entities_at(hass, PlaceKind.HOME, "", "")) == set(hass.states.async_entity_ids())


@pytest.mark.parametrize(
    "update",
    [
        pytest.param({"hidden_by": er.RegistryEntryHider.USER}, id="hidden"),
        pytest.param({"entity_category": EntityCategory.CONFIG}, id="configuration"),
    ],
)
async def test_not_nameable(
    hass: HomeAssistant, placed: HomeAssistantHouse, entity_registry: er.EntityRegistry, update: dict[str, object]
) -> None:
    """A set holds only what could be named by itself, whatever the place."""
    (label,) = placed.places_named("label", "Night Time")
    wanted = (("home", ""), ("label", label.id))
    assert all(LIVING in ids(placed, kind, place) for kind, place in wanted)
    entity_registry.async_update_entity(LIVING, **update)  # type: ignore[arg-type]  # a table of fields
    assert not any(LIVING in ids(placed, kind, place) for kind, place in wanted)


def ids(house: HomeAssistantHouse, kind: str, place_id: str) -> list[str]:
    """The lamps of a place that may be named."""
    return [record.entity_id for record in house.devices_at(kind, place_id, "light")]


def test_not_exposed(placed: HomeAssistantHouse) -> None:
    """What is not exposed is in no set."""
    assert "light.office_rgbw_lights" not in ids(placed, "home", "")
    assert KITCHEN in ids(placed, "home", "")
