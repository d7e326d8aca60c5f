"""What the table and the floor say about one action (no Home Assistant here)."""

from dataclasses import dataclass
from typing import Protocol

from ..models import Principal
from ..plan import GatedCommand
from .requirement import NO_TERMS, Terms
from .rule import ANY, Circumstances, Verdict, severity
from .table import PolicyTable

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


class Home(Protocol):
    """What is asked of a house about how things are."""

    def moment(self) -> tuple[int, int]:
        """Weekday, 0-6 from Monday, and minute of the day, in the home's own time."""
        ...

    def holds(self, entity_id: str, states: tuple[str, ...]) -> bool | None:
        """Whether an entity, or anybody, is in one of these states; None if nobody knows."""
        ...


def circumstances(table: PolicyTable, principal: Principal, home: Home) -> Circumstances:
    """How things are, as far as a table asks for it."""
    weekday, minute = home.moment() if table.is_timed else (0, 0)
    return Circumstances(
        principal_id=principal.id,
        origin=principal.area_id,
        weekday=weekday,
        minute=minute,
        holds={one: home.holds(one.entity_id, one.states) for one in table.conditions},
    )


def decide(table: PolicyTable, action: GatedCommand, now: Circumstances = ANY) -> Decision:
    """The strictest verdict over all names of an action and all that it reaches (R5), the floor included."""
    rule, terms = table.strictest(action.subjects, now)
    for other in action.reaches:
        beyond, wanted = table.strictest(other.subjects, now)
        if severity(beyond.verdict) > severity(rule.verdict):
            rule, terms = beyond, wanted
        elif beyond.verdict is rule.verdict:
            terms = terms.joined(wanted)
    if rule.verdict is Verdict.ALLOW and action.service is not None:
        if action.opaque:
            return Decision(verdict=Verdict.CONFIRM, rule=FLOOR_OPAQUE)
        doubts = [action.risk] * action.uncertain + [other.risk for other in action.reaches if other.uncertain]
        if any(risk >= ASK_IF_UNCERTAIN for risk in doubts):
            return Decision(verdict=Verdict.CONFIRM, rule=FLOOR_UNCERTAIN)
    return Decision(verdict=rule.verdict, rule=rule.id, terms=terms)
