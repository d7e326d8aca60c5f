"""What the driver needs from the world, as protocols: the house, the evidence, a backend, a human (no Home Assistant here)."""

from collections.abc import Callable, Mapping
from typing import Protocol

from .chain import Refuse
from .confirmation.pending import Consent
from .facts import Facts
from .models import ActionRequest
from .plan import ExecutionPlan, ExecutionResult
from .policy.requirement import Requirement
from .trace import PipelineTrace, RecordedTrace


class Ticket(Protocol):
    """The right to execute one plan once; only the evidence store issues it (R1, R8)."""

    @property
    def plan(self) -> ExecutionPlan:
        """What may be executed."""
        ...


class Home(Protocol):
    """The house as the driver needs it."""

    def facts(self, fetched: Mapping[str, bool] | None = None) -> Facts:
        """A fresh view, with what was fetched for this request."""
        ...

    async def fetch(self, entity_ids: tuple[str, ...]) -> Mapping[str, bool]:
        """Asks the devices for their states; whether each was really asked and answered."""
        ...

    def stamp(self, entity_ids: tuple[str, ...]) -> object:
        """Changes whenever the owner's settings or one of these entities changed."""
        ...

    def watch(self, entity_ids: tuple[str, ...], changed: Callable[[], None]) -> Callable[[], None]:
        """Tells when one of these entities changes; returns what stops that."""
        ...

    def count(self, request: ActionRequest) -> None:
        """Counts a finished judgement against the caller's rate."""
        ...

    def moving(self, request: ActionRequest, plan: ExecutionPlan) -> None:
        """Counts the set points that a plan is about to move against what the caller may."""
        ...


class Evidence[T: Ticket](Protocol):
    """Where traces are kept."""

    async def find(self, request: ActionRequest) -> RecordedTrace | None:
        """The trace of an earlier request with the same caller and request id (R13)."""
        ...

    async def park(self, trace: PipelineTrace) -> None:
        """Makes it durable that a request waits for a human."""
        ...

    async def intent(self, trace: PipelineTrace) -> T:
        """Makes the intent durable, then issues the ticket (R8)."""
        ...

    def close(self, trace: PipelineTrace) -> None:
        """Writes the end of a request, soon."""
        ...

    def verify(self, trace: PipelineTrace) -> None:
        """Writes what became of the devices of a request that has ended, soon."""
        ...


class Backend[T: Ticket](Protocol):
    """What acts."""

    async def execute(self, ticket: T) -> ExecutionResult:
        """Carries the plan out and looks whether the devices followed."""
        ...

    async def follow(self, ticket: T) -> ExecutionResult:
        """Looks on where the result was open, until every device has come to an end."""
        ...


class Confirmation(Protocol):
    """A human who is asked."""

    def seconds(self, requirement: Requirement) -> int:
        """How long a question lasts."""
        ...

    def use(self, grant_id: str, request: ActionRequest) -> None:
        """A request is carried out by a yes that was given for a while."""
        ...

    async def ask(
        self, request: ActionRequest, plan: ExecutionPlan, requirement: Requirement
    ) -> Consent | Refuse | None:
        """Asks, and waits for the answer; None if the question was withdrawn because the house changed."""
        ...

    def withdraw(self, trace_id: str) -> None:
        """The house changed: the question is not what it was."""
        ...

    def reserve(self, request: ActionRequest) -> None:
        """A request starts to wait: it counts against its caller from now on."""
        ...

    def release(self, request: ActionRequest) -> None:
        """A request waits no more."""
        ...

    def settle(self, request: ActionRequest, trace: PipelineTrace | None) -> None:
        """The request has come to its end, or failed: forgets its question."""
        ...
