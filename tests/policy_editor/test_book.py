"""The file of the owner's tables: written before it is named, and never believed when it is not what it should be (R2)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.const import DOMAIN
from custom_components.edgehome.policy.document import hash_of, table_of, to_document
from custom_components.edgehome.policy.presets import STRICT
from custom_components.edgehome.policy.table import UNREADABLE
from custom_components.edgehome.policy_editor.repair import UNREADABLE_POLICY
from tests.policy_editor.forms import Row, edit, is_file, opened, put_in_force, rows_of, rules_in_force, save
from tests.real_home import AgentAccess, Doors, proposing

FIRST: Row = {"id": "first", "verdict": "allow", "operations": ["turn_off"]}
SECOND: Row = {"id": "second", "verdict": "allow", "operations": ["turn_on"]}
REQUESTS = [
    proposing("turn_off", "Kitchen Lights"),
    proposing("status", "Front Door"),
    proposing("open", "Garage Door"),
    proposing("turn_off", "Kitchen Lights") | {"dry_run": True},
]
pytestmark = pytest.mark.usefixtures("policy_file")
GONE, BROKEN = "its file is gone", "its file is broken"
BY_HAND = "its file was changed by something else than EdgeHome"


def tables(path: Path) -> dict[str, Any]:
    """The tables in the file."""
    found: dict[str, Any] = json.loads(path.read_text())["data"]["tables"]
    return found


def content_of(path: Path) -> bytes:
    """The file as it is."""
    return path.read_bytes()


def ids_in(path: Path) -> list[str]:
    """The first rule of each table in the file."""
    return sorted(table["rules"][0]["id"] for table in tables(path).values())


def rewrite(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Somebody edits the file."""
    whole = json.loads(path.read_text())
    change(whole)
    path.write_text(json.dumps(whole))


async def start_again(hass: HomeAssistant, entry: MockConfigEntry, meanwhile: Callable[[], object]) -> None:
    """EdgeHome ends, something happens, and it starts again."""
    assert await hass.config_entries.async_unload(entry.entry_id)
    meanwhile()
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()


def told(hass: HomeAssistant) -> str | None:
    """Why the policy cannot be read, as the owner is told; None if he is told nothing."""
    issue = ir.async_get(hass).async_get_issue(DOMAIN, UNREADABLE_POLICY)
    if issue is None:
        return None
    assert (issue.is_fixable, issue.severity) == (True, ir.IssueSeverity.CRITICAL)
    return (issue.translation_placeholders or {})["problem"]


async def test_written_before_it_is_named(hass: HomeAssistant, home: MockConfigEntry, policy_file: Path) -> None:
    """When the options name a table it is in the file already, beside the one that was in force."""
    await put_in_force(hass, home, FIRST)
    found: list[list[str]] = []

    async def look(_: HomeAssistant, entry: object) -> None:
        found.append(ids_in(policy_file))

    home.async_on_unload(home.add_update_listener(look))
    await put_in_force(hass, home, SECOND)
    assert found == [["first", "second"]]


@pytest.mark.parametrize("own", [True, False], ids=["an own table", "a preset"])
async def test_power_cut_before_it_is_named(
    hass: HomeAssistant, home: MockConfigEntry, policy_file: Path, own: bool
) -> None:
    """If the power goes after the write and before the options, the old table is in force as if nothing had happened."""
    if own:
        await put_in_force(hass, home, FIRST)
    book, before = home.runtime_data.book, home.runtime_data.house.policy()
    new = table_of({"name": "new", "rules": [SECOND]})
    await book.async_write(new, before)
    assert hash_of(to_document(new)) in tables(policy_file)
    await start_again(hass, home, lambda: None)
    assert home.runtime_data.house.policy() == before
    assert told(hass) is None


