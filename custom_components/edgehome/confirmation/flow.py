"""The form of an approver: which user of Home Assistant may say yes, to what, and when he is asked."""

from collections.abc import Mapping, Sequence
from typing import Any

import voluptuous as vol
from homeassistant.config_entries import ConfigEntryState, ConfigSubentryFlow, SubentryFlowResult
from homeassistant.helpers.selector import (
    BooleanSelector,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
)

from ..const import (
    CONF_FORGET_PIN,
    CONF_ORDER,
    CONF_PAGE_SUFFICES,
    CONF_PHONES,
    CONF_USER_ID,
    SUBENTRY_APPROVER,
)
from ..forms import reach, reach_in, whole_number
from .phones import Phones
from .pins import PinState


def _limits(data: Mapping[str, Any]) -> dict[Any, Any]:
    return {
        **reach(data),
        vol.Required(CONF_ORDER, default=data.get(CONF_ORDER, 1)): whole_number(1, 99),
        vol.Required(CONF_PAGE_SUFFICES, default=data.get(CONF_PAGE_SUFFICES, False)): BooleanSelector(),
    }


def _limits_in(user_input: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **reach_in(user_input),
        CONF_ORDER: int(user_input[CONF_ORDER]),
        CONF_PAGE_SUFFICES: bool(user_input[CONF_PAGE_SUFFICES]),
    }


def _phones(names: Mapping[str, str], chosen: Sequence[str]) -> dict[Any, Any]:
    """Which of a person's phones are asked; none chosen means all, also those to come."""
    known = [entry_id for entry_id in chosen if entry_id in names]
    options = [SelectOptionDict(value=entry_id, label=name) for entry_id, name in names.items()]
    config = SelectSelectorConfig(options=options, mode=SelectSelectorMode.LIST, multiple=True)
    return {vol.Optional(CONF_PHONES, default=known): SelectSelector(config)}


class ApproverFlow(ConfigSubentryFlow):
    """Adds an approver, or changes one."""

    def __init__(self) -> None:
        self._title = ""
        self._data: dict[str, Any] = {}

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Which user, and what he may say yes to."""
        people = await self._people()
        if not people:
            return self.async_abort(reason="nobody_left")
        if user_input is not None:
            user_id = user_input[CONF_USER_ID]
            if user_id not in people:
                # Removed, or made an approver in another form, while this one was open.
                return self.async_abort(reason="not_available")
            self._title, self._data = people[user_id], {CONF_USER_ID: user_id, **_limits_in(user_input)}
            return await self.async_step_phones()
        options = [SelectOptionDict(value=user_id, label=name) for user_id, name in people.items()]
        selector = SelectSelector(SelectSelectorConfig(options=options, mode=SelectSelectorMode.DROPDOWN))
        schema = vol.Schema({vol.Required(CONF_USER_ID): selector, **_limits({})})
        return self.async_show_form(step_id="user", data_schema=schema)

    async def async_step_phones(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Which of his phones, if he has several."""
        user_id = self._data[CONF_USER_ID]
        names = Phones(self.hass).names(user_id)
        if user_input is None and len(names) > 1:
            return self.async_show_form(step_id="phones", data_schema=vol.Schema(_phones(names, ())))
        chosen = list((user_input or {}).get(CONF_PHONES, ()))
        return self.async_create_entry(title=self._title, data={**self._data, CONF_PHONES: chosen}, unique_id=user_id)

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """What he may say yes to; with it the owner trusts the present push addresses of his phones."""
        subentry, entry = self._get_reconfigure_subentry(), self._get_entry()
        user_id = subentry.data[CONF_USER_ID]
        parts = entry.runtime_data if entry.state is ConfigEntryState.LOADED else None
        if user_input is not None:
            if parts is not None:
                parts.phones.trust(user_id)
                if user_input.get(CONF_FORGET_PIN):
                    parts.pins.forget(user_id)
                    parts.questions.changed()
            updates = {**_limits_in(user_input), CONF_PHONES: list(user_input.get(CONF_PHONES, ()))}
            return self.async_update_and_abort(entry, subentry, data_updates=updates)
        fields = _limits(subentry.data)
        if names := Phones(self.hass).names(user_id):
            fields |= _phones(names, subentry.data.get(CONF_PHONES, ()))
        if parts is not None and parts.pins.state(user_id) is not PinState.UNSET:
            fields[vol.Required(CONF_FORGET_PIN, default=False)] = BooleanSelector()
        return self.async_show_form(step_id="reconfigure", data_schema=vol.Schema(fields))

    async def _people(self) -> dict[str, str]:
        """Users who are no approvers yet: active people, no system users."""
        taken = {item.data[CONF_USER_ID] for item in self._get_entry().get_subentries_of_type(SUBENTRY_APPROVER)}
        return {
            user.id: user.name or user.id
            for user in await self.hass.auth.async_get_users()
            if user.is_active and not user.system_generated and user.id not in taken
        }
