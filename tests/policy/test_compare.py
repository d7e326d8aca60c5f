"""Where a new table is milder: exactly the rules that let more happen somewhere, each with a request that shows it."""

from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from custom_components.edgehome.policy.compare import Widening, demands_less, widenings
from custom_components.edgehome.policy.presets import BALANCED, PRESETS, STRICT
from custom_components.edgehome.policy.requirement import NO_TERMS, Terms
from custom_components.edgehome.policy.rule import Circumstances, HomeCondition, PolicyRule, Subject, Verdict, severity
from custom_components.edgehome.policy.space import known_deeds
from custom_components.edgehome.policy.table import UNREADABLE, PolicyTable
from tests.policy.made_points import (
    AWAY,
    DEEDS,
    DEVICE_TABLES,
    DOUBTFUL_TABLES,
    HOME,
    LIT,
    MIXED_TABLES,
    TABLES,
    TOOL_TABLES,
    Point,
    first,
    fits,
    is_known,
    points,
    said,
)

ALLOW, CONFIRM, DENY = Verdict.ALLOW, Verdict.CONFIRM, Verdict.DENY
YESES = tuple(product(("anna", "bert", "cleo"), (0, 10, 20, 60, 120, 121, 500, 900), (False, True)))
"""Ways to say yes: who, after how many seconds, with a PIN or not."""
TERMS = st.builds(
    Terms,
    approvers=st.none() | st.lists(st.sampled_from(("anna", "bert")), min_size=1, unique=True).map(tuple),
    seconds=st.none() | st.sampled_from((10, 20, 60, 120, 500)),
    pin=st.booleans(),
)


ANNAS = Terms(approvers=("anna",))


def counts(terms: Terms, who: str, after: int, with_pin: bool) -> bool:
    """Whether a yes is given as a rule wants it, where nobody chose another time than the usual one."""
    return (
        (terms.approvers is None or who in terms.approvers)
        and after <= (120 if terms.seconds is None else terms.seconds)
        and (with_pin or not terms.pin)
    )


def lets_more(new: tuple[Verdict, Terms], old: tuple[Verdict, Terms]) -> bool:
    """Whether something happens after the new word that would not have after the old one, or without being asked."""
    if new[0] is CONFIRM and old[0] is CONFIRM:
        return any(counts(new[1], *yes) and not counts(old[1], *yes) for yes in YESES)
    return severity(new[0]) < severity(old[0])


def by_looking(old: PolicyTable, new: PolicyTable, every: list[Point]) -> dict[str, list[Point]]:
    """The requests for which the new table is milder, in doubt too, by the rule of it that certainly speaks then."""
    found: dict[str, list[Point]] = {}
    for point in every:
        if lets_more(said(new, point), said(old, point)):
            found.setdefault(first(new, point).id, []).append(point)
    return found


def by_asking(old: PolicyTable, new: PolicyTable, every: list[Point]) -> set[tuple[str, str]]:
    """The same by asking all rules that may speak: whose certainly speaks, and than which of the old ones all are milder."""
    return {
        (mine[-1].id, other.id)
        for point in every
        for mine in (list(new.speaking(*point)),)
        for other in old.speaking(*point)
        if all(lets_more((one.verdict, one.terms), (other.verdict, other.terms)) for one in mine)
    }


@given(one=TERMS, other=TERMS)
def test_demands_less(one: Terms, other: Terms) -> None:
    """A rule demands less exactly if some yes would do for it that would not for the other."""
    assert demands_less(one, other) is any(counts(one, *yes) and not counts(other, *yes) for yes in YESES)


