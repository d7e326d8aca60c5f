"""What is wrong with a table in this home: rules about what is not there, and those that do more than they seem to."""

from dataclasses import replace
from typing import Any

import pytest

from custom_components.edgehome.devices import DeviceRecord, OwnersWord
from custom_components.edgehome.policy.lint import Finding, Inventory, Kind, lint
from custom_components.edgehome.policy.presets import PRESETS
from custom_components.edgehome.policy.requirement import Terms
from custom_components.edgehome.policy.rule import HomeCondition, PolicyRule, Verdict
from custom_components.edgehome.policy.table import PolicyTable

ALLOW, CONFIRM, DENY = Verdict.ALLOW, Verdict.CONFIRM, Verdict.DENY

LAMP = DeviceRecord(
    entity_id="light.lamp", key="key-1", name="Lamp", device_type="light", area_id="hall", floor_id="ground", labels=("cosy",)
)  # fmt: skip
STOVE = replace(LAMP, entity_id="light.stove", key="key-2", name="Stove", area_id="kitchen", owner=OwnersWord(risk=3))
DOOR = DeviceRecord(entity_id="lock.door", key="key-3", name="Door", device_type="lock", area_id="hall")
IN_HOME = Inventory(
    devices=(LAMP, STOVE, DOOR),
    agents=frozenset({"hermes"}),
    approvers={"anna": True, "bert": False},
    users=frozenset({"user-1"}),
    areas=frozenset({"hall", "kitchen"}),
    floors=frozenset({"ground"}),
    labels=frozenset({"cosy"}),
    entities=frozenset({"key-1", "key-2", "key-3", "light.lamp"}),
)
NO_PINS = replace(IN_HOME, approvers={"anna": False, "bert": False})


def found(row: dict[str, Any], home: Inventory = IN_HOME) -> list[tuple[Kind, str]]:
    """What is found about one row; that it allows nothing is found about its table."""
    rule = PolicyRule(**{"id": "r", "verdict": ALLOW, **row})
    findings = lint(PolicyTable(name="made", rules=(rule,)), (), home)
    assert not any(one.is_error for one in findings)
    return [(one.kind, one.about) for one in findings if one.rule == "r" and one.kind is not Kind.UNTOLD]


@pytest.mark.parametrize(
    ("row", "gone"),
    [
        pytest.param({"agents": ("hermes",)}, "", id="an agent"),
        pytest.param({"agents": ("hermes", "iris")}, "agents: iris", id="an agent that is gone"),
        pytest.param({"speakers": ("user-1",)}, "", id="a person who speaks"),
        pytest.param({"speakers": ("user-1", "user-2")}, "speakers: user-2", id="one who is gone"),
        pytest.param({"speakers": ("anna",)}, "speakers: anna", id="an approver is no user"),
        pytest.param({"origins": ("hall", "loft")}, "origins: loft", id="a room that nobody speaks in any more"),
        pytest.param({"areas": ("hall",)}, "", id="a room"),
        pytest.param({"areas": ("hall", "loft")}, "areas: loft", id="a room that is gone"),
        pytest.param({"floors": ("ground", "first")}, "floors: first", id="a floor"),
        pytest.param({"labels": ("cosy", "old")}, "labels: old", id="a label"),
        pytest.param({"entities": ("key-1", "light.lamp")}, "", id="a device under both its ids"),
        pytest.param({"entities": ("key-1", "key-9")}, "entities: key-9", id="a device"),
        pytest.param({"verdict": CONFIRM, "terms": Terms(approvers=("anna", "bert"))}, "", id="approvers"),
        pytest.param(
            {"verdict": CONFIRM, "terms": Terms(approvers=("anna", "cleo"))}, "approvers: cleo", id="an approver"
        ),
        pytest.param(
            {"home": (HomeCondition(entity_id="light.lamp", states=("on",)), HomeCondition(states=("home",)))},
            "",
            id="a state of a device",
        ),
        pytest.param(
            {"home": (HomeCondition(entity_id="light.gone", states=("on",)),)},
            "entities: light.gone",
            id="a state of a device that is gone",
        ),
        pytest.param(
            {"areas": ("hall", "loft", "attic"), "agents": ("iris",)},
            "agents: iris, areas: loft, areas: attic",
            id="several things",
        ),
        pytest.param({"tool": "mail", "agents": ("iris",)}, "agents: iris", id="a rule about a tool"),
    ],
)
def test_gone(row: dict[str, Any], gone: str) -> None:
    """What a rule names and is not there is told, all of it in one line."""
    assert found(row) == ([(Kind.GONE, gone)] if gone else [])


@pytest.mark.parametrize(
    ("row", "is_here"),
    [
        pytest.param({}, True, id="everything"),
        pytest.param({"device_types": ("light",)}, True, id="a type"),
        pytest.param({"device_types": ("siren", "lock")}, True, id="one of its types"),
        pytest.param({"device_types": ("siren",)}, False, id="a type that nobody has"),
        pytest.param({"areas": ("kitchen",)}, True, id="a room"),
        pytest.param({"areas": ("kitchen",), "device_types": ("lock",)}, False, id="no lock in this room"),
        pytest.param({"floors": ("ground",), "device_types": ("lock",)}, False, id="no lock on this floor"),
        pytest.param({"labels": ("cosy",)}, True, id="a label"),
        pytest.param({"labels": ("cosy",), "device_types": ("lock",)}, False, id="no lock with this label"),
        pytest.param({"entities": ("key-3",)}, True, id="a device by its key"),
        pytest.param({"entities": ("light.lamp",)}, True, id="a device by its name"),
        pytest.param({"entities": ("key-3",), "device_types": ("light",)}, False, id="a device of another type"),
        pytest.param({"tool": "mail"}, True, id="a tool is not looked for"),
    ],
)
def test_not_here(row: dict[str, Any], is_here: bool) -> None:
    """A rule about devices that nobody may name in this home is told."""
    assert found(row) == ([] if is_here else [(Kind.NOT_HERE, "")])


