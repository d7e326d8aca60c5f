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

from ..devices import DeviceState
from ..evidence.store import ExecutionTicket
from ..expectation import has_failed, has_followed, is_moving
from ..plan import ActionResult, ExecutionResult, GatedCommand, Verification

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
        """Makes all of the plan's calls at once, one for each entity, then looks.

        Nothing is awaited between the first call and the last: what was judged is what is called. A call that fails
        does not touch the others. Calls that take longer than ``CALL_SECONDS`` end the plan with ``timed_out`` and go
        on by themselves: breaking them off could leave a device half way.

        Raises:
            RuntimeError: the ticket was used before.
        """
        ticket.spend()
        context = Context(parent_id=ticket.context_id)
        calls = {action.entity_id: self._start(action, context) for action in ticket.plan.actions}
        _, late = await asyncio.wait(calls.values(), timeout=CALL_SECONDS)
        if late:
            for call in late:
                call.add_done_callback(_report_late)
            return ExecutionResult(results=(), timed_out=True)
        errors = {entity_id: _error_of(call) for entity_id, call in calls.items()}
        await self._follow([action for action in ticket.plan.actions if errors[action.entity_id] is None])
        return ExecutionResult(
            results=tuple(self._result(action, errors[action.entity_id]) for action in ticket.plan.actions)
        )

    def _start(self, action: GatedCommand, context: Context) -> asyncio.Task[object]:
        domain, _, service = (action.service or "").partition(".")
        call = self._hass.services.async_call(domain, service, action.payload, blocking=True, context=context)
        return self._hass.async_create_task(call, f"edgehome {action.service} {action.entity_id}")

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
        return (
            not action.expect
            or state is None
            or state.is_assumed
            or (has_followed(action.expect, state) and self._members_followed(action))
            or is_moving(action.expect, state)
            or _says_no(action, state)
        )

    def _members_followed(self, action: GatedCommand) -> bool:
        """Whether each member of a group that can be reached followed: the group shows one state for all of them."""
        states = [self._state(member) for member in action.members]
        return all(state is None or not state.is_available or has_followed(action.expect, state) for state in states)

    def _result(self, action: GatedCommand, error: str | None) -> ActionResult:
        state = self._state(action.entity_id)
        if error is None and state and _says_no(action, state):
            error = f"{action.name} is {state.state}"
        verification = Verification.UNVERIFIED
        if state and has_followed(action.expect, state) and self._members_followed(action):
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


def _says_no(action: GatedCommand, state: DeviceState) -> bool:
    """Whether the device reports since the call that it could not, as a jammed lock does."""
    return state.state != action.before and has_failed(action.expect, state)


def _error_of(call: asyncio.Task[object]) -> str | None:
    """What went wrong in a finished call, or None."""
    if call.cancelled():
        return "the call was broken off"
    error = call.exception()
    if error is None:
        return None
    if not isinstance(error, HomeAssistantError):
        _LOGGER.error("%s failed", call.get_name(), exc_info=error)
    return str(error) or type(error).__name__


def _report_late(task: asyncio.Task[object]) -> None:
    if not task.cancelled() and (error := task.exception()):
        _LOGGER.warning("An action that took too long failed in the end: %s", error)
