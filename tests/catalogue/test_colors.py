"""Colours in a lamp's own numbers: taken by lamps that have that color mode, by no others, and never converted (R6)."""

from typing import Any

import pytest

from custom_components.edgehome.catalogue.undo import restores
from custom_components.edgehome.catalogue.values import Color
from custom_components.edgehome.chain import Pass, Refuse
from custom_components.edgehome.devices import DeviceState, Makeup
from custom_components.edgehome.expectation import has_followed, is_already_so
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.gates.capability import Capability
from custom_components.edgehome.judge import judge
from tests.made_devices import fitted, wish
from tests.made_house import MadeHouse, asked, request

OWN: dict[str, tuple[str, list[float]]] = {
    "xy": ("xy_color", [0.41, 0.52]),
    "rgbw": ("rgbw_color", [59, 122, 211, 30]),
    "rgbww": ("rgbww_color", [59, 122, 211, 30, 200]),
}
"""Field of the service and attribute, and a value, by color mode."""
MODES = pytest.mark.parametrize("mode", list(OWN))


def lamp(mode: str, **attributes: Any) -> MadeHouse:
    """A house with a lamp of one color mode, lit."""
    modes: dict[str, Any] = {"supported_color_modes": [mode], "color_mode": mode}
    return MadeHouse().add("light.lamp", "lamp", "on", brightness=128, **modes, **attributes)


def refused(payload: dict[str, Any], house: MadeHouse) -> Refuse:
    """The refusal, whichever gate gives it."""
    step = judge(request(payload), Facts(house)).step
    assert isinstance(step, Refuse), step
    return step


@MODES
def test_own_numbers(mode: str) -> None:
    """What a lamp shows is what it is sent, and expected again."""
    field, numbers = OWN[mode]
    action = fitted("set_color", "lamp", {"color": numbers}, lamp(mode))
    assert action.data == {field: numbers}
    shown = DeviceState(state="on", attributes={field: tuple(numbers)})
    assert is_already_so(action.expect, shown)
    other = DeviceState(state="on", attributes={field: tuple(number / 2 for number in numbers)})
    assert not has_followed(action.expect, other)


@MODES
@pytest.mark.parametrize("other", ["hs", "rgb", *OWN])
def test_of_another_mode(mode: str, other: str) -> None:
    """A lamp takes no numbers of a mode that it does not have; it says what it takes."""
    _, numbers = OWN[mode]
    if mode == other:
        return
    refusal = refused(wish("set_color", "lamp", color=numbers), lamp(other))
    assert (refusal.code, refusal.field) == ("UNSUPPORTED_FIELD", "model_candidate.params.color")
    assert "[red, green, blue]" in refusal.hint


@MODES
def test_described(mode: str) -> None:
    """The list of devices says how many numbers a lamp takes."""
    state = lamp(mode).states["light.lamp"]
    described = Color().describe(state)
    assert described is not None
    words = str(described["values"])
    assert words.startswith("a CSS colour name or [red, green, blue], each 0-255, or [")
    assert Color().describe(DeviceState(state="on", attributes={"supported_color_modes": ["hs"]})) == {
        "values": "a CSS colour name or [red, green, blue], each 0-255"
    }


@pytest.mark.parametrize(
    "color",
    [
        pytest.param([0.1, 1.2], id="x and y beyond 1"),
        pytest.param([-0.1, 0.2], id="x and y below 0"),
        pytest.param([255, 0, 0, 256], id="white beyond 255"),
        pytest.param([255, 0, 0, 0.5], id="half a white"),
        pytest.param([255], id="one number"),
        pytest.param([1, 2, 3, 4, 5, 6], id="six numbers"),
        pytest.param([True, False], id="truths"),
        pytest.param([], id="none"),
    ],
)
def test_no_colour(color: list[object]) -> None:
    """Other numbers are no colour."""
    refusal = refused(wish("set_color", "lamp", color=color), lamp("rgbw"))
    assert refusal.code == "SCHEMA"


@pytest.mark.parametrize(
    ("field", "value", "mode"),
    [
        pytest.param("rgb_color", [0.1, 0.2], "xy", id="x and y as red, green, blue"),
        pytest.param("xy_color", [255, 0, 0], "rgb", id="red, green, blue as x and y"),
        pytest.param("rgbw_color", [255, 0, 0], "rgbw", id="no white"),
        pytest.param("rgb_color", [255, 0, 0, 9], "rgbw", id="one white too many"),
        pytest.param("rgb_color", "red", "rgb", id="a name as numbers"),
        pytest.param("color_name", [255, 0, 0], "rgb", id="numbers as a name"),
    ],
)
def test_service_call_under_a_wrong_name(field: str, value: object, mode: str) -> None:
    """In Home Assistant's words each field has its own number of numbers; none is taken for another."""
    call = {"service": "light.turn_on", "target": {"entity_id": "light.lamp"}, "data": {field: value}}
    refusal = refused({"service_call": call}, lamp(mode))
    assert (refusal.code, refusal.field) == ("SCHEMA", f"service_call.data.{field}")


@MODES
def test_service_call(mode: str) -> None:
    """The same in Home Assistant's words."""
    field, numbers = OWN[mode]
    call = {"service": "light.turn_on", "target": {"entity_id": "light.lamp"}, "data": {field: numbers}}
    step, _ = asked(Capability, lamp(mode), {"service_call": call})
    assert isinstance(step, Pass), step
    assert step.context.actions[0].data == {field: numbers}


@MODES
@pytest.mark.parametrize(
    ("intent", "params"),
    [
        pytest.param("turn_off", {}, id="off"),
        pytest.param("set_color", {"color": [255, 0, 0]}, id="red"),
    ],
)
def test_way_back(mode: str, intent: str, params: dict[str, Any]) -> None:
    """What a lamp showed comes back in its own numbers."""
    field, numbers = OWN[mode]
    house = lamp(mode, **{field: tuple(numbers), "rgb_color": (1, 2, 3)})
    (way,) = restores(fitted(intent, "lamp", params, house), Facts(house))
    assert way.params["color"] == numbers
    assert fitted(way.intent, "lamp", dict(way.params), house).data[field] == numbers


@MODES
@pytest.mark.parametrize("other", ["hs", "rgb", *OWN])
def test_mixed_group(mode: str, other: str) -> None:
    """A group takes such numbers if all of its members do; Home Assistant would convert them for the others (R6)."""
    _, numbers = OWN[mode]
    modes: dict[str, Any] = {"supported_color_modes": [mode, other]}
    made = MadeHouse().add("light.a", "a", "on", supported_color_modes=[mode])
    made.add("light.b", "b", "on", supported_color_modes=[other]).add("light.away", "away", "unavailable")
    members = ("light.a", "light.b", "light.away")
    made.add("light.g", "g", "on", makeup=Makeup(kind="group", members=members), **modes)
    step = judge(request(wish("set_color", "g", color=numbers)), Facts(made)).step
    if mode == other:
        assert not isinstance(step, Refuse), step
    else:
        assert isinstance(step, Refuse), step
        assert (step.code, step.field) == ("UNSUPPORTED_FIELD", "model_candidate.params.color")
        assert "Not every member" in step.message
