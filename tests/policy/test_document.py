"""A policy table as a document: what it says, what of it is said again, and that nothing is lost on the way."""

import json
import re
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.policy.decision import decide, tool_question
from custom_components.edgehome.policy.document import FIELDS, RESERVED, DocumentError, slug, table_of, to_document
from custom_components.edgehome.policy.presets import PRESETS
from custom_components.edgehome.policy.requirement import NO_TERMS, Terms
from custom_components.edgehome.policy.rule import HomeCondition, PolicyRule, Verdict
from custom_components.edgehome.policy.table import UNREADABLE, PolicyTable

ALLOW, CONFIRM, DENY = Verdict.ALLOW, Verdict.CONFIRM, Verdict.DENY
COVERS = (
    "awning", "blind", "cover", "curtain", "damper", "door", "garage_door", "gate", "shade", "shutter", "window",
)  # fmt: skip
PLAYERS, SWITCHES = ("media_player", "speaker", "tv"), ("outlet", "switch")

LIT = HomeCondition(entity_id="light.x", states=("on",))

# Tables as documents make them: types in full and sorted, days in order, presence before states before conditions.

words = st.lists(st.text(min_size=1, max_size=8), max_size=3).map(tuple)
names = st.text(max_size=20)
minutes = st.integers(0, 24 * 60 - 1)
LARGEST = 2**63
"""No number is as large."""
numbers = st.integers(1 - LARGEST, LARGEST - 1) | st.floats(
    -LARGEST, LARGEST, exclude_min=True, exclude_max=True, allow_nan=False
)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def as_json(value: object) -> str:
    """A value as text, always the same."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


presence = st.sampled_from([(), (HomeCondition(states=("home",)),), (HomeCondition(states=("not_home",)),)])
states = st.builds(
    HomeCondition,
    entity_id=st.sampled_from(["light.x", "alarm_control_panel.y"]),
    states=st.lists(st.sampled_from(["on", "off", "armed_away", "21.5"]), min_size=1, max_size=3).map(tuple),
)
conditions = st.dictionaries(st.text(max_size=5), json_values, max_size=3).map(
    lambda one: HomeCondition(raw=as_json(one))
)
homes = st.tuples(presence, st.lists(states, max_size=2), st.lists(conditions, max_size=2)).map(
    lambda parts: (*parts[0], *parts[1], *parts[2])
)
types = st.lists(
    st.sampled_from(
        [
            ("light",),
            ("lock",),
            COVERS,
            ("gate", "garage_door"),
            PLAYERS,
            ("tv",),
            SWITCHES,
            ("outlet",),
            ("spaceship",),
        ]
    ),
    max_size=4,
).map(lambda several: tuple(sorted({one for kinds in several for one in kinds})))
terms = st.builds(
    Terms,
    approvers=st.none() | words.filter(bool),
    seconds=st.none() | st.integers(10, 900),
    pin=st.booleans(),
)
anyone: dict[str, Any] = {
    "id": st.just(""),
    "name": names,
    "agents": words,
    "speakers": words,
    "origins": words,
    "weekdays": st.sets(st.integers(0, 6)).map(lambda days: tuple(sorted(days))),
    "hours": st.none() | st.tuples(minutes, minutes),
    "home": homes,
}
what: dict[str, Any] = {
    "operations": st.lists(st.from_regex(r"[a-z0-9_]{1,8}", fullmatch=True), max_size=3).map(tuple),
    "effects": st.lists(st.sampled_from(["read", "adjust", "secure", "unsecure", "motion", "run"])).map(tuple),
    "device_types": types,
    "risk": st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda ends: (min(ends), max(ends))),
    "areas": words,
    "floors": words,
    "labels": words,
    "entities": words,
}
tool: dict[str, Any] = {
    "tool": st.text(min_size=1, max_size=10),
    "tool_input": st.dictionaries(st.text(max_size=5), json_values, max_size=3).map(
        lambda sent: tuple(sorted((name, as_json(value)) for name, value in sent.items()))
    ),
}
verdicts = st.sampled_from([(ALLOW, st.just(NO_TERMS)), (DENY, st.just(NO_TERMS)), (CONFIRM, terms)])
rules = verdicts.flatmap(
    lambda said: (
        st.builds(PolicyRule, verdict=st.just(said[0]), terms=said[1], **anyone, **what)
        | st.builds(PolicyRule, verdict=st.just(said[0]), terms=said[1], **anyone, **tool)
    )
)
tables = st.builds(
    lambda name, several: PolicyTable(
        name=name, rules=tuple(PolicyRule(**{**vars(rule), "id": f"r{number}"}) for number, rule in enumerate(several))
    ),
    st.text(min_size=1, max_size=20).filter(lambda name: name != UNREADABLE.name),
    st.lists(rules, max_size=5),
)


@given(table=tables)
def test_round_trip(table: PolicyTable) -> None:
    """A table that was written and read, also as text, is the same table with the same digest, and is written the same."""
    document = to_document(table)
    read = table_of(json.loads(json.dumps(document)))
    assert read == table
    assert read.digest == table.digest
    assert to_document(read) == document


@pytest.mark.parametrize("table", PRESETS.values(), ids=PRESETS.keys())
def test_presets(table: PolicyTable) -> None:
    """So are the tables that an owner can start from."""
    assert table_of(to_document(table)) == table


@pytest.mark.parametrize(
    ("said", "told"),
    [
        pytest.param(["light"], ("light",), id="one"),
        pytest.param(["cover"], COVERS, id="all covers"),
        pytest.param(["media_player"], PLAYERS, id="all players"),
        pytest.param(["switch"], SWITCHES, id="all switches"),
        pytest.param(["lock", "switch", "light"], ("light", "lock", "outlet", "switch"), id="one word among others"),
        pytest.param(["garage_door", "gate"], ("garage_door", "gate"), id="some covers"),
        pytest.param(["gate", "garage_door"], ("garage_door", "gate"), id="in any order"),
        pytest.param(["tv"], ("tv",), id="one player"),
        pytest.param(["tv", "tv"], ("tv",), id="once"),
        pytest.param(["spaceship"], ("spaceship",), id="a word that is none"),
        pytest.param(["outlet", "light", "switch"], ("light", "outlet", "switch"), id="apart"),
        pytest.param(["light", "tv", "lock", "media_player"], ("light", "lock", "media_player", "speaker", "tv"), id="a part before"),
    ],
)  # fmt: skip
def test_types(said: list[str], told: tuple[str, ...]) -> None:
    """Types are put in full and kept sorted, said again in few words, and mean the same when they are read again."""
    table = table_of({"rules": [{"verdict": "allow", "device_types": said}]})
    assert table.rules[0].device_types == told
    assert len(to_document(table)["rules"][0]["device_types"]) <= len(said)
    again = table_of(to_document(table))
    assert again.rules[0].device_types == told
    assert again.digest == table.digest


@pytest.mark.parametrize(
    ("said", "told"),
    [
        pytest.param(["Lamps", "bulb", "light"], ["light"], id="synonyms"),
        pytest.param([*reversed(COVERS)], ["cover"], id="all covers one by one"),
        pytest.param(["roller shutter", "Garage"], ["garage_door", "shutter"], id="everyday words"),
    ],
)
def test_words(said: list[str], told: list[str]) -> None:
    """Types are said again in as few plain words as say the same."""
    (rule,) = to_document(table_of({"rules": [{"verdict": "allow", "device_types": said}]}))["rules"]
    assert rule["device_types"] == told


@pytest.mark.parametrize(
    ("row", "told"),
    [
        pytest.param({"operations": "Turn On"}, {"operations": ("turn_on",)}, id="an operation as people write it"),
        pytest.param({"operations": [" LOCK ", "unlock"]}, {"operations": ("lock", "unlock")}, id="several"),
        pytest.param({"risk": 4}, {"risk": (4, 4)}, id="one risk"),
        pytest.param({"risk": [0, 3]}, {"risk": (0, 3)}, id="two"),
        pytest.param({"states": {"entity": "light.x", "states": "on"}}, {"home": (LIT,)}, id="one state"),
        pytest.param({"conditions": {"condition": "sun"}}, {"home": (HomeCondition(raw='{"condition": "sun"}'),)}, id="one condition"),
        pytest.param({"weekdays": "sun"}, {"weekdays": (6,)}, id="one day"),
        pytest.param({"weekdays": ["sun", "mon", "sun"]}, {"weekdays": (0, 6)}, id="days twice"),
    ],
)  # fmt: skip
def test_one_for_several(row: dict[str, Any], told: dict[str, Any]) -> None:
    """One thing stands for a list of it, and words are taken as people write them."""
    table = table_of({"rules": [{"id": "r", "verdict": "deny", **row}]})
    assert table.rules == (PolicyRule(**{"id": "r", "verdict": DENY, **told}),)
    assert table_of(to_document(table)) == table


@pytest.mark.parametrize(
    "row",
    [
        pytest.param({"operations": ["lock", " "]}, id="an operation of blanks"),
        pytest.param({"operations": ["ß" * 200]}, id="one that is longer in small letters"),
        pytest.param({"device_types": ["lock", " "]}, id="a type of blanks"),
        pytest.param({"areas": [" "]}, id="a room of blanks"),
    ],
)
def test_kept(row: dict[str, Any]) -> None:
    """What a document says is refused, or can be read again."""
    try:
        table = table_of({"rules": [{"verdict": "deny", **row}]})
    except DocumentError:
        return
    assert table_of(to_document(table)) == table


DOCUMENT = """
name: ours
rules:
  - id: at_night
    name: At night
    verdict: confirm
    operations: unlock
    effects: unsecure
    device_types: [lock, garage]
    risk: [3, 5]
    agents: hermes
    speakers: [anna, bert]
    origins: hall
    areas: [hall]
    floors: ground
    labels: doors
    entities: lock.front
    weekdays: [sun, mon]
    from: 22:30
    to: 06:00
    somebody_home: false
    states: [{entity: input_boolean.night, states: on}, {entity: alarm_control_panel.a, states: [armed_away, off]}]
    conditions: [{condition: sun, after: sunset}]
    approvers: anna
    seconds: 60
    pin: true
  - verdict: allow
    tool: mail
    input: {to: Zoë, n: 2, cc: [b, a]}
