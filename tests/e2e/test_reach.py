"""Every way to a lock, a garage door and an alarm, in a real Home Assistant: never milder than the plain operation."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.e2e.conftest import RELEASES
from tests.house import reach_home
from tests.house.client import Client
from tests.house.demo_home import DemoHome
from tests.house.process import HomeAssistantProcess
from tests.house.reach_home import ALARM, DOORS_SCRIPTS, GARAGE, LAMP, LOCK, OPAQUE_SCRIPTS

pytestmark = pytest.mark.e2e

PRESETS = ("strict", "balanced")
SEVERITY = ("allow", "confirm", "deny")
UNLOCKS, ASKS, PASSES = ("deny", "confirm"), ("confirm", "confirm"), ("allow", "allow")
"""The verdicts under strict and balanced."""


@dataclass(frozen=True)
class Way:
    """A request and its verdicts. ``plain`` is the operation that it comes down to."""

    id: str
    wish: dict[str, Any]
    verdicts: tuple[str, str]
    plain: dict[str, Any] = field(default_factory=dict)


def on(intent: str, device: str, **params: object) -> dict[str, Any]:
    """A proposal on a device."""
    return {"model_candidate": {"intent": intent, "device_alias": device, "params": params}}


def of(intent: str, **target: str) -> dict[str, Any]:
    """A proposal on a set."""
    return {"model_candidate": {"intent": intent, **target}}


def called(service: str, **target: str) -> dict[str, Any]:
    """A call in Home Assistant's words."""
    return {"service_call": {"service": service, "target": target}}


UNLOCK, OPEN, DISARM = on("unlock", LOCK), on("open", GARAGE), on("disarm", ALARM)
LATCH = on("open", "lock.openable_lock")

