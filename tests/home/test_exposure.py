"""What agents may name: Assist's list, or EdgeHome's own."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import label_registry as lr
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.home.exposure import FOLLOWS_ASSIST, OWN, Exposure, copied
from tests.real_home import EXPOSED

LAMP, LOCK, OFFICE = "light.kitchen_lights", "lock.front_door", "light.office_rgbw_lights"


async def opened(hass: HomeAssistant, entry: MockConfigEntry) -> Any:
    """The form of the settings."""
    menu = await hass.config_entries.options.async_init(entry.entry_id)
    return await hass.config_entries.options.async_configure(menu["flow_id"], {"next_step_id": "settings"})


async def choose(hass: HomeAssistant, entry: MockConfigEntry, **exposure: Any) -> None:
    """The owner's own choice, by the form."""
    form = await opened(hass, entry)
    sent = {
        "automations": True,
        "watch": False,
        "approvals": {"seconds": 120, "escalate_after": 30, "two_people": False},
        "flags": {"template": "block", "control": "block", "backend": "block", "injection": "note"},
        "exposure": {"source": OWN, **exposure},
    }
    await hass.config_entries.options.async_configure(form["flow_id"], sent)
    await hass.async_block_till_done()


def named(entry: MockConfigEntry) -> set[str]:
    """What agents may name now."""
    return {record.entity_id for record in entry.runtime_data.house.nameable(())}


async def test_assist(home: MockConfigEntry) -> None:
    """Until the owner says otherwise it is Assist's list."""
    assert named(home) == set(EXPOSED)
    assert Exposure.from_options({}) == FOLLOWS_ASSIST


@pytest.mark.parametrize(
    ("exposure", "inside", "outside"),
    [
        pytest.param({"entities": [LAMP, LOCK]}, {LAMP, LOCK}, {"light.bed_light", OFFICE}, id="entities"),
        pytest.param({"areas": ["kitchen"]}, {LAMP, "cover.kitchen_window"}, {LOCK, "light.bed_light"}, id="areas"),
        pytest.param({"domains": ["lock"]}, {LOCK, "lock.kitchen_door"}, {LAMP, OFFICE}, id="domains"),
        pytest.param({"entities": [OFFICE], "domains": ["lock"]}, {OFFICE, LOCK}, {LAMP}, id="any of them"),
    ],
)
async def test_own(
    hass: HomeAssistant, home: MockConfigEntry, exposure: dict[str, Any], inside: set[str], outside: set[str]
) -> None:
    """An own list is by entity, area and domain, whatever Assist exposes."""
    await choose(hass, home, **exposure)
    assert inside <= named(home)
    assert not outside & named(home)


@pytest.mark.parametrize("on", ["entity", "device"])
async def test_labels(
    hass: HomeAssistant,
    home: MockConfigEntry,
    label_registry: lr.LabelRegistry,
    entity_registry: er.EntityRegistry,
    device_registry: dr.DeviceRegistry,
    on: str,
) -> None:
    """A label of an entity or of its device."""
    label = label_registry.async_create("Agents")
    await choose(hass, home, labels=[label.label_id])
    assert named(home) == set()
    entry = entity_registry.entities[OFFICE]
    if on == "entity":
        entity_registry.async_update_entity(OFFICE, labels={label.label_id})
    else:
        assert entry.device_id
        device_registry.async_update_device(entry.device_id, labels={label.label_id})
    assert named(home) == {OFFICE}


async def test_kept_by_the_registrys_id(
    hass: HomeAssistant, home: MockConfigEntry, entity_registry: er.EntityRegistry
) -> None:
    """Renaming changes nothing, and another entity that takes the id over is not in the list."""
    await choose(hass, home, entities=[LAMP, LOCK])
    kept = home.options["exposure"]["entities"]
    assert kept == [entity_registry.entities[LAMP].id, LOCK]
    entity_registry.async_update_entity(LAMP, new_entity_id="light.galley")
    entity_registry.async_update_entity("light.bed_light", new_entity_id=LAMP)
    await hass.async_block_till_done()
    assert named(home) == {"light.galley", LOCK}
    form = await opened(hass, home)
    schema: Any = form["data_schema"]
    shown = schema.schema["exposure"].schema.schema
    assert next(key.default() for key in shown if key == "entities") == ["light.galley", LOCK]


async def test_starts_as_assists_list(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A first own list that says nothing is what Assist may name then; emptied later it is empty."""
    was = copied(hass)
    await choose(hass, home)
    assert home.options["exposure"]["entities"] == was
    assert named(home) == set(EXPOSED)
    await choose(hass, home, entities=[])
    assert named(home) == set()


async def test_edgehome_is_no_target(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Hidden things and EdgeHome's own stay out of every list (R4)."""
    await choose(hass, home, domains=["switch"])
    assert "switch.edgehome_lockdown" not in named(home)
    assert "switch.ac" in named(home)


async def test_area_of_the_device(
    hass: HomeAssistant, home: MockConfigEntry, area_registry: ar.AreaRegistry, entity_registry: er.EntityRegistry
) -> None:
    """An entity that is moved to another room leaves the list of the old one."""
    await choose(hass, home, areas=["kitchen"])
    assert LAMP in named(home)
    hall = area_registry.async_get_area_by_name("Hall")
    assert hall is not None
    entity_registry.async_update_entity(LAMP, name="Hall Lamp", area_id=hall.id)
    assert LAMP not in named(home)


async def test_options_without_the_section_keep_the_list(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Who changes other options without the section does not widen what agents may name."""
    await choose(hass, home, entities=[LAMP])
    form = await opened(hass, home)
    sent = {key: value for key, value in home.options.items() if key not in {"exposure", "seen", "preset"}}
    await hass.config_entries.options.async_configure(form["flow_id"], sent)
    await hass.async_block_till_done()
    assert named(home) == {LAMP}
