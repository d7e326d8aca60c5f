"""What would be done, on which entity, and what came of it (no Home Assistant here)."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import zip_longest

from .codes import Code
from .devices import CustomOperation
from .models import Principal, Verb
from .policy.question import Question
from .policy.rule import Subject


class Effect(StrEnum):
    """What an operation does to the house."""

    READ = "read"
    ADJUST = "adjust"
    SECURE = "secure"
    UNSECURE = "unsecure"
    MOTION = "motion"
    RUN = "run"


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """How the entity should look once it followed: the state or one attribute, in the entity's own unit.

    A number is *already so* when it differs by less than ``same``, and has *followed* when it differs by less than
    ``step``; colours channel by channel. ``optional``: a device without the attribute can still have followed.
    ``moving`` are states on the way there, ``failed`` those in which the device says that it could not. ``differs`` turns it round: anything but this value (and no unknown state). ``anew``: done once more it is something
    else, so it is never already so.
    """

    attribute: str | None = None
    value: str | float | tuple[float, ...]
    same: float = 0
    step: float = 0
    optional: bool = False
    moving: tuple[str, ...] = ()
    differs: bool = False
    failed: tuple[str, ...] = ()
    anew: bool = False


@dataclass(frozen=True, kw_only=True)
class Restore:
    """A proposal that takes an action back on one entity, while that is still as the action left it (``left``).

    ``key`` is the registry's own id of the entity, ``of`` the entity that the action called, ``members`` those of a group
    that is taken back as a whole, ``leaves`` what of it does not come back, in words.
    """

    entity_id: str
    intent: str
    params: Mapping[str, object] = field(default_factory=dict)
    left: tuple[Expectation, ...] = ()
    key: str = ""
    of: str = ""
    members: tuple[str, ...] = ()
    leaves: str = ""

    @property
    def candidate(self) -> dict[str, object]:
        """The proposal as a model candidate."""
        return {"intent": self.intent, "device_alias": self.entity_id, "params": dict(self.params)}


@dataclass(frozen=True, kw_only=True)
class NormalizedCommand:
    """A proposal whose devices are known: trusted from here on."""

    intent: Verb
    entity_ids: tuple[str, ...]
    params: Mapping[str, object]
    is_set: bool
    source_agent: str


@dataclass(frozen=True, kw_only=True)
class Reached:
    """Something that an action does beyond its own entity; it is judged like an action of its own (R5).

    ``kept_back`` is what of it the owner does not let agents do. ``is_known`` false: which entity it is is not told.
    ``degrees`` is by how much it moves a set point, infinite where that is only known when it runs.
    """

    entity_id: str
    device_type: str
    verbs: tuple[str, ...]
    risk: int
    name: str = ""
    area_id: str | None = None
    unsecures: bool = False
    kept_back: str = ""
    effects: tuple[str, ...] = ()
    key: str = ""
    floor_id: str | None = None
    labels: tuple[str, ...] = ()
    is_known: bool = True
    uncertain: bool = False
    degrees: float = 0.0

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """What the policy is asked about it: each of its names."""
        return tuple(
            Subject(
                verb, self.device_type, self.risk, effect, self.entity_id, self.key, self.area_id, self.floor_id,
                self.labels, self.is_known,
            )
            for verb, effect in zip_longest(self.verbs, self.effects, fillvalue="")
        )  # fmt: skip


SET_POINTS = frozenset({"temperature", "target_temp_high", "target_temp_low"})
"""Fields of a service's data that set a temperature."""


