"""Scenes. Switching one on is activating it, and so is running it."""

from ..models import Intent
from ..plan import Effect
from .operation import Operation, synonyms

OPERATIONS = (
    Operation(intent=Intent.ACTIVATE, domain="scene", service="scene.turn_on", effect=Effect.RUN),
    *synonyms("scene", Intent.ACTIVATE, (Intent.TURN_ON, Intent.RUN)),
)
