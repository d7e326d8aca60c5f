"""Gate 5: do we know the present state? (R7)

What is missing or unavailable is not called; what is already as wanted is marked, and so is what is only guessed.
Reading needs no fresh state: an unavailable device is a true answer.

A state that may be out of date is fetched where that is possible and matters (``Need``). What stays out of date:

====  =====================================================================
risk  what happens
====  =====================================================================
0-1   it is called, unverified and never "already so"
2     the same; what goes by the present state (toggle, steps) is refused
3     a person is asked (``policy.decision``)
4-5   what secures is asked about, everything else is refused
====  =====================================================================
"""

from dataclasses import replace

from ..catalogue.action import carrying
from ..catalogue.operation import is_idle
from ..chain import Answer, GateContext, Need, Pass, Refuse, ending, passing, refusing, sift
from ..codes import Code, GateName
from ..devices import Source
from ..expectation import is_already_so
from ..facts import Facts
from ..models import Intent
from ..plan import Effect, GatedCommand
from ..staleness import STATELESS, current


class Freshness:
    """Do we know the present state?"""

    name = GateName.FRESHNESS
    rules = ("R7",)
    codes = frozenset(
        {Code.ENTITY_MISSING, Code.ENTITY_UNAVAILABLE, Code.STATE_UNKNOWN, Code.STATE_STALE, Code.NOTHING_TO_DO}
    )
    steps: frozenset[type] = frozenset({Pass, Refuse, Need})

    def evaluate(self, ctx: GateContext) -> Answer:
        """Drops what cannot be reached and marks what is already so."""
        needed: dict[str, None] = {}

        def judge_one(action: GatedCommand) -> GatedCommand | Refuse:
            known = _known(action, ctx.facts)
            if isinstance(known, Refuse) or known.effect is Effect.READ:
                return known
            return current(known, _goes_by_the_state(action, ctx), ctx.facts, needed)

        context, refusal = sift(ctx, judge_one)
        if refusal:
            return refusing(refusal)
        if needed:
            return ending(Need(tuple(needed)), fetch=list(needed))
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
    if facts.liveness(action.entity_id).source is Source.NOBODY:
        return Refuse(
            code=Code.ENTITY_MISSING,
            message=f"{action.name} has a state, and no device or integration behind it.",
            hint="Somebody wrote it by hand, or its integration is not loaded; nothing was called.",
        )
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
    is_stateless = action.entity_id.partition(".")[0] in STATELESS
    return replace(
        action,
        already_so=is_already_so(action.expect, state) and _all_members_are(action, facts),
        uncertain=state.is_assumed or (state.state == "unknown" and not is_stateless),
    )


def _goes_by_the_state(action: GatedCommand, ctx: GateContext) -> bool:
    """Whether what is done depends on what is so now."""
    steps = any(name.endswith("_step") for name in ctx.commands[action.index].params)
    return steps or Intent.TOGGLE in action.operations


def _all_members_are(action: GatedCommand, facts: Facts) -> bool:
    """Whether each member of a group is as wanted: the group shows one state for all of them."""
    states = [facts.state(member) for member in action.members]
    return all(state is None or not state.is_available or is_already_so(action.expect, state) for state in states)