WAYS = (
    Way("plain lock", UNLOCK, UNLOCKS),
    Way("plain latch", LATCH, UNLOCKS),
    Way("plain garage", OPEN, ASKS),
    Way("plain alarm", DISARM, ASKS),
    *(
        Way(f"script {name}", on("run", f"script.{name}"), UNLOCKS, LATCH if name == "pulls_latch" else UNLOCK)
        for name in DOORS_SCRIPTS
    ),
    *(Way(f"script {name} on", on("turn_on", f"script.{name}"), UNLOCKS, UNLOCK) for name in ("plain", "nested")),
    Way("script opens", on("run", "script.opens"), ASKS, OPEN),
    Way("script opens by a device action", on("run", "script.by_device"), ASKS, OPEN),
    Way("script opens at a device", on("run", "script.at_device"), ASKS, OPEN),
    Way("script disarms", on("run", "script.disarms"), ASKS, DISARM),
    Way("script switches what is a lock", on("run", "script.switches_wrapped"), UNLOCKS, UNLOCK),
    *(Way(f"script {name}", on("run", f"script.{name}"), ASKS) for name in OPAQUE_SCRIPTS),
    Way("scene unlocks", on("activate", "scene.away"), UNLOCKS, UNLOCK),
    Way("scene on", on("turn_on", "scene.away"), UNLOCKS, UNLOCK),
    Way("scene opens", on("activate", "scene.night"), ASKS, OPEN),
    Way("scene disarms", on("activate", "scene.calm"), ASKS, DISARM),
    Way("old group", on("unlock", "group.locks"), UNLOCKS, UNLOCK),
    Way("group of a group", on("unlock", "group.outer"), UNLOCKS, UNLOCK),
    Way("group with a lock", on("unlock", "group.stuff"), UNLOCKS, UNLOCK),
    Way("group of covers", on("open", "group.covers"), ASKS, OPEN),
    Way("group with a sneaky lamp", on("turn_on", "group.sneaks"), UNLOCKS, UNLOCK),
    Way("lock group", on("unlock", "lock.all_locks"), UNLOCKS, UNLOCK),
    Way("cover group", on("open", "cover.all_covers"), ASKS, OPEN),
    Way("light group", on("turn_on", "light.sneaky_group"), UNLOCKS, UNLOCK),
    Way("hidden member dimmed", on("set_brightness", "light.hidden_group", brightness=40), UNLOCKS, UNLOCK),
    Way("hidden member on and dimmed", on("turn_on", "light.hidden_group", brightness=40), UNLOCKS, UNLOCK),
    Way("template lamp", on("turn_on", "light.sneaky"), UNLOCKS, UNLOCK),
    Way("template lamp toggled", on("toggle", "light.sneaky"), UNLOCKS, UNLOCK),
    Way("template lamp's level", on("set_brightness", "light.sneaky_level", brightness=40), UNLOCKS, UNLOCK),
    Way("template lamp on at a level", on("turn_on", "light.sneaky_level", brightness=40), UNLOCKS, UNLOCK),
    Way("template switch", on("turn_on", "switch.magic"), ASKS, OPEN),
    Way("template button", on("press", "button.bell"), ASKS, DISARM),
    Way("template blind", on("open", "cover.fake_blind"), UNLOCKS, UNLOCK),
    Way("template number", on("set_value", "number.level", value=4), UNLOCKS, UNLOCK),
    Way("template lamp on a relay that is listened to", on("turn_on", "light.porch_lamp"), ASKS, OPEN),
    Way("switch that is a lock, on", on("turn_on", "switch.ac"), UNLOCKS, UNLOCK),
    Way("switch that is a lock, toggled", on("toggle", "switch.ac"), UNLOCKS, UNLOCK),
    Way("lock that is a switch", on("unlock", "lock.ac"), UNLOCKS, UNLOCK),
    Way("relay of the garage door", of("turn_on", device="Garage Door", device_type="switch"), ASKS, OPEN),
    Way("relay of the garage door, by the device", of("turn_on", device="Garage Door"), ASKS, OPEN),
    Way("state trigger", on("turn_on", "input_boolean.porch"), ASKS, OPEN),
    Way("template trigger", on("select_option", "input_select.by_template", option="go"), ASKS, OPEN),
    Way("template trigger, states.", on("set_value", "input_number.by_states", value=7), ASKS, OPEN),
    Way("target trigger", on("turn_on", "switch.decorative_lights"), UNLOCKS, UNLOCK),
    Way("button with an automation", on("press", "input_button.trap"), ASKS, DISARM),
    Way("button with an opaque automation", on("press", "input_button.odd"), ASKS),
    Way("timer with a target trigger", on("start", "timer.by_target"), ASKS, OPEN),
    Way("timer with an event trigger", on("start", "timer.by_event"), ASKS, OPEN),
    Way("area", of("unlock", room="Entrance", device_type="lock"), UNLOCKS, UNLOCK),
    Way("area of the garage", of("open", room="Garage", device_type="cover"), ASKS, OPEN),
    Way("area with a sneaky lamp", of("turn_on", room="Entrance", device_type="light"), UNLOCKS, UNLOCK),
    Way("floor", of("unlock", floor="Ground", device_type="lock"), UNLOCKS, UNLOCK),
    Way("label", of("unlock", label="Doors", device_type="lock"), UNLOCKS, UNLOCK),
    Way("home", of("unlock", scope="home", device_type="lock"), UNLOCKS, UNLOCK),
    Way("garages of the home", of("open", scope="home", device_type="garage_door"), ASKS, OPEN),
    Way("alarms of the home", of("disarm", scope="home", device_type="alarm"), ASKS, DISARM),
    Way("lamps of the home", of("turn_on", scope="home", device_type="light"), UNLOCKS, UNLOCK),
    Way("device", of("open", device="Garage Door"), ASKS, OPEN),
    Way("call on an entity", called("lock.unlock", entity_id=LOCK), UNLOCKS, UNLOCK),
    Way("call on an area", called("lock.unlock", area_id="entrance"), UNLOCKS, UNLOCK),
    Way("call on a floor", called("lock.unlock", floor_id="ground"), UNLOCKS, UNLOCK),
    Way("call on a label", called("lock.unlock", label_id="doors"), UNLOCKS, UNLOCK),
    Way("call on a device", called("cover.open_cover", device_id="Garage Door"), ASKS, OPEN),
    Way("call on a script", called("script.turn_on", entity_id="script.plain"), UNLOCKS, UNLOCK),
    Way("call on a scene", called("scene.turn_on", entity_id="scene.away"), UNLOCKS, UNLOCK),
    Way("call on a light group", called("light.turn_on", entity_id="light.sneaky_group"), UNLOCKS, UNLOCK),
    Way("scene of lamps", on("activate", "scene.party"), PASSES),
    Way("script of lamps", on("run", "script.lamps"), PASSES),
    Way("template lamp without a trap", on("turn_on", "light.cellar_lamp"), PASSES),
    Way("old group of lamps", on("turn_on", "group.lamps"), PASSES),
    Way("light group of lamps", on("turn_off", "light.lamp_group"), PASSES),
    Way("all lamps of the home off", of("turn_off", scope="home", device_type="light"), PASSES),
    Way("group that takes its lamps only", on("turn_on", "group.stuff"), PASSES),
    Way("plain lamp", on("turn_on", LAMP), PASSES),
)


