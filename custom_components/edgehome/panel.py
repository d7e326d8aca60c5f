"""The page in Home Assistant's sidebar: a plain module, shown to everybody, with data for approvers only."""

from pathlib import Path

from homeassistant.components import frontend, panel_custom
from homeassistant.components.http import StaticPathConfig  # type: ignore[attr-defined]  # meant to be imported from here
from homeassistant.core import HomeAssistant
from homeassistant.loader import async_get_integration

from .const import DOMAIN

_URL = "/edgehome_static"
_FOLDER = Path(__file__).parent / "frontend"


async def async_setup_static(hass: HomeAssistant) -> None:
    """Serves the module; once, for a path cannot be taken back."""
    await hass.http.async_register_static_paths([StaticPathConfig(_URL, str(_FOLDER), cache_headers=False)])


async def async_show(hass: HomeAssistant) -> None:
    """Puts the page into the sidebar, where there is a frontend."""
    if frontend.DOMAIN not in hass.config.components:
        return
    version = (await async_get_integration(hass, DOMAIN)).version
    await panel_custom.async_register_panel(
        hass,
        frontend_url_path=DOMAIN,
        webcomponent_name="edgehome-inbox",
        module_url=f"{_URL}/inbox.js?v={version}",
        sidebar_title="EdgeHome",
        sidebar_icon="mdi:shield-check",
        require_admin=False,
    )


def async_hide(hass: HomeAssistant) -> None:
    """Takes the page out of the sidebar."""
    if DOMAIN in hass.data.get(frontend.DATA_PANELS, {}):
        frontend.async_remove_panel(hass, DOMAIN)
