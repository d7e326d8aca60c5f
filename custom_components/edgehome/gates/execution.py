"""Gate 8: may it be done now? (R9, R10)

What the policy allows is ready, and so is what a human's yes covers, be it for this plan or for a while. What needs a
yes is asked for, if somebody can be reached; silence is no, and nobody to ask is no at once.
"""

from ..chain import Answer, Ask, GateContext, Ready, Refuse, ending, listed, refusing, settled
from ..codes import Code, GateName
from ..plan import ExecutionPlan
from ..policy.decision import FLOOR_OPAQUE, FLOOR_UNCERTAIN
from ..policy.requirement import Requirement
from ..policy.rule import Verdict

_WITHOUT_PIN = False


class Execution:
    """May it be done now?"""

    name = GateName.EXECUTION
    rules = ("R9", "R10")
    codes = frozenset({Code.NO_APPROVER, Code.COOL_DOWN, Code.PENDING_LIMIT, Code.PIN_NOT_SET})
    steps: frozenset[type] = frozenset({Ready, Ask, Refuse})

    def evaluate(self, ctx: GateContext) -> Answer:
        """Ready, a question, or refused for want of somebody to ask."""
        plan, requirement = settled(ctx.plan), settled(ctx.requirement)
        if requirement.verdict == Verdict.ALLOW:
            return ending(Ready(plan))
        principal = ctx.request.principal
        key = plan.consent_key(principal)
        if ctx.consent is not None:
            # Somebody was asked: now only the yes counts, not whether somebody could be asked again.
            if ctx.consent.satisfies(key, plan.risk, requirement):
                people = [f"{yes.name} ({yes.user_id}) by {yes.channel}" for yes in ctx.consent.given]
                return ending(Ready(plan), approved_by=people)
            return ending(Ask(plan, requirement))
        grants = (one for one in ctx.facts.grants(principal.id) if one.behind == principal.behind)
        if grant := next((one for one in grants if one.covers(plan, requirement)), None):
            people = [f"{yes.name} ({yes.user_id}) by {yes.channel}" for yes in grant.consent.given]
            return ending(Ready(plan, grant.id), granted_by=people, grant=grant.id)
        if seconds := ctx.facts.cool_down(principal.id, plan.deeds):
            return refusing(_cooling_down(plan, seconds))
        most = ctx.facts.standing(principal.id, principal.kind).pending_at_once
        if ctx.facts.waiting(principal.id, ctx.request.trace_id) >= most:
            return refusing(_too_many(most))
        terms = requirement.terms
        approvers = ctx.facts.approvers(plan.risk, plan.areas, terms.approvers, terms.pin)
        if len(approvers) < requirement.people:
            others = ctx.facts.approvers(plan.risk, plan.areas, terms.approvers, _WITHOUT_PIN) if terms.pin else ()
            if len(others) >= requirement.people:
                return refusing(_no_pin(plan))
            return refusing(_nobody_to_ask(plan, requirement, len(approvers)))
        return ending(Ask(plan, requirement), approvers=list(approvers))


def _what(plan: ExecutionPlan) -> str:
    return listed(f"{action.operation.value} {action.name}" for action in plan.actions)


def _too_many(most: int) -> Refuse:
    """A hundred harmless questions could hide one that is not."""
    return Refuse(
        code=Code.PENDING_LIMIT,
        message=f"{most} of this agent's requests wait for a person already; more may not at once.",
        hint="Wait until they are answered or have expired, then send a new request.",
    )


def _nobody_to_ask(plan: ExecutionPlan, requirement: Requirement, reachable: int) -> Refuse:
    why = {
        FLOOR_OPAQUE: f"EdgeHome cannot see what {requirement.about} does when it is switched (a template or script)",
        FLOOR_UNCERTAIN: f"the present state of {requirement.about} is only guessed, and its risk is {requirement.risk}",
    }.get(requirement.rule, f"rule {requirement.rule!r} asks for it ({requirement.about}, risk {requirement.risk})")
    why += "; only certain people may say yes to it" if requirement.terms.approvers is not None else ""
    people = "a person's yes" if requirement.people == 1 else f"the yes of {requirement.people} people"
    whom = f"only {reachable}" if reachable else "nobody"
    return Refuse(
        code=Code.NO_APPROVER,
        message=f"{_what(plan)} needs {people}, and {whom} can be reached now.",
        hint=f"The reason: {why}. An approver needs a phone that is connected, or EdgeHome's page open; the owner can add approvers, or do it in Home Assistant.",
    )


def _no_pin(plan: ExecutionPlan) -> Refuse:
    return Refuse(
        code=Code.PIN_NOT_SET,
        message=f"{_what(plan)} needs a person's yes with a PIN, and nobody who can be reached has one to use.",
        hint="An approver sets his PIN on EdgeHome's page in Home Assistant; if it is locked, the owner resets it.",
    )


def _cooling_down(plan: ExecutionPlan, seconds: int) -> Refuse:
    return Refuse(
        code=Code.COOL_DOWN,
        message=f"{_what(plan)} was asked a short while ago, and nobody said yes.",
        hint=f"Do not ask again now; after {seconds} seconds a new request is possible.",
    )
