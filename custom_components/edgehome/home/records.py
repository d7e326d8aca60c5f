"""An entity as the registries know it: area, type, exposure, and what it stands for."""

from collections.abc import Mapping

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import entity_sources

from ..catalogue.device_types import device_type_of
from ..const import DOMAIN
from ..devices import DeviceRecord
from .exposure import Exposure


def record_of(hass: HomeAssistant, entity_id: str, exposure: Exposure) -> DeviceRecord | None:
    """What is known about an entity, or None if there is no such entity."""
    entry, state = er.async_get(hass).async_get(entity_id), hass.states.get(entity_id)
    if entry is None and state is None:
        return None
    domain = entity_id.partition(".")[0]
    platform = entry.platform if entry else _platform(hass, entity_id, domain)
    area_id = area_of(hass, entry)
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    # Updates are configuration to Home Assistant; to their owner they are something to do.
    is_inner = entry is not None and entry.entity_category is not None and domain != "update"
    hidden = is_inner or (entry is not None and entry.hidden_by is not None)
    return DeviceRecord(
        entity_id=entity_id,
        name=state.name if state else (entry.name or entry.original_name or entity_id) if entry else entity_id,
        device_type=device_type_of(domain, _device_class(entry, state)),
        area_id=area.id if area else None,
        room=area.name if area else "",
        key=entry.id if entry else "",
        exposed=exposure.shows(hass, entity_id, entry, area_id),
        targetable=not hidden and platform != DOMAIN,
        has_code=_has_code(entry),
        platform=platform,
        floor_id=area.floor_id if area else None,
        labels=_labels(hass, entry, area),
    )


def area_of(hass: HomeAssistant, entry: er.RegistryEntry | None) -> str | None:
    """The area that an entity is in: its own, else its device's."""
    if entry is None:
        return None
    if entry.area_id is not None or entry.device_id is None:
        return entry.area_id
    device = dr.async_get(hass).async_get(entry.device_id)
    return dr.async_get_effective_area_id(hass, device) if device else None


def _labels(hass: HomeAssistant, entry: er.RegistryEntry | None, area: ar.AreaEntry | None) -> tuple[str, ...]:
    """The labels of an entity, its device and its area, as Home Assistant's own targets take them."""
    device = dr.async_get(hass).async_get(entry.device_id) if entry and entry.device_id else None
    sources = (entry.labels if entry else (), device.labels if device else (), area.labels if area else ())
    return tuple(sorted({label for labels in sources for label in labels}))


def _has_code(entry: er.RegistryEntry | None) -> bool:
    """Whether the owner has set a default code (``components/lock``, ``components/alarm_control_panel``)."""
    options: Mapping[str, object] = (entry.options.get(entry.domain) or {}) if entry else {}
    return bool(options.get("default_code"))


def _device_class(entry: er.RegistryEntry | None, state: State | None) -> str | None:
    """The class in force: the owner's choice in the registry shows in the state; without one the registry knows it."""
    if state is not None and (value := state.attributes.get("device_class")):
        return str(value)
    return (entry.device_class or entry.original_device_class) if entry else None


def _platform(hass: HomeAssistant, entity_id: str, default: str) -> str:
    """The integration behind an entity without a registry entry."""
    source = entity_sources(hass).get(entity_id)
    return source["domain"] if source else default
