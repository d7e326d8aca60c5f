"""A house made of plain values, for tests of the pure parts: gates ask it exactly as they ask Home Assistant's."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from custom_components.edgehome.catalogue.device_types import device_type_of, domain_of, is_of_type
from custom_components.edgehome.chain import Answer, Gate, GateContext
from custom_components.edgehome.confirmation.grants import Grant
from custom_components.edgehome.devices import (
    PLAIN,
    CustomOperation,
    Deed,
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
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.gates import GATES
from custom_components.edgehome.models import ActionRequest, Principal, PrincipalKind
from custom_components.edgehome.policy.presets import STRICT
from custom_components.edgehome.policy.table import PolicyTable
from custom_components.edgehome.settings import DEFAULT_FLAGS

UNREAD = Makeup(kind="template", deeds={"*": (Deed(why="a template that cannot be read"),)})
"""What cannot be read, whatever is done to it."""

AGENT = Principal(kind=PrincipalKind.AGENT, id="hermes", name="Hermes")


@dataclass
class MadeHouse:
    """Rooms, devices and states as given; every service exists and takes everything unless said otherwise."""

    rooms: dict[str, Room] = field(default_factory=dict)
    devices: dict[str, DeviceRecord] = field(default_factory=dict)
    states: dict[str, DeviceState] = field(default_factory=dict)
    aliases: dict[str, set[str]] = field(default_factory=dict)
    table: PolicyTable = STRICT
    stand: Standing = field(default_factory=lambda: Standing(status="active"))
    locked_down: bool = False
    recent: int = 0
    counted: list[str] = field(default_factory=list)
    flags: Mapping[str, str] = field(default_factory=lambda: dict(DEFAULT_FLAGS))
    services: dict[str, ServiceFacts | None] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    people: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()
    granted: tuple[Grant, ...] = ()
    needed: int = 1
    has_voice: bool = True
    makeups: dict[str, Makeup] = field(default_factory=dict)
    places: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    customs: tuple[CustomOperation, ...] = ()
    cooling: int = 0
    alive: dict[str, Liveness] = field(default_factory=dict)
    time: tuple[int, int] = (0, 0)
    held: dict[str, bool | None] = field(default_factory=dict)
    open_questions: int = 0
    met: dict[str, bool | None] = field(default_factory=dict)
    watch: bool = False
    degrees: dict[str, float] = field(default_factory=dict)

    def add(
        self,
        entity_id: str,
        name: str,
        state: str = "off",
        *,
        room: str | None = None,
        device_class: str | None = None,
        exposed: bool = True,
        targetable: bool = True,
        makeup: Makeup = PLAIN,
        **attributes: object,
    ) -> MadeHouse:
        """Puts a device into the house; its room is made when it is not there."""
        if room:
            self.rooms.setdefault(room.casefold(), Room(area_id=room.lower().replace(" ", "_"), name=room))
        self.devices[entity_id] = DeviceRecord(
            entity_id=entity_id,
            name=name,
            device_type=device_type_of(entity_id.partition(".")[0], device_class),
            area_id=self.rooms[room.casefold()].area_id if room else None,
            room=room or "",
            exposed=exposed,
            targetable=targetable,
        )
        self.makeups[entity_id] = makeup
        self.states[entity_id] = DeviceState(state=state, attributes=attributes)
        self.aliases.setdefault(name.casefold(), set()).add(entity_id)
        return self

    def lockdown(self) -> bool:
        return self.locked_down

    def standing(self, principal_id: str, kind: str) -> Standing:
        return self.stand

    def usage(self, principal_id: str, trace_id: str) -> int:
        return self.recent + sum(other != trace_id for other in self.counted)

    def flag_verdicts(self) -> Mapping[str, str]:
        return self.flags

    def rooms_named(self, name: str) -> tuple[Room, ...]:
        room = self.rooms.get(name.strip().casefold())
        return (room,) if room else ()

    def rooms_like(self, name: str, areas: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(room.name for room in self.rooms.values() if not areas or room.area_id in areas))

    def devices_named(self, name: str) -> tuple[DeviceRecord, ...]:
        return tuple(self.devices[item] for item in sorted(self.aliases.get(name.strip().casefold(), ())))

    def devices_like(self, name: str, areas: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(record.name for record in self._nameable(areas))[:3]

    def device(self, entity_id: str) -> DeviceRecord | None:
        return self.devices.get(entity_id)

    def devices_in(self, area_id: str, device_type: str) -> tuple[DeviceRecord, ...]:
        return tuple(item for item in self.devices_of_type(device_type, ()) if item.area_id == area_id)

    def devices_of_type(self, device_type: str, areas: tuple[str, ...]) -> tuple[DeviceRecord, ...]:
        return tuple(
            item
            for item in self._nameable(areas)
            if item.domain == domain_of(device_type) and is_of_type(item.device_type, item.domain, device_type)
        )

    def state(self, entity_id: str) -> DeviceState | None:
        return self.states.get(entity_id)

    def liveness(self, entity_id: str) -> Liveness:
        return self.alive.get(entity_id, Liveness())

    def service(self, service: str) -> ServiceFacts | None:
        return self.services.get(service, ServiceFacts())

    def validate(self, service: str, payload: Mapping[str, object]) -> str | None:
        return self.faults.get(service)

    def color(self, name: str) -> tuple[int, int, int] | None:
        return {"red": (255, 0, 0), "dark blue": (0, 0, 139)}.get(name.casefold())

    def makeup(self, entity_id: str) -> Makeup:
        return self.makeups.get(entity_id, PLAIN)

    def places_named(self, kind: str, name: str) -> tuple[Place, ...]:
        known = self.places.get(kind, {})
        return tuple(
            Place(kind=PlaceKind(kind), id=item, name=item)
            for item in known
            if item.casefold() == name.strip().casefold()
        )

    def devices_at(self, kind: str, place_id: str, device_type: str) -> tuple[DeviceRecord, ...]:
        there = set(self.devices if kind == PlaceKind.HOME else self.places.get(kind, {}).get(place_id, ()))
        if kind == PlaceKind.AREA:
            there = {item.entity_id for item in self.devices.values() if item.area_id == place_id}
        return tuple(
            item
            for item in self._nameable(())
            if item.entity_id in there and (not device_type or is_of_type(item.device_type, item.domain, device_type))
        )

    def custom_operations(self) -> tuple[CustomOperation, ...]:
        return self.customs

    def speech(self, message: str) -> str | None:
        return f"media-source://tts/made?message={message}" if self.has_voice else None

    def moment(self) -> tuple[int, int]:
        return self.time

    def holds(self, entity_id: str, states: tuple[str, ...]) -> bool | None:
        if not entity_id:
            return self.held.get(states[0])
        state = self.states.get(entity_id)
        return None if state is None else state.state in states

    def meets(self, condition: str) -> bool | None:
        return self.met.get(condition)

    def watching(self) -> bool:
        return self.watch

    def moved(self, principal_id: str, entity_id: str) -> float:
        return self.degrees.get(entity_id, 0.0)

    def policy(self) -> PolicyTable:
        return self.table

    def waiting(self, principal_id: str, trace_id: str) -> int:
        return self.open_questions

    def approvers(
        self, risk: int, areas: tuple[str, ...], among: tuple[str, ...] | None, needs_pin: bool
    ) -> tuple[str, ...]:
        able = tuple(person for person in self.people if among is None or person in among)
        return tuple(person for person in able if person in self.pins) if needs_pin else able

    def grants(self, principal_id: str) -> tuple[Grant, ...]:
        return tuple(grant for grant in self.granted if grant.behind[0] == principal_id)

    def people_needed(self, risk: int) -> int:
        return self.needed

    def cool_down(self, principal_id: str, deeds: tuple[str, ...]) -> int:
        return self.cooling

    def _nameable(self, areas: tuple[str, ...]) -> list[DeviceRecord]:
        found = (self.devices[item] for item in sorted(self.devices))
        return [item for item in found if item.exposed and item.targetable and (not areas or item.area_id in areas)]


def request(payload: Mapping[str, object], principal: Principal = AGENT) -> ActionRequest:
    """An envelope around a payload."""
    return ActionRequest(
        trace_id="01TEST",
        principal=principal,
        door="test",
        payload=payload,
        received_at=datetime(2026, 11, 30, 12, tzinfo=UTC),
    )


def proposing(intent: str, **candidate: object) -> dict[str, object]:
    """A payload with one candidate."""
    return {"model_candidate": {"intent": intent, **candidate}}


def brought_to(gate: type[Gate], house: MadeHouse, payload: Mapping[str, object]) -> GateContext:
    """The context with which a gate gets a request that passes all gates before it."""
    context = GateContext(request=request(payload), facts=Facts(house))
    for earlier in GATES:
        if isinstance(earlier, gate):
            return context
        step, _ = earlier.evaluate(context)
        context = step.context  # type: ignore[union-attr]  # a request that does not get here is the test's mistake
    raise LookupError(gate)


def asked(gate: type[Gate], house: MadeHouse, payload: Mapping[str, object]) -> Answer:
    """What one gate says to a request that passes all gates before it."""
    make: Callable[[], Gate] = gate
    return make().evaluate(brought_to(gate, house, payload))
