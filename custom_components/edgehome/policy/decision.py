"""What the table and the floor say about one action (no Home Assistant here)."""

from ..plan import GatedCommand
from .table import PolicyTable, Verdict

FLOOR_OPAQUE = "floor_opaque"
"""Names the floor's rule that nothing opaque is done unasked (R5)."""
FLOOR_UNCERTAIN = "floor_uncertain"
"""Names the floor's rule that from risk 3 on nothing is done unasked on an unknown or assumed state (R7)."""
ASK_IF_UNCERTAIN = 3


def decide(table: PolicyTable, action: GatedCommand) -> tuple[Verdict, str]:
    """The verdict on an action and the id of the rule that gave it: the strictest over all names of the action (R5)."""
    rule = table.strictest(tuple(name.value for name in action.operations), action.device_type, action.risk)
    if rule.verdict is Verdict.ALLOW and action.service is not None:
        if action.opaque:
            return Verdict.CONFIRM, FLOOR_OPAQUE
        if action.uncertain and action.risk >= ASK_IF_UNCERTAIN:
            return Verdict.CONFIRM, FLOOR_UNCERTAIN
    return rule.verdict, rule.id
