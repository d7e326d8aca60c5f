"""Numbers in the entity's own unit, range and step."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import override

from ...chain import Refuse
from ...codes import Code
from ...devices import DeviceState
from ...plan import Expectation
from .kind import Kind, Value, plain, refuse, span


@dataclass(frozen=True, kw_only=True)
class OwnNumber(Kind):
    """A number that the entity's state is, within the attributes ``low`` and ``high`` and on the grid of ``step``."""

    field: str = "value"
    low: str = "min"
    high: str = "max"
    step: str | None = "step"
    whole: bool = False

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        unit = str(state.attributes.get("unit_of_measurement") or "")
        low, high = state.number(self.low), state.number(self.high)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return refuse(Code.INVALID_OPTION, name, f"{device} takes a number.", self._hint(low, high, unit))
        if (low is not None and value < low) or (high is not None and value > high):
            message = f"{plain(value)} is out of range for {device}."
            return refuse(Code.OUT_OF_RANGE, name, message, self._hint(low, high, unit))
        step = state.number(self.step) if self.step else None
        if self.whole:
            step = 1
        if step and not _is_on_grid(value, low or 0, step):
            below = (low or 0) + floor((value - (low or 0)) / step) * step
            near = f"{plain(round(below, 6))} or {plain(round(below + step, 6))}"
            message = f"{device} goes in steps of {plain(step)}; {plain(value)} lies between two."
            return refuse(Code.OUT_OF_RANGE, name, message, f"Send {near}.")
        present = _number(state.state)
        return Value(
            data={self.field: plain(value)},
            expect=(Expectation(value=float(value), same=(step or 0) / 2, step=step or 0.001),),
            present="" if present is None else f"{plain(present)} {unit}".strip(),
            wanted=f"{plain(value)} {unit}".strip(),
            amount=value,
            span=span(self.field, present, value),
        )

    @staticmethod
    def _hint(low: float | None, high: float | None, unit: str) -> str:
        if low is None and high is None:
            return "Send a number."
        if high is None:
            return f"Send a number from {plain(low or 0)} on {unit}".strip() + "."
        if low is None:
            return f"Send a number up to {plain(high)} {unit}".strip() + "."
        return f"Send a number from {plain(low)} to {plain(high)} {unit}".strip() + "."

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        low, high = state.number(self.low), state.number(self.high)
        ends = {"min": low, "max": high}
        if self.step:
            ends["step"] = state.number(self.step)
        unit = state.attributes.get("unit_of_measurement")
        described: dict[str, object] = {key: plain(value) for key, value in ends.items() if value is not None}
        return described | ({"unit": unit} if unit else {})


def _is_on_grid(value: float, start: float, step: float) -> bool:
    steps = (value - start) / step
    return abs(steps - round(steps)) < 1e-6


def _number(state: str) -> float | None:
    try:
        return float(state)
    except ValueError:
        return None
