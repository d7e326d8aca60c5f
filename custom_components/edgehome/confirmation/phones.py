"""The companion devices of approvers, and which of them are trusted to show a question.

A phone belongs to the user who registered it; nobody else's can answer in his name. The address to which its pushes go is
remembered when it is first seen: who knows a phone's webhook could point it elsewhere and read the questions (R9). A
phone whose push address changed its host is not asked until the owner has looked at it.
"""

from collections.abc import Sequence
from typing import TypedDict
from urllib.parse import urlsplit

from homeassistant.components.mobile_app.const import DATA_NOTIFY, DATA_PUSH_CHANNEL
from homeassistant.components.mobile_app.util import get_notify_service
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.storage import Store

from ..const import DOMAIN
from .approvers import Approver

MOBILE_APP = "mobile_app"
PHONE_CHANGED, PHONE_GONE, PHONE_UNNAMED = "phone_changed", "phone_gone", "phone_unnamed"


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
        self._save()

    def of(self, approver: Approver) -> tuple[ConfigEntry, ...]:
        """An approver's phones that can be asked.

        Registered by him and chosen, with a notify action of their own, an open channel or a push address, and trusted.
        """
        channels = self._hass.data.get(MOBILE_APP, {}).get(DATA_PUSH_CHANNEL, {})
        return tuple(
            phone
            for phone in self._registered_by(approver.user_id)
            if (not approver.phones or phone.entry_id in approver.phones)
            and (phone.data["webhook_id"] in channels or _host(phone))
            and DATA_NOTIFY in self._hass.data[MOBILE_APP]
            and self._has_notify_action(phone)
            and self._is_trusted(phone)
        )

    def names(self, user_id: str) -> dict[str, str]:
        """The phones that a user registered, by config entry."""
        return {phone.entry_id: phone.title for phone in self._registered_by(user_id)}

    @callback
    def tell_missing(self, approvers: Sequence[Approver]) -> None:
        """Tells the owner of chosen phones that are gone: a new phone is a new registration and has to be chosen."""
        wanted = {f"{PHONE_GONE}_{approver.user_id}": approver for approver in approvers if self._lacks(approver)}
        phones = {phone.entry_id for phone in self._hass.config_entries.async_entries(MOBILE_APP)}
        for domain, issue_id in list(ir.async_get(self._hass).issues):
            about = next((kind for kind in (PHONE_CHANGED, PHONE_UNNAMED) if issue_id.startswith(f"{kind}_")), None)
            is_over = about is not None and issue_id.removeprefix(f"{about}_") not in phones
            if domain == DOMAIN and (is_over or (issue_id.startswith(PHONE_GONE) and issue_id not in wanted)):
                ir.async_delete_issue(self._hass, DOMAIN, issue_id)
        for issue_id, approver in wanted.items():
            self._tell(issue_id, PHONE_GONE, ir.IssueSeverity.WARNING, name=approver.name)

    def _lacks(self, approver: Approver) -> bool:
        known = self._hass.config_entries.async_get_entry
        return any(known(entry_id) is None for entry_id in approver.phones)

    def _has_notify_action(self, phone: ConfigEntry) -> bool:
        """Whether Home Assistant can notify this very phone: of two of the same name it notifies one."""
        able = get_notify_service(self._hass, phone.data["webhook_id"]) is not None
        issue_id = f"{PHONE_UNNAMED}_{phone.entry_id}"
        if able:
            ir.async_delete_issue(self._hass, DOMAIN, issue_id)
        else:
            self._tell(issue_id, PHONE_UNNAMED, ir.IssueSeverity.WARNING, phone=phone.title)
        return able

    def _tell(self, issue_id: str, key: str, severity: ir.IssueSeverity, **words: str) -> None:
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            issue_id,
            is_fixable=False,
            severity=severity,
            translation_key=key,
            translation_placeholders=words,
        )

    def _registered_by(self, user_id: str) -> tuple[ConfigEntry, ...]:
        loaded = self._hass.config_entries.async_loaded_entries(MOBILE_APP)
        return tuple(entry for entry in loaded if entry.data.get("user_id") == user_id)

    def _is_trusted(self, phone: ConfigEntry) -> bool:
        host = _host(phone)
        known = self._hosts.get(phone.entry_id)
        if known is None:
            self._hosts[phone.entry_id] = host
            self._save()
            return True
        issue_id = f"{PHONE_CHANGED}_{phone.entry_id}"
        if known == host:
            ir.async_delete_issue(self._hass, DOMAIN, issue_id)
            return True
        self._tell(issue_id, PHONE_CHANGED, ir.IssueSeverity.ERROR, phone=phone.title, host=host or "-")
        return False

    def _save(self) -> None:
        self._store.async_delay_save(lambda: {"hosts": self._hosts}, 1)


def _host(phone: ConfigEntry) -> str:
    """The host that a phone's pushes go to, empty if it has no push address."""
    return urlsplit(str(phone.data.get("app_data", {}).get("push_url", ""))).hostname or ""
