"""The broker of questions: asks approvers in their order, takes the first answers, and lets nothing be answered twice.

Approvers are asked in order; after ``escalate_after`` seconds the next is asked too, at once where a phone cannot be
reached. Every question ends: by a yes, a no, its expiry, or because the house changed (R10).
"""

import asyncio
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from datetime import timedelta

from homeassistant.core import HomeAssistant, callback
from homeassistant.util import dt as dt_util

from ..chain import Refuse
from ..codes import Outcome
from ..endings import CANCELLED, EXPIRED, REJECTED, UNREACHED
from ..evidence.store import EvidenceStore
from ..models import ActionRequest
from ..plan import ExecutionPlan
from ..policy.requirement import Requirement
from ..settings import Settings
from ..trace import PipelineTrace
from .approvers import Approver, ApproverRegister
from .channels.mobile import MobileChannel
from .channels.page import PageChannel
from .channels.persistent import PersistentChannel
from .fatigue import Fatigue
from .lasting import LastingYes
from .pending import Answer, Consent, Pending, State, Yes
from .phones import Phones
from .pins import Pins, PinState

MOST_RECENT, MOST_NOTES = 200, 100
"""How many ended questions are remembered, so that late answers are recorded with them; how many notes one may have."""

_LOGGER = logging.getLogger(__name__)
_DEEDS = {
    Outcome.CONFIRMED: State.EXECUTED,
    Outcome.PARTIAL: State.PARTIAL,
    Outcome.FAILED: State.FAILED,
    Outcome.UNKNOWN: State.UNKNOWN,
}
_ENDS = {State.REJECTED: REJECTED, State.EXPIRED: EXPIRED, State.CANCELLED: CANCELLED}


