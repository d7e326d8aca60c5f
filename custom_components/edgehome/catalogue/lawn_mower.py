"""Lawn mowers (features after ``components/lawn_mower/const.py``)."""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation

START_MOWING, PAUSE, DOCK, STOP = 1, 2, 4, 8

OPERATIONS = (
    Operation(
        intent=Intent.START,
        domain="lawn_mower",
        service="lawn_mower.start_mowing",
        effect=Effect.MOTION,
        features=(START_MOWING,),
        expect=(Expectation(value="mowing"),),
    ),
    Operation(
        intent=Intent.PAUSE,
        domain="lawn_mower",
        service="lawn_mower.pause",
        effect=Effect.MOTION,
        features=(PAUSE,),
        idle_in=("docked",),
        expect=(Expectation(value="paused"),),
    ),
    Operation(
        intent=Intent.DOCK,
        domain="lawn_mower",
        service="lawn_mower.dock",
        effect=Effect.MOTION,
        features=(DOCK,),
        expect=(Expectation(value="docked", moving=("returning",)),),
    ),
    Operation(
        intent=Intent.STOP,
        domain="lawn_mower",
        service="lawn_mower.stop",
        effect=Effect.MOTION,
        features=(STOP,),
        idle_in=("docked",),
    ),
)
