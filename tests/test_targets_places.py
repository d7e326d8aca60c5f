"""From floors, labels, devices, the home and the voice device's area to entities."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.chain import Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.models import Intent, ModelCandidate
from custom_components.edgehome.targets import Found, find
from tests.made_house import MadeHouse


def house() -> MadeHouse:
    """Lamps in three rooms, of which one is upstairs, and a thing with two entities."""
    made = (
        MadeHouse()
        .add("light.kitchen", "Kitchen lamp", room="Kitchen")
        .add("light.hall", "Hall lamp", room="Hall")
        .add("light.bed", "Bed lamp", room="Bedroom")
        .add("light.nowhere", "Garden lamp")
        .add("light.secret", "Secret lamp", room="Hall", exposed=False)
        .add("light.hidden", "Hidden lamp", room="Hall", targetable=False)
        .add("cover.garage", "Garage", "closed", room="Hall", device_class="garage")
        .add("switch.relay", "Relay", room="Hall")
        .add("sensor.power", "Power", room="Hall")
    )
    made.places = {
        "floor": {
            "Ground": ("light.kitchen", "light.hall", "light.secret", "light.hidden", "cover.garage"),
            "Attic": (),
        },
        "label": {"Night": ("light.bed", "light.nowhere"), "Twin": (), "twin": ("light.bed",)},
        "device": {"Opener": ("cover.garage", "switch.relay", "sensor.power")},
    }
    return made


def sought(areas: tuple[str, ...] = (), here: str | None = None, intent: str = "turn_on", **candidate: Any) -> Any:
    """What a proposal finds."""
    return find(ModelCandidate.model_validate({"intent": intent, **candidate}), Facts(house()), areas, here)


def ids(found: Found | Refuse) -> list[str]:
    """The entities that were found."""
    assert isinstance(found, Found), found
    return [record.entity_id for record in found.records]


ALL_LAMPS = ["light.bed", "light.hall", "light.kitchen", "light.nowhere"]


@pytest.mark.parametrize(
    ("candidate", "scope", "expected"),
    [
        pytest.param({"floor": "Ground", "device_type": "light"}, (), ["light.hall", "light.kitchen"], id="floor"),
        pytest.param({"floor": " gROUND ", "device_type": "garage"}, (), ["cover.garage"], id="case and blanks aside"),
        pytest.param({"label": "Night", "device_type": "light"}, (), ["light.bed", "light.nowhere"], id="label"),
        pytest.param({"scope": "home", "device_type": "light"}, (), ALL_LAMPS, id="home"),
        pytest.param({"scope": "home", "device_type": "light"}, ("hall",), ["light.hall"], id="home in scope"),
        pytest.param({"floor": "Ground", "device_type": "light"}, ("kitchen",), ["light.kitchen"], id="floor in scope"),
        pytest.param(
            {"label": "Night", "device_type": "light"}, ("bedroom",), ["light.bed"], id="in no room, in no scope"
        ),
        pytest.param({"device": "Opener"}, (), ["switch.relay"], id="what of a device can be switched on"),
        pytest.param({"device": "Opener", "intent": "open"}, (), ["cover.garage"], id="what of it can be opened"),
        pytest.param({"device": "Opener", "device_type": "cover"}, (), ["cover.garage"], id="what of it is a cover"),
        pytest.param(
            {"device": "Opener", "intent": "status"},
            (),
            ["cover.garage", "sensor.power", "switch.relay"],
            id="all of it can be read",
        ),
    ],
)
def test_found(candidate: dict[str, Any], scope: tuple[str, ...], expected: list[str]) -> None:
    """A set is what of a type is there, exposed, and in the caller's areas."""
    found = sought(scope, **candidate)
    assert ids(found) == expected
    assert found.is_set


