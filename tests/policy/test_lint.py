"""Rules that never speak: exactly those that no request whatever could reach, by whom they are hidden, and a request that shows it."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from custom_components.edgehome.devices import CustomOperation
from custom_components.edgehome.policy.compare import widenings
from custom_components.edgehome.policy.lint import Finding, Kind, _unreachable, lint
from custom_components.edgehome.policy.presets import PRESETS
from custom_components.edgehome.policy.rule import HomeCondition, PolicyRule, Subject, Verdict
from custom_components.edgehome.policy.space import deeds_for
from custom_components.edgehome.policy.table import PolicyTable
from tests.policy.made_points import AWAY, DEEDS, HOME, TABLES, certainly, first, fits, points

ALLOW, CONFIRM, DENY = Verdict.ALLOW, Verdict.CONFIRM, Verdict.DENY


def unreachable(table: PolicyTable) -> dict[str, Finding]:
    """What is found in a small world, by rule."""
    return {one.rule: one for one in _unreachable(table, DEEDS)}


def heard(table: PolicyTable) -> dict[str, set[int]]:
    """The numbers of all requests that each rule speaks about beyond doubt."""
    every = list(enumerate(points(table)))
    return {rule.id: {number for number, point in every if certainly(rule, point)} for rule in table.rules}


def by_looking(table: PolicyTable) -> Iterator[tuple[str, Kind]]:
    """The rules that never decide, found by asking about every request."""
    taken: set[int] = set()
    for rule_id, mine in heard(table).items():
        if not mine - taken:
            yield rule_id, Kind.HIDDEN if mine else Kind.IMPOSSIBLE
        taken |= mine


def test_exactly_what_never_decides() -> None:
    """Whatever the table: a rule is found exactly if it is the first to speak nowhere at all."""
    seen: Counter[str] = Counter()

    @given(table=TABLES)
    @settings(max_examples=300)
    def check(table: PolicyTable) -> None:
        found = unreachable(table)
        assert {rule: one.kind for rule, one in found.items()} == dict(by_looking(table))
        seen.update(tables=1, rules=len(table.rules), **Counter(one.kind.value for one in found.values()))
        seen["together"] += sum(len(one.by) > 1 for one in found.values())

    check()
    print(dict(seen))
    assert seen["hidden"] >= 20 <= seen["rules"] - seen["hidden"]


@given(table=TABLES)
@settings(max_examples=100)
def test_who_hides(table: PolicyTable) -> None:
    """Those that are named hide the rule together, all of them stand before it and speak, and none can be left out."""
    found, speaks = unreachable(table), heard(table)
    order = list(speaks)
    for rule, one in found.items():
        if one.kind is Kind.HIDDEN:
            assert speaks[rule] <= set[int]().union(*(speaks[other] for other in one.by))
            assert not set(one.by) & found.keys()
            assert all(order.index(other) < order.index(rule) for other in one.by)
            for left_out in one.by:
                assert not speaks[rule] <= set[int]().union(*(speaks[other] for other in one.by if other != left_out))


@given(table=TABLES)
@settings(max_examples=100)
def test_witness(table: PolicyTable) -> None:
    """Every request that the witness means is one that the hidden rule speaks about, and is decided by whom it names."""
    rules = {rule.id: rule for rule in table.rules}
    for one in unreachable(table).values():
        if one.kind is Kind.HIDDEN:
            meant = [point for point in points(table) if fits(one.witness, point)]
            assert meant
            assert all(certainly(rules[one.rule], point) for point in meant)
            assert {first(table, point).id for point in meant} == {one.witness["decided_by"]}


def table_of(*rows: dict[str, Any]) -> PolicyTable:
    """A table of rows that allow, called a, b, c and so on."""
    rules = (PolicyRule(**{"id": "abcdefgh"[number], "verdict": ALLOW, **row}) for number, row in enumerate(rows))
    return PolicyTable(name="made", rules=tuple(rules))


WORK, FREE = {"weekdays": (0, 1, 2)}, {"weekdays": (3, 4, 5, 6)}
NIGHT, DAY, EVENING = {"hours": (1320, 360)}, {"hours": (360, 1320)}, {"hours": (1380, 60)}
DOORS, OUTSIDE = {"labels": ("doors",)}, {"labels": ("outside",)}
ON, OFF = ({"home": (HomeCondition(entity_id="light.x", states=(state,)),)} for state in ("on", "off"))
EITHER = {"home": (HomeCondition(entity_id="light.x", states=("off", "on")),)}
CALCULATOR, MAIL = {"tool": "calculator"}, {"tool": "mail"}
TO_A = {**MAIL, "tool_input": (("to", '"a"'),)}


@pytest.mark.parametrize(
    ("rows", "hidden"),
    [
        pytest.param([], {}, id="no rule"),
        pytest.param([{}], {}, id="one rule"),
        pytest.param([{}, {"verdict": DENY}], {"b": ("a",)}, id="the same"),
        pytest.param([{}, {"verdict": DENY}, {}], {"b": ("a",), "c": ("a",)}, id="what never speaks hides nothing"),
        pytest.param([{"risk": (0, 3)}, {"risk": (2, 3), "operations": ("lock",)}], {"b": ("a",)}, id="narrower"),
        pytest.param([{"risk": (0, 3)}, {"risk": (2, 4), "operations": ("lock",)}], {}, id="beyond by one risk"),
        pytest.param([{"operations": ("lock",)}, {"operations": ("lock", "unlock")}], {}, id="one word more"),
        pytest.param([{"risk": (0, 2)}, {"risk": (3, 5)}, {}], {"c": ("a", "b")}, id="two halves"),
        pytest.param([WORK, FREE, {}], {"c": ("a", "b")}, id="two parts of the week"),
        pytest.param([WORK, {"weekdays": (3, 4, 5)}, {}], {}, id="not on Sundays"),
        pytest.param([{"risk": (0, 3)}, WORK, FREE, {"risk": (1, 2)}], {"d": ("a",)}, id="one that does it alone"),
        pytest.param([WORK, {"risk": (0, 1)}, FREE, {}], {"d": ("a", "c")}, id="without what is not needed"),
        pytest.param([{"device_types": ("light", "lock")}, {"device_types": ("garage_door",)}, {}], {"c": ("a", "b")}, id="all types"),
        pytest.param([{"effects": ("unsecure",)}, {"operations": ("unlock",)}], {"b": ("a",)}, id="all its effects"),
        pytest.param([{"operations": ("lock",)}, {"effects": ("secure",)}], {"b": ("a",)}, id="all that has the effect"),
        pytest.param([{"agents": ("iris", "hermes")}, {"agents": ("iris",)}], {"b": ("a",)}, id="one of its agents"),
        pytest.param([{"agents": ("iris",)}, {"agents": ("hermes",)}, {}], {}, id="there may be other agents"),
        pytest.param([{"areas": ("hall",)}, {"areas": ("hall",), "floors": ("ground",)}], {"b": ("a",)}, id="a part of a room"),
        pytest.param([{"areas": ("hall",)}, {"entities": ("key-1",)}], {}, id="a device may stand elsewhere"),
        pytest.param([DOORS, {"labels": ("doors",), "risk": (0, 1)}], {"b": ("a",)}, id="the label"),
        pytest.param([{"labels": ("doors", "outside")}, DOORS], {"b": ("a",)}, id="one of its labels"),
        pytest.param([DOORS, {"labels": ("doors", "outside")}], {}, id="one label more"),
        pytest.param([DOORS, OUTSIDE, {"labels": ("doors", "outside")}], {"c": ("a", "b")}, id="both labels"),
        pytest.param([DOORS, OUTSIDE, {}], {}, id="there may be no label"),
        pytest.param([NIGHT, EVENING], {"b": ("a",)}, id="hours over midnight"),
        pytest.param([EVENING, NIGHT], {}, id="longer hours over midnight"),
        pytest.param([NIGHT, DAY, {}], {"c": ("a", "b")}, id="night and day"),
        pytest.param([NIGHT, {"hours": (360, 1319)}, {}], {}, id="but for one minute"),
        pytest.param([{"hours": (5, 5)}, {}], {"b": ("a",)}, id="from one minute to the same: all day"),
        pytest.param([{"home": (HOME,)}, {"home": (HOME,), **NIGHT}], {"b": ("a",)}, id="somebody is home"),
        pytest.param([{"home": (HOME,)}, {"home": (AWAY,)}, {}], {}, id="nobody may know who is home"),
        pytest.param([{"home": (HOME,)}, {"home": (AWAY,)}, {"home": (HOME,)}], {"c": ("a",)}, id="home again"),
        pytest.param([ON, OFF, EITHER], {"c": ("a", "b")}, id="each of its states"),
        pytest.param([EITHER, ON], {"b": ("a",)}, id="one of its states"),
        pytest.param([ON, OFF, {}], {}, id="it may be in another state"),
        pytest.param([{}, CALCULATOR], {}, id="what speaks about devices says nothing of tools"),
        pytest.param([CALCULATOR, MAIL, {}], {}, id="what speaks about tools says nothing of devices"),
        pytest.param([MAIL, CALCULATOR, TO_A], {"c": ("a",)}, id="a tool whatever its input"),
        pytest.param([TO_A, MAIL], {}, id="a tool with one input"),
        pytest.param([{**MAIL, **WORK}, {}, {**MAIL, **FREE}, TO_A], {"d": ("a", "c")}, id="a tool on all days"),
    ],
)  # fmt: skip
def test_hidden(rows: list[dict[str, Any]], hidden: dict[str, tuple[str, ...]]) -> None:
    """Which rules are hidden, and by which others."""
    found = unreachable(table_of(*rows))
    assert {rule: one.by for rule, one in found.items()} == hidden
    assert all(one.kind is Kind.HIDDEN and one.is_error for one in found.values())


LOCKING = {"operation": "lock", "device_type": "lock"}


@pytest.mark.parametrize(
    ("rows", "rule", "witness"),
    [
        pytest.param([{}, {"verdict": DENY}], "b", {**LOCKING, "decided_by": "a"}, id="anything"),
        pytest.param([WORK, FREE, {}], "c", {**LOCKING, "weekday": "mon", "decided_by": "a"}, id="the first of them"),
        pytest.param(
            [{}, {"agents": ("iris",), **DOORS}],
            "b",
            {**LOCKING, "agents": "iris", "labels": ["doors"], "decided_by": "a"},
            id="what the hidden one asks for",
        ),
        pytest.param([MAIL, TO_A], "b", {"tool": "mail", "input to": '"a"', "decided_by": "a"}, id="a tool"),
        pytest.param(
            [WORK, {}, {"weekdays": (2, 3)}],
            "c",
            {**LOCKING, "weekday": "wed", "decided_by": "a"},
            id="by who is the first to speak there, needed or not",
        ),
    ],
)
def test_told(rows: list[dict[str, Any]], rule: str, witness: dict[str, object]) -> None:
    """The request that shows it, in words."""
    assert unreachable(table_of(*rows))[rule].witness == witness


@pytest.mark.parametrize(
    "row",
    [
        pytest.param({"operations": ("unlock",), "device_types": ("light",)}, id="no lamp is unlocked"),
        pytest.param({"operations": ("unlock",), "effects": ("secure",)}, id="unlocking secures nothing"),
        pytest.param({"operations": ("dance",)}, id="no such operation"),
        pytest.param({"risk": (4, 3)}, id="risks upside down"),
        pytest.param({"home": (HOME, AWAY)}, id="somebody and nobody is home"),
        pytest.param({"home": (*ON["home"], *OFF["home"])}, id="on and off"),
    ],
)
def test_impossible(row: dict[str, Any]) -> None:
    """What nothing can ever meet is an error, wherever the rule stands; and it hides nothing."""
    assert lint(table_of(row, {})) == (Finding(kind=Kind.IMPOSSIBLE, rule="a"),)
    assert lint(table_of({"risk": (0, 1)}, row, {})) == (Finding(kind=Kind.IMPOSSIBLE, rule="b"),)


@pytest.mark.parametrize("table", PRESETS.values(), ids=PRESETS.keys())
def test_presets(table: PolicyTable) -> None:
    """Nothing is wrong with the tables that an owner can start from."""
    assert lint(table) == ()


WHISTLE = CustomOperation(name="whistle", domain="vacuum", service="x.whistle", effect="motion", risk=2)


def test_the_owners_operations() -> None:
    """A rule about an operation that the owner added can speak; it cannot once that is gone."""
    table = table_of({"operations": ("whistle",), "device_types": ("vacuum",)})
    assert lint(table, [WHISTLE]) == ()
    assert [one.kind for one in lint(table)] == [Kind.IMPOSSIBLE]
    lamps = table_of({"operations": ("whistle",), "device_types": ("light",)})
    assert [one.kind for one in lint(lamps, [WHISTLE])] == [Kind.IMPOSSIBLE]


def test_the_owners_operation_is_not_covered() -> None:
    """What hides a rule as things are does not once the owner has added an operation."""
    every = ("start", "pause", "dock", "stop", "status")
    table = table_of({"operations": every}, {"device_types": ("mower",)})
    assert [one.kind for one in lint(table)] == [Kind.HIDDEN]
    mow = CustomOperation(name="mow_edges", domain="lawn_mower", service="x.edges", effect="motion", risk=2)
    assert lint(table, [mow]) == ()


@pytest.mark.parametrize(
    ("rows", "is_told"),
    [
        pytest.param([], True, id="no rule"),
        pytest.param([{"verdict": DENY}], True, id="a rule that denies"),
        pytest.param([CALCULATOR], True, id="a tool is allowed"),
        pytest.param([{"operations": ("status",)}], False, id="reading is allowed"),
        pytest.param([{"verdict": CONFIRM}], False, id="somebody is asked"),
        pytest.param([{"verdict": DENY}, {"verdict": CONFIRM}], False, id="it would be, were it not hidden"),
    ],
)
def test_everything_is_denied(rows: list[dict[str, Any]], is_told: bool) -> None:
    """That all devices are denied is told, as a warning, and of no rule."""
    told = [one for one in lint(table_of(*rows)) if one.kind is Kind.NOTHING]
    assert [(one.rule, one.is_error) for one in told] == [("", False)] * is_told


def test_order() -> None:
    """Errors come before warnings, both in the order of the rules."""
    rows: list[dict[str, Any]] = [{"operations": ("dance",)}, {}, {"verdict": DENY}, {"operations": ("sing",)}]
    assert [(one.rule, one.kind) for one in lint(table_of(*rows))] == [
        ("a", Kind.IMPOSSIBLE),
        ("c", Kind.HIDDEN),
        ("d", Kind.IMPOSSIBLE),
    ]


def test_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes too many pieces to find out is a warning, and the rule counts as one that speaks."""
    monkeypatch.setattr("custom_components.edgehome.policy.lint.MOST_PIECES", 1)
    found = lint(table_of(WORK, FREE, {}, {"risk": (0, 1)}))
    assert [(one.rule, one.kind, one.is_error) for one in found] == [
        ("c", Kind.UNDECIDED, False),
        ("d", Kind.UNDECIDED, False),
    ]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param({"operations": ("status",), "device_types": ("lock",)}, id="of a lock"),
        pytest.param({"operations": ("status",), "device_types": ("sensor",)}, id="of a sensor"),
        pytest.param({"device_types": ("binary_sensor",)}, id="of a binary sensor"),
        pytest.param({"operations": ("status",), "device_types": ("weather",)}, id="of the weather"),
    ],
)
def test_reading(row: dict[str, Any]) -> None:
    """A rule about reading can speak about whatever can be read."""
    assert lint(table_of({**row, "verdict": DENY}, {})) == ()


