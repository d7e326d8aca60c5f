"""The impure parts of the chain made of memory: a home, its evidence, its backend and the people who are asked."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from custom_components.edgehome.chain import Refuse
from custom_components.edgehome.confirmation.grants import Grant, Grants
from custom_components.edgehome.confirmation.pending import Consent, Pending, State, Yes
from custom_components.edgehome.devices import DeviceState
from custom_components.edgehome.endings import CANCELLED, EXPIRED, REJECTED
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.models import ActionRequest
from custom_components.edgehome.pipeline import Pipeline
from custom_components.edgehome.plan import ActionResult, ExecutionPlan, ExecutionResult, Verification
from custom_components.edgehome.policy.requirement import Requirement
from custom_components.edgehome.trace import Answered, PipelineTrace, RecordedTrace
from tests.made_house import MadeHouse


@dataclass
class MadeHome:
    """The driver's view of a house."""

    house: MadeHouse
    revision: int = 0
    watchers: list[tuple[tuple[str, ...], Callable[[], None]]] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    fetched: list[tuple[str, ...]] = field(default_factory=list)

    def facts(self, fetched: Mapping[str, bool] | None = None) -> Facts:
        return Facts(self.house, fetched)

    async def fetch(self, entity_ids: tuple[str, ...]) -> Mapping[str, bool]:
        """Asks the devices; ``answers`` are those that answer, with the state that they then have."""
        await asyncio.sleep(0)
        self.fetched.append(entity_ids)
        for entity_id in entity_ids:
            if answer := self.answers.get(entity_id):
                self.house.alive.pop(entity_id, None)
                self.change(entity_id, answer)
        return {entity_id: entity_id in self.answers for entity_id in entity_ids}

    def stamp(self, entity_ids: tuple[str, ...]) -> object:
        return (self.revision, *(self.house.states.get(item) for item in entity_ids))

    def watch(self, entity_ids: tuple[str, ...], changed: Callable[[], None]) -> Callable[[], None]:
        watcher = (entity_ids, changed)
        self.watchers.append(watcher)
        return lambda: self.watchers.remove(watcher)

    def count(self, request: ActionRequest) -> None:
        self.house.counted.append(request.trace_id)

    def moving(self, request: ActionRequest, plan: ExecutionPlan) -> None:
        for action in plan.actions:
            self.house.degrees[action.entity_id] = self.house.degrees.get(action.entity_id, 0.0) + action.degrees

    def change(self, entity_id: str, state: str, **attributes: object) -> None:
        """Other hands change a device; the attributes that are not given stay."""
        before = self.house.states[entity_id].attributes
        self.house.states[entity_id] = DeviceState(state=state, attributes={**before, **attributes})
        for changed in [changed for entity_ids, changed in self.watchers if entity_id in entity_ids]:
            changed()


@dataclass(frozen=True)
class MadeTicket:
    """The right to execute a plan."""

    plan: ExecutionPlan
    request: ActionRequest


@dataclass
class MadeEvidence:
    """Keeps traces in lists. ``during`` happens while an intent is written."""

    parked: list[PipelineTrace] = field(default_factory=list)
    intents: list[PipelineTrace] = field(default_factory=list)
    closed: list[PipelineTrace] = field(default_factory=list)
    verified: list[PipelineTrace] = field(default_factory=list)
    during: Callable[[], None] = lambda: None
    writing: asyncio.Event | None = None
    unparkable: Exception | None = None
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

    async def park(self, trace: PipelineTrace) -> None:
        await asyncio.sleep(0)
        if self.unparkable:
            raise self.unparkable
        self.parked.append(trace)

    async def intent(self, trace: PipelineTrace) -> MadeTicket:
        await (self.writing.wait() if self.writing else asyncio.sleep(0))
        self.during()
        if self.unwritable:
            raise self.unwritable
        self.intents.append(trace)
        assert trace.plan is not None
        return MadeTicket(trace.plan, trace.request)

    def close(self, trace: PipelineTrace) -> None:
        self.closed.append(trace)

    def verify(self, trace: PipelineTrace) -> None:
        self.verified.append(trace)


@dataclass
class MadeBackend:
    """Remembers what it was told to do."""

    executed: list[ExecutionPlan] = field(default_factory=list)
    tickets: list[MadeTicket] = field(default_factory=list)
    seen: Callable[[MadeTicket], None] = lambda _: None
    acting: asyncio.Event | None = None
    error: BaseException | None = None
    result: ExecutionResult | None = None
    end: ExecutionResult | Exception | None = None
    ending: asyncio.Event | None = None

    async def follow(self, ticket: MadeTicket) -> ExecutionResult:
        await (self.ending.wait() if self.ending else asyncio.sleep(0))
        if isinstance(self.end, Exception):
            raise self.end
        assert self.end is not None
        return self.end

    async def execute(self, ticket: MadeTicket) -> ExecutionResult:
        self.seen(ticket)
        self.tickets.append(ticket)
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


