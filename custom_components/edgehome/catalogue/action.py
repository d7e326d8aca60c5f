"""From a resolved device and an intent to one effective action: synonyms become what they do (R5)."""

from collections.abc import Mapping

from ..facts import DeviceRecord, DeviceState
from ..models import Intent
from ..plan import GatedCommand
from . import operation
from .operation import Operation
from .risk import LARGE_JUMP, base_risk, effect_on
from .status import STATUS

_SET_POINTS = {
    "temperature": "temperature",
    "temperature_low": "target_temp_low",
    "temperature_high": "target_temp_high",
}
_DEGREES_FAHRENHEIT = 1.8


def action_for(
    record: DeviceRecord,
    intent: Intent,
    params: Mapping[str, object],
    state: DeviceState | None,
) -> GatedCommand:
    """The action that an intent is on this device, with its risk; later gates may only raise it.

    Whether the device can do it is not asked here: an intent without a row gets an action without a service.
    """
    row = operation(record.domain, intent)
    meant = row.means(params, state) if row and row.means and state else ()
    operations = tuple(dict.fromkeys((intent, *meant)))
    risk = max(base_risk(record.device_type, name) for name in operations)
    reasons = [f"{record.device_type}: {operations[-1].value} has base risk {risk}"]
    if state and _jumps(params, state):
        risk, reasons = min(risk + 1, 5), [*reasons, "large set-point jump: +1"]
    carrier = carrying(record.domain, operations)
    return GatedCommand(
        entity_id=record.entity_id,
        name=record.name,
        device_type=record.device_type,
        operations=operations,
        effect=effect_on(record.device_type, operations[-1], (row or STATUS).effect),
        risk=risk,
        risk_reasons=tuple(reasons),
        area_id=record.area_id,
        room=record.room,
        key=record.key,
        service=carrier.service if carrier else None,
        before=state.state if state else None,
        opaque=record.opaque,
    )


def carrying(domain: str, operations: tuple[Intent, ...]) -> Operation | None:
    """The row whose service carries an action out: the proposed one, or what it means where that has no service."""
    row = operation(domain, operations[0])
    if row is None or row.service is not None or row is STATUS:
        return row
    return operation(domain, operations[-1])


def in_home_unit(params: Mapping[str, object], unit: str) -> dict[str, object]:
    """The values with temperatures in the home's unit. Converted only where the proposal names another unit (R6)."""
    given = {name: value for name, value in params.items() if name != "unit"}
    if params.get("unit") in {None, unit}:
        return given
    for name in _SET_POINTS.keys() & given.keys():
        given[name] = round(_convert(float(given[name]), unit), 1)  # type: ignore[arg-type]  # the schema made it a number
    return given


def _convert(value: float, to_unit: str) -> float:
    return (value - 32) / _DEGREES_FAHRENHEIT if to_unit == "°C" else value * _DEGREES_FAHRENHEIT + 32


def _jumps(params: Mapping[str, object], state: DeviceState) -> bool:
    """Whether a set point moves far: from the present one, else from the present temperature, else nobody knows."""
    for name, attribute in _SET_POINTS.items():
        wanted = params.get(name)
        if not isinstance(wanted, int | float) or not state.is_available:
            continue
        present = state.number(attribute)
        if present is None:
            present = state.number("current_temperature")
        if present is None or abs(wanted - present) > LARGE_JUMP[state.unit]:
            return True
    return False
