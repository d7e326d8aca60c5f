"""Undo on real Home Assistants with generated homes: it restores exactly what the last action changed, and nothing else."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest

from custom_components.edgehome.catalogue.ways_back import UNDOABLE
from tests.house.broker import need_broker
from tests.house.home_plan import Follow
from tests.house.process import DEFAULT_VERSION
from tests.house.undo_home import undo_home
from tests.house.undo_mended import MENDED
from tests.house.undo_run import EXACT, FAULTS, NO_WAY, Finding, all_deeds, undone
from tests.house.undo_scene import NO, Scene, scene
from tests.house.undo_starts import start

pytestmark = pytest.mark.e2e

SAMPLES = ((DEFAULT_VERSION, 150, 200), ("2026.11.0", 120, 80))
"""Releases, with the size of each home and how many deeds are done in it."""
SEED, SCENE_SEED, SCENE_SIZE = 9, 4, 300
LAMPS = 30
DONE = {"executed", "confirmed"}


@pytest.fixture(scope="module", params=SAMPLES, ids=lambda sample: sample[0])
def findings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Finding]:
    """What comes of a sample of all deeds in a home of a release."""
    need_broker()
    release, size, count = request.param
    with undo_home(tmp_path_factory.mktemp("undo"), release, seed=SEED, size=size) as home:
        everything = all_deeds(home, SEED)
        chosen = Random(SEED).sample(everything, min(count, len(everything)))  # noqa: S311  # a choice, not a secret
        return asyncio.run(undone(home, chosen))


def test_undone_exactly(findings: list[Finding]) -> None:
    """The whole home is as before what was done; what cannot be undone is refused, and nothing is called."""
    assert [finding.line() for finding in findings if finding.verdict in FAULTS] == []


def test_both_kinds_are_tried(findings: list[Finding]) -> None:
    """The sample has what can be undone and what cannot, in many domains."""
    verdicts = Counter(finding.verdict for finding in findings)
    assert verdicts[EXACT] > len(findings) / 2
    assert verdicts[NO_WAY]
    assert len({finding.deed.domain for finding in findings if finding.verdict == EXACT} & UNDOABLE) > 10


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A home all of whose devices follow, with a person who is asked on her phone."""
    need_broker()
    with scene(tmp_path_factory.mktemp("scene"), DEFAULT_VERSION, seed=SCENE_SEED, size=SCENE_SIZE) as found:
        yield found


@pytest.fixture(autouse=True)
def unasked(request: pytest.FixtureRequest) -> None:
    """Each test begins with nothing asked and nothing heard."""
    if "home" in request.fixturenames:
        running: Scene = request.getfixturevalue("home")
        running.asked.clear()
        running.phone.forget()
        running.home.devices.forget()


def lamps_of(home: Scene, at_least: int) -> tuple[str, list[str]]:
    """A room with some lamps that are devices, all of which report, and these lamps."""
    listed = [item for item in home.agent.edgehome("list_devices", device_type="light")["devices"] if item["room"]]
    rooms: dict[str, list[str]] = {}
    for item in listed:
        rooms.setdefault(item["room"], []).append(item["entity_id"])
    entities = {entity.entity_id: entity for entity in home.home.plan.entities}
    plain = {name for name, entity in entities.items() if entity.device and entity.follow is not Follow.ASSUMED}
    return next((room, ids) for room, ids in rooms.items() if len(ids) >= at_least and plain.issuperset(ids))


def lit(home: Scene, *entity_ids: str, chance: Random) -> None:
    """A person puts each lamp into a state of chance, the first of them on."""
    looks = home.looks()
    for entity_id in entity_ids:
        for service, data in start(entity_id, looks[entity_id], chance):
            home.act(service, entity_id, **data)
    home.act("light.turn_on", entity_ids[0])


def test_a_person_acted_meanwhile(home: Scene) -> None:
    """What somebody changed since is left alone, and said; the others are as before."""
    room, lamps = lamps_of(home, 3)
    home.act("light.turn_on", *lamps)
    before = home.looks()
    sent = home.execute("turn_off", room=room, device_type="light")
    assert sent["outcome"] in DONE, sent
    home.act("light.turn_on", lamps[1])
    left = home.looks()[lamps[1]]
    answer = home.undo()
    assert answer["outcome"] in DONE, answer
    assert answer["left_out"] == [{"entity_id": lamps[1], "why": "it is not as the request left it"}]
    assert home.differs(before, *lamps, but=(lamps[1],)) == {}
    assert home.looks()[lamps[1]] == left


def test_unplugged_meanwhile(home: Scene) -> None:
    """A lamp that is not there any more is left alone, and said; the others are as before."""
    room, lamps = lamps_of(home, 3)
    home.act("light.turn_on", *lamps)
    before = home.looks()
    sent = home.execute("turn_off", room=room, device_type="light")
    home.plug(lamps[0], in_=False)
    try:
        answer = home.undo()
    finally:
        home.plug(lamps[0], in_=True)
    assert answer["outcome"] in DONE, answer
    assert (answer["undoes"], answer["left_out"]) == (
        sent["trace_id"],
        [{"entity_id": lamps[0], "why": "it cannot be reached now"}],
    )
    assert home.differs(before, *lamps, but=(lamps[0],)) == {}
    assert home.looks()[lamps[0]].state == "off"


