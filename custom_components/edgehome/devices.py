"""The things of a house and what is known about them, as gates see them (no Home Assistant here)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from .models import CustomVerb


@dataclass(frozen=True, kw_only=True)
class Room:
    """An area of Home Assistant."""

    area_id: str
    name: str


class PlaceKind(StrEnum):
    """What can hold several devices, beside an area."""

    AREA = "area"
    FLOOR = "floor"
    LABEL = "label"
    DEVICE = "device"
    HOME = "home"


@dataclass(frozen=True, kw_only=True)
class Place:
    """A floor, a label, a device, or the whole home."""

    kind: PlaceKind
    id: str
    name: str


@dataclass(frozen=True, kw_only=True)
class OwnersWord:
    """What the owner says about one entity: the only operations, the narrowest range, the risk. None says nothing."""

    operations: tuple[str, ...] | None = None
    low: float | None = None
    high: float | None = None
    risk: int | None = None


@dataclass(frozen=True, kw_only=True)
class CustomField:
    """A value of an operation that the owner added: ``number``, ``text``, ``boolean`` or ``option``."""

    name: str
    kind: str
    low: float | None = None
    high: float | None = None
    step: float | None = None
    options: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True, kw_only=True)
class CustomOperation:
    """An operation that the owner added: a word for a service on the entities of a domain, its effect and risk."""

    name: str
    domain: str
    service: str
    effect: str
    risk: int
    fields: tuple[CustomField, ...] = ()

    @property
    def verb(self) -> CustomVerb:
        """The word by which agents ask for it."""
        return CustomVerb(self.name)


@dataclass(frozen=True, kw_only=True)
class DeviceRecord:
    """An entity as the registries know it.

    ``room`` is the name of its area, ``labels`` are its own, its device's and its area's. ``key`` is the registry's own id, empty without a registry entry. ``vetted`` says that
    the owner has looked at what it does and cannot be read (R5), ``platform`` is the integration behind it, ``has_code`` says that the owner has given it a default code (locks, alarms), ``targetable`` is false for hidden, diagnostic and configuration entities and for
    EdgeHome's own (R4).
    """

    entity_id: str
    name: str
    device_type: str
    area_id: str | None = None
    room: str = ""
    exposed: bool = False
    targetable: bool = True
    key: str = ""
    vetted: bool = False
    has_code: bool = False
    platform: str = ""
    owner: OwnersWord | None = None
    floor_id: str | None = None
    labels: tuple[str, ...] = ()

    @property
    def domain(self) -> str:
        """The entity's domain, such as ``light``."""
        return self.entity_id.partition(".")[0]

    def is_nameable(self, areas: tuple[str, ...]) -> bool:
        """Whether a caller with these areas may name it; no areas are the whole home."""
        return self.exposed and self.targetable and (not areas or self.area_id in areas)


OWN_PLATFORM = "edgehome"
"""EdgeHome's own entities are never acted on, however they are reached (R4)."""

WHATEVER = "*"
"""The verb of deeds that follow whatever is done to an entity."""


@dataclass(frozen=True, kw_only=True)
class Deed:
    """Something that is done to an entity in the course of something else (R5).

    ``verbs`` are all that it may be, ``temperature`` the set point and ``amount`` the value in
    the words of a proposal, infinite where it is not told. ``why`` says what of it
    cannot be read; where only the entity is not told, ``domain`` is.
    """

    entity_id: str | None = None
    verbs: tuple[str, ...] = ()
    why: str = ""
    domain: str = ""
    temperature: float | None = None
    amount: float | None = None


@dataclass(frozen=True, kw_only=True)
class Makeup:
    """What acting on an entity does elsewhere (R5).

    ``members`` take the same operation; ``as_members``: they are called in the place of the entity (``group.*``), which
    is not called itself. ``bound`` is all that it could do where what it does is not told; the owner's word that it is
    harmless stands above that. ``deeds`` are what is done beside, by the verb that is done to the entity, or ``WHATEVER``;
    a verb that is not among them could be any. ``digest`` changes with everything that was written for it.
    """

    kind: str = ""
    members: tuple[str, ...] = ()
    as_members: bool = False
    deeds: Mapping[str, tuple[Deed, ...]] = field(default_factory=dict)
    digest: str = ""
    bound: tuple[Deed, ...] = ()


