"""The driver with a human in it: one question, one yes, one execution (R8, R9, R10)."""

from collections.abc import Callable
from typing import Any

import pytest

from custom_components.edgehome.confirmation.pending import State
from custom_components.edgehome.devices import DeviceState, Standing
from custom_components.edgehome.plan import ActionResult, ExecutionResult
from custom_components.edgehome.policy.presets import STRICT
from custom_components.edgehome.policy.rule import PolicyRule, Verdict
from custom_components.edgehome.policy.table import UNREADABLE, PolicyTable
from tests.made_driver import Driver, start_later, start_now
from tests.made_house import AGENT
from tests.made_questions import GARAGE, answered, garages, opening, parked, turns
from tests.made_traces import OTHER

EVERYTHING = PolicyTable(name="all", rules=(PolicyRule(id="all", verdict=Verdict.ALLOW),))


@pytest.fixture(params=[start_now, start_later], ids=["eager", "lazy"])
def driver(request: pytest.FixtureRequest) -> Driver:
    """A pipeline over a house with two garages, with both ways to start a task."""
    return Driver(house=garages(), start=request.param)


@pytest.mark.parametrize("wait", [{}, {"wait": 0}, {"wait": 0.001}])
async def test_pending(driver: Driver, wait: dict[str, Any]) -> None:
    """A caller who does not wait, or not long enough, is told that a person is asked, about what and how long."""
    answer = (await driver.pipeline.submit(opening(**wait))).answer()
    assert (answer["trace_id"], answer["outcome"], answer["code"], answer["gate"]) == (
        "01TEST",
        "pending",
        "WAITING",
        "execution",
    )
    assert "120 seconds" in str(answer["message"])
    assert answer["requirement"] == {"verdict": "confirm", "rule": "serious", "risk": 4}
    assert answer["plan"] == driver.evidence.parked[0].answer()["plan"]
    assert [record.passed for record in driver.evidence.parked[0].records] == [True] * 8
    assert (driver.backend.executed, driver.evidence.intents, driver.ends()) == ([], [], [])
    assert driver.confirmation.open() == ["01TEST"]
    await driver.pipeline.stop()


async def test_two_people(driver: Driver) -> None:
    """Where two must say yes, one is not enough, and the caller knows it."""
    driver.house.people, driver.house.needed = ("Anna", "Bert"), 2
    callers = await parked(driver, opening())
    assert driver.evidence.parked[0].answer()["requirement"] == {
        "verdict": "confirm",
        "rule": "serious",
        "risk": 4,
        "people": 2,
    }
    driver.confirmation.yes("01TEST", "anna")
    driver.confirmation.yes("01TEST", "anna")
    await turns()
    assert driver.backend.executed == []
    driver.confirmation.yes("01TEST", "bert")
    assert await answered(callers) == [("confirmed", "DONE")]


async def test_yes(driver: Driver) -> None:
    """A yes is followed by exactly one execution of exactly the plan that was asked about."""
    callers = await parked(driver, opening())
    driver.confirmation.yes("01TEST")
    assert await answered(callers) == [("confirmed", "DONE")]
    assert driver.backend.executed == [driver.evidence.parked[0].plan]
    assert [trace.request.trace_id for trace in driver.evidence.intents] == ["01TEST"]
    assert driver.ends() == [("confirmed", "DONE")]
    assert driver.confirmation.settled == [("01TEST", "confirmed")]
    assert driver.home.watchers == []


async def test_gates_are_on_record_twice(driver: Driver) -> None:
    """The evidence has the gates before the question and those after the answer, with the name of who said yes."""
    callers = await parked(driver, opening())
    driver.confirmation.yes("01TEST")
    await answered(callers)
    records = driver.evidence.closed[0].records
    assert [record.gate for record in records] == [record.gate for record in driver.evidence.parked[0].records] * 2
    assert records[7].evidence == {"approvers": ["Anna"]}
    assert records[15].evidence == {"approved_by": ["Anna (anna) by made"]}


