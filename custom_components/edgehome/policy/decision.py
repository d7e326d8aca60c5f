"""What the table and the floor say about one action (no Home Assistant here)."""

from dataclasses import dataclass

from ..plan import GatedCommand
from .requirement import NO_TERMS, Terms
from .table import PolicyTable, Verdict, severity

FLOOR_OPAQUE = "floor_opaque"
"""Names the floor's rule that nothing opaque is done unasked (R5)."""
FLOOR_UNCERTAIN = "floor_uncertain"
"""Names the floor's rule that from risk 3 on nothing is done unasked on an unknown or assumed state (R7)."""
ASK_IF_UNCERTAIN = 3


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The verdict on one action, the id of the rule that gave it, and how its yes must be given."""

    verdict: Verdict
    rule: str
    terms: Terms = NO_TERMS


def decide(table: PolicyTable, action: GatedCommand) -> Decision:
    """The strictest verdict over all names of an action and all that it reaches (R5), the floor included."""
    names = tuple(name.value for name in action.operations)
    rule, terms = table.strictest(names, action.device_type, action.risk)
    for other in action.reaches:
        beyond, wanted = table.strictest(other.verbs, other.device_type, other.risk)
        if severity(beyond.verdict) > severity(rule.verdict):
            rule, terms = beyond, wanted
        elif beyond.verdict is rule.verdict:
            terms = terms.joined(wanted)
    if rule.verdict is Verdict.ALLOW and action.service is not None:
        if action.opaque:
            return Decision(verdict=Verdict.CONFIRM, rule=FLOOR_OPAQUE)
        if action.uncertain and action.risk >= ASK_IF_UNCERTAIN:
            return Decision(verdict=Verdict.CONFIRM, rule=FLOOR_UNCERTAIN)
    return Decision(verdict=rule.verdict, rule=rule.id, terms=terms)
