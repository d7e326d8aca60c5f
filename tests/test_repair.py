"""What a model reads about its own mistakes: what is wrong, where, and how to mend it."""

from typing import cast

import pytest
from hypothesis import assume, given

from custom_components.edgehome.catalogue import OPERATIONS
from custom_components.edgehome.chain import Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.content import oversized
from custom_components.edgehome.models import Params
from custom_components.edgehome.request_forms import proposal_of
from tests.any_json import objects
from tests.made_house import proposing

LAMP: dict[str, object] = {"intent": "turn_on", "device_alias": "Lamp"}
CANDIDATE = "model_candidate"
INTENT, ALIAS, PARAMS = f"{CANDIDATE}.intent", f"{CANDIDATE}.device_alias", f"{CANDIDATE}.params"
ON_OR_OFF = ("turn_on", "turn_off")
INTENTS = tuple(dict.fromkeys([row.intent.value for row in OPERATIONS] + ["status"]))
FIELDS = ("intent", "room", "device_alias", "device_type", "floor", "label", "device", "scope", "params")


def told(payload: object) -> Refuse:
    """What the sender of a malformed proposal is told."""
    refusal = proposal_of(cast("dict[str, object]", payload), tuple)
    assert isinstance(refusal, Refuse)
    return refusal


def beside(**more: object) -> dict[str, object]:
    """A good candidate with something beside it."""
    return {CANDIDATE: LAMP, **more}


def within(**more: object) -> dict[str, object]:
    """A candidate with something more in it."""
    return {CANDIDATE: {**LAMP, **more}}


def lamp(**params: object) -> dict[str, object]:
    """A proposal on a lamp with these values."""
    return proposing("set_brightness", device_alias="Lamp", params=params)


@pytest.mark.parametrize(
    ("payload", "field", "message", "hint"),
    [
        pytest.param({}, CANDIDATE, "model_candidate is missing.", 'Send {"model_candidate"', id="nothing"),
        pytest.param(LAMP, CANDIDATE, "not inside model_candidate", '{"model_candidate": {"intent"', id="unwrapped"),
        pytest.param(
            {CANDIDATE: "turn on the lamp"}, CANDIDATE, "is not an object", "not text or a list", id="a sentence"
        ),
        pytest.param(
            {CANDIDATE: '{"intent": "turn_on"}'}, CANDIDATE, "is not an object", "not text", id="JSON in a text"
        ),
        pytest.param({CANDIDATE: [LAMP]}, CANDIDATE, "is not an object", "a list", id="a list of candidates"),
        pytest.param({CANDIDATE: None}, CANDIDATE, "is not an object", "Send an object", id="null"),
        pytest.param(
            {"candidate": LAMP}, CANDIDATE, "model_candidate is missing.", 'Send {"model_candidate"', id="a slip"
        ),
        pytest.param(
            {CANDIDATE: {CANDIDATE: LAMP}},
            INTENT,
            "intent is missing",
            "Add model_candidate.intent",
            id="wrapped twice",
        ),
        pytest.param(
            {CANDIDATE: {"action": "turn_on", "device_alias": "x"}}, INTENT, "is missing", "Add", id="another word"
        ),
        pytest.param(proposing("turn_on", device_alias=["a", "b"]), ALIAS, "is not text", "for each", id="two names"),
        pytest.param(proposing("turn_on", device_alias=5), ALIAS, "is not text", "one device or room", id="a number"),
        pytest.param(
            proposing("turn_on", device_alias="x" * 101), ALIAS, "is too long", "Shorten it", id="a long name"
        ),
        pytest.param(proposing("turn_on", device_alias=""), ALIAS, "is blank", "never mean everything", id="no name"),
        pytest.param(
            proposing("turn_on", device_alias="all"), ALIAS, "one thing or place", "never mean everything", id="all"
        ),
        pytest.param(
            proposing("turn_on", room=["a", "b"], device_type="light"),
            f"{CANDIDATE}.room",
            "is not text",
            "for each",
            id="two rooms",
        ),
        pytest.param(proposing("turn_on", device_alias="x", params=None), PARAMS, "not an object", "{", id="no params"),
        pytest.param(
            proposing("turn_on", device_alias="x", params="a=5"), PARAMS, "not an object", "not text", id="text params"
        ),
        pytest.param(lamp(brightness="40%"), f"{PARAMS}.brightness", "not a number", "without %", id="per cent"),
        pytest.param(lamp(brightness="40"), f"{PARAMS}.brightness", "not a number", "without quotes", id="in quotes"),
        pytest.param(lamp(brightness=[4]), f"{PARAMS}.brightness", "not a number", "number alone", id="a list"),
        pytest.param(
            lamp(brightness=float("nan")), f"{PARAMS}.brightness", "finite number", "finite number", id="no number"
        ),
        pytest.param(lamp(color=[1, 2]), f"{PARAMS}.color", "not a colour", "[red, green, blue]", id="two channels"),
        pytest.param(lamp(color=[1, 2, 300]), f"{PARAMS}.color", "not a colour", "0-255", id="a channel too high"),
        pytest.param(lamp(color=[1, "2", 300]), f"{PARAMS}.color", "not a colour", "whole number", id="several faults"),
        pytest.param(lamp(color={"r": 1}), f"{PARAMS}.color", "not a colour", "CSS colour name", id="an object"),
        pytest.param(lamp(mode=5), f"{PARAMS}.mode", "is not text", "Send text.", id="a mode by number"),
        pytest.param(beside(dry_run="yes"), "dry_run", "neither true nor false", "without quotes", id="yes"),
        pytest.param(beside(wait=60), "wait", "out of range", "0 to 50 seconds", id="a long wait"),
        pytest.param(beside(wait=-1), "wait", "out of range", "0 to 50 seconds", id="a wait before now"),
        pytest.param(beside(wait="30s"), "wait", "not a number", "number alone", id="a wait in words"),
        pytest.param(beside(request_id="a b"), "request_id", "not allowed", "1 to 64 of A-Z", id="a blank in the id"),
        pytest.param(beside(request_id="r" * 65), "request_id", "request_id", "1 to 64 of A-Z", id="a long id"),
        pytest.param(beside(request_id=5), "request_id", "is not text", "Send text.", id="a number for an id"),
        pytest.param(beside(reason="x" * 501), "reason", "is too long", "Shorten it", id="a long reason"),
        pytest.param(beside(reason=["x"]), "reason", "is not text", "Send text.", id="reasons"),
    ],
)
def test_wrong_values(payload: object, field: str, message: str, hint: str) -> None:
    """A value that is none names its field, what is wrong and what to send instead."""
    refusal = told(payload)
    assert (refusal.code, refusal.field, refusal.candidates) == (Code.SCHEMA, field, ())
    assert message in refusal.message
    assert hint in refusal.hint


