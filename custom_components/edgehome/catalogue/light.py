"""Lights (color modes after ``components/light/const.py``)."""

from collections.abc import Mapping

from ..devices import DeviceState
from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, Parameter, toggling
from .values import Color, Kelvin, Percent, Seconds, Step

TRANSITION = 32
BRIGHTNESS_MODES = frozenset({"brightness", "color_temp", "hs", "xy", "rgb", "rgbw", "rgbww", "white"})
"""The color modes of a light that can be dimmed."""

_COLORED = frozenset({"hs", "xy", "rgb", "rgbw", "rgbww"})
_SHOWN_IN = {
    "brightness": BRIGHTNESS_MODES,
    "color_temp_kelvin": frozenset({"color_temp"}),
    "rgb_color": _COLORED,
    "xy_color": _COLORED,
    "rgbw_color": frozenset({"rgbw"}),
    "rgbww_color": frozenset({"rgbww"}),
}
"""The color modes in which a lamp shows an attribute as it was sent (``components/light/__init__.py``)."""


def shows(attribute: str, modes: set[str]) -> bool:
    """Whether a lamp with these color modes shows an attribute as it was sent."""
    return bool(_SHOWN_IN.get(attribute, frozenset()) & modes)


def applies(attribute: str, modes: set[str]) -> bool:
    """Whether it does something with it: Home Assistant makes whites of colours and colours of whites for those without."""
    is_tone = attribute != "brightness" and attribute in _SHOWN_IN
    return shows(attribute, modes) or (is_tone and bool((_COLORED | {"color_temp"}) & modes))


_PERCENT = Percent(
    field="brightness_pct",
    attribute="brightness",
    scale=255,
    modes_attribute="supported_color_modes",
    modes=BRIGHTNESS_MODES,
    whole=False,
    states=((0, "off"),),
)
_BRIGHTNESS = Parameter(kind=_PERCENT)
_STEP = Parameter(kind=Step(of=_PERCENT, attribute="brightness", scale=255, off=0))
_COLOR = Parameter(kind=Color())
_KELVIN = Parameter(kind=Kelvin())
_FADE = {"transition": Parameter(kind=Seconds(field="transition", most=300), features=(TRANSITION,))}
_ON = (Expectation(value="on"),)


def _turning_on(params: Mapping[str, object], state: DeviceState) -> tuple[Intent, ...]:
    """Setting a value switches an unlit lamp on; a brightness of nothing switches it off."""
    step = params.get("brightness_step")
    if params.get("brightness") == 0 or (isinstance(step, int | float) and round(_percent(state) + step) == 0):
        return (Intent.TURN_OFF,)
    lit = () if state.state == "on" and params.keys() & _SETS.keys() else (Intent.TURN_ON,)
    return lit + tuple(intent for name, intent in _SETS.items() if name in params)


def _percent(state: DeviceState) -> float:
    return (state.number("brightness") or 0) / 2.55


_SETS = {
    "brightness": Intent.SET_BRIGHTNESS,
    "brightness_step": Intent.SET_BRIGHTNESS,
    "color_temperature": Intent.SET_COLOR_TEMPERATURE,
    "color": Intent.SET_COLOR,
}


OPERATIONS = (
    Operation(
        intent=Intent.TURN_ON,
        domain="light",
        service="light.turn_on",
        effect=Effect.ADJUST,
        params={
            "brightness": _BRIGHTNESS,
            "color": _COLOR,
            "color_temperature": _KELVIN,
            **_FADE,
        },
        expect=_ON,
        means=_turning_on,
    ),
    Operation(
        intent=Intent.TURN_OFF,
        domain="light",
        service="light.turn_off",
        effect=Effect.ADJUST,
        params=_FADE,
        expect=(Expectation(value="off"),),
    ),
    toggling("light"),
    Operation(
        intent=Intent.SET_BRIGHTNESS,
        domain="light",
        service="light.turn_on",
        effect=Effect.ADJUST,
        params={"brightness": _BRIGHTNESS, "brightness_step": _STEP, **_FADE},
        needs=(frozenset({"brightness"}), frozenset({"brightness_step"})),
        expect=_ON,
        means=_turning_on,
    ),
    Operation(
        intent=Intent.SET_COLOR,
        domain="light",
        service="light.turn_on",
        effect=Effect.ADJUST,
        params={"color": _COLOR, "brightness": _BRIGHTNESS, **_FADE},
        needs=(frozenset({"color"}),),
        expect=_ON,
        means=_turning_on,
    ),
    Operation(
        intent=Intent.SET_COLOR_TEMPERATURE,
        domain="light",
        service="light.turn_on",
        effect=Effect.ADJUST,
        params={"color_temperature": _KELVIN, "brightness": _BRIGHTNESS, **_FADE},
        needs=(frozenset({"color_temperature"}),),
        expect=_ON,
        means=_turning_on,
    ),
)
