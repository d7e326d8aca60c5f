"""Gate 7: what exactly would happen? (R5, R11)

Drops what is already so, fixes the plan, and checks each payload against the service's own schema.
"""

from dataclasses import replace

from ..catalogue.status import readable
from ..catalogue.undo import restores
from ..chain import (
    Answer,
    GateContext,
    NoChange,
    Pass,
    Preview,
    Read,
    Refuse,
    ending,
    passing,
    placed,
    refusing,
    settled,
)
from ..codes import Code, GateName
from ..plan import Effect, ExecutionPlan


class DryRun:
    """What exactly would happen?"""

    name = GateName.DRY_RUN
    rules = ("R5", "R11")
    codes = frozenset({Code.PAYLOAD_INVALID})
    steps: frozenset[type] = frozenset({Pass, Refuse, NoChange, Read, Preview})

    def evaluate(self, ctx: GateContext) -> Answer:
        """Fixes the plan; ends reads, dry runs and requests that change nothing."""
        if all(action.effect is Effect.READ for action in ctx.actions):
            return _reading(ctx)
        principal = ctx.request.principal
        areas = ctx.facts.standing(principal.id, principal.kind).areas
        plan = ExecutionPlan(
            actions=tuple(
                replace(action, restores=restores(action, ctx.facts, areas))
                for action in ctx.actions
                if not action.already_so
            ),
            skipped=ctx.skipped,
            unchanged=tuple(action.entity_id for action in ctx.actions if action.already_so),
        )
        if not plan.actions:
            return ending(NoChange(plan))
        for action in plan.actions:
            service = settled(action.service)
            if fault := ctx.facts.validate(service, action.payload):
                refusal = Refuse(
                    code=Code.PAYLOAD_INVALID,
                    message=f"{service} does not take these values: {fault}.",
                    hint="Send another value; nothing was called.",
                    field="model_candidate.params",
                )
                return refusing(placed(refusal, ctx, action.index))
        watched = ctx.facts.watching()
        if settled(ctx.proposal).dry_run or watched:
            return ending(Preview(plan, settled(ctx.requirement), watched))
        return passing(ctx.adding(plan=plan), entities=list(plan.entity_ids))


def _reading(ctx: GateContext) -> Answer:
    states = {}
    for action in ctx.actions:
        state = settled(ctx.facts.state(action.entity_id))
        liveness = ctx.facts.liveness(action.entity_id)
        states[action.entity_id] = readable(action.entity_id, action.name, state, liveness)
    return ending(Read(ExecutionPlan(actions=ctx.actions, skipped=ctx.skipped), states))
