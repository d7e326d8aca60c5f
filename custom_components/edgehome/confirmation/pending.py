"""A question that waits for a human: its states, and the yes that comes of it (no Home Assistant here).

States change by compare-and-set only: whoever comes second finds it changed and does nothing (R9).
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from ..models import Principal
from ..plan import ExecutionPlan
from ..policy.requirement import Requirement

MOST_GRANTED_RISK = 3
"""Above this nobody can say yes for a while."""


class State(StrEnum):
    """Where a question stands."""

    PENDING = "pending"
    APPROVED = "approved"
    EXECUTING = "executing"
    EXECUTED = "executed"
    PARTIAL = "partial"
    FAILED = "failed"
    UNKNOWN = "unknown"
    REJECTED = "rejected"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    CANCELLED = "cancelled"


_NEXT = {
    State.PENDING: {State.APPROVED, State.REJECTED, State.EXPIRED, State.SUPERSEDED, State.CANCELLED},
    State.APPROVED: {State.EXECUTING, State.SUPERSEDED, State.CANCELLED},
    State.EXECUTING: {State.EXECUTED, State.PARTIAL, State.FAILED, State.UNKNOWN},
}
"""What may follow a state; from the others nothing does."""


class Answer(StrEnum):
    """What a person may answer."""

    YES = "yes"
    YES_FOR_A_WHILE = "yes_for_a_while"
    NO = "no"


@dataclass(frozen=True, kw_only=True)
class Yes:
    """One person's yes: the approver's id and user, over which channel, and whether with his PIN."""

    user_id: str
    approver_id: str
    name: str
    channel: str
    with_pin: bool = False


@dataclass(frozen=True, kw_only=True)
class Consent:
    """The yes to one plan, up to one risk, by these people."""

    key: str
    risk: int
    given: tuple[Yes, ...]

    def satisfies(self, key: str, risk: int, requirement: Requirement) -> bool:
        """Whether it is a yes to this plan, and enough of one."""
        return self.key == key and self.is_enough(risk, requirement)

    def is_enough(self, risk: int, requirement: Requirement) -> bool:
        """Whether enough of the right people said yes, in the way that is required, up to this risk."""
        terms = requirement.terms
        people = {
            yes.user_id
            for yes in self.given
            if (terms.approvers is None or yes.approver_id in terms.approvers) and (yes.with_pin or not terms.pin)
        }
        return risk <= self.risk and len(people) >= requirement.people


@dataclass(kw_only=True)
class Pending:
    """One question.

    ``is_for_a_while``: the last yes was one for ten minutes. ``with_pin`` are the users who had a PIN when a question came
    that wants one: a PIN set to answer it proves nothing. None where no PIN is wanted. ``generation`` is
    that of the grants when the yes came.
    """

    id: str
    principal: Principal
    plan: ExecutionPlan
    key: str
    requirement: Requirement
    reason: str | None
    asked_at: datetime
    expires_at: datetime
    state: State = State.PENDING
    given: list[Yes] = field(default_factory=list)
    is_for_a_while: bool = False
    with_pin: frozenset[str] | None = None
    generation: int = 0

    @property
    def is_grantable(self) -> bool:
        """Whether a yes for a while may be given: never above risk 3, nor where a PIN or a second person is wanted."""
        terms = self.requirement.terms
        return self.plan.risk <= MOST_GRANTED_RISK and self.requirement.people == 1 and not terms.pin

    def advance(self, expected: State, to: State) -> bool:
        """Changes the state if it is the expected one; whether it did.

        Raises:
            ValueError: there is no such way.
        """
        if to not in _NEXT.get(expected, set()):
            raise ValueError(f"no way from {expected} to {to}")
        if self.state is not expected:
            return False
        self.state = to
        return True

    def agree(self, yes: Yes) -> bool:
        """Takes a yes in; whether it was the last one needed. A second yes of the same person counts for nothing."""
        if self.state is not State.PENDING or yes.user_id in {other.user_id for other in self.given}:
            return False
        self.given.append(yes)
        return len(self.given) >= self.requirement.people and self.advance(State.PENDING, State.APPROVED)

    def consent(self) -> Consent:
        """The yes that was given."""
        return Consent(key=self.key, risk=self.plan.risk, given=tuple(self.given))
