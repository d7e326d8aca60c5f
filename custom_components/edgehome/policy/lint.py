"""What is wrong with a policy table: rules that never speak, and rules that say more than their owner may think.

Errors stop a save, warnings are shown (no Home Assistant here).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ..catalogue import OPERATIONS, operation
from ..catalogue.risk import base_risk
from ..devices import CustomOperation, DeviceRecord
from ..models import Intent
from .rule import PolicyRule, Verdict
from .space import MOST_PIECES, Box, Deed, Space, TooManyPiecesError, deeds_for, left_over
from .table import PolicyTable

HIGH = 3
"""From this risk on it is told what a rule also switches on."""
_ALSO_ON = frozenset(
    row.intent.value
    for row in OPERATIONS
    if row.intent is not Intent.TURN_ON and (row.service or "").endswith(".turn_on")
) - {Intent.ACTIVATE.value, Intent.RUN.value}
"""Operations that switch on what is off."""


class Kind(StrEnum):
    """What is found. The first two are errors."""

    HIDDEN = "hidden"
    IMPOSSIBLE = "impossible"
    UNDECIDED = "undecided"
    NOT_HERE = "not_here"
    ALSO_ON = "also_on"
    GONE = "gone"
    NO_PIN = "no_pin"
    NOTHING = "nothing"
    UNTOLD = "untold"


ERRORS = frozenset({Kind.HIDDEN, Kind.IMPOSSIBLE})


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Something that is wrong with a rule. ``by`` are the rules that hide it, ``witness`` a request that shows it."""

    kind: Kind
    rule: str
    by: tuple[str, ...] = ()
    witness: Mapping[str, object] = field(default_factory=dict)
    about: str = ""

    @property
    def is_error(self) -> bool:
        """Whether it stops a save."""
        return self.kind in ERRORS


@dataclass(frozen=True, kw_only=True)
class Inventory:
    """What there is in a home for rules to speak about: ids, and people by whether they have a PIN."""

    devices: tuple[DeviceRecord, ...] = ()
    agents: frozenset[str] = frozenset()
    approvers: Mapping[str, bool] = field(default_factory=dict)
    users: frozenset[str] = frozenset()
    areas: frozenset[str] = frozenset()
    floors: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()


def lint(
    table: PolicyTable, customs: Sequence[CustomOperation] = (), home: Inventory | None = None
) -> tuple[Finding, ...]:
    """Everything that is wrong with a table, in the order of its rules."""
    found = list(_unreachable(table, deeds_for((table,), customs)))
    silent = {finding.rule for finding in found if finding.is_error}
    for rule in table.rules:
        if home is not None and rule.id not in silent:
            found += _in_this_home(rule, home)
    if not any(rule.verdict is not Verdict.DENY and not rule.tool for rule in table.rules):
        found.append(Finding(kind=Kind.NOTHING, rule="", about="everything is denied, reading too"))
    place = {rule.id: number for number, rule in enumerate(table.rules)}
    return tuple(sorted(found, key=lambda one: (not one.is_error, place.get(one.rule, -1))))


def _unreachable(table: PolicyTable, deeds: Sequence[Deed]) -> Iterator[Finding]:
    for rules in (
        [rule for rule in table.rules if not rule.tool],
        [rule for rule in table.rules if rule.tool],
    ):
        space = Space(rules, deeds)
        before: list[tuple[PolicyRule, Box]] = []
        for rule in rules:
            boxes = space.boxes(rule)
            if not boxes:
                yield Finding(kind=Kind.IMPOSSIBLE, rule=rule.id)
                continue
            try:
                if all(_is_covered(box, before) for box in boxes):
                    witness = _witness(space, boxes, before)
                    yield Finding(kind=Kind.HIDDEN, rule=rule.id, by=_fewest(boxes, before), witness=witness)
                    continue  # What never speaks hides nothing.
            except TooManyPiecesError:
                yield Finding(kind=Kind.UNDECIDED, rule=rule.id)
            before += [(rule, box) for box in boxes]


def _is_covered(box: Box, before: Sequence[tuple[PolicyRule, Box]]) -> bool:
    return left_over(box, [cover for _, cover in before], MOST_PIECES) is None


