"""Generated homes: the same for the same seed, up as planned, with devices that behave as planned."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.house.broker import need_broker
from tests.house.bulk import Seen
from tests.house.generated import configuration, discovery, plan
from tests.house.generated_home import GeneratedHome, generated_home
from tests.house.home_plan import ABSENT, EntityPlan, Follow, HomePlan
from tests.house.process import ROOT
from tests.house.wiring import CODE

from .conftest import RELEASES

pytestmark = pytest.mark.e2e

SEED, SIZE = 33, 300
OFF, ON = {"off", "closed", "locked"}, {"on", "open", "unlocked"}
OPPOSITE = {
    "light": ("turn_on", "turn_off"),
    "switch": ("turn_on", "turn_off"),
    "cover": ("open_cover", "close_cover"),
    "lock": ("unlock", "lock"),
}
"""What makes a thing that is off, closed or locked the other, and back."""
NOT_PLANNED = ("zone.home", "person.ada", "conversation.home_assistant", "switch.edgehome_")
BACKUP = "backup_"


@pytest.fixture(scope="module", params=RELEASES)
def home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GeneratedHome]:
    """A generated home of each release; EdgeHome must have logged no complaint at its end."""
    need_broker()
    with generated_home(tmp_path_factory.mktemp("generated"), request.param, seed=SEED, size=SIZE) as running:
        yield running
        running.process.stop()
        assert running.process.complaints() == []


@pytest.fixture(autouse=True)
def nothing_noted(request: pytest.FixtureRequest) -> None:
    """Each test starts with no command noted."""
    if "home" in request.fixturenames:
        running: GeneratedHome = request.getfixturevalue("home")
        running.settle()
        running.devices.forget()


def _all_text(home: HomePlan) -> str:
    messages = [(topic, payload) for topic, payload, _ in discovery(home)]
    return home.dump() + configuration(home, "http://127.0.0.1:1") + json.dumps(messages)


@pytest.mark.parametrize("size", [50, 51, 149, 150, 399, 400, 1000])
def test_a_seed_is_a_home(size: int) -> None:
    """The same seed gives the same home to the byte, another seed another one; both have the size asked for."""
    home = plan(SEED, size)
    assert _all_text(home) == _all_text(plan(SEED, size))
    assert _all_text(home) != _all_text(plan(SEED + 1, size))
    assert len({entity.entity_id for entity in home.entities}) == len(home.entities) == size
    assert {entity.follow for entity in home.entities} == set(Follow)


@pytest.mark.parametrize("hashes", ["0", "1"])
def test_a_seed_is_a_home_in_any_process(hashes: str) -> None:
    """The order of sets has no part in a home."""
    script = f"from tests.house.generated import plan; print(plan({SEED}, {SIZE}).dump())"
    environment = {"PYTHONHASHSEED": hashes, "PYTHONUTF8": "1"}
    text = subprocess.check_output([sys.executable, "-c", script], cwd=ROOT, env=environment).decode()
    assert hashlib.sha256(text.strip().encode()).digest() == hashlib.sha256(plan(SEED, SIZE).dump().encode()).digest()


@pytest.mark.parametrize("size", [0, 49, 10_001])
def test_a_home_has_a_size(size: int) -> None:
    """Homes are neither smaller nor larger."""
    with pytest.raises(ValueError, match="50 to 10000"):
        plan(SEED, size)


@pytest.mark.parametrize("seed", range(20))
def test_homes_have_what_tests_look_for(seed: int) -> None:
    """Rooms' names collide nowhere, things' names do across rooms; some are hidden, aliased, unexposed, unregistered."""
    home = plan(seed, SIZE)
    names = [room.name for room in home.rooms]
    assert len(set(names)) == len(names)
    places: dict[str, set[str | None]] = {}
    for entity in home.entities:
        places.setdefault(entity.name, set()).add(entity.area)
    assert any(len(areas) > 1 for areas in places.values())
    assert any(not name.isascii() for name in [*names, *places])
    kinds: tuple[Callable[[EntityPlan], object], ...] = (
        lambda entity: entity.hidden,
        lambda entity: entity.category == "diagnostic",
        lambda entity: entity.aliases,
        lambda entity: entity.exposed,
        lambda entity: not entity.exposed,
        lambda entity: not entity.is_registered,
        lambda entity: entity.is_registered and entity.device is None,
        lambda entity: entity.own_area and entity.device is not None,
        lambda entity: entity.area is None,
        lambda entity: "code_format" in entity.facts,
    )
    for fits in kinds:
        assert any(fits(entity) for entity in home.entities)


def test_entities_are_exactly_the_planned_ones(home: GeneratedHome) -> None:
    """No entity is missing, and none is there that nobody planned."""
    there = {state["entity_id"] for state in home.owner.get("/api/states")}
    others = {name for name in there if name.startswith(NOT_PLANNED) or BACKUP in name}
    assert there - others == {entity.entity_id for entity in home.plan.entities}


def test_states_are_the_planned_ones(home: GeneratedHome) -> None:
    """Names, classes and capabilities are as planned, and so is what is not there."""
    states = {state["entity_id"]: state for state in home.owner.get("/api/states")}
    for entity in home.plan.entities:
        state, attributes = states[entity.entity_id]["state"], states[entity.entity_id]["attributes"]
        assert attributes["friendly_name"] == entity.name, entity
        assert attributes.get("restored", False) == (entity.follow is Follow.RESTORED), entity
        if entity.platform == "mqtt":
            assert attributes.get("assumed_state", False) == (entity.follow is Follow.ASSUMED), entity
            assert (state == "unavailable") == (entity.follow in ABSENT), entity
        if entity.follow not in ABSENT:
            assert {name: attributes.get(name) for name in entity.facts} == entity.facts, entity
            assert attributes.get("device_class") == entity.device_class, entity


def test_registries_are_the_planned_ones(home: GeneratedHome) -> None:
    """Rooms, floors, aliases, exposures, hidden and diagnostic entities are as planned."""
    areas, floors, devices, entities, exposed = home.owner.command(
        {"type": "config/area_registry/list"},
        {"type": "config/floor_registry/list"},
        {"type": "config/device_registry/list"},
        {"type": "config/entity_registry/list"},
        {"type": "homeassistant/expose_entity/list"},
    )
    floor_names = {floor["floor_id"]: floor["name"] for floor in floors}
    assert {floor.name: set(floor.aliases) for floor in home.plan.floors} == {
        floor["name"]: set(floor["aliases"]) for floor in floors
    }
    assert {room.name: (room.floor, set(room.aliases)) for room in home.plan.rooms} == {
        area["name"]: (floor_names[area["floor_id"]], set(area["aliases"])) for area in areas
    }
    area_names = {area["area_id"]: area["name"] for area in areas}
    of_device = {device["id"]: device["area_id"] for device in devices}
    entries = {entry["entity_id"]: entry for entry in entities}
    for entity in home.plan.entities:
        assert exposed["exposed_entities"].get(entity.entity_id, {}).get("conversation", False) == entity.exposed, (
            entity
        )
        assert (entity.entity_id in entries) == entity.is_registered, entity
        if entity.is_registered:
            entry = entries[entity.entity_id]
            area = entry["area_id"] or of_device.get(entry["device_id"])
            assert area_names.get(area) == entity.area, entity
            assert entry["platform"] == entity.platform, entity
            assert (entry["hidden_by"] is not None, entry["entity_category"]) == (entity.hidden, entity.category), (
                entity
            )
    aliased = [entity for entity in home.plan.entities if entity.aliases]
    get = {"type": "config/entity_registry/get"}
    found = home.owner.command(*({**get, "entity_id": entity.entity_id} for entity in aliased))
    for entity, entry in zip(aliased, found, strict=True):
        assert set(entry["aliases"]) == {None, *entity.aliases}


def _follower(home: GeneratedHome, domain: str, follow: Follow) -> EntityPlan:
    """The planned entity of a kind: the slowest of the late ones; needs no code."""
    found = [
        entity for entity in home.plan.of(domain, follow=follow, platform="mqtt") if "code_format" not in entity.facts
    ]
    return max(found, key=lambda entity: entity.seconds)


def _reverse(home: GeneratedHome, entity: EntityPlan) -> tuple[str, str]:
    """Does to an entity what makes it the opposite, by Home Assistant's own action: the state before, and that action."""
    state = home.owner.state(entity.entity_id)
    assert state is not None
    to_on, to_off = OPPOSITE[entity.domain]
    action = to_off if state["state"] in ON else to_on
    response = home.owner.call(f"{entity.domain}.{action}", {"entity_id": entity.entity_id})
    assert response.ok, response.text
    home.settle()
    return str(state["state"]), action


