"""Vacuums (features after ``components/vacuum/const.py``)."""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, Parameter
from .values import Option

PAUSE, STOP, RETURN_HOME, FAN_SPEED, LOCATE, START = 4, 8, 16, 32, 512, 8192

OPERATIONS = (
    Operation(
        intent=Intent.START,
        domain="vacuum",
        service="vacuum.start",
        effect=Effect.MOTION,
        features=(START,),
        expect=(Expectation(value="cleaning"),),
    ),
    Operation(
        intent=Intent.PAUSE,
        domain="vacuum",
        service="vacuum.pause",
        effect=Effect.MOTION,
        features=(PAUSE,),
        idle_in=("docked", "idle"),
        expect=(Expectation(value="paused"),),
    ),
    Operation(
        intent=Intent.STOP,
        domain="vacuum",
        service="vacuum.stop",
        effect=Effect.MOTION,
        features=(STOP,),
        idle_in=("docked",),
        expect=(Expectation(value="idle"),),
    ),
    Operation(
        intent=Intent.DOCK,
        domain="vacuum",
        service="vacuum.return_to_base",
        effect=Effect.MOTION,
        features=(RETURN_HOME,),
        expect=(Expectation(value="docked", moving=("returning",)),),
    ),
    Operation(intent=Intent.LOCATE, domain="vacuum", service="vacuum.locate", effect=Effect.ADJUST, features=(LOCATE,)),
    Operation(
        intent=Intent.SET_FAN_MODE,
        domain="vacuum",
        service="vacuum.set_fan_speed",
        effect=Effect.ADJUST,
        features=(FAN_SPEED,),
        params={"mode": Parameter(kind=Option(field="fan_speed", options="fan_speed_list", attribute="fan_speed"))},
        needs=(frozenset({"mode"}),),
    ),
)
