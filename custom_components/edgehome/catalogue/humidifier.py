"""Humidifiers and dehumidifiers (features after ``components/humidifier/const.py``)."""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, Parameter, toggling, turning_off
from .values import Option, Percent

MODES = 1
_HUMIDITY = Percent(field="humidity", attribute="humidity", limits=("min_humidity", "max_humidity"))

OPERATIONS = (
    Operation(
        intent=Intent.TURN_ON,
        domain="humidifier",
        service="humidifier.turn_on",
        effect=Effect.ADJUST,
        expect=(Expectation(value="on"),),
    ),
    turning_off("humidifier"),
    toggling("humidifier"),
    Operation(
        intent=Intent.SET_HUMIDITY,
        domain="humidifier",
        service="humidifier.set_humidity",
        effect=Effect.ADJUST,
        params={"humidity": Parameter(kind=_HUMIDITY)},
        needs=(frozenset({"humidity"}),),
    ),
    Operation(
        intent=Intent.SET_MODE,
        domain="humidifier",
        service="humidifier.set_mode",
        effect=Effect.ADJUST,
        features=(MODES,),
        params={"mode": Parameter(kind=Option(field="mode", options="available_modes", attribute="mode"))},
        needs=(frozenset({"mode"}),),
    ),
)
