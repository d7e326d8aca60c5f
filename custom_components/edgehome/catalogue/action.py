"""From a resolved device and an intent to one effective action: synonyms become what they do (R5)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..devices import CustomOperation, DeviceRecord, DeviceState
from ..models import Intent, Verb
from ..plan import GatedCommand
from . import operation
from .custom import row_of
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
    intent: Verb,
    params: Mapping[str, object],
    state: DeviceState | None,
    custom: CustomOperation | None = None,
) -> GatedCommand:
    """The action that an intent is on this device, with its risk; later gates may only raise it.

    Whether the device can do it is not asked here: an intent without a row gets an action without a service.
    """
    row = proposed(record.domain, intent, custom)
    meant = row.means(params, state) if row and row.means and state else ()
    operations = tuple(dict.fromkeys((intent, *meant)))
    risk, reasons = _risk(record, operations, params, state)
    if custom:
        owners = record.owner.risk if record.owner and record.owner.risk is not None else 0
        risk, reasons = max(custom.risk, owners), ["the owner's own operation"]
    carrier = _carrier(row, record.domain, operations, params, state)
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
        floor_id=record.floor_id,
        labels=record.labels,
        service=carrier.service if carrier else None,
        carrier=carrier.intent if carrier and row is not carrier else None,
        before=state.state if state else None,
        custom=custom,
    )


_WAKE_WORDS = re.compile(
    r"\b(?:alexa|siri|cortana|bixby|ok(?:ay)?[ ,]+(?:google|nabu)|hey[ ,]+(?:google|nabu|jarvis|mycroft)|computer)\b",
    re.IGNORECASE,
)


def _risk(
    record: DeviceRecord, operations: tuple[Verb, ...], params: Mapping[str, object], state: DeviceState | None
) -> tuple[int, list[str]]:
    """The risk of an action and why: the owner's word for the entity stands in the place of the base risk."""
    risk = max(base_risk(record.device_type, name) for name in operations)
    reasons = [f"{record.device_type}: {operations[-1].value} has base risk {risk}"]
    least = next((what for what in _LEAST if what.applies(record, operations, params)), None)
    if least and risk < least.risk:
        risk, reasons = least.risk, [*reasons, f"{least.why}: {least.risk}"]
    if record.owner and record.owner.risk is not None and operations != (Intent.STATUS,):
        risk, reasons = record.owner.risk, [f"the owner says {record.owner.risk}"]
    if state and _jumps(params, state):
        risk, reasons = min(risk + 1, 5), [*reasons, "large set-point jump: +1"]
    return risk, reasons


@dataclass(frozen=True, kw_only=True)
class _Least:
    """A risk that something is at least of."""

    risk: int
    why: str
    applies: Callable[[DeviceRecord, tuple[Verb, ...], Mapping[str, object]], bool]


_LEAST = (
    _Least(
        risk=3,
        why="it speaks to a voice assistant",
        applies=lambda record, _operations, params: (
            record.domain != "todo" and bool(_WAKE_WORDS.search(str(params.get("message", ""))))
        ),
    ),
    _Least(
        risk=3,
        why="it plays from an address",
        applies=lambda _record, _operations, params: (
            "://" in str(params.get("media", "")).removeprefix("media-source://")
        ),
    ),
)


def proposed(domain: str, verb: Verb, custom: CustomOperation | None) -> Operation | None:
    """The row of what was asked for: the catalogue's, or the owner's own one for this domain."""
    if custom is not None:
        return row_of(custom) if custom.domain == domain else None
    return operation(domain, verb)


def carrying(action: GatedCommand) -> Operation | None:
    """The row whose service carries an action out."""
    domain = action.entity_id.partition(".")[0]
    if action.custom is not None or action.carrier is None:
        return proposed(domain, action.operations[0], action.custom)
    return operation(domain, action.carrier)


def _carrier(
    row: Operation | None,
    domain: str,
    operations: tuple[Verb, ...],
    params: Mapping[str, object],
    state: DeviceState | None,
) -> Operation | None:
    """The proposed row, the one that it hands over to, or what it means where it has no service of its own."""
    if row is None or row is STATUS:
        return row
    other = row.by(params, state) if row.by and state else None
    if other is not None:
        return operation(domain, other)
    return row if row.service is not None else operation(domain, operations[-1])


def in_home_unit(params: Mapping[str, object], unit: str) -> dict[str, object]:
    """The values with temperatures in the home's unit. Converted only where the proposal names another unit (R6)."""
    given = {name: value for name, value in params.items() if name != "unit"}
    if params.get("unit") in {None, unit}:
        return given
    for name in _SET_POINTS.keys() & given.keys():
        given[name] = round(_convert(float(given[name]), unit), 1)  # type: ignore[arg-type]  # the schema made it a number
    if isinstance(step := given.get("temperature_step"), int | float):
        given["temperature_step"] = round(_convert(step, unit) - _convert(0, unit), 1)
    return given


def _convert(value: float, to_unit: str) -> float:
    return (value - 32) / _DEGREES_FAHRENHEIT if to_unit == "°C" else value * _DEGREES_FAHRENHEIT + 32


def _jumps(params: Mapping[str, object], state: DeviceState) -> bool:
    """Whether a set point moves far: from the present one, else from the present temperature, else nobody knows."""
    step = params.get("temperature_step")
    if isinstance(step, int | float):
        return abs(step) > LARGE_JUMP[state.unit]
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