@pytest.mark.parametrize(
    ("new", "old", "less"),
    [
        pytest.param(NO_TERMS, NO_TERMS, False, id="nothing and nothing"),
        pytest.param(NO_TERMS, Terms(pin=True), True, id="no PIN any more"),
        pytest.param(Terms(pin=True), NO_TERMS, False, id="a PIN now"),
        pytest.param(Terms(seconds=60), Terms(seconds=20), True, id="longer"),
        pytest.param(Terms(seconds=20), Terms(seconds=60), False, id="shorter"),
        pytest.param(NO_TERMS, Terms(seconds=20), True, id="as long as usual"),
        pytest.param(Terms(seconds=120), NO_TERMS, False, id="as long as usual, in words"),
        pytest.param(Terms(seconds=121), NO_TERMS, True, id="longer than usual"),
        pytest.param(NO_TERMS, Terms(seconds=500), False, id="no longer than usual"),
        pytest.param(Terms(approvers=("anna", "bert")), Terms(approvers=("anna",)), True, id="one person more"),
        pytest.param(Terms(approvers=("anna",)), Terms(approvers=("bert", "anna")), False, id="one person less"),
        pytest.param(Terms(approvers=("bert",)), Terms(approvers=("anna",)), True, id="another person"),
        pytest.param(NO_TERMS, Terms(approvers=("anna",)), True, id="everybody"),
        pytest.param(Terms(pin=True, seconds=60), Terms(seconds=20), True, id="a PIN does not make up for time"),
    ],
)
def test_terms(new: Terms, old: Terms, less: bool) -> None:
    """What a rule demands of a yes, by example; the rule is milder if it demands less."""
    assert demands_less(new, old) is less
    before, after = (table_of({"verdict": CONFIRM, "terms": terms}) for terms in (old, new))
    assert [one.rule for one in widenings(before, after, DEEDS)] == (["a"] if less else [])


def check(old: PolicyTable, new: PolicyTable, seen: Counter[str]) -> None:
    """Holds what is told against every request, those included where nobody knows how the home is.

    Where several rules may ask, what they demand together may be no less than before, though each demands less: there it is
    told all the same.
    """
    told, every = list(widenings(old, new, DEEDS)), points(old, new)
    milder, rules = by_looking(old, new, every), {one.rule for one in told}
    assert sorted((one.rule, one.before) for one in told) == sorted(by_asking(old, new, every))
    assert milder.keys() <= rules
    for one in told:
        meant = [point for point in every if fits(one.witness, point)]
        assert meant
        for point in meant:
            mine, theirs = list(new.speaking(*point)), {other.id: other for other in old.speaking(*point)}
            assert (mine[-1].id, mine[-1].verdict, theirs[one.before].verdict) == (one.rule, one.verdict, one.was)
            asking = [rule for rule in mine if rule.verdict is CONFIRM]
            assert lets_more(said(new, point), said(old, point)) or len(asking) > 1
    seen.update(pairs=1, rules=len(new.rules), milder=len(milder), pairs_of_rules=len(told), requests=len(every))
    seen["told, though together they demand as much"] += len(rules - milder.keys())
    seen["where something is unknown"] += sum(not is_known(point) for point in every)
    seen["milder only where it is unknown"] += sum(not any(map(is_known, where)) for where in milder.values())


def run(pairs: st.SearchStrategy[tuple[PolicyTable, PolicyTable]], most: int) -> Counter[str]:
    """Checks so many pairs of tables; what was seen."""
    seen: Counter[str] = Counter()

    @given(pair=pairs)
    @settings(max_examples=most)
    def check_all(pair: tuple[PolicyTable, PolicyTable]) -> None:
        check(*pair, seen)

    check_all()
    print(dict(seen))
    return seen


def test_devices() -> None:
    """Of rules about devices exactly those are told that are milder somewhere, and each witness is such a place."""
    seen = run(st.tuples(DEVICE_TABLES, DEVICE_TABLES), 100)
    assert seen["milder"] >= 20 <= seen["rules"] - seen["milder"]


def test_tools() -> None:
    """So it is with rules about tools."""
    assert run(st.tuples(TOOL_TABLES, TOOL_TABLES), 50)["milder"] >= 10


