"""Remote controls (features after ``components/remote/__init__.py``). What a sent command does cannot be told."""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, Parameter, by_state
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
    Operation(
        intent=Intent.TURN_OFF,
        domain="remote",
        service="remote.turn_off",
        effect=Effect.ADJUST,
        expect=(Expectation(value="off"),),
    ),
    Operation(
        intent=Intent.TOGGLE,
        domain="remote",
        service=None,
        effect=Effect.ADJUST,
        means=lambda _, state: by_state(state),
    ),
)
