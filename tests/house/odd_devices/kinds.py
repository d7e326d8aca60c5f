"""The kinds of odd devices: what a call of each asks for."""

from collections.abc import Mapping
from typing import Any, ClassVar, override

from homeassistant.components.light import LightEntity
from homeassistant.components.light.const import ATTR_BRIGHTNESS, ColorMode
from homeassistant.components.lock import LockEntity

from .base import Odd, Reading

STILL: Reading = {"is_locking": False, "is_unlocking": False, "is_jammed": False}


class OddLight(Odd, LightEntity):
    """A lamp with a brightness; off in the beginning."""

    _attr_color_mode = ColorMode.BRIGHTNESS
    _attr_supported_color_modes = {ColorMode.BRIGHTNESS}  # noqa: RUF012  # as Home Assistant's own lights have it
    first: ClassVar[Reading] = {"is_on": False, "brightness": 255}
    states: ClassVar[Mapping[str, Reading]] = {"on": {"is_on": True}, "off": {"is_on": False}}

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        """Switches on, as bright as asked or as last time."""
        await self.receive({"is_on": True, "brightness": kwargs.get(ATTR_BRIGHTNESS, self.real["brightness"])})

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        """Switches off."""
        await self.receive({"is_on": False})


class OddLock(Odd, LockEntity):
    """A lock; locked in the beginning."""

    first: ClassVar[Reading] = {"is_locked": True, **STILL}
    states: ClassVar[Mapping[str, Reading]] = {
        "locked": {"is_locked": True, **STILL},
        "unlocked": {"is_locked": False, **STILL},
        "jammed": {"is_locked": False, **STILL, "is_jammed": True},
    }

    @override
    async def async_lock(self, **kwargs: Any) -> None:
        """Locks."""
        await self.receive({"is_locked": True})

    @override
    async def async_unlock(self, **kwargs: Any) -> None:
        """Unlocks."""
        await self.receive({"is_locked": False})
