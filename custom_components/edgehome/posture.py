"""Ways round the door: what an agent's token could reach past EdgeHome in this home, told to the owner as a repair.

Home Assistant checks a user's rights on entities only. Any token, also one without rights, may call actions that are
registered plainly (``helpers/service.py``). Those that run what the owner wrote outside of entities are named here; and
the conversation agents that have other tools beside EdgeHome's.
"""

from homeassistant.const import CONF_LLM_HASS_API
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from .const import DOMAIN

OPEN_WAYS, TOOLS_BESIDE = "open_ways", "tools_beside"
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


def tools_beside(hass: HomeAssistant) -> list[str]:
    """The conversation agents and the like to which the owner gave EdgeHome's tools and others, by name."""
    found = []
    for entry in hass.config_entries.async_entries():
        settings = [(entry.title, {**entry.data, **entry.options})]
        settings += [(subentry.title, dict(subentry.data)) for subentry in entry.subentries.values()]
        for title, chosen in settings:
            apis = chosen.get(CONF_LLM_HASS_API)
            own = [str(api).startswith(f"{DOMAIN}-") for api in apis] if isinstance(apis, list) else []
            if any(own) and not all(own):
                found.append(title)
    return sorted(found)


@callback
def async_check(hass: HomeAssistant, *, has_agents: bool) -> None:
    """Tells the owner while there is an agent and a way round; takes it back when either is gone."""
    _tell(hass, OPEN_WAYS, "actions", open_ways(hass) if has_agents else [])
    _tell(hass, TOOLS_BESIDE, "names", tools_beside(hass) if has_agents else [])


def _tell(hass: HomeAssistant, issue_id: str, placeholder: str, what: list[str]) -> None:
    if not what:
        ir.async_delete_issue(hass, DOMAIN, issue_id)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        issue_id,
        is_fixable=False,
        severity=ir.IssueSeverity.WARNING,
        translation_key=issue_id,
        translation_placeholders={placeholder: ", ".join(what)},
    )
