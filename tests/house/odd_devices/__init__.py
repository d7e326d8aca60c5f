"""Devices that behave oddly on purpose, as an integration of its own: how fresh a report is, and what follows a call.

The owner steers them: ``odd_devices.set`` changes a device itself, not yet what Home Assistant knows of it;
``odd_devices.report`` lets it report now; ``odd_devices.reset`` brings devices back to how they began.
"""

import voluptuous as vol
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.discovery import async_load_platform
from homeassistant.helpers.typing import ConfigType

from .base import DOMAIN, HOUSE, House

ONES = vol.Schema({vol.Required("entity_id"): cv.entity_ids})
STEERING = ONES.extend(
    {
        vol.Optional("fails"): cv.boolean,
        vol.Optional("seconds"): vol.Coerce(float),
        vol.Optional("available"): cv.boolean,
        vol.Optional("state"): cv.string,
    }
)
ANY = vol.Schema({vol.Optional("entity_id"): cv.entity_ids})
PLATFORMS = (Platform.LIGHT, Platform.LOCK, Platform.COVER, Platform.CLIMATE, Platform.SENSOR)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Registers the actions and adds the devices."""
    house = hass.data[HOUSE] = House(hass)
    register(hass, house)
    for coordinator in (house.coordinator, house.feed):
        await coordinator.async_register_shutdown()
    for platform in PLATFORMS:
        hass.async_create_task(async_load_platform(hass, platform, DOMAIN, {}, config))
    return True


def register(hass: HomeAssistant, house: House) -> None:
    """Registers the actions."""

    async def steer(call: ServiceCall) -> None:
        for device in house.found(call.data["entity_id"]):
            device.steer(call.data)

    async def report(call: ServiceCall) -> None:
        for device in house.found(call.data["entity_id"]):
            await device.report()

    async def reset(call: ServiceCall) -> None:
        devices = house.found(call.data.get("entity_id", tuple(house.devices)))
        for device in devices:
            device.begin()
        for device in devices:
            await device.report()

    for name, action, schema in (("set", steer, STEERING), ("report", report, ONES), ("reset", reset, ANY)):
        hass.services.async_register(DOMAIN, name, action, schema)
