"""Lockdown: while it is on, nothing is accepted from anybody (R15). It survives restarts."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TypedDict

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.storage import Store

from .const import DOMAIN

_LOGGER = logging.getLogger(__name__)


class _Stored(TypedDict):
    engaged: bool


class Lockdown:
    """Whether the door is closed for everybody; ``changed`` is told."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._store: Store[_Stored] = Store(hass, 1, f"{DOMAIN}.lockdown", atomic_writes=True)
        self._listeners: list[Callable[[], None]] = []
        self._writing = asyncio.Lock()
        self._wanted = False
        self.engaged = False

    async def async_load(self) -> None:
        """Reads what was in force when Home Assistant stopped; a file that cannot be read means engaged (R2)."""
        was_there = await self._hass.async_add_executor_job(Path(self._store.path).exists)
        stored = await self._store.async_load()
        if stored is None and was_there:
            # Home Assistant has put the broken file aside; without a new one the next start would release.
            await self._store.async_save({"engaged": True})
        self.engaged = was_there if stored is None else stored.get("engaged") is not False
        self._wanted = self.engaged

    async def async_set(self, *, engaged: bool) -> None:
        """Engaging takes effect at once; releasing when it is written, and not if it is engaged again meanwhile."""
        self._wanted = engaged
        if engaged:
            self._tell(engaged=True)
        async with self._writing:
            await self._store.async_save({"engaged": self._wanted})
            if not self._wanted:
                self._tell(engaged=False)

    @callback
    def _tell(self, *, engaged: bool) -> None:
        self.engaged = engaged
        for listener in list(self._listeners):
            try:
                listener()
            except Exception:
                _LOGGER.exception("A listener of the lockdown failed; the lockdown stands")

    async def async_remove(self) -> None:
        """Forgets it, when EdgeHome is removed."""
        await self._store.async_remove()

    @callback
    def async_listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Tells a listener of changes; returns what stops that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)
