"""The entities in what the owner wrote, and a digest of it."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.target import TargetSelection, async_extract_referenced_entity_ids
from homeassistant.helpers.template import Template

TARGETS = frozenset({"entity_id", "device_id", "area_id", "floor_id", "label_id"})
"""The fields of a target (``helpers/target.py``)."""

_ENTITY_ID = re.compile(r"(?:states\.)?\b([a-z_]+\.[a-z0-9_]+)\b")


def texts(value: object) -> Iterator[str]:
    """Every text in a configuration, the templates' own included."""
    if isinstance(value, Template):
        yield value.template
    elif isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from texts(item)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from texts(item)


def entities_in(hass: HomeAssistant, value: object) -> set[str]:
    """The entities that a configuration names anywhere, in templates too."""
    registry = er.async_get(hass)
    named = {found for text in texts(value) for found in _ENTITY_ID.findall(text)}
    return {one for one in named if hass.states.get(one) is not None or registry.async_get(one) is not None}


def targeted(hass: HomeAssistant, named: Mapping[str, Any]) -> set[str]:
    """The entities that a target means now, members of groups included."""
    registry = er.async_get(hass)
    found = async_extract_referenced_entity_ids(hass, TargetSelection(dict(named)), expand_group=True)
    ids = found.referenced | found.indirectly_referenced
    return {er.async_resolve_entity_id(registry, item) or item for item in ids}


def digest_of(value: object) -> str:
    """A hash that changes with anything that is written; how often a template was rendered is no part of it."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=_plain).encode()).hexdigest()[:32]


def _plain(value: object) -> object:
    if isinstance(value, Template):
        return value.template
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    return list(value) if isinstance(value, tuple) else f"{type(value).__name__} {value}"
