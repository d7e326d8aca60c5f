"""Switches and outlets, and the owner's own switches."""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, toggling, turning_off

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
        turning_off(domain),
        toggling(domain),
    )
)
