"""The driver: everything that is not pure, and the only way to a backend."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from custom_components.edgehome.devices import DeviceState, Standing
from custom_components.edgehome.models import Principal, PrincipalKind
from custom_components.edgehome.plan import ActionResult, ExecutionResult, Verification
from custom_components.edgehome.policy.presets import STRICT
from custom_components.edgehome.policy.table import UNREADABLE
from tests.made_driver import Driver, start_later, start_now
from tests.made_house import MadeHouse, proposing
from tests.made_traces import OTHER, asking

DIMMABLE: dict[str, Any] = {"supported_color_modes": ["brightness"]}
STRANGER = Principal(kind=PrincipalKind.UNREGISTERED, id="unregistered:u1", name="Somebody")


@pytest.fixture(params=[start_now, start_later], ids=["eager", "lazy"])
def driver(request: pytest.FixtureRequest) -> Driver:
    """A pipeline over a house with a lamp and a garage, with both ways to start a task."""
    house = (
        MadeHouse()
        .add("light.lamp", "Lamp", room="Hall", **DIMMABLE)
        .add("light.gone", "Gone", "unavailable", room="Hall", **DIMMABLE)
        .add("cover.garage", "Garage", "closed", device_class="garage", supported_features=15)
    )
    return Driver(house=house, start=request.param)


async def test_executed(driver: Driver) -> None:
    """An allowed request is recorded, then executed, then recorded again."""
    answer = (await driver.pipeline.submit(asking())).answer()
    assert (answer["trace_id"], answer["outcome"], answer["code"], answer["gate"]) == (
        "01TEST",
        "executed",
        "DONE",
        "execution",
    )
    assert [plan.entity_ids for plan in driver.backend.executed] == [("light.lamp",)]
    assert [trace.plan for trace in driver.evidence.intents] == driver.backend.executed
    assert driver.evidence.intents[0].answer()["outcome"] == "unknown"
    assert driver.ends() == [("executed", "DONE")]
    assert driver.house.counted == ["01TEST"]


@pytest.mark.parametrize(
    ("payload", "outcome", "code", "gate"),
    [
        pytest.param({}, "blocked", "SCHEMA", "schema", id="refused"),
        pytest.param(proposing("open", device_alias="Garage"), "blocked", "NO_APPROVER", "execution", id="nobody"),
        pytest.param(proposing("turn_off", device_alias="Lamp"), "no_change", "ALREADY_SO", "dry_run", id="so"),
        pytest.param(proposing("status", device_alias="Lamp"), "read", "STATUS", "dry_run", id="reading"),
        pytest.param(
            {**proposing("turn_on", device_alias="Lamp"), "dry_run": True},
            "dry_run",
            "PREVIEW",
            "dry_run",
            id="preview",
        ),
    ],
)
async def test_not_executed(driver: Driver, payload: dict[str, object], outcome: str, code: str, gate: str) -> None:
    """What is not ready never reaches the backend; its end is recorded all the same."""
    answer = (await driver.pipeline.submit(replace(asking(), payload=payload))).answer()
    assert (answer["outcome"], answer["code"], answer["gate"]) == (outcome, code, gate)
    assert driver.backend.executed == []
    assert driver.evidence.intents == []
    assert driver.ends() == [(outcome, code)]


async def test_no_evidence_no_action(driver: Driver) -> None:
    """An intent that cannot be written blocks (R8)."""
    driver.evidence.unwritable = OSError("disk full")
    answer = (await driver.pipeline.submit(asking())).answer()
    assert (answer["outcome"], answer["code"]) == ("blocked", "EVIDENCE_UNAVAILABLE")
    assert driver.backend.executed == []
    assert driver.ends() == [("blocked", "EVIDENCE_UNAVAILABLE")]


async def test_unreadable_evidence_blocks(driver: Driver) -> None:
    """Where nobody can tell whether it is a retry, nothing is done (R13)."""
    driver.evidence.unreadable = OSError("gone")
    answer = (await driver.pipeline.submit(asking(request_id="r1"))).answer()
    assert (answer["outcome"], answer["code"]) == ("blocked", "EVIDENCE_UNAVAILABLE")
    assert driver.backend.executed == []


def _engage(driver: Driver) -> None:
    driver.house.locked_down = True
    driver.home.revision += 1


def _deny(driver: Driver) -> None:
    driver.house.table = UNREADABLE
    driver.home.revision += 1


def _pause(driver: Driver) -> None:
    driver.house.stand = Standing(status="disabled")
    driver.home.revision += 1


def _unplug(driver: Driver) -> None:
    driver.house.states["light.lamp"] = DeviceState(state="unavailable")


def _switch_on(driver: Driver) -> None:
    driver.house.states["light.lamp"] = DeviceState(state="on", attributes=DIMMABLE)


def _unknown(driver: Driver) -> None:
    driver.house.states["light.lamp"] = DeviceState(state="unknown", attributes=DIMMABLE)


@pytest.mark.parametrize(
    ("change", "outcome", "code"),
    [
        pytest.param(_engage, "blocked", "LOCKDOWN", id="lockdown"),
        pytest.param(_deny, "blocked", "POLICY_UNREADABLE", id="another policy"),
        pytest.param(_pause, "blocked", "AGENT_DISABLED", id="agent paused"),
        pytest.param(_unplug, "blocked", "ENTITY_UNAVAILABLE", id="unplugged"),
        pytest.param(_switch_on, "no_change", "ALREADY_SO", id="on by other hands"),
        pytest.param(_unknown, "cancelled", "SUPERSEDED", id="another state"),
    ],
)
async def test_changed_while_writing(driver: Driver, change: Callable[[Driver], None], outcome: str, code: str) -> None:
    """What changes while the intent is written is seen before anything is called."""
    driver.evidence.during = lambda: change(driver)
    answer = (await driver.pipeline.submit(asking())).answer()
    assert (answer["outcome"], answer["code"]) == (outcome, code)
    assert driver.backend.executed == []
    assert driver.ends() == [(outcome, code)]


async def test_changed_and_the_same(driver: Driver) -> None:
    """A change that leaves the plan as it was does not stop it, and does not count as a second request."""
    driver.house.stand = Standing(status="active", requests_per_minute=1)
    driver.evidence.during = lambda: setattr(driver.home, "revision", 1)
    answer = (await driver.pipeline.submit(asking())).answer()
    assert (answer["outcome"], answer["code"]) == ("executed", "DONE")
    assert len(driver.backend.executed) == 1


async def test_rate_counts_finished_requests(driver: Driver) -> None:
    """The second request of one is too many, whatever became of the first."""
    driver.house.stand = Standing(status="active", requests_per_minute=1)
    first = (await driver.pipeline.submit(replace(asking("01TEST"), payload={}))).answer()
    second = (await driver.pipeline.submit(asking("02TEST"))).answer()
    assert (first["code"], second["code"]) == ("SCHEMA", "RATE_LIMIT")


async def test_twice_at_once(driver: Driver) -> None:
    """The same request sent twice at once is executed once, and both callers get the same trace (R13)."""
    driver.backend.acting = asyncio.Event()
    first = asyncio.ensure_future(driver.pipeline.submit(asking("01TEST", "r1")))
    second = asyncio.ensure_future(driver.pipeline.submit(asking("02TEST", "r1", reason="again")))
    await asyncio.sleep(0.01)
    driver.backend.acting.set()
    answers = [trace.answer() for trace in await asyncio.gather(first, second)]
    assert answers[0] == answers[1]
    assert answers[0]["trace_id"] == "01TEST"
    assert len(driver.backend.executed) == 1
    assert driver.ends() == [("executed", "DONE")]


async def test_once_more(driver: Driver) -> None:
    """The same request sent again later gets the first answer; nothing is done again."""
    first = (await driver.pipeline.submit(asking("01TEST", "r1"))).answer()
    driver.house.states["light.lamp"] = DeviceState(state="off", attributes=DIMMABLE)
    second = (await driver.pipeline.submit(asking("02TEST", "r1"))).answer()
    assert second == first
    assert len(driver.backend.executed) == 1


async def test_refusals_repeat(driver: Driver) -> None:
    """A refusal is an end as well: the same id gives it again, also when it would be allowed now."""
    driver.house.locked_down = True
    first = (await driver.pipeline.submit(asking("01TEST", "r1"))).answer()
    driver.house.locked_down = False
    second = (await driver.pipeline.submit(asking("02TEST", "r1"))).answer()
    assert (first["code"], second) == ("LOCKDOWN", first)
    assert driver.backend.executed == []


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "later"])
async def test_other_content(driver: Driver, at_once: bool) -> None:
    """The same id with other content is a conflict; the first goes its way and stays what it was."""
    driver.backend.acting = asyncio.Event()
    first = asyncio.ensure_future(driver.pipeline.submit(asking("01TEST", "r1")))
    await asyncio.sleep(0.01)
    (driver.backend.acting.set, lambda: None)[at_once]()
    await asyncio.sleep(0.01)
    conflict = (await driver.pipeline.submit(asking("02TEST", "r1", dry_run=True))).answer()
    driver.backend.acting.set()
    assert (conflict["trace_id"], conflict["code"], conflict["field"]) == (
        "02TEST",
        "REQUEST_ID_CONFLICT",
        "request_id",
    )
    assert (await first).answer()["outcome"] == "executed"
    assert (await driver.pipeline.submit(asking("03TEST", "r1"))).answer()["trace_id"] == "01TEST"
    assert len(driver.backend.executed) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(asking("01TEST", "r1"), asking("02TEST", "r1", OTHER), id="another caller"),
        pytest.param(asking("01TEST", "r1"), asking("02TEST", "r2"), id="another id"),
        pytest.param(asking("01TEST"), asking("02TEST"), id="no id"),
    ],
)
async def test_two_requests(driver: Driver, one: Any, other: Any) -> None:
    """Ids belong to their caller, and what has none is a request of its own."""
    await driver.pipeline.submit(one)
    await driver.pipeline.submit(other)
    assert len(driver.backend.executed) == 2


async def test_strangers_claim_no_ids(driver: Driver) -> None:
    """A caller whom nobody knows gets its refusal each time; its id is nobody's."""
    driver.house.stand = Standing(status="unknown")
    first = (await driver.pipeline.submit(asking("01TEST", "r1", STRANGER))).answer()
    second = (await driver.pipeline.submit(asking("02TEST", "r1", STRANGER))).answer()
    assert (first["trace_id"], second["trace_id"]) == ("01TEST", "02TEST")
    assert (first["code"], second["code"]) == ("AGENT_UNKNOWN", "AGENT_UNKNOWN")


