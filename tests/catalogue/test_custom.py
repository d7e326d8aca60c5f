"""The values of operations that the owner added, and the rows that such operations are."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.catalogue.custom import FieldValue, row_of
from custom_components.edgehome.catalogue.values import Value
from custom_components.edgehome.chain import Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.confirmation.prompt import described, message
from custom_components.edgehome.confirmation.words import Words
from custom_components.edgehome.devices import CustomField, CustomOperation, DeviceState
from custom_components.edgehome.models import CustomVerb, Intent
from custom_components.edgehome.plan import Effect
from tests.any_json import values
from tests.confirmation.test_prompt import LANGUAGES, NOW, action, question

STATE = DeviceState(state="on")
SEEK = CustomField(name="seek", kind="number", low=0, high=100.5)
FROM, UP_TO = CustomField(name="n", kind="number", low=-2), CustomField(name="n", kind="number", high=10)
NUMBER, TEXT = CustomField(name="n", kind="number"), CustomField(name="n", kind="text")
FLAG = CustomField(name="n", kind="boolean")
WAY = CustomField(name="n", kind="option", options=("left", "right"))


def converted(field: CustomField, value: object) -> Value | Refuse:
    """What becomes of a value."""
    return FieldValue(field).convert(field.name, value, "Robot", STATE)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param(SEEK, 0, id="lowest"),
        pytest.param(SEEK, 100.5, id="highest"),
        pytest.param(SEEK, 12.25, id="between"),
        pytest.param(FROM, -2, id="from"),
        pytest.param(FROM, 1e12, id="no highest"),
        pytest.param(UP_TO, 10, id="up to"),
        pytest.param(UP_TO, -1e12, id="no lowest"),
        pytest.param(NUMBER, -7, id="no ends"),
        pytest.param(TEXT, "do it", id="text"),
        pytest.param(TEXT, "", id="no text"),
        pytest.param(TEXT, "5", id="a number as text"),
        pytest.param(FLAG, True, id="true"),
        pytest.param(FLAG, False, id="false"),
        pytest.param(WAY, "left", id="option"),
        pytest.param(WAY, "right", id="another option"),
    ],
)
def test_taken(field: CustomField, value: object) -> None:
    """A value is sent as it came; what it does to the device nobody knows, so nothing is expected."""
    assert converted(field, value) == Value(data={field.name: value}, wanted=f"{field.name} {value}")


@pytest.mark.parametrize(
    ("field", "value", "code", "hint"),
    [
        pytest.param(SEEK, -1, Code.OUT_OF_RANGE, "Send a number from 0 to 100.5.", id="too low"),
        pytest.param(SEEK, 101, Code.OUT_OF_RANGE, "Send a number from 0 to 100.5.", id="too high"),
        pytest.param(FROM, -2.5, Code.OUT_OF_RANGE, "Send a number from -2 to ∞.", id="no highest"),
        pytest.param(UP_TO, 10.5, Code.OUT_OF_RANGE, "Send a number from -∞ to 10.", id="no lowest"),
        pytest.param(SEEK, "5", Code.INVALID_OPTION, "Send a number.", id="text for a number"),
        pytest.param(SEEK, True, Code.INVALID_OPTION, "Send a number.", id="true for a number"),
        pytest.param(SEEK, [5], Code.INVALID_OPTION, "Send a number.", id="a list for a number"),
        pytest.param(SEEK, None, Code.INVALID_OPTION, "Send a number.", id="null for a number"),
        pytest.param(TEXT, 5, Code.INVALID_OPTION, "Send a text.", id="a number for text"),
        pytest.param(TEXT, ["a"], Code.INVALID_OPTION, "Send a text.", id="a list for text"),
        pytest.param(TEXT, None, Code.INVALID_OPTION, "Send a text.", id="null for text"),
        pytest.param(FLAG, 1, Code.INVALID_OPTION, "Send a boolean.", id="1 for true"),
        pytest.param(FLAG, "true", Code.INVALID_OPTION, "Send a boolean.", id="text for true"),
        pytest.param(WAY, "Left", Code.INVALID_OPTION, "Send one of: left, right.", id="upper case"),
        pytest.param(WAY, "up", Code.INVALID_OPTION, "Send one of: left, right.", id="another option"),
        pytest.param(WAY, ["left"], Code.INVALID_OPTION, "Send one of: left, right.", id="options in a list"),
        pytest.param(WAY, {"left": 1}, Code.INVALID_OPTION, "Send one of: left, right.", id="an object"),
        pytest.param(WAY, None, Code.INVALID_OPTION, "Send one of: left, right.", id="null for an option"),
    ],
)
def test_refused(field: CustomField, value: object, code: Code, hint: str) -> None:
    """What the action's description does not have is refused with what it has; nothing is clamped (R6)."""
    refusal = converted(field, value)
    assert isinstance(refusal, Refuse)
    assert (refusal.code, refusal.hint) == (code, hint)
    assert refusal.field == f"model_candidate.params.{field.name}"


