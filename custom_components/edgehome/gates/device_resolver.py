"""Gate 3: which entities are meant, and what does the request reach? (R5, R6)

Names match exactly, case and outer blanks aside. Nothing is guessed and nothing widens: only a room together with a
device type reaches more than one entity.
"""

from dataclasses import replace

from ..catalogue.action import action_for, in_home_unit
from ..catalogue.reach import called, with_reach
from ..catalogue.spread import spread
from ..chain import Answer, GateContext, Pass, Refuse, passing, placed, refusing, settled
from ..codes import Code, GateName
from ..devices import OWN_PLATFORM
from ..models import Intent, ModelCandidate
from ..plan import GatedCommand, NormalizedCommand
from ..proposal import Wanted
from ..targets import find


class DeviceResolver:
    """Which entities are meant, and what does the request reach?"""

    name = GateName.DEVICE_RESOLVER
    rules = ("R4", "R5", "R6")
    codes = frozenset(
        {
            Code.ENTITY_NOT_FOUND, Code.AMBIGUOUS_TARGET, Code.AREA_NOT_FOUND, Code.AMBIGUOUS_AREA, Code.NOT_EXPOSED,
            Code.NOT_TARGETABLE, Code.OUT_OF_SCOPE, Code.DEVICE_TYPE_MISMATCH, Code.NEEDS_EXPANSION,
            Code.CONFLICT,
        }
    )  # fmt: skip
    steps: frozenset[type] = frozenset({Pass, Refuse})

    def evaluate(self, ctx: GateContext) -> Answer:
        """Finds the entities, sets each action's meaning and risk."""
        commands: list[NormalizedCommand] = []
        actions: list[GatedCommand] = []
        for index, wanted in enumerate(settled(ctx.proposal).wanted):
            found = _resolved(wanted, ctx, index)
            if isinstance(found, Refuse):
                return refusing(placed(found, ctx, index))
            command, acts = found
            twice = _twice(actions, acts, wanted.candidate)
            if twice:
                return refusing(placed(twice, ctx, index))
            commands.append(command)
            actions.extend(acts)
        actions = list(spread(actions))
        risks = {action.entity_id: list(action.risk_reasons) for action in actions}
        return passing(ctx.adding(commands=tuple(commands), actions=tuple(actions)), risk=risks)


def _resolved(wanted: Wanted, ctx: GateContext, index: int) -> tuple[NormalizedCommand, list[GatedCommand]] | Refuse:
    """One command with its actions, or why there is none."""
    facts, principal, candidate = ctx.facts, ctx.request.principal, wanted.candidate
    areas = facts.standing(principal.id, principal.kind).areas
    found = find(candidate, facts, areas, principal.area_id)
    if isinstance(found, Refuse):
        return found
    is_reading = wanted.verb is Intent.STATUS
    # Reading a group is reading what it shows; only acting needs to know what is behind it.
    records = found.records if is_reading else called(found.records, facts)
    if not records:
        return Refuse(
            code=Code.ENTITY_NOT_FOUND,
            message=f"{found.records[0].name} has no member that is there.",
            hint="Ask for the list of devices and name one that is on it.",
            field="model_candidate.device_alias",
        )
    if not is_reading and (own := next((record for record in records if record.platform == OWN_PLATFORM), None)):
        return Refuse(
            code=Code.NOT_TARGETABLE,
            message=f"{own.name} is EdgeHome's own, and no agent acts on that.",
            hint="Name the other members one by one.",
            field="model_candidate.device_alias",
        )
    states = [facts.state(record.entity_id) for record in records]
    unit = next((state.unit for state in states if state), "°C")
    params = dict(wanted.values) if wanted.custom else in_home_unit(candidate.params.given(), unit)
    actions = [
        replace(with_reach(action_for(record, wanted.verb, params, state, wanted.custom), record, facts), index=index)
        for record, state in zip(records, states, strict=True)
    ]
    command = NormalizedCommand(
        intent=wanted.verb,
        entity_ids=tuple(action.entity_id for action in actions),
        params=params,
        is_set=found.is_set or records != found.records,
        source_agent=principal.id,
    )
    return command, actions


def _twice(earlier: list[GatedCommand], actions: list[GatedCommand], candidate: ModelCandidate) -> Refuse | None:
    """Whether an entity is in two commands of one request: which of them came last would decide."""
    before = {action.entity_id for action in earlier}
    again = next((action for action in actions if action.entity_id in before), None)
    if again is None:
        return None
    return Refuse(
        code=Code.CONFLICT,
        message=f"{again.name} is meant by two commands of this request.",
        hint="Send one command for each device.",
        field=f"model_candidate.{'device_alias' if candidate.device_alias else 'device' if candidate.device else 'device_type'}",
    )
