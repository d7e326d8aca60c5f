"""Home Assistant's own actions as a backend: calls them, then looks whether the devices followed (R11).

Calls run without a user and with the agent's call as parent: the agent itself may not control anything, and the
logbook still shows whose request it was.
"""

import asyncio
import logging
from collections.abc import Mapping

from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from ..evidence.store import ExecutionTicket
from ..plan import ExecutionResult, GatedCommand
from .watching import Watching

_LOGGER = logging.getLogger(__name__)

CALL_SECONDS = 20.0
"""How long a call may take until nobody knows what it did."""


class HomeAssistantBackend:
    """Carries plans out."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._open: dict[str, tuple[Watching, Mapping[str, str | None]]] = {}

    async def execute(self, ticket: ExecutionTicket) -> ExecutionResult:
        """Makes all of the plan's calls at once, one for each entity, then looks.

        Nothing is awaited between the first call and the last: what was judged is what is called. A call that fails
        does not touch the others. Calls that take longer than ``CALL_SECONDS`` end the plan with ``timed_out`` and go
        on by themselves: breaking them off could leave a device half way. Where the result is open, ``follow`` gives
        the end of it.

        Raises:
            RuntimeError: the ticket was used before.
        """
        ticket.spend()
        context = Context(parent_id=ticket.context_id)
        watching = Watching(self._hass, ticket.plan.actions, context)
        try:
            calls = {action.entity_id: self._start(action, context) for action in ticket.plan.actions}
            _, late = await asyncio.wait(calls.values(), timeout=CALL_SECONDS)
            if late:
                for call in late:
                    call.add_done_callback(_report_late)
                return ExecutionResult(results=(), timed_out=True)
            errors = {entity_id: _error_of(call) for entity_id, call in calls.items()}
            watching.leave_out(entity_id for entity_id, error in errors.items() if error is not None)
            await watching.look()
            result = _result(ticket, watching, errors, is_final=False)
            if result.is_open:
                self._open[ticket.trace_id] = watching, errors
            return result
        finally:
            if ticket.trace_id not in self._open:
                watching.end()

    async def follow(self, ticket: ExecutionTicket) -> ExecutionResult:
        """Looks on until every device has come to an end.

        Raises:
            KeyError: the ticket's result was not open.
        """
        watching, errors = self._open.pop(ticket.trace_id)
        try:
            await watching.follow()
            return _result(ticket, watching, errors, is_final=True)
        finally:
            watching.end()

    def _start(self, action: GatedCommand, context: Context) -> asyncio.Task[object]:
        domain, _, service = (action.service or "").partition(".")
        call = self._hass.services.async_call(domain, service, action.payload, blocking=True, context=context)
        return self._hass.async_create_task(call, f"edgehome {action.service} {action.entity_id}")


def _result(
    ticket: ExecutionTicket, watching: Watching, errors: Mapping[str, str | None], *, is_final: bool
) -> ExecutionResult:
    results = (watching.result(action, errors[action.entity_id], is_final=is_final) for action in ticket.plan.actions)
    return ExecutionResult(results=tuple(results))


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
