"""The homes of the differential test: the demo home with all that the catalogue knows, and a door that lets all through."""

import json
import queue
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, override

from custom_components.edgehome.catalogue import DOMAINS

from .client import Client
from .demo_home import CONFIGURATION, DemoHome, onboard
from .devices import ANSWER, ASK
from .generated import plan
from .generated_home import GeneratedHome
from .home_plan import Follow
from .phone import Phone
from .process import ROOT, HomeAssistantProcess

MORE = """
kitchen_sink:
alarm_control_panel:
  - platform: manual
    name: Back Door Alarm
    unique_id: back_door_alarm
    code_arm_required: false
    arming_time: 0
    delay_time: 0
  - platform: manual
    name: Cellar Alarm
    unique_id: cellar_alarm
    code: "1234"
    arming_time: 0
    delay_time: 0
counter:
  visits: {name: Visits}
  laps: {name: Laps, minimum: 2, maximum: 9, initial: 3}
input_button:
  gong: {name: Gong}
input_datetime:
  day: {name: Day, has_date: true, has_time: false}
  hour: {name: Hour, has_date: false, has_time: true}
  day_and_hour: {name: Day and hour, has_date: true, has_time: true}
input_number:
  pressure: {name: Pressure, min: -5, max: 5, step: 0.5}
input_select:
  season: {name: Season, options: [spring, summer, autumn, winter]}
input_text:
  note: {name: Note, min: 2, max: 20}
  digits: {name: Digits, pattern: "[0-9]*"}
  hidden: {name: Hidden, mode: password}
timer:
  egg: {name: Egg, duration: "00:30:00"}
script:
  behind:
    alias: Behind
    sequence: [{action: input_boolean.toggle, target: {entity_id: input_boolean.notify}}]
  waiting:
    alias: Waiting
    sequence: [{delay: "00:00:30"}]
  broken:
    alias: Broken
    sequence: [{neither: one nor the other}]
scene:
  - {name: Behind, id: behind, entities: {input_boolean.behind: "on"}}
"""
BEHIND = frozenset(
    {"input_boolean.cellar", "input_boolean.porch", "input_boolean.odd", "input_boolean.notify", "input_boolean.behind"}
)
"""What stands behind templates, scenes and scripts: it changes when these are asked."""
TEMPLATES = frozenset({"light.cellar_lamp", "light.porch_lamp", "light.odd_lamp"})
UNFAITHFUL = {
    "lock.poorly_installed_door": "the demo's badly installed door jams",
    "light.porch_lamp": "its template always says half bright",
    "media_player.group": "the demo's group says that it plays media and raises NotImplementedError",
}
OWN_STATE = frozenset(
    {"mqtt", "input_boolean", "input_number", "input_select", "input_text", "input_datetime", "counter"}
)
"""Integrations whose entities keep what they are themselves."""
YES = 0