PLAIN = Makeup()
"""A device of its own: acting on it does nothing elsewhere."""


@dataclass(frozen=True, kw_only=True)
class DeviceState:
    """An entity's present state. ``unit`` is the home's temperature unit."""

    state: str
    attributes: Mapping[str, object] = field(default_factory=dict)
    unit: str = "°C"

    @property
    def is_available(self) -> bool:
        """Whether the device can be reached."""
        return self.state != "unavailable"

    @property
    def is_assumed(self) -> bool:
        """Whether Home Assistant only guesses the state, because the device never reports it (R7)."""
        return self.attributes.get("assumed_state") is True

    @property
    def features(self) -> int:
        """The bit mask ``supported_features``."""
        value = self.attributes.get("supported_features")
        return value if isinstance(value, int) else 0

    def number(self, attribute: str) -> float | None:
        """A numeric attribute, or None."""
        value = self.attributes.get(attribute)
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

    def options(self, attribute: str) -> tuple[str, ...]:
        """An attribute that lists words."""
        value = self.attributes.get(attribute)
        return tuple(str(item) for item in value) if isinstance(value, list | tuple) else ()


class Source(StrEnum):
    """How Home Assistant comes to know an entity's state."""

    PUSH = "push"
    """The device reports by itself, or what it is made of does."""
    POLL = "poll"
    """Home Assistant asks the entity again and again."""
    COORDINATOR = "coordinator"
    """The integration asks for several entities together."""
    NOBODY = "nobody"
    """A state was written, and there is no entity behind it."""


MISSED_POLLS, SLACK = 3, 30.0
"""A polled state is late when so many polls did not come, and so many seconds more."""


@dataclass(frozen=True, kw_only=True)
class Liveness:
    """Whether what Home Assistant has of an entity is still true (R7).

    ``failing``: the integration's last fetch failed. ``interval`` is the time between two polls in seconds, 0 where the
    owner has switched polling off, None where the age of a report says nothing: what is pushed may be still for days.
    ``age`` is the seconds since the last report, ``restored``: written at the start from what was before. ``can_fetch``:
    asking the entity again really asks the device; ``fetched`` says whether that was done for this request and worked.
    """

    source: Source = Source.PUSH
    failing: bool = False
    interval: float | None = None
    age: float = 0
    restored: bool = False
    can_fetch: bool = False
    fetched: bool | None = None

    @property
    def is_stale(self) -> bool:
        """Whether the state may be out of date."""
        if self.fetched is not None:
            return not self.fetched or self.failing
        is_late = self.interval is not None and self.age > MISSED_POLLS * self.interval + SLACK
        return self.restored or self.failing or is_late


MOST_PENDING = 3
"""How many requests of one caller may wait for a human at once, at most."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What the owner lets a caller be: its state, scope and limits (the floor, below every rule).

    ``areas`` empty means the whole home. ``pending_at_once`` is how many of its requests may wait for a human,
    ``degrees_per_hour`` by how much it may move one set point in an hour, up and down added, in the home's unit; None sets
    no limit.
    """

    status: str
    areas: tuple[str, ...] = ()
    max_risk: int = 5
    requests_per_minute: int = 60
    pending_at_once: int = MOST_PENDING
    degrees_per_hour: float | None = None


@dataclass(frozen=True, kw_only=True)
class FieldFacts:
    """For which entities a field of a service is meant: alternatives of feature masks, and of attributes' values."""

    features: tuple[int, ...] = ()
    attributes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ServiceFacts:
    """What a service asks of an entity.

    ``required_features`` are what the registered handler enforces, ``offered_features`` what its description says:
    alternatives of feature masks, any one of which suffices. ``integrations`` are the only ones whose entities it is for.
    ``fields`` are those that only some entities take.
    """

    required_features: tuple[int, ...] = ()
    offered_features: tuple[int, ...] = ()
    integrations: tuple[str, ...] = ()
    fields: Mapping[str, FieldFacts] = field(default_factory=dict)
