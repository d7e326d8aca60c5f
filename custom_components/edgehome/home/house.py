"""Home Assistant as the house that gates ask (``facts.House``) and as the home that the driver needs."""

from collections.abc import Callable, Mapping
from difflib import get_close_matches

from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import intent
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util
from homeassistant.util.color import COLORS

from ..agents.register import AgentRegister
from ..catalogue.attributes import ATTRIBUTES
from ..catalogue.device_types import domain_of, is_of_type
from ..confirmation.broker import Broker
from ..confirmation.grants import Grant
from ..devices import (
    CustomOperation,
    DeviceRecord,
    DeviceState,
    Liveness,
    Makeup,
    Place,
    PlaceKind,
    Room,
    ServiceFacts,
    Standing,
)
from ..facts import Facts
from ..models import ActionRequest, PrincipalKind
from ..plan import ExecutionPlan
from ..policy.table import PolicyTable
from ..settings import Settings
from .conditions import Conditions
from .liveness import LivenessReader
from .makeup.reader import MakeupReader
from .names import NameIndex
from .owners_words import OwnersWords
from .places import entities_at, places_named
from .presence import somebody
from .records import record_of
from .service_facts import fault_in, service_facts
from .speech import spoken
from .usage import Usage

_FEW = 6
CRITICAL = 5
_UNKNOWN = frozenset({"unavailable", "unknown"})
HIDDEN = "hidden"
"""Stands in for a state that is a password."""


