"""Ways round the door are told to the owner while there are agents."""

import pytest
from homeassistant.config_entries import ConfigSubentryData
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import issue_registry as ir
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.const import DOMAIN
from custom_components.edgehome.posture import OPEN_WAYS, TOOLS_BESIDE, async_check, open_ways, tools_beside
from tests.real_home import add_agent


async def nothing(_: ServiceCall) -> None:
    """An action that does nothing."""


@pytest.mark.parametrize(
    ("services", "ways"),
    [
        pytest.param((), [], id="none"),
        pytest.param(("shell_command.reload",), [], id="reloading is harmless"),
        pytest.param(("light.turn_on", "script.goodnight"), [], id="actions on entities"),
        pytest.param(
            ("shell_command.b", "shell_command.a"), ["shell_command.a", "shell_command.b"], id="shell commands"
        ),
        pytest.param(
            ("rest_command.call", "python_script.x", "pyscript.y", "hassio.host_shutdown", "shell_command.reload"),
            ["python_script.x", "pyscript.y", "rest_command.call", "hassio.host_shutdown"],
            id="one of each",
        ),
    ],
)
async def test_open_ways(hass: HomeAssistant, services: tuple[str, ...], ways: list[str]) -> None:
    """The actions that any token may call and that can do anything."""
    for domain, service in (name.split(".") for name in services):
        hass.services.async_register(domain, service, nothing)
    assert open_ways(hass) == ways


async def test_issue(hass: HomeAssistant, issue_registry: ir.IssueRegistry) -> None:
    """The repair names the actions; it is taken back with the last agent or the last way."""
    hass.services.async_register("shell_command", "backup", nothing)
    async_check(hass, has_agents=False)
    assert issue_registry.async_get_issue(DOMAIN, OPEN_WAYS) is None
    async_check(hass, has_agents=True)
    issue = issue_registry.async_get_issue(DOMAIN, OPEN_WAYS)
    assert issue is not None
    assert (issue.translation_key, issue.translation_placeholders) == (OPEN_WAYS, {"actions": "shell_command.backup"})
    assert (issue.severity, issue.is_fixable) == (ir.IssueSeverity.WARNING, False)
    hass.services.async_remove("shell_command", "backup")
    async_check(hass, has_agents=True)
    assert issue_registry.async_get_issue(DOMAIN, OPEN_WAYS) is None


async def test_agents_come_and_go(
    hass: HomeAssistant, entry: MockConfigEntry, issue_registry: ir.IssueRegistry
) -> None:
    """The first agent brings the repair, the last one takes it along, and so does removing EdgeHome."""
    hass.services.async_register("shell_command", "backup", nothing)
    assert await hass.config_entries.async_reload(entry.entry_id)
    assert issue_registry.async_get_issue(DOMAIN, OPEN_WAYS) is None
    agent = await add_agent(hass, entry)
    assert issue_registry.async_get_issue(DOMAIN, OPEN_WAYS) is not None
    hass.config_entries.async_remove_subentry(entry, agent.id)
    await hass.async_block_till_done()
    assert issue_registry.async_get_issue(DOMAIN, OPEN_WAYS) is None
    await add_agent(hass, entry, "Apollo")
    assert await hass.config_entries.async_reload(entry.entry_id)
    assert issue_registry.async_get_issue(DOMAIN, OPEN_WAYS) is not None
    await hass.config_entries.async_remove(entry.entry_id)
    await hass.async_block_till_done()
    assert issue_registry.async_get_issue(DOMAIN, OPEN_WAYS) is None


@pytest.mark.parametrize(
    ("apis", "is_beside"),
    [
        pytest.param(None, False, id="none chosen"),
        pytest.param("assist", False, id="in an old form"),
        pytest.param(["assist"], False, id="without EdgeHome"),
        pytest.param(["edgehome-01abc"], False, id="EdgeHome alone"),
        pytest.param(["edgehome-01abc", "edgehome-02abc"], False, id="two of EdgeHome's"),
        pytest.param(["edgehome-01abc", "assist"], True, id="Assist beside it"),
    ],
)
@pytest.mark.parametrize("where", ["data", "options", "subentry"])
async def test_tools_beside(hass: HomeAssistant, apis: object, is_beside: bool, where: str) -> None:
    """A conversation agent with other tools beside EdgeHome's is named, wherever its integration keeps the choice."""
    chosen = {"llm_hass_api": apis}
    subentry = ConfigSubentryData(data=chosen, subentry_type="conversation", title="Model", unique_id=None)
    kept = {"subentries_data": [subentry]} if where == "subentry" else {where: chosen}
    MockConfigEntry(domain="made", title="Model", **kept).add_to_hass(hass)
    assert tools_beside(hass) == (["Model"] if is_beside else [])


async def test_tools_come_and_go(hass: HomeAssistant, entry: MockConfigEntry, issue_registry: ir.IssueRegistry) -> None:
    """The repair follows what the owner chooses, while there are agents."""
    model = MockConfigEntry(domain="made", title="Model", options={"llm_hass_api": ["edgehome-01abc", "assist"]})
    model.add_to_hass(hass)
    await add_agent(hass, entry)
    issue = issue_registry.async_get_issue(DOMAIN, TOOLS_BESIDE)
    assert issue is not None
    assert issue.translation_placeholders == {"names": "Model"}
    hass.config_entries.async_update_entry(model, options={"llm_hass_api": ["edgehome-01abc"]})
    await hass.async_block_till_done()
    assert issue_registry.async_get_issue(DOMAIN, TOOLS_BESIDE) is None
    hass.config_entries.async_update_entry(model, options={"llm_hass_api": ["edgehome-01abc", "llm"]})
    await hass.async_block_till_done()
    assert issue_registry.async_get_issue(DOMAIN, TOOLS_BESIDE) is not None