def test_nothing_here() -> None:
    """In an empty home no rule is about anything."""
    assert found({}, Inventory()) == [(Kind.NOT_HERE, "")]


@pytest.mark.parametrize(
    ("terms", "home", "is_told"),
    [
        pytest.param(Terms(pin=True), IN_HOME, False, id="one of them has a PIN"),
        pytest.param(Terms(pin=True), NO_PINS, True, id="nobody has a PIN"),
        pytest.param(Terms(pin=True), replace(IN_HOME, approvers={}), True, id="there is nobody"),
        pytest.param(Terms(seconds=60), NO_PINS, False, id="none is asked for"),
        pytest.param(Terms(pin=True, approvers=("anna",)), IN_HOME, False, id="who is asked has one"),
        pytest.param(
            Terms(pin=True, approvers=("bert", "anna")), IN_HOME, False, id="one of those who are asked has one"
        ),
        pytest.param(Terms(pin=True, approvers=("bert",)), IN_HOME, True, id="only who is not asked has one"),
    ],
)
def test_no_pin(terms: Terms, home: Inventory, is_told: bool) -> None:
    """A rule that asks for a PIN that nobody has refuses everything."""
    assert found({"verdict": CONFIRM, "terms": terms}, home) == ([(Kind.NO_PIN, "")] if is_told else [])


SIX = replace(IN_HOME, devices=tuple(replace(STOVE, name=f"Stove {number}") for number in range(1, 7)))


@pytest.mark.parametrize(
    ("row", "home", "about"),
    [
        pytest.param({"operations": ("set_brightness",)}, IN_HOME, "set_brightness: Stove", id="dimming"),
        pytest.param({"operations": ("turn_off", "set_color")}, IN_HOME, "set_color: Stove", id="coloring"),
        pytest.param({"operations": ("set_color_temperature",)}, IN_HOME, "set_color_temperature: Stove", id="warming"),
        pytest.param({"operations": ("turn_on",)}, IN_HOME, "", id="switching on says what it does"),
        pytest.param({"operations": ("turn_off",)}, IN_HOME, "", id="switching off switches nothing on"),
        pytest.param({}, IN_HOME, "", id="everything is everything"),
        pytest.param({"operations": ("set_brightness",), "verdict": CONFIRM}, IN_HOME, "", id="a human is asked"),
        pytest.param({"operations": ("set_brightness",), "verdict": DENY}, IN_HOME, "", id="it denies"),
        pytest.param({"operations": ("set_brightness",), "risk": (0, 2)}, IN_HOME, "", id="not what is of high risk"),
        pytest.param({"operations": ("set_brightness",), "areas": ("hall",)}, IN_HOME, "", id="not there"),
        pytest.param(
            {"operations": ("set_brightness",)},
            SIX,
            "set_brightness: Stove 1, Stove 2, Stove 3, Stove 4, Stove 5",
            id="five are named",
        ),
    ],
)
def test_also_on(row: dict[str, Any], home: Inventory, about: str) -> None:
    """A rule that allows to dim also switches on: what of it is of high risk is told."""
    assert found({"device_types": ("light",), **row}, home) == ([(Kind.ALSO_ON, about)] if about else [])


def test_no_lock_is_dimmed() -> None:
    """What cannot be dimmed is not switched on by dimming."""
    assert found({"operations": ("set_brightness",)}, replace(IN_HOME, devices=(LAMP, DOOR))) == []


def test_only_where_it_speaks() -> None:
    """A rule that never speaks is an error and nothing else; warnings come after all errors."""
    rules = (
        PolicyRule(id="iris", verdict=DENY, agents=("iris",)),
        PolicyRule(id="all", verdict=DENY),
        PolicyRule(id="loft", verdict=ALLOW, areas=("loft",)),
    )
    findings = lint(PolicyTable(name="made", rules=rules), (), IN_HOME)
    assert [(one.rule, one.kind) for one in findings] == [("loft", Kind.HIDDEN), ("iris", Kind.GONE)]


def test_without_a_home() -> None:
    """Without a home nothing is said about it."""
    rule = PolicyRule(id="r", verdict=ALLOW, areas=("loft",), agents=("iris",))
    assert lint(PolicyTable(name="made", rules=(rule,))) == ()


@pytest.mark.parametrize("table", PRESETS.values(), ids=PRESETS.keys())
def test_presets(table: PolicyTable) -> None:
    """Of the tables to start from it is told which rules are about nothing here, and that dimming also switches on."""
    assert lint(table, (), IN_HOME) == (
        Finding(kind=Kind.NOT_HERE, rule="heating_small"),
        Finding(kind=Kind.NOT_HERE, rule="heating_large"),
        Finding(kind=Kind.ALSO_ON, rule="dimming", about="set_brightness: Stove"),
    )


@pytest.mark.parametrize("row", [{"speakers": ("user-1",)}, {"origins": ("hall",)}])
def test_untold(row: dict[str, Any]) -> None:
    """A rule about who spoke, or where, does not speak as long as no door tells it; the owner is told."""
    rules = (PolicyRule(id="r", verdict=DENY, **row), PolicyRule(id="rest", verdict=ALLOW))
    findings = lint(PolicyTable(name="made", rules=rules), home=IN_HOME)
    assert [one.rule for one in findings if one.kind is Kind.UNTOLD] == ["r"]