@pytest.mark.parametrize(
    ("word", "candidates"),
    [
        pytest.param("light.turn_on", ON_OR_OFF, id="a service"),
        pytest.param("TurnOn", ON_OR_OFF, id="in one word"),
        pytest.param("turn on", ON_OR_OFF, id="in two words"),
        pytest.param("TURN_ON", ON_OR_OFF, id="upper case"),
        pytest.param(" turn_on ", ON_OR_OFF, id="with blanks"),
        pytest.param("HassTurnOn", ("turn_on",), id="Home Assistant's intent"),
        pytest.param("unlok", ("unlock",), id="a slip"),
        pytest.param("explode", INTENTS, id="a verb that there is not"),
        pytest.param("", INTENTS, id="nothing"),
        pytest.param(None, INTENTS, id="null"),
        pytest.param(5, INTENTS, id="a number"),
        pytest.param(["turn_on"], INTENTS, id="a list"),
        pytest.param({"name": "turn_on"}, INTENTS, id="an object"),
    ],
)
def test_intents(word: object, candidates: tuple[str, ...]) -> None:
    """An intent that there is not is answered with those that come near, else with all that can be done."""
    refusal = told({CANDIDATE: {"intent": word, "device_alias": "Lamp"}})
    assert (refusal.code, refusal.field) == (Code.SCHEMA, INTENT)
    assert refusal.message == "There is no such intent."
    assert refusal.candidates == candidates
    assert refusal.candidates[0] in refusal.hint


