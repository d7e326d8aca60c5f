"""The odd blinds."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.typing import ConfigType, DiscoveryInfoType

from .base import HOUSE
from .blinds import EndlessBlind, MovingBlind, StuckBlind


async def async_setup_platform(
    hass: HomeAssistant,
    config: ConfigType,
    async_add_entities: AddEntitiesCallback,
    discovery_info: DiscoveryInfoType | None = None,
) -> None:
    """Adds the blinds."""
    house = hass.data[HOUSE]
    async_add_entities(
        [
            MovingBlind(house, "Moving Blind", 3),
            StuckBlind(house, "Stuck Blind", 2),
            EndlessBlind(house, "Endless Blind"),
        ]
    )
