"""Reads what acting on an entity does elsewhere, and keeps it until something of it changes."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from homeassistant.components.homeassistant.scene import HomeAssistantScene
from homeassistant.const import EVENT_CALL_SERVICE, EVENT_COMPONENT_LOADED, EVENT_STATE_CHANGED
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from homeassistant.helpers.entity import Entity, entity_sources
from homeassistant.helpers.entity_component import DATA_INSTANCES

from ...catalogue import DOMAINS
from ...catalogue.device_types import device_type_of
from ...catalogue.risk import BARRIERS
from ...devices import PLAIN, WHATEVER, Deed, Makeup
from .listeners import Heard, Listeners
from .sequence import deeds_in
from .states import BOTH_WAYS, ON_OFF, deeds_to_reach
from .words import digest_of

_MOVED = BARRIERS | {"alarm", "lock", "valve"}
"""What a relay on the same device may move."""

RELAY = "relay"

_WRITTEN = frozenset({"command_line", "ifttt", "nodered", "pyscript", "rest", "scrape", "universal", "wake_on_lan"})
"""Integrations whose entities do whatever the owner wrote elsewhere: it cannot be read."""

_BY_SCRIPT = {
    "on": "turn_on", "turn_on": "turn_on", "off": "turn_off", "turn_off": "turn_off", "set_level": "set_brightness",
    "level": "set_brightness", "open_cover": "open", "close_cover": "close", "stop_cover": "stop", "lock": "lock",
    "unlock": "unlock", "open": "open", "press": "press", "open_valve": "open", "close_valve": "close",
}  # fmt: skip
"""The names that template entities give to their actions, by the catalogue's verb."""

_STARTERS = frozenset(
    {
        "button", "counter", "input_boolean", "input_button", "input_datetime", "input_number", "input_select",
        "input_text", "number", "select", "switch", "text", "timer",
    }
)  # fmt: skip
_RELAYS = frozenset({"button", "number", "remote", "select", "switch", "text"})
"""What may move something that sits on the same device: its settings and diagnostics aside, which no agent names."""
_HELPED = ("heater_entity_id", "_switch_entity_id", "cooler_entity_id")
"""Where helpers keep the entity that they switch (``components/generic_thermostat``, ``generic_hygrostat``)."""


_SERIOUS = frozenset({"alarm_control_panel", "cover", "lock", "siren", "valve", "water_heater"})
"""Domains whose entities an integration's scene should not reach unseen."""


