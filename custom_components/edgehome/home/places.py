"""Where things are: floors, labels and devices by name, and the entities there, by Home Assistant's own target resolver."""

from collections.abc import Iterable

from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import intent
from homeassistant.helpers import label_registry as lr
from homeassistant.helpers.target import TargetSelection, async_extract_referenced_entity_ids

from ..devices import Place, PlaceKind
from .names import NameIndex, normal

_KEYS = {
    PlaceKind.AREA: "area_id",
    PlaceKind.FLOOR: "floor_id",
    PlaceKind.LABEL: "label_id",
    PlaceKind.DEVICE: "device_id",
}


def places_named(hass: HomeAssistant, names: NameIndex, kind: PlaceKind, name: str) -> tuple[Place, ...]:
    """The floors, labels or devices with exactly this name, alias or id, case and outer blanks aside."""
    return tuple(
        Place(kind=kind, id=found, name=shown) for found, shown in _named(hass, names, kind, name) if name.strip()
    )


def _named(hass: HomeAssistant, names: NameIndex, kind: PlaceKind, name: str) -> Iterable[tuple[str, str]]:
    wanted = normal(name)
    if kind is PlaceKind.FLOOR:
        return [(floor.floor_id, floor.name) for floor in intent.find_floors(name, fr.async_get(hass))]
    if kind is PlaceKind.LABEL:
        labels = lr.async_get(hass).async_list_labels()
        return [(item.label_id, item.name) for item in labels if name == item.label_id or normal(item.name) == wanted]
    if kind is PlaceKind.DEVICE:
        registry = dr.async_get(hass)
        found = (registry.async_get(one) for one in ((name,) if registry.async_get(name) else names.devices(name)))
        return [(device.id, device.name_by_user or device.name or "") for device in found if device]
    return []


def entities_at(hass: HomeAssistant, kind: PlaceKind, place_id: str, domain: str) -> tuple[str, ...]:
    """The entities of a domain in a place, by entity id; all of the home's for ``home``."""
    if kind is PlaceKind.HOME:
        return tuple(sorted(hass.states.async_entity_ids(domain or None)))
    selection = TargetSelection({_KEYS[kind]: [place_id]})
    found = async_extract_referenced_entity_ids(hass, selection, expand_group=False)
    ids = found.referenced | found.indirectly_referenced
    return tuple(sorted(item for item in ids if not domain or item.startswith(f"{domain}.")))
