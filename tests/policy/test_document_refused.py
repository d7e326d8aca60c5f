"""Documents that are no tables: where, and what is wrong."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.policy.document import MOST_RULES, DocumentError, table_of, to_document
from custom_components.edgehome.policy.table import PolicyTable
from tests import any_json

NAN = float("nan")


def refused(document: object) -> tuple[str, str]:
    """Where a document is wrong, and the whole message."""
    with pytest.raises(DocumentError) as caught:
        table_of(document)
    assert caught.value.message in str(caught.value)
    return caught.value.field, str(caught.value)


@pytest.mark.parametrize(
    ("document", "field", "message"),
    [
        pytest.param(None, "document", "It is no object", id="nothing"),
        pytest.param([], "document", "It is no object", id="a list"),
        pytest.param("rules", "document", "It is no object", id="a text"),
        pytest.param({}, "rules", "It is missing", id="no rules"),
        pytest.param({"rules": None}, "rules", "It is no list", id="rules are nothing"),
        pytest.param({"rules": {}}, "rules", "It is no list", id="rules are an object"),
        pytest.param({"rules": "allow"}, "rules", "It is no list", id="rules are a text"),
        pytest.param({"rules": [None]}, "rules[0]", "It is no object", id="a rule is nothing"),
        pytest.param({"rules": [{"verdict": "allow"}, 3]}, "rules[1]", "It is no object", id="a rule is a number"),
        pytest.param({"version": 2, "rules": []}, "version", "should be 1", id="another version"),
        pytest.param({"version": "1", "rules": []}, "version", "should be 1", id="a version as text"),
        pytest.param({"name": "", "rules": []}, "name", "at least 1", id="no name"),
        pytest.param({"name": "x" * 101, "rules": []}, "name", "at most 100", id="a long name"),
        pytest.param({"name": "unreadable", "rules": []}, "name", "This name is taken", id="the name of what cannot be read"),
        pytest.param({"rules": [], "rule": []}, "rule", "There is no such field", id="an unknown field"),
        pytest.param({"rules": [{"verdict": "allow"}] * 1001}, "rules", "1000", id="too many rules"),
    ],
)  # fmt: skip
def test_document(document: object, field: str, message: str) -> None:
    """What is no document at all."""
    where, told = refused(document)
    assert where == field
    assert message in told


@pytest.mark.parametrize(
    ("row", "field", "message"),
    [
        pytest.param({"verdict": None}, "verdict", "should be 'allow', 'confirm' or 'deny'", id="no verdict"),
        pytest.param({"verdict": "Allow"}, "verdict", "should be 'allow', 'confirm' or 'deny'", id="a verdict in capitals"),
        pytest.param({"verdict": "maybe"}, "verdict", "should be 'allow', 'confirm' or 'deny'", id="another verdict"),
        pytest.param({"room": "hall"}, "room", "There is no such field. Fields of a rule are: id, name, verdict,", id="an unknown field"),
        pytest.param({"start": 5, "end": 6}, "start", "There is no such field", id="from and to by other names"),
        pytest.param({"id": "No Capitals"}, "id", "characters that it may not have", id="an id in capitals"),
        pytest.param({"id": "x" * 65}, "id", "characters that it may not have", id="a long id"),
        pytest.param({"id": "x\n"}, "id", "characters that it may not have", id="an id of two lines"),
        pytest.param({"id": 5}, "id", "It is no text", id="a number for an id"),
        pytest.param({"name": "x" * 101}, "name", "at most 100", id="a long name"),
        pytest.param({"operations": [""]}, "operations[0]", "at least 1", id="an empty word"),
        pytest.param({"operations": ["x", 5]}, "operations[1]", "It is no text", id="a number for a word"),
        pytest.param({"operations": None}, "operations", "It is no list", id="nothing for words"),
        pytest.param({"operations": True}, "operations", "It is no list", id="yes for words"),
        pytest.param({"areas": ["x" * 256]}, "areas[0]", "at most 255", id="a long word"),
        pytest.param({"areas": ["x"] * 201}, "areas", "200", id="too many words"),
        pytest.param({"effects": "open"}, "effects[0]", "'read', 'adjust'", id="another effect"),
        pytest.param({"weekdays": ["monday"]}, "weekdays[0]", "'mon', 'tue'", id="a day in full"),
        pytest.param({"weekdays": 1}, "weekdays[0]", "'mon', 'tue'", id="a day as a number"),
        pytest.param({"risk": [4, 3]}, "", "risk begins above its end", id="risks upside down"),
        pytest.param({"risk": [0, 6]}, "risk[1]", "less than or equal to 5", id="risk 6"),
        pytest.param({"risk": [-1, 5]}, "risk[0]", "greater than or equal to 0", id="risk -1"),
        pytest.param({"risk": [0, NAN]}, "risk[1]", "integer", id="risk NaN"),
        pytest.param({"risk": [0, 4.0]}, "risk[1]", "integer", id="a fraction of risk"),
        pytest.param({"risk": [0, True]}, "risk[1]", "integer", id="risk yes"),
        pytest.param({"risk": 6}, "risk[0]", "less than or equal to 5", id="one risk, 6"),
        pytest.param({"risk": True}, "risk", "It is no list", id="yes for risks"),
        pytest.param({"risk": "high"}, "risk", "It is no list", id="a word for risks"),
        pytest.param({"risk": [3]}, "risk[1]", "It is missing", id="one end of risk"),
        pytest.param({"risk": [1, 2, 3]}, "risk", "at most 2", id="three risks"),
        pytest.param({"from": "22:00"}, "", "from and to belong together", id="from without to"),
        pytest.param({"to": "22:00"}, "", "from and to belong together", id="to without from"),
        pytest.param({"from": "25:00", "to": 60}, "from", "it is no time of day", id="25 o'clock"),
        pytest.param({"from": "22:60", "to": 60}, "from", "it is no time of day", id="60 minutes"),
        pytest.param({"from": "24:01", "to": 60}, "from", "it is no time of day", id="after midnight"),
        pytest.param({"from": "22:30:15", "to": 60}, "from", "it is no time of day", id="seconds"),
        pytest.param({"from": 60, "to": "noon"}, "to", "it is no time of day", id="a word for a time"),
        pytest.param({"from": 60, "to": 1441}, "to", "it is no time of day", id="a minute too many"),
        pytest.param({"from": 6, "to": 22}, "from", "it is no time of day", id="hours"),
        pytest.param({"from": 59, "to": 60}, "from", "it is no time of day", id="minutes that could be hours"),
        pytest.param({"from": -1, "to": 60}, "from", "it is no time of day", id="a minute too few"),
        pytest.param({"from": 81015, "to": 60}, "from", "it is no time of day", id="seconds to YAML"),
        pytest.param({"from": 86460, "to": 60}, "from", "it is no time of day", id="after midnight to YAML, with seconds"),
        pytest.param({"from": 1500, "to": 60}, "from", "it is no time of day", id="25 o'clock to YAML"),
        pytest.param({"from": 3540, "to": 60}, "from", "it is no time of day", id="59 o'clock to YAML"),
        pytest.param({"from": NAN, "to": 60}, "from", "it is no time of day", id="no time"),
        pytest.param({"from": True, "to": 60}, "from", "it is no time of day", id="yes for a time"),
        pytest.param({"somebody_home": "yes"}, "somebody_home", "It is neither", id="a word for yes"),
        pytest.param({"states": {"light.x": "on"}}, "states[0].entity", "It is missing", id="states by entity"),
        pytest.param({"states": "on"}, "states", "It is no list", id="a word for states"),
        pytest.param({"states": [{"entity": "light.x"}]}, "states[0].states", "It is missing", id="no state"),
        pytest.param({"states": [{"entity": "light.x", "states": []}]}, "states[0].states", "It says nothing", id="no state in the list"),
        pytest.param({"states": [{"entity": "light.x", "states": 21}]}, "states[0].states[0]", "It is no text", id="a number for a state"),
        pytest.param({"states": [{"states": "on"}]}, "states[0].entity", "It is missing", id="a state of what"),
        pytest.param({"states": [{"entity": "a.b", "states": "on", "for": 5}]}, "states[0].for", "There is no such field", id="for how long"),
        pytest.param({"conditions": ["sunset"]}, "conditions[0]", "It is no object", id="a condition in a word"),
        pytest.param({"input": {"a": 1}}, "", "input belongs to a tool", id="input without a tool"),
        pytest.param({"tool": "mail", "input": [1]}, "input", "It is no object", id="a list of inputs"),
        pytest.param({"tool": "x" * 101}, "tool", "at most 100", id="a long name of a tool"),
        pytest.param({"tool": "mail", "operations": "lock"}, "", "says nothing about devices", id="a tool and an operation"),
        pytest.param({"tool": "mail", "effects": "read"}, "", "says nothing about devices", id="a tool and an effect"),
        pytest.param({"tool": "mail", "device_types": "lock"}, "", "says nothing about devices", id="a tool and a type"),
        pytest.param({"tool": "mail", "entities": "lock.x"}, "", "says nothing about devices", id="a tool and a device"),
        pytest.param({"tool": "mail", "floors": "ground"}, "", "says nothing about devices", id="a tool and a floor"),
        pytest.param({"tool": "mail", "labels": "doors"}, "", "says nothing about devices", id="a tool and a label"),
        pytest.param({"tool": "mail", "risk": [1, 5]}, "", "says nothing about devices or risk", id="a tool and risks"),
        pytest.param({"tool": "mail", "areas": "hall"}, "", "says nothing about devices", id="a tool and a room"),
        pytest.param({"pin": True}, "", "approvers, seconds and pin belong to confirm", id="a PIN and allow"),
        pytest.param({"verdict": "deny", "seconds": 60}, "", "approvers, seconds and pin belong to confirm", id="seconds and deny"),
        pytest.param({"approvers": "anna"}, "", "approvers, seconds and pin belong to confirm", id="approvers and allow"),
        pytest.param({"verdict": "confirm", "approvers": []}, "", "approvers names nobody", id="no approver"),
        pytest.param({"approvers": []}, "", "approvers names nobody", id="no approver and allow"),
        pytest.param({"verdict": "confirm", "approvers": [""]}, "approvers[0]", "at least 1", id="an approver without a name"),
        pytest.param({"verdict": "confirm", "seconds": 9}, "seconds", "greater than or equal to 10", id="nine seconds"),
        pytest.param({"verdict": "confirm", "seconds": 901}, "seconds", "less than or equal to 900", id="too many seconds"),
        pytest.param({"verdict": "confirm", "seconds": 60.5}, "seconds", "integer", id="half a second"),
        pytest.param({"verdict": "confirm", "pin": "1234"}, "pin", "It is neither", id="the PIN itself"),
    ],
)  # fmt: skip
def test_row(row: dict[str, Any], field: str, message: str) -> None:
    """What a row may not say: where it is wrong, and how."""
    where, told = refused({"rules": [{"verdict": "deny"}, {"verdict": "allow", **row}]})
    assert where == ("rules[1]" + (f".{field}" if field else ""))
    assert message in told


@pytest.mark.parametrize(
    ("ids", "field", "taken"),
    [
        pytest.param(["last_row"], "rules[0].id", "last_row", id="that of the last row"),
        pytest.param(["a", "floor_opaque"], "rules[1].id", "floor_opaque", id="that of the floor"),
        pytest.param(["floor_uncertain"], "rules[0].id", "floor_uncertain", id="the other of the floor"),
        pytest.param(["a", "b", "a"], "rules[2].id", "a", id="twice the same"),
    ],
)
def test_ids(ids: list[str], field: str, taken: str) -> None:
    """No two rules have the same id, and none has one of EdgeHome's own."""
    where, told = refused({"rules": [{"verdict": "allow", "id": one} for one in ids]})
    assert (where, told) == (
        field,
        f"{field}: The id {taken!r} is taken. Give it another one, or leave it out: EdgeHome gives it one.",
    )