@pytest.mark.parametrize(
    ("end", "code"),
    [
        pytest.param(State.REJECTED, "REJECTED", id="no"),
        pytest.param(State.EXPIRED, "EXPIRED", id="silence"),
        pytest.param(State.CANCELLED, "CANCELLED", id="taken back"),
        pytest.param(State.SUPERSEDED, "SUPERSEDED", id="withdrawn"),
    ],
)
async def test_no_yes(driver: Driver, end: State, code: str) -> None:
    """A no, silence and whatever else is no yes end the request, and a yes that comes then is too late."""
    callers = await parked(driver, opening())
    driver.confirmation.end("01TEST", end)
    assert driver.confirmation.yes("01TEST") is False
    assert await answered(callers) == [("cancelled", code)]
    assert (driver.backend.executed, driver.evidence.intents) == ([], [])
    assert driver.ends() == [("cancelled", code)]
    assert driver.confirmation.settled == [("01TEST", "cancelled")]
    assert driver.home.watchers == []


def _state(state: str, **attributes: Any) -> Callable[[Driver], None]:
    """Changes the garage without anybody looking."""
    present = DeviceState(state=state, attributes={**GARAGE, "current_position": 0, **attributes})
    return lambda driver: driver.house.states.update({"cover.garage": present})


def _owner(**settings: Any) -> Callable[[Driver], None]:
    """Changes what the owner decides, and what is counted."""

    def change(driver: Driver) -> None:
        for name, value in settings.items():
            setattr(driver.house, name, value)

    return change


def _both(one: Callable[[Driver], None], other: Callable[[Driver], None]) -> Callable[[Driver], None]:
    def change(driver: Driver) -> None:
        one(driver)
        other(driver)

    return change


OTHER_RULE = PolicyRule(id="new", operations=("press",), verdict=Verdict.DENY)
UNRELATED = PolicyTable(name="strict, edited", rules=(OTHER_RULE, *STRICT.rules))
AFTER_THE_YES = [
    pytest.param(_state("closing"), "cancelled", "SUPERSEDED", id="another state before"),
    pytest.param(_state("unknown"), "cancelled", "SUPERSEDED", id="a state that is not known"),
    pytest.param(_state("open", current_position=100), "no_change", "ALREADY_SO", id="open by other hands"),
    pytest.param(_state("unavailable"), "blocked", "ENTITY_UNAVAILABLE", id="unplugged"),
    pytest.param(_state("closed", supported_features=0), "blocked", "UNSUPPORTED_OPERATION", id="cannot any more"),
    pytest.param(_owner(locked_down=True), "blocked", "LOCKDOWN", id="lockdown"),
    pytest.param(_owner(table=UNREADABLE), "blocked", "POLICY_UNREADABLE", id="denied now"),
    pytest.param(_owner(stand=Standing(status="disabled")), "blocked", "AGENT_DISABLED", id="agent paused"),
    pytest.param(_owner(stand=Standing(status="active", max_risk=3)), "blocked", "RISK_TOO_HIGH", id="agent limited"),
    pytest.param(_owner(needed=2), "cancelled", "SUPERSEDED", id="two are needed now, and one is there"),
    pytest.param(_owner(needed=2, people=("Anna", "Bert")), "cancelled", "SUPERSEDED", id="two are needed now"),
    pytest.param(
        _both(_state("closing"), _owner(table=EVERYTHING)), "cancelled", "SUPERSEDED", id="another plan, allowed now"
    ),
]
STILL_THE_SAME = [
    pytest.param(_state("closed", temperature=21.5), id="a drifting reading"),
    pytest.param(_owner(table=UNRELATED), id="an unrelated rule"),
    pytest.param(_owner(recent=10**6), id="the rate is reached"),
    pytest.param(_owner(open_questions=99), id="too many questions wait"),
    pytest.param(_owner(people=()), id="the phone is out of reach again"),
    pytest.param(_owner(needed=1, people=("Anna", "Bert")), id="another could be asked as well"),
]


@pytest.mark.parametrize(("change", "outcome", "code"), AFTER_THE_YES)
async def test_changed_before_the_yes(
    driver: Driver, change: Callable[[Driver], None], outcome: str, code: str
) -> None:
    """After a yes all gates look again: another plan is superseded, what is refused now has its own code (R9)."""
    callers = await parked(driver, opening())
    change(driver)
    driver.confirmation.yes("01TEST")
    assert await answered(callers) == [(outcome, code)]
    assert driver.backend.executed == []
    assert driver.ends() == [(outcome, code)]
    assert driver.confirmation.settled == [("01TEST", outcome)]


@pytest.mark.parametrize(("change", "outcome", "code"), AFTER_THE_YES)
async def test_changed_after_the_yes(driver: Driver, change: Callable[[Driver], None], outcome: str, code: str) -> None:
    """What changes while the intent is written counts as well."""
    driver.evidence.during = _both(change, lambda driver: setattr(driver.home, "revision", 1)).__get__(driver)
    callers = await parked(driver, opening())
    driver.confirmation.yes("01TEST")
    assert await answered(callers) == [(outcome, code)]
    assert driver.backend.executed == []


