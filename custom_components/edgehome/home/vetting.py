"""What the owner vets: the configuration behind an entity, as a hash that changes when anything in it does (R5)."""

import hashlib
import json
from collections.abc import Mapping

from homeassistant.components.homeassistant.scene import HomeAssistantScene
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import Entity, entity_sources
from homeassistant.helpers.entity_component import DATA_INSTANCES
from homeassistant.helpers.template import Template

from .makeup.reader import MakeupReader

DEEPEST = 8


def config_hash(hass: HomeAssistant, makeups: MakeupReader, entity_id: str) -> str | None:
    """The hash of an entity's configuration and of all scripts, scenes and templates that it runs; None without one.

    What cannot be read at all (an integration's own scene, a command line) is held by its integration and entry only.
    """
    if hass.states.get(entity_id) is None:
        return None
    parts: dict[str, object] = {}
    waiting = [(entity_id, 0)]
    while waiting:
        here, depth = waiting.pop()
        if here in parts or depth > DEEPEST:
            continue
        parts[here] = _configuration(hass, here)
        for deeds in makeups.of(here).deeds.values():
            waiting.extend((deed.entity_id, depth + 1) for deed in deeds if deed.entity_id)
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=_plain).encode()).hexdigest()


def _configuration(hass: HomeAssistant, entity_id: str) -> object:
    """What is written for an entity, as far as it can be read."""
    component = hass.data.get(DATA_INSTANCES, {}).get(entity_id.partition(".")[0])
    entity: Entity | None = component.get_entity(entity_id) if component else None
    if isinstance(entity, HomeAssistantScene):
        return {key: [state.state, dict(state.attributes)] for key, state in entity.scene_config.states.items()}
    # Scripts keep what they were made of (components/script), template entities theirs (components/template/entity.py).
    written = getattr(entity, "raw_config", None) or getattr(entity, "_config", None)
    if isinstance(written, Mapping):
        return dict(written)
    entry = er.async_get(hass).async_get(entity_id)
    source = entity_sources(hass).get(entity_id)
    return [entry.platform, entry.config_entry_id] if entry else [source["domain"] if source else None]


def _plain(value: object) -> object:
    """A value of a configuration as JSON; a template by its text, for how often it was rendered is no part of it."""
    if isinstance(value, Template):
        return value.template
    return list(value) if isinstance(value, set | frozenset | tuple) else f"{type(value).__name__} {value}"
