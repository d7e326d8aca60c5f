"""The system users and tokens that EdgeHome makes for agents, and removes again.

A system user without groups may control and read no entity, log in nowhere and make no further tokens
(``auth/__init__.py``). Home Assistant does not check users for actions that are not on entities (``shell_command``,
``notify``, scripts without entities) and for conversation: ``posture.py`` tells the owner which of those are open.
"""

from collections.abc import Container
from dataclasses import dataclass
from datetime import timedelta

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

USER_PREFIX = "EdgeHome agent: "
"""How the users that EdgeHome made are told from others."""


@dataclass(frozen=True, kw_only=True)
class Credential:
    """A user and its access token. The token is shown once and kept nowhere."""

    user_id: str
    token: str


async def async_create(hass: HomeAssistant, name: str, days: int, *, local_only: bool) -> Credential:
    """Makes a system user without groups and an access token that is good for ``days`` days."""
    user = await hass.auth.async_create_system_user(USER_PREFIX + name, group_ids=[], local_only=local_only)
    return Credential(user_id=user.id, token=await _token(hass, user, days))


async def async_renew(hass: HomeAssistant, user_id: str, days: int) -> str | None:
    """Revokes a user's tokens and gives a new one; None if the user is gone."""
    user = await hass.auth.async_get_user(user_id)
    if user is None:
        return None
    await async_revoke(hass, user_id)
    return await _token(hass, user, days)


async def async_revoke(hass: HomeAssistant, user_id: str) -> None:
    """Revokes all tokens of a user at once."""
    user = await hass.auth.async_get_user(user_id)
    for token in list(user.refresh_tokens.values()) if user else ():
        hass.auth.async_remove_refresh_token(token)


async def async_remove_user(hass: HomeAssistant, user_id: str) -> None:
    """Removes one user that EdgeHome made, with its tokens; nothing if it is gone."""
    user = await hass.auth.async_get_user(user_id)
    if user is not None:
        await hass.auth.async_remove_user(user)


async def async_remove_others(hass: HomeAssistant, keep: Container[str]) -> None:
    """Removes every user that EdgeHome made except those to keep, with their tokens."""
    for user in await hass.auth.async_get_users():
        if user.system_generated and (user.name or "").startswith(USER_PREFIX) and user.id not in keep:
            await hass.auth.async_remove_user(user)


async def _token(hass: HomeAssistant, user: User, days: int) -> str:
    refresh_token = await hass.auth.async_create_refresh_token(
        user, client_name=user.name, access_token_expiration=timedelta(days=days)
    )
    return hass.auth.async_create_access_token(refresh_token)
