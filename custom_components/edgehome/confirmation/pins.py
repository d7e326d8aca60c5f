"""The PINs of approvers: salted scrypt hashes, five tries, then locked until an administrator resets it (R12).

A PIN is typed on EdgeHome's page only. A try is written down before it is compared: whoever breaks EdgeHome off in
between gains no extra one.
"""

import asyncio
import hashlib
import hmac
import secrets
from collections import defaultdict
from collections.abc import Iterable
from enum import StrEnum
from typing import TypedDict

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.storage import Store

from ..const import DOMAIN

MOST_TRIES = 5
SHORTEST, LONGEST = 4, 64
"""How many characters a PIN has; not only blanks."""
PIN_LOCKED = "pin_locked"


class PinState(StrEnum):
    """Where a person's PIN stands."""

    UNSET = "unset"
    SET = "set"
    LOCKED = "locked"


class PinAnswer(StrEnum):
    """What came of a try to use or to set a PIN."""

    OK = "ok"
    WRONG = "wrong"
    LOCKED = "locked"
    UNSET = "unset"
    UNFIT = "unfit"


class _Kept(TypedDict):
    salt: str
    hash: str
    tries: int


class _Stored(TypedDict):
    pins: dict[str, _Kept]


class Pins:
    """One PIN for each user who set one."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._store: Store[_Stored] = Store(hass, 1, f"{DOMAIN}.pins", private=True, atomic_writes=True)
        self._kept: dict[str, _Kept] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def async_load(self) -> None:
        """Reads what was set."""
        stored = await self._store.async_load()
        self._kept = stored["pins"] if stored else {}

    async def async_remove(self) -> None:
        """Forgets all, when EdgeHome is removed."""
        await self._store.async_remove()

    def state(self, user_id: str) -> PinState:
        """Whether a person has a PIN that can be used."""
        kept = self._kept.get(user_id)
        if kept is None:
            return PinState.UNSET
        return PinState.LOCKED if kept["tries"] >= MOST_TRIES else PinState.SET

    def users(self) -> frozenset[str]:
        """Everybody who has set a PIN."""
        return frozenset(self._kept)

    async def async_check(self, user_id: str, name: str, pin: object) -> PinAnswer:
        """Tries a PIN; the fifth wrong one in a row locks it and tells the owner, who knows the person by ``name``."""
        async with self._turns[user_id]:
            return await self._tried(user_id, name, pin)

    async def async_set(self, user_id: str, name: str, new: object, old: object) -> PinAnswer:
        """Sets a person's PIN; whoever has one already must give it."""
        async with self._turns[user_id]:
            if self.state(user_id) is not PinState.UNSET:
                tried = await self._tried(user_id, name, old)
                if tried is not PinAnswer.OK:
                    return tried
            if not _is_fit(new):
                return PinAnswer.UNFIT
            salt = secrets.token_bytes(16)
            digest = await self._hass.async_add_executor_job(_digest, str(new), salt)
            self._kept[user_id] = _Kept(salt=salt.hex(), hash=digest.hex(), tries=0)
            await self._save()
            return PinAnswer.OK

    async def _tried(self, user_id: str, name: str, pin: object) -> PinAnswer:
        kept = self._kept.get(user_id)
        if kept is None:
            return PinAnswer.UNSET
        if kept["tries"] >= MOST_TRIES:
            return PinAnswer.LOCKED
        kept["tries"] += 1
        await self._save()
        given = pin if isinstance(pin, str) and len(pin) <= LONGEST else ""
        digest = await self._hass.async_add_executor_job(_digest, given, bytes.fromhex(kept["salt"]))
        if self._kept.get(user_id) is not kept:
            # Reset meanwhile: what was typed was right for something that is gone.
            return PinAnswer.UNSET
        if hmac.compare_digest(digest, bytes.fromhex(kept["hash"])):
            kept["tries"] = 0
            await self._save()
            return PinAnswer.OK
        if kept["tries"] < MOST_TRIES:
            return PinAnswer.WRONG
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            f"{PIN_LOCKED}_{user_id}",
            is_fixable=False,
            is_persistent=True,
            severity=ir.IssueSeverity.WARNING,
            translation_key=PIN_LOCKED,
            translation_placeholders={"name": name},
        )
        return PinAnswer.LOCKED

    @callback
    def forget(self, user_id: str) -> None:
        """An administrator resets a PIN: the person sets a new one on the page."""
        ir.async_delete_issue(self._hass, DOMAIN, f"{PIN_LOCKED}_{user_id}")
        if self._kept.pop(user_id, None) is not None:
            self._hass.async_create_task(self._save(), "edgehome forget a PIN")

    @callback
    def keep_only(self, user_ids: Iterable[str]) -> None:
        """Forgets the PINs of people who are no approvers any more."""
        for user_id in self._kept.keys() - set(user_ids):
            self.forget(user_id)

    async def _save(self) -> None:
        await self._store.async_save({"pins": self._kept})


def _is_fit(pin: object) -> bool:
    """Whether something can be a PIN: long enough, and not blank."""
    return isinstance(pin, str) and SHORTEST <= len(pin) <= LONGEST and bool(pin.strip())


def _digest(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode("utf-8", "surrogatepass"), salt=salt, n=2**14, r=8, p=1)
