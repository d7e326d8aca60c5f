"""What never reaches the evidence (R12), and how much of anything at most."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.evidence.redaction import REDACTED, redacted
from tests.any_json import nested, values

SECRET = "5550-47114711"


@pytest.mark.parametrize(
    "key",
    [
        "code",
        "CODE",
        "Code",
        "alarm_code",
        "code_2",
        "code2",
        "user_code",
        "usercode",
        "pincode",
        "pin_code",
        "pinCode",
        "codes",
        "pin",
        "PIN",
        "pin1",
        "pins",
        "my.pin",
        "my-pin",
        "my pin",
        "pass",
        "password",
        "passwords",
        "passwd",
        "passcode",
        "passphrase",
        "secret",
        "client_secret",
        "clientSecret",
        "secrets",
        "token",
        "tokens",
        "access_token",
        "accessToken",
        "refresh-token",
        "key",
        "api_key",
        "apiKey",
        "apikey",
        "private_key",
        "auth",
        "authorization",
        "Authorization",
        "credential",
        "credentials",
        "nonce",
    ],
)
def test_secret_keys(key: str) -> None:
    """What stands under the name of a secret is gone."""
    assert redacted({"params": {key: SECRET}}) == {"params": {key: REDACTED}}


@pytest.mark.parametrize("key", ["code", "pin", "access_token", "apiKey", "password"])
@pytest.mark.parametrize(
    "form",
    [
        pytest.param([SECRET], id="list"),
        pytest.param({"value": SECRET}, id="object"),
        pytest.param({"deep": [{"er": SECRET}]}, id="deeper"),
    ],
)
def test_secret_forms(key: str, form: object) -> None:
    """What stands under the name of a secret is gone, whatever its form."""
    assert SECRET not in json.dumps(redacted({key: form}))


def test_secret_numbers() -> None:
    """A code may be a number, also nothing."""
    assert redacted({"code": 4711, "pin": 0, "token": 1.5}) == {"code": REDACTED, "pin": REDACTED, "token": REDACTED}


def test_no_secret_there() -> None:
    """That there was no code says nothing secret."""
    assert redacted({"code": None}) == {"code": None}


@pytest.mark.parametrize(
    "key",
    [
        "entity_id",
        "brightness",
        "keypad",
        "monkey",
        "decode",
        "author",
        "mode",
    ],
)
def test_plain_keys(key: str) -> None:
    """Names that only contain such a word are no secrets."""
    assert redacted({key: "plain"}) == {key: "plain"}


@pytest.mark.parametrize(
    "text",
    [
        "code 4711",
        "code: 4711",
        "code=4711",
        "the code is 4711",
        "the code is: 4711",
        "Code is '4711'",
        "PIN 4711",
        "my pin: 4711 please",
        "the pin code is 4711",
        "PIN code: 4711",
        "the alarm code 4711",
        "alarm_code=4711",
        "usercode 4711",
        "pincode 4711",
        "codes 4711 and others",
        "password 4711",
        "password=4711",
        "passcode-4711",
        "secret: 4711",
        "token 4711",
        "access_token=4711",
        "api_key=4711",
        "API key: 4711",
        "Bearer 4711",
        "authorization: bearer 4711",
        "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiI0NzExIn0.4711",
        "x" * 490 + " code 4711",
    ],
)
def test_secret_text(text: str) -> None:
    """A secret that is said in words is gone, in values and in keys."""
    kept = redacted({"reason": text, text: 1, "list": [[text]]})
    assert "4711" not in json.dumps(kept)


@pytest.mark.parametrize(
    "text",
    [
        "turn on the lamp",
        "Wohnzimmer",
        "客厅灯",
        "the pineapple lamp",
        "decode 3",
        "tokenizer 3",
        "",
        "movie night",
    ],
)
def test_plain_text(text: str) -> None:
    """Everyday words stay as they are."""
    assert redacted(text) == text


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        pytest.param(None, None, id="null"),
        pytest.param(True, True, id="true"),
        pytest.param(3, 3, id="number"),
        pytest.param(2.5, 2.5, id="fraction"),
        pytest.param(10**400, "[number too large]", id="a huge number"),
        pytest.param(-(10**400), "[number too large]", id="a huge negative number"),
        pytest.param(float("nan"), "[number too large]", id="nan"),
        pytest.param(float("inf"), "[number too large]", id="infinity"),
        pytest.param((1, 2), [1, 2], id="tuple"),
        pytest.param("x" * 1001, "x" * 1000 + "…", id="long text"),
        pytest.param("x" * 1000, "x" * 1000, id="text at the limit"),
        pytest.param([0] * 301, [0] * 300, id="long list"),
        pytest.param(b"abc", "[bytes]", id="bytes"),
        pytest.param({1, 2}, "[set]", id="set"),
        pytest.param(object(), "[object]", id="anything"),
        pytest.param("a\ud800b", "a?b", id="lone surrogate"),
        pytest.param({1: 2, None: 3}, {"1": 2, "None": 3}, id="keys that are no text"),
    ],
)
def test_bounds(value: object, kept: object) -> None:
    """Everything is kept within bounds, and what is strange is named by its type."""
    assert redacted(value) == kept


def test_very_deep() -> None:
    """Depth costs nothing."""
    assert "[too deep]" not in json.dumps(redacted(nested(12)))
    assert "[too deep]" in json.dumps(redacted(nested(50_000)))


def test_much_in_all() -> None:
    """Many texts of allowed length do not make a large row either."""
    assert len(json.dumps(redacted([[["x" * 100] * 50] * 50] * 50))) < 100_000


@given(value=values)
def test_anything(value: object) -> None:
    """Any value gets a copy that is JSON without a number that is none, and within the bounds."""
    kept = redacted(value)
    text = json.dumps(kept, allow_nan=False)
    assert json.loads(text) == kept
    text.encode()


@given(inner=values, key=st.sampled_from(["code", "pin", "token", "api_key", "password"]))
def test_secrets_anywhere(inner: object, key: str) -> None:
    """A secret under its name is gone wherever it stands."""
    kept = json.dumps(redacted([inner, {"x": {key: SECRET, "inner": inner}}, [[{key: [SECRET, inner]}]]]))
    assert SECRET not in kept
