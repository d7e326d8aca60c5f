"""What all tests share."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from homeassistant.auth.providers.homeassistant import HassAuthProvider
from homeassistant.const import CONF_NAME, Platform  # noqa: F401  # imported first: it replaces voluptuous and httpx
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator, WebSocketGenerator

import custom_components.edgehome  # noqa: F401  # so that Home Assistant finds ours, not the plugin's folder
from custom_components.edgehome.const import CONF_AUTOMATIONS, CONF_PRESET, DOMAIN
from tests.real_home import ROOMS, AgentAccess, Doors, add_agent, furnish, owner_token


@pytest.fixture
def config_folder(hass: HomeAssistant, tmp_path: Path) -> Path:
    """A configuration folder of this test alone: the evidence is a real file."""
    hass.config.config_dir = str(tmp_path)
    return tmp_path


@pytest.fixture
async def core(hass: HomeAssistant, enable_custom_integrations: None) -> None:
    """What Home Assistant sets up before anything else; ours is found."""
    assert await async_setup_component(hass, "homeassistant", {})


@pytest.fixture
async def entry(hass: HomeAssistant, config_folder: Path, core: None) -> MockConfigEntry:
    """EdgeHome, loaded with the strict preset and automations allowed."""
    entry = MockConfigEntry(domain=DOMAIN, title="EdgeHome", options={CONF_PRESET: "strict", CONF_AUTOMATIONS: True})
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return entry


@pytest.fixture
def fast_demo() -> Iterator[None]:
    """The demo integration with the platforms of the catalogue only; its locks work at once."""
    platforms = [Platform.LIGHT, Platform.SWITCH, Platform.COVER, Platform.LOCK, Platform.CLIMATE]
    with (
        patch("homeassistant.components.demo.COMPONENTS_WITH_CONFIG_ENTRY_DEMO_PLATFORM", platforms),
        patch("homeassistant.components.demo.lock.LOCK_UNLOCK_DELAY", 0),
    ):
        yield


@pytest.fixture
async def home(hass: HomeAssistant, entry: MockConfigEntry, fast_demo: None) -> MockConfigEntry:
    """EdgeHome in a house with rooms and exposed demo devices (``real_home.ROOMS``)."""
    await furnish(hass, ROOMS)
    return entry


@pytest.fixture
async def agent(hass: HomeAssistant, home: MockConfigEntry) -> AgentAccess:
    """A registered agent without limits."""
    return await add_agent(hass, home)


@pytest.fixture
async def owner(hass: HomeAssistant, entry: MockConfigEntry, local_auth: HassAuthProvider) -> str:
    """An access token of the owner's own frontend."""
    return await owner_token(hass)


@pytest.fixture
async def doors(hass: HomeAssistant, hass_client: ClientSessionGenerator, hass_ws_client: WebSocketGenerator) -> Doors:
    """The real REST and websocket doors."""
    assert await async_setup_component(hass, "api", {})
    assert await async_setup_component(hass, "websocket_api", {})
    return Doors(hass_client, hass_ws_client)
