"""Gate 3: which entities are meant, and what does the request reach? (R5, R6)

Names match exactly, case and outer blanks aside. Nothing is guessed and nothing widens: only a room together with a
device type reaches more than one entity.
"""

from dataclasses import replace

from ..catalogue.action import action_for, in_home_unit
from ..chain import Answer, GateContext, Pass, Refuse, passing, placed, refusing, settled
from ..codes import Code, GateName
from ..facts import DeviceRecord
from ..models import Intent, ModelCandidate
from ..plan import GatedCommand, NormalizedCommand, Skip
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
        skipped: list[Skip] = []
        for index, wanted in enumerate(settled(ctx.proposal).wanted):
            found = _resolved(wanted, ctx, index)
            if isinstance(found, Refuse):
                return refusing(placed(found, ctx, index))
            command, acts, left_out = found
            twice = _twice(actions, acts, wanted.candidate)
            if twice:
                return refusing(placed(twice, ctx, index))
            commands.append(command)
            actions.extend(acts)
            skipped.extend(left_out)
        risks = {action.entity_id: list(action.risk_reasons) for action in actions}
        return passing(ctx.adding(commands=tuple(commands), actions=tuple(actions), skipped=tuple(skipped)), risk=risks)


def _resolved(
    wanted: Wanted, ctx: GateContext, index: int
) -> tuple[NormalizedCommand, list[GatedCommand], tuple[Skip, ...]] | Refuse:
    """One command with its actions and what it leaves out, or why there is none."""
    facts, principal, candidate = ctx.facts, ctx.request.principal, wanted.candidate
    found = find(candidate, facts, facts.standing(principal.id, principal.kind).areas)
    if isinstance(found, Refuse):
        return found
    is_set = candidate.device_alias is None and candidate.room is not None
    # Reading a group is harmless; only acting needs to know what is behind it.
    is_reading = wanted.verb is Intent.STATUS
    usable = tuple(record for record in found if is_reading or not record.made_of)
    skipped = tuple(_unexpanded(record) for record in found if record not in usable)
    if not usable or (skipped and not is_set):
        return Refuse(
            code=Code.NEEDS_EXPANSION,
            message=skipped[0].message,
            hint="Name the devices behind it one by one.",
            field=f"model_candidate.{'device_alias' if candidate.device_alias else 'device_type'}",
        )
    states = [facts.state(record.entity_id) for record in usable]
    unit = next((state.unit for state in states if state), "°C")
    params = dict(wanted.values) if wanted.custom else in_home_unit(candidate.params.given(), unit)
    actions = [
        replace(action_for(record, wanted.verb, params, state, wanted.custom), index=index)
        for record, state in zip(usable, states, strict=True)
    ]
    command = NormalizedCommand(
        intent=wanted.verb,
        entity_ids=tuple(action.entity_id for action in actions),
        params=params,
        is_set=is_set,
        source_agent=principal.id,
    )
    return command, actions, skipped


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
        field=f"model_candidate.{'device_alias' if candidate.device_alias else 'device_type'}",
    )


def _unexpanded(record: DeviceRecord) -> Skip:
    return Skip(
        entity_id=record.entity_id,
        code=Code.NEEDS_EXPANSION,
        message=f"{record.name} stands for other devices ({record.made_of}), which EdgeHome cannot look into yet.",
    )
