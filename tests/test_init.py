"""EdgeHome's life in Home Assistant: set-up, changes, reload, removal, and what a crash leaves."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import EVENT_CALL_SERVICE, EVENT_HOMEASSISTANT_CLOSE
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_capture_events

from custom_components.edgehome.codes import Code, Outcome
from custom_components.edgehome.const import DOMAIN
from custom_components.edgehome.endings import interrupted
from custom_components.edgehome.lockdown import Lockdown
from custom_components.edgehome.models import ActionRequest, Intent, Principal, PrincipalKind
from custom_components.edgehome.plan import Effect, ExecutionPlan, GatedCommand
from custom_components.edgehome.policy.presets import BALANCED, STRICT
from custom_components.edgehome.policy.table import UNREADABLE
from tests.real_home import AgentAccess, Doors, add_agent, add_user, proposing

OFF = proposing("turn_off", "Kitchen Lights")
ACTIONS = {"execute", "list_devices", "get_trace", "cancel", "undo", "simulate"}


def evidence_threads() -> int:
    """How many evidence files are open."""
    return sum(thread.name == "edgehome-evidence" for thread in threading.enumerate())


async def users(hass: HomeAssistant) -> set[str | None]:
    """The names of all users but those that the test's own surroundings make."""
    names = {user.name for user in await hass.auth.async_get_users()}
    return names - {"Mock User", "Home Assistant Content"}


async def stored_lockdown(hass: HomeAssistant) -> Lockdown:
    """Lockdown as the next start finds it."""
    lockdown = Lockdown(hass)
    await lockdown.async_load()
    return lockdown


def rows(folder: Path, query: str) -> list[Any]:
    """What the evidence file holds."""
    db = sqlite3.connect(folder / DOMAIN / "evidence.db")
    found = db.execute(query).fetchall()
    db.close()
    return found


async def test_set_up(hass: HomeAssistant, entry: MockConfigEntry, config_folder: Path) -> None:
    """The door is open, the evidence is a file beside the configuration, the policy in force is kept there."""
    assert entry.state is ConfigEntryState.LOADED
    assert hass.services.async_services_for_domain(DOMAIN).keys() == ACTIONS
    assert evidence_threads() == 1
    assert rows(config_folder, "SELECT digest FROM policy") == [(STRICT.digest,)]


@pytest.mark.usefixtures("config_folder", "enable_custom_integrations")
async def test_actions_without_an_entry(hass: HomeAssistant) -> None:
    """The actions are there before EdgeHome is set up, and say that it is not."""
    assert await async_setup_component(hass, DOMAIN, {})
    assert hass.services.async_services_for_domain(DOMAIN).keys() == ACTIONS
    with pytest.raises(ServiceValidationError):
        await hass.services.async_call(DOMAIN, "execute", OFF, blocking=True)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="no policy"),
        pytest.param({"preset": "lenient"}, id="unknown policy"),
        pytest.param({"preset": None}, id="null"),
    ],
)
@pytest.mark.usefixtures("config_folder", "core")
async def test_unreadable_policy(hass: HomeAssistant, options: dict[str, object]) -> None:
    """A policy that cannot be read is not guessed: everything is denied, and a repair says why (R2)."""
    entry = MockConfigEntry(domain=DOMAIN, options={**options, "automations": True})
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    assert entry.runtime_data.house.policy() is UNREADABLE
    assert ir.async_get(hass).async_get_issue(DOMAIN, "policy_unreadable")


def a_file_for_the_folder(folder: Path) -> None:
    """Puts a file where the folder should be."""
    folder.write_text("")


def a_folder_for_the_file(folder: Path) -> None:
    """Puts a folder where the file should be."""
    (folder / "evidence.db").mkdir(parents=True)


def rubbish(folder: Path) -> None:
    """Puts something else into the file."""
    folder.mkdir()
    (folder / "evidence.db").write_bytes(b"no database at all, for sure" * 100)


