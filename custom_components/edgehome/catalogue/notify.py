"""Messages to people and rooms: notify entities and voice satellites."""

from ..models import Intent
from ..plan import Effect
from .operation import Operation, Parameter
from .values import Words

SATELLITE_ANNOUNCE = 1

_MESSAGE = {"message": Parameter(kind=Words(field="message", shows=False))}

OPERATIONS = (
    Operation(
        intent=Intent.ANNOUNCE,
        domain="notify",
        service="notify.send_message",
        effect=Effect.ADJUST,
        params=_MESSAGE,
        needs=(frozenset({"message"}),),
    ),
    Operation(
        intent=Intent.ANNOUNCE,
        domain="assist_satellite",
        service="assist_satellite.announce",
        effect=Effect.ADJUST,
        features=(SATELLITE_ANNOUNCE,),
        params=_MESSAGE,
        needs=(frozenset({"message"}),),
    ),
)
