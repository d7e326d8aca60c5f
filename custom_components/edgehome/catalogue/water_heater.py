"""Water heaters (features after ``components/water_heater/const.py``)."""

from ..models import Intent
from ..plan import Effect, Expectation
from .climate import choosing
from .operation import Operation, Parameter
from .values import Option, Step, Temperature

TARGET_TEMPERATURE, OPERATION_MODE, AWAY_MODE, ON_OFF = 1, 2, 4, 8
_TEMPERATURE = Temperature(field="temperature", attribute="temperature", default=(43.3, 60.0))

OPERATIONS = (
    Operation(
        intent=Intent.SET_TEMPERATURE,
        domain="water_heater",
        service="water_heater.set_temperature",
        effect=Effect.ADJUST,
        features=(TARGET_TEMPERATURE,),
        params={
            "temperature": Parameter(kind=_TEMPERATURE),
            "temperature_step": Parameter(kind=Step(of=_TEMPERATURE, attribute="temperature", digits=1)),
        },
        needs=(frozenset({"temperature"}), frozenset({"temperature_step"})),
    ),
    Operation(
        intent=Intent.SET_MODE,
        domain="water_heater",
        service="water_heater.set_operation_mode",
        effect=Effect.ADJUST,
        features=(OPERATION_MODE,),
        params={
            "mode": Parameter(kind=Option(field="operation_mode", options="operation_list", attribute="operation_mode"))
        },
        needs=(frozenset({"mode"}),),
        means=choosing,
    ),
    Operation(
        intent=Intent.TURN_ON,
        domain="water_heater",
        service="water_heater.turn_on",
        effect=Effect.ADJUST,
        features=(ON_OFF,),
        expect=(Expectation(value="off", differs=True),),
    ),
    Operation(
        intent=Intent.TURN_OFF,
        domain="water_heater",
        service="water_heater.turn_off",
        effect=Effect.ADJUST,
        features=(ON_OFF,),
        expect=(Expectation(value="off"),),
    ),
)
