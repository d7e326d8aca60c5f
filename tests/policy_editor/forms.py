"""The forms of the policy, as an owner goes through them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.policy.document import to_document

type Row = dict[str, Any]

STEPS = ("rules", "preset", "versions", "document")
"""The forms that change the policy."""


async def opened(hass: HomeAssistant, entry: MockConfigEntry, step: str) -> Any:
    """One of the forms of the options."""
    menu = await hass.config_entries.options.async_init(entry.entry_id)
    return await hass.config_entries.options.async_configure(menu["flow_id"], {"next_step_id": step})


async def sent(hass: HomeAssistant, form: Any, said: Mapping[str, object]) -> Any:
    """Fills a form in."""
    result = await hass.config_entries.options.async_configure(form["flow_id"], dict(said))
    await hass.async_block_till_done()
    return result


def suggested(form: Any) -> dict[str, Any]:
    """What a form shows."""
    return {str(key): key.description["suggested_value"] for key in form["data_schema"].schema}


def rows_of(form: Any) -> list[Row]:
    """The rows that a form shows."""
    rows: list[Row] = suggested(form)["rules"]
    return rows


def asks_to_widen(review: Any) -> bool:
    """Whether a review asks for the tick."""
    assert (review["type"], review["step_id"]) == (FlowResultType.FORM, "review"), review
    return [str(key) for key in review["data_schema"].schema] == ["widen"]


async def save(hass: HomeAssistant, review: Any) -> None:
    """Saves what was reviewed, with the tick where one is asked for."""
    saved = await sent(hass, review, {"widen": True} if asks_to_widen(review) else {})
    assert saved["type"] is FlowResultType.CREATE_ENTRY, saved


async def put_in_force(hass: HomeAssistant, entry: MockConfigEntry, *rules: Mapping[str, object]) -> None:
    """Puts a table of these rules in force, as text."""
    form = await opened(hass, entry, "document")
    text = yaml.safe_dump({"name": "mine", "rules": list(rules)}, sort_keys=False)
    await save(hass, await sent(hass, form, {"document": text}))


async def edit(hass: HomeAssistant, entry: MockConfigEntry, rows: Sequence[Row], name: str = "mine") -> Any:
    """Sends these rows; the form that comes next."""
    return await sent(hass, await opened(hass, entry, "rules"), {"name": name, "rules": list(rows)})


def in_force(entry: MockConfigEntry) -> dict[str, Any]:
    """The table in force, as a document."""
    return to_document(entry.runtime_data.house.policy())


def is_file(path: Path) -> bool:
    """Whether a file is there."""
    return path.is_file()


def rules_in_force(entry: MockConfigEntry) -> list[Row]:
    """The rules in force, as a document has them."""
    rules: list[Row] = in_force(entry)["rules"]
    return rules
