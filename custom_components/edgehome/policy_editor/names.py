"""Names in the place of ids, and ids in the place of names: what people read and write in a policy."""

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr

from ..const import SUBENTRY_AGENT, SUBENTRY_APPROVER
from ..home.owners_words import key_of
from ..policy.document import DocumentError
from ..policy.space import known_deeds
from ..policy.table import PolicyTable

type Ids = Mapping[str, Mapping[str, str]]
"""Ids by name, for each field of a rule."""


async def async_ids(hass: HomeAssistant, entry: ConfigEntry) -> Ids:
    """The ids of everything that a rule names, where only one has that name; entities have ids that can be read."""
    rooms = [(one.name, one.id) for one in ar.async_get(hass).async_list_areas()]
    listed = {
        "agents": [(one.title, one.subentry_id) for one in entry.get_subentries_of_type(SUBENTRY_AGENT)],
        "approvers": [(one.title, one.subentry_id) for one in entry.get_subentries_of_type(SUBENTRY_APPROVER)],
        "speakers": [(user.name or user.id, user.id) for user in await hass.auth.async_get_users()],
        "areas": rooms,
        "origins": rooms,
        "floors": [(one.name, one.floor_id) for one in fr.async_get(hass).async_list_floors()],
        "labels": [(one.name, one.label_id) for one in lr.async_get(hass).async_list_labels()],
    }
    return {field: _unique(pairs) for field, pairs in listed.items()}


def _unique(pairs: list[tuple[str, str]]) -> dict[str, str]:
    names = [name.casefold() for name, _ in pairs]
    return {name: key for name, key in pairs if names.count(name.casefold()) == 1}


def names_of(hass: HomeAssistant, ids: Ids) -> dict[str, str]:
    """The names of ids that nobody can read."""
    entities = {one.id: one.entity_id for one in er.async_get(hass).entities.values()}
    return entities | {
        key: name for field in ("agents", "approvers", "speakers", "origins") for name, key in ids[field].items()
    }


def readable(hass: HomeAssistant, document: Mapping[str, Any], ids: Ids) -> dict[str, Any]:
    """A document with names in the place of ids."""
    names = {field: {key: name for name, key in known.items()} for field, known in ids.items()}
    names["entities"] = names_of(hass, ids)
    return {**document, "rules": [_renamed(rule, names) for rule in document["rules"]]}


def stored(document: object, ids: Ids) -> object:
    """A document with the ids that are kept in the place of names; case does not matter."""
    if not isinstance(document, dict) or not isinstance(document.get("rules"), list):
        return document
    # An id that there is stays one, whatever is called so.
    by_name = {
        field: {name.casefold(): key for name, key in known.items()} | {key: key for key in known.values()}
        for field, known in ids.items()
    }
    return {**document, "rules": [_renamed(rule, by_name) for rule in document["rules"]]}


def _renamed(rule: object, names: Ids) -> Any:  # noqa: ANN401  # whatever stood there
    if not isinstance(rule, dict):
        return rule
    changed = dict(rule)
    for field, others in names.items():
        said = rule.get(field)
        if isinstance(said, str | list):
            listed = [said] if isinstance(said, str) else said
            changed[field] = [
                others.get(one, others.get(one.casefold(), one)) if isinstance(one, str) else one for one in listed
            ]
    return changed


def with_keys(hass: HomeAssistant, table: PolicyTable) -> PolicyTable:
    """A table whose entities are kept by the registry's own ids, which renaming does not change."""
    rules = (replace(rule, entities=tuple(key_of(hass, one) for one in rule.entities)) for rule in table.rules)
    return replace(table, rules=tuple(rules))


def check_words(table: PolicyTable, customs: tuple[Any, ...], kinds_here: frozenset[str]) -> None:
    """Looks whether every operation and type of device is one.

    Raises:
        DocumentError: one is none; a rule that denies would never speak.
    """
    deeds = known_deeds(customs)
    known = {
        "operations": {operation for operation, _, _ in deeds},
        "device_types": {kind for _, kind, _ in deeds} | kinds_here,
    }
    for number, rule in enumerate(table.rules):
        for field, words in known.items():
            for place, word in enumerate(getattr(rule, field)):
                if word not in words:
                    near = get_close_matches(word, sorted(words), 3, 0.6)
                    hint = f"Did you mean {', '.join(near)}?" if near else "Choose one of the list in the form."
                    what = "operation" if field == "operations" else "kind of devices"
                    raise DocumentError(f"rules[{number}].{field}[{place}]", f"There is no {what} {word!r}.", hint)
