"""The driver: does everything that is not pure, between a door and the backend. The only caller of a backend (R1)."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

from .chain import Ask, GateContext, Need, Pass, Ready, Refuse, Step, settled
from .codes import GateName
from .confirmation.pending import Consent
from .endings import (
    BROKEN,
    CANCELLED,
    EVIDENCE_UNAVAILABLE,
    ID_CONFLICT,
    STOPPED,
    SUPERSEDED,
    closing,
    confirmed,
    executed,
    interrupted,
    joined,
    waiting,
)
from .gates import GATES
from .judge import Judgement, ask, judge
from .models import ActionRequest, PrincipalKind
from .plan import ExecutionResult
from .ports import Backend, Confirmation, Evidence, Home, Ticket
from .trace import Answered, GateRecord, PipelineTrace
from .way import Way

_LOGGER = logging.getLogger(__name__)


type Starter = Callable[[Coroutine[object, object, Answered], str], asyncio.Task[Answered]]
"""Starts a background task with a name."""


_MOST_ROUNDS = 2
"""So often states are fetched for one judgement."""
_STRANGERS = frozenset({PrincipalKind.UNREGISTERED, PrincipalKind.FOREIGN_FRONTEND})


class Pipeline[T: Ticket]:
    """The one driver. Doors call ``submit``; nothing else leads to a backend."""

    def __init__(
        self, home: Home, evidence: Evidence[T], backend: Backend[T], confirmation: Confirmation, start: Starter
    ) -> None:
        self._home = home
        self._evidence = evidence
        self._backend = backend
        self._confirmation = confirmation
        self._start = start
        self._claims: dict[tuple[str, str], Way] = {}
        self._ways: dict[str, Way] = {}
        self._asking: dict[str, Way] = {}
        self._looks: dict[str, asyncio.Task[Answered]] = {}

    def admit(self, request: ActionRequest) -> Answered | None:
        """Asks the first gate alone, for questions that are no proposals; the refusal, or None."""
        request = replace(request, payload={**request.payload, "request_id": None})
        self._home.count(request)
        step, result = ask(GATES[0], GateContext(request=request, facts=self._home.facts()))
        if isinstance(step, Pass):
            return None
        record = GateRecord(gate=GATES[0].name, passed=False, reason=result.reason, evidence=result.evidence)
        return self._closed(request, step, GATES[0].name, (record,))

    async def stop(self) -> None:
        """Breaks off what is running; what was executing ends as unknown (R11)."""
        tasks = [*(way.task for way in self._ways.values() if way.task), *self._looks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def submit(self, request: ActionRequest) -> Answered:
        """Runs a request once and gives its trace; a caller that goes away does not stop it (R13)."""
        if request.principal.kind in _STRANGERS:
            # Strangers claim no ids: what they send must not come back to somebody else.
            request = replace(request, payload={**request.payload, "request_id": None})
        if request.request_id is None:
            return await self._started(request, self.run).seen(request.wait)
        key = (request.principal.id, request.request_id)
        way = self._claims.get(key)
        if way is not None and way.request.digest != request.digest:
            return self.conflict(request)
        if way is None:
            way = self._started(request, self._claimed)
            if not settled(way.task).done():
                self._claims[key] = way
                settled(way.task).add_done_callback(lambda _: self._claims.pop(key, None))
        return await way.seen(request.wait)

    async def wait_for(self, trace_id: str, seconds: float) -> Answered | None:
        """The state of a request that is on its way, after at most ``seconds``.

        None if it has ended; where its devices are still looked at, that is waited for too.
        """
        if way := self._ways.get(trace_id):
            return await way.seen(seconds)
        if look := self._looks.get(trace_id):
            await asyncio.wait((look,), timeout=seconds)
        return None

    def take_back(self, trace_id: str) -> bool:
        """Takes back a request that waits together with an equal one; whether there was one."""
        way = self._ways.get(trace_id)
        if way is None or not way.has_joined or way.is_taken_back:
            return False
        way.is_taken_back = True
        settled(way.task).cancel()
        return True

    def _started(self, request: ActionRequest, walk: Callable[[Way], Coroutine[object, object, Answered]]) -> Way:
        way = Way(request)
        way.task = self._start(self._to_its_end(walk(way), way), request.trace_id)
        if not way.task.done():
            self._ways[request.trace_id] = way
            way.task.add_done_callback(lambda _: self._ways.pop(request.trace_id, None))
        return way

    async def _to_its_end(self, walk: Coroutine[object, object, Answered], way: Way) -> Answered:
        """Whatever happens before the dispatch, the request gets an end and a record (R2)."""
        try:
            return await walk
        except asyncio.CancelledError:
            return self._closed(way.request, CANCELLED if way.is_taken_back else STOPPED, None, ())
        except Exception:
            _LOGGER.exception("The request failed before anything was done; it is blocked")
            return self._closed(way.request, BROKEN, None, ())

    async def _claimed(self, way: Way) -> Answered:
        request = way.request
        try:
            known = await self._evidence.find(request)
        except Exception:
            _LOGGER.exception("The evidence cannot be read; the request is blocked")
            return self._closed(request, EVIDENCE_UNAVAILABLE, None, ())
        if known is None:
            return await self.run(way)
        return known if known.digest == request.digest else self.conflict(request)

    def conflict(self, request: ActionRequest) -> PipelineTrace:
        """The refusal of a request id that was used for something else."""
        other = replace(request, payload={**request.payload, "request_id": None})
        return self._closed(other, ID_CONFLICT, None, ())

    async def run(self, way: Way) -> PipelineTrace:
        """One request from judgement to its recorded end."""
        request = way.request
        self._home.count(request)
        verdict, fetched = await self._judged(request)
        if not isinstance(verdict.step, Ask):
            return await self._carried_out(request, verdict, None, fetched)
        # Counted before anything is awaited: a burst of requests must not slip through together.
        self._confirmation.reserve(request)
        try:
            return await self._waited(way, verdict, verdict.step)
        finally:
            self._confirmation.release(request)

    async def _judged(
        self, request: ActionRequest, consent: Consent | None = None
    ) -> tuple[Judgement, Mapping[str, bool]]:
        """The verdict once every state that it needs was fetched, each once; and what was fetched."""
        fetched: dict[str, bool] = {}
        records: tuple[GateRecord, ...] = ()
        rounds = 0
        while True:
            verdict = judge(request, self._home.facts(fetched), consent=consent)
            records += verdict.records
            verdict = replace(verdict, records=records)
            if not isinstance(verdict.step, Need):
                return verdict, fetched
            rounds += 1
            wanted = tuple(one for one in verdict.step.entity_ids if one not in fetched)
            if not wanted:
                _LOGGER.error("A state is needed that was fetched already; the request is blocked")
                return replace(verdict, step=BROKEN), fetched
            # What grows old while others are fetched is not fetched for ever.
            answers = await self._home.fetch(wanted) if rounds <= _MOST_ROUNDS else {}
            fetched |= dict.fromkeys(wanted, False) | dict(answers)

    async def _waited(self, way: Way, verdict: Judgement, asked: Ask) -> PipelineTrace:
        """Waits for a human: with an own question, or together with an equal request that is asked about (R9)."""
        request, records = way.request, verdict.records
        seconds = self._confirmation.seconds(asked.requirement)
        parked = replace(waiting(request, asked.plan, asked.requirement, seconds), records=records)
        key = asked.plan.consent_key(request.principal)
        first = self._asking.setdefault(key, way)
        try:
            if not await self._parked(way, parked):
                return self._closed(request, EVIDENCE_UNAVAILABLE, GateName.EXECUTION, records)
            if first is way:
                return await self._asked(request, verdict, asked)
        finally:
            if first is way:
                del self._asking[key]
        way.has_joined = True
        trace = replace(joined(await self._end_of(first, way), request), records=records)
        look = self._looks.get(first.request.trace_id)
        trace = replace(trace, is_open=trace.is_open and look is not None)
        self._evidence.close(trace)
        if trace.is_open and look:
            self._look_on(request, self._looked_on_together(look, request))
        return trace

    @staticmethod
    async def _end_of(first: Way, way: Way) -> PipelineTrace:
        """The end of the request that is asked about, also when both are being stopped (R11)."""
        task = settled(first.task)
        try:
            ended = await asyncio.shield(task)
        except asyncio.CancelledError:
            if way.is_taken_back:
                raise
            ended = await task
        return cast("PipelineTrace", ended)

    async def _parked(self, way: Way, parked: PipelineTrace) -> bool:
        """Makes durable that the request waits, then lets its caller go; whether that could be written (R8)."""
        try:
            await self._evidence.park(parked)
        except Exception:
            _LOGGER.exception("A question could not be written; nobody is asked (R8)")
            return False
        way.park(parked)
        return True

    async def _asked(self, request: ActionRequest, verdict: Judgement, asked: Ask) -> PipelineTrace:
        """Asks a human, then looks at everything again: only the very plan that was asked about is done (R9)."""
        plan, principal = asked.plan, request.principal

        def is_same(step: Step) -> bool:
            return isinstance(step, Ask | Ready) and step.plan.consent_key(principal) == plan.consent_key(principal)

        def look() -> None:
            """The house changed: the question stands only while it would be the same one."""
            again = judge(request, self._home.facts(), consent=_NOT_YET).step
            # What only has to be fetched is fetched once somebody has said yes.
            if not isinstance(again, Need) and not (isinstance(again, Ask) and is_same(again)):
                self._confirmation.withdraw(request.trace_id)

        stop = self._home.watch(plan.entity_ids, look)
        trace: PipelineTrace | None = None
        try:
            answer = await self._confirmation.ask(request, plan, asked.requirement)
            if isinstance(answer, Refuse):
                trace = self._closed(request, answer, GateName.EXECUTION, verdict.records)
            else:
                again, fetched = await self._judged(request, answer or _NOT_YET)
                step = again.step
                if isinstance(step, Ask) or (isinstance(step, Ready) and (answer is None or not is_same(step))):
                    step = SUPERSEDED
                records = verdict.records + again.records
                trace = await self._carried_out(request, replace(again, step=step, records=records), answer, fetched)
            return trace
        finally:
            stop()
            self._confirmation.settle(request, trace)

    async def _carried_out(
        self, request: ActionRequest, verdict: Judgement, consent: Consent | None, fetched: Mapping[str, bool]
    ) -> PipelineTrace:
        """Executes what is ready, closes what is not."""
        ready = verdict.step
        if not isinstance(ready, Ready):
            return self._closed(request, ready, verdict.gate, verdict.records)
        plan = ready.plan
        stamp = self._home.stamp(plan.entity_ids)
        started = replace(interrupted(request), plan=plan, records=verdict.records)
        try:
            ticket = await self._evidence.intent(started)
        except Exception:
            _LOGGER.exception("The intent could not be written; nothing is executed (R8)")
            return self._closed(request, EVIDENCE_UNAVAILABLE, GateName.EXECUTION, verdict.records)
        # From here to the dispatch nothing is awaited: what was judged is what is executed.
        if self._home.stamp(plan.entity_ids) != stamp:
            again = judge(request, self._home.facts(fetched), consent=consent)
            step, who = again.step, request.principal
            if isinstance(step, Ask | Need) or (
                isinstance(step, Ready) and step.plan.consent_key(who) != plan.consent_key(who)
            ):
                step = SUPERSEDED
            if not isinstance(step, Ready):
                return self._closed(request, step, again.gate, verdict.records + again.records)
            ready = step
        self._home.moving(request, ready.plan)
        if ready.grant:
            self._confirmation.use(ready.grant, request)
        try:
            result = await self._backend.execute(ticket)
        except asyncio.CancelledError:
            trace = replace(started, finished_at=datetime.now(UTC))
            self._evidence.close(trace)
            return trace
        except Exception:
            _LOGGER.exception("The backend failed; what the devices did is not known")
            result = ExecutionResult(results=(), timed_out=True)
        end = confirmed if consent or ready.grant else _as_it_is
        trace = end(executed(started, result))
        self._evidence.close(trace)
        if trace.is_open:
            self._look_on(request, self._looked_on(started, ticket, result, end))
        return trace

    def _look_on(self, request: ActionRequest, way: Coroutine[object, object, PipelineTrace]) -> None:
        task = self._start(way, f"{request.trace_id} verification")
        self._looks[request.trace_id] = task
        task.add_done_callback(lambda _: self._looks.pop(request.trace_id, None))

    async def _looked_on_together(self, look: asyncio.Task[Answered], request: ActionRequest) -> PipelineTrace:
        """The end of the devices for a request that asked for the same."""
        trace = joined(cast("PipelineTrace", await asyncio.shield(look)), request)
        self._evidence.verify(trace)
        return trace

    async def _looked_on(
        self,
        started: PipelineTrace,
        ticket: T,
        result: ExecutionResult,
        end: Callable[[PipelineTrace], PipelineTrace],
    ) -> PipelineTrace:
        """Looks on until the slower devices have come to an end, and writes that into the trace (R11)."""
        try:
            result = await self._backend.follow(ticket)
        except Exception:
            _LOGGER.exception("What became of the devices could not be seen")
            result = result.given_up()
        trace = end(executed(started, result))
        self._evidence.verify(trace)
        return trace

    def _closed(
        self, request: ActionRequest, step: Step, gate: GateName | None, records: tuple[GateRecord, ...]
    ) -> PipelineTrace:
        trace = closing(request, step, gate, records)
        self._evidence.close(trace)
        return trace


def _as_it_is(trace: PipelineTrace) -> PipelineTrace:
    return trace


_NOT_YET = Consent(key="", risk=-1, given=())
"""Consents to nothing; judged with it, a request that waits is not counted again."""
