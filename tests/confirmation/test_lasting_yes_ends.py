"""What ends a yes for ten minutes, also in the middle of something (R9)."""

from collections.abc import Awaitable, Callable
from typing import Any
from unittest.mock import patch

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from custom_components.edgehome.home.exposure import ASSISTANT
from tests.confirmation.household import CUT_OFF, YES, Household, Phone
from tests.confirmation.lasting import ASK, HEATING, back, code, grant, grants, heat
from tests.confirmation.page import Page
from tests.made_questions import turns
from tests.real_home import AgentAccess, add_agent


@pytest.fixture
async def ada(house: Household) -> Phone:
    """The phone of the one approver; everything is asked."""
    await house.rules(ASK)
    return await house.approver_with_phone("Ada")


type Change = Callable[[Household, AgentAccess, Phone, dict[str, Any]], Awaitable[object]]


async def options_change(house: Household, agent: AgentAccess, ada: Phone, answer: dict[str, Any]) -> None:
    """The owner changes an option, the rules stay."""
    await house.rules(ASK, seconds=60)


async def agent_comes(house: Household, agent: AgentAccess, ada: Phone, answer: dict[str, Any]) -> None:
    """The owner adds an agent."""
    await add_agent(house.hass, house.entry, "Apollo")


async def approver_comes(house: Household, agent: AgentAccess, ada: Phone, answer: dict[str, Any]) -> None:
    """The owner adds an approver."""
    await house.approver("Ben", 2)


async def approver_changes(house: Household, agent: AgentAccess, ada: Phone, answer: dict[str, Any]) -> None:
    """The owner lowers the limit of the one who said yes, not below the risk."""
    (subentry,) = house.entry.get_subentries_of_type("approver")
    house.hass.config_entries.async_update_subentry(house.entry, subentry, data={**subentry.data, "max_risk": 4})


async def exposed(house: Household, agent: AgentAccess, ada: Phone, answer: dict[str, Any]) -> None:
    """The owner exposes another device."""
    async_expose_entity(house.hass, ASSISTANT, "light.office_rgbw_lights", True)  # noqa: FBT003  # Home Assistant's signature


async def lockdown(house: Household, agent: AgentAccess, ada: Phone, answer: dict[str, Any]) -> None:
    """The owner locks down and releases again."""
    context = Context(user_id=(await house.owner()).user.id)
    for action in ("turn_on", "turn_off"):
        entity = {"entity_id": "switch.edgehome_lockdown"}
        await house.hass.services.async_call("switch", action, entity, blocking=True, context=context)
        assert grants(house) == 0


async def agent_cancels(house: Household, agent: AgentAccess, ada: Phone, answer: dict[str, Any]) -> None:
    """The agent gives it back."""
    payload = {"trace_id": answer["trace_id"]}
    assert (await house.doors.ask(agent.token, "cancel", payload))["cancelled"] is True
    assert (await house.doors.ask(agent.token, "cancel", payload))["cancelled"] is False


async def owner_cancels(house: Household, agent: AgentAccess, ada: Phone, answer: dict[str, Any]) -> None:
    """The owner takes it back."""
    payload, owner = {"trace_id": answer["trace_id"]}, await house.owner()
    assert (await house.doors.ask(owner.token, "cancel", payload))["cancelled"] is True


async def revoked(house: Household, agent: AgentAccess, ada: Phone, answer: dict[str, Any]) -> None:
    """Ada ends it on the page."""
    page = await Page(house).open(ada.person.token)
    (shown,) = (await page.shows())["grants"]
    for ended in (True, False):
        assert (await page.command("edgehome/inbox/revoke", grant_id=shown["id"]))["result"] == {"ended": ended}
    assert (await page.shows())["grants"] == []


async def reloaded(house: Household, agent: AgentAccess, ada: Phone, answer: dict[str, Any]) -> None:
    """EdgeHome is loaded again."""
    await house.hass.config_entries.async_reload(house.entry.entry_id)


async def moved(house: Household, agent: AgentAccess, ada: Phone, answer: dict[str, Any]) -> None:
    """The heating is put into another room."""
    area = ar.async_get(house.hass).async_get_or_create("Cellar")
    device_id = er.async_get(house.hass).entities[HEATING].device_id
    assert device_id is not None
    dr.async_get(house.hass).async_update_device(device_id, area_id=area.id)


ENDS: list[Any] = [
    pytest.param(options_change, id="options"),
    pytest.param(agent_comes, id="an agent"),
    pytest.param(approver_comes, id="an approver"),
    pytest.param(approver_changes, id="the approver's limits"),
    pytest.param(exposed, id="exposure"),
    pytest.param(lockdown, id="lockdown"),
    pytest.param(agent_cancels, id="the agent"),
    pytest.param(owner_cancels, id="the owner"),
    pytest.param(revoked, id="the approver"),
    pytest.param(reloaded, id="a reload"),
    pytest.param(moved, id="another room"),
]


@pytest.mark.parametrize("change", ENDS)
async def test_ends(house: Household, agent: AgentAccess, ada: Phone, change: Change) -> None:
    """Whatever the owner changes ends it, and so does whoever may take it back: the same is asked again."""
    answer = await grant(house, agent, ada)
    await back(house)
    await change(house, agent, ada, answer)
    await house.hass.async_block_till_done()
    assert await code(house, agent, heat(26)) == "pending"


