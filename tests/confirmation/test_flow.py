"""The form of an approver: who is offered, what is kept, and that it takes effect at once."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.confirmation.household import OPEN_GARAGE, YES, Household
from tests.real_home import AgentAccess, add_agent, add_user

LIMITS = {"max_risk": 5, "areas": [], "order": 1, "page_suffices": False}

CHOSEN = {"max_risk": 4, "areas": ["garage"], "order": 2, "page_suffices": True}


async def start(hass: HomeAssistant, entry: MockConfigEntry, **context: str) -> Any:
    """Opens the form: a new approver's, or the one of ``subentry_id``."""
    context = {"source": "user", **context}
    return await hass.config_entries.subentries.async_init((entry.entry_id, "approver"), context=context)  # type: ignore[arg-type]  # a plain context


async def answer(hass: HomeAssistant, shown: Any, user_input: dict[str, object]) -> Any:
    """Fills a form in."""
    result = await hass.config_entries.subentries.async_configure(shown["flow_id"], user_input)
    await hass.async_block_till_done()
    return result


def offered(form: Any) -> list[str]:
    """The names of the people that a form offers."""
    return sorted(option["label"] for option in form["data_schema"].schema["user_id"].config["options"])


def kept(entry: MockConfigEntry) -> list[tuple[str, str | None, dict[str, Any]]]:
    """The approvers that there are."""
    items = entry.get_subentries_of_type("approver")
    return [(item.title, item.unique_id, dict(item.data)) for item in items]


@pytest.fixture
async def nobody(hass: HomeAssistant, home: MockConfigEntry) -> MockConfigEntry:
    """EdgeHome in a house without people but the test's own administrator and systems."""
    for user in await hass.auth.async_get_users():
        await hass.auth.async_remove_user(user)
    return home


async def test_add(hass: HomeAssistant, nobody: MockConfigEntry) -> None:
    """One form: person and limits; it is kept as chosen, in whole numbers."""
    ada = await add_user(hass, "Ada")
    form = await start(hass, nobody)
    assert (form["type"], form["step_id"]) == (FlowResultType.FORM, "user")
    assert {str(key): key.default() for key in list(form["data_schema"].schema)[1:]} == LIMITS
    made = await answer(
        hass, form, {"user_id": ada.id, "max_risk": 4.0, "areas": ["garage"], "order": 2.0, "page_suffices": True}
    )
    assert (made["type"], made["title"]) == (FlowResultType.CREATE_ENTRY, "Ada")
    assert kept(nobody) == [("Ada", ada.id, {"user_id": ada.id, **CHOSEN, "phones": []})]
    assert [type(value) for value in kept(nobody)[0][2].values()] == [str, int, list, int, bool, list]


async def test_who_is_offered(hass: HomeAssistant, nobody: MockConfigEntry) -> None:
    """People: active users, administrators or not; no system users, no agents, nobody twice."""
    ada, ben = await add_user(hass, "Ada"), await add_user(hass, "Ben", "system-users")
    nameless = await hass.auth.async_create_user("", group_ids=[])
    await hass.auth.async_create_system_user("Home Assistant Cloud", group_ids=[])
    gone = await add_user(hass, "Gone")
    await hass.auth.async_update_user(gone, is_active=False)
    await add_agent(hass, nobody, "Hermes")
    form = await start(hass, nobody)
    assert offered(form) == sorted(["Ada", "Ben", nameless.id])
    await answer(hass, form, {"user_id": ben.id, **LIMITS})
    assert offered(await start(hass, nobody)) == sorted(["Ada", nameless.id])
    await answer(hass, await start(hass, nobody), {"user_id": nameless.id, **LIMITS})
    assert [title for title, _, _ in kept(nobody)] == ["Ben", nameless.id]
    await answer(hass, await start(hass, nobody), {"user_id": ada.id, **LIMITS})
    last = await start(hass, nobody)
    assert (last["type"], last["reason"]) == (FlowResultType.ABORT, "nobody_left")