@dataclass(frozen=True)
class Asked:
    """A home under one preset, and who asks it."""

    home: DemoHome
    agent: Client
    preset: str

    def verdict(self, wish: dict[str, Any]) -> str:
        """What a request would need; the code of a refusal that is none of the policy."""
        answer = self.agent.edgehome("execute", **wish, dry_run=True)
        if answer["code"] == "POLICY_DENIED":
            return "deny"
        return str(answer["requirement"]["verdict"]) if answer["outcome"] == "dry_run" else str(answer["code"])


@pytest.fixture(scope="module", params=[(release, preset) for release in RELEASES for preset in PRESETS])
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """A home of each release under each preset; EdgeHome must have logged no complaint at its end."""
    release, preset = request.param
    with HomeAssistantProcess(tmp_path_factory.mktemp("reach"), release) as process:
        home = reach_home.start(process, preset)
        agent, _ = home.add_agent("Hermes")
        assert home.owner.call("light.turn_off", {"entity_id": LAMP}).ok
        yield Asked(home, agent, preset)
        process.stop()
        assert process.complaints() == []


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.id)
def test_never_milder(asked: Asked, way: Way) -> None:
    """A way around has its own verdict in the table, and none is milder than what it comes down to."""
    verdict = asked.verdict(way.wish)
    assert verdict == way.verdicts[PRESETS.index(asked.preset)]
    if way.plain:
        assert SEVERITY.index(verdict) >= SEVERITY.index(asked.verdict(way.plain))


def test_a_ceiling_holds_for_what_is_reached(asked: Asked) -> None:
    """An agent that may go up to risk 2 gets to nothing riskier by any way."""
    careful, _ = asked.home.add_agent("Careful", max_risk=2)
    passed = [
        way.id
        for way in WAYS
        if way.verdicts != PASSES
        and careful.edgehome("execute", **way.wish, dry_run=True)["code"] not in {"RISK_TOO_HIGH", "POLICY_DENIED"}
    ]
    assert passed == []


def test_the_list_says_the_same(asked: Asked) -> None:
    """What is denied is not in the list of devices, and what would be asked about is listed as that."""
    listed = {item["entity_id"]: item["operations"] for item in asked.agent.edgehome("list_devices")["devices"]}
    shown = {
        way.id: listed[device][intent]["verdict"] if intent in listed[device] else "deny"
        for way in WAYS
        if (candidate := way.wish.get("model_candidate", {})) and not candidate.get("params")
        if (intent := candidate["intent"]) not in {"toggle", "set_brightness"}
        if (device := candidate.get("device_alias")) in listed and not str(device).startswith("group.")
    }
    wanted = {way.id: way.verdicts[PRESETS.index(asked.preset)] for way in WAYS if way.id in shown}
    assert shown == wanted
