"""Rules that name who may say yes, and for how long a question lasts (R9, R10)."""

import pytest

from custom_components.edgehome.policy.requirement import Terms
from custom_components.edgehome.policy.rule import PolicyRule, Verdict
from tests.confirmation.household import NO, OPEN_GARAGE, YES, Household, Person, Phone
from tests.confirmation.page import Page
from tests.real_home import AgentAccess


def rule(*approvers: str, seconds: int | None = None) -> PolicyRule:
    """Opening needs the yes of these."""
    terms = Terms(approvers=approvers, seconds=seconds)
    return PolicyRule(id="certain", operations=("open",), verdict=Verdict.CONFIRM, terms=terms)


@pytest.fixture
async def people(house: Household) -> tuple[Phone, Phone]:
    """Ada, who comes first, and Ben, who is the one that the rule names; all are asked at once."""
    phones = await house.approver_with_phone("Ada", 1), await house.approver_with_phone("Ben", 2)
    await house.rules(rule(phones[1].person.subentry_id, seconds=20), escalate_after=0)
    return phones


async def test_only_they_are_asked(
    house: Household, agent: AgentAccess, olga: Person, people: tuple[Phone, Phone]
) -> None:
    """Only who is named gets the question, on phone and page; the others' answers are forgeries and change nothing."""
    ada, ben = people
    pages = [await Page(house).open(phone.person.token) for phone in people]
    answer = await house.ask(agent.token)
    question = await ben.question()
    assert await ada.everything() == []
    assert [len((await page.shows())["questions"]) for page in pages] == [0, 1]
    for word in ("yes", "yes_for_a_while", "no"):
        assert (await pages[0].answer(answer, word))["result"] == {"taken": False}
    await ada.tap(question, YES)
    await ada.tap(question, NO)
    assert await house.waits(answer)
    notes = await house.notes(olga, answer)
    assert [note for note in notes if "forged_answer_of" in note] == [{"forged_answer_of": ada.person.user.id}] * 5
    assert [note["asked"] for note in notes if "asked" in note] == ["Ben"]
    await ben.tap(question, YES)
    assert await house.ended(answer) == ("confirmed", "DONE")


async def test_seconds(house: Household, agent: AgentAccess, people: tuple[Phone, Phone]) -> None:
    """The question lasts as long as the rule says, and says so."""
    page = await Page(house).open(people[1].person.token)
    answer = await house.ask(agent.token)
    assert answer["message"] == "A person is asked; the question expires in 20 seconds."
    question = await people[1].question()
    assert 0 < question["data"]["timeout"] <= 20
    assert len((await page.shows())["questions"]) == 1
    await house.later(19)
    assert await house.waits(answer)
    await house.later(21)
    assert await house.ended(answer) == ("cancelled", "EXPIRED")
    assert house.is_closed()


@pytest.mark.parametrize("seconds", [None, 300], ids=["the owner's default", "longer"])
async def test_other_seconds(
    house: Household, agent: AgentAccess, people: tuple[Phone, Phone], seconds: int | None
) -> None:
    """Without seconds of its own it lasts as long as the owner's default; a rule may say more."""
    await house.rules(rule(people[1].person.subentry_id, seconds=seconds))
    answer = await house.ask(agent.token)
    assert f"expires in {seconds or 120} seconds" in answer["message"]
    await house.later(119)
    assert await house.waits(answer)
    await house.later(121)
    assert await house.waits(answer) is (seconds == 300)


@pytest.mark.parametrize("named", [(), ("somebody who is gone",)], ids=["nobody", "gone"])
async def test_nobody(
    house: Household, agent: AgentAccess, people: tuple[Phone, Phone], named: tuple[str, ...]
) -> None:
    """Where nobody who is named is left, nobody may: it is refused at once, and says why."""
    await house.rules(rule(*named))
    answer = await house.doors.ask(agent.token, "execute", OPEN_GARAGE)
    assert (answer["outcome"], answer["code"]) == ("blocked", "NO_APPROVER")
    assert "only certain people may say yes to it" in answer["hint"]
    assert [await phone.everything() for phone in people] == [[], []]


async def test_user_is_no_approver_id(house: Household, agent: AgentAccess, people: tuple[Phone, Phone]) -> None:
    """A rule names approvers, not users."""
    await house.rules(rule(people[0].person.user.id, people[1].person.user.id))
    answer = await house.doors.ask(agent.token, "execute", OPEN_GARAGE)
    assert (answer["outcome"], answer["code"]) == ("blocked", "NO_APPROVER")


async def test_named_later(house: Household, agent: AgentAccess, people: tuple[Phone, Phone]) -> None:
    """A rule that comes while a question is open counts: the yes of who is named no more is not taken, and nothing done."""
    answer = await house.ask(agent.token)
    question = await people[1].question()
    await house.rules(rule(people[0].person.subentry_id))
    await people[1].tap(question, YES)
    outcome, _ = await house.ended(answer)
    assert outcome != "confirmed"
    assert house.is_closed()
