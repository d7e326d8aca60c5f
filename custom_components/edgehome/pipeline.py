"""The chain: ``judge`` asks the gates in their order, ``Pipeline`` does everything that is not pure.

This is the only place that runs ``GATES`` and the only caller of a backend (R1). No gate can default to pass: what
raises, answers another type, or a step that this gate may not give, blocks (R2).
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from .chain import (
    STEPS,
    Gate,
    GateContext,
    GateResult,
    Pass,
    Ready,
    Refuse,
    Step,
)
from .codes import Code, GateName, Outcome
from .endings import BROKEN, EVIDENCE_UNAVAILABLE, STOPPED, SUPERSEDED, ended, executed, interrupted
from .facts import Facts
from .gates import GATES
from .models import ActionRequest, PrincipalKind
from .plan import ExecutionPlan, ExecutionResult
from .trace import Answered, GateRecord, PipelineTrace, RecordedTrace

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """Where a request's way through the gates ended."""

    step: Step
    gate: GateName | None
    records: tuple[GateRecord, ...]


def judge(request: ActionRequest, facts: Facts, gates: Sequence[Gate] = GATES) -> Judgement:
    """Asks one gate after the other until one ends the request. Pure and synchronous."""
    context = GateContext(request=request, facts=facts)
    records: list[GateRecord] = []
    for gate in gates:
        step, result = _ask(gate, context)
        records.append(
            GateRecord(
                gate=gate.name,
                passed=result.passed,
                reason=result.reason,
                evidence=result.evidence,
                reads=facts.take_log(),
            )
        )
        if not isinstance(step, Pass):
            return Judgement(step=step, gate=gate.name, records=tuple(records))
        context = step.context
    return Judgement(step=BROKEN, gate=None, records=tuple(records))


def _ask(gate: Gate, context: GateContext) -> tuple[Step, GateResult]:
    try:
        answer: object = gate.evaluate(context)
    except Exception:
        _LOGGER.exception("Gate %s failed; the request is blocked", gate.name)
        return BROKEN, GateResult(passed=False, reason=Code.INTERNAL_ERROR)
    if fault := _fault(gate, context, answer):
        _LOGGER.error("Gate %s %s; the request is blocked", gate.name, fault)
        return BROKEN, GateResult(passed=False, reason=Code.INTERNAL_ERROR, evidence={"fault": fault})
    return answer  # type: ignore[return-value]  # _fault has looked at it


def _fault(gate: Gate, context: GateContext, answer: object) -> str | None:
    """What is wrong with a gate's answer, if anything."""
    if not (isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[1], GateResult)):
        return "answered no step and result"
    step, result = answer
    if type(step) not in STEPS or type(step) not in gate.steps:
        return f"answered a step that is not its own: {type(step).__name__}"
    if isinstance(step, Refuse):
        return None if not result.passed and step.code in gate.codes else "refused outside its codes"
    if not result.passed:
        return "let pass what it did not pass"
    if isinstance(step, Pass) and not (
        isinstance(step.context, GateContext)
        and step.context.request is context.request
        and step.context.facts is context.facts
    ):
        return "changed the request"
    return None


class Ticket(Protocol):
    """The right to execute one plan once; only the evidence store issues it (R1, R8)."""

    @property
    def plan(self) -> ExecutionPlan:
        """What may be executed."""
        ...


class Home(Protocol):
    """The house as the driver needs it."""

    def facts(self) -> Facts:
        """A fresh view."""
        ...

    def stamp(self, entity_ids: tuple[str, ...]) -> object:
        """Changes whenever the owner's settings or one of these entities changed."""
        ...

    def count(self, request: ActionRequest) -> None:
        """Counts a finished judgement against the caller's rate."""
        ...


class Evidence[T: Ticket](Protocol):
    """Where traces are kept."""

    async def find(self, request: ActionRequest) -> RecordedTrace | None:
        """The trace of an earlier request with the same caller and request id (R13)."""
        ...

    async def intent(self, trace: PipelineTrace) -> T:
        """Makes the intent durable, then issues the ticket (R8)."""
        ...

    def close(self, trace: PipelineTrace) -> None:
        """Writes the end of a request, soon."""
        ...


class Backend[T: Ticket](Protocol):
    """What acts."""

    async def execute(self, ticket: T) -> ExecutionResult:
        """Carries the plan out and looks whether the devices followed."""
        ...


type Starter = Callable[[Coroutine[object, object, Answered], str], asyncio.Task[Answered]]
"""Starts a background task with a name."""


_STRANGERS = frozenset({PrincipalKind.UNREGISTERED, PrincipalKind.FOREIGN_FRONTEND})


