"""The people who may say yes: to which risk, in which rooms, and only while they are people of this house."""

from collections.abc import Awaitable, Callable
from types import MappingProxyType
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.confirmation.approvers import Approver, ApproverRegister
from tests.confirmation.household import CUT_OFF, LATCH, NO, OPEN_GARAGE, UNLATCH, YES, Household, Person, Phone
from tests.real_home import AgentAccess, proposing


def subentry(kind: str, name: str, **data: object) -> ConfigSubentry:
    """What the form of an approver keeps."""
    kept = {"user_id": name.lower(), "max_risk": 5, "areas": [], "order": 1, **data}
    return ConfigSubentry(data=MappingProxyType(kept), subentry_type=kind, title=name, unique_id=None)


@pytest.mark.parametrize(
    ("max_risk", "areas", "risk", "about", "may"),
    [
        pytest.param(5, [], 5, ("garage",), True, id="no limits"),
        pytest.param(4, [], 4, ("garage",), True, id="up to his risk"),
        pytest.param(4, [], 5, ("garage",), False, id="above his risk"),
        pytest.param(0, [], 1, ("garage",), False, id="nothing but reading"),
        pytest.param(5, ["garage"], 5, ("garage",), True, id="his room"),
        pytest.param(5, ["garage", "hall"], 5, ("garage", "hall"), True, id="his rooms"),
        pytest.param(5, ["garage", "hall"], 5, ("hall",), True, id="one of his rooms"),
        pytest.param(5, ["garage"], 5, ("garage", "hall"), False, id="not all are his rooms"),
        pytest.param(5, ["garage"], 5, ("hall",), False, id="another room"),
        pytest.param(5, ["garage"], 5, ("",), False, id="no room is none of his"),
        pytest.param(5, [], 5, ("",), True, id="no room is everybody's without limits"),
        pytest.param(4, ["garage"], 5, ("garage",), False, id="his room above his risk"),
    ],
)
def test_may_say_yes(max_risk: int, areas: list[str], risk: int, about: tuple[str, ...], may: bool) -> None:
    """Both limits hold, for every room of the plan; a form's numbers may be floats."""
    approver = Approver.from_subentry(subentry("approver", "Ada", max_risk=float(max_risk), areas=areas))
    assert approver.may_say_yes(risk, about) is may


async def test_register(hass: HomeAssistant, house: Household) -> None:
    """Approvers in the order of asking, equal numbers by name; agents are none; who is no user of this house is none."""
    people = {name: await house.person(name) for name in ("Ada", "Ben", "Cem")}
    entry = MockConfigEntry(domain="edgehome")
    entry.add_to_hass(hass)
    for kind, name, order in (("approver", "Cem", 1), ("approver", "Ben", 2), ("approver", "Ada", 1)):
        made = subentry(kind, name, user_id=people[name].user.id, order=order)
        hass.config_entries.async_add_subentry(entry, made)
    hass.config_entries.async_add_subentry(entry, subentry("approver", "Ghost"))
    hass.config_entries.async_add_subentry(entry, subentry("agent", "Hermes"))
    register = ApproverRegister(hass, entry)
    assert register.all() == ()
    stop = await register.async_start()
    assert [approver.name for approver in register.all()] == ["Ada", "Cem", "Ben"]
    assert [approver.order for approver in register.all()] == [1, 1, 2]
    ben = register.by_user(people["Ben"].user.id)
    assert ben is not None
    assert (ben.name, ben.max_risk, ben.areas) == ("Ben", 5, ())
    assert [register.by_user(user_id) for user_id in ("ghost", "hermes", "")] == [None, None, None]
    await hass.auth.async_update_user(people["Ada"].user, is_active=False)
    await hass.async_block_till_done()
    assert [approver.name for approver in register.all()] == ["Cem", "Ben"]
    stop()
    await hass.auth.async_remove_user(people["Ben"].user)
    await hass.async_block_till_done()
    assert [approver.name for approver in register.all()] == ["Cem", "Ben"]


