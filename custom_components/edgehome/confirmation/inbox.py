"""The page's side of the questions: websocket commands for approvers in a normal frontend session (R9).

* ``edgehome/inbox/subscribe``: what waits for me, now and whenever it changes. Any user may ask; only an approver gets
  questions, and while he is subscribed he can be reached (R10).
* ``edgehome/inbox/answer``: yes, yes for a while, or no; with a PIN where the policy wants one.
* ``edgehome/inbox/revoke``: ends a yes that was given for a while.
* ``edgehome/inbox/set_pin``: sets one's own PIN.

All but the first take an approver only, and only with a log-in of this instance's own frontend or a companion app:
long-lived tokens, agents and other clients are refused, and their answers recorded.
"""

from typing import Any, cast

import voluptuous as vol
from homeassistant.components import websocket_api
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.components.websocket_api.decorators import async_response, websocket_command
from homeassistant.components.websocket_api.messages import event_message
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback

from ..agents.identity import is_own_session
from ..const import DOMAIN
from .broker import Broker
from .pending import Answer
from .pins import PinAnswer
from .prompt import described, granted
from .words import words_of

CHANNEL = "page"


@callback
def async_setup_inbox(hass: HomeAssistant) -> None:
    """Registers the commands; they look the entry up when they are called."""
    for command in (subscribe, answer, revoke, set_pin):
        websocket_api.async_register_command(hass, command)


def _broker(hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]) -> Broker | None:
    """The questions of the loaded EdgeHome; without one the command is refused."""
    entries: list[ConfigEntry[Any]] = hass.config_entries.async_loaded_entries(DOMAIN)
    if entries:
        return cast("Broker", entries[0].runtime_data.questions)
    connection.send_error(msg["id"], websocket_api.const.ERR_NOT_FOUND, "EdgeHome is not loaded")
    return None


def _of_approver(hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]) -> Broker | None:
    """The questions, for an approver's own log-in; anybody else is refused and recorded."""
    broker, user_id = _broker(hass, connection, msg), connection.user.id
    if broker is None or (broker.is_approver(user_id) and is_own_session(hass, connection.refresh_token_id)):
        return broker
    if isinstance(trace_id := msg.get("trace_id"), str):
        broker.forged(trace_id, user_id)
    message = "Only an approver's own log-in may answer"
    connection.send_error(msg["id"], websocket_api.const.ERR_UNAUTHORIZED, message)
    return None


def _with_secrets(kind: str) -> dict[Any, Any]:
    """A command that carries a PIN: looked at by its handler alone, so that no error message repeats what was typed (R12)."""
    return {vol.Required("type"): kind, str: object}


_ANSWERS = tuple(word.value for word in Answer)


def _has_more(msg: dict[str, Any], *known: str) -> bool:
    """Whether a command carries fields that it does not have."""
    return bool(msg.keys() - {"id", "type", *known})


def _unfit(connection: ActiveConnection, msg: dict[str, Any], message: str) -> None:
    connection.send_error(msg["id"], websocket_api.const.ERR_INVALID_FORMAT, message)


@callback
@websocket_command({vol.Required("type"): "edgehome/inbox/subscribe", vol.Optional("language", default="en"): str})
def subscribe(hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]) -> None:
    """Sends this user's questions and grants, and again whenever they change."""
    broker = _broker(hass, connection, msg)
    if broker is None:
        return
    user_id, words = connection.user.id, words_of(msg["language"])

    @callback
    def send() -> None:
        content = {
            "approver": broker.is_approver(user_id),
            "pin": broker.pins.state(user_id).value,
            "questions": [described(pending, user_id, words) for pending in broker.questions_for(user_id)],
            "grants": [
                granted(grant, broker.grants.used(grant.id), words) for grant in broker.lasting.of_approver(user_id)
            ],
        }
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


@websocket_command(_with_secrets("edgehome/inbox/answer"))
@async_response
async def answer(hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]) -> None:
    """Takes an approver's answer. A wrong PIN is told and counted; the question stays."""
    broker, user = _of_approver(hass, connection, msg), connection.user
    if broker is None:
        return
    trace_id, told = msg.get("trace_id"), msg.get("answer")
    if _has_more(msg, "trace_id", "answer", "pin") or not isinstance(trace_id, str) or told not in _ANSWERS:
        _unfit(connection, msg, f"Send trace_id, answer ({', '.join(Answer)}) and pin where one is wanted")
        return
    word, tried = Answer(str(told)), None
    if word is not Answer.NO and broker.wants_pin(trace_id, user.id):
        tried = await broker.pins.async_check(user.id, user.name or user.id, msg.get("pin"))
        if tried is not PinAnswer.OK:
            broker.pin_refused(trace_id, user.id)
            connection.send_result(msg["id"], {"taken": False, "pin": tried.value})
            return
    taken = broker.answer(trace_id, user.id, word, CHANNEL, with_pin=tried is PinAnswer.OK)
    connection.send_result(msg["id"], {"taken": taken})


@callback
@websocket_command({vol.Required("type"): "edgehome/inbox/revoke", vol.Required("grant_id"): str})
def revoke(hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]) -> None:
    """Ends a grant."""
    if (broker := _of_approver(hass, connection, msg)) is not None:
        connection.send_result(msg["id"], {"ended": broker.lasting.revoke(msg["grant_id"], connection.user.id)})


@websocket_command(_with_secrets("edgehome/inbox/set_pin"))
@async_response
async def set_pin(hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]) -> None:
    """Sets the approver's own PIN; whoever has one must give it."""
    broker, user = _of_approver(hass, connection, msg), connection.user
    if broker is not None and (_has_more(msg, "new", "old") or "new" not in msg):
        _unfit(connection, msg, "Send new, and old where there is a PIN already")
    elif broker is not None:
        done = await broker.pins.async_set(user.id, user.name or user.id, msg.get("new"), msg.get("old"))
        connection.send_result(msg["id"], {"pin": done.value})
        broker.changed()
