"""What a language model may call: the questions that every door answers, as tools.

Home Assistant does not look at a tool's arguments; the chain does, and answers what is wrong with them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args, override

import voluptuous as vol
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.service import async_get_config_entry
from homeassistant.util import dt as dt_util
from homeassistant.util.json import JsonObjectType
from homeassistant.util.ulid import ulid_now

from .agents.spoken import async_spoken_principal
from .catalogue.device_types import words
from .codes import Code, Outcome
from .const import DOMAIN
from .data import EdgeHomeConfigEntry, EdgeHomeData
from .devices import CustomOperation
from .door import Answering, cancel, execute, get_trace, list_devices, refusal, undo
from .models import MOST_WAIT, ActionRequest, Intent, Number, Params, Principal, PrincipalKind, Word

_ERRORS = frozenset({Outcome.BLOCKED.value, Outcome.FAILED.value})
_AROUND = frozenset({"reason", "dry_run", "wait"})
"""What stands beside a proposal, not in it."""
_CANDIDATE = "model_candidate"
_ACTION = re.compile(rf"\b{DOMAIN}\.(execute|list_devices|get_trace|cancel|undo)\b")


@dataclass(frozen=True, kw_only=True)
class _Kind:
    """A tool, whichever agent has it."""

    name: str
    title: str
    description: str
    answering: Answering
    annotations: llm.ToolAnnotations
    fields: Mapping[Any, Any]


class AgentTool(llm.Tool):
    """One tool in the hands of one agent."""

    integration = DOMAIN

    def __init__(self, agent_id: str, kind: _Kind, fields: Mapping[Any, Any]) -> None:
        self.name = f"{DOMAIN}__{kind.name}"
        self.title = kind.title
        self.description = kind.description
        self.annotations = kind.annotations
        self.parameters = vol.Schema(dict(fields))
        self._agent_id = agent_id
        self._kind = kind

    async def principal(self, hass: HomeAssistant, data: EdgeHomeData, llm_context: llm.LLMContext) -> Principal:
        """Who is behind a conversation with this agent."""
        context, device_id = llm_context.context, llm_context.device_id
        who = await async_spoken_principal(hass, data.agents, self._agent_id, context, device_id)
        if who.kind is PrincipalKind.AUTOMATION and data.house.standing(who.id, who.kind).status == "active":
            # The owner lets automations act: through a conversation they do so as the agent that he gave it.
            return Principal(kind=PrincipalKind.AGENT, id=self._agent_id, name=self._name(data))
        return who

    def _name(self, data: EdgeHomeData) -> str:
        agent = data.agents.called(self._agent_id)
        return agent.name if agent else self._agent_id

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Answers a call of the model.

        Raises:
            ServiceValidationError: EdgeHome is not loaded.
        """
        entry: EdgeHomeConfigEntry = async_get_config_entry(hass, DOMAIN, None)
        data = entry.runtime_data
        args: object = tool_input.tool_args
        if not isinstance(args, Mapping):
            answer = refusal(Code.SCHEMA, "The arguments are no object.", "Send them by name.", "")
            return llm.ToolResult(data=cast("JsonObjectType", answer), error=True)
        sent = {str(name): value for name, value in args.items()}
        if "request_id" in sent:
            # A model makes none, and several people speak through it.
            answer = refusal(Code.SCHEMA, "Unknown field request_id.", "Leave it out.", "request_id")
            return llm.ToolResult(data=cast("JsonObjectType", answer), error=True)
        request = ActionRequest(
            trace_id=ulid_now(),
            principal=await self.principal(hass, data, llm_context),
            door=f"llm.{self._kind.name}",
            payload=_proposal(sent) if self._kind.answering is execute else sent,
            received_at=dt_util.utcnow(),
            context_id=llm_context.context.id if llm_context.context else None,
        )
        answer = await self._kind.answering(data, request)
        for name in ("field", "message", "hint"):
            if isinstance(said := answer.get(name), str):
                # The model does not know the envelope that its words were put into, nor the actions' names.
                answer[name] = _ACTION.sub(rf"{DOMAIN}__\1", said.replace(f"{_CANDIDATE}.", ""))
        return llm.ToolResult(data=cast("JsonObjectType", answer), error=answer.get("outcome") in _ERRORS)


