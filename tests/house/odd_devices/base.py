"""What all odd devices share: how one is steered and reports, and the house that keeps them and counts."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar, override

from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.update_coordinator import DataUpdateCoordinator
from homeassistant.util import slugify
from homeassistant.util.hass_dict import HassKey

DOMAIN = "odd_devices"
COORDINATOR = "coordinator"
_LOGGER = logging.getLogger(__name__)

type Reading = dict[str, Any]
"""How a device is: the entity's attributes by their names."""


class House:
    """The odd devices by entity id, the two coordinators, and what was counted."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.devices: dict[str, Odd] = {}
        self.failing: set[str] = set()
        self.fetches: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.counted: list[Callable[[], None]] = []
        self.coordinated: list[Odd] = []
        self.coordinator = DataUpdateCoordinator[dict[str, Reading]](
            hass,
            _LOGGER,
            config_entry=None,
            name="odd devices",
            update_interval=timedelta(seconds=30),
            update_method=self._fetch_all,
        )
        self.feed = DataUpdateCoordinator[dict[str, Reading]](hass, _LOGGER, config_entry=None, name="odd feed")

    def found(self, entity_ids: Sequence[str]) -> list[Odd]:
        """The devices of these ids.

        Raises:
            ServiceValidationError: one is no odd device.
        """
        if strangers := [entity_id for entity_id in entity_ids if entity_id not in self.devices]:
            raise ServiceValidationError(f"no odd devices: {strangers}")
        return [self.devices[entity_id] for entity_id in entity_ids]

    def count(self, counter: Counter[str], what: str) -> None:
        """Counts one more, for all to see."""
        counter[what] += 1
        for tell in self.counted:
            tell()

    def fetch(self, source: str) -> None:
        """Counts a fetch from a source.

        Raises:
            TimeoutError: the source is to fail.
        """
        self.count(self.fetches, source)
        if source in self.failing:
            raise TimeoutError(f"no answer from {source}")

    async def _fetch_all(self) -> dict[str, Reading]:
        self.fetch(COORDINATOR)
        return {device.entity_id: dict(device.real) for device in self.coordinated}


HOUSE: HassKey[House] = HassKey(DOMAIN)


class Odd(Entity):
    """A device that follows a call at once and reports by itself only then."""

    _attr_should_poll = False
    first: ClassVar[Reading]
    """How the device is in the beginning."""
    states: ClassVar[Mapping[str, Reading]] = {}
    """What each state's name means that it can be set to."""

    def __init__(self, house: House, name: str, seconds: float = 0) -> None:
        self._attr_name = name
        self._attr_unique_id = slugify(name)
        self.house = house
        self.real: Reading = {}
        self.seconds = self._usual_seconds = seconds
        self._forget: Callable[[], None] | None = None
        self.begin()
        self.show(self.real)

    @property
    def source(self) -> str:
        """Where its readings are fetched from."""
        return self.entity_id

    @override
    async def async_added_to_hass(self) -> None:
        """Can be steered from now on."""
        await super().async_added_to_hass()
        self.house.devices[self.entity_id] = self
        self.async_on_remove(self.forget)

    def begin(self) -> None:
        """Is as in the beginning, whatever was under way."""
        self.forget()
        self.seconds = self._usual_seconds
        self.real = {"available": True, **self.first}
        if self.entity_id:
            self.house.failing.discard(self.source)

    def steer(self, how: Mapping[str, Any]) -> None:
        """Changes the device; Home Assistant does not know of it before the next report.

        Raises:
            ServiceValidationError: it cannot be in that state.
        """
        if (state := how.get("state")) is not None:
            if state not in self.states:
                raise ServiceValidationError(f"{self.entity_id} can be {', '.join(self.states) or 'in no other state'}")
            self.real |= self.states[state]
        if "available" in how:
            self.real["available"] = how["available"]
        self.seconds = how.get("seconds", self.seconds)
        if "fails" in how:
            (self.house.failing.add if how["fails"] else self.house.failing.discard)(self.source)

    async def receive(self, wish: Reading) -> None:
        """A call has arrived."""
        self.house.count(self.house.calls, self.entity_id)
        await self.follow(wish)

    async def follow(self, wish: Reading) -> None:
        """What the device does with a call: here it follows, and says so."""
        self.real |= wish
        await self.report()

    def show(self, reading: Reading) -> None:
        """The entity is like the reading from now on, once it is written."""
        for name, value in reading.items():
            setattr(self, f"_attr_{name}", value)

    async def report(self) -> None:
        """Reports how the device is."""
        self.tell()

    @callback
    def tell(self) -> None:
        """Writes how the device is."""
        self.show(self.real)
        self.async_write_ha_state()

    def later(self, seconds: float, wish: Reading) -> None:
        """Becomes so after a while, and tells; the newest call replaces what was still to come."""
        self.forget()

        @callback
        def due(_now: datetime | None = None) -> None:
            self._forget = None
            self.real |= wish
            self.tell()

        if seconds > 0:
            self._forget = async_call_later(self.hass, seconds, due)
        else:
            due()

    def forget(self) -> None:
        """Drops what was still to come."""
        if self._forget is not None:
            self._forget()
            self._forget = None
