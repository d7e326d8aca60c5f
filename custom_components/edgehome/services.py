"""The door of Home Assistant's own API: six actions that every caller may send, over REST, websocket or in automations.

* ``edgehome.execute``: proposes; every caller, the chain decides.
* ``edgehome.list_devices``: what this caller may name and do; whoever the input guard lets in.
* ``edgehome.get_trace``: what became of a request; its own caller, and the owner.
* ``edgehome.cancel``: takes back what waits for a human; its own caller, and the owner. There is no action that says yes.
* ``edgehome.undo``: proposes to take back what a request did; its own caller, and the owner.
* ``edgehome.simulate``: says what would become of an agent's request; the owner.

Nothing is validated here: the chain answers what is wrong in a structure that reaches every caller.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from itertools import batched
from typing import cast

from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.helpers.service import async_get_config_entry
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now

from .agents.identity import async_principal
from .catalogue.device_types import is_of_type
from .chain import Refuse
from .codes import Code, Outcome
from .const import DOMAIN
from .data import EdgeHomeConfigEntry, EdgeHomeData
from .errors import RequestRefusedError
from .listing import devices_for
from .models import MOST_WAIT, ActionRequest, Principal, PrincipalKind
from .policy.decision import circumstances
from .simulation import SUPPOSABLE, simulated, simulated_tool, supposition
from .trace import RecordedTrace
from .undoing import DOOR, LOOK_BACK, last_of, undone_by, way_back

EXECUTE, LIST_DEVICES, GET_TRACE, CANCEL, UNDO, SIMULATE = (
    "execute",
    "list_devices",
    "get_trace",
    "cancel",
    "undo",
    "simulate",
)

PART = 50
"""How many devices are listed in one go before others get their turn."""

_RAISED = frozenset({Outcome.BLOCKED, Outcome.FAILED, Outcome.UNKNOWN, Outcome.CANCELLED})


@callback
def async_setup_services(hass: HomeAssistant) -> None:
    """Registers the actions; they look the entry up when they are called."""
    register = hass.services.async_register
    register(DOMAIN, EXECUTE, _execute, supports_response=SupportsResponse.OPTIONAL)
    register(DOMAIN, LIST_DEVICES, _list_devices, supports_response=SupportsResponse.ONLY)
    register(DOMAIN, GET_TRACE, _get_trace, supports_response=SupportsResponse.ONLY)
    register(DOMAIN, CANCEL, _cancel, supports_response=SupportsResponse.OPTIONAL)
    register(DOMAIN, UNDO, _undo, supports_response=SupportsResponse.OPTIONAL)
    register(DOMAIN, SIMULATE, _simulate, supports_response=SupportsResponse.ONLY)


async def _opened(call: ServiceCall) -> tuple[EdgeHomeData, ActionRequest]:
    """The loaded EdgeHome and the envelope of this call."""
    entry: EdgeHomeConfigEntry = async_get_config_entry(call.hass, DOMAIN, None)
    data = entry.runtime_data
    request = ActionRequest(
        trace_id=ulid_now(),
        principal=await async_principal(call.hass, data.agents, call.context),
        door=f"{DOMAIN}.{call.service}",
        payload=dict(call.data),
        received_at=dt_util.utcnow(),
        context_id=call.context.id,
    )
    return data, request


async def _execute(call: ServiceCall) -> ServiceResponse:
    """Sends a proposal through the chain."""
    data, request = await _opened(call)
    answer = (await data.pipeline.submit(request)).answer()
    if not call.return_response and answer["outcome"] in _RAISED:
        raise RequestRefusedError(answer)
    return cast("ServiceResponse", answer)


async def _list_devices(call: ServiceCall) -> ServiceResponse:
    """Lists what this caller may name and do."""
    data, request = await _opened(call)
    if refused := data.pipeline.admit(request):
        return cast("ServiceResponse", refused.answer())
    if wrong := _wrong_question(request.payload):
        return wrong
    standing = data.house.standing(request.principal.id, request.principal.kind)
    devices = data.house.nameable(standing.areas)
    if isinstance(room := request.payload.get("room"), str):
        rooms = data.house.rooms_named(room)
        if not rooms:
            near = data.house.rooms_like(room, standing.areas)
            return _refused(Code.AREA_NOT_FOUND, f"There is no room called {room!r}.", "Leave room out.", "room", near)
        areas = {found.area_id for found in rooms}
        devices = tuple(record for record in devices if record.area_id in areas)
    if isinstance(wanted := request.payload.get("device_type"), str):
        devices = tuple(record for record in devices if is_of_type(record.device_type, record.domain, wanted))
    listed: list[dict[str, object]] = []
    now = circumstances(data.house.policy(), request.principal, data.house)
    for part in batched(devices, PART, strict=False):
        listed += devices_for(data.house, part, standing, now)
        await asyncio.sleep(0)
    return cast("ServiceResponse", {"devices": listed})


_QUESTION = ("room", "device_type")


def _wrong_question(payload: Mapping[str, object]) -> ServiceResponse:
    """What is wrong with a question for devices, if anything: a narrowing that is not understood never widens (R6)."""
    for name, value in payload.items():
        if name not in _QUESTION:
            return _refused(Code.SCHEMA, f"Unknown field {name}.", "Fields are: room, device_type.", name, _QUESTION)
        if not isinstance(value, str):
            return _refused(Code.SCHEMA, f"{name} is not text.", f"Send {name} as text, or leave it out.", name)
    return None


def _refused(code: Code, message: str, hint: str, field: str, candidates: tuple[str, ...] = ()) -> ServiceResponse:
    """A refusal of a question: no trace is kept of it."""
    return cast("ServiceResponse", _refusal(code, message, hint, field, candidates))


def _refusal(code: Code, message: str, hint: str, field: str, candidates: tuple[str, ...] = ()) -> dict[str, object]:
    answer: dict[str, object] = {
        "outcome": Outcome.BLOCKED.value,
        "code": code.value,
        "message": message,
        "hint": hint,
        "field": field,
    }
    return answer | ({"candidates": list(candidates)} if candidates else {})


async def _get_trace(call: ServiceCall) -> ServiceResponse:
    """Gives a trace to its own caller, and to the owner with everything the gates read."""
    data, request = await _opened(call)
    if refused := data.pipeline.admit(request):
        return cast("ServiceResponse", refused.answer())
    wait = request.payload.get("wait", 0)
    if isinstance(wait, bool) or not isinstance(wait, int | float) or not 0 <= wait <= MOST_WAIT:
        hint = f"Send wait from 0 to {MOST_WAIT} seconds; ask again if that is not enough."
        return _refused(Code.SCHEMA, "wait is out of range.", hint, "wait")
    trace = await _own_trace(data, request)
    if trace is None:
        return cast("ServiceResponse", _no_such_trace(request))
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
    return cast("ServiceResponse", answer)


async def _cancel(call: ServiceCall) -> ServiceResponse:
    """Takes back a request that waits for a human."""
    data, request = await _opened(call)
    if refused := data.pipeline.admit(request):
        return cast("ServiceResponse", refused.answer())
    trace = await _own_trace(data, request)
    if trace is None:
        return cast("ServiceResponse", _no_such_trace(request))
    taken_back = data.questions.cancel(trace.trace_id) or data.pipeline.take_back(trace.trace_id)
    message = "Taken back; nothing was done." if taken_back else "It does not wait for a person: it has ended already."
    return {"trace_id": trace.trace_id, "cancelled": taken_back, "message": message}


_ABOUT_UNDOING = frozenset({"trace_id", "request_id", "wait", "reason", "dry_run"})


async def _undo(call: ServiceCall) -> ServiceResponse:
    """Proposes to take back what a request did."""
    data, request = await _opened(call)
    answer = await _undone(data, request)
    if not call.return_response and answer["outcome"] in _RAISED:
        raise RequestRefusedError(answer)
    return cast("ServiceResponse", answer)


async def _undone(data: EdgeHomeData, request: ActionRequest) -> dict[str, object]:
    if refused := data.pipeline.admit(request):
        return refused.answer()
    if stray := next((name for name in request.payload if name not in _ABOUT_UNDOING), None):
        fields = tuple(sorted(_ABOUT_UNDOING))
        return _refusal(Code.SCHEMA, f"Unknown field {stray[:60]}.", f"Fields are: {', '.join(fields)}.", stray, fields)
    if request.request_id and (known := await data.evidence.find(request)) and known.about.get("door") == DOOR:
        # What is taken back was looked up then; looked up again it would be something else (R13).
        undone = undone_by(known)
        sent = known.about.get("request")
        is_same = isinstance(sent, dict) and bool(sent.get("dry_run")) == bool(request.payload.get("dry_run"))
        if not is_same or request.payload.get("trace_id") not in {None, undone}:
            return data.pipeline.conflict(request).answer()
        return known.answer() | {"undoes": undone}
    if "trace_id" in request.payload:
        trace = await _own_trace(data, request)
        if trace is None:
            return _no_such_trace(request)
    else:
        trace = last_of(await data.evidence.latest(request.principal.id, LOOK_BACK))
    areas = data.house.standing(request.principal.id, request.principal.kind).areas
    way = way_back(trace, data.house, areas) if trace else None
    if trace is None or way is None or not (way.commands or way.left_out):
        message = "There is nothing that can be taken back."
        return _refusal(Code.NOTHING_TO_UNDO, message, "plan.actions of an answer says what is undoable.", "trace_id")
    if not way.commands:
        first = way.left_out[0]
        message = f"Nothing of it can be taken back: {first.get('entity_id', 'there is')}, {first['why']}."
        return _refusal(Code.NOTHING_TO_UNDO, message, "Say what you want instead.", "trace_id")
    sent = {name: value for name, value in request.payload.items() if name != "trace_id"}
    proposal = {**sent, "undoes": trace.trace_id, "commands": list(way.commands)}
    answer = (await data.pipeline.submit(replace(request, payload=proposal))).answer()
    return answer | {"undoes": trace.trace_id, "left_out": list(way.left_out)}


async def _simulate(call: ServiceCall) -> ServiceResponse:
    """Says what would become of a request; only the owner may ask, because it tells what agents may not know."""
    data, request = await _opened(call)
    if request.principal.kind is not PrincipalKind.OWNER:
        hint = "Use Developer tools > Actions in Home Assistant's own frontend."
        return _refused(Code.OWNER_ONLY, "Only the owner may simulate.", hint, "")
    payload = dict(request.payload)
    name = payload.pop("agent", None)
    supposed = supposition({key: payload.pop(key) for key in SUPPOSABLE if key in payload})
    if isinstance(supposed, Refuse):
        return _refused(supposed.code, supposed.message, supposed.hint, supposed.field or "")
    if unknown := next((one for one in supposed.states if data.house.state(one) is None), None):
        hint = "Name entities that there are, by their ids."
        return _refused(Code.ENTITY_NOT_FOUND, f"states: there is no entity {unknown[:60]}.", hint, "states")
    principal = request.principal
    if name is not None:
        agent = data.agents.called(name) if isinstance(name, str) else None
        if agent is None:
            return _refused(Code.AGENT_UNKNOWN, "There is no agent of this name.", "Send its name or id.", "agent")
        principal = Principal(kind=PrincipalKind.AGENT, id=agent.id, name=agent.name)
    if "tool" in payload:
        tool, sent = payload["tool"], payload.get("input", {})
        if not isinstance(tool, str) or not tool.strip() or not isinstance(sent, Mapping):
            hint = "Send the tool's name, and its input as an object."
            return _refused(Code.SCHEMA, "tool names no tool, or input is no object.", hint, "tool")
        return cast("ServiceResponse", simulated_tool(principal, tool, sent, data.house, supposed))
    return cast(
        "ServiceResponse",
        simulated(replace(request, principal=principal, payload=payload), data.house, supposed),
    )


async def _own_trace(data: EdgeHomeData, request: ActionRequest) -> RecordedTrace | None:
    """The trace that is asked for, if it is this caller's own or the caller is the owner."""
    wanted = request.payload.get("trace_id")
    trace = await data.evidence.trace(wanted) if isinstance(wanted, str) else None
    is_theirs = trace and (request.principal.kind is PrincipalKind.OWNER or trace.principal_id == request.principal.id)
    return trace if is_theirs else None


def _no_such_trace(request: ActionRequest) -> dict[str, object]:
    if "trace_id" not in request.payload:
        return _refusal(Code.SCHEMA, "trace_id is missing.", "Send the trace_id of an answer.", "trace_id")
    hint = "Send the trace_id from the answer of edgehome.execute."
    return _refusal(Code.TRACE_NOT_FOUND, "This caller has no such trace.", hint, "trace_id")


def _without_reads(record: Mapping[str, object]) -> dict[str, object]:
    """A gate's record without what it read: a refused caller does not get to know what it may not name."""
    return {key: record[key] for key in ("gate", "passed", "reason")}
