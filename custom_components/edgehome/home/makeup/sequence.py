"""What a sequence of actions does: scripts, automations and template entities, step by step.

The validated configuration is walked (``helpers/config_validation.py``, ``determine_script_action``). Conditions are
taken as fulfilled. What is decided while it runs (templates in actions and targets), events and actions outside of the
catalogue cannot be read and are told as such.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.template import Template

from ...catalogue import DOMAINS, OPERATIONS, operation
from ...devices import Deed
from ...models import Intent
from .states import BOTH_WAYS, ON_OFF, amount_in, deeds_to_reach, value_verbs
from .words import TARGETS, targeted

DEEPEST, MOST = 12, 200
"""How deep steps may be nested, and how many deeds one sequence may have."""

_GENERAL = frozenset({"group", "homeassistant"})
"""Domains whose actions act on entities of any domain."""
_HARMLESS_DOMAINS = frozenset({"logbook", "notify", "persistent_notification", "system_log", "tts"})
_HARMLESS = frozenset({"homeassistant.update_entity", "todo.get_items", "weather.get_forecasts", "calendar.get_events"})
_SILENT_STEPS = frozenset(
    {
        cv.SCRIPT_ACTION_CHECK_CONDITION, cv.SCRIPT_ACTION_DELAY, cv.SCRIPT_ACTION_SET_CONVERSATION_RESPONSE,
        cv.SCRIPT_ACTION_STOP, cv.SCRIPT_ACTION_VARIABLES, cv.SCRIPT_ACTION_WAIT_FOR_TRIGGER,
        cv.SCRIPT_ACTION_WAIT_TEMPLATE,
    }
)  # fmt: skip


def deeds_in(hass: HomeAssistant, sequence: Sequence[Mapping[str, Any]]) -> tuple[Deed, ...]:
    """Everything that a sequence may do."""
    deeds: list[Deed] = []
    for deed in _steps(hass, sequence, 0):
        deeds.append(deed)
        if len(deeds) > MOST:
            return (Deed(why="more steps than EdgeHome reads"),)
    return tuple(dict.fromkeys(deeds))


def _steps(hass: HomeAssistant, sequence: Iterable[Mapping[str, Any]], depth: int) -> Iterator[Deed]:
    if depth > DEEPEST:
        yield Deed(why="steps nested deeper than EdgeHome reads")
        return
    for step in sequence:
        if step.get("enabled") is False:
            continue
        try:
            kind = cv.determine_script_action(dict(step))
        except ValueError:
            yield Deed(why="an unknown step")
            continue
        if kind not in _SILENT_STEPS:
            yield from _step(hass, kind, step, depth + 1)


def _step(hass: HomeAssistant, kind: str, step: Mapping[str, Any], depth: int) -> Iterator[Deed]:
    inner = branches(kind, step)
    if inner is not None:
        for sequence in inner:
            yield from _steps(hass, sequence, depth)
    elif kind == cv.SCRIPT_ACTION_CALL_SERVICE:
        yield from _call(hass, step)
    elif kind == cv.SCRIPT_ACTION_DEVICE_AUTOMATION:
        yield from _device_action(hass, step)
    elif kind == cv.SCRIPT_ACTION_ACTIVATE_SCENE:
        yield Deed(entity_id=str(step["scene"]), verbs=(Intent.ACTIVATE.value,))
    elif kind == cv.SCRIPT_ACTION_FIRE_EVENT:
        yield Deed(why=f"the event {str(step.get('event'))[:60]}, whoever listens")
    else:
        yield Deed(why=f"a step of kind {kind}")


def branches(kind: str, step: Mapping[str, Any]) -> list[Sequence[Mapping[str, Any]]] | None:
    """The sequences within a step, each of which may be run; None if it has none."""
    match kind:
        case cv.SCRIPT_ACTION_CHOOSE:
            return [*(option["sequence"] for option in step["choose"]), step.get("default") or ()]
        case cv.SCRIPT_ACTION_IF:
            return [step["then"], step.get("else") or ()]
        case cv.SCRIPT_ACTION_REPEAT:
            return [step["repeat"]["sequence"]]
        case cv.SCRIPT_ACTION_PARALLEL:
            return [branch["sequence"] for branch in step["parallel"]]
        case cv.SCRIPT_ACTION_SEQUENCE:
            return [step["sequence"]]
    return None


def _call(hass: HomeAssistant, step: Mapping[str, Any]) -> Iterator[Deed]:
    name = step.get("action") or step.get("service")
    if not isinstance(name, str) or step.get("service_template"):
        yield Deed(why="an action that is only known when it runs")
        return
    domain, _, service = name.partition(".")
    if domain in _HARMLESS_DOMAINS or name in _HARMLESS:
        return
    parts = [step.get(key) or {} for key in ("data", "data_template", "target")]
    if not all(isinstance(part, Mapping) for part in parts):
        # A template for the whole could name any target and any value.
        yield Deed(why=f"{name} with values that are only known when it runs")
        return
    data = {key: value for part in parts for key, value in part.items()}
    if domain == "script" and service not in {"turn_on", "turn_off", "toggle", "reload"}:
        yield Deed(entity_id=name, verbs=(Intent.RUN.value,))
        return
    if name == "scene.apply":
        yield from deeds_to_reach(data.get("entities"))
        return
    if domain not in DOMAINS | _GENERAL:
        yield Deed(why=f"{name}, which is not in the catalogue")
        return
    named = {key: value for key, value in {**data, **step}.items() if key in TARGETS}
    entity_ids = _entities(hass, named)
    if entity_ids is None:
        why = f"{name} on something that is only known when it runs"
        yield Deed(
            why=why,
            domain="" if domain in _GENERAL else domain,
            verbs=(*value_verbs(domain, data), *_verbs(domain, service, data)),
        )
        return
    is_general = domain in _GENERAL
    for entity_id in entity_ids:
        own = entity_id.partition(".")[0]
        # An area holds entities of many domains; an action acts on those of its own.
        if is_general or own == domain:
            yield Deed(
                entity_id=entity_id,
                verbs=(*value_verbs(own, data), *_verbs(own, service, data)),
                temperature=_temperature(service, data),
                amount=amount_in(data),
            )


def _temperature(service: str, data: Mapping[str, Any]) -> float | None:
    """The set point that a step sends; infinite where it is only known when it runs."""
    told = [data[key] for key in ("temperature", "target_temp_low", "target_temp_high") if key in data]
    if service != "set_temperature" or not told:
        return None
    return max((float(value) if isinstance(value, int | float) else math.inf for value in told), key=abs)


def _entities(hass: HomeAssistant, named: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The entities of a target; None if it is not told before it runs, or means everything."""
    if not named or any(not _is_told(value) for value in named.values()):
        return None
    return tuple(sorted(targeted(hass, named)))


