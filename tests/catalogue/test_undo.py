"""What takes an action back restores what the action changed, and nothing else; what has no way back says so."""

import json
from dataclasses import replace
from typing import Any

import pytest

from custom_components.edgehome.catalogue.undo import from_json, restores, to_json
from custom_components.edgehome.devices import DeviceState
from custom_components.edgehome.expectation import has_followed, is_already_so
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.plan import Expectation, Reached
from tests.catalogue.rows import FITS
from tests.made_devices import DEVICES, fitted, house_of_all
from tests.made_house import MadeHouse

NO_WAY_BACK = {
    "assist_satellite", "button", "camera", "input_button", "notify", "scene", "script", "timer", "todo", "update", "datetime",
}  # fmt: skip
"""Domains in which nothing can be taken back."""
NO_WAY_BACK_ROWS = {
    "cover.stop", "valve.stop", "media_player.stop", "media_player.next", "media_player.previous",
    "media_player.play_media", "media_player.announce", "lawn_mower.stop", "vacuum.locate", "vacuum.stop",
}  # fmt: skip
"""Operations without a way back."""


def entity_of(name: str) -> str:
    """The entity of this name in the house of all."""
    return next(entity_id for entity_id in DEVICES if entity_id.partition(".")[2] == name)


def followed(state: DeviceState, expect: tuple[Expectation, ...]) -> DeviceState:
    """The state of a device that did as it was told."""
    attributes = dict(state.attributes)
    value = state.state
    for item in expect:
        if item.attribute is None and "current_position" in attributes and item.value in {"open", "closed"}:
            value, attributes["current_position"] = str(item.value), 100 if item.value == "open" else 0
        elif item.attribute is None:
            value = (
                ("on" if item.differs else str(item.value))
                if item.differs or isinstance(item.value, str)
                else (f"{item.value:g}")
            )
        elif not (item.optional and attributes.get(item.attribute) is None):
            attributes[item.attribute] = item.value
            value = str(item.value) if item.attribute == "operation_mode" else value
    if "rgb_color" in {item.attribute for item in expect}:
        attributes["color_mode"] = "rgb"
    if "color_temp_kelvin" in {item.attribute for item in expect}:
        attributes["color_mode"] = "color_temp"
    return DeviceState(state=value, attributes=attributes, unit=state.unit)


KNOWN: dict[str, dict[str, Any]] = {
    "lamp": {"color_mode": "rgb", "rgb_color": [10, 20, 30]},
    "fan": {"direction": "forward"},
    "heating": {"fan_mode": "low", "swing_mode": "off", "preset_mode": "home", "humidity": 40, "target_temp_low": 18,
                "target_temp_high": 24},
    "boiler": {"operation_mode": "eco"},
    "mist": {"mode": "auto"},
    "radio": {"is_volume_muted": False, "shuffle": False, "source": "TV", "sound_mode": "music"},
}  # fmt: skip
"""What the devices show besides, so that every value before is known."""


@pytest.mark.parametrize(
    ("intent", "name", "params"),
    [pytest.param(*case[:3], id=f"{case[1]} {case[0]} {' '.join(case[2])}".strip()) for case in FITS],
)
def test_there_and_back(intent: str, name: str, params: dict[str, Any]) -> None:
    """For every row: done and taken back, a device looks as before in all that was changed."""
    house, entity_id = house_of_all(**KNOWN), entity_of(name)
    domain, before = entity_id.partition(".")[0], house.states[entity_id]
    action = fitted(intent, name, params, house)
    if is_already_so(action.expect, before):
        return
    ways = restores(action, Facts(house))
    if domain in NO_WAY_BACK or {f"{domain}.{intent}", f"{domain}.{action.operation}"} & NO_WAY_BACK_ROWS:
        assert ways == ()
        return
    (way,) = ways
    assert from_json(json.loads(json.dumps(to_json(way)))) == way
    house.states[entity_id] = after = followed(before, action.expect)
    assert has_followed(way.left, after) or not action.expect
    back = fitted(way.intent, name, dict(way.params), house)
    end = followed(after, back.expect)
    for item in action.expect:
        shown, was = (
            (state.state if item.attribute is None else state.attributes.get(item.attribute)) for state in (end, before)
        )
        if was is None:
            # A mode that excludes the one before: the device itself shows the old one as nothing.
            continue
        if domain == "media_player" and "off" in (item.value, was, shown):
            # What it played is the player's own; on or off comes back.
            assert (shown == "off") == (was == "off")
        elif isinstance(was, list | tuple | int | float):
            assert shown == pytest.approx(was, abs=max(item.step, 0.51)), item
        else:
            assert shown == was, item
    others = {
        key for key in before.attributes if key not in {item.attribute for item in (*action.expect, *back.expect)}
    }
    assert {key: end.attributes[key] for key in others - {"color_mode"}} == {
        key: before.attributes[key] for key in others - {"color_mode"}
    }


