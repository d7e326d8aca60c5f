"""The name index: what it finds, what comes near, and that following every change equals reading everything anew."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.home.names import NameIndex

NAMES = ("Lamp", "lamp ", "Kitchen Lamp", "Küche", "KÜCHE", "Straße", "a", "Ceiling", "ceiling lights", "Türschloss")


@dataclass
class Changes:
    """What may happen to a house, picked by a seeded generator."""

    hass: HomeAssistant
    rng: random.Random
    devices: list[str] = field(default_factory=list)
    serial: int = 0

    def __post_init__(self) -> None:
        """Makes the config entry that devices belong to."""
        self.entry = MockConfigEntry(domain="test")
        self.entry.add_to_hass(self.hass)
        self.entities, self.registry = er.async_get(self.hass), dr.async_get(self.hass)

    def one(self) -> None:
        """One random change."""
        self.rng.choice(
            (
                self.set_state, self.set_state, self.set_state, self.remove_state, self.register, self.register,
                self.rename, self.alias, self.change_id, self.unregister, self.add_device, self.rename_device,
                self.remove_device, self.disable,
            )
        )()  # fmt: skip

    def _names(self) -> list[str]:
        return self.rng.sample(NAMES, self.rng.randint(0, 3))

    def _registered(self) -> list[str]:
        found = sorted(self.entities.entities)
        return self.rng.sample(found, min(1, len(found)))

    def _ids(self) -> list[str]:
        return [*self._registered(), f"light.loose_{self.rng.randint(0, 4)}"]

    def set_state(self) -> None:
        for entity_id in self._ids():
            self.hass.states.async_set(
                entity_id, self.rng.choice(("on", "off")), {"friendly_name": self.rng.choice(NAMES)}
            )

    def remove_state(self) -> None:
        self.hass.states.async_remove(self.rng.choice(self._ids()))

    def register(self) -> None:
        self.serial += 1
        entry = self.entities.async_get_or_create(
            "light",
            "test",
            str(self.serial),
            original_name=self.rng.choice((None, *NAMES)),
            has_entity_name=self.rng.choice((True, False)),
            device_id=self.rng.choice((None, *self.devices)),
            config_entry=self.entry,
        )
        self.hass.states.async_set(entry.entity_id, "on", {"friendly_name": self.rng.choice(NAMES)})

    def rename(self) -> None:
        for entity_id in self._registered():
            self.entities.async_update_entity(entity_id, name=self.rng.choice((None, *NAMES)))

    def alias(self) -> None:
        for entity_id in self._registered():
            computed = self.rng.choice(([], [er.COMPUTED_NAME]))
            self.entities.async_update_entity(entity_id, aliases=[*computed, *self._names()])

    def change_id(self) -> None:
        self.serial += 1
        for entity_id in self._registered():
            self.hass.states.async_remove(entity_id)
            self.entities.async_update_entity(entity_id, new_entity_id=f"light.moved_{self.serial}")
            self.hass.states.async_set(f"light.moved_{self.serial}", "on", {"friendly_name": self.rng.choice(NAMES)})

    def unregister(self) -> None:
        for entity_id in self._registered():
            self.entities.async_remove(entity_id)

    def add_device(self) -> None:
        self.serial += 1
        device = self.registry.async_get_or_create(
            config_entry_id=self.entry.entry_id,
            identifiers={("test", str(self.serial))},
            name=self.rng.choice(NAMES),
        )
        self.devices.append(device.id)

    def rename_device(self) -> None:
        for device_id in self.rng.sample(self.devices, min(1, len(self.devices))):
            self.registry.async_update_device(device_id, name_by_user=self.rng.choice((None, *NAMES)))

    def remove_device(self) -> None:
        for device_id in self.rng.sample(self.devices, min(1, len(self.devices))):
            self.devices.remove(device_id)
            self.registry.async_remove_device(device_id)

    def disable(self) -> None:
        for entity_id in self._registered():
            disabled_by = self.rng.choice((None, er.RegistryEntryDisabler.USER))
            self.entities.async_update_entity(entity_id, disabled_by=disabled_by)


def contents(index: NameIndex) -> tuple[object, ...]:
    """Everything that an index keeps."""
    return index.snapshot(), dict(index._by_name), dict(index._by_trigram)


def fresh(hass: HomeAssistant) -> NameIndex:
    """An index that has just read the whole house."""
    index = NameIndex(hass)
    index.async_start()()
    return index


@pytest.mark.parametrize("seed", [pytest.param(seed, id=f"seed {seed}") for seed in range(25)])
async def test_following_equals_reading_anew(hass: HomeAssistant, seed: int) -> None:
    """After any sequence of changes the index holds what a fresh one holds."""
    index = NameIndex(hass)
    stop = index.async_start()
    changes = Changes(hass, random.Random(seed))  # noqa: S311  # no secret hangs on it
    for _ in range(12):
        for _ in range(10):
            changes.one()
        await hass.async_block_till_done()
        assert contents(index) == contents(fresh(hass))
    stop()


async def test_renamed_parent_device(hass: HomeAssistant) -> None:
    """The computed name of an entity of a child device begins with its parent's name and follows it."""
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    entities, devices = er.async_get(hass), dr.async_get(hass)
    parent = devices.async_get_or_create(config_entry_id=entry.entry_id, identifiers={("test", "p")}, name="Strip")
    child = devices.async_get_or_create_child(
        config_entry_id=entry.entry_id, identifiers={("test", "c")}, name="Socket 1", parent_device_id=parent.id
    )
    made = entities.async_get_or_create(
        "switch", "test", "c1", device_id=child.id, config_entry=entry, has_entity_name=True, original_name=None
    )
    hass.states.async_set(made.entity_id, "off", {"friendly_name": "Socket"})
    index = NameIndex(hass)
    stop = index.async_start()
    assert index.find("Strip Socket 1") == (made.entity_id,)
    devices.async_update_device(parent.id, name_by_user="Desk")
    await hass.async_block_till_done()
    assert index.find("Desk Socket 1") == (made.entity_id,)
    assert index.find("Strip Socket 1") == ()
    stop()


