"""Switches and outlets, and the owner's own switches."""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, by_state

OPERATIONS = tuple(
    row
    for domain in ("switch", "input_boolean")
    for row in (
        Operation(
            intent=Intent.TURN_ON,
            domain=domain,
            service=f"{domain}.turn_on",
            effect=Effect.ADJUST,
            expect=(Expectation(value="on"),),
        ),
        Operation(
            intent=Intent.TURN_OFF,
            domain=domain,
            service=f"{domain}.turn_off",
            effect=Effect.ADJUST,
            expect=(Expectation(value="off"),),
        ),
        Operation(
            intent=Intent.TOGGLE,
            domain=domain,
            service=None,
            effect=Effect.ADJUST,
            means=lambda _, state: by_state(state),
        ),
    )
)
