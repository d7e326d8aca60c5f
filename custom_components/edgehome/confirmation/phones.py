"""The companion devices of approvers, and which of them are trusted to show a question.

A phone belongs to the user who registered it; nobody else's can answer in his name. The address to which its pushes go is
remembered when it is first seen: who knows a phone's webhook could point it elsewhere and read the questions (R9). A
phone whose push address changed its host is not asked until the owner has looked at it.
"""

from typing import TypedDict
from urllib.parse import urlsplit

from homeassistant.components.mobile_app.const import DATA_NOTIFY, DATA_PUSH_CHANNEL
from homeassistant.components.mobile_app.util import get_notify_service
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.storage import Store

from ..const import DOMAIN

MOBILE_APP = "mobile_app"
PHONE_CHANGED = "phone_changed"


class _Stored(TypedDict):
    hosts: dict[str, str]


class Phones:
    """The phones of users, and the hosts that their pushes went to when they were first seen."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._store: Store[_Stored] = Store(hass, 1, f"{DOMAIN}.phones", private=True, atomic_writes=True)
        self._hosts: dict[str, str] = {}

    async def async_load(self) -> None:
        """Reads the remembered hosts."""
        stored = await self._store.async_load()
        self._hosts = dict(stored["hosts"]) if stored else {}

    async def async_remove(self) -> None:
        """Forgets them, when EdgeHome is removed."""
        await self._store.async_remove()

    @callback
    def trust(self, user_id: str) -> None:
        """The owner has looked at this user's phones: their present push addresses are right."""
        for phone in self._registered_by(user_id):
            self._hosts[phone.entry_id] = _host(phone)
            ir.async_delete_issue(self._hass, DOMAIN, f"{PHONE_CHANGED}_{phone.entry_id}")
        self._store.async_delay_save(lambda: {"hosts": self._hosts}, 1)

    def of(self, user_id: str) -> tuple[ConfigEntry, ...]:
        """The phones of a user that can be asked: with a notify action, an open channel or a push address, and trusted."""
        channels = self._hass.data.get(MOBILE_APP, {}).get(DATA_PUSH_CHANNEL, {})
        return tuple(
            phone
            for phone in self._registered_by(user_id)
            if (phone.data["webhook_id"] in channels or _host(phone))
            and DATA_NOTIFY in self._hass.data[MOBILE_APP]
            and get_notify_service(self._hass, phone.data["webhook_id"]) is not None
            and self._is_trusted(phone)
        )

    def _registered_by(self, user_id: str) -> tuple[ConfigEntry, ...]:
        loaded = self._hass.config_entries.async_loaded_entries(MOBILE_APP)
        return tuple(entry for entry in loaded if entry.data.get("user_id") == user_id)

    def _is_trusted(self, phone: ConfigEntry) -> bool:
        host = _host(phone)
        known = self._hosts.get(phone.entry_id)
        if known is None:
            self._hosts[phone.entry_id] = host
            self._store.async_delay_save(lambda: {"hosts": self._hosts}, 1)
            return True
        issue_id = f"{PHONE_CHANGED}_{phone.entry_id}"
        if known == host:
            ir.async_delete_issue(self._hass, DOMAIN, issue_id)
            return True
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            issue_id,
            is_fixable=False,
            severity=ir.IssueSeverity.ERROR,
            translation_key=PHONE_CHANGED,
            translation_placeholders={"phone": phone.title, "host": host or "-"},
        )
        return False


def _host(phone: ConfigEntry) -> str:
    """The host that a phone's pushes go to, empty if it has no push address."""
    return urlsplit(str(phone.data.get("app_data", {}).get("push_url", ""))).hostname or ""
