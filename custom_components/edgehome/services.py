"""The door of Home Assistant's own API: six actions that every caller may send, over REST, websocket or in automations.

* ``edgehome.execute``: proposes; every caller, the chain decides.
* ``edgehome.list_devices``: what this caller may name and do; whoever the input guard lets in.
* ``edgehome.get_trace``: what became of a request; its own caller, and the owner.
* ``edgehome.cancel``: takes back what waits for a human; its own caller, and the owner. There is no action that says yes.
* ``edgehome.undo``: proposes to take back what a request did; its own caller, and the owner.
* ``edgehome.simulate``: says what would become of an agent's request; the owner.

What they answer is said in ``door.py``; here is found out who is calling.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
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
from .chain import Refuse
from .codes import Code, Outcome
from .const import DOMAIN
from .data import EdgeHomeConfigEntry, EdgeHomeData
from .door import Answering, cancel, execute, get_trace, list_devices, refusal, undo
from .errors import RequestRefusedError
from .models import ActionRequest, Principal, PrincipalKind
from .simulation import SUPPOSABLE, simulated, simulated_tool, supposition

EXECUTE, LIST_DEVICES, GET_TRACE, CANCEL, UNDO, SIMULATE = (
    "execute",
    "list_devices",
    "get_trace",
    "cancel",
    "undo",
    "simulate",
)

_RAISED = frozenset({Outcome.BLOCKED, Outcome.FAILED, Outcome.UNKNOWN, Outcome.CANCELLED})


@callback
def async_setup_services(hass: HomeAssistant) -> None:
    """Registers the actions; they look the entry up when they are called."""
    register = hass.services.async_register
    register(DOMAIN, EXECUTE, partial(_done, execute), supports_response=SupportsResponse.OPTIONAL)
    register(DOMAIN, LIST_DEVICES, partial(_answered, list_devices), supports_response=SupportsResponse.ONLY)
    register(DOMAIN, GET_TRACE, partial(_answered, get_trace), supports_response=SupportsResponse.ONLY)
    register(DOMAIN, CANCEL, partial(_answered, cancel), supports_response=SupportsResponse.OPTIONAL)
    register(DOMAIN, UNDO, partial(_done, undo), supports_response=SupportsResponse.OPTIONAL)
    register(DOMAIN, SIMULATE, partial(_answered, partial(_simulate, hass)), supports_response=SupportsResponse.ONLY)


async def _answered(answering: Answering, call: ServiceCall) -> ServiceResponse:
    """Answers a call, whoever it is from."""
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
    return cast("ServiceResponse", await answering(data, request))


async def _done(answering: Answering, call: ServiceCall) -> ServiceResponse:
    """Answers a call that proposes; where nobody reads the answer, nothing done is an error."""
    answer = await _answered(answering, call)
    if not call.return_response and answer and answer["outcome"] in _RAISED:
        raise RequestRefusedError(answer)
    return answer


async def _simulate(hass: HomeAssistant, data: EdgeHomeData, request: ActionRequest) -> dict[str, object]:
    """Says what would become of a request; only the owner may ask, because it tells what agents may not know."""
    if request.principal.kind is not PrincipalKind.OWNER:
        hint = "Use Developer tools > Actions in Home Assistant's own frontend."
        return refusal(Code.OWNER_ONLY, "Only the owner may simulate.", hint, "")
    payload = dict(request.payload)
    name = payload.pop("agent", None)
    supposed = supposition({key: payload.pop(key) for key in SUPPOSABLE if key in payload})
    if isinstance(supposed, Refuse):
        return refusal(supposed.code, supposed.message, supposed.hint, supposed.field or "")
    if unknown := next((one for one in supposed.states if data.house.state(one) is None), None):
        hint = "Name entities that there are, by their ids."
        return refusal(Code.ENTITY_NOT_FOUND, f"states: there is no entity {unknown[:60]}.", hint, "states")
    principal = request.principal
    if name is not None:
        agent = data.agents.called(name) if isinstance(name, str) else None
        if agent is None:
            return refusal(Code.AGENT_UNKNOWN, "There is no agent of this name.", "Send its name or id.", "agent")
        principal = Principal(kind=PrincipalKind.AGENT, id=agent.id, name=agent.name)
    told = {key: payload.pop(key, None) for key in _SPOKEN}
    spoken = await _spoken(hass, data, principal, told)
    if isinstance(spoken, Refuse):
        return refusal(spoken.code, spoken.message, spoken.hint, spoken.field or "")
    principal = spoken
    if "tool" in payload:
        tool, sent = payload["tool"], payload.get("input", {})
        if not isinstance(tool, str) or not tool.strip() or not isinstance(sent, Mapping):
            hint = "Send the tool's name, and its input as an object."
            return refusal(Code.SCHEMA, "tool names no tool, or input is no object.", hint, "tool")
        return simulated_tool(principal, tool, sent, data.house, supposed)
    return simulated(replace(request, principal=principal, payload=payload), data.house, supposed)


_SPOKEN = ("speaker", "origin")


async def _spoken(
    hass: HomeAssistant, data: EdgeHomeData, principal: Principal, told: Mapping[str, object]
) -> Principal | Refuse:
    """The principal with the person who is supposed to speak, by name or id, and the room where."""
    speaker, origin = told["speaker"], told["origin"]
    if speaker is not None:
        users = [user for user in await hass.auth.async_get_users() if speaker in (user.id, user.name)]
        if len(users) != 1:
            hint = "Send the name of one person who can log in, or the user's id."
            return Refuse(code=Code.SCHEMA, message="speaker names nobody.", hint=hint, field="speaker")
        principal = replace(principal, speaker=users[0].id, speaker_name=users[0].name or "")
    if origin is not None:
        rooms = data.house.rooms_named(origin) if isinstance(origin, str) else ()
        if len(rooms) != 1:
            hint = "Send the name of one room."
            return Refuse(code=Code.AREA_NOT_FOUND, message="origin names no room.", hint=hint, field="origin")
        principal = replace(principal, area_id=rooms[0].area_id, area_name=rooms[0].name)
    return principal