def tools_of(agent_id: str, customs: tuple[CustomOperation, ...]) -> tuple[AgentTool, ...]:
    """The tools of an agent, in a home with these operations of its owner's."""
    intents = [*(intent.value for intent in Intent), *(custom.verb.value for custom in customs)]
    wish = {vol.Required("intent"): vol.In(intents), **_WISH}
    return tuple(AgentTool(agent_id, kind, kind.fields or wish) for kind in _KINDS)


def _proposal(sent: Mapping[str, object]) -> dict[str, object]:
    """What a model sent flat, as a proposal."""
    around = {name: value for name, value in sent.items() if name in _AROUND}
    return {**around, _CANDIDATE: {name: value for name, value in sent.items() if name not in _AROUND}}


def _value(name: str) -> object:
    """What a value may be, as far as a model has to know."""
    kinds = get_args(Params.model_fields[name].annotation)
    if name == "unit":
        return vol.In(["°C", "°F"])
    if name == "color":
        return vol.Any(str, [vol.Coerce(float)])
    if Number in kinds and Word in kinds:
        return vol.Any(float, str, bool)
    return vol.Coerce(float) if Number in kinds else str


_WAIT = {
    vol.Optional("wait", description="How long to wait for the person's answer, in seconds"): vol.All(
        vol.Coerce(float), vol.Range(min=0, max=MOST_WAIT)
    )
}
_WHY = {
    vol.Optional("reason", description="Why, for the person who may be asked"): str,
    vol.Optional("dry_run", description="Only say what would happen"): bool,
}
_TRACE = "The trace_id of an answer"
_WISH: Mapping[Any, Any] = {
    vol.Optional("device_alias", description="A device by its name"): str,
    vol.Optional("device_type", description="All devices of a type: with a room, a floor, a label or scope"): vol.In(
        list(words())
    ),
    vol.Optional("room", description="The room's name"): str,
    vol.Optional("floor", description="The floor's name, with device_type"): str,
    vol.Optional("device", description="A physical device that has several things"): str,
    vol.Optional("label", description="A label's name, with device_type"): str,
    vol.Optional("scope", description="The whole home, only if that was said"): vol.In(["home"]),
    vol.Optional("params", description="The values: percent, kelvin, the home's degrees"): vol.Schema(
        {vol.Optional(name): _value(name) for name in Params.model_fields}
    ),
    **_WHY,
    **_WAIT,
}

_READS = llm.ToolAnnotations(read_only=True, destructive=False, idempotent=True, open_world=False)
_ACTS = llm.ToolAnnotations(read_only=False, destructive=True, idempotent=False, open_world=False)
_KINDS = (
    _Kind(
        name="execute",
        title="Act in the home, or read a state",
        description=(
            "Proposes one action, or reads with the intent status. Name a device with device_alias, or a device_type "
            "and where. The answer's outcome says what became of it."
        ),
        answering=execute,
        annotations=_ACTS,
        fields={},
    ),
    _Kind(
        name="list_devices",
        title="List devices",
        description="Lists the devices that you may name, with their operations and the values that each takes.",
        answering=list_devices,
        annotations=_READS,
        fields={
            vol.Optional("room", description="Only in this room"): str,
            vol.Optional("device_type", description="Only of this type"): vol.In(list(words())),
        },
    ),
    _Kind(
        name="get_trace",
        title="What became of a request",
        description="Says what became of a request, for one that was pending or whose devices were still moving.",
        answering=get_trace,
        annotations=_READS,
        fields={vol.Required("trace_id", description=_TRACE): str, **_WAIT},
    ),
    _Kind(
        name="cancel",
        title="Take back a pending request",
        description="Takes back a request that still waits for a person.",
        answering=cancel,
        annotations=llm.ToolAnnotations(read_only=False, destructive=False, idempotent=True, open_world=False),
        fields={vol.Required("trace_id", description=_TRACE): str},
    ),
    _Kind(
        name="undo",
        title="Undo a request",
        description="Proposes to bring back how it was before a request, of the last one if none is named.",
        answering=undo,
        annotations=_ACTS,
        fields={vol.Optional("trace_id", description=_TRACE): str, **_WHY, **_WAIT},
    ),
)
