"""Schema: is it a well-formed proposal?"""

import pytest

from custom_components.edgehome.chain import Pass, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.gates.schema import Schema
from custom_components.edgehome.models import Intent
from custom_components.edgehome.request_forms import LATER_FORMS
from tests.made_house import MadeHouse, asked, proposing

LAMP = {"intent": "turn_on", "device_alias": "Lamp"}


def lamp(**params: object) -> dict[str, object]:
    """A proposal on a lamp with these values."""
    return proposing("set_brightness", device_alias="Lamp", params=params)


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param({"model_candidate": LAMP}, id="a name"),
        pytest.param(proposing("turn_on", room="Kitchen", device_type="light"), id="a room and a type"),
        pytest.param(proposing("turn_on", device_type="light"), id="a type"),
        pytest.param(proposing("turn_on", room="Kitchen", device_alias="Lamp", device_type="light"), id="all three"),
        pytest.param(proposing("turn_on", device_alias="Lamp", device_type=None), id="a name without a type"),
        pytest.param(lamp(brightness=80), id="a whole number"),
        pytest.param(lamp(brightness=0.5), id="a fraction"),
        pytest.param(lamp(color=[255, 0, 128]), id="a colour as a list"),
        pytest.param(lamp(color="red"), id="a colour by its name"),
        pytest.param(lamp(temperature_low=18, temperature_high=22), id="a range"),
        pytest.param(lamp(brightness=None), id="a value that is left open"),
        pytest.param(
            {
                "model_candidate": LAMP,
                "dry_run": True,
                "request_id": "a-1:b.c_D",
                "reason": "movie night",
                "source_agent": "hermes",
            },
            id="everything around it",
        ),
        pytest.param({"model_candidate": LAMP, "request_id": None, "reason": None, "source_agent": None}, id="nulls"),
        pytest.param({"model_candidate": LAMP, "wait": 0}, id="no waiting"),
        pytest.param({"model_candidate": LAMP, "wait": 50}, id="as long as may be"),
    ],
)
def test_well_formed(payload: dict[str, object]) -> None:
    """A proposal is taken as it is."""
    step, result = asked(Schema, MadeHouse(), payload)
    assert isinstance(step, Pass)
    assert result.passed
    assert step.context.proposal is not None


def test_claim_is_recorded_only() -> None:
    """What a payload claims about its sender is noted and changes nobody (R3)."""
    step, result = asked(Schema, MadeHouse(), {"model_candidate": LAMP, "source_agent": "owner"})
    assert isinstance(step, Pass)
    assert result.evidence == {"source_agent_claim": "owner"}
    assert step.context.request.principal.id == "hermes"


@pytest.mark.parametrize("form", LATER_FORMS)
@pytest.mark.parametrize("beside", [{}, {"model_candidate": LAMP}], ids=["alone", "beside a candidate"])
def test_later_forms(form: str, beside: dict[str, object]) -> None:
    """Forms that EdgeHome does not take yet are refused, not overlooked."""
    step, result = asked(Schema, MadeHouse(), {**beside, form: "x"})
    assert isinstance(step, Refuse)
    assert (step.code, result.reason, step.field) == (Code.UNSUPPORTED_FORM, Code.UNSUPPORTED_FORM, form)
    assert "model_candidate" in step.hint


