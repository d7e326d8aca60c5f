"""The driver after the answer: slower devices finish in the trace (R11)."""

import asyncio

import pytest

from custom_components.edgehome.plan import ActionResult, ExecutionResult, Verification
from tests.made_driver import Driver, start_later, start_now
from tests.made_questions import answered, garages, opening, parked, turns
from tests.made_traces import asking


@pytest.fixture(params=[start_now, start_later], ids=["eager", "lazy"])
def driver(request: pytest.FixtureRequest) -> Driver:
    """A pipeline over a house whose lamp takes its time."""
    driver = Driver(house=garages(), start=request.param)
    driver.backend.result, driver.backend.end = result(Verification.WAITING), result(Verification.VERIFIED)
    driver.backend.ending = asyncio.Event()
    return driver


def result(verification: Verification) -> ExecutionResult:
    """What is known of the only device."""
    one = ActionResult(entity_id="light.lamp", done=True, verification=verification, state="off")
    return ExecutionResult(results=(one,))


def said(answer: dict[str, object]) -> tuple[object, object, object]:
    """Outcome, code, and whether that is the last word."""
    assert isinstance(answer["result"], dict)
    return answer["outcome"], answer["code"], answer["result"]["final"]


async def test_the_answer_does_not_wait(driver: Driver) -> None:
    """The caller gets what is known; the trace gets the rest."""
    answer = (await driver.pipeline.submit(asking())).answer()
    assert said(answer) == ("executed", "DONE", False)
    assert "get_trace" in str(answer["hint"])
    assert driver.evidence.verified == []
    assert driver.backend.ending
    driver.backend.ending.set()
    await turns()
    (trace,) = driver.evidence.verified
    assert said(trace.answer()) == ("executed", "DONE", True)
    assert trace.answer()["hint"] is None
    assert len(driver.backend.executed) == 1


@pytest.mark.parametrize(
    ("end", "told"),
    [
        pytest.param(result(Verification.MISMATCH), ("executed", "NOT_FOLLOWED", True), id="to another value"),
        pytest.param(
            ExecutionResult(results=(ActionResult(entity_id="light.lamp", done=False, error="jammed"),)),
            ("failed", "BACKEND_FAILED", True),
            id="it says that it could not",
        ),
        pytest.param(OSError("odd"), ("executed", "DONE", True), id="it cannot be looked at"),
    ],
)
async def test_ends(driver: Driver, end: ExecutionResult | Exception, told: tuple[object, ...]) -> None:
    """The end is as true as the answer was."""
    driver.backend.end, driver.backend.ending = end, None
    await driver.pipeline.submit(asking())
    await turns()
    (trace,) = driver.evidence.verified
    assert said(trace.answer()) == told


async def test_waiting_for_the_end(driver: Driver) -> None:
    """A caller can wait for the last word, and only so long; afterwards there is nothing to wait for."""
    await driver.pipeline.submit(asking())
    assert await driver.pipeline.wait_for("01TEST", 0) is None
    assert driver.evidence.verified == []
    caller = asyncio.ensure_future(driver.pipeline.wait_for("01TEST", 5))
    await turns()
    assert not caller.done()
    assert driver.backend.ending
    driver.backend.ending.set()
    await caller
    assert len(driver.evidence.verified) == 1
    assert await driver.pipeline.wait_for("01TEST", 5) is None


async def test_stop(driver: Driver) -> None:
    """A stop ends the look without a last word: the next start says that it is unknown."""
    await driver.pipeline.submit(asking())
    await driver.pipeline.stop()
    assert driver.evidence.verified == []
    assert len(driver.evidence.closed) == 1


async def test_what_is_known_is_looked_at_no_more(driver: Driver) -> None:
    """Where the answer is the last word, nobody looks on."""
    driver.backend.result, driver.backend.end = result(Verification.UNVERIFIED), OSError("never asked")
    assert said((await driver.pipeline.submit(asking())).answer()) == ("executed", "DONE", True)
    await turns()
    assert driver.evidence.verified == []


async def test_after_a_yes(driver: Driver) -> None:
    """What a person said yes to stays confirmed in the end, for all who asked for it together."""
    callers = await parked(driver, opening("01TEST"), opening("02TEST"))
    driver.confirmation.yes("01TEST")
    assert await answered(callers) == [("confirmed", "DONE")] * 2
    assert driver.backend.ending
    driver.backend.ending.set()
    await turns()
    ends = {trace.request.trace_id: trace for trace in driver.evidence.verified}
    assert sorted(ends) == ["01TEST", "02TEST"]
    assert [said(trace.answer()) for trace in ends.values()] == [("confirmed", "DONE", True)] * 2
    assert len(driver.backend.executed) == 1
