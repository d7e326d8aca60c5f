"""How a request ends, in the words that its caller reads (no Home Assistant here)."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from .chain import NoChange, Preview, Read, Refuse, Step, listed
from .codes import Code, GateName, Outcome
from .models import ActionRequest
from .plan import OPEN, ExecutionPlan, ExecutionResult, Verification
from .policy.requirement import Requirement
from .trace import GateRecord, PipelineTrace

BROKEN = Refuse(
    code=Code.INTERNAL_ERROR,
    message="EdgeHome could not decide, so nothing was done.",
    hint="This is a fault of EdgeHome; the owner finds it in Home Assistant's log.",
)
EVIDENCE_UNAVAILABLE = Refuse(
    code=Code.EVIDENCE_UNAVAILABLE,
    message="EdgeHome cannot write its evidence, so nothing was done.",
    hint="The owner should look at the disk and Home Assistant's log.",
)
ID_CONFLICT = Refuse(
    code=Code.REQUEST_ID_CONFLICT,
    message="This request_id was used for another request.",
    hint="Use a new request_id for a new request.",
    field="request_id",
)
STOPPED = Refuse(
    code=Code.STOPPED,
    message="EdgeHome was stopped before anything was done.",
    hint="Send a new request with a new request_id when it is back.",
)
REJECTED = Refuse(
    code=Code.REJECTED,
    message="A person said no.",
    hint="Do not ask for the same again; ask your user what to do instead.",
)
EXPIRED = Refuse(
    code=Code.EXPIRED,
    message="Nobody answered in time, and silence is no.",
    hint="Ask your user whether somebody can answer, then send a new request with a new request_id.",
)
CANCELLED = Refuse(
    code=Code.CANCELLED,
    message="The request was withdrawn while it waited for a person.",
    hint="Send a new request with a new request_id if it is still wanted.",
)
RESTARTED = Refuse(
    code=Code.RESTARTED,
    message="Home Assistant was restarted while the request waited for a person, and that is no.",
    hint="Send a new request with a new request_id if it is still wanted.",
)
UNREACHED = Refuse(
    code=Code.NO_APPROVER,
    message="Nobody could be asked: no phone of an approver took the question.",
    hint="The owner should look at the approvers' phones; try again later with a new request_id.",
)
SUPERSEDED = Refuse(
    code=Code.SUPERSEDED,
    message="The house changed while the request was on its way, so nothing was done.",
    hint="Look at the status and send a new request with a new request_id.",
)


_NO_DEED = frozenset({Code.SUPERSEDED, Code.STOPPED, Code.REJECTED, Code.EXPIRED, Code.CANCELLED, Code.RESTARTED})
"""Ends of a request that was in order and was not carried out."""


def waiting(request: ActionRequest, plan: ExecutionPlan, requirement: Requirement, seconds: int) -> PipelineTrace:
    """What a caller gets while a human is asked."""
    return PipelineTrace(
        request=request,
        outcome=Outcome.PENDING,
        code=Code.WAITING,
        gate=GateName.EXECUTION,
        message=f"A person is asked; the question expires in {seconds} seconds.",
        hint="Ask edgehome.get_trace for the end, with wait.",
        plan=plan,
        requirement=requirement.describe(),
    )


def closing(
    request: ActionRequest, step: Step, gate: GateName | None, records: tuple[GateRecord, ...]
) -> PipelineTrace:
    """The trace of a request that ends here."""
    blocked = PipelineTrace(
        request=request,
        outcome=Outcome.BLOCKED,
        code=BROKEN.code,
        message=BROKEN.message,
        gate=gate,
        hint=BROKEN.hint,
        records=records,
        finished_at=datetime.now(UTC),
    )
    return ended(blocked, step)


def joined(first: PipelineTrace, request: ActionRequest) -> PipelineTrace:
    """The end of a request that asked for the same while it was being asked about: one question, one execution."""
    note = f"{first.message} (One question together with {first.request.trace_id}.)"
    return replace(first, request=request, message=note)


def confirmed(trace: PipelineTrace) -> PipelineTrace:
    """An execution that a human said yes to."""
    return replace(trace, outcome=Outcome.CONFIRMED) if trace.outcome is Outcome.EXECUTED else trace


def interrupted(request: ActionRequest) -> PipelineTrace:
    """What is true of a request from its dispatch on until something better is known (R11)."""
    return PipelineTrace(
        request=request,
        outcome=Outcome.UNKNOWN,
        code=Code.INTERRUPTED,
        gate=GateName.EXECUTION,
        message="EdgeHome was stopped while this was being executed; what the devices did is not known.",
        hint="Ask for the device's status before you try again with a new request_id.",
    )


def ended(blocked: PipelineTrace, step: Step) -> PipelineTrace:
    """The trace of a request that a gate ended without execution."""
    match step:
        case Refuse():
            outcome = Outcome.CANCELLED if step.code in _NO_DEED else Outcome.BLOCKED
            return replace(
                blocked,
                outcome=outcome,
                code=step.code,
                message=step.message,
                hint=step.hint,
                field=step.field,
                candidates=step.candidates,
            )
        case NoChange(plan):
            message = "Everything is already as asked; nothing was called."
            return replace(
                blocked,
                outcome=Outcome.NO_CHANGE,
                code=Code.ALREADY_SO,
                message=message,
                hint=None,
                plan=plan,
            )
        case Read(plan, states):
            return replace(
                blocked,
                outcome=Outcome.READ,
                code=Code.STATUS,
                message=_reading(states),
                hint=None,
                result={"states": list(states.values())},
                plan=plan if plan.skipped else None,
            )
        case Preview(plan, requirement, watched):
            return replace(
                blocked,
                outcome=Outcome.DRY_RUN,
                code=Code.PREVIEW,
                message=_PREVIEWS[requirement.verdict == "confirm"],
                hint=_WATCHING if watched else None,
                plan=plan,
                requirement=requirement.describe(),
            )
        case _:
            return blocked


_PREVIEWS = {
    False: "This is what would be done; nothing was called.",
    True: "This is what would be done if a person says yes; nothing was called and nobody asked.",
}


_WATCHING = "The owner only watches at present: nothing is done for anybody. He ends that in EdgeHome's options."


def _reading(states: Mapping[str, Mapping[str, object]]) -> str:
    """One device in a sentence; several are in the result."""
    if len(states) != 1:
        return f"These are the present states of {len(states)} devices."
    (state,) = states.values()
    doubt = _DOUBTS.get(str(state.get("liveness")), "")
    return f"{state['name']} is {state['state']}{doubt}."


_DOUBTS = {
    "stale": ", as far as is known: its device does not answer now",
    "assumed": ", as Home Assistant guesses: it never reports",
    "unbacked": ", as somebody wrote: there is no device behind it",
}
"""What is said of a state that cannot be relied on."""


def executed(started: PipelineTrace, result: ExecutionResult) -> PipelineTrace:
    """The trace of a plan that was dispatched (R11)."""
    trace = replace(started, result=result.describe(), hint=None, finished_at=datetime.now(UTC), is_open=result.is_open)
    if result.timed_out:
        return replace(
            trace,
            outcome=Outcome.UNKNOWN,
            code=Code.TIMED_OUT,
            message="Home Assistant did not answer in time; what the devices did is not known.",
            hint="Ask for the device's status before you try again with a new request_id.",
        )
    done = [item for item in result.results if item.done]
    failed = [item for item in result.results if not item.done]
    skipped = started.plan.skipped if started.plan else ()
    if not done:
        return replace(
            trace,
            outcome=Outcome.FAILED,
            code=Code.BACKEND_FAILED,
            message=f"Home Assistant could not do it: {failed[0].error if failed else 'nothing was called'}.",
            hint="Ask for the device's status; try again with a new request_id.",
        )
    if failed or skipped:
        return replace(
            trace,
            outcome=Outcome.PARTIAL,
            code=Code.PARTLY_DONE,
            message=f"{len(done)} done, {len(failed)} failed, {len(skipped)} skipped.",
            hint="plan.skipped and result.actions say which and why.",
        )
    worst = max((item.verification or Verification.UNVERIFIED for item in done), key=_DOUBT.index)
    names = {action.entity_id: action.name for action in started.plan.actions} if started.plan else {}
    which = listed(
        f"{names.get(item.entity_id, item.entity_id)} ({item.state})" for item in done if item.verification is worst
    )
    return replace(
        trace,
        outcome=Outcome.EXECUTED,
        code=Code.NOT_FOLLOWED if worst is Verification.MISMATCH else Code.DONE,
        message=_FOLLOWED[worst].format(which=which),
        hint=_LATER if worst in OPEN else None,
    )


_LATER = "edgehome.get_trace with wait tells how it ends."
_FOLLOWED = {
    Verification.VERIFIED: "Done, and the device followed.",
    Verification.UNVERIFIED: "Called; whether the device followed cannot be told.",
    Verification.MOVING: "Done; the device is on its way.",
    Verification.WAITING: "Called; whether the device followed is not known yet.",
    Verification.UNKNOWN: "Called; what became of it is not known: {which}.",
    Verification.MISMATCH: "Called, but not followed: {which}.",
}
_DOUBT = list(_FOLLOWED)
"""What is said where several devices ended differently: the worst, the last one here."""