@pytest.mark.parametrize(
    ("limits", "payload"),
    [
        pytest.param({"max_risk": 3}, OPEN_GARAGE, id="above his risk"),
        pytest.param({"areas": ["kitchen"]}, OPEN_GARAGE, id="not his room"),
        pytest.param({"areas": ["garage"]}, proposing("open", "Kitchen Window"), id="the other way round"),
        pytest.param({"areas": ["nowhere"]}, OPEN_GARAGE, id="a room that is gone"),
    ],
)
async def test_limited(
    house: Household, agent: AgentAccess, olga: Person, limits: dict[str, Any], payload: dict[str, Any]
) -> None:
    """Who may not say yes to it is not asked, is no reason to wait, and cannot answer with another's button."""
    ada = await house.approver_with_phone("Ada", 1, **limits)
    refused = await house.doors.ask(agent.token, "execute", payload)
    assert (refused["outcome"], refused["code"]) == ("blocked", "NO_APPROVER")
    ben = await house.approver_with_phone("Ben", 2)
    answer = await house.ask(agent.token, payload)
    question = await ben.question()
    await house.later(31)
    await ada.tap(question, YES)
    assert await house.waits(answer)
    assert await ada.everything() == []
    asked = [note["asked"] for note in await house.notes(olga, answer) if "asked" in note]
    assert asked == ["Ben"]


async def deactivated(house: Household, ada: Phone) -> None:
    """Home Assistant's owner locked her out: her phone is cut off, but its webhook still takes taps."""
    await house.hass.auth.async_update_user(ada.person.user, is_active=False)
    await ada.last_words()


async def removed(house: Household, ada: Phone) -> None:
    """Home Assistant's owner removed her user."""
    await house.hass.auth.async_remove_user(ada.person.user)
    await ada.last_words()


async def no_approver_any_more(house: Household, ada: Phone) -> None:
    """The owner took her off the list."""
    house.hass.config_entries.async_remove_subentry(house.entry, ada.person.subentry_id)


async def lower_risk(house: Household, ada: Phone) -> None:
    """The owner limited her."""
    subentry = house.entry.subentries[ada.person.subentry_id]
    house.hass.config_entries.async_update_subentry(house.entry, subentry, data={**subentry.data, "max_risk": 3})


async def other_rooms(house: Household, ada: Phone) -> None:
    """The owner gave her other rooms."""
    subentry = house.entry.subentries[ada.person.subentry_id]
    house.hass.config_entries.async_update_subentry(house.entry, subentry, data={**subentry.data, "areas": ["hall"]})


CHANGES = pytest.mark.parametrize(
    "change",
    [
        pytest.param(deactivated, id="deactivated"),
        pytest.param(no_approver_any_more, id="no approver any more"),
        pytest.param(lower_risk, id="lower risk"),
        pytest.param(other_rooms, id="other rooms"),
    ],
)
type Change = Callable[[Household, Phone], Awaitable[None]]


@CUT_OFF
@CHANGES
@pytest.mark.parametrize("button", [pytest.param(YES, id="yes"), pytest.param(NO, id="no")])
async def test_changed_meanwhile(
    house: Household, agent: AgentAccess, olga: Person, change: Change, button: int
) -> None:
    """Who was asked and may not answer any more has no say; it is recorded; another approver still decides."""
    await house.options(escalate_after=0)
    ada, ben = await house.approver_with_phone("Ada", 1), await house.approver_with_phone("Ben", 2)
    answer = await house.ask(agent.token)
    questions = [await ada.question(), await ben.question()]
    await change(house, ada)
    await house.hass.async_block_till_done()
    await ada.tap(questions[0], button)
    assert await house.waits(answer)
    forged = [note for note in await house.notes(olga, answer) if "forged_answer_of" in note]
    assert forged == [{"forged_answer_of": ada.person.user.id}]
    await ben.tap(questions[1], YES)
    assert await house.ended(answer) == ("confirmed", "DONE")


