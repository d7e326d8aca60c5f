"""What a new table would have said to the requests of the last days (no Home Assistant here)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from .compare import demands_less
from .decision import Decision, decide_all
from .question import Inputs, Question
from .rule import HomeCondition, severity
from .table import PolicyTable

MOST_TRIED = 6
"""So many conditions that nobody looked at are tried out; with more the decision counts as undecidable."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Requests alike that a new table would decide otherwise. ``last_at`` is UTC, ISO 8601.

    ``undecidable``: it depends on something of the home that nobody looked at then; ``after`` is the strictest that may be.
    """

    principal: str
    operation: str
    about: str
    before: Decision
    after: Decision
    times: int = 1
    last_at: str = ""
    undecidable: bool = False
    risk: int = 0
    speaker: str = ""
    origin: str = ""

    @property
    def is_wider(self) -> bool:
        """Whether more would happen, or with less asked."""
        if self.before.verdict is not self.after.verdict:
            return severity(self.after.verdict) < severity(self.before.verdict)
        return demands_less(self.after.terms, self.before.terms)


@dataclass(frozen=True, kw_only=True)
class Replay:
    """How many requests were looked at, how many could not be read, and what would be different, the most frequent first."""

    looked_at: int
    unreadable: int
    differences: tuple[Difference, ...]


def replayed(recorded: Iterable[tuple[str, str]], old: PolicyTable, new: PolicyTable) -> Replay:
    """Asks both tables about every recorded request; each is its time (UTC, ISO 8601) and its inputs as text."""
    found: dict[tuple[object, ...], Difference] = {}
    looked_at = unreadable = 0

    @lru_cache(maxsize=10_000)
    def compared(text: str) -> Difference | None:
        return _compared(Inputs.from_json(text), old, new)

    for at, text in recorded:
        looked_at += 1
        try:
            difference = compared(text)
        except ValueError:
            unreadable += 1
            continue
        if difference is not None:
            key = tuple(vars(replace(difference, times=0, last_at="")).values())
            earlier = found.get(key)
            found[key] = replace(difference, last_at=at, times=earlier.times + 1 if earlier else 1)
    ordered = sorted(found.values(), key=lambda one: (not one.is_wider, -one.risk, -one.times, one.about))
    return Replay(looked_at=looked_at, unreadable=unreadable, differences=tuple(ordered))


def _compared(inputs: Inputs, old: PolicyTable, new: PolicyTable) -> Difference | None:
    before = decide_all(old, inputs.questions, inputs.now)
    after = decide_all(new, inputs.questions, inputs.now)
    known = {condition for condition, _ in inputs.holds}
    undecidable = depends_on(new, inputs, [one for one in new.conditions if one not in known])
    if (before.verdict, before.terms) == (after.verdict, after.terms) and not undecidable:
        return None
    # What is most dangerous of a request is what its owner should read.
    first = max(inputs.questions, key=_risk)
    names = dict.fromkeys(question.name for question in inputs.questions)
    return Difference(
        principal=inputs.principal,
        speaker=inputs.speaker or "",
        origin=inputs.origin or "",
        operation=first.subjects[0].operation or first.subjects[0].tool,
        about=first.name + (f" and {len(names) - 1} more" if len(names) > 1 else ""),
        risk=_risk(first),
        before=before,
        after=after,
        undecidable=undecidable,
    )


def _risk(question: Question) -> int:
    return max(subject.risk for subjects in (question.subjects, *question.reaches) for subject in subjects)


def depends_on(table: PolicyTable, inputs: Inputs, unseen: Sequence[HomeCondition]) -> bool:
    """Whether the decision depends on conditions of the home that nobody looked at: they are tried out."""
    if not unseen or len(unseen) > MOST_TRIED:
        return bool(unseen)
    now = inputs.now
    decided = {
        (one.verdict, one.terms)
        for answers in product((True, False, None), repeat=len(unseen))
        for holds in ({**now.holds, **dict(zip(unseen, answers, strict=True))},)
        for one in (decide_all(table, inputs.questions, replace(now, holds=holds)),)
    }
    return len(decided) > 1
