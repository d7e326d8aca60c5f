"""What the owner vets: the configuration behind an entity, as a hash that changes when anything in it does (R5)."""

import hashlib
import json

from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_component import DATA_INSTANCES

VETTABLE = frozenset({"script"})
"""The domains whose configuration can be read."""


def config_hash(hass: HomeAssistant, entity_id: str) -> str | None:
    """The hash of an entity's configuration, blueprints filled in; None if it cannot be read: nothing is vetted then.

    Scripts keep what they were made of in ``raw_config`` (``components/script/__init__.py``).
    """
    domain = entity_id.partition(".")[0]
    component = hass.data.get(DATA_INSTANCES, {}).get(domain) if domain in VETTABLE else None
    config = getattr(component.get_entity(entity_id), "raw_config", None) if component else None
    if not config:
        return None
    return hashlib.sha256(json.dumps(config, sort_keys=True, default=repr).encode()).hexdigest()
