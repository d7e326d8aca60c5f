"""The slow lamp: a call takes its time, and each is written down when it arrives."""

import asyncio
from pathlib import Path
from typing import Any, override

import voluptuous as vol
from homeassistant.components.light import PLATFORM_SCHEMA, LightEntity
from homeassistant.components.light.const import ColorMode
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.typing import ConfigType, DiscoveryInfoType

PLATFORM_SCHEMA = PLATFORM_SCHEMA.extend({vol.Required("name"): cv.string, vol.Required("seconds"): vol.Coerce(float)})


async def async_setup_platform(
    hass: HomeAssistant,
    config: ConfigType,
    async_add_entities: AddEntitiesCallback,
    discovery_info: DiscoveryInfoType | None = None,
) -> None:
    """Adds the lamp."""
    async_add_entities([SlowLight(config["name"], config["seconds"], Path(hass.config.path("slow_light.calls")))])


class SlowLight(LightEntity):
    """A lamp that takes ``seconds`` to switch."""

    _attr_should_poll = False
    _attr_color_mode = ColorMode.ONOFF
    _attr_supported_color_modes = {ColorMode.ONOFF}  # noqa: RUF012  # as Home Assistant's own lights have it

    def __init__(self, name: str, seconds: float, calls: Path) -> None:
        self._attr_name = name
        self._attr_is_on = False
        self._seconds = seconds
        self._calls = calls

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        """Switches on, slowly."""
        await self._switch("on")

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        """Switches off, slowly."""
        await self._switch("off")

    async def _switch(self, state: str) -> None:
        await self.hass.async_add_executor_job(self._write, state)
        await asyncio.sleep(self._seconds)
        self._attr_is_on = state == "on"
        self.async_write_ha_state()

    def _write(self, state: str) -> None:
        with self._calls.open("a") as file:
            file.write(f"{state}\n")
