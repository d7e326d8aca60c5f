"""The companion app: a notification with buttons on the phones that an approver registered himself.

A button's action id holds a nonce of 192 bits that only this phone got. An answer counts if the nonce is known and the
event's user is the one who registered that phone (``components/mobile_app/helpers.py``): the nonce alone can be read on
Home Assistant's bus, the user alone is anybody's phone (R9, R12).
"""

import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from homeassistant.components.mobile_app.const import DATA_PUSH_CHANNEL
from homeassistant.components.mobile_app.const import DOMAIN as MOBILE_APP
from homeassistant.components.mobile_app.util import get_notify_service
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ..approvers import Approver, phones_of
from ..pending import Pending
from ..prompt import message, title, words_of

_LOGGER = logging.getLogger(__name__)

EVENT = "mobile_app_notification_action"
PREFIX = "EDGEHOME"
UNLOCKED_FROM = 4
"""From this risk on the phone must be unlocked to answer."""
URGENT_FROM = 3

type Answered = Callable[[str, str, bool, str], object]
"""Takes trace id, user id, whether it is a yes, and the channel."""
type Forged = Callable[[str, str | None], None]
"""Takes trace id and the user behind a forged answer."""


@dataclass(frozen=True, kw_only=True)
class _Button:
    trace_id: str
    user_id: str
    is_yes: bool


class MobileChannel:
    """Asks on phones and listens to their buttons."""

    name = "companion app"

    def __init__(self, hass: HomeAssistant, answered: Answered, forged: Forged) -> None:
        self._hass = hass
        self._answered = answered
        self._forged = forged
        self._buttons: dict[str, _Button] = {}
        self._shown: dict[str, set[str]] = {}

    @callback
    def async_start(self) -> Callable[[], None]:
        """Listens to buttons; returns what stops that."""
        return self._hass.bus.async_listen(EVENT, self._pressed)

    def is_reachable(self, approver: Approver) -> bool:
        """Whether one of the approver's phones has an open push channel or a push address (R10)."""
        return any(self._takes_push(phone) for phone in phones_of(self._hass, approver.user_id))

    async def send(self, pending: Pending, approver: Approver) -> int:
        """Asks on all phones of an approver; on how many it was sent. Sent is not seen."""
        sent = 0
        for phone in phones_of(self._hass, approver.user_id):
            if self._takes_push(phone) and await self._notify(phone, self._question(pending, approver)):
                self._shown.setdefault(pending.id, set()).add(phone.entry_id)
                sent += 1
        return sent

    async def clear(self, trace_id: str) -> None:
        """Takes the question off every phone that showed it; its buttons are worth nothing from now on."""
        self._buttons = {nonce: button for nonce, button in self._buttons.items() if button.trace_id != trace_id}
        for entry_id in self._shown.pop(trace_id, set()):
            phone = self._hass.config_entries.async_get_entry(entry_id)
            if phone is not None:
                await self._notify(phone, {"message": "clear_notification", "data": {"tag": _tag(trace_id)}})

    def _takes_push(self, phone: ConfigEntry) -> bool:
        channels = self._hass.data.get(MOBILE_APP, {}).get(DATA_PUSH_CHANNEL, {})
        return phone.data["webhook_id"] in channels or "push_url" in phone.data.get("app_data", {})

    def _question(self, pending: Pending, approver: Approver) -> dict[str, object]:
        words = words_of(self._hass.config.language)
        risk = pending.plan.risk
        expires = dt_util.as_local(pending.expires_at)
        seconds = max(1, int((pending.expires_at - dt_util.utcnow()).total_seconds()))
        return {
            "title": title(pending, words),
            "message": message(pending, words, expires),
            "data": {
                "tag": _tag(pending.id),
                "group": "edgehome",
                "channel": "EdgeHome",
                "importance": "high" if risk >= URGENT_FROM else "default",
                "priority": "high",
                "ttl": 0,
                "timeout": seconds,
                "visibility": "private",
                "push": {"interruption-level": "time-sensitive" if risk >= URGENT_FROM else "active"},
                "actions": [
                    self._button(pending, approver, words.approve, is_yes=True),
                    self._button(pending, approver, words.reject, is_yes=False),
                ],
            },
        }

    def _button(self, pending: Pending, approver: Approver, label: str, *, is_yes: bool) -> dict[str, object]:
        nonce = secrets.token_urlsafe(24)
        self._buttons[nonce] = _Button(trace_id=pending.id, user_id=approver.user_id, is_yes=is_yes)
        button: dict[str, object] = {"action": f"{PREFIX}_{nonce}", "title": label}
        if is_yes and pending.plan.risk >= UNLOCKED_FROM:
            button["authenticationRequired"] = True
        if not is_yes:
            button["destructive"] = True
        return button

    async def _notify(self, phone: ConfigEntry, content: Mapping[str, object]) -> bool:
        service = get_notify_service(self._hass, phone.data["webhook_id"])
        if service is None:
            return False
        try:
            await self._hass.services.async_call("notify", service, dict(content), blocking=True)
        except HomeAssistantError as error:
            _LOGGER.debug("A phone did not take a notification: %s", error)
            return False
        return True

    @callback
    def _pressed(self, event: Event[Mapping[str, object]]) -> None:
        """A button was pressed, or somebody pretends so."""
        action = event.data.get("action")
        if not isinstance(action, str) or not action.startswith(f"{PREFIX}_"):
            return
        button = self._buttons.get(action.removeprefix(f"{PREFIX}_"))
        if button is None:
            return
        if event.context.user_id != button.user_id:
            self._forged(button.trace_id, event.context.user_id)
            return
        self._answered(button.trace_id, button.user_id, button.is_yes, self.name)


def _tag(trace_id: str) -> str:
    return f"edgehome-{trace_id}"