class MakeupReader:
    """Makeups by entity."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._kept: dict[str, Makeup] = {}
        self._listeners: Listeners | None = None
        self.revision = 0

    @callback
    def async_start(self) -> Callable[[], None]:
        """Follows what could change a makeup; returns what stops that."""
        listen = self._hass.bus.async_listen
        stops = [
            listen(event, self._forget)
            for event in (
                er.EVENT_ENTITY_REGISTRY_UPDATED,
                dr.EVENT_DEVICE_REGISTRY_UPDATED,
                ar.EVENT_AREA_REGISTRY_UPDATED,
                fr.EVENT_FLOOR_REGISTRY_UPDATED,
                lr.EVENT_LABEL_REGISTRY_UPDATED,
                EVENT_COMPONENT_LOADED,
            )
        ]
        stops.append(listen(EVENT_STATE_CHANGED, self._state_changed, event_filter=_changes_makeup))
        stops.append(listen(EVENT_CALL_SERVICE, self._forget, event_filter=_reloads))

        def stop() -> None:
            for one in stops:
                one()

        return stop

    @callback
    def _state_changed(self, _: Event[EventStateChangedData]) -> None:
        self._drop()

    @callback
    def _forget(self, _: Event[Any]) -> None:
        self._drop()

    def _drop(self) -> None:
        self._kept.clear()
        self._listeners = None
        self.revision += 1

    def of(self, entity_id: str) -> Makeup:
        """What acting on an entity does elsewhere."""
        if (kept := self._kept.get(entity_id)) is None:
            kept = self._kept[entity_id] = self._read(entity_id)
        return kept

    def _read(self, entity_id: str) -> Makeup:
        own, heard = self._own(entity_id), self._listened(entity_id)
        beside = tuple(dict.fromkeys((*self._wrapped(entity_id), *self._relayed(entity_id), *heard.deeds)))
        if not beside and not heard.digest:
            return own
        deeds = {**own.deeds, WHATEVER: own.deeds.get(WHATEVER, ()) + beside}
        return replace(own, kind=own.kind or RELAY, deeds=deeds, digest=digest_of([own.digest, heard.digest]))

    def _own(self, entity_id: str) -> Makeup:
        """What an entity is made of."""
        domain, state = entity_id.partition(".")[0], self._hass.states.get(entity_id)
        entity, platform = self._entity(entity_id), self._platform(entity_id)
        attributes = state.attributes if state else {}
        if domain == "group":
            return Makeup(kind="group", members=_ids(attributes.get("entity_id")), as_members=True)
        if domain == "script":
            script = getattr(entity, "script", None)
            if script is None:
                return Makeup(kind="script", deeds={WHATEVER: (Deed(why="a script that is not loaded"),)})
            runs = {"run": deeds_in(self._hass, script.sequence), "stop": (), "turn_off": ()}
            return Makeup(kind="script", deeds=runs, digest=digest_of(list(script.sequence)))
        if domain == "scene":
            return self._scene(entity_id, entity)
        if platform == "template":
            return self._template(entity)
        if platform in _WRITTEN:
            return Makeup(kind=platform, deeds={WHATEVER: (Deed(why=f"what the owner wrote for {platform}"),)})
        if platform == "switch_as_x":
            source = str(getattr(entity, "_switch_entity_id", ""))
            return Makeup(kind=platform, deeds={WHATEVER: (Deed(entity_id=source, verbs=ON_OFF),)})
        if members := _ids(attributes.get("entity_id")) or _ids(attributes.get("group_entities")):
            return Makeup(kind="group", members=members)
        helped = (getattr(entity, name, None) for name in _HELPED)
        if deeds := tuple(Deed(entity_id=one, verbs=ON_OFF) for one in helped if isinstance(one, str)):
            return Makeup(kind=platform, deeds={WHATEVER: deeds})
        return PLAIN

    def _scene(self, entity_id: str, entity: Entity | None) -> Makeup:
        """Home Assistant's own scenes name states; those of an integration are bounded by its own entities (R5)."""
        if isinstance(entity, HomeAssistantScene):
            states = entity.scene_config.states
            written = {key: [state.state, dict(state.attributes)] for key, state in states.items()}
            return Makeup(kind="scene", deeds={"activate": tuple(deeds_to_reach(states))}, digest=digest_of(written))
        registry = er.async_get(self._hass)
        entry = registry.async_get(entity_id)
        if entry is None or entry.config_entry_id is None:
            return Makeup(kind="scene", deeds={"activate": (Deed(why="a scene that cannot be read"),)})
        # What the owner has switched off in Home Assistant is still there for the hub.
        others = [
            other
            for other in er.async_entries_for_config_entry(registry, entry.config_entry_id)
            if other.domain in DOMAINS - {"scene"} and other.entity_category is None
        ]
        bound = tuple(Deed(entity_id=other.entity_id, verbs=BOTH_WAYS.get(other.domain, ON_OFF)) for other in others)
        # A new lock beside the lamps is a reason to look again, a new lamp is none.
        serious = sorted(other.id for other in others if other.domain in _SERIOUS)
        return Makeup(kind="scene", bound=bound, digest=digest_of([entry.unique_id, *serious]))

    def _template(self, entity: Entity | None) -> Makeup:
        """What each action of a template entity does (``components/template/entity.py``)."""
        scripts = getattr(entity, "_action_scripts", None)
        if not isinstance(scripts, dict):
            return Makeup(kind="template", deeds={WHATEVER: (Deed(why="a template that cannot be read"),)})
        deeds: defaultdict[str, tuple[Deed, ...]] = defaultdict(tuple)
        for name, script in scripts.items():
            deeds[_BY_SCRIPT.get(name, WHATEVER)] += deeds_in(self._hass, script.sequence)
        written = {name: list(script.sequence) for name, script in scripts.items()}
        return Makeup(kind="template", deeds=dict(deeds), digest=digest_of(written))

    def _wrapped(self, entity_id: str) -> Iterator[Deed]:
        """What a switch really is, if switch_as_x makes a lock, cover or light of it: acting on it acts on that."""
        registry = er.async_get(self._hass)
        for entry in self._hass.config_entries.async_entries("switch_as_x"):
            if er.async_resolve_entity_id(registry, str(entry.options.get("entity_id"))) != entity_id:
                continue
            for wrapper in er.async_entries_for_config_entry(registry, entry.entry_id):
                yield Deed(entity_id=wrapper.entity_id, verbs=BOTH_WAYS.get(wrapper.domain, ON_OFF))

    def _relayed(self, entity_id: str) -> Iterator[Deed]:
        """A relay that sits on the device of a lock, gate or alarm may well move it."""
        registry = er.async_get(self._hass)
        entry = registry.async_get(entity_id)
        if entry is None or entry.device_id is None or entry.domain not in _RELAYS:
            return
        for other in er.async_entries_for_device(registry, entry.device_id):
            kind = device_type_of(other.domain, other.device_class or other.original_device_class)
            if kind in _MOVED and other.entity_id != entity_id:
                yield Deed(entity_id=other.entity_id, verbs=BOTH_WAYS.get(other.domain, ON_OFF))

    def _listened(self, entity_id: str) -> Heard:
        """What follows when the entity changes; of what cannot be read only behind what is there to start things."""
        if self._listeners is None:
            self._listeners = Listeners(self._hass)
        heard = self._listeners.of(entity_id)
        if entity_id.partition(".")[0] in _STARTERS:
            return heard
        told = (
            deed if deed.entity_id else replace(deed, why="") for deed in heard.deeds if deed.entity_id or deed.domain
        )
        return Heard(tuple(told), heard.digest)

    def _entity(self, entity_id: str) -> Entity | None:
        component = self._hass.data.get(DATA_INSTANCES, {}).get(entity_id.partition(".")[0])
        return component.get_entity(entity_id) if component else None

    def _platform(self, entity_id: str) -> str:
        entry = er.async_get(self._hass).async_get(entity_id)
        if entry is not None:
            return entry.platform
        source = entity_sources(self._hass).get(entity_id)
        return source["domain"] if source else ""


def _ids(members: object) -> tuple[str, ...]:
    return tuple(str(item) for item in members) if isinstance(members, list | tuple | set | frozenset) else ()


@callback
def _reloads(data: Mapping[str, object]) -> bool:
    """Whether something that was written is read anew."""
    return "reload" in str(data.get("service"))


@callback
def _changes_makeup(data: EventStateChangedData) -> bool:
    """Whether an entity comes, goes, or changes its members; an automation, whether it is on."""
    old, new = data["old_state"], data["new_state"]
    if old is None or new is None:
        return True
    if data["entity_id"].startswith("automation."):
        return old.state != new.state
    return any(old.attributes.get(name) != new.attributes.get(name) for name in ("entity_id", "group_entities"))
