"""Everything that rules can be asked about, cut into as few pieces as they tell apart (no Home Assistant here).

A rule speaks about boxes: in each dimension a set of values, kept as bits. Whether rules hide another is whether their boxes
cover its boxes; what is left over is a witness that they do not.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, partial
from operator import attrgetter

from ..catalogue import DOMAINS, operations_of
from ..catalogue.device_types import classes_of, words
from ..catalogue.operation import meanings
from ..catalogue.risk import base_risk, effect_on
from ..devices import CustomOperation
from ..models import CustomVerb, Intent, Verb
from ..plan import Effect
from .rule import HomeCondition, PolicyRule
from .table import PolicyTable

type Box = tuple[int, ...]
type Deed = tuple[str, str, str]
"""An operation, a device type, and the effect of the one on the other."""

OTHER = None
"""Any value that no rule names."""
_AUTOMATION = "automation"
"""Only scripts and scenes do something to these."""


class Unknown(Enum):
    """What nobody knows of the home: no condition is certainly met then. No state is this."""

    UNKNOWN = "not known"


UNKNOWN = Unknown.UNKNOWN

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HOURS = 24 * 60
_NAMED = ("agents", "speakers", "origins", "areas", "floors", "entities")


MOST_PIECES = 5_000
"""So many pieces are looked at for one rule."""


class TooManyPiecesError(Exception):
    """The rules cut each other into more pieces than can be looked at."""


@dataclass(frozen=True)
class Dimension:
    """One thing that rules look at: its name, its values, and which of them a rule speaks about, as bits.

    ``doubt`` are those at which nobody knows: there every rule may speak.
    """

    name: str
    values: tuple[object, ...]
    bits: Callable[[PolicyRule], int]
    doubt: int = 0


@lru_cache
def known_deeds(customs: tuple[CustomOperation, ...] = ()) -> tuple[Deed, ...]:
    """What can be done at all: every operation of the catalogue, and the owner's own, on every type of device."""
    types = {domain: classes_of(domain) or (domain,) for domain in (*sorted(DOMAINS), *(one.domain for one in customs))}
    listed = (
        (name.value, kind, effect_on(kind, names[-1], row.effect).value)
        for domain in sorted(DOMAINS)
        for kind in types[domain]
        for row in operations_of(domain)
        for names in ((row.intent,), *((row.intent, *meant) for meant in meanings(row)))
        for name in names
    )
    kinds = (*words(), *(kind for several in types.values() for kind in several), _AUTOMATION)
    reads = ((Intent.STATUS.value, kind, Effect.READ.value) for kind in kinds)
    reached = (
        (one.value, _AUTOMATION, Effect.ADJUST.value) for one in (Intent.TURN_ON, Intent.TURN_OFF, Intent.TOGGLE)
    )
    own = ((one.name, kind, one.effect) for one in customs for kind in types[one.domain])
    return tuple(dict.fromkeys((*listed, *reads, *reached, *own)))


def deeds_for(tables: Iterable[PolicyTable], customs: Iterable[CustomOperation] = ()) -> tuple[Deed, ...]:
    """What can be done at all, on types of devices too that only these tables know: their states can be read."""
    known = known_deeds(tuple(customs))
    kinds = {kind for _, kind, _ in known}
    said = dict.fromkeys(kind for table in tables for rule in table.rules for kind in rule.device_types)
    return (*known, *((Intent.STATUS.value, kind, Effect.READ.value) for kind in said if kind not in kinds))


class Space:
    """The dimensions that some rules look at: all of them rules about devices, or all about tools (R16)."""

    def __init__(self, rules: Sequence[PolicyRule], deeds: Sequence[Deed]) -> None:
        self.labels = tuple(dict.fromkeys(label for rule in rules for label in rule.labels))
        self.dimensions = tuple(_dimensions(rules, deeds))
        # By identity: to hash a rule costs more than its boxes. The rule is kept, so that no other gets its id.
        self._boxes: dict[tuple[int, bool], tuple[PolicyRule, list[Box]]] = {}

    def boxes(self, rule: PolicyRule, *, in_doubt: bool = False) -> list[Box]:
        """The boxes that a rule certainly speaks about: one for each of its labels, any of which suffices.

        ``in_doubt`` are those that it may speak about too, where something of the home is not known.
        """
        key = (id(rule), in_doubt)
        if key not in self._boxes:
            self._boxes[key] = (rule, self._worked_out(rule, in_doubt=in_doubt))
        return self._boxes[key][1]

    def _worked_out(self, rule: PolicyRule, *, in_doubt: bool) -> list[Box]:
        plain = tuple(one.bits(rule) | (one.doubt if in_doubt else 0) for one in self.dimensions)
        if not all(plain):
            return []
        if not rule.labels:
            return [plain + (0b11,) * len(self.labels)]
        return [plain + tuple(0b10 if one == label else 0b11 for one in self.labels) for label in rule.labels]

    def point(self, box: Box) -> dict[str, object]:
        """One of the points of a box in words, without what the box leaves open."""
        point: dict[str, object] = {}
        for dimension, bits in zip(self.dimensions, box, strict=False):
            value = dimension.values[(bits & -bits).bit_length() - 1]
            if dimension.name == "risk":
                value = _likely(bits, point)
            if dimension.name == "deed" and isinstance(value, tuple):
                point |= {"operation": value[0], "device_type": value[1]}
            elif bits != (1 << len(dimension.values)) - 1:
                point[dimension.name] = _told(dimension.name, value)
        there = zip(self.labels, box[len(self.dimensions) :], strict=True)
        labels = [label for label, bits in there if not bits & 0b01]
        return {**point, "labels": labels} if labels else point


