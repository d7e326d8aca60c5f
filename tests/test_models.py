"""The envelope of a request: its id and its digest."""

import pytest
from hypothesis import given

from custom_components.edgehome.models import ModelCandidate, Params
from tests.any_json import nested, values
from tests.made_house import request

LAMP_ON: dict[str, object] = {"model_candidate": {"intent": "turn_on", "device_alias": "Lamp"}}


@pytest.mark.parametrize(
    ("value", "request_id"),
    [
        ("r1", "r1"),
        ("A-z_0.9:x", "A-z_0.9:x"),
        ("x" * 64, "x" * 64),
        ("x" * 65, None),
        ("", None),
        (" ", None),
        ("a b", None),
        ("a\n", None),
        ("ä", None),
        (5, None),
        (True, None),
        (None, None),
        (["r1"], None),
    ],
)
def test_request_id(value: object, request_id: str | None) -> None:
    """Only a well-formed id is one."""
    assert request({"request_id": value}).request_id == request_id


@pytest.mark.parametrize(
    "same",
    [
        pytest.param({**LAMP_ON, "wait": 30}, id="wait"),
        pytest.param({**LAMP_ON, "reason": "movie"}, id="reason"),
        pytest.param({**LAMP_ON, "request_id": "r2"}, id="id"),
        pytest.param({"model_candidate": {"device_alias": "Lamp", "intent": "turn_on"}}, id="order of fields"),
    ],
)
def test_a_retry_is_the_same(same: dict[str, object]) -> None:
    """What says nothing about what is wanted does not make another request (R13)."""
    assert request(same).digest == request(LAMP_ON).digest


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"model_candidate": {"intent": "turn_off", "device_alias": "Lamp"}}, id="intent"),
        pytest.param({"model_candidate": {"intent": "turn_on", "device_alias": "lamp"}}, id="name"),
        pytest.param({**LAMP_ON, "dry_run": True}, id="dry run"),
        pytest.param({**LAMP_ON, "source_agent": "x"}, id="claim"),
        pytest.param({**LAMP_ON, "x": nested(100_000)}, id="unreadable"),
        pytest.param({}, id="nothing"),
    ],
)
def test_other_content_is_another_request(other: dict[str, object]) -> None:
    """Everything else does."""
    assert request(other).digest != request(LAMP_ON).digest


@given(value=values)
def test_every_payload_has_a_digest(value: object) -> None:
    """Whatever was sent has a digest, the same each time."""
    assert request({"x": value}).digest == request({"x": value}).digest
    assert len(request({"x": value}).digest) == 64


@pytest.mark.parametrize(
    ("params", "given_values"),
    [
        pytest.param({}, {}, id="none"),
        pytest.param({"brightness": 5}, {"brightness": 5.0}, id="one"),
        pytest.param({"brightness": None}, {}, id="left open"),
        pytest.param({"brightness": 0}, {"brightness": 0.0}, id="nothing is a value"),
        pytest.param({"color": [1, 2, 3]}, {"color": (1, 2, 3)}, id="colour"),
        pytest.param({"value": True}, {"value": True}, id="truth"),
        pytest.param({"value": "x"}, {"value": "x"}, id="word"),
    ],
)
def test_given(params: dict[str, object], given_values: dict[str, object]) -> None:
    """The values that were sent, and no others."""
    assert Params.model_validate(params).given() == given_values


def test_a_proposal_cannot_be_changed() -> None:
    """What was judged stays what was sent."""
    candidate = ModelCandidate.model_validate({"intent": "turn_on", "device_alias": "Lamp"})
    with pytest.raises(ValueError, match="frozen"):
        candidate.device_alias = "Door"
