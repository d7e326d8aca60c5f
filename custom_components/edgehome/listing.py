"""What a caller may name and do: the answer of ``edgehome.list_devices`` and nothing else (no Home Assistant here)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .catalogue import operations_of
from .catalogue.action import action_for, carrying
from .catalogue.custom import row_of
from .catalogue.fitting import kept_back, within
from .catalogue.operation import supports
from .catalogue.reach import called, with_reach
from .catalogue.spread import spread
from .devices import DeviceRecord, DeviceState, Standing
from .facts import House
from .models import CustomVerb, Intent, Verb
from .plan import GatedCommand
from .policy.decision import decide
from .policy.rule import ANY, Circumstances, Verdict, severity
from .policy.table import PolicyTable


def devices_for(
    house: House, devices: Sequence[DeviceRecord], standing: Standing, now: Circumstances = ANY
) -> list[dict[str, object]]:
    """The devices with what this caller may do on each: what is denied or above its highest risk is not shown."""
    table = house.policy()
    rooms = {area_id: house.rooms_named(area_id) for area_id in {record.area_id for record in devices} if area_id}
    listed: list[dict[str, object]] = []
    for record in devices:
        state = house.state(record.entity_id)
        operations = _operations(house, record, state, (table, now), standing.max_risk) if state else {}
        if state is None or not operations:
            continue
        listed.append(
            {
                "entity_id": record.entity_id,
                "name": record.name,
                "device_type": record.device_type,
                "room": next((room.name for room in rooms.get(record.area_id or "", ())), None),
                "available": state.is_available,
                "operations": operations,
            }
        )
    return listed


def _operations(
    house: House,
    record: DeviceRecord,
    state: DeviceState,
    policy: tuple[PolicyTable, Circumstances],
    ceiling: int,
) -> dict[str, dict[str, object]]:
    """The operations that a device offers, or all members together that are called in its place (R5)."""
    table, now = policy
    members = called((record,), house)
    offers = [(member, _offers(house, member, known)) for member in members if (known := house.state(member.entity_id))]
    if record not in members:
        for _, those in offers:
            those.pop(Intent.STATUS, None)
        offers.append((record, _offers(house, record, state)))
    operations: dict[str, dict[str, object]] = {}
    for verb in dict.fromkeys(verb for _, those in offers for verb in those):
        able = [(member, those[verb]) for member, those in offers if verb in those]
        actions = spread(offer.action for _, offer in able)
        verdict = max((decide(table, action.question, now).verdict for action in actions), key=severity)
        if verdict is Verdict.DENY or any(action.risk > ceiling for action in actions):
            continue
        if any(kept_back(action, member.owner) for action, (member, _) in zip(actions, able, strict=True)):
            continue
        first, *others = (offer.params for _, offer in able)
        params = {name: told for name, told in first.items() if all(other.get(name) == told for other in others)}
        operations[verb.value] = {"verdict": verdict.value} | ({"params": params} if params else {})
    return operations


@dataclass(frozen=True)
class _Offer:
    """What one entity can do: the action without values, and what the values may be."""

    action: GatedCommand
    params: Mapping[str, object]


def _offers(house: House, record: DeviceRecord, state: DeviceState) -> dict[Verb, _Offer]:
    """What an entity is able to do, whoever asks."""
    offers: dict[Verb, _Offer] = {}
    customs = {item.verb: item for item in house.custom_operations() if item.domain == record.domain}
    for row in (*operations_of(record.domain), *(row_of(item) for item in customs.values())):
        custom = customs.get(CustomVerb(row.intent))
        action = with_reach(action_for(record, row.intent, {}, state, custom), record, house)
        carrier = carrying(action)
        service = house.service(carrier.service) if carrier and carrier.service else None
        is_missing = carrier is not None and carrier.service is not None and service is None
        if is_missing or (service and service.integrations and record.platform not in service.integrations):
            continue
        masks = (row.features, *((service.required_features, service.offered_features) if service else ()))
        able = all(supports(state, alternatives) for alternatives in masks)
        able = able and (record.has_code or not any(state.attributes.get(name) for name in row.needs_code))
        if not able or (row.intent is Intent.ANNOUNCE and house.speech("") is None):
            continue
        params = {
            name: within(described, name, record)
            for name, parameter in row.params.items()
            if supports(state, parameter.features) and (described := parameter.kind.describe(state)) is not None
        }
        if row.needs and not any(params.keys() >= names for names in row.needs):
            continue
        offers[row.intent] = _Offer(action=action, params=params)
    return offers
