"""The house answers the gates' questions from Home Assistant's own registries, states and services."""

from dataclasses import replace

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.util.unit_system import US_CUSTOMARY_SYSTEM
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.devices import DeviceRecord, DeviceState, Room, ServiceFacts, Standing
from custom_components.edgehome.home.house import HomeAssistantHouse
from custom_components.edgehome.models import Principal, PrincipalKind
from custom_components.edgehome.policy.presets import BALANCED, STRICT
from custom_components.edgehome.settings import DEFAULT_FLAGS, Settings
from tests.made_house import request
from tests.real_home import EXPOSED, AgentAccess


@pytest.fixture
def house(home: MockConfigEntry, area_registry: ar.AreaRegistry) -> HomeAssistantHouse:
    """The house of a loaded EdgeHome; the living room is also called Lounge."""
    area_registry.async_update("living_room", aliases={"Lounge"})
    loaded: HomeAssistantHouse = home.runtime_data.house
    return loaded


def ids(records: tuple[DeviceRecord, ...]) -> list[str]:
    """The entities of some records."""
    return [record.entity_id for record in records]


LIVING_ROOM = (Room(area_id="living_room", name="Living Room"),)


@pytest.mark.parametrize(
    ("name", "rooms"),
    [
        pytest.param("Living Room", LIVING_ROOM, id="name"),
        pytest.param(" living ROOM ", LIVING_ROOM, id="case and outer blanks"),
        pytest.param("lounge", LIVING_ROOM, id="alias"),
        pytest.param("living_room", LIVING_ROOM, id="area id"),
        pytest.param("Living", (), id="part of a name"),
        pytest.param("Cellar", (), id="no such room"),
        pytest.param("", (), id="nothing"),
        pytest.param("  ", (), id="blanks"),
        pytest.param("all", (), id="all"),
    ],
)
async def test_rooms_named(house: HomeAssistantHouse, name: str, rooms: tuple[Room, ...]) -> None:
    """Rooms by name, alias or id; never by a part of it."""
    assert house.rooms_named(name) == rooms


async def test_two_rooms_of_one_name(house: HomeAssistantHouse, area_registry: ar.AreaRegistry) -> None:
    """An alias that is another room's name gives both."""
    area_registry.async_update("bedroom", aliases={"Kitchen"})
    assert {room.area_id for room in house.rooms_named("Kitchen")} == {"bedroom", "kitchen"}


@pytest.mark.parametrize(
    ("name", "areas", "near"),
    [
        pytest.param("kitchn", (), ("Kitchen",), id="letter missing"),
        pytest.param("bed room", (), ("Bedroom", "Living Room"), id="best first"),
        pytest.param("bed room", ("living_room", "hall"), ("Living Room",), id="in scope"),
        pytest.param("xyz", (), (), id="nothing near"),
    ],
)
async def test_rooms_like(house: HomeAssistantHouse, name: str, areas: tuple[str, ...], near: tuple[str, ...]) -> None:
    """Rooms in the caller's scope that come near a mistyped name."""
    assert house.rooms_like(name, areas) == near


@pytest.mark.parametrize(
    ("name", "found"),
    [
        pytest.param("Kitchen Lights", ["light.kitchen_lights"], id="name"),
        pytest.param("office rgbw lights", ["light.office_rgbw_lights"], id="not exposed, still found"),
        pytest.param("light.kitchen_lights", [], id="an id is no name"),
        pytest.param("Kitchen", [], id="part of a name"),
    ],
)
async def test_devices_named(house: HomeAssistantHouse, name: str, found: list[str]) -> None:
    """Entities by name, exposed or not: the resolver says which."""
    assert ids(house.devices_named(name)) == found


