"""Whether what Home Assistant has of an entity is still true, and asking its device again (R7).

Facts of ``helpers/entity.py``, ``helpers/entity_component.py`` and ``helpers/update_coordinator.py``: forcing an update
of an entity without an update method fetches nothing and rewrites the state all the same, and errors within a fetch are
swallowed. So a fetch counts only where there is something to fetch with, and nothing failed.
"""

import asyncio
import logging
import time
from collections.abc import Iterable, Mapping

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_component import DATA_INSTANCES
from homeassistant.helpers.update_coordinator import BaseCoordinatorEntity, DataUpdateCoordinator

from ..devices import Liveness, Source

_LOGGER = logging.getLogger(__name__)

FETCH_SECONDS = 10.0
"""How long a fetch may take until it counts as failed; it goes on by itself."""
REST_SECONDS = 3.0
"""So long what came of a fetch stands for the next one: an agent must not drive a device's cloud to its limits."""


class LivenessReader:
    """Reads how an entity's state comes in, and fetches it where that is possible."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._lately: dict[int, tuple[float, bool]] = {}

    def of(self, entity_id: str) -> Liveness:
        """The liveness of an entity that has a state."""
        state, entity = self._hass.states.get(entity_id), _entity(self._hass, entity_id)
        if state is None or entity is None:
            return Liveness(source=Source.NOBODY)
        known = Liveness(age=_age(state), restored=state.attributes.get("restored") is True)
        entry = entity.platform.config_entry if entity.platform else None
        is_off = entry is not None and entry.pref_disable_polling
        if (coordinator := _coordinator(entity)) is not None:
            return Liveness(
                source=Source.COORDINATOR,
                failing=not coordinator.last_update_success,
                interval=0 if is_off and coordinator.update_interval else None,
                age=known.age,
                restored=known.restored,
                can_fetch=_fetches(coordinator),
            )
        if not (entity.should_poll and _has_update(entity)):
            return known
        return Liveness(
            source=Source.POLL,
            interval=0 if is_off else entity.platform.scan_interval_seconds,
            age=known.age,
            restored=known.restored,
            can_fetch=True,
        )

    async def fetch(self, entity_ids: Iterable[str]) -> Mapping[str, bool]:
        """Asks the devices behind these entities, those of one coordinator once; whether each was asked and answered."""
        ways = {entity_id: self._way(entity_id) for entity_id in entity_ids}
        now = time.monotonic()
        self._lately = {key: kept for key, kept in self._lately.items() if now - kept[0] < REST_SECONDS}
        tasks: dict[int, asyncio.Task[bool]] = {}
        for entity_id, way in ways.items():
            if way is not None and id(way) not in tasks and id(way) not in self._lately:
                tasks[id(way)] = self._hass.async_create_task(_asked(way), f"edgehome fetch {entity_id}")
        if tasks:
            await asyncio.wait(tasks.values(), timeout=FETCH_SECONDS)
        for key, task in tasks.items():
            self._lately[key] = (time.monotonic(), task.done() and task.result())
        return {entity_id: way is not None and self._lately[id(way)][1] for entity_id, way in ways.items()}

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


def _fetches(coordinator: DataUpdateCoordinator[object]) -> bool:
    """Whether a coordinator can ask; some are only told."""
    is_own = type(coordinator)._async_update_data is not DataUpdateCoordinator._async_update_data  # noqa: SLF001  # how HA itself has it overridden
    return is_own or coordinator.update_method is not None


def _has_update(entity: Entity) -> bool:
    return hasattr(entity, "async_update") or hasattr(entity, "update")


def _age(state: State) -> float:
    return max(0.0, time.time() - state.last_reported_timestamp)


async def _asked(way: Entity | DataUpdateCoordinator[object]) -> bool:
    """Asks a device; whether it answered."""
    try:
        if isinstance(way, DataUpdateCoordinator):
            await way.async_refresh()
            return way.last_update_success
        # Home Assistant may be asking just now; its own poll would be taken for ours.
        while getattr(way, "_update_staged", False):  # noqa: ASYNC110  # nothing tells when it is through
            await asyncio.sleep(0.05)
        await way.async_device_update(warning=False)
    except Exception as error:
        _LOGGER.debug("A fetch failed: %s", type(error).__name__)
        return False
    way.async_write_ha_state()
    return True
