"""The driver where a state may be out of date: it is fetched once, then all is judged again (R7)."""

import json

import pytest

from custom_components.edgehome.chain import Need
from custom_components.edgehome.devices import Liveness
from custom_components.edgehome.facts import Facts, RecordedHouse
from custom_components.edgehome.judge import judge
from custom_components.edgehome.policy.presets import BALANCED
from tests.made_driver import Driver, start_later, start_now
from tests.made_house import MadeHouse, proposing, request
from tests.made_questions import answered, parked, turns

LATE = Liveness(failing=True, can_fetch=True)
DOOR, PLUG = "lock.door", "switch.plug"


@pytest.fixture(params=[start_now, start_later], ids=["eager", "lazy"])
def driver(request: pytest.FixtureRequest) -> Driver:
    """A pipeline over a house with a door and a plug that may be out of date."""
    house = (
        MadeHouse(table=BALANCED, people=("Anna",))
        .add(DOOR, "Door", "locked", supported_features=0)
        .add(PLUG, "Plug", "on")
    )
    house.alive = {DOOR: LATE, PLUG: LATE}
    return Driver(house=house, start=request.param)


async def done(driver: Driver, intent: str, name: str) -> tuple[object, object]:
    """The outcome and code of a request."""
    answer = (await driver.pipeline.submit(request(proposing(intent, device_alias=name)))).answer()
    return answer["outcome"], answer["code"]


@pytest.mark.parametrize(
    ("answers", "end", "executed"),
    [
        pytest.param({PLUG: "on"}, ("executed", "DONE"), 1, id="as it was"),
        pytest.param({PLUG: "off"}, ("no_change", "ALREADY_SO"), 0, id="off meanwhile"),
        pytest.param({PLUG: "unavailable"}, ("blocked", "ENTITY_UNAVAILABLE"), 0, id="gone meanwhile"),
        pytest.param({}, ("executed", "DONE"), 1, id="no answer: called, unverified"),
    ],
)
async def test_fetched_once(driver: Driver, answers: dict[str, str], end: tuple[str, str], executed: int) -> None:
    """The device is asked once, and what it says counts."""
    driver.home.answers = answers
    assert await done(driver, "turn_off", "Plug") == end
    assert driver.home.fetched == [(PLUG,)]
    assert len(driver.backend.executed) == executed
    assert driver.house.counted == ["01TEST"]


async def test_on_record(driver: Driver) -> None:
    """Both judgements are on record, and each can be repeated from what it read."""
    driver.home.answers = {PLUG: "on"}
    await done(driver, "turn_off", "Plug")
    (trace,) = driver.evidence.closed
    gates = [record.gate.value for record in trace.records]
    assert gates[:5] == ["input_guard", "schema", "device_resolver", "capability", "freshness"]
    assert gates[5:] == [*gates[:5], "policy", "dry_run", "execution"]
    before, after = trace.records[:5], trace.records[5:]
    for records, step in ((before, "Need"), (after, "Ready")):
        reads = json.loads(json.dumps([read.to_json() for record in records for read in record.reads]))
        replayed = judge(trace.request, Facts(RecordedHouse(reads, {BALANCED.digest: BALANCED})))  # type: ignore[arg-type]  # a house by its answers
        assert type(replayed.step).__name__ == step


async def test_refused_without_an_answer(driver: Driver) -> None:
    """What is serious is refused where the device does not answer; nobody is asked."""
    assert await done(driver, "unlock", "Door") == ("blocked", "STATE_STALE")
    assert driver.home.fetched == [(DOOR,)]
    assert driver.confirmation.open() == []


async def test_a_house_that_cannot_fetch(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault while fetching blocks (R2)."""

    async def broken(_: tuple[str, ...]) -> dict[str, bool]:
        raise OSError("no network")

    monkeypatch.setattr(driver.home, "fetch", broken)
    assert await done(driver, "turn_off", "Plug") == ("blocked", "INTERNAL_ERROR")
    assert driver.backend.executed == []


async def test_a_gate_that_is_never_content(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A state is fetched once for a request; a gate that wants it again is broken, and blocks."""
    monkeypatch.setattr(Liveness, "is_stale", True)
    monkeypatch.setattr(Facts, "liveness", lambda *_: LATE)
    assert await done(driver, "turn_off", "Plug") == ("blocked", "INTERNAL_ERROR")
    assert driver.home.fetched == [(PLUG,)]


async def test_a_question_stays(driver: Driver) -> None:
    """A state that grows old while a person thinks does not end the question; it is fetched after the yes."""
    driver.home.answers = {DOOR: "locked"}
    callers = await parked(driver, request(proposing("unlock", device_alias="Door")))
    driver.house.alive[DOOR] = LATE
    driver.home.change(DOOR, "locked")
    await turns()
    assert driver.confirmation.open() == ["01TEST"]
    driver.confirmation.yes("01TEST")
    assert await answered(callers) == [("confirmed", "DONE")]
    assert driver.home.fetched == [(DOOR,), (DOOR,)]


@pytest.mark.parametrize(
    ("says", "end"),
    [
        pytest.param("unlocked", ("no_change", "ALREADY_SO"), id="unlocked by other hands"),
        pytest.param("jammed", ("cancelled", "SUPERSEDED"), id="another state"),
        pytest.param(None, ("blocked", "STATE_STALE"), id="no answer any more"),
    ],
)
async def test_after_the_yes(driver: Driver, says: str | None, end: tuple[str, str]) -> None:
    """What the device says after the yes counts (R9)."""
    driver.home.answers = {DOOR: "locked"}
    callers = await parked(driver, request(proposing("unlock", device_alias="Door")))
    driver.house.alive[DOOR] = LATE
    driver.home.answers = {DOOR: says} if says else {}
    driver.confirmation.yes("01TEST")
    assert await answered(callers) == [end]
    assert driver.backend.executed == []


async def test_needed_at_the_last_look(driver: Driver) -> None:
    """Between the intent and the call nothing is fetched any more: the plan is superseded."""
    driver.house.alive = {}

    def during() -> None:
        driver.house.alive[PLUG] = LATE
        driver.home.revision += 1

    driver.evidence.during = during
    assert await done(driver, "turn_off", "Plug") == ("cancelled", "SUPERSEDED")
    assert driver.backend.executed == []


def test_need_is_a_step_of_freshness_alone() -> None:
    """Judged alone, as the simulator does, the need is the verdict."""
    house = MadeHouse().add(PLUG, "Plug", "on")
    house.alive = {PLUG: LATE}
    judged = judge(request(proposing("turn_off", device_alias="Plug")), Facts(house))
    assert judged.step == Need((PLUG,))
    assert judged.gate == "freshness"
