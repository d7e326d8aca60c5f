"""Fans (features after ``components/fan/__init__.py``). A speed of 0 switches off (R5)."""

from collections.abc import Mapping

from ..devices import DeviceState
from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, Parameter, supports, toggling, turning_off
from .values import Flag, Option, Percent

SET_SPEED, OSCILLATE, DIRECTION, PRESET_MODE, TURN_OFF, TURN_ON = 1, 2, 4, 8, 16, 32
_SPEED = Percent(field="percentage", attribute="percentage", grid="percentage_step", states=((0, "off"),))
_PRESET = Option(field="preset_mode", options="preset_modes", attribute="preset_mode")
_ON, _OFF = (Expectation(value="on"),), (Expectation(value="off"),)


def _turning_on(params: Mapping[str, object], _: DeviceState) -> tuple[Intent, ...]:
    """What is set with it counts too; a speed of 0 switches off."""
    if params.get("speed") == 0:
        return (Intent.TURN_OFF,)
    return tuple(intent for name, intent in _SETS.items() if name in params)


_SETS = {"speed": Intent.SET_SPEED, "preset": Intent.SET_PRESET}


def _setting(params: Mapping[str, object], state: DeviceState) -> tuple[Intent, ...]:
    """A speed of 0 switches off, another one switches on what is off."""
    if params.get("speed") == 0:
        return (Intent.TURN_OFF,)
    return () if state.state == "on" else (Intent.TURN_ON,)


def _carrier(params: Mapping[str, object], state: DeviceState) -> Intent | None:
    """A fan that is off is switched on with its value, and a speed of 0 switches off: not all fans do so by themselves."""
    if params.get("speed") == 0:
        return Intent.TURN_OFF if supports(state, (TURN_OFF,)) else None
    return Intent.TURN_ON if state.state == "off" and supports(state, (TURN_ON,)) else None


OPERATIONS = (
    Operation(
        intent=Intent.TURN_ON,
        domain="fan",
        service="fan.turn_on",
        effect=Effect.ADJUST,
        features=(TURN_ON,),
        params={
            "speed": Parameter(kind=_SPEED, features=(SET_SPEED,)),
            "preset": Parameter(kind=_PRESET, features=(PRESET_MODE,)),
        },
        expect=_ON,
        means=_turning_on,
    ),
    turning_off("fan", (TURN_OFF,)),
    toggling("fan"),
    Operation(
        intent=Intent.SET_SPEED,
        domain="fan",
        service="fan.set_percentage",
        effect=Effect.ADJUST,
        features=(SET_SPEED,),
        params={"speed": Parameter(kind=_SPEED)},
        needs=(frozenset({"speed"}),),
        expect=_ON,
        means=_setting,
        by=_carrier,
    ),
    Operation(
        intent=Intent.SET_PRESET,
        domain="fan",
        service="fan.set_preset_mode",
        effect=Effect.ADJUST,
        features=(PRESET_MODE,),
        params={"preset": Parameter(kind=_PRESET)},
        needs=(frozenset({"preset"}),),
        expect=_ON,
        means=_setting,
        by=_carrier,
    ),
    Operation(
        intent=Intent.OSCILLATE,
        domain="fan",
        service="fan.oscillate",
        effect=Effect.ADJUST,
        features=(OSCILLATE,),
        params={"value": Parameter(kind=Flag(field="oscillating", attribute="oscillating"))},
        needs=(frozenset({"value"}),),
    ),
    Operation(
        intent=Intent.SET_DIRECTION,
        domain="fan",
        service="fan.set_direction",
        effect=Effect.ADJUST,
        features=(DIRECTION,),
        params={
            "option": Parameter(
                kind=Option(field="direction", options="", attribute="direction", always=("forward", "reverse"))
            )
        },
        needs=(frozenset({"option"}),),
    ),
)