@dataclass(frozen=True, kw_only=True)
class GatedCommand:
    """One effective call on one entity.

    ``operations`` are all the names under which the policy is asked: the proposed one and what it really does (R5).
    ``key`` is the registry's own id of the entity, which renaming does not change. ``present`` and ``wanted`` are the value
    that changes, in words for people; ``spans`` are the numbers from the one to the other, by field of ``data``. ``room`` is the area's name. ``uncertain``: the present state is unknown, assumed or ``stale``, which is out of date (R7). ``opaque``: what it does cannot be read (R5).
    ``index`` is the number of the command that it came of, ``custom`` the owner's own row for it, ``carrier`` the operation that
    carries it out where that is another one than was proposed.
    ``restores`` takes it back, empty where nothing can. ``reaches`` is what it does beyond its own entity, ``own_risk`` its risk without that, ``written`` a digest of
    what was written for it, ``members`` those of a group.
    """

    entity_id: str
    name: str
    device_type: str
    operations: tuple[Verb, ...]
    effect: Effect
    risk: int
    area_id: str | None = None
    room: str = ""
    key: str = ""
    present: str = ""
    wanted: str = ""
    spans: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    risk_reasons: tuple[str, ...] = ()
    service: str | None = None
    data: Mapping[str, object] = field(default_factory=dict)
    before: str | None = None
    expect: tuple[Expectation, ...] = ()
    opaque: bool = False
    uncertain: bool = False
    stale: bool = False
    already_so: bool = False
    index: int = 0
    reaches: tuple[Reached, ...] = ()
    own_risk: int = 0
    written: str = ""
    members: tuple[str, ...] = ()
    custom: CustomOperation | None = None
    carrier: Verb | None = None
    restores: tuple[Restore, ...] = ()
    floor_id: str | None = None
    labels: tuple[str, ...] = ()

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """What the policy is asked about it: each of its names."""
        return tuple(
            Subject(
                name.value, self.device_type, self.risk, self.effect.value, self.entity_id, self.key, self.area_id,
                self.floor_id, self.labels,
            )
            for name in self.operations
        )  # fmt: skip

    @property
    def question(self) -> Question:
        """What the policy is asked about it, and about all that it reaches."""
        doubts = [self.risk] * self.uncertain + [other.risk for other in self.reaches if other.uncertain]
        return Question(
            name=self.name,
            subjects=self.subjects,
            reaches=tuple(other.subjects for other in self.reaches),
            acts=self.service is not None,
            opaque=self.opaque,
            doubtful=max(doubts, default=-1),
            already_so=self.already_so,
        )

    @property
    def degrees(self) -> float:
        """By how much it moves a set point, in the home's unit; 0 where it moves none, or nobody knows from where."""
        return max((abs(high - low) for name, (low, high) in self.spans.items() if name in SET_POINTS), default=0.0)

    @property
    def payload(self) -> dict[str, object]:
        """The service's data, target included."""
        return {**self.data, "entity_id": [self.entity_id]}

    @property
    def after(self) -> dict[str, object]:
        """How the entity should look afterwards: attributes, and ``state``; empty where that is not told."""
        return {
            item.attribute or "state": f"not {item.value}" if item.differs else item.value
            for item in self.expect
            if not item.optional
        }

    @property
    def undo_leaves(self) -> str:
        """What does not come back when it is taken back, in words."""
        return ", ".join(dict.fromkeys(way.leaves for way in self.restores if way.leaves))

    @property
    def operation(self) -> Verb:
        """What the call really does."""
        return self.operations[-1]

    @property
    def verb(self) -> str:
        """What people read: what was asked for where values are sent, else what it really does."""
        return (self.operations[0] if self.wanted else self.operation).value


@dataclass(frozen=True, kw_only=True)
class Skip:
    """A member of a named set that is left out, and why."""

    entity_id: str
    code: Code
    message: str


