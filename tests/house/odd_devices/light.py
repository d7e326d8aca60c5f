"""The odd lamps."""

from datetime import timedelta

from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.typing import ConfigType, DiscoveryInfoType

from .base import HOUSE
from .kinds import OddLight
from .late import DeafLight, DimLight, LateLight, LosableLight, StubbornLight
from .live import Assumed, Coordinated, Fed, Polled, Unfetched

SCAN_INTERVAL = timedelta(seconds=5)
PARALLEL_UPDATES = 0


async def async_setup_platform(
    hass: HomeAssistant,
    config: ConfigType,
    async_add_entities: AddEntitiesCallback,
    discovery_info: DiscoveryInfoType | None = None,
) -> None:
    """Adds the lamps."""
    house = hass.data[HOUSE]
    async_add_entities(
        [
            CoordinatedLight(house, "Coordinated Light"),
            OddLight(house, "Pushed Light"),
            PolledLight(house, "Polled Light"),
            UnfetchedLight(house, "Unfetched Light"),
            AssumedLight(house, "Assumed Light"),
            FedLight(house, "Fed Light"),
            OddLight(house, "Prompt Light"),
            LateLight(house, "Late Light", 6),
            DeafLight(house, "Deaf Light"),
            StubbornLight(house, "Stubborn Light", 1),
            DimLight(house, "Dim Light"),
            LosableLight(house, "Losable Light", 1),
        ]
    )


class CoordinatedLight(Coordinated, OddLight):
    """A lamp on the coordinator that fetches."""


class PolledLight(Polled, OddLight):
    """A lamp that is polled."""


class UnfetchedLight(Unfetched, OddLight):
    """A lamp that cannot be polled."""


class AssumedLight(Assumed, OddLight):
    """A lamp that never answers."""


class FedLight(Fed, OddLight):
    """A lamp on the coordinator that is only pushed to."""
