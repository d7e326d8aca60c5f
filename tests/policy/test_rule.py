"""What a row of the policy speaks about: each condition alone, all together, and where it cannot be told."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.policy.rule import Circumstances, HomeCondition, PolicyRule, Subject, Verdict, severity
from custom_components.edgehome.policy.table import LAST_ROW, PolicyTable

HOME = HomeCondition(states=("home",))
AWAY = HomeCondition(states=("not_home",))
NIGHT = HomeCondition(entity_id="input_boolean.night", states=("on",))
ALLOW, CONFIRM, DENY = Verdict.ALLOW, Verdict.CONFIRM, Verdict.DENY

SUBJECT = Subject(
    "unlock", "lock", 4, "unsecure", "lock.front", "key-1", "hall", "ground", ("doors", "outside"),
)  # fmt: skip
NOW = Circumstances(
    principal_id="hermes", speaker="anna", origin="hall", weekday=5, minute=23 * 60, holds={HOME: True, NIGHT: False}
)


@pytest.mark.parametrize(
    ("conditions", "failing"),
    [
        ({}, None),
        ({"operations": ("unlock",)}, None),
        ({"operations": ("lock",)}, "operations"),
        ({"device_types": ("lock",)}, None),
        ({"device_types": ("light",)}, "device_types"),
        ({"effects": ("unsecure",)}, None),
        ({"effects": ("secure",)}, "effects"),
        ({"risk": (4, 5)}, None),
        ({"risk": (0, 3)}, "risk"),
        ({"agents": ("iris", "hermes")}, None),
        ({"agents": ("iris",)}, "agents"),
        ({"speakers": ("anna",)}, None),
        ({"speakers": ("bert",)}, "speakers"),
        ({"origins": ("hall",)}, None),
        ({"origins": ("bed",)}, "origins"),
        ({"entities": ("key-1",)}, None),
        ({"entities": ("lock.front",)}, None),
        ({"entities": ("lock.back", "key-2")}, "entities"),
        ({"areas": ("hall", "bed")}, None),
        ({"areas": ("bed",)}, "areas"),
        ({"floors": ("ground",)}, None),
        ({"floors": ("first",)}, "floors"),
        ({"labels": ("doors",)}, None),
        ({"labels": ("inside",)}, "labels"),
        ({"weekdays": (5, 6)}, None),
        ({"weekdays": (0, 1, 2, 3, 4)}, "weekdays"),
        ({"hours": (22 * 60, 6 * 60)}, None),
        ({"hours": (23 * 60, 24 * 60)}, None),
        ({"hours": (8 * 60, 23 * 60)}, "hours"),
        ({"home": (HOME,)}, None),
        ({"home": (NIGHT,)}, "home"),
        ({"home": (HOME, NIGHT)}, "home"),
        ({"operations": ("lock",), "areas": ("bed",)}, "operations"),
        ({"areas": ("bed",), "weekdays": (0,)}, "areas"),
    ],
)
def test_conditions(conditions: dict[str, Any], failing: str | None) -> None:
    """Each condition is met or not; the first that is not is named."""
    rule = PolicyRule(id="r", verdict=ALLOW, **conditions)
    assert rule.failing(SUBJECT, NOW) == failing
    assert not rule.is_in_doubt(SUBJECT, NOW)


@pytest.mark.parametrize(
    ("minute", "hours", "within"),
    [
        (0, (0, 60), True), (59, (0, 60), True), (60, (0, 60), False),
        (0, (1380, 60), True), (1379, (1380, 60), False), (1380, (1380, 60), True), (700, (1380, 60), False),
        (5, (5, 5), True), (4, (5, 5), True),
    ],
)  # fmt: skip
def test_hours(minute: int, hours: tuple[int, int], within: bool) -> None:
    """A span may go over midnight; one that ends where it starts is the whole day."""
    rule = PolicyRule(id="r", verdict=ALLOW, hours=hours)
    assert (rule.failing(SUBJECT, Circumstances(minute=minute)) is None) is within


SOMEWHERE = Subject("unlock", "lock", 4, is_known=False)
UNKNOWN = Circumstances(holds={HOME: None})


@pytest.mark.parametrize(
    ("rules", "verdict"),
    [
        pytest.param([(ALLOW, {"areas": ("hall",)}), (CONFIRM, {})], CONFIRM, id="allowed in a room: asked"),
        pytest.param([(DENY, {"areas": ("hall",)}), (ALLOW, {})], DENY, id="denied in a room: denied"),
        pytest.param(
            [(CONFIRM, {"areas": ("hall",)}), (DENY, {})], DENY, id="asked in a room, denied elsewhere: denied"
        ),
        pytest.param([(ALLOW, {"entities": ("lock.a",)}), (ALLOW, {})], ALLOW, id="allowed everywhere"),
        pytest.param([(ALLOW, {"areas": ("hall",)})], DENY, id="allowed in a room, mentioned nowhere else: denied"),
        pytest.param([(ALLOW, {}), (DENY, {"areas": ("hall",)})], ALLOW, id="what certainly speaks first"),
    ],
)
def test_a_device_that_is_not_named(rules: list[tuple[Verdict, dict[str, Any]]], verdict: Verdict) -> None:
    """It could be anywhere: the strictest of what may be counts."""
    made = tuple(PolicyRule(id=str(number), verdict=said, **more) for number, (said, more) in enumerate(rules))
    assert PolicyTable(name="made", rules=made).decide(SOMEWHERE).verdict is verdict


@pytest.mark.parametrize(
    ("rules", "verdict"),
    [
        pytest.param([(ALLOW, {"home": (HOME,)}), (CONFIRM, {})], CONFIRM, id="allowed if somebody is home"),
        pytest.param([(DENY, {"home": (HOME,)}), (ALLOW, {})], DENY, id="denied if somebody is home"),
        pytest.param([(ALLOW, {"home": (HOME,)}), (ALLOW, {})], ALLOW, id="all the same"),
        pytest.param([(ALLOW, {"home": (AWAY,)})], DENY, id="a condition that nobody has looked at"),
    ],
)
def test_nobody_knows(rules: list[tuple[Verdict, dict[str, Any]]], verdict: Verdict) -> None:
    """Where a condition cannot be told, the strictest of what may be counts (R2)."""
    made = tuple(PolicyRule(id=str(number), verdict=said, **more) for number, (said, more) in enumerate(rules))
    assert PolicyTable(name="made", rules=made).decide(SUBJECT, UNKNOWN).verdict is verdict


# An evaluator of its own, in other words: all possible worlds are tried, and the strictest answer counts.

some = st.sampled_from
RULES = st.builds(
    PolicyRule,
    id=st.uuids().map(str),
    verdict=some(Verdict),
    operations=st.lists(some(["lock", "unlock"]), max_size=2).map(tuple),
    effects=st.lists(some(["secure", "unsecure"]), max_size=2).map(tuple),
    device_types=st.lists(some(["lock", "light"]), max_size=2).map(tuple),
    risk=st.tuples(st.integers(0, 5), st.integers(0, 5)),
    agents=st.lists(some(["hermes", "iris"]), max_size=2).map(tuple),
    areas=st.lists(some(["hall", "bed"]), max_size=2).map(tuple),
    labels=st.lists(some(["doors", "inside"]), max_size=2).map(tuple),
    entities=st.lists(some(["key-1", "key-2"]), max_size=2).map(tuple),
    weekdays=st.lists(st.integers(0, 6), max_size=3).map(tuple),
    hours=st.none() | st.tuples(st.integers(0, 1439), st.integers(0, 1439)),
    home=st.lists(some([HOME, NIGHT]), max_size=2, unique=True).map(tuple),
)
TABLES = st.builds(PolicyTable, name=st.just("made"), rules=st.lists(RULES, max_size=8).map(tuple))
SUBJECTS = st.builds(
    Subject,
    some(["lock", "unlock"]),
    some(["lock", "light"]),
    st.integers(0, 5),
    some(["secure", "unsecure"]),
    st.just("lock.x"),
    some(["key-1", "key-2", "key-3"]),
    some([None, "hall", "bed"]),
    st.none(),
    st.lists(some(["doors", "inside"]), max_size=2).map(tuple),
)
MOMENTS = st.builds(
    Circumstances,
    principal_id=some(["hermes", "iris"]),
    weekday=st.integers(0, 6),
    minute=st.integers(0, 1439),
    holds=st.fixed_dictionaries({HOME: some([True, False, None]), NIGHT: some([True, False, None])}),
)


def reference(table: PolicyTable, subject: Subject, now: Circumstances) -> Verdict:
    """The verdict by the words of the rules alone."""
    worlds: list[dict[HomeCondition, bool]] = [{}]
    for condition, held in now.holds.items():
        worlds = [
            {**world, condition: value} for world in worlds for value in ([held] if held is not None else [True, False])
        ]
    return max((_in_world(table, subject, now, world) for world in worlds), key=severity)


def _in_world(table: PolicyTable, subject: Subject, now: Circumstances, world: dict[HomeCondition, bool]) -> Verdict:
    for rule in table.rules:
        span = rule.hours
        if (
            (not rule.operations or subject.operation in rule.operations)
            and (not rule.effects or subject.effect in rule.effects)
            and (not rule.device_types or subject.device_type in rule.device_types)
            and subject.risk in range(rule.risk[0], rule.risk[1] + 1)
            and (not rule.agents or now.principal_id in rule.agents)
            and (not rule.areas or subject.area_id in rule.areas)
            and (not rule.labels or any(label in rule.labels for label in subject.labels))
            and (not rule.entities or subject.key in rule.entities)
            and (not rule.weekdays or now.weekday in rule.weekdays)
            and (not span or (now.minute - span[0]) % 1440 < ((span[1] - span[0]) % 1440 or 1440))
            and all(world[condition] for condition in rule.home)
        ):
            return rule.verdict
    return LAST_ROW.verdict


@given(table=TABLES, subject=SUBJECTS, now=MOMENTS)
def test_the_reference_says_the_same(table: PolicyTable, subject: Subject, now: Circumstances) -> None:
    """The table and an independent evaluator agree; in doubt the table is never milder."""
    ours, theirs = table.decide(subject, now).verdict, reference(table, subject, now)
    if None in now.holds.values():
        assert severity(ours) >= severity(theirs)
    else:
        assert ours is theirs


@given(table=TABLES, subject=SUBJECTS, now=MOMENTS, place=st.integers(0, 8), more=RULES)
def test_a_denial_never_widens(
    table: PolicyTable, subject: Subject, now: Circumstances, place: int, more: PolicyRule
) -> None:
    """One more row that denies, wherever it stands, makes nothing milder."""
    denial = PolicyRule(**{**vars(more), "verdict": DENY})
    wider = PolicyTable(name="made", rules=(*table.rules[:place], denial, *table.rules[place:]))
    assert severity(wider.decide(subject, now).verdict) >= severity(table.decide(subject, now).verdict)


@given(table=TABLES, subject=SUBJECTS, now=MOMENTS, place=st.integers(0, 8))
def test_one_allowance_less_never_widens(table: PolicyTable, subject: Subject, now: Circumstances, place: int) -> None:
    """One row that allows taken away, wherever it stood, makes nothing milder."""
    allowing = [rule for rule in table.rules if rule.verdict is ALLOW][place : place + 1]
    fewer = PolicyTable(name="made", rules=tuple(rule for rule in table.rules if rule not in allowing))
    assert severity(fewer.decide(subject, now).verdict) >= severity(table.decide(subject, now).verdict)


@given(table=TABLES, subject=SUBJECTS, now=MOMENTS)
def test_a_place_that_is_not_known_is_never_milder(table: PolicyTable, subject: Subject, now: Circumstances) -> None:
    """Whatever the device turns out to be, the verdict without knowing was as strict."""
    hidden = Subject(subject.operation, subject.device_type, subject.risk, subject.effect, is_known=False)
    assert severity(table.decide(hidden, now).verdict) >= severity(table.decide(subject, now).verdict)


@given(table=TABLES, subject=SUBJECTS, now=MOMENTS)
def test_explained(table: PolicyTable, subject: Subject, now: Circumstances) -> None:
    """The explanation names the rule that decides, and a reason for every row before it."""
    rule, skipped = table.explain(subject, now)
    assert rule == table.decide(subject, now)
    assert all(skipped.values())
    assert len(skipped) == (table.rules.index(rule) if rule in table.rules else len(table.rules))
