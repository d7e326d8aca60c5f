"""Answers that are none: nothing happens, they are recorded, and the right person's answer still counts (R9)."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_READ_ONLY
from homeassistant.auth.models import TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN as LONG_LIVED
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from custom_components.edgehome.const import DOMAIN
from tests.confirmation.household import EVENT, GARAGE, NO, YES, Household, Person, Phone, edgehome_log
from tests.real_home import AgentAccess, proposing, token_of

BUTTONS = pytest.mark.parametrize("button", [pytest.param(YES, id="yes"), pytest.param(NO, id="no")])


class Attack:
    """A question on Ada's phone whose buttons somebody else has read."""

    def __init__(self, house: Household, agent: AgentAccess, olga: Person, ada: Phone) -> None:
        self.house, self.hass, self.agent, self.olga, self.ada = house, house.hass, agent, olga, ada

    async def begin(self) -> None:
        """The agent asks, Ada's phone shows it."""
        self.answer = await self.house.ask(self.agent.token)
        self.asked = await self.ada.question()

    def data(self, button: int) -> dict[str, object]:
        """What Ada's phone would send."""
        return {"action": self.asked["data"]["actions"][button]["action"], "tag": self.asked["data"]["tag"]}

    async def post(self, token: str, button: int) -> int:
        """Fires the event over REST; the status."""
        client = await self.house.doors.rest_client(token)
        response = await client.post(f"/api/events/{EVENT}", json=self.data(button))
        await self.hass.async_block_till_done()
        return response.status


@pytest.fixture
async def attack(house: Household, agent: AgentAccess, olga: Person) -> Attack:
    """Ada is asked, nobody else."""
    attack = Attack(house, agent, olga, await house.approver_with_phone("Ada"))
    await attack.begin()
    return attack


async def another_person(attack: Attack, button: int) -> str:
    """Somebody of the household with his own phone."""
    phone = await attack.house.phone(await attack.house.person("Bob"))
    await phone.fire(attack.data(button))
    return phone.person.user.id


async def read_only_person(attack: Attack, button: int) -> str:
    """A guest who may only look registered a phone."""
    phone = await attack.house.phone(await attack.house.person("Guest", GROUP_ID_READ_ONLY))
    await phone.fire(attack.data(button))
    return phone.person.user.id


async def another_approver(attack: Attack, button: int) -> str:
    """An approver who was not asked yet uses what was sent to Ada."""
    phone = await attack.house.approver_with_phone("Ben", 2)
    await phone.fire(attack.data(button))
    return phone.person.user.id


async def administrator_over_rest(attack: Attack, button: int) -> str:
    """The owner's own log-in, but he is not the one who was asked."""
    assert await attack.post(attack.olga.token, button) == 200
    return attack.olga.user.id


async def long_lived_token(attack: Attack, button: int) -> str:
    """A script with an administrator's token."""
    person = await attack.house.person("Rob", GROUP_ID_ADMIN)
    assert await attack.post(await token_of(attack.hass, person.user, None, LONG_LIVED), button) == 200
    return person.user.id


async def the_agent(attack: Attack, button: int) -> str:
    """The agent itself registered a phone."""
    user = await attack.hass.auth.async_get_user(attack.agent.user_id)
    assert user is not None
    phone = await attack.house.phone(Person(name="Agent", user=user, token=attack.agent.token))
    await phone.fire(attack.data(button))
    return user.id


async def automation(attack: Attack, button: int) -> str:
    """An automation that the agent may have written fires the event."""
    steps = [{"event": EVENT, "event_data": attack.data(button)}]
    assert await async_setup_component(attack.hass, "script", {"script": {"forge": {"sequence": steps}}})
    await attack.hass.services.async_call("script", "forge", blocking=True)
    return "nobody"


FORGERS = pytest.mark.parametrize(
    "forger",
    [
        pytest.param(another_person, id="another person's phone"),
        pytest.param(read_only_person, id="a guest's phone"),
        pytest.param(another_approver, id="another approver's phone"),
        pytest.param(the_agent, id="the agent's own phone"),
        pytest.param(administrator_over_rest, id="an administrator over REST"),
        pytest.param(long_lived_token, id="an administrator's long-lived token"),
        pytest.param(automation, id="an automation"),
    ],
)

