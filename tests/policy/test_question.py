"""What is kept of a decision, to be decided once more: as text and back, nothing is lost and nothing is made up."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.policy.question import Inputs, Question
from custom_components.edgehome.policy.rule import Circumstances, HomeCondition, Subject

words = st.text(max_size=8)
subjects = st.builds(
    Subject,
    words,
    words,
    st.integers(-1, 6),
    effect=words,
    entity_id=words,
    key=words,
    area_id=st.none() | words,
    floor_id=st.none() | words,
    labels=st.lists(words, max_size=2).map(tuple),
    is_known=st.booleans(),
    tool=words,
    tool_input=st.lists(st.tuples(words, words), max_size=2).map(tuple),
)
several = st.lists(subjects, max_size=3).map(tuple)
questions = st.builds(
    Question,
    name=words,
    subjects=several,
    reaches=st.lists(several, max_size=2).map(tuple),
    acts=st.booleans(),
    opaque=st.booleans(),
    doubtful=st.integers(-1, 5),
    already_so=st.booleans(),
)
conditions = st.builds(
    HomeCondition, states=st.lists(words, max_size=2).map(tuple), entity_id=words, raw=st.just("") | words
)
moments = st.builds(
    Circumstances,
    principal_id=words,
    speaker=st.none() | words,
    origin=st.none() | words,
    weekday=st.integers(0, 6),
    minute=st.integers(0, 1439),
    holds=st.dictionaries(conditions, st.none() | st.booleans(), max_size=3),
)
PLAIN = Inputs(principal_id="id-1", principal="Hermes", questions=())
LOCKING = Subject("lock", "lock", 4)


@given(now=moments, asked=st.lists(questions, max_size=3).map(tuple), principal=words)
def test_round_trip(now: Circumstances, asked: tuple[Question, ...], principal: str) -> None:
    """The same inputs come back, with the same questions and the same circumstances."""
    inputs = Inputs.of(principal, now, asked)
    again = Inputs.from_json(inputs.to_json())
    assert again == inputs
    assert (again.now, again.questions, again.principal) == (now, asked, principal)


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        pytest.param(PLAIN, {"principal_id": "id-1", "principal": "Hermes", "questions": []}, id="nothing"),
        pytest.param(
            Inputs(principal_id="a", principal="A", questions=(Question(name="Door", subjects=(LOCKING,)),), minute=5),
            {
                "principal_id": "a",
                "principal": "A",
                "questions": [{"name": "Door", "subjects": [{"operation": "lock", "device_type": "lock", "risk": 4}]}],
                "minute": 5,
            },
            id="one question",
        ),
        pytest.param(
            Inputs(principal_id="a", principal="A", questions=(), holds=((HomeCondition(states=("home",)), None),)),
            {"principal_id": "a", "principal": "A", "questions": [], "holds": [[{"states": ["home"]}, None]]},
            id="what nobody knew",
        ),
    ],
)
def test_text(inputs: Inputs, text: dict[str, Any]) -> None:
    """The text says only what is not as it usually is."""
    assert json.loads(inputs.to_json()) == text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("{", id="cut off"),
        pytest.param("null", id="null"),
        pytest.param("[]", id="a list"),
        pytest.param("{}", id="an empty object"),
        pytest.param('{"principal_id": "a", "principal": "A"}', id="no questions"),
        pytest.param('{"principal_id": "a", "principal": "A", "questions": [{}]}', id="an empty question"),
        pytest.param('{"principal_id": "a", "principal": "A", "questions": null}', id="questions are nothing"),
        pytest.param('{"principal_id": 5, "principal": "A", "questions": []}', id="a number for a name"),
        pytest.param('{"principal_id": "a", "principal": "A", "questions": [], "minute": "noon"}', id="no minute"),
        pytest.param('{"principal_id": "a", "principal": "A", "questions": [], "minute": NaN}', id="NaN"),
        pytest.param('{"principal_id": "a", "principal": "A", "questions": [], "holds": [["home", true]]}', id="no condition"),
        pytest.param('{"principal_id": "a", "principal": "A", "questions": [{"name": "x", "subjects": [{"risk": 4}]}]}', id="half a subject"),
        pytest.param("\udcff", id="no text at all"),
    ],
)  # fmt: skip
def test_unreadable(text: str) -> None:
    """What is none of inputs is told as such."""
    with pytest.raises(ValueError, match=r"."):
        Inputs.from_json(text)


@given(text=st.text(max_size=30) | st.recursive(st.none() | st.integers(), st.lists, max_leaves=5).map(json.dumps))
def test_nothing_else_is_raised(text: str) -> None:
    """No text whatever fails in another way."""
    with pytest.raises(ValueError, match=r"."):
        Inputs.from_json(text)
