"""Whether devices did what was said, on a real Home Assistant: at once in the answer, later in the trace (R11)."""

import time
from typing import Any

import pytest

from tests.house.client import Client
from tests.house.odd_devices.hands import Hands

pytestmark = pytest.mark.e2e

DIM = {"brightness": 80}


def said(answer: dict[str, Any]) -> tuple[str, str, str | None, bool]:
    """Outcome, code, verification of the only device, and whether that is the last word."""
    (action,) = answer["result"]["actions"]
    return answer["outcome"], answer["code"], action["verification"], answer["result"]["final"]


DONE, OPEN, FINAL = ("executed", "DONE"), False, True


@pytest.mark.parametrize(
    ("intent", "entity_id", "params", "first", "end"),
    [
        pytest.param("set_brightness", "light.prompt_light", DIM, (*DONE, "verified", FINAL), None, id="at once"),
        pytest.param(
            "set_brightness", "light.late_light", DIM, (*DONE, "waiting", OPEN), (*DONE, "verified", FINAL), id="late"
        ),
        pytest.param(
            "set_brightness",
            "light.deaf_light",
            DIM,
            (*DONE, "waiting", OPEN),
            (*DONE, "unverified", FINAL),
            id="never",
        ),
        pytest.param(
            "set_brightness",
            "light.stubborn_light",
            DIM,
            (*DONE, "waiting", OPEN),
            ("executed", "NOT_FOLLOWED", "mismatch", FINAL),
            id="never, and says so",
        ),
        pytest.param(
            "set_brightness",
            "light.dim_light",
            DIM,
            (*DONE, "waiting", OPEN),
            ("executed", "NOT_FOLLOWED", "mismatch", FINAL),
            id="to another value",
        ),
        pytest.param(
            "set_brightness",
            "light.losable_light",
            DIM,
            (*DONE, "waiting", OPEN),
            (*DONE, "unknown", FINAL),
            id="away after the call",
        ),
        pytest.param(
            "open", "cover.moving_blind", {}, (*DONE, "moving", OPEN), (*DONE, "verified", FINAL), id="a blind"
        ),
        pytest.param(
            "open",
            "cover.stuck_blind",
            {},
            (*DONE, "moving", OPEN),
            ("executed", "NOT_FOLLOWED", "mismatch", FINAL),
            id="a blind that is stuck",
        ),
        pytest.param(
            "lock", "lock.moving_lock", {}, (*DONE, "moving", OPEN), (*DONE, "verified", FINAL), id="a slow lock"
        ),
        pytest.param(
            "set_temperature",
            "climate.drifting_thermostat",
            {"temperature": 22},
            (*DONE, "verified", FINAL),
            None,
            id="a reading that drifts",
        ),
    ],
)
def test_followed(
    hands: Hands,
    stranger: Client,
    intent: str,
    entity_id: str,
    params: dict[str, object],
    first: tuple[str, str, str, bool],
    end: tuple[str, str, str, bool] | None,
) -> None:
    """The answer comes soon with what is known, and the trace has the last word."""
    answer = stranger.execute({"intent": intent, "device_alias": entity_id, "params": params})
    assert said(answer) == first
    if end is None:
        return
    trace = answer
    for _ in range(2):
        trace = stranger.edgehome("get_trace", trace_id=answer["trace_id"], wait=50)
        if trace["result"]["final"]:
            break
    assert said(trace) == end
    assert hands.home.owner.edgehome("get_trace", trace_id=answer["trace_id"])["result"] == trace["result"]


def test_jammed(hands: Hands, stranger: Client) -> None:
    """A lock that says within the look that it could not has failed; nothing is called done."""
    hands.set("lock.jamming_lock", seconds=4)
    answer = stranger.execute({"intent": "lock", "device_alias": "lock.jamming_lock"})
    assert said(answer) == (*DONE, "moving", OPEN)
    trace = stranger.edgehome("get_trace", trace_id=answer["trace_id"], wait=30)
    assert said(trace) == ("failed", "BACKEND_FAILED", None, FINAL)
    assert "jammed" in trace["message"]


def test_a_person_acts_meanwhile(hands: Hands, stranger: Client) -> None:
    """What a person does while a device takes its time is not laid at the device's door."""
    light = "light.late_light"
    answer = stranger.execute({"intent": "set_brightness", "device_alias": light, "params": DIM})
    hands.set(light, seconds=0)
    hands.do("light.turn_on", light, brightness_pct=20)
    trace = stranger.edgehome("get_trace", trace_id=answer["trace_id"], wait=30)
    assert said(trace) == (*DONE, "unverified", FINAL)
    (action,) = trace["result"]["actions"]
    assert action["note"] == "somebody else changed it meanwhile"
    assert hands.brightness(light) == 20


def test_the_same_id_gets_the_last_word(hands: Hands, stranger: Client) -> None:
    """A retry gives the same trace, with what became of it (R13)."""
    sent = {"intent": "lock", "device_alias": "lock.moving_lock"}
    request_id = f"looks-{time.time_ns()}"
    first = stranger.execute(sent, request_id=request_id)
    stranger.edgehome("get_trace", trace_id=first["trace_id"], wait=30)
    again = stranger.execute(sent, request_id=request_id)
    assert (again["trace_id"], said(again)) == (first["trace_id"], (*DONE, "verified", FINAL))
