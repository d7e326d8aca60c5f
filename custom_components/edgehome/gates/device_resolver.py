"""Gate 3: which entities are meant, and what does the request reach? (R5, R6)

Names match exactly, case and outer blanks aside. Nothing is guessed and nothing widens: only a room together with a
device type reaches more than one entity.
"""

from ..catalogue.action import action_for, in_home_unit
from ..chain import Answer, GateContext, Pass, Refuse, passing, refusing, settled
from ..codes import Code, GateName
from ..facts import DeviceRecord
from ..models import Intent
from ..plan import NormalizedCommand, Skip
from ..targets import find


class DeviceResolver:
    """Which entities are meant, and what does the request reach?"""

    name = GateName.DEVICE_RESOLVER
    rules = ("R4", "R5", "R6")
    codes = frozenset(
        {
            Code.ENTITY_NOT_FOUND, Code.AMBIGUOUS_TARGET, Code.AREA_NOT_FOUND, Code.AMBIGUOUS_AREA, Code.NOT_EXPOSED,
            Code.NOT_TARGETABLE, Code.OUT_OF_SCOPE, Code.DEVICE_TYPE_MISMATCH, Code.NEEDS_EXPANSION,
        }
    )  # fmt: skip
    steps: frozenset[type] = frozenset({Pass, Refuse})

    def evaluate(self, ctx: GateContext) -> Answer:
        """Finds the entities, sets each action's meaning and risk."""
        candidate, facts = settled(ctx.proposal).model_candidate, ctx.facts
        scope = facts.standing(ctx.request.principal.id, ctx.request.principal.kind).areas
        found = find(candidate, facts, scope)
        if isinstance(found, Refuse):
            return refusing(found)
        is_set = candidate.device_alias is None and candidate.room is not None
        # Reading a group is harmless; only acting needs to know what is behind it.
        is_reading = candidate.intent is Intent.STATUS
        usable = tuple(record for record in found if is_reading or not record.made_of)
        skipped = tuple(_unexpanded(record) for record in found if record not in usable)
        if not usable or (skipped and not is_set):
            return refusing(
                Refuse(
                    code=Code.NEEDS_EXPANSION,
                    message=skipped[0].message,
                    hint="Name the devices behind it one by one.",
                    field=f"model_candidate.{'device_alias' if candidate.device_alias else 'device_type'}",
                )
            )
        states = [facts.state(record.entity_id) for record in usable]
        unit = next((state.unit for state in states if state), "°C")
        params = in_home_unit(candidate.params.given(), unit)
        actions = tuple(
            action_for(record, candidate.intent, params, state) for record, state in zip(usable, states, strict=True)
        )
        command = NormalizedCommand(
            intent=candidate.intent,
            entity_ids=tuple(action.entity_id for action in actions),
            params=params,
            is_set=is_set,
            source_agent=ctx.request.principal.id,
        )
        risks = {action.entity_id: list(action.risk_reasons) for action in actions}
        return passing(ctx.adding(command=command, actions=actions, skipped=skipped), risk=risks)


def _unexpanded(record: DeviceRecord) -> Skip:
    return Skip(
        entity_id=record.entity_id,
        code=Code.NEEDS_EXPANSION,
        message=f"{record.name} stands for other devices ({record.made_of}), which EdgeHome cannot look into yet.",
    )
