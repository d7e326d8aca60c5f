"""Thousands of websocket commands and states at once: sent without waiting, watched without asking again."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from .client import Client

UNDERWAY = 200
"""So many commands may be unanswered: more are no faster, and far more make Home Assistant hang up."""
PATIENCE = 120

type Seen = dict[str, Any]
"""A state: ``state`` and ``attributes``."""
type Wanted = Callable[[Seen], bool]


def send_all(client: Client, commands: Iterable[Mapping[str, object]]) -> list[Any]:
    """Websocket commands over one connection; the result of each, which must be a success.

    Home Assistant takes them up in order, but need not end them in order: none may need another one's result.
    """
    return _in_thread(_send_all(client, list(commands)))


def wait_for_states(client: Client, wanted: Mapping[str, Wanted], seconds: float = PATIENCE) -> dict[str, Seen]:
    """Waits until each of some entities has been in a wanted state; the states as they are then.

    Raises:
        TimeoutError: some have not; the message names them.
    """
    return _in_thread(_wait_for_states(client, wanted, seconds))


def wait_for_state(client: Client, entity_id: str, wanted: Wanted, seconds: float = PATIENCE) -> Seen:
    """Waits until an entity is in a wanted state; that state."""
    return wait_for_states(client, {entity_id: wanted}, seconds)[entity_id]


def round_trip(client: Client, ask: str, answer: str, payload: str) -> None:
    """Publishes on one MQTT topic through Home Assistant, and waits until it hears the payload on the other one."""
    _in_thread(_round_trip(client, ask, answer, payload))


def _in_thread[T](work: Coroutine[Any, Any, T]) -> T:
    # In a thread of its own: a browser test has a loop in this one.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


@asynccontextmanager
async def _connected(client: Client) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{client.url}/api/websocket", max_msg_size=0) as ws,
    ):
        await ws.receive_json()
        await ws.send_json({"type": "auth", "access_token": client.token})
        await ws.receive_json()
        yield ws


async def _send_all(client: Client, commands: list[Mapping[str, object]]) -> list[Any]:
    results: dict[int, Any] = {}
    free = asyncio.Semaphore(UNDERWAY)
    async with _connected(client) as ws:

        async def receive() -> None:
            while len(results) < len(commands):
                answer = await ws.receive_json(timeout=PATIENCE)
                results[answer["id"]] = answer
                free.release()

        async def send() -> None:
            for number, command in enumerate(commands, 1):
                await free.acquire()
                await ws.send_json({"id": number, **command})

        async with asyncio.TaskGroup() as group:
            group.create_task(receive())
            group.create_task(send())
    for number, command in enumerate(commands, 1):
        if not results[number]["success"]:
            raise RuntimeError(f"{command}: {results[number]['error']}")
    return [results[number]["result"] for number in range(1, len(commands) + 1)]


async def _wait_for_states(client: Client, wanted: Mapping[str, Wanted], seconds: float) -> dict[str, Seen]:
    states: dict[str, Seen] = {}
    missing = dict(wanted)
    subscription: dict[str, object] = {"id": 1, "type": "subscribe_entities"}
    # The filter is checked for each event: it pays for a few entities only.
    subscription |= {"entity_ids": list(wanted)} if len(wanted) < 10 else {}
    try:
        async with asyncio.timeout(seconds), _connected(client) as ws:
            await ws.send_json(subscription)
            while missing:
                message = await ws.receive_json()
                for part in message if isinstance(message, list) else [message]:
                    for entity_id in _take_in(states, part.get("event") or {}):
                        if entity_id in missing and entity_id in states and missing[entity_id](states[entity_id]):
                            del missing[entity_id]
    except TimeoutError:
        shown = {entity_id: states.get(entity_id) for entity_id in list(missing)[:8]}
        raise TimeoutError(f"{len(missing)} entities are not as wanted, such as {shown}") from None
    return states


def _take_in(states: dict[str, Seen], event: Mapping[str, Any]) -> list[str]:
    """Takes an event of ``subscribe_entities`` in; the entities that it is about."""
    for entity_id, full in event.get("a", {}).items():
        states[entity_id] = {"state": full["s"], "attributes": full["a"]}
    for entity_id, change in event.get("c", {}).items():
        state = states[entity_id]
        more = change.get("+", {})
        attributes = {**state["attributes"], **more.get("a", {})}
        for gone in change.get("-", {}).get("a", ()):
            attributes.pop(gone, None)
        states[entity_id] = {"state": more.get("s", state["state"]), "attributes": attributes}
    for entity_id in event.get("r", ()):
        states.pop(entity_id, None)
    return [*event.get("a", {}), *event.get("c", {})]


async def _round_trip(client: Client, ask: str, answer: str, payload: str) -> None:
    publish = {"type": "call_service", "domain": "mqtt", "service": "publish"}
    async with asyncio.timeout(PATIENCE), _connected(client) as ws:
        await ws.send_json({"id": 1, "type": "mqtt/subscribe", "topic": answer})
        await ws.send_json({"id": 2, **publish, "service_data": {"topic": ask, "payload": payload}})
        while True:
            message = await ws.receive_json()
            if message.get("event", {}).get("payload") == payload:
                return
            if message["type"] == "result" and not message["success"]:
                raise RuntimeError(str(message["error"]))