@dataclass(frozen=True, kw_only=True)
class ExecutionPlan:
    """What would exactly be done: the actions that change something, what is skipped and what is already so."""

    actions: tuple[GatedCommand, ...] = ()
    skipped: tuple[Skip, ...] = ()
    unchanged: tuple[str, ...] = ()

    @property
    def risk(self) -> int:
        """The highest risk of its actions, 0-5."""
        return max((action.risk for action in self.actions), default=0)

    @property
    def areas(self) -> tuple[str, ...]:
        """The areas that it is about, in order, those of what it reaches too; empty for a device without one."""
        own = {action.area_id or "" for action in self.actions}
        return tuple(sorted(own | {other.area_id or "" for action in self.actions for other in action.reaches}))

    @property
    def deeds(self) -> tuple[str, ...]:
        """What is done to what, whatever the values: the subject of a rejection."""
        return tuple(f"{action.operation.value} {action.entity_id}" for action in self.actions)

    @property
    def entity_ids(self) -> tuple[str, ...]:
        """The entities that would be acted on."""
        return tuple(action.entity_id for action in self.actions)

    def consent_key(self, principal: Principal) -> str:
        """What a yes is bound to: principal, entities, calls, values and each action's state before (R9), and what it reaches (R5)."""
        content = [
            principal.behind,
            [
                [
                    action.entity_id,
                    action.key,
                    action.service,
                    dict(action.data),
                    action.before,
                    sorted([other.entity_id, *other.verbs] for other in action.reaches),
                    action.written,
                ]
                for action in self.actions
            ],
        ]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def describe(self) -> dict[str, object]:
        """The plan as a caller reads it."""
        return {
            "risk": self.risk,
            "actions": [
                {
                    "entity_id": action.entity_id,
                    "name": action.name,
                    "operation": action.verb,
                    "service": action.service,
                    "data": dict(action.data),
                    "before": action.before,
                    "after": action.after,
                    "undoable": bool(action.restores),
                    **({"undo_leaves": left} if (left := action.undo_leaves) else {}),
                    "risk": action.risk,
                }
                for action in self.actions
            ],
            "skipped": [
                {
                    "entity_id": skip.entity_id,
                    "code": skip.code.value,
                    "message": skip.message,
                }
                for skip in self.skipped
            ],
            "unchanged": list(self.unchanged),
        }


class Verification(StrEnum):
    """Whether the device followed (R11)."""

    VERIFIED = "verified"
    """It shows what was asked for."""
    MOVING = "moving"
    """It is on its way; the trace will tell."""
    WAITING = "waiting"
    """It has not followed yet; the trace will tell."""
    MISMATCH = "mismatch"
    """It came to rest at something else."""
    UNVERIFIED = "unverified"
    """It cannot be compared, or it never reported."""
    UNKNOWN = "unknown"
    """It went away, or nobody looked to the end."""


OPEN = frozenset({Verification.MOVING, Verification.WAITING})
"""What is no last word."""


@dataclass(frozen=True, kw_only=True)
class ActionResult:
    """What came of one action."""

    entity_id: str
    done: bool
    verification: Verification | None = None
    state: str | None = None
    error: str | None = None
    note: str | None = None

    def describe(self) -> dict[str, object]:
        """The result as a caller reads it."""
        described: dict[str, object] = {
            "entity_id": self.entity_id,
            "done": self.done,
            "verification": self.verification.value if self.verification else None,
            "state": self.state,
            "error": self.error,
        }
        return described | ({"note": self.note} if self.note else {})


@dataclass(frozen=True, kw_only=True)
class ExecutionResult:
    """What came of a plan. ``timed_out`` means that nobody knows yet (R11)."""

    results: tuple[ActionResult, ...]
    timed_out: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the trace will tell more than is known now."""
        return any(result.verification in OPEN for result in self.results)

    def given_up(self) -> ExecutionResult:
        """The same where nobody looks any more: what is open is unknown."""
        results = (
            replace(result, verification=Verification.UNKNOWN) if result.verification in OPEN else result
            for result in self.results
        )
        return replace(self, results=tuple(results))

    def describe(self) -> dict[str, object]:
        """The result as a caller reads it."""
        return {"actions": [result.describe() for result in self.results], "final": not self.is_open}
