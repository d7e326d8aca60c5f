"""Switches and outlets."""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, by_state

OPERATIONS = (
    Operation(
        intent=Intent.TURN_ON,
        domain="switch",
        service="switch.turn_on",
        effect=Effect.ADJUST,
        expect=(Expectation(value="on"),),
    ),
    Operation(
        intent=Intent.TURN_OFF,
        domain="switch",
        service="switch.turn_off",
        effect=Effect.ADJUST,
        expect=(Expectation(value="off"),),
    ),
    Operation(
        intent=Intent.TOGGLE,
        domain="switch",
        service=None,
        effect=Effect.ADJUST,
        means=lambda _, state: by_state(state),
    ),
)
