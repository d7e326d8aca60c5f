"""Timers. A timer that is not running has nothing to pause; Home Assistant would report success."""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, Parameter
from .values import Duration

OPERATIONS = (
    Operation(
        intent=Intent.START,
        domain="timer",
        service="timer.start",
        effect=Effect.RUN,
        params={"value": Parameter(kind=Duration(field="duration"))},
        expect=(Expectation(value="active"),),
    ),
    Operation(
        intent=Intent.PAUSE,
        domain="timer",
        service="timer.pause",
        effect=Effect.ADJUST,
        idle_in=("idle",),
        expect=(Expectation(value="paused"),),
    ),
    Operation(
        intent=Intent.STOP,
        domain="timer",
        service="timer.cancel",
        effect=Effect.ADJUST,
        expect=(Expectation(value="idle"),),
    ),
)
