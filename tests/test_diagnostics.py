"""What a bug report contains, and what it must not (R12)."""

import json
from types import MappingProxyType

from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.policy.presets import STRICT
from tests.real_home import EXPOSED, AgentAccess, Doors, add_user


async def test_diagnostics(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, owner: str, doors: Doors
) -> None:
    """The file that the owner downloads: his choices and counts, no user id, no token."""
    assert await async_setup_component(hass, "diagnostics", {})
    await hass.async_block_till_done()
    client = await doors.rest_client(owner)
    response = await client.get(f"/api/diagnostics/config_entry/{home.entry_id}")
    assert response.status == 200
    data = json.loads(await response.text())["data"]
    (listed,) = data.pop("agents")
    assert listed.pop("expires_at")
    assert listed == {
        "title": "Hermes",
        "user_id": "**REDACTED**",
        "enabled": True,
        "local_only": True,
        "max_risk": 5,
        "areas": [],
        "requests_per_minute": 6000,
    }
    assert data == {
        "approvers": [],
        "options": {"preset": "strict", "automations": True},
        "lockdown": False,
        "policy": STRICT.digest,
        "nameable": len(EXPOSED),
    }


async def test_nothing_that_identifies(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, owner: str, doors: Doors
) -> None:
    """The whole file holds neither the agent's user nor its token nor the owner's."""
    assert await async_setup_component(hass, "diagnostics", {})
    await hass.async_block_till_done()
    client = await doors.rest_client(owner)
    text = await (await client.get(f"/api/diagnostics/config_entry/{home.entry_id}")).text()
    (person,) = [user.id for user in await hass.auth.async_get_users() if user.name == "Ada"]
    assert "edgehome" in text
    assert [secret for secret in (agent.user_id, agent.token, owner, person) if secret in text] == []


async def test_no_names_of_people(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, owner: str, doors: Doors
) -> None:
    """Approvers are people: neither their names nor their users are in the file, and they are no agents."""
    ben = await add_user(hass, "Benedicta")
    data = MappingProxyType({"user_id": ben.id, "max_risk": 4, "areas": [], "order": 1})
    approver = ConfigSubentry(data=data, subentry_type="approver", title="Benedicta", unique_id=ben.id)
    hass.config_entries.async_add_subentry(home, approver)
    assert await async_setup_component(hass, "diagnostics", {})
    await hass.async_block_till_done()
    client = await doors.rest_client(owner)
    data_shown = json.loads(await (await client.get(f"/api/diagnostics/config_entry/{home.entry_id}")).text())["data"]
    assert [listed["title"] for listed in data_shown["agents"]] == ["Hermes"]
    assert [secret for secret in ("Benedicta", ben.id) if secret in str(data_shown)] == []
