"""Freshness: do we know the present state?"""

from typing import Any

import pytest

from custom_components.edgehome.chain import Pass, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.gates.freshness import Freshness
from tests.made_house import MadeHouse, asked, proposing

DIMMABLE: dict[str, Any] = {"supported_color_modes": ["brightness"]}
COLOR: dict[str, Any] = {"supported_color_modes": ["hs"]}
HEATING: dict[str, Any] = {
    "hvac_modes": ["off", "heat"],
    "supported_features": 1 | 128 | 256,
    "min_temp": 7,
    "max_temp": 35,
}


def house() -> MadeHouse:
    """Devices that are as asked, that are not, and that nobody can reach."""
    return (
        MadeHouse()
        .add("light.on", "Lit", "on", brightness=204, **DIMMABLE)
        .add("light.off", "Unlit", "off", brightness=None, **DIMMABLE)
        .add("light.red", "Red", "on", rgb_color=(255, 0, 0), **COLOR)
        .add("light.guess", "Guess", "on", assumed_state=True, **DIMMABLE)
        .add("light.gone", "Gone", "unavailable", **DIMMABLE)
        .add("light.unknown", "Unclear", "unknown", **DIMMABLE)
        .add("lock.gone", "Far door", "unavailable")
        .add("cover.up", "Up", "open", device_class="blind", supported_features=15, current_position=100)
        .add("cover.half", "Half", "open", device_class="blind", supported_features=15, current_position=50)
        .add("cover.plain", "Plain", "open", device_class="blind", supported_features=3)
        .add("cover.moving", "Moving", "opening", device_class="blind", supported_features=15, current_position=50)
        .add("cover.down", "Down", "closed", device_class="blind", supported_features=15, current_position=0)
        .add("climate.heating", "Heating", "heat", temperature=20, **HEATING)
        .add("climate.fine", "Fine", "heat", temperature=20, target_temp_step=0.1, **HEATING)
        .add("climate.off", "Cold", "off", temperature=20, **HEATING)
    )


def wish(intent: str, device: str, **params: object) -> dict[str, object]:
    """A proposal on a named device."""
    return proposing(intent, device_alias=device, params=params)


@pytest.mark.parametrize(
    ("payload", "already_so"),
    [
        pytest.param(wish("turn_on", "Lit"), True, id="on and on"),
        pytest.param(wish("turn_on", "Unlit"), False, id="off and on"),
        pytest.param(wish("turn_off", "Unlit"), True, id="off and off"),
        pytest.param(wish("toggle", "Lit"), False, id="a toggle always changes"),
        pytest.param(wish("turn_on", "Unclear"), False, id="unknown is never already so"),
        pytest.param(wish("turn_off", "Unclear"), False, id="unknown is not off either"),
        pytest.param(wish("turn_on", "Guess"), False, id="a guessed state is never already so"),
        pytest.param(wish("set_brightness", "Lit", brightness=80), True, id="as bright"),
        pytest.param(wish("set_brightness", "Lit", brightness=79), False, id="one percent less"),
        pytest.param(wish("turn_on", "Lit", brightness=50), False, id="on, but brighter"),
        pytest.param(wish("set_brightness", "Unlit", brightness=80), False, id="off and bright"),
        pytest.param(wish("set_brightness", "Unlit", brightness=0), True, id="off and dark"),
        pytest.param(wish("set_color", "Red", color=[255, 0, 0]), True, id="as red"),
        pytest.param(wish("set_color", "Red", color=[255, 17, 0]), False, id="not as red"),
        pytest.param(wish("set_color", "Red", color="red"), True, id="as red, by name"),
        pytest.param(wish("open", "Up"), True, id="open"),
        pytest.param(wish("open", "Half"), False, id="half open can open"),
        pytest.param(wish("open", "Plain"), True, id="open, of which no position is known"),
        pytest.param(wish("open", "Moving"), False, id="on its way is not there"),
        pytest.param(wish("close", "Half"), False, id="half open can close"),
        pytest.param(wish("close", "Down"), True, id="closed"),
        pytest.param(wish("stop", "Half"), False, id="stop is always called"),
        pytest.param(wish("set_position", "Half", position=50), True, id="at its position"),
        pytest.param(wish("set_temperature", "Heating", temperature=20), True, id="as warm"),
        pytest.param(wish("set_temperature", "Heating", temperature=20.5), False, id="half a degree"),
        pytest.param(wish("set_temperature", "Fine", temperature=20.4), False, id="four steps of a fine thermostat"),
        pytest.param(wish("set_mode", "Heating", mode="heat"), True, id="mode"),
        pytest.param(wish("turn_on", "Cold"), False, id="a thermostat that is off"),
        pytest.param(wish("turn_on", "Heating"), True, id="a thermostat that is not off"),
    ],
)
def test_already_so(payload: dict[str, object], already_so: bool) -> None:
    """What is already as asked is marked; nothing else is."""
    step, result = asked(Freshness, house(), payload)
    assert isinstance(step, Pass)
    (action,) = step.context.actions
    assert action.already_so is already_so
    assert result.evidence == {"already_so": [action.entity_id] * already_so}


