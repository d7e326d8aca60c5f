"""What a caller may name and do."""

from typing import Any

import pytest

from custom_components.edgehome.chain import Ask, Ready
from custom_components.edgehome.devices import Makeup, ServiceFacts, Standing
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.judge import judge
from custom_components.edgehome.listing import devices_for
from custom_components.edgehome.policy.presets import BALANCED, STRICT
from custom_components.edgehome.policy.table import UNREADABLE, PolicyTable
from tests.made_house import UNREAD, MadeHouse, proposing, request

COLOR: dict[str, Any] = {
    "supported_color_modes": ["hs", "color_temp"],
    "min_color_temp_kelvin": 2000,
    "max_color_temp_kelvin": 6500,
}
HEATING: dict[str, Any] = {"supported_features": 1 | 128, "min_temp": 7, "max_temp": 30, "hvac_modes": ["off", "heat"]}


def house(table: PolicyTable = STRICT) -> MadeHouse:
    """One of each device."""
    return (
        MadeHouse(table=table)
        .add("light.color", "Color", "on", room="Hall", **COLOR)
        .add("light.plain", "Plain", room="Hall", supported_color_modes=["onoff"])
        .add("climate.heating", "Heating", "heat", **HEATING)
        .add("cover.blind", "Blind", "open", device_class="blind", supported_features=3)
        .add("cover.garage", "Garage", "closed", device_class="garage", supported_features=15)
        .add("lock.door", "Door", "locked", supported_features=0)
        .add("lock.latch", "Latch", "locked", supported_features=1)
        .add("light.group", "Group", makeup=Makeup(kind="group", members=("lock.door",)))
        .add("switch.magic", "Magic", makeup=UNREAD)
        .add("switch.pump", "Pump", "unavailable")
        .add("sensor.power", "Power", "5")
    )


def listed(made: MadeHouse, entity_id: str, standing: Standing | None = None) -> dict[str, Any]:
    """What is listed of one device."""
    (entry,) = devices_for(made, (made.devices[entity_id],), standing or Standing(status="active"))
    return entry


def verdicts(entry: dict[str, Any]) -> dict[str, str]:
    """The operations of a device with their verdicts."""
    return {name: operation["verdict"] for name, operation in entry["operations"].items()}


@pytest.mark.parametrize(
    ("entity_id", "table", "operations"),
    [
        pytest.param(
            "light.color",
            STRICT,
            {
                "turn_on": "allow",
                "turn_off": "allow",
                "toggle": "allow",
                "set_brightness": "allow",
                "set_color": "allow",
                "set_color_temperature": "allow",
                "status": "allow",
            },
            id="colour lamp",
        ),
        pytest.param(
            "light.plain",
            STRICT,
            {"turn_on": "allow", "turn_off": "allow", "toggle": "allow", "status": "allow"},
            id="plain lamp",
        ),
        pytest.param(
            "climate.heating",
            STRICT,
            {
                "set_temperature": "allow",
                "set_mode": "allow",
                "turn_off": "allow",
                "toggle": "allow",
                "status": "allow",
            },
            id="heating without a switch for on",
        ),
        pytest.param(
            "cover.blind", STRICT, {"open": "allow", "close": "allow", "toggle": "allow", "status": "allow"}, id="blind"
        ),
        pytest.param(
            "cover.garage",
            STRICT,
            {
                "open": "confirm",
                "close": "confirm",
                "toggle": "confirm",
                "stop": "confirm",
                "set_position": "confirm",
                "status": "allow",
            },
            id="garage",
        ),
        pytest.param("lock.door", STRICT, {"status": "allow"}, id="a lock under strict"),
        pytest.param(
            "lock.door", BALANCED, {"lock": "allow", "unlock": "confirm", "status": "allow"}, id="a lock under balanced"
        ),
        pytest.param("lock.latch", STRICT, {"status": "allow"}, id="a latch under strict"),
        pytest.param(
            "lock.latch",
            BALANCED,
            {"lock": "allow", "unlock": "confirm", "open": "confirm", "status": "allow"},
            id="a latch under balanced",
        ),
        pytest.param(
            "light.group",
            STRICT,
            {"turn_on": "confirm", "turn_off": "confirm", "toggle": "confirm", "status": "allow"},
            id="what a member may do",
        ),
        pytest.param(
            "switch.magic",
            STRICT,
            {"turn_on": "confirm", "turn_off": "confirm", "toggle": "confirm", "status": "allow"},
            id="opaque",
        ),
        pytest.param("sensor.power", STRICT, {"status": "allow"}, id="a sensor"),
    ],
)
def test_operations(entity_id: str, table: PolicyTable, operations: dict[str, str]) -> None:
    """What a device can do and this caller may ask for, with the verdict it gets."""
    assert verdicts(listed(house(table), entity_id)) == operations


def test_nothing_is_allowed() -> None:
    """A device with which nothing may be done is not shown."""
    made = house(UNREADABLE)
    assert devices_for(made, [made.devices["light.color"]], Standing(status="active", max_risk=5)) == []


def test_ceiling() -> None:
    """What is above the caller's highest risk is not shown."""
    standing = Standing(status="active", max_risk=3)
    assert verdicts(listed(house(), "cover.garage", standing)) == {
        "close": "confirm",
        "stop": "confirm",
        "status": "allow",
    }