async def test_a_caller_that_goes_away(driver: Driver) -> None:
    """A caller that hangs up does not stop its request; a retry gets its end."""
    driver.backend.acting = asyncio.Event()
    caller = asyncio.ensure_future(driver.pipeline.submit(asking("01TEST", "r1")))
    await asyncio.sleep(0.01)
    caller.cancel()
    await asyncio.gather(caller, return_exceptions=True)
    retry = asyncio.ensure_future(driver.pipeline.submit(asking("02TEST", "r1")))
    await asyncio.sleep(0.01)
    driver.backend.acting.set()
    answer = (await retry).answer()
    assert (answer["trace_id"], answer["outcome"]) == ("01TEST", "executed")
    assert len(driver.backend.executed) == 1


async def test_backend_that_raises(driver: Driver) -> None:
    """Nobody knows what a broken backend did (R11)."""
    driver.backend.error = RuntimeError("broken")
    answer = (await driver.pipeline.submit(asking())).answer()
    assert (answer["outcome"], answer["code"]) == ("unknown", "TIMED_OUT")
    assert "status" in str(answer["hint"])
    assert driver.ends() == [("unknown", "TIMED_OUT")]


async def test_stopped_while_executing(driver: Driver) -> None:
    """What was executing when EdgeHome stops is unknown, for the caller and in the evidence (R11)."""
    driver.backend.acting = asyncio.Event()
    caller = asyncio.ensure_future(driver.pipeline.submit(asking(request_id="r1")))
    await asyncio.sleep(0.01)
    await driver.pipeline.stop()
    answer = (await caller).answer()
    assert (answer["outcome"], answer["code"]) == ("unknown", "INTERRUPTED")
    assert driver.ends() == [("unknown", "INTERRUPTED")]
    assert len(driver.backend.executed) == 1