class Broker:
    """What waits for a human."""

    def __init__(
        self,
        hass: HomeAssistant,
        approvers: ApproverRegister,
        phones: Phones,
        pins: Pins,
        evidence: EvidenceStore,
        *,
        settings: Settings,
        salt: str,
    ) -> None:
        self._hass = hass
        self._approvers = approvers
        self._evidence = evidence
        self.settings = settings
        self.pins = pins
        self.mobile = MobileChannel(hass, phones, salt, self.answer, self.forged)
        self.page = PageChannel()
        self._persistent = PersistentChannel(hass)
        self._pending: dict[str, Pending] = {}
        self._requests: dict[str, ActionRequest] = {}
        self._answered: dict[str, asyncio.Event] = {}
        self._recent: OrderedDict[str, ActionRequest] = OrderedDict()
        self._noted: Counter[str] = Counter()
        self._reserved: dict[str, str] = {}
        self._fatigue = Fatigue()
        self.lasting = LastingYes(approvers, evidence.note, self.changed)
        self.grants = self.lasting.grants
        self._listeners: list[Callable[[], None]] = []

    # What gates ask.

    def seconds(self, requirement: Requirement) -> int:
        """How long a question lasts."""
        return requirement.terms.seconds or self.settings.seconds

    def waiting(self, principal_id: str, trace_id: str) -> int:
        """Requests of a caller that wait for a human, one aside."""
        return sum(who == principal_id and other != trace_id for other, who in self._reserved.items())

    def reachable(
        self, risk: int, areas: tuple[str, ...], among: tuple[str, ...] | None, needs_pin: bool
    ) -> tuple[Approver, ...]:
        """Who may say yes and can be reached now, in the order of asking."""
        return tuple(
            approver
            for approver in self._approvers.able(risk, areas, among)
            if self._is_reachable(approver) and (not needs_pin or self.pins.state(approver.user_id) is PinState.SET)
        )

    def _is_reachable(self, approver: Approver) -> bool:
        page = approver.page_suffices or self.page.is_open(approver.user_id)
        return page or self.mobile.is_reachable(approver)

    def cool_down(self, principal_id: str, deeds: tuple[str, ...]) -> int:
        """Seconds until the same may be asked about again, whatever the values."""
        return self._fatigue.seconds(principal_id, deeds, time.monotonic())

    # What the driver does.

    async def ask(
        self, request: ActionRequest, plan: ExecutionPlan, requirement: Requirement
    ) -> Consent | Refuse | None:
        """Asks, and waits for the answer; None if the question was withdrawn because the house changed."""
        now = dt_util.utcnow()
        reason = request.payload.get("reason")
        pending = Pending(
            id=request.trace_id,
            principal=request.principal,
            plan=plan,
            key=plan.consent_key(request.principal),
            requirement=requirement,
            with_pin=self.pins.users() if requirement.terms.pin else None,
            reason=reason if isinstance(reason, str) else None,
            asked_at=now,
            expires_at=now + timedelta(seconds=self.seconds(requirement)),
        )
        answered = asyncio.Event()
        self._pending[pending.id], self._requests[pending.id] = pending, request
        self._answered[pending.id] = answered
        self._persistent.show(pending)
        self.changed()
        try:
            if not await self._wait(pending, answered):
                return UNREACHED
        finally:
            if pending.advance(State.PENDING, State.CANCELLED):
                _LOGGER.debug("The question of %s was broken off", pending.id)
            self._note(pending.id, {"state": pending.state.value})
            self._clear(pending.id)
        if pending.state is State.APPROVED:
            return pending.consent() if self.lasting.may_still(pending.consent(), plan.areas) else CANCELLED
        self._fatigue.remember(pending.principal.id, plan.deeds, pending.state, time.monotonic())
        return _ENDS.get(pending.state)

    async def _wait(self, pending: Pending, answered: asyncio.Event) -> bool:
        """Asks and waits until an answer or the expiry; whether anybody could be asked."""
        asking = asyncio.ensure_future(self._escalate(pending, answered))
        answer = asyncio.ensure_future(answered.wait())
        seconds = self.seconds(pending.requirement)
        end = asyncio.get_running_loop().time() + seconds
        try:
            await asyncio.wait((asking, answer), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if asking.done() and not answered.is_set():
                if not asking.result():
                    return False
                left = max(0.0, end - asyncio.get_running_loop().time())
                await asyncio.wait((answer,), timeout=left)
            pending.advance(State.PENDING, State.EXPIRED)
            return True
        finally:
            asking.cancel()
            answer.cancel()

    async def _escalate(self, pending: Pending, answered: asyncio.Event) -> bool:
        """Asks one after the other until there is an answer or nobody is left; whether enough could be asked."""
        able, people = self._concerned(pending), pending.requirement.people
        if not self.settings.escalate_after:
            asked = await asyncio.gather(*(self._send(pending, approver) for approver in able))
            return sum(asked) >= people
        reached = 0
        for approver in able:
            if not await self._send(pending, approver):
                continue
            reached += 1
            if reached < people:
                continue
            try:
                async with asyncio.timeout(self.settings.escalate_after):
                    await answered.wait()
            except TimeoutError:
                continue
            return True
        return reached >= people

    async def _send(self, pending: Pending, approver: Approver) -> bool:
        """Asks one approver; whether anything of his took the question."""
        phones = await self.mobile.send(pending, approver)
        page = self.page.is_open(approver.user_id)
        self._note(pending.id, {"asked": approver.name, "phones": phones, "page": page})
        return bool(phones or page or approver.page_suffices)

    def _concerned(self, pending: Pending) -> tuple[Approver, ...]:
        """Whose answer counts, in the order of asking; where a PIN is wanted, who had one when the question came."""
        plan = pending.plan
        able = self._approvers.able(plan.risk, plan.areas, pending.requirement.terms.approvers)
        if pending.with_pin is None:
            return able
        return tuple(approver for approver in able if approver.user_id in pending.with_pin)

    @callback
    def reserve(self, request: ActionRequest) -> None:
        """A request starts to wait: it counts against its caller from now on."""
        self._reserved[request.trace_id] = request.principal.id

    @callback
    def release(self, request: ActionRequest) -> None:
        """A request waits no more."""
        self._reserved.pop(request.trace_id, None)

    @callback
    def withdraw(self, trace_id: str) -> None:
        """The house changed: the question is not what it was."""
        self._end(trace_id, State.SUPERSEDED)

    @callback
    def settle(self, request: ActionRequest, trace: PipelineTrace | None) -> None:
        """The request has come to its end, or failed: forgets its question."""
        pending = self._pending.pop(request.trace_id, None)
        if pending is not None and trace is not None and pending.state is State.APPROVED:
            deed = _DEEDS.get(trace.outcome)
            if deed is None:
                pending.advance(State.APPROVED, State.SUPERSEDED)
            elif pending.advance(State.APPROVED, State.EXECUTING):
                pending.advance(State.EXECUTING, deed)
                self.lasting.give(pending, request)
            self._note(request.trace_id, {"state": pending.state.value, "outcome": trace.outcome.value})
        self._requests.pop(request.trace_id, None)
        self._recent[request.trace_id] = request
        while len(self._recent) > MOST_RECENT:
            self._noted.pop(self._recent.popitem(last=False)[0], None)
        self.changed()

    async def async_cancel_all(self) -> None:
        """Home Assistant stops: nobody is asked any more, and the phones are cleared while they can be reached (R10)."""
        open_questions = list(self._pending)
        for trace_id in open_questions:
            self._end(trace_id, State.CANCELLED)
            self.mobile.revoke(trace_id)
        await asyncio.gather(*(self.mobile.clear(trace_id) for trace_id in open_questions))

    @callback
    def use(self, grant_id: str, request: ActionRequest) -> None:
        """A request is carried out by a yes for a while."""
        self.lasting.use(grant_id, request)

    # What people do.

    @callback
    def answer(self, trace_id: str, user_id: str, answer: Answer, channel: str, with_pin: bool = False) -> bool:
        """An approver's answer; whether it was taken. The first no ends the question, a yes counts once a person."""
        pending = self._pending.get(trace_id)
        if pending is None or pending.state is not State.PENDING:
            self._note(trace_id, {"late": user_id, "channel": channel}, by_anybody=True)
            return False
        approver = next((one for one in self._concerned(pending) if one.user_id == user_id), None)
        if approver is None:
            self.forged(trace_id, user_id)
            return False
        told = {"answer": answer.value, "by": approver.name, "user_id": user_id, "channel": channel}
        if answer is Answer.NO:
            self._note(trace_id, told)
            return self._end(trace_id, State.REJECTED)
        is_for_a_while = answer is Answer.YES_FOR_A_WHILE
        if (pending.requirement.terms.pin and not with_pin) or (is_for_a_while and not pending.is_grantable):
            self._note(trace_id, {**told, "taken": False}, by_anybody=True)
            return False
        self._note(trace_id, told)
        pending.is_for_a_while, pending.generation = is_for_a_while, self.grants.generation
        yes = Yes(user_id=user_id, approver_id=approver.id, name=approver.name, channel=channel, with_pin=with_pin)
        if pending.agree(yes):
            self._wake(trace_id)
        else:
            self.changed()
        return True

    def wants_pin(self, trace_id: str, user_id: str) -> bool:
        """Whether this person's yes to this question must come with his PIN."""
        pending = self._pending.get(trace_id)
        concerned = {one.user_id for one in self._concerned(pending)} if pending else set()
        return pending is not None and pending.requirement.terms.pin and user_id in concerned

    @callback
    def pin_refused(self, trace_id: str, user_id: str) -> None:
        """A yes came with a PIN that is not right: recorded, and nothing else."""
        self._note(trace_id, {"mistyped_by": user_id}, by_anybody=True)
        self.changed()

    @callback
    def forged(self, trace_id: str, user_id: str | None) -> None:
        """An answer that is none: recorded, and nothing else (R9)."""
        self._note(trace_id, {"forged_answer_of": user_id or "nobody"}, by_anybody=True)

    @callback
    def cancel(self, trace_id: str) -> bool:
        """The caller or an approver takes a question back, or the grant that came of it; whether there was one."""
        if pending := self._pending.get(trace_id):
            # It may be carried out already; a yes for a while then ends with this deed.
            pending.is_for_a_while = False
        return self._end(trace_id, State.CANCELLED) or self.grants.end(trace_id, "it was taken back")

    def is_approver(self, user_id: str) -> bool:
        """Whether this user is somebody who may be asked."""
        return self._approvers.by_user(user_id) is not None

    def questions_for(self, user_id: str) -> tuple[Pending, ...]:
        """What waits for this approver now, oldest first."""
        return tuple(
            pending
            for pending in self._pending.values()
            if pending.state is State.PENDING and user_id in {one.user_id for one in self._concerned(pending)}
        )

    @callback
    def async_listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Tells a listener when something starts or stops waiting; returns what stops that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _end(self, trace_id: str, state: State) -> bool:
        pending = self._pending.get(trace_id)
        if pending is None or not pending.advance(State.PENDING, state):
            return False
        self._wake(trace_id)
        return True

    def _wake(self, trace_id: str) -> None:
        if answered := self._answered.get(trace_id):
            answered.set()

    def _clear(self, trace_id: str) -> None:
        """The question is over: its buttons at once, what phones show as soon as they can be reached."""
        self._answered.pop(trace_id, None)
        self.mobile.revoke(trace_id)
        self._persistent.clear(trace_id)
        self.changed()
        self._hass.async_create_task(self.mobile.clear(trace_id), f"edgehome clear {trace_id}")

    def _note(self, trace_id: str, what: Mapping[str, object], *, by_anybody: bool = False) -> None:
        request = self._requests.get(trace_id) or self._recent.get(trace_id)
        if request is None:
            return
        if by_anybody:
            # Anybody who is logged in can send answers that are none: so many are told, not more.
            if self._noted[trace_id] >= MOST_NOTES:
                return
            self._noted[trace_id] += 1
        self._evidence.note(request, what)

    @callback
    def changed(self) -> None:
        """Something that people see has changed."""
        for listener in list(self._listeners):
            listener()
