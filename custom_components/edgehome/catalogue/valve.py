"""Valves (features after ``components/valve/const.py``). Any position above 0 is an opening (R5)."""

from ..models import Intent
from ..plan import Effect, Expectation
from .cover import positioning, toggling
from .operation import Operation, Parameter
from .values import Percent

OPEN, CLOSE, SET_POSITION, STOP = 1, 2, 4, 8
_MOVING = ("opening", "closing")
_POSITION = Percent(field="position", attribute="current_position", moving=_MOVING)

OPERATIONS = (
    Operation(
        intent=Intent.OPEN,
        domain="valve",
        service="valve.open_valve",
        effect=Effect.UNSECURE,
        features=(OPEN,),
        expect=(Expectation(value="open", moving=("opening",)),),
    ),
    Operation(
        intent=Intent.CLOSE,
        domain="valve",
        service="valve.close_valve",
        effect=Effect.SECURE,
        features=(CLOSE,),
        expect=(Expectation(value="closed", moving=("closing",)),),
    ),
    Operation(intent=Intent.TOGGLE, domain="valve", service=None, effect=Effect.MOTION, means=toggling),
    Operation(intent=Intent.STOP, domain="valve", service="valve.stop_valve", effect=Effect.MOTION, features=(STOP,)),
    Operation(
        intent=Intent.SET_POSITION,
        domain="valve",
        service="valve.set_valve_position",
        effect=Effect.MOTION,
        features=(SET_POSITION,),
        params={"position": Parameter(kind=_POSITION)},
        needs=(frozenset({"position"}),),
        means=positioning,
    ),
)
