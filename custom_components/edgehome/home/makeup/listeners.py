"""What happens by itself when an entity changes: automations, trigger-based templates, and what is derived from it (R5)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homeassistant.components.automation import DATA_COMPONENT
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_component import DATA_INSTANCES
from homeassistant.helpers.entity_platform import async_get_platforms

from ...devices import Deed
from .sequence import deeds_in, waits_in
from .words import TARGETS, digest_of, entities_in, targeted, texts

_TEMPLATE = "template"
_EVERYTHING = ("state_changed", "call_service", "state_reported", "timer.")
"""Events that follow whatever anybody does; without an entity they are heard from everywhere."""

_DERIVING = frozenset(
    {
        "bayesian", "compensation", "derivative", "filter", "generic_hygrostat", "generic_thermostat", "group",
        "history_stats", "integration", "min_max", "mold_indicator", "statistics", "switch_as_x", "template", "threshold",
        "trend", "utility_meter",
    }
)  # fmt: skip
"""Integrations whose entities follow others."""


@dataclass(frozen=True)
class Heard:
    """What follows a change: its deeds, and a digest of what was written."""

    deeds: tuple[Deed, ...] = ()
    digest: str = ""


class Listeners:
    """Who listens to what, worked out once for the whole home."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._by_entity: defaultdict[str, list[Heard]] = defaultdict(list)
        self._always: list[Heard] = []
        self._derived: defaultdict[str, set[str]] = defaultdict(set)
        for started, sequence in (*_automations(hass), *_trigger_templates(hass), *_scripts(hass)):
            triggers = [*started, *waits_in(sequence)]
            if not triggers:
                continue
            heard = Heard(deeds_in(hass, sequence), digest_of([triggers, list(sequence)]))
            for trigger in triggers:
                sources = _sources(hass, trigger)
                if not sources and _hears_everything(trigger):
                    self._always.append(heard)
                for source in sources:
                    self._by_entity[source].append(heard)
        for entity_id, sources in _derivations(hass):
            for source in sources - {entity_id}:
                self._derived[source].add(entity_id)

    def of(self, entity_id: str) -> Heard:
        """Everything that follows a change of an entity, directly or by what is derived from it."""
        waiting, seen = [entity_id], {entity_id}
        found: list[Heard] = list(self._always)
        while waiting:
            here = waiting.pop()
            found += self._by_entity.get(here, ())
            new = self._derived.get(here, set()) - seen
            seen |= new
            waiting += new
        if not found:
            return Heard()
        deeds = dict.fromkeys(deed for heard in found for deed in heard.deeds)
        return Heard(tuple(deeds), digest_of(sorted({heard.digest for heard in found})))


type Written = tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]
"""Triggers, and the sequence that they start."""


def _automations(hass: HomeAssistant) -> Iterator[Written]:
    """The automations that are on; one that cannot be loaded does nothing."""
    component = hass.data.get(DATA_COMPONENT)
    for automation in component.entities if component else ():
        script, triggers = getattr(automation, "action_script", None), getattr(automation, "_trigger_config", None)
        if script is not None and triggers is not None and automation.is_on:
            yield triggers, script.sequence


def _scripts(hass: HomeAssistant) -> Iterator[Written]:
    """Scripts: nothing starts one by itself, but a running one may wait for something."""
    component = hass.data.get(DATA_INSTANCES, {}).get("script")
    for entity in component.entities if component else ():
        if (script := getattr(entity, "script", None)) is not None:
            yield (), script.sequence


def _trigger_templates(hass: HomeAssistant) -> Iterator[Written]:
    """Template entities with triggers and actions of their own (``components/template/coordinator.py``)."""
    for coordinator in hass.data.get(_TEMPLATE, ()):
        config = getattr(coordinator, "config", None)
        if isinstance(config, Mapping) and (sequence := config.get("actions")):
            yield config.get("triggers", ()), sequence


def _sources(hass: HomeAssistant, trigger: Mapping[str, Any]) -> set[str]:
    """The entities that a trigger listens to, members of groups included."""
    named = {key: value for key, value in {**trigger, **(trigger.get("target") or {})}.items() if key in TARGETS}
    found = entities_in(hass, trigger)
    if named:
        found |= targeted(hass, named)
    waiting = list(found)
    while waiting:
        state = hass.states.get(waiting.pop())
        members = state.attributes.get("entity_id") if state else None
        new = set(members) - found if isinstance(members, list | tuple) else set()
        found |= new
        waiting += new
    return found


def _hears_everything(trigger: Mapping[str, Any]) -> bool:
    kinds = texts(trigger.get("event_type", ""))
    return any(kind.startswith(_EVERYTHING) for kind in kinds)


def _derivations(hass: HomeAssistant) -> Iterator[tuple[str, set[str]]]:
    """The entities that follow others, with those that they follow."""
    for integration in sorted(_DERIVING):
        for platform in async_get_platforms(hass, integration):
            for entity in list(platform.entities.values()):
                yield entity.entity_id, entities_in(hass, list(_written(vars(entity).values())))


def _written(values: Iterable[object]) -> Iterator[object]:
    """What of an entity's own fields could be a configuration."""
    return (value for value in values if isinstance(value, str | list | tuple | set | Mapping))
