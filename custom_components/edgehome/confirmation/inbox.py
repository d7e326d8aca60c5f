"""The page's side of the questions: websocket commands for approvers in a normal frontend session (R9).

* ``edgehome/inbox/subscribe``: what waits for me, now and whenever it changes. Any user may ask; only an approver gets
  questions, and while he is subscribed he can be reached (R10).
* ``edgehome/inbox/answer``: yes or no. Only an approver, and only with a log-in of this instance's own frontend or a
  companion app: long-lived tokens, agents and other clients are refused and recorded.
"""

from typing import Any

import voluptuous as vol
from homeassistant.components import websocket_api
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.components.websocket_api.decorators import websocket_command
from homeassistant.components.websocket_api.messages import event_message
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback

from ..agents.identity import is_own_session
from ..const import DOMAIN
from .broker import Broker
from .prompt import described

CHANNEL = "page"


@callback
def async_setup_inbox(hass: HomeAssistant) -> None:
    """Registers the commands; they look the entry up when they are called."""
    websocket_api.async_register_command(hass, subscribe)
    websocket_api.async_register_command(hass, answer)


def _broker(hass: HomeAssistant) -> Broker | None:
    entries: list[ConfigEntry[Any]] = hass.config_entries.async_loaded_entries(DOMAIN)
    return entries[0].runtime_data.questions if entries else None


@callback
@websocket_command({vol.Required("type"): "edgehome/inbox/subscribe"})
def subscribe(hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]) -> None:
    """Sends this user's questions, and again whenever they change."""
    broker = _broker(hass)
    if broker is None:
        connection.send_error(msg["id"], websocket_api.const.ERR_NOT_FOUND, "EdgeHome is not loaded")
        return
    user_id = connection.user.id

    @callback
    def send() -> None:
        questions = [described(pending, user_id) for pending in broker.questions_for(user_id)]
        content = {"approver": broker.is_approver(user_id), "questions": questions}
        connection.send_message(event_message(msg["id"], content))

    stop_listening = broker.async_listen(send)
    # Only a session that may answer counts as somebody who can be reached.
    close = broker.page.opened(user_id) if is_own_session(hass, connection.refresh_token_id) else lambda: None

    @callback
    def unsubscribe() -> None:
        stop_listening()
        close()

    connection.subscriptions[msg["id"]] = unsubscribe
    connection.send_result(msg["id"])
    send()


@callback
@websocket_command(
    {
        vol.Required("type"): "edgehome/inbox/answer",
        vol.Required("trace_id"): str,
        vol.Required("yes"): bool,
    }
)
def answer(hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]) -> None:
    """Takes an approver's answer."""
    broker, user_id = _broker(hass), connection.user.id
    if broker is None:
        connection.send_error(msg["id"], websocket_api.const.ERR_NOT_FOUND, "EdgeHome is not loaded")
        return
    if not broker.is_approver(user_id) or not is_own_session(hass, connection.refresh_token_id):
        broker.forged(msg["trace_id"], user_id)
        connection.send_error(
            msg["id"], websocket_api.const.ERR_UNAUTHORIZED, "Only an approver's own log-in may answer"
        )
        return
    taken = broker.answer(msg["trace_id"], user_id, msg["yes"], CHANNEL)
    connection.send_result(msg["id"], {"taken": taken})