@pytest.mark.parametrize(
    ("payload", "field", "hint"),
    [
        pytest.param({}, "model_candidate", 'Send {"model_candidate"', id="nothing"),
        pytest.param({"model_candidate": None}, "model_candidate", "Send an object", id="null for a candidate"),
        pytest.param({"model_candidate": []}, "model_candidate", "Send an object", id="list for a candidate"),
        pytest.param({"model_candidate": "turn on"}, "model_candidate", "Send an object", id="text for a candidate"),
        pytest.param({"model_candidate": {}}, "model_candidate.intent", "Add", id="no intent"),
        pytest.param(
            {"model_candidate": {"device_alias": "Lamp"}}, "model_candidate.intent", "Add", id="a name without intent"
        ),
        pytest.param(proposing("explode", device_alias="x"), "model_candidate.intent", "turn_on", id="no such intent"),
        pytest.param(proposing("TURN_ON", device_alias="x"), "model_candidate.intent", "turn_on", id="upper case"),
        pytest.param(proposing("turn_on"), "model_candidate.device_alias", "Add device_alias", id="no target"),
        pytest.param(
            proposing("turn_on", room="Kitchen"), "model_candidate.device_type", "device_type", id="a room alone"
        ),
        pytest.param(
            proposing("turn_on", device_alias=None), "model_candidate.device_alias", "never means", id="null name"
        ),
        pytest.param(
            proposing("turn_on", device_type="light", room=None), "model_candidate.room", "never means", id="null room"
        ),
        pytest.param(
            proposing("turn_on", room="Kitchen", device_type=None),
            "model_candidate.device_type",
            "never means",
            id="null type of a room",
        ),
        pytest.param(
            proposing("turn_on", device_alias=["Lamp"]),
            "model_candidate.device_alias",
            "one device or room",
            id="list of names",
        ),
        pytest.param(
            proposing("turn_on", device_alias=5),
            "model_candidate.device_alias",
            "one device or room",
            id="number for a name",
        ),
        pytest.param(
            proposing("turn_on", device_alias="x" * 101), "model_candidate.device_alias", "Shorten it", id="long name"
        ),
        pytest.param(
            lamp(brightness="50"), "model_candidate.params.brightness", "the number alone", id="text for a number"
        ),
        pytest.param(
            lamp(brightness=True), "model_candidate.params.brightness", "the number alone", id="true for a number"
        ),
        pytest.param(
            lamp(brightness=[50]), "model_candidate.params.brightness", "the number alone", id="list for a number"
        ),
        pytest.param(lamp(color=[255, 0]), "model_candidate.params.color", "[red, green, blue]", id="two channels"),
        pytest.param(
            lamp(color=[255, 0, 0, 0, 0, 0]), "model_candidate.params.color", "[red, green, blue]", id="six channels"
        ),
        pytest.param(lamp(color=[255, 0, 256]), "model_candidate.params.color", "0-255", id="channel too high"),
        pytest.param(lamp(color=[255, 0, -1]), "model_candidate.params.color", "0-255", id="channel too low"),
        pytest.param(lamp(color=[255, 0, "9"]), "model_candidate.params.color", "whole number", id="channel as text"),
        pytest.param(lamp(color=[255, 0, True]), "model_candidate.params.color", "whole number", id="channel as truth"),
        pytest.param(lamp(color=""), "model_candidate.params.color", "a CSS colour name", id="no colour"),
        pytest.param(lamp(mode=""), "model_candidate.params.mode", "Send a word", id="no mode"),
        pytest.param(lamp(unit="K"), "model_candidate.params.unit", "'°C' or '°F'", id="a unit that there is not"),
        pytest.param(
            proposing("turn_on", device_alias="x", params=None), "model_candidate.params", "Send an object", id="params"
        ),
        pytest.param({"model_candidate": LAMP, "dry_run": "yes"}, "dry_run", "true or false", id="text for a truth"),
        pytest.param({"model_candidate": LAMP, "dry_run": None}, "dry_run", "true or false", id="null for a truth"),
        pytest.param({"model_candidate": LAMP, "dry_run": 1}, "dry_run", "true or false", id="number for a truth"),
        pytest.param({"model_candidate": LAMP, "request_id": ""}, "request_id", "1 to 64", id="empty id"),
        pytest.param({"model_candidate": LAMP, "request_id": "a b"}, "request_id", "1 to 64", id="blank in the id"),
        pytest.param({"model_candidate": LAMP, "request_id": "a\n"}, "request_id", "1 to 64", id="line break in it"),
        pytest.param({"model_candidate": LAMP, "request_id": "x" * 65}, "request_id", "1 to 64", id="long id"),
        pytest.param({"model_candidate": LAMP, "request_id": 5}, "request_id", "Send text", id="number for an id"),
        pytest.param({"model_candidate": LAMP, "reason": "x" * 501}, "reason", "Shorten it", id="long reason"),
        pytest.param({"model_candidate": LAMP, "wait": 51}, "wait", "0 to 50 seconds", id="too long a wait"),
        pytest.param({"model_candidate": LAMP, "wait": -1}, "wait", "0 to 50 seconds", id="a wait before now"),
        pytest.param({"model_candidate": LAMP, "wait": "30"}, "wait", "number alone", id="text for a wait"),
        pytest.param({"model_candidate": LAMP, "wait": True}, "wait", "number alone", id="true for a wait"),
    ],
)
def test_malformed(payload: dict[str, object], field: str, hint: str) -> None:
    """What is no proposal is refused with the path of the field and the repair."""
    step, result = asked(Schema, MadeHouse(), payload)
    assert isinstance(step, Refuse)
    assert (step.code, result.reason, result.passed) == (Code.SCHEMA, Code.SCHEMA, False)
    assert step.field == field
    assert hint in step.hint


@pytest.mark.parametrize("field", ["device_alias", "room", "device_type"])
@pytest.mark.parametrize("name", ["", " ", "\t\n", "all", "ALL", " none ", "*", "any", "everything", "null"])
def test_catch_all_names(field: str, name: str) -> None:
    """A blank or catch-all name never means everything (R6)."""
    step, _ = asked(Schema, MadeHouse(), proposing("turn_on", **{"device_alias": "Lamp", field: name}))
    assert isinstance(step, Refuse)
    assert (step.code, step.field) == (Code.SCHEMA, f"model_candidate.{field}")
    assert "never mean everything" in step.hint


