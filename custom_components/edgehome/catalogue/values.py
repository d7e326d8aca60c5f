"""How a proposed value becomes service data: units, ranges from the device's own attributes, and what to expect.

Values are never clamped, never converted silently (R6): what does not fit is a ``Refuse`` with the range that would.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, cast, override

from ..chain import Refuse, listed
from ..codes import Code
from ..facts import DeviceState
from ..plan import Expectation


@dataclass(frozen=True, kw_only=True)
class Value:
    """A value in the service's own words, how the entity looks once it followed, and both ends in words for people.

    ``span`` are the numbers from the present value to the wanted one, as the service takes them.
    """

    data: Mapping[str, object]
    expect: tuple[Expectation, ...] = ()
    present: str = ""
    wanted: str = ""
    span: Mapping[str, tuple[float, float]] = field(default_factory=dict)


class Kind(Protocol):
    """A kind of value."""

    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        """The value as service data, or why the device cannot take it."""
        ...

    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        """What the device takes, for ``list_devices``; None if it takes none."""
        ...


def _refuse(code: Code, name: str, message: str, hint: str, candidates: tuple[str, ...] = ()) -> Refuse:
    return Refuse(
        code=code,
        message=message,
        hint=hint,
        field=f"model_candidate.params.{name}",
        candidates=candidates,
    )


def _number(value: float) -> int | float:
    """A float without a fraction as an int, for people's eyes."""
    return int(value) if float(value).is_integer() else value


def _span(name: str, present: float | None, wanted: float) -> dict[str, tuple[float, float]]:
    """The numbers between the present value and the wanted one."""
    return {} if present is None else {name: (min(present, wanted), max(present, wanted))}


@dataclass(frozen=True, kw_only=True)
class Percent(Kind):
    """0-100 %, sent as it is. ``scale`` is the attribute's own maximum (255 for brightness).

    ``modes``: the device must list one of these in ``modes_attribute``. ``limits`` names attributes with a narrower
    range of the device.
    """

    field: str
    attribute: str
    scale: float = 100
    modes_attribute: str | None = None
    modes: frozenset[str] = frozenset()
    limits: tuple[str, str] | None = None
    whole: bool = True
    states: tuple[tuple[float, str], ...] = ()
    moving: tuple[str, ...] = ()

    def _range(self, state: DeviceState) -> tuple[float, float]:
        low, high = (state.number(item) for item in self.limits) if self.limits else (None, None)
        return (0 if low is None else low), (100 if high is None else high)

    def _is_able(self, state: DeviceState) -> bool:
        return self.modes_attribute is None or bool(self.modes & set(state.options(self.modes_attribute)))

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        number = cast("float", value)
        if not self._is_able(state):
            return _refuse(
                Code.UNSUPPORTED_FIELD,
                name,
                f"{device} has no {name.replace('_', ' ')}.",
                f"Leave {name} out; {device} can only be switched.",
            )
        low, high = self._range(state)
        if not low <= number <= high:
            return _refuse(
                Code.OUT_OF_RANGE,
                name,
                f"{name} {_number(number)} is out of range for {device}.",
                f"Send a number from {_number(low)} to {_number(high)}, in percent.",
            )
        if self.whole and number != int(number):
            return _refuse(
                Code.OUT_OF_RANGE,
                name,
                f"{device} takes whole percents only, not {number}.",
                f"Send {int(number)} or {int(number) + 1}.",
            )
        if 0 < number < 1:
            return _refuse(
                Code.OUT_OF_RANGE,
                name,
                f"{number} looks like a fraction; {device} takes percent.",
                f"Send {_number(round(number * 100, 2))} if that is what you mean; percent go from 1 to 100.",
            )
        wanted = round(number * self.scale / 100)
        by_state = tuple(Expectation(value=word) for at, word in self.states if at == number)
        expect = by_state or (
            Expectation(
                attribute=self.attribute,
                value=wanted,
                step=self.scale / 100,
                moving=self.moving,
            ),
        )
        present = state.number(self.attribute)
        return Value(
            data={self.field: _number(number)},
            expect=expect,
            present="" if present is None else f"{round(present * 100 / self.scale)} %",
            wanted=f"{_number(number)} %",
            span=_span(self.field, None if present is None else present * 100 / self.scale, number),
        )

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        low, high = self._range(state)
        return {"min": _number(low), "max": _number(high), "unit": "%"} if self._is_able(state) else None


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
            return _refuse(
                Code.UNSUPPORTED_FIELD,
                name,
                f"{device} has no colour temperature.",
                f"Leave {name} out.",
            )
        low, high = self._range(state)
        if not low <= kelvin <= high:
            return _refuse(
                Code.OUT_OF_RANGE,
                name,
                f"{_number(kelvin)} K is out of range for {device}.",
                f"Send a number from {_number(low)} to {_number(high)}, in kelvin.",
            )
        # Devices count in mireds; one of them is this many kelvins here.
        mired = kelvin * kelvin / 1e6
        expect = Expectation(attribute=self.field, value=round(kelvin), same=mired / 2, step=2 * mired)
        return Value(data={self.field: round(kelvin)}, expect=(expect,), wanted=f"{round(kelvin)} K")

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        if "color_temp" not in state.options("supported_color_modes"):
            return None
        low, high = self._range(state)
        return {"min": _number(low), "max": _number(high), "unit": "K"}


