"""A thermostat whose room drifts."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar, override

from homeassistant.components.climate import ClimateEntity
from homeassistant.components.climate.const import ClimateEntityFeature, HVACMode
from homeassistant.const import ATTR_TEMPERATURE, PRECISION_TENTHS, UnitOfTemperature
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.typing import ConfigType, DiscoveryInfoType

from .base import HOUSE, Odd, Reading

COLDEST, WARMEST, STEP = 18.0, 24.0, 0.1


async def async_setup_platform(
    hass: HomeAssistant,
    config: ConfigType,
    async_add_entities: AddEntitiesCallback,
    discovery_info: DiscoveryInfoType | None = None,
) -> None:
    """Adds the thermostat."""
    async_add_entities([DriftingThermostat(hass.data[HOUSE], "Drifting Thermostat")])


class DriftingThermostat(Odd, ClimateEntity):
    """Follows at once; the room's temperature goes up and down by itself, a tenth of a degree each second."""

    _attr_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_precision = PRECISION_TENTHS
    _attr_target_temperature_step = 0.5
    _attr_hvac_modes = [HVACMode.HEAT, HVACMode.OFF]  # noqa: RUF012  # as Home Assistant's own thermostats have it
    _attr_supported_features = (
        ClimateEntityFeature.TARGET_TEMPERATURE | ClimateEntityFeature.TURN_ON | ClimateEntityFeature.TURN_OFF
    )
    first: ClassVar[Reading] = {"current_temperature": 20.0, "target_temperature": 21.0, "hvac_mode": HVACMode.HEAT}
    states: ClassVar[Mapping[str, Reading]] = {
        "heat": {"hvac_mode": HVACMode.HEAT},
        "off": {"hvac_mode": HVACMode.OFF},
    }
    _step = STEP

    @override
    async def async_added_to_hass(self) -> None:
        """The room begins to drift."""
        await super().async_added_to_hass()
        self.async_on_remove(async_track_time_interval(self.hass, self._drift, timedelta(seconds=1)))

    @callback
    def _drift(self, _now: datetime) -> None:
        now = self.real["current_temperature"]
        if not COLDEST <= now + self._step <= WARMEST:
            self._step = -self._step
        self.real["current_temperature"] = round(now + self._step, 1)
        self.tell()

    @override
    async def async_set_temperature(self, **kwargs: Any) -> None:
        """Sets the set point."""
        await self.receive({"target_temperature": kwargs[ATTR_TEMPERATURE]})

    @override
    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        """Sets the mode."""
        await self.receive({"hvac_mode": hvac_mode})

    @override
    async def async_turn_on(self) -> None:
        """Heats."""
        await self.receive({"hvac_mode": HVACMode.HEAT})

    @override
    async def async_turn_off(self) -> None:
        """Rests."""
        await self.receive({"hvac_mode": HVACMode.OFF})
