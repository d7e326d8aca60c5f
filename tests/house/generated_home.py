"""A running generated home: Home Assistant, a broker, devices, an owner, EdgeHome."""

import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, override

from .broker import Broker
from .bulk import PATIENCE, Seen, Wanted, round_trip, send_all, wait_for_state, wait_for_states
from .client import Client
from .demo_home import OWNER, DemoHome, log_in, onboard
from .devices import ANSWER, ASK, Devices
from .generated import configuration, plan
from .home_plan import ABSENT, EntityPlan, Follow, HomePlan
from .process import DEFAULT_VERSION, HomeAssistantProcess

CHUNK = 1000
"""So many entities at once are exposed or not."""
OTHER_SETTINGS = {"set_client_cert": False, "set_ca_cert": "off"}
OFF_LINE = "unavailable"


@dataclass
class GeneratedHome(DemoHome):
    """A running generated home; EdgeHome's set-up, agents and people are as in the demo home."""

    plan: HomePlan = field(kw_only=True)
    broker: Broker = field(kw_only=True)
    devices: Devices = field(kw_only=True)
    times: dict[str, float] = field(default_factory=dict, kw_only=True)
    """Seconds that the steps of the start took."""

    @classmethod
    def up(cls, process: HomeAssistantProcess, home: HomePlan, *, preset: str = "strict") -> GeneratedHome:
        """Starts it from an empty folder, in two runs: what is restored in the second one was real in the first."""
        broker = Broker(process.folder / "broker")
        devices = Devices(home, broker.port)
        started = cls(process, Client(process.url, ""), plan=home, broker=broker, devices=devices)
        try:
            started._start(preset)
        except BaseException as error:
            started.stop()
            error.add_note("\n".join(line[:400] for line in process.log().splitlines() if " ERROR " in line))
            raise
        return started

    def _start(self, preset: str) -> None:
        begin = time.monotonic()
        self.broker.start()
        self.process.prepare(configuration(self.plan, self.process.url))
        self.devices.start()
        self.process.start()
        self.owner = Client(self.process.url, onboard(self.process.url))
        self.wait_until_running()
        begin = self._took("first start", begin)
        self._connect()
        self._make_helpers()
        self.wait_until_there(restored=False)
        begin = self._took("discovery and helpers", begin)
        self.furnish()
        begin = self._took("rooms, names, exposures", begin)
        self.process.stop()
        self.devices.withdraw_restored()
        begin = self._took("stop", begin)
        self.process.start()
        self.owner = Client(self.process.url, log_in(self.process.url, OWNER["username"], OWNER["password"]))
        self.wait_until_running()
        begin = self._took("second start", begin)
        self.wait_until_there(restored=True)
        begin = self._took("all there again", begin)
        self.entry_id = self.set_up(preset)
        self._took("EdgeHome", begin)

    def _took(self, step: str, begin: float) -> float:
        now = time.monotonic()
        self.times[step] = now - begin
        return now

    def stop(self) -> None:
        """Stops Home Assistant, the devices and the broker."""
        self.process.stop()
        self.devices.stop()
        self.broker.stop()

    def settle(self) -> None:
        """Waits until the devices have heard all that Home Assistant sent, and it has heard their answers so far."""
        round_trip(self.owner, ASK, ANSWER, uuid.uuid4().hex)

    def wait_for_state(self, entity_id: str, wanted: Wanted, seconds: float = 30) -> Seen:
        """Waits until an entity is in a wanted state; that state."""
        return wait_for_state(self.owner, entity_id, wanted, seconds)

    def wait_until_there(self, *, restored: bool) -> None:
        """Waits until all planned entities have the state of their devices; ``restored`` ones by former runs."""
        wanted = {entity.entity_id: _is_there(entity, restored) for entity in self.plan.entities}
        wait_for_states(self.owner, wanted, PATIENCE + len(wanted) / 20)

    def _connect(self) -> None:
        """MQTT's real config flow."""
        form = {"broker": "127.0.0.1", "port": self.broker.port, "protocol": "5", "other_settings": OTHER_SETTINGS}
        start = {"handler": "mqtt", "show_advanced_options": False}
        self.owner.flow("/api/config/config_entries/flow", start, form)

    def _make_helpers(self) -> None:
        """The helpers of the frontend, by their real flows; each entity gets its planned id."""
        members = {member for flow in self.plan.flows for member in self.plan[flow.entity_id].members}
        wait_for_states(self.owner, {member: lambda _: True for member in members})
        made = {flow.entity_id: self._entry(flow.handler, flow.steps) for flow in self.plan.flows}
        (entries,) = self.owner.command({"type": "config/entity_registry/list"})
        by_entry = {entry["config_entry_id"]: entry["entity_id"] for entry in entries}
        update = {"type": "config/entity_registry/update"}
        send_all(
            self.owner,
            [
                {**update, "entity_id": by_entry[entry_id], "new_entity_id": entity_id}
                for entity_id, entry_id in made.items()
                if by_entry[entry_id] != entity_id
            ],
        )
        # What has a device has its name.
        named = [flow.entity_id for flow in self.plan.flows if flow.handler != "switch_as_x"]
        send_all(self.owner, [{**update, "entity_id": name, "name": self.plan[name].name} for name in named])

    def _entry(self, handler: str, steps: tuple[Mapping[str, object], ...]) -> str:
        start = {"handler": handler, "show_advanced_options": False}
        result: dict[str, Any] = self.owner.flow("/api/config/config_entries/flow", start, *steps)
        return str(result["result"]["entry_id"])

    @override
    def furnish(self) -> None:
        """Makes floors and rooms, puts devices and entities there, names, hides and exposes them."""
        (present,) = self.owner.command({"type": "config/area_registry/list"})
        delete = {"type": "config/area_registry/delete"}
        send_all(self.owner, ({**delete, "area_id": room["area_id"]} for room in present))
        floors = send_all(
            self.owner,
            (
                {
                    "type": "config/floor_registry/create",
                    "name": floor.name,
                    "level": floor.level,
                    "aliases": list(floor.aliases),
                }
                for floor in self.plan.floors
            ),
        )
        floor_ids = {floor["name"]: floor["floor_id"] for floor in floors}
        rooms = send_all(
            self.owner,
            (
                {
                    "type": "config/area_registry/create",
                    "name": room.name,
                    "floor_id": floor_ids[room.floor],
                    "aliases": list(room.aliases),
                }
                for room in self.plan.rooms
            ),
        )
        areas = {room["name"]: room["area_id"] for room in rooms}
        devices, entries = self.owner.command(
            {"type": "config/device_registry/list"}, {"type": "config/entity_registry/list"}
        )
        device_ids = {key: device["id"] for device in devices for domain, key in device["identifiers"]}
        send_all(
            self.owner,
            (
                {
                    "type": "config/device_registry/update",
                    "device_id": device_ids[device.key],
                    "area_id": areas[device.area],
                }
                for device in self.plan.devices
                if device.area
            ),
        )
        hidden = {entry["entity_id"] for entry in entries if entry["hidden_by"]}
        changes = (
            (entity.entity_id, _wishes(entity, areas, hidden)) for entity in self.plan.entities if entity.is_registered
        )
        update = "config/entity_registry/update"
        send_all(self.owner, ({"type": update, "entity_id": name, **wishes} for name, wishes in changes if wishes))
        send_all(self.owner, list(self._exposures()))

    def _exposures(self) -> Iterator[dict[str, object]]:
        for exposed in (True, False):
            ids = [entity.entity_id for entity in self.plan.of(exposed=exposed)]
            for first in range(0, len(ids), CHUNK):
                yield {
                    "type": "homeassistant/expose_entity",
                    "assistants": ["conversation"],
                    "entity_ids": ids[first : first + CHUNK],
                    "should_expose": exposed,
                }