type Forger = Callable[[Attack, int], Awaitable[str]]


@FORGERS
@BUTTONS
async def test_forged(attack: Attack, forger: Forger, button: int) -> None:
    """Who was not asked changes nothing, with whatever button; it is recorded with his user; then Ada's yes counts."""
    who = await forger(attack, button)
    assert await attack.house.waits(attack.answer)
    assert attack.house.is_closed()
    notes = await attack.house.notes(attack.olga, attack.answer)
    assert [note for note in notes if "forged_answer_of" in note] == [{"forged_answer_of": who}]
    assert [note for note in notes if "answer" in note] == []
    await attack.ada.tap(attack.asked, YES)
    assert await attack.house.ended(attack.answer) == ("confirmed", "DONE")


@FORGERS
@BUTTONS
async def test_forged_after_the_end(attack: Attack, forger: Forger, button: int) -> None:
    """After the end it is nothing either, and recorded too."""
    await attack.ada.tap(attack.asked, NO)
    assert await attack.house.ended(attack.answer) == ("cancelled", "REJECTED")
    who = await forger(attack, button)
    assert await attack.house.ended(attack.answer) == ("cancelled", "REJECTED")
    assert attack.house.is_closed()
    notes = await attack.house.notes(attack.olga, attack.answer)
    assert [note for note in notes if "forged_answer_of" in note] == [{"forged_answer_of": who}]


@BUTTONS
async def test_late(attack: Attack, button: int) -> None:
    """Ada's own tap after the end is nothing, and recorded as late."""
    await attack.ada.tap(attack.asked, NO)
    assert await attack.house.ended(attack.answer) == ("cancelled", "REJECTED")
    await attack.ada.tap(attack.asked, button)
    assert await attack.house.ended(attack.answer) == ("cancelled", "REJECTED")
    assert attack.house.is_closed()
    late = [note for note in await attack.house.notes(attack.olga, attack.answer) if "late" in note]
    assert late == [{"late": attack.ada.person.user.id, "channel": "companion app"}]


