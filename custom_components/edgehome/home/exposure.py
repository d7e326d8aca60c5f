"""What agents may name: Home Assistant's Assist list, or EdgeHome's own by entity, area, label and domain.

Exposed is not permitted: the policy decides.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from ..const import CONF_AREAS, CONF_DOMAINS, CONF_ENTITIES, CONF_LABELS, CONF_SOURCE

ASSIST, OWN = "assist", "own"
ASSISTANT = "conversation"
"""Home Assistant's id of its Assist list."""


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """The owner's list. Entities are kept by the registry's id, or by entity id where there is none."""

    source: str = ASSIST
    entities: frozenset[str] = frozenset()
    areas: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Exposure:
        """The list that the options hold."""
        return cls(
            source=options.get(CONF_SOURCE, ASSIST),
            entities=frozenset(options.get(CONF_ENTITIES, ())),
            areas=frozenset(options.get(CONF_AREAS, ())),
            labels=frozenset(options.get(CONF_LABELS, ())),
            domains=frozenset(options.get(CONF_DOMAINS, ())),
        )

    def shows(self, hass: HomeAssistant, entity_id: str, entry: er.RegistryEntry | None, area_id: str | None) -> bool:
        """Whether agents may name an entity."""
        if self.source != OWN:
            return async_should_expose(hass, ASSISTANT, entity_id)
        return (
            (entry.id if entry else entity_id) in self.entities
            or area_id in self.areas
            or entity_id.partition(".")[0] in self.domains
            or bool(self.labels and self.labels & _labels(hass, entry))
        )


FOLLOWS_ASSIST = Exposure()
"""What holds until the owner says otherwise."""


def _labels(hass: HomeAssistant, entry: er.RegistryEntry | None) -> set[str]:
    """The labels of an entity and of its device."""
    if entry is None:
        return set()
    device = dr.async_get(hass).async_get(entry.device_id) if entry.device_id else None
    return entry.labels | (device.labels if device else set())


def copied(hass: HomeAssistant) -> list[str]:
    """What Assist may name now, as entities of an own list."""
    registry = er.async_get(hass)
    ids = (item for item in hass.states.async_entity_ids() if async_should_expose(hass, ASSISTANT, item))
    return sorted(entry.id if (entry := registry.async_get(item)) else item for item in ids)
