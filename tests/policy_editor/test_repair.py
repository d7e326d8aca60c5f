"""The repair of a policy that cannot be read: what is offered, and that choosing one puts it in force."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient
from homeassistant.auth.models import TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.const import DOMAIN
from custom_components.edgehome.policy.presets import BALANCED, PRESETS, STRICT
from custom_components.edgehome.policy.table import UNREADABLE
from custom_components.edgehome.policy_editor.repair import UNREADABLE_POLICY
from custom_components.edgehome.repairs import async_create_fix_flow
from tests.policy_editor.forms import Row, put_in_force, rules_in_force
from tests.real_home import AgentAccess, Doors, add_user, proposing, token_of

OFF = proposing("turn_off", "Kitchen Lights")
FIRST: Row = {"id": "first", "verdict": "allow", "operations": ["turn_off"]}
SECOND: Row = {"id": "second", "verdict": "deny", "operations": ["turn_off"]}
pytestmark = pytest.mark.usefixtures("policy_file")


def issue(hass: HomeAssistant) -> ir.IssueEntry | None:
    """What the owner is told."""
    return ir.async_get(hass).async_get_issue(DOMAIN, UNREADABLE_POLICY)


def remove(path: Path) -> None:
    """Somebody removes a file."""
    path.unlink()


@pytest.fixture
async def frontend(hass: HomeAssistant, home: MockConfigEntry, owner: str, doors: Doors) -> TestClient[Any, Any]:
    """The owner's frontend, with Home Assistant's repairs."""
    assert await async_setup_component(hass, "repairs", {})
    client: TestClient[Any, Any] = await doors.rest_client(owner)
    return client


@pytest.fixture
async def digests(hass: HomeAssistant, home: MockConfigEntry, frontend: object, policy_file: Path) -> list[str]:
    """A home whose policy file is gone; the hashes of the two tables that the owner had, the later one last."""
    found: list[str] = []
    for rule in (FIRST, SECOND):
        await put_in_force(hass, home, rule)
        found.append(home.runtime_data.house.policy().digest)
    remove(policy_file)
    assert await hass.config_entries.async_reload(home.entry_id)
    await hass.async_block_till_done()
    assert home.runtime_data.house.policy() is UNREADABLE
    return found


async def posted(frontend: TestClient[Any, Any], path: str, said: Mapping[str, object]) -> dict[str, Any]:
    """The answer to a form of a repair."""
    response = await frontend.post(f"/api/repairs/issues/fix{path}", json=dict(said))
    answer: dict[str, Any] = await response.json()
    assert response.status == 200, answer
    return answer


async def begin(frontend: TestClient[Any, Any]) -> dict[str, Any]:
    """The owner opens the repair."""
    return await posted(frontend, "", {"handler": DOMAIN, "issue_id": UNREADABLE_POLICY})


async def choose(hass: HomeAssistant, frontend: TestClient[Any, Any], digest: str) -> None:
    """The owner puts a table in force."""
    form = await begin(frontend)
    done = await posted(frontend, f"/{form['flow_id']}", {"table": digest})
    assert done["type"] == "create_entry"
    await hass.async_block_till_done()


def offered(form: Mapping[str, Any]) -> list[str]:
    """The tables that the repair offers."""
    return [option["value"] for option in form["data_schema"][0]["selector"]["select"]["options"]]


async def test_told(hass: HomeAssistant, home: MockConfigEntry, digests: list[str]) -> None:
    """The owner is told why nothing is allowed, in the issue that leads to the repair."""
    found = issue(hass)
    assert found is not None
    assert (found.is_fixable, found.severity, found.data) == (
        True,
        ir.IssueSeverity.CRITICAL,
        {"entry_id": home.entry_id},
    )
    assert found.translation_placeholders == {"problem": "its file is gone"}


async def test_offered(frontend: TestClient[Any, Any], digests: list[str]) -> None:
    """Every table that was in force is offered once, the latest first, then the presets that never were."""
    form = await begin(frontend)
    assert form["description_placeholders"] == {"problem": "its file is gone"}
    assert offered(form) == [*digests[::-1], STRICT.digest, BALANCED.digest]
    labels = [option["label"] for option in form["data_schema"][0]["selector"]["select"]["options"]]
    assert [label.split(" of ")[0] for label in labels[:2]] == ["Version 3", "Version 2"]


async def test_a_version(
    hass: HomeAssistant,
    home: MockConfigEntry,
    frontend: TestClient[Any, Any],
    agent: AgentAccess,
    doors: Doors,
    digests: list[str],
) -> None:
    """An earlier version that is chosen is in force at once and after the next start; the owner is told nothing any more."""
    assert (await doors.ask(agent.token, "execute", OFF))["code"] == "POLICY_UNREADABLE"
    await choose(hass, frontend, digests[0])
    assert issue(hass) is None
    assert rules_in_force(home) == [FIRST]
    assert (await doors.ask(agent.token, "execute", OFF))["code"] == "DONE"
    versions = await home.runtime_data.book.async_versions()
    assert [(one.number, one.how, one.digest) for one in versions][:2] == [
        (4, "repaired", digests[0]),
        (3, "document", digests[1]),
    ]
    assert await hass.config_entries.async_reload(home.entry_id)
    assert (rules_in_force(home), issue(hass)) == ([FIRST], None)


async def test_the_version_that_was_in_force(
    hass: HomeAssistant,
    home: MockConfigEntry,
    frontend: TestClient[Any, Any],
    agent: AgentAccess,
    doors: Doors,
    digests: list[str],
) -> None:
    """The table that the options name already comes back as it was, and is no new version."""
    await choose(hass, frontend, digests[1])
    assert issue(hass) is None
    assert rules_in_force(home) == [SECOND]
    assert (await doors.ask(agent.token, "execute", OFF))["code"] == "POLICY_DENIED"
    assert [one.number for one in await home.runtime_data.book.async_versions()] == [3, 2, 1]


@pytest.mark.parametrize("preset", PRESETS)
async def test_a_preset(
    hass: HomeAssistant, home: MockConfigEntry, frontend: TestClient[Any, Any], digests: list[str], preset: str
) -> None:
    """A preset that is chosen is in force under its name."""
    await choose(hass, frontend, PRESETS[preset].digest)
    assert issue(hass) is None
    assert home.runtime_data.house.policy() is PRESETS[preset]
    assert (home.options["preset"], home.options["policy_how"]) == (preset, "repaired")


async def test_only_what_is_offered(
    hass: HomeAssistant, home: MockConfigEntry, frontend: TestClient[Any, Any], digests: list[str]
) -> None:
    """Anything else is not taken, and the policy stays unreadable."""
    form = await begin(frontend)
    response = await frontend.post(f"/api/repairs/issues/fix/{form['flow_id']}", json={"table": "0" * 16})
    assert response.status == 400
    assert home.runtime_data.house.policy() is UNREADABLE
    assert issue(hass) is not None


async def test_versions_that_are_harmed(
    hass: HomeAssistant, home: MockConfigEntry, frontend: TestClient[Any, Any], digests: list[str]
) -> None:
    """A version that is not what its hash says is not offered: it would not be what was in force."""
    store = home.runtime_data.evidence
    for digest, body in ((digests[0], "no JSON"), (digests[1], '{"rules": [{"verdict": "allow"}]}')):
        await store._do(
            lambda db, values=(body, digest): db.execute("UPDATE policy SET body = ? WHERE digest = ?", values)
        )
    assert offered(await begin(frontend)) == [STRICT.digest, BALANCED.digest]


async def test_a_preset_that_is_gone(
    hass: HomeAssistant, home: MockConfigEntry, frontend: TestClient[Any, Any], agent: AgentAccess
) -> None:
    """Options that name no preset are mended the same way."""
    hass.config_entries.async_update_entry(home, options={**home.options, "preset": "lenient"})
    await hass.async_block_till_done()
    form = await begin(frontend)
    assert form["description_placeholders"] == {"problem": "there is no preset 'lenient'"}
    assert offered(form) == [STRICT.digest, BALANCED.digest]
    await choose(hass, frontend, STRICT.digest)
    assert home.runtime_data.house.policy() is STRICT
    assert issue(hass) is None


async def test_other_options_stay(
    hass: HomeAssistant, home: MockConfigEntry, frontend: TestClient[Any, Any], digests: list[str]
) -> None:
    """The repair changes the policy and nothing else."""
    await choose(hass, frontend, digests[0])
    assert home.options["automations"] is True


@pytest.mark.parametrize("is_there", [True, False], ids=["not loaded", "removed"])
async def test_not_loaded(hass: HomeAssistant, home: MockConfigEntry, digests: list[str], is_there: bool) -> None:
    """Without a loaded EdgeHome there is nothing to mend."""
    flow = await async_create_fix_flow(hass, UNREADABLE_POLICY, {"entry_id": home.entry_id})
    flow.hass = hass
    if is_there:
        assert await hass.config_entries.async_unload(home.entry_id)
    else:
        await hass.config_entries.async_remove(home.entry_id)
    assert (await flow.async_step_init(None))["reason"] == "not_loaded"  # type: ignore[attr-defined]  # its only step


async def test_removed(hass: HomeAssistant, home: MockConfigEntry, digests: list[str]) -> None:
    """With EdgeHome its issue goes."""
    assert issue(hass) is not None
    await hass.config_entries.async_remove(home.entry_id)
    await hass.async_block_till_done()
    assert issue(hass) is None


async def test_repair_with_a_long_lived_token(
    hass: HomeAssistant, home: MockConfigEntry, frontend: object, doors: Doors
) -> None:
    """Whoever was only given an administrator's token puts no policy in force by the repair either (R15)."""
    user = await add_user(hass, "Bot")
    client = await doors.rest_client(await token_of(hass, user, None, TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN))
    hass.config_entries.async_update_entry(home, options={**home.options, "preset": "lenient"})
    await hass.async_block_till_done()
    form = await begin(client)
    ended = await posted(client, f"/{form['flow_id']}", {"table": BALANCED.digest})
    assert (ended["type"], ended["reason"]) == ("abort", "own_session_only")
    await hass.async_block_till_done()
    assert home.runtime_data.house.policy() is UNREADABLE
