"""The demo: an agent's requests to a real Home Assistant, and what became of the devices."""

import argparse
import signal
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.house.client import Client
from tests.house.demo_home import OWNER, DemoHome
from tests.house.phone import Phone
from tests.house.process import DEFAULT_VERSION, ROOT, HomeAssistantProcess

FOLDER = ROOT / ".home"
type Seen = dict[str, str]
"""Devices in words, by entity id: read with the owner's token, not taken from EdgeHome's answer."""


@dataclass(frozen=True)
class Scene:
    """One request: what is sent, what is watched, what must come of it. ``after`` None means: as before.

    Without a candidate the last deed is taken back.
    """

    title: str
    candidate: Mapping[str, object]
    outcome: str
    code: str
    watch: tuple[str, ...] = ()
    after: tuple[str, ...] | None = None
    envelope: Mapping[str, object] = field(default_factory=dict)
    before: Callable[[DemoHome], object] | None = None


def _lights_on_again(home: DemoHome) -> object:
    return home.owner.call("light.turn_on", {"entity_id": "light.kitchen_lights"})


def _garage_open(home: DemoHome) -> object:
    return home.owner.call("cover.open_cover", {"entity_id": "cover.garage_door"})


def _named(intent: str, name: str, **params: object) -> dict[str, object]:
    return {"intent": intent, "device_alias": name, **({"params": params} if params else {})}


def _room(intent: str, room: str, device_type: str) -> dict[str, object]:
    return {"intent": intent, "room": room, "device_type": device_type}


SCENES = (
    Scene(
        "bed light at 80 %",
        _named("set_brightness", "Bed Light", brightness=80),
        "executed",
        "DONE",
        ("light.bed_light",),
        ("on 80 %",),
    ),
    Scene("no, take that back", {}, "executed", "DONE", ("light.bed_light",), ("off",)),
    Scene(
        "the living room's lights off",
        _room("turn_off", "Living Room", "light"),
        "executed",
        "DONE",
        ("light.ceiling_lights", "light.living_room_rgbww_lights"),
        ("off", "off"),
    ),
    Scene(
        "heat pump to 22 °C",
        _named("set_temperature", "HeatPump", temperature=22),
        "executed",
        "DONE",
        ("climate.heatpump",),
        ("heat 22 °C",),
    ),
    Scene(
        "a room that is not there",
        _room("turn_on", "Bathroom", "light"),
        "blocked",
        "AREA_NOT_FOUND",
        ("light.ceiling_lights",),
    ),
    Scene(
        "a name of two lamps", _named("turn_on", "Lamp"), "blocked", "AMBIGUOUS_TARGET", ("light.office_rgbw_lights",)
    ),
    Scene("an entity that is not there", _named("turn_on", "light.typo"), "blocked", "ENTITY_NOT_FOUND"),
    Scene(
        "dim a lamp that cannot",
        _named("set_brightness", "Cellar Lamp", brightness=40),
        "blocked",
        "UNSUPPORTED_FIELD",
        ("light.cellar_lamp",),
    ),
    Scene(
        "45 °C", _named("set_temperature", "HeatPump", temperature=45), "blocked", "OUT_OF_RANGE", ("climate.heatpump",)
    ),
    Scene(
        "a lamp that is unplugged",
        _named("turn_on", "Attic Lamp"),
        "blocked",
        "ENTITY_UNAVAILABLE",
        ("light.attic_lamp",),
    ),
    Scene(
        "on, though it is on", _named("turn_on", "Kitchen Lights"), "no_change", "ALREADY_SO", ("light.kitchen_lights",)
    ),
    Scene(
        "dry run: off",
        _named("turn_off", "Kitchen Lights"),
        "dry_run",
        "PREVIEW",
        ("light.kitchen_lights",),
        envelope={"dry_run": True},
    ),
    Scene("is the door locked?", _named("status", "Front Door"), "read", "STATUS", ("lock.front_door",)),
    Scene("unlock it", _named("unlock", "Front Door"), "blocked", "POLICY_DENIED", ("lock.front_door",)),
    Scene("open the garage", _named("open", "Garage Door"), "blocked", "NO_APPROVER", ("cover.garage_door",)),
    Scene(
        "off, with a request id",
        _named("turn_off", "Kitchen Lights"),
        "executed",
        "DONE",
        ("light.kitchen_lights",),
        ("off",),
        envelope={"request_id": "evening-1"},
    ),
    Scene(
        "the same id: the first answer again",
        _named("turn_off", "Kitchen Lights"),
        "executed",
        "DONE",
        ("light.kitchen_lights",),
        envelope={"request_id": "evening-1"},
        before=_lights_on_again,
    ),
)
"""Every kind of end that a request can have in this release."""


def seen(owner: Client, entity_ids: tuple[str, ...]) -> Seen:
    """The devices now."""
    return {entity_id: _in_words(owner.state(entity_id)) for entity_id in entity_ids}


