"""A house whose strict policy wants a PIN for opening a garage door: no preset has such a rule."""

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers.typing import ConfigType

from custom_components.edgehome.policy import presets
from custom_components.edgehome.policy.requirement import Terms
from custom_components.edgehome.policy.rule import PolicyRule, Verdict
from custom_components.edgehome.policy.table import PolicyTable

GARAGE_WITH_PIN = PolicyRule(
    id="garage_with_pin",
    operations=("open",),
    device_types=("garage_door",),
    verdict=Verdict.CONFIRM,
    terms=Terms(pin=True),
)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Puts the rule above the strict table; an EdgeHome that was there first is loaded again with it."""
    strict = presets.STRICT
    presets.PRESETS["strict"] = PolicyTable(name=strict.name, rules=(GARAGE_WITH_PIN, *strict.rules))
    for entry in hass.config_entries.async_entries("edgehome"):
        async with entry.setup_lock:
            was_first = entry.state is ConfigEntryState.LOADED
        if was_first:
            await hass.config_entries.async_reload(entry.entry_id)
    return True