@pytest.mark.parametrize("change", STILL_THE_SAME)
async def test_still_the_same(driver: Driver, change: Callable[[Driver], None]) -> None:
    """What does not make it another plan does not spoil a yes."""
    callers = await parked(driver, opening())
    change(driver)
    driver.confirmation.yes("01TEST")
    assert await answered(callers) == [("confirmed", "DONE")]
    assert driver.backend.executed == [driver.evidence.parked[0].plan]


@pytest.mark.parametrize("change", STILL_THE_SAME)
async def test_a_look_withdraws_nothing(driver: Driver, change: Callable[[Driver], None]) -> None:
    """When a reading of the device changes, a question that is still the same stays."""
    callers = await parked(driver, opening())
    change(driver)
    driver.home.change("cover.garage", "closed", seen_at="12:00:01")
    await turns()
    assert driver.confirmation.open() == ["01TEST"]
    driver.confirmation.yes("01TEST")
    assert await answered(callers) == [("confirmed", "DONE")]


@pytest.mark.parametrize(
    ("looks", "outcome", "code", "times"),
    [
        pytest.param(0, "confirmed", "DONE", 1, id="a yes"),
        pytest.param(1, "cancelled", "SUPERSEDED", 0, id="a look before it"),
    ],
)
async def test_allowed_meanwhile(driver: Driver, looks: int, outcome: str, code: str, times: int) -> None:
    """What the owner allows meanwhile is done with the yes that was given; a question that fell away is no yes (R9)."""
    callers = await parked(driver, opening())
    driver.house.table = EVERYTHING
    for number in range(looks):
        driver.home.change("cover.garage", "closed", seen_at=number)
    driver.confirmation.yes("01TEST")
    assert await answered(callers) == [(outcome, code)]
    assert driver.backend.executed == [driver.evidence.parked[0].plan] * times


@pytest.mark.parametrize(
    ("state", "attributes", "outcome", "code"),
    [
        pytest.param("closing", {}, "cancelled", "SUPERSEDED", id="another state"),
        pytest.param("open", {"current_position": 100}, "no_change", "ALREADY_SO", id="open by other hands"),
        pytest.param("unavailable", {}, "blocked", "ENTITY_UNAVAILABLE", id="unplugged"),
    ],
)
async def test_withdrawn(driver: Driver, state: str, attributes: dict[str, Any], outcome: str, code: str) -> None:
    """A question that is not the same any more is withdrawn at once; nobody can say yes to it."""
    callers = await parked(driver, opening())
    driver.home.change("cover.garage", state, **attributes)
    assert driver.confirmation.yes("01TEST") is False
    assert await answered(callers) == [(outcome, code)]
    assert driver.confirmation.questions["01TEST"].state is State.SUPERSEDED
    assert driver.backend.executed == []
    assert driver.home.watchers == []


async def test_withdrawn_and_allowed(driver: Driver) -> None:
    """A question that fell away is not a yes to the plan that took its place, though it would be allowed (R9)."""
    callers = await parked(driver, opening())
    driver.house.table = EVERYTHING
    driver.home.change("cover.garage", "closing")
    assert await answered(callers) == [("cancelled", "SUPERSEDED")]
    assert driver.backend.executed == []


async def test_other_devices_are_not_watched(driver: Driver) -> None:
    """What happens to another device is not about this question."""
    callers = await parked(driver, opening())
    driver.home.change("cover.other", "open")
    assert driver.confirmation.open() == ["01TEST"]
    await driver.pipeline.stop()
    assert await answered(callers) == [("cancelled", "STOPPED")]


async def test_nobody_is_asked_without_evidence(driver: Driver) -> None:
    """A question that cannot be written is not asked (R8)."""
    driver.evidence.unparkable = OSError("disk full")
    answer = (await driver.pipeline.submit(opening())).answer()
    assert (answer["outcome"], answer["code"]) == ("blocked", "EVIDENCE_UNAVAILABLE")
    assert (driver.confirmation.questions, driver.backend.executed) == ({}, [])
    assert driver.ends() == [("blocked", "EVIDENCE_UNAVAILABLE")]


