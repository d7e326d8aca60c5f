"""Grants: a human's yes that holds for a while, the only yes for more than one plan (R9; no Home Assistant here).

A grant covers one agent doing the same operations on the same entities with values that are not wider, for ten minutes
and up to risk 3. It lives in memory only: a restart ends it, and so does whatever the owner changes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..plan import ExecutionPlan, GatedCommand
from ..policy.requirement import Requirement
from .pending import MOST_GRANTED_RISK, Consent, Pending

GRANTED_FOR = timedelta(minutes=10)


@dataclass(frozen=True, kw_only=True)
class GrantedAction:
    """What may be done.

    ``spans`` are the stretches of values that the human saw, from the present one to the wanted; ``areas`` are those of what it reaches too, ``written`` a digest of what was written for it.
    """

    entity_id: str
    name: str
    verb: str
    key: str
    area_id: str | None
    service: str | None
    operations: tuple[str, ...]
    data: Mapping[str, object]
    spans: Mapping[str, tuple[float, float]]
    risk: int
    areas: tuple[str, ...]
    written: str
    opaque: bool
    uncertain: bool

    @classmethod
    def of(cls, action: GatedCommand) -> GrantedAction:
        """The action of a plan that was said yes to."""
        return cls(
            entity_id=action.entity_id,
            name=action.name,
            verb=action.verb,
            key=action.key,
            area_id=action.area_id,
            service=action.service,
            operations=tuple(name.value for name in action.operations),
            data=dict(action.data),
            spans=dict(action.spans),
            risk=action.risk,
            areas=tuple(sorted({action.area_id or "", *(other.area_id or "" for other in action.reaches)})),
            written=action.written,
            opaque=action.opaque,
            uncertain=action.uncertain,
        )

    def covers(self, action: GatedCommand) -> bool:
        """Whether this is the same deed and no wider one."""
        return (
            (self.entity_id, self.key, self.area_id) == (action.entity_id, action.key, action.area_id)
            and self.service == action.service
            and self.operations == tuple(name.value for name in action.operations)
            and action.risk <= self.risk
            and action.written == self.written
            and action.opaque <= self.opaque
            and action.uncertain <= self.uncertain
            and self.data.keys() == action.data.keys()
            and all(self._reaches(name, value) for name, value in action.data.items())
        )

    def _reaches(self, name: str, value: object) -> bool:
        if value == self.data[name]:
            return True
        low, high = self.spans.get(name, (0, -1))
        return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


@dataclass(frozen=True, kw_only=True)
class Grant:
    """A yes for a while. ``id`` is the trace of the question that it was given to, ``behind`` who asked it."""

    id: str
    behind: tuple[str, str, str]
    agent: str
    consent: Consent
    actions: tuple[GrantedAction, ...]
    until: datetime

    @classmethod
    def of(cls, pending: Pending, now: datetime) -> Grant:
        """What a person granted who answered a question with a yes for a while."""
        return cls(
            id=pending.id,
            behind=pending.principal.behind,
            agent=pending.principal.name,
            consent=pending.consent(),
            actions=tuple(GrantedAction.of(action) for action in pending.plan.actions),
            until=now + GRANTED_FOR,
        )

    @property
    def areas(self) -> tuple[str, ...]:
        """The areas that it is about; empty for a device without one."""
        return tuple(sorted({area for action in self.actions for area in action.areas}))

    def covers(self, plan: ExecutionPlan, requirement: Requirement) -> bool:
        """Whether everything in a plan was granted, and the yes is enough for what is required now."""
        return (
            plan.risk <= MOST_GRANTED_RISK
            and self.consent.is_enough(plan.risk, requirement)
            and all(any(granted.covers(action) for granted in self.actions) for action in plan.actions)
        )


class Grants:
    """The grants in force, counted. ``ended`` is told of each that ends, and why.

    ``generation`` changes with everything that ends them all.
    """

    def __init__(self, ended: Callable[[Grant, str, int], None]) -> None:
        self._ended = ended
        self._by_id: dict[str, Grant] = {}
        self._used: dict[str, int] = {}
        self.revision = 0
        self.generation = 0

    def give(self, grant: Grant) -> None:
        """Puts a grant in force; from its end on it covers nothing."""
        self._by_id[grant.id], self._used[grant.id] = grant, 0

    def in_force(self, now: datetime) -> tuple[Grant, ...]:
        """All that hold now, oldest first."""
        for grant in [grant for grant in self._by_id.values() if grant.until <= now]:
            self.end(grant.id, "its time is over")
        return tuple(self._by_id.values())

    def used(self, grant_id: str) -> int:
        """How often a grant was used."""
        return self._used.get(grant_id, 0)

    def use(self, grant_id: str) -> None:
        """Counts a use."""
        if grant_id in self._used:
            self._used[grant_id] += 1

    def end(self, grant_id: str, why: str) -> bool:
        """Ends a grant; whether it was in force."""
        grant = self._by_id.pop(grant_id, None)
        if grant is None:
            return False
        self.revision += 1
        self._ended(grant, why, self._used.pop(grant_id))
        return True

    def end_all(self, why: str) -> None:
        """Ends every grant, those too that somebody is about to get."""
        self.generation += 1
        for grant_id in list(self._by_id):
            self.end(grant_id, why)
