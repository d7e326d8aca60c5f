"""The form of an approver: which user of Home Assistant may say yes, to what, and when he is asked."""

from collections.abc import Mapping
from typing import Any

import voluptuous as vol
from homeassistant.config_entries import ConfigEntryState, ConfigSubentryFlow, SubentryFlowResult
from homeassistant.helpers.selector import (
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
)

from ..const import CONF_ORDER, CONF_USER_ID, SUBENTRY_APPROVER
from ..forms import reach, reach_in, whole_number


def _limits(data: Mapping[str, Any]) -> dict[Any, Any]:
    return {**reach(data), vol.Required(CONF_ORDER, default=data.get(CONF_ORDER, 1)): whole_number(1, 99)}


def _limits_in(user_input: Mapping[str, Any]) -> dict[str, Any]:
    return {**reach_in(user_input), CONF_ORDER: int(user_input[CONF_ORDER])}


class ApproverFlow(ConfigSubentryFlow):
    """Adds an approver, or changes one."""

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
            return self.async_create_entry(
                title=people[user_id], data={CONF_USER_ID: user_id, **_limits_in(user_input)}, unique_id=user_id
            )
        options = [SelectOptionDict(value=user_id, label=name) for user_id, name in people.items()]
        selector = SelectSelector(SelectSelectorConfig(options=options, mode=SelectSelectorMode.DROPDOWN))
        schema = vol.Schema({vol.Required(CONF_USER_ID): selector, **_limits({})})
        return self.async_show_form(step_id="user", data_schema=schema)

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """What he may say yes to; with it the owner trusts the present push addresses of his phones."""
        subentry = self._get_reconfigure_subentry()
        if user_input is not None:
            entry = self._get_entry()
            if entry.state is ConfigEntryState.LOADED:
                entry.runtime_data.phones.trust(subentry.data[CONF_USER_ID])
            return self.async_update_and_abort(self._get_entry(), subentry, data_updates=_limits_in(user_input))
        return self.async_show_form(step_id="reconfigure", data_schema=vol.Schema(_limits(subentry.data)))

    async def _people(self) -> dict[str, str]:
        """Users who are no approvers yet: active people, no system users."""
        taken = {item.data[CONF_USER_ID] for item in self._get_entry().get_subentries_of_type(SUBENTRY_APPROVER)}
        return {
            user.id: user.name or user.id
            for user in await self.hass.auth.async_get_users()
            if user.is_active and not user.system_generated and user.id not in taken
        }
