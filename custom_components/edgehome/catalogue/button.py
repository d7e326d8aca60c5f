"""Buttons, of devices and of the owner. What one does is not in its state."""

from ..models import Intent
from ..plan import Effect
from .operation import Operation

OPERATIONS = tuple(
    Operation(intent=Intent.PRESS, domain=domain, service=f"{domain}.press", effect=Effect.RUN)
    for domain in ("button", "input_button")
)
