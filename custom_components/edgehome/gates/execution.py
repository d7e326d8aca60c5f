"""Gate 8: may it be done now? (R9, R10)

What the policy allows is ready. What needs a human's yes is refused: this release has nobody to ask (R10).
"""

from ..chain import Answer, GateContext, Ready, Refuse, Requirement, ending, listed, refusing, settled
from ..codes import Code, GateName
from ..plan import ExecutionPlan
from ..policy.decision import FLOOR_OPAQUE, FLOOR_UNCERTAIN
from ..policy.table import Verdict


class Execution:
    """May it be done now?"""

    name = GateName.EXECUTION
    rules = ("R9", "R10")
    codes = frozenset({Code.NO_APPROVER})
    steps: frozenset[type] = frozenset({Ready, Refuse})

    def evaluate(self, ctx: GateContext) -> Answer:
        """Ready, or refused for want of an approver."""
        plan, requirement = settled(ctx.plan), settled(ctx.requirement)
        if requirement.verdict == Verdict.ALLOW:
            return ending(Ready(plan))
        return refusing(_nobody_to_ask(plan, requirement))


def _nobody_to_ask(plan: ExecutionPlan, requirement: Requirement) -> Refuse:
    what = listed(f"{action.operation.value} {action.name}" for action in plan.actions)
    why = {
        FLOOR_OPAQUE: f"EdgeHome cannot see what {requirement.about} does when it is switched (a template or script)",
        FLOOR_UNCERTAIN: f"the present state of {requirement.about} is only guessed, and its risk is {requirement.risk}",
    }.get(requirement.rule, f"rule {requirement.rule!r} asks for it: {requirement.about} has risk {requirement.risk}")
    return Refuse(
        code=Code.NO_APPROVER,
        message=f"{what} needs a person's yes, and there is nobody to ask.",
        hint=f"The reason: {why}. The owner can do it in Home Assistant.",
    )
