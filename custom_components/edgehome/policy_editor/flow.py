"""The forms of the policy: rules as an ordered list, presets, earlier versions, a document; all end in the review (R15)."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import voluptuous as vol
import yaml
from homeassistant.components.http.const import KEY_HASS_USER
from homeassistant.config_entries import ConfigEntryState, ConfigFlowResult, OptionsFlow
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.http import current_request
from homeassistant.helpers.selector import (
    BooleanSelector,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
)
from homeassistant.util import dt as dt_util

from ..agents.identity import is_own_form
from ..const import (
    CONF_POLICY,
    CONF_POLICY_BY,
    CONF_POLICY_HOW,
    CONF_PRESET,
    SUBENTRY_AGENT,
    SUBENTRY_APPROVER,
)
from ..data import EdgeHomeData
from ..evidence.policies import PolicyVersion
from ..home.conditions import async_prepared
from ..policy.allow_list import any_table
from ..policy.document import DocumentError, to_document
from ..policy.presets import PRESETS, STRICT
from ..policy.table import UNREADABLE, PolicyTable
from .book import OWN
from .inventory import async_inventory
from .review import Review, errors_in_words, in_words, reviewed
from .rows import async_selector, kept, row_of, rule_from, shown, summary, with_entities

LONGEST_DOCUMENT = 500_000
"""How long a document may be, in characters."""


MOST_PARTS = 100_000
"""How many names and values a document may have once it is written out."""


class PolicyFlow(OptionsFlow):
    """The steps of the options that are about the policy."""

    _draft: PolicyTable | None = None
    _review: Review
    _against: PolicyTable
    _how = ""

    @property
    def _data(self) -> EdgeHomeData:
        data: EdgeHomeData = self.config_entry.runtime_data
        return data

    @property
    def _is_loaded(self) -> bool:
        return self.config_entry.state is ConfigEntryState.LOADED

    @property
    def _in_force(self) -> PolicyTable:
        return self._data.house.policy()

    async def async_step_rules(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """The table: rows that are added, dragged, changed and removed."""
        if not self._is_loaded:
            return self.async_abort(reason="not_loaded")
        errors: dict[str, str] = {}
        problem = ""
        table = self._in_force if self._in_force != UNREADABLE else STRICT
        rows = [row_of(self.hass, rule) for rule in to_document(table)["rules"]]
        name = table.name if table.name not in PRESETS else OWN
        if user_input is not None:
            rows, name = user_input["rules"], user_input["name"].strip() or OWN
            document = {"version": 1, "name": name, "rules": [rule_from(row) for row in rows]}
            errors, problem = await self._taken(document, "edited")
            if not errors:
                return await self.async_step_review()
            rows = [row | {"summary": summary(rule_from(row))} for row in rows]
        selector = await async_selector(self.hass, self.config_entry, tuple(one.name for one in self._customs()))
        schema = vol.Schema({vol.Required("name"): TextSelector(), vol.Required("rules"): selector})
        return self.async_show_form(
            step_id="rules",
            data_schema=self.add_suggested_values_to_schema(schema, {"name": name, "rules": rows}),
            errors=errors,
            description_placeholders={"problem": problem},
        )

    async def async_step_preset(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """One of the tables that come with EdgeHome."""
        if not self._is_loaded:
            return self.async_abort(reason="not_loaded")
        if user_input is not None:
            table = PRESETS[user_input[CONF_PRESET]]
            errors, problem = await self._looked_through(table, "preset")
            if not errors:
                return await self.async_step_review()
            return self._chosen("preset", _select(list(PRESETS), "preset"), errors, problem)
        return self._chosen("preset", _select(list(PRESETS), "preset"), {}, "")

    def _chosen(self, step: str, selector: SelectSelector, errors: dict[str, str], problem: str) -> ConfigFlowResult:
        field = CONF_PRESET if step == "preset" else "version"
        return self.async_show_form(
            step_id=step,
            data_schema=vol.Schema({vol.Required(field): selector}),
            errors=errors,
            description_placeholders={"problem": problem},
        )

    async def async_step_versions(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Earlier versions, the latest first; one that is chosen comes back as a new version."""
        if not self._is_loaded:
            return self.async_abort(reason="not_loaded")
        versions = {str(one.number): one for one in await self._data.book.async_versions()}
        errors: dict[str, str] = {}
        problem = ""
        if user_input is not None:
            number = user_input["version"]
            errors, problem = await self._taken(json.loads(versions[number].body), f"version {number} restored")
            if not errors:
                return await self.async_step_review()
        options = [SelectOptionDict(value=number, label=_version(one)) for number, one in versions.items()]
        return self._chosen("versions", _select(options, None), errors, problem)

    async def async_step_document(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """The table as text: to copy out, to paste in."""
        if not self._is_loaded:
            return self.async_abort(reason="not_loaded")
        errors: dict[str, str] = {}
        problem = ""
        document = self._readable(to_document(self._in_force if self._in_force != UNREADABLE else STRICT))
        text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, default_flow_style=None)
        if user_input is not None:
            text = user_input["document"]
            try:
                errors, problem = await self._taken(self._stored(_parsed(text)), "document")
            except DocumentError as error:
                errors, problem = {"document": "wrong"}, str(error)
            if not errors:
                return await self.async_step_review()
        selector = TextSelector(TextSelectorConfig(multiline=True))
        return self.async_show_form(
            step_id="document",
            data_schema=self.add_suggested_values_to_schema(
                vol.Schema({vol.Required("document"): selector}), {"document": text}
            ),
            errors=errors,
            description_placeholders={"problem": problem},
        )

    async def async_step_review(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """What is wrong, what would be milder, what would have been decided otherwise; then it is saved."""
        table, review = self._draft, self._review
        if table is None or not self._is_loaded:
            return self.async_abort(reason="not_loaded")
        errors: dict[str, str] = {}
        if user_input is not None:
            if self._in_force != self._against:
                # Somebody else has changed the policy meanwhile: what was read here is not true any more.
                await self._looked_through(table, self._how)
                review, errors = self._review, {"base": "changed_meanwhile"}
            elif review.errors:
                errors["base"] = "lint"
            elif review.is_wider and not user_input.get("widen"):
                errors["widen"] = "not_confirmed"
            else:
                try:
                    return await self._saved(table)
                except HomeAssistantError:
                    errors["base"] = "not_written"
        fields = {vol.Required("widen", default=False): BooleanSelector()} if review.is_wider else {}
        return self.async_show_form(
            step_id="review",
            data_schema=vol.Schema(fields),
            errors=errors,
            description_placeholders={"review": in_words(review, table, self._against, self._names())},
        )

    async def _saved(self, table: PolicyTable) -> ConfigFlowResult:
        if not is_own_form(self.hass):
            # An agent that was given an administrator's token must not write its own rules (R15).
            return self.async_abort(reason="own_session_only")
        preset = next((name for name, one in PRESETS.items() if one == table), OWN)
        if preset == OWN:
            await self._data.book.async_write(table, self._in_force)
        request = current_request.get()
        user = request.get(KEY_HASS_USER) if request is not None else None
        changes = {
            CONF_PRESET: preset,
            CONF_POLICY: table.digest,
            CONF_POLICY_BY: user.name if user else "",
            CONF_POLICY_HOW: self._how,
        }
        return self.async_create_entry(data={**self.config_entry.options, **changes})

    async def _taken(self, document: object, how: str) -> tuple[dict[str, str], str]:
        """Makes a draft of a document; the errors of the form, and the problem in words."""
        try:
            table = _with_keys(any_table(document), kept(self.hass))
        except DocumentError as error:
            return {"base": "wrong"}, str(error)
        return await self._looked_through(table, how)

    async def _looked_through(self, table: PolicyTable, how: str) -> tuple[dict[str, str], str]:
        for number, rule in enumerate(table.rules):
            for raw in (one.raw for one in rule.home if one.raw):
                try:
                    (await async_prepared(self.hass, raw)).async_unload()
                except (HomeAssistantError, vol.Invalid, ValueError) as error:
                    return {"base": "wrong"}, f"rules[{number}].conditions: Home Assistant does not take it: {error}"
        recorded = [(one.at, one.body) for one in await self._data.evidence.decisions()]
        self._against, self._how, self._draft = self._in_force, how, table
        home = await async_inventory(self.hass, self.config_entry)
        self._review = await self.hass.async_add_executor_job(
            reviewed, self._against, table, self._customs(), home, recorded
        )
        if self._review.errors:
            return {"base": "lint"}, errors_in_words(self._review, table, self._names())
        return {}, ""

    def _names(self) -> dict[str, str]:
        """Names in the place of ids that nobody can read."""
        entities = {one.id: one.entity_id for one in er.async_get(self.hass).entities.values()}
        return entities | {one.subentry_id: one.title for one in self.config_entry.subentries.values()}

    def _customs(self) -> tuple[Any, ...]:
        return self._data.house.custom_operations()

    def _ids(self) -> dict[str, dict[str, str]]:
        """The ids of agents and approvers by their names, where only one has it."""
        found: dict[str, dict[str, str]] = {}
        for field, kind in (("agents", SUBENTRY_AGENT), ("approvers", SUBENTRY_APPROVER)):
            listed = [(one.title, one.subentry_id) for one in self.config_entry.get_subentries_of_type(kind)]
            titles = [title for title, _ in listed]
            found[field] = {title: key for title, key in listed if titles.count(title) == 1}
        return found

    def _readable(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """A document with names in the place of ids, where they are unique."""
        names = {field: {key: name for name, key in ids.items()} for field, ids in self._ids().items()}
        rules = [_renamed(with_entities(rule, shown(self.hass)), names) for rule in document["rules"]]
        return {**document, "rules": rules}

    def _stored(self, document: object) -> object:
        """A document with the ids that are kept in the place of names."""
        if not isinstance(document, dict) or not isinstance(document.get("rules"), list):
            return document
        ids = self._ids()
        rules = [_renamed(rule, ids) if isinstance(rule, dict) else rule for rule in document["rules"]]
        return {**document, "rules": rules}


def _with_keys(table: PolicyTable, keep: Callable[[str], str]) -> PolicyTable:
    """A table whose entities are kept by the registry's own ids, which renaming does not change."""
    rules = tuple(replace(rule, entities=tuple(keep(one) for one in rule.entities)) for rule in table.rules)
    return replace(table, rules=rules)


def _renamed(rule: dict[str, Any], names: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """A rule with its agents and approvers called otherwise."""
    changed = dict(rule)
    for field, others in names.items():
        said = rule.get(field)
        if isinstance(said, str | list):
            listed = [said] if isinstance(said, str) else said
            changed[field] = [others.get(one, one) if isinstance(one, str) else one for one in listed]
    return changed


def _parsed(text: str) -> object:
    if len(text) > LONGEST_DOCUMENT:
        raise DocumentError("document", "It is too long.", f"At most {LONGEST_DOCUMENT} characters are read.")
    try:
        document = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise DocumentError("document", f"It is no YAML: {error}.", "Mend it there.") from error
    # What is said once in YAML and meant in many places grows without an end.
    waiting, parts = [document], 0
    while waiting:
        part = waiting.pop()
        parts += 1
        if parts > MOST_PARTS:
            raise DocumentError("document", "It is too large.", f"At most {MOST_PARTS} parts are read.")
        waiting += part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return document


def _select(options: list[str] | list[SelectOptionDict], key: str | None) -> SelectSelector:
    config = SelectSelectorConfig(options=options, mode=SelectSelectorMode.LIST)
    if key:
        config["translation_key"] = key
    return SelectSelector(config)


def _version(one: PolicyVersion) -> str:
    when = dt_util.as_local(dt_util.parse_datetime(one.at, raise_on_error=True)).strftime("%Y-%m-%d %H:%M")
    name = json.loads(one.body).get("name", "")
    return f"{one.number} · {when} · {name} · {one.how} · {one.by or 'EdgeHome'} · {one.digest}"
