"""A trace as a row of the log."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from custom_components.edgehome.chain import Refuse
from custom_components.edgehome.codes import GateName
from custom_components.edgehome.endings import ended, interrupted
from custom_components.edgehome.evidence.record import INTENT, OUTCOME, Row, row_of
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.judge import judge
from custom_components.edgehome.trace import PipelineTrace
from tests.any_json import objects
from tests.made_house import MadeHouse, proposing, request
from tests.made_traces import asking, done, started


def recorded(trace: PipelineTrace) -> Row:
    """The outcome row of a trace, with all its records."""
    return row_of(trace, OUTCOME, trace.records)


def judged(house: MadeHouse, payload: dict[str, object]) -> PipelineTrace:
    """The trace of a request that was not executed, with what every gate read."""
    asked = request(payload)
    judgement = judge(asked, Facts(house))
    trace = replace(interrupted(asked), gate=judgement.gate, records=judgement.records)
    return ended(trace, judgement.step)


def test_intent() -> None:
    """A row has what a request is found by, and its body is JSON with all that was known."""
    asked = asking(request_id="r1")
    row = row_of(started(asked), INTENT, ())
    assert (row.trace_id, row.kind, row.principal_id, row.request_id) == ("01TEST", "intent", "hermes", "r1")
    assert (row.at, row.digest) == ("2026-11-30T12:00:00+00:00", asked.digest)
    body = json.loads(row.body)
    caller = {"kind": "agent", "id": "hermes", "name": "Hermes", "speaker": None, "area_id": None}
    caller |= {"speaker_name": "", "area_name": ""}
    assert body["principal"] == caller
    assert body["door"] == "test"
    assert body["request"] == dict(asked.payload)
    assert (body["answer"]["outcome"], body["answer"]["code"]) == ("unknown", "INTERRUPTED")
    assert body["answer"]["plan"]["actions"][0]["service"] == "light.turn_on"
    assert body["finished_at"] is None


def test_outcome() -> None:
    """The row of an end has the answer that the caller got."""
    trace = done(asking())
    body = json.loads(row_of(trace, OUTCOME, trace.records).body)
    assert body["answer"] == trace.answer()
    assert body["finished_at"] == "2026-11-30T12:00:01+00:00"


def test_gates() -> None:
    """Every gate is kept with its verdict and what it read."""
    trace = judged(MadeHouse().add("light.lamp", "Lamp"), proposing("turn_on", device_alias="Lamp"))
    gates = json.loads(row_of(trace, OUTCOME, trace.records).body)["gates"]
    assert [gate["gate"] for gate in gates] == [name.value for name in GateName]
    assert [gate["passed"] for gate in gates] == [True] * 8
    assert ["devices_named", ["Lamp"]] in [read[:2] for read in gates[2]["reads"]]


CAMERA: dict[str, Any] = {"access_token": "47114711", "entity_picture": "/api/camera_proxy/camera.door?token=47114711"}
PLAYER: dict[str, Any] = {"entity_picture": "/api/media_player_proxy/media_player.tv?token=47114711&cache=1"}
ALARM: dict[str, Any] = {"code": "47114711"}


@pytest.mark.parametrize(
    ("house", "payload"),
    [
        pytest.param(
            MadeHouse(), {"model_candidate": {"intent": "unlock", "code": "47114711"}}, id="a code in an unknown field"
        ),
        pytest.param(MadeHouse(), {**proposing("unlock", device_alias="x"), "pin": "47114711"}, id="a PIN beside it"),
        pytest.param(
            MadeHouse(),
            proposing("unlock", device_alias="x", params={"message": "code 47114711"}),
            id="a code in a text",
        ),
        pytest.param(
            MadeHouse(),
            {**proposing("unlock", device_alias="x"), "reason": "my pin is 47114711"},
            id="a PIN in a reason",
        ),
        pytest.param(MadeHouse(), proposing("unlock", device_alias="Door, code 47114711"), id="a code in a name"),
        pytest.param(
            MadeHouse(), proposing("unlock", room="pin 47114711", device_type="lock"), id="a PIN in the name of a room"
        ),
        pytest.param(
            MadeHouse(),
            {**proposing("unlock", device_alias="x"), "source_agent": "token 47114711"},
            id="a token in a claim",
        ),
        pytest.param(
            MadeHouse().add("climate.a", "Heating", "heat", supported_features=1, hvac_modes=["heat"]),
            proposing("set_mode", device_alias="Heating", params={"mode": "password 47114711"}),
            id="a password in a mode",
        ),
        pytest.param(MadeHouse(), {"code 47114711": 1}, id="a code in the name of a field"),
        pytest.param(
            MadeHouse().add("camera.door", "Door camera", "idle", **CAMERA),
            proposing("status", device_alias="Door camera"),
            id="a camera's token",
        ),
        pytest.param(
            MadeHouse().add("media_player.tv", "TV", "playing", device_class="tv", **PLAYER),
            proposing("status", device_alias="TV"),
            id="a picture's token",
        ),
        pytest.param(
            MadeHouse().add("alarm_control_panel.home", "Alarm", "disarmed", **ALARM),
            proposing("status", device_alias="Alarm"),
            id="an alarm's code",
        ),
    ],
)
def test_no_secret_is_kept(house: MadeHouse, payload: dict[str, object]) -> None:
    """No part of a row has a secret: neither the request, nor the answer, nor what the gates noted and read (R12)."""
    assert "47114711" not in recorded(judged(house, payload)).body


def test_a_claim_is_kept_as_a_claim() -> None:
    """Who the payload says it is stands in the request; who it is comes from the connection (R3)."""
    body = json.loads(recorded(done(asking(source_agent="owner"))).body)
    assert body["principal"]["id"] == "hermes"
    assert body["request"]["source_agent"] == "owner"


@given(payload=objects)
def test_any_request_can_be_kept(payload: dict[str, object]) -> None:
    """Whatever was sent, its refusal is a row of JSON that a file can hold."""
    step = judge(request(payload), Facts(MadeHouse())).step
    assert isinstance(step, Refuse)
    row = recorded(judged(MadeHouse(), payload))
    assert json.loads(row.body)["answer"]["code"] == step.code.value
    f"{row.body}{row.digest}".encode()
