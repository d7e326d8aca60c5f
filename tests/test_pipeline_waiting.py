"""Several requests while a human is asked: joined, repeated, waited for, stopped (R9, R10, R13)."""

import asyncio
from collections.abc import Callable

import pytest

from custom_components.edgehome.confirmation.pending import State
from custom_components.edgehome.models import ActionRequest
from tests.made_driver import Driver, start_later, start_now
from tests.made_questions import answered, garages, opening, parked, turns
from tests.made_traces import asking


@pytest.fixture(params=[start_now, start_later], ids=["eager", "lazy"])
def driver(request: pytest.FixtureRequest) -> Driver:
    """A pipeline over a house with two garages, with both ways to start a task."""
    return Driver(house=garages(), start=request.param)


def traces(driver: Driver) -> list[tuple[str, str]]:
    """The trace ids and codes that were recorded as ends."""
    return [(trace.request.trace_id, trace.code.value) for trace in driver.evidence.closed]


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(opening("02TEST"), id="the same"),
        pytest.param(opening("02TEST", "r2"), id="with an id"),
        pytest.param(opening("02TEST", reason="please"), id="with a reason"),
        pytest.param(opening("02TEST", source_agent="x"), id="with a claim"),
        pytest.param(
            opening("02TEST", model_candidate={"intent": "open", "device_alias": "cover.garage"}), id="by another name"
        ),
        pytest.param(
            opening("02TEST", model_candidate={"intent": "toggle", "device_alias": "Garage"}), id="by another verb"
        ),
    ],
)
async def test_equal_requests_join(driver: Driver, second: ActionRequest) -> None:
    """What comes to the same plan while it is asked about: one question, one execution, two traces."""
    callers = await parked(driver, opening(), second)
    assert list(driver.confirmation.questions) == ["01TEST"]
    assert [trace.request.trace_id for trace in driver.evidence.parked] == ["01TEST", "02TEST"]
    driver.confirmation.yes("01TEST")
    assert await answered(callers) == [("confirmed", "DONE"), ("confirmed", "DONE")]
    assert len(driver.backend.executed) == 1
    assert traces(driver) == [("01TEST", "DONE"), ("02TEST", "DONE")]


async def test_joined_says_so(driver: Driver) -> None:
    """The end of a joined request names the one that was asked about, and has its own id."""
    callers = await parked(driver, opening(), opening("02TEST"))
    driver.confirmation.yes("01TEST")
    first, second = await asyncio.gather(*callers)
    assert (first["trace_id"], second["trace_id"]) == ("01TEST", "02TEST")
    assert "01TEST" in str(second["message"])
    assert second["plan"] == first["plan"]
    assert second["result"] == first["result"]


@pytest.mark.parametrize(
    ("end", "code"),
    [
        pytest.param(State.REJECTED, "REJECTED", id="no"),
        pytest.param(State.EXPIRED, "EXPIRED", id="silence"),
        pytest.param(State.CANCELLED, "CANCELLED", id="taken back"),
        pytest.param(State.SUPERSEDED, "SUPERSEDED", id="withdrawn"),
    ],
)
async def test_no_to_both(driver: Driver, end: State, code: str) -> None:
    """Without a yes both end alike, and nobody is asked again in between."""
    callers = await parked(driver, opening(), opening("02TEST"))
    driver.confirmation.end("01TEST", end)
    assert await answered(callers) == [("cancelled", code)] * 2
    assert list(driver.confirmation.questions) == ["01TEST"]
    assert traces(driver) == [("01TEST", code), ("02TEST", code)]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"intent": "open", "device_alias": "Other"}, id="another device"),
        pytest.param({"intent": "set_position", "device_alias": "Garage", "params": {"position": 50}}, id="a value"),
    ],
)
async def test_other_plans_do_not_join(driver: Driver, other: dict[str, object]) -> None:
    """Another plan is another question."""
    callers = await parked(driver, opening(), opening("02TEST", model_candidate=other))
    assert driver.confirmation.open() == ["01TEST", "02TEST"]
    await driver.pipeline.stop()
    assert await answered(callers) == [("cancelled", "STOPPED")] * 2


async def test_a_preview_does_not_join(driver: Driver) -> None:
    """A dry run of the same plan is answered at once."""
    callers = await parked(driver, opening())
    answer = (await driver.pipeline.submit(opening("02TEST", dry_run=True))).answer()
    assert (answer["outcome"], answer["code"]) == ("dry_run", "PREVIEW")
    driver.confirmation.no("01TEST")
    assert await answered(callers) == [("cancelled", "REJECTED")]