def _in_words(state: dict[str, Any] | None) -> str:
    if state is None:
        return "missing"
    words, attributes = str(state["state"]), state["attributes"]
    if attributes.get("brightness") is not None:
        words += f" {round(attributes['brightness'] / 2.55)} %"
    if attributes.get("temperature") is not None:
        words += f" {attributes['temperature']:g} °C"
    return words


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    title: str
    gate: str
    outcome: str
    code: str
    devices: str
    milliseconds: float
    said: str
    as_expected: bool


def play(scene: Scene, home: DemoHome, agent: Client) -> Row:
    """Sends one request and looks at the devices before and after."""
    if scene.before:
        scene.before(home)
    before = seen(home.owner, scene.watch)
    start = time.perf_counter()
    proposal = dict(scene.candidate)
    answer = agent.execute(proposal, **scene.envelope) if proposal else agent.edgehome("undo")
    took = (time.perf_counter() - start) * 1000
    after = seen(home.owner, scene.watch)
    wanted = dict(zip(scene.watch, scene.after, strict=True)) if scene.after else before
    as_expected = (answer["outcome"], answer["code"], after) == (scene.outcome, scene.code, wanted)
    said = " ".join(part for part in (answer["message"], answer["hint"]) if part)
    gate = answer["gate"] or "-"
    return Row(scene.title, gate, answer["outcome"], answer["code"], _changes(before, after), took, said, as_expected)


HEAT = _named("set_temperature", "HeatPump", temperature=30)
COVER = ("cover.garage_door",)
GARAGE, CLOSE = _named("open", "Garage Door"), _named("close", "Garage Door")


@dataclass(frozen=True)
class Question:
    """One request that a human is asked about: what the people do meanwhile, and what must come of it."""

    title: str
    candidate: Mapping[str, object]
    people: Callable[[DemoHome, Client, Phone, Phone], object]
    outcome: str
    code: str
    watch: tuple[str, ...]
    after: tuple[str, ...] | None = None


def _approve(_home: DemoHome, _agent: Client, ada: Phone, ben: Phone) -> None:
    asked, also_asked = ada.question(), ben.question()
    ada.tap(asked, 0)
    if ben.cleared() != also_asked["data"]["tag"]:
        raise RuntimeError("the second phone was not cleared")


def _reject(_home: DemoHome, _agent: Client, ada: Phone, _ben: Phone) -> None:
    ada.tap(ada.question(), 1)


def _for_a_while(_home: DemoHome, _agent: Client, ada: Phone, _ben: Phone) -> None:
    ada.tap(ada.question(), 2)


def _silence(_home: DemoHome, _agent: Client, ada: Phone, _ben: Phone) -> None:
    ada.question()


def _turn_it_off(home: DemoHome, _agent: Client, ada: Phone, _ben: Phone) -> None:
    asked = ada.question()
    home.owner.call("climate.set_hvac_mode", {"entity_id": "climate.hvac", "hvac_mode": "off"})
    ada.tap(asked, 0)


def _approve_itself(_home: DemoHome, agent: Client, ada: Phone, _ben: Phone) -> None:
    asked = ada.question()
    with Phone(agent, "Agent's own phone") as own:
        own.tap(asked, 0)
    ada.tap(asked, 1)


QUESTIONS: tuple[Question | Scene, ...] = (
    Question("garage: Ada approves, Ben's phone clears", GARAGE, _approve, "confirmed", "DONE", COVER, ("open",)),
    Question("close it: Ada says yes for 10 minutes", CLOSE, _for_a_while, "confirmed", "DONE", COVER, ("closed",)),
    Scene("close it again, unasked (owner: open)", CLOSE, "confirmed", "DONE", COVER, ("closed",), before=_garage_open),
    Question("open it: the agent taps for itself", GARAGE, _approve_itself, "cancelled", "REJECTED", COVER),
    Question("30 °C: Ada rejects", HEAT, _reject, "cancelled", "REJECTED", ("climate.heatpump",)),
    Question(
        "30 °C: somebody turns it off meanwhile",
        _named("set_temperature", "Hvac", temperature=30),
        _turn_it_off,
        "cancelled",
        "SUPERSEDED",
        ("climate.hvac",),
        ("off 21 °C",),
    ),
    Question(
        "odd lamp: nobody answers",
        _named("turn_on", "Odd Lamp"),
        _silence,
        "cancelled",
        "EXPIRED",
        ("light.odd_lamp",),
    ),
)
"""Every way that a question to a human can end, and what need not be asked again."""


