"""The forms of an agent: add it, change its limits, renew or revoke its token.

The token is shown once, in the last form; it is not kept. A form that is left before its end takes back what it made.
"""

import json
import shlex
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, override

import voluptuous as vol
from homeassistant.config_entries import ConfigEntryState, ConfigSubentryFlow, SubentryFlowResult
from homeassistant.core import callback
from homeassistant.helpers.network import NoURLAvailableError, get_url
from homeassistant.helpers.selector import BooleanSelector, TextSelector
from homeassistant.util import dt as dt_util

from ..const import (
    CONF_AREAS,
    CONF_DAYS,
    CONF_DEGREES_PER_HOUR,
    CONF_ENABLED,
    CONF_EXPIRES_AT,
    CONF_LOCAL_ONLY,
    CONF_NAME,
    CONF_PENDING_AT_ONCE,
    CONF_REQUESTS_PER_MINUTE,
    CONF_USER_ID,
    SUBENTRY_AGENT,
)
from ..devices import MOST_PENDING
from ..forms import reach, reach_in, whole_number
from .credentials import (
    Credential,
    async_create,
    async_remove_user,
    async_renew,
    async_revoke,
)

DEFAULT_DAYS, MAX_DAYS = 90, 3650
_FALLBACK_URL = "http://homeassistant.local:8123"


_DAYS = {vol.Required(CONF_DAYS, default=DEFAULT_DAYS): whole_number(1, MAX_DAYS, "d")}


def _limits(data: Mapping[str, Any]) -> dict[Any, Any]:
    rate = data.get(CONF_REQUESTS_PER_MINUTE, 60)
    pending = data.get(CONF_PENDING_AT_ONCE, MOST_PENDING)
    degrees = {"suggested_value": data.get(CONF_DEGREES_PER_HOUR)}
    return {
        **reach(data),
        vol.Required(CONF_REQUESTS_PER_MINUTE, default=rate): whole_number(1, 60000),
        vol.Required(CONF_PENDING_AT_ONCE, default=pending): whole_number(1, MOST_PENDING),
        vol.Optional(CONF_DEGREES_PER_HOUR, description=degrees): whole_number(1, 100, "°"),
    }


def _limits_in(user_input: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **reach_in(user_input),
        CONF_REQUESTS_PER_MINUTE: int(user_input[CONF_REQUESTS_PER_MINUTE]),
        CONF_PENDING_AT_ONCE: int(user_input[CONF_PENDING_AT_ONCE]),
        CONF_DEGREES_PER_HOUR: user_input.get(CONF_DEGREES_PER_HOUR),
    }


def _expiry(days: int) -> str:
    return (dt_util.utcnow() + timedelta(days=days)).isoformat()


