"""What a generated home is made of: pure data, the same for the same seed."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum


class Follow(StrEnum):
    """How a device answers its commands."""

    AT_ONCE = "at_once"
    LATE = "late"
    """After ``EntityPlan.seconds``."""
    NEVER = "never"
    OTHER = "other"
    """It follows to another value: half way, jammed, another option."""
    UNAVAILABLE = "unavailable"
    """It said that it is offline."""
    RESTORED = "restored"
    """A former run of Home Assistant knew it; nobody announces it now."""
    ASSUMED = "assumed"
    """It reports nothing; Home Assistant assumes that each command worked."""


ABSENT = frozenset({Follow.UNAVAILABLE, Follow.RESTORED})
"""Kinds whose state is ``unavailable``."""

ANY = "*"
"""Any payload, in a wire's table."""
ECHO = "{}"
"""The command's payload, in what a wire publishes."""
HALF_WAY = "~"
"""The number half way between the present one and the command's, in what a wire publishes."""


@dataclass(frozen=True, kw_only=True)
class Wire:
    """What commands on a topic make a device publish: by payload (or ``ANY``), payloads by state topic.

    ``instead`` goes first in a device that follows to another value. ``merges`` is a topic whose JSON object takes the
    command's JSON object in, as JSON lights do.
    """

    command: str
    outcomes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    instead: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    merges: str = ""


@dataclass(frozen=True, kw_only=True)
class Floor:
    """A floor."""

    name: str
    level: int
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Room:
    """An area: names are unique in the home, aliases need not be."""

    slug: str
    name: str
    floor: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DevicePlan:
    """A device of the device registry."""

    key: str
    name: str
    area: str | None
    model: str
    availability: str
    """The topic that says whether it is online."""


@dataclass(frozen=True, kw_only=True)
class EntityPlan:
    """An entity and what must be true of it once the home is up."""

    entity_id: str
    name: str
    """Its friendly name."""
    platform: str
    """The integration: ``mqtt``, ``template``, ``group``, ..."""
    unique_id: str | None = None
    """None: it has no entry in the entity registry."""
    device: str | None = None
    """The key of its device."""
    area: str | None = None
    """The room that it is in: its own, else its device's."""
    own_area: bool = False
    """Whether the room is set on the entity."""
    aliases: tuple[str, ...] = ()
    exposed: bool = True
    hidden: bool = False
    category: str | None = None
    device_class: str | None = None
    facts: Mapping[str, object] = field(default_factory=dict)
    """Attributes that its state has whenever it is there."""
    follow: Follow = Follow.AT_ONCE
    seconds: float = 0
    members: tuple[str, ...] = ()
    """The entities that it is made of or acts on."""
    config: Mapping[str, object] = field(default_factory=dict)
    """Its discovery message, or what its YAML or flow says."""
    wires: tuple[Wire, ...] = ()
    initial: Mapping[str, str] = field(default_factory=dict)
    """What its device publishes at the beginning, by topic."""

    @property
    def domain(self) -> str:
        """The part of its id before the dot."""
        return self.entity_id.partition(".")[0]

    @property
    def is_registered(self) -> bool:
        """Whether it is in the entity registry."""
        return self.unique_id is not None


@dataclass(frozen=True, kw_only=True)
class Flow:
    """A helper that is made in the frontend: its config flow's steps, and the entity that comes of it."""

    entity_id: str
    handler: str
    steps: tuple[Mapping[str, object], ...]


@dataclass(frozen=True, kw_only=True)
class HomePlan:
    """A home."""

    seed: int
    floors: tuple[Floor, ...]
    rooms: tuple[Room, ...]
    devices: tuple[DevicePlan, ...]
    entities: tuple[EntityPlan, ...]
    yaml: Mapping[str, object]
    """The owner's YAML beside what every home has."""
    flows: tuple[Flow, ...]

    def __getitem__(self, entity_id: str) -> EntityPlan:
        """The record of an entity."""
        return next(entity for entity in self.entities if entity.entity_id == entity_id)

    def of(
        self, domain: str = "", *, follow: Follow | None = None, platform: str = "", exposed: bool | None = None
    ) -> tuple[EntityPlan, ...]:
        """The entities of a domain, kind, integration, exposure, or of several of these."""
        return tuple(
            entity
            for entity in self.entities
            if (not domain or entity.domain == domain)
            and (follow is None or entity.follow is follow)
            and (not platform or entity.platform == platform)
            and (exposed is None or entity.exposed is exposed)
        )

    def dump(self) -> str:
        """The whole plan as text: equal texts are equal homes."""
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False, indent=1)