class Pipeline[T: Ticket]:
    """The one driver. Doors call ``submit``; nothing else leads to a backend."""

    def __init__(self, home: Home, evidence: Evidence[T], backend: Backend[T], start: Starter) -> None:
        self._home = home
        self._evidence = evidence
        self._backend = backend
        self._start = start
        self._running: dict[tuple[str, str], tuple[ActionRequest, asyncio.Task[Answered]]] = {}
        self._tasks: set[asyncio.Task[Answered]] = set()

    def admit(self, request: ActionRequest) -> Answered | None:
        """Asks the first gate alone, for questions that are no proposals; the refusal, or None."""
        request = replace(request, payload={**request.payload, "request_id": None})
        self._home.count(request)
        step, result = _ask(GATES[0], GateContext(request=request, facts=self._home.facts()))
        if isinstance(step, Pass):
            return None
        record = GateRecord(
            gate=GATES[0].name,
            passed=False,
            reason=result.reason,
            evidence=result.evidence,
        )
        return self._closed(request, step, GATES[0].name, (record,))

    async def stop(self) -> None:
        """Breaks off what is running; what was executing ends as unknown (R11)."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def submit(self, request: ActionRequest) -> Answered:
        """Runs a request once and gives its trace; a caller that goes away does not stop it (R13)."""
        if request.principal.kind in _STRANGERS:
            # Strangers claim no ids: what they send must not come back to somebody else.
            request = replace(request, payload={**request.payload, "request_id": None})
        if request.request_id is None:
            return await asyncio.shield(self._started(self.run(request), request))
        key = (request.principal.id, request.request_id)
        if known := self._running.get(key):
            first, task = known
            return await asyncio.shield(task) if first.digest == request.digest else self.conflict(request)
        task = self._started(self._claimed(request), request)
        if not task.done():
            self._running[key] = (request, task)
            task.add_done_callback(lambda _: self._running.pop(key, None))
        return await asyncio.shield(task)

    def _started(self, way: Coroutine[object, object, Answered], request: ActionRequest) -> asyncio.Task[Answered]:
        task = self._start(self._to_its_end(way, request), request.trace_id)
        if not task.done():
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return task

    async def _to_its_end(self, way: Coroutine[object, object, Answered], request: ActionRequest) -> Answered:
        """Whatever happens before the dispatch, the request gets an end and a record (R2)."""
        try:
            return await way
        except asyncio.CancelledError:
            return self._closed(request, STOPPED, None, ())
        except Exception:
            _LOGGER.exception("The request failed before anything was done; it is blocked")
            return self._closed(request, BROKEN, None, ())

    async def _claimed(self, request: ActionRequest) -> Answered:
        try:
            known = await self._evidence.find(request)
        except Exception:
            _LOGGER.exception("The evidence cannot be read; the request is blocked")
            return self._closed(request, EVIDENCE_UNAVAILABLE, None, ())
        if known is None:
            return await self.run(request)
        return known if known.digest == request.digest else self.conflict(request)

    def conflict(self, request: ActionRequest) -> PipelineTrace:
        """The refusal of a request id that was used for something else."""
        return self._closed(
            replace(request, payload={**request.payload, "request_id": None}),
            Refuse(
                code=Code.REQUEST_ID_CONFLICT,
                message="This request_id was used for another request.",
                hint="Use a new request_id for a new request.",
                field="request_id",
            ),
            None,
            (),
        )

    async def run(self, request: ActionRequest) -> PipelineTrace:
        """One request from judgement to its recorded end."""
        self._home.count(request)
        verdict = judge(request, self._home.facts())
        if not isinstance(verdict.step, Ready):
            return self._closed(request, verdict.step, verdict.gate, verdict.records)
        plan = verdict.step.plan
        stamp = self._home.stamp(plan.entity_ids)
        started = replace(interrupted(request), plan=plan, records=verdict.records)
        try:
            ticket = await self._evidence.intent(started)
        except Exception:
            _LOGGER.exception("The intent could not be written; nothing is executed (R8)")
            return self._closed(request, EVIDENCE_UNAVAILABLE, GateName.EXECUTION, verdict.records)
        # From here to the dispatch nothing is awaited: what was judged is what is executed.
        if self._home.stamp(plan.entity_ids) != stamp:
            again = judge(request, self._home.facts())
            if not isinstance(again.step, Ready):
                return self._closed(request, again.step, again.gate, verdict.records + again.records)
            key = request.principal.id
            if again.step.plan.consent_key(key) != plan.consent_key(key):
                return self._closed(
                    request,
                    SUPERSEDED,
                    GateName.EXECUTION,
                    verdict.records + again.records,
                )
        try:
            result = await self._backend.execute(ticket)
        except asyncio.CancelledError:
            trace = replace(started, finished_at=datetime.now(UTC))
            self._evidence.close(trace)
            return trace
        except Exception:
            _LOGGER.exception("The backend failed; what the devices did is not known")
            result = ExecutionResult(results=(), timed_out=True)
        trace = executed(started, result)
        self._evidence.close(trace)
        return trace

    def _closed(
        self,
        request: ActionRequest,
        step: Step,
        gate: GateName | None,
        records: tuple[GateRecord, ...],
    ) -> PipelineTrace:
        trace = ended(PipelineTrace(
            request=request,
            outcome=Outcome.BLOCKED,
            code=BROKEN.code,
            message=BROKEN.message,
            gate=gate,
            hint=BROKEN.hint,
            records=records,
            finished_at=datetime.now(UTC),
        ), step)  # fmt: skip
        self._evidence.close(trace)
        return trace