def test_both() -> None:
    """Rules about devices and rules about tools never meet."""
    assert run(st.tuples(MIXED_TABLES, MIXED_TABLES), 30)["milder"] >= 10


def test_one_rule_changed() -> None:
    """So it is where one rule is put in the place of another."""
    assert run(st.tuples(DEVICE_TABLES, st.integers(0, 7), DEVICE_TABLES).map(changed), 100)["milder"] >= 10


def changed(parts: tuple[PolicyTable, int, PolicyTable]) -> tuple[PolicyTable, PolicyTable]:
    """A table, and the same with a rule of another one in the place of one of its own."""
    old, place, other = parts
    rules = (*old.rules[:place], *other.rules[:1], *old.rules[place + 1 :])
    return old, PolicyTable(name="made", rules=tuple(dict.fromkeys(rules)))


def test_in_doubt() -> None:
    """So it is where much depends on the home, and nobody may know how it is."""
    seen = run(st.tuples(DOUBTFUL_TABLES, DOUBTFUL_TABLES), 150)
    assert seen["milder"] >= 20 <= seen["where something is unknown"]


HOMES: tuple[tuple[HomeCondition, ...], ...] = ((), (HOME,), (AWAY,))
BY_DAY: list[dict[str, Any]] = [
    {"verdict": verdict, "home": home, "weekdays": days}
    for verdict in (ALLOW, DENY)
    for home in HOMES
    for days in ((), (0,))
]
BY_TERMS: list[dict[str, Any]] = [
    *({"verdict": CONFIRM, "home": home, "terms": terms} for home in HOMES for terms in (Terms(pin=True), ANNAS)),
    *({"verdict": verdict, "home": (HOME,)} for verdict in (ALLOW, DENY)),
]
MOMENTS = [
    (Subject("lock", "lock", 4, "secure"), Circumstances(weekday=day, holds={HOME: home, AWAY: away}))
    for day in (0, 1)
    for home, away in ((True, False), (False, True), (None, None))
]
"""All that these rows tell apart."""


@pytest.mark.parametrize(
    ("rows", "lasts"),
    [
        pytest.param(BY_DAY, [{"verdict": ALLOW}, {"verdict": CONFIRM}], id="days"),
        pytest.param(BY_TERMS, [{"verdict": CONFIRM}, {"verdict": CONFIRM, "terms": Terms(pin=True)}], id="terms"),
    ],
)
def test_every_small_change(rows: list[dict[str, Any]], lasts: list[dict[str, Any]]) -> None:
    """All tables of two rows and a last one, each row changed into each other: told is what is milder, and no more."""
    seen: Counter[str] = Counter()
    for some in product(rows, rows, lasts):
        old = table_of(*some)
        for place, row in ((place, row) for place, others in enumerate((rows, rows, lasts)) for row in others):
            new = table_of(*some[:place], row, *some[place + 1 :])
            found, milder = list(widenings(old, new, DEEDS[:1])), by_looking(old, new, MOMENTS)
            assert {one.rule for one in found} == milder.keys()
            assert sorted((one.rule, one.before) for one in found) == sorted(by_asking(old, new, MOMENTS))
            is_in_doubt = not any(is_known(point) for where in milder.values() for point in where)
            seen.update(pairs=1, milder=bool(milder), only_where_it_is_unknown=bool(milder) and is_in_doubt)
    print(dict(seen))
    assert seen["only_where_it_is_unknown"] >= 20


@given(table=TABLES)
def test_the_same(table: PolicyTable) -> None:
    """A table is nowhere milder than itself, nor is one that denies everything."""
    assert list(widenings(table, table, DEEDS)) == []
    assert list(widenings(table, UNREADABLE, DEEDS)) == []


def table_of(*rows: dict[str, Any]) -> PolicyTable:
    """A table of rows that allow, called a, b, c and so on."""
    rules = (PolicyRule(**{"id": "abcdefgh"[number], "verdict": ALLOW, **row}) for number, row in enumerate(rows))
    return PolicyTable(name="made", rules=tuple(rules))


