"""What colour a light shows: kelvin, or red, green and blue."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, override

from ...chain import Refuse
from ...codes import Code
from ...devices import DeviceState
from ...facts import Facts
from ...plan import Expectation
from .kind import Kind, Value, plain, refuse


@dataclass(frozen=True, kw_only=True)
class Kelvin(Kind):
    """A colour temperature within the device's own range."""

    field: str = "color_temp_kelvin"

    @staticmethod
    def _range(state: DeviceState) -> tuple[float, float]:
        low, high = (
            state.number("min_color_temp_kelvin"),
            state.number("max_color_temp_kelvin"),
        )
        return (2000 if low is None else low), (6500 if high is None else high)

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        kelvin = cast("float", value)
        if "color_temp" not in state.options("supported_color_modes"):
            return refuse(
                Code.UNSUPPORTED_FIELD,
                name,
                f"{device} has no colour temperature.",
                f"Leave {name} out.",
            )
        low, high = self._range(state)
        if not low <= kelvin <= high:
            return refuse(
                Code.OUT_OF_RANGE,
                name,
                f"{plain(kelvin)} K is out of range for {device}.",
                f"Send a number from {plain(low)} to {plain(high)}, in kelvin.",
            )
        if kelvin != int(kelvin):
            message = f"{device} takes whole kelvins only, not {kelvin}."
            return refuse(Code.OUT_OF_RANGE, name, message, f"Send {int(kelvin)} or {int(kelvin) + 1}.")
        # Devices count in mireds; one of them is this many kelvins here.
        mired = kelvin * kelvin / 1e6
        expect = Expectation(attribute=self.field, value=round(kelvin), same=mired / 2, step=2 * mired)
        return Value(data={self.field: round(kelvin)}, expect=(expect,), wanted=f"{round(kelvin)} K")

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        if "color_temp" not in state.options("supported_color_modes"):
            return None
        low, high = self._range(state)
        return {"min": plain(low), "max": plain(high), "unit": "K"}


_COLOR_MODES = frozenset({"hs", "xy", "rgb", "rgbw", "rgbww"})
_OWN_CHANNELS = frozenset({"rgb", "rgbw", "rgbww"})
"""Modes in which red, green and blue are what is sent; the others know hue and saturation only."""


def _at_full_strength(channels: tuple[int, int, int]) -> tuple[int, int, int]:
    """A colour as a lamp shows it that knows hue and saturation only: its strongest channel is full."""
    most = max(channels)
    return (255, 255, 255) if most == 0 else tuple(round(channel * 255 / most) for channel in channels)  # type: ignore[return-value]  # three


@dataclass(frozen=True)
class Color(Kind):
    """``[red, green, blue]``, each 0-255, or the name of a colour."""

    @property
    @override
    def sends(self) -> tuple[str, ...]:
        return ("rgb_color", "color_name")

    @override
    def resolve(self, name: str, value: object, facts: Facts) -> object | Refuse:
        channels = facts.color(value) if isinstance(value, str) else value
        if channels is not None:
            return channels
        return refuse(
            Code.INVALID_OPTION,
            name,
            f"{value!r} is not the name of a colour.",
            "Send a CSS colour name such as darkblue, or [red, green, blue], each 0-255.",
        )

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        modes = set(state.options("supported_color_modes"))
        if not _COLOR_MODES & modes:
            hint = "Leave color out."
            if "color_temp" in modes:
                kelvin = Kelvin().describe(state) or {}
                hint = (
                    "Send set_color_temperature with color_temperature from"
                    f" {kelvin.get('min')} to {kelvin.get('max')} (K) instead."
                )
            return refuse(Code.UNSUPPORTED_FIELD, name, f"{device} cannot show colours.", hint)
        channels = cast("tuple[int, int, int]", value)
        shown = channels if modes & _OWN_CHANNELS else _at_full_strength(channels)
        expect = Expectation(attribute="rgb_color", value=shown, same=2, step=16)
        return Value(data={"rgb_color": list(channels)}, expect=(expect,), wanted=f"RGB {list(channels)}")

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        able = _COLOR_MODES & set(state.options("supported_color_modes"))
        return {"values": "a CSS colour name or [red, green, blue], each 0-255"} if able else None
