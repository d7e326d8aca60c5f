"""The versions that are kept: numbered, one for each change, with who it was and how."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.const import DOMAIN
from custom_components.edgehome.policy.document import hash_of, table_of
from custom_components.edgehome.policy.presets import BALANCED, STRICT
from tests.policy_editor.forms import Row, edit, is_file, opened, put_in_force, save, sent
from tests.real_home import AgentAccess, Doors, proposing

OFF = proposing("turn_off", "Kitchen Lights")
RULE: Row = {"id": "mine", "verdict": "allow", "operations": ["turn_off"]}
pytestmark = pytest.mark.usefixtures("policy_file")


async def versions(entry: MockConfigEntry) -> list[tuple[int, str, str, str]]:
    """Number, who, how and hash of each version, the latest first."""
    return [(one.number, one.by, one.how, one.digest) for one in await entry.runtime_data.book.async_versions()]


def rows(folder: Path, sql: str) -> list[Any]:
    """What is in the evidence file."""
    with closing(sqlite3.connect(folder / DOMAIN / "evidence.db")) as db:
        return db.execute(sql).fetchall()


async def test_the_first(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """What EdgeHome was set up with is version 1."""
    assert await versions(entry) == [(1, "", "options", STRICT.digest)]
    (first,) = await entry.runtime_data.book.async_versions()
    assert table_of(json.loads(first.body)["table"]) == STRICT
    assert abs(dt_util.utcnow() - dt_util.parse_datetime(first.at, raise_on_error=True)).total_seconds() < 60


async def test_one_for_each_change(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Every way to change the policy makes one version, and says how it was; a table that comes back is a new one."""
    await save(hass, await edit(hass, home, [RULE]))
    own = home.runtime_data.house.policy().digest
    await save(hass, await sent(hass, await opened(hass, home, "preset"), {"preset": "balanced"}))
    await put_in_force(hass, home, {**RULE, "verdict": "deny"})
    other = home.runtime_data.house.policy().digest
    await save(hass, await sent(hass, await opened(hass, home, "versions"), {"version": "2"}))
    assert await versions(home) == [
        (5, "", "version 2 restored", own),
        (4, "", "document", other),
        (3, "", "preset", BALANCED.digest),
        (2, "", "edited", own),
        (1, "", "options", STRICT.digest),
    ]


async def test_none_for_what_changes_nothing(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Neither a new start, nor other options, nor saving what is in force already makes a version."""
    await put_in_force(hass, home, RULE)
    before = await versions(home)
    assert len(before) == 2
    for _ in range(2):
        assert await hass.config_entries.async_reload(home.entry_id)
        assert await versions(home) == before
    hass.config_entries.async_update_entry(home, options={**home.options, "automations": False})
    await hass.async_block_till_done()
    await put_in_force(hass, home, RULE)
    assert await versions(home) == before


async def test_none_for_what_was_only_looked_at(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A review that is not saved makes no version."""
    await edit(hass, home, [RULE])
    await sent(hass, await opened(hass, home, "preset"), {"preset": "balanced"})
    assert await versions(home) == [(1, "", "options", STRICT.digest)]


async def test_none_for_what_cannot_be_read(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """What stands in for a table that cannot be read is no version; the one that comes back is none either."""
    before = dict(home.options)
    for options in ({**before, "preset": "lenient"}, before):
        hass.config_entries.async_update_entry(home, options=options)
        await hass.async_block_till_done()
    assert await versions(home) == [(1, "", "options", STRICT.digest)]


async def test_shown(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """The form lists every version but the one in force, the latest first, with its time, who it was and how."""
    await put_in_force(hass, home, RULE)
    await put_in_force(hass, home, {**RULE, "verdict": "deny"})
    form = await opened(hass, home, "versions")
    options = form["data_schema"].schema["version"].config["options"]
    assert [one["value"] for one in options] == ["2", "1"]
    _, second, first = await home.runtime_data.book.async_versions()
    for option, one in zip(options, (second, first), strict=True):
        local = dt_util.as_local(dt_util.parse_datetime(one.at, raise_on_error=True))
        parts = option["label"].split(" · ")
        assert parts[0] == str(one.number)
        assert {f"{local:%Y-%m-%d %H:%M}", "EdgeHome", one.how, one.digest} <= set(parts)


async def test_nothing_to_go_back_to(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Where there is only the version in force, the form says so."""
    form = await opened(hass, home, "versions")
    assert (form["type"], form["reason"]) == (FlowResultType.ABORT, "no_versions")


async def test_a_version_that_speaks_no_more(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A version is looked through like any other table: one whose rules never speak now is not restored."""
    document = {"rules": [{"id": "a", "verdict": "deny"}, RULE]}
    body = json.dumps({"hash": hash_of(document), "table": document})
    await home.runtime_data.evidence.keep_policy(table_of(document), body, by="", how="an older EdgeHome")
    form = await sent(hass, await opened(hass, home, "versions"), {"version": "2"})
    assert (form["step_id"], form["errors"]) == ("versions", {"base": "lint"})
    assert "mine" in form["description_placeholders"]["problem"]
    assert home.runtime_data.house.policy() is STRICT


async def test_a_version_of_another_form(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A version that this EdgeHome does not understand is not guessed."""
    await home.runtime_data.evidence.keep_policy(BALANCED, '{"version": 2, "rules": []}', by="", how="a newer EdgeHome")
    form = await sent(hass, await opened(hass, home, "versions"), {"version": "2"})
    assert (form["step_id"], form["errors"]) == ("versions", {"base": "wrong"})
    assert home.runtime_data.house.policy() is STRICT


async def test_recorded_decisions_name_their_table(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors, config_folder: Path
) -> None:
    """What was decided can be read with the table that was in force then: it is kept under the hash that is recorded."""
    await put_in_force(hass, home, RULE)
    digest = home.runtime_data.house.policy().digest
    answer = await doors.ask(agent.token, "execute", OFF)
    await put_in_force(hass, home)
    trace = await home.runtime_data.evidence.trace(answer["trace_id"])
    (record,) = (one for one in trace.records if one["gate"] == "policy")
    assert record["evidence"]["table"] == digest
    bodies = dict(rows(config_folder, "SELECT digest, body FROM policy"))
    assert table_of(json.loads(bodies[digest])["table"]).digest == digest


async def test_removed(hass: HomeAssistant, home: MockConfigEntry, policy_file: Path, config_folder: Path) -> None:
    """Removing EdgeHome removes the file of its tables and keeps the evidence, every version in it."""
    await put_in_force(hass, home, RULE)
    assert is_file(policy_file)
    await hass.config_entries.async_remove(home.entry_id)
    await hass.async_block_till_done()
    assert not is_file(policy_file)
    assert rows(config_folder, "SELECT number, how FROM policy_version") == [(1, "options"), (2, "document")]
    assert len(rows(config_folder, "SELECT body FROM policy")) == 2


async def test_removed_and_added_again(
    hass: HomeAssistant, home: MockConfigEntry, policy_file: Path, config_folder: Path
) -> None:
    """An EdgeHome that is added again goes on counting."""
    await put_in_force(hass, home, RULE)
    await hass.config_entries.async_remove(home.entry_id)
    again = MockConfigEntry(domain=DOMAIN, title="EdgeHome", options={"preset": "strict"})
    again.add_to_hass(hass)
    assert await hass.config_entries.async_setup(again.entry_id)
    await hass.async_block_till_done()
    assert [number for number, *_ in await versions(again)] == [3, 2, 1]