async def test_nobody_left(hass: HomeAssistant, nobody: MockConfigEntry) -> None:
    """Where there is nobody to choose the form says so."""
    ended = await start(hass, nobody)
    assert (ended["type"], ended["reason"]) == (FlowResultType.ABORT, "nobody_left")


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"user_id": "somebody"}, id="nobody of this house"),
        pytest.param({"user_id": None}, id="nobody"),
        pytest.param({"max_risk": 6}, id="a risk that there is not"),
        pytest.param({"max_risk": -1}, id="below zero"),
        pytest.param({"order": 0}, id="number zero"),
        pytest.param({"order": 100}, id="number one hundred"),
        pytest.param({"areas": "garage"}, id="a room that is no list"),
        pytest.param({"pin": "1234"}, id="a field that there is not"),
    ],
)
async def test_takes_only_what_it_offers(
    hass: HomeAssistant, nobody: MockConfigEntry, changes: dict[str, object]
) -> None:
    """What the form does not offer is not taken."""
    ada = await add_user(hass, "Ada")
    form = await start(hass, nobody)
    with pytest.raises(InvalidData):
        await answer(hass, form, {"user_id": ada.id, **LIMITS, **changes})
    assert kept(nobody) == []


async def test_agent_is_not_taken(hass: HomeAssistant, nobody: MockConfigEntry) -> None:
    """An agent's user cannot be made an approver (R9)."""
    await add_user(hass, "Ada")
    agent = await add_agent(hass, nobody, "Hermes")
    form = await start(hass, nobody)
    with pytest.raises(InvalidData):
        await answer(hass, form, {"user_id": agent.user_id, **LIMITS})
    assert kept(nobody) == []


async def test_two_forms_at_once(hass: HomeAssistant, nobody: MockConfigEntry) -> None:
    """The same person in two open forms becomes an approver once; the other form ends plainly."""
    ada = await add_user(hass, "Ada")
    await add_user(hass, "Ben")
    forms = [await start(hass, nobody), await start(hass, nobody)]
    await answer(hass, forms[0], {"user_id": ada.id, **LIMITS})
    ended = await answer(hass, forms[1], {"user_id": ada.id, **LIMITS, "max_risk": 1})
    assert ended["type"] is FlowResultType.ABORT
    assert [data["max_risk"] for _, _, data in kept(nobody)] == [5]


async def test_person_gone_meanwhile(hass: HomeAssistant, nobody: MockConfigEntry) -> None:
    """Somebody who was removed while the form was open does not become an approver; the form ends plainly."""
    await add_user(hass, "Ada")
    ben = await add_user(hass, "Ben")
    form = await start(hass, nobody)
    await hass.auth.async_remove_user(ben)
    ended = await answer(hass, form, {"user_id": ben.id, **LIMITS})
    assert ended["type"] is FlowResultType.ABORT
    assert kept(nobody) == []


async def test_reconfigure(house: Household, agent: AgentAccess) -> None:
    """Changed limits are in force at once; the person stays the same."""
    hass, entry = house.hass, house.entry
    ada = await house.approver_with_phone("Ada", max_risk=3)
    assert (await house.doors.ask(agent.token, "execute", OPEN_GARAGE))["code"] == "NO_APPROVER"
    form = await start(hass, entry, source="reconfigure", subentry_id=ada.person.subentry_id)  # type: ignore[arg-type]  # it is one
    assert (form["type"], form["step_id"]) == (FlowResultType.FORM, "reconfigure")
    shown = {str(key): key.default() for key in form["data_schema"].schema}
    assert shown == LIMITS | {"max_risk": 3, "phones": []}
    ended = await answer(hass, form, {"max_risk": 5.0, "areas": ["garage"], "order": 7.0, "page_suffices": True})
    assert (ended["type"], ended["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    (subentry,) = entry.get_subentries_of_type("approver")
    wanted = {"max_risk": 5, "areas": ["garage"], "order": 7, "page_suffices": True, "phones": []}
    assert dict(subentry.data) == {"user_id": ada.person.user.id, **wanted}
    asked = await house.ask(agent.token)
    await ada.tap(await ada.question(), YES)
    assert await house.ended(asked) == ("confirmed", "DONE")


async def test_reconfigure_while_not_loaded(house: Household) -> None:
    """Also while EdgeHome is not loaded the limits can be changed."""
    hass, entry = house.hass, house.entry
    ada = await house.approver("Ada")
    await hass.config_entries.async_unload(entry.entry_id)
    form = await start(hass, entry, source="reconfigure", subentry_id=ada.subentry_id)  # type: ignore[arg-type]  # it is one
    ended = await answer(hass, form, LIMITS | {"max_risk": 2})
    assert (ended["type"], ended["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    (subentry,) = entry.get_subentries_of_type("approver")
    assert subentry.data["max_risk"] == 2
