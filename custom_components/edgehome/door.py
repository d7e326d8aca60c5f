"""What every door answers: proposals, and the questions around them.

A door finds out who is calling and wraps what was sent; these answer it, the same words through every door. Nothing is
validated before: what is wrong is answered in a structure that reaches every caller.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from itertools import batched

from .catalogue.device_types import is_of_type
from .codes import Code, Outcome
from .data import EdgeHomeData
from .listing import devices_for
from .models import MOST_WAIT, ActionRequest, PrincipalKind
from .policy.decision import circumstances
from .trace import RecordedTrace
from .undoing import LOOK_BACK, is_undoing, last_of, undone_by, way_back

type Answering = Callable[[EdgeHomeData, ActionRequest], Awaitable[dict[str, object]]]

PART = 50
"""How many devices are listed in one go before others get their turn."""


async def execute(data: EdgeHomeData, request: ActionRequest) -> dict[str, object]:
    """Sends a proposal through the chain."""
    return (await data.pipeline.submit(request)).answer()


async def list_devices(data: EdgeHomeData, request: ActionRequest) -> dict[str, object]:
    """Lists what this caller may name and do."""
    if refused := data.pipeline.admit(request):
        return refused.answer()
    if wrong := _wrong_question(request.payload):
        return wrong
    standing = data.house.standing(request.principal.id, request.principal.kind)
    devices = data.house.nameable(standing.areas)
    if isinstance(room := request.payload.get("room"), str):
        rooms = data.house.rooms_named(room)
        if not rooms:
            near = data.house.rooms_like(room, standing.areas)
            return refusal(Code.AREA_NOT_FOUND, f"There is no room called {room!r}.", "Leave room out.", "room", near)
        areas = {found.area_id for found in rooms}
        devices = tuple(record for record in devices if record.area_id in areas)
    if isinstance(wanted := request.payload.get("device_type"), str):
        devices = tuple(record for record in devices if is_of_type(record.device_type, record.domain, wanted))
    listed: list[dict[str, object]] = []
    now = circumstances(data.house.policy(), request.principal, data.house)
    for part in batched(devices, PART, strict=False):
        listed += devices_for(data.house, part, standing, now)
        await asyncio.sleep(0)
    return {"devices": listed}


_QUESTION = ("room", "device_type")


def _wrong_question(payload: Mapping[str, object]) -> dict[str, object] | None:
    """What is wrong with a question for devices, if anything: a narrowing that is not understood never widens (R6)."""
    for name, value in payload.items():
        if name not in _QUESTION:
            return refusal(Code.SCHEMA, f"Unknown field {name}.", "Fields are: room, device_type.", name, _QUESTION)
        if not isinstance(value, str):
            return refusal(Code.SCHEMA, f"{name} is not text.", f"Send {name} as text, or leave it out.", name)
    return None


async def get_trace(data: EdgeHomeData, request: ActionRequest) -> dict[str, object]:
    """Gives a trace to its own caller, and to the owner with everything the gates read."""
    if refused := data.pipeline.admit(request):
        return refused.answer()
    wait = request.payload.get("wait", 0)
    if isinstance(wait, bool) or not isinstance(wait, int | float) or not 0 <= wait <= MOST_WAIT:
        hint = f"Send wait from 0 to {MOST_WAIT} seconds; ask again if that is not enough."
        return refusal(Code.SCHEMA, "wait is out of range.", hint, "wait")
    trace = await _own_trace(data, request)
    if trace is None:
        return _no_such_trace(request)
    live = await data.pipeline.wait_for(trace.trace_id, request.wait)
    trace = await _own_trace(data, request) or trace
    is_owner = request.principal.kind is PrincipalKind.OWNER
    answer = {
        **(live or trace).answer(),
        "received_at": trace.received_at,
        "request": trace.about.get("request"),
        "gates": [dict(record) if is_owner else _without_reads(record) for record in trace.records],
    }
    if is_owner:
        answer |= {"caller": trace.about.get("principal"), "door": trace.about.get("door")}
        answer["notes"] = [dict(note) for note in trace.notes]
    return answer


async def cancel(data: EdgeHomeData, request: ActionRequest) -> dict[str, object]:
    """Takes back a request that waits for a human."""
    if refused := data.pipeline.admit(request):
        return refused.answer()
    trace = await _own_trace(data, request)
    if trace is None:
        return _no_such_trace(request)
    taken_back = data.questions.cancel(trace.trace_id) or data.pipeline.take_back(trace.trace_id)
    message = "Taken back; nothing was done." if taken_back else "It does not wait for a person: it has ended already."
    return {"trace_id": trace.trace_id, "cancelled": taken_back, "message": message}


_OWN = frozenset({"commands", "undoes"})
_ABOUT_UNDOING = frozenset({"trace_id", "request_id", "wait", "reason", "dry_run"})


async def undo(data: EdgeHomeData, request: ActionRequest) -> dict[str, object]:
    """Proposes to take back what a request did."""
    if refused := data.pipeline.admit(request):
        return refused.answer()
    if stray := next((name for name in request.payload if name not in _ABOUT_UNDOING), None):
        fields = tuple(sorted(_ABOUT_UNDOING))
        return refusal(
            Code.SCHEMA, f"Unknown field {str(stray)[:60]}.", f"Fields are: {', '.join(fields)}.", stray, fields
        )
    if request.request_id and (known := await data.evidence.find(request)) and is_undoing(known):
        # What is taken back was looked up then; looked up again it would be something else (R13).
        undone = undone_by(known)
        sent = known.about.get("request")
        is_same = isinstance(sent, dict) and bool(sent.get("dry_run")) == bool(request.payload.get("dry_run"))
        if not is_same or request.payload.get("trace_id") not in (None, undone):
            return data.pipeline.conflict(request).answer()
        return known.answer() | {"undoes": undone}
    if "trace_id" in request.payload:
        trace = await _own_trace(data, request)
        if trace is None:
            return _no_such_trace(request)
    else:
        trace = last_of(await data.evidence.latest(request.principal.id, LOOK_BACK), request.principal)
    areas = data.house.standing(request.principal.id, request.principal.kind).areas
    way = way_back(trace, data.house.facts(), areas) if trace else None
    if trace is None or way is None or not (way.commands or way.left_out):
        message = "There is nothing that can be taken back."
        return refusal(Code.NOTHING_TO_UNDO, message, "plan.actions of an answer says what is undoable.", "trace_id")
    if not way.commands:
        first = way.left_out[0]
        record = data.house.device(first.get("entity_id", ""))
        message = f"Nothing of it can be taken back. {record.name if record else 'There is'}: {first['why']}."
        return refusal(Code.NOTHING_TO_UNDO, message, "Say what you want instead.", "trace_id")
    sent = {name: value for name, value in request.payload.items() if name != "trace_id"}
    proposal = {**sent, "undoes": trace.trace_id, "commands": list(way.commands)}
    answer = (await data.pipeline.submit(replace(request, payload=proposal, own=_OWN))).answer()
    return answer | {"undoes": trace.trace_id, "left_out": list(way.left_out)}


async def _own_trace(data: EdgeHomeData, request: ActionRequest) -> RecordedTrace | None:
    """The trace that is asked for, if it is this caller's own or the caller is the owner."""
    wanted = request.payload.get("trace_id")
    trace = await data.evidence.trace(wanted) if isinstance(wanted, str) else None
    is_theirs = trace and (request.principal.kind is PrincipalKind.OWNER or trace.principal_id == request.principal.id)
    return trace if is_theirs else None


def _no_such_trace(request: ActionRequest) -> dict[str, object]:
    if "trace_id" not in request.payload:
        return refusal(Code.SCHEMA, "trace_id is missing.", "Send the trace_id of an answer.", "trace_id")
    hint = "Send the trace_id from the answer of edgehome.execute."
    return refusal(Code.TRACE_NOT_FOUND, "This caller has no such trace.", hint, "trace_id")


def _without_reads(record: Mapping[str, object]) -> dict[str, object]:
    """A gate's record without what it read: a refused caller does not get to know what it may not name."""
    return {key: record[key] for key in ("gate", "passed", "reason")}


def refusal(code: Code, message: str, hint: str, field: str, candidates: tuple[str, ...] = ()) -> dict[str, object]:
    """A refusal of a question: no trace is kept of it."""
    answer: dict[str, object] = {
        "outcome": Outcome.BLOCKED.value,
        "code": code.value,
        "message": message,
        "hint": hint,
        "field": field,
    }
    return answer | ({"candidates": list(candidates)} if candidates else {})
