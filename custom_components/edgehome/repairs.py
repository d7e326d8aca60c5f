"""The list that the owner looks through once: things that say nothing about themselves, and things that cannot be read."""

from types import MappingProxyType
from typing import Any

import voluptuous as vol
from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.selector import EntitySelector, EntitySelectorConfig

from .const import (
    CONF_ALIASES,
    CONF_DEVICE_TYPE,
    CONF_ENTITY,
    CONF_OPERATIONS,
    CONF_RISK,
    CONF_SEEN,
    CONF_VETTED,
    DOMAIN,
    SUBENTRY_ENTITY,
)
from .data import EdgeHomeData
from .home.owners_words import key_of
from .home.review import Review, loaded_parts, review
from .home.vetting import config_hash
from .policy_editor.repair import OPENED, UNREADABLE_POLICY, PolicyRepairFlow

LOOK_THROUGH = "look_through"
HARMLESS, SERIOUS = 1, 4
"""The risks that the list offers."""


@callback
def async_look_through(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Tells the owner while there is something that he has not looked at; takes it back when there is nothing."""
    parts = loaded_parts(entry)
    if parts is None:
        return
    count = len(_unseen(hass, entry, parts))
    if not count:
        ir.async_delete_issue(hass, DOMAIN, LOOK_THROUGH)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        LOOK_THROUGH,
        is_fixable=True,
        severity=ir.IssueSeverity.WARNING,
        translation_key=LOOK_THROUGH,
        translation_placeholders={"count": str(count)},
        data={"entry_id": entry.entry_id},
    )


def _unseen(hass: HomeAssistant, entry: ConfigEntry, parts: EdgeHomeData) -> set[str]:
    found, seen = review(parts.house), set(entry.options.get(CONF_SEEN, ()))
    return {item for item in {*found.untyped, *found.opaque} if key_of(hass, item) not in seen}


async def async_create_fix_flow(hass: HomeAssistant, issue_id: str, data: dict[str, Any] | None) -> RepairsFlow:
    """The form behind a repair."""
    entry_id = str((data or {}).get("entry_id"))
    return PolicyRepairFlow(entry_id) if issue_id == UNREADABLE_POLICY else LookThroughFlow(entry_id)


class LookThroughFlow(RepairsFlow):
    """One form: what is harmless, what is serious, what covers are, and what the owner knows."""

    def __init__(self, entry_id: str) -> None:
        self._entry_id = entry_id

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """The form; what is chosen nowhere stays as it is and is not listed again."""
        entry = self.hass.config_entries.async_get_entry(self._entry_id)
        parts = loaded_parts(entry) if entry else None
        if entry is None or parts is None:
            return self.async_abort(reason="not_loaded")
        found = review(parts.house)
        fields = _fields(found)
        if user_input is None or OPENED in user_input:
            return self.async_show_form(step_id="init", data_schema=vol.Schema(fields))
        words: dict[str, dict[str, Any]] = {}
        for name, said in _SAID.items():
            for entity_id in user_input.get(name, ()):
                words.setdefault(entity_id, {}).update(said)
        for entity_id in user_input.get("vet", ()):
            words.setdefault(entity_id, {})[CONF_VETTED] = config_hash(parts.makeups, entity_id)
        seen = {*entry.options.get(CONF_SEEN, ()), *(key_of(self.hass, one) for one in (*found.untyped, *found.opaque))}
        for entity_id, said in words.items():
            self._say(entry, entity_id, said)
        self.hass.config_entries.async_update_entry(entry, options={**entry.options, CONF_SEEN: sorted(seen)})
        return self.async_create_entry(data={})

    def _say(self, entry: ConfigEntry, entity_id: str, said: dict[str, Any]) -> None:
        """Adds the owner's words for an entity, to be seen and changed like all others."""
        key = key_of(self.hass, entity_id)
        if any(one.subentry_type == SUBENTRY_ENTITY and one.unique_id == key for one in entry.subentries.values()):
            return  # Said by another form while this one was open.
        state = self.hass.states.get(entity_id)
        data = {CONF_ENTITY: key, CONF_ALIASES: [], CONF_OPERATIONS: [], **said}
        subentry = ConfigSubentry(
            data=MappingProxyType(data),
            subentry_type=SUBENTRY_ENTITY,
            title=state.name if state else entity_id,
            unique_id=key,
        )
        self.hass.config_entries.async_add_subentry(entry, subentry)


_SAID: dict[str, dict[str, Any]] = {
    "blinds": {CONF_DEVICE_TYPE: "blind"},
    "gates": {CONF_DEVICE_TYPE: "gate"},
    "harmless": {CONF_RISK: HARMLESS},
    "serious": {CONF_RISK: SERIOUS},
}


def _fields(found: Review) -> dict[Any, Any]:
    covers = [item for item in found.untyped if item.startswith("cover.")]
    others = [item for item in found.untyped if not item.startswith("cover.")]
    lists = {"blinds": covers, "gates": covers, "harmless": others, "serious": others, "vet": list(found.opaque)}
    return {
        vol.Optional(name, default=[]): EntitySelector(EntitySelectorConfig(include_entities=items, multiple=True))
        for name, items in lists.items()
        if items
    }
