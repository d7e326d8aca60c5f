"""Conditions in Home Assistant's own words, as rules of the policy may have them: Home Assistant itself says whether they are met."""

import json
import logging
from collections.abc import Iterable

import voluptuous as vol
from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.condition import (
    ConditionChecker,
    async_extract_entities,
    async_from_config,
    async_validate_condition_config,
)

_UNKNOWN = frozenset({STATE_UNAVAILABLE, STATE_UNKNOWN})
_LOGGER = logging.getLogger(__name__)


class Conditions:
    """The conditions of the policy in force, ready to be looked at."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._checkers: dict[str, ConditionChecker] = {}
        self._entities: dict[str, set[str]] = {}

    async def async_load(self, wanted: Iterable[str]) -> None:
        """Prepares these conditions, each as JSON, and drops all others; one that cannot be is never known to be met."""
        conditions, registry = set(wanted), er.async_get(self._hass)
        for dropped in self._checkers.keys() - conditions:
            self._checkers.pop(dropped).async_unload()
        for raw in sorted(conditions - self._checkers.keys()):
            try:
                self._checkers[raw] = await async_prepared(self._hass, raw)
                named = async_extract_entities(cv.CONDITION_SCHEMA(json.loads(raw)))
                self._entities[raw] = {er.async_resolve_entity_id(registry, one) or one for one in named}
            except (HomeAssistantError, vol.Invalid, ValueError) as error:
                _LOGGER.warning(
                    "A condition of the policy cannot be used, so nobody knows whether it is met: %s", error
                )

    def meets(self, raw: str) -> bool | None:
        """Whether a condition is met now; None if that cannot be told, as where an entity of it is not known.

        Home Assistant itself would call it not met then.
        """
        checker = self._checkers.get(raw)
        states = (self._hass.states.get(one) for one in self._entities.get(raw, ()))
        if checker is None or any(state is None or state.state in _UNKNOWN for state in states):
            return None
        try:
            return checker.async_check()
        except HomeAssistantError:
            return None

    @callback
    def async_unload(self) -> None:
        """Lets go of everything."""
        while self._checkers:
            self._checkers.popitem()[1].async_unload()


async def async_prepared(hass: HomeAssistant, raw: str) -> ConditionChecker:
    """A condition, ready to be looked at.

    Raises:
        ValueError, vol.Invalid, HomeAssistantError: it is none that Home Assistant knows.
    """
    config = await async_validate_condition_config(hass, cv.CONDITION_SCHEMA(json.loads(raw)))
    return await async_from_config(hass, config)