def test_an_operation_that_means_another() -> None:
    """Moving a gate to where it is open unsecures: a rule about that can speak, and one about motion does not hide it."""
    gate = {"operations": ("set_position",), "device_types": ("gate",)}
    assert lint(table_of({**gate, "effects": ("motion",)}, {**gate, "verdict": DENY})) == ()


@pytest.mark.parametrize(
    ("rows", "rule", "kind"),
    [
        pytest.param([{"operations": ("turn_on",), "device_types": ("sensor",)}], "a", Kind.IMPOSSIBLE, id="no sensor is switched"),
        pytest.param([{"operations": ("turn_on",), "device_types": ("weather",)}], "a", Kind.IMPOSSIBLE, id="nor is the weather"),
        pytest.param([{"operations": ("status",)}, {"device_types": ("sensor",)}], "b", Kind.HIDDEN, id="a sensor is only read"),
        pytest.param([{"operations": ("status",)}, {"device_types": ("weather",)}], "b", Kind.HIDDEN, id="so is the weather"),
        pytest.param([{"effects": ("read",)}, {"device_types": ("sensor", "weather")}], "b", Kind.HIDDEN, id="which is a reading"),
    ],
)  # fmt: skip
def test_what_can_only_be_read(rows: list[dict[str, Any]], rule: str, kind: Kind) -> None:
    """Of what can only be read nothing else is known."""
    assert [(one.rule, one.kind) for one in lint(table_of(*rows))] == [(rule, kind)]


@pytest.mark.parametrize(
    "state",
    [
        pytest.param("unavailable", id="unavailable"),
        pytest.param(json.loads('"unknown"'), id="unknown, as a file has it"),
        pytest.param("unknown", id="unknown, as Python has it"),
    ],
)
def test_a_state_that_is_called_unknown(state: str) -> None:
    """A rule may ask for the state of something that does not know its own."""
    unknown = HomeCondition(entity_id="light.x", states=(state,))
    assert lint(table_of({"home": (unknown,), "verdict": DENY}, {})) == ()


def test_what_is_only_reached() -> None:
    """A rule can speak about what no agent may propose but a script may do; what is left out of it is milder."""
    automations = {"operations": ("turn_off",), "device_types": ("automation",)}
    old, new = table_of({**automations, "verdict": DENY}, {}), table_of({})
    assert old.decide(Subject("turn_off", "automation", 5, "adjust")).verdict is DENY
    assert lint(old) == ()
    assert list(widenings(old, new, deeds_for((old, new))))