class HomeAssistantHouse:
    """Answers every question from Home Assistant's own registries, states and services."""

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        names: NameIndex,
        words: OwnersWords,
        makeups: MakeupReader,
        agents: AgentRegister,
        questions: Broker,
        settings: Settings,
        conditions: Conditions,
    ) -> None:
        self._hass = hass
        self._conditions = conditions
        self._names = names
        self._words = words
        self._makeups = makeups
        self._agents = agents
        self._questions = questions
        self.settings = settings
        self._liveness = LivenessReader(hass)
        self._usage = Usage()
        self._watchers: list[Callable[[], None]] = []
        self.revision = 0

    # The driver's side.

    def facts(self, fetched: Mapping[str, bool] | None = None) -> Facts:
        """A fresh recording view."""
        return Facts(self, fetched)

    async def fetch(self, entity_ids: tuple[str, ...]) -> Mapping[str, bool]:
        """Asks the devices again."""
        return await self._liveness.fetch(entity_ids)

    def stamp(self, entity_ids: tuple[str, ...]) -> object:
        """Changes whenever the owner's settings or one of these entities changed."""
        states = (self._hass.states.get(entity_id) for entity_id in entity_ids)
        return (
            self.revision,
            self._questions.lasting.revision,
            self._makeups.revision,
            self._usage.revision,
            *((state.state, state.last_updated_timestamp) if state else None for state in states),
        )

    def count(self, request: ActionRequest) -> None:
        """Counts a request against its caller's rate."""
        self._usage.count(request)

    def moving(self, request: ActionRequest, plan: ExecutionPlan) -> None:
        """Counts the set points that a plan moves against what its caller may."""
        self._usage.move(request.principal.id, plan)

    def watch(self, entity_ids: tuple[str, ...], changed: Callable[[], None]) -> Callable[[], None]:
        """Tells when one of these entities changes, or the owner's settings."""

        @callback
        def tell(_: Event[EventStateChangedData]) -> None:
            changed()

        stop = async_track_state_change_event(self._hass, entity_ids, tell)
        self._watchers.append(changed)

        def end() -> None:
            stop()
            self._watchers.remove(changed)

        return end

    def owner_changed(self, settings: Settings) -> None:
        """Takes the owner's new settings in."""
        self.settings = settings
        self.revision += 1
        for changed in list(self._watchers):
            changed()

    # The gates' side.

    def lockdown(self) -> bool:
        """Whether the owner has closed the door."""
        return self.settings.lockdown

    def standing(self, principal_id: str, kind: str) -> Standing:
        """The caller's state, scope and limits."""
        if kind == PrincipalKind.OWNER:
            return Standing(status="active")
        if kind == PrincipalKind.AUTOMATION:
            return Standing(status="active" if self.settings.automations else "automation_off")
        if kind == PrincipalKind.AGENT:
            return self._agents.standing(principal_id)
        return Standing(status="foreign_frontend" if kind == PrincipalKind.FOREIGN_FRONTEND else "unknown")

    def usage(self, principal_id: str, trace_id: str) -> int:
        """Requests of the last minute, this one not counted."""
        return self._usage.requests(principal_id, trace_id)

    def moved(self, principal_id: str, entity_id: str) -> float:
        """Degrees by which this caller has moved a set point in the last hour."""
        return self._usage.moved(principal_id, entity_id)

    def flag_verdicts(self) -> Mapping[str, str]:
        """What the owner wants done about suspicious text."""
        return self.settings.flags

    def rooms_named(self, name: str) -> tuple[Room, ...]:
        """Areas with this name, alias or id, by Home Assistant's own matching."""
        return tuple(
            Room(area_id=area.id, name=area.name)
            for area in intent.find_areas(name, ar.async_get(self._hass))
            if name.strip()
        )

    def rooms_like(self, name: str, areas: tuple[str, ...]) -> tuple[str, ...]:
        """Names of areas in the caller's scope that come near."""
        listed = ar.async_get(self._hass).async_list_areas()
        names = {area.name.casefold(): area.name for area in listed if not areas or area.id in areas}
        return tuple(names[found] for found in get_close_matches(name.strip().casefold(), names, 5, 0.5))

    def devices_named(self, name: str) -> tuple[DeviceRecord, ...]:
        """Entities with this name or alias."""
        return self._records(self._names.find(name))

    def devices_like(self, name: str, areas: tuple[str, ...]) -> tuple[str, ...]:
        """Names of nameable entities that come near."""
        near = (record for record in self._records(tuple(self._names.near(name))) if record.is_nameable(areas))
        return tuple(f"{record.name} ({record.entity_id})" for record in near)[:_FEW]

    def device(self, entity_id: str) -> DeviceRecord | None:
        """The entity with this id."""
        record = record_of(self._hass, entity_id, self.settings.exposure)
        return self._words.on(record) if record else None

    def devices_in(self, area_id: str, device_type: str) -> tuple[DeviceRecord, ...]:
        """Nameable entities of a type in an area."""
        entities, devices = er.async_get(self._hass), dr.async_get(self._hass)
        found = {entry.entity_id for entry in er.async_entries_for_area(entities, area_id)}
        for device in dr.async_entries_for_area(devices, area_id):
            found |= {
                entry.entity_id
                for entry in er.async_entries_for_device(entities, device.id)
                if entry.area_id in {None, area_id}
            }
        domain = domain_of(device_type)
        wanted = tuple(sorted(item for item in found if item.startswith(f"{domain}.")))
        return tuple(
            record
            for record in self._records(wanted)
            if record.area_id == area_id
            and record.is_nameable(())
            and is_of_type(record.device_type, record.domain, device_type)
        )

    def places_named(self, kind: str, name: str) -> tuple[Place, ...]:
        """Floors, labels or devices with this name."""
        return places_named(self._hass, self._names, PlaceKind(kind), name)

    def devices_at(self, kind: str, place_id: str, device_type: str) -> tuple[DeviceRecord, ...]:
        """Nameable entities of a type in a place."""
        domain = domain_of(device_type) if device_type else ""
        return tuple(
            record
            for record in self._records(entities_at(self._hass, PlaceKind(kind), place_id, domain))
            if record.is_nameable(())
            and (not device_type or is_of_type(record.device_type, record.domain, device_type))
        )

    def devices_of_type(self, device_type: str, areas: tuple[str, ...]) -> tuple[DeviceRecord, ...]:
        """The first few nameable entities of a type."""
        found: list[DeviceRecord] = []
        for entity_id in self._names.of_domain(domain_of(device_type)):
            record = self.device(entity_id)
            if record and record.is_nameable(areas) and is_of_type(record.device_type, record.domain, device_type):
                found.append(record)
                if len(found) == _FEW:
                    break
        return tuple(sorted(found, key=lambda record: record.entity_id))

    def nameable(self, areas: tuple[str, ...]) -> tuple[DeviceRecord, ...]:
        """Everything that a caller with this scope may name, by entity id."""
        ids = tuple(sorted(self._hass.states.async_entity_ids()))
        return tuple(record for record in self._records(ids) if record.is_nameable(areas))

    def state(self, entity_id: str) -> DeviceState | None:
        """The present state."""
        state = self._hass.states.get(entity_id)
        if state is None:
            return None
        unit = str(self._hass.config.units.temperature_unit)
        attributes = {name: state.attributes[name] for name in ATTRIBUTES & state.attributes.keys()}
        # A text field for passwords shows its password as its state (R12).
        told = HIDDEN if attributes.get("mode") == "password" and state.state not in _UNKNOWN else state.state
        return DeviceState(state=told, attributes=attributes, unit=unit)

    def liveness(self, entity_id: str) -> Liveness:
        """Whether the present state is still true."""
        return self._liveness.of(entity_id)

    def service(self, service: str) -> ServiceFacts | None:
        """What the registered service enforces."""
        return service_facts(self._hass, service)

    def validate(self, service: str, payload: Mapping[str, object]) -> str | None:
        """What the service's schema says against a payload."""
        return fault_in(self._hass, service, payload)

    def custom_operations(self) -> tuple[CustomOperation, ...]:
        """The operations that the owner added."""
        return self._words.operations

    def makeup(self, entity_id: str) -> Makeup:
        """What acting on an entity does elsewhere."""
        return self._makeups.of(entity_id)

    def color(self, name: str) -> tuple[int, int, int] | None:
        """A colour by its CSS name, as Home Assistant knows it."""
        found = COLORS.get(name.strip().lower().replace(" ", ""))
        return (found.r, found.g, found.b) if found else None

    def speech(self, message: str) -> str | None:
        """The media id that speaks a message (``components/tts/media_source.py``)."""
        return spoken(self._hass, message)

    def policy(self) -> PolicyTable:
        """The owner's policy table."""
        return self.settings.policy

    def moment(self) -> tuple[int, int]:
        """Weekday and minute of the day."""
        now = dt_util.now()
        return now.weekday(), now.hour * 60 + now.minute

    def holds(self, entity_id: str, states: tuple[str, ...]) -> bool | None:
        """Whether an entity, or any person, is in one of these states."""
        if not entity_id:
            return somebody(self._hass, states)
        state = self._hass.states.get(entity_id)
        if state is None or (state.state in _UNKNOWN and state.state not in states):
            return None
        return state.state in states

    def meets(self, condition: str) -> bool | None:
        """Whether a condition in Home Assistant's own words is met."""
        return self._conditions.meets(condition)

    def watching(self) -> bool:
        """Whether every request ends as a preview."""
        return self.settings.watch

    def waiting(self, principal_id: str, trace_id: str) -> int:
        """Questions of this caller that wait for a human."""
        return self._questions.waiting(principal_id, trace_id)

    def approvers(
        self, risk: int, areas: tuple[str, ...], among: tuple[str, ...] | None, needs_pin: bool
    ) -> tuple[str, ...]:
        """Who can be reached and may say yes."""
        return tuple(approver.name for approver in self._questions.reachable(risk, areas, among, needs_pin))

    def grants(self, principal_id: str) -> tuple[Grant, ...]:
        """The caller's grants in force."""
        return self._questions.lasting.of_agent(principal_id)

    def people_needed(self, risk: int) -> int:
        """Two for the highest risk, if the owner wants it."""
        return 2 if self.settings.two_people and risk >= CRITICAL else 1

    def cool_down(self, principal_id: str, deeds: tuple[str, ...]) -> int:
        """Seconds until the same may be asked again."""
        return self._questions.cool_down(principal_id, deeds)

    def _records(self, entity_ids: tuple[str, ...]) -> tuple[DeviceRecord, ...]:
        records = (self.device(entity_id) for entity_id in entity_ids)
        return tuple(record for record in records if record is not None)
