"""A house with people."""

from collections.abc import AsyncIterator

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.confirmation.household import GARAGE, Household, Person
from tests.real_home import OWN_URL, Doors


@pytest.fixture
async def house(hass: HomeAssistant, home: MockConfigEntry, doors: Doors) -> AsyncIterator[Household]:
    """The furnished house with a closed garage; nobody may say yes in it yet."""
    hass.config.internal_url = OWN_URL
    # Before the first client: what comes later can add no addresses.
    assert await async_setup_component(hass, "persistent_notification", {})
    assert await async_setup_component(hass, "mobile_app", {})
    await hass.services.async_call("cover", "close_cover", {"entity_id": GARAGE}, blocking=True)
    house = Household(hass, home, doors)
    yield house
    await house.end_of_the_day()


@pytest.fixture
async def olga(house: Household) -> Person:
    """The owner, who reads all traces and is no approver."""
    return await house.owner()
