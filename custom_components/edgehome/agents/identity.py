"""Who is behind a call (R3): read from the connection, never from what was sent.

* a registered agent's user: that agent;
* an administrator with a ``normal`` token of this instance's own frontend or a companion app: the owner;
* no user at all: automation;
* anybody else: unregistered, which the input guard refuses.
"""

from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from homeassistant.auth.models import TOKEN_TYPE_NORMAL, RefreshToken
from homeassistant.components.http.const import KEY_HASS_REFRESH_TOKEN_ID, KEY_HASS_USER
from homeassistant.components.websocket_api.connection import current_connection
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers.http import current_request
from homeassistant.helpers.network import NoURLAvailableError, get_url

from ..models import Principal, PrincipalKind
from .register import AgentRegister

COMPANION_CLIENTS = frozenset({"https://home-assistant.io/iOS", "https://home-assistant.io/android"})
"""The client ids with which the companion apps log in."""

AUTOMATION = Principal(kind=PrincipalKind.AUTOMATION, id="automation", name="Automation")


async def async_principal(hass: HomeAssistant, agents: AgentRegister, context: Context) -> Principal:
    """The principal behind a call. Must be awaited in the handler itself: the connection is a context variable."""
    user_id = context.user_id
    if user_id is None:
        return AUTOMATION
    if agent := agents.by_user(user_id):
        return Principal(kind=PrincipalKind.AGENT, id=agent.id, name=agent.name)
    token = token_of(hass, user_id)
    user = await hass.auth.async_get_user(user_id)
    name = (user.name if user else None) or "unknown user"
    kind = PrincipalKind.UNREGISTERED
    if user and token and user.is_active and user.is_admin and token.token_type == TOKEN_TYPE_NORMAL:
        if is_own_session(hass, token.id):
            return Principal(kind=PrincipalKind.OWNER, id=user_id, name=name)
        kind = PrincipalKind.FOREIGN_FRONTEND
    # An id of their own: what a stranger sends with a user's token is never taken for that user's own requests.
    return Principal(kind=kind, id=f"unregistered:{user_id}", name=name)


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


def token_of(hass: HomeAssistant, user_id: str) -> RefreshToken | None:
    """The token of the connection, if it belongs to the user of the context."""
    token = connected_token(hass)
    return token if token and token.user.id == user_id else None


def connected_token(hass: HomeAssistant) -> RefreshToken | None:
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
