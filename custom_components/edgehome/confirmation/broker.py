"""The broker of questions: asks approvers in their order, takes the first answers, and lets nothing be answered twice.

Approvers are asked in order; after ``escalate_after`` seconds the next is asked too, at once where a phone cannot be
reached. Every question ends: by a yes, a no, its expiry, or because the house changed (R10).
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import timedelta

from homeassistant.core import HomeAssistant, callback
from homeassistant.util import dt as dt_util

from ..chain import Refuse, Requirement
from ..endings import CANCELLED, EXPIRED, REJECTED, UNREACHED
from ..evidence.store import EvidenceStore
from ..models import ActionRequest
from ..plan import ExecutionPlan
from ..settings import Settings
from ..trace import PipelineTrace
from .approvers import Approver, ApproverRegister
from .channels.mobile import MobileChannel
from .channels.page import PageChannel
from .channels.persistent import PersistentChannel
from .pending import Consent, Pending, State, Yes

COOL_DOWN, LONG_COOL_DOWN = 60, 3600
"""Seconds until a rejected plan may be asked again, and after the third rejection within the long time."""
MOST_REJECTIONS = 3

_ENDS = {State.REJECTED: REJECTED, State.EXPIRED: EXPIRED, State.CANCELLED: CANCELLED}


class Broker:
    """What waits for a human."""

    def __init__(
        self, hass: HomeAssistant, approvers: ApproverRegister, evidence: EvidenceStore, settings: Settings
    ) -> None:
        self._hass = hass
        self._approvers = approvers
        self._evidence = evidence
        self.settings = settings
        self.mobile = MobileChannel(hass, self.answer, self.forged)
        self.page = PageChannel()
        self._persistent = PersistentChannel(hass)
        self._pending: dict[str, Pending] = {}
        self._requests: dict[str, ActionRequest] = {}
        self._answered: dict[str, asyncio.Event] = {}
        self._rejections: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        self._listeners: list[Callable[[], None]] = []

    # What gates ask.

    @property
    def seconds(self) -> int:
        """How long a question lasts."""
        return self.settings.seconds

    def waiting(self, principal_id: str, trace_id: str) -> int:
        """Open questions of a caller, one request aside."""
        return sum(
            pending.principal.id == principal_id and pending.id != trace_id and pending.state is State.PENDING
            for pending in self._pending.values()
        )

    def reachable(self, principal_id: str, risk: int, areas: tuple[str, ...]) -> tuple[Approver, ...]:
        """Who may say yes and can be reached now, in the order of asking."""
        return tuple(
            approver
            for approver in self._approvers.all()
            if approver.may_say_yes(risk, areas) and self._is_reachable(approver)
        )

    def _is_reachable(self, approver: Approver) -> bool:
        return self.mobile.is_reachable(approver) or self.page.is_open(approver.user_id)

    def cool_down(self, principal_id: str, key: str) -> int:
        """Seconds until the same plan may be asked about again."""
        now = time.monotonic()
        recent = [at for at in self._rejections.get((principal_id, key), ()) if now - at < LONG_COOL_DOWN]
        if not recent:
            return 0
        wait = LONG_COOL_DOWN if len(recent) >= MOST_REJECTIONS else COOL_DOWN
        return max(0, int(recent[-1] + wait - now))

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
            key=plan.consent_key(request.principal.id),
            rule=requirement.rule,
            people=requirement.people,
            reason=reason if isinstance(reason, str) else None,
            asked_at=now,
            expires_at=now + timedelta(seconds=self.seconds),
        )
        answered = asyncio.Event()
        self._pending[pending.id], self._requests[pending.id] = pending, request
        self._answered[pending.id] = answered
        self._persistent.show(pending)
        self._changed()
        try:
            async with asyncio.timeout(self.seconds):
                if not await self._escalate(pending, answered):
                    pending.advance(State.PENDING, State.CANCELLED)
                    return UNREACHED
                await answered.wait()
        except TimeoutError:
            pending.advance(State.PENDING, State.EXPIRED)
        except asyncio.CancelledError:
            pending.advance(State.PENDING, State.CANCELLED)
            raise
        finally:
            self._note(pending.id, {"state": pending.state.value})
            await asyncio.shield(self._clear(pending.id))
        if pending.state is State.APPROVED:
            return pending.consent()
        if pending.state is State.REJECTED:
            self._rejections[pending.principal.id, pending.key].append(time.monotonic())
        return _ENDS.get(pending.state)

    async def _escalate(self, pending: Pending, answered: asyncio.Event) -> bool:
        """Asks one after the other until there is an answer or nobody is left; whether anybody was reached."""
        areas, reached = _areas(pending), 0
        for approver in self._approvers.all():
            if answered.is_set():
                return True
            if not approver.may_say_yes(pending.plan.risk, areas):
                continue
            phones = await self.mobile.send(pending, approver)
            page = self.page.is_open(approver.user_id)
            self._note(pending.id, {"asked": approver.name, "phones": phones, "page": page})
            if not phones and not page:
                continue
            reached += 1
            if reached < pending.people or not self.settings.escalate_after:
                continue
            try:
                async with asyncio.timeout(self.settings.escalate_after):
                    await answered.wait()
            except TimeoutError:
                continue
        return reached >= pending.people

    @callback
    def withdraw(self, trace_id: str) -> None:
        """The house changed: the question is not what it was."""
        self._end(trace_id, State.SUPERSEDED)

    @callback
    def settle(self, trace_id: str, trace: PipelineTrace) -> None:
        """The request has come to its end."""
        pending = self._pending.pop(trace_id, None)
        self._requests.pop(trace_id, None)
        if pending is not None:
            self._note(trace_id, {"settled": trace.outcome.value})
        self._changed()

    # What people do.

    @callback
    def answer(self, trace_id: str, user_id: str, is_yes: bool, channel: str) -> bool:  # a callback
        """An approver's answer; whether it was taken. The first no ends the question, a yes counts once a person."""
        pending, approver = self._pending.get(trace_id), self._approvers.by_user(user_id)
        if pending is None or pending.state is not State.PENDING:
            self._note(trace_id, {"late": user_id, "channel": channel})
            return False
        if approver is None or not approver.may_say_yes(pending.plan.risk, _areas(pending)):
            self.forged(trace_id, user_id)
            return False
        self._note(trace_id, {"answer": "yes" if is_yes else "no", "by": approver.name, "channel": channel})
        if not is_yes:
            self._end(trace_id, State.REJECTED)
        elif pending.agree(Yes(user_id=user_id, name=approver.name, channel=channel)):
            self._answered[trace_id].set()
        self._changed()
        return True

    @callback
    def forged(self, trace_id: str, user_id: str | None) -> None:
        """An answer that is none: recorded, and nothing else (R9)."""
        self._note(trace_id, {"forged_answer_of": user_id or "nobody"})

    @callback
    def cancel(self, trace_id: str) -> bool:
        """The caller or an approver takes the question back; whether it was open."""
        return self._end(trace_id, State.CANCELLED)

    def is_approver(self, user_id: str) -> bool:
        """Whether this user is somebody who may be asked."""
        return self._approvers.by_user(user_id) is not None

    def questions_for(self, user_id: str) -> tuple[Pending, ...]:
        """What waits for this approver now, oldest first."""
        approver = self._approvers.by_user(user_id)
        return tuple(
            pending
            for pending in self._pending.values()
            if pending.state is State.PENDING
            and approver is not None
            and approver.may_say_yes(pending.plan.risk, _areas(pending))
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
        self._answered[trace_id].set()
        return True

    async def _clear(self, trace_id: str) -> None:
        self._answered.pop(trace_id, None)
        self._persistent.clear(trace_id)
        self._changed()
        await self.mobile.clear(trace_id)

    def _note(self, trace_id: str, what: Mapping[str, object]) -> None:
        request = self._requests.get(trace_id)
        if request is not None:
            self._evidence.note(request, what)

    def _changed(self) -> None:
        for listener in list(self._listeners):
            listener()


def _areas(pending: Pending) -> tuple[str, ...]:
    """The areas that a question is about."""
    return tuple(sorted({action.area_id or "" for action in pending.plan.actions}))