def test_entry() -> None:
    """What a caller reads of a device."""
    assert listed(house(), "light.plain") == {
        "entity_id": "light.plain",
        "name": "Plain",
        "device_type": "light",
        "room": "Hall",
        "available": True,
        "operations": {
            "turn_on": {"verdict": "allow"},
            "turn_off": {"verdict": "allow"},
            "toggle": {"verdict": "allow"},
            "status": {"verdict": "allow"},
        },
    }


@pytest.mark.parametrize(
    ("entity_id", "operation", "params"),
    [
        pytest.param(
            "light.color", "set_brightness", {"brightness": {"min": 0, "max": 100, "unit": "%"}}, id="percent"
        ),
        pytest.param(
            "climate.heating",
            "set_temperature",
            {"temperature": {"min": 7, "max": 30, "unit": "°C"}, "mode": {"values": ["off", "heat"]}},
            id="set point",
        ),
        pytest.param("climate.heating", "set_mode", {"mode": {"values": ["off", "heat"]}}, id="modes"),
    ],
)
def test_values(entity_id: str, operation: str, params: dict[str, object]) -> None:
    """The ranges are the device's own."""
    assert listed(house(), entity_id)["operations"][operation]["params"] == params


@pytest.mark.parametrize(
    ("members", "operations"),
    [
        pytest.param(
            ("light.color", "light.plain"),
            {
                "turn_on": "allow",
                "turn_off": "allow",
                "toggle": "allow",
                "set_brightness": "allow",
                "set_color": "allow",
                "set_color_temperature": "allow",
                "status": "allow",
            },
            id="lamps of one room",
        ),
        pytest.param(
            ("light.plain", "cover.garage", "lock.door"),
            {
                "turn_on": "allow",
                "turn_off": "allow",
                "toggle": "confirm",
                "open": "confirm",
                "close": "confirm",
                "stop": "confirm",
                "set_position": "confirm",
                "status": "allow",
            },
            id="what one member is refused is left out",
        ),
        pytest.param((), {"status": "allow"}, id="nobody in it"),
        pytest.param(("light.gone",), {"status": "allow"}, id="a member that is not there"),
    ],
)
def test_an_old_group(members: tuple[str, ...], operations: dict[str, str]) -> None:
    """A ``group.*`` offers what its members can, each at the strictest verdict, and reads as itself."""
    made = house().add("group.some", "Some", makeup=Makeup(kind="group", members=members, as_members=True))
    assert verdicts(listed(made, "group.some")) == operations


def test_in_several_rooms() -> None:
    """What switches several rooms at once is asked for, in the list as in the chain."""
    made = house().add("climate.bed", "Bed", "heat", room="Bed", **HEATING)
    made.add("climate.hall", "Hall", "heat", room="Hall", **HEATING)
    made.add(
        "group.both", "Both", makeup=Makeup(kind="group", members=("climate.bed", "climate.hall"), as_members=True)
    )
    made.people = ("anna",)
    offered = verdicts(listed(made, "group.both"))
    assert (offered["turn_off"], offered["set_temperature"]) == ("confirm", "allow")
    step = judge(request(proposing("turn_off", device_alias="Both")), Facts(made)).step
    assert isinstance(step, Ask)


@pytest.mark.parametrize("has_voice", [True, False])
def test_a_home_without_a_voice(has_voice: bool) -> None:
    """Announcing is offered where the home can speak."""
    made = house().add("media_player.hall", "Speaker", "idle", supported_features=1 << 9 | 1 << 20)
    made.has_voice = has_voice
    assert ("announce" in verdicts(listed(made, "media_player.hall"))) is has_voice


def test_unavailable_is_said() -> None:
    """An unavailable device is listed as that."""
    assert listed(house(), "switch.pump")["available"] is False


def test_without_a_state_or_room() -> None:
    """What has no state is not listed; what is in no room has none."""
    made = house()
    assert listed(made, "sensor.power")["room"] is None
    del made.states["sensor.power"]
    assert devices_for(made, (made.devices["sensor.power"],), Standing(status="active")) == []


def test_the_handler_has_a_say() -> None:
    """What the registered service would not do is not offered."""
    made = house()
    made.services["cover.open_cover"] = ServiceFacts(required_features=(1024,))
    assert verdicts(listed(made, "cover.blind")) == {"close": "allow", "toggle": "allow", "status": "allow"}


@pytest.mark.parametrize("table", [STRICT, BALANCED], ids=lambda table: table.name)
@pytest.mark.parametrize("entity_id", sorted(house().devices))
def test_what_is_not_listed_is_not_ready(entity_id: str, table: PolicyTable) -> None:
    """What the list leaves out, the chain refuses; nothing is ready that was not offered."""
    made = house(table)
    offered = verdicts(listed(made, entity_id))
    bare = ("turn_on", "turn_off", "toggle", "open", "close", "stop", "lock", "unlock")
    steps = {name: judge(request(proposing(name, device_alias=entity_id)), Facts(made)).step for name in bare}
    ready = {name for name, step in steps.items() if isinstance(step, Ready)}
    assert ready <= {name for name, verdict in offered.items() if verdict == "allow"}