LOCKING = {"operation": "lock", "device_type": "lock"}
ON_MONDAYS, IF_LIT = {"weekdays": (0,)}, {"home": (LIT,)}
NOTHING, EVERYTHING = table_of(), table_of({})
ASKING, DENYING = table_of({"verdict": CONFIRM}), table_of({"verdict": DENY})


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        pytest.param(NOTHING, NOTHING, [], id="nothing"),
        pytest.param(NOTHING, EVERYTHING, [("a", ALLOW, "last_row", DENY, LOCKING)], id="all that nothing mentioned"),
        pytest.param(NOTHING, ASKING, [("a", CONFIRM, "last_row", DENY, LOCKING)], id="asking is milder than denying"),
        pytest.param(NOTHING, DENYING, [], id="denied by a rule or by none"),
        pytest.param(EVERYTHING, ASKING, [], id="stricter"),
        pytest.param(ASKING, EVERYTHING, [("a", ALLOW, "a", CONFIRM, LOCKING)], id="unasked"),
        pytest.param(
            table_of({"verdict": DENY, "risk": (4, 5)}, {}),
            table_of({"verdict": DENY, "risk": (5, 5)}, {}),
            [("b", ALLOW, "a", DENY, {**LOCKING, "risk": 4})],
            id="one risk less is denied",
        ),
        pytest.param(
            table_of({"verdict": DENY, "operations": ("unlock",)}, {}),
            table_of({}, {"verdict": DENY, "operations": ("unlock",)}),
            [("a", ALLOW, "a", DENY, {"operation": "unlock", "device_type": "lock"})],
            id="another order",
        ),
        pytest.param(
            table_of({}),
            table_of({"risk": (0, 2)}, {"risk": (3, 5)}),
            [],
            id="the same in two rules",
        ),
        pytest.param(
            table_of({"verdict": DENY, "risk": (4, 5)}, {"verdict": CONFIRM, "risk": (1, 3)}, {}),
            EVERYTHING,
            [("a", ALLOW, "a", DENY, {**LOCKING, "risk": 4}), ("a", ALLOW, "b", CONFIRM, {**LOCKING, "risk": 3})],
            id="than several rules, each at the risk that is nearest to the operation's own",
        ),
        pytest.param(
            table_of({"agents": ("hermes",)}),
            table_of({"agents": ("hermes", "iris")}),
            [("a", ALLOW, "last_row", DENY, {**LOCKING, "agents": "iris"})],
            id="one agent more",
        ),
        pytest.param(
            table_of({"verdict": DENY, "hours": (1320, 360)}, {}),
            table_of({"verdict": DENY, "hours": (1380, 360)}, {}),
            [("b", ALLOW, "a", DENY, {**LOCKING, "minute": "22:00"})],
            id="an hour later",
        ),
        pytest.param(
            table_of({"verdict": DENY, "labels": ("doors", "outside")}, {}),
            table_of({"verdict": DENY, "labels": ("doors",)}, {}),
            [("b", ALLOW, "a", DENY, {**LOCKING, "labels": ["outside"]})],
            id="one label less",
        ),
        pytest.param(
            table_of({"home": (HOME,)}),
            table_of({"home": (HOME,)}, {"home": (AWAY,), "verdict": CONFIRM}),
            [("b", CONFIRM, "last_row", DENY, {**LOCKING, "home ": "not_home"})],
            id="when nobody is home",
        ),
        pytest.param(
            table_of({"home": (HomeCondition(entity_id="light.x", states=("on",)),)}),
            table_of({"home": (HomeCondition(entity_id="light.x", states=("on", "off")),)}),
            [("a", ALLOW, "last_row", DENY, {**LOCKING, "home light.x": "off"})],
            id="in one state more",
        ),
        pytest.param(
            table_of({**ON_MONDAYS, **IF_LIT}, {**IF_LIT, "verdict": DENY}, {}),
            table_of(ON_MONDAYS, {**IF_LIT, "verdict": DENY}, {}),
            [("a", ALLOW, "b", DENY, {**LOCKING, "weekday": "mon", "home light.x": "not known"})],
            id="only where nobody knows",
        ),
        pytest.param(
            table_of({"verdict": DENY, "home": (HOME,)}, {"verdict": DENY, "home": (AWAY,)}, {"verdict": CONFIRM}),
            table_of({"verdict": DENY, "home": (HOME,)}, {"verdict": DENY, "home": (AWAY,)}, {}),
            [],
            id="where nobody knows the strictest counts before and after",
        ),
        pytest.param(
            table_of({"verdict": DENY, **IF_LIT}, {}),
            table_of({"verdict": CONFIRM, **IF_LIT}, {"verdict": DENY, **IF_LIT}, {}),
            [("a", CONFIRM, "a", DENY, {**LOCKING, "home light.x": "on"})],
            id="a rule that hides another where it is known",
        ),
        pytest.param(
            table_of({"tool": "mail", "verdict": DENY}, {}),
            table_of({"tool": "mail"}, {}),
            [("a", ALLOW, "a", DENY, {"tool": "mail"})],
            id="a tool that was denied",
        ),
        pytest.param(
            table_of({}),
            table_of({}, {"tool": "mail"}),
            [("b", ALLOW, "last_row", DENY, {"tool": "mail"})],
            id="a tool that nothing mentioned",
        ),
        pytest.param(
            table_of({"tool": "mail", "tool_input": (("to", '"a"'),)}),
            table_of({"tool": "mail"}),
            [("a", ALLOW, "last_row", DENY, {"tool": "mail", "input to": "any other"})],
            id="a tool with any input",
        ),
    ],
)
def test_found(
    old: PolicyTable, new: PolicyTable, found: list[tuple[str, Verdict, str, Verdict, dict[str, object]]]
) -> None:
    """Which rule is milder than which, and where."""
    told = [(one.rule, one.verdict, one.before, one.was, one.witness) for one in widenings(old, new, DEEDS)]
    assert told == found


