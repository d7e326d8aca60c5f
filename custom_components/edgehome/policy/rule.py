"""One row of the policy table: what it speaks about, and what it says (no Home Assistant here).

A row speaks about an action if all of its conditions are met. Whether they are cannot always be told: a script acts on a
device that it does not name, nobody knows who is home. Then the row may speak, and the strictest of what may be counts (R2).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from .requirement import NO_TERMS, Terms


def as_json(value: object) -> str:
    """A value of a condition or of a tool's input as text: the same value is always the same text."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


class Verdict(StrEnum):
    """What a rule says, mildest first."""

    ALLOW = "allow"
    CONFIRM = "confirm"
    DENY = "deny"


_SEVERITY = {Verdict.ALLOW: 0, Verdict.CONFIRM: 1, Verdict.DENY: 2}


def severity(verdict: Verdict) -> int:
    """How strict a verdict is: 0 allow, 1 confirm, 2 deny."""
    return _SEVERITY[verdict]


@dataclass(frozen=True, kw_only=True)
class HomeCondition:
    """Something that must be so in the home: an entity in one of these states; without an entity, somebody is home or not.

    ``states`` of the latter are ``home`` or ``not_home``. ``raw`` is a condition in Home Assistant's own words, as JSON,
    instead: only Home Assistant can tell whether it is met.
    """

    states: tuple[str, ...] = ()
    entity_id: str = ""
    raw: str = ""


@dataclass(frozen=True)
class Subject:
    """What a rule is asked about: one name of one effective action, and where its entity is.

    ``key`` is the registry's own id of the entity, which renaming does not change. ``is_known`` false: which entity it is
    is not told. A call of a tool has the ``tool`` and its input, each value as JSON, and nothing of a device (R16).
    """

    operation: str
    device_type: str
    risk: int
    effect: str = ""
    entity_id: str = ""
    key: str = ""
    area_id: str | None = None
    floor_id: str | None = None
    labels: tuple[str, ...] = ()
    is_known: bool = True
    tool: str = ""
    tool_input: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """Who asks, and how things are: weekday 0-6 from Monday, minute of the day, and what holds of the home, None if unknown.

    ``speaker`` is the person behind a conversation, ``origin`` the area of the voice device.
    """

    principal_id: str = ""
    speaker: str | None = None
    origin: str | None = None
    weekday: int = 0
    minute: int = 0
    holds: Mapping[HomeCondition, bool | None] = field(default_factory=dict)


ANY = Circumstances()
"""Nobody in particular, at no time in particular."""


@dataclass(frozen=True, kw_only=True)
class PolicyRule:
    """One row. What is ``None`` or empty matches everything; risks are 0-5, both ends included.

    ``operations`` are intents, ``device_types`` the types of devices as they are: a word for several is put in full.
    A row with a ``tool`` speaks about calls of that tool only, all others about devices only (R16); ``tool_input`` are values
    that its input must have, as JSON. ``agents`` are ids of principals, ``entities`` registry ids (entity ids where there is none), ``weekdays`` 0-6 from
    Monday, ``hours`` minutes of the day from and to, over midnight if the first is the later one. ``terms`` say how the
    yes of a ``confirm`` must be given.
    """

    id: str
    verdict: Verdict
    name: str = ""
    operations: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    device_types: tuple[str, ...] = ()
    risk: tuple[int, int] = (0, 5)
    agents: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    floors: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    weekdays: tuple[int, ...] = ()
    hours: tuple[int, int] | None = None
    home: tuple[HomeCondition, ...] = ()
    tool: str = ""
    tool_input: tuple[tuple[str, str], ...] = ()
    terms: Terms = NO_TERMS

    def failing(self, subject: Subject, now: Circumstances = ANY) -> str | None:
        """The first condition of the row that is not met, or None if it speaks about this action, or may."""
        return self._what(subject) or self._who(now) or self._where(subject) or self._when(now)

    def is_in_doubt(self, subject: Subject, now: Circumstances = ANY) -> bool:
        """Whether it cannot be told that the row, none of whose conditions fails, speaks about this action."""
        has_place = bool(self.entities or self.areas or self.floors or self.labels)
        return (has_place and not subject.is_known) or any(now.holds.get(condition) is None for condition in self.home)

    def is_about_kind(self, operation: str, device_type: str, tool: str) -> bool:
        """Whether the row is about an operation on a device type, or about a tool."""
        return (
            self.tool == tool
            and (not self.operations or operation in self.operations)
            and (not self.device_types or device_type in self.device_types)
        )

    def is_about(self, subject: Subject, principal_id: str) -> bool:
        """Whether the row may speak about a subject when this caller asks, at some time, however the home is."""
        is_whose = not self.agents or principal_id in self.agents
        return is_whose and self._what(subject) is None and self._where(subject) is None

    def is_at(self, minute: int) -> bool:
        """Whether the row may speak at this minute of the day; a span that ends before it starts goes over midnight."""
        if self.hours is None:
            return True
        start, end = self.hours
        return start <= minute < end if start < end else minute >= start or minute < end

    def _what(self, subject: Subject) -> str | None:
        if self.tool != subject.tool:
            return "tool"
        if not set(self.tool_input) <= set(subject.tool_input):
            return "tool_input"
        if self.operations and subject.operation not in self.operations:
            return "operations"
        if self.device_types and subject.device_type not in self.device_types:
            return "device_types"
        if self.effects and subject.effect not in self.effects:
            return "effects"
        return None if self.risk[0] <= subject.risk <= self.risk[1] else "risk"

    def _who(self, now: Circumstances) -> str | None:
        if self.agents and now.principal_id not in self.agents:
            return "agents"
        if self.speakers and now.speaker not in self.speakers:
            return "speakers"
        return "origins" if self.origins and now.origin not in self.origins else None

    def _where(self, subject: Subject) -> str | None:
        if not subject.is_known:
            return None
        if self.entities and not {subject.key, subject.entity_id} & set(self.entities):
            return "entities"
        if self.areas and subject.area_id not in self.areas:
            return "areas"
        if self.floors and subject.floor_id not in self.floors:
            return "floors"
        return "labels" if self.labels and not set(subject.labels) & set(self.labels) else None

    def _when(self, now: Circumstances) -> str | None:
        if self.weekdays and now.weekday not in self.weekdays:
            return "weekdays"
        if not self.is_at(now.minute):
            return "hours"
        return "home" if any(now.holds.get(condition) is False for condition in self.home) else None
