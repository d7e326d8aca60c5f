"""What acting on an entity does elsewhere: helpers, groups, templates, scenes, relays; and what is read anew."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.devices import PLAIN, WHATEVER, Deed, Makeup
from custom_components.edgehome.home.makeup.reader import MakeupReader

UNLOCK = {"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}}
UNLOCKED = Deed(entity_id="lock.front_door", verbs=("unlock",))
LIGHT_GROUP = {
    "group_type": "light",
    "name": "All",
    "hide_members": False,
    "all": False,
    "entities": ["light.bed_light"],
}
type Options = dict[str, Any]


async def add_helper(
    hass: HomeAssistant, domain: str, options: Mapping[str, object], version: int = 1
) -> MockConfigEntry:
    """A helper of Home Assistant, as its own form makes it."""
    made = MockConfigEntry(domain=domain, title="Helper", options=options, version=1, minor_version=version)
    made.add_to_hass(hass)
    assert await hass.config_entries.async_setup(made.entry_id)
    await hass.async_block_till_done()
    return made


def reader_of(entry: MockConfigEntry) -> MakeupReader:
    """The reader of a loaded EdgeHome."""
    reader: MakeupReader = entry.runtime_data.makeups
    return reader


def targets(makeup: Makeup, verb: str = WHATEVER) -> set[tuple[str | None, tuple[str, ...]]]:
    """What is done beside a verb."""
    return {(deed.entity_id, deed.verbs) for deed in makeup.deeds.get(verb, ())}


@pytest.mark.parametrize(
    ("domain", "options", "version", "entity_id", "expected"),
    [
        pytest.param("group", LIGHT_GROUP, 1, "light.helper", Makeup(kind="group", members=("light.bed_light",)), id="group"),
        pytest.param(
            "group",
            {"group_type": "lock", "name": "All", "hide_members": False, "entities": ["lock.front_door"]},
            1,
            "lock.helper",
            Makeup(kind="group", members=("lock.front_door",)),
            id="group of locks",
        ),
        pytest.param(
            "switch_as_x",
            {"entity_id": "switch.ac", "target_domain": "light", "invert": False},
            3,
            "light.ac",
            Makeup(kind="switch_as_x", deeds={WHATEVER: (Deed(entity_id="switch.ac", verbs=("turn_on", "turn_off")),)}),
            id="switch shown as a light",
        ),
        pytest.param(
            "switch_as_x",
            {"entity_id": "switch.ac", "target_domain": "lock", "invert": False},
            3,
            "switch.ac",
            Makeup(kind="relay", deeds={WHATEVER: (Deed(entity_id="lock.ac", verbs=("unlock", "lock", "open")),)}),
            id="the switch that is really a lock",
        ),
        pytest.param(
            "switch_as_x",
            {"entity_id": "switch.ac", "target_domain": "lock", "invert": False},
            3,
            "switch.decorative_lights",
            PLAIN,
            id="another switch than that one",
        ),
        pytest.param(
            "template",
            {"template_type": "switch", "name": "Scripted", "value_template": "{{ true }}", "turn_on": [UNLOCK]},
            1,
            "switch.scripted",
            Makeup(kind="template", deeds={"turn_on": (UNLOCKED,)}),
            id="template",
        ),
        pytest.param(
            "generic_thermostat",
            {"name": "Heat", "heater": "switch.ac", "target_sensor": "sensor.outside_temperature", "ac_mode": False}
            | {"cold_tolerance": 0.3, "hot_tolerance": 0.3},
            1,
            "climate.ac_heat",
            Makeup(
                kind="generic_thermostat",
                deeds={WHATEVER: (Deed(entity_id="switch.ac", verbs=("turn_on", "turn_off")),)},
            ),
            id="thermostat",
        ),
    ],
)  # fmt: skip
async def test_helpers(
    hass: HomeAssistant,
    home: MockConfigEntry,
    domain: str,
    options: Options,
    version: int,
    entity_id: str,
    expected: Makeup,
) -> None:
    """Helpers are known as what they stand for (R5)."""
    await add_helper(hass, domain, options, version)
    assert replace(reader_of(home).of(entity_id), digest="") == expected


async def test_old_group(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A ``group.*`` of the old kind is called as its members, and follows when these change."""
    members = {"object_id": "downstairs", "entities": ["light.bed_light"]}
    await hass.services.async_call("group", "set", members, blocking=True)
    reader = reader_of(home)
    assert reader.of("group.downstairs") == Makeup(kind="group", members=("light.bed_light",), as_members=True)
    before = reader.revision
    more = {"object_id": "downstairs", "add_entities": ["lock.front_door"]}
    await hass.services.async_call("group", "set", more, blocking=True)
    assert set(reader.of("group.downstairs").members) == {"light.bed_light", "lock.front_door"}
    assert reader.revision > before