LAMP = "light.lamp"


def lamp(state: str, **attributes: Any) -> MadeHouse:
    """A house with a lamp that can do everything."""
    return MadeHouse().add(LAMP, "lamp", state, supported_color_modes=["hs", "color_temp"], **attributes)


def way_of(house: MadeHouse, intent: str, **params: object) -> tuple[str, dict[str, object]] | None:
    """What takes an action on the lamp back."""
    found = restores(fitted(intent, "lamp", params, house), Facts(house))
    return (found[0].intent, dict(found[0].params)) if found else None


RED: dict[str, Any] = {"color_mode": "hs", "rgb_color": (255, 0, 0), "brightness": 128}
WARM: dict[str, Any] = {
    "color_mode": "color_temp",
    "color_temp_kelvin": 2702,
    "rgb_color": (255, 180, 100),
    "brightness": 128,
}


@pytest.mark.parametrize(
    ("house", "wish", "expected"),
    [
        pytest.param(lamp("off"), ("turn_on", {}), ("turn_off", {}), id="off, on"),
        pytest.param(lamp("off"), ("turn_on", {"brightness": 80}), ("turn_off", {}), id="off, on and bright"),
        pytest.param(lamp("off"), ("set_color", {"color": [255, 0, 0]}), ("turn_off", {}), id="off, on and red"),
        pytest.param(
            lamp("on", **RED),
            ("set_brightness", {"brightness": 77}),
            ("turn_on", {"brightness": 50.2}),
            id="dimmed: never off (case 28)",
        ),
        pytest.param(
            lamp("on", **RED),
            ("set_color", {"color": [0, 0, 255]}),
            ("turn_on", {"color": [255, 0, 0]}),
            id="another colour: the brightness stays",
        ),
        pytest.param(
            lamp("on", **WARM),
            ("set_color", {"color": [0, 0, 255]}),
            ("turn_on", {"color_temperature": 2702}),
            id="from white to a colour",
        ),
        pytest.param(
            lamp("on", **RED),
            ("turn_on", {"color_temperature": 4000, "brightness": 10}),
            ("turn_on", {"brightness": 50.2, "color": [255, 0, 0]}),
            id="both",
        ),
        pytest.param(
            lamp("on", **RED),
            ("turn_off", {}),
            ("turn_on", {"brightness": 50.2, "color": [255, 0, 0]}),
            id="off: as it was",
        ),
        pytest.param(
            lamp("on", **RED), ("toggle", {}), ("turn_on", {"brightness": 50.2, "color": [255, 0, 0]}), id="toggled off"
        ),
        pytest.param(
            lamp("on", color_mode="brightness", brightness=128),
            ("set_color", {"color": [0, 0, 255]}),
            None,
            id="from a mode that cannot be asked for",
        ),
        pytest.param(
            lamp("on", color_mode="hs", rgb_color=(1, 2, 3), brightness=2),
            ("set_brightness", {"brightness": 50}),
            None,
            id="darker than one percent",
        ),
        pytest.param(lamp("on"), ("turn_off", {}), ("turn_on", {}), id="nothing but on is known"),
        pytest.param(lamp("unknown"), ("turn_on", {}), None, id="unknown before"),
    ],
)
def test_lamp(house: MadeHouse, wish: tuple[str, dict[str, object]], expected: object) -> None:
    """Only what was changed comes back."""
    intent, params = wish
    assert way_of(house, intent, **params) == expected


