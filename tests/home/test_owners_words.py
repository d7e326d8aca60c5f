"""What the owner says about entities, as the house tells it to the gates."""

from types import MappingProxyType
from typing import Any

import pytest
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.devices import DeviceRecord, OwnersWord
from custom_components.edgehome.home.house import HomeAssistantHouse
from custom_components.edgehome.home.owners_words import key_of
from custom_components.edgehome.home.vetting import config_hash

LAMP, LOCK = "light.kitchen_lights", "lock.front_door"


async def say(hass: HomeAssistant, entry: MockConfigEntry, entity_id: str, **words: Any) -> ConfigSubentry:
    """The owner says something about an entity."""
    data = {"entity": key_of(hass, entity_id), "aliases": [], "operations": [], **words}
    subentry = ConfigSubentry(data=MappingProxyType(data), subentry_type="entity", title=entity_id, unique_id=None)
    hass.config_entries.async_add_subentry(entry, subentry)
    await hass.async_block_till_done()
    return subentry


def house_of(entry: MockConfigEntry) -> HomeAssistantHouse:
    """The house that gates ask."""
    house: HomeAssistantHouse = entry.runtime_data.house
    return house


def known(entry: MockConfigEntry, entity_id: str) -> DeviceRecord:
    """The record of an entity."""
    record = house_of(entry).device(entity_id)
    assert record is not None
    return record


def found(entry: MockConfigEntry, name: str) -> list[str]:
    """The entities of a name."""
    return [record.entity_id for record in house_of(entry).devices_named(name)]


@pytest.mark.parametrize(
    ("words", "word"),
    [
        pytest.param({}, OwnersWord(), id="nothing"),
        pytest.param({"operations": ["turn_on"]}, OwnersWord(operations=("turn_on",)), id="operations"),
        pytest.param({"low": 10, "high": 60.5}, OwnersWord(low=10, high=60.5), id="range"),
        pytest.param({"low": 0}, OwnersWord(low=0), id="zero is a lowest"),
        pytest.param({"risk": 0}, OwnersWord(risk=0), id="risk 0"),
        pytest.param({"risk": 5}, OwnersWord(risk=5), id="risk 5"),
    ],
)
@pytest.mark.parametrize("entity_id", [LAMP, LOCK])
async def test_word(
    hass: HomeAssistant, home: MockConfigEntry, entity_id: str, words: dict[str, Any], word: OwnersWord
) -> None:
    """The owner's words are on the record, with and without a registry entry, and gone when they are taken back."""
    assert known(home, entity_id).owner is None
    subentry = await say(hass, home, entity_id, **words)
    assert known(home, entity_id).owner == word
    assert known(home, "light.bed_light").owner is None
    hass.config_entries.async_remove_subentry(home, subentry.subentry_id)
    await hass.async_block_till_done()
    assert known(home, entity_id).owner is None


@pytest.mark.parametrize("entity_id", [LAMP, LOCK])
async def test_aliases(hass: HomeAssistant, home: MockConfigEntry, entity_id: str) -> None:
    """A name of the owner's finds the entity beside its others, follows changes, and is gone with the words."""
    before = home.runtime_data.names.snapshot()
    subentry = await say(hass, home, entity_id, aliases=["Big Thing", "Ding"])
    assert (found(home, "big thing"), found(home, "DING")) == ([entity_id], [entity_id])
    assert entity_id in found(home, known(home, entity_id).name)
    hass.config_entries.async_update_subentry(home, subentry, data={**subentry.data, "aliases": ["Other"]})
    await hass.async_block_till_done()
    assert (found(home, "big thing"), found(home, "other")) == ([], [entity_id])
    hass.config_entries.async_remove_subentry(home, subentry.subentry_id)
    await hass.async_block_till_done()
    assert found(home, "other") == []
    assert home.runtime_data.names.snapshot() == before


