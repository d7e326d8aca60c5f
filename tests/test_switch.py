"""The lockdown switch over real doors: anyone engages, only an administrator releases, nothing gets past it (R15)."""

from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.const import DOMAIN
from tests.real_home import AgentAccess, Doors, add_user, proposing, token_of

SWITCH = "switch.edgehome_lockdown"


async def switch(doors: Doors, token: str, action: str) -> tuple[int, Any]:
    """Calls an action on the switch; the status and the message."""
    client = await doors.rest_client(token)
    response = await client.post(f"/api/services/{action}", json={"entity_id": SWITCH})
    return response.status, await response.text()


async def engage(hass: HomeAssistant) -> None:
    """Engages lockdown as an automation does."""
    await hass.services.async_call("switch", "turn_on", {"entity_id": SWITCH}, blocking=True)


async def test_entity(
    hass: HomeAssistant, entry: MockConfigEntry, entity_registry: er.EntityRegistry, device_registry: dr.DeviceRegistry
) -> None:
    """The switch belongs to EdgeHome's service device and is off at first."""
    assert hass.states.is_state(SWITCH, "off")
    registered = entity_registry.entities[SWITCH]
    assert (registered.unique_id, registered.translation_key) == (f"{entry.entry_id}_lockdown", "lockdown")
    (device,) = dr.async_entries_for_config_entry(device_registry, entry.entry_id)
    assert registered.device_id == device.id
    assert (device.name, device.identifiers) == ("EdgeHome", {(DOMAIN, entry.entry_id)})
    assert device.entry_type is dr.DeviceEntryType.SERVICE


@pytest.mark.parametrize(
    ("group", "action"),
    [
        pytest.param(GROUP_ID_ADMIN, "switch/turn_on", id="administrator"),
        pytest.param(GROUP_ID_USER, "switch/turn_on", id="anybody in the house"),
        pytest.param(GROUP_ID_USER, "switch/toggle", id="by toggling"),
        pytest.param(GROUP_ID_USER, "homeassistant/turn_on", id="by the general action"),
    ],
)
async def test_anyone_engages(
    hass: HomeAssistant, home: MockConfigEntry, doors: Doors, group: str, action: str
) -> None:
    """Everybody who may control a switch may close the door."""
    status, _ = await switch(doors, await token_of(hass, await add_user(hass, "Bob", group)), action)
    assert status == 200
    assert hass.states.is_state(SWITCH, "on")
    assert home.runtime_data.lockdown.engaged


@pytest.mark.parametrize(
    ("group", "action", "status", "state"),
    [
        pytest.param(GROUP_ID_ADMIN, "switch/turn_off", 200, "off", id="administrator"),
        pytest.param(GROUP_ID_ADMIN, "switch/toggle", 200, "off", id="administrator, toggling"),
        pytest.param(GROUP_ID_ADMIN, "homeassistant/turn_off", 200, "off", id="administrator, general action"),
        pytest.param(GROUP_ID_USER, "switch/turn_off", 400, "on", id="another user"),
        pytest.param(GROUP_ID_USER, "switch/toggle", 400, "on", id="another user, toggling"),
        pytest.param(GROUP_ID_USER, "homeassistant/turn_off", 400, "on", id="another user, general action"),
    ],
)
async def test_only_an_administrator_releases(
    hass: HomeAssistant, home: MockConfigEntry, doors: Doors, group: str, action: str, status: int, state: str
) -> None:
    """Others are told why not, and the door stays closed."""
    await engage(hass)
    answered, text = await switch(doors, await token_of(hass, await add_user(hass, "Bob", group)), action)
    assert answered == status
    assert ("Only an administrator can end the lockdown" in text) is (status == 400)
    assert hass.states.is_state(SWITCH, state)
    assert home.runtime_data.lockdown.engaged is (state == "on")


async def test_automation_does_not_release(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """An automation may engage and never release; the error says why."""
    await engage(hass)
    with pytest.raises(ServiceValidationError) as refused:
        await hass.services.async_call("switch", "turn_off", {"entity_id": SWITCH}, blocking=True)
    assert (refused.value.translation_domain, refused.value.translation_key) == (DOMAIN, "only_admin_releases")
    assert hass.states.is_state(SWITCH, "on")


async def test_yesterdays_administrator_does_not_help(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """Each call is judged by its own user, not by the one before."""
    user = await add_user(hass, "Ada")
    mine = Context(user_id=user.id)
    await engage(hass)
    await hass.services.async_call("switch", "turn_off", {"entity_id": SWITCH}, blocking=True, context=mine)
    await hass.services.async_call("switch", "turn_on", {"entity_id": SWITCH}, blocking=True, context=mine)
    with pytest.raises(ServiceValidationError):
        await hass.services.async_call("switch", "turn_off", {"entity_id": SWITCH}, blocking=True)
    assert hass.states.is_state(SWITCH, "on")


async def test_agent_does_not_touch_it(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors
) -> None:
    """An agent neither engages nor releases, by Home Assistant's actions or EdgeHome's."""
    assert (await switch(doors, agent.token, "switch/turn_on"))[0] == 401
    answer = await doors.ask(agent.token, "execute", proposing("turn_on", SWITCH))
    assert (answer["outcome"], answer["code"]) == ("blocked", "NOT_TARGETABLE")
    assert hass.states.is_state(SWITCH, "off")


async def test_survives_a_reload(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """A reload releases nothing, and the switch still follows."""
    await engage(hass)
    assert await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    assert hass.states.is_state(SWITCH, "on")
    assert entry.runtime_data.house.lockdown()
    admin = Context(user_id=(await add_user(hass, "Ada")).id)
    await hass.services.async_call("switch", "turn_off", {"entity_id": SWITCH}, blocking=True, context=admin)
    assert hass.states.is_state(SWITCH, "off")
    assert not entry.runtime_data.house.lockdown()


async def test_survives_changed_options(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """Saving the options releases nothing."""
    await engage(hass)
    hass.config_entries.async_update_entry(entry, options={"preset": "balanced", "automations": True})
    await hass.async_block_till_done()
    assert entry.runtime_data.house.policy().name == "balanced"
    assert entry.runtime_data.house.lockdown()


@pytest.mark.parametrize(
    ("action", "payload"),
    [
        pytest.param("execute", proposing("turn_off", "Kitchen Lights"), id="a proposal"),
        pytest.param("execute", proposing("status", "Kitchen Lights"), id="a question"),
        pytest.param("execute", proposing("turn_off", "Kitchen Lights") | {"dry_run": True}, id="a dry run"),
        pytest.param("execute", {}, id="nonsense"),
        pytest.param("list_devices", {}, id="the list"),
        pytest.param("get_trace", {"trace_id": "1"}, id="a trace"),
    ],
)
async def test_blocks_everything(
    hass: HomeAssistant,
    home: MockConfigEntry,
    agent: AgentAccess,
    owner: str,
    doors: Doors,
    action: str,
    payload: dict[str, object],
) -> None:
    """While it is on, agents, the owner and automations get one answer, and nothing is called."""
    await engage(hass)
    answers = [
        await doors.ask(agent.token, action, payload),
        await doors.ask(owner, action, payload),
        await doors.ask_websocket(agent.token, action, payload),
        await hass.services.async_call(DOMAIN, action, payload, blocking=True, return_response=True),
    ]
    verdicts = {(answer["outcome"], answer["code"], answer["gate"]) for answer in answers if answer}
    assert verdicts == {("blocked", "LOCKDOWN", "input_guard")}
    assert hass.states.is_state("light.kitchen_lights", "on")
