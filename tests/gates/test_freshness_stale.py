"""Freshness: what it means that a state may be out of date, by how it comes in and by risk (R7)."""

from typing import Any

import pytest

from custom_components.edgehome.chain import Ask, Need, Pass, Ready, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import WHATEVER, Deed, DeviceState, Liveness, Makeup, Source
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.gates.freshness import Freshness
from custom_components.edgehome.judge import judge
from custom_components.edgehome.policy.presets import BALANCED
from custom_components.edgehome.policy.rule import PolicyRule, Verdict
from custom_components.edgehome.policy.table import PolicyTable
from tests.made_house import MadeHouse, asked, proposing, request

DAY = 86_400.0
FETCHABLE = {"can_fetch": True}


@pytest.mark.parametrize(
    ("liveness", "is_stale"),
    [
        pytest.param(Liveness(age=3 * DAY), False, id="pushed and still for three days"),
        pytest.param(Liveness(restored=True), True, id="restored"),
        pytest.param(
            Liveness(source=Source.COORDINATOR, failing=True), True, id="its coordinator fails, still available"
        ),
        pytest.param(
            Liveness(source=Source.COORDINATOR, age=3 * DAY), False, id="its coordinator reports changes only"
        ),
        pytest.param(Liveness(source=Source.POLL, interval=30, age=31), False, id="polled in time"),
        pytest.param(Liveness(source=Source.POLL, interval=30, age=119), False, id="two polls missed"),
        pytest.param(Liveness(source=Source.POLL, interval=30, age=300), True, id="ten polls late"),
        pytest.param(Liveness(source=Source.POLL, interval=0, age=29), False, id="polling switched off, just asked"),
        pytest.param(Liveness(source=Source.POLL, interval=0, age=31), True, id="polling switched off"),
        pytest.param(Liveness(source=Source.POLL, interval=30, age=300, fetched=True), False, id="late, then fetched"),
        pytest.param(Liveness(source=Source.POLL, interval=30, age=1, fetched=False), True, id="asked in vain"),
        pytest.param(
            Liveness(source=Source.COORDINATOR, failing=True, fetched=True), True, id="fetched, and failing again"
        ),
    ],
)
def test_stale(liveness: Liveness, is_stale: bool) -> None:
    """Age alone says nothing where a device reports by itself; a fetch counts only if it brought something."""
    assert liveness.is_stale is is_stale


def house(**liveness: object) -> MadeHouse:
    """One of each risk, all with the same liveness."""
    made = (
        MadeHouse(table=BALANCED, people=("anna",))
        .add("light.lamp", "Lamp", "on", brightness=128, supported_color_modes=["brightness"])
        .add("switch.plug", "Plug", "on")
        .add("cover.gate", "Gate", "open", device_class="gate", supported_features=3)
        .add("lock.door", "Door", "unlocked", supported_features=0)
        .add("lock.shut", "Shut", "locked", supported_features=0)
    )
    made.alive = {entity_id: Liveness(failing=True, **liveness) for entity_id in made.devices}  # type: ignore[arg-type]  # plain keywords
    return made


def verdict(made: MadeHouse, intent: str, name: str, **params: object) -> str:
    """What becomes of a request in one word."""
    judged = judge(request(proposing(intent, device_alias=name, params=params)), Facts(made))
    match judged.step:
        case Need():
            return "fetch"
        case Ask():
            return "ask"
        case Ready():
            return "do"
        case Refuse(code=code):
            return code.value
    return type(judged.step).__name__


IN_VAIN = {"can_fetch": True, "fetched": False}
NO_WAY: dict[str, object] = {}
STALE = Code.STATE_STALE.value


