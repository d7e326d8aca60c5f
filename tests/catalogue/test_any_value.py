"""Any value that a proposal may have, given to any kind of value: an answer, never an exception, and nothing clamped (R6)."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from custom_components.edgehome.catalogue import OPERATIONS
from custom_components.edgehome.catalogue.operation import Operation
from custom_components.edgehome.catalogue.values import Duration, Kind, Step, Value
from custom_components.edgehome.chain import Refuse
from custom_components.edgehome.devices import DeviceState
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.models import Params
from tests.any_json import values
from tests.made_devices import DEVICES
from tests.made_house import MadeHouse

NUMBERS = st.integers(-300, 300) | st.floats(allow_nan=False, allow_infinity=False, width=32) | st.floats(-1, 101)
WORDS = st.text(min_size=1, max_size=20) | st.sampled_from(
    ("2026-12-24", "07:30", "2026-12-24T07:30", "eco", "new", "TV")
)
ANY_STATE = st.text(max_size=8) | st.sampled_from(("on", "off", "3", "unknown", "-1e400", "nan"))
SENT = {"volume": 0.01}
"""How much the service's number is of the proposal's, where it is not the same."""

PARAMETERS = [
    pytest.param(row, name, id=f"{row.domain}.{row.intent} {name}") for row in OPERATIONS for name in row.params
]


def attributes_of(row: Operation) -> dict[str, Any]:
    """The attributes of the domain's device."""
    return next(more for entity_id, (_, more) in DEVICES.items() if entity_id.startswith(f"{row.domain}."))


IN_WORDS = frozenset({"color", "mode", "source", "preset", "option", "media", "message"})


def sent(name: str) -> st.SearchStrategy[object]:
    """Mostly what the schema lets through under this name."""
    channels = st.tuples(*[st.integers(0, 255)] * 3)
    return (
        WORDS | channels if name in IN_WORDS else NUMBERS | WORDS | st.booleans() if name == "value" else NUMBERS
    ) | values


def taken(name: str, value: object) -> object:
    """The value as the schema lets it through; None if it does not."""
    try:
        return Params.model_validate({name: value}).given().get(name)
    except ValidationError:
        return None


def answers(kind: Kind, name: str, value: object, state: DeviceState) -> Value | Refuse:
    """What the kind says, as the gate asks it."""
    meant = kind.resolve(name, value, Facts(MadeHouse()))
    return meant if isinstance(meant, Refuse) else kind.convert(name, meant, "Thing", state)


@pytest.mark.parametrize(("row", "name"), PARAMETERS)
@settings(max_examples=20)
@given(data=st.data())
def test_any_value(row: Operation, name: str, data: st.DataObject) -> None:
    """Service data or a refusal with a repair, whatever is sent and whatever state the device is in."""
    value = taken(name, data.draw(sent(name)))
    if value is None:
        return
    state = DeviceState(state=data.draw(ANY_STATE), attributes=attributes_of(row))
    answer = answers(row.params[name].kind, name, value, state)
    if isinstance(answer, Refuse):
        assert answer.message
        assert answer.hint
        assert answer.field == f"model_candidate.params.{name}"
        return
    numbers = list(_numbers(answer.data))
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or isinstance(row.params[name].kind, Step | Duration)
    ):
        return
    assert numbers == [pytest.approx(round(value) if name == "color_temperature" else value * SENT.get(name, 1))]


def _numbers(data: Any) -> Iterator[float]:
    yield from (item for item in data.values() if isinstance(item, int | float) and not isinstance(item, bool))


ODD = st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5) | st.lists(st.text(max_size=3), max_size=3)


@pytest.mark.parametrize(("row", "name"), PARAMETERS)
@settings(max_examples=20)
@given(data=st.data())
def test_any_device(row: Operation, name: str, data: st.DataObject) -> None:
    """A device that reports anything at all in its attributes breaks nothing, neither judging nor listing."""
    attributes = {key: data.draw(ODD) for key in attributes_of(row)}
    state = DeviceState(state=data.draw(ANY_STATE), attributes=attributes)
    value = taken(name, data.draw(sent(name)))
    answer = None if value is None else answers(row.params[name].kind, name, value, state)
    assert answer is None or isinstance(answer, Value | Refuse)
    described = row.params[name].kind.describe(state)
    assert described is None or isinstance(described, dict)


@pytest.mark.parametrize(
    ("step", "present", "wanted"),
    [
        (10, 51, 30),
        (-20, 51, 0),
        (80, 51, 100),
        (1, 128, 51),
        pytest.param(0.4, 51, None),
    ],
)
def test_steps_of_brightness(step: float, present: int, wanted: int | None) -> None:
    """A step becomes the absolute value that it means now, in whole percent; a smaller step than that is refused."""
    kind = next(row.params["brightness_step"].kind for row in OPERATIONS if "brightness_step" in row.params)
    state = DeviceState(state="on", attributes={"brightness": present, "supported_color_modes": ["brightness"]})
    answer = kind.convert("brightness_step", step, "Thing", state)
    if wanted is None:
        assert isinstance(answer, Refuse)
        return
    assert isinstance(answer, Value)
    assert dict(answer.data) == {"brightness_pct": wanted}


@pytest.mark.parametrize("name", ["brightness", "volume", "temperature", "position", "color_temperature", "humidity"])
@pytest.mark.parametrize("value", [True, "50", [50], {"a": 1}, None], ids=str)
def test_no_number_reaches_a_number(name: str, value: object) -> None:
    """Percent, kelvin and degrees need not look: the schema lets only numbers through to them."""
    if value is None:
        assert Params.model_validate({name: value}).given() == {}
        return
    with pytest.raises(ValidationError):
        Params.model_validate({name: value})