def _likely(bits: int, point: Mapping[str, object]) -> int:
    """The risk that an operation has by itself, or the nearest above that is meant."""
    base = base_risk(str(point["device_type"]), _verb(str(point["operation"])))
    meant = [risk for risk in range(6) if bits >> risk & 1]
    return min(meant, key=lambda risk: (risk < base, abs(risk - base)))


def _verb(word: str) -> Verb:
    return Intent(word) if word in Intent else CustomVerb(word)


def _told(name: str, value: object) -> object:
    if isinstance(value, int) and name == "weekday":
        return DAYS[value]
    if isinstance(value, int) and name == "minute":
        return f"{value // 60:02}:{value % 60:02}"
    if value is UNKNOWN:
        return UNKNOWN.value
    return "any other" if value is OTHER else value


def _dimensions(rules: Sequence[PolicyRule], deeds: Sequence[Deed]) -> Iterator[Dimension]:
    if any(rule.tool for rule in rules):
        yield _valued("tool", [rule.tool for rule in rules], lambda rule: (rule.tool,) if rule.tool else ())
        for key in dict.fromkeys(key for rule in rules for key, _ in rule.tool_input):
            said = [value for rule in rules for name, value in rule.tool_input if name == key]
            yield _valued(f"input {key}", said, partial(_sent, key))
    else:
        yield Dimension("deed", tuple(deeds), lambda rule: _mask(_does(rule, deed) for deed in deeds))
        yield Dimension(
            "risk", tuple(range(6)), lambda rule: _mask(rule.risk[0] <= one <= rule.risk[1] for one in range(6))
        )
    for name in _NAMED:
        if any(getattr(rule, name) for rule in rules):
            said = [value for rule in rules for value in getattr(rule, name)]
            yield _valued(name, said, attrgetter(name))
    yield Dimension(
        "weekday", tuple(range(7)), lambda rule: _mask(not rule.weekdays or day in rule.weekdays for day in range(7))
    )
    starts = tuple(sorted({0, *(end % _HOURS for rule in rules if rule.hours for end in rule.hours)}))
    yield Dimension("minute", starts, lambda rule: _mask(rule.is_at(minute) for minute in starts))
    conditions = dict.fromkeys(condition for rule in rules for condition in rule.home)
    for about in dict.fromkeys(condition.raw or condition.entity_id for condition in conditions):
        yield _of_home(about, [one for one in conditions if (one.raw or one.entity_id) == about])


def _sent(key: str, rule: PolicyRule) -> tuple[str, ...]:
    return tuple(value for name, value in rule.tool_input if name == key)


def _does(rule: PolicyRule, deed: Deed) -> bool:
    operation, device_type, effect = deed
    return (
        (not rule.operations or operation in rule.operations)
        and (not rule.device_types or device_type in rule.device_types)
        and (not rule.effects or effect in rule.effects)
    )


def _valued(name: str, said: Iterable[str], of: Callable[[PolicyRule], Sequence[str]]) -> Dimension:
    """A dimension of names: those that rules say, and any other."""
    values: tuple[str | None, ...] = (OTHER, *dict.fromkeys(said))
    return Dimension(name, values, lambda rule: _mask(not of(rule) or value in of(rule) for value in values))


def _of_home(about: str, conditions: list[HomeCondition]) -> Dimension:
    """How something in the home is: each state that is asked for, another one, or unknown."""
    if conditions[0].raw:
        values: tuple[object, ...] = (True, False, UNKNOWN)
        return Dimension(
            f"condition {about}", values, lambda rule: 0b001 if conditions[0] in rule.home else 0b111, 0b100
        )
    states = tuple(dict.fromkeys(state for one in conditions for state in one.states))
    # Somebody is home or nobody is: there is no third. What an entity is in may be anything else.
    values = (*states, UNKNOWN) if not about and len(states) > 1 else (*states, OTHER, UNKNOWN)

    def bits(rule: PolicyRule) -> int:
        wanted = [one for one in conditions if one in rule.home]
        if not wanted:
            return (1 << len(values)) - 1
        return _mask(value is not UNKNOWN and all(value in one.states for one in wanted) for value in values)

    return Dimension(f"home {about}", values, bits, 1 << (len(values) - 1))


def _mask(met: Iterable[bool]) -> int:
    return sum(1 << place for place, is_met in enumerate(met) if is_met)


def left_over(box: Box, covers: Iterable[Box], most: int) -> Box | None:
    """A part of a box that no cover reaches, or None if they cover it.

    Raises:
        TooManyPiecesError: it took more than ``most`` pieces to find out.
    """
    stack = [(box, [cover for cover in covers if _meet(box, cover)])]
    while stack:
        most -= 1
        if most < 0:
            raise TooManyPiecesError
        rest, near = stack.pop()
        near = [cover for cover in near if _meet(rest, cover)]
        if not near:
            return rest
        # The cover that leaves the fewest pieces tells the most.
        cover = min(near, key=lambda one: sum(1 for mine, its in zip(rest, one, strict=True) if mine & ~its))
        others = [one for one in near if one is not cover]
        for place, its in enumerate(cover):
            if outside := rest[place] & ~its:
                stack.append(((*rest[:place], outside, *rest[place + 1 :]), others))
                rest = (*rest[:place], rest[place] & its, *rest[place + 1 :])
    return None


def _meet(one: Box, other: Box) -> bool:
    return all(mine & its for mine, its in zip(one, other, strict=True))