@pytest.mark.parametrize(("name", "uncertain"), [("Lit", False), ("Unlit", False), ("Guess", True), ("Unclear", True)])
def test_uncertain(name: str, uncertain: bool) -> None:
    """What is unknown or only guessed is marked (R7)."""
    step, _ = asked(Freshness, house(), wish("turn_on", name))
    assert isinstance(step, Pass)
    assert [action.uncertain for action in step.context.actions] == [uncertain]


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        pytest.param(wish("turn_on", "Gone"), Code.ENTITY_UNAVAILABLE, id="unavailable lamp (case 18)"),
        pytest.param(wish("set_brightness", "Gone", brightness=5), Code.ENTITY_UNAVAILABLE, id="with a value"),
        pytest.param(wish("toggle", "Gone"), Code.ENTITY_UNAVAILABLE, id="toggle of an unavailable lamp"),
        pytest.param(wish("lock", "Far door"), Code.ENTITY_UNAVAILABLE, id="securing is no exception"),
        pytest.param(wish("toggle", "Unclear"), Code.STATE_UNKNOWN, id="toggle of an unknown lamp"),
        pytest.param(wish("toggle", "Moving"), Code.STATE_UNKNOWN, id="toggle of a cover on its way"),
        pytest.param(wish("toggle", "Half"), Code.STATE_UNKNOWN, id="toggle of a cover half open"),
    ],
)
def test_not_known(payload: dict[str, object], code: Code) -> None:
    """What cannot be reached, or is in no state that tells what would happen, is not called."""
    step, result = asked(Freshness, house(), payload)
    assert isinstance(step, Refuse)
    assert (step.code, result.reason, result.passed) == (code, code, False)
    assert step.hint


@pytest.mark.parametrize(("params", "already_so"), [({}, True), ({"value": 60}, False), ({"value": "00:10:00"}, False)])
def test_a_timer_that_runs(params: dict[str, object], already_so: bool) -> None:
    """With a duration a timer is started anew; without one it runs already."""
    made = MadeHouse().add("timer.eggs", "Eggs", "active")
    step, _ = asked(Freshness, made, wish("start", "Eggs", **params))
    assert isinstance(step, Pass)
    assert [action.already_so for action in step.context.actions] == [already_so]


def test_without_a_state() -> None:
    """An entity that the registries know and the state machine does not is missing."""
    made = house()
    del made.states["light.on"]
    step, _ = asked(Freshness, made, wish("turn_on", "Lit"))
    assert isinstance(step, Refuse)
    assert step.code is Code.ENTITY_MISSING


@pytest.mark.parametrize("name", ["Gone", "Far door", "Unclear", "Lit"])
def test_reading_needs_no_fresh_state(name: str) -> None:
    """That a device is unavailable is a true answer."""
    step, _ = asked(Freshness, house(), wish("status", name))
    assert isinstance(step, Pass)


def test_unavailable_members_of_a_set_are_skipped() -> None:
    """In a room the reachable are called and the others reported."""
    made = (
        MadeHouse()
        .add("light.a", "A", room="Kitchen")
        .add("light.b", "B", "unavailable", room="Kitchen")
        .add("light.c", "C", "on", room="Kitchen")
    )
    step, _ = asked(Freshness, made, proposing("turn_on", room="Kitchen", device_type="light"))
    assert isinstance(step, Pass)
    assert [(action.entity_id, action.already_so) for action in step.context.actions] == [
        ("light.a", False),
        ("light.c", True),
    ]
    assert [(skip.entity_id, skip.code) for skip in step.context.skipped] == [("light.b", Code.ENTITY_UNAVAILABLE)]


def test_a_set_of_which_nothing_is_left() -> None:
    """A room in which all are unavailable is refused, not done."""
    made = MadeHouse().add("light.a", "A", "unavailable", room="Kitchen")
    step, _ = asked(Freshness, made, proposing("turn_on", room="Kitchen", device_type="light"))
    assert isinstance(step, Refuse)
    assert step.code is Code.ENTITY_UNAVAILABLE
