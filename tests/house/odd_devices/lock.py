"""The odd locks."""

from datetime import timedelta

from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.typing import ConfigType, DiscoveryInfoType

from .base import HOUSE
from .kinds import OddLock
from .late import JammingLock, MovingLock
from .live import Assumed, Coordinated, Fed, Polled

SCAN_INTERVAL = timedelta(seconds=5)
PARALLEL_UPDATES = 0


async def async_setup_platform(
    hass: HomeAssistant,
    config: ConfigType,
    async_add_entities: AddEntitiesCallback,
    discovery_info: DiscoveryInfoType | None = None,
) -> None:
    """Adds the locks."""
    house = hass.data[HOUSE]
    async_add_entities(
        [
            CoordinatedLock(house, "Coordinated Lock"),
            OddLock(house, "Pushed Lock"),
            PolledLock(house, "Polled Lock"),
            AssumedLock(house, "Assumed Lock"),
            FedLock(house, "Fed Lock"),
            MovingLock(house, "Moving Lock", 3),
            JammingLock(house, "Jamming Lock", 1),
        ]
    )


class CoordinatedLock(Coordinated, OddLock):
    """A lock on the coordinator that fetches."""


class PolledLock(Polled, OddLock):
    """A lock that is polled."""


class AssumedLock(Assumed, OddLock):
    """A lock that never answers."""


class FedLock(Fed, OddLock):
    """A lock on the coordinator that is only pushed to."""
