"""Set-up and options."""

from typing import Any

import pytest
from homeassistant.config_entries import SOURCE_USER, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.const import DOMAIN
from tests.real_home import AgentAccess, Doors, proposing

APPROVALS = {"seconds": 120, "escalate_after": 30, "two_people": False}
SECTIONS = {"approvals", "exposure", "flags"}
ASSIST: dict[str, object] = {"source": "assist", "entities": [], "areas": [], "labels": [], "domains": []}
FLAGS = {"template": "block", "control": "block", "backend": "block", "injection": "note"}


async def begin(hass: HomeAssistant) -> Any:
    """Opens the set-up form."""
    return await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})


async def open_options(hass: HomeAssistant, entry: MockConfigEntry) -> Any:
    """Opens the settings."""
    menu = await hass.config_entries.options.async_init(entry.entry_id)
    assert menu["menu_options"] == ["settings", "rules", "preset", "versions", "document"]
    return await hass.config_entries.options.async_configure(menu["flow_id"], {"next_step_id": "settings"})


async def choose(hass: HomeAssistant, entry: MockConfigEntry, options: dict[str, object]) -> Any:
    """Fills the options in."""
    form = await open_options(hass, entry)
    result = await hass.config_entries.options.async_configure(form["flow_id"], options)
    await hass.async_block_till_done()
    return result


def defaults(form: Any) -> dict[str, object]:
    """What a form proposes, its sections aside."""
    return {str(key): key.default() for key in form["data_schema"].schema if str(key) not in SECTIONS}


def section_of(form: Any, name: str) -> dict[str, object]:
    """What a section of a form proposes."""
    section = form["data_schema"].schema[name]
    assert section.options == {"collapsed": True}
    return {str(key): key.default() for key in section.schema.schema}


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param({"preset": "strict", "automations": False}, id="strict"),
        pytest.param({"preset": "balanced", "automations": True}, id="balanced, with automations"),
        pytest.param({"preset": "watch", "automations": False}, id="to watch"),
    ],
)
@pytest.mark.usefixtures("config_folder", "core")
async def test_set_up(hass: HomeAssistant, chosen: dict[str, object]) -> None:
    """One form, then EdgeHome is loaded with what was chosen."""
    form = await begin(hass)
    assert (form["type"], form["step_id"]) == (FlowResultType.FORM, "user")
    assert defaults(form) == {"preset": "strict", "automations": False}
    made = await hass.config_entries.flow.async_configure(form["flow_id"], chosen)
    await hass.async_block_till_done()
    assert (made["type"], made["title"], made["data"], made["options"]) == (
        FlowResultType.CREATE_ENTRY,
        "EdgeHome",
        {},
        {**chosen, "preset": "strict", "watch": True} if chosen["preset"] == "watch" else chosen,
    )
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    assert entry.state is ConfigEntryState.LOADED
    assert entry.runtime_data.house.policy().name == made["options"]["preset"]
    assert entry.runtime_data.house.watching() is (chosen["preset"] == "watch")
    assert entry.runtime_data.house.settings.automations is chosen["automations"]


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param({"preset": "lenient", "automations": False}, id="no such preset"),
        pytest.param({"preset": None, "automations": False}, id="no preset"),
        pytest.param({"preset": ["strict"], "automations": False}, id="a list"),
        pytest.param({"preset": "strict", "automations": False, "flags": {}}, id="a field of another form"),
    ],
)
@pytest.mark.usefixtures("config_folder", "enable_custom_integrations")
async def test_set_up_takes_only_what_it_offers(hass: HomeAssistant, chosen: dict[str, object]) -> None:
    """What the form does not offer is not taken."""
    form = await begin(hass)
    with pytest.raises(InvalidData):
        await hass.config_entries.flow.async_configure(form["flow_id"], chosen)
    assert hass.config_entries.async_entries(DOMAIN) == []


async def test_single_entry(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """There is one door."""
    result = await begin(hass)
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "single_instance_allowed")


async def test_options_form(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """The options show what is in force, approvals and flags in sections that are closed."""
    form = await open_options(hass, entry)
    assert (form["type"], form["step_id"]) == (FlowResultType.FORM, "settings")
    assert defaults(form) == {"automations": True, "watch": False}
    assert section_of(form, "approvals") == APPROVALS
    assert section_of(form, "exposure") == ASSIST
    assert section_of(form, "flags") == FLAGS


async def test_options_take_effect_at_once(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors
) -> None:
    """What the owner chose is in force from now on, and the form shows it so the next time."""
    odd = proposing("status", "Hvac") | {"reason": "see {{ states }}"}
    assert (await doors.ask(agent.token, "execute", odd))["code"] == "TEMPLATE_TEXT"
    options = {
        "automations": False,
        "watch": True,
        "approvals": {"seconds": 45, "escalate_after": 0, "two_people": True},
        "exposure": ASSIST,
        "flags": {**FLAGS, "template": "note"},
    }
    result = await choose(hass, home, options)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert dict(home.options) == {**options, "preset": "strict"}
    assert (await doors.ask(agent.token, "execute", odd))["code"] == "STATUS"
    assert home.runtime_data.house.policy().name == "strict"
    assert home.runtime_data.house.watching()
    settings = home.runtime_data.questions.settings
    assert settings is home.runtime_data.house.settings
    assert (settings.seconds, settings.escalate_after, settings.two_people) == (45, 0, True)
    form = await open_options(hass, home)
    assert defaults(form) == {"automations": False, "watch": True}
    assert section_of(form, "approvals") == options["approvals"]
    assert section_of(form, "flags") == options["flags"]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"preset": "balanced"}, id="the policy has forms of its own"),
        pytest.param({"flags": FLAGS | {"template": "allow"}}, id="no verdict"),
        pytest.param({"flags": FLAGS | {"other": "note"}}, id="no such flag"),
        pytest.param({"approvals": APPROVALS | {"seconds": 9}}, id="a question too short"),
        pytest.param({"approvals": APPROVALS | {"seconds": 901}}, id="a question too long"),
        pytest.param({"approvals": APPROVALS | {"seconds": None}}, id="a question without an end"),
        pytest.param({"approvals": APPROVALS | {"escalate_after": -1}}, id="the next approver before the first"),
        pytest.param({"approvals": APPROVALS | {"escalate_after": 301}}, id="the next approver too late"),
        pytest.param({"approvals": APPROVALS | {"anybody": True}}, id="no such choice"),
    ],
)
async def test_options_take_only_what_they_offer(
    hass: HomeAssistant, entry: MockConfigEntry, changes: dict[str, object]
) -> None:
    """What the form does not offer is not taken and changes nothing."""
    before = dict(entry.options)
    offered = {"watch": False, "automations": False, "approvals": APPROVALS, "flags": FLAGS}
    with pytest.raises(InvalidData):
        await choose(hass, entry, offered | changes)
    assert dict(entry.options) == before
