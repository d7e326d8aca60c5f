"""Set-up, options, and the forms of agents; administrators only, as all of Home Assistant's flows (R15)."""

from collections.abc import Mapping
from typing import Any, override

import voluptuous as vol
from homeassistant.config_entries import (
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryFlow,
    OptionsFlow,
)
from homeassistant.core import HomeAssistant, callback
from homeassistant.data_entry_flow import section
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import (
    AreaSelector,
    AreaSelectorConfig,
    BooleanSelector,
    EntitySelector,
    EntitySelectorConfig,
    LabelSelector,
    LabelSelectorConfig,
    Selector,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
)

from .agents.flow import AgentFlow
from .agents.identity import is_own_form
from .catalogue import DOMAINS
from .confirmation.flow import ApproverFlow
from .const import (
    CONF_APPROVALS,
    CONF_AREAS,
    CONF_AUTOMATIONS,
    CONF_DOMAINS,
    CONF_ENTITIES,
    CONF_ESCALATE_AFTER,
    CONF_EXPOSURE,
    CONF_FLAGS,
    CONF_LABELS,
    CONF_POLICY,
    CONF_POLICY_BY,
    CONF_POLICY_HOW,
    CONF_PRESET,
    CONF_SECONDS,
    CONF_SEEN,
    CONF_SOURCE,
    CONF_TWO_PEOPLE,
    CONF_WATCH,
    DOMAIN,
    SUBENTRY_AGENT,
    SUBENTRY_APPROVER,
    SUBENTRY_ENTITY,
    SUBENTRY_OPERATION,
)
from .forms import whole_number
from .home.exposure import ASSIST, OWN, copied
from .home.flow import EntityFlow
from .home.operation_flow import OperationFlow
from .home.owners_words import key_of
from .policy.presets import PRESETS, STRICT
from .policy.requirement import DEFAULT_SECONDS
from .policy_editor.flow import PolicyFlow
from .settings import DEFAULT_ESCALATE_AFTER, DEFAULT_FLAGS, FLAGS


def _choice(options: list[str], translation_key: str) -> SelectSelector:
    return SelectSelector(
        SelectSelectorConfig(
            options=options,
            translation_key=translation_key,
            mode=SelectSelectorMode.LIST,
        )
    )


def _basics(options: Mapping[str, Any]) -> dict[Any, Any]:
    return {
        vol.Required(name, default=options.get(name, False)): BooleanSelector()
        for name in (CONF_AUTOMATIONS, CONF_WATCH)
    }


def _at_set_up() -> vol.Schema:
    presets = _choice([*PRESETS, CONF_WATCH], "preset")
    return vol.Schema(
        {
            vol.Required(CONF_PRESET, default=STRICT.name): presets,
            vol.Required(CONF_AUTOMATIONS, default=False): BooleanSelector(),
        }
    )


def _flags(options: Mapping[str, Any]) -> vol.Schema:
    chosen = {**DEFAULT_FLAGS, **options.get(CONF_FLAGS, {})}
    return vol.Schema(
        {vol.Required(flag, default=chosen[flag]): _choice(["block", "note"], "flag_verdict") for flag in FLAGS}
    )


def _approvals(options: Mapping[str, Any]) -> vol.Schema:
    chosen = options.get(CONF_APPROVALS, {})
    return vol.Schema(
        {
            vol.Required(CONF_SECONDS, default=chosen.get(CONF_SECONDS, DEFAULT_SECONDS)): whole_number(10, 900, "s"),
            vol.Required(
                CONF_ESCALATE_AFTER, default=chosen.get(CONF_ESCALATE_AFTER, DEFAULT_ESCALATE_AFTER)
            ): whole_number(0, 300, "s"),
            vol.Required(CONF_TWO_PEOPLE, default=chosen.get(CONF_TWO_PEOPLE, False)): BooleanSelector(),
        }
    )


def _exposure(options: Mapping[str, Any]) -> vol.Schema:
    chosen = options.get(CONF_EXPOSURE, {})

    def several(name: str, selector: Selector[Any]) -> dict[Any, Any]:
        return {vol.Optional(name, default=list(chosen.get(name, ()))): selector}

    domains = SelectSelectorConfig(options=sorted(DOMAINS), multiple=True, mode=SelectSelectorMode.DROPDOWN)
    return vol.Schema(
        {
            vol.Required(CONF_SOURCE, default=chosen.get(CONF_SOURCE, ASSIST)): _choice([ASSIST, OWN], "exposure"),
            **several(CONF_ENTITIES, EntitySelector(EntitySelectorConfig(multiple=True))),
            **several(CONF_AREAS, AreaSelector(AreaSelectorConfig(multiple=True))),
            **several(CONF_LABELS, LabelSelector(LabelSelectorConfig(multiple=True))),
            **several(CONF_DOMAINS, SelectSelector(domains)),
        }
    )


