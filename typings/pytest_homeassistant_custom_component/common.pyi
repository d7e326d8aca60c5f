from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from pathlib import Path
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import Event, HomeAssistant

class MockConfigEntry(ConfigEntry[Any]):
    def __init__(
        self,
        *,
        domain: str = ...,
        title: str = ...,
        data: Mapping[str, Any] | None = ...,
        options: Mapping[str, Any] | None = ...,
        entry_id: str | None = ...,
        version: int = ...,
        minor_version: int = ...,
    ) -> None: ...
    def add_to_hass(self, hass: HomeAssistant) -> None: ...
    def mock_state(self, hass: HomeAssistant, state: ConfigEntryState) -> None: ...

def async_fire_time_changed(hass: HomeAssistant, datetime_: datetime | None = ..., fire_all: bool = ...) -> None: ...
def async_capture_events(hass: HomeAssistant, event_name: str) -> list[Event[Any]]: ...
def async_test_home_assistant(
    *, load_registries: bool = ..., config_dir: str | Path | None = ...
) -> AbstractAsyncContextManager[HomeAssistant]: ...
