"""How the logbook tells a decision."""

from collections.abc import Callable, Mapping
from typing import Any

from homeassistant.components.logbook.const import LOGBOOK_ENTRY_ENTITY_ID, LOGBOOK_ENTRY_MESSAGE, LOGBOOK_ENTRY_NAME
from homeassistant.core import Event, HomeAssistant, callback

from .announcement import EVENT_DECISION
from .const import DOMAIN

type Describer = Callable[[Event[Mapping[str, Any]]], dict[str, Any]]


@callback
def async_describe_events(hass: HomeAssistant, async_describe_event: Callable[[str, str, Describer], None]) -> None:
    """Describes EdgeHome's one event."""

    @callback
    def describe(event: Event[Mapping[str, Any]]) -> dict[str, Any]:
        data = event.data
        deed = " ".join((*data["operations"], ", ".join(data["entity_ids"]))).strip() or "a request"
        entry = {
            LOGBOOK_ENTRY_NAME: "EdgeHome",
            LOGBOOK_ENTRY_MESSAGE: f"{data['outcome']} ({data['code']}) for {data['caller']}: {deed}",
        }
        return entry | ({LOGBOOK_ENTRY_ENTITY_ID: data["entity_ids"][0]} if data["entity_ids"] else {})

    async_describe_event(DOMAIN, EVENT_DECISION, describe)