class AgentFlow(ConfigSubentryFlow):
    """Adds an agent, or changes one."""

    _title: str
    _data: dict[str, Any]
    _credential: Credential | None = None

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Asks who the agent is, then makes its user and token."""
        errors: dict[str, str] = {}
        if user_input is not None:
            name = user_input[CONF_NAME].strip()
            taken = {item.title.casefold() for item in self._get_entry().get_subentries_of_type(SUBENTRY_AGENT)}
            if not name:
                errors[CONF_NAME] = "name_blank"
            elif name.casefold() in taken:
                errors[CONF_NAME] = "name_taken"
            else:
                return await self._made(name, user_input)
        schema = vol.Schema(
            {
                vol.Required(CONF_NAME): TextSelector(),
                **_DAYS,
                vol.Required(CONF_LOCAL_ONLY, default=True): BooleanSelector(),
                **_limits({}),
            }
        )
        if user_input is not None:
            schema = self.add_suggested_values_to_schema(schema, user_input)
        return self.async_show_form(step_id="user", data_schema=schema, errors=errors)

    async def _made(self, name: str, user_input: Mapping[str, Any]) -> SubentryFlowResult:
        days = int(user_input[CONF_DAYS])
        self._credential = await async_create(self.hass, name, days, local_only=user_input[CONF_LOCAL_ONLY])
        self._title = name
        self._data = {
            CONF_USER_ID: self._credential.user_id,
            CONF_ENABLED: True,
            CONF_EXPIRES_AT: _expiry(days),
            CONF_LOCAL_ONLY: user_input[CONF_LOCAL_ONLY],
            **_limits_in(user_input),
        }
        return self._show_token("token", self._credential.token)

    def _show_token(self, step_id: str, token: str) -> SubentryFlowResult:
        placeholders = {
            "token": token,
            "curl": _curl_line(self._base_url(), token, self._example()),
        }
        return self.async_show_form(
            step_id=step_id,
            data_schema=vol.Schema({}),
            description_placeholders=placeholders,
        )

    async def async_step_token(self, user_input: dict[str, Any]) -> SubentryFlowResult:
        """The owner has seen the token: the agent exists from now on."""
        user = await self.hass.auth.async_get_user(self._data[CONF_USER_ID])
        self._credential = None
        if user is None:
            return self.async_abort(reason="user_gone")
        return self.async_create_entry(title=self._title, data=self._data)

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """What the owner wants to change."""
        return self.async_show_menu(step_id="reconfigure", menu_options=["limits", "renew", "revoke"])

    async def async_step_limits(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Pauses the agent or changes its limits."""
        subentry = self._get_reconfigure_subentry()
        if user_input is not None:
            changes = {CONF_ENABLED: user_input[CONF_ENABLED], **_limits_in(user_input)}
            return self.async_update_and_abort(self._get_entry(), subentry, data_updates=changes)
        schema = vol.Schema(
            {
                vol.Required(CONF_ENABLED, default=subentry.data[CONF_ENABLED]): BooleanSelector(),
                **_limits(subentry.data),
            }
        )
        return self.async_show_form(step_id="limits", data_schema=schema)

    async def async_step_renew(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Revokes the old token and shows a new one."""
        if user_input is None:
            return self.async_show_form(step_id="renew", data_schema=vol.Schema(_DAYS))
        subentry, days = self._get_reconfigure_subentry(), int(user_input[CONF_DAYS])
        token = await async_renew(self.hass, subentry.data[CONF_USER_ID], days)
        if token is None:
            return self.async_abort(reason="user_gone")
        data = {**subentry.data, CONF_EXPIRES_AT: _expiry(days), CONF_ENABLED: True}
        self.hass.config_entries.async_update_subentry(self._get_entry(), subentry, data=data)
        return self._show_token("renewed", token)

    async def async_step_renewed(self, user_input: dict[str, Any]) -> SubentryFlowResult:
        """The owner has seen the new token."""
        return self.async_abort(reason="renewed")

    async def async_step_revoke(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Revokes the agent's token; the agent stays listed, paused, and can be renewed."""
        if user_input is None:
            return self.async_show_form(step_id="revoke", data_schema=vol.Schema({}))
        subentry = self._get_reconfigure_subentry()
        await async_revoke(self.hass, subentry.data[CONF_USER_ID])
        return self.async_update_and_abort(
            self._get_entry(),
            subentry,
            data_updates={CONF_ENABLED: False},
            reason="revoked",
        )

    @callback
    @override
    def async_remove(self) -> None:
        """Takes the user back if the form was left before its end."""
        if self._credential is not None:
            removal = async_remove_user(self.hass, self._credential.user_id)
            self.hass.async_create_task(removal, "edgehome abandoned agent")

    def _base_url(self) -> str:
        try:
            return get_url(self.hass, prefer_external=not self._is_local())
        except NoURLAvailableError:
            return _FALLBACK_URL

    def _is_local(self) -> bool:
        data = self._get_reconfigure_subentry().data if self.source == "reconfigure" else self._data
        return bool(data[CONF_LOCAL_ONLY])

    def _example(self) -> str:
        """The name of a device that the agent may ask about, for a line that works in this house."""
        data = self._get_reconfigure_subentry().data if self.source == "reconfigure" else self._data
        entry = self._get_entry()
        if entry.state is not ConfigEntryState.LOADED:
            return "sun.sun"
        devices = entry.runtime_data.house.nameable(tuple(data[CONF_AREAS]))
        return str(devices[0].entity_id) if devices else "sun.sun"


def _curl_line(base_url: str, token: str, entity_id: str) -> str:
    """A line to paste into a shell: asks for the state of one device of this house."""
    body = json.dumps({"model_candidate": {"intent": "status", "device_alias": entity_id}})
    parts = [
        "curl", "-sS", "-X", "POST",
        "-H", f"Authorization: Bearer {token}",
        "-H", "Content-Type: application/json",
        "-d", body,
        f"{base_url}/api/services/edgehome/execute?return_response",
    ]  # fmt: skip
    return shlex.join(parts)
