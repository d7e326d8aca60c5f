"""Percent, as people say it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, override

from ...chain import Refuse, listed
from ...codes import Code
from ...devices import DeviceState
from ...plan import Expectation
from .kind import Kind, Value, plain, refuse, span

_ROUNDING = 1
"""How far a whole percent may lie from the device's own step."""


@dataclass(frozen=True, kw_only=True)
class Percent(Kind):
    """0-100 %. ``scale`` is the attribute's own maximum (255 for brightness), ``sent`` the service's.

    ``modes``: the device must list one of these in ``modes_attribute``. ``limits`` names attributes with a narrower
    range of the device, ``grid`` one with the step that the device goes in (a fan of three speeds takes 33, 67 and 100).
    ``shows`` false: the device does not show what was set.
    """

    field: str
    attribute: str
    scale: float = 100
    sent: float = 100
    modes_attribute: str | None = None
    modes: frozenset[str] = frozenset()
    limits: tuple[str, str] | None = None
    whole: bool = True
    states: tuple[tuple[float, str], ...] = ()
    moving: tuple[str, ...] = ()
    grid: str | None = None
    shows: bool = True

    def _range(self, state: DeviceState) -> tuple[float, float]:
        low, high = (state.number(item) for item in self.limits) if self.limits else (None, None)
        return (0 if low is None else low), (100 if high is None else high)

    def _is_able(self, state: DeviceState) -> bool:
        return self.modes_attribute is None or bool(self.modes & set(state.options(self.modes_attribute)))

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        number = cast("float", value)
        if not self._is_able(state):
            return refuse(
                Code.UNSUPPORTED_FIELD,
                name,
                f"{device} has no {name.replace('_', ' ')}.",
                f"Leave {name} out; {device} can only be switched.",
            )
        low, high = self._range(state)
        if not low <= number <= high:
            return refuse(
                Code.OUT_OF_RANGE,
                name,
                f"{name} {plain(number)} is out of range for {device}.",
                f"Send a number from {plain(low)} to {plain(high)}, in percent.",
            )
        if self.whole and number != int(number):
            return refuse(
                Code.OUT_OF_RANGE,
                name,
                f"{device} takes whole percents only, not {number}.",
                f"Send {int(number)} or {int(number) + 1}.",
            )
        if 0 < number < 1:
            return refuse(
                Code.OUT_OF_RANGE,
                name,
                f"{number} looks like a fraction; {device} takes percent.",
                f"Send {plain(round(number * 100, 2))} if that is what you mean; percent go from 0 to 100.",
            )
        step = state.number(self.grid) if self.grid else None
        steps = round(number / step) if step else 0
        if step and (abs(number - steps * step) > _ROUNDING or (number > 0 and not steps)):
            speeds = [round(count * step) for count in range(1, round(100 / step) + 1)]
            near = listed(str(speed) for speed in speeds)
            message = f"{device} goes in steps of {plain(round(step, 1))} %; {plain(number)} lies between two."
            return refuse(Code.OUT_OF_RANGE, name, message, f"Send one of: {near}.")
        wanted = number * self.scale / 100
        if self.scale > 1:
            wanted = round(wanted)
        by_state = tuple(Expectation(value=word) for at, word in self.states if at == number)
        expect = by_state or (
            Expectation(
                attribute=self.attribute,
                value=wanted,
                step=max(self.scale / 100, 2 * _ROUNDING * bool(step)),
                moving=self.moving,
            ),
        )
        if not self.shows:
            expect = ()
        present = state.number(self.attribute)
        return Value(
            data={self.field: plain(number * self.sent / 100)},
            expect=expect,
            present="" if present is None else f"{round(present * 100 / self.scale)} %",
            wanted=f"{plain(number)} %",
            amount=number,
            span=span(
                self.field, None if present is None else present * self.sent / self.scale, number * self.sent / 100
            ),
        )

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        low, high = self._range(state)
        return {"min": plain(low), "max": plain(high), "unit": "%"} if self._is_able(state) else None