@pytest.mark.parametrize(
    "word", ["entity_id", "target", "area_id", "device_id", "floor_id", "label_id", "entity", "area"]
)
@pytest.mark.parametrize(
    ("payload", "path"),
    [
        pytest.param({"model_candidate": LAMP}, "", id="beside the candidate"),
        pytest.param({"model_candidate": {**LAMP}}, "model_candidate.", id="in the candidate"),
        pytest.param({"model_candidate": {**LAMP, "params": {}}}, "model_candidate.params.", id="in the values"),
    ],
)
def test_hidden_targets(word: str, payload: dict[str, object], path: str) -> None:
    """A target in the words of Home Assistant is an unknown field, wherever it hides (bypass 10)."""
    step, _ = asked(Schema, MadeHouse(), _with(payload, f"{path}{word}", "lock.front_door"))
    assert isinstance(step, Refuse)
    assert (step.code, step.field) == (Code.SCHEMA, f"{path}{word}")
    assert "device_alias" in step.hint


def _with(payload: dict[str, object], path: str, value: object) -> dict[str, object]:
    """The payload with one field more."""
    head, _, rest = path.partition(".")
    inner = payload.get(head)
    return {**payload, head: _with(dict(inner), rest, value) if isinstance(inner, dict) else value}


@pytest.mark.parametrize(
    ("payload", "field", "candidates"),
    [
        pytest.param(
            lamp(brightnes=5),
            "model_candidate.params.brightnes",
            ("brightness", "brightness_step"),
            id="a slip in a value",
        ),
        pytest.param(
            lamp(brightness_pct=5),
            "model_candidate.params.brightness_pct",
            ("brightness", "brightness_step"),
            id="another word",
        ),
        pytest.param(
            proposing("turn_on", device_alias="x", devicetype="light"),
            "model_candidate.devicetype",
            ("device_type", "device"),
            id="a slip in a field",
        ),
        pytest.param({"model_candidate": LAMP, "dryrun": True}, "dryrun", ("dry_run",), id="a slip outside"),
        pytest.param({"model_candidate": LAMP, "principal": "owner"}, "principal", (), id="an identity"),
    ],
)
def test_unknown_fields(payload: dict[str, object], field: str, candidates: tuple[str, ...]) -> None:
    """An unknown field is refused, with those that come near; the hint lists all that there are."""
    step, _ = asked(Schema, MadeHouse(), payload)
    assert isinstance(step, Refuse)
    assert (step.code, step.field) == (Code.SCHEMA, field)
    assert step.candidates == candidates
    assert "Fields here are: " in step.hint


def test_the_first_fault_is_the_cause() -> None:
    """Of several faults, a wrong value is told before an unknown field; the others are named."""
    step, _ = asked(Schema, MadeHouse(), lamp(zzz=1, brightness="50"))
    assert isinstance(step, Refuse)
    assert step.field == "model_candidate.params.brightness"
    assert step.message.endswith("Wrong as well: model_candidate.params.zzz.")


@pytest.mark.parametrize(
    ("params", "field"),
    [
        pytest.param({"temperature": 20, "temperature_low": 18}, "temperature_low", id="set point and range"),
        pytest.param({"temperature": 20, "temperature_high": 22}, "temperature_high", id="set point and upper end"),
        pytest.param({"temperature": 20, "temperature_step": 1}, "temperature_step", id="set point and step"),
        pytest.param({"brightness": 20, "brightness_step": 5}, "brightness_step", id="brightness and step"),
        pytest.param({"volume": 20, "volume_step": 5}, "volume_step", id="volume and step"),
        pytest.param({"temperature_low": 25, "temperature_high": 18}, "temperature_low", id="a range upside down"),
        pytest.param({"brightness": 5, "unit": "°C"}, "unit", id="a unit without a temperature"),
        pytest.param({"color": "red", "color_temperature": 2700}, "color_temperature", id="two colours"),
    ],
)
def test_contradictions(params: dict[str, object], field: str) -> None:
    """Two values that contradict each other are a conflict, not a choice."""
    step, result = asked(Schema, MadeHouse(), lamp(**params))
    assert isinstance(step, Refuse)
    assert (step.code, result.reason) == (Code.CONFLICT, Code.CONFLICT)
    assert step.field == f"model_candidate.params.{field}"


@pytest.mark.parametrize("intent", list(Intent))
def test_every_intent_is_read(intent: Intent) -> None:
    """All verbs of the catalogue are words of a proposal."""
    step, _ = asked(Schema, MadeHouse(), proposing(intent.value, device_alias="Lamp"))
    assert isinstance(step, Pass)
    assert step.context.proposal is not None
    assert step.context.proposal.wanted[0].candidate.intent is intent