async def test_stopped_before_executing(driver: Driver) -> None:
    """What was not dispatched yet is not done, and said so."""
    driver.evidence.writing = asyncio.Event()
    caller = asyncio.ensure_future(driver.pipeline.submit(asking(request_id="r1")))
    await asyncio.sleep(0.01)
    await driver.pipeline.stop()
    answer = (await caller).answer()
    assert (answer["outcome"], answer["code"]) == ("cancelled", "STOPPED")
    assert driver.ends() == [("cancelled", "STOPPED")]
    assert driver.backend.executed == []


@pytest.mark.parametrize(
    ("result", "outcome", "code", "message"),
    [
        pytest.param(
            [ActionResult(entity_id="light.lamp", done=True, verification=Verification.VERIFIED)],
            "executed",
            "DONE",
            "the device followed",
            id="verified",
        ),
        pytest.param(
            [ActionResult(entity_id="light.lamp", done=True, verification=Verification.MOVING)],
            "executed",
            "DONE",
            "on its way",
            id="moving",
        ),
        pytest.param(
            [ActionResult(entity_id="light.lamp", done=True, verification=Verification.UNVERIFIED)],
            "executed",
            "DONE",
            "cannot be told",
            id="unverified",
        ),
        pytest.param(
            [
                ActionResult(entity_id="light.lamp", done=True, verification=Verification.VERIFIED),
                ActionResult(entity_id="light.b", done=True, verification=Verification.UNVERIFIED),
            ],
            "executed",
            "DONE",
            "cannot be told",
            id="the worst is told",
        ),
        pytest.param(
            [
                ActionResult(entity_id="light.lamp", done=True, verification=Verification.UNKNOWN, state="unavailable"),
                ActionResult(entity_id="light.b", done=True, verification=Verification.MISMATCH, state="off"),
            ],
            "executed",
            "NOT_FOLLOWED",
            "not followed: light.b (off)",
            id="came to rest at something else",
        ),
        pytest.param(
            [ActionResult(entity_id="light.lamp", done=True, verification=Verification.UNKNOWN, state="unavailable")],
            "executed",
            "DONE",
            "not known: Lamp (unavailable)",
            id="went away",
        ),
        pytest.param(
            [ActionResult(entity_id="light.lamp", done=False, error="no route")],
            "failed",
            "BACKEND_FAILED",
            "no route",
            id="failed",
        ),
        pytest.param([], "failed", "BACKEND_FAILED", "nothing was called", id="nothing"),
        pytest.param(
            [
                ActionResult(entity_id="light.lamp", done=True, verification=Verification.VERIFIED),
                ActionResult(entity_id="light.b", done=False, error="no route"),
            ],
            "partial",
            "PARTLY_DONE",
            "1 done, 1 failed",
            id="one of two",
        ),
    ],
)
async def test_results(driver: Driver, result: list[ActionResult], outcome: str, code: str, message: str) -> None:
    """What is said is what is known (R11)."""
    driver.backend.result = ExecutionResult(results=tuple(result))
    answer = (await driver.pipeline.submit(asking())).answer()
    assert (answer["outcome"], answer["code"]) == (outcome, code)
    assert message in str(answer["message"])


