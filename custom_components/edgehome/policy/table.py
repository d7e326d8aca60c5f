"""The policy table: ordered rules, the first that matches decides, an immovable last row denies (no Home Assistant)."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property, reduce
from itertools import takewhile

from .requirement import NO_TERMS, Terms
from .rule import ANY, Circumstances, HomeCondition, PolicyRule, Subject, Verdict, severity

LAST_ROW = PolicyRule(id="last_row", verdict=Verdict.DENY)
"""What no rule mentions is denied; this row cannot be edited."""


MOST_REMEMBERED = 50_000
"""For so many subjects it is remembered which rules are about them."""


@dataclass(frozen=True, kw_only=True)
class PolicyTable:
    """The rules in their order."""

    name: str
    rules: tuple[PolicyRule, ...]

    @cached_property
    def digest(self) -> str:
        """The table's identity: a hash of its name and rules."""
        content = [self.name, [asdict(rule) for rule in self.rules]]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]

    @cached_property
    def conditions(self) -> tuple[HomeCondition, ...]:
        """Everything that must be known of the home to decide, each once."""
        return tuple(dict.fromkeys(condition for rule in self.rules for condition in rule.home))

    def title(self, rule_id: str) -> str:
        """A rule's name, or its id where it has none."""
        if rule_id == LAST_ROW.id:
            return "no rule mentions it"
        return next((rule.name for rule in self.rules if rule.id == rule_id), "") or rule_id

    def called(self, rule_id: str) -> str:
        """A rule's name and id, as people read them."""
        name = next((rule.name for rule in self.rules if rule.id == rule_id), "")
        return f"{name!r} ({rule_id})" if name and name != rule_id else repr(rule_id)

    def decide(self, subject: Subject, now: Circumstances = ANY) -> PolicyRule:
        """The first rule that speaks about this action; where that cannot be told, the strictest of those that may."""
        return max(self.speaking(subject, now), key=lambda rule: severity(rule.verdict))

    def speaking(self, subject: Subject, now: Circumstances) -> Iterator[PolicyRule]:
        """The rules that may be the first to speak; the last of them certainly speaks."""
        for rule in self._rules_about(subject, now.principal_id):
            if rule.failing(subject, now) is None:
                yield rule
                if not rule.is_in_doubt(subject, now):
                    return
        yield LAST_ROW

    @cached_property
    def _of_kind(self) -> dict[tuple[str, str, str], tuple[PolicyRule, ...]]:
        """The rules about an operation on a device type, or about a tool: all others are looked at only once."""
        return {}

    @cached_property
    def _about(self) -> dict[tuple[Subject, str], tuple[PolicyRule, ...]]:
        """Of these the rules that may speak about a subject when this caller asks; only the time and the home are left."""
        return {}

    def _rules_about(self, subject: Subject, principal_id: str) -> tuple[PolicyRule, ...]:
        if (found := self._about.get((subject, principal_id))) is not None:
            return found
        kind = (subject.operation, subject.device_type, subject.tool)
        if (alike := self._of_kind.get(kind)) is None:
            alike = self._of_kind[kind] = tuple(rule for rule in self.rules if rule.is_about_kind(*kind))
        if len(self._about) >= MOST_REMEMBERED:
            self._about.clear()
        found = tuple(rule for rule in alike if rule.is_about(subject, principal_id))
        self._about[subject, principal_id] = found
        return found

    def explain(self, subject: Subject, now: Circumstances = ANY) -> tuple[PolicyRule, dict[str, str]]:
        """The rule that decides, and of each row before it the condition by which it was skipped."""
        decided = self.decide(subject, now)
        before = takewhile(lambda rule: rule is not decided, self.rules)
        return decided, {rule.id: rule.failing(subject, now) or "in doubt" for rule in before}

    def strictest(self, subjects: Iterable[Subject], now: Circumstances = ANY) -> tuple[PolicyRule, Terms]:
        """The strictest rule over all names of one action (R5), the first of equals; and what all of these demand."""
        rules = [rule for subject in subjects for rule in self.speaking(subject, now)]
        strictest = max(rules, key=lambda rule: severity(rule.verdict), default=LAST_ROW)
        equals = (rule.terms for rule in rules if rule.verdict is strictest.verdict)
        return strictest, reduce(Terms.joined, equals, NO_TERMS)


UNREADABLE = PolicyTable(name="unreadable", rules=())
"""Stands in for a table that cannot be read: only the last row is left (R2)."""
