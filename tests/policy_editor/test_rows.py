"""A rule as a row of the form: what is left out, what is said otherwise, and the line that sums it up."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from custom_components.edgehome.policy.document import table_of, to_document
from custom_components.edgehome.policy.space import DAYS
from custom_components.edgehome.policy_editor.rows import row_of, rule_from, summary, with_entities

WORDS = st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=4)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
TIME = st.tuples(st.integers(0, 23), st.integers(0, 59)).map(lambda time: f"{time[0]:02}:{time[1]:02}")
ENTITY = st.from_regex(r"\A[a-z]{1,5}\.[a-z0-9_]{1,9}\Z")
OPTIONAL: dict[str, st.SearchStrategy[Any]] = {
    "operations": st.lists(st.sampled_from(["turn_on", "status", "wipe"]), min_size=1, unique=True),
    **dict.fromkeys(("agents", "speakers", "origins", "areas", "floors", "labels", "entities"), WORDS),
    "device_types": st.lists(st.sampled_from(["garage_door", "light", "lock", "tv"]), min_size=1, unique=True).map(
        sorted
    ),
    "effects": st.lists(st.sampled_from(["read", "adjust", "motion"]), min_size=1, unique=True),
    "risk": st.sampled_from([[0, 2], [3, 5], [1, 1]]),
    "weekdays": st.lists(st.sampled_from(DAYS), min_size=1, unique=True).map(lambda days: sorted(days, key=DAYS.index)),
    "somebody_home": st.booleans(),
    "states": st.lists(st.fixed_dictionaries({"entity": ENTITY, "states": WORDS}), min_size=1, max_size=2),
    "conditions": st.lists(st.dictionaries(st.text(min_size=1), JSON, min_size=1, max_size=3), min_size=1, max_size=2),
}
DEVICES = st.fixed_dictionaries({}, optional=OPTIONAL)
TOOLS = st.fixed_dictionaries(
    {"tool": st.text(min_size=1, max_size=20)},
    optional={"input": st.dictionaries(st.text(min_size=1), JSON, min_size=1), "agents": WORDS},
)
HOURS: st.SearchStrategy[dict[str, str]] = st.fixed_dictionaries({}) | st.fixed_dictionaries({"from": TIME, "to": TIME})
TERMS = st.fixed_dictionaries(
    {"verdict": st.just("confirm")},
    optional={"approvers": WORDS, "seconds": st.integers(10, 900), "pin": st.sampled_from([True])},
)
VERDICTS = st.fixed_dictionaries({"verdict": st.sampled_from(["allow", "deny"])}) | TERMS
NAMED = st.fixed_dictionaries({"id": st.just("mine"), "name": st.text(min_size=1, max_size=100)})


@st.composite
def rules(draw: st.DrawFn) -> dict[str, Any]:
    """Any rule, as a document has it."""
    parts = [draw(NAMED), draw(VERDICTS), draw(DEVICES | TOOLS), draw(HOURS)]
    return {name: value for part in parts for name, value in part.items()}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(rule=rules())
async def test_any_rule(hass: HomeAssistant, rule: dict[str, Any]) -> None:
    """Whatever a rule says, its row says the same, and nothing else."""
    row = row_of(hass, rule, {})
    assert rule_from(row) == rule
    assert row["summary"]
    assert {"risk", "somebody_home"} & row.keys() == set()


@settings(max_examples=300)
@given(rule=rules())
def test_any_rule_is_told_whole(rule: dict[str, Any]) -> None:
    """A table says in its document what the document said, and reads itself again."""
    table = table_of({"name": "mine", "rules": [rule]})
    assert to_document(table)["rules"] == [rule]
    assert table_of(to_document(table)) == table


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        pytest.param({}, {}, id="nothing"),
        pytest.param(
            {"name": "", "areas": [], "input": {}, "pin": False, "tool": None, "seconds": None}, {}, id="left empty"
        ),
        pytest.param({"summary": "allow"}, {}, id="the line is not part of the rule"),
        pytest.param({"risk_from": 3.0}, {"risk": [3, 5]}, id="only from a risk on"),
        pytest.param({"risk_to": 2.0}, {"risk": [0, 2]}, id="only up to a risk"),
        pytest.param({"risk_from": 0, "risk_to": 0}, {"risk": [0, 0]}, id="zero is a risk"),
        pytest.param({"presence": "somebody"}, {"somebody_home": True}, id="somebody is home"),
        pytest.param({"presence": "nobody"}, {"somebody_home": False}, id="nobody is home"),
        pytest.param({"presence": None}, {}, id="whoever is home"),
        pytest.param({"seconds": 20.0}, {"seconds": 20}, id="seconds are whole"),
        pytest.param({"from": "22:30:00", "to": "06:00:00"}, {"from": "22:30", "to": "06:00"}, id="times"),
        pytest.param({"conditions": {"condition": "sun"}}, {"conditions": [{"condition": "sun"}]}, id="one condition"),
        pytest.param({"pin": True}, {"pin": True}, id="a PIN"),
    ],
)
def test_rule_from(row: dict[str, Any], rule: dict[str, Any]) -> None:
    """What a row leaves empty the rule leaves open."""
    assert rule_from({"verdict": "deny", **row}) == {"verdict": "deny", **rule}


def test_a_rule_without_a_name(hass: HomeAssistant) -> None:
    """In the list a rule without a name is called by its id."""
    assert row_of(hass, {"id": "mine", "verdict": "deny"}, {})["name"] == "mine"
    assert row_of(hass, {"id": "mine", "verdict": "deny", "name": "Mine"}, {})["name"] == "Mine"


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        pytest.param({}, "Deny", id="everything"),
        pytest.param({"operations": ["open"], "device_types": ["door"]}, "Deny · open · door", id="what"),
        pytest.param({"areas": ["a", "b", "c"]}, "Deny · a, b, c", id="three of a kind"),
        pytest.param({"areas": ["a", "b", "c", "d"]}, "Deny · 4 areas", id="more are counted"),
        pytest.param({"device_types": ["a", "b", "c", "d"]}, "Deny · 4 device types", id="kinds are counted"),
        pytest.param({"risk": [3, 5]}, "Deny · risk 3-5", id="risk"),
        pytest.param({"from": "22:00", "to": "06:00", "weekdays": ["sun"]}, "Deny · sun · 22:00-06:00", id="when"),
        pytest.param({"from": "22:00"}, "Deny · 22:00-…", id="without an end"),
        pytest.param({"somebody_home": False}, "Deny · nobody is home", id="nobody is home"),
        pytest.param({"somebody_home": True}, "Deny · somebody is home", id="somebody is home"),
        pytest.param({"states": [{"entity": "a.b", "states": ["on"]}]}, "Deny · if the home is so", id="states"),
        pytest.param({"conditions": [{"condition": "sun"}]}, "Deny · if the home is so", id="conditions"),
        pytest.param({"tool": "calculator", "input": {"a": 1}}, "Deny · calculator", id="tool"),
        pytest.param({"agents": ["h"], "speakers": ["x"]}, "Deny · Hermes · x", id="who, by name"),
        pytest.param(
            {"verdict": "confirm", "pin": True, "approvers": ["h"]}, "Ask a person with a PIN · asks Hermes", id="asks"
        ),
        pytest.param({"verdict": "allow", "effects": ["read"]}, "Allow · only reads", id="effects"),
    ],
)
def test_summary(rule: dict[str, Any], line: str) -> None:
    """A rule in a line, as the list of the form shows it."""
    assert summary({"id": "mine", "verdict": "deny", **rule}, {"h": "Hermes"}) == line


@pytest.mark.parametrize(
    ("said", "entities"), [("light.a", ["LIGHT.A"]), (["light.a", "b"], ["LIGHT.A", "B"]), ((), None), ([], None)]
)
def test_with_entities(said: object, entities: list[str] | None) -> None:
    """Entities are called otherwise, and nothing else is touched."""
    rule = {"verdict": "deny", "name": "a", "entities": said}
    assert with_entities(rule, str.upper) == {**rule, "entities": said if entities is None else entities}
