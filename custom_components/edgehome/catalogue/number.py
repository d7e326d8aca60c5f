"""Numbers, of devices and of the owner, and counters."""

from ..models import Intent
from ..plan import Effect
from .operation import Operation, Parameter
from .values import OwnNumber

_KINDS = {
    "number": OwnNumber(),
    "input_number": OwnNumber(),
    "counter": OwnNumber(low="minimum", high="maximum", step=None, whole=True),
}

OPERATIONS = tuple(
    Operation(
        intent=Intent.SET_VALUE,
        domain=domain,
        service=f"{domain}.set_value",
        effect=Effect.ADJUST,
        params={"value": Parameter(kind=kind)},
        needs=(frozenset({"value"}),),
    )
    for domain, kind in _KINDS.items()
)
