"""The form of an operation that the owner adds: an action of some integration, under a word of its own."""

import re
from collections.abc import Mapping
from typing import Any

import voluptuous as vol
from homeassistant.config_entries import ConfigSubentryFlow, SubentryFlowResult
from homeassistant.core import SupportsResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.selector import (
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
)
from homeassistant.helpers.service import async_get_all_descriptions

from ..catalogue import OPERATIONS
from ..catalogue.left_out import BY_STATE
from ..const import (
    CONF_DOMAIN,
    CONF_EFFECT,
    CONF_FIELDS,
    CONF_RISK,
    CONF_SERVICE,
    CONF_VERB,
    DOMAIN,
    SUBENTRY_OPERATION,
)
from ..evidence.redaction import names_secret
from ..forms import whole_number
from ..models import Intent
from ..plan import Effect

NEVER = frozenset({DOMAIN, "automation", "homeassistant", "scene", "script"})
"""Domains whose actions reach whatever the owner wrote: they stay out of the catalogue (R4)."""

_VERB = re.compile(r"[a-z][a-z0-9_]{1,39}")
_EFFECTS = [effect.value for effect in Effect if effect is not Effect.READ]


class OperationFlow(ConfigSubentryFlow):
    """Adds an operation, or changes one."""

    def __init__(self) -> None:
        self._service = ""
        self._fields: dict[str, dict[str, Any]] = {}
        self._domains: tuple[str, ...] = ()
        self._unsayable: list[str] = []

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Which action: one that acts on entities and is not in the catalogue."""
        services = self._services()
        if not services:
            return self.async_abort(reason="no_actions")
        if user_input is not None:
            self._service = user_input[CONF_SERVICE]
            return await self.async_step_details()
        schema = vol.Schema({vol.Required(CONF_SERVICE): _choice(services)})
        return self.async_show_form(step_id="user", data_schema=schema)

    async def async_step_details(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Its word, its values, its effect and its risk."""
        await self._describe()
        if self._unsayable:
            return self._needs_more()
        errors = self._faults(user_input)
        if user_input is not None and not errors:
            data = self._data(user_input)
            return self.async_create_entry(title=data[CONF_VERB], data=data, unique_id=data[CONF_VERB])
        return self._form("details", user_input or {}, errors)

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Changes them."""
        subentry = self._get_reconfigure_subentry()
        self._service = subentry.data[CONF_SERVICE]
        await self._describe()
        if self._unsayable:
            return self._needs_more()
        errors = self._faults(user_input, own=subentry.data[CONF_VERB])
        if user_input is not None and not errors:
            data = self._data(user_input)
            return self.async_update_and_abort(
                self._get_entry(), subentry, title=data[CONF_VERB], data=data, unique_id=data[CONF_VERB]
            )
        chosen = [field["name"] for field in subentry.data[CONF_FIELDS]]
        return self._form("reconfigure", user_input or {**subentry.data, CONF_FIELDS: chosen}, errors)

    def _needs_more(self) -> SubentryFlowResult:
        """The action cannot do without values that no agent could send."""
        return self.async_abort(reason="needs_more", description_placeholders={"fields": ", ".join(self._unsayable)})

    def _services(self) -> list[str]:
        """What can be added. Toggles cannot: which way they go is judged by the present state, as the catalogue does."""
        known = {row.service for row in OPERATIONS}
        return sorted(
            f"{domain}.{name}"
            for domain, services in self.hass.services.async_services().items()
            for name, service in services.items()
            if domain not in NEVER
            and f"{domain}.{name}" not in known
            and f"{domain}.{name}" not in BY_STATE
            and not name.startswith("toggle")
            and service.supports_response is not SupportsResponse.ONLY
            and service.schema is not None
            and cv.is_entity_service_schema(service.schema)
        )

    async def _describe(self) -> None:
        """Reads what the action's description says about its values and the entities that it is for."""
        domain, _, name = self._service.partition(".")
        described = (await async_get_all_descriptions(self.hass)).get(domain, {}).get(name, {})
        self._fields = dict(_values(described.get("fields") or {}))
        self._unsayable = [name for name in _needed(described.get("fields") or {}) if name not in self._fields]
        filters = (described.get("target") or {}).get("entity") or []
        self._domains = tuple(dict.fromkeys(str(one) for item in filters for one in item.get("domain") or ())) or (
            domain,
        )

    def _form(self, step: str, known: Mapping[str, Any], errors: dict[str, str]) -> SubentryFlowResult:
        fields: dict[Any, Any] = {
            vol.Required(CONF_VERB, default=known.get(CONF_VERB, self._service.partition(".")[2])): TextSelector(),
            vol.Required(CONF_DOMAIN, default=known.get(CONF_DOMAIN, self._domains[0])): _choice(list(self._domains)),
            vol.Required(CONF_EFFECT, default=known.get(CONF_EFFECT, Effect.RUN.value)): _choice(_EFFECTS, "effect"),
            vol.Required(CONF_RISK, default=known.get(CONF_RISK, 3)): whole_number(0, 5),
        }
        if self._fields:
            chosen = [name for name in known.get(CONF_FIELDS, ()) if name in self._fields]
            config = SelectSelectorConfig(
                options=list(self._fields), multiple=True, mode=SelectSelectorMode.LIST, sort=False
            )
            suggested = {"suggested_value": chosen}
            fields[vol.Optional(CONF_FIELDS, description=suggested)] = SelectSelector(config)
        return self.async_show_form(
            step_id=step,
            data_schema=vol.Schema(fields),
            errors=errors,
            description_placeholders={"service": self._service},
        )

    def _faults(self, user_input: Mapping[str, Any] | None, own: str | None = None) -> dict[str, str]:
        if user_input is None:
            return {}
        verb = user_input[CONF_VERB]
        taken = {item.data[CONF_VERB] for item in self._get_entry().get_subentries_of_type(SUBENTRY_OPERATION)} - {own}
        if not _VERB.fullmatch(verb):
            return {CONF_VERB: "no_verb"}
        if verb in Intent or verb in taken:
            return {CONF_VERB: "taken"}
        needed = {name for name, field in self._fields.items() if field["required"]}
        return {CONF_FIELDS: "needed"} if needed - set(user_input.get(CONF_FIELDS, ())) else {}

    def _data(self, user_input: Mapping[str, Any]) -> dict[str, Any]:
        return {
            CONF_VERB: user_input[CONF_VERB],
            CONF_DOMAIN: user_input[CONF_DOMAIN],
            CONF_SERVICE: self._service,
            CONF_EFFECT: user_input[CONF_EFFECT],
            CONF_RISK: int(user_input[CONF_RISK]),
            CONF_FIELDS: [{"name": name, **self._fields[name]} for name in user_input.get(CONF_FIELDS, ())],
        }


