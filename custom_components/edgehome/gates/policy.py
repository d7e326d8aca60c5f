"""Gate 6: does the owner allow it, for this caller, at this risk? (R5)

The table is asked for every name of every action; the strictest verdict wins. The floor stands above the table: an
agent's highest risk, nothing opaque unasked, nothing serious unasked on a guessed state.
"""

from dataclasses import replace

from ..chain import Answer, GateContext, Pass, Refuse, passing, placed, refusing
from ..codes import Code, GateName
from ..plan import GatedCommand
from ..policy.decision import circumstances, decide
from ..policy.requirement import Requirement
from ..policy.rule import Verdict, severity


class Policy:
    """Does the owner allow it, for this caller, at this risk?"""

    name = GateName.POLICY
    rules = ("R5",)
    codes = frozenset({Code.POLICY_DENIED, Code.RISK_TOO_HIGH})
    steps: frozenset[type] = frozenset({Pass, Refuse})

    def evaluate(self, ctx: GateContext) -> Answer:
        """Refuses what is denied and notes what must be confirmed."""
        table = ctx.facts.policy()
        principal = ctx.request.principal
        ceiling = ctx.facts.standing(principal.id, principal.kind).max_risk
        around = circumstances(table, principal, ctx.facts)
        requirement = Requirement(verdict=Verdict.ALLOW.value, rule="", risk=0, about="")
        for action in ctx.actions:
            if action.risk > ceiling:
                return refusing(placed(_too_high(action, ceiling), ctx, action.index))
            decision = decide(table, action, around)
            if decision.verdict is Verdict.DENY:
                return refusing(
                    placed(_denied(action, decision.rule, table.name), ctx, action.index), rule=decision.rule
                )
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


def _denied(action: GatedCommand, rule: str, table: str) -> Refuse:
    what = "no rule of the policy mentions it" if rule == "last_row" else f"the policy's rule {rule!r} denies it"
    hint = f"The owner decides this; the policy in force is {table!r}. Sending it again changes nothing."
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


def _too_high(action: GatedCommand, ceiling: int) -> Refuse:
    return Refuse(
        code=Code.RISK_TOO_HIGH,
        message=f"{action.operation.value} on {action.name} has risk {action.risk}; this agent may go up to {ceiling}.",
        hint="The owner can raise the agent's highest risk in EdgeHome.",
    )
