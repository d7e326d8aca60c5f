"""The forms of the policy and EdgeHome's own life: not loaded, loaded again, over the real interface, and who saved."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest
import yaml
from aiohttp.test_utils import TestClient
from homeassistant.auth.models import TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.policy.presets import STRICT
from tests.policy_editor.forms import STEPS, Row, edit, in_force, opened, put_in_force, rules_in_force, save, sent
from tests.real_home import Doors, add_user, token_of

NO_LAMPS: Row = {"id": "no_lamps", "verdict": "deny", "device_types": ["light"], "operations": ["turn_off"]}
OPERATION = {
    "verb": "wipe",
    "domain": "vacuum",
    "service": "made.wipe",
    "effect": "run",
    "risk": 3,
    "fields": [],
}


async def with_operation(hass: HomeAssistant, entry: MockConfigEntry) -> str:
    """The owner adds an operation of his own; its subentry's id."""
    subentry = ConfigSubentry(
        data=MappingProxyType(OPERATION), subentry_type="operation", title="Wipe", unique_id="wipe"
    )
    hass.config_entries.async_add_subentry(entry, subentry)
    await hass.async_block_till_done()
    return subentry.subentry_id


def fields_of(form: Any) -> Mapping[str, Any]:
    """The fields of a row."""
    fields: Mapping[str, Any] = form["data_schema"].schema["rules"].config["fields"]
    return fields


@pytest.mark.parametrize("step", STEPS)
async def test_not_loaded(hass: HomeAssistant, entry: MockConfigEntry, step: str) -> None:
    """While EdgeHome is not loaded its policy cannot be changed; the form says so."""
    assert await hass.config_entries.async_unload(entry.entry_id)
    form = await opened(hass, entry, step)
    assert (form["type"], form["reason"]) == (FlowResultType.ABORT, "not_loaded")


@pytest.mark.parametrize(
    ("step", "said"),
    [
        pytest.param("rules", {"name": "mine", "rules": [NO_LAMPS]}, id="rules"),
        pytest.param("preset", {"preset": "balanced"}, id="preset"),
        pytest.param("versions", {"version": "1"}, id="versions"),
        pytest.param("document", {"document": "rules: []"}, id="document"),
    ],
)
async def test_unloaded_while_a_form_is_open(
    hass: HomeAssistant, entry: MockConfigEntry, step: str, said: dict[str, object]
) -> None:
    """A form that outlives EdgeHome changes nothing any more."""
    await put_in_force(hass, entry, NO_LAMPS)
    before = dict(entry.options)
    form = await opened(hass, entry, step)
    assert form["type"] is FlowResultType.FORM
    assert await hass.config_entries.async_unload(entry.entry_id)
    gone = await sent(hass, form, said)
    assert (gone["type"], gone["reason"]) == (FlowResultType.ABORT, "not_loaded")
    assert dict(entry.options) == before


