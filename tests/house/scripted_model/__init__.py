"""A conversation agent whose language model is a script: what is said to it tells which tools it calls.

Everything round it is real: Home Assistant's chat log, its LLM APIs, and how tools are told to a model. What is said is
JSON: ``api``, the ids of the LLM APIs that the owner chose, and ``calls``, each a list of a tool's name and its arguments.
It answers in JSON with the prompt, the tools as a model gets them, and what the calls came to. The action
``scripted_model.teach`` gives words a script, ``scripted_model.listen`` makes a voice device of a device, ``scripted_model.hear`` is what that hears: nobody is logged in there.
"""

import asyncio
import contextvars
import json
from typing import Literal, override

import probatio
from homeassistant.components import conversation
from homeassistant.components.conversation.const import DATA_COMPONENT
from homeassistant.core import Context, HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import llm
from homeassistant.helpers.typing import ConfigType
from homeassistant.setup import async_setup_component

DOMAIN = "scripted_model"


class ScriptedModel(conversation.ConversationEntity):
    """The agent."""

    _attr_name = "Scripted model"
    _attr_unique_id = DOMAIN

    def __init__(self) -> None:
        self.taught: dict[str, str] = {}

    @property
    @override
    def supported_languages(self) -> Literal["*"]:
        """All of them: it reads scripts."""
        return "*"

    @override
    async def _async_handle_message(
        self, user_input: conversation.ConversationInput, chat_log: conversation.ChatLog
    ) -> conversation.ConversationResult:
        script = json.loads(self.taught.get(user_input.text.strip().casefold(), user_input.text))
        context = user_input.as_llm_context(DOMAIN)
        await chat_log.async_provide_llm_data(context, script["api"], None, user_input.extra_system_prompt)
        results = []
        if calls := [llm.ToolInput(tool_name=name, tool_args=args) for name, args in script.get("calls", [])]:
            wish = conversation.AssistantContent(agent_id=self.entity_id, content=None, tool_calls=calls)
            results = [done.result async for done in chat_log.async_add_assistant_content(wish)]
        first = chat_log.content[0]
        answer = {
            "prompt": first.content if isinstance(first, conversation.SystemContent) else None,
            "tools": [_told(tool, chat_log.llm_api) for tool in chat_log.llm_api.tools] if chat_log.llm_api else [],
            "results": [{"data": result.data, "error": result.error} for result in results],
        }
        said = conversation.AssistantContent(agent_id=self.entity_id, content=json.dumps(answer))
        chat_log.async_add_assistant_content_without_tools(said)
        return conversation.async_get_result_from_chat_log(user_input, chat_log)


def _told(tool: llm.Tool, api: llm.APIInstance) -> dict[str, object]:
    """A tool as integrations of real models describe it."""
    parameters = probatio.to_openapi(tool.parameters, custom_serializer=api.custom_serializer, openapi_version="3.1.0")
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": parameters,
        "read_only": tool.annotations.read_only,
        "destructive": tool.annotations.destructive,
    }


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Adds the agent, and the voice device's ear."""
    if not await async_setup_component(hass, conversation.DOMAIN, config):
        return False
    model = ScriptedModel()
    await hass.data[DATA_COMPONENT].async_add_entities([model])

    async def teach(call: ServiceCall) -> None:
        model.taught[call.data["words"].casefold()] = call.data["script"]

    async def listen(call: ServiceCall) -> None:
        device_id = call.data["device_id"]
        er.async_get(hass).async_get_or_create("assist_satellite", DOMAIN, device_id, device_id=device_id)

    async def hear(call: ServiceCall) -> ServiceResponse:
        said = conversation.async_converse(
            hass,
            call.data["text"],
            None,
            Context(),
            language="en",
            agent_id=model.entity_id,
            device_id=call.data["device_id"],
        )
        # A voice device hears in a task of its own, with nobody's connection about it.
        heard = await asyncio.get_running_loop().create_task(said, context=contextvars.Context())
        return heard.as_dict()

    hass.services.async_register(DOMAIN, "teach", teach)
    hass.services.async_register(DOMAIN, "listen", listen)
    hass.services.async_register(DOMAIN, "hear", hear, supports_response=SupportsResponse.ONLY)
    return True
