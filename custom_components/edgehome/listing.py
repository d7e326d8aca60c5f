"""What a caller may name and do: the answer of ``edgehome.list_devices`` and nothing else (no Home Assistant here)."""

from collections.abc import Mapping, Sequence

from .catalogue import operations_of
from .catalogue.action import action_for, carrying
from .catalogue.custom import row_of
from .catalogue.fitting import kept_back, within
from .catalogue.operation import supports
from .catalogue.reach import with_reach
from .devices import DeviceRecord, DeviceState, Standing
from .facts import House
from .models import CustomVerb
from .policy.decision import decide
from .policy.table import PolicyTable, Verdict


def devices_for(house: House, devices: Sequence[DeviceRecord], standing: Standing) -> list[dict[str, object]]:
    """The devices with what this caller may do on each: what is denied or above its highest risk is not shown."""
    table = house.policy()
    rooms = {area_id: house.rooms_named(area_id) for area_id in {record.area_id for record in devices} if area_id}
    listed: list[dict[str, object]] = []
    for record in devices:
        state = house.state(record.entity_id)
        if state is None:
            continue
        listed.append(
            {
                "entity_id": record.entity_id,
                "name": record.name,
                "device_type": record.device_type,
                "room": next((room.name for room in rooms.get(record.area_id or "", ())), None),
                "available": state.is_available,
                "operations": _operations(house, record, state, table, standing.max_risk),
            }
        )
    return listed


def _operations(
    house: House,
    record: DeviceRecord,
    state: DeviceState,
    table: PolicyTable,
    ceiling: int,
) -> dict[str, dict[str, object]]:
    operations: dict[str, dict[str, object]] = {}
    customs = {item.verb: item for item in house.custom_operations() if item.domain == record.domain}
    for row in (*operations_of(record.domain), *(row_of(item) for item in customs.values())):
        custom = customs.get(CustomVerb(row.intent))
        action = with_reach(action_for(record, row.intent, {}, state, custom), record, house)
        if kept_back(action, record.owner):
            continue
        carrier = carrying(action)
        verdict = decide(table, action).verdict
        service = house.service(carrier.service) if carrier and carrier.service else None
        is_missing = carrier is not None and carrier.service is not None and service is None
        if is_missing or (service and service.integrations and record.platform not in service.integrations):
            continue
        masks = (row.features, *((service.required_features, service.offered_features) if service else ()))
        able = all(supports(state, alternatives) for alternatives in masks)
        able = able and (record.has_code or not any(state.attributes.get(name) for name in row.needs_code))
        if not able or verdict is Verdict.DENY or action.risk > ceiling:
            continue
        params = {
            name: described
            for name, parameter in row.params.items()
            if supports(state, parameter.features) and (described := parameter.kind.describe(state)) is not None
        }
        params = {name: within(described, name, record) for name, described in params.items()}
        if row.needs and not any(params.keys() >= names for names in row.needs):
            continue
        operations[row.intent.value] = _described(verdict, params)
    return operations


def _described(verdict: Verdict, params: Mapping[str, object]) -> dict[str, object]:
    return {"verdict": verdict.value, "params": params} if params else {"verdict": verdict.value}
