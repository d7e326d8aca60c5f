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
            has_colors = _COLOR_MODES & set(state.options("supported_color_modes"))
            hint = f"Leave {name} out." + (" It shows colours: send set_color with color." if has_colors else "")
            return refuse(Code.UNSUPPORTED_FIELD, name, f"{device} has no colour temperature.", hint)
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


@dataclass(frozen=True, kw_only=True)
class _Form:
    """A way to say a colour: the field of the service and attribute, the mode that it takes, and what counts as the same."""

    field: str
    mode: str
    words: str
    same: float
    step: float


_FORMS = {
    2: _Form(field="xy_color", mode="xy", words="[x, y], each 0-1", same=0.002, step=0.02),
    4: _Form(field="rgbw_color", mode="rgbw", words="[red, green, blue, white]", same=2, step=16),
    5: _Form(field="rgbww_color", mode="rgbww", words="[red, green, blue, cold white, warm white]", same=2, step=16),
}
"""Colours in a lamp's own words, by how many numbers they have; three are what every lamp with colours takes."""
NUMBERS = {"color_name": 0, "rgb_color": 3, **{form.field: numbers for numbers, form in _FORMS.items()}}
"""How many numbers each of the service's fields has (``components/light/__init__.py``)."""


@dataclass(frozen=True)
class Color(Kind):
    """``[red, green, blue]``, each 0-255, or the name of a colour; or the numbers of a lamp's own color mode."""

    @property
    @override
    def sends(self) -> tuple[str, ...]:
        return tuple(NUMBERS)

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
        numbers = cast("tuple[float, ...]", value)
        if form := _FORMS.get(len(numbers)):
            takes = str((self.describe(state) or {}).get("values"))
            return _in_own_words(form, name, numbers, device, (modes, takes))
        channels = cast("tuple[int, int, int]", numbers)
        shown = channels if modes & _OWN_CHANNELS else _at_full_strength(channels)
        expect = Expectation(attribute="rgb_color", value=shown, same=2, step=16)
        return Value(data={"rgb_color": list(channels)}, expect=(expect,), wanted=f"RGB {list(channels)}")

    @override
    def suits(self, value: object, member: DeviceState) -> bool:
        form = _FORMS.get(len(value)) if isinstance(value, list | tuple) else None
        return form is None or form.mode in member.options("supported_color_modes")

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        modes = set(state.options("supported_color_modes"))
        own = [form.words for form in _FORMS.values() if form.mode in modes]
        words = ", or ".join(["a CSS colour name or [red, green, blue], each 0-255", *own])
        return {"values": words} if _COLOR_MODES & modes else None


def _in_own_words(
    form: _Form, name: str, numbers: tuple[float, ...], device: str, able: tuple[set[str], str]
) -> Value | Refuse:
    """A colour as one color mode says it: only for lamps that have this mode, so that nothing is converted."""
    modes, takes = able
    if form.mode not in modes:
        return refuse(Code.UNSUPPORTED_FIELD, name, f"{device} takes no {form.words}.", f"Send {takes}.")
    expect = Expectation(attribute=form.field, value=numbers, same=form.same, step=form.step)
    label = form.mode.upper() if form.mode != "xy" else "xy"
    return Value(data={form.field: list(numbers)}, expect=(expect,), wanted=f"{label} {list(numbers)}")
