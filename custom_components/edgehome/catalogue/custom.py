"""Operations that the owner adds: an action of another integration on its entities, with the values agents may send.

Each is a row like any other: the same gates look at it, with the owner's own effect and risk (R4).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import override

from ..chain import Refuse, listed
from ..codes import Code
from ..devices import CustomField, CustomOperation, DeviceState
from ..plan import Effect
from .operation import Operation, Parameter
from .values import Kind, Value
from .values.kind import plain, refuse


@dataclass(frozen=True)
class FieldValue(Kind):
    """A value as the action's own description has it."""

    field: CustomField

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        field = self.field
        if field.kind == "option" and value not in field.options:
            return refuse(
                Code.INVALID_OPTION,
                name,
                f"{name} has no choice {value!r}.",
                f"Send one of: {listed(field.options, 20)}.",
            )
        if not _is_a(field.kind, value):
            return refuse(Code.INVALID_OPTION, name, f"{name} is no {field.kind}.", f"Send a {field.kind}.")
        if isinstance(value, int | float) and not isinstance(value, bool):
            low, high = field.low, field.high
            if (low is not None and value < low) or (high is not None and value > high):
                ends = f"from {'-∞' if low is None else plain(low)} to {'∞' if high is None else plain(high)}"
                return refuse(
                    Code.OUT_OF_RANGE, name, f"{name} {plain(value)} is out of range.", f"Send a number {ends}."
                )
            if field.step and not _is_on_grid(value, low or 0, field.step):
                message = f"{name} goes in steps of {plain(field.step)}."
                return refuse(Code.OUT_OF_RANGE, name, message, "Send a value on a step.")
        return Value(data={field.name: value}, wanted=f"{name} {value}")

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        field = self.field
        if field.kind == "option":
            return {"values": list(field.options)}
        ends = {"min": field.low, "max": field.high}
        return {"values": field.kind, **{key: plain(end) for key, end in ends.items() if end is not None}}


def _is_on_grid(value: float, start: float, step: float) -> bool:
    """Whether a number lies on a step; what is too large to tell does not."""
    try:
        steps = (value - start) / step
        return abs(steps - round(steps)) < 1e-6
    except OverflowError:
        return False


def _is_a(kind: str, value: object) -> bool:
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, bool if kind == "boolean" else str)


def row_of(custom: CustomOperation) -> Operation:
    """The row that the owner added."""
    needed = frozenset(field.name for field in custom.fields if field.required)
    return Operation(
        intent=custom.verb,
        domain=custom.domain,
        service=custom.service,
        effect=Effect(custom.effect),
        params={field.name: Parameter(kind=FieldValue(field)) for field in custom.fields},
        needs=(needed,) if needed else (),
    )
