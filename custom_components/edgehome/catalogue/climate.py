"""Thermostats and air conditioners (features after ``components/climate/const.py``)."""

from collections.abc import Mapping

from ..facts import DeviceState
from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, Parameter
from .values import Option, Percent, Temperature

TARGET_TEMPERATURE, TARGET_TEMPERATURE_RANGE, TARGET_HUMIDITY, FAN_MODE, PRESET_MODE = (
    1,
    2,
    4,
    8,
    16,
)
TURN_OFF_FEATURE, TURN_ON_FEATURE = 128, 256


def _choosing(params: Mapping[str, object], state: DeviceState) -> tuple[Intent, ...]:
    """The mode ``off`` is switching off, and another mode switches on what is off."""
    if params.get("mode") == "off":
        return (Intent.TURN_OFF,)
    return () if state.state not in {"off", "unknown"} else (Intent.TURN_ON,)


OPERATIONS = (
    Operation(
        intent=Intent.SET_TEMPERATURE,
        domain="climate",
        service="climate.set_temperature",
        effect=Effect.ADJUST,
        params={
            "temperature": Parameter(
                kind=Temperature(field="temperature", attribute="temperature"),
                features=(TARGET_TEMPERATURE,),
            ),
            "temperature_low": Parameter(
                kind=Temperature(field="target_temp_low", attribute="target_temp_low"),
                features=(TARGET_TEMPERATURE_RANGE,),
            ),
            "temperature_high": Parameter(
                kind=Temperature(field="target_temp_high", attribute="target_temp_high"),
                features=(TARGET_TEMPERATURE_RANGE,),
            ),
        },
        needs=(
            frozenset({"temperature"}),
            frozenset({"temperature_low", "temperature_high"}),
        ),
    ),
    Operation(
        intent=Intent.SET_MODE,
        domain="climate",
        service="climate.set_hvac_mode",
        effect=Effect.ADJUST,
        params={"mode": Parameter(kind=Option(field="hvac_mode", options="hvac_modes", attribute=None))},
        needs=(frozenset({"mode"}),),
        means=_choosing,
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
)
