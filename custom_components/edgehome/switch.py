"""The lockdown switch: anyone may engage it, only an administrator releases it (R15)."""

from typing import Any, override

from homeassistant.components.switch import SwitchEntity
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .const import DOMAIN
from .data import EdgeHomeConfigEntry
from .entity import EdgeHomeEntity
from .lockdown import Lockdown

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: EdgeHomeConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Adds the switch."""
    async_add_entities([LockdownSwitch(entry)])


class LockdownSwitch(EdgeHomeEntity, SwitchEntity):
    """On while nothing is accepted from anybody."""

    def __init__(self, entry: EdgeHomeConfigEntry) -> None:
        super().__init__(entry, "lockdown")
        self._lockdown: Lockdown = entry.runtime_data.lockdown

    @property
    @override
    def is_on(self) -> bool:
        """Whether lockdown is engaged."""
        return self._lockdown.engaged

    @override
    async def async_added_to_hass(self) -> None:
        """Follows the lockdown."""
        self.async_on_remove(self._lockdown.async_listen(self.async_write_ha_state))

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        """Engages lockdown."""
        await self._lockdown.async_set(engaged=True)

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        """Releases lockdown, for an administrator only."""
        user_id = self._context.user_id if self._context else None
        user = await self.hass.auth.async_get_user(user_id) if user_id else None
        if user is None or not user.is_admin:
            raise ServiceValidationError(translation_domain=DOMAIN, translation_key="only_admin_releases")
        await self._lockdown.async_set(engaged=False)