@pytest.mark.parametrize(
    ("name", "areas", "near"),
    [
        pytest.param("Kitchen Light", (), ("Kitchen Lights (light.kitchen_lights)",), id="whole home"),
        pytest.param("Kitchen Light", ("kitchen",), ("Kitchen Lights (light.kitchen_lights)",), id="in scope"),
        pytest.param("Kitchen Light", ("hall",), (), id="out of scope"),
        pytest.param("Poorly Instaled Door", (), (), id="not exposed"),
        pytest.param("EdgeHome Lockdwn", (), (), id="EdgeHome's own"),
    ],
)
async def test_devices_like(
    house: HomeAssistantHouse, name: str, areas: tuple[str, ...], near: tuple[str, ...]
) -> None:
    """Candidates come from what the caller may name (R6)."""
    assert house.devices_like(name, areas)[:1] == near


@pytest.mark.parametrize(
    ("area", "device_type", "found"),
    [
        pytest.param("kitchen", "light", ["light.kitchen_lights"], id="lights"),
        pytest.param("kitchen", "cover", ["cover.kitchen_window"], id="covers"),
        pytest.param("kitchen", "blind", [], id="a narrower word"),
        pytest.param("garage", "garage_door", ["cover.garage_door"], id="by class"),
        pytest.param("garage", "cover", ["cover.garage_door"], id="by the domain's word"),
        pytest.param("hall", "thermostat", ["climate.hvac"], id="thermostat"),
        pytest.param("hall", "climate", ["climate.hvac"], id="the domain"),
        pytest.param("kitchen", "lock", [], id="none there"),
        pytest.param("nowhere", "light", [], id="no such area"),
    ],
)
async def test_devices_in(house: HomeAssistantHouse, area: str, device_type: str, found: list[str]) -> None:
    """A room's nameable entities of a type."""
    assert ids(house.devices_in(area, device_type)) == found


async def test_entity_in_another_room_than_its_device(
    house: HomeAssistantHouse, entity_registry: er.EntityRegistry
) -> None:
    """An entity with an area of its own is in that one, not in its device's."""
    entity_registry.async_update_entity("light.kitchen_lights", name="Cooker Light")
    entity_registry.async_update_entity("light.kitchen_lights", area_id="hall")
    assert ids(house.devices_in("kitchen", "light")) == []
    assert ids(house.devices_in("hall", "light")) == ["light.kitchen_lights"]


async def test_entity_of_a_child_device(
    hass: HomeAssistant,
    house: HomeAssistantHouse,
    home: MockConfigEntry,
    device_registry: dr.DeviceRegistry,
    entity_registry: er.EntityRegistry,
) -> None:
    """A child device is where its parent is."""
    parent = device_registry.async_get_or_create(config_entry_id=home.entry_id, identifiers={("test", "p")})
    device_registry.async_update_device(parent.id, area_id="garage")
    child = device_registry.async_get_or_create_child(
        config_entry_id=home.entry_id, identifiers={("test", "c")}, parent_device_id=parent.id
    )
    made = entity_registry.async_get_or_create("switch", "test", "s", device_id=child.id, config_entry=home)
    entity_registry.async_update_entity_options(made.entity_id, "conversation", {"should_expose": True})
    assert ids(house.devices_in("garage", "switch")) == [made.entity_id]


@pytest.mark.parametrize(
    ("update", "found"),
    [
        pytest.param({"hidden_by": er.RegistryEntryHider.USER}, [], id="hidden"),
        pytest.param({}, ["light.kitchen_lights"], id="as it was"),
    ],
)
async def test_hidden_members(
    house: HomeAssistantHouse, entity_registry: er.EntityRegistry, update: dict[str, object], found: list[str]
) -> None:
    """What the owner hid is no member of a room for agents."""
    entity_registry.async_update_entity("light.kitchen_lights", **update)  # type: ignore[arg-type]  # a table of fields
    assert ids(house.devices_in("kitchen", "light")) == found


