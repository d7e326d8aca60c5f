"""Who is behind a call (R3): read from the connection, never from what was sent.

* a registered agent's user: that agent;
* an administrator with a ``normal`` token of this instance's own frontend or a companion app: the owner;
* no user at all: automation;
* anybody else: unregistered, which the input guard refuses.

Where a language model calls, it is the agent that the owner made it, and the connection is the speaker's.
"""

from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from homeassistant.auth.models import TOKEN_TYPE_NORMAL, RefreshToken, User
from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.components.http.const import KEY_HASS_REFRESH_TOKEN_ID, KEY_HASS_USER
from homeassistant.components.websocket_api.connection import current_connection
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.area_registry import AreaEntry
from homeassistant.helpers.device_registry import DeviceEntry
from homeassistant.helpers.http import current_request
from homeassistant.helpers.network import NoURLAvailableError, get_url

from ..models import Principal, PrincipalKind
from .register import AgentRegister

COMPANION_CLIENTS = frozenset({"https://home-assistant.io/iOS", "https://home-assistant.io/android"})
"""The client ids with which the companion apps log in."""

ASSIST_SATELLITE = "assist_satellite"

AUTOMATION = Principal(kind=PrincipalKind.AUTOMATION, id="automation", name="Automation")


async def async_principal(hass: HomeAssistant, agents: AgentRegister, context: Context) -> Principal:
    """The principal behind a call. Must be awaited in the handler itself: the connection is a context variable."""
    user_id = context.user_id
    if user_id is None:
        return AUTOMATION
    if agent := agents.by_user(user_id):
        return Principal(kind=PrincipalKind.AGENT, id=agent.id, name=agent.name)
    token = _token(hass, user_id)
    user = await hass.auth.async_get_user(user_id)
    name = (user.name if user else None) or "unknown user"
    kind = PrincipalKind.UNREGISTERED
    if user and token and user.is_active and user.is_admin and token.token_type == TOKEN_TYPE_NORMAL:
        if is_own_session(hass, token.id):
            return Principal(kind=PrincipalKind.OWNER, id=user_id, name=name)
        kind = PrincipalKind.FOREIGN_FRONTEND
    # An id of their own: what a stranger sends with a user's token is never taken for that user's own requests.
    return Principal(kind=kind, id=f"unregistered:{user_id}", name=name)


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
        token = None if agents.by_user(user_id) else _token(hass, user_id)
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
    user, token = _connected_user(), _connected(hass)
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


def is_own_session(hass: HomeAssistant, token_id: str | None) -> bool:
    """Whether a log-in is a person's own: an ordinary one, from this instance's frontend or a companion app (R9)."""
    token = hass.auth.async_get_refresh_token(token_id) if token_id else None
    return (
        token is not None
        and token.user.is_active
        and token.token_type == TOKEN_TYPE_NORMAL
        and (token.client_id in COMPANION_CLIENTS or _is_own_frontend(hass, token.client_id or ""))
    )


def is_own_form(hass: HomeAssistant) -> bool:
    """Whether the form that is being filled in came from a person's own log-in; one that came over no request did too."""
    request = current_request.get()
    return request is None or is_own_session(hass, request.get(KEY_HASS_REFRESH_TOKEN_ID))


def who_fills_in() -> str:
    """The name of the user who fills a form in; empty where it came over no request."""
    request = current_request.get()
    user = request.get(KEY_HASS_USER) if request is not None else None
    return str(user.name) if user else ""


def _token(hass: HomeAssistant, user_id: str) -> RefreshToken | None:
    """The token of the connection, if it belongs to the user of the context."""
    token = _connected(hass)
    return token if token and token.user.id == user_id else None


def _connected(hass: HomeAssistant) -> RefreshToken | None:
    """The token of the connection that this runs in, or was begun in."""
    connection, request = current_connection.get(), current_request.get()
    token_id = connection.refresh_token_id if connection else None
    if connection is None and request is not None:
        token_id = request.get(KEY_HASS_REFRESH_TOKEN_ID)
    return hass.auth.async_get_refresh_token(token_id) if token_id else None


def _is_own_frontend(hass: HomeAssistant, client_id: str) -> bool:
    """Whether a client id is an address of this instance: a frontend logs in with the address that it was loaded from."""
    client = urlsplit(client_id)
    if client.hostname is None:
        return False
    if _origin(client) in {_origin(url) for url in _own_urls(hass)}:
        return True
    if _origin(client)[2] != hass.http.server_port:
        return False
    if client.hostname in {"localhost", "homeassistant.local"}:
        return True
    try:
        address = ip_address(client.hostname)
    except ValueError:
        return False
    return address.is_loopback or str(address) in _own_addresses(hass)


def _origin(url: SplitResult) -> tuple[str, str | None, int | None]:
    """Scheme, host in lower case and port, the scheme's own where none is written."""
    return url.scheme, url.hostname, url.port or {"http": 80, "https": 443}.get(url.scheme)


def _own_addresses(hass: HomeAssistant) -> set[str]:
    """The addresses of this machine that are known: the one it announces, and the one that this call came in on."""
    request = current_request.get()
    socket = request.transport.get_extra_info("sockname") if request is not None and request.transport else None
    announced = hass.config.api.local_ip if hass.config.api else None
    return {str(address) for address in (announced, socket[0] if socket else None) if address}


def _own_urls(hass: HomeAssistant) -> Iterator[SplitResult]:
    """The addresses under which the owner knows this instance: those of the network settings and of the cloud."""
    yield from (urlsplit(url) for url in (hass.config.internal_url, hass.config.external_url) if url)
    try:
        yield urlsplit(get_url(hass, allow_internal=False, allow_external=True, require_cloud=True))
    except NoURLAvailableError:
        return
