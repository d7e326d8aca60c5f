"""Requests that a human is asked about, and the callers who wait for their end."""

import asyncio
from dataclasses import replace
from typing import Any

from custom_components.edgehome.models import ActionRequest
from tests.made_driver import Driver
from tests.made_house import MadeHouse, proposing
from tests.made_traces import asking

GARAGE: dict[str, Any] = {"device_class": "garage", "supported_features": 15}
OPEN = proposing("open", device_alias="Garage")


def garages() -> MadeHouse:
    """A house with two garages, a lamp and Anna, who can be reached."""
    return (
        MadeHouse(people=("Anna",))
        .add("cover.garage", "Garage", "closed", current_position=0, **GARAGE)
        .add("cover.other", "Other", "closed", current_position=0, **GARAGE)
        .add("light.lamp", "Lamp")
    )


def opening(trace_id: str = "01TEST", request_id: str | None = None, **more: Any) -> ActionRequest:
    """A request to open the garage."""
    wanted: dict[str, Any] = {"model_candidate": OPEN["model_candidate"]} | more
    return asking(trace_id, request_id, **wanted)


async def turns() -> None:
    """Lets everything run that can."""
    for _ in range(20):
        await asyncio.sleep(0)


async def parked(driver: Driver, *requests: ActionRequest) -> list[asyncio.Task[dict[str, object]]]:
    """The callers of these requests, who wait for the end as long as they may; all of it is pending now."""

    async def ending(request: ActionRequest) -> dict[str, object]:
        waiting = replace(request, payload={**request.payload, "wait": 50})
        return (await driver.pipeline.submit(waiting)).answer()

    callers = [asyncio.ensure_future(ending(request)) for request in requests]
    await turns()
    assert [caller.done() for caller in callers] == [False] * len(requests)
    return callers


async def answered(callers: list[asyncio.Task[dict[str, object]]]) -> list[tuple[object, object]]:
    """The outcomes and codes that the callers got."""
    return [(answer["outcome"], answer["code"]) for answer in await asyncio.gather(*callers)]
