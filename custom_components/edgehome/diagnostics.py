"""What a bug report may contain: the owner's choices and counts, no names of people, no secrets (R12)."""

from typing import Any

from homeassistant.components.diagnostics import async_redact_data
from homeassistant.core import HomeAssistant

from .const import CONF_USER_ID, SUBENTRY_AGENT, SUBENTRY_APPROVER
from .data import EdgeHomeConfigEntry


async def async_get_config_entry_diagnostics(hass: HomeAssistant, entry: EdgeHomeConfigEntry) -> dict[str, Any]:
    """The entry's diagnostics."""
    data = entry.runtime_data
    return {
        "options": dict(entry.options),
        "lockdown": data.lockdown.engaged,
        "policy": data.house.settings.policy.digest,
        "agents": [
            {
                "title": subentry.title,
                **async_redact_data(subentry.data, {CONF_USER_ID}),
            }
            for subentry in entry.get_subentries_of_type(SUBENTRY_AGENT)
        ],
        "approvers": [
            async_redact_data(subentry.data, {CONF_USER_ID})
            for subentry in entry.get_subentries_of_type(SUBENTRY_APPROVER)
        ],
        "nameable": len(data.house.nameable(())),
    }