_TARGETS = frozenset({"entity_id", "area_id", "device_id", "floor_id", "label_id"})
"""Values that would widen what is acted on (R6)."""


def _needed(fields: Mapping[str, Any]) -> list[str]:
    """The values that the action cannot do without."""
    inner = [name for described in fields.values() for name in _needed(described.get("fields") or {})]
    return [*inner, *(name for name, described in fields.items() if described.get("required"))]


def _values(fields: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The values that agents could send: those whose selector says what they are."""
    found: list[tuple[str, dict[str, Any]]] = []
    for name, described in fields.items():
        if "fields" in described:
            found.extend(_values(described["fields"]))
            continue
        kind = _kind(described.get("selector") or {})
        if kind is not None and name not in _TARGETS and not names_secret(name):
            found.append((name, {**kind, "required": bool(described.get("required"))}))
    return found


def _kind(selector: Mapping[str, Any]) -> dict[str, Any] | None:
    (name, config), *_ = *selector.items(), ("", None)
    config = config or {}
    match name:
        case "number":
            step = config.get("step", 1)
            ends = {"low": config.get("min"), "high": config.get("max")}
            return {"kind": "number", **ends, "step": None if step == "any" else step}
        case "boolean":
            return {"kind": "boolean"}
        case "text" if config.get("type") != "password" and not config.get("multiple"):
            return {"kind": "text"}
        case "select" if not config.get("multiple"):
            options = [str(item["value"] if isinstance(item, Mapping) else item) for item in config.get("options", ())]
            return {"kind": "option", "options": options}
    return None


def _choice(options: list[str], translation_key: str | None = None) -> SelectSelector:
    config = SelectSelectorConfig(options=options, mode=SelectSelectorMode.DROPDOWN)
    if translation_key:
        config["translation_key"] = translation_key
    return SelectSelector(config)