"""
AT_NIGHT = PolicyRule(
    id="at_night",
    name="At night",
    verdict=CONFIRM,
    operations=("unlock",),
    effects=("unsecure",),
    device_types=("garage_door", "lock"),
    risk=(3, 5),
    agents=("hermes",),
    speakers=("anna", "bert"),
    origins=("hall",),
    areas=("hall",),
    floors=("ground",),
    labels=("doors",),
    entities=("lock.front",),
    weekdays=(0, 6),
    hours=(1350, 360),
    home=(
        HomeCondition(states=("not_home",)),
        HomeCondition(entity_id="input_boolean.night", states=("on",)),
        HomeCondition(entity_id="alarm_control_panel.a", states=("armed_away", "off")),
        HomeCondition(raw='{"after": "sunset", "condition": "sun"}'),
    ),
    terms=Terms(approvers=("anna",), seconds=60, pin=True),
)


def test_everything() -> None:
    """All that a row may say, as YAML has it: one word stands for a list of it."""
    table = table_of(yaml.safe_load(DOCUMENT))
    assert (table.name, table.rules[0]) == ("ours", AT_NIGHT)
    mail = table.rules[1]
    assert (mail.id, mail.tool, [name for name, _ in mail.tool_input]) == ("allow_mail", "mail", ["cc", "n", "to"])
    assert [json.loads(value) for _, value in mail.tool_input] == [["b", "a"], 2, "Zoë"]
    (said, _) = to_document(table)["rules"]
    assert {*said} == {*FIELDS} - {"tool", "input"}


def test_nothing() -> None:
    """A row says only what it does not leave open."""
    table = table_of({"rules": [{"verdict": "allow"}]})
    assert table == PolicyTable(name="own", rules=(PolicyRule(id="allow", verdict=ALLOW),))
    assert to_document(table) == {"version": 1, "name": "own", "rules": [{"id": "allow", "verdict": "allow"}]}
    assert table_of({"rules": []}) == PolicyTable(name="own", rules=())


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        pytest.param("{from: 22:30, to: 23:00}", (1350, 1380), id="a number to YAML"),
        pytest.param("{from: 06:05, to: 09:00}", (365, 540), id="a text to YAML"),
        pytest.param("{from: '22:30', to: '6:00'}", (1350, 360), id="texts"),
        pytest.param("{from: '22:30:00', to: '06:00:00'}", (1350, 360), id="with seconds"),
        pytest.param("{from: 22:30:00, to: 6:00:00}", (1350, 360), id="seconds to YAML"),
        pytest.param("{from: 1:00:00, to: 24:00:00}", (60, 0), id="the first and the last of these"),
        pytest.param("{from: 0:30:00, to: 6:05:00}", (30, 365), id="half past midnight"),
        pytest.param("{from: 0:00, to: 24:00}", (0, 0), id="all day"),
        pytest.param("{from: 18:00, to: '24:00'}", (1080, 0), id="until midnight"),
        pytest.param("{from: 60, to: 1439}", (60, 1439), id="minutes"),
    ],
)
def test_hours(text: str, hours: tuple[int, int]) -> None:
    """Times of day, as YAML and people write them."""
    said = yaml.safe_load(text)
    assert table_of({"rules": [{"verdict": "deny", **said}]}).rules[0].hours == hours


@pytest.mark.parametrize(
    ("text", "states"),
    [
        pytest.param("on", ("on",), id="on"),
        pytest.param("off", ("off",), id="off"),
        pytest.param("'on'", ("on",), id="a text"),
        pytest.param("[on, off, unavailable]", ("on", "off", "unavailable"), id="several"),
        pytest.param("['21']", ("21",), id="a number as text"),
    ],
)
def test_states(text: str, states: tuple[str, ...]) -> None:
    """YAML reads on and off as something else; here they are states."""
    said = {"entity": "light.x", "states": yaml.safe_load(text)}
    table = table_of({"rules": [{"verdict": "deny", "states": [said]}]})
    assert table.rules[0].home == (HomeCondition(entity_id="light.x", states=states),)


@pytest.mark.parametrize(
    ("rows", "ids"),
    [
        pytest.param([{"name": "At Night!"}], ["at_night"], id="of a name"),
        pytest.param([{"name": "Night"}, {"name": "night"}, {"name": "NIGHT "}], ["night", "night_2", "night_3"], id="alike"),
        pytest.param([{"name": "Night"}, {"id": "night"}], ["night_2", "night"], id="taken further down"),
        pytest.param([{"name": "Last row"}, {"name": "floor_opaque"}], ["last_row_2", "floor_opaque_2"], id="EdgeHome's own"),
        pytest.param([{}, {}], ["deny", "deny_2"], id="of the verdict"),
        pytest.param([{"operations": ["unlock", "lock"]}, {"tool": "My mail"}], ["deny_unlock", "deny_my_mail"], id="of what it is about"),
        pytest.param([{"name": "夜"}, {"name": "昼"}], ["rule", "rule_2"], id="no letter that an id may have"),
        pytest.param([{"name": "x" * 100}], ["x" * 50], id="not too long"),
    ],
)  # fmt: skip
def test_ids(rows: list[dict[str, object]], ids: list[str]) -> None:
    """A row without an id gets one, of its name or of what it says, unlike all others."""
    assert [rule.id for rule in table_of({"rules": [{"verdict": "deny", **row} for row in rows]}).rules] == ids


@given(some=st.lists(names | st.sampled_from(["Night", "night", "rule", "last_row"]), max_size=12))
def test_ids_are_unique(some: list[str]) -> None:
    """Whatever the names, all ids differ, none is EdgeHome's own, and each could be said in a document."""
    ids = [rule.id for rule in table_of({"rules": [{"verdict": "deny", "name": name} for name in some]}).rules]
    assert len({*ids}) == len(ids)
    assert not {*ids} & RESERVED
    assert all(re.fullmatch(r"[a-z0-9_]{1,64}", one) for one in ids)


