"""Set points in the home's unit."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, override

from ...chain import Refuse
from ...codes import Code
from ...devices import DeviceState
from ...plan import Expectation
from .kind import Kind, Value, plain, refuse, span


def _converted(value: float, unit: str) -> float:
    """A temperature of the given unit in the other one."""
    return (value - 32) / 1.8 if unit == "°F" else value * 1.8 + 32


_LIVABLE = {"°C": (10, 32), "°F": (50, 90)}
"""Set points that people live with: what falls into them only in the other unit was meant in the other unit."""


@dataclass(frozen=True, kw_only=True)
class Temperature(Kind):
    """A set point in the home's unit, within the device's own range; ``default`` is in °C, where it names none."""

    field: str
    attribute: str
    default: tuple[float, float] = (7.0, 35.0)

    def _range(self, state: DeviceState) -> tuple[float, float]:
        low, high = state.number("min_temp"), state.number("max_temp")
        default = self.default if state.unit == "°C" else tuple(_converted(end, "°C") for end in self.default)
        return (default[0] if low is None else low), (default[1] if high is None else high)

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        wanted = cast("float", value)
        low, high = self._range(state)
        unit = state.unit
        if not low <= wanted <= high:
            reach = f"from {plain(low)} to {plain(high)} {unit}"
            other = "°F" if unit == "°C" else "°C"
            converted = round(_converted(wanted, other), 1)
            if low <= converted <= high and _LIVABLE[unit][0] <= converted <= _LIVABLE[unit][1]:
                return refuse(
                    Code.UNIT_MISMATCH,
                    name,
                    f"{plain(wanted)} looks like {other}; {device} is set in {unit}.",
                    f"{plain(wanted)} {other} is {plain(converted)} {unit}: send that, or add unit {other!r}.",
                )
            return refuse(
                Code.OUT_OF_RANGE,
                name,
                f"{plain(wanted)} {unit} is out of range for {device}.",
                f"Send a number {reach}.",
            )
        step = state.number("target_temp_step") or 0.1
        expect = Expectation(attribute=self.attribute, value=float(wanted), same=step / 2, step=step / 2 + 0.01)
        present = state.number(self.attribute)
        return Value(
            data={self.field: plain(wanted)},
            expect=(expect,),
            present="" if present is None else f"{plain(present)} {unit}",
            wanted=f"{plain(wanted)} {unit}",
            amount=wanted,
            span=span(self.field, present, wanted),
        )

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        low, high = self._range(state)
        return {"min": plain(low), "max": plain(high), "unit": state.unit}