def test_as_many_as_there_may_be() -> None:
    """So many rules are a table, all with ids of their own."""
    table = table_of({"rules": [{"verdict": "allow"}] * MOST_RULES})
    assert len({rule.id for rule in table.rules}) == MOST_RULES == 1000
    assert table_of(to_document(table)) == table


@given(document=any_json.objects | st.fixed_dictionaries({"rules": st.lists(any_json.objects, max_size=3)}))
def test_nothing_else_is_raised(document: object) -> None:
    """Whatever it is, it is a table or no document."""
    error: DocumentError | None = None
    try:
        assert isinstance(table_of(document), PolicyTable)
    except DocumentError as caught:
        error = caught
    assert error is None or (error.field and error.message)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param({"tool": "mail", "input": {"a": {1: "x", "b": "y"}}}, id="an input with a number for a name"),
        pytest.param({"conditions": [{"a": {1: "x", "b": "y"}}]}, id="a condition with such a name"),
        pytest.param({"states": [{"entity": "", "states": "on"}]}, id="a state of nothing"),
        pytest.param({"tool": "mail", "input": {"a": NAN}}, id="an input that is no number"),
        pytest.param({"tool": "mail", "input": {"a": [{"b": float("inf")}]}}, id="one that is without an end"),
        pytest.param({"tool": "mail", "input": {"a": 2**63}}, id="one of more than 64 bits"),
        pytest.param({"tool": "mail", "input": {"a": -1e19}}, id="a fraction as large"),
        pytest.param({"tool": "mail", "input": {"a": 10**400}}, id="one too large for a fraction"),
        pytest.param({"conditions": [{"above": 10**400}]}, id="a condition with one"),
        pytest.param({"conditions": [{"above": NAN}]}, id="a condition with one that is none"),
    ],
)  # fmt: skip
def test_what_can_never_speak(row: dict[str, Any]) -> None:
    """A row that nothing could ever meet, or that cannot be kept, is refused."""
    assert refused({"rules": [{"verdict": "allow", **row}]})[0].startswith("rules[0]")
