"""Scripts. Switching one on is running it; it is opaque until the owner has vetted its present configuration (R5)."""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, synonyms

OPERATIONS = (
    Operation(
        intent=Intent.RUN,
        domain="script",
        service="script.turn_on",
        effect=Effect.RUN,
        # While it runs, a script of this mode ignores another start.
        idle_in=("on",),
        idle_with={"mode": "single"},
    ),
    # People do not know whether their "good night" is a script or a scene.
    *synonyms("script", Intent.RUN, (Intent.TURN_ON, Intent.ACTIVATE)),
    Operation(
        intent=Intent.STOP,
        domain="script",
        service="script.turn_off",
        effect=Effect.ADJUST,
        expect=(Expectation(value="off"),),
    ),
)
