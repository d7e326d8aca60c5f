"""The policy table: ordered rules, the first that matches decides, an immovable last row denies (no Home Assistant)."""

import hashlib
import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property, reduce
from itertools import takewhile

from .requirement import NO_TERMS, Terms


class Verdict(StrEnum):
    """What a rule says, mildest first."""

    ALLOW = "allow"
    CONFIRM = "confirm"
    DENY = "deny"


_SEVERITY = {Verdict.ALLOW: 0, Verdict.CONFIRM: 1, Verdict.DENY: 2}


@dataclass(frozen=True, kw_only=True)
class PolicyRule:
    """One row. ``None`` matches every operation or device type; risks are 0-5, both ends included.

    ``terms`` say how the yes of a ``confirm`` must be given.
    """

    id: str
    verdict: Verdict
    operation: str | None = None
    device_type: str | None = None
    risk: tuple[int, int] = (0, 5)
    terms: Terms = NO_TERMS

    def failing(self, operation: str, device_type: str, risk: int) -> str | None:
        """The first condition of the row that this action does not meet, or None if the row speaks about it."""
        if self.operation not in {None, operation}:
            return "operation"
        if self.device_type not in {None, device_type}:
            return "device_type"
        return None if self.risk[0] <= risk <= self.risk[1] else "risk"


LAST_ROW = PolicyRule(id="last_row", verdict=Verdict.DENY)
"""What no rule mentions is denied; this row cannot be edited."""


@dataclass(frozen=True, kw_only=True)
class PolicyTable:
    """The rules in their order."""

    name: str
    rules: tuple[PolicyRule, ...]

    @cached_property
    def digest(self) -> str:
        """The table's identity: a hash of its name and rules."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]

    def decide(self, operation: str, device_type: str, risk: int) -> PolicyRule:
        """The first rule that matches."""
        return next(
            (rule for rule in self.rules if rule.failing(operation, device_type, risk) is None),
            LAST_ROW,
        )

    def explain(self, operation: str, device_type: str, risk: int) -> tuple[PolicyRule, dict[str, str]]:
        """The rule that decides, and of each row before it the condition by which it was skipped."""
        decided = self.decide(operation, device_type, risk)
        before = takewhile(lambda rule: rule is not decided, self.rules)
        return decided, {rule.id: str(rule.failing(operation, device_type, risk)) for rule in before}

    def strictest(self, operations: tuple[str, ...], device_type: str, risk: int) -> tuple[PolicyRule, Terms]:
        """The strictest rule over all names of one action (R5), the first of equals; and what all of these demand."""
        rules = [self.decide(operation, device_type, risk) for operation in operations]
        strictest = max(rules, key=lambda rule: _SEVERITY[rule.verdict], default=LAST_ROW)
        equals = (rule.terms for rule in rules if rule.verdict is strictest.verdict)
        return strictest, reduce(Terms.joined, equals, NO_TERMS)


UNREADABLE = PolicyTable(name="unreadable", rules=())
"""Stands in for a table that cannot be read: only the last row is left (R2)."""


def severity(verdict: Verdict) -> int:
    """How strict a verdict is: 0 allow, 1 confirm, 2 deny."""
    return _SEVERITY[verdict]
