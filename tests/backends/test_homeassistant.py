"""The backend: how calls are made, what it does about failures, and what it says about the devices afterwards."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from unittest.mock import patch

import pytest
from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.util.ulid import ulid_now
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_capture_events

from custom_components.edgehome.backends.homeassistant import HomeAssistantBackend
from custom_components.edgehome.codes import Code, Outcome
from custom_components.edgehome.evidence.store import ExecutionTicket
from custom_components.edgehome.models import Intent
from custom_components.edgehome.plan import (
    ActionResult,
    Effect,
    ExecutionPlan,
    ExecutionResult,
    Expectation,
    GatedCommand,
    Verification,
)
from custom_components.edgehome.trace import PipelineTrace
from tests.made_house import request

OFF = (Expectation(value="off"),)
BACKEND = "custom_components.edgehome.backends.homeassistant"
LOOK = "custom_components.edgehome.backends.watching.LOOK_SECONDS"


def action(entity_id: str, service: str, expect: tuple[Expectation, ...] = (), **data: object) -> GatedCommand:
    """An action as the gates leave it."""
    return GatedCommand(
        entity_id=entity_id,
        name=entity_id,
        device_type="light",
        operations=(Intent.TURN_OFF,),
        effect=Effect.ADJUST,
        risk=1,
        service=service,
        data=data,
        expect=expect,
    )


async def ticket_for(entry: MockConfigEntry, *actions: GatedCommand, context_id: str | None = None) -> ExecutionTicket:
    """A ticket of the real evidence store."""
    trace = PipelineTrace(
        request=replace(request({}), trace_id=ulid_now(), context_id=context_id),
        outcome=Outcome.UNKNOWN,
        code=Code.INTERRUPTED,
        message="",
        plan=ExecutionPlan(actions=actions),
    )
    ticket: ExecutionTicket = await entry.runtime_data.evidence.intent(trace)
    return ticket


async def carry_out(hass: HomeAssistant, entry: MockConfigEntry, *actions: GatedCommand) -> ExecutionResult:
    """Executes a plan."""
    return await HomeAssistantBackend(hass).execute(await ticket_for(entry, *actions))


def register(hass: HomeAssistant, handler: Callable[[ServiceCall], Coroutine[object, object, None]]) -> None:
    """An action of this test's own: ``made.act``."""
    hass.services.async_register("made", "act", handler)


