"""Whether what Home Assistant has of an entity is still true, and asking its device again (R7).

Facts of ``helpers/entity.py``, ``helpers/entity_component.py`` and ``helpers/update_coordinator.py``: forcing an update
of an entity without an update method fetches nothing and rewrites the state all the same, and errors within a fetch are
swallowed. So a fetch counts only where there is something to fetch with, and nothing failed.
"""

import asyncio
import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import inf

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_component import DATA_INSTANCES
from homeassistant.helpers.update_coordinator import BaseCoordinatorEntity, DataUpdateCoordinator

from ..devices import Liveness, Source

_LOGGER = logging.getLogger(__name__)

FETCH_SECONDS = 10.0
"""How long a fetch may take until it counts as failed; it goes on by itself."""
MOST_FETCHES = 50
"""So many ways of asking are on their way at once; what is beyond counts as not asked."""
REST_SECONDS = 3.0
"""So long what came of a fetch stands for the next one: an agent must not drive a device's cloud to its limits."""


class LivenessReader:
    """Reads how an entity's state comes in, and fetches it where that is possible."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._fetches: dict[int, _Fetch] = {}

    def of(self, entity_id: str) -> Liveness:
        """The liveness of an entity that has a state."""
        state, entity = self._hass.states.get(entity_id), _entity(self._hass, entity_id)
        if state is None or entity is None:
            return Liveness(source=Source.NOBODY)
        known = Liveness(age=_age(state), restored=state.attributes.get("restored") is True)
        entry = entity.platform.config_entry if entity.platform else None
        is_off = entry is not None and entry.pref_disable_polling
        if (coordinator := _coordinator(entity)) is not None:
            live = replace(
                known,
                source=Source.COORDINATOR,
                failing=not coordinator.last_update_success,
                interval=_interval(coordinator, is_off=is_off),
                can_fetch=_fetches(coordinator),
            )
            if live.is_stale and not is_off and live.interval and not replace(live, age=self._heard(entity)).is_stale:
                # This one reports only what is new; another of the same coordinator has reported since.
                return replace(live, interval=None)
            return live
        if not (entity.should_poll and _has_update(entity)):
            return known
        interval = 0 if is_off else entity.platform.scan_interval_seconds
        return replace(known, source=Source.POLL, interval=interval, can_fetch=True)

    def _heard(self, entity: Entity) -> float:
        """The seconds since any entity of the same coordinator reported."""
        coordinator = _coordinator(entity)
        siblings = (other for other in list(entity.platform.entities.values()) if _coordinator(other) is coordinator)
        states = (self._hass.states.get(other.entity_id) for other in siblings)
        return min((_age(state) for state in states if state), default=inf)

    async def fetch(self, entity_ids: Iterable[str]) -> Mapping[str, bool]:
        """Asks the devices behind these entities, those of one coordinator once; whether each was asked and answered.

        Requests that need the same at the same time share one fetch; one that hangs is waited for and not begun again.
        """
        now = time.monotonic()
        self._fetches = {key: kept for key, kept in self._fetches.items() if kept.counts(now)}
        wanted: dict[str, _Fetch] = {}
        for entity_id in entity_ids:
            way = self._way(entity_id)
            if way is not None and (id(way) in self._fetches or len(self._fetches) < MOST_FETCHES):
                wanted[entity_id] = self._fetches.setdefault(id(way), _Fetch(way))
        for fetch in wanted.values():
            fetch.begin(self._hass)
        if running := {fetch.task for fetch in wanted.values() if fetch.task and not fetch.task.done()}:
            await asyncio.wait(running, timeout=FETCH_SECONDS)
        return {entity_id: entity_id in wanted and wanted[entity_id].answered for entity_id in entity_ids}

    def _way(self, entity_id: str) -> Entity | DataUpdateCoordinator[object] | None:
        """What asks the device."""
        entity = _entity(self._hass, entity_id)
        if entity is None:
            return None
        coordinator = _coordinator(entity)
        if coordinator is not None:
            return coordinator if _fetches(coordinator) else None
        return entity if _has_update(entity) else None


def _entity(hass: HomeAssistant, entity_id: str) -> Entity | None:
    component = hass.data.get(DATA_INSTANCES, {}).get(entity_id.partition(".")[0])
    return component.get_entity(entity_id) if component else None


def _coordinator(entity: Entity) -> DataUpdateCoordinator[object] | None:
    found = entity.coordinator if isinstance(entity, BaseCoordinatorEntity) else None
    return found if isinstance(found, DataUpdateCoordinator) else None


def _interval(coordinator: DataUpdateCoordinator[object], *, is_off: bool) -> float | None:
    """How often a coordinator's entities report: with every fetch, unless they do only where something has changed.

    So one that hangs, whose last fetch worked for ever, is seen.
    """
    if coordinator.update_interval is None:
        return None
    if is_off:
        return 0
    return coordinator.update_interval.total_seconds() if coordinator.always_update else None


def _fetches(coordinator: DataUpdateCoordinator[object]) -> bool:
    """Whether a coordinator can ask; some are only told."""
    is_own = type(coordinator)._async_update_data is not DataUpdateCoordinator._async_update_data  # noqa: SLF001  # how HA itself has it overridden
    is_over = getattr(coordinator, "_shutdown_requested", False)
    return not is_over and (is_own or coordinator.update_method is not None)


def _has_update(entity: Entity) -> bool:
    return hasattr(entity, "async_update") or hasattr(entity, "update")


def _age(state: State) -> float:
    return max(0.0, time.time() - state.last_reported_timestamp)


class _Fetch:
    """One way of asking, on its way or just through."""

    def __init__(self, way: Entity | DataUpdateCoordinator[object]) -> None:
        self._way = way
        self._ended = 0.0
        self.task: asyncio.Task[bool] | None = None

    def begin(self, hass: HomeAssistant) -> None:
        """Begins, if it has not."""
        if self.task is None:
            self.task = hass.async_create_background_task(_asked(self._way), "edgehome fetch", eager_start=True)
            self.task.add_done_callback(self._end)
            if self.task.done():
                self._end(self.task)

    def _end(self, _: asyncio.Task[bool]) -> None:
        self._ended = time.monotonic()

    def counts(self, now: float) -> bool:
        """Whether it is on its way, or was through so lately that it stands for another."""
        return self.task is not None and (not self.task.done() or now - self._ended < REST_SECONDS)

    @property
    def answered(self) -> bool:
        """Whether it is through, and the device answered."""
        task = self.task
        return task is not None and task.done() and not task.cancelled() and not task.exception() and task.result()


async def _asked(way: Entity | DataUpdateCoordinator[object]) -> bool:
    """Asks a device; whether it answered."""
    try:
        if isinstance(way, DataUpdateCoordinator):
            await way.async_refresh()
            return way.last_update_success
        if await _is_asked_already(way):
            return False
        await way.async_device_update(warning=False)
        way.async_write_ha_state()
    except Exception as error:
        _LOGGER.debug("A fetch failed: %s", type(error).__name__)
        return False
    return True


async def _is_asked_already(entity: Entity) -> bool:
    """Waits while Home Assistant asks by itself: its poll would be taken for ours. Whether that goes on too long."""
    for _ in range(round(FETCH_SECONDS / 0.05)):
        if not getattr(entity, "_update_staged", False):
            return False
        await asyncio.sleep(0.05)
    return True
