"""Who is behind a conversation (R3): the agent is the one that the owner made the model, the connection is the speaker's."""

from homeassistant.auth.models import User
from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.components.http.const import KEY_HASS_USER
from homeassistant.components.websocket_api.connection import current_connection
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.area_registry import AreaEntry
from homeassistant.helpers.device_registry import DeviceEntry
from homeassistant.helpers.http import current_request

from ..models import Principal, PrincipalKind
from .identity import AUTOMATION, async_principal, connected_token, is_own_session, token_of
from .register import AgentRegister

ASSIST_SATELLITE = "assist_satellite"


async def async_spoken_principal(
    hass: HomeAssistant, agents: AgentRegister, agent_id: str, context: Context | None, device_id: str | None
) -> Principal:
    """The principal behind a conversation whose model the owner gave this agent's tools to (R3).

    * a person who is logged in and may control the home: the agent, with him as its speaker;
    * nobody, at a voice device: the agent; nobody, elsewhere: an automation;
    * a registered agent's own user: that agent, wherever it says that it stands;
    * anybody else: who he is over every other door. A token that was made for a machine is no speaker.

    The place is that of the voice device, if one is told.
    """
    ear = _ear(hass, device_id)
    user_id = _behind(hass, agents, context, ear)
    if user_id is None and ear is None:
        return AUTOMATION
    user = None
    if user_id is not None:
        token = None if agents.by_user(user_id) else token_of(hass, user_id)
        if token is None or not is_own_session(hass, token.id) or not _may_control(token.user):
            return await async_principal(hass, agents, Context(user_id=user_id))
        user = token.user
    area = _area_of(hass, ear) if ear else None
    agent = agents.called(agent_id)
    return Principal(
        kind=PrincipalKind.AGENT,
        id=agent_id,
        name=agent.name if agent else agent_id,
        speaker=user.id if user else None,
        speaker_name=(user.name or "") if user else "",
        area_id=area.id if area else None,
        area_name=area.name if area else "",
    )


def _behind(hass: HomeAssistant, agents: AgentRegister, context: Context | None, ear: DeviceEntry | None) -> str | None:
    """The user behind a conversation, if there is one.

    Some integrations that listen (VoIP) do so in the name of a user of their own. And Home Assistant 2026.10 drops the user
    of a sentence that is to be carried out later (``intent/timers.py``), while the connection is still known: whoever is
    no person who may control the home, at his own log-in, stays who he is. Of a person it says nothing: a voice device may
    have been set up over his connection, an automation started by it.
    """
    if context and context.user_id:
        return None if ear and context.user_id in _own_users(hass, ear) else context.user_id
    user, token = _connected_user(), connected_token(hass)
    if user is None:
        return None
    if token is None:
        # His log-in is over since, or he never had one, as what the Supervisor sends.
        return user.id if user.system_generated or agents.by_user(user.id) else None
    is_person = is_own_session(hass, token.id) and _may_control(user)
    return None if is_person else user.id


def _may_control(user: User) -> bool:
    """Whether a person may control the home himself: who may not gets nobody to do it for him."""
    return bool(user.permissions.access_all_entities(POLICY_CONTROL))


def _own_users(hass: HomeAssistant, ear: DeviceEntry) -> set[str]:
    """The users that the integration of a voice device made for itself (``voip/__init__.py``)."""
    entries = (hass.config_entries.async_get_entry(one.config_entry_id or "") for one in _satellites(hass, ear))
    return {str(entry.data["user"]) for entry in entries if entry and "user" in entry.data}


def _connected_user() -> User | None:
    """The user of the connection that this runs in, or was begun in."""
    connection, request = current_connection.get(), current_request.get()
    if connection is not None:
        return connection.user
    user = request.get(KEY_HASS_USER) if request is not None else None
    return user if isinstance(user, User) else None


def _ear(hass: HomeAssistant, device_id: str | None) -> DeviceEntry | None:
    """The voice device of this id: one that has an Assist satellite. A caller may name any device."""
    device = dr.async_get(hass).async_get(device_id) if device_id else None
    return device if isinstance(device, DeviceEntry) and _satellites(hass, device) else None


def _satellites(hass: HomeAssistant, device: DeviceEntry) -> list[er.RegistryEntry]:
    entities = er.async_entries_for_device(er.async_get(hass), device.id)
    return [entity for entity in entities if entity.domain == ASSIST_SATELLITE]


def _area_of(hass: HomeAssistant, ear: DeviceEntry) -> AreaEntry | None:
    """Where a voice device is: the area of its satellite, else its own (as conversation/default_agent.py has it)."""
    own = (entity.area_id for entity in _satellites(hass, ear) if entity.area_id)
    area_id = next(own, None) or dr.async_get_effective_area_id(hass, ear)
    return ar.async_get(hass).async_get_area(area_id) if area_id else None