async def test_context(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A call has no user and the agent's call as its parent, and the device's change shows it."""
    calls = async_capture_events(hass, EVENT_CALL_SERVICE)
    parent = Context(user_id="somebody")
    ticket = await ticket_for(home, action("light.kitchen_lights", "light.turn_off", OFF), context_id=parent.id)
    await HomeAssistantBackend(hass).execute(ticket)
    (call,) = calls
    assert (call.context.parent_id, call.context.user_id) == (parent.id, None)
    state = hass.states.get("light.kitchen_lights")
    assert state is not None
    assert state.context == call.context


async def test_calls(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Each entity gets a call of its own with its own data, in the plan's order."""
    events = async_capture_events(hass, EVENT_CALL_SERVICE)
    result = await carry_out(
        hass,
        home,
        action("light.bed_light", "light.turn_on", brightness_pct=10),
        action("light.kitchen_lights", "light.turn_off"),
        action("light.ceiling_lights", "light.turn_on", brightness_pct=10),
    )
    assert [(event.data["service"], event.data["service_data"]) for event in events] == [
        ("turn_on", {"brightness_pct": 10, "entity_id": ["light.bed_light"]}),
        ("turn_off", {"entity_id": ["light.kitchen_lights"]}),
        ("turn_on", {"brightness_pct": 10, "entity_id": ["light.ceiling_lights"]}),
    ]
    assert [item.done for item in result.results] == [True, True, True]


async def test_all_calls_are_made_at_once(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A slow device does not keep the others waiting: what was judged is what is called."""
    others = asyncio.Event()

    async def wait_for_others(call: ServiceCall) -> None:
        await {"light.bed_light": others.wait, "light.kitchen_lights": signal}[call.data["entity_id"][0]]()

    async def signal() -> None:
        others.set()

    register(hass, wait_for_others)
    result = await carry_out(
        hass, home, action("light.bed_light", "made.act"), action("light.kitchen_lights", "made.act")
    )
    assert [item.done for item in result.results] == [True, True]


async def test_ticket_is_good_once(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A ticket that was used is refused before anything is called (R8)."""
    ticket = await ticket_for(home, action("light.kitchen_lights", "light.turn_off"))
    await HomeAssistantBackend(hass).execute(ticket)
    events = async_capture_events(hass, EVENT_CALL_SERVICE)
    with pytest.raises(RuntimeError):
        await HomeAssistantBackend(hass).execute(ticket)
    assert events == []


@pytest.mark.parametrize(
    ("error", "told"),
    [
        pytest.param(HomeAssistantError("no power"), "no power", id="Home Assistant's own error"),
        pytest.param(ServiceValidationError("too far"), "too far", id="validation"),
        pytest.param(ValueError("odd"), "odd", id="any error"),
        pytest.param(ValueError(), "ValueError", id="error without words"),
        pytest.param(TimeoutError(), "TimeoutError", id="the integration's own time-out"),
    ],
)
async def test_one_failing_call(hass: HomeAssistant, home: MockConfigEntry, error: Exception, told: str) -> None:
    """A call that fails is reported and does not stop those after it."""

    async def fail(_: ServiceCall) -> None:
        raise error

    register(hass, fail)
    result = await carry_out(
        hass, home, action("light.bed_light", "made.act"), action("light.kitchen_lights", "light.turn_off", OFF)
    )
    assert result == ExecutionResult(
        results=(
            ActionResult(entity_id="light.bed_light", done=False, verification=None, state="off", error=told),
            ActionResult(
                entity_id="light.kitchen_lights", done=True, verification=Verification.VERIFIED, state="off", error=None
            ),
        )
    )


async def test_service_that_is_gone(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A service that went away between judgement and call is a failed call."""
    (result,) = (await carry_out(hass, home, action("light.bed_light", "made.act"))).results
    assert (result.done, result.verification) == (False, None)
    assert "made.act" in str(result.error)


async def test_call_that_was_broken_off(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A call that its integration broke off is a failed call."""

    async def break_off(_: ServiceCall) -> None:
        raise asyncio.CancelledError

    register(hass, break_off)
    result = await carry_out(
        hass, home, action("light.bed_light", "made.act"), action("light.kitchen_lights", "made.act")
    )
    assert [(item.done, item.error) for item in result.results] == [(False, "the call was broken off")] * 2


@pytest.mark.parametrize(
    ("error", "logged"),
    [
        pytest.param(None, [], id="it ends well"),
        pytest.param(
            HomeAssistantError("late"),
            ["An action that took too long failed in the end: late"],
            id="it fails in the end",
        ),
    ],
)
async def test_time_out(
    hass: HomeAssistant,
    home: MockConfigEntry,
    caplog: pytest.LogCaptureFixture,
    error: Exception | None,
    logged: list[str],
) -> None:
    """A call that takes too long ends the plan as timed out; the call itself goes on to its end."""
    go_on, ended = asyncio.Event(), asyncio.Event()

    async def slow(_: ServiceCall) -> None:
        await go_on.wait()
        ended.set()
        for one in filter(None, (error,)):
            raise one

    register(hass, slow)
    quick = action("light.kitchen_lights", "light.turn_off", OFF)
    with patch(f"{BACKEND}.CALL_SECONDS", 0.01):
        result = await carry_out(hass, home, action("light.bed_light", "made.act"), quick)
    assert result == ExecutionResult(results=(), timed_out=True)
    assert not ended.is_set()
    go_on.set()
    await hass.async_block_till_done()
    assert ended.is_set()
    assert hass.states.is_state("light.kitchen_lights", "off")
    assert [record.getMessage() for record in caplog.records if "in the end" in record.getMessage()] == logged


MOVING = (Expectation(value="open", moving=("opening",)),)


@pytest.mark.parametrize(
    ("made", "verification", "state"),
    [
        pytest.param(
            action("light.kitchen_lights", "light.turn_off", OFF), Verification.VERIFIED, "off", id="it followed"
        ),
        pytest.param(
            action("cover.living_room_window", "made.act", MOVING),
            Verification.MOVING,
            "opening",
            id="it is on its way",
        ),
        pytest.param(
            action("light.kitchen_lights", "light.turn_on", OFF), Verification.WAITING, "on", id="it did not follow"
        ),
        pytest.param(
            action("light.kitchen_lights", "light.turn_off"), Verification.UNVERIFIED, "off", id="nothing to compare"
        ),
        pytest.param(action("light.nowhere", "light.turn_off", OFF), Verification.WAITING, None, id="it has no state"),
    ],
)
async def test_verification(
    hass: HomeAssistant, home: MockConfigEntry, made: GatedCommand, verification: Verification, state: str | None
) -> None:
    """What is said about a device is what its state says (R11)."""

    async def start_moving(_: ServiceCall) -> None:
        hass.states.async_set("cover.living_room_window", "opening", {"current_position": 71})

    register(hass, start_moving)
    with patch(LOOK, 0.01):
        (result,) = (await carry_out(hass, home, made)).results
    assert result == ActionResult(
        entity_id=made.entity_id, done=True, verification=verification, state=state, error=None
    )


async def test_late_reports_are_waited_for(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Devices that report after their call has returned are verified, all of them."""

    async def report() -> None:
        await asyncio.sleep(0)
        hass.states.async_set("light.bed_light", "off", {"brightness": 3})
        await asyncio.sleep(0)
        hass.states.async_set("light.bed_light", "off")
        hass.states.async_set("light.kitchen_lights", "unknown")
        await asyncio.sleep(0)
        hass.states.async_set("light.kitchen_lights", "off")

    async def accept(_: ServiceCall) -> None:
        hass.async_create_task(report(), eager_start=False)

    register(hass, accept)
    for entity_id in ("light.bed_light", "light.kitchen_lights"):
        hass.states.async_set(entity_id, "on")
    result = await carry_out(
        hass, home, action("light.bed_light", "made.act", OFF), action("light.kitchen_lights", "made.act", OFF)
    )
    assert [item.verification for item in result.results] == [Verification.VERIFIED, Verification.VERIFIED]


LOCKED = (Expectation(value="locked", moving=("locking",), failed=("jammed",)),)


@pytest.mark.parametrize(
    ("before", "reported", "done", "verification", "error"),
    [
        pytest.param("unlocked", "jammed", False, None, "lock.front_door is jammed", id="it says that it could not"),
        pytest.param("unlocked", "locked", True, Verification.VERIFIED, None, id="it could"),
        pytest.param("unlocked", "locking", True, Verification.MOVING, None, id="it is on its way"),
        pytest.param("jammed", "jammed", True, Verification.WAITING, None, id="it said so before already"),
        pytest.param("jammed", "locked", True, Verification.VERIFIED, None, id="it was jammed and is not any more"),
        pytest.param(None, "jammed", False, None, "lock.front_door is jammed", id="nobody knew how it was"),
    ],
)
async def test_jammed(
    hass: HomeAssistant,
    home: MockConfigEntry,
    before: str | None,
    reported: str,
    done: bool,
    verification: Verification | None,
    error: str | None,
) -> None:
    """A device that reports since the call that it could not has failed, and nobody waits for more (R11)."""

    async def turn(_: ServiceCall) -> None:
        hass.states.async_set("lock.front_door", reported)

    register(hass, turn)
    hass.states.async_set("lock.front_door", before or "unknown")
    made = replace(action("lock.front_door", "made.act", LOCKED), before=before)
    seconds = 0.01 if verification is Verification.WAITING else 30
    with patch(LOOK, seconds):
        (result,) = (await carry_out(hass, home, made)).results
    assert result == ActionResult(
        entity_id="lock.front_door", done=done, verification=verification, state=reported, error=error
    )
