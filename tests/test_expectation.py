"""Whether an entity looks as expected."""

import pytest

from custom_components.edgehome.devices import DeviceState
from custom_components.edgehome.expectation import has_failed, has_followed, is_already_so, is_moving
from custom_components.edgehome.plan import Expectation

ON = Expectation(value="on")
NOT_OFF = Expectation(value="off", differs=True)
OPEN = Expectation(value="open", moving=("opening",))
UP = Expectation(attribute="current_position", value=100, same=1, step=1, optional=True)
SET_POINT = Expectation(attribute="temperature", value=21.0, same=0.25, step=0.5)
RED = Expectation(attribute="rgb_color", value=(255, 0, 0), same=2, step=16)
LOCKED = Expectation(value="locked", moving=("locking",), failed=("jammed", "broken"))
PRESET = Expectation(attribute="preset_mode", value="away")


@pytest.mark.parametrize(
    ("expect", "state", "attributes", "already", "followed"),
    [
        pytest.param((), "on", {}, False, False, id="nothing expected is never met"),
        pytest.param((ON,), "on", {}, True, True, id="state"),
        pytest.param((ON,), "off", {}, False, False, id="another state"),
        pytest.param((ON,), "ON", {}, False, False, id="upper case"),
        pytest.param((ON,), "unavailable", {}, False, False, id="unavailable"),
        pytest.param((ON,), "unknown", {}, False, False, id="unknown"),
        pytest.param((ON,), "on", {"assumed_state": True}, False, False, id="only guessed"),
        pytest.param((ON,), "on", {"assumed_state": False}, True, True, id="known"),
        pytest.param((NOT_OFF,), "heat", {}, True, True, id="anything but off"),
        pytest.param((NOT_OFF,), "off", {}, False, False, id="off"),
        pytest.param((NOT_OFF,), "unknown", {}, False, False, id="unknown is not on"),
        pytest.param((NOT_OFF,), "unavailable", {}, False, False, id="unavailable is not on"),
        pytest.param((OPEN, UP), "open", {"current_position": 100}, True, True, id="state and position"),
        pytest.param((OPEN, UP), "open", {"current_position": 50}, False, False, id="half open"),
        pytest.param((OPEN, UP), "open", {}, True, True, id="no position: the state tells enough"),
        pytest.param((OPEN, UP), "open", {"current_position": None}, True, True, id="no value: the same"),
        pytest.param((OPEN, UP), "opening", {"current_position": 100}, False, False, id="still on its way"),
        pytest.param((UP,), "open", {}, False, False, id="nothing told is not followed"),
        pytest.param((SET_POINT,), "heat", {"temperature": 21}, True, True, id="whole number"),
        pytest.param((SET_POINT,), "heat", {"temperature": 21.2}, True, True, id="the same within a step"),
        pytest.param((SET_POINT,), "heat", {"temperature": 21.4}, False, True, id="rounded by the device"),
        pytest.param((SET_POINT,), "heat", {"temperature": 21.5}, False, False, id="another set point"),
        pytest.param((SET_POINT,), "heat", {"temperature": None}, False, False, id="no set point"),
        pytest.param((SET_POINT,), "heat", {"temperature": "21"}, False, False, id="text is no number"),
        pytest.param((SET_POINT,), "heat", {"temperature": True}, False, False, id="truth is no number"),
        pytest.param((SET_POINT,), "heat", {"temperature": float("nan")}, False, False, id="nan is no number"),
        pytest.param((SET_POINT,), "heat", {}, False, False, id="no attribute"),
        pytest.param((RED,), "on", {"rgb_color": [255, 0, 0]}, True, True, id="colour as a list"),
        pytest.param((RED,), "on", {"rgb_color": (254, 1, 0)}, True, True, id="nearly the colour"),
        pytest.param((RED,), "on", {"rgb_color": (250, 10, 0)}, False, True, id="about the colour"),
        pytest.param((RED,), "on", {"rgb_color": (255, 0, 16)}, False, False, id="another colour"),
        pytest.param((RED,), "on", {"rgb_color": (255, 0)}, False, False, id="two channels"),
        pytest.param((RED,), "on", {"rgb_color": ("255", 0, 0)}, False, False, id="a channel as text"),
        pytest.param((RED,), "on", {"rgb_color": "red"}, False, False, id="a name"),
        pytest.param((PRESET,), "heat", {"preset_mode": "away"}, True, True, id="word"),
        pytest.param((PRESET,), "heat", {"preset_mode": "home"}, False, False, id="another word"),
        pytest.param((PRESET,), "heat", {}, False, False, id="no word"),
        pytest.param((ON, RED), "off", {"rgb_color": (255, 0, 0)}, False, False, id="all must be met"),
    ],
)
def test_met(
    expect: tuple[Expectation, ...], state: str, attributes: dict[str, object], already: bool, followed: bool
) -> None:
    """All must be so; "already so" is stricter than "followed"."""
    present = DeviceState(state=state, attributes=attributes)
    assert is_already_so(expect, present) is already
    assert has_followed(expect, present) is followed


@pytest.mark.parametrize(
    ("expect", "state", "moving"),
    [
        pytest.param((OPEN, UP), "opening", True, id="on its way"),
        pytest.param((OPEN, UP), "closing", False, id="on another way"),
        pytest.param((OPEN,), "open", False, id="there"),
        pytest.param((ON,), "opening", False, id="nothing that moves"),
        pytest.param((), "opening", False, id="nothing expected"),
    ],
)
def test_moving(expect: tuple[Expectation, ...], state: str, moving: bool) -> None:
    """A device is on its way in the states on the way there."""
    assert is_moving(expect, DeviceState(state=state)) is moving


@pytest.mark.parametrize(
    ("expect", "state", "failed"),
    [
        pytest.param((LOCKED,), "jammed", True, id="it could not"),
        pytest.param((LOCKED,), "broken", True, id="another way"),
        pytest.param((LOCKED,), "locked", False, id="it could"),
        pytest.param((LOCKED,), "unlocked", False, id="it did not"),
        pytest.param((LOCKED,), "locking", False, id="on its way"),
        pytest.param((LOCKED,), "unavailable", False, id="unavailable"),
        pytest.param((ON, LOCKED), "jammed", True, id="one of several"),
        pytest.param((ON,), "jammed", False, id="nothing that fails"),
        pytest.param((), "jammed", False, id="nothing expected"),
    ],
)
def test_failed(expect: tuple[Expectation, ...], state: str, failed: bool) -> None:
    """Only the states that say so are a failure."""
    present = DeviceState(state=state)
    assert has_failed(expect, present) is failed
    assert not (failed and (is_already_so(expect, present) or has_followed(expect, present)))
