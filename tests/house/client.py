"""A caller of Home Assistant's API: the owner's browser, or an agent."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import aiohttp
import requests

TIMEOUT = 60


class Client:
    """REST and websocket with one access token."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.token = token
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {token}"

    def request(self, method: str, path: str, body: Any = None) -> requests.Response:
        """One REST request, whatever it answers."""
        return self.session.request(method, self.url + path, json=body, timeout=TIMEOUT)

    def post(self, path: str, body: object = None) -> Any:
        """A POST that must succeed; its JSON."""
        response = self.request("POST", path, {} if body is None else body)
        if not response.ok:
            raise RuntimeError(f"POST {path}: {response.status_code} {response.text[:500]}")
        return response.json()

    def get(self, path: str) -> Any:
        """A GET that must succeed; its JSON."""
        response = self.request("GET", path)
        response.raise_for_status()
        return response.json()

    def state(self, entity_id: str) -> dict[str, Any] | None:
        """An entity's state object, or None if there is none."""
        response = self.request("GET", f"/api/states/{entity_id}")
        return None if response.status_code == 404 else response.json()

    def call(self, service: str, data: Mapping[str, object]) -> requests.Response:
        """One of Home Assistant's own actions."""
        return self.request("POST", f"/api/services/{service.replace('.', '/')}", dict(data))

    def edgehome(self, action: str, **data: object) -> dict[str, Any]:
        """One of EdgeHome's actions; its response."""
        answer: dict[str, Any] = self.post(f"/api/services/edgehome/{action}?return_response", data)
        response: dict[str, Any] = answer["service_response"]
        return response

    def execute(self, candidate: object = None, **envelope: object) -> dict[str, Any]:
        """A proposal; its answer."""
        if candidate is not None:
            envelope["model_candidate"] = candidate
        return self.edgehome("execute", **envelope)

    def command(self, *commands: Mapping[str, object]) -> list[Any]:
        """Websocket commands over one connection; the result of each, which must be a success."""
        # In a thread of its own: a browser test has a loop in this one.
        with ThreadPoolExecutor(1) as thread:
            answers = thread.submit(asyncio.run, self._commands(commands)).result()
        for sent, answer in zip(commands, answers, strict=True):
            if not answer["success"]:
                raise RuntimeError(f"{sent['type']}: {answer['error']}")
        return [answer["result"] for answer in answers]

    def talk(self, text: str, device_id: str) -> None:
        """Says something to the preferred voice assistant, as an app does, and waits until that has answered."""
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, self._talk(text, device_id)).result()

    async def _talk(self, text: str, device_id: str) -> None:
        run = {"type": "assist_pipeline/run", "start_stage": "intent", "end_stage": "intent"}
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{self.url}/api/websocket") as ws:
            await ws.receive_json()
            await ws.send_json({"type": "auth", "access_token": self.token})
            await ws.receive_json()
            await ws.send_json({"id": 1, **run, "input": {"text": text}, "device_id": device_id})
            while (await ws.receive_json(timeout=TIMEOUT)).get("event", {}).get("type") != "run-end":
                pass

    async def _commands(self, commands: Sequence[Mapping[str, object]]) -> list[dict[str, Any]]:
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{self.url}/api/websocket", max_msg_size=0) as ws,
        ):
            await ws.receive_json()
            await ws.send_json({"type": "auth", "access_token": self.token})
            await ws.receive_json()
            answers = []
            for number, command in enumerate(commands, 1):
                await ws.send_json({"id": number, **command})
                answers.append(await ws.receive_json(timeout=TIMEOUT))
            return answers

    def flow(self, path: str, start: Mapping[str, object], *steps: Mapping[str, object]) -> Any:
        """A config flow as the frontend drives it: the last step's result."""
        result = self.post(path, start)
        for step in steps:
            result = self.post(f"{path}/{result['flow_id']}", step)
        return result
