"""What gates may know: a recording, read-only view of the house (no Home Assistant here).

Every answer that a gate gets is written down under its question. The list *is* the evidence of what the gate knew and
*is* the input of a replay: ``judge`` on ``Facts(RecordedHouse(reads))`` gives the same verdict again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, cast

from pydantic import TypeAdapter

from .confirmation.grants import Grant
from .devices import (
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
from .models import PrincipalKind
from .policy.table import PolicyTable


class House(Protocol):
    """Where the answers come from: Home Assistant (``home/``), a record, or a test."""

    def lockdown(self) -> bool: ...
    def standing(self, principal_id: str, kind: str) -> Standing: ...
    def usage(self, principal_id: str, trace_id: str) -> int: ...
    def moved(self, principal_id: str, entity_id: str) -> float: ...
    def flag_verdicts(self) -> Mapping[str, str]: ...
    def rooms_named(self, name: str) -> tuple[Room, ...]: ...
    def rooms_like(self, name: str, areas: tuple[str, ...]) -> tuple[str, ...]: ...
    def devices_named(self, name: str) -> tuple[DeviceRecord, ...]: ...
    def devices_like(self, name: str, areas: tuple[str, ...]) -> tuple[str, ...]: ...
    def device(self, entity_id: str) -> DeviceRecord | None: ...
    def devices_in(self, area_id: str, device_type: str) -> tuple[DeviceRecord, ...]: ...
    def places_named(self, kind: str, name: str) -> tuple[Place, ...]: ...
    def devices_at(self, kind: str, place_id: str, device_type: str) -> tuple[DeviceRecord, ...]: ...
    def devices_of_type(self, device_type: str, areas: tuple[str, ...]) -> tuple[DeviceRecord, ...]: ...
    def state(self, entity_id: str) -> DeviceState | None: ...
    def liveness(self, entity_id: str) -> Liveness: ...
    def service(self, service: str) -> ServiceFacts | None: ...
    def validate(self, service: str, payload: Mapping[str, object]) -> str | None: ...
    def custom_operations(self) -> tuple[CustomOperation, ...]: ...
    def makeup(self, entity_id: str) -> Makeup: ...
    def color(self, name: str) -> tuple[int, int, int] | None: ...
    def speech(self, message: str) -> str | None: ...
    def policy(self) -> PolicyTable: ...
    def moment(self) -> tuple[int, int]: ...
    def holds(self, entity_id: str, states: tuple[str, ...]) -> bool | None: ...
    def meets(self, condition: str) -> bool | None: ...
    def watching(self) -> bool: ...
    def waiting(self, principal_id: str, trace_id: str) -> int: ...
    def approvers(
        self, risk: int, areas: tuple[str, ...], among: tuple[str, ...] | None, pin: bool
    ) -> tuple[str, ...]: ...
    def grants(self, principal_id: str) -> tuple[Grant, ...]: ...
    def people_needed(self, risk: int) -> int: ...
    def cool_down(self, principal_id: str, deeds: tuple[str, ...]) -> int: ...


_SHAPES: dict[str, TypeAdapter[object]] = {
    "lockdown": TypeAdapter(bool),
    "standing": TypeAdapter(Standing),
    "usage": TypeAdapter(int),
    "moved": TypeAdapter(float),
    "flag_verdicts": TypeAdapter(dict[str, str]),
    "rooms_named": TypeAdapter(tuple[Room, ...]),
    "rooms_like": TypeAdapter(tuple[str, ...]),
    "devices_named": TypeAdapter(tuple[DeviceRecord, ...]),
    "devices_like": TypeAdapter(tuple[str, ...]),
    "device": TypeAdapter(DeviceRecord | None),
    "devices_in": TypeAdapter(tuple[DeviceRecord, ...]),
    "places_named": TypeAdapter(tuple[Place, ...]),
    "devices_at": TypeAdapter(tuple[DeviceRecord, ...]),
    "devices_of_type": TypeAdapter(tuple[DeviceRecord, ...]),
    "state": TypeAdapter(DeviceState | None),
    "liveness": TypeAdapter(Liveness),
    "service": TypeAdapter(ServiceFacts | None),
    "validate": TypeAdapter(str | None),
    "makeup": TypeAdapter(Makeup),
    "custom_operations": TypeAdapter(tuple[CustomOperation, ...]),
    "color": TypeAdapter(tuple[int, int, int] | None),
    "speech": TypeAdapter(str | None),
    "policy": TypeAdapter(object),
    "moment": TypeAdapter(tuple[int, int]),
    "holds": TypeAdapter(bool | None),
    "meets": TypeAdapter(bool | None),
    "watching": TypeAdapter(bool),
    "waiting": TypeAdapter(int),
    "approvers": TypeAdapter(tuple[str, ...]),
    "grants": TypeAdapter(tuple[Grant, ...]),
    "people_needed": TypeAdapter(int),
    "cool_down": TypeAdapter(int),
}


@dataclass(frozen=True)
class Read:
    """One question that a gate asked and the answer that it got. ``again``: an earlier gate had asked it already."""

    question: str
    about: tuple[object, ...]
    answer: object
    again: bool = False

    def to_json(self) -> list[object]:
        """The read as JSON: question, what it was about, answer; the answer only the first time.

        A policy is recorded by its digest.
        """
        if self.again:
            return [self.question, list(self.about)]
        if isinstance(self.answer, PolicyTable):
            return [self.question, list(self.about), self.answer.digest]
        try:
            answer = self._as_json(self.answer)
        except ValueError:
            # A device reports something that is no JSON; what else it reports is kept.
            answer = self._as_json(_readable(self.answer))
        return [self.question, list(self.about), answer]

    def _as_json(self, answer: object) -> object:
        return _SHAPES[self.question].dump_python(answer, mode="json", fallback=str)


def _readable(answer: object) -> object:
    """A state without the attributes that are no JSON."""
    if not isinstance(answer, DeviceState):
        return answer
    return replace(answer, attributes={key: value for key, value in answer.attributes.items() if _is_json(value)})


def _is_json(value: object) -> bool:
    try:
        _ANYTHING.dump_python(value, mode="json", fallback=str)
    except ValueError:
        return False
    return True


_ANYTHING: TypeAdapter[object] = TypeAdapter(object)


class Facts:
    """The house as one request sees it. Same question, same answer: each is asked of the house only once.

    ``fetched`` are the entities whose state was fetched for this request, and whether that worked.
    """

    def __init__(self, house: House, fetched: Mapping[str, bool] | None = None) -> None:
        self._house = house
        self._fetched = dict(fetched or {})
        self._answers: dict[tuple[object, ...], object] = {}
        self._log: list[Read] = []

    def take_log(self) -> tuple[Read, ...]:
        """What was asked since the last call: the reads of one gate, repeated questions included."""
        log, self._log = tuple(self._log), []
        return log

    def _ask[**P, T](self, question: Callable[P, T], *about: P.args, **_: P.kwargs) -> T:
        name = question.__name__
        key = (name, repr(about))
        again = key in self._answers
        if not again:
            self._answers[key] = question(*about, **_)
        answer = self._answers[key]
        self._log.append(Read(name, about, answer, again))
        return cast("T", answer)

    def lockdown(self) -> bool:
        """Whether the owner has closed the door for everybody."""
        return self._ask(self._house.lockdown)

    def standing(self, principal_id: str, kind: PrincipalKind) -> Standing:
        """The caller's state, scope and limits."""
        return self._ask(self._house.standing, principal_id, kind.value)

    def usage(self, principal_id: str, trace_id: str) -> int:
        """How many requests this caller sent in the last minute, this one not counted."""
        return self._ask(self._house.usage, principal_id, trace_id)

    def moved(self, principal_id: str, entity_id: str) -> float:
        """Degrees by which this caller has moved an entity's set point in the last hour, up and down added."""
        return self._ask(self._house.moved, principal_id, entity_id)

    def flag_verdicts(self) -> Mapping[str, str]:
        """What the owner wants done about each kind of suspicious text: ``block`` or ``note``."""
        return self._ask(self._house.flag_verdicts)

    def rooms_named(self, name: str) -> tuple[Room, ...]:
        """The areas with exactly this name or alias, case and outer blanks aside."""
        return self._ask(self._house.rooms_named, name)

    def rooms_like(self, name: str, areas: tuple[str, ...]) -> tuple[str, ...]:
        """Names of areas in the caller's scope that come near."""
        return self._ask(self._house.rooms_like, name, areas)

    def devices_named(self, name: str) -> tuple[DeviceRecord, ...]:
        """The entities with exactly this name or alias, case and outer blanks aside; exposed or not."""
        return self._ask(self._house.devices_named, name)

    def devices_like(self, name: str, areas: tuple[str, ...]) -> tuple[str, ...]:
        """Names of exposed entities in the caller's areas that come near."""
        return self._ask(self._house.devices_like, name, areas)

    def device(self, entity_id: str) -> DeviceRecord | None:
        """The entity with this id."""
        return self._ask(self._house.device, entity_id)

    def devices_in(self, area_id: str, device_type: str) -> tuple[DeviceRecord, ...]:
        """The exposed, targetable entities of a type in an area, by entity id."""
        return self._ask(self._house.devices_in, area_id, device_type)

    def places_named(self, kind: PlaceKind, name: str) -> tuple[Place, ...]:
        """The floors, labels or devices with exactly this name, alias or id, case and outer blanks aside."""
        return self._ask(self._house.places_named, kind.value, name)

    def devices_at(self, place: Place, device_type: str) -> tuple[DeviceRecord, ...]:
        """The exposed, targetable entities of a type in a place, by entity id; of all types if none is named."""
        return self._ask(self._house.devices_at, place.kind.value, place.id, device_type)

    def devices_of_type(self, device_type: str, areas: tuple[str, ...]) -> tuple[DeviceRecord, ...]:
        """The first few exposed, targetable entities of a type in the caller's areas, by entity id."""
        return self._ask(self._house.devices_of_type, device_type, areas)

    def state(self, entity_id: str) -> DeviceState | None:
        """The entity's present state, or None if Home Assistant has none."""
        return self._ask(self._house.state, entity_id)

    def liveness(self, entity_id: str) -> Liveness:
        """Whether what Home Assistant has of an entity is still true."""

        def liveness(about: str) -> Liveness:
            known = self._house.liveness(about)
            return replace(known, fetched=self._fetched[about]) if about in self._fetched else known

        return self._ask(liveness, entity_id)

    def service(self, service: str) -> ServiceFacts | None:
        """What the registered service enforces, or None if there is no such service."""
        return self._ask(self._house.service, service)

    def validate(self, service: str, payload: Mapping[str, object]) -> str | None:
        """What the service's own schema says against a payload, or None."""
        return self._ask(self._house.validate, service, payload)

    def custom_operations(self) -> tuple[CustomOperation, ...]:
        """The operations that the owner added."""
        return self._ask(self._house.custom_operations)

    def makeup(self, entity_id: str) -> Makeup:
        """What acting on an entity does elsewhere."""
        return self._ask(self._house.makeup, entity_id)

    def color(self, name: str) -> tuple[int, int, int] | None:
        """Red, green and blue of a colour that Home Assistant knows by name."""
        return self._ask(self._house.color, name)

    def speech(self, message: str) -> str | None:
        """The media id that speaks a message with the home's default voice, or None if it has no voice."""
        return self._ask(self._house.speech, message)

    def policy(self) -> PolicyTable:
        """The owner's policy table."""
        return self._ask(self._house.policy)

    def moment(self) -> tuple[int, int]:
        """Weekday, 0-6 from Monday, and minute of the day, in the home's own time."""
        return self._ask(self._house.moment)

    def holds(self, entity_id: str, states: tuple[str, ...]) -> bool | None:
        """Whether an entity, or anybody where none is named, is in one of these states; None if nobody knows."""
        return self._ask(self._house.holds, entity_id, states)

    def meets(self, condition: str) -> bool | None:
        """Whether a condition in Home Assistant's own words, as JSON, is met; None if that cannot be told."""
        return self._ask(self._house.meets, condition)

    def watching(self) -> bool:
        """Whether the owner only watches: every request ends as a preview."""
        return self._ask(self._house.watching)

    def waiting(self, principal_id: str, trace_id: str) -> int:
        """How many other requests of this caller wait for a human."""
        return self._ask(self._house.waiting, principal_id, trace_id)

    def approvers(self, risk: int, areas: tuple[str, ...], among: tuple[str, ...] | None, pin: bool) -> tuple[str, ...]:
        """Who can be reached now and may say yes to this risk in these areas, in the order of asking (R10).

        ``among`` are the approvers that a rule names, None if it names none; ``pin``: only those with a PIN that can be used.
        """
        return self._ask(self._house.approvers, risk, areas, among, pin)

    def grants(self, principal_id: str) -> tuple[Grant, ...]:
        """This caller's grants in force now."""
        return self._ask(self._house.grants, principal_id)

    def people_needed(self, risk: int) -> int:
        """How many different people must say yes to this risk."""
        return self._ask(self._house.people_needed, risk)

    def cool_down(self, principal_id: str, deeds: tuple[str, ...]) -> int:
        """Seconds until this caller may ask for the same again, after it was rejected; 0 if it may."""
        return self._ask(self._house.cool_down, principal_id, deeds)


class RecordedHouse:
    """A house that answers from recorded reads only; what was not recorded raises ``LookupError`` (R2).

    ``policies`` maps the digests of recorded policy tables to the tables.
    """

    def __init__(self, reads: list[list[object]], policies: Mapping[str, PolicyTable]) -> None:
        self._answers: dict[tuple[str, str], object] = {}
        for question, about, *answers in reads:
            if not answers:
                continue
            (answer,) = answers
            shape = _SHAPES[str(question)]
            value = policies[str(answer)] if question == "policy" else shape.validate_python(answer)
            self._answers[str(question), _key(about)] = value

    def __getattr__(self, question: str) -> object:
        if question not in _SHAPES:
            raise AttributeError(question)

        def answer(*about: object) -> object:
            try:
                return self._answers[question, _key(list(about))]
            except KeyError:
                raise LookupError(f"not recorded: {question}{about}") from None

        answer.__name__ = question
        return answer


def _key(about: object) -> str:
    """One text for a question's subject, the same before and after JSON."""
    return _ANYTHING.dump_json(about, fallback=str).decode()