def newer(folder: Path) -> None:
    """Writes a file as a newer release would."""
    folder.mkdir()
    db = sqlite3.connect(folder / "evidence.db")
    db.execute("PRAGMA user_version=99")
    db.close()


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(a_file_for_the_folder, id="the folder is a file"),
        pytest.param(a_folder_for_the_file, id="the file is a folder"),
        pytest.param(rubbish, id="the file is no database"),
        pytest.param(newer, id="the file is of a newer release"),
    ],
)
@pytest.mark.usefixtures("core")
async def test_unwritable_evidence(hass: HomeAssistant, config_folder: Path, spoil: Callable[[Path], None]) -> None:
    """Without evidence nothing is accepted; Home Assistant tries again, and when it can be written all is well (R2)."""
    spoil(config_folder / DOMAIN)
    entry = MockConfigEntry(domain=DOMAIN, options={"preset": "strict"})
    entry.add_to_hass(hass)
    assert not await hass.config_entries.async_setup(entry.entry_id)
    assert (entry.state, entry.error_reason_translation_key) == (ConfigEntryState.SETUP_RETRY, "evidence_unreadable")
    assert evidence_threads() == 0
    with pytest.raises(ServiceValidationError):
        await hass.services.async_call(DOMAIN, "execute", OFF, blocking=True)
    (config_folder / DOMAIN).rename(config_folder / "put aside")
    assert await hass.config_entries.async_reload(entry.entry_id)
    assert entry.state is ConfigEntryState.LOADED


