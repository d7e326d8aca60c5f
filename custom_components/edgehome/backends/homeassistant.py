"""Home Assistant's own actions as a backend: calls them, then looks whether the devices followed (R11).

Calls run without a user and with the agent's call as parent: the agent itself may not control anything, and the
logbook still shows whose request it was.
"""

import asyncio
import logging

from homeassistant.core import (
    Context,
    Event,
    EventStateChangedData,
    HomeAssistant,
    callback,
)
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.event import async_track_state_change_event

from ..evidence.store import ExecutionTicket
from ..expectation import is_met, is_moving
from ..facts import DeviceState
from ..plan import ActionResult, Call, ExecutionResult, GatedCommand, Verification

_LOGGER = logging.getLogger(__name__)

CALL_SECONDS = 20.0
"""How long a call may take until nobody knows what it did."""

LOOK_SECONDS = 2.0
"""How long a device may take to report before it counts as unverified."""


class HomeAssistantBackend:
    """Carries plans out."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass

    async def execute(self, ticket: ExecutionTicket) -> ExecutionResult:
        """Makes the plan's calls in their order, then looks.

        A call that fails does not stop the others; one that takes longer than ``CALL_SECONDS`` ends the plan with
        ``timed_out``, and goes on by itself: breaking it off could leave a device half way.
        """
        context = Context(parent_id=ticket.context_id)
        errors: dict[str, str] = {}
        for call in ticket.plan.calls():
            error = await self._call(call, context)
            if error is _TOO_LONG:
                return ExecutionResult(results=(), timed_out=True)
            if error is not None:
                errors.update(dict.fromkeys(call.entity_ids, error))
        done = [action for action in ticket.plan.actions if action.entity_id not in errors]
        await self._follow(done)
        return ExecutionResult(
            results=tuple(self._result(action, errors.get(action.entity_id)) for action in ticket.plan.actions)
        )

    async def _call(self, call: Call, context: Context) -> str | None:
        """One call; what went wrong, or None."""
        domain, _, service = call.service.partition(".")
        data = {**call.data, "entity_id": list(call.entity_ids)}
        task = self._hass.async_create_task(
            self._hass.services.async_call(domain, service, data, blocking=True, context=context),
            f"edgehome {call.service}",
        )
        finished, _ = await asyncio.wait((task,), timeout=CALL_SECONDS)
        if not finished:
            task.add_done_callback(_report_late)
            return _TOO_LONG
        error = task.exception()
        if error is None:
            return None
        if not isinstance(error, HomeAssistantError):
            _LOGGER.error("Action %s failed", call.service, exc_info=error)
        return str(error) or type(error).__name__

    async def _follow(self, actions: list[GatedCommand]) -> None:
        """Waits until every device followed, at the longest ``LOOK_SECONDS``."""
        waiting = {action.entity_id: action for action in actions if not self._has_followed(action)}
        if not waiting:
            return
        followed = asyncio.Event()

        @callback
        def look(event: Event[EventStateChangedData]) -> None:
            entity_id = event.data["entity_id"]
            if entity_id in waiting and self._has_followed(waiting[entity_id]):
                del waiting[entity_id]
            if not waiting:
                followed.set()

        stop = async_track_state_change_event(self._hass, tuple(waiting), look)
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                await followed.wait()
        except TimeoutError:
            _LOGGER.debug("Not followed yet: %s", ", ".join(waiting))
        finally:
            stop()

    def _state(self, entity_id: str) -> DeviceState | None:
        state = self._hass.states.get(entity_id)
        return DeviceState(state=state.state, attributes=state.attributes) if state else None

    def _has_followed(self, action: GatedCommand) -> bool:
        """Whether there is nothing more to wait for: it followed, is on its way, or cannot be compared."""
        state = self._state(action.entity_id)
        return not action.expect or (
            state is not None and (is_met(action.expect, state) or is_moving(action.expect, state))
        )

    def _result(self, action: GatedCommand, error: str | None) -> ActionResult:
        state = self._state(action.entity_id)
        verification = Verification.UNVERIFIED
        if state and is_met(action.expect, state):
            verification = Verification.VERIFIED
        elif state and is_moving(action.expect, state):
            verification = Verification.MOVING
        return ActionResult(
            entity_id=action.entity_id,
            done=error is None,
            verification=verification if error is None else None,
            state=state.state if state else None,
            error=error,
        )


_TOO_LONG = "too long"


def _report_late(task: asyncio.Task[object]) -> None:
    if not task.cancelled() and (error := task.exception()):
        _LOGGER.warning("An action that took too long failed in the end: %s", error)