@pytest.mark.parametrize(
    ("candidate", "scope", "code", "field"),
    [
        pytest.param({"floor": "Cellar", "device_type": "light"}, (), Code.AREA_NOT_FOUND, "floor", id="no such floor"),
        pytest.param({"label": "Nigh", "device_type": "light"}, (), Code.AREA_NOT_FOUND, "label", id="nearly a label"),
        pytest.param({"device": "Opene"}, (), Code.AREA_NOT_FOUND, "device", id="no such device"),
        pytest.param({"label": "TWIN", "device_type": "light"}, (), Code.AMBIGUOUS_AREA, "label", id="two of one name"),
        pytest.param({"floor": "Attic", "device_type": "light"}, (), Code.ENTITY_NOT_FOUND, "device_type", id="empty"),
        pytest.param(
            {"floor": "Ground", "device_type": "fan"}, (), Code.ENTITY_NOT_FOUND, "device_type", id="none of it"
        ),
        pytest.param({"floor": "Ground", "device_type": "light"}, ("bedroom",), Code.OUT_OF_SCOPE, "floor", id="scope"),
        pytest.param(
            {"label": "Night", "device_type": "light"}, ("hall",), Code.OUT_OF_SCOPE, "label", id="label, scope"
        ),
        pytest.param({"device": "Opener"}, ("kitchen",), Code.OUT_OF_SCOPE, "device", id="device, scope"),
        pytest.param(
            {"scope": "home", "device_type": "light"}, ("attic",), Code.OUT_OF_SCOPE, "scope", id="home, scope"
        ),
        pytest.param({"device": "Opener", "intent": "unlock"}, (), Code.ENTITY_NOT_FOUND, "device_type", id="cannot"),
    ],
)
def test_not_found(candidate: dict[str, Any], scope: tuple[str, ...], code: Code, field: str) -> None:
    """What is not there is refused where it was sent."""
    refusal = sought(scope, **candidate)
    assert isinstance(refusal, Refuse)
    assert (refusal.code, refusal.field) == (code, f"model_candidate.{field}")


@pytest.mark.parametrize(
    ("here", "scope", "candidate", "expected"),
    [
        pytest.param("bedroom", (), {"device_type": "light"}, ["light.bed"], id="the lamps here"),
        pytest.param("hall", ("hall",), {"device_type": "light"}, ["light.hall"], id="here, in scope"),
        pytest.param("bedroom", (), {"device_type": "light", "room": "Hall"}, ["light.hall"], id="a room comes first"),
        pytest.param(
            "bedroom", (), {"device_type": "light", "label": "Night"}, ["light.bed", "light.nowhere"], id="a label"
        ),
        pytest.param("bedroom", (), {"device_alias": "Hall lamp"}, ["light.hall"], id="a name comes first"),
        pytest.param("bedroom", (), {"device_type": "cover", "intent": "open"}, ["cover.garage"], id="none of it here"),
    ],
)
def test_the_area_of_the_voice_device(
    here: str, scope: tuple[str, ...], candidate: dict[str, Any], expected: list[str]
) -> None:
    """The area that was spoken in stands in where no place is named, and only there."""
    assert ids(sought(scope, here, **candidate)) == expected


def test_here_is_out_of_scope() -> None:
    """Spoken to in a room that is not the agent's, nothing elsewhere is meant (R6)."""
    refusal = sought(("hall",), "bedroom", device_type="light")
    assert isinstance(refusal, Refuse)
    assert (refusal.code, refusal.field) == (Code.OUT_OF_SCOPE, "model_candidate.device_type")


@pytest.mark.parametrize(
    ("name", "is_told"),
    [
        pytest.param("Hall lamp", True, id="a device that agents may know"),
        pytest.param("Secret lamp", False, id="one that is not shown"),
        pytest.param("Nothing", False, id="nothing"),
    ],
)
def test_a_name_as_device(name: str, is_told: bool) -> None:
    """Who sends one thing's name as a device is told how to send it; of what is not shown nothing is told."""
    refusal = sought((), None, intent="turn_off", device=name)
    assert isinstance(refusal, Refuse)
    assert refusal.code is Code.AREA_NOT_FOUND
    assert ("device_alias" in refusal.hint) is is_told


def test_nothing_here_is_ambiguous_elsewhere() -> None:
    """Where the area has none of a type, several elsewhere are still ambiguous: what has to be said is the room."""
    refusal = sought((), "kitchen", intent="turn_off", device_type="cover")
    assert ids(refusal) == ["cover.garage"]
    refusal = sought((), "garden", device_type="light")
    assert isinstance(refusal, Refuse)
    assert (refusal.code, refusal.candidates) == (Code.AMBIGUOUS_TARGET, ("Bedroom", "Hall", "Kitchen"))
    assert "where this was said" in refusal.message


NAMES = st.sampled_from(["Lamp", "lamp ", "Desk", "Bed", "LAMP"])
ROOMS = st.sampled_from([None, "Hall", "Kitchen", "Attic"])
DEVICES = st.lists(
    st.tuples(st.sampled_from(["light", "switch", "cover", "lock"]), NAMES, ROOMS, st.booleans()), max_size=9
)
WISHES = st.fixed_dictionaries(
    {},
    optional={
        "device_alias": st.sampled_from(["Lamp", "desk", "bed", "light.a0", "switch.a1", "lock.a2"]),
        "device_type": st.sampled_from(["light", "switch", "cover", "lock", "outlet"]),
        "room": st.sampled_from(["Hall", "Kitchen", "Attic"]),
    },
).filter(lambda wish: "device_alias" in wish or "device_type" in wish)
SCOPES = st.sampled_from([(), ("hall",), ("kitchen", "attic")])
type Devices = list[tuple[str, str, str | None, bool]]