@pytest.mark.parametrize(
    ("device_type", "areas", "found"),
    [
        pytest.param(
            "light", (), ["light.bed_light", "light.ceiling_lights", "light.kitchen_lights"], id="all exposed lights"
        ),
        pytest.param("light", ("bedroom",), ["light.bed_light"], id="in scope"),
        pytest.param("garage_door", (), ["cover.garage_door"], id="by class"),
        pytest.param("Garage Door", (), ["cover.garage_door"], id="in people's writing"),
        pytest.param("lock", ("bedroom",), [], id="without an area, with a scope"),
        pytest.param("vacuum", (), [], id="none"),
    ],
)
async def test_devices_of_type(
    house: HomeAssistantHouse, device_type: str, areas: tuple[str, ...], found: list[str]
) -> None:
    """The nameable entities of a type in a scope."""
    assert ids(house.devices_of_type(device_type, areas)) == found


async def test_only_a_few_of_a_type(hass: HomeAssistant, house: HomeAssistantHouse) -> None:
    """However many there are, a few are enough to see that the wish is ambiguous."""
    for number in range(20):
        hass.states.async_set(f"switch.many_{number:02}", "on")
    assert len(house.devices_of_type("switch", ())) == 6


async def test_nameable(house: HomeAssistantHouse) -> None:
    """What an agent may name: the exposed, and of those the ones in its rooms."""
    assert ids(house.nameable(())) == sorted(EXPOSED)
    assert ids(house.nameable(("kitchen", "hall"))) == ["climate.hvac", "cover.kitchen_window", "light.kitchen_lights"]


async def test_state(hass: HomeAssistant, house: HomeAssistantHouse) -> None:
    """A state with the home's unit, or none; attributes that no gate asks for stay where they are (R12)."""
    hass.states.async_set("light.made", "on", {"brightness": 7, "access_token": "secret"})
    assert house.state("light.made") == DeviceState(state="on", attributes={"brightness": 7}, unit="°C")
    assert house.state("light.none") is None
    hass.config.units = US_CUSTOMARY_SYSTEM
    assert house.state("light.made") == DeviceState(state="on", attributes={"brightness": 7}, unit="°F")


@pytest.mark.parametrize(
    ("entity_id", "mode", "told"),
    [
        pytest.param("text.wifi", "password", "hidden", id="a password"),
        pytest.param("input_text.wifi", "password", "hidden", id="the owner's own"),
        pytest.param("text.wifi", "text", "4711", id="a text"),
        pytest.param("text.wifi", None, "4711", id="nothing said"),
    ],
)
async def test_passwords(
    hass: HomeAssistant, house: HomeAssistantHouse, entity_id: str, mode: str | None, told: str
) -> None:
    """A field for passwords shows its password as its state: no gate and no record gets it (R12)."""
    hass.states.async_set(entity_id, "4711", {"mode": mode})
    state = house.state(entity_id)
    assert state is not None
    assert state.state == told


@pytest.mark.parametrize("away", ["unavailable", "unknown"])
async def test_a_password_that_is_not_there(hass: HomeAssistant, house: HomeAssistantHouse, away: str) -> None:
    """That a field for passwords cannot be reached, or has none, is no secret."""
    hass.states.async_set("text.wifi", away, {"mode": "password"})
    state = house.state("text.wifi")
    assert state is not None
    assert (state.state, state.is_available) == (away, away == "unknown")


async def test_device(house: HomeAssistantHouse) -> None:
    """An entity by its id."""
    found = house.device("lock.front_door")
    assert found is not None
    assert found.name == "Front Door"
    assert house.device("lock.back_door") is None


async def test_services(house: HomeAssistantHouse) -> None:
    """What services enforce is asked of Home Assistant's own."""
    assert house.service("cover.stop_cover") == ServiceFacts(required_features=(8,), offered_features=(8,))
    assert house.service("cover.fly") is None
    assert house.validate("lock.lock", {"entity_id": ["lock.front_door"]}) is None
    assert house.validate("lock.fly", {}) == "there is no such action"


