"""Tells the owner that the policy cannot be read, and lets him put another one in force: an earlier version, or a preset."""

from typing import Any

import voluptuous as vol
from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.selector import SelectOptionDict, SelectSelector, SelectSelectorConfig, SelectSelectorMode

from ..agents.identity import is_own_form, who_fills_in
from ..const import CONF_POLICY, CONF_POLICY_BY, CONF_POLICY_HOW, CONF_PRESET, DOMAIN
from ..home.review import loaded_parts
from ..policy.document import DocumentError, hash_of, table_of, to_document
from ..policy.presets import PRESETS
from ..policy.table import PolicyTable
from .book import OWN, document_of

UNREADABLE_POLICY = "policy_unreadable"
WATCHING = "only_watching"
OPENED = "issue_id"
"""Stands in what a repair's first step gets when it is only opened (``components/repairs/issue_handler.py``)."""


@callback
def async_tell_policy(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Tells the owner while the policy cannot be read; takes it back when it can."""
    problem = entry.runtime_data.book.problem
    if not problem:
        ir.async_delete_issue(hass, DOMAIN, UNREADABLE_POLICY)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        UNREADABLE_POLICY,
        is_fixable=True,
        severity=ir.IssueSeverity.CRITICAL,
        translation_key=UNREADABLE_POLICY,
        translation_placeholders={"problem": problem},
        data={"entry_id": entry.entry_id},
    )


@callback
def async_tell_watching(hass: HomeAssistant, *, watching: bool) -> None:
    """Tells the owner as long as nothing is done because he only watches."""
    if not watching:
        ir.async_delete_issue(hass, DOMAIN, WATCHING)
        return
    ir.async_create_issue(
        hass, DOMAIN, WATCHING, is_fixable=False, severity=ir.IssueSeverity.WARNING, translation_key=WATCHING
    )


class PolicyRepairFlow(RepairsFlow):
    """One form: which table is in force from now on."""

    def __init__(self, entry_id: str) -> None:
        self._entry_id = entry_id

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """The versions that were in force, the latest first, and the presets."""
        entry = self.hass.config_entries.async_get_entry(self._entry_id)
        parts = loaded_parts(entry) if entry else None
        if entry is None or parts is None:
            return self.async_abort(reason="not_loaded")
        found: dict[str, tuple[str, PolicyTable]] = {}
        for version in await parts.book.async_versions():
            try:
                table = table_of(document_of(version))
            except DocumentError, ValueError:
                continue
            found.setdefault(table.digest, (f"Version {version.number} of {version.at[:10]}: {table.name}", table))
        for name, table in PRESETS.items():
            found[table.digest] = (f"Preset {name}", table)
        if user_input is not None and OPENED not in user_input:
            if not is_own_form(self.hass):
                return self.async_abort(reason="own_session_only")
            table = found[user_input["table"]][1]
            preset = next((name for name, one in PRESETS.items() if one == table), OWN)
            if preset == OWN:
                await parts.book.async_write(table, table)
            changes = {
                CONF_PRESET: preset,
                CONF_POLICY: hash_of(to_document(table)),
                CONF_POLICY_BY: who_fills_in(),
                CONF_POLICY_HOW: "repaired",
            }
            self.hass.config_entries.async_update_entry(entry, options={**entry.options, **changes})
            if parts.book.problem:
                # The options say what they said before: only the file was broken.
                self.hass.config_entries.async_schedule_reload(entry.entry_id)
            return self.async_create_entry(data={})
        options = [SelectOptionDict(value=digest, label=label) for digest, (label, _) in found.items()]
        selector = SelectSelector(SelectSelectorConfig(options=options, mode=SelectSelectorMode.LIST))
        return self.async_show_form(
            step_id="init",
            data_schema=vol.Schema({vol.Required("table"): selector}),
            description_placeholders={"problem": parts.book.problem},
        )