def _fewest(boxes: Sequence[Box], before: Sequence[tuple[PolicyRule, Box]]) -> tuple[str, ...]:
    """The rules that hide these boxes, without those that are not needed for it."""
    needed = [(rule, cover) for rule, cover in before if any(_touch(box, cover) for box in boxes)]
    for rule, _ in needed:
        alone = [(other, cover) for other, cover in needed if other is rule]
        if all(_is_covered(box, alone) for box in boxes):
            return (rule.id,)
    for rule_id in dict.fromkeys([rule.id for rule, _ in needed]):
        fewer = [(other, cover) for other, cover in needed if other.id != rule_id]
        if all(_is_covered(box, fewer) for box in boxes):
            needed = fewer
    return tuple(dict.fromkeys(rule.id for rule, _ in needed))


def _touch(box: Box, cover: Box) -> bool:
    return all(mine & its for mine, its in zip(box, cover, strict=True))


def _witness(space: Space, boxes: Sequence[Box], before: Sequence[tuple[PolicyRule, Box]]) -> dict[str, object]:
    """A request that the hidden rule would speak about, and the first rule that does instead."""
    hider, both = next(
        (rule, tuple(mine & its for mine, its in zip(box, cover, strict=True)))
        for rule, cover in before
        for box in boxes
        if _touch(box, cover)
    )
    return {**space.point(both), "decided_by": hider.id}


def _in_this_home(rule: PolicyRule, home: Inventory) -> Iterator[Finding]:
    gone = [
        *_missing("agents", rule.agents, home.agents),
        *_missing("speakers", rule.speakers, home.users),
        *_missing("areas", rule.areas, home.areas),
        *_missing("origins", rule.origins, home.areas),
        *_missing("floors", rule.floors, home.floors),
        *_missing("labels", rule.labels, home.labels),
        *_missing("entities", rule.entities, home.entities),
        *_missing("approvers", rule.terms.approvers or (), home.approvers.keys()),
        *_missing("entities", [one.entity_id for one in rule.home if one.entity_id], home.entities),
    ]
    if gone:
        yield Finding(kind=Kind.GONE, rule=rule.id, about=", ".join(gone))
    asked = rule.terms.approvers or tuple(home.approvers)
    if rule.terms.pin and not any(home.approvers.get(one) for one in asked):
        yield Finding(kind=Kind.NO_PIN, rule=rule.id)
    if rule.speakers or rule.origins:
        yield Finding(kind=Kind.UNTOLD, rule=rule.id)
    if rule.tool:
        return
    met = [device for device in home.devices if _may_be_about(rule, device)]
    if not met:
        yield Finding(kind=Kind.NOT_HERE, rule=rule.id)
    if rule.verdict is Verdict.ALLOW:
        for wanted in (one for one in rule.operations if one in _ALSO_ON):
            risks = {device.name: _risk(device, Intent(wanted)) for device in met if _can(device, wanted)}
            risky = [name for name, risk in risks.items() if HIGH <= risk <= rule.risk[1]]
            if risky:
                yield Finding(kind=Kind.ALSO_ON, rule=rule.id, about=f"{wanted}: {', '.join(risky[:5])}")


def _missing(kind: str, said: Sequence[str], there: object) -> list[str]:
    return [f"{kind}: {one}" for one in said if one not in there]  # type: ignore[operator]  # sets and keys alike


def _may_be_about(rule: PolicyRule, device: DeviceRecord) -> bool:
    return (
        (not rule.device_types or device.device_type in rule.device_types)
        and (not rule.entities or bool({device.key, device.entity_id} & set(rule.entities)))
        and (not rule.areas or device.area_id in rule.areas)
        and (not rule.floors or device.floor_id in rule.floors)
        and (not rule.labels or bool(set(device.labels) & set(rule.labels)))
    )


def _can(device: DeviceRecord, wanted: str) -> bool:
    return operation(device.domain, Intent(wanted)) is not None


def _risk(device: DeviceRecord, intent: Intent) -> int:
    own = device.owner.risk if device.owner else None
    return base_risk(device.device_type, intent) if own is None else own