@CUT_OFF
@CHANGES
async def test_changed_after_his_yes(house: Household, agent: AgentAccess, change: Change) -> None:
    """Of two people the first said yes and may not any more: the other's yes alone is not enough."""
    await house.two_people()
    ada, ben = await house.approver_with_phone("Ada", 1), await house.approver_with_phone("Ben", 2)
    answer = await house.ask(agent.token, UNLATCH)
    await ada.tap(await ada.question(), YES)
    question = await ben.question()
    await change(house, ada)
    await house.hass.async_block_till_done()
    await ben.tap(question, YES)
    assert await house.ended(answer) == ("cancelled", "CANCELLED")
    assert house.hass.states.is_state(LATCH, "locked")


@CUT_OFF
async def test_user_removed(house: Household, agent: AgentAccess) -> None:
    """With her user her phone goes too: what she was shown is worth nothing, and she is not asked again."""
    ada, ben = await house.approver_with_phone("Ada", 1), await house.approver_with_phone("Ben", 2)
    await house.hass.auth.async_remove_user(ada.person.user)
    await house.hass.async_block_till_done()
    await ada.last_words()
    answer = await house.ask(agent.token)
    await ben.tap(await ben.question(), YES)
    assert await house.ended(answer) == ("confirmed", "DONE")


def gone(hass: HomeAssistant) -> list[str]:
    """The approvers of whom the owner reads under repairs that nobody asks them any more."""
    issues = ir.async_get(hass).issues.values()
    return [str(item.translation_placeholders) for item in issues if item.translation_key == "approver_gone"]


@pytest.mark.parametrize("change", [pytest.param(deactivated, id="deactivated"), pytest.param(removed, id="removed")])
@CUT_OFF
async def test_owner_is_told(house: Household, change: Change) -> None:
    """An approver whose user is gone is told under repairs, over a reload too, until the owner takes him off the list."""
    ada = await house.approver_with_phone("Ada")
    await house.approver_with_phone("Ben", 2)
    assert gone(house.hass) == []
    await change(house, ada)
    await house.hass.async_block_till_done()
    assert gone(house.hass) == ["{'name': 'Ada'}"]
    assert await house.hass.config_entries.async_reload(house.entry.entry_id)
    assert gone(house.hass) == ["{'name': 'Ada'}"]
    await no_approver_any_more(house, ada)
    await house.hass.async_block_till_done()
    assert gone(house.hass) == []


async def test_back_again(house: Household) -> None:
    """Who is activated again is asked again, and the repair is gone."""
    ada = await house.approver("Ada")
    await house.hass.auth.async_update_user(ada.user, is_active=False)
    await house.hass.async_block_till_done()
    assert gone(house.hass) == ["{'name': 'Ada'}"]
    await house.hass.auth.async_update_user(ada.user, is_active=True)
    await house.hass.async_block_till_done()
    assert gone(house.hass) == []
    assert house.entry.runtime_data.approvers.by_user(ada.user.id) is not None


async def test_comes_later(house: Household, agent: AgentAccess) -> None:
    """An approver who is added is asked from the next request on, without a reload."""
    assert (await house.doors.ask(agent.token, "execute", OPEN_GARAGE))["code"] == "NO_APPROVER"
    ada = await house.approver_with_phone("Ada")
    answer = await house.ask(agent.token)
    await ada.tap(await ada.question(), YES)
    assert await house.ended(answer) == ("confirmed", "DONE")


async def test_owner_says_yes_himself(house: Household) -> None:
    """Who asked from the frontend may say yes on his own phone, as a person may to what he asked his voice agent for."""
    ada = await house.phone(await house.approver("Ada", group=GROUP_ID_ADMIN))
    answer = await house.ask(ada.person.token)
    await ada.tap(await ada.question(), YES)
    assert await house.ended(answer) == ("confirmed", "DONE")