async def test_two_tables_at_most(hass: HomeAssistant, home: MockConfigEntry, policy_file: Path) -> None:
    """The file has the table in force and the one before it: older ones are kept with the evidence."""
    for number in range(4):
        await put_in_force(hass, home, {**FIRST, "id": f"rule_{number}"})
    assert ids_in(policy_file) == ["rule_2", "rule_3"]
    assert len(await home.runtime_data.book.async_versions()) == 5


async def test_a_preset_needs_no_file(hass: HomeAssistant, home: MockConfigEntry, policy_file: Path) -> None:
    """A preset writes none, and is in force whatever is in the file."""
    assert not is_file(policy_file)

    def rubbish() -> None:
        policy_file.parent.mkdir(exist_ok=True)
        policy_file.write_text('{"version": 9')

    await start_again(hass, home, rubbish)
    assert home.runtime_data.house.policy() is STRICT
    assert told(hass) is None


def _verdict(whole: dict[str, Any]) -> None:
    for table in whole["data"]["tables"].values():
        table["rules"][0]["verdict"] = "confirm"


def _name(whole: dict[str, Any]) -> None:
    for table in whole["data"]["tables"].values():
        table["name"] = "other"


def _field(whole: dict[str, Any]) -> None:
    for table in whole["data"]["tables"].values():
        table["rules"][0]["when"] = "now"


def _key(whole: dict[str, Any]) -> None:
    whole["data"]["tables"] = {key[::-1]: table for key, table in whole["data"]["tables"].items()}


def _lacking(whole: dict[str, Any]) -> None:
    digest = next(key for key, table in whole["data"]["tables"].items() if table["name"] == "mine")
    del whole["data"]["tables"][digest]


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        pytest.param(lambda path: path.unlink(), GONE, id="gone"),
        pytest.param(lambda path: path.write_text('{"version": 1, "data"'), BROKEN, id="broken JSON"),
        pytest.param(lambda path: path.write_text(""), BROKEN, id="empty"),
        pytest.param(lambda path: path.write_bytes(b"\xff\xfe\x00"), BROKEN, id="no text"),
        pytest.param(lambda path: path.write_text("[]"), "its file cannot be read", id="a list"),
        pytest.param(lambda path: path.write_text("{}"), BROKEN, id="something else"),
        pytest.param(lambda path: (path.unlink(), path.mkdir()), "its file cannot be read", id="a folder"),
        pytest.param(
            lambda path: rewrite(path, lambda whole: whole.update(version=2)), "its file cannot be read", id="newer"
        ),
        pytest.param(
            lambda path: rewrite(path, lambda whole: whole.update(data={})), BROKEN, id="no data"
        ),
        pytest.param(
            lambda path: rewrite(path, lambda whole: whole.update(data={"tables": [1]})),
            "its file cannot be read",
            id="tables that are none",
        ),
        pytest.param(
            lambda path: rewrite(path, lambda whole: whole.update(data={"tables": {}})), BROKEN, id="no tables"
        ),
        pytest.param(lambda path: rewrite(path, _lacking), BROKEN, id="without the table in force"),
        pytest.param(lambda path: rewrite(path, _verdict), BY_HAND, id="another verdict by hand"),
        pytest.param(lambda path: rewrite(path, _name), BY_HAND, id="another name by hand"),
        pytest.param(lambda path: rewrite(path, _key), BY_HAND, id="under another hash"),
        pytest.param(
            lambda path: rewrite(path, _field), BY_HAND, id="another field by hand"
        ),
    ],
)  # fmt: skip
async def test_harmed(
    hass: HomeAssistant,
    home: MockConfigEntry,
    agent: AgentAccess,
    doors: Doors,
    policy_file: Path,
    harm: Callable[[Path], object],
    said: str,
) -> None:
    """Whatever happens to the file, nothing of it is guessed: everything is refused, and the owner is told why."""
    await put_in_force(hass, home, FIRST)
    assert (await doors.ask(agent.token, "execute", REQUESTS[0]))["code"] == "DONE"
    await start_again(hass, home, lambda: harm(policy_file))
    assert home.runtime_data.house.policy() is UNREADABLE
    assert (told(hass) or "").startswith(said)
    assert [(await doors.ask(agent.token, "execute", one))["code"] for one in REQUESTS] == ["POLICY_UNREADABLE"] * 4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param({"preset": "lenient"}, "there is no preset 'lenient'", id="no such preset"),
        pytest.param({"preset": None}, "there is no preset None", id="no preset"),
        pytest.param({"preset": ["strict"]}, "there is no preset ['strict']", id="a list"),
        pytest.param({"preset": "own", "policy": "0" * 16}, GONE, id="another table"),
        pytest.param({"preset": "own", "policy": None}, GONE, id="no table"),
    ],
)
async def test_options_that_name_nothing(
    hass: HomeAssistant,
    home: MockConfigEntry,
    agent: AgentAccess,
    doors: Doors,
    options: dict[str, object],
    said: str,
) -> None:
    """Options that name no table deny everything at once; when they name one again, all is well."""
    before = dict(home.options)
    hass.config_entries.async_update_entry(home, options={**before, **options})
    await hass.async_block_till_done()
    assert told(hass) == said
    assert [(await doors.ask(agent.token, "execute", one))["code"] for one in REQUESTS] == ["POLICY_UNREADABLE"] * 4
    hass.config_entries.async_update_entry(home, options=before)
    await hass.async_block_till_done()
    assert told(hass) is None
    assert (await doors.ask(agent.token, "execute", REQUESTS[0]))["code"] == "DONE"


