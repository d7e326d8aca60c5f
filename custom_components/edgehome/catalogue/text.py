"""Texts, of devices and of the owner."""

from ..models import Intent
from ..plan import Effect
from .operation import Operation, Parameter
from .values import Words

OPERATIONS = tuple(
    Operation(
        intent=Intent.SET_VALUE,
        domain=domain,
        service=f"{domain}.set_value",
        effect=Effect.ADJUST,
        params={"value": Parameter(kind=Words(field="value"))},
        needs=(frozenset({"value"}),),
    )
    for domain in ("text", "input_text")
)
