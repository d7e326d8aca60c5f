"""What the owner says about single entities and adds to the operations: one config subentry each.

Entities are kept by the registry's own id, so that renaming changes nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from ..catalogue.device_types import classes_of
from ..const import (
    CONF_ALIASES,
    CONF_DEVICE_TYPE,
    CONF_DOMAIN,
    CONF_EFFECT,
    CONF_ENTITY,
    CONF_FIELDS,
    CONF_HIGH,
    CONF_LOW,
    CONF_OPERATIONS,
    CONF_RISK,
    CONF_SERVICE,
    CONF_VERB,
    CONF_VETTED,
    SUBENTRY_ENTITY,
    SUBENTRY_OPERATION,
)
from ..devices import CustomField, CustomOperation, DeviceRecord, OwnersWord
from .makeup.reader import MakeupReader
from .vetting import config_hash


@dataclass(frozen=True, kw_only=True)
class EntityWords:
    """The owner's words for one entity. ``key`` is the registry's id, or the entity id where there is none."""

    key: str
    word: OwnersWord
    aliases: tuple[str, ...] = ()
    device_type: str | None = None
    vetted: str | None = None

    @classmethod
    def from_subentry(cls, subentry: ConfigSubentry) -> EntityWords:
        """The words that a subentry holds."""
        data = subentry.data
        operations = data.get(CONF_OPERATIONS)
        return cls(
            key=data[CONF_ENTITY],
            word=OwnersWord(
                operations=tuple(operations) if operations else None,
                low=data.get(CONF_LOW),
                high=data.get(CONF_HIGH),
                risk=data.get(CONF_RISK),
            ),
            aliases=tuple(data.get(CONF_ALIASES, ())),
            device_type=data.get(CONF_DEVICE_TYPE),
            vetted=data.get(CONF_VETTED),
        )


def key_of(hass: HomeAssistant, entity_id: str) -> str:
    """By what the owner's words for an entity are kept."""
    entry = er.async_get(hass).async_get(entity_id)
    return entry.id if entry else entity_id


class OwnersWords:
    """All that the owner says about entities and operations."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry, makeups: MakeupReader) -> None:
        self._hass = hass
        self._makeups = makeups
        self._by_key: Mapping[str, EntityWords] = MappingProxyType({})
        self._operations: tuple[CustomOperation, ...] = ()
        self.load(entry)

    @property
    def operations(self) -> tuple[CustomOperation, ...]:
        """The operations that the owner added."""
        return self._operations

    def load(self, entry: ConfigEntry) -> tuple[str, ...]:
        """Takes the subentries in; the entities whose aliases changed."""
        words = [
            EntityWords.from_subentry(subentry)
            for subentry in entry.subentries.values()
            if subentry.subentry_type == SUBENTRY_ENTITY
        ]
        self._operations = tuple(
            _operation(subentry.data)
            for subentry in entry.subentries.values()
            if subentry.subentry_type == SUBENTRY_OPERATION
        )
        before, self._by_key = self._by_key, MappingProxyType({word.key: word for word in words})
        return tuple(
            er.async_resolve_entity_id(er.async_get(self._hass), key) or key
            for key in before.keys() | self._by_key.keys()
            if _aliases(before, key) != _aliases(self._by_key, key)
        )

    def aliases(self, entity_id: str) -> tuple[str, ...]:
        """The names that only EdgeHome knows."""
        return _aliases(self._by_key, key_of(self._hass, entity_id)) if self._by_key else ()

    def on(self, record: DeviceRecord) -> DeviceRecord:
        """A record with what the owner says about it. What was vetted is not any more when its configuration changed."""
        words = self._by_key.get(record.key or record.entity_id)
        if words is None:
            return record
        is_vetted = words.vetted is not None and words.vetted == config_hash(self._makeups, record.entity_id)
        return replace(
            record,
            device_type=words.device_type if words.device_type in classes_of(record.domain) else record.device_type,
            vetted=is_vetted,
            owner=words.word,
        )


def _operation(data: Mapping[str, Any]) -> CustomOperation:
    return CustomOperation(
        name=data[CONF_VERB],
        domain=data[CONF_DOMAIN],
        service=data[CONF_SERVICE],
        effect=data[CONF_EFFECT],
        risk=int(data[CONF_RISK]),
        fields=tuple(
            CustomField(
                name=field["name"],
                kind=field["kind"],
                low=field.get("low"),
                high=field.get("high"),
                step=field.get("step"),
                options=tuple(field.get("options", ())),
                required=field["required"],
            )
            for field in data[CONF_FIELDS]
        ),
    )


def _aliases(by_key: Mapping[str, EntityWords], key: str) -> tuple[str, ...]:
    return by_key[key].aliases if key in by_key else ()
