"""Choices, of devices and of the owner."""

from ..models import Intent
from ..plan import Effect
from .operation import Operation, Parameter
from .values import Option

OPERATIONS = tuple(
    Operation(
        intent=Intent.SELECT_OPTION,
        domain=domain,
        service=f"{domain}.select_option",
        effect=Effect.ADJUST,
        params={"option": Parameter(kind=Option(field="option", options="options", attribute=None))},
        needs=(frozenset({"option"}),),
    )
    for domain in ("select", "input_select")
)