def test_unplugged_before(home: Scene) -> None:
    """A lamp that was not there when its room went dark is left alone when it is back, without a word."""
    room, lamps = lamps_of(home, 3)
    home.act("light.turn_on", *lamps)
    before = home.looks()
    home.plug(lamps[0], in_=False)
    try:
        sent = home.execute("turn_off", room=room, device_type="light")
    finally:
        home.plug(lamps[0], in_=True)
    assert sent["outcome"] == "partial", sent
    home.home.devices.forget()
    answer = home.undo()
    assert answer["outcome"] in DONE, answer
    assert (answer["undoes"], answer["left_out"]) == (sent["trace_id"], [])
    assert home.differs(before, *lamps) == {}
    assert home.home.devices.commands(lamps[0]) == []


@pytest.mark.parametrize("with_groups", [False, True])
def test_a_whole_home_goes_dark(home: Scene, with_groups: bool) -> None:
    """More than thirty lamps, some lit in many ways and some not, are as before, and nothing else was moved."""
    groups = [group.entity_id for group in home.home.plan.of("light", platform="group")]
    home.show(*groups, shown=with_groups)
    lamps = [item["entity_id"] for item in home.agent.edgehome("list_devices", device_type="light")["devices"]]
    devices = [name for name in lamps if home.home.plan[name].platform == "mqtt"]
    assert len(lamps) > LAMPS
    lit(home, *devices, chance=Random(SEED))  # noqa: S311
    before = home.looks()
    assert {before[name].state for name in devices} >= {"on", "off"}
    sent = home.execute("turn_off", scope="home", device_type="light")
    assert sent["outcome"] in DONE, sent
    reporting = [name for name in devices if home.home.plan[name].follow is not Follow.ASSUMED]
    now = home.looks()
    assert {name for name in reporting if now[name].state != "off"} == set()
    answer = home.undo()
    assert answer["outcome"] in DONE, answer
    assert answer["left_out"] == []
    assert home.differs(before, *lamps) == {}


def test_twice(home: Scene) -> None:
    """Each undo goes one deed further back, across devices; then there is nothing left."""
    lamp = home.of("light", schema="json", brightness=True).entity_id
    switch, blind = home.of("switch").entity_id, home.of("cover", "position_topic", device_class="blind").entity_id
    home.act("light.turn_on", lamp, brightness=90)
    home.act("switch.turn_off", switch)
    home.act("cover.set_cover_position", blind, position=35)
    agent, _ = home.home.add_agent("Iris")
    other = Scene(home=home.home, agent=agent, phone=home.phone, own=home.own)
    views = [home.looks()]
    for intent, name, params in (
        ("set_brightness", lamp, {"brightness": 80}),
        ("turn_on", switch, {}),
        ("set_position", blind, {"position": 70}),
        ("turn_off", lamp, {}),
    ):
        answer = other.execute(intent, device_alias=name, params=params)
        assert answer["outcome"] in DONE, answer
        views.append(home.looks())
    for before in reversed(views[:-1]):
        answer = other.undo()
        assert answer["outcome"] in DONE, answer
        assert home.differs(before, lamp, switch, blind) == {}
    answer = other.undo()
    assert (answer["outcome"], answer["code"]) == ("blocked", "NOTHING_TO_UNDO")


RISKY = (
    ("lock", "lock.unlock", "lock", ["unlock"]),
    ("lock", "lock.lock", "unlock", ["unlock"]),
    ("garage", "cover.close_cover", "open", ["open", "close"]),
    ("garage", "cover.open_cover", "close", ["close", "open"]),
    ("alarm", "alarm_control_panel.alarm_disarm", "arm_away", ["arm (away)", "disarm"]),
    ("alarm", "alarm_control_panel.alarm_arm_away", "disarm", ["disarm", "arm (away)"]),
)
"""What is risky: the owner's own action before, what the agent asks for, and what a person is asked in the end."""


def risky(home: Scene, kind: str) -> str:
    """A lock, garage or alarm."""
    if kind == "garage":
        return home.of("cover", device_class="garage").entity_id
    return home.of({"lock": "lock", "alarm": "alarm_control_panel"}[kind]).entity_id


@pytest.mark.parametrize(("kind", "first", "intent", "questions"), RISKY, ids=str)
def test_risky_ones_are_asked_about_again(
    home: Scene, kind: str, first: str, intent: str, questions: list[str]
) -> None:
    """Taking back is judged as what it does: a yes to opening is none to closing, and locking needs none."""
    entity_id = risky(home, kind)
    home.act(first, entity_id)
    before = home.looks()
    sent = home.execute(intent, device_alias=entity_id)
    assert sent["outcome"] in DONE, sent
    answer = home.undo()
    assert answer["outcome"] in DONE, answer
    assert home.differs(before, entity_id) == {}
    assert len(home.asked) == len(questions)
    for message, question in zip(home.asked, questions, strict=True):
        assert question in message.replace("_", " ")


@pytest.mark.parametrize("kind", ["lock", "garage", "alarm"])
def test_a_no_to_taking_back(home: Scene, kind: str) -> None:
    """A person's no leaves it as the request left it, and the deed can be taken back later."""
    entity_id = risky(home, kind)
    first, intent = next((first, intent) for of, first, intent, asked in RISKY if of == kind and asked != ["lock"])
    home.act(first, entity_id)
    before = home.looks()
    sent = home.execute(intent, device_alias=entity_id)
    left = home.looks()
    answer = home.undo(tap=NO)
    assert (answer["outcome"], answer["code"]) == ("cancelled", "REJECTED"), answer
    assert home.differs(left) == {}
    assert sent["trace_id"] == answer["undoes"]
    home.act(first, entity_id)
    assert home.differs(before, entity_id) == {}


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in MENDED.items()])
def test_mended(home: Scene, case: Callable[[Scene], None]) -> None:
    """What undo did wrong once."""
    case(home)
