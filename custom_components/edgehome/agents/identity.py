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

from homeassistant.auth.models import TOKEN_TYPE_NORMAL, RefreshToken
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
    user_id = await _behind(hass, context, at_an_ear=ear is not None)
    if user_id is None and ear is None:
        return AUTOMATION
    user = None
    if user_id is not None:
        token = None if agents.by_user(user_id) else _token(hass, user_id)
        is_person = token is not None and is_own_session(hass, token.id)
        if token is None or not is_person or not token.user.permissions.access_all_entities(POLICY_CONTROL):
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


async def _behind(hass: HomeAssistant, context: Context | None, *, at_an_ear: bool) -> str | None:
    """The user behind a conversation, if there is one.

    Some integrations that listen (VoIP) do so in the name of a user of their own. And Home Assistant 2026.10 drops the user
    of a sentence that is to be carried out later (``intent/timers.py``), while the connection is still known: whoever is
    not a person at his own log-in stays who he is. Of a person it says nothing: a voice device may have been set up over
    his connection, an automation started by it.
    """
    user_id = context.user_id if context else None
    if user_id is not None:
        user = await hass.auth.async_get_user(user_id)
        is_ear = at_an_ear and user is not None and user.system_generated and _connected(hass) is None
        return None if is_ear else user_id
    token = _connected(hass)
    return None if token is None or is_own_session(hass, token.id) else token.user.id


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