@pytest.mark.parametrize(
    ("entity_id", "state", "attributes", "intent", "params", "expected"),
    [
        ("cover.a", "opening", {"current_position": 40}, "close", {}, None),
        ("cover.a", "open", {"current_position": 40}, "close", {}, ("set_position", {"position": 40})),
        ("cover.a", "closed", {}, "open", {}, ("close", {})),
        ("cover.a", "open", {}, "set_tilt", {"tilt": 10}, None),
        (
            "valve.a",
            "open",
            {"current_position": 100},
            "set_position",
            {"position": 60},
            ("set_position", {"position": 100}),
        ),
        ("vacuum.a", "paused", {}, "dock", {}, None),
        ("vacuum.a", "paused", {}, "start", {}, ("pause", {})),
        (
            "water_heater.a",
            "off",
            {"operation_mode": "off", "operation_list": ["off", "eco"]},
            "set_mode",
            {"mode": "eco"},
            ("set_mode", {"mode": "off"}),
        ),
        (
            "fan.a",
            "on",
            {"percentage": 40, "preset_mode": "auto", "preset_modes": ["auto"]},
            "set_speed",
            {"speed": 70},
            ("set_speed", {"speed": 40}),
        ),
        ("lock.a", "jammed", {}, "lock", {}, None),
        ("lock.a", "unlocked", {}, "lock", {}, ("unlock", {})),
        (
            "fan.a",
            "on",
            {"preset_mode": "eco", "preset_modes": ["eco"]},
            "turn_off",
            {},
            ("set_preset", {"preset": "eco"}),
        ),
        ("fan.a", "on", {"percentage": 40}, "turn_off", {}, ("set_speed", {"speed": 40})),
        ("fan.a", "on", {}, "turn_off", {}, ("turn_on", {})),
        ("fan.a", "off", {}, "turn_on", {}, ("turn_off", {})),
        (
            "climate.a",
            "off",
            {"hvac_modes": ["off", "heat"]},
            "set_mode",
            {"mode": "heat"},
            ("set_mode", {"mode": "off"}),
        ),
        ("climate.a", "heat", {"hvac_modes": ["off", "heat"]}, "turn_off", {}, ("set_mode", {"mode": "heat"})),
        ("water_heater.a", "off", {}, "turn_on", {}, ("turn_off", {})),
        ("water_heater.a", "eco", {}, "turn_off", {}, ("turn_on", {})),
        ("media_player.a", "paused", {}, "play", {}, ("pause", {})),
        ("media_player.a", "idle", {}, "play", {}, None),
        ("media_player.a", "off", {}, "turn_on", {}, ("turn_off", {})),
        ("vacuum.a", "docked", {}, "start", {}, ("dock", {})),
        ("alarm_control_panel.a", "armed_night", {}, "disarm", {}, ("arm_night", {})),
        ("alarm_control_panel.a", "triggered", {}, "disarm", {}, None),
        ("input_text.a", "", {"max": 100}, "set_value", {"value": "new"}, None),
        ("input_text.a", "the code is 4711", {"max": 100}, "set_value", {"value": "new"}, None),
        ("input_text.a", "old", {"max": 100}, "set_value", {"value": "new"}, ("set_value", {"value": "old"})),
    ],
)
def test_others(
    entity_id: str,
    state: str,
    attributes: dict[str, Any],
    intent: str,
    params: dict[str, Any],
    expected: tuple[str, dict[str, Any]] | None,
) -> None:
    """Where the way back depends on the state before."""
    house = MadeHouse().add(entity_id, "a", state, supported_features=0x7FFFFF, **attributes)
    found = restores(fitted(intent, "a", params, house), Facts(house))
    assert [(way.intent, dict(way.params)) for way in found] == ([expected] if expected else [])


def test_out_of_date() -> None:
    """A state that may have been another one is nothing to go back to."""
    house = lamp("off")
    assert restores(replace(fitted("turn_on", "lamp", {}, house), stale=True), Facts(house)) == ()


def test_what_an_automation_makes_of_it() -> None:
    """What opens a gate elsewhere does not come back by itself: there is no way back."""
    made = lamp("off")
    gate = Reached(entity_id="cover.gate", device_type="gate", verbs=("open",), risk=4)
    action = fitted("turn_on", "lamp", {}, made)
    assert restores(replace(action, reaches=(gate,)), Facts(made)) == ()
    assert restores(replace(action, reaches=(replace(gate, risk=2),)), Facts(made)) != ()
