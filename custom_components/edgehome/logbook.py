"""How the logbook tells a decision."""

from collections.abc import Callable, Mapping
from typing import Any

from homeassistant.components.logbook.const import LOGBOOK_ENTRY_ENTITY_ID, LOGBOOK_ENTRY_MESSAGE, LOGBOOK_ENTRY_NAME
from homeassistant.core import Event, HomeAssistant, callback

from .announcement import EVENT_DECISION
from .codes import Outcome
from .const import DOMAIN

type Describer = Callable[[Event[Mapping[str, Any]]], dict[str, Any]]


def _would(data: Mapping[str, Any]) -> str:
    """What a preview would have come to."""
    if data["outcome"] != Outcome.DRY_RUN:
        return ""
    return f", {'a person would be asked' if data.get('verdict') == 'confirm' else 'it would be done'} ({data.get('rule')})"


@callback
def async_describe_events(hass: HomeAssistant, async_describe_event: Callable[[str, str, Describer], None]) -> None:
    """Describes EdgeHome's one event."""

    @callback
    def describe(event: Event[Mapping[str, Any]]) -> dict[str, Any]:
        data = event.data
        deed = " ".join((*data["operations"], ", ".join(data["entity_ids"]))).strip() or "a request"
        entry = {
            LOGBOOK_ENTRY_NAME: "EdgeHome",
            LOGBOOK_ENTRY_MESSAGE: f"{data['outcome']} ({data['code']}) for {data['caller']}: {deed}{_would(data)}",
        }
        return entry | ({LOGBOOK_ENTRY_ENTITY_ID: data["entity_ids"][0]} if data["entity_ids"] else {})

    async_describe_event(DOMAIN, EVENT_DECISION, describe)
