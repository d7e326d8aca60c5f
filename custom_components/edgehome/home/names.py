"""Which entity is called what: an index kept current by registry and state events, so that no request scans the house.

Names are those of Home Assistant's own matching (``helpers/intent.py``): an entity's name and aliases, casefolded and
stripped. Entities without a registry entry have the name that their state shows.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher
from itertools import islice
from unicodedata import normalize

from homeassistant.const import EVENT_STATE_CHANGED
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import intent

_NEAR = 0.55
_COMMON = 400
"""How many names may share a part of three letters that still tells something."""


class NameIndex:
    """Names to entity ids, and names that come near."""

    def __init__(self, hass: HomeAssistant, more: Callable[[str], tuple[str, ...]] = lambda _: ()) -> None:
        """``more`` gives the names of an entity that only EdgeHome knows."""
        self._hass = hass
        self._more = more
        self._entities = er.async_get(hass)
        self._names: dict[str, tuple[str, ...]] = {}
        self._by_name: defaultdict[str, set[str]] = defaultdict(set)
        self._by_trigram: defaultdict[str, set[str]] = defaultdict(set)
        self._devices: defaultdict[str, set[str]] = defaultdict(set)
        self._device_names: dict[str, str] = {}
        self._by_domain: defaultdict[str, dict[str, None]] = defaultdict(dict)

    @callback
    def async_start(self) -> Callable[[], None]:
        """Reads everything once and follows every change; returns what stops it."""
        for entity_id in (
            *self._entities.entities,
            *self._hass.states.async_entity_ids(),
        ):
            self._refresh(entity_id)
        for device in dr.async_get(self._hass).devices:
            self._refresh_device(device.id)
        stops = (
            self._hass.bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, self._entity_changed),
            self._hass.bus.async_listen(dr.EVENT_DEVICE_REGISTRY_UPDATED, self._device_changed),
            self._hass.bus.async_listen(EVENT_STATE_CHANGED, self._state_changed, event_filter=_may_rename),
        )

        def stop() -> None:
            for one in stops:
                one()

        return stop

    @callback
    def renamed(self, entity_ids: Iterable[str]) -> None:
        """The names that only EdgeHome knows have changed."""
        for entity_id in entity_ids:
            self._refresh(entity_id)

    def find(self, name: str) -> tuple[str, ...]:
        """The entities with exactly this name, by entity id."""
        return tuple(sorted(self._by_name.get(normal(name), ())))

    def of_domain(self, domain: str) -> Iterable[str]:
        """The entities of a domain that have a state, in no order."""
        return self._by_domain.get(domain, {}).keys()

    def devices(self, name: str) -> tuple[str, ...]:
        """The devices with exactly this name, by device id."""
        return tuple(sorted(self._devices.get(normal(name), ())))

    def near(self, name: str, limit: int = 30) -> list[str]:
        """Entities whose name or id comes near, best first."""
        wanted = normal(name)
        # What half of the home has in its name tells nothing: the rare parts decide.
        parts = sorted((self._by_trigram[part] for part in _trigrams(wanted) if part in self._by_trigram), key=len)
        telling = [names for names in parts if len(names) <= _COMMON] or parts[:1]
        shared = Counter(name for names in telling for name in islice(names, _COMMON))
        scored = sorted(
            ((SequenceMatcher(None, wanted, other).ratio(), other) for other, _ in shared.most_common(3 * limit)),
            reverse=True,
        )
        found = (entity_id for ratio, other in scored if ratio >= _NEAR for entity_id in sorted(self._by_name[other]))
        return list(dict.fromkeys(found))[:limit]

    def snapshot(self) -> dict[str, tuple[str, ...]]:
        """Every entity's names: what a fresh index must equal."""
        return dict(self._names)

    @callback
    def _entity_changed(self, event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        if old := event.data.get("old_entity_id"):
            self._refresh(str(old))
        self._refresh(event.data["entity_id"])

    @callback
    def _device_changed(self, event: Event[dr.EventDeviceRegistryUpdatedData]) -> None:
        device_id = event.data["device_id"]
        self._refresh_device(device_id)
        children = (item for item in dr.async_get(self._hass).child_devices if item.parent_device_id == device_id)
        for device in (device_id, *(child.id for child in children)):
            for entry in er.async_entries_for_device(self._entities, device, include_disabled_entities=True):
                self._refresh(entry.entity_id)

    @callback
    def _state_changed(self, event: Event[EventStateChangedData]) -> None:
        self._refresh(event.data["entity_id"])

    def _refresh_device(self, device_id: str) -> None:
        """Takes a device's present name in, or out where it is gone."""
        if (before := self._device_names.pop(device_id, None)) is not None:
            self._devices[before].discard(device_id)
            if not self._devices[before]:
                del self._devices[before]
        device = dr.async_get(self._hass).async_get(device_id)
        name = normal((device.name_by_user or device.name or "") if device else "")
        if name:
            self._device_names[device_id] = name
            self._devices[name].add(device_id)

    def _refresh(self, entity_id: str) -> None:
        """Takes an entity's present names in, or out where it is gone."""
        names = self._names_of(entity_id)
        if names == self._names.get(entity_id, ()):
            return
        for name in self._names.pop(entity_id, ()):
            owners = self._by_name[name]
            owners.discard(entity_id)
            if not owners:
                del self._by_name[name]
                for part in _trigrams(name):
                    self._by_trigram[part].discard(name)
                    if not self._by_trigram[part]:
                        del self._by_trigram[part]
        if not names:
            self._by_domain[entity_id.partition(".")[0]].pop(entity_id, None)
            return
        self._names[entity_id] = names
        self._by_domain[entity_id.partition(".")[0]][entity_id] = None
        for name in names:
            self._by_name[name].add(entity_id)
            for part in _trigrams(name):
                self._by_trigram[part].add(name)

    def _names_of(self, entity_id: str) -> tuple[str, ...]:
        entry, state = (
            self._entities.async_get(entity_id),
            self._hass.states.get(entity_id),
        )
        if state is None:
            # Disabled entities and those whose integration is not loaded cannot be named; their id still can.
            return ()
        aliases: Iterable[str] = intent.async_get_entity_aliases(self._hass, entry, state=state)
        names = {normal(name) for name in (*aliases, *self._more(entity_id), state.name) if normal(name)}
        return tuple(sorted(names))


def normal(name: str) -> str:
    """A name as it is compared."""
    return normalize("NFC", name).strip().casefold()


def _trigrams(name: str) -> set[str]:
    padded = f"  {name} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}


@callback
def _may_rename(data: EventStateChangedData) -> bool:
    """Whether a state change adds, removes or renames an entity."""
    old, new = data["old_state"], data["new_state"]
    return old is None or new is None or old.name != new.name