_REFUSALS = {State.REJECTED: REJECTED, State.EXPIRED: EXPIRED, State.CANCELLED: CANCELLED}


@dataclass
class MadeConfirmation:
    """People who answer when the test says so, on questions with their real states."""

    lasting: int = 120
    used: list[tuple[str, str]] = field(default_factory=list)
    questions: dict[str, Pending] = field(default_factory=dict)
    settled: list[tuple[str, str]] = field(default_factory=list)
    reserved: list[ActionRequest] = field(default_factory=list)
    approvers: tuple[str, ...] = ("anna", "bert")
    broken: Exception | None = None
    now: datetime = datetime(2026, 11, 30, 12, tzinfo=UTC)
    ended: list[str] = field(default_factory=list)
    _answered: dict[str, asyncio.Event] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.grants = Grants(lambda grant, *_: self.ended.append(grant.id))

    async def ask(
        self, request: ActionRequest, plan: ExecutionPlan, requirement: Requirement
    ) -> Consent | Refuse | None:
        if self.broken:
            raise self.broken
        pending = Pending(
            id=request.trace_id,
            principal=request.principal,
            plan=plan,
            key=plan.consent_key(request.principal),
            requirement=requirement,
            reason=None,
            asked_at=request.received_at,
            expires_at=request.received_at + timedelta(seconds=self.seconds(requirement)),
        )
        self.questions[pending.id], self._answered[pending.id] = pending, asyncio.Event()
        try:
            await self._answered[pending.id].wait()
        finally:
            # Told to stop while nobody has answered; an answer that came before stands.
            pending.advance(State.PENDING, State.CANCELLED)
        return pending.consent() if pending.state is State.APPROVED else _REFUSALS.get(pending.state)

    def seconds(self, requirement: Requirement) -> int:
        return requirement.terms.seconds or self.lasting

    def use(self, grant_id: str, request: ActionRequest) -> None:
        self.used.append((grant_id, request.trace_id))
        self.grants.use(grant_id)

    def withdraw(self, trace_id: str) -> None:
        self.end(trace_id, State.SUPERSEDED)

    def reserve(self, request: ActionRequest) -> None:
        self.reserved.append(request)

    def release(self, request: ActionRequest) -> None:
        self.reserved.remove(request)

    def settle(self, request: ActionRequest, trace: PipelineTrace | None) -> None:
        self.settled.append((request.trace_id, trace.outcome.value if trace else "failed"))
        question = self.questions.get(request.trace_id)
        if question and question.is_for_a_while and question.state is State.APPROVED and trace and trace.result:
            self.grants.give(Grant.of(question, self.now))

    def in_force(self, principal_id: str) -> tuple[Grant, ...]:
        """A caller's grants, given by people who still may."""
        for grant in self.grants.in_force(self.now):
            if not {yes.user_id for yes in grant.consent.given} <= set(self.approvers):
                self.grants.end(grant.id, "who gave it may not any more")
        return tuple(grant for grant in self.grants.in_force(self.now) if grant.behind[0] == principal_id)

    def yes(self, trace_id: str, person: str = "anna", *, for_a_while: bool = False) -> bool:
        """A person says yes; whether it was the last one needed. Nobody else's answer counts."""
        question = self.questions[trace_id]
        if for_a_while and not question.is_grantable:
            return False
        if question.state is State.PENDING and person in self.approvers:
            question.is_for_a_while = for_a_while
        enough = person in self.approvers and question.agree(
            Yes(user_id=person, approver_id=person, name=person.title(), channel="made")
        )
        (lambda: None, self._answered[trace_id].set)[enough]()
        return enough

    def end(self, trace_id: str, state: State) -> bool:
        """The question ends without a yes; whether it was open."""
        ended = self.questions[trace_id].advance(State.PENDING, state)
        (lambda: None, self._answered[trace_id].set)[ended]()
        return ended

    def no(self, trace_id: str, person: str = "anna") -> bool:
        """A person says no; whether that still counts. Nobody else's answer does."""
        return person in self.approvers and self.end(trace_id, State.REJECTED)

    def expire(self, trace_id: str) -> bool:
        """The time is over; whether the question was open."""
        return self.end(trace_id, State.EXPIRED)

    def cancel(self, trace_id: str) -> bool:
        """The question is taken back; whether it was open."""
        return self.end(trace_id, State.CANCELLED)

    def open(self) -> list[str]:
        """The questions that wait."""
        return [item.id for item in self.questions.values() if item.state is State.PENDING]


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
        self.confirmation = MadeConfirmation()
        self.restart()

    def restart(self) -> None:
        """A new pipeline on the same evidence, as after a start of Home Assistant."""
        self.pipeline: Pipeline[MadeTicket] = Pipeline(
            self.home, self.evidence, self.backend, self.confirmation, self.start
        )

    def ends(self) -> list[tuple[str, str]]:
        """The outcomes and codes that were recorded."""
        return [(trace.outcome.value, trace.code.value) for trace in self.evidence.closed]
