"""Looks whether devices follow what they were told: quickly for the answer, patiently for the trace (R11)."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

from homeassistant.core import (
    Context,
    Event,
    EventStateChangedData,
    EventStateReportedData,
    HomeAssistant,
    callback,
)
from homeassistant.helpers.event import async_track_state_change_event, async_track_state_report_event

from ..devices import DeviceState
from ..expectation import has_failed, has_followed, is_moving
from ..plan import ActionResult, GatedCommand, Verification

LOOK_SECONDS = 2.0
"""How long an answer waits for devices to report."""
QUIET_SECONDS = 10.0
"""A device that reported something else, and nothing more for so long, has come to rest there."""
STILL_SECONDS = 60.0
"""How long a device that does not move is waited for in all."""
MOVING_SECONDS = 300.0
"""How long one that is on its way is: a slow gate, a long blind."""

OVERTAKEN = "somebody else changed it meanwhile"


class Watching:
    """Follows a plan's entities, and the members of groups, from before the calls until each has come to an end."""

    def __init__(self, hass: HomeAssistant, actions: Iterable[GatedCommand], context: Context) -> None:
        self._hass = hass
        self._actions = tuple(actions)
        self._context = context
        self._begin = hass.loop.time()
        self._moved: dict[str, float] = {}
        self._reported: dict[str, float] = {}
        self._overtaken: set[str] = set()
        self._news = asyncio.Event()
        # What looked as asked for before the call, within what a device may round, proves nothing.
        self._early = frozenset(action.entity_id for action in self._actions if self._looks_followed(action))
        watched = tuple({one for action in self._actions for one in self._parts(action)})
        self._stops = (
            async_track_state_change_event(hass, watched, self._changed),
            async_track_state_report_event(hass, watched, self._said_again),
        )

    def leave_out(self, entity_ids: Iterable[str]) -> None:
        """Waits no more for entities whose call failed."""
        left_out = set(entity_ids)
        self._actions = tuple(action for action in self._actions if action.entity_id not in left_out)

    def end(self) -> None:
        """Looks no more."""
        for stop in self._stops:
            stop()

    @callback
    def _changed(self, event: Event[EventStateChangedData]) -> None:
        entity_id, context = event.data["entity_id"], event.context
        is_ours = context.id == self._context.id
        if not is_ours and (context.user_id is not None or context.parent_id is not None):
            self._overtaken.add(entity_id)
        self._note(entity_id)

    @callback
    def _said_again(self, event: Event[EventStateReportedData]) -> None:
        self._note(event.data["entity_id"])

    def _note(self, entity_id: str) -> None:
        self._reported[entity_id] = now = self._hass.loop.time()
        for action in self._actions:
            state = self._state(action.entity_id)
            if entity_id == action.entity_id and state and is_moving(action.expect, state):
                self._moved[entity_id] = now
        self._news.set()

    async def look(self) -> None:
        """Waits until each device followed, is on its way, says no, or cannot be compared; at most ``LOOK_SECONDS``."""
        latest = self._begin + LOOK_SECONDS
        await self._wait_for(lambda action: self._begin if self._is_through(action) else latest)

    async def follow(self) -> None:
        """Waits until each device has come to an end, at most ``MOVING_SECONDS``."""
        await self._wait_for(self._end_of)

    async def _wait_for(self, end_of: Callable[[GatedCommand], float]) -> None:
        """Waits until the time has come at which the last action ends; every report can change when that is."""
        while (latest := max(map(end_of, self._actions), default=0)) > self._hass.loop.time():
            self._news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(latest):
                    await self._news.wait()

    def _is_through(self, action: GatedCommand) -> bool:
        return self._says_no(action) or self._seen(action) is not Verification.WAITING

    def _end_of(self, action: GatedCommand) -> float:
        """When there is nothing more to wait for, as it looks now."""
        seen = self._seen(action)
        if self._says_no(action) or seen not in {Verification.MOVING, Verification.WAITING}:
            return self._begin
        if seen is Verification.MOVING:
            return self._begin + MOVING_SECONDS
        latest = max(self._begin, self._moved.get(action.entity_id, 0)) + STILL_SECONDS
        said = self._said(action)
        return latest if said is None else min(latest, said + QUIET_SECONDS)

    def _said(self, action: GatedCommand) -> float | None:
        """When a device, or a member of a group, reported last since the call; None if it did not."""
        times = [at for one in self._parts(action) if (at := self._reported.get(one)) is not None]
        state = self._state(action.entity_id)
        return max(times, default=None) if state and state.is_available else None

    def _seen(self, action: GatedCommand) -> Verification:
        """What the device shows now."""
        state = self._state(action.entity_id)
        if not action.expect:
            return Verification.UNVERIFIED
        if state is None or not state.is_available:
            return Verification.WAITING
        if state.is_assumed:
            return Verification.UNVERIFIED
        if self._looks_followed(action) and (self._has_news(action) or not self._needs_news(action)):
            return Verification.VERIFIED
        if self._overtaken.intersection(self._parts(action)):
            return Verification.UNVERIFIED
        return Verification.MOVING if is_moving(action.expect, state) else Verification.WAITING

    def _looks_followed(self, action: GatedCommand) -> bool:
        """Whether a device, and each member of a group that can be reached, looks as asked for.

        The group shows one state for all of them.
        """
        states = [self._state(one) for one in self._parts(action)]
        there = [state for state in states if state is not None and state.is_available]
        return bool(there) and states[0] in there and all(has_followed(action.expect, state) for state in there)

    def _needs_news(self, action: GatedCommand) -> bool:
        return action.stale or action.entity_id in self._early

    def _has_news(self, action: GatedCommand) -> bool:
        """Whether the device, and each member of a group that can be reached, reported since the call."""
        states = {one: self._state(one) for one in self._parts(action)}
        return all(one in self._reported for one, state in states.items() if state is not None and state.is_available)

    @staticmethod
    def _parts(action: GatedCommand) -> tuple[str, ...]:
        return (action.entity_id, *action.members)

    def result(self, action: GatedCommand, error: str | None, *, is_final: bool) -> ActionResult:
        """What came of an action; ``error`` is what was wrong with its call."""
        state = self._state(action.entity_id)
        if error is None and state and self._says_no(action):
            error = f"{action.name} is {state.state}"
        seen = self._seen(action)
        is_overtaken = seen is Verification.UNVERIFIED and bool(self._overtaken.intersection(self._parts(action)))
        if is_final:
            seen = self._final(action, seen)
        return ActionResult(
            entity_id=action.entity_id,
            done=error is None,
            verification=seen if error is None else None,
            state=state.state if state else None,
            error=error,
            note=OVERTAKEN if error is None and is_overtaken else None,
        )

    def _final(self, action: GatedCommand, seen: Verification) -> Verification:
        """The last word on what is still open."""
        state = self._state(action.entity_id)
        if seen is Verification.MOVING or (seen is Verification.WAITING and not (state and state.is_available)):
            return Verification.UNKNOWN
        if seen is not Verification.WAITING:
            return seen
        return Verification.UNVERIFIED if self._said(action) is None else Verification.MISMATCH

    def _says_no(self, action: GatedCommand) -> bool:
        """Whether the device reports since the call that it could not, as a jammed lock does."""
        state = self._state(action.entity_id)
        return state is not None and state.state != action.before and has_failed(action.expect, state)

    def _state(self, entity_id: str) -> DeviceState | None:
        state = self._hass.states.get(entity_id)
        return DeviceState(state=state.state, attributes=state.attributes) if state else None