def _wishes(entity: EntityPlan, areas: Mapping[str, str], hidden: set[str]) -> dict[str, object]:
    """What the owner changes in an entity's registry entry."""
    wishes: dict[str, object] = {}
    if entity.own_area and entity.area:
        wishes["area_id"] = areas[entity.area]
    if entity.aliases:
        wishes["aliases"] = [None, *entity.aliases]
    if entity.hidden and entity.entity_id not in hidden:
        wishes["hidden_by"] = "user"
    return wishes


def _is_there(entity: EntityPlan, restored: bool) -> Wanted:
    """Whether a state is the one of the planned entity."""
    absent = entity.follow in ABSENT if restored else entity.follow is Follow.UNAVAILABLE
    is_restored = restored and entity.follow is Follow.RESTORED

    def there(seen: Seen) -> bool:
        if bool(seen["attributes"].get("restored")) != is_restored:
            return False
        return entity.platform != "mqtt" or (seen["state"] == OFF_LINE) == absent

    return there


@contextmanager
def generated_home(
    folder: Path, release: str = DEFAULT_VERSION, *, seed: int, size: int, preset: str = "strict"
) -> Iterator[GeneratedHome]:
    """A running home of a seed and size, stopped at the end."""
    home = GeneratedHome.up(HomeAssistantProcess(folder, release), plan(seed, size), preset=preset)
    try:
        yield home
    finally:
        home.stop()
