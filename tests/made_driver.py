"""The impure parts of the chain made of memory: a home, its evidence and its backend."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field

from custom_components.edgehome.facts import Facts
from custom_components.edgehome.models import ActionRequest
from custom_components.edgehome.pipeline import Pipeline
from custom_components.edgehome.plan import ActionResult, ExecutionPlan, ExecutionResult, Verification
from custom_components.edgehome.trace import Answered, PipelineTrace, RecordedTrace
from tests.made_house import MadeHouse


@dataclass
class MadeHome:
    """The driver's view of a house."""

    house: MadeHouse
    revision: int = 0

    def facts(self) -> Facts:
        return Facts(self.house)

    def stamp(self, entity_ids: tuple[str, ...]) -> object:
        return (self.revision, *(self.house.states.get(item) for item in entity_ids))

    def count(self, request: ActionRequest) -> None:
        self.house.counted.append(request.trace_id)


@dataclass(frozen=True)
class MadeTicket:
    """The right to execute a plan."""

    plan: ExecutionPlan


@dataclass
class MadeEvidence:
    """Keeps traces in lists. ``during`` happens while an intent is written."""

    intents: list[PipelineTrace] = field(default_factory=list)
    closed: list[PipelineTrace] = field(default_factory=list)
    during: Callable[[], None] = lambda: None
    writing: asyncio.Event | None = None
    unwritable: Exception | None = None
    unreadable: Exception | None = None

    async def find(self, request: ActionRequest) -> RecordedTrace | None:
        await asyncio.sleep(0)
        if self.unreadable:
            raise self.unreadable
        for trace in reversed(self.closed):
            known = trace.request
            if (known.principal.id, known.request_id) == (request.principal.id, request.request_id):
                return RecordedTrace(
                    trace_id=known.trace_id,
                    principal_id=known.principal.id,
                    digest=known.digest,
                    recorded_answer=trace.answer(),
                )
        return None

    async def intent(self, trace: PipelineTrace) -> MadeTicket:
        await (self.writing.wait() if self.writing else asyncio.sleep(0))
        self.during()
        if self.unwritable:
            raise self.unwritable
        self.intents.append(trace)
        assert trace.plan is not None
        return MadeTicket(trace.plan)

    def close(self, trace: PipelineTrace) -> None:
        self.closed.append(trace)


@dataclass
class MadeBackend:
    """Remembers what it was told to do."""

    executed: list[ExecutionPlan] = field(default_factory=list)
    acting: asyncio.Event | None = None
    error: BaseException | None = None
    result: ExecutionResult | None = None

    async def execute(self, ticket: MadeTicket) -> ExecutionResult:
        self.executed.append(ticket.plan)
        await (self.acting.wait() if self.acting else asyncio.sleep(0))
        if self.error:
            raise self.error
        return self.result or ExecutionResult(
            results=tuple(
                ActionResult(entity_id=item, done=True, verification=Verification.VERIFIED, state="on")
                for item in ticket.plan.entity_ids
            )
        )


def start_later(way: Coroutine[object, object, Answered], name: str) -> asyncio.Task[Answered]:
    """A task that begins with the next turn of the loop."""
    return asyncio.get_running_loop().create_task(way, name=name)


def start_now(way: Coroutine[object, object, Answered], name: str) -> asyncio.Task[Answered]:
    """A task that begins at once, as Home Assistant's do."""
    return asyncio.Task(way, loop=asyncio.get_running_loop(), name=name, eager_start=True)


@dataclass
class Driver:
    """A pipeline with everything around it."""

    house: MadeHouse = field(default_factory=MadeHouse)
    start: Callable[[Coroutine[object, object, Answered], str], asyncio.Task[Answered]] = start_now

    def __post_init__(self) -> None:
        self.home = MadeHome(self.house)
        self.evidence = MadeEvidence()
        self.backend = MadeBackend()
        self.pipeline: Pipeline[MadeTicket] = Pipeline(self.home, self.evidence, self.backend, self.start)

    def ends(self) -> list[tuple[str, str]]:
        """The outcomes and codes that were recorded."""
        return [(trace.outcome.value, trace.code.value) for trace in self.evidence.closed]