class ProbedProcess(HomeAssistantProcess):
    """Home Assistant with the helper that opens the door."""

    @override
    def prepare(self, configuration: str) -> None:
        """Installs the helper and names it in the configuration; a generated home's is JSON, the demo home's YAML."""
        if configuration.startswith("{"):
            super().prepare(json.dumps({**json.loads(configuration), "probe": {}}, ensure_ascii=False, indent=1))
        else:
            super().prepare(f"{configuration}\nprobe:\n")
        install_probe(self.folder)


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A home whose door lets all through; ``unfaithful`` says of entities how they do not do what is asked.

    ``late`` ones take seconds; ``by_calls`` show what others are, and are brought back by their own actions only. ``wire`` are the
    MQTT topics on which the devices are asked and answer.
    """

    owner: Client
    agent: Client
    entity_ids: tuple[str, ...]
    unfaithful: Mapping[str, str] = field(default_factory=dict)
    late: Mapping[str, float] = field(default_factory=dict)
    by_calls: frozenset[str] = frozenset()
    wire: tuple[str, str] | None = None


@contextmanager
def demo_home(process: ProbedProcess) -> Iterator[Opened]:
    """The demo home with all that the catalogue knows."""
    configuration = CONFIGURATION.format(url=process.url).replace("seconds: 20", "seconds: 0.2")
    process.prepare(configuration.replace("input_boolean:\n", "input_boolean:\n  behind: {name: Behind}\n", 1) + MORE)
    process.start()
    home = DemoHome(process, Client(process.url, onboard(process.url)))
    home.wait_until_running()
    home.owner.flow("/api/config/config_entries/flow", {"handler": "shopping_list"}, {})
    home.furnish()
    home.entry_id = home.set_up()
    with opened(home, operated(home) - BEHIND, UNFAITHFUL, by_calls=TEMPLATES) as found:
        yield found
    process.stop()


@contextmanager
def generated(process: ProbedProcess, seed: int, size: int) -> Iterator[Opened]:
    """A generated home: what is made of other entities and what stands behind these is left out."""
    made = GeneratedHome.up(process, plan(seed, size))
    try:
        left_out = {member for entity in made.plan.entities for member in entity.members}
        for entity in made.plan.entities:
            is_wrapped = entity.members and entity.domain not in {"scene", "script"}
            if is_wrapped or entity.category or entity.hidden:
                left_out.add(entity.entity_id)
        unfaithful = {
            entity.entity_id: f"its device follows {entity.follow.value}"
            for entity in made.plan.entities
            if entity.follow in {Follow.NEVER, Follow.OTHER, Follow.ASSUMED}
        }
        late = {entity.entity_id: entity.seconds for entity in made.plan.entities if entity.follow is Follow.LATE}
        by_calls = frozenset(entity.entity_id for entity in made.plan.entities if entity.platform not in OWN_STATE)
        with opened(made, operated(made) - left_out, unfaithful, late, by_calls) as found:
            yield replace(found, wire=(ASK, ANSWER))
    finally:
        made.stop()


@contextmanager
def opened(
    home: DemoHome,
    entity_ids: set[str],
    unfaithful: Mapping[str, str],
    late: Mapping[str, float] | None = None,
    by_calls: frozenset[str] = frozenset(),
) -> Iterator[Opened]:
    """Exposes the entities, says of those with a guessed state that they are harmless, and adds who always says yes."""
    expose = {"type": "homeassistant/expose_entity", "assistants": ["conversation"], "should_expose": True}
    home.owner.command({**expose, "entity_ids": sorted(entity_ids)})
    for state in home.owner.get("/api/states"):
        if state["entity_id"] in entity_ids and is_guessed(state):
            _word(home, state["entity_id"])
    agent, _ = home.add_agent("Prober")
    home.add_approver("Ada")
    with Phone(home.owner, "Yes") as phone:
        stop = threading.Event()
        saying_yes = threading.Thread(target=_say_yes, args=(phone, stop))
        saying_yes.start()
        try:
            yield Opened(
                owner=home.owner,
                agent=agent,
                entity_ids=tuple(sorted(entity_ids)),
                unfaithful=unfaithful,
                late=late or {},
                by_calls=by_calls,
            )
        finally:
            stop.set()
            saying_yes.join()


def operated(home: DemoHome) -> set[str]:
    """All entities that the catalogue has operations for."""
    own = "switch.edgehome"
    return {
        str(state["entity_id"])
        for state in home.owner.get("/api/states")
        if domain_of(state) in DOMAINS and not state["entity_id"].startswith(own)
    }


def domain_of(state: dict[str, Any]) -> str:
    """The domain of a state object."""
    return str(state["entity_id"]).partition(".")[0]


def is_guessed(state: dict[str, Any]) -> bool:
    """Whether the floor asks about what is done to it from risk 3 on: its state is guessed or not known."""
    return state["state"] in {"unknown", "unavailable"} or bool(state["attributes"].get("assumed_state"))


def _word(home: DemoHome, entity_id: str) -> None:
    """The owner says that an entity is harmless."""
    path = "/api/config/config_entries/subentries/flow"
    step = home.owner.post(path, {"handler": [home.entry_id, "entity"]})
    form = home.owner.post(f"{path}/{step['flow_id']}", {"entity": entity_id})
    vetting = {"vet": False} if any(item["name"] == "vet" for item in form["data_schema"]) else {}
    home.owner.post(f"{path}/{step['flow_id']}", {"aliases": [], "operations": [], "risk": 1, **vetting})


def _say_yes(phone: Phone, stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            message = phone.messages.get(timeout=0.5)
        except queue.Empty:
            continue
        if message.get("data", {}).get("actions"):
            phone.tap(message, YES)


def install_probe(folder: Path) -> None:
    """Installs the helper; its manifest is written here, for a repository may hold one manifest only."""
    target = folder / "custom_components" / "probe"
    target.mkdir(parents=True, exist_ok=True)
    link = target / "__init__.py"
    if not link.is_symlink():
        link.symlink_to(ROOT / "tests" / "house" / "probe" / "__init__.py")
    manifest = {"domain": "probe", "name": "Probe", "version": "1.0.0", "iot_class": "calculated"}
    more = {
        "codeowners": [],
        "documentation": "https://example.com",
        "requirements": [],
        "after_dependencies": ["demo"],
    }
    (target / "manifest.json").write_text(json.dumps({**manifest, **more}))
