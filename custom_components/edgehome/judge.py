"""``judge`` asks the gates in their order: pure and synchronous, the same for a request, a replay and a simulation.

This is the only place that runs ``GATES``. No gate can default to pass: what raises, answers another type, or a step
that this gate may not give, blocks (R2).
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from .chain import STEPS, Gate, GateContext, GateResult, Pass, Refuse, Step
from .codes import Code, GateName
from .confirmation.pending import Consent
from .endings import BROKEN
from .facts import Facts
from .gates import GATES
from .models import ActionRequest
from .trace import GateRecord

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """Where a request's way through the gates ended, and what the last gate that it passed left."""

    step: Step
    gate: GateName | None
    records: tuple[GateRecord, ...]
    context: GateContext = field(compare=False, repr=False)


def judge(
    request: ActionRequest, facts: Facts, gates: Sequence[Gate] = GATES, consent: Consent | None = None
) -> Judgement:
    """Asks one gate after the other until one ends the request. Pure and synchronous."""
    context = GateContext(request=request, facts=facts, consent=consent)
    records: list[GateRecord] = []
    for gate in gates:
        step, result = ask(gate, context)
        records.append(
            GateRecord(
                gate=gate.name,
                passed=result.passed,
                reason=result.reason,
                evidence=result.evidence,
                reads=facts.take_log(),
                inputs=result.inputs,
            )
        )
        if not isinstance(step, Pass):
            return Judgement(step=step, gate=gate.name, records=tuple(records), context=context)
        context = step.context
    return Judgement(step=BROKEN, gate=None, records=tuple(records), context=context)


def ask(gate: Gate, context: GateContext) -> tuple[Step, GateResult]:
    """Asks one gate; what is no proper answer blocks."""
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
        and step.context.consent is context.consent
    ):
        return "changed the request"
    return None