_COLOR_MODES = frozenset({"hs", "xy", "rgb", "rgbw", "rgbww"})


@dataclass(frozen=True)
class Color(Kind):
    """``[red, green, blue]``, each 0-255; names are resolved before."""

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
            return _refuse(Code.UNSUPPORTED_FIELD, name, f"{device} cannot show colours.", hint)
        channels = cast("tuple[int, int, int]", value)
        expect = Expectation(attribute="rgb_color", value=channels, same=2, step=16)
        return Value(data={"rgb_color": list(channels)}, expect=(expect,), wanted=f"RGB {list(channels)}")

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        able = _COLOR_MODES & set(state.options("supported_color_modes"))
        return {"values": "a CSS colour name or [red, green, blue], each 0-255"} if able else None


def _converted(value: float, unit: str) -> float:
    """A temperature of the given unit in the other one."""
    return (value - 32) / 1.8 if unit == "°F" else value * 1.8 + 32


_LIVABLE = {"°C": (10, 32), "°F": (50, 90)}
"""Set points that people live with: what falls into them only in the other unit was meant in the other unit."""


@dataclass(frozen=True, kw_only=True)
class Temperature(Kind):
    """A set point in the home's unit, within the device's own range."""

    field: str
    attribute: str

    @staticmethod
    def _range(state: DeviceState) -> tuple[float, float]:
        low, high = state.number("min_temp"), state.number("max_temp")
        default = (45.0, 95.0) if state.unit == "°F" else (7.0, 35.0)
        return (default[0] if low is None else low), (default[1] if high is None else high)

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        wanted = cast("float", value)
        low, high = self._range(state)
        unit = state.unit
        if not low <= wanted <= high:
            span = f"from {_number(low)} to {_number(high)} {unit}"
            other = "°F" if unit == "°C" else "°C"
            converted = round(_converted(wanted, other), 1)
            if low <= converted <= high and _LIVABLE[unit][0] <= converted <= _LIVABLE[unit][1]:
                return _refuse(
                    Code.UNIT_MISMATCH,
                    name,
                    f"{_number(wanted)} looks like {other}; {device} is set in {unit}.",
                    f"{_number(wanted)} {other} is {_number(converted)} {unit}: send that, or add unit {other!r}.",
                )
            return _refuse(
                Code.OUT_OF_RANGE,
                name,
                f"{_number(wanted)} {unit} is out of range for {device}.",
                f"Send a number {span}.",
            )
        step = state.number("target_temp_step") or 0.1
        expect = Expectation(attribute=self.attribute, value=float(wanted), same=step / 2, step=max(step, 0.5))
        present = state.number(self.attribute)
        return Value(
            data={self.field: _number(wanted)},
            expect=(expect,),
            present="" if present is None else f"{_number(present)} {unit}",
            wanted=f"{_number(wanted)} {unit}",
            span=_span(self.field, present, wanted),
        )

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        low, high = self._range(state)
        return {"min": _number(low), "max": _number(high), "unit": state.unit}


@dataclass(frozen=True, kw_only=True)
class Option(Kind):
    """One of the words that the device lists in an attribute. ``attribute`` None compares the state itself."""

    field: str
    options: str
    attribute: str | None

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        options = state.options(self.options)
        if value not in options:
            return _refuse(
                Code.INVALID_OPTION,
                name,
                f"{device} has no {name} {value!r}.",
                f"Send one of: {listed(options, 20)}." if options else f"{device} has no choice of {name}.",
                options,
            )
        present = state.attributes.get(self.attribute, "") if self.attribute else state.state
        return Value(
            data={self.field: value},
            expect=(Expectation(attribute=self.attribute, value=str(value)),),
            present="" if present is None else str(present),
            wanted=str(value),
        )

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        options = state.options(self.options)
        return {"values": list(options)} if options else None
