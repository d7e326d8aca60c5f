"""The users and tokens that EdgeHome makes for agents, and takes back."""

from datetime import timedelta

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.core import HomeAssistant

from custom_components.edgehome.agents.credentials import (
    USER_PREFIX,
    Credential,
    async_create,
    async_remove_others,
    async_renew,
    async_revoke,
)
from tests.real_home import add_user


@pytest.fixture
async def credential(hass: HomeAssistant) -> Credential:
    """The credential of an agent, good for ten days."""
    return await async_create(hass, "Hermes", 10, local_only=True)


def works(hass: HomeAssistant, token: str | None) -> bool:
    """Whether Home Assistant takes a token."""
    return token is not None and hass.auth.async_validate_access_token(token) is not None


@pytest.mark.parametrize(
    "local_only", [pytest.param(True, id="local network only"), pytest.param(False, id="from anywhere")]
)
async def test_create(hass: HomeAssistant, local_only: bool) -> None:
    """The user is a system user without any group, so that its token may do nothing by itself."""
    made = await async_create(hass, "Hermes", 10, local_only=local_only)
    user = await hass.auth.async_get_user(made.user_id)
    assert user is not None
    assert (user.name, user.system_generated, user.groups, user.local_only, user.is_admin) == (
        "EdgeHome agent: Hermes",
        True,
        [],
        local_only,
        False,
    )
    assert not user.permissions.check_entity("light.any", "read")
    assert works(hass, made.token)


async def test_token_expires(hass: HomeAssistant, credential: Credential, freezer: FrozenDateTimeFactory) -> None:
    """The token is good for its days and no longer."""
    freezer.tick(timedelta(days=9, hours=23))
    assert works(hass, credential.token)
    freezer.tick(timedelta(hours=2))
    assert not works(hass, credential.token)


async def test_renew(hass: HomeAssistant, credential: Credential, freezer: FrozenDateTimeFactory) -> None:
    """A new token works for its own days, the old one at once no more; the user stays."""
    token = await async_renew(hass, credential.user_id, 20)
    assert works(hass, token)
    assert not works(hass, credential.token)
    freezer.tick(timedelta(days=19))
    assert works(hass, token)
    freezer.tick(timedelta(days=2))
    assert not works(hass, token)


async def test_renew_without_a_user(hass: HomeAssistant) -> None:
    """There is no token for a user that is gone."""
    assert await async_renew(hass, "gone", 20) is None


async def test_revoke(hass: HomeAssistant, credential: Credential) -> None:
    """Revoking ends every token and keeps the user; it may be done twice and for nobody."""
    other = await async_create(hass, "Other", 10, local_only=True)
    await async_revoke(hass, credential.user_id)
    await async_revoke(hass, credential.user_id)
    await async_revoke(hass, "gone")
    assert not works(hass, credential.token)
    assert works(hass, other.token)
    assert await hass.auth.async_get_user(credential.user_id) is not None


async def test_remove_others(hass: HomeAssistant, credential: Credential) -> None:
    """Only users that EdgeHome made go, and not those to keep."""
    kept = await async_create(hass, "Kept", 10, local_only=True)
    other_system = await hass.auth.async_create_system_user("Supervisor", group_ids=[])
    nameless = await hass.auth.async_create_system_user("", group_ids=[])
    person = await add_user(hass, f"{USER_PREFIX}a person who likes the name", GROUP_ID_USER)
    await async_remove_others(hass, {kept.user_id})
    left = {user.id for user in await hass.auth.async_get_users()}
    assert left == {kept.user_id, other_system.id, nameless.id, person.id}
    assert works(hass, kept.token)
    assert not works(hass, credential.token)