async def test_joining_what_is_executing(driver: Driver) -> None:
    """What comes while the yes is being carried out joins as well: it is not asked about and not done again."""
    driver.backend.acting = asyncio.Event()
    callers = await parked(driver, opening())
    driver.confirmation.yes("01TEST")
    await turns()
    assert len(driver.backend.executed) == 1
    callers += await parked(driver, opening("02TEST"))
    driver.backend.acting.set()
    assert await answered(callers) == [("confirmed", "DONE")] * 2
    assert (len(driver.backend.executed), list(driver.confirmation.questions)) == (1, ["01TEST"])


async def test_after_the_end_it_is_asked_again(driver: Driver) -> None:
    """An answer is for one question; what comes after its end is a new one."""
    callers = await parked(driver, opening())
    driver.confirmation.yes("01TEST")
    await answered(callers)
    callers = await parked(driver, opening("02TEST"))
    assert driver.confirmation.open() == ["02TEST"]
    driver.confirmation.no("02TEST")
    assert await answered(callers) == [("cancelled", "REJECTED")]
    assert len(driver.backend.executed) == 1


async def test_joined_without_evidence(driver: Driver) -> None:
    """A joined request that cannot be written is refused with its reason; the question of the first stands (R8)."""
    callers = await parked(driver, opening())
    driver.evidence.unparkable = OSError("disk full")
    answer = (await driver.pipeline.submit(opening("02TEST"))).answer()
    assert (answer["outcome"], answer["code"]) == ("blocked", "EVIDENCE_UNAVAILABLE")
    driver.confirmation.yes("01TEST")
    assert await answered(callers) == [("confirmed", "DONE")]
    assert traces(driver) == [("02TEST", "EVIDENCE_UNAVAILABLE"), ("01TEST", "DONE")]


async def test_joined_to_what_breaks(driver: Driver) -> None:
    """When asking breaks, who joined is told the same: nobody has stopped EdgeHome (R11)."""
    driver.confirmation.broken = RuntimeError("broken")
    answers = await asyncio.gather(*(driver.pipeline.submit(opening(f"0{number}TEST")) for number in (1, 2)))
    ends = [(answer.answer()["outcome"], answer.answer()["code"]) for answer in answers]
    assert ends == [("blocked", "INTERNAL_ERROR")] * 2


async def test_a_joined_caller_that_goes_away(driver: Driver) -> None:
    """Callers that hang up change nothing for the others."""
    gone, stays = await parked(driver, opening(), opening("02TEST"))
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    driver.confirmation.yes("01TEST")
    assert await answered([stays]) == [("confirmed", "DONE")]
    assert traces(driver) == [("01TEST", "DONE"), ("02TEST", "DONE")]


async def test_same_id_while_pending(driver: Driver) -> None:
    """The same request id while a human is asked is the same trace, not another question (R13)."""
    first = (await driver.pipeline.submit(opening("01TEST", "r1"))).answer()
    second = (await driver.pipeline.submit(opening("02TEST", "r1", reason="again"))).answer()
    assert (first["outcome"], second) == ("pending", first)
    callers = await parked(driver, opening("03TEST", "r1"))
    driver.confirmation.yes("01TEST")
    (end,) = await asyncio.gather(*callers)
    later = (await driver.pipeline.submit(opening("04TEST", "r1"))).answer()
    assert (end["trace_id"], end["outcome"], later) == ("01TEST", "confirmed", end)
    assert (len(driver.backend.executed), list(driver.confirmation.questions)) == (1, ["01TEST"])
    assert traces(driver) == [("01TEST", "DONE")]


async def test_other_content_while_pending(driver: Driver) -> None:
    """The id of a request that waits is taken: other content is a conflict and changes nothing."""
    await driver.pipeline.submit(opening("01TEST", "r1"))
    answer = (await driver.pipeline.submit(asking("02TEST", "r1"))).answer()
    assert (answer["outcome"], answer["code"]) == ("blocked", "REQUEST_ID_CONFLICT")
    assert driver.confirmation.open() == ["01TEST"]
    driver.confirmation.no("01TEST")
    await turns()
    assert traces(driver) == [("02TEST", "REQUEST_ID_CONFLICT"), ("01TEST", "REJECTED")]