async def test_unload(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """Unloading closes the evidence and stops listening; the actions stay."""
    assert await hass.config_entries.async_unload(entry.entry_id)
    assert entry.state is ConfigEntryState.NOT_LOADED
    assert evidence_threads() == 0
    assert hass.services.async_services_for_domain(DOMAIN).keys() == ACTIONS
    assert hass.states.is_state("switch.edgehome_lockdown", "unavailable")


async def test_reload(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """After a reload traces are found, request ids are known, and names are found again."""
    payload = OFF | {"request_id": "night-1"}
    before = await doors.ask(agent.token, "execute", payload)
    assert await hass.config_entries.async_reload(home.entry_id)
    await hass.async_block_till_done()
    trace = await doors.ask(agent.token, "get_trace", {"trace_id": before["trace_id"]})
    assert (trace["outcome"], trace["plan"]) == ("executed", before["plan"])
    hass.states.async_set("light.kitchen_lights", "on")
    assert await doors.ask(agent.token, "execute", payload) == before
    assert hass.states.is_state("light.kitchen_lights", "on")
    assert (await doors.ask(agent.token, "execute", OFF))["outcome"] == "executed"


async def test_close_with_home_assistant(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """When Home Assistant ends, the evidence is written out."""
    hass.bus.async_fire(EVENT_HOMEASSISTANT_CLOSE)
    await hass.async_block_till_done()
    assert evidence_threads() == 0


async def test_removal(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, config_folder: Path) -> None:
    """Removing EdgeHome removes its users, tokens and lockdown; people, other systems and the evidence stay."""
    await add_agent(hass, home, "Apollo")
    await add_user(hass, "Ada")
    await hass.auth.async_create_system_user("Another system", group_ids=[])
    await home.runtime_data.lockdown.async_set(engaged=True)
    assert (await stored_lockdown(hass)).engaged
    await hass.config_entries.async_remove(home.entry_id)
    await hass.async_block_till_done()
    assert await users(hass) == {"Ada", "Another system"}
    assert hass.auth.async_validate_access_token(agent.token) is None
    assert not (await stored_lockdown(hass)).engaged
    assert (config_folder / DOMAIN / "evidence.db").exists()
    assert hass.states.get("switch.edgehome_lockdown") is None


async def test_changed_options(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors, config_folder: Path
) -> None:
    """A new policy decides from the next request on, without a reload, and is kept in the evidence."""
    data = home.runtime_data
    assert (await doors.ask(agent.token, "execute", proposing("lock", "Kitchen Door")))["code"] == "NOT_EXPOSED"
    hass.states.async_set("lock.front_door", "unlocked")
    assert (await doors.ask(agent.token, "execute", proposing("lock", "Front Door")))["code"] == "POLICY_DENIED"
    hass.config_entries.async_update_entry(home, options={"preset": "balanced", "automations": True})
    await hass.async_block_till_done()
    assert (await doors.ask(agent.token, "execute", proposing("lock", "Front Door")))["code"] == "DONE"
    assert home.runtime_data is data
    assert set(rows(config_folder, "SELECT digest FROM policy")) == {(STRICT.digest,), (BALANCED.digest,)}


@pytest.mark.parametrize(
    ("engaged", "code"),
    [
        pytest.param(False, "POLICY_UNREADABLE", id="everything is denied"),
        pytest.param(True, "LOCKDOWN", id="and lockdown stays lockdown"),
    ],
)
async def test_policy_that_becomes_unreadable(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors, engaged: bool, code: str
) -> None:
    """Options that cannot be read deny everything at once, until they can be read again (R2)."""
    await home.runtime_data.lockdown.async_set(engaged=engaged)
    hass.config_entries.async_update_entry(home, options={"preset": "lenient"})
    await hass.async_block_till_done()
    answer = await doors.ask(agent.token, "execute", OFF)
    assert (answer["outcome"], answer["code"]) == ("blocked", code)
    assert hass.states.is_state("light.kitchen_lights", "on")
    assert ir.async_get(hass).async_get_issue(DOMAIN, "policy_unreadable")
    hass.config_entries.async_update_entry(home, options={"preset": "strict"})
    await hass.async_block_till_done()
    assert not ir.async_get(hass).async_get_issue(DOMAIN, "policy_unreadable")


async def test_agents_come_and_go(hass: HomeAssistant, home: MockConfigEntry, doors: Doors) -> None:
    """A new agent may call at once; one that was removed loses its user and token, the others keep theirs."""
    hermes, apollo = await add_agent(hass, home, "Hermes"), await add_agent(hass, home, "Apollo")
    assert (await doors.ask(apollo.token, "execute", OFF))["outcome"] == "executed"
    hass.config_entries.async_remove_subentry(home, apollo.id)
    await hass.async_block_till_done()
    assert await users(hass) == {"EdgeHome agent: Hermes"}
    assert (await doors.rest(apollo.token, "execute", OFF))[0] == 401
    assert (await doors.ask(hermes.token, "execute", OFF))["outcome"] == "no_change"


async def test_orphaned_users(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess) -> None:
    """Users of agents that went while EdgeHome was not loaded are removed at set-up."""
    apollo = await add_agent(hass, home, "Apollo")
    await hass.config_entries.async_unload(home.entry_id)
    hass.config_entries.async_remove_subentry(home, apollo.id)
    await hass.async_block_till_done()
    assert hass.auth.async_validate_access_token(apollo.token) is not None
    assert await hass.config_entries.async_setup(home.entry_id)
    assert await users(hass) == {"EdgeHome agent: Hermes"}
    assert hass.auth.async_validate_access_token(apollo.token) is None
    assert hass.auth.async_validate_access_token(agent.token) is not None


async def test_crash_while_executing(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors
) -> None:
    """What was executing when Home Assistant died is closed as unknown, and its retry never acts again (R11, R13)."""
    payload = OFF | {"request_id": "night-1"}
    request = ActionRequest(
        trace_id="01JDXW3Z5N8Q9K2M4P6R7S8T9V",
        principal=Principal(kind=PrincipalKind.AGENT, id=agent.id, name="Hermes"),
        door="edgehome.execute",
        payload=payload,
        received_at=datetime(2026, 11, 30, 12, tzinfo=UTC),
    )
    action = GatedCommand(
        entity_id="light.kitchen_lights",
        name="Kitchen Lights",
        device_type="light",
        operations=(Intent.TURN_OFF,),
        effect=Effect.ADJUST,
        risk=1,
        service="light.turn_off",
    )
    await home.runtime_data.evidence.intent(replace(interrupted(request), plan=ExecutionPlan(actions=(action,))))
    assert await hass.config_entries.async_reload(home.entry_id)
    calls = async_capture_events(hass, EVENT_CALL_SERVICE)
    trace = await doors.ask(agent.token, "get_trace", {"trace_id": request.trace_id})
    assert (trace["outcome"], trace["code"]) == (Outcome.UNKNOWN, Code.INTERRUPTED)
    again = await doors.ask(agent.token, "execute", payload)
    assert (again["trace_id"], again["outcome"], again["code"]) == (request.trace_id, "unknown", "INTERRUPTED")
    assert [call for call in calls if call.data["domain"] == "light"] == []


async def test_stopped_while_executing(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors
) -> None:
    """Unloading does not wait for a slow device: the caller and the trace are told that it is not known (R11)."""
    started, go_on = asyncio.Event(), asyncio.Event()

    async def slow(_: ServiceCall) -> None:
        started.set()
        await go_on.wait()

    hass.services.async_register("light", "turn_off", slow)
    asking = hass.async_create_task(doors.ask(agent.token, "execute", OFF))
    await started.wait()
    assert await hass.config_entries.async_unload(home.entry_id)
    answer = await asking
    assert (answer["outcome"], answer["code"]) == ("unknown", "INTERRUPTED")
    go_on.set()
    assert await hass.config_entries.async_setup(home.entry_id)
    trace = await doors.ask(agent.token, "get_trace", {"trace_id": answer["trace_id"]})
    assert (trace["outcome"], trace["code"]) == ("unknown", "INTERRUPTED")
