"""What is saved is what is read at the next start, whatever was written and however."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.const import DOMAIN
from custom_components.edgehome.policy.document import hash_of, to_document
from custom_components.edgehome.policy_editor.repair import UNREADABLE_POLICY
from tests.policy_editor.forms import edit, opened, put_in_force, save, sent

pytestmark = pytest.mark.usefixtures("policy_file")
RULE: dict[str, Any] = {"id": "a", "verdict": "deny"}


async def start_again(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """EdgeHome ends and starts again."""
    assert await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()


def is_told(hass: HomeAssistant) -> bool:
    """Whether the owner is told that the policy cannot be read."""
    return ir.async_get(hass).async_get_issue(DOMAIN, UNREADABLE_POLICY) is not None


def block(path: Path) -> None:
    """Puts a folder where the file is, so that it cannot be written."""
    path.unlink()
    path.mkdir()
    (path / "in the way").touch()


def unblock(path: Path) -> None:
    """Takes it away again."""
    (path / "in the way").unlink()
    path.rmdir()


async def try_to_take(hass: HomeAssistant, entry: MockConfigEntry, text: str) -> bool:
    """Pastes a document in and saves it; false if the form comes back with an error."""
    form = await sent(hass, await opened(hass, entry, "document"), {"document": text})
    if form["errors"]:
        return False
    await save(hass, form)
    return True


TAKEN = {
    "whole domains": "rules: [{verdict: deny, device_types: [cover, light, switch]}]",
    "other words": "rules: [{verdict: deny, device_types: [lights, Plug, air_conditioner]}]",
    "types": "rules: [{verdict: deny, device_types: [light, garage_door]}]",
    "one of a domain, then all": "rules: [{verdict: deny, device_types: [shutter, cover]}]",
    "another between them": "rules: [{verdict: deny, device_types: [outlet, light, switch]}]",
    "the tv first": "rules: [{verdict: deny, device_types: [tv, media_player]}]",
    "days in any order": "rules: [{verdict: deny, weekdays: [sun, mon, sun]}]",
    "times": "rules: [{verdict: deny, from: 24:00, to: 6:05}]",
    "input": "rules: [{verdict: deny, tool: t, input: {b: ä, a: [1.0, {z: 1, y: null}]}}]",
    "a condition": "rules: [{verdict: deny, conditions: [{value_template: ä, condition: template}]}]",
    "no rules": "rules: []",
    "an allow-list": "allowed_services: [cover.open_cover, status, light.turn_on]",
    "an allow-list's input": "allowed_tools: [{tool: t, input: {query: Tür}}]",
    "tools": "{name: short, allowed_tools: [a b, 'c', {tool: d, input: {x: [1, 2]}}]}",
}
REFUSED = {
    "a day": "rules: [{verdict: deny, conditions: [{condition: time, after: 2026-01-01}]}]",
    "no approvers": "rules: [{verdict: confirm, approvers: []}]",
    "an allow-list without a name": "{name: '', allowed_tools: [t]}",
    "an allow-list with a long name": f"{{name: {'x' * 101}, allowed_tools: [t]}}",
    "a tool with a long name": f"allowed_tools: [{'t' * 101}]",
    "a long list": yaml.safe_dump({"allowed_tools": [f"t{number}" for number in range(1001)]}),
    "numbers as names": "rules: [{verdict: deny, conditions: [{condition: x, y: {2: a, 10: b}}]}]",
    "no number": "rules: [{verdict: deny, tool: t, input: {x: .nan}}]",
    "no number in a condition": "rules: [{verdict: deny, conditions: [{condition: x, above: .nan}]}]",
    "said twice": "rules: [{verdict: deny, somebody_home: true, states: [{entity: '', states: [home]}]}]",
    "a number that is too large": "rules: [{verdict: deny, tool: t, input: {x: 99999999999999999999}}]",
    "the name of what cannot be read": "{name: unreadable, rules: []}",
}


@pytest.mark.parametrize(
    ("text", "is_taken"),
    [
        *(pytest.param(text, True, id=name) for name, text in TAKEN.items()),
        *(pytest.param(text, False, id=name) for name, text in REFUSED.items()),
    ],
)
async def test_read_again(hass: HomeAssistant, home: MockConfigEntry, text: str, is_taken: bool) -> None:
    """A document is either refused, or in force after the next start exactly as it was saved (R2)."""
    assert await try_to_take(hass, home, text) is is_taken
    before = home.runtime_data.house.policy()
    await start_again(hass, home)
    assert home.runtime_data.house.policy() == before
    assert not is_told(hass)


async def test_rows_read_again(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """The same by the rows of the form: a blind, then all covers."""
    await save(hass, await edit(hass, home, [{**RULE, "device_types": ["blind", "cover"]}]))
    before = home.runtime_data.house.policy()
    await start_again(hass, home)
    assert home.runtime_data.house.policy() == before
    assert not is_told(hass)


async def test_not_written(hass: HomeAssistant, home: MockConfigEntry, policy_file: Path) -> None:
    """A table that could not be written is not named: the owner is told, and the one before stays in force."""
    await put_in_force(hass, home, RULE)
    before = home.runtime_data.house.policy()
    review = await edit(hass, home, [{**RULE, "verdict": "allow"}])
    block(policy_file)
    again = await sent(hass, review, {"widen": True})
    assert (again["step_id"], again["errors"]) == ("review", {"base": "not_written"})
    assert home.options["policy"] == hash_of(to_document(before))
    assert home.runtime_data.house.policy() == before
    unblock(policy_file)
    await save(hass, again)
    assert home.runtime_data.house.policy().rules[0].verdict == "allow"
    await start_again(hass, home)
    assert home.runtime_data.house.policy().rules[0].verdict == "allow"


async def test_the_same_for_the_versions(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """What the evidence keeps of a version is the table that was in force."""
    await put_in_force(
        hass, home, {**RULE, "name": "Ä", "conditions": [{"condition": "template", "value_template": "ü"}]}
    )
    before = home.runtime_data.house.policy()
    await put_in_force(hass, home, RULE)
    await save(hass, await sent(hass, await opened(hass, home, "versions"), {"version": "2"}))
    assert home.runtime_data.house.policy() == before