async def test_a_file_that_came_back(hass: HomeAssistant, home: MockConfigEntry, policy_file: Path) -> None:
    """A file that is put back as it was is read again, and the owner is told nothing any more."""
    await put_in_force(hass, home, FIRST)
    before, whole = home.runtime_data.house.policy(), content_of(policy_file)
    await start_again(hass, home, policy_file.unlink)
    assert told(hass) == GONE
    await start_again(hass, home, lambda: policy_file.write_bytes(whole))
    assert home.runtime_data.house.policy() == before
    assert told(hass) is None


async def test_the_other_table_is_harmed(hass: HomeAssistant, home: MockConfigEntry, policy_file: Path) -> None:
    """What is wrong with the table that is not in force any more harms nothing."""
    await put_in_force(hass, home, {**FIRST, "name": "mine"})
    await put_in_force(hass, home, SECOND)

    def change(whole: dict[str, Any]) -> None:
        next(table for table in whole["data"]["tables"].values() if table["rules"][0]["id"] == "first")["rules"] = 5

    await start_again(hass, home, lambda: rewrite(policy_file, change))
    assert [rule["id"] for rule in rules_in_force(home)] == ["second"]
    assert told(hass) is None


async def test_mended_by_the_form(hass: HomeAssistant, home: MockConfigEntry, policy_file: Path) -> None:
    """While nothing can be read the form starts from the strict preset; what is saved there is in force."""
    await put_in_force(hass, home, FIRST)
    await start_again(hass, home, policy_file.unlink)
    rows = rows_of(await opened(hass, home, "rules"))
    assert [row["id"] for row in rows] == [rule.id for rule in STRICT.rules]
    await save(hass, await edit(hass, home, rows))
    assert [rule["id"] for rule in rules_in_force(home)] == [rule.id for rule in STRICT.rules]
    assert told(hass) is None
    await start_again(hass, home, lambda: None)
    assert told(hass) is None


async def test_told_after_a_save(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Whenever nothing can be decided on, the owner is told, also when the file was written since the start."""
    await put_in_force(hass, home, FIRST)
    hass.config_entries.async_update_entry(home, options={**home.options, "policy": "0" * 16})
    await hass.async_block_till_done()
    assert home.runtime_data.house.policy() is UNREADABLE
    assert told(hass) == "it is not in its file"