async def test_renaming_keeps_it(
    hass: HomeAssistant, home: MockConfigEntry, entity_registry: er.EntityRegistry
) -> None:
    """The words are kept by the registry's id: they follow the entity, and another of its old name has none."""
    await say(hass, home, LAMP, aliases=["Big Thing"], risk=4)
    entity_registry.async_update_entity(LAMP, new_entity_id="light.galley")
    await hass.async_block_till_done()
    hass.states.async_set(LAMP, "on")
    await hass.async_block_till_done()
    assert known(home, "light.galley").owner == OwnersWord(risk=4)
    assert known(home, LAMP).owner is None
    assert found(home, "big thing") == ["light.galley"]


async def test_a_reload_keeps_it(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """After a start it is as before."""
    await say(hass, home, LAMP, aliases=["Big Thing"], risk=4)
    assert await hass.config_entries.async_reload(home.entry_id)
    await hass.async_block_till_done()
    assert known(home, LAMP).owner == OwnersWord(risk=4)
    assert found(home, "big thing") == [LAMP]


@pytest.mark.parametrize(
    ("entity_id", "said", "device_type"),
    [
        pytest.param("cover.kitchen_window", "window", "window", id="a plain cover is a window"),
        pytest.param("cover.garage_door", "blind", "blind", id="another than Home Assistant's"),
        pytest.param("cover.garage_door", "light", "garage_door", id="a type of another domain"),
        pytest.param("cover.garage_door", "nonsense", "garage_door", id="no type"),
        pytest.param(LAMP, None, "light", id="nothing said"),
    ],
)
async def test_device_type(
    hass: HomeAssistant, home: MockConfigEntry, entity_id: str, said: str | None, device_type: str
) -> None:
    """The owner says what a thing is, within its domain; the type finds it then."""
    await say(hass, home, entity_id, device_type=said)
    assert known(home, entity_id).device_type == device_type
    assert entity_id in [record.entity_id for record in house_of(home).devices_of_type(device_type, ())]


async def with_script(hass: HomeAssistant, *steps: dict[str, Any]) -> str:
    """A script of these steps."""
    config = {"script": {"night": {"alias": "Night", "sequence": list(steps)}}}
    assert await async_setup_component(hass, "script", config)
    await hass.async_block_till_done()
    return "script.night"


async def reloaded(hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch, *steps: dict[str, Any]) -> None:
    """The script's file is changed, and the scripts are loaded anew."""
    config = {"script": {"night": {"alias": "Night", "sequence": list(steps)}}}
    monkeypatch.setattr("homeassistant.config.load_yaml_config_file", lambda *_, **__: config)
    await hass.services.async_call("script", "reload", blocking=True)
    await hass.async_block_till_done()


OFF: dict[str, Any] = {"action": "light.turn_off", "target": {"entity_id": LAMP}}
ODD: dict[str, Any] = {"event": "somebody_listens"}
DELAY: dict[str, Any] = {"delay": 1}


async def test_vetted(hass: HomeAssistant, home: MockConfigEntry, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script stays vetted as long as it stays what it was; in another form it is not any more."""
    script = await with_script(hass, ODD)
    assert not known(home, script).vetted
    await say(hass, home, script, vetted=config_hash(home.runtime_data.makeups, script))
    assert known(home, script).vetted
    await reloaded(hass, monkeypatch, ODD)
    assert known(home, script).vetted
    await reloaded(hass, monkeypatch, ODD, DELAY)
    assert not known(home, script).vetted
    await reloaded(hass, monkeypatch, ODD)
    assert known(home, script).vetted


@pytest.mark.parametrize("vetted", [None, "", "0" * 64], ids=["not", "empty", "another"])
async def test_not_vetted(hass: HomeAssistant, home: MockConfigEntry, vetted: str | None) -> None:
    """Words without the right hash vet nothing."""
    script = await with_script(hass, OFF)
    await say(hass, home, script, vetted=vetted)
    assert not known(home, script).vetted


async def test_words_alone_vet_nothing(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """What has no state has no configuration to be vetted."""
    await say(hass, home, "scene.evening", vetted=None)
    hass.states.async_set("scene.evening", "unknown")
    assert not known(home, "scene.evening").vetted
