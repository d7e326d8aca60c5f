"""Cameras (features after ``components/camera/const.py``). Whether one is on is not in its state."""

from ..models import Intent
from ..plan import Effect
from .operation import Operation

ON_OFF = 1

OPERATIONS = (
    Operation(
        intent=Intent.TURN_ON, domain="camera", service="camera.turn_on", effect=Effect.SECURE, features=(ON_OFF,)
    ),
    Operation(
        intent=Intent.TURN_OFF, domain="camera", service="camera.turn_off", effect=Effect.UNSECURE, features=(ON_OFF,)
    ),
)
