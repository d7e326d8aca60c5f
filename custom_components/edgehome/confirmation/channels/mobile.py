"""The companion app: a notification with buttons on the phones that an approver registered himself.

A button's action id holds a nonce of 192 bits that only this phone got. An answer counts if the nonce is known and the
event's user is the one who registered that phone (``components/mobile_app/helpers.py``): the nonce alone can be read on
Home Assistant's bus, the user alone is anybody's phone (R9, R12).
"""

import asyncio
import hashlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from homeassistant.components.mobile_app.util import get_notify_service
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.util import dt as dt_util

from ..approvers import Approver
from ..pending import Answer, Pending
from ..phones import Phones
from ..prompt import message, title
from ..words import Words, words_of

_LOGGER = logging.getLogger(__name__)

EVENT = "mobile_app_notification_action"
PREFIX = "EDGEHOME"
UNLOCKED_FROM = 4
"""From this risk on the phone must be unlocked to answer."""
URGENT_FROM = 3
MOST_SPENT = 500
"""How many used-up buttons are remembered, so that late taps are recorded."""

PAGE = "/edgehome"
"""Where a tap on the notification leads."""

type Answered = Callable[[str, str, Answer, str], object]
"""Takes trace id, user id, the answer, and the channel."""
type Forged = Callable[[str, str | None], None]
"""Takes trace id and the user behind a forged answer."""


@dataclass(frozen=True, kw_only=True)
class _Button:
    trace_id: str
    user_id: str
    answer: Answer


class MobileChannel:
    """Asks on phones and listens to their buttons."""

    name = "companion app"

    def __init__(self, hass: HomeAssistant, phones: Phones, salt: str, answered: Answered, forged: Forged) -> None:
        self._hass = hass
        self._phones = phones
        self._salt = salt
        self._answered = answered
        self._forged = forged
        self._buttons: dict[str, _Button] = {}
        self._spent: OrderedDict[str, _Button] = OrderedDict()
        self._shown: dict[str, set[str]] = {}

    @callback
    def async_start(self) -> Callable[[], None]:
        """Listens to buttons; returns what stops that."""
        return self._hass.bus.async_listen(EVENT, self._pressed)

    def is_reachable(self, approver: Approver) -> bool:
        """Whether one of the approver's phones can be asked (R10)."""
        return bool(self._phones.of(approver))

    async def send(self, pending: Pending, approver: Approver) -> int:
        """Asks on all phones of an approver at once; on how many it was sent. Sent is not seen."""
        phones = self._phones.of(approver)
        self._shown.setdefault(pending.id, set()).update(phone.entry_id for phone in phones)
        sent = await asyncio.gather(*(self._notify(phone, self._question(pending, approver)) for phone in phones))
        return sum(sent)

    @callback
    def revoke(self, trace_id: str) -> None:
        """The buttons of a question are worth nothing from now on; who presses one later is recorded."""
        for nonce in [nonce for nonce, button in self._buttons.items() if button.trace_id == trace_id]:
            self._spent[nonce] = self._buttons.pop(nonce)
        while len(self._spent) > MOST_SPENT:
            self._spent.popitem(last=False)

    async def clear(self, trace_id: str) -> None:
        """Takes the question off every phone that showed it."""
        shown = self._shown.pop(trace_id, set())
        phones = [self._hass.config_entries.async_get_entry(entry_id) for entry_id in shown]
        content = {"message": "clear_notification", "data": {"tag": self._tag(trace_id)}}
        await asyncio.gather(*(self._notify(phone, content) for phone in phones if phone is not None))

    async def clear_everywhere(self, trace_ids: Sequence[str], approvers: Sequence[Approver]) -> None:
        """Takes questions of before a restart off the approvers' phones, as far as they can be reached."""
        for trace_id in trace_ids:
            phones = {phone.entry_id for approver in approvers for phone in self._phones.of(approver)}
            self._shown[trace_id] = phones
            await self.clear(trace_id)

    def _tag(self, trace_id: str) -> str:
        """The notification's tag: nobody who knows the trace id can replace or clear the notification."""
        return f"edgehome-{hashlib.sha256(f'{self._salt} {trace_id}'.encode()).hexdigest()[:24]}"

    def _question(self, pending: Pending, approver: Approver) -> dict[str, object]:
        words = words_of(self._hass.config.language)
        risk = pending.plan.risk
        expires = dt_util.as_local(pending.expires_at)
        seconds = max(1, int((pending.expires_at - dt_util.utcnow()).total_seconds()))
        return {
            "title": title(pending, words),
            "message": message(pending, words, expires),
            "data": {
                "tag": self._tag(pending.id),
                "group": "edgehome",
                "channel": "EdgeHome",
                "importance": "high" if risk >= URGENT_FROM else "default",
                "priority": "high",
                "ttl": 0,
                "timeout": seconds,
                "visibility": "private",
                "push": {"interruption-level": "time-sensitive" if risk >= URGENT_FROM else "active"},
                "clickAction": PAGE,
                "url": PAGE,
                "actions": self._buttons_for(pending, approver, words),
            },
        }

    def _buttons_for(self, pending: Pending, approver: Approver, words: Words) -> list[dict[str, object]]:
        """Yes, no, and where it may be given the yes for a while; a PIN is typed on the page, so there is no yes here."""
        no = {**self._button(pending, approver, words.reject, Answer.NO), "destructive": True}
        if pending.requirement.terms.pin:
            return [{"action": "URI", "title": words.open_page, "uri": PAGE}, no]
        yes = self._button(pending, approver, words.approve, Answer.YES)
        if pending.plan.risk >= UNLOCKED_FROM:
            yes["authenticationRequired"] = True
        if not pending.is_grantable:
            return [yes, no]
        return [yes, no, self._button(pending, approver, words.for_a_while, Answer.YES_FOR_A_WHILE)]

    def _button(self, pending: Pending, approver: Approver, label: str, answer: Answer) -> dict[str, object]:
        nonce = secrets.token_urlsafe(24)
        self._buttons[nonce] = _Button(trace_id=pending.id, user_id=approver.user_id, answer=answer)
        return {"action": f"{PREFIX}_{nonce}", "title": label}

    async def _notify(self, phone: ConfigEntry, content: Mapping[str, object]) -> bool:
        service = get_notify_service(self._hass, phone.data["webhook_id"])
        if service is None:
            return False
        try:
            await self._hass.services.async_call("notify", service, dict(content), blocking=True)
        except Exception as error:
            # Whatever a push server answers must not stop the others. Its text can name the phone's webhook (R12).
            _LOGGER.debug("A phone did not take a notification: %s", type(error).__name__)
            return False
        return True

    @callback
    def _pressed(self, event: Event[Mapping[str, object]]) -> None:
        """A button was pressed, or somebody pretends so."""
        action = event.data.get("action")
        if not isinstance(action, str) or not action.startswith(f"{PREFIX}_"):
            return
        nonce = action.removeprefix(f"{PREFIX}_")
        button = self._buttons.get(nonce) or self._spent.get(nonce)
        if button is None:
            _LOGGER.info("Somebody pressed a button that EdgeHome never made; user %s", event.context.user_id)
        elif event.context.user_id != button.user_id or event.context.origin_event is not event:
            # A phone's tap begins something new; a script goes on with the context of who started it.
            self._forged(button.trace_id, event.context.user_id)
        else:
            self._answered(button.trace_id, button.user_id, button.answer, self.name)
