"""The ways in which a report may be alive or dead, for lamps and locks alike."""

from typing import override

from homeassistant.core import callback
from homeassistant.helpers.update_coordinator import CoordinatorEntity, DataUpdateCoordinator

from .base import COORDINATOR, House, Odd, Reading

type Coordinator = DataUpdateCoordinator[dict[str, Reading]]


class OnCoordinator(CoordinatorEntity[DataUpdateCoordinator[dict[str, Reading]]], Odd):
    """Shows what a coordinator holds for it."""

    def __init__(self, coordinator: Coordinator, house: House, name: str) -> None:
        CoordinatorEntity.__init__(self, coordinator)
        Odd.__init__(self, house, name)

    @override
    async def async_added_to_hass(self) -> None:
        """Has a reading from the beginning."""
        await super().async_added_to_hass()
        await self.report()

    @callback
    @override
    def _handle_coordinator_update(self) -> None:
        self.show((self.coordinator.data or {}).get(self.entity_id, {}))
        super()._handle_coordinator_update()


class Coordinated(OnCoordinator):
    """Fetched by a coordinator, and available whether that succeeds or not."""

    def __init__(self, house: House, name: str) -> None:
        super().__init__(house.coordinator, house, name)
        house.coordinated.append(self)

    @property
    @override
    def source(self) -> str:
        """All of these have one source."""
        return COORDINATOR

    @property
    @override
    def available(self) -> bool:
        """Says always that it is available."""
        return True

    @override
    async def report(self) -> None:
        """Reports by a fetch of the coordinator."""
        await self.coordinator.async_refresh()


class Fed(OnCoordinator):
    """Pushed into a coordinator that cannot fetch."""

    def __init__(self, house: House, name: str) -> None:
        super().__init__(house.feed, house, name)

    @override
    async def report(self) -> None:
        """Reports by a push into the coordinator."""
        self.coordinator.async_set_updated_data({**(self.coordinator.data or {}), self.entity_id: dict(self.real)})


class Polled(Odd):
    """Polled by Home Assistant; available even while that fails."""

    _attr_should_poll = True

    async def async_update(self) -> None:
        """Fetches how the device is."""
        self.house.fetch(self.source)
        self.show(self.real)

    @override
    async def follow(self, wish: Reading) -> None:
        """Follows; Home Assistant polls after a call by itself."""
        self.real |= wish

    @override
    async def report(self) -> None:
        """Reports by a poll."""
        await self.async_update_ha_state(force_refresh=True)


class Unfetched(Odd):
    """Polled by Home Assistant without a way to: what it said last is written again and again."""

    _attr_should_poll = True


class Assumed(Odd):
    """Only takes it for granted that it followed."""

    _attr_assumed_state = True
