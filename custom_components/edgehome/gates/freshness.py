"""Gate 5: do we know the present state? (R7)

What is missing or unavailable is not called; what is already as wanted is marked, and so is what is only guessed.
Reading needs no fresh state: an unavailable device is a true answer.
"""

from dataclasses import replace

from ..catalogue.action import carrying
from ..catalogue.operation import is_idle
from ..chain import Answer, GateContext, Pass, Refuse, passing, refusing, sift
from ..codes import Code, GateName
from ..expectation import is_already_so
from ..facts import Facts
from ..plan import Effect, GatedCommand


class Freshness:
    """Do we know the present state?"""

    name = GateName.FRESHNESS
    rules = ("R7",)
    codes = frozenset({Code.ENTITY_MISSING, Code.ENTITY_UNAVAILABLE, Code.STATE_UNKNOWN, Code.NOTHING_TO_DO})
    steps: frozenset[type] = frozenset({Pass, Refuse})

    def evaluate(self, ctx: GateContext) -> Answer:
        """Drops what cannot be reached and marks what is already so."""
        context, refusal = sift(ctx, lambda action: _known(action, ctx.facts))
        if refusal:
            return refusing(refusal)
        return passing(
            context,
            already_so=[action.entity_id for action in context.actions if action.already_so],
        )


def _known(action: GatedCommand, facts: Facts) -> GatedCommand | Refuse:
    state = facts.state(action.entity_id)
    if state is None:
        return Refuse(
            code=Code.ENTITY_MISSING,
            message=f"{action.name} has no state in Home Assistant.",
            hint="Its integration may still be starting; try again later.",
        )
    if action.effect is Effect.READ:
        return action
    if not state.is_available:
        return Refuse(
            code=Code.ENTITY_UNAVAILABLE,
            message=f"{action.name} is unavailable: it may be unplugged or off the network.",
            hint="Try again when it is back; nothing was called.",
        )
    if action.service is None:
        return Refuse(
            code=Code.STATE_UNKNOWN,
            message=f"{action.name} is {state.state}: what {action.operation.value} would do cannot be told.",
            hint="Say exactly what you want, such as turn_on, turn_off, open or close.",
        )
    row = carrying(action)
    if row and is_idle(row, state) and not is_already_so(action.expect, state):
        return Refuse(
            code=Code.NOTHING_TO_DO,
            message=f"{action.name} is {state.state}: there is nothing to {action.operations[0].value}.",
            hint="Ask for its status first; nothing was called.",
        )
    return replace(
        action,
        already_so=is_already_so(action.expect, state) and _all_members_are(action, facts),
        uncertain=state.is_assumed or state.state == "unknown",
    )


def _all_members_are(action: GatedCommand, facts: Facts) -> bool:
    """Whether each member of a group is as wanted: the group shows one state for all of them."""
    states = [facts.state(member) for member in action.members]
    return all(state is None or not state.is_available or is_already_so(action.expect, state) for state in states)