def _shown(hass: HomeAssistant, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with entities as the form shows them."""
    chosen = options.get(CONF_EXPOSURE, {})
    registry = er.async_get(hass)
    entities = [er.async_resolve_entity_id(registry, one) or one for one in chosen.get(CONF_ENTITIES, ())]
    return {CONF_EXPOSURE: {**chosen, CONF_ENTITIES: entities}}


def _kept(hass: HomeAssistant, before: Mapping[str, Any], exposure: Mapping[str, Any]) -> dict[str, Any]:
    """The list as it is stored: by the registry's ids; a first own list that says nothing starts as Assist's."""
    kept = dict(exposure)
    was_own = before.get(CONF_EXPOSURE, {}).get(CONF_SOURCE) == OWN
    says = any(kept.get(name) for name in (CONF_ENTITIES, CONF_AREAS, CONF_LABELS, CONF_DOMAINS))
    kept[CONF_ENTITIES] = [key_of(hass, one) for one in kept.get(CONF_ENTITIES, ())]
    if kept.get(CONF_SOURCE) == OWN and not was_own and not says:
        kept[CONF_ENTITIES] = copied(hass)
    return kept


class EdgeHomeConfigFlow(ConfigFlow, domain=DOMAIN):
    """Set-up: which preset, and whether automations may call."""

    VERSION = 1

    @override
    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """The one form."""
        if user_input is None:
            return self.async_show_form(step_id="user", data_schema=_at_set_up())
        if user_input[CONF_PRESET] == CONF_WATCH:
            # Watching is no table: it is done over the strict one until the owner has seen enough.
            user_input = {**user_input, CONF_PRESET: STRICT.name, CONF_WATCH: True}
        return self.async_create_entry(title="EdgeHome", data={}, options=user_input)

    @staticmethod
    @callback
    @override
    def async_get_options_flow(config_entry: ConfigEntry) -> OptionsFlow:
        """The options."""
        return EdgeHomeOptionsFlow()

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(cls, config_entry: ConfigEntry) -> dict[str, type[ConfigSubentryFlow]]:
        """Agents, approvers and what is said about entities are subentries."""
        return {
            SUBENTRY_AGENT: AgentFlow,
            SUBENTRY_APPROVER: ApproverFlow,
            SUBENTRY_ENTITY: EntityFlow,
            SUBENTRY_OPERATION: OperationFlow,
        }


class EdgeHomeOptionsFlow(PolicyFlow):
    """What the owner may change later; it takes effect at once."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """The settings, or the policy: its rules, a preset, an earlier version, its text."""
        steps = ["settings", "rules", "preset", "versions", "document"]
        return self.async_show_menu(step_id="init", menu_options=steps)

    async def async_step_settings(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Everything but the policy, in one form."""
        before = self.config_entry.options
        if user_input is not None:
            if not is_own_form(self.hass):
                return self.async_abort(reason="own_session_only")
            kept = {key: value for key, value in before.items() if key in _NOT_SETTINGS}
            exposure = _kept(self.hass, before, user_input.get(CONF_EXPOSURE, before.get(CONF_EXPOSURE, {})))
            return self.async_create_entry(data={**user_input, CONF_EXPOSURE: exposure, **kept})
        schema = vol.Schema(
            {
                **_basics(before),
                vol.Required(CONF_APPROVALS): section(_approvals(before), {"collapsed": True}),
                vol.Optional(CONF_EXPOSURE): section(_exposure(_shown(self.hass, before)), {"collapsed": True}),
                vol.Required(CONF_FLAGS): section(_flags(before), {"collapsed": True}),
            }
        )
        return self.async_show_form(step_id="settings", data_schema=schema)


_NOT_SETTINGS = frozenset({CONF_SEEN, CONF_PRESET, CONF_POLICY, CONF_POLICY_BY, CONF_POLICY_HOW})
"""What is in the options and is no field of the settings."""
