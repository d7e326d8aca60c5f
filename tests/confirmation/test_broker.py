"""Who is asked, in which order, how many must agree, and whose answer counts first (R9, R10)."""

from typing import Any

import pytest
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError

from tests.confirmation.household import (
    EVENT,
    GARAGE,
    LATCH,
    NO,
    OPEN_GARAGE,
    UNLATCH,
    YES,
    Household,
    Person,
    Phone,
    edgehome_log,
)
from tests.real_home import AgentAccess, proposing

ESCALATION = pytest.mark.parametrize(
    "escalate_after", [pytest.param(30, id="one after the other"), pytest.param(0, id="all at once")]
)


def asked(notes: list[dict[str, Any]]) -> list[tuple[str, int]]:
    """Who was asked on how many phones, in order."""
    return [(note["asked"], note["phones"]) for note in notes if "asked" in note]


async def test_order(house: Household, agent: AgentAccess, olga: Person) -> None:
    """The lowest number is asked first, the next when he does not answer in time, nobody twice; the first yes counts."""
    ben, ada = await house.approver_with_phone("Ben", 2), await house.approver_with_phone("Ada", 1)
    cem = await house.approver_with_phone("Cem", 3)
    answer = await house.ask(agent.token)
    await ada.question()
    assert [await ben.everything(), await cem.everything()] == [[], []]
    await house.later(29)
    assert [await ben.everything(), await cem.everything()] == [[], []]
    await house.later(31)
    question = await ben.question()
    assert [await ada.everything(), await cem.everything()] == [[], []]
    await ben.tap(question, YES)
    assert await house.ended(answer) == ("confirmed", "DONE")
    await house.later(31)
    assert await cem.everything() == []
    assert asked(await house.notes(olga, answer)) == [("Ada", 1), ("Ben", 1)]


async def test_first_still_counts(house: Household, agent: AgentAccess) -> None:
    """Who was asked first may still answer after the next was asked too."""
    ada, ben = await house.approver_with_phone("Ada", 1), await house.approver_with_phone("Ben", 2)
    answer = await house.ask(agent.token)
    question = await ada.question()
    await house.later(31)
    await ben.question()
    await ada.tap(question, YES)
    assert await house.ended(answer) == ("confirmed", "DONE")


async def test_silence_of_all(house: Household, agent: AgentAccess, olga: Person) -> None:
    """When everybody was asked and nobody answers, the end is the expiry, no later (R10)."""
    ada, ben = await house.approver_with_phone("Ada", 1), await house.approver_with_phone("Ben", 2)
    answer = await house.ask(agent.token)
    await ada.question()
    await house.later(31)
    await ben.question()
    await house.later(31)
    assert await house.waits(answer)
    await house.later(121)
    assert await house.ended(answer) == ("cancelled", "EXPIRED")
    assert house.is_closed()
    assert asked(await house.notes(olga, answer)) == [("Ada", 1), ("Ben", 1)]


