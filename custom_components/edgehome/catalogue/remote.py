"""Remote controls (features after ``components/remote/__init__.py``). What a sent command does cannot be told."""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, Parameter, toggling, turning_off
from .values import Option

ACTIVITY = 4

OPERATIONS = (
    Operation(
        intent=Intent.TURN_ON,
        domain="remote",
        service="remote.turn_on",
        effect=Effect.ADJUST,
        params={
            "option": Parameter(
                kind=Option(field="activity", options="activity_list", attribute="current_activity"),
                features=(ACTIVITY,),
            )
        },
        expect=(Expectation(value="on"),),
    ),
    turning_off("remote"),
    toggling("remote"),
)
