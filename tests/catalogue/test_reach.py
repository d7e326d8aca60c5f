"""What an action reaches: tables over small homes, and properties over any graph."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.catalogue.action import action_for
from custom_components.edgehome.catalogue.reach import DEEPEST, MOST, Reach, reach_of, with_reach
from custom_components.edgehome.catalogue.risk import base_risk
from custom_components.edgehome.devices import Deed, DeviceRecord, Makeup, OwnersWord
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.models import CustomVerb, Intent, Verb
from custom_components.edgehome.plan import Effect, GatedCommand
from custom_components.edgehome.policy.decision import decide
from custom_components.edgehome.policy.presets import BALANCED, STRICT
from custom_components.edgehome.policy.rule import Verdict, severity
from tests.made_house import UNREAD, MadeHouse


def doing(verb: str, *deeds: tuple[str, str] | str) -> Makeup:
    """What is done beside a verb; a text is something that cannot be read."""
    return Makeup(
        kind="script",
        deeds={
            verb: tuple(
                Deed(why=deed) if isinstance(deed, str) else Deed(entity_id=deed[0], verbs=(deed[1],)) for deed in deeds
            )
        },
    )


def house() -> MadeHouse:
    """A lock, a garage door, lamps, and what reaches them."""
    return (
        MadeHouse()
        .add("lock.door", "Door", "locked", room="Hall", supported_features=1)
        .add("cover.garage", "Garage", "closed", room="Garage", device_class="garage")
        .add("light.lamp", "Lamp", room="Hall")
        .add("light.group", "Group", makeup=Makeup(kind="group", members=("light.lamp", "light.trap")))
        .add("light.trap", "Trap", makeup=replace(doing("turn_on", ("lock.door", "unlock")), kind="template"))
        .add("light.odd", "Odd", makeup=UNREAD)
        .add("light.around_odd", "Around", makeup=Makeup(kind="group", members=("light.odd",)))
        .add("switch.relay", "Relay", makeup=doing("*", ("cover.garage", "open"), ("cover.garage", "close")))
        .add("script.lamps", "Lamps", makeup=doing("run", ("light.lamp", "turn_on")))
        .add("script.night", "Night", makeup=doing("run", ("script.lamps", "run"), ("lock.door", "lock")))
        .add("script.odd", "Odd script", makeup=doing("run", "an event"))
        .add("script.loop", "Loop", makeup=doing("run", ("script.loop", "run"), ("script.back", "run")))
        .add("script.back", "Back", makeup=doing("run", ("script.loop", "run"), ("light.lamp", "turn_on")))
        .add("script.gone", "Gone", makeup=doing("run", ("light.gone", "turn_on")))
        .add("scene.out", "Out", "unknown", makeup=doing("activate", ("light.lamp", "turn_off")))
    )


def reached(entity_id: str, *verbs: str, made: MadeHouse | None = None) -> Reach:
    """What doing something reaches."""
    return reach_of(entity_id, verbs, Facts(made or house()))


@pytest.mark.parametrize(
    ("entity_id", "verb", "expected", "unread"),
    [
        pytest.param("light.lamp", "turn_on", set(), (), id="a device of its own"),
        pytest.param(
            "light.group",
            "turn_on",
            {("light.lamp", "turn_on"), ("light.trap", "turn_on"), ("lock.door", "unlock")},
            (),
            id="members, and what these do",
        ),
        pytest.param(
            "light.group", "turn_off", {("light.lamp", "turn_off"), ("light.trap", "turn_off")}, (), id="by the verb"
        ),
        pytest.param("light.trap", "turn_off", set(), (), id="what is done at another verb"),
        pytest.param(
            "switch.relay", "turn_off", {("cover.garage", "open"), ("cover.garage", "close")}, (), id="whatever is done"
        ),
        pytest.param(
            "script.night",
            "run",
            {("script.lamps", "run"), ("light.lamp", "turn_on"), ("lock.door", "lock")},
            (),
            id="a script in a script",
        ),
        pytest.param("script.odd", "run", set(), ("an event",), id="unread"),
        pytest.param(
            "light.around_odd", "turn_on", {("light.odd", "turn_on")}, ("a template that cannot be read",), id="inside"
        ),
        pytest.param("script.loop", "run", {("script.back", "run"), ("light.lamp", "turn_on")}, (), id="a circle"),
        pytest.param("script.gone", "run", set(), (), id="what is not there"),
        pytest.param("scene.out", "activate", {("light.lamp", "turn_off")}, (), id="a scene"),
    ],
)
def test_reach_of(entity_id: str, verb: str, expected: set[tuple[str, str]], unread: tuple[str, ...]) -> None:
    """Everything that is done elsewhere, whatever lies between."""
    found = reached(entity_id, verb)
    assert {(item.entity_id, *item.verbs) for item in found.actions} == expected
    assert found.unread == unread


@pytest.mark.parametrize(
    ("depth", "is_read"), [pytest.param(DEEPEST, True, id="deepest"), pytest.param(DEEPEST + 1, False, id="deeper")]
)
def test_depth(depth: int, is_read: bool) -> None:
    """What lies deeper than EdgeHome follows counts as something that cannot be read."""
    made = MadeHouse().add("lock.door", "Door")
    for number in range(depth):
        after = (f"script.s{number + 1}", "run") if number < depth - 1 else ("lock.door", "unlock")
        made.add(f"script.s{number}", f"S{number}", makeup=doing("run", after))
    found = reached("script.s0", "run", made=made)
    assert bool(found.unread) is not is_read
    assert ("lock.door" in {item.entity_id for item in found.actions}) is is_read


def test_number() -> None:
    """More than EdgeHome follows counts as something that cannot be read."""
    made = MadeHouse()
    members = tuple(f"light.l{number}" for number in range(MOST + 20))
    for member in members:
        made.add(member, member)
    made.add("light.all", "All", makeup=Makeup(kind="group", members=members))
    found = reached("light.all", "turn_on", made=made)
    assert found.unread
    assert len(found.actions) <= MOST + 1


def acted(entity_id: str, verb: Verb, made: MadeHouse | None = None) -> GatedCommand:
    """The action with everything that it does elsewhere."""
    made = made or house()
    record = made.devices[entity_id]
    return with_reach(action_for(record, verb, {}, made.states[entity_id]), record, Facts(made))


@pytest.mark.parametrize(
    ("entity_id", "verb", "risk", "own", "opaque", "strict", "balanced"),
    [
        pytest.param("light.lamp", Intent.TURN_ON, 1, 1, False, "allow", "allow", id="plain"),
        pytest.param("light.group", Intent.TURN_ON, 4, 1, False, "deny", "confirm", id="a group with a trap"),
        pytest.param("light.group", Intent.TOGGLE, 4, 1, False, "deny", "confirm", id="toggled"),
        pytest.param("light.group", Intent.TURN_OFF, 1, 1, False, "allow", "allow", id="a group with a trap, off"),
        pytest.param("light.odd", Intent.TURN_ON, 1, 1, True, "confirm", "confirm", id="a template"),
        pytest.param("light.around_odd", Intent.TURN_ON, 1, 1, True, "confirm", "confirm", id="around a template"),
        pytest.param("switch.relay", Intent.TURN_ON, 4, 2, False, "confirm", "confirm", id="a relay"),
        pytest.param("script.lamps", Intent.RUN, 1, 1, False, "allow", "allow", id="a script of lamps"),
        pytest.param("script.night", Intent.RUN, 4, 1, False, "deny", "confirm", id="a script that locks"),
        pytest.param(
            "script.night", Intent.TURN_ON, 4, 1, False, "deny", "confirm", id="a script that locks, by its other name"
        ),
        pytest.param("script.odd", Intent.RUN, 3, 1, True, "confirm", "confirm", id="an opaque script is serious"),
        pytest.param("script.odd", Intent.TURN_ON, 3, 1, True, "confirm", "confirm", id="opaque, by its other name"),
        pytest.param("scene.out", Intent.ACTIVATE, 1, 1, False, "allow", "allow", id="a scene of lamps"),
        pytest.param("script.odd", Intent.STATUS, 0, 0, False, "allow", "allow", id="reading"),
    ],
)
def test_with_reach(
    entity_id: str, verb: Intent, risk: int, own: int, opaque: bool, strict: str, balanced: str
) -> None:
    """An action has the risk of its riskiest part, and the strictest verdict over all that it reaches."""
    action = acted(entity_id, verb)
    assert (action.risk, action.own_risk, action.opaque) == (risk, own, opaque)
    assert (decide(STRICT, action.question).verdict.value, decide(BALANCED, action.question).verdict.value) == (
        strict,
        balanced,
    )


def test_the_reason_is_told() -> None:
    """Who looks at the risk reads what it comes from."""
    assert acted("light.group", Intent.TURN_ON).risk_reasons[-1] == "it reaches lock.door (unlock): 4"
    assert acted("script.odd", Intent.RUN).risk_reasons[-1] == "cannot be read: an event"


@pytest.mark.parametrize(
    ("word", "vetted", "risk", "opaque"),
    [
        pytest.param(None, True, 1, False, id="vetted"),
        pytest.param(OwnersWord(), False, 3, True, id="words that say nothing of risk"),
        pytest.param(OwnersWord(risk=2), False, 2, True, id="the owner's risk stands, it is asked about all the same"),
        pytest.param(OwnersWord(risk=5), True, 5, False, id="vetted and risky"),
    ],
)
def test_the_owners_word_for_an_opaque_script(word: OwnersWord | None, vetted: bool, risk: int, opaque: bool) -> None:
    """What the owner says of a script that cannot be read."""
    made = house()
    made.devices["script.odd"] = _with(made, "script.odd", owner=word, vetted=vetted)
    action = acted("script.odd", Intent.RUN, made)
    assert (action.risk, action.opaque) == (risk, opaque)


def test_the_owners_risk_of_what_is_reached() -> None:
    """What the owner says about a lock holds for every way to it; its strictness by name stays."""
    made = house()
    made.devices["lock.door"] = _with(made, "lock.door", owner=OwnersWord(risk=2))
    action = acted("light.trap", Intent.TURN_ON, made)
    assert (action.risk, [item.risk for item in action.reaches]) == (2, [2])


def test_pulling_the_latch_elsewhere_is_unlocking() -> None:
    """``open`` on a lock is judged as ``unlock`` too, also where it is only reached (R5)."""
    made = house().add("script.latch", "Latch", makeup=doing("run", ("lock.door", "open")))
    plain = decide(STRICT, acted("lock.door", Intent.OPEN, made).question).verdict
    assert severity(decide(STRICT, acted("script.latch", Intent.RUN, made).question).verdict) >= severity(plain)


def _with(made: MadeHouse, entity_id: str, **changes: Any) -> DeviceRecord:
    return replace(made.devices[entity_id], **changes)


KINDS = ("light", "switch", "lock", "cover", "script", "alarm_control_panel", "sensor")
VERBS = ("turn_on", "turn_off", "unlock", "open", "run", "disarm", "cosy")
NODES = st.integers(0, 14)
GRAPHS = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        st.lists(NODES, max_size=4),
        st.lists(st.tuples(st.sampled_from((*VERBS, "*")), NODES, st.sampled_from(VERBS)), max_size=4),
        st.booleans(),
    ),
    min_size=1,
    max_size=15,
)
type Graph = list[tuple[str, list[int], list[tuple[str, int, str]], bool]]


def built(graph: Graph) -> tuple[MadeHouse, list[str]]:
    """A home whose things reach each other in any way."""
    made, ids = MadeHouse(), [f"{kind}.n{number}" for number, (kind, *_) in enumerate(graph)]
    for entity_id, (_, members, deeds, unread) in zip(ids, graph, strict=True):
        kept: dict[str, tuple[Deed, ...]] = {"turn_on": (Deed(why="odd"),)} if unread else {}
        for verb, other, done in deeds:
            kept[verb] = (*kept.get(verb, ()), Deed(entity_id=ids[other % len(ids)], verbs=(done,)))
        names = tuple(ids[item % len(ids)] for item in members)
        made.add(entity_id, entity_id, makeup=Makeup(kind="made", members=names, deeds=kept))
    return made, ids


def started(entity_id: str, verb: str) -> tuple[str, str]:
    """A script that is switched on is run."""
    return entity_id, "run" if entity_id.startswith("script.") and verb == "turn_on" else verb


def everything(made: MadeHouse, start: str, verb: str) -> tuple[set[tuple[str, str]], int, bool]:
    """All pairs that can be reached, how far the furthest is, and whether something of it cannot be read."""
    first = started(start, verb)
    found, level, depth, unread = {first}, {first}, 0, False
    while level:
        after: set[tuple[str, str]] = set()
        for here, done in level:
            makeup = made.makeup(here)
            after |= {started(member, done) for member in makeup.members}
            deeds = [deed for key in (done, "*") for deed in makeup.deeds.get(key, ())]
            unread = unread or any(deed.entity_id is None for deed in deeds)
            after |= {started(deed.entity_id, deed.verbs[0]) for deed in deeds if deed.entity_id}
        level = after - found
        found |= level
        depth += bool(level)
    return found, depth, unread


@given(graph=GRAPHS, verb=st.sampled_from(VERBS))
def test_any_graph(graph: Graph, verb: str) -> None:
    """It ends within its bounds; what is not followed is unread; the risk is never below that of a reachable part."""
    made, ids = built(graph)
    found = reached(ids[0], verb, made=made)
    assert len(found.actions) <= MOST + 1
    pairs, _, unread = everything(made, ids[0], verb)
    listed = {(item.entity_id, item.verbs[0]) for item in found.actions}
    assert listed <= pairs
    assert not unread or found.unread
    beyond = {pair for pair in pairs if pair[0] != ids[0]}
    if "more than EdgeHome follows" not in found.unread:
        assert listed == beyond
    risks = [
        base_risk(made.devices[entity_id].device_type, Intent(done) if done in Intent else CustomVerb(done))
        for entity_id, done in listed
    ]
    record = made.devices[ids[0]]
    word: Verb = Intent(verb) if verb in Intent else CustomVerb(verb)
    plain = action_for(record, word, {}, made.states[ids[0]])
    action = with_reach(plain, record, Facts(made))
    if plain.effect is not Effect.READ:
        assert action.risk >= max([plain.risk, *risks])
        assert not found.unread or action.opaque
    for table in (STRICT, BALANCED):
        assert severity(decide(table, action.question).verdict) >= severity(decide(table, plain.question).verdict)


def bridge(*, has_lock: bool, vetted: bool, **deeds: tuple[Deed, ...]) -> MadeHouse:
    """A scene of a bridge, which could do whatever the bridge can; ``deeds`` are what is known to follow besides."""
    bound: tuple[Deed, ...] = (Deed(entity_id="light.hue", verbs=("turn_on", "turn_off")),)
    bound += (Deed(entity_id="lock.hue", verbs=("unlock", "lock")),) * has_lock
    made = (
        MadeHouse().add("light.hue", "Hue").add("lock.hue", "Hue lock", "locked").add("lock.front", "Front", "locked")
    )
    made.add("scene.relax", "Relax", "unknown", makeup=Makeup(kind="scene", bound=bound, deeds=deeds, digest="scene"))
    made.devices["scene.relax"] = replace(made.devices["scene.relax"], vetted=vetted)
    return made


@pytest.mark.parametrize(
    ("has_lock", "vetted", "risk", "opaque", "reached"),
    [
        pytest.param(False, False, 1, False, ["light.hue"], id="lamps only"),
        pytest.param(True, False, 4, True, ["light.hue", "lock.hue"], id="a lock beside them"),
        pytest.param(True, True, 1, False, [], id="the owner vouches for it"),
    ],
)
def test_a_scene_of_a_bridge(has_lock: bool, vetted: bool, risk: int, opaque: bool, reached: list[str]) -> None:
    """It counts as all that it could do, until the owner says that it is harmless (R5)."""
    made = bridge(has_lock=has_lock, vetted=vetted)
    record = made.devices["scene.relax"]
    action = with_reach(action_for(record, Intent.ACTIVATE, {}, made.states["scene.relax"]), record, Facts(made))
    assert (action.risk, action.opaque, [other.entity_id for other in action.reaches]) == (risk, opaque, reached)


def test_a_script_with_a_scene_of_a_bridge() -> None:
    """The owner's word for the scene counts where a script activates it, too."""
    for vetted, risk in ((False, 4), (True, 1)):
        made = bridge(has_lock=True, vetted=vetted)
        runs = {"run": (Deed(entity_id="scene.relax", verbs=("activate",)),)}
        made.add("script.evening", "Evening", makeup=Makeup(kind="script", deeds=runs))
        reach = reach_of("script.evening", ("run",), Facts(made))
        assert max(other.risk for other in reach.actions) == risk


@pytest.mark.parametrize("vetted", [True, False])
def test_who_listens_to_a_scene_of_a_bridge(vetted: bool) -> None:
    """The owner vouches for what the bridge does, not for what an automation makes of it."""
    made = bridge(has_lock=False, vetted=vetted, **{"*": (Deed(entity_id="lock.front", verbs=("unlock",)),)})
    record = made.devices["scene.relax"]
    action = with_reach(action_for(record, Intent.ACTIVATE, {}, made.states["scene.relax"]), record, Facts(made))
    assert action.risk == 4
    assert decide(STRICT, action.question).verdict is Verdict.DENY


def test_members_of_members() -> None:
    """A group within a group counts with its members."""
    made = MadeHouse().add("light.a", "A").add("light.b", "B")
    made.add("light.inner", "Inner", makeup=Makeup(kind="group", members=("light.b", "light.outer")))
    made.add("light.outer", "Outer", makeup=Makeup(kind="group", members=("light.a", "light.inner")))
    record = made.devices["light.outer"]
    action = with_reach(action_for(record, Intent.TURN_ON, {}, made.states["light.outer"]), record, Facts(made))
    assert action.members == ("light.a", "light.inner", "light.b")
