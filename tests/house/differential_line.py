"""One websocket connection to Home Assistant that many may use at once, and the states as it tells them."""

import asyncio
import uuid
from collections import defaultdict
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

import aiohttp

from .client import TIMEOUT, Client
from .differential_values import Look


class Line:
    """Commands and, with ``follow``, the state of every entity from the moment that Home Assistant tells it."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._number = 0
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._watchers: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._ask = ""
        self._asked: dict[str, asyncio.Future[None]] = {}
        self.looks: dict[str, Look] = {}

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession()
        self._ws = await self._session.ws_connect(f"{self._client.url}/api/websocket", max_msg_size=0)
        await self._ws.receive_json()
        await self._ws.send_json({"type": "auth", "access_token": self._client.token})
        await self._ws.receive_json()
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._ws.close()
        await self._session.close()
        await self._reading

    async def follow(self) -> None:
        """Reads all states and from then on follows their changes."""
        await self.command({"type": "subscribe_events", "event_type": "state_changed"})
        for state in (await self.command({"type": "get_states"}))["result"]:
            self.looks[state["entity_id"]] = _look(state)

    async def hear(self, ask: str, answer: str) -> None:
        """From now on ``settle`` waits for devices that answer on one MQTT topic what they are asked on another."""
        await self.command({"type": "mqtt/subscribe", "topic": answer})
        self._ask = ask
        # The subscription reaches the broker some time later; this answer is retained, later ones are heard.
        await self.settle()

    async def settle(self) -> None:
        """Waits until the devices have heard all that was sent, and their answers so far have arrived."""
        if not self._ask:
            return
        token = uuid.uuid4().hex
        heard = self._asked[token] = asyncio.get_running_loop().create_future()
        await self.call("mqtt.publish", {"topic": self._ask, "payload": token})
        async with asyncio.timeout(TIMEOUT):
            await heard

    async def command(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """One command; whatever it answers."""
        self._number += 1
        number = self._number
        answered: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answered
        await self._ws.send_json({"id": number, **command})
        async with asyncio.timeout(TIMEOUT):
            return await answered

    async def call(self, service: str, data: Mapping[str, Any], *, response: bool = False) -> dict[str, Any]:
        """One action."""
        domain, _, name = service.partition(".")
        call: dict[str, Any] = {"type": "call_service", "domain": domain, "service": name, "service_data": dict(data)}
        return await self.command({**call, "return_response": True} if response else call)

    async def until(self, entity_id: str, is_so: Callable[[Look], bool], seconds: float) -> bool:
        """Waits until an entity looks as wanted; whether it does in the end."""
        changed = asyncio.Event()
        self._watchers[entity_id].add(changed)
        try:
            async with asyncio.timeout(seconds):
                while not is_so(self.look(entity_id)):
                    changed.clear()
                    await changed.wait()
        except TimeoutError:
            return is_so(self.look(entity_id))
        finally:
            self._watchers[entity_id].discard(changed)
        return True

    async def quiet(self, entity_id: str, is_so: Callable[[Look], bool], seconds: float, still: float) -> None:
        """Waits until an entity looks as wanted and does not change any more for a while."""
        is_still = False
        while not is_still:
            await self.until(entity_id, is_so, seconds)
            is_still = not await self._changes(entity_id, self.look(entity_id), still)

    async def _changes(self, entity_id: str, look: Look, seconds: float) -> bool:
        return await self.until(entity_id, lambda now: now is not look, seconds)

    def look(self, entity_id: str) -> Look:
        """How an entity looks now."""
        return self.looks.get(entity_id, Look(state="gone"))

    async def _read(self) -> None:
        async for packet in self._ws:
            if packet.type is not aiohttp.WSMsgType.TEXT:
                return
            content = packet.json()
            for message in content if isinstance(content, list) else [content]:
                self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "result" and (future := self._waiting.pop(message["id"], None)):
            future.set_result(message)
        elif message["type"] == "event" and "payload" in message["event"]:
            if asked := self._asked.pop(str(message["event"]["payload"]), None):
                asked.set_result(None)
        elif message["type"] == "event":
            data = message["event"]["data"]
            if data["new_state"]:
                self.looks[data["entity_id"]] = _look(data["new_state"])
            for watcher in self._watchers[data["entity_id"]]:
                watcher.set()


def _look(state: Mapping[str, Any]) -> Look:
    return Look(state=state["state"], attributes=state["attributes"])
