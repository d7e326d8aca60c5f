"""The base of EdgeHome's own entities: one service device."""

from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.helpers.entity import Entity

from .const import DOMAIN
from .data import EdgeHomeConfigEntry


class EdgeHomeEntity(Entity):
    """An entity of EdgeHome's device; state is pushed."""

    _attr_has_entity_name = True
    _attr_should_poll = False

    def __init__(self, entry: EdgeHomeConfigEntry, key: str) -> None:
        self._attr_unique_id = f"{entry.entry_id}_{key}"
        self._attr_translation_key = key
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, entry.entry_id)},
            name="EdgeHome",
            entry_type=DeviceEntryType.SERVICE,
        )
