"""Dates and times, of devices and of the owner."""

from ..models import Intent
from ..plan import Effect
from .operation import Operation, Parameter
from .values import Moment

_ROWS = {
    "date": ("date.set_value", "date"),
    "time": ("time.set_value", "time"),
    "datetime": ("datetime.set_value", "datetime"),
    "input_datetime": ("input_datetime.set_datetime", None),
}

OPERATIONS = tuple(
    Operation(
        intent=Intent.SET_VALUE,
        domain=domain,
        service=service,
        effect=Effect.ADJUST,
        params={"value": Parameter(kind=Moment(kind=kind))},
        needs=(frozenset({"value"}),),
    )
    for domain, (service, kind) in _ROWS.items()
)
