"""Ways round the door: what an agent's token could reach past EdgeHome in this home, told to the owner as a repair.

Home Assistant checks a user's rights on entities only. Any token, also one without rights, may call actions that are
registered plainly (``helpers/service.py``). Those that run what the owner wrote outside of entities are named here.
"""

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from .const import DOMAIN

OPEN_WAYS = "open_ways"
DOMAINS = ("shell_command", "python_script", "pyscript", "rest_command", "hassio")
"""Domains whose actions any token may call and that reach past entities."""


def open_ways(hass: HomeAssistant) -> list[str]:
    """The actions of this home that any token may call and that can do anything."""
    return [
        f"{domain}.{service}"
        for domain in DOMAINS
        for service in sorted(hass.services.async_services_for_domain(domain))
        if service != "reload"
    ]


@callback
def async_check(hass: HomeAssistant, *, has_agents: bool) -> None:
    """Tells the owner while there is an agent and a way round; takes it back when either is gone."""
    ways = open_ways(hass) if has_agents else []
    if not ways:
        ir.async_delete_issue(hass, DOMAIN, OPEN_WAYS)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        OPEN_WAYS,
        is_fixable=False,
        severity=ir.IssueSeverity.WARNING,
        translation_key=OPEN_WAYS,
        translation_placeholders={"actions": ", ".join(ways)},
    )
