from collections.abc import Callable, Coroutine
from typing import Any

from aiohttp import ClientWebSocketResponse
from aiohttp.test_utils import TestClient

class MockHAClientWebSocket(ClientWebSocketResponse):
    client: TestClient[Any, Any]
    async def send_json_auto_id(self, data: dict[str, Any]) -> None: ...

type ClientSessionGenerator = Callable[..., Coroutine[Any, Any, TestClient[Any, Any]]]
type WebSocketGenerator = Callable[..., Coroutine[Any, Any, MockHAClientWebSocket]]