@pytest.mark.parametrize(
    ("intent", "name", "params", "fetchable", "otherwise"),
    [
        pytest.param("turn_off", "Lamp", {}, "do", "do", id="1: off"),
        pytest.param("turn_on", "Lamp", {}, "do", "do", id="1: on, never already so"),
        pytest.param("set_brightness", "Lamp", {"brightness": 50}, "do", "do", id="1: as bright, never already so"),
        pytest.param("toggle", "Lamp", {}, "fetch", "do", id="1: toggle"),
        pytest.param("set_brightness", "Lamp", {"brightness_step": 10}, "fetch", "do", id="1: brighter"),
        pytest.param("turn_off", "Plug", {}, "fetch", "do", id="2: off"),
        pytest.param("toggle", "Plug", {}, "fetch", STALE, id="2: toggle"),
        pytest.param("close", "Gate", {}, "fetch", "ask", id="3: close a gate"),
        pytest.param("open", "Gate", {}, "fetch", STALE, id="4: open a gate"),
        pytest.param("lock", "Door", {}, "fetch", "ask", id="4: lock, which secures, allowed otherwise"),
        pytest.param("unlock", "Shut", {}, "fetch", STALE, id="4: unlock"),
        pytest.param("status", "Shut", {}, "Read", "Read", id="0: reading"),
    ],
)
def test_by_risk(intent: str, name: str, params: dict[str, object], fetchable: str, otherwise: str) -> None:
    """What can be fetched is fetched where it matters; what stays out of date counts by its risk."""
    assert verdict(house(**FETCHABLE), intent, name, **params) == fetchable
    assert verdict(house(**IN_VAIN), intent, name, **params) == otherwise
    assert verdict(house(**NO_WAY), intent, name, **params) == otherwise


@pytest.mark.parametrize("name", ["Lamp", "Plug"])
def test_marked(name: str) -> None:
    """What is done on a state that may be out of date is marked, and never "already so"."""
    step, _ = asked(Freshness, house(), proposing("turn_on", device_alias=name))
    assert isinstance(step, Pass)
    assert [(action.stale, action.uncertain, action.already_so) for action in step.context.actions] == [
        (True, True, False)
    ]


def test_nobody_behind() -> None:
    """A state that somebody wrote by hand is no device: Home Assistant would call nothing and report success."""
    made = house()
    made.alive["lock.door"] = Liveness(source=Source.NOBODY)
    assert verdict(made, "lock", "Door") == "ENTITY_MISSING"
    assert verdict(made, "status", "Door") == "Read"


GROUPED = Makeup(kind="group", members=("lock.a", "lock.b"))


def group(**liveness: Liveness) -> MadeHouse:
    """A group of two locks."""
    made = (
        MadeHouse(table=BALANCED, people=("anna",))
        .add("lock.a", "A", "unlocked", supported_features=0)
        .add("lock.b", "B", "unlocked", supported_features=0)
        .add("lock.both", "Both", "unlocked", supported_features=0, makeup=GROUPED)
    )
    made.alive = {f"lock.{name}": alive for name, alive in liveness.items()}
    return made


@pytest.mark.parametrize(
    ("liveness", "expected"),
    [
        pytest.param({}, "do", id="all current"),
        pytest.param({"a": Liveness(failing=True)}, "ask", id="one member out of date"),
        pytest.param({"a": Liveness(failing=True, can_fetch=True)}, "fetch", id="one member that can be asked"),
        pytest.param({"both": Liveness(failing=True)}, "ask", id="the group itself"),
    ],
)
def test_group(liveness: dict[str, Liveness], expected: str) -> None:
    """A group is as current as its members."""
    assert verdict(group(**liveness), "lock", "Both") == expected


def test_a_member_away() -> None:
    """A member that cannot be reached at all says nothing about the others."""
    made = group(a=Liveness(failing=True))
    made.states["lock.a"] = DeviceState(state="unavailable")
    assert verdict(made, "lock", "Both") == "do"


def test_all_away() -> None:
    """A group of which nothing can be reached shows that itself."""
    made = group()
    made.states["lock.both"] = DeviceState(state="unavailable")
    assert verdict(made, "lock", "Both") == "ENTITY_UNAVAILABLE"


def test_wrapper() -> None:
    """A lock that wraps a switch is as current as the switch."""
    source = {WHATEVER: (Deed(entity_id="switch.relay", verbs=("turn_on", "turn_off")),)}
    made = (
        MadeHouse(table=BALANCED, people=("anna",))
        .add("switch.relay", "Relay", "on")
        .add("lock.wrap", "Wrap", "unlocked", supported_features=0, makeup=Makeup(kind="switch_as_x", deeds=source))
    )
    assert verdict(made, "lock", "Wrap") == "do"
    made.alive["switch.relay"] = Liveness(failing=True)
    assert verdict(made, "lock", "Wrap") == "ask"