async def deactivated(house: Household, agent: AgentAccess, ada: Phone, answer: dict[str, Any]) -> None:
    """The user of the one who said yes is deactivated."""
    await house.hass.auth.async_update_user(ada.person.user, is_active=False)
    await house.hass.async_block_till_done()


async def removed(house: Household, agent: AgentAccess, ada: Phone, answer: dict[str, Any]) -> None:
    """The one who said yes is no approver any more."""
    house.hass.config_entries.async_remove_subentry(house.entry, ada.person.subentry_id)


async def user_removed(house: Household, agent: AgentAccess, ada: Phone, answer: dict[str, Any]) -> None:
    """The user of the one who said yes is deleted."""
    await house.hass.auth.async_remove_user(ada.person.user)


@pytest.mark.parametrize("change", [deactivated, removed, user_removed], ids=["deactivated", "removed", "deleted"])
@CUT_OFF
async def test_giver_gone(house: Household, agent: AgentAccess, ada: Phone, change: Change) -> None:
    """The yes of somebody who may not say yes any more is worth nothing."""
    ben = await house.approver_with_phone("Ben", 2)
    await grant(house, agent, ada)
    await back(house)
    await ada.settle()
    await change(house, agent, ada, {})
    await house.hass.async_block_till_done()
    if change is not removed:
        await ada.last_words()
    assert await code(house, agent, heat(26)) == "pending"
    await ben.tap(await ben.question(), YES)


@CUT_OFF
async def test_giver_comes_back(house: Household, agent: AgentAccess, ada: Phone) -> None:
    """What ended with the giver's deactivation does not come back with him."""
    await grant(house, agent, ada)
    await back(house)
    await ada.settle()
    await deactivated(house, agent, ada, {})
    await house.hass.auth.async_update_user(ada.person.user, is_active=True)
    await house.hass.async_block_till_done()
    await ada.last_words()
    assert grants(house) == 0


type Blow = Callable[[Household, Phone, str], Awaitable[object]]


async def revoke_now(house: Household, ada: Phone, trace_id: str) -> None:
    """Ada ends it."""
    assert house.entry.runtime_data.questions.lasting.revoke(trace_id, ada.person.user.id)


async def remove_now(house: Household, ada: Phone, trace_id: str) -> None:
    """Ada is no approver any more."""
    house.hass.config_entries.async_remove_subentry(house.entry, ada.person.subentry_id)
    await turns()


async def expose_now(house: Household, ada: Phone, trace_id: str) -> None:
    """Another device is exposed."""
    async_expose_entity(house.hass, ASSISTANT, "light.office_rgbw_lights", True)  # noqa: FBT003  # Home Assistant's signature


async def options_now(house: Household, ada: Phone, trace_id: str) -> None:
    """The owner changes an option."""
    options = {**house.entry.options, "approvals": {"seconds": 60}}
    house.hass.config_entries.async_update_entry(house.entry, options=options)
    await turns()


async def deactivate_now(house: Household, ada: Phone, trace_id: str) -> None:
    """Ada's user is deactivated; her phone's channel stays, as far as this test goes."""
    approvers = house.entry.runtime_data.approvers
    approvers._active -= {ada.person.user.id}
    approvers.revision += 1
    approvers.changed()


BLOWS = [
    pytest.param(options_now, id="options"),
    pytest.param(expose_now, id="exposure"),
    pytest.param(remove_now, id="the giver is removed"),
]


@pytest.mark.parametrize(
    "during",
    [
        pytest.param(revoke_now, id="the approver ends it"),
        *BLOWS,
        pytest.param(
            deactivate_now,
            id="the giver is deactivated",
        ),
    ],
)
async def test_ended_while_the_intent_is_written(
    house: Household, agent: AgentAccess, ada: Phone, during: Blow
) -> None:
    """A grant that ends between judgement and execution lets nothing pass: it is superseded, and nothing is done."""
    answer = await grant(house, agent, ada)
    await back(house)
    evidence = house.entry.runtime_data.evidence
    write = evidence.intent

    async def intent(trace: Any) -> Any:
        ticket = await write(trace)
        await during(house, ada, answer["trace_id"])
        return ticket

    with patch.object(evidence, "intent", intent):
        done = await house.doors.ask(agent.token, "execute", heat(26))
    assert done["outcome"] in {"cancelled", "blocked"}
    assert house.hass.states.get(HEATING).attributes["temperature"] == 21  # type: ignore[union-attr]  # it is there


@pytest.mark.parametrize("change", BLOWS[:2])
async def test_changed_while_the_first_deed_is_done(
    house: Household, agent: AgentAccess, ada: Phone, change: Blow
) -> None:
    """What ends grants while the granted deed is under way leaves none behind."""
    backend = house.entry.runtime_data.pipeline._backend
    act = backend.execute

    async def execute(ticket: Any) -> Any:
        result = await act(ticket)
        await change(house, ada, "")
        return result

    with patch.object(backend, "execute", execute):
        await grant(house, agent, ada)
    assert grants(house) == 0