@pytest.mark.parametrize(
    ("attributes", "members"),
    [
        pytest.param({"entity_id": ["light.a", "light.b"]}, ("light.a", "light.b"), id="lists its members"),
        pytest.param({"entity_id": ("light.a",)}, ("light.a",), id="lists them in a tuple"),
        pytest.param({"group_entities": ["light.a"]}, ("light.a",), id="lists them under the newer name"),
        pytest.param({"entity_id": []}, (), id="empty list"),
        pytest.param({"entity_id": "light.a"}, (), id="one id is no list"),
        pytest.param({}, (), id="nothing"),
    ],
)
async def test_members_in_attributes(
    hass: HomeAssistant, home: MockConfigEntry, attributes: Options, members: tuple[str, ...]
) -> None:
    """An integration's own group shows in its attributes."""
    hass.states.async_set("light.several", "on", attributes)
    assert reader_of(home).of("light.several").members == members


SCENES = {
    "scene": [
        {
            "name": "Away",
            "entities": {"lock.front_door": "unlocked", "light.bed_light": {"state": "on", "brightness": 9}},
        }
    ]
}


async def test_scene(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A scene is what it takes to bring its entities into their states."""
    assert await async_setup_component(hass, "scene", SCENES)
    await hass.async_block_till_done()
    found = targets(reader_of(home).of("scene.away"), "activate")
    assert ("lock.front_door", ("unlock",)) in found
    assert {entity_id for entity_id, _ in found} == {"lock.front_door", "light.bed_light"}


async def test_scene_of_an_integration(
    hass: HomeAssistant, home: MockConfigEntry, entity_registry: er.EntityRegistry
) -> None:
    """A bridge's own scene is bounded by what the bridge has; one without an entry cannot be read."""
    bridge = MockConfigEntry(domain="hue")
    bridge.add_to_hass(hass)
    for domain, unique_id in (("light", "1"), ("lock", "2"), ("sensor", "3"), ("scene", "4"), ("scene", "5")):
        entity_registry.async_get_or_create(
            domain, "hue", unique_id, config_entry=bridge, suggested_object_id="hue_" + unique_id
        )
    entity_registry.async_get_or_create(
        "switch", "hue", "6", config_entry=bridge, suggested_object_id="inner", entity_category=EntityCategory.CONFIG
    )
    made = reader_of(home).of("scene.hue_4")
    assert made.deeds == {}
    found = {(deed.entity_id, deed.verbs) for deed in made.bound}
    assert {entity_id for entity_id, _ in found} - {"sensor.hue_3"} == {"light.hue_1", "lock.hue_2"}
    assert ("lock.hue_2", ("unlock", "lock", "open")) in found
    entity_registry.async_get_or_create("light", "hue", "7", config_entry=bridge)
    await hass.async_block_till_done()
    assert reader_of(home).of("scene.hue_4").digest == made.digest
    entity_registry.async_get_or_create(
        "lock", "hue", "8", config_entry=bridge, disabled_by=er.RegistryEntryDisabler.USER, suggested_object_id="off"
    )
    await hass.async_block_till_done()
    again = reader_of(home).of("scene.hue_4")
    assert "lock.off" in {deed.entity_id for deed in again.bound}
    assert again.digest != made.digest
    hass.states.async_set("scene.loose", "unknown")
    assert targets(reader_of(home).of("scene.loose"), "activate") == {(None, ())}


@pytest.mark.parametrize("platform", ["command_line", "rest", "pyscript", "nodered"])
async def test_written_elsewhere(
    hass: HomeAssistant, home: MockConfigEntry, entity_registry: er.EntityRegistry, platform: str
) -> None:
    """What the owner wrote where Home Assistant does not see it cannot be read."""
    entity_registry.async_get_or_create("switch", platform, "1", suggested_object_id="written")
    assert targets(reader_of(home).of("switch.written")) == {(None, ())}


@pytest.mark.parametrize(
    ("other", "device_class", "expected"),
    [
        pytest.param("cover", "garage", {("cover.other", ("open", "close"))}, id="garage door"),
        pytest.param("cover", None, {("cover.other", ("open", "close"))}, id="cover that could be anything"),
        pytest.param("cover", "blind", set(), id="blind"),
        pytest.param("lock", None, {("lock.other", ("unlock", "lock", "open"))}, id="lock"),
        pytest.param("valve", None, {("valve.other", ("open", "close"))}, id="valve"),
        pytest.param("alarm_control_panel", None, {("alarm_control_panel.other", ("disarm", "arm_away"))}, id="alarm"),
        pytest.param("light", None, set(), id="lamp"),
    ],
)
@pytest.mark.parametrize("relay", ["switch", "button", "select", "number", "text", "remote", "sensor"])
async def test_relay_on_the_same_device(
    hass: HomeAssistant,
    home: MockConfigEntry,
    entity_registry: er.EntityRegistry,
    relay: str,
    other: str,
    device_class: str | None,
    expected: set[tuple[str, tuple[str, ...]]],
) -> None:
    """A relay that sits on the device of a lock, gate or alarm may well move it."""
    device_id = entity_registry.entities["light.kitchen_lights"].device_id
    for domain, name, kind in ((relay, "relay", None), (other, "other", device_class)):
        entity_registry.async_get_or_create(
            domain,
            "test",
            name,
            suggested_object_id=name,
            device_id=device_id,
            config_entry=home,
            original_device_class=kind,
        )
    assert targets(reader_of(home).of(f"{relay}.relay")) == (set() if relay == "sensor" else expected)


async def with_script(hass: HomeAssistant, *steps: Options) -> None:
    """A script."""
    assert await async_setup_component(
        hass, "script", {"script": {"night": {"alias": "Night", "sequence": list(steps)}}}
    )
    await hass.async_block_till_done()


async def test_script_and_its_reload(
    hass: HomeAssistant, home: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script is what it does now, also after a reload."""
    await with_script(hass, {"delay": 1})
    reader = reader_of(home)
    assert targets(reader.of("script.night"), "run") == set()
    changed = {"script": {"night": {"alias": "Night", "sequence": [UNLOCK]}}}
    monkeypatch.setattr("homeassistant.config.load_yaml_config_file", lambda *_, **__: changed)
    await hass.services.async_call("script", "reload", blocking=True)
    await hass.async_block_till_done()
    assert targets(reader.of("script.night"), "run") == {("lock.front_door", ("unlock",))}
    hass.states.async_set("script.unloaded", "off")
    assert targets(reader.of("script.unloaded"), WHATEVER) == {(None, ())}


async def test_floor_of_an_area(
    hass: HomeAssistant, home: MockConfigEntry, area_registry: ar.AreaRegistry, floor_registry: fr.FloorRegistry
) -> None:
    """What is on a floor is read anew when a room is moved to it."""
    floor = floor_registry.async_create("Ground")
    await with_script(hass, {"action": "cover.open_cover", "target": {"floor_id": floor.floor_id}})
    reader = reader_of(home)
    assert targets(reader.of("script.night"), "run") == set()
    garage = area_registry.async_get_area_by_name("Garage")
    assert garage is not None
    area_registry.async_update(garage.id, floor_id=floor.floor_id)
    await hass.async_block_till_done()
    assert targets(reader.of("script.night"), "run") == {("cover.garage_door", ("open",))}


async def test_automation_switched(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """What an automation does counts while it is on; what cannot be read counts only behind what starts things."""
    triggers = [{"trigger": "state", "entity_id": ["light.bed_light", "switch.ac"]}]
    automation = {"id": "a", "alias": "Trap", "triggers": triggers, "actions": [UNLOCK, {"event": "x"}]}
    assert await async_setup_component(hass, "automation", {"automation": [automation]})
    await hass.async_block_till_done()
    reader = reader_of(home)
    assert targets(reader.of("light.bed_light")) == {("lock.front_door", ("unlock",))}
    assert targets(reader.of("switch.ac")) == {("lock.front_door", ("unlock",)), (None, ())}
    await hass.services.async_call("automation", "turn_off", {"entity_id": "automation.trap"}, blocking=True)
    await hass.async_block_till_done()
    assert reader.of("light.bed_light") == PLAIN


async def test_kept_until_something_changes(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A state that changes does not make anything be read anew, coming and going does."""
    reader = reader_of(home)
    hass.states.async_set("light.new", "on")
    before, kept = reader.revision, reader.of("light.bed_light")
    hass.states.async_set("light.new", "off", {"brightness": 4})
    assert reader.revision == before
    assert reader.of("light.bed_light") is kept
    hass.states.async_remove("light.new")
    assert reader.revision == before + 1