async def test_timed_out(driver: Driver) -> None:
    """A call that nobody answered is unknown, not failed."""
    driver.backend.result = ExecutionResult(results=(), timed_out=True)
    answer = (await driver.pipeline.submit(asking())).answer()
    assert (answer["outcome"], answer["code"]) == ("unknown", "TIMED_OUT")


async def test_skipped_members_make_it_partial(driver: Driver) -> None:
    """A room of which one device is left out is done in part."""
    payload = proposing("turn_on", room="Hall", device_type="light")
    answer = (await driver.pipeline.submit(replace(asking(), payload=payload))).answer()
    assert (answer["outcome"], answer["message"]) == ("partial", "1 done, 0 failed, 1 skipped.")


@pytest.mark.parametrize(
    ("locked_down", "code"), [pytest.param(False, None, id="open"), pytest.param(True, "LOCKDOWN", id="lockdown")]
)
async def test_admit(driver: Driver, locked_down: bool, code: str | None) -> None:
    """Questions that are no proposals pass the first gate alone; a refusal is recorded."""
    driver.house.locked_down = locked_down
    refused = driver.pipeline.admit(asking())
    answers = [] if refused is None else [refused.answer()["code"]]
    assert answers == [code] * locked_down
    assert driver.ends() == [("blocked", "LOCKDOWN")] * locked_down
    assert driver.house.counted == ["01TEST"]


async def test_a_home_that_cannot_tell(driver: Driver) -> None:
    """A fault outside the gates blocks as well, with an end on record (R2)."""
    driver.house.table = STRICT
    driver.home.facts = _broken  # type: ignore[method-assign]  # the fault that is made
    answer = (await driver.pipeline.submit(asking())).answer()
    assert (answer["outcome"], answer["code"]) == ("blocked", "INTERNAL_ERROR")
    assert driver.ends() == [("blocked", "INTERNAL_ERROR")]
    assert driver.backend.executed == []


def _broken(fetched: object = None) -> Any:
    raise RuntimeError("broken")
