"""The forms of the policy: rules as an ordered list, presets, earlier versions, a document; all end in the review (R15)."""

import re
from typing import Any

import voluptuous as vol
import yaml
from homeassistant.config_entries import ConfigEntryState, ConfigFlowResult, OptionsFlow
from homeassistant.exceptions import HomeAssistantError
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

from ..agents.identity import is_own_form, who_fills_in
from ..const import (
    CONF_POLICY,
    CONF_POLICY_BY,
    CONF_POLICY_HOW,
    CONF_PRESET,
)
from ..data import EdgeHomeData
from ..evidence.policies import PolicyVersion
from ..home.conditions import async_prepared
from ..policy.allow_list import any_table
from ..policy.document import DocumentError, hash_of, to_document
from ..policy.presets import PRESETS, STRICT
from ..policy.table import UNREADABLE, PolicyTable
from .book import OWN, document_of
from .inventory import async_inventory
from .names import Ids, async_ids, check_words, names_of, readable, stored, with_keys
from .review import Review, errors_in_words, in_words, reviewed
from .rows import async_selector, row_of, rule_from, summary

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
        names = names_of(self.hass, await self._ids())
        rows = [row_of(self.hass, rule, names) for rule in to_document(table)["rules"]]
        name = table.name if table.name not in PRESETS else OWN
        if user_input is not None:
            rows, name = user_input["rules"], user_input["name"].strip() or OWN
            document = {"version": 1, "name": name, "rules": [rule_from(row) for row in rows]}
            errors, problem = await self._taken(document, "edited")
            if not errors:
                return await self.async_step_review()
            rows = [row | {"summary": summary(rule_from(row), names)} for row in rows]
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
        found = await self._data.book.async_versions()
        versions = {str(one.number): one for one in found if one.digest != self._in_force.digest}
        if not versions:
            return self.async_abort(reason="no_versions")
        errors: dict[str, str] = {}
        problem = ""
        if user_input is not None:
            number = user_input["version"]
            errors, problem = await self._restored(versions[number])
            if not errors:
                return await self.async_step_review()
        options = [SelectOptionDict(value=number, label=_version(one)) for number, one in versions.items()]
        return self._chosen("versions", _select(options, None), errors, problem)

    async def _restored(self, version: PolicyVersion) -> tuple[dict[str, str], str]:
        try:
            document = document_of(version)
        except DocumentError as error:
            return {"base": "wrong"}, str(error)
        return await self._taken(document, f"version {version.number} restored")

    async def async_step_document(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """The table as text: to copy out, to paste in."""
        if not self._is_loaded:
            return self.async_abort(reason="not_loaded")
        errors: dict[str, str] = {}
        problem = ""
        document = readable(
            self.hass, to_document(self._in_force if self._in_force != UNREADABLE else STRICT), await self._ids()
        )
        text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, default_flow_style=None)
        if user_input is not None:
            text = user_input["document"]
            try:
                errors, problem = await self._taken(
                    stored(await self.hass.async_add_executor_job(_parsed, text), await self._ids()), "document"
                )
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
            description_placeholders={
                "review": in_words(review, table, self._against, names_of(self.hass, await self._ids()))
            },
        )

    async def _saved(self, table: PolicyTable) -> ConfigFlowResult:
        if not is_own_form(self.hass):
            # An agent that was given an administrator's token must not write its own rules (R15).
            return self.async_abort(reason="own_session_only")
        preset = next((name for name, one in PRESETS.items() if one == table), OWN)
        if preset == OWN:
            await self._data.book.async_write(table, self._in_force)
        changes = {
            CONF_PRESET: preset,
            CONF_POLICY: hash_of(to_document(table)),
            CONF_POLICY_BY: who_fills_in(),
            CONF_POLICY_HOW: self._how,
        }
        return self.async_create_entry(data={**self.config_entry.options, **changes})

    async def _taken(self, document: object, how: str) -> tuple[dict[str, str], str]:
        """Makes a draft of a document; the errors of the form, and the problem in words."""
        try:
            table = with_keys(self.hass, any_table(document))
            check_words(table, self._customs(), frozenset(one.device_type for one in self._data.house.nameable(())))
        except DocumentError as error:
            return {"base": "wrong"}, _placed(str(error), document)
        return await self._looked_through(table, how)

    async def _ids(self) -> Ids:
        return await async_ids(self.hass, self.config_entry)

    async def _looked_through(self, table: PolicyTable, how: str) -> tuple[dict[str, str], str]:
        for number, rule in enumerate(table.rules):
            for raw in (one.raw for one in rule.home if one.raw):
                try:
                    (await async_prepared(self.hass, raw)).async_unload()
                except (HomeAssistantError, vol.Invalid, ValueError) as error:
                    said = f"Rule {number + 1} ({rule.name or rule.id}): Home Assistant does not take its condition: {error}"
                    return {"base": "wrong"}, said
        recorded = [(one.at, one.body) for one in await self._data.evidence.decisions()]
        self._against, self._how, self._draft = self._in_force, how, table
        home = await async_inventory(self.hass, self.config_entry)
        self._review = await self.hass.async_add_executor_job(
            reviewed, self._against, table, self._customs(), home, recorded
        )
        if self._review.errors:
            return {"base": "lint"}, errors_in_words(self._review, table, names_of(self.hass, await self._ids()))
        return {}, ""

    def _customs(self) -> tuple[Any, ...]:
        return self._data.house.custom_operations()


def _placed(problem: str, document: object) -> str:
    """A problem with the number and name of the rule in the place of its index."""
    rules = document.get("rules") if isinstance(document, dict) else None

    def told(found: re.Match[str]) -> str:
        number = int(found[1])
        rule = rules[number] if isinstance(rules, list) and number < len(rules) else None
        name = (rule.get("name") or rule.get("id")) if isinstance(rule, dict) else None
        return f"Rule {number + 1}{f' ({name})' if isinstance(name, str) else ''}: "

    return re.sub(r"^rules\[(\d+)\][.:]? ?", told, problem)


def _parsed(text: str) -> object:
    if len(text) > LONGEST_DOCUMENT:
        raise DocumentError("document", "It is too long.", f"At most {LONGEST_DOCUMENT} characters are read.")
    try:
        document = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, LookupError, AttributeError, RecursionError) as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None) or str(error)
        place = f"line {mark.line + 1}: " if mark is not None else ""
        raise DocumentError("document", f"It is no YAML: {place}{problem}.", "Mend it there.") from error
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
    try:
        name = document_of(one).get("name", "")
    except DocumentError:
        name = "cannot be read"
    return f"{one.number} · {when} · {name} · {one.how} · {one.by or 'EdgeHome'} · {one.digest}"
