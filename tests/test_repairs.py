"""The list that the owner looks through once, as a repair of Home Assistant."""

from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.const import DOMAIN
from custom_components.edgehome.home.exposure import ASSISTANT
from custom_components.edgehome.home.owners_words import key_of
from custom_components.edgehome.home.vetting import config_hash
from custom_components.edgehome.repairs import LOOK_THROUGH, async_create_fix_flow, async_look_through
from tests.home.test_review import with_scripts

WINDOW, OTHER, SWITCH, ODD = (
    "cover.kitchen_window",
    "cover.living_room_window",
    "switch.decorative_lights",
    "script.odd",
)


@pytest.fixture
async def listed(hass: HomeAssistant, home: MockConfigEntry) -> MockConfigEntry:
    """A home with a list."""
    assert await async_setup_component(hass, "repairs", {})
    await with_scripts(hass)
    async_look_through(hass, home)
    return home


def issue(hass: HomeAssistant) -> ir.IssueEntry | None:
    """What the owner is told."""
    return ir.async_get(hass).async_get_issue(DOMAIN, LOOK_THROUGH)


async def answered(hass: HomeAssistant, entry: MockConfigEntry, sent: dict[str, Any] | None) -> Any:
    """The owner opens the form, and sends it."""
    flow = await async_create_fix_flow(hass, LOOK_THROUGH, {"entry_id": entry.entry_id})
    flow.hass = hass
    result = await flow.async_step_init(sent)  # type: ignore[attr-defined]  # the flow's only step
    await hass.async_block_till_done()
    return result


def words(entry: MockConfigEntry) -> dict[str, dict[str, Any]]:
    """What the owner has said, by key."""
    return {item.data["entity"]: dict(item.data) for item in entry.subentries.values()}


async def test_issue(hass: HomeAssistant, listed: MockConfigEntry) -> None:
    """The owner is told how many there are, and can mend it by a form."""
    found = issue(hass)
    assert found is not None
    assert (found.is_fixable, found.translation_placeholders) == (True, {"count": "4"})


async def test_form(hass: HomeAssistant, listed: MockConfigEntry) -> None:
    """Covers are asked about as covers, the rest by its danger, and what cannot be read to be vetted."""
    form = await answered(hass, listed, None)
    assert form["type"] is FlowResultType.FORM
    offered = {str(key): list(field.config["include_entities"]) for key, field in form["data_schema"].schema.items()}
    covers = [WINDOW, OTHER]
    assert offered == {"blinds": covers, "gates": covers, "harmless": [SWITCH], "serious": [SWITCH], "vet": [ODD]}


@pytest.mark.parametrize(
    ("sent", "entity_id", "said"),
    [
        pytest.param({"blinds": [WINDOW]}, WINDOW, {"device_type": "blind"}, id="a blind"),
        pytest.param({"gates": [OTHER]}, OTHER, {"device_type": "gate"}, id="a gate"),
        pytest.param({"harmless": [SWITCH]}, SWITCH, {"risk": 1}, id="harmless"),
        pytest.param({"serious": [SWITCH]}, SWITCH, {"risk": 4}, id="serious"),
    ],
)
async def test_said(
    hass: HomeAssistant, listed: MockConfigEntry, sent: dict[str, Any], entity_id: str, said: dict[str, Any]
) -> None:
    """What is chosen becomes the owner's word for the entity; the rest is not listed again."""
    assert (await answered(hass, listed, sent))["type"] is FlowResultType.CREATE_ENTRY
    key = key_of(hass, entity_id)
    assert words(listed) == {key: {"entity": key, "aliases": [], "operations": [], **said}}
    assert len(listed.options["seen"]) == 4
    assert issue(hass) is None


async def test_vetted(hass: HomeAssistant, listed: MockConfigEntry) -> None:
    """What is ticked is vetted as it is now."""
    await answered(hass, listed, {"vet": [ODD]})
    record = listed.runtime_data.house.device(ODD)
    assert record.vetted
    key = key_of(hass, ODD)
    assert words(listed)[key]["vetted"] == config_hash(listed.runtime_data.makeups, ODD)


async def test_nothing_chosen(hass: HomeAssistant, listed: MockConfigEntry) -> None:
    """Looking is enough: nothing changes, and nothing is listed again until something new comes."""
    await answered(hass, listed, {})
    assert words(listed) == {}
    assert issue(hass) is None
    async_expose_entity(hass, ASSISTANT, "cover.hall_window", should_expose=True)
    await hass.async_block_till_done()
    found = issue(hass)
    assert found is not None
    assert found.translation_placeholders == {"count": "1"}
    async_expose_entity(hass, ASSISTANT, "cover.hall_window", should_expose=False)
    await hass.async_block_till_done()
    assert issue(hass) is None


async def test_said_meanwhile(hass: HomeAssistant, listed: MockConfigEntry) -> None:
    """What the owner has said by another form while this one was open does not break it."""
    await answered(hass, listed, {"serious": [SWITCH]})
    await answered(hass, listed, {"harmless": [SWITCH]})
    assert words(listed)[key_of(hass, SWITCH)]["risk"] == 4


async def test_not_loaded(hass: HomeAssistant, listed: MockConfigEntry) -> None:
    """Without a loaded EdgeHome there is nothing to mend."""
    assert await hass.config_entries.async_unload(listed.entry_id)
    async_look_through(hass, listed)
    assert (await answered(hass, listed, None))["reason"] == "not_loaded"
    flow = await async_create_fix_flow(hass, LOOK_THROUGH, None)
    flow.hass = hass
    assert (await flow.async_step_init(None))["reason"] == "not_loaded"  # type: ignore[attr-defined]  # its only step


async def test_options_keep_what_was_seen(hass: HomeAssistant, listed: MockConfigEntry) -> None:
    """Changing the options does not bring the list back."""
    await answered(hass, listed, {})
    seen = listed.options["seen"]
    menu = await hass.config_entries.options.async_init(listed.entry_id)
    form = await hass.config_entries.options.async_configure(menu["flow_id"], {"next_step_id": "settings"})
    flags = {"template": "block", "control": "block", "backend": "block", "injection": "note"}
    approvals = {"seconds": 120, "escalate_after": 30, "two_people": False}
    sent = {"watch": False, "automations": True, "approvals": approvals, "flags": flags}
    await hass.config_entries.options.async_configure(form["flow_id"], sent)
    await hass.async_block_till_done()
    assert listed.options["seen"] == seen
    assert issue(hass) is None