def _state(home: GeneratedHome, entity: EntityPlan) -> Any:
    state = home.owner.state(entity.entity_id)
    assert state is not None
    return state["state"]


@pytest.mark.parametrize("domain", OPPOSITE)
@pytest.mark.parametrize("follow", [Follow.AT_ONCE, Follow.ASSUMED])
def test_commands_are_noted_and_done(home: GeneratedHome, domain: str, follow: Follow) -> None:
    """Exactly one command reaches exactly one device, and the state changes, reported or assumed."""
    entity = _follower(home, domain, follow)
    before, action = _reverse(home, entity)
    home.wait_for_state(entity.entity_id, lambda seen: seen["state"] != before)
    assert _state(home, entity) in (ON if action == OPPOSITE[domain][0] else OFF)
    (command,) = home.devices.commands()
    assert command.entity_id == entity.entity_id
    is_json = entity.config.get("schema") == "json"
    payload = json.loads(command.payload)["state"] if is_json else command.payload
    word = action.removeprefix("turn_").removesuffix("_cover").upper()
    assert payload == word


# An action, its values, a key that the discovery message must have, the commands, and what is then so.
DEEDS: tuple[tuple[str, dict[str, Any], str, list[tuple[str, str]], dict[str, Any]], ...] = (
    ("fan.set_percentage", {"percentage": 70}, "percentage_state_topic", [("speed", "70")], {"percentage": 70}),
    ("cover.set_cover_position", {"position": 30}, "position_topic", [("position", "30")], {"current_position": 30}),
    ("cover.set_cover_tilt_position", {"tilt_position": 20}, "tilt_status_topic", [("tilt", "20")], {}),
    ("climate.set_temperature", {"temperature": 23.5}, "modes", [("target", "23.5")], {"temperature": 23.5}),
    ("climate.set_hvac_mode", {"hvac_mode": "heat"}, "modes", [("mode", "heat")], {"state": "heat"}),
    ("water_heater.set_temperature", {"temperature": 55}, "modes", [("target", "55.0")], {"temperature": 55}),
    ("humidifier.set_humidity", {"humidity": 60}, "state_topic", [("target", "60")], {"humidity": 60}),
    ("valve.open_valve", {}, "state_topic", [("state", "OPEN")], {"state": "open"}),
    ("number.set_value", {"value": 10}, "state_topic", [("value", "10")], {"state": "10"}),
    ("select.select_option", {"option": "normal"}, "options", [("option", "normal")], {"state": "normal"}),
    ("text.set_value", {"value": "Grüße, 你好"}, "state_topic", [("text", "Grüße, 你好")], {"state": "Grüße, 你好"}),
    ("vacuum.start", {}, "state_topic", [("state", "start")], {"state": "cleaning"}),
    ("lawn_mower.start_mowing", {}, "activity_state_topic", [("mow", "start_mowing")], {"state": "mowing"}),
    ("button.press", {}, "command_topic", [("press", "PRESS")], {}),
    ("scene.turn_on", {}, "payload_on", [("scene", "ON")], {}),
    ("notify.send_message", {"message": "Tür offen"}, "command_topic", [("say", "Tür offen")], {}),
    ("update.install", {}, "payload_install", [("install", "INSTALL")], {"state": "off"}),
    ("lock.open", {"code": CODE}, "code_format", [("state", f"OPEN:{CODE}")], {"state": "open"}),
    (
        "alarm_control_panel.alarm_arm_away",
        {"code": CODE},
        "code",
        [("state", f"ARM_AWAY:{CODE}")],
        {"state": "armed_away"},
    ),
    ("light.turn_on", {"color_temp_kelvin": 3000}, "min_kelvin", [], {"state": "on", "color_temp_kelvin": 3000}),
    ("light.turn_on", {"rgb_color": [255, 0, 0]}, "min_kelvin", [], {"state": "on", "rgb_color": [255, 0, 0]}),
)


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed[0])
def test_devices_do_what_they_are_told(home: GeneratedHome, deed: tuple[str, dict[str, Any], str, Any, Any]) -> None:
    """A direct call makes exactly these commands, and the device's answer becomes the state."""
    action, values, key, payloads, then = deed
    found = home.plan.of(action.partition(".")[0], follow=Follow.AT_ONCE, platform="mqtt")
    entity = next(entity for entity in found if key in entity.config and _suits(entity, action, values))
    response = home.owner.call(action, {"entity_id": entity.entity_id, **values})
    assert response.ok, response.text

    def is_so(seen: Seen) -> bool:
        return all(seen["attributes"].get(name, seen["state"]) == value for name, value in then.items())

    home.wait_for_state(entity.entity_id, is_so)
    home.settle()
    assert {command.entity_id for command in home.devices.commands()} == {entity.entity_id}
    if payloads:
        assert home.devices.payloads(entity.entity_id) == payloads


