"""A house with somebody who may say yes, and the policy in a real file."""

from collections.abc import AsyncIterator
from importlib.util import find_spec, module_from_spec
from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.confirmation.household import GARAGE, Household, Person
from tests.real_home import OWN_URL, Doors


@pytest.fixture
async def house(hass: HomeAssistant, home: MockConfigEntry, doors: Doors) -> AsyncIterator[Household]:
    """The furnished house with a closed garage."""
    hass.config.internal_url = OWN_URL
    assert await async_setup_component(hass, "persistent_notification", {})
    await hass.services.async_call("cover", "close_cover", {"entity_id": GARAGE}, blocking=True)
    house = Household(hass, home, doors)
    yield house
    await house.end_of_the_day()


@pytest.fixture
async def ada(house: Household) -> Person:
    """An approver who counts as reached by EdgeHome's page."""
    return await house.approver("Ada", page_suffices=True)


@pytest.fixture
def policy_file(config_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the tables are, on Home Assistant's storage as it is: the tests' own surroundings keep everything in memory."""
    spec = find_spec("homeassistant.helpers.storage")
    assert spec is not None
    assert spec.loader is not None
    storage = module_from_spec(spec)
    spec.loader.exec_module(storage)
    monkeypatch.setattr("custom_components.edgehome.policy_editor.book.Store", storage.Store)
    return config_folder / ".storage" / "edgehome.policy"
