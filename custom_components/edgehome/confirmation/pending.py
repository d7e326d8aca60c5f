"""A question that waits for a human: its states, and the yes that comes of it (no Home Assistant here).

States change by compare-and-set only: whoever comes second finds it changed and does nothing (R9).
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from ..models import Principal
from ..plan import ExecutionPlan


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


@dataclass(frozen=True, kw_only=True)
class Yes:
    """One person's yes."""

    user_id: str
    name: str
    channel: str


@dataclass(frozen=True, kw_only=True)
class Consent:
    """The yes to one plan, up to one risk, by these people."""

    key: str
    risk: int
    given: tuple[Yes, ...]

    def satisfies(self, key: str, risk: int, people: int) -> bool:
        """Whether it is a yes to this plan, and enough of one."""
        return self.key == key and risk <= self.risk and len({yes.user_id for yes in self.given}) >= people


@dataclass(kw_only=True)
class Pending:
    """One question. ``people`` is how many different people must say yes."""

    id: str
    principal: Principal
    plan: ExecutionPlan
    key: str
    rule: str
    people: int
    reason: str | None
    asked_at: datetime
    expires_at: datetime
    state: State = State.PENDING
    given: list[Yes] = field(default_factory=list)

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
        return len(self.given) >= self.people and self.advance(State.PENDING, State.APPROVED)

    def consent(self) -> Consent:
        """The yes that was given."""
        return Consent(key=self.key, risk=self.plan.risk, given=tuple(self.given))