def _suits(entity: EntityPlan, action: str, values: dict[str, Any]) -> bool:
    """Whether an entity has what an action needs."""
    match action, entity.config:
        case "valve.open_valve", {"reports_position": True}:
            return False
        case "select.select_option", config:
            return "normal" in str(config["options"])
        case "lock.open", config:
            return "payload_open" in config
        case "update.install", _:
            return "1.1.0" in str(entity.initial)
        case "light.turn_on", config if "rgb_color" in values:
            return bool({"rgb", "hs", "xy", "rgbw"} & set(str(config.get("supported_color_modes")).split("'")))
        case _:
            return True


@pytest.mark.parametrize("domain", OPPOSITE)
def test_late_ones_follow_late(home: GeneratedHome, domain: str) -> None:
    """The command is there at once, the state comes later."""
    entity = _follower(home, domain, Follow.LATE)
    before, _ = _reverse(home, entity)
    assert len(home.devices.commands(entity.entity_id)) == 1
    if entity.seconds >= 4:
        assert _state(home, entity) == before
    home.wait_for_state(entity.entity_id, lambda seen: seen["state"] != before)


@pytest.mark.parametrize("domain", OPPOSITE)
def test_dead_ones_never_follow(home: GeneratedHome, domain: str) -> None:
    """The command is heard, and nothing comes of it."""
    entity = _follower(home, domain, Follow.NEVER)
    before, _ = _reverse(home, entity)
    assert len(home.devices.commands(entity.entity_id)) == 1
    home.settle()
    assert _state(home, entity) == before


