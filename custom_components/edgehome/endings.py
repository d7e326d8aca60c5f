"""How a request ends, in the words that its caller reads (no Home Assistant here)."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from .chain import NoChange, Preview, Read, Refuse, Step
from .codes import Code, GateName, Outcome
from .models import ActionRequest
from .plan import ExecutionResult, Verification
from .trace import PipelineTrace

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
STOPPED = Refuse(
    code=Code.STOPPED,
    message="EdgeHome was stopped before anything was done.",
    hint="Send a new request with a new request_id when it is back.",
)
SUPERSEDED = Refuse(
    code=Code.SUPERSEDED,
    message="The house changed while the request was on its way, so nothing was done.",
    hint="Look at the status and send a new request with a new request_id.",
)


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
            outcome = Outcome.CANCELLED if step.code in {Code.SUPERSEDED, Code.STOPPED} else Outcome.BLOCKED
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
        case Preview(plan, requirement):
            return replace(
                blocked,
                outcome=Outcome.DRY_RUN,
                code=Code.PREVIEW,
                message="This is what would be done; nothing was called.",
                hint=None,
                plan=plan,
                requirement={
                    "verdict": requirement.verdict,
                    "rule": requirement.rule,
                    "risk": requirement.risk,
                },
            )
        case _:
            return blocked


def _reading(states: Mapping[str, Mapping[str, object]]) -> str:
    """One device in a sentence; several are in the result."""
    if len(states) != 1:
        return f"These are the present states of {len(states)} devices."
    (state,) = states.values()
    return f"{state['name']} is {state['state']}."


def executed(started: PipelineTrace, result: ExecutionResult) -> PipelineTrace:
    """The trace of a plan that was dispatched (R11)."""
    trace = replace(started, result=result.describe(), hint=None, finished_at=datetime.now(UTC))
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
    words = {
        Verification.VERIFIED: "Done, and the device followed.",
        Verification.MOVING: "Done; the device is on its way.",
        Verification.UNVERIFIED: "Called; whether the device followed is not known yet.",
    }
    worst = max(
        (item.verification or Verification.UNVERIFIED for item in done),
        key=list(Verification).index,
    )
    return replace(trace, outcome=Outcome.EXECUTED, code=Code.DONE, message=words[worst])