@pytest.mark.parametrize(
    ("payload", "field", "hint", "candidates"),
    [
        pytest.param(within(entity_id="light.x"), f"{CANDIDATE}.entity_id", "in device_alias", FIELDS, id="entity"),
        pytest.param(within(target={"entity_id": "x"}), f"{CANDIDATE}.target", "in device_alias", FIELDS, id="target"),
        pytest.param(within(area="Kitchen"), f"{CANDIDATE}.area", "or room", FIELDS, id="area"),
        pytest.param(within(name="Lamp"), f"{CANDIDATE}.name", "device_alias", (), id="name"),
        pytest.param(
            within(devicetype="light"), f"{CANDIDATE}.devicetype", "are: intent", ("device_type", "device"), id="slip"
        ),
        pytest.param(
            within(brightness=40), f"{CANDIDATE}.brightness", '{"params": {"brightness": …}}', (), id="a value outside"
        ),
        pytest.param(beside(brightness=40), "brightness", '{"params": {"brightness": …}}', (), id="far outside"),
        pytest.param(within(unit="°C"), f"{CANDIDATE}.unit", '{"params": {"unit": …}}', (), id="a unit outside"),
        pytest.param(
            lamp(brightness_pct=4),
            f"{PARAMS}.brightness_pct",
            "brightness,",
            ("brightness", "brightness_step"),
            id="HA's word",
        ),
        pytest.param(
            lamp(brightnes=4),
            f"{PARAMS}.brightnes",
            "brightness,",
            ("brightness", "brightness_step"),
            id="a slip in a value",
        ),
        pytest.param(lamp(level=4), f"{PARAMS}.level", "are: brightness", (), id="another word"),
        pytest.param(beside(dryrun=True), "dryrun", "are: model_candidate", ("dry_run",), id="a slip beside it"),
        pytest.param(beside(confirm=True), "confirm", "are: model_candidate", (), id="a yes of its own"),
        pytest.param(beside(confirmed_by="owner"), "confirmed_by", "are: model_candidate", (), id="another's yes"),
        pytest.param(beside(**{"a\u202e\nb": 1}), "a??b", "are: model_candidate", (), id="invisible letters"),
        pytest.param(beside(**{"x" * 500: 1}), "x" * 40, "are: model_candidate", (), id="a long name"),
    ],
)
def test_unknown_fields(payload: object, field: str, hint: str, candidates: tuple[str, ...]) -> None:
    """An unknown field is answered with its right place, the fields that come near, or all that there are."""
    refusal = told(payload)
    assert (refusal.code, refusal.field, refusal.candidates) == (Code.SCHEMA, field, candidates)
    assert hint in refusal.hint


@pytest.mark.parametrize("unit", ["K", "celsius", "c", "", 5, True])
def test_units(unit: object) -> None:
    """There are two units."""
    refusal = told(lamp(unit=unit))
    assert (refusal.field, refusal.candidates) == (f"{PARAMS}.unit", ("°C", "°F"))
    assert refusal.hint == "unit is '°C' or '°F'; scope is 'home', or say room, floor or label."


@pytest.mark.parametrize(
    ("payload", "field", "message"),
    [
        pytest.param(
            lamp(zzz=1, brightness="50"),
            f"{PARAMS}.brightness",
            f"{PARAMS}.brightness is not a number. Wrong as well: {PARAMS}.zzz.",
            id="a value before an unknown field",
        ),
        pytest.param(
            lamp(a=1, b=2),
            f"{PARAMS}.a",
            f"Unknown field {PARAMS}.a. Wrong as well: {PARAMS}.b.",
            id="two unknown fields",
        ),
        pytest.param(
            lamp(a=1, b=2, c=3, d=4, e=5),
            f"{PARAMS}.a",
            f"Unknown field {PARAMS}.a. Wrong as well: {PARAMS}.b, {PARAMS}.c, {PARAMS}.d and 1 more.",
            id="five",
        ),
        pytest.param(
            lamp(color=[1, "2", 300]),
            f"{PARAMS}.color",
            f"{PARAMS}.color is not a colour.",
            id="one value wrong in several ways is one fault",
        ),
    ],
)
def test_several_faults(payload: object, field: str, message: str) -> None:
    """The cause is told first, the others are named, each once."""
    refusal = told(payload)
    assert (refusal.field, refusal.message) == (field, message)


def test_an_empty_word_is_not_of_a_wrong_type() -> None:
    """Nothing in quotes is text, only empty: a model that is told of a type would try a number."""
    assert "type" not in told(lamp(mode="")).message


def test_params_beside_the_candidate() -> None:
    """Values at the wrong level are told where they belong."""
    refusal = told({CANDIDATE: LAMP, "params": {"brightness": 40}})
    assert refusal.field == "params"
    assert "model_candidate" in refusal.hint.partition("Fields here are")[0]


@pytest.mark.parametrize("name", sorted(Params.model_fields))
def test_every_value_outside_params_is_refused(name: str) -> None:
    """No value is taken at the wrong level, also none that is not in use yet."""
    refusal = told(within(**{name: 1}))
    assert (refusal.code, refusal.field) == (Code.SCHEMA, f"{CANDIDATE}.{name}")
    assert refusal.hint


@given(payload=objects)
def test_any_mistake(payload: dict[str, object]) -> None:
    """Whatever is sent within the guard's bounds: one short printable answer with a field and a repair."""
    assume(oversized(payload) is None)
    refusal = told({**payload, CANDIDATE: payload})
    texts = [refusal.message, refusal.hint, str(refusal.field)]
    assert all(text and text.isprintable() for text in texts)
    assert all(len(text) < 600 for text in texts)
    "".join(texts).encode()
