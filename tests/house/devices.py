"""The devices of a generated home: they hear commands over MQTT, note them, and answer as their plan says."""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

from paho.mqtt.client import Client as Mqtt
from paho.mqtt.client import ConnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from .generated import availability, discovery
from .home_plan import ANY, ECHO, HALF_WAY, EntityPlan, Follow, HomePlan, Wire

COMMANDS = "eh/+/+/+/set"
ASK, ANSWER, READY = "eh-sync/ask", "eh-sync/answer", "eh-sync/ready"
PATIENCE = 60


@dataclass(frozen=True)
class Command:
    """One command that reached a device."""

    entity_id: str
    topic: str
    payload: str


class Devices:
    """All devices of a home, in a thread of their own."""

    def __init__(self, home: HomePlan, port: int) -> None:
        self.home = home
        self._port = port
        self._wires: dict[str, tuple[EntityPlan, Wire]] = {
            wire.command: (entity, wire) for entity in home.entities for wire in entity.wires
        }
        self._said: dict[str, str] = {}
        self._heard: list[Command] = []
        self._lock = threading.Lock()
        self._late: set[threading.Timer] = set()
        self._ready = threading.Event()
        self._client = Mqtt(CallbackAPIVersion.VERSION2, client_id="eh-devices")
        self._client.on_connect = self._connected
        self._client.on_message = self._received
        self._client.max_queued_messages_set(0)

    def start(self) -> None:
        """Connects, and says in retained messages what each device is and how it is."""
        self._client.connect("127.0.0.1", self._port)
        self._client.loop_start()
        if not self._ready.wait(PATIENCE):
            raise RuntimeError("the devices found no broker")
        for topic, payload in availability(self.home):
            self.say(topic, payload)
        for entity in self.home.entities:
            for topic, payload in entity.initial.items():
                self.say(topic, payload)
        for topic, payload, _ in discovery(self.home):
            self._client.publish(topic, payload, retain=True)
        self._flush()

    def withdraw_restored(self) -> None:
        """Takes back the announcements of the entities that only a former run knew; Home Assistant must be down."""
        for topic, _, entity in discovery(self.home):
            if entity.follow is Follow.RESTORED:
                self._client.publish(topic, "", retain=True)
        self._flush()

    def stop(self) -> None:
        """Disconnects; late answers are dropped."""
        with self._lock:
            late, self._late = self._late, set()
        for timer in late:
            timer.cancel()
        self._client.disconnect()
        self._client.loop_stop()

    def say(self, topic: str, payload: str) -> None:
        """A device says something: as an answer, or because someone pressed its button."""
        with self._lock:
            self._said[topic] = payload
        self._client.publish(topic, payload, retain=True)

    def said(self, topic: str) -> str | None:
        """What a device said last on a topic."""
        with self._lock:
            return self._said.get(topic)

    def commands(self, entity_id: str | None = None) -> list[Command]:
        """The commands that reached the devices, or one of them, in order."""
        with self._lock:
            return [command for command in self._heard if entity_id in {None, command.entity_id}]

    def payloads(self, entity_id: str) -> list[tuple[str, str]]:
        """The commands that reached an entity, in order: the last part of the topic before ``/set``, and the payload."""
        return [(command.topic.split("/")[-2], command.payload) for command in self.commands(entity_id)]

    def forget(self) -> None:
        """Drops the commands that were noted so far."""
        with self._lock:
            self._heard.clear()

    def _flush(self) -> None:
        self._client.publish(READY, "", qos=1).wait_for_publish(PATIENCE)

    def _connected(
        self, client: Mqtt, data: object, flags: ConnectFlags, reason: ReasonCode, properties: Properties | None
    ) -> None:
        client.subscribe([(COMMANDS, 0), (ASK, 0)])
        self._ready.set()

    def _received(self, client: Mqtt, data: object, message: MQTTMessage) -> None:
        payload = message.payload.decode()
        if message.topic == ASK:
            client.publish(ANSWER, payload, retain=True)
            return
        entity, wire = self._wires[message.topic]
        with self._lock:
            self._heard.append(Command(entity.entity_id, message.topic, payload))
        if entity.follow is Follow.LATE:
            timer = threading.Timer(entity.seconds, self._answer, (entity, wire, payload))
            with self._lock:
                self._late = {other for other in self._late if other.is_alive()} | {timer}
                timer.start()
        elif entity.follow is not Follow.NEVER:
            self._answer(entity, wire, payload)

    def _answer(self, entity: EntityPlan, wire: Wire, payload: str) -> None:
        for topic, says in answers(wire, payload, strays=entity.follow is Follow.OTHER, now=self.said).items():
            self.say(topic, says)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def answers(wire: Wire, payload: str, *, strays: bool, now: Callable[[str], str | None]) -> dict[str, str]:
    """What a command makes a device say, by topic; ``now`` gives what it said last on a topic."""
    if wire.merges:
        return {wire.merges: merged(now(wire.merges) or "{}", payload, strays=strays)}
    row: Mapping[str, str] | None = None
    for table in (wire.instead, wire.outcomes) if strays else (wire.outcomes,):
        for key in (payload, payload.partition(":")[0], ANY):
            if row is None:
                row = table.get(key)
    return {
        topic: half_way(now(topic), payload) if says == HALF_WAY else says.replace(ECHO, payload)
        for topic, says in (row or {}).items()
    }


def half_way(now: str | None, asked: str) -> str:
    """The number half way between two, whole if the asked one is."""
    middle = (float(now or 0) + float(asked)) / 2
    return f"{middle:g}" if "." in asked else str(round(middle))


def merged(now: str, payload: str, *, strays: bool) -> str:
    """A JSON light's state after a command; one that strays takes half the brightness."""
    state, command = json.loads(now), json.loads(payload)
    for passing in ("transition", "flash"):
        command.pop(passing, None)
    if strays and "brightness" in command:
        command["brightness"] //= 2
    if "color_temp" in command:
        command["color_mode"] = "color_temp"
        state.pop("color", None)
    elif (color := command.get("color")) is not None:
        command["color_mode"] = color_mode(color)
        state.pop("color_temp", None)
    return json.dumps({**state, **command})


def color_mode(color: Mapping[str, object]) -> str:
    """The color mode that a JSON light's color is of."""
    if "h" in color:
        return "hs"
    if "x" in color:
        return "xy"
    return "rgb" + "".join(channel for channel in ("c", "w") if channel in color).replace("cw", "ww")
