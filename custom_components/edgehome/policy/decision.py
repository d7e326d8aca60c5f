"""What the table and the floor say about one action (no Home Assistant here)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Protocol

from ..models import Principal
from .question import Question
from .requirement import NO_TERMS, Terms
from .rule import ANY, Circumstances, HomeCondition, Subject, Verdict, as_json, severity
from .table import LAST_ROW, PolicyTable

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

    def meets(self, condition: str) -> bool | None:
        """Whether a condition in Home Assistant's own words, as JSON, is met; None if that cannot be told."""
        ...


PRESENCE = (HomeCondition(states=("home",)), HomeCondition(states=("not_home",)))
"""What is always looked at, so that a table that asks for it can be tried on what happened."""


def circumstances(table: PolicyTable, principal: Principal, home: Home) -> Circumstances:
    """How things are, as far as a table may ask for it."""
    weekday, minute = home.moment()
    return Circumstances(
        principal_id=principal.id,
        speaker=principal.speaker,
        origin=principal.area_id,
        weekday=weekday,
        minute=minute,
        holds={
            one: home.meets(one.raw) if one.raw else home.holds(one.entity_id, one.states)
            for one in dict.fromkeys((*PRESENCE, *table.conditions))
        },
    )


def decide(table: PolicyTable, asked: Question, now: Circumstances = ANY) -> Decision:
    """The strictest verdict over all names of an action and all that it reaches (R5), the floor included."""
    rule, terms = table.strictest(asked.subjects, now)
    for beyond in asked.reaches:
        other, wanted = table.strictest(beyond, now)
        if severity(other.verdict) > severity(rule.verdict):
            rule, terms = other, wanted
        elif other.verdict is rule.verdict:
            terms = terms.joined(wanted)
    if rule.verdict is Verdict.ALLOW and asked.acts:
        if asked.opaque:
            return Decision(verdict=Verdict.CONFIRM, rule=FLOOR_OPAQUE)
        if asked.doubtful >= ASK_IF_UNCERTAIN:
            return Decision(verdict=Verdict.CONFIRM, rule=FLOOR_UNCERTAIN)
    return Decision(verdict=rule.verdict, rule=rule.id, terms=terms)


def tool_question(tool: str, sent: Mapping[str, object]) -> Question:
    """What a table is asked about a call of a tool (R16)."""
    values = tuple((name, as_json(value)) for name, value in sorted(sent.items()))
    return Question(name=tool, subjects=(Subject("", "", 0, tool=tool, tool_input=values),))


def decide_all(table: PolicyTable, asked: Iterable[Question], now: Circumstances = ANY) -> Decision:
    """The strictest verdict over a whole request, the first of equals, and all that those demand.

    What is already so asks for nothing.
    """
    decisions = [
        Decision(verdict=Verdict.ALLOW, rule=one.rule)
        if question.already_so and one.verdict is not Verdict.DENY
        else one
        for question in asked
        for one in (decide(table, question, now),)
    ]
    strictest = max(decisions, key=lambda one: severity(one.verdict), default=_NOTHING)
    equals = (one.terms for one in decisions if one.verdict is strictest.verdict)
    return replace(strictest, terms=reduce(Terms.joined, equals, NO_TERMS))


_NOTHING = Decision(verdict=Verdict.DENY, rule=LAST_ROW.id)