def test_a_straying_lock_jams(home: GeneratedHome) -> None:
    """A lock that follows to another value is jammed."""
    entity = _follower(home, "lock", Follow.OTHER)
    _reverse(home, entity)
    home.wait_for_state(entity.entity_id, lambda seen: seen["state"] == "jammed")


def test_a_straying_light_is_dimmer(home: GeneratedHome) -> None:
    """A light that follows to another value takes a lower brightness than asked for."""
    entity = _follower(home, "light", Follow.OTHER)
    home.owner.call("light.turn_on", {"entity_id": entity.entity_id, "brightness": 254})
    home.settle()
    seen = home.wait_for_state(entity.entity_id, lambda seen: seen["state"] == "on")
    home.wait_for_state(entity.entity_id, lambda seen: seen["attributes"].get("brightness") not in {None, 254})
    assert home.devices.commands(entity.entity_id), seen


@pytest.mark.parametrize("domain", OPPOSITE)
@pytest.mark.parametrize("follow", sorted(ABSENT))
def test_absent_ones_hear_nothing(home: GeneratedHome, domain: str, follow: Follow) -> None:
    """Nothing is sent to what is unavailable or only remembered."""
    entity = _follower(home, domain, follow)
    home.owner.call(f"{domain}.{OPPOSITE[domain][0]}", {"entity_id": entity.entity_id})
    home.settle()
    assert home.devices.commands() == []
    assert _state(home, entity) == "unavailable"


def test_orders_are_noted_in_order(home: GeneratedHome) -> None:
    """Commands to several devices are noted in the order in which they were given."""
    lights = home.plan.of("light", follow=Follow.AT_ONCE, platform="mqtt")[:3]
    for light in (*lights, *reversed(lights)):
        home.owner.call("light.turn_on", {"entity_id": light.entity_id})
    home.settle()
    asked = [light.entity_id for light in (*lights, *reversed(lights))]
    assert [command.entity_id for command in home.devices.commands()] == asked


def test_a_garage_opens_on_request(home: GeneratedHome) -> None:
    """The automation does what the plan says it does."""
    (automation,) = home.plan.of("automation")
    request, door = automation.members
    home.owner.call("input_boolean.turn_on", {"entity_id": request})
    home.wait_for_state(automation.entity_id, lambda seen: seen["attributes"]["last_triggered"] is not None)
    home.settle()
    assert [payload for _, payload in home.devices.payloads(door)] == ["OPEN"]


def test_someone_presses_a_button(home: GeneratedHome) -> None:
    """A device may change by itself; Home Assistant hears it and sends nothing."""
    switch = _follower(home, "switch", Follow.AT_ONCE)
    before = _state(home, switch)
    (topic,) = switch.initial
    home.devices.say(topic, "OFF" if before == "on" else "ON")
    home.wait_for_state(switch.entity_id, lambda seen: seen["state"] != before)
    assert home.devices.commands() == []


def test_an_agent_moves_a_device(home: GeneratedHome) -> None:
    """EdgeHome works in a generated home: an agent's request reaches one device once."""
    agent, _ = home.add_agent("Hermes")
    lights = home.plan.of("light", follow=Follow.AT_ONCE, platform="mqtt", exposed=True)
    light = next(light for light in lights if light.is_registered and not light.hidden)
    intent = "turn_off" if _state(home, light) == "on" else "turn_on"
    answer = agent.execute({"intent": intent, "device_alias": light.entity_id})
    assert (answer["outcome"], answer["code"]) == ("executed", "DONE"), answer
    home.settle()
    assert {command.entity_id for command in home.devices.commands()} == {light.entity_id}
