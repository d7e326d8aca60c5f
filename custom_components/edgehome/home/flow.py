"""The form of an entity: what the owner says about one thing that agents may name."""

from collections.abc import Mapping
from typing import Any

import voluptuous as vol
from homeassistant.config_entries import ConfigSubentryFlow, SubentryFlowResult
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import (
    BooleanSelector,
    EntitySelector,
    EntitySelectorConfig,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
)

from ..catalogue import DOMAINS, operations_of
from ..catalogue.device_types import classes_of
from ..const import (
    CONF_ALIASES,
    CONF_DEVICE_TYPE,
    CONF_DOMAIN,
    CONF_ENTITY,
    CONF_HIGH,
    CONF_LOW,
    CONF_OPERATIONS,
    CONF_RISK,
    CONF_VERB,
    CONF_VET,
    CONF_VETTED,
    SUBENTRY_ENTITY,
    SUBENTRY_OPERATION,
)
from ..forms import whole_number
from ..models import Intent
from .owners_words import key_of
from .review import loaded_parts, unread_of
from .vetting import config_hash

_ANY_NUMBER = NumberSelector(NumberSelectorConfig(step="any", mode=NumberSelectorMode.BOX))


class EntityFlow(ConfigSubentryFlow):
    """Says something about an entity, or changes it."""

    def __init__(self) -> None:
        self._entity_id = ""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Which entity."""
        errors: dict[str, str] = {}
        if user_input is not None:
            self._entity_id = user_input[CONF_ENTITY]
            key = key_of(self.hass, self._entity_id)
            taken = {item.data[CONF_ENTITY] for item in self._get_entry().get_subentries_of_type(SUBENTRY_ENTITY)}
            if key not in taken:
                return await self.async_step_details()
            errors[CONF_ENTITY] = "taken"
        selector = EntitySelector(EntitySelectorConfig(domain=sorted(DOMAINS)))
        schema = vol.Schema({vol.Required(CONF_ENTITY): selector})
        return self.async_show_form(step_id="user", data_schema=schema, errors=errors)

    async def async_step_details(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """What is said about it."""
        errors = _faults(user_input)
        if user_input is not None and not errors:
            key = key_of(self.hass, self._entity_id)
            data = {CONF_ENTITY: key, **self._words(user_input)}
            return self.async_create_entry(title=self._name(), data=data, unique_id=key)
        return self._form("details", user_input or {}, errors)

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Changes what is said about it."""
        subentry = self._get_reconfigure_subentry()
        key = subentry.data[CONF_ENTITY]
        self._entity_id = er.async_resolve_entity_id(er.async_get(self.hass), key) or key
        errors = _faults(user_input)
        if user_input is not None and not errors:
            data = {CONF_ENTITY: key, **self._words(user_input)}
            return self.async_update_and_abort(self._get_entry(), subentry, title=self._name(), data=data)
        known = {**subentry.data, CONF_VET: self._is_vetted(subentry.data)}
        return self._form("reconfigure", user_input or known, errors)

    def _form(self, step: str, known: Mapping[str, Any], errors: dict[str, str]) -> SubentryFlowResult:
        domain = self._entity_id.partition(".")[0]
        operations = [row.intent.value for row in operations_of(domain) if row.intent is not Intent.STATUS]
        customs = self._get_entry().get_subentries_of_type(SUBENTRY_OPERATION)
        operations += [item.data[CONF_VERB] for item in customs if item.data[CONF_DOMAIN] == domain]
        types = classes_of(domain)
        fields: dict[Any, Any] = {
            _optional(CONF_ALIASES, known): TextSelector(TextSelectorConfig(multiple=True)),
        }
        if len(types) > 1:
            fields[_optional(CONF_DEVICE_TYPE, known)] = _choice(list(types), multiple=False)
        # One that was taken out since stays until the owner says otherwise: an empty list would allow everything (R6).
        operations += [name for name in known.get(CONF_OPERATIONS) or () if name not in operations]
        fields[_optional(CONF_OPERATIONS, known)] = _choice(operations, multiple=True)
        fields[_optional(CONF_LOW, known)] = _ANY_NUMBER
        fields[_optional(CONF_HIGH, known)] = _ANY_NUMBER
        fields[_optional(CONF_RISK, known)] = whole_number(0, 5)
        if self._is_opaque():
            fields[vol.Required(CONF_VET, default=bool(known.get(CONF_VET)))] = BooleanSelector()
        return self.async_show_form(
            step_id=step,
            data_schema=vol.Schema(fields),
            errors=errors,
            description_placeholders={"name": self._name(), "entity_id": self._entity_id},
        )

    def _words(self, user_input: Mapping[str, Any]) -> dict[str, Any]:
        words = {name: user_input[name] for name in (CONF_DEVICE_TYPE, CONF_LOW, CONF_HIGH) if name in user_input}
        if CONF_RISK in user_input:
            words[CONF_RISK] = int(user_input[CONF_RISK])
        words[CONF_ALIASES] = [alias.strip() for alias in user_input.get(CONF_ALIASES, ()) if alias.strip()]
        words[CONF_OPERATIONS] = list(user_input.get(CONF_OPERATIONS, ()))
        if user_input.get(CONF_VET):
            words[CONF_VETTED] = self._hash()
        return words

    def _is_vetted(self, data: Mapping[str, Any]) -> bool:
        return data.get(CONF_VETTED) is not None and data[CONF_VETTED] == self._hash()

    def _hash(self) -> str | None:
        """The configuration that would be vetted."""
        parts = loaded_parts(self._get_entry())
        return config_hash(parts.makeups, self._entity_id) if parts else None

    def _is_opaque(self) -> bool:
        """Whether there is something to vet: part of what the entity does cannot be read."""
        parts = loaded_parts(self._get_entry())
        return parts is not None and bool(unread_of(parts.house, self._entity_id))

    def _name(self) -> str:
        state = self.hass.states.get(self._entity_id)
        return state.name if state else self._entity_id


def _faults(user_input: Mapping[str, Any] | None) -> dict[str, str]:
    low, high = ((user_input or {}).get(name) for name in (CONF_LOW, CONF_HIGH))
    return {CONF_HIGH: "low_above_high"} if low is not None and high is not None and low > high else {}


def _optional(name: str, known: Mapping[str, Any]) -> vol.Optional:
    """A field that may stay empty; what is known is suggested, so that it can be taken out."""
    return vol.Optional(name, description={"suggested_value": known.get(name)})


def _choice(options: list[str], *, multiple: bool) -> SelectSelector:
    mode = SelectSelectorMode.DROPDOWN
    return SelectSelector(SelectSelectorConfig(options=options, multiple=multiple, mode=mode))
