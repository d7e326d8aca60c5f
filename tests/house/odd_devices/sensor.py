"""What the odd devices counted: fetches by source, and calls by entity."""

from collections import Counter
from typing import Any, override

from homeassistant.components.sensor import SensorEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.typing import ConfigType, DiscoveryInfoType
from homeassistant.util import slugify

from .base import HOUSE, House


async def async_setup_platform(
    hass: HomeAssistant,
    config: ConfigType,
    async_add_entities: AddEntitiesCallback,
    discovery_info: DiscoveryInfoType | None = None,
) -> None:
    """Adds the two counts."""
    house = hass.data[HOUSE]
    async_add_entities([Count(house, "Odd Fetches", house.fetches), Count(house, "Odd Calls", house.calls)])


class Count(SensorEntity):
    """The sum as its state, each one in its attribute ``counts``; both only ever grow."""

    _attr_should_poll = False

    def __init__(self, house: House, name: str, counts: Counter[str]) -> None:
        self._attr_name = name
        self._attr_unique_id = slugify(name)
        self._house = house
        self._counts = counts

    @override
    async def async_added_to_hass(self) -> None:
        """Tells each time that something was counted."""
        self._house.counted.append(self.async_write_ha_state)

    @property
    @override
    def native_value(self) -> int:
        """The sum."""
        return self._counts.total()

    @property
    @override
    def extra_state_attributes(self) -> dict[str, Any]:
        """Each count."""
        return {"counts": dict(self._counts)}
