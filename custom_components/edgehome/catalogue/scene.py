"""Scenes. Switching one on is activating it, and so is running it."""

from ..models import Intent
from ..plan import Effect
from .operation import Operation

OPERATIONS = (
    Operation(intent=Intent.ACTIVATE, domain="scene", service="scene.turn_on", effect=Effect.RUN),
    *(
        Operation(
            intent=other,
            domain="scene",
            service=None,
            effect=Effect.RUN,
            means=lambda _params, _state: (Intent.ACTIVATE,),
        )
        for other in (Intent.TURN_ON, Intent.RUN)
    ),
)
