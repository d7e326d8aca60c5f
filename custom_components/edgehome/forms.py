"""Fields that more than one form has."""

from collections.abc import Mapping
from typing import Any

import voluptuous as vol
from homeassistant.helpers.selector import (
    AreaSelector,
    AreaSelectorConfig,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
)

from .const import CONF_AREAS, CONF_MAX_RISK


def whole_number(low: int, high: int, unit: str | None = None) -> NumberSelector:
    """A box for a whole number."""
    config = NumberSelectorConfig(min=low, max=high, step=1, mode=NumberSelectorMode.BOX)
    if unit:
        config["unit_of_measurement"] = unit
    return NumberSelector(config)


def reach(data: Mapping[str, Any]) -> dict[Any, Any]:
    """The highest risk and the rooms of an agent or approver, as they are or as they start."""
    return {
        vol.Required(CONF_MAX_RISK, default=data.get(CONF_MAX_RISK, 5)): whole_number(0, 5),
        vol.Optional(CONF_AREAS, default=list(data.get(CONF_AREAS, ()))): AreaSelector(
            AreaSelectorConfig(multiple=True)
        ),
    }


def reach_in(user_input: Mapping[str, Any]) -> dict[str, Any]:
    """What was filled into ``reach``, as it is stored."""
    return {
        CONF_MAX_RISK: int(user_input[CONF_MAX_RISK]),
        CONF_AREAS: list(user_input.get(CONF_AREAS, ())),
    }
