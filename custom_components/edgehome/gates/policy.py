"""Gate 6: does the owner allow it, for this caller, at this risk? (R5)

The table is asked for every name of every action; the strictest verdict wins. The floor stands above the table: an
agent's highest risk, nothing opaque unasked, nothing serious unasked on a guessed state.
"""

from dataclasses import replace
from math import inf

from ..chain import Answer, GateContext, Pass, Refuse, passing, placed, refusing
from ..codes import Code, GateName
from ..plan import SET_POINTS, GatedCommand
from ..policy.decision import circumstances, decide
from ..policy.question import Inputs
from ..policy.requirement import Requirement
from ..policy.rule import Circumstances, Verdict, severity
from ..policy.table import LAST_ROW, UNREADABLE, PolicyTable


class Policy:
    """Does the owner allow it, for this caller, at this risk?"""

    name = GateName.POLICY
    rules = ("R5",)
    codes = frozenset({Code.POLICY_DENIED, Code.POLICY_UNREADABLE, Code.RISK_TOO_HIGH, Code.CHANGE_LIMIT})
    steps: frozenset[type] = frozenset({Pass, Refuse})

    def evaluate(self, ctx: GateContext) -> Answer:
        """Refuses what is denied and notes what must be confirmed."""
        table = ctx.facts.policy()
        principal = ctx.request.principal
        around = circumstances(table, principal, ctx.facts)
        inputs = Inputs.of(principal.name, around, tuple(action.question for action in ctx.actions))
        step, result = self._decided(ctx, table, around)
        return step, replace(result, inputs=inputs)

    def _decided(self, ctx: GateContext, table: PolicyTable, around: Circumstances) -> Answer:
        standing = ctx.facts.standing(ctx.request.principal.id, ctx.request.principal.kind)
        ceiling = standing.max_risk
        requirement = Requirement(verdict=Verdict.ALLOW.value, rule="", risk=0, about="")
        for action in ctx.actions:
            if action.risk > ceiling:
                return refusing(placed(_too_high(action, ceiling), ctx, action.index))
            decision = decide(table, action.question, around)
            if decision.verdict is Verdict.DENY:
                return refusing(placed(_denied(action, decision.rule, table), ctx, action.index), rule=decision.rule)
            if refusal := _too_far(action, standing.degrees_per_hour, ctx):
                return refusing(placed(refusal, ctx, action.index))
            # What is already so will not be called: nobody needs to be asked about it.
            verdict = Verdict.ALLOW if action.already_so else decision.verdict
            terms = requirement.terms.joined(decision.terms) if verdict is Verdict.CONFIRM else requirement.terms
            weight = (severity(verdict), 0 if action.already_so else action.risk)
            if not requirement.rule or weight > (severity(Verdict(requirement.verdict)), requirement.risk):
                requirement = Requirement(
                    verdict=verdict.value, rule=decision.rule, risk=action.risk, about=action.name
                )
            requirement = replace(requirement, terms=terms)
        if requirement.verdict == Verdict.CONFIRM:
            requirement = replace(requirement, people=ctx.facts.people_needed(requirement.risk))
        return passing(
            ctx.adding(requirement=requirement),
            verdict=requirement.verdict,
            rule=requirement.rule,
            table=table.digest,
        )


def _denied(action: GatedCommand, rule: str, table: PolicyTable) -> Refuse:
    if table is UNREADABLE:
        return Refuse(
            code=Code.POLICY_UNREADABLE,
            message="The policy of this home cannot be read, so nothing is allowed.",
            hint="The owner finds in Home Assistant's repairs why, and can restore an earlier version there.",
        )
    what = f"the policy's rule {table.called(rule)} denies it"
    if rule == LAST_ROW.id:
        what = "no rule of the policy mentions it"
    hint = f"The owner decides this; the policy in force is {table.name!r}. Sending it again changes nothing."
    riskiest = max(action.reaches, key=lambda other: other.risk, default=None)
    if riskiest and riskiest.risk > action.own_risk:
        could = "could reach" if action.opaque else "reaches"
        what += f", because it {could} {riskiest.name or riskiest.entity_id} ({riskiest.verbs[-1].replace('_', ' ')})"
        if action.opaque:
            hint += " If it is harmless, the owner can vouch for it in EdgeHome."
    return Refuse(
        code=Code.POLICY_DENIED,
        message=f"{action.operation.value} on {action.name} (risk {action.risk}): {what}.",
        hint=hint,
    )


def _too_far(action: GatedCommand, limit: float | None, ctx: GateContext) -> Refuse | None:
    """Why a set point may not be moved as far as this, if it may not."""
    if limit is None or action.already_so:
        return None
    moves = [(action.entity_id, action.name, _degrees(action, ctx))]
    moves += [(other.entity_id, other.name or other.entity_id, other.degrees) for other in action.reaches]
    for entity_id, name, degrees in moves:
        moved = ctx.facts.moved(ctx.request.principal.id, entity_id) if degrees else 0.0
        if degrees and moved + degrees > limit:
            return _beyond(name, limit, moved, degrees)
    return None


def _degrees(action: GatedCommand, ctx: GateContext) -> float:
    """By how much an action moves a set point; from the measured temperature where it has none now."""
    wanted = [value for name, value in action.data.items() if name in SET_POINTS - action.spans.keys()]
    if not wanted:
        return action.degrees
    state = ctx.facts.state(action.entity_id)
    present = state.number("current_temperature") if state else None
    beyond = (abs(value - present) for value in wanted if isinstance(value, int | float) and present is not None)
    return max((action.degrees, *beyond)) if present is not None else inf


def _beyond(name: str, limit: float, moved: float, degrees: float) -> Refuse:
    left = max(0.0, limit - moved)
    more = "how far this goes is not told" if degrees == inf else f"this is {degrees:g} more"
    return Refuse(
        code=Code.CHANGE_LIMIT,
        message=f"This agent may move {name} by {limit:g} degrees in an hour; {moved:g} are used, and {more}.",
        hint=f"Move it by at most {left:g} degrees now, or wait; the owner can raise the limit in EdgeHome.",
        field="model_candidate.params.temperature",
    )


def _too_high(action: GatedCommand, ceiling: int) -> Refuse:
    return Refuse(
        code=Code.RISK_TOO_HIGH,
        message=f"{action.operation.value} on {action.name} has risk {action.risk}; this agent may go up to {ceiling}.",
        hint="The owner can raise the agent's highest risk in EdgeHome.",
    )
