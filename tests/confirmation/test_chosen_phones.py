"""Which of a person's phones are asked: the form, what it does, and what the owner reads when one is gone."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import issue_registry as ir

from tests.confirmation.household import OPEN_GARAGE, YES, Household, Phone
from tests.confirmation.test_flow import LIMITS, answer, kept, start
from tests.real_home import AgentAccess


def entry_of(phone: Phone) -> str:
    """The config entry of a phone."""
    entries = phone.hass.config_entries.async_entries("mobile_app")
    return next(entry.entry_id for entry in entries if entry.data["webhook_id"] == phone.webhook_id)


def issues(hass: HomeAssistant, key: str) -> list[dict[str, Any]]:
    """What the owner reads under repairs."""
    found = ir.async_get(hass).issues.values()
    return [dict(item.translation_placeholders or {}) for item in found if item.translation_key == key]


async def reconfigure(house: Household, phone: Phone, **changes: object) -> Any:
    """The owner changes the approver."""
    form = await start(house.hass, house.entry, source="reconfigure", subentry_id=phone.person.subentry_id)  # type: ignore[arg-type]  # it is one
    return await answer(house.hass, form, {**LIMITS, **changes})


async def test_only_the_chosen(house: Household, agent: AgentAccess) -> None:
    """Only chosen phones are asked; none chosen means all."""
    phone = await house.approver_with_phone("Ada")
    tablet = await house.phone(phone.person, "Adas tablet")
    await reconfigure(house, phone, phones=[entry_of(tablet)])
    asked = await house.ask(agent.token)
    question = await tablet.question()
    assert await phone.everything() == []
    await tablet.tap(question, YES)
    assert await house.ended(asked) == ("confirmed", "DONE")
    await reconfigure(house, phone, phones=[])
    await house.hass.services.async_call("cover", "close_cover", {"entity_id": "cover.garage_door"}, blocking=True)
    await house.ask(agent.token)
    await tablet.question()
    await phone.question()


async def test_gone(house: Household, agent: AgentAccess) -> None:
    """When a chosen phone is removed nobody is asked in its place; the owner reads it until he chooses anew."""
    phone = await house.approver_with_phone("Ada")
    tablet = await house.phone(phone.person, "Adas tablet", on=False)
    gone = entry_of(tablet)
    await reconfigure(house, phone, phones=[gone])
    assert issues(house.hass, "phone_gone") == []
    await house.hass.config_entries.async_remove(gone)
    await house.hass.async_block_till_done()
    assert issues(house.hass, "phone_gone") == [{"name": "Ada"}]
    refused = await house.doors.ask(agent.token, "execute", OPEN_GARAGE)
    assert (refused["outcome"], refused["code"]) == ("blocked", "NO_APPROVER")
    assert await house.hass.config_entries.async_reload(house.entry.entry_id)
    assert issues(house.hass, "phone_gone") == [{"name": "Ada"}]
    form = await start(house.hass, house.entry, source="reconfigure", subentry_id=phone.person.subentry_id)  # type: ignore[arg-type]  # it is one
    defaults = {str(key): key.default() for key in form["data_schema"].schema}
    assert defaults["phones"] == []
    await answer(house.hass, form, {**LIMITS, "phones": [entry_of(phone)]})
    assert issues(house.hass, "phone_gone") == []
    await house.ask(agent.token)
    await phone.question()


async def test_gone_with_its_person(house: Household) -> None:
    """The repair goes when the approver goes."""
    phone = await house.approver_with_phone("Ada")
    tablet = await house.phone(phone.person, "Adas tablet", on=False)
    gone = entry_of(tablet)
    await reconfigure(house, phone, phones=[gone])
    await house.hass.config_entries.async_remove(gone)
    await house.hass.async_block_till_done()
    house.hass.config_entries.async_remove_subentry(house.entry, phone.person.subentry_id)
    await house.hass.async_block_till_done()
    assert issues(house.hass, "phone_gone") == []


async def two_of_one_name(house: Household) -> Phone:
    """Bob's phone takes the name; Ada's of the same name is the one that cannot be notified."""
    ada = await house.phone(await house.approver("Ada"), "Phone", device_id="1")
    await house.phone(await house.person("Bob"), "Phone", device_id="2")
    return ada


async def test_one_name(house: Household, agent: AgentAccess) -> None:
    """Of two phones of one name Home Assistant notifies one: the owner reads which cannot be asked."""
    await two_of_one_name(house)
    refused = await house.doors.ask(agent.token, "execute", OPEN_GARAGE)
    assert (refused["outcome"], refused["code"]) == ("blocked", "NO_APPROVER")
    assert issues(house.hass, "phone_unnamed") == [{"phone": "Phone"}]


async def test_one_name_removed(house: Household, agent: AgentAccess) -> None:
    """When the phone is removed its repair goes."""
    ada = await two_of_one_name(house)
    await house.doors.ask(agent.token, "execute", OPEN_GARAGE)
    assert issues(house.hass, "phone_unnamed") == [{"phone": "Phone"}]
    await ada.switch_off()
    await house.hass.config_entries.async_remove(entry_of(ada))
    await house.hass.async_block_till_done()
    await house.doors.ask(agent.token, "execute", OPEN_GARAGE)
    assert issues(house.hass, "phone_unnamed") == []


@pytest.mark.parametrize("count", [0, 1, 2])
async def test_form(house: Household, count: int) -> None:
    """A new approver's form asks for phones only where there are several; the choice is kept."""
    ada = await house.person("Ada")
    phones = [await house.phone(ada, f"Phone {number}", on=False) for number in range(count)]
    form = await start(house.hass, house.entry)  # type: ignore[arg-type]  # it is one
    step = await answer(house.hass, form, {"user_id": ada.user.id, **LIMITS})
    chosen = [entry_of(phone) for phone in phones[1:]]
    if count > 1:
        assert (step["type"], step["step_id"]) == (FlowResultType.FORM, "phones")
        (field,) = step["data_schema"].schema.items()
        assert {option["label"] for option in field[1].config["options"]} == {"Phone 0", "Phone 1"}
        step = await answer(house.hass, step, {"phones": chosen})
    assert step["type"] is FlowResultType.CREATE_ENTRY
    assert [data["phones"] for _, _, data in kept(house.entry)] == [chosen]  # type: ignore[arg-type]  # it is one


@pytest.mark.parametrize("forget", [True, False])
async def test_forget_pin(house: Household, forget: bool) -> None:
    """The form offers to forget a PIN only where there is one, and does so if it is ticked."""
    phone = await house.approver_with_phone("Ada")
    user, pins = phone.person.user.id, house.entry.runtime_data.pins
    form = await start(house.hass, house.entry, source="reconfigure", subentry_id=phone.person.subentry_id)  # type: ignore[arg-type]  # it is one
    assert "forget_pin" not in {str(key) for key in form["data_schema"].schema}
    await pins.async_set(user, "Ada", "2580", None)
    for _ in range(5):
        await pins.async_check(user, "Ada", "9999")
    assert issues(house.hass, "pin_locked") == [{"name": "Ada"}]
    await reconfigure(house, phone, forget_pin=forget)
    assert pins.state(user) == ("unset" if forget else "locked")
    assert issues(house.hass, "pin_locked") == ([] if forget else [{"name": "Ada"}])
    (subentry,) = house.entry.get_subentries_of_type("approver")
    assert "forget_pin" not in subentry.data