@pytest.mark.parametrize("field", [SEEK, FROM, UP_TO, NUMBER, TEXT, FLAG, WAY], ids=repr)
@given(value=values | st.floats(allow_nan=False, allow_infinity=False))
def test_any_value(field: CustomField, value: object) -> None:
    """Whatever is sent is taken as it is or refused with a repair."""
    answer = converted(field, value)
    if isinstance(answer, Value):
        assert answer.data == {field.name: value}
    else:
        assert answer.hint


@pytest.mark.parametrize(
    ("field", "described"),
    [
        pytest.param(SEEK, {"values": "number", "min": 0, "max": 100.5}, id="range"),
        pytest.param(FROM, {"values": "number", "min": -2}, id="no highest"),
        pytest.param(UP_TO, {"values": "number", "max": 10}, id="no lowest"),
        pytest.param(NUMBER, {"values": "number"}, id="no ends"),
        pytest.param(TEXT, {"values": "text"}, id="text"),
        pytest.param(FLAG, {"values": "boolean"}, id="flag"),
        pytest.param(WAY, {"values": ["left", "right"]}, id="options"),
    ],
)
def test_described(field: CustomField, described: dict[str, Any]) -> None:
    """What ``list_devices`` says about it."""
    assert FieldValue(field).describe(STATE) == described


@pytest.mark.parametrize("effect", [effect for effect in Effect if effect is not Effect.READ])
def test_row(effect: Effect) -> None:
    """A row like any other, with the owner's word, effect and values."""
    needed = CustomField(name="seek", kind="number", required=True)
    custom = CustomOperation(
        name="wipe", domain="vacuum", service="made.wipe", effect=effect.value, risk=4, fields=(needed, FLAG)
    )
    row = row_of(custom)
    assert (row.intent, row.domain, row.service, row.effect) == (CustomVerb("wipe"), "vacuum", "made.wipe", effect)
    assert {name: item.kind for name, item in row.params.items()} == {
        "seek": FieldValue(needed),
        "n": FieldValue(FLAG),
    }
    assert row.needs == (frozenset({"seek"}),)
    assert (row.expect, row.features, row.idle_in, row.needs_code, row.means) == ((), (), (), (), None)


def test_a_row_without_needed_values() -> None:
    """What asks for nothing needs nothing."""
    custom = CustomOperation(name="wipe", domain="vacuum", service="made.wipe", effect="run", risk=4, fields=(FLAG,))
    assert row_of(custom).needs == ()


def test_verb() -> None:
    """The owner's word is told like an intent, and is none."""
    verb = CustomVerb("wipe")
    assert (verb.value, verb == "wipe", verb in Intent) == ("wipe", True, False)


@pytest.mark.parametrize("words", LANGUAGES)
@pytest.mark.parametrize(
    ("wanted", "before"),
    [pytest.param("seek_position 30", "", id="with a value"), pytest.param("", "docked", id="without")],
)
def test_what_people_read(words: Words, wanted: str, before: str) -> None:
    """The owner's word is told as it is in every language, with its values beside it."""
    asked = question(action("Robot", operations=(CustomVerb("clean_spot"),), wanted=wanted, expect=(), before="docked"))
    (line, *_) = message(asked, words, NOW).splitlines()
    assert "clean spot Robot" in line
    shown: Any = described(asked, "ada", words)["actions"]
    assert shown == [{"what": "clean spot Robot", "before": before, "after": wanted.replace("_", " ")}]