async def test_settings(house: HomeAssistantHouse) -> None:
    """The owner's settings are in force at once when they change."""
    assert (house.policy(), house.lockdown(), house.flag_verdicts()) == (STRICT, False, DEFAULT_FLAGS)
    house.owner_changed(Settings(policy=BALANCED, lockdown=True, flags={"template": "note"}))
    assert (house.policy(), house.lockdown(), house.flag_verdicts()) == (BALANCED, True, {"template": "note"})


@pytest.mark.parametrize(
    ("kind", "automations", "status"),
    [
        pytest.param(PrincipalKind.OWNER, False, "active", id="owner"),
        pytest.param(PrincipalKind.AUTOMATION, True, "active", id="automation, allowed"),
        pytest.param(PrincipalKind.AUTOMATION, False, "automation_off", id="automation, off"),
        pytest.param(PrincipalKind.AGENT, True, "unknown", id="agent that is gone"),
        pytest.param(PrincipalKind.UNREGISTERED, True, "unknown", id="unregistered"),
        pytest.param(PrincipalKind.FOREIGN_FRONTEND, True, "foreign_frontend", id="administrator elsewhere"),
        pytest.param("root", True, "unknown", id="a kind that there is not"),
    ],
)
async def test_standing(house: HomeAssistantHouse, kind: str, automations: bool, status: str) -> None:
    """Who is nobody's agent is unknown."""
    house.owner_changed(Settings(automations=automations))
    assert house.standing("anybody", kind) == Standing(status=status)


async def test_standing_of_an_agent(house: HomeAssistantHouse, agent: AgentAccess) -> None:
    """A registered agent is active with its own limits; its id under another kind is worth nothing."""
    assert house.standing(agent.id, "agent") == Standing(status="active", requests_per_minute=6000)
    assert house.standing(agent.id, "unregistered") == Standing(status="unknown")


async def test_usage(house: HomeAssistantHouse, freezer: FrozenDateTimeFactory) -> None:
    """The other requests of the last minute, each caller's own."""
    hermes, other = (Principal(kind=PrincipalKind.AGENT, id=name, name=name) for name in ("hermes", "other"))

    def usage(trace_id: str = "now") -> tuple[int, ...]:
        return tuple(house.usage(name, trace_id) for name in ("hermes", "other", "nobody"))

    house.count(replace(request({}, hermes), trace_id="1"))
    freezer.tick(40)
    house.count(replace(request({}, hermes), trace_id="2"))
    house.count(replace(request({}, other), trace_id="3"))
    assert (usage(), usage("2"), usage("3")) == ((2, 1, 0), (1, 1, 0), (2, 0, 0))
    freezer.tick(30)
    assert usage() == (1, 1, 0)
    house.count(replace(request({}, hermes), trace_id="4"))
    assert usage() == (2, 1, 0)
    freezer.tick(31)
    assert usage() == (1, 0, 0)


async def test_stamp(hass: HomeAssistant, house: HomeAssistantHouse) -> None:
    """The stamp of some entities changes with their states, their going, and the owner's settings; not with others."""
    hass.states.async_set("light.a", "on")
    hass.states.async_set("light.b", "off")
    stamps = [house.stamp(("light.a",))]
    hass.states.async_set("light.b", "on")
    assert house.stamp(("light.a",)) == stamps[0]
    hass.states.async_set("light.a", "on", {"brightness": 3})
    stamps.append(house.stamp(("light.a",)))
    hass.states.async_set("light.a", "off")
    stamps.append(house.stamp(("light.a",)))
    hass.states.async_remove("light.a")
    stamps.append(house.stamp(("light.a",)))
    house.owner_changed(house.settings)
    stamps.append(house.stamp(("light.a",)))
    assert len({str(stamp) for stamp in stamps}) == 5


async def test_facts_ask_the_house(house: HomeAssistantHouse) -> None:
    """A view of this house records what it was asked."""
    facts = house.facts()
    assert facts.rooms_named("Kitchen") == (Room(area_id="kitchen", name="Kitchen"),)
    assert [read.question for read in facts.take_log()] == ["rooms_named"]