def ask(question: Question, home: DemoHome, agent: Client, phones: tuple[Phone, Phone]) -> Row:
    """Sends a request, lets the people act, and looks at the devices before and after."""
    for phone in phones:
        phone.forget()
    before = seen(home.owner, question.watch)
    start = time.perf_counter()
    answer = agent.execute(dict(question.candidate), reason="The demo wants it.")
    took = (time.perf_counter() - start) * 1000
    first = str(answer["outcome"])
    if first == "pending":
        question.people(home, agent, *phones)
        answer = agent.edgehome("get_trace", trace_id=answer["trace_id"], wait=30)
    after = seen(home.owner, question.watch)
    wanted = dict(zip(question.watch, question.after, strict=True)) if question.after else before
    ended = (first, answer["outcome"], answer["code"], after)
    return Row(
        question.title,
        "pending →",
        answer["outcome"],
        answer["code"],
        _changes(before, after),
        took,
        " ".join(part for part in (answer["message"], answer["hint"]) if part),
        ended == ("pending", question.outcome, question.code, wanted),
    )


def knock_directly(home: DemoHome, agent: Client) -> Row:
    """The agent's token used past EdgeHome: Home Assistant itself refuses."""
    watch = ("lock.front_door",)
    before = seen(home.owner, watch)
    start = time.perf_counter()
    response = agent.call("lock.unlock", {"entity_id": "lock.front_door"})
    took = (time.perf_counter() - start) * 1000
    after = seen(home.owner, watch)
    as_expected = response.status_code == 401 and after == before
    said = f"HTTP {response.status_code}: the agent's user may control nothing by itself."
    return Row(
        "past EdgeHome: lock.unlock", "(none)", "refused", "by HA", _changes(before, after), took, said, as_expected
    )


def _changes(before: Seen, after: Seen) -> str:
    return "; ".join(f"{_short(entity_id)}: {before[entity_id]} → {after[entity_id]}" for entity_id in before)


def _short(entity_id: str) -> str:
    return entity_id.partition(".")[2]


def table(rows: list[Row]) -> str:
    """The rows as a table for a terminal, with EdgeHome's own words under each."""
    head = f"   {'request':<41} {'gate':<15} {'outcome':<10} {'code':<19} {'ms':>6}  devices (before → after)"
    lines = [head, "-" * 136]
    for row in rows:
        mark = "ok" if row.as_expected else "!!"
        lines.append(
            f"{mark} {row.title:<41} {row.gate:<15} {row.outcome:<10} {row.code:<19} {row.milliseconds:>6.1f}  {row.devices}"
        )
        lines.extend(textwrap.wrap(row.said, 125, initial_indent="     ", subsequent_indent="     "))
    return "\n".join(lines)


def main() -> int:
    """Plays the demo; 0 if everything was as expected."""
    parser = argparse.ArgumentParser(prog="scripts/demo", description=__doc__)
    parser.add_argument("--once", action="store_true", help="end after the table, with 0 only if all was as expected")
    parser.add_argument("--ha", default=DEFAULT_VERSION, metavar="RELEASE", help="the Home Assistant release")
    options = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with (
        tempfile.TemporaryDirectory(prefix="demo-", dir=FOLDER) as folder,
        HomeAssistantProcess(Path(folder), options.ha) as process,
    ):
        print(f"demo: starting Home Assistant {options.ha} on {process.url}", flush=True)
        home = DemoHome.start(process)
        print("demo: EdgeHome is set up (preset strict), registering the agent Hermes", flush=True)
        agent, shown = home.add_agent("Hermes")
        rows = [play(scene, home, agent) for scene in SCENES]
        rows.append(knock_directly(home, agent))
        print("demo: Ada and Ben become approvers and switch their phones on", flush=True)
        ben = home.add_person("Ben")
        home.add_approver("Ada", order=1)
        home.add_approver("Ben", order=2)
        home.set_options(seconds=10, escalate_after=0)
        with Phone(home.owner, "Ada's phone") as first, Phone(ben, "Ben's phone") as second:
            for item in QUESTIONS:
                if isinstance(item, Question):
                    rows.append(ask(item, home, agent, (first, second)))
                else:
                    rows.append(play(item, home, agent))
        complaints = process.complaints()
        print(f"\n{table(rows)}\n")
        for line in complaints:
            print(f"!! EdgeHome complained: {line}")
        right = sum(row.as_expected for row in rows)
        print(
            f"demo: {right} of {len(rows)} as expected, {len(complaints)} complaints of EdgeHome in Home Assistant's log"
        )
        if not options.once:
            print(f"\nLook for yourself: {process.url}   user {OWNER['username']}, password {OWNER['password']}")
            print("Settings > Devices & services > EdgeHome shows the agent. As the agent, from a shell:\n")
            print(f"  {shown['curl']}\n\nCtrl-C ends the demo.", flush=True)
            try:
                signal.pause()
            except KeyboardInterrupt:
                print()
        return 0 if right == len(rows) and not complaints else 1


if __name__ == "__main__":
    sys.exit(main())