@pytest.mark.parametrize("table", PRESETS.values(), ids=PRESETS.keys())
def test_presets_themselves(table: PolicyTable) -> None:
    """No preset is milder than itself."""
    assert list(widenings(table, table, known_deeds())) == []


UNLOCKING = {**LOCKING, "operation": "unlock"}


def test_presets() -> None:
    """Balanced lets lock unasked and unlock with a yes; strict allows the unlocking of what is harmless, which nothing is."""
    assert list(widenings(STRICT, BALANCED, known_deeds())) == [
        Widening(rule="locking", verdict=ALLOW, before="no_locking", was=DENY, witness={**LOCKING, "risk": 4}),
        Widening(rule="locking", verdict=ALLOW, before="locks_ask", was=CONFIRM, witness={**LOCKING, "risk": 3}),
        Widening(
            rule="unlocking_asks", verdict=CONFIRM, before="no_unlocking", was=DENY, witness={**UNLOCKING, "risk": 4}
        ),
    ]
    assert list(widenings(BALANCED, STRICT, known_deeds())) == [
        Widening(rule="harmless", verdict=ALLOW, before="unlocking_asks", was=CONFIRM, witness={**UNLOCKING, "risk": 2})
    ]


def test_what_is_not_looked_at_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes too many pieces to find out counts as milder (R2)."""
    old = table_of({"verdict": DENY}, {})
    new = table_of({"verdict": DENY, "risk": (0, 2)}, {"verdict": DENY, "risk": (3, 5)}, {})
    assert list(widenings(old, new, DEEDS)) == []
    monkeypatch.setattr("custom_components.edgehome.policy.compare.MOST_PIECES", 0)
    assert [(one.rule, one.before) for one in widenings(old, new, DEEDS)] == [("c", "a"), ("c", "last_row")]
