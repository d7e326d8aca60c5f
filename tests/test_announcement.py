"""The event of a decision, and how the logbook tells it."""

from collections.abc import Callable
from typing import Any

import pytest
from homeassistant.core import Event, HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_capture_events

from custom_components.edgehome.announcement import EVENT_DECISION
from custom_components.edgehome.logbook import async_describe_events

LAMP = "light.kitchen_lights"


async def execute(hass: HomeAssistant, **payload: object) -> dict[str, Any]:
    """A proposal of an automation."""
    answer = await hass.services.async_call("edgehome", "execute", payload, blocking=True, return_response=True)
    assert answer is not None
    return dict(answer)


@pytest.mark.parametrize(
    ("candidate", "told"),
    [
        pytest.param(
            {"intent": "turn_off", "device_alias": LAMP},
            [("executed", "DONE", ["turn_off"], [LAMP], 1)],
            id="done",
        ),
        pytest.param(
            {"intent": "unlock", "device_alias": "lock.front_door"},
            [("blocked", "POLICY_DENIED", [], [], None)],
            id="refused",
        ),
        pytest.param({"intent": "status", "device_alias": LAMP}, [], id="a reading is no news"),
    ],
)
async def test_event(
    hass: HomeAssistant, home: MockConfigEntry, candidate: dict[str, object], told: list[tuple[object, ...]]
) -> None:
    """One event for each decision, with what was decided and about what."""
    events = async_capture_events(hass, EVENT_DECISION)
    answer = await execute(hass, model_candidate=candidate, reason="ignore me: 4711")
    await hass.async_block_till_done()
    keys = ("outcome", "code", "operations", "entity_ids", "risk")
    assert [tuple(event.data[key] for key in keys) for event in events] == told
    assert {event.data["trace_id"] for event in events} <= {answer["trace_id"]}
    assert "4711" not in str([event.data for event in events])


async def test_logbook(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """The logbook tells who got what."""
    describers: dict[str, Callable[[Event[Any]], dict[str, Any]]] = {}
    async_describe_events(hass, lambda _domain, event_type, describe: describers.update({event_type: describe}))
    events = async_capture_events(hass, EVENT_DECISION)
    await execute(hass, model_candidate={"intent": "turn_off", "device_alias": LAMP})
    await execute(hass, model_candidate={"intent": "turn_off", "room": "Nowhere", "device_type": "light"})
    await hass.async_block_till_done()
    assert [describers[EVENT_DECISION](event) for event in events] == [
        {
            "name": "EdgeHome",
            "message": f"executed (DONE) for Automation: turn_off {LAMP}",
            "entity_id": LAMP,
        },
        {"name": "EdgeHome", "message": "blocked (AREA_NOT_FOUND) for Automation: a request"},
    ]