def test_of_a_set_only_what_is_needed_is_fetched() -> None:
    """In a room the current are left alone."""
    made = (
        MadeHouse(people=("anna",))
        .add("switch.a", "A", "on", room="Hall")
        .add("switch.b", "B", "on", room="Hall")
        .add("switch.c", "C", "unavailable", room="Hall")
    )
    made.alive = {one: Liveness(failing=True, can_fetch=True) for one in ("switch.b", "switch.c")}
    step, result = asked(Freshness, made, proposing("turn_off", room="Hall", device_type="switch"))
    assert step == Need(("switch.b",))
    assert result.evidence == {"fetch": ["switch.b"]}


ALL = PolicyTable(name="all", rules=(PolicyRule(id="all", verdict=Verdict.ALLOW),))


def behind(entity_id: str, verb: str, table: PolicyTable, **liveness: Any) -> MadeHouse:
    """A script, a scene and a group of a group that do something to a device."""
    made = (
        MadeHouse(table=table, people=("anna",))
        .add("lock.door", "Door", "locked", supported_features=0)
        .add("cover.gate", "Gate", "closed", device_class="gate", supported_features=3)
        .add("cover.window", "Window", "closed", device_class="window", supported_features=3)
    )
    deed = (Deed(entity_id=entity_id, verbs=(verb,)),)
    made.add("script.it", "Script", makeup=Makeup(kind="script", deeds={"run": deed}))
    made.add("scene.it", "Scene", "unknown", makeup=Makeup(kind="scene", deeds={"activate": deed}))
    made.alive[entity_id] = Liveness(**liveness)
    return made


@pytest.mark.parametrize(("intent", "name"), [("run", "Script"), ("activate", "Scene")])
@pytest.mark.parametrize(
    ("entity_id", "verb", "table", "liveness", "expected"),
    [
        pytest.param("lock.door", "unlock", ALL, {}, "do", id="current"),
        pytest.param("lock.door", "unlock", ALL, {"failing": True}, STALE, id="a lock out of date"),
        pytest.param("lock.door", "unlock", ALL, {"failing": True, "can_fetch": True}, "fetch", id="that can be asked"),
        pytest.param("cover.gate", "open", BALANCED, {"failing": True}, STALE, id="a gate out of date"),
        pytest.param("lock.door", "lock", ALL, {"failing": True}, "ask", id="locking"),
        pytest.param("cover.window", "open", ALL, {"failing": True}, "ask", id="a window out of date"),
    ],
)
def test_what_is_reached(
    intent: str, name: str, entity_id: str, verb: str, table: PolicyTable, liveness: dict[str, Any], expected: str
) -> None:
    """Through a script or a scene a state that may be out of date counts as by itself."""
    assert verdict(behind(entity_id, verb, table, **liveness), intent, name) == expected


def test_what_is_reached_and_guessed() -> None:
    """A window whose state is only assumed is asked about, through a script as by itself."""
    made = behind("cover.window", "open", ALL)
    made.states["cover.window"] = DeviceState(
        state="closed", attributes={"assumed_state": True, "supported_features": 3}
    )
    assert (verdict(made, "open", "Window"), verdict(made, "run", "Script")) == ("ask", "ask")


def test_a_group_of_groups() -> None:
    """A gate within an inner group is as old as it is."""
    made = behind("cover.gate", "open", ALL, failing=True)
    made.add(
        "cover.inner",
        "Inner",
        "closed",
        device_class="gate",
        supported_features=3,
        makeup=Makeup(kind="group", members=("cover.gate",)),
    )
    made.add(
        "cover.outer",
        "Outer",
        "closed",
        device_class="gate",
        supported_features=3,
        makeup=Makeup(kind="group", members=("cover.inner",)),
    )
    assert (verdict(made, "open", "Inner"), verdict(made, "open", "Outer")) == (STALE, STALE)
