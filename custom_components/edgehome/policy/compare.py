"""Where a new table is milder than the one in force, whatever was asked so far: exact, with a witness (no Home Assistant here)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .requirement import DEFAULT_SECONDS, Terms
from .rule import PolicyRule, Verdict, severity
from .space import MOST_PIECES, Box, Deed, Space, TooManyPiecesError, left_over
from .table import LAST_ROW, PolicyTable


@dataclass(frozen=True, kw_only=True)
class Widening:
    """A rule that says something milder than ``before`` said, and a request that shows it."""

    rule: str
    verdict: Verdict
    before: str
    was: Verdict
    witness: dict[str, object]


def widenings(old: PolicyTable, new: PolicyTable, deeds: Sequence[Deed]) -> Iterator[Widening]:
    """For each rule of the new table and each of the old one than which it is milder somewhere, one such place."""
    for is_tool in (False, True):
        before = [*(rule for rule in old.rules if bool(rule.tool) is is_tool), LAST_ROW]
        after = [rule for rule in new.rules if bool(rule.tool) is is_tool]
        space = Space([*after, *before[:-1]], deeds)
        for place, rule in enumerate(after):
            yield from _milder(space, rule, before, after[:place])


def _milder(
    space: Space, rule: PolicyRule, before: Sequence[PolicyRule], earlier: Sequence[PolicyRule]
) -> Iterator[Widening]:
    """Where a rule decides what something stricter decided, or could have: in doubt the strictest counts, in both tables."""
    boxes = space.boxes(rule)
    covers = [box for one in earlier for box in space.boxes(one)]
    for other in before:
        if is_milder(rule, other):
            as_strict = [box for one in earlier if not is_milder(one, other) for box in space.boxes(one, in_doubt=True)]
            for both in _common(boxes, space.boxes(other, in_doubt=True)):
                try:
                    left: Box | None = left_over(both, [*covers, *as_strict], MOST_PIECES)
                except TooManyPiecesError:
                    left = both  # Not looked at to the end: it counts as milder (R2).
                if left is not None:
                    witness = space.point(left)
                    yield Widening(
                        rule=rule.id, verdict=rule.verdict, before=other.id, was=other.verdict, witness=witness
                    )
                    break
        covers += space.boxes(other)


def is_milder(rule: PolicyRule, other: PolicyRule) -> bool:
    """Whether a rule lets more happen than another: by its verdict, or by what it demands of a yes."""
    if rule.verdict is not other.verdict:
        return severity(rule.verdict) < severity(other.verdict)
    return rule.verdict is Verdict.CONFIRM and demands_less(rule.terms, other.terms)


def demands_less(terms: Terms, other: Terms) -> bool:
    """Whether a yes may be given in a way that would not do for the other terms."""
    if other.pin and not terms.pin:
        return True
    if (terms.seconds or DEFAULT_SECONDS) > (other.seconds or DEFAULT_SECONDS):
        return True
    return other.approvers is not None and (terms.approvers is None or not set(terms.approvers) <= set(other.approvers))


def _common(mine: Sequence[Box], theirs: Sequence[Box]) -> Iterator[Box]:
    for one in mine:
        for other in theirs:
            both = tuple(left & right for left, right in zip(one, other, strict=True))
            if all(both):
                yield both