def test_slug() -> None:
    """An id made of words, unlike all that are taken."""
    assert slug("Turn on: the lamp", []) == "turn_on_the_lamp"
    assert slug("a", ["a", "a_2", "a_4"]) == "a_3"
    assert slug("Floor uncertain", []) == "floor_uncertain_2"


@pytest.mark.parametrize(
    ("wanted", "sent", "is_met"),
    [
        pytest.param({}, {"to": "anna"}, True, id="any input"),
        pytest.param({"to": "anna"}, {"to": "anna"}, True, id="the input"),
        pytest.param({"to": "anna"}, {"n": 1, "to": "anna"}, True, id="the input and more"),
        pytest.param({"to": "anna"}, {"to": "bert"}, False, id="another value"),
        pytest.param({"to": "anna"}, {}, False, id="no value"),
        pytest.param({"n": 1}, {"n": "1"}, False, id="a number is no text"),
        pytest.param({"n": 1}, {"n": True}, False, id="nor is it yes"),
        pytest.param({"to": {"a": 1, "b": [2]}}, {"to": {"b": [2], "a": 1}}, True, id="in any order"),
        pytest.param({"to": [1, 2]}, {"to": [2, 1]}, False, id="a list has an order"),
        pytest.param({"room": "Küche"}, {"room": "Küche"}, True, id="letters beyond English"),
        pytest.param({"room": "Küche"}, {"room": "Kuche"}, False, id="other letters"),
    ],
)
def test_input(wanted: dict[str, object], sent: dict[str, object], is_met: bool) -> None:
    """A row about a tool denies the calls whose input has all its values, and no others."""
    rows = [{"verdict": "deny", "tool": "mail", "input": wanted}, {"verdict": "allow", "tool": "mail"}]
    decision = decide(table_of({"rules": rows}), tool_question("mail", sent))
    assert decision.verdict is (DENY if is_met else ALLOW)
