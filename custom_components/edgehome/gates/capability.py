"""Gate 4: can each of them do it, with these values? (R4, R6)

Devices that are unavailable show no capabilities: they pass unjudged, freshness deals with them.
"""

from ..catalogue import operations_of
from ..catalogue.action import carrying, proposed
from ..catalogue.fitting import Around, kept_back, with_values
from ..catalogue.operation import Operation, supports
from ..catalogue.status import STATUS
from ..chain import (
    Answer,
    GateContext,
    Pass,
    Refuse,
    listed,
    passing,
    refusing,
    settled,
    sift,
)
from ..codes import Code, GateName
from ..devices import DeviceState
from ..expectation import is_already_so
from ..facts import Facts
from ..models import Intent
from ..plan import GatedCommand


class Capability:
    """Can each of them do it, with these values?"""

    name = GateName.CAPABILITY
    rules = ("R4", "R6")
    codes = frozenset(
        {
            Code.UNSUPPORTED_OPERATION, Code.UNSUPPORTED_FIELD, Code.MISSING_FIELD, Code.OUT_OF_RANGE,
            Code.UNIT_MISMATCH, Code.INVALID_OPTION, Code.SERVICE_NOT_FOUND, Code.NEEDS_CODE, Code.OWNERS_LIMIT,
        }
    )  # fmt: skip
    steps: frozenset[type] = frozenset({Pass, Refuse})

    def evaluate(self, ctx: GateContext) -> Answer:
        """Fills in each action's data and expectation, in the service's own units."""
        context, refusal = sift(ctx, lambda action: _fitted(action, dict(ctx.commands[action.index].params), ctx.facts))
        return refusing(refusal) if refusal else passing(context)


def _fitted(action: GatedCommand, params: dict[str, object], facts: Facts) -> GatedCommand | Refuse:
    domain = action.entity_id.partition(".")[0]
    row = carrying(action)
    if row is None:
        present = facts.state(action.entity_id) or DeviceState(state="unknown")
        able = [item.intent.value for item in operations_of(domain) if supports(present, item.features)]
        return _unsupported(action, able)
    # The proposed operation says which values it takes, also where another one carries it out.
    asked = _asked(action, settled(proposed(domain, action.operations[0], action.custom)), params)
    state = facts.state(action.entity_id)
    if asked or state is None or not state.is_available or row is STATUS or row.service is None:
        return asked or action
    record = settled(facts.device(action.entity_id))
    if kept := kept_back(action, record.owner):
        return kept
    service = facts.service(row.service)
    if service is None:
        return Refuse(
            code=Code.SERVICE_NOT_FOUND,
            message=f"This home has no action {row.service}.",
            hint="Its integration may not be loaded; try again later or ask the owner.",
        )
    if service.integrations and record.platform not in service.integrations:
        # Home Assistant would skip it and report success.
        return _unsupported(action, [item.intent.value for item in operations_of(domain)])
    masks = (row.features, service.required_features, service.offered_features)
    if not all(supports(state, alternatives) for alternatives in masks):
        able = [item.intent.value for item in operations_of(domain) if supports(state, item.features)]
        return _unsupported(action, able)
    needs_code = any(state.attributes.get(name) for name in row.needs_code) and not is_already_so(row.expect, state)
    if needs_code and not record.has_code:
        return Refuse(
            code=Code.NEEDS_CODE,
            message=f"{action.name} needs a code, and agents give none.",
            hint="The owner can set a default code for it: in Home Assistant, the settings of the entity.",
        )
    members = (facts.device(member) for member in action.members)
    words = tuple(member.owner for member in members if member)
    around = Around(state=state, facts=facts, service=service, owner=record.owner, members=words)
    return with_values(action, row, params, around)


def _asked(action: GatedCommand, row: Operation, params: dict[str, object]) -> Refuse | None:
    """Whether the values are those that this operation takes, whatever the device."""
    unknown = next((name for name in params if name not in row.params), None)
    if unknown:
        takes = listed(row.params) or "no values"
        return Refuse(
            code=Code.UNSUPPORTED_FIELD,
            message=f"{action.operations[0].value} on {action.name} does not take {unknown}.",
            hint=f"{action.operations[0].value} takes: {takes}.",
            field=f"model_candidate.params.{unknown}",
            candidates=tuple(row.params),
        )
    if row.needs and not any(params.keys() >= names for names in row.needs):
        wanted = " or ".join(" and ".join(sorted(names)) for names in row.needs)
        return Refuse(
            code=Code.MISSING_FIELD,
            message=f"{action.operations[0].value} needs {wanted}.",
            hint=f"Add {wanted} to params.",
            field=f"model_candidate.params.{min(row.needs[0])}",
        )
    return None


def _unsupported(action: GatedCommand, able: list[str]) -> Refuse:
    intent = action.operations[0].value.replace("_", " ")
    message = f"{action.name} cannot {intent}."
    if able == [Intent.STATUS.value]:
        message = f"EdgeHome cannot operate {action.name} yet ({action.device_type}); it can only read it."
    return Refuse(
        code=Code.UNSUPPORTED_OPERATION,
        message=message,
        hint=f"With {action.name} ({action.device_type}) there is: {listed(able, 20)}.",
        field="model_candidate.intent",
        candidates=tuple(able),
    )