@pytest.mark.parametrize(
    ("end", "code"),
    [
        pytest.param(lambda driver: driver.confirmation.yes("01TEST"), "DONE", id="yes"),
        pytest.param(lambda driver: driver.confirmation.no("01TEST"), "REJECTED", id="no"),
    ],
)
async def test_wait_for(driver: Driver, end: Callable[[Driver], bool], code: str) -> None:
    """Who asks later gets what is known, or waits for the end; what is over is not on its way."""
    await driver.pipeline.submit(opening())
    pending = await driver.pipeline.wait_for("01TEST", 0)
    waiting = asyncio.ensure_future(driver.pipeline.wait_for("01TEST", 50))
    await turns()
    end(driver)
    ended = await waiting
    assert pending is not None
    assert ended is not None
    assert (pending.answer()["code"], ended.answer()["code"]) == ("WAITING", code)
    assert await driver.pipeline.wait_for("01TEST", 50) is None
    assert await driver.pipeline.wait_for("02TEST", 50) is None


async def test_stopped_while_pending(driver: Driver) -> None:
    """A stop is no: what waits is cancelled, for everybody who waits, and a yes that comes then is too late (R10)."""
    callers = await parked(driver, opening(), opening("02TEST", "r1"))
    await driver.pipeline.stop()
    assert await answered(callers) == [("cancelled", "STOPPED")] * 2
    assert driver.confirmation.yes("01TEST") is False
    assert sorted(traces(driver)) == [("01TEST", "STOPPED"), ("02TEST", "STOPPED")]
    assert (driver.backend.executed, driver.home.watchers) == ([], [])


async def test_a_restart_forgets_no_id(driver: Driver) -> None:
    """After a restart the same id gives the cancelled request again; nobody is asked (R10, R13)."""
    callers = await parked(driver, opening("01TEST", "r1"))
    await driver.pipeline.stop()
    await answered(callers)
    driver.restart()
    answer = (await driver.pipeline.submit(opening("02TEST", "r1", wait=50))).answer()
    assert (answer["trace_id"], answer["outcome"], answer["code"]) == ("01TEST", "cancelled", "STOPPED")
    assert (list(driver.confirmation.questions), driver.backend.executed) == (["01TEST"], [])


async def test_stopped_while_a_yes_is_carried_out(driver: Driver) -> None:
    """What was dispatched when EdgeHome stops is unknown, also for who joined: it may have been done (R11)."""
    driver.backend.acting = asyncio.Event()
    callers = await parked(driver, opening(), opening("02TEST"))
    driver.confirmation.yes("01TEST")
    await turns()
    await driver.pipeline.stop()
    assert await answered(callers) == [("unknown", "INTERRUPTED")] * 2
    assert sorted(traces(driver)) == [("01TEST", "INTERRUPTED"), ("02TEST", "INTERRUPTED")]
    assert len(driver.backend.executed) == 1


async def test_stopped_between_yes_and_dispatch(driver: Driver) -> None:
    """A yes that was not carried out when EdgeHome stops is not carried out later."""
    driver.evidence.writing = asyncio.Event()
    callers = await parked(driver, opening())
    driver.confirmation.yes("01TEST")
    await turns()
    await driver.pipeline.stop()
    driver.evidence.writing.set()
    await turns()
    assert await answered(callers) == [("cancelled", "STOPPED")]
    assert (driver.backend.executed, traces(driver)) == ([], [("01TEST", "STOPPED")])


async def test_many_callers(driver: Driver) -> None:
    """Fifty equal requests are one question and one execution, and each gets its end."""
    callers = await parked(driver, *(opening(f"{number:02}") for number in range(50)))
    assert len(driver.confirmation.reserved) == 50
    driver.confirmation.yes("00")
    assert await answered(callers) == [("confirmed", "DONE")] * 50
    assert (len(driver.backend.executed), len(driver.evidence.closed)) == (1, 50)
    assert driver.confirmation.reserved == []


async def test_counted_before_anything_is_awaited(driver: Driver) -> None:
    """A burst of different requests counts at once: they must not slip past the limit together."""
    seen: list[int] = []
    driver.house.waiting = lambda *_: seen.append(len(driver.confirmation.reserved)) or 0  # type: ignore[method-assign, func-returns-value]
    positions = [
        {"intent": "set_position", "device_alias": "Garage", "params": {"position": at}} for at in (10, 20, 30)
    ]
    requests = [opening(f"0{number}TEST", model_candidate=item) for number, item in enumerate(positions)]
    callers = await parked(driver, *requests)
    assert seen == [0, 1, 2]
    await driver.pipeline.stop()
    assert await answered(callers) == [("cancelled", "STOPPED")] * 3
    assert driver.confirmation.reserved == []