def built(devices: Devices, order: list[int] | None = None) -> MadeHouse:
    """A house of these devices, put in in any order."""
    made = MadeHouse()
    for place in ("Hall", "Kitchen", "Attic"):
        made.add(f"sensor.{place.lower()}", f"Sensor {place}", room=place)
    for number in order if order is not None else range(len(devices)):
        domain, name, room, exposed = devices[number]
        made.add(f"{domain}.a{number}", name.strip(), room=room, exposed=exposed)
    return made


def hit(made: MadeHouse, wish: dict[str, Any], scope: tuple[str, ...], intent: Intent = Intent.TURN_ON) -> Any:
    """The entities of a wish, or the code of its refusal."""
    found = find(ModelCandidate.model_validate({"intent": intent.value, **wish}), Facts(made), scope)
    return found.code if isinstance(found, Refuse) else tuple(record.entity_id for record in found.records)


@given(devices=DEVICES, wish=WISHES, scope=SCOPES, data=st.data())
def test_order_says_nothing(
    devices: Devices, wish: dict[str, Any], scope: tuple[str, ...], data: st.DataObject
) -> None:
    """The order in which things came into the home never changes what is meant."""
    order = data.draw(st.permutations(range(len(devices))))
    assert hit(built(devices), wish, scope) == hit(built(devices, order), wish, scope)


@given(devices=DEVICES, wish=WISHES, scope=SCOPES, others=st.sampled_from(Intent))
def test_the_verb_says_nothing(devices: Devices, wish: dict[str, Any], scope: tuple[str, ...], others: Intent) -> None:
    """On, off and every other verb resolve alike."""
    made = built(devices)
    assert hit(made, wish, scope) == hit(made, wish, scope, Intent.TURN_OFF) == hit(made, wish, scope, others)


@given(devices=DEVICES, wish=WISHES, scope=SCOPES)
def test_only_a_set_reaches_several(devices: Devices, wish: dict[str, Any], scope: tuple[str, ...]) -> None:
    """Nothing but a room with a type, or another explicit set, reaches more than one entity."""
    found = find(ModelCandidate.model_validate({"intent": "turn_on", **wish}), Facts(built(devices)), scope)
    if isinstance(found, Found) and len(found.records) > 1:
        assert found.is_set
        assert "room" in wish
        assert "device_alias" not in wish


@given(
    devices=DEVICES.filter(bool),
    wish=WISHES,
    scope=SCOPES,
    names=st.lists(NAMES, min_size=9, max_size=9),
    data=st.data(),
)
def test_an_id_means_the_same_whatever_the_names(
    devices: Devices, wish: dict[str, Any], scope: tuple[str, ...], names: list[str], data: st.DataObject
) -> None:
    """Renaming and re-aliasing never change which entity an id hits."""
    ids_of = [f"{domain}.a{number}" for number, (domain, *_) in enumerate(devices)]
    wish = {**wish, "device_alias": data.draw(st.sampled_from(ids_of))}
    renamed: Devices = [
        (domain, name, room, exposed) for (domain, _, room, exposed), name in zip(devices, names, strict=False)
    ]
    made = built(renamed)
    made.aliases.setdefault(wish["device_alias"], set()).add("sensor.hall")
    assert hit(built(devices), wish, scope) == hit(made, wish, scope)


@given(
    devices=DEVICES,
    wish=WISHES,
    scope=SCOPES,
    more=st.tuples(st.sampled_from(["light", "switch", "cover", "lock"]), NAMES, ROOMS, st.booleans()),
)
def test_adding_never_redirects(
    devices: Devices, wish: dict[str, Any], scope: tuple[str, ...], more: tuple[str, str, str | None, bool]
) -> None:
    """One more entity leaves an unambiguous answer as it was, makes it ambiguous, or joins a named set."""
    before, after = hit(built(devices), wish, scope), hit(built([*devices, more]), wish, scope)
    if isinstance(before, Code):
        return
    if "room" in wish and "device_alias" not in wish:
        assert set(before) <= set(after)
    else:
        assert after in {before, Code.AMBIGUOUS_TARGET}
