"""A policy in the form of an allow-list: the actions and tools that are allowed; everything else is denied (no Home Assistant here)."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from ..catalogue import OPERATIONS
from ..catalogue.device_types import classes_of
from ..catalogue.operation import Operation, meanings
from ..models import Intent, Verb
from .document import DocumentError, table_of
from .rule import Verdict
from .table import PolicyTable

_KNOWN = frozenset({"version", "name", "allowed_services", "allowed_tools"})
_PLACES = {"entity_id": "entities", "area_id": "areas", "floor_id": "floors", "label_id": "labels"}
READING = Intent.STATUS.value
"""Stands in the list of services for the reading of states."""


def any_table(document: object) -> PolicyTable:
    """The table that a document describes, in EdgeHome's own form or as an allow-list.

    Raises:
        DocumentError: it describes none.
    """
    if isinstance(document, Mapping) and {"allowed_services", "allowed_tools"} & document.keys():
        return allow_list_table(document)
    return table_of(document)


def allow_list_table(document: Mapping[str, Any]) -> PolicyTable:
    """The table that allows what the list names.

    Raises:
        DocumentError: the list says something that cannot be allowed, or is not understood.
    """
    if stray := next((name for name in document if name not in _KNOWN), None):
        raise DocumentError(str(stray), "There is no such field.", f"Fields are: {', '.join(sorted(_KNOWN))}.")
    if document.get("version", 1) != 1:
        raise DocumentError("version", "Only version 1 is known.", "Write version: 1.")
    rules: list[dict[str, Any]] = []
    places: list[str] = []
    for kind, read in (("allowed_services", _service), ("allowed_tools", _tool)):
        entries = document.get(kind) or []
        if not isinstance(entries, list):
            raise DocumentError(kind, "It is no list.", "Write a list.")
        for number, entry in enumerate(entries):
            places.append(f"{kind}[{number}]")
            rules.append(read(entry, places[-1]))
    try:
        return table_of({"version": 1, "name": document.get("name", "allow-list"), "rules": rules})
    except DocumentError as error:
        found = re.match(r"rules\[(\d+)\](.*)", error.field)
        field = f"{places[int(found[1])]}{found[2]}" if found and int(found[1]) < len(places) else error.field
        raise DocumentError(field, error.message, error.hint) from error


def _service(entry: object, at: str) -> dict[str, Any]:
    said = {"service": entry} if isinstance(entry, str) else entry
    if isinstance(said, Mapping) and "action" in said and "service" not in said:
        said = {"service": said["action"], **{name: value for name, value in said.items() if name != "action"}}
    if not isinstance(said, Mapping) or not isinstance(said.get("service"), str):
        raise DocumentError(at, "It names no service.", "Write light.turn_on, or service and target.")
    if stray := next((name for name in said if name not in {"service", "target"}), None):
        raise DocumentError(f"{at}.{stray}", "There is no such field.", "Fields are: service, target.")
    service = said["service"].strip().lower()
    rows = [row for row in OPERATIONS if service in {row.service, f"{row.domain}.{row.intent.value}"}]
    if not rows and service != READING:
        near = get_close_matches(service, sorted({row.service for row in OPERATIONS if row.service}), 2, 0.7)
        hint = f"Did you mean {' or '.join(near)}?" if near else "Take it out; docs/operations.md lists what it can do."
        raise DocumentError(at, f"EdgeHome cannot do {service[:100]} at all.", hint)
    named = {row.intent for row in rows}
    # What always means something else, too, as a position opens or closes, would never be allowed under its own name alone.
    operations = dict.fromkeys(
        name.value
        for row in rows
        for name in (row.intent, *({one for meant in meanings(row) for one in meant} if _never(row, named) else ()))
    )
    domains = dict.fromkeys(row.domain for row in rows)
    return {
        "name": service,
        "verdict": Verdict.ALLOW.value,
        "operations": list(operations) or [READING],
        "device_types": [one for domain in domains for one in classes_of(domain) or (domain,)],
        **_target(said.get("target"), f"{at}.target"),
    }


def _never(row: Operation, named: set[Verb]) -> bool:
    """Whether an operation always is something else, too, that is not listed."""
    found = [meant for meant in meanings(row) if meant or row.service is not None]
    return bool(found) and not any(set(meant) <= named for meant in found)


def _target(target: object, at: str) -> dict[str, Any]:
    """Where a service is allowed; a target that says nothing is not everywhere (R6)."""
    if target is None:
        return {}
    if not isinstance(target, Mapping) or not target:
        raise DocumentError(at, "It says no place.", f"Write one of: {', '.join(_PLACES)}; or leave target out.")
    places: dict[str, Any] = {}
    for name, value in target.items():
        values = [value] if isinstance(value, str) else value
        if name not in _PLACES:
            raise DocumentError(f"{at}.{name}", "There is no such field.", f"Fields are: {', '.join(_PLACES)}.")
        if not isinstance(values, list) or not values or not all(isinstance(one, str) and one for one in values):
            raise DocumentError(f"{at}.{name}", "It names nothing.", "Write one id or a list of ids.")
        places[_PLACES[name]] = values
    return places


def _tool(entry: object, at: str) -> dict[str, Any]:
    said = {"tool": entry} if isinstance(entry, str) else entry
    if not isinstance(said, Mapping) or not isinstance(said.get("tool"), str) or not said["tool"].strip():
        raise DocumentError(at, "It names no tool.", "Write calculator, or tool and input.")
    if stray := next((name for name in said if name not in {"tool", "input"}), None):
        raise DocumentError(f"{at}.{stray}", "There is no such field.", "Fields are: tool, input.")
    sent = said.get("input", {})
    if not isinstance(sent, Mapping):
        raise DocumentError(f"{at}.input", "It is no object.", "Write names and values.")
    return {"name": said["tool"], "verdict": Verdict.ALLOW.value, "tool": said["tool"], "input": dict(sent)}
