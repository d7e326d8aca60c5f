"""What takes an action on a group back: the members that it changed, each in what it can show; or the group."""

from dataclasses import replace
from typing import Any

import pytest

from custom_components.edgehome.catalogue.undo import restores
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.plan import GatedCommand, Restore
from tests.made_devices import fitted
from tests.made_house import MadeHouse

DIMMED: dict[str, Any] = {"supported_color_modes": ["brightness"], "color_mode": "brightness", "brightness": 200}


def lamps(*states: str) -> tuple[MadeHouse, GatedCommand]:
    """A group of lamps that is switched on."""
    house = MadeHouse()
    members = tuple(f"light.{number}" for number in range(len(states)))
    for member, state in zip(members, states, strict=True):
        house.add(member, member, state, supported_color_modes=["onoff"])
    house.add("light.group", "group", "on" if "on" in states else "off", supported_color_modes=["onoff"])
    return house, replace(fitted("turn_on", "group", {}, house), members=members)


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        pytest.param(("off", "off"), ["light.group"], id="all of it"),
        pytest.param(("off", "on", "off"), ["light.0", "light.2"], id="only those that it changes"),
        pytest.param(("off", "unavailable"), ["light.0"], id="one that is not there, and may be on"),
        pytest.param(("off", "unknown"), [], id="one of which nobody knows"),
        pytest.param(("on", "on"), [], id="none"),
    ],
)
def test_group(states: tuple[str, ...], expected: list[str]) -> None:
    """Taking a group back leaves alone what was on before."""
    house, action = lamps(*states)
    found: tuple[Restore, ...] = restores(action, Facts(house))
    assert [way.entity_id for way in found] == expected
    assert {way.intent for way in found} <= {"turn_off"}


@pytest.mark.parametrize(
    ("states", "hidden", "expected"),
    [
        pytest.param(("off", "off"), (0,), ["light.group"], id="all of it: the group is named"),
        pytest.param(("off", "on", "off"), (1,), ["light.0", "light.2"], id="one that did not change"),
        pytest.param(("off", "on", "off"), (2,), [], id="one that changed"),
    ],
)
@pytest.mark.parametrize("how", [{"exposed": False}, {"targetable": False}], ids=str)
def test_group_with_a_hidden_member(
    states: tuple[str, ...], hidden: tuple[int, ...], expected: list[str], how: dict[str, Any]
) -> None:
    """What may not be named one by one cannot be taken back one by one, and the plan does not say that it can."""
    house, action = lamps(*states)
    for number in hidden:
        house.devices[f"light.{number}"] = replace(house.devices[f"light.{number}"], **how)
    assert [way.entity_id for way in restores(action, Facts(house))] == expected


def test_group_with_a_member_of_another_room() -> None:
    """An agent for one room takes back what is there; a group with a member elsewhere only as a whole."""
    house, action = lamps("off", "on", "off")
    for name in ("light.0", "light.1", "light.group"):
        house.devices[name] = replace(house.devices[name], area_id="kitchen")
    assert restores(action, Facts(house), ("kitchen",)) == ()
    assert [way.entity_id for way in restores(action, Facts(house), ())] == ["light.0", "light.2"]


@pytest.mark.parametrize(
    ("group", "members", "intent", "params", "expected"),
    [
        pytest.param(
            "light",
            {"plain": ("off", {"supported_color_modes": ["onoff"]}), "dimmed": ("on", DIMMED)},
            "set_brightness",
            {"brightness": 20},
            {"light.plain": ("turn_off", {}), "light.dimmed": ("turn_on", {"brightness": 78.43})},
            id="a plain lamp goes on",
        ),
        pytest.param(
            "light",
            {"plain": ("on", {"supported_color_modes": ["onoff"]}), "dimmed": ("on", DIMMED)},
            "set_brightness",
            {"brightness": 20},
            {"light.dimmed": ("turn_on", {"brightness": 78.43})},
            id="a plain lamp is on already",
        ),
        pytest.param(
            "cover",
            {
                "plain": ("open", {"supported_features": 3}),
                "fine": ("open", {"supported_features": 7, "current_position": 60}),
            },
            "set_position",
            {"position": 20},
            {"cover.group": ("set_position", {"position": 60})},
            id="a gate without positions is not moved",
        ),
        pytest.param(
            "cover",
            {
                "plain": ("open", {"supported_features": 3}),
                "fine": ("closed", {"supported_features": 7, "current_position": 0}),
            },
            "set_position",
            {"position": 20},
            {"cover.fine": ("close", {})},
            id="nor would it be by the way back",
        ),
        pytest.param(
            "fan",
            {
                "plain": ("on", {"supported_features": 48}),
                "fine": ("off", {"supported_features": 49, "percentage": 0, "percentage_step": 1}),
            },
            "set_speed",
            {"speed": 50},
            {"fan.fine": ("turn_off", {})},
            id="a fan without speeds stays on",
        ),
    ],
)
def test_group_with_a_member_that_shows_less(
    group: str,
    members: dict[str, tuple[str, dict[str, Any]]],
    intent: str,
    params: dict[str, Any],
    expected: dict[str, tuple[str, dict[str, Any]]],
) -> None:
    """A member that cannot show a value is taken back in what it can show, and left alone where it was not called."""
    house = MadeHouse()
    for name, (state, attributes) in members.items():
        house.add(f"{group}.{name}", name, state, **attributes)
    able: dict[str, Any] = {"supported_color_modes": ["brightness"], "supported_features": 55, "current_position": 60}
    able |= {"percentage": 0, "percentage_step": 1, "brightness": 100}
    house.add(f"{group}.group", "group", {"light": "on", "cover": "open", "fan": "on"}[group], **able)
    action = replace(fitted(intent, "group", params, house), members=tuple(f"{group}.{name}" for name in members))
    found = restores(action, Facts(house))
    assert {way.entity_id: (way.intent, dict(way.params)) for way in found} == expected
    for way in found:
        assert way.left
        shown = house.states[way.entity_id].attributes
        assert {item.attribute for item in way.left} <= {None, *shown}


@pytest.mark.parametrize("effects", [("off", "rainbow"), ("rainbow", "off")], ids=str)
def test_what_does_not_come_back_of_a_group(effects: tuple[str, str]) -> None:
    """What of any member does not come back is said of the group."""
    able: dict[str, Any] = {
        "supported_color_modes": ["rgb"],
        "color_mode": "rgb",
        "rgb_color": (1, 2, 3),
        "brightness": 9,
    }
    house = MadeHouse()
    for number, effect in enumerate(effects):
        house.add(f"light.{number}", f"{number}", "on", effect=effect, **able)
    house.add("light.group", "group", "on", **able)
    action = replace(fitted("turn_off", "group", {}, house), members=("light.0", "light.1"))
    (way,) = restores(action, Facts(house))
    assert (way.entity_id, way.leaves) == ("light.group", "the effect")
