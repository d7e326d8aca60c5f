"""Lockdown: while it is on, nothing is accepted from anybody (R15). It survives restarts."""

from collections.abc import Callable
from typing import TypedDict

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.storage import Store

from .const import DOMAIN


class _Stored(TypedDict):
    engaged: bool


class Lockdown:
    """Whether the door is closed for everybody; ``changed`` is told."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._store: Store[_Stored] = Store(hass, 1, f"{DOMAIN}.lockdown", atomic_writes=True)
        self._listeners: list[Callable[[], None]] = []
        self.engaged = False

    async def async_load(self) -> None:
        """Reads what was in force when Home Assistant stopped."""
        stored = await self._store.async_load()
        self.engaged = bool(stored and stored["engaged"])

    async def async_set(self, *, engaged: bool) -> None:
        """Takes effect at once, then is written."""
        self.engaged = engaged
        for listener in self._listeners:
            listener()
        await self._store.async_save({"engaged": engaged})

    async def async_remove(self) -> None:
        """Forgets it, when EdgeHome is removed."""
        await self._store.async_remove()

    @callback
    def async_listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Tells a listener of changes; returns what stops that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)