async def test_no_evidence_after_the_yes(driver: Driver) -> None:
    """An intent that cannot be written blocks, yes or not (R8)."""
    callers = await parked(driver, opening())
    driver.evidence.unwritable = OSError("disk full")
    driver.confirmation.yes("01TEST")
    assert await answered(callers) == [("blocked", "EVIDENCE_UNAVAILABLE")]
    assert driver.backend.executed == []
    assert driver.confirmation.settled == [("01TEST", "blocked")]


async def test_nobody_can_be_asked(driver: Driver) -> None:
    """Without anybody to ask the request ends at once, and nothing is parked (R10)."""
    driver.house.people = ()
    answer = (await driver.pipeline.submit(opening(wait=50))).answer()
    assert (answer["outcome"], answer["code"]) == ("blocked", "NO_APPROVER")
    assert (driver.evidence.parked, driver.confirmation.questions) == ([], {})


async def test_asking_fails(driver: Driver) -> None:
    """When asking itself breaks, the request is blocked and settled: it must not count as an open question (R2)."""
    driver.confirmation.broken = RuntimeError("broken")
    answer = (await driver.pipeline.submit(opening(wait=50))).answer()
    assert (answer["outcome"], answer["code"]) == ("blocked", "INTERNAL_ERROR")
    assert driver.ends() == [("blocked", "INTERNAL_ERROR")]
    assert driver.home.watchers == []
    assert driver.confirmation.settled == [("01TEST", "failed")]
    assert driver.confirmation.reserved == []


@pytest.mark.parametrize("answer", [True, 1, "yes", ("anna",), object(), AGENT])
async def test_a_yes_that_is_none(driver: Driver, answer: Any) -> None:
    """Only a consent is one: an answer of another type blocks (R2)."""

    async def ask(*_: object) -> Any:
        return answer

    driver.confirmation.ask = ask  # type: ignore[method-assign, assignment]  # the fault that is made
    told = (await driver.pipeline.submit(opening(wait=50))).answer()
    assert (told["outcome"], told["code"]) == ("blocked", "INTERNAL_ERROR")
    assert driver.backend.executed == []


async def test_a_yes_for_another_plan(driver: Driver) -> None:
    """The yes to one plan is none to another that waits at the same time."""
    other = opening("02TEST", model_candidate={"intent": "open", "device_alias": "Other"})
    callers = await parked(driver, opening(), other)
    driver.confirmation.yes("02TEST")
    await turns()
    assert [plan.entity_ids for plan in driver.backend.executed] == [("cover.other",)]
    assert driver.confirmation.open() == ["01TEST"]
    driver.confirmation.no("01TEST")
    assert await answered(callers) == [("cancelled", "REJECTED"), ("confirmed", "DONE")]


async def test_backend_fails_after_the_yes(driver: Driver) -> None:
    """A yes makes nothing true: what the backend did not do is not confirmed (R11)."""
    driver.backend.error = RuntimeError("broken")
    callers = await parked(driver, opening())
    driver.confirmation.yes("01TEST")
    assert await answered(callers) == [("unknown", "TIMED_OUT")]
    assert driver.confirmation.settled == [("01TEST", "unknown")]


@pytest.mark.parametrize(
    ("done", "outcome", "code"),
    [
        pytest.param([True], "confirmed", "DONE", id="done"),
        pytest.param([True, False], "partial", "PARTLY_DONE", id="in part"),
        pytest.param([False], "failed", "BACKEND_FAILED", id="failed"),
    ],
)
async def test_results_after_the_yes(driver: Driver, done: list[bool], outcome: str, code: str) -> None:
    """Confirmed is what was done after a yes; what was done in part or not at all stays what it is (R11)."""
    results = tuple(ActionResult(entity_id="cover.garage", done=item, error="no route") for item in done)
    driver.backend.result = ExecutionResult(results=results)
    callers = await parked(driver, opening())
    driver.confirmation.yes("01TEST")
    assert await answered(callers) == [(outcome, code)]
    assert driver.confirmation.settled == [("01TEST", outcome)]


async def test_each_agent_has_its_own_question(driver: Driver) -> None:
    """The yes to one agent is none to another that wants the same."""
    callers = await parked(driver, opening(), opening("02TEST", principal=OTHER))
    assert driver.confirmation.open() == ["01TEST", "02TEST"]
    driver.confirmation.yes("01TEST")
    driver.confirmation.no("02TEST")
    assert await answered(callers) == [("confirmed", "DONE"), ("cancelled", "REJECTED")]
    assert len(driver.backend.executed) == 1