async def test_no_open_channel(house: Household, agent: AgentAccess, olga: Person) -> None:
    """Where the first cannot be reached, the second is asked at once."""
    await house.phone(await house.approver("Ada", 1), on=False)
    ben = await house.approver_with_phone("Ben", 2)
    answer = await house.ask(agent.token)
    await ben.tap(await ben.question(), YES)
    assert await house.ended(answer) == ("confirmed", "DONE")
    assert asked(await house.notes(olga, answer)) == [("Ada", 0), ("Ben", 1)]


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(HomeAssistantError("Device(s) with webhook id(s) 0a1b2c not connected"), id="not connected"),
        pytest.param(KeyError("push_url"), id="whatever Home Assistant stumbles over"),
        pytest.param(TimeoutError(), id="a push server that does not answer"),
    ],
)
async def test_phone_that_takes_nothing(
    hass: HomeAssistant, house: Household, agent: AgentAccess, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    """A phone that fails is one that cannot be reached, whatever the failure; its text stays out of the log (R12)."""
    await house.approver_with_phone("Ada", 1)
    ben = await house.approver_with_phone("Ben", 2)

    async def fail(_: ServiceCall) -> None:
        raise error

    hass.services.async_register("notify", "mobile_app_adas_phone", fail)
    answer = await house.ask(agent.token)
    await ben.tap(await ben.question(), YES)
    assert await house.ended(answer) == ("confirmed", "DONE")
    assert "0a1b2c" not in edgehome_log(caplog)


@ESCALATION
async def test_nobody_takes_it(
    hass: HomeAssistant, house: Household, agent: AgentAccess, olga: Person, escalate_after: int
) -> None:
    """When no phone takes the question it ends at once, and nobody else learns of it for longer (R10)."""
    await house.options(escalate_after=escalate_after)
    await house.approver_with_phone("Ada", 1)

    async def fail(_: ServiceCall) -> None:
        raise HomeAssistantError("not connected")

    hass.services.async_register("notify", "mobile_app_adas_phone", fail)
    answer = await house.doors.ask(agent.token, "execute", OPEN_GARAGE | {"wait": 5})
    assert (answer["outcome"], answer["code"]) == ("blocked", "NO_APPROVER")
    assert await house.notifications() == []
    assert asked(await house.notes(olga, answer)) == [("Ada", 0)]
    assert house.entry.runtime_data.questions.waiting(agent.id, "") == 0


async def test_all_at_once(house: Household, agent: AgentAccess, olga: Person) -> None:
    """With 0 all are asked at once."""
    await house.options(escalate_after=0)
    phones = [await house.approver_with_phone(name, order) for order, name in enumerate(("Ada", "Ben", "Cem"), 1)]
    answer = await house.ask(agent.token)
    questions = [await phone.question() for phone in phones]
    await phones[2].tap(questions[2], YES)
    assert await house.ended(answer) == ("confirmed", "DONE")
    assert sorted(asked(await house.notes(olga, answer))) == [("Ada", 1), ("Ben", 1), ("Cem", 1)]


@pytest.mark.parametrize(
    ("buttons", "end", "state", "noted"),
    [
        pytest.param((YES, NO), ("confirmed", "DONE"), "open", ["yes"], id="yes, then no"),
        pytest.param((YES, YES), ("confirmed", "DONE"), "open", ["yes"], id="yes, then yes"),
        pytest.param((NO, YES), ("cancelled", "REJECTED"), "closed", ["no"], id="no, then yes"),
        pytest.param((NO, NO), ("cancelled", "REJECTED"), "closed", ["no"], id="no, then no"),
    ],
)
async def test_first_answer_wins(
    hass: HomeAssistant,
    house: Household,
    agent: AgentAccess,
    olga: Person,
    buttons: tuple[int, int],
    end: tuple[str, str],
    state: str,
    noted: list[str],
) -> None:
    """Two answers in the same moment: the first counts, the second is noted as late and does nothing."""
    await house.options(escalate_after=0)
    phones = await house.approver_with_phone("Ada", 1), await house.approver_with_phone("Ben", 2)
    calls: list[str] = []
    hass.bus.async_listen("call_service", lambda event: calls.append(event.data["service"]))
    answer = await house.ask(agent.token)
    questions = [await phone.question() for phone in phones]
    for phone, question, button in zip(phones, questions, buttons, strict=True):
        data = {"action": question["data"]["actions"][button]["action"]}
        hass.bus.async_fire(EVENT, data, context=Context(user_id=phone.person.user.id))
    assert await house.ended(answer) == end
    await hass.async_block_till_done()
    assert hass.states.is_state(GARAGE, state)
    assert calls.count("open_cover") == (state == "open")
    notes = await house.notes(olga, answer)
    assert [note["answer"] for note in notes if "answer" in note] == noted
    assert [note["late"] for note in notes if "late" in note] == [phones[1].person.user.id]


async def test_notes_tell_the_story(house: Household, agent: AgentAccess, olga: Person) -> None:
    """The owner reads who was asked, who answered how, and what came of it; the agent does not."""
    ada = await house.approver_with_phone("Ada")
    answer = await house.ask(agent.token)
    await ada.tap(await ada.question(), YES)
    assert await house.ended(answer) == ("confirmed", "DONE")
    assert await house.notes(olga, answer) == [
        {"asked": "Ada", "phones": 1, "page": False},
        {"answer": "yes", "by": "Ada", "user_id": ada.person.user.id, "channel": "companion app"},
        {"state": "approved"},
        {"state": "executed", "outcome": "confirmed"},
    ]
    trace = await house.doors.ask(agent.token, "get_trace", {"trace_id": answer["trace_id"]})
    assert "notes" not in trace
    assert "Ada" not in str(trace)


@pytest.mark.parametrize(
    ("buttons", "end", "locked"),
    [
        pytest.param((YES, YES), ("confirmed", "DONE"), False, id="both say yes"),
        pytest.param((YES, NO), ("cancelled", "REJECTED"), True, id="one says no"),
        pytest.param((NO, YES), ("cancelled", "REJECTED"), True, id="the first says no"),
    ],
)
async def test_two_people(
    hass: HomeAssistant,
    house: Household,
    agent: AgentAccess,
    olga: Person,
    buttons: tuple[int, int],
    end: tuple[str, str],
    locked: bool,
) -> None:
    """Risk 5 needs two different people if the owner wants it: both are asked at once, one no is enough for no."""
    await house.two_people()
    phones = await house.approver_with_phone("Ada", 1), await house.approver_with_phone("Ben", 2)
    answer = await house.ask(agent.token, UNLATCH)
    assert answer["requirement"]["people"] == 2
    questions = [await phone.question() for phone in phones]
    await phones[0].tap(questions[0], buttons[0])
    assert hass.states.is_state(LATCH, "locked")
    await phones[1].tap(questions[1], buttons[1])
    assert await house.ended(answer) == end
    await hass.async_block_till_done()
    assert hass.states.is_state(LATCH, "locked") is locked


async def test_one_person_is_not_two(hass: HomeAssistant, house: Household, agent: AgentAccess, olga: Person) -> None:
    """One person's yes on his two phones, twice each, is one yes; without the other's nothing is done."""
    await house.two_people()
    first, ben = await house.approver_with_phone("Ada", 1), await house.approver_with_phone("Ben", 2)
    second = await house.phone(first.person, "Adas tablet")
    answer = await house.ask(agent.token, UNLATCH)
    questions = [await phone.question() for phone in (first, second)]
    await ben.question()
    for phone, question in [*zip((first, second), questions, strict=True)] * 2:
        await phone.tap(question, YES)
    assert await house.waits(answer)
    await house.later(121)
    await house.later(121)
    assert await house.ended(answer) == ("cancelled", "EXPIRED")
    assert hass.states.is_state(LATCH, "locked")


async def test_only_one_of_two(house: Household, agent: AgentAccess) -> None:
    """Where two are needed and one can be reached, it is refused at once, and says so."""
    await house.two_people()
    ada = await house.approver_with_phone("Ada", 1)
    await house.phone(await house.approver("Ben", 2), on=False)
    answer = await house.doors.ask(agent.token, "execute", UNLATCH)
    assert (answer["outcome"], answer["code"]) == ("blocked", "NO_APPROVER")
    assert "2 people" in answer["message"]
    assert await ada.everything() == []


@ESCALATION
async def test_second_takes_nothing(
    hass: HomeAssistant, house: Household, agent: AgentAccess, escalate_after: int
) -> None:
    """Where the second phone fails while he is asked, the first one's question ends at once too."""
    await house.two_people(escalate_after=escalate_after)
    ada = await house.approver_with_phone("Ada", 1)
    await house.approver_with_phone("Ben", 2)

    async def fail(_: ServiceCall) -> None:
        raise HomeAssistantError("not connected")

    hass.services.async_register("notify", "mobile_app_bens_phone", fail)
    answer = await house.doors.ask(agent.token, "execute", UNLATCH | {"wait": 5})
    assert (answer["outcome"], answer["code"]) == ("blocked", "NO_APPROVER")
    assert [message["message"] for message in await ada.everything()][1:] == ["clear_notification"]


async def test_two_people_for_risk_5_only(house: Household, agent: AgentAccess) -> None:
    """Below risk 5 one yes is enough."""
    await house.two_people()
    ada = await house.approver_with_phone("Ada", 1)
    answer = await house.ask(agent.token)
    assert "people" not in answer["requirement"]
    await ada.tap(await ada.question(), YES)
    assert await house.ended(answer) == ("confirmed", "DONE")


async def test_two_phones(house: Household, agent: AgentAccess, olga: Person) -> None:
    """Both phones of a person show it, each with buttons of its own; one answer clears both."""
    first = await house.approver_with_phone("Ada")
    second = await house.phone(first.person, "Adas tablet")
    answer = await house.ask(agent.token)
    questions = [await first.question(), await second.question()]
    actions = [button["action"] for question in questions for button in question["data"]["actions"]]
    assert len(set(actions)) == 4
    await second.tap(questions[1], YES)
    assert await house.ended(answer) == ("confirmed", "DONE")
    assert [await first.cleared(), await second.cleared()] == [questions[0]["data"]["tag"]] * 2
    assert asked(await house.notes(olga, answer)) == [("Ada", 2)]


async def test_listeners(house: Household, agent: AgentAccess) -> None:
    """Who listens is told when a question starts and when it ends, until he stops listening."""
    questions = house.entry.runtime_data.questions
    ada: Phone = await house.approver_with_phone("Ada")
    seen: list[int] = []
    stop = questions.async_listen(lambda: seen.append(len(questions.questions_for(ada.person.user.id))))
    answer = await house.ask(agent.token)
    question = await ada.question()
    assert seen[-1] == 1
    await ada.tap(question, NO)
    assert await house.ended(answer) == ("cancelled", "REJECTED")
    assert seen[-1] == 0
    stop()
    told = len(seen)
    await house.ask(agent.token, proposing("open", "Kitchen Window"))
    assert len(seen) == told