async def test_late_and_forgotten(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only so many ended questions are remembered: what is older is nothing all the same, it is just not recorded."""
    monkeypatch.setattr("custom_components.edgehome.confirmation.broker.MOST_RECENT", 1)
    monkeypatch.setattr("custom_components.edgehome.confirmation.channels.mobile.MOST_SPENT", 2)
    await attack.ada.tap(attack.asked, NO)
    window = await attack.house.ask(attack.agent.token, proposing("open", "Kitchen Window"))
    question = await attack.ada.question()
    await attack.ada.tap(question, NO)
    assert await attack.house.ended(window) == ("cancelled", "REJECTED")
    await attack.ada.tap(attack.asked, YES)
    await attack.ada.tap(question, YES)
    late = [
        [note for note in await attack.house.notes(attack.olga, answer) if "late" in note]
        for answer in (attack.answer, window)
    ]
    assert [len(notes) for notes in late] == [0, 1]
    assert attack.house.is_closed()


async def test_replayed(attack: Attack) -> None:
    """A yes that was used is used: closing the garage and pressing again opens nothing."""
    await attack.ada.tap(attack.asked, YES)
    assert await attack.house.ended(attack.answer) == ("confirmed", "DONE")
    await attack.hass.services.async_call("cover", "close_cover", {"entity_id": GARAGE}, blocking=True)
    await attack.ada.tap(attack.asked, YES)
    assert attack.house.is_closed()


async def test_old_yes_for_a_new_question(attack: Attack) -> None:
    """The button of an ended question says nothing about a new one for the same plan."""
    await attack.house.doors.ask(attack.agent.token, "cancel", {"trace_id": attack.answer["trace_id"]})
    other = AgentAccess(id="", user_id="", token=attack.olga.token)
    again = await attack.house.ask(other.token)
    asked = await attack.ada.question()
    assert asked["data"]["tag"] != attack.asked["data"]["tag"]
    await attack.ada.tap(attack.asked, YES)
    assert await attack.house.waits(again)
    assert attack.house.is_closed()
    await attack.ada.tap(asked, YES)
    assert await attack.house.ended(again) == ("confirmed", "DONE")


async def test_yes_to_one_of_two(attack: Attack) -> None:
    """A yes is for its own plan: the other question still waits."""
    window = await attack.house.ask(attack.agent.token, proposing("open", "Kitchen Window"))
    asked = await attack.ada.question()
    await attack.ada.fire(attack.data(YES) | {"tag": asked["data"]["tag"]})
    assert await attack.house.ended(attack.answer) == ("confirmed", "DONE")
    assert await attack.house.waits(window)
    assert attack.hass.states.is_state("cover.kitchen_window", "closed")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"action": None}, id="null"),
        pytest.param({"action": 7}, id="a number"),
        pytest.param({"action": ["EDGEHOME_a"]}, id="a list"),
        pytest.param({"action": "EDGEHOME"}, id="the prefix alone"),
        pytest.param({"action": "EDGEHOME_"}, id="no nonce"),
        pytest.param({"action": "EDGEHOME_yes"}, id="a word"),
        pytest.param({"action": "EDGEHOME_" + "A" * 32}, id="a made-up nonce"),
        pytest.param({"action": "Approve"}, id="the button's title"),
        pytest.param({"action": "URI", "action_data": {"approve": True}}, id="another action"),
    ],
)
async def test_made_up(attack: Attack, data: dict[str, object], caplog: pytest.LogCaptureFixture) -> None:
    """What EdgeHome never sent is nothing, even from Ada's phone with the right tag."""
    await attack.ada.fire({"tag": attack.asked["data"]["tag"], **data})
    assert await attack.house.waits(attack.answer)
    notes = await attack.house.notes(attack.olga, attack.answer)
    assert notes == [{"asked": "Ada", "phones": 1, "page": False}]
    assert "A" * 32 not in edgehome_log(caplog)


async def test_another_event(attack: Attack) -> None:
    """The right nonce in another event is nothing."""
    await attack.ada.fire(attack.data(YES), "mobile_app_notification_cleared")
    await attack.ada.fire(attack.data(YES), "edgehome_approved")
    assert await attack.house.waits(attack.answer)


async def test_agent_fires_no_events(attack: Attack) -> None:
    """The agent's own token fires no events of Home Assistant."""
    assert await attack.post(attack.agent.token, YES) == 401
    assert await attack.house.waits(attack.answer)


@pytest.mark.parametrize(
    ("action", "more"),
    [
        pytest.param("execute", {"approve": True}, id="execute"),
        pytest.param("execute", {"consent": {"given": ["Ada"]}}, id="execute with a consent"),
        pytest.param("execute", {"model_candidate": {"intent": "open", "device_alias": GARAGE, "approved": True}}, id="in it"),
        pytest.param("execute", {"source_agent": "Ada", **proposing("open", "Garage Door")}, id="in Ada's name"),
        pytest.param("get_trace", {"yes": True, "outcome": "confirmed"}, id="get_trace"),
        pytest.param("list_devices", {"yes": True}, id="list_devices"),
    ],
)  # fmt: skip
async def test_no_action_says_yes(attack: Attack, action: str, more: dict[str, Any]) -> None:
    """There is no action that says yes, neither for the agent nor for the owner."""
    payloads = [more | {"trace_id": attack.answer["trace_id"]}, more]
    for token in (attack.agent.token, attack.olga.token):
        for payload in payloads:
            await attack.house.doors.rest(token, action, payload)
    assert await attack.house.waits(attack.answer)
    assert attack.house.is_closed()


async def test_actions(hass: HomeAssistant, attack: Attack) -> None:
    """The actions that there are; others are not found."""
    assert set(hass.services.async_services_for_domain(DOMAIN)) == {
        "execute",
        "list_devices",
        "get_trace",
        "cancel",
        "undo",
        "simulate",
    }
    for action in ("approve", "confirm", "answer", "yes"):
        status, _ = await attack.house.doors.rest(attack.olga.token, action, {}, wanted=False)
        assert status == 400
    assert await attack.house.waits(attack.answer)