async def test_unloaded_during_the_review(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A review that outlives EdgeHome saves nothing."""
    before = dict(home.options)
    review = await edit(hass, home, [NO_LAMPS])
    assert await hass.config_entries.async_unload(home.entry_id)
    gone = await sent(hass, review, {})
    assert (gone["type"], gone["reason"]) == (FlowResultType.ABORT, "not_loaded")
    assert dict(home.options) == before


async def test_loaded_again_during_the_review(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A review that outlives a reload is about the same policy still, and saves what was reviewed."""
    review = await edit(hass, home, [NO_LAMPS])
    assert await hass.config_entries.async_reload(home.entry_id)
    await hass.async_block_till_done()
    await save(hass, review)
    assert [rule["id"] for rule in rules_in_force(home)] == ["no_lamps"]


async def test_in_force_after_a_restart(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """What was saved is in force when EdgeHome is loaded again."""
    await put_in_force(hass, home, NO_LAMPS)
    before = home.runtime_data.house.policy()
    assert await hass.config_entries.async_reload(home.entry_id)
    assert home.runtime_data.house.policy() == before
    assert home.runtime_data.book.problem == ""


async def test_own_operation(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """An operation that the owner added is offered, and a rule about it speaks."""
    before = fields_of(await opened(hass, home, "rules"))["operations"]["selector"]["select"]["options"]
    assert "wipe" not in before
    row: Row = {"id": "wiping", "verdict": "confirm", "operations": ["wipe"]}
    form = await edit(hass, home, [row])
    assert form["errors"] == {"base": "wrong"}
    assert "There is no operation 'wipe'" in form["description_placeholders"]["problem"]
    await with_operation(hass, home)
    after = fields_of(await opened(hass, home, "rules"))["operations"]["selector"]["select"]["options"]
    assert after == [*before, "wipe"]
    await save(hass, await edit(hass, home, [row]))
    assert rules_in_force(home) == [row]


async def test_own_operation_that_is_gone(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A rule about an operation that was taken back speaks about nothing any more: the next save says so."""
    subentry_id = await with_operation(hass, home)
    await put_in_force(hass, home, {"id": "wiping", "verdict": "confirm", "operations": ["wipe"]})
    hass.config_entries.async_remove_subentry(home, subentry_id)
    await hass.async_block_till_done()
    assert home.runtime_data.book.problem == ""
    form = await edit(hass, home, [{"id": "wiping", "verdict": "confirm", "operations": ["wipe"]}])
    assert form["errors"] == {"base": "wrong"}
    assert "wiping" in form["description_placeholders"]["problem"]


@pytest.fixture
async def frontend(hass: HomeAssistant, home: MockConfigEntry, owner: str, doors: Doors) -> TestClient[Any, Any]:
    """The owner's frontend: it knows nothing of this process."""
    assert await async_setup_component(hass, "config", {})
    client: TestClient[Any, Any] = await doors.rest_client(owner)
    return client


async def posted(frontend: TestClient[Any, Any], path: str, said: Mapping[str, object]) -> dict[str, Any]:
    """The answer to a form that the frontend sends."""
    response = await frontend.post(f"/api/config/config_entries/options/flow{path}", json=dict(said))
    answer: dict[str, Any] = await response.json()
    assert response.status == 200, answer
    return answer


async def test_over_the_interface(hass: HomeAssistant, home: MockConfigEntry, frontend: TestClient[Any, Any]) -> None:
    """The whole way as the frontend goes it; the version says who it was."""
    menu = await posted(frontend, "", {"handler": home.entry_id})
    path = f"/{menu['flow_id']}"
    form = await posted(frontend, path, {"next_step_id": "rules"})
    (rules,) = (field for field in form["data_schema"] if field["name"] == "rules")
    assert rules["selector"]["object"]["multiple"] is True
    assert [row["id"] for row in rules["description"]["suggested_value"]] == [rule.id for rule in STRICT.rules]
    review = await posted(frontend, path, {"name": "mine", "rules": [NO_LAMPS]})
    assert (review["step_id"], review["data_schema"]) == ("review", [])
    saved = await posted(frontend, path, {})
    assert saved["type"] == "create_entry"
    await hass.async_block_till_done()
    latest = (await home.runtime_data.book.async_versions())[0]
    assert (latest.number, latest.by, latest.how) == (2, "Ada", "edited")
    assert rules_in_force(home) == [NO_LAMPS]


async def test_long_lived_token(
    hass: HomeAssistant, home: MockConfigEntry, frontend: TestClient[Any, Any], doors: Doors
) -> None:
    """Whoever was only given an administrator's token writes no rules, not even stricter ones (R15)."""
    user = await add_user(hass, "Bot")
    client = await doors.rest_client(await token_of(hass, user, None, TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN))
    menu = await posted(client, "", {"handler": home.entry_id})
    await posted(client, f"/{menu['flow_id']}", {"next_step_id": "rules"})
    await posted(client, f"/{menu['flow_id']}", {"name": "mine", "rules": [NO_LAMPS]})
    ended = await posted(client, f"/{menu['flow_id']}", {})
    assert (ended["type"], ended["reason"]) == ("abort", "own_session_only")
    assert home.runtime_data.house.policy() is STRICT
    assert "policy" not in home.options


async def test_rows_come_back_over_the_interface(home: MockConfigEntry, frontend: TestClient[Any, Any]) -> None:
    """What is wrong comes back as an error with the rows as they were typed."""
    menu = await posted(frontend, "", {"handler": home.entry_id})
    await posted(frontend, f"/{menu['flow_id']}", {"next_step_id": "rules"})
    rows = [{**NO_LAMPS, "pin": True}]
    form = await posted(frontend, f"/{menu['flow_id']}", {"name": "mine", "rules": rows})
    assert (form["type"], form["errors"]) == ("form", {"base": "wrong"})
    (rules,) = (field for field in form["data_schema"] if field["name"] == "rules")
    (row,) = rules["description"]["suggested_value"]
    assert row | {"summary": ""} == rows[0] | {"summary": ""}


async def test_document_over_the_interface(home: MockConfigEntry, frontend: TestClient[Any, Any]) -> None:
    """The document's form shows the table as YAML."""
    menu = await posted(frontend, "", {"handler": home.entry_id})
    form = await posted(frontend, f"/{menu['flow_id']}", {"next_step_id": "document"})
    text = form["data_schema"][0]["description"]["suggested_value"]
    assert [rule["id"] for rule in yaml.safe_load(text)["rules"]] == [rule.id for rule in STRICT.rules]


async def test_errors_of_the_second_look(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """What has become wrong during the review stops the save, like what was wrong before it."""
    subentry_id = await with_operation(hass, home)
    await put_in_force(hass, home, NO_LAMPS)
    wiping: Row = {"id": "wiping", "verdict": "deny", "operations": ["wipe"]}
    review = await edit(hass, home, [wiping, {"id": "all", "verdict": "allow"}])
    hass.config_entries.async_remove_subentry(home, subentry_id)
    await hass.async_block_till_done()
    await put_in_force(hass, home, {**NO_LAMPS, "name": "No lamps"})
    before = in_force(home)
    again = await sent(hass, review, {"widen": True})
    assert again["errors"] == {"base": "changed_meanwhile"}
    again = await sent(hass, again, {})
    assert again["errors"] == {"base": "lint"}
    assert in_force(home) == before
