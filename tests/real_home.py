"""A furnished Home Assistant in this process: the demo integration's devices, real registries, users and doors."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.auth.models import TOKEN_TYPE_NORMAL, Credentials, User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator, WebSocketGenerator

from custom_components.edgehome.agents.credentials import async_create
from custom_components.edgehome.home.exposure import ASSISTANT

OWN_URL = "http://ha.example:8123"
"""The instance's internal address in these tests."""

ROOMS: Mapping[str, tuple[str, ...]] = {
    "Kitchen": ("light.kitchen_lights", "cover.kitchen_window"),
    "Living Room": ("light.ceiling_lights", "cover.living_room_window"),
    "Bedroom": ("light.bed_light",),
    "Garage": ("cover.garage_door",),
    "Hall": ("climate.hvac",),
}
EXPOSED = (*(item for items in ROOMS.values() for item in items), "lock.front_door", "switch.decorative_lights")


@dataclass(frozen=True, kw_only=True)
class AgentAccess:
    """A registered agent and its token."""

    id: str
    user_id: str
    token: str


async def furnish(hass: HomeAssistant, rooms: Mapping[str, tuple[str, ...]]) -> None:
    """Sets the demo integration up, puts its devices into rooms and exposes exactly ``EXPOSED``."""
    assert await async_setup_component(hass, "demo", {})
    await hass.async_block_till_done()
    entities, devices, areas = er.async_get(hass), dr.async_get(hass), ar.async_get(hass)
    for room, members in rooms.items():
        area = areas.async_get_or_create(room)
        for entity_id in members:
            device_id = entities.entities[entity_id].device_id
            assert device_id is not None
            devices.async_update_device(device_id, area_id=area.id)
    for entity_id in hass.states.async_entity_ids():
        async_expose_entity(hass, ASSISTANT, entity_id, entity_id in EXPOSED)
    await hass.async_block_till_done()


async def add_agent(hass: HomeAssistant, entry: ConfigEntry, name: str = "Hermes", **limits: Any) -> AgentAccess:
    """An agent with a real system user and token, registered as the owner's flow does it."""
    credential = await async_create(hass, name, 30, local_only=True)
    data = {
        "user_id": credential.user_id,
        "enabled": True,
        "expires_at": (dt_util.utcnow() + timedelta(days=30)).isoformat(),
        "local_only": True,
        "max_risk": 5,
        "areas": [],
        "requests_per_minute": 6000,
        **limits,
    }
    subentry = ConfigSubentry(data=MappingProxyType(data), subentry_type="agent", title=name, unique_id=None)
    hass.config_entries.async_add_subentry(entry, subentry)
    await hass.async_block_till_done()
    return AgentAccess(id=subentry.subentry_id, user_id=credential.user_id, token=credential.token)


def add_voice_device(hass: HomeAssistant, entry: ConfigEntry, room: str) -> str:
    """A voice device in a room, as Home Assistant's registries have it; its device's id."""
    devices, area = dr.async_get(hass), ar.async_get(hass).async_get_or_create(room)
    device = devices.async_get_or_create(config_entry_id=entry.entry_id, identifiers={("voice", room)}, name=room)
    devices.async_update_device(device.id, area_id=area.id)
    er.async_get(hass).async_get_or_create("assist_satellite", "voice", room, config_entry=entry, device_id=device.id)
    return device.id


async def add_user(hass: HomeAssistant, name: str, group: str = GROUP_ID_ADMIN) -> User:
    """A person with a log-in."""
    user = await hass.auth.async_create_user(name, group_ids=[group])
    credential = Credentials(
        auth_provider_type="homeassistant", auth_provider_id=None, data={"username": name}, is_new=False
    )
    await hass.auth.async_link_user(user, credential)
    return user


async def token_of(
    hass: HomeAssistant, user: User, client_id: str | None = f"{OWN_URL}/", token_type: str = TOKEN_TYPE_NORMAL
) -> str:
    """An access token of a user, of one client."""
    refresh_token = await hass.auth.async_create_refresh_token(
        user,
        client_id,
        client_name=None if token_type == TOKEN_TYPE_NORMAL else f"{token_type} {client_id}",
        token_type=token_type,
        credential=user.credentials[0] if user.credentials and token_type == TOKEN_TYPE_NORMAL else None,
    )
    return hass.auth.async_create_access_token(refresh_token)


async def owner_token(hass: HomeAssistant) -> str:
    """An administrator's token of this instance's own frontend."""
    hass.config.internal_url = OWN_URL
    return await token_of(hass, await add_user(hass, "Ada"))


def proposing(intent: str, device: str, **params: object) -> dict[str, Any]:
    """A payload with one candidate on a named device."""
    return {"model_candidate": {"intent": intent, "device_alias": device, "params": params}}


@dataclass(frozen=True)
class Doors:
    """EdgeHome's actions over Home Assistant's own REST and websocket interfaces."""

    rest_client: ClientSessionGenerator
    ws_client: WebSocketGenerator

    async def rest(self, token: str, action: str, payload: Mapping[str, object], *, wanted: bool = True) -> Any:
        """The status and body of a REST call; ``wanted`` asks for the response."""
        client = await self.rest_client(token)
        query = "?return_response" if wanted else ""
        response = await client.post(f"/api/services/edgehome/{action}{query}", json=dict(payload))
        body = await response.json() if "json" in response.content_type else await response.text()
        return response.status, body

    async def ask(self, token: str, action: str, payload: Mapping[str, object]) -> dict[str, Any]:
        """The structured answer of a REST call."""
        status, body = await self.rest(token, action, payload)
        assert status == 200, body
        answer: dict[str, Any] = body["service_response"]
        return answer

    async def websocket(
        self, token: str, action: str, payload: Mapping[str, object], *, wanted: bool = True
    ) -> dict[str, Any]:
        """The message that answers a websocket call."""
        client = await self.ws_client(access_token=token)
        await client.send_json_auto_id(
            {
                "type": "call_service",
                "domain": "edgehome",
                "service": action,
                "service_data": dict(payload),
                "return_response": wanted,
            }
        )
        message: dict[str, Any] = await client.receive_json()
        return message

    async def ask_websocket(self, token: str, action: str, payload: Mapping[str, object]) -> dict[str, Any]:
        """The structured answer of a websocket call."""
        message = await self.websocket(token, action, payload)
        assert message["success"], message
        answer: dict[str, Any] = message["result"]["response"]
        return answer
