"""Gate 8: may it be done now? (R9, R10)

What the policy allows is ready. What needs a human's yes is refused: this release has nobody to ask (R10).
"""

from ..chain import (
    Answer,
    GateContext,
    Ready,
    Refuse,
    ending,
    listed,
    refusing,
    settled,
)
from ..codes import Code, GateName
from ..policy.table import Verdict


class Execution:
    """May it be done now?"""

    name = GateName.EXECUTION
    rules = ("R9", "R10")
    codes = frozenset({Code.NO_APPROVER})
    steps: frozenset[type] = frozenset({Ready, Refuse})

    def evaluate(self, ctx: GateContext) -> Answer:
        """Ready, or refused for want of an approver."""
        if settled(ctx.requirement).verdict == Verdict.ALLOW:
            return ending(Ready(settled(ctx.plan)))
        what = listed(f"{action.operation.value} {action.name}" for action in settled(ctx.plan).actions)
        return refusing(
            Refuse(
                code=Code.NO_APPROVER,
                message=f"{what} (risk {settled(ctx.plan).risk}) needs a person's yes, and there is nobody to ask.",
                hint=f"Rule {settled(ctx.requirement).rule!r} asks for it; the owner can do it in Home Assistant.",
            )
        )
