"""Thermostats and air conditioners (features after ``components/climate/const.py``)."""

from collections.abc import Mapping

from ..devices import DeviceState
from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, Parameter
from .values import Option, Percent, Step, Temperature

TARGET_TEMPERATURE, TARGET_TEMPERATURE_RANGE, TARGET_HUMIDITY, FAN_MODE, PRESET_MODE = (
    1,
    2,
    4,
    8,
    16,
)
SWING_MODE, TURN_OFF_FEATURE, TURN_ON_FEATURE = 32, 128, 256
_TEMPERATURE = Temperature(field="temperature", attribute="temperature")


def _toggling(_: Mapping[str, object], state: DeviceState) -> tuple[Intent, ...]:
    if state.state in {"unknown", "unavailable"}:
        return ()
    return (Intent.TURN_ON,) if state.state == "off" else (Intent.TURN_OFF,)


def choosing(params: Mapping[str, object], state: DeviceState) -> tuple[Intent, ...]:
    """The mode ``off`` is switching off, and another mode switches on what is off."""
    if params.get("mode") == "off":
        return (Intent.TURN_OFF,)
    return () if state.state not in {"off", "unknown"} else (Intent.TURN_ON,)


def _warming(params: Mapping[str, object], state: DeviceState) -> tuple[Intent, ...]:
    """A mode that comes with the set point counts as chosen by itself."""
    return (Intent.SET_MODE, *choosing(params, state)) if "mode" in params else ()


_MODE = Parameter(kind=Option(field="hvac_mode", options="hvac_modes", attribute=None))

OPERATIONS = (
    Operation(
        intent=Intent.SET_TEMPERATURE,
        domain="climate",
        service="climate.set_temperature",
        effect=Effect.ADJUST,
        params={
            "temperature": Parameter(kind=_TEMPERATURE, features=(TARGET_TEMPERATURE,)),
            "temperature_step": Parameter(
                kind=Step(of=_TEMPERATURE, attribute="temperature", digits=1), features=(TARGET_TEMPERATURE,)
            ),
            "temperature_low": Parameter(
                kind=Temperature(field="target_temp_low", attribute="target_temp_low"),
                features=(TARGET_TEMPERATURE_RANGE,),
            ),
            "temperature_high": Parameter(
                kind=Temperature(field="target_temp_high", attribute="target_temp_high"),
                features=(TARGET_TEMPERATURE_RANGE,),
            ),
            "mode": _MODE,
        },
        needs=(
            frozenset({"temperature"}),
            frozenset({"temperature_step"}),
            frozenset({"temperature_low", "temperature_high"}),
        ),
        means=_warming,
    ),
    Operation(
        intent=Intent.SET_MODE,
        domain="climate",
        service="climate.set_hvac_mode",
        effect=Effect.ADJUST,
        params={"mode": _MODE},
        needs=(frozenset({"mode"}),),
        means=choosing,
    ),
    Operation(
        intent=Intent.SET_FAN_MODE,
        domain="climate",
        service="climate.set_fan_mode",
        effect=Effect.ADJUST,
        features=(FAN_MODE,),
        params={"mode": Parameter(kind=Option(field="fan_mode", options="fan_modes", attribute="fan_mode"))},
        needs=(frozenset({"mode"}),),
    ),
    Operation(
        intent=Intent.SET_SWING_MODE,
        domain="climate",
        service="climate.set_swing_mode",
        effect=Effect.ADJUST,
        features=(SWING_MODE,),
        params={"mode": Parameter(kind=Option(field="swing_mode", options="swing_modes", attribute="swing_mode"))},
        needs=(frozenset({"mode"}),),
    ),
    Operation(
        intent=Intent.SET_PRESET,
        domain="climate",
        service="climate.set_preset_mode",
        effect=Effect.ADJUST,
        features=(PRESET_MODE,),
        params={"preset": Parameter(kind=Option(field="preset_mode", options="preset_modes", attribute="preset_mode"))},
        needs=(frozenset({"preset"}),),
    ),
    Operation(
        intent=Intent.SET_HUMIDITY,
        domain="climate",
        service="climate.set_humidity",
        effect=Effect.ADJUST,
        features=(TARGET_HUMIDITY,),
        params={
            "humidity": Parameter(
                kind=Percent(
                    field="humidity",
                    attribute="humidity",
                    limits=("min_humidity", "max_humidity"),
                )
            ),
        },
        needs=(frozenset({"humidity"}),),
    ),
    Operation(
        intent=Intent.TURN_ON,
        domain="climate",
        service="climate.turn_on",
        effect=Effect.ADJUST,
        features=(TURN_ON_FEATURE,),
        expect=(Expectation(value="off", differs=True),),
    ),
    Operation(
        intent=Intent.TURN_OFF,
        domain="climate",
        service="climate.turn_off",
        effect=Effect.ADJUST,
        features=(TURN_OFF_FEATURE,),
        expect=(Expectation(value="off"),),
    ),
    Operation(intent=Intent.TOGGLE, domain="climate", service=None, effect=Effect.ADJUST, means=_toggling),
)
