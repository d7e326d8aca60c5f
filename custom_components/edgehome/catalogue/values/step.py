"""Relative values: brighter, louder, two degrees warmer. They become the absolute value that they mean now (R11)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, override

from ...chain import Refuse
from ...codes import Code
from ...devices import DeviceState
from .kind import Kind, Value, plain, refuse


@dataclass(frozen=True, kw_only=True)
class Step(Kind):
    """A step from the present value of ``attribute``, whose own maximum ``scale`` stands for 100.

    ``of`` takes the absolute value. A step past the end is refused, with how far it may go: nothing is clamped (R6).
    ``digits`` is how finely the result is rounded, ``off`` where a thing that is off starts from.
    """

    of: Kind
    attribute: str
    scale: float = 100
    digits: int = 0
    off: float | None = None

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        step, present = cast("float", value), self._present(state)
        if abs(step) < (least := 10**-self.digits):
            hint = f"Send a step of at least {plain(least)}."
            return refuse(Code.OUT_OF_RANGE, name, f"{name} {plain(step)} changes nothing.", hint)
        if present is None:
            target = name.removesuffix("_step")
            return refuse(
                Code.UNSUPPORTED_FIELD,
                name,
                f"{device} is {state.state} and shows no {target} to start from.",
                f"Send {target} instead of {name}.",
            )
        limits = self.of.describe(state) or {}
        low, high = limits.get("min"), limits.get("max")
        wanted = round(present + step, self.digits)
        if isinstance(low, int | float) and isinstance(high, int | float) and not low <= wanted <= high:
            end, unit = (high if step > 0 else low), limits.get("unit", "")
            left = abs(end - present)
            return refuse(
                Code.OUT_OF_RANGE,
                name,
                f"{device} is at {plain(round(present, 1))} {unit}; {plain(step)} more would leave its range.",
                f"It goes to {plain(end)} {unit}: send at most {plain(round(left, 1))} in this direction."
                if left
                else "It is at its end already.",
            )
        return self.of.convert(name, float(wanted), device, state)

    def _present(self, state: DeviceState) -> float | None:
        present = state.number(self.attribute)
        if present is None and state.state == "off":
            return self.off
        return None if present is None else present * 100 / self.scale

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        limits = self.of.describe(state)
        if limits is None or self._present(state) is None:
            return None
        return {"relative": True, "unit": limits.get("unit")}
