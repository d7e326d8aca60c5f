"""From names to entities: the words in which a caller hears why not."""

from typing import Any, override

import pytest

from custom_components.edgehome.chain import Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import DeviceRecord, Room
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.models import ModelCandidate
from custom_components.edgehome.targets import find
from tests.made_house import MadeHouse


class TwoKitchens(MadeHouse):
    """A house in which two rooms have one name."""

    @override
    def rooms_named(self, name: str) -> tuple[Room, ...]:
        return (Room(area_id="kitchen_a", name="Kitchen up"), Room(area_id="kitchen_b", name="Kitchen down"))


def house() -> MadeHouse:
    """Devices that share names, some of them not for agents."""
    return (
        MadeHouse()
        .add("light.a", "Desk", room="Office")
        .add("light.b", "Desk", room="Hall")
        .add("cover.a", "Twin", exposed=False)
        .add("light.c", "Twin", room="Hall")
        .add("light.d", "Trio", targetable=False)
        .add("light.e", "Trio", exposed=False)
        .add("light.f", "Fan, light", room="Hall")
    )


def sought(made: MadeHouse, scope: tuple[str, ...] = (), **candidate: object) -> tuple[DeviceRecord, ...] | Refuse:
    """What a proposal finds."""
    found = find(ModelCandidate.model_validate({"intent": "turn_on", **candidate}), Facts(made), scope)
    return found if isinstance(found, Refuse) else found.records


def refused(made: MadeHouse, scope: tuple[str, ...] = (), **candidate: object) -> Refuse:
    """Why a proposal finds nothing."""
    found = sought(made, scope, **candidate)
    assert isinstance(found, Refuse)
    return found


def test_two_rooms_of_one_name() -> None:
    """A room's name that two rooms have is ambiguous, with both."""
    refusal = refused(TwoKitchens(), room="kitchen", device_type="light")
    assert (refusal.code, refusal.field) == (Code.AMBIGUOUS_AREA, "model_candidate.room")
    assert refusal.candidates == ("Kitchen up", "Kitchen down")


@pytest.mark.parametrize(
    ("scope", "code"),
    [
        pytest.param(("kitchen_b",), Code.ENTITY_NOT_FOUND, id="one is in scope: it is that one, and empty"),
        pytest.param(("hall",), Code.OUT_OF_SCOPE, id="none is in scope"),
        pytest.param(("kitchen_a", "kitchen_b"), Code.AMBIGUOUS_AREA, id="both are in scope"),
    ],
)
def test_scope_decides_between_rooms(scope: tuple[str, ...], code: Code) -> None:
    """Only rooms of the agent's own scope can be meant by it."""
    assert refused(TwoKitchens(), scope, room="kitchen", device_type="light").code is code


@pytest.mark.parametrize(
    ("name", "found"),
    [
        pytest.param("Twin", "light.c", id="the exposed one of two"),
        pytest.param("light.a", "light.a", id="an id has no namesake"),
        pytest.param("Fan, light", "light.f", id="a name with a comma"),
    ],
)
def test_found(name: str, found: str) -> None:
    """A name that only one device has that may be named means that one."""
    records = sought(house(), device_alias=name)
    assert not isinstance(records, Refuse)
    assert [record.entity_id for record in records] == [found]


def test_ambiguous_candidates_are_ids() -> None:
    """The candidates of an ambiguous name can be sent as they are."""
    refusal = refused(house(), device_alias="Desk")
    assert refusal.code is Code.AMBIGUOUS_TARGET
    assert refusal.candidates == ("light.a", "light.b")
    assert "light.a, light.b" in refusal.hint


def test_the_last_obstacle_is_told() -> None:
    """Of namesakes that all fail, the one that came furthest gives the reason."""
    assert refused(house(), device_alias="Trio").code is Code.NOT_EXPOSED


def test_mismatch_speaks_of_the_device_that_may_be_named() -> None:
    """The type that is told is that of the device in question, not of a hidden namesake."""
    refusal = refused(house(), device_alias="Twin", device_type="fan")
    assert refusal.code is Code.DEVICE_TYPE_MISMATCH
    assert refusal.message == "'Twin' is not a fan."


@pytest.mark.parametrize(
    ("candidate", "hint"),
    [
        pytest.param({"device_alias": "lights"}, "room and device_type", id="a plural"),
        pytest.param({"device_alias": "light.a,light.b"}, "Name one device", id="a comma list"),
        pytest.param({"device_alias": "Dusk"}, "Did you mean: Desk", id="a near name"),
        pytest.param({"device_type": "spaceship"}, "light, outlet", id="an unknown type"),
        pytest.param({"room": "Atrium", "device_type": "light"}, "Hall, Office", id="an unknown room"),
    ],
)
def test_hints(candidate: dict[str, Any], hint: str) -> None:
    """A hint says what to send instead."""
    assert hint in refused(house(), **candidate).hint


def test_hint_without_anything_near() -> None:
    """Where nothing comes near, the hint names the list."""
    assert "edgehome.list_devices" in refused(MadeHouse(), device_alias="Lamp").hint
    assert "edgehome.list_devices" in refused(MadeHouse(), room="Hall", device_type="light").hint
