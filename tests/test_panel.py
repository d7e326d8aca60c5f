"""The page in the sidebar: there where a frontend is, once, and gone with EdgeHome."""

from unittest.mock import patch

from homeassistant.components import frontend
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.panel import async_hide, async_show


async def test_without_a_frontend(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """A home without a frontend has no sidebar, and nothing to take out of it."""
    await async_show(hass)
    assert "edgehome" not in hass.data.get(frontend.DATA_PANELS, {})
    async_hide(hass)


async def test_shown_and_hidden(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """Everybody sees the page; its module comes from EdgeHome itself, of this version."""
    hass.config.components.add(frontend.DOMAIN)
    with patch("custom_components.edgehome.panel.async_get_integration") as integration:
        integration.return_value.version = "1.2.3"
        await async_show(hass)
    panel = hass.data[frontend.DATA_PANELS]["edgehome"]
    assert (panel.component_name, panel.require_admin, panel.sidebar_title) == ("custom", False, "EdgeHome")
    module = panel.config["_panel_custom"] if panel.config else {}
    assert (module["name"], module["module_url"]) == ("edgehome-inbox", "/edgehome_static/inbox.js?v=1.2.3")
    assert (module["trust_external"], module["embed_iframe"]) == (False, False)
    async_hide(hass)
    assert "edgehome" not in hass.data[frontend.DATA_PANELS]
    async_hide(hass)
