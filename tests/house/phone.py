"""A companion app: registers as one, takes notifications over the websocket push channel, and taps their buttons."""

import asyncio
import queue
import threading
from typing import Any, Self

import aiohttp

from .client import Client

APP = {
    "app_id": "edgehome.test.phone",
    "app_name": "Test phone",
    "app_version": "1.0",
    "manufacturer": "Test",
    "model": "One",
    "os_name": "Test",
    "os_version": "1",
    "supports_encryption": False,
}
EVENT = "mobile_app_notification_action"
PATIENCE = 15


class Phone:
    """One phone of one user; its notifications arrive in ``messages``."""

    def __init__(self, user: Client, name: str) -> None:
        self.user = user
        self.name = name
        self.messages: queue.Queue[dict[str, Any]] = queue.Queue()
        body = {**APP, "device_id": name.lower().replace(" ", "-"), "device_name": name}
        body["app_data"] = {"push_websocket_channel": True}
        self.webhook_id = str(user.post("/api/mobile_app/registrations", body)["webhook_id"])
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self.switch_on()
        return self

    def __exit__(self, *_: object) -> None:
        self.switch_off()

    def switch_on(self) -> None:
        """Opens the push channel."""
        self._thread.start()
        if not self._ready.wait(PATIENCE):
            raise RuntimeError(f"{self.name} got no push channel")

    def switch_off(self) -> None:
        """Closes the push channel, as a phone that is off."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def forget(self) -> None:
        """Drops what arrived so far."""
        while not self.messages.empty():
            self.messages.get_nowait()

    def question(self) -> dict[str, Any]:
        """The next notification with buttons."""
        while True:
            message = self.messages.get(timeout=PATIENCE)
            if message.get("data", {}).get("actions"):
                return message

    def cleared(self) -> str:
        """The tag of the next notification that is taken away."""
        while True:
            message = self.messages.get(timeout=PATIENCE)
            if message["message"] == "clear_notification":
                return str(message["data"]["tag"])

    def tap(self, message: dict[str, Any], button: int) -> None:
        """Taps a button of a notification, as the app does: through its webhook."""
        self.fire(EVENT, {"action": message["data"]["actions"][button]["action"], "tag": message["data"]["tag"]})

    def fire(self, event_type: str, data: dict[str, Any]) -> None:
        """Fires any event through the phone's webhook, as any app could."""
        body = {"type": "fire_event", "data": {"event_type": event_type, "event_data": data}}
        response = self.user.request("POST", f"/api/webhook/{self.webhook_id}", body)
        response.raise_for_status()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._listen())

    async def _listen(self) -> None:
        self._stop = asyncio.Event()
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{self.user.url}/api/websocket") as ws,
        ):
            await ws.receive_json()
            await ws.send_json({"type": "auth", "access_token": self.user.token})
            await ws.receive_json()
            channel = {"type": "mobile_app/push_notification_channel", "webhook_id": self.webhook_id}
            await ws.send_json({"id": 1, "support_confirm": True, **channel})
            await ws.receive_json()
            self._ready.set()
            stopping = asyncio.create_task(self._stop.wait())
            number = 2
            while not stopping.done():
                receiving = asyncio.create_task(ws.receive())
                await asyncio.wait((receiving, stopping), return_when=asyncio.FIRST_COMPLETED)
                if not receiving.done():
                    receiving.cancel()
                    return
                packet = receiving.result()
                if packet.type is not aiohttp.WSMsgType.TEXT:
                    return
                content = packet.json()
                if content.get("type") != "event":
                    continue
                message = content["event"]
                confirm = {"type": "mobile_app/push_notification_confirm", "webhook_id": self.webhook_id}
                if "hass_confirm_id" in message:
                    await ws.send_json({"id": number, **confirm, "confirm_id": message["hass_confirm_id"]})
                    number += 1
                self.messages.put(message)