def _is_told(value: object) -> bool:
    if isinstance(value, Template):
        return False
    if isinstance(value, str):
        return value not in {"all", "none"} and "{" not in value
    return isinstance(value, list | tuple) and all(_is_told(item) for item in value)


def _verbs(domain: str, service: str, data: Mapping[str, Any]) -> tuple[str, ...]:
    """All that a service may be in the catalogue's words; a word of its own where there is none."""
    name = f"{domain}.{service}"
    if service == "toggle" or (domain in {"cover", "lock", "valve"} and service in ON_OFF):
        return BOTH_WAYS.get(domain, ON_OFF)
    if service.endswith("_position") and domain in BOTH_WAYS:
        position = data.get("position")
        return ("close",) if position == 0 else ("open",) if isinstance(position, int | float) else BOTH_WAYS[domain]
    if rows := tuple(row.intent.value for row in OPERATIONS if row.service == name):
        return (rows[0], *_with_its_values(name, data))
    ways = (Intent.ACTIVATE, Intent.RUN) if service == "turn_on" else ()
    return tuple(intent.value for intent in ways if operation(domain, intent)) or (service,)


_MODES = {"climate.set_hvac_mode": "hvac_mode", "climate.set_temperature": "hvac_mode"} | {
    "water_heater.set_operation_mode": "operation_mode"
}
_DARK = ("brightness", "brightness_pct")


def _with_its_values(name: str, data: Mapping[str, Any]) -> tuple[str, ...]:
    """What a step means besides, by its values: a mode that is off, a brightness of nothing; both ways if not told."""
    if name in _MODES:
        mode = data.get(_MODES[name])
        if mode is None:
            return ()
        told = isinstance(mode, str) and "{" not in mode
        ways = ("turn_off",) if mode == "off" else ("turn_on",) if told else ON_OFF
        return (*((Intent.SET_MODE.value,) if name == "climate.set_temperature" else ()), *ways)
    if name == "light.turn_on" and any(
        data[key] == 0 or not isinstance(data[key], int | float) for key in _DARK if key in data
    ):
        return (Intent.TURN_OFF.value,)
    return ()


def waits_in(sequence: Iterable[Mapping[str, Any]], depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """The triggers that a sequence waits for on its way, as triggers."""
    for step in sequence if depth <= DEEPEST else ():
        try:
            kind = cv.determine_script_action(dict(step))
        except ValueError:
            continue
        if kind == cv.SCRIPT_ACTION_WAIT_FOR_TRIGGER:
            yield from step["wait_for_trigger"]
        elif kind == cv.SCRIPT_ACTION_WAIT_TEMPLATE:
            yield {"wait_template": step["wait_template"]}
        for inner in branches(kind, step) or ():
            yield from waits_in(inner, depth + 1)


def _device_action(hass: HomeAssistant, step: Mapping[str, Any]) -> Iterator[Deed]:
    """An action chosen by its device; it names the registry's id of an entity (``components/device_automation``)."""
    domain, kind = str(step.get("domain")), str(step.get("type"))
    if (domain, kind) == ("mobile_app", "notify"):
        return
    entity_id = er.async_resolve_entity_id(er.async_get(hass), str(step.get("entity_id", "")))
    if entity_id is None or domain not in DOMAINS:
        yield Deed(why=f"the device action {domain} {kind}")
        return
    yield Deed(entity_id=entity_id, verbs=(*value_verbs(domain, step), *_verbs(domain, kind, step)))