@pytest.fixture
def index(hass: HomeAssistant) -> NameIndex:
    """A house of six entities, two of them with one name, one in the registry alone."""
    entities = er.async_get(hass)
    named = entities.async_get_or_create("light", "test", "1", original_name="Ceiling", suggested_object_id="ceiling")
    entities.async_update_entity(named.entity_id, aliases=[er.COMPUTED_NAME, "Big Light"])
    entities.async_get_or_create("light", "test", "2", original_name="Unloaded", suggested_object_id="unloaded")
    states = {
        "light.ceiling": "Ceiling",
        "light.floor": "Floor Lamp",
        "light.floor_2": "floor lamp",
        "lock.door": "Haustür",
        "switch.fan": "Kitchen Fan",
    }
    for entity_id, name in states.items():
        hass.states.async_set(entity_id, "on", {"friendly_name": name})
    hass.states.async_set("sensor.nameless", "1")
    return fresh(hass)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        pytest.param("Ceiling", ("light.ceiling",), id="name"),
        pytest.param("  cEILING ", ("light.ceiling",), id="case and outer blanks"),
        pytest.param("big light", ("light.ceiling",), id="alias"),
        pytest.param("Floor Lamp", ("light.floor", "light.floor_2"), id="two of one name"),
        pytest.param("HAUSTÜR", ("lock.door",), id="umlaut"),
        pytest.param("nameless", ("sensor.nameless",), id="entity without a name goes by its id's words"),
        pytest.param("Unloaded", (), id="registered, not loaded"),
        pytest.param("Floor", (), id="part of a name"),
        pytest.param("Ceiling, Floor Lamp", (), id="a list"),
        pytest.param("", (), id="nothing"),
        pytest.param("   ", (), id="blanks"),
        pytest.param("all", (), id="all"),
    ],
)
def test_find(index: NameIndex, name: str, found: tuple[str, ...]) -> None:
    """Only the whole name finds, case and outer blanks aside."""
    assert index.find(name) == found


@pytest.mark.parametrize(
    ("name", "near"),
    [
        pytest.param("Floor Lmap", ["light.floor", "light.floor_2"], id="letters swapped"),
        pytest.param("ceilling", ["light.ceiling"], id="letter doubled"),
        pytest.param("Haustuer", ["lock.door"], id="umlaut written out"),
        pytest.param("Kitchen Van", ["switch.fan"], id="another word"),
        pytest.param("Bright Light", ["light.ceiling"], id="near an alias"),
        pytest.param("Garage", [], id="nothing near"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_near(index: NameIndex, name: str, near: list[str]) -> None:
    """What comes near a mistyped name, best first."""
    assert index.near(name) == near


def test_near_is_cut(hass: HomeAssistant) -> None:
    """However many come near, only as many as wanted are given."""
    for number in range(50):
        hass.states.async_set(f"light.lamp_{number}", "on", {"friendly_name": f"Lamp {number}"})
    assert len(fresh(hass).near("Lamp", 7)) == 7


async def test_stopped_index_follows_no_more(hass: HomeAssistant) -> None:
    """What stops the index leaves no listener behind."""
    before = dict(hass.bus.async_listeners())
    index = NameIndex(hass)
    stop: Callable[[], None] = index.async_start()
    stop()
    assert hass.bus.async_listeners() == before
    hass.states.async_set("light.late", "on", {"friendly_name": "Late"})
    await hass.async_block_till_done()
    assert index.find("Late") == ()
