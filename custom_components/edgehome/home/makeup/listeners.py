"""Which automations listen to an entity, and what they do then (R5)."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from homeassistant.components.automation import DATA_COMPONENT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.target import TargetSelection, async_extract_referenced_entity_ids
from homeassistant.helpers.template import Template

from ...devices import Deed
from .sequence import deeds_in

_ENTITY_ID = re.compile(r"\b[a-z_]+\.[a-z0-9_]+\b")
_TARGETS = ("entity_id", "device_id", "area_id", "floor_id", "label_id")


def listeners(hass: HomeAssistant) -> Mapping[str, tuple[Deed, ...]]:
    """What automations that are on do when an entity changes, by entity id.

    Triggers name entities themselves, by a target, or within a template. An automation that cannot be loaded does
    nothing.
    """
    found: defaultdict[str, list[Deed]] = defaultdict(list)
    component = hass.data.get(DATA_COMPONENT)
    for automation in component.entities if component else ():
        script, triggers = getattr(automation, "action_script", None), getattr(automation, "_trigger_config", None)
        if script is None or triggers is None or not automation.is_on:
            continue
        heard = {entity_id for trigger in triggers for entity_id in _heard(hass, trigger)}
        if heard:
            deeds = deeds_in(hass, script.sequence)
            for entity_id in heard:
                found[entity_id].extend(deeds)
    return {entity_id: tuple(dict.fromkeys(deeds)) for entity_id, deeds in found.items()}


def _heard(hass: HomeAssistant, trigger: Mapping[str, Any]) -> Iterator[str]:
    """The entities that a trigger listens to."""
    registry = er.async_get(hass)
    named = {key: value for key, value in {**trigger, **(trigger.get("target") or {})}.items() if key in _TARGETS}
    if named:
        selected = async_extract_referenced_entity_ids(hass, TargetSelection(named), expand_group=True)
        for item in selected.referenced | selected.indirectly_referenced:
            yield er.async_resolve_entity_id(registry, item) or item
    for value in trigger.values():
        if isinstance(value, Template):
            yield from _ENTITY_ID.findall(value.template)
