"""Home Assistant's own notification: tells everybody that something waits, without secrets and without a way to answer."""

from homeassistant.components import persistent_notification
from homeassistant.core import HomeAssistant, callback
from homeassistant.util import dt as dt_util

from ..pending import Pending
from ..prompt import message, title
from ..words import words_of


class PersistentChannel:
    """Shows and takes away."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass

    @callback
    def show(self, pending: Pending) -> None:
        """Shows that a question waits."""
        words = words_of(self._hass.config.language)
        text = message(pending, words, dt_util.as_local(pending.expires_at))
        persistent_notification.async_create(self._hass, text, title(pending, words), _id(pending.id))

    @callback
    def clear(self, trace_id: str) -> None:
        """Takes it away."""
        persistent_notification.async_dismiss(self._hass, _id(trace_id))


def _id(trace_id: str) -> str:
    return f"edgehome_{trace_id}"
