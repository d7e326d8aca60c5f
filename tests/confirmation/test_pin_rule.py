"""A rule that wants a PIN: it is typed on the page only, and read nowhere (R9, R12)."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import async_capture_events

from custom_components.edgehome.confirmation.pending import Answer
from custom_components.edgehome.policy.requirement import Terms
from custom_components.edgehome.policy.rule import PolicyRule, Verdict
from tests.confirmation.household import NO, OPEN_GARAGE, Household, Person, edgehome_log
from tests.confirmation.page import Page
from tests.confirmation.test_secrecy import files_of
from tests.real_home import AgentAccess

PIN, WRONG = "25807-Käse", "46139-Brot"
WITH_PIN = PolicyRule(id="pin", operations=("open",), verdict=Verdict.CONFIRM, terms=Terms(pin=True))
REFUSED = {"taken": False, "pin": "wrong"}


@pytest.fixture
async def ada(house: Household) -> Person:
    """An approver; opening needs a PIN."""
    await house.rules(WITH_PIN)
    return await house.approver("Ada")


@pytest.fixture
async def page(house: Household, ada: Person) -> Page:
    """Her page, open, with a PIN set."""
    page = await Page(house).open(ada.token)
    assert await set_pin(page, PIN) == "ok"
    return page


async def set_pin(page: Page, new: object, **old: object) -> str:
    """Sets a PIN on the page."""
    result = (await page.command("edgehome/inbox/set_pin", new=new, **old))["result"]
    assert set(result) == {"pin"}
    return str(result["pin"])


async def blocked(house: Household, agent: AgentAccess) -> str:
    """The code with which opening is refused at once."""
    answer = await house.doors.ask(agent.token, "execute", OPEN_GARAGE)
    assert answer["outcome"] == "blocked"
    return str(answer["code"])


async def test_phone(house: Household, agent: AgentAccess, ada: Person, page: Page) -> None:
    """A phone shows no way to approve, only one to the page, and says so; to reject needs no PIN."""
    phone = await house.phone(ada)
    answer = await house.ask(agent.token)
    assert answer["requirement"] == {"verdict": "confirm", "rule": "pin", "risk": 4, "pin": True}
    question = await phone.question()
    buttons = question["data"]["actions"]
    assert buttons[0] == {"action": "URI", "title": "Open EdgeHome", "uri": "/edgehome"}
    assert [button["title"] for button in buttons] == ["Open EdgeHome", "Reject"]
    assert "Say yes on EdgeHome's page, with your PIN." in question["message"]
    await phone.tap(question, NO)
    assert await house.ended(answer) == ("cancelled", "REJECTED")
    assert house.is_closed()


async def test_page(house: Household, agent: AgentAccess, olga: Person, page: Page) -> None:
    """The page says that a PIN is wanted and set; the right one opens, and no yes for a while is offered."""
    answer = await house.ask(agent.token)
    content = await page.shows()
    (question,) = content["questions"]
    assert (content["pin"], question["pin"], question["grantable"]) == ("set", True, False)
    assert (await page.answer(answer, pin=PIN))["result"] == {"taken": True}
    assert await house.ended(answer) == ("confirmed", "DONE")
    answers = [note["answer"] for note in await house.notes(olga, answer) if "answer" in note]
    assert answers == ["yes"]


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"pin": WRONG}, id="wrong"),
        pytest.param({}, id="none"),
        pytest.param({"pin": None}, id="null"),
        pytest.param({"pin": 25807}, id="a number"),
        pytest.param({"pin": [PIN]}, id="a list"),
        pytest.param({"pin": {"pin": PIN}}, id="an object"),
        pytest.param({"pin": PIN + "x" * 10_000}, id="10 kB"),
        pytest.param({"pin": True}, id="true"),
    ],
)
@pytest.mark.parametrize("word", ["yes", "yes_for_a_while"])
async def test_wrong(
    house: Household, agent: AgentAccess, olga: Person, ada: Person, page: Page, more: dict[str, Any], word: str
) -> None:
    """A yes without the PIN is not taken, is noted, and the question stays; then the right one counts."""
    answer = await house.ask(agent.token)
    packet = await page.answer(answer, word, **more)
    assert (packet["success"], packet["result"]) == (True, REFUSED)
    assert await house.waits(answer)
    assert [list(note) for note in await house.notes(olga, answer)].count(["mistyped_by"]) == 1
    assert (await page.shows())["questions"][0]["given"] == []
    assert (await page.answer(answer, pin=PIN))["result"] == {"taken": True}
    assert await house.ended(answer) == ("confirmed", "DONE")


async def test_whose_pin(house: Household, agent: AgentAccess, olga: Person, ada: Person, page: Page) -> None:
    """The owner reads in whose name a wrong PIN was typed."""
    answer = await house.ask(agent.token)
    await page.answer(answer, pin=WRONG)
    assert {"mistyped_by": ada.user.id} in await house.notes(olga, answer)


async def test_requirement_is_kept(house: Household, agent: AgentAccess, page: Page) -> None:
    """What was required reads the same when it is over."""
    answer = await house.ask(agent.token)
    stored = await house.entry.runtime_data.evidence.trace(answer["trace_id"])
    assert stored.recorded_answer["requirement"] == answer["requirement"]


async def test_no_yes_for_a_while(house: Household, agent: AgentAccess, olga: Person, page: Page) -> None:
    """Also with the right PIN no yes for a while is taken."""
    answer = await house.ask(agent.token)
    assert (await page.answer(answer, "yes_for_a_while", pin=PIN))["result"] == {"taken": False}
    assert await house.waits(answer)
    (note,) = [note for note in await house.notes(olga, answer) if "answer" in note]
    assert (note["answer"], note["taken"]) == ("yes_for_a_while", False)


@pytest.mark.parametrize("word", [Answer.YES, Answer.YES_FOR_A_WHILE])
async def test_any_other_way(
    house: Household, agent: AgentAccess, olga: Person, ada: Person, page: Page, word: Answer
) -> None:
    """Whatever channel brings a yes without a PIN, it is not taken."""
    answer = await house.ask(agent.token)
    questions = house.entry.runtime_data.questions
    assert questions.answer(answer["trace_id"], ada.user.id, word, "companion app") is False
    assert await house.waits(answer)
    (note,) = [note for note in await house.notes(olga, answer) if "answer" in note]
    assert (note["channel"], note["taken"]) == ("companion app", False)


async def test_no_on_the_page(house: Household, agent: AgentAccess, page: Page) -> None:
    """A no needs no PIN, and a wrong one with it is not tried."""
    answer = await house.ask(agent.token)
    assert (await page.answer(answer, "no", pin=WRONG))["result"] == {"taken": True}
    assert await house.ended(answer) == ("cancelled", "REJECTED")
    assert await set_pin(page, PIN, old=PIN) == "ok"


async def test_lock(house: Household, agent: AgentAccess, ada: Person, page: Page) -> None:
    """The fifth wrong PIN locks: the right one is none any more, and the next request is refused at once."""
    answer = await house.ask(agent.token)
    answers = [(await page.answer(answer, pin=pin))["result"]["pin"] for pin in (*[WRONG] * 5, PIN)]
    assert answers == ["wrong"] * 4 + ["locked"] * 2
    assert (await page.shows())["pin"] == "locked"
    assert await house.waits(answer)
    assert (await page.answer(answer, "no"))["result"] == {"taken": True}
    house.entry.runtime_data.questions._fatigue._rests.clear()
    assert await blocked(house, agent) == "PIN_NOT_SET"
    assert await set_pin(page, "1234", old=PIN) == "locked"


async def test_nobody_has_one(house: Household, agent: AgentAccess, ada: Person) -> None:
    """Where nobody has a PIN it is refused at once; where nobody is there, as ever."""
    assert await blocked(house, agent) == "NO_APPROVER"
    page = await Page(house).open(ada.token)
    assert await blocked(house, agent) == "PIN_NOT_SET"
    assert await set_pin(page, PIN) == "ok"
    await house.ask(agent.token)


async def test_not_his_question(house: Household, agent: AgentAccess, page: Page) -> None:
    """Who has no say in a question cannot try his PIN on it, right or wrong."""
    ben = await house.approver("Ben", 2, areas=["hall"])
    his = await Page(house).open(ben.token)
    assert await set_pin(his, "1234") == "ok"
    answer = await house.ask(agent.token)
    for pin in ("1234", *["9999"] * 9):
        assert (await his.answer(answer, pin=pin))["result"] == {"taken": False}
    assert (await his.shows())["pin"] == "set"
    assert await house.waits(answer)


async def test_rule_comes_while_it_is_asked(house: Household, agent: AgentAccess, ada: Person) -> None:
    """A yes without a PIN to a question of before the rule is not enough: nothing is done."""
    await house.rules(PolicyRule(id="plain", operations=("open",), verdict=Verdict.CONFIRM))
    page = await Page(house).open(ada.token)
    answer = await house.ask(agent.token)
    await house.rules(WITH_PIN)
    await page.answer(answer)
    outcome, _ = await house.ended(answer)
    assert outcome != "confirmed"
    assert house.is_closed()


async def test_secrecy(
    hass: HomeAssistant,
    house: Household,
    agent: AgentAccess,
    olga: Person,
    page: Page,
    config_folder: Path,
    hass_storage: dict[str, Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """No PIN, right or wrong, new or old, is in a file, log, event, answer, state or trace."""
    caplog.set_level(logging.DEBUG, "custom_components.edgehome")
    events = async_capture_events(hass, "edgehome_decision")
    packets = [await page.command("edgehome/inbox/set_pin", new="77-new-one", old=PIN)]
    answer = await house.ask(agent.token)
    packets += [await page.answer(answer, pin=pin) for pin in (WRONG, PIN, "77-new-one")]
    assert await house.ended(answer) == ("confirmed", "DONE")
    packets += [await page.command("edgehome/inbox/set_pin", new=new, old=WRONG) for new in ("99", "77-another")]
    read = [packets, page.contents, house.entry.as_dict(), await house.notifications()]
    trace = {"trace_id": answer["trace_id"]}
    read += [await house.doors.ask(token, "get_trace", trace) for token in (agent.token, olga.token)]
    read.append([state.as_dict() for state in hass.states.async_all()])
    await hass.config_entries.async_unload(house.entry.entry_id)
    await hass.async_block_till_done()
    files = files_of(config_folder)
    texts = {
        "read": json.dumps(read, default=str, ensure_ascii=False),
        "log": edgehome_log(caplog),
        "files": " ".join(files.values()),
        "storage": json.dumps(hass_storage, default=str),
        "events": json.dumps([event.data for event in events], default=str),
    }
    assert "evidence.db" in files
    assert "edgehome.pins" in hass_storage
    parts = ("25807-K", "46139-B", "77-new-one", "77-another")
    assert [(where, part) for where, text in texts.items() for part in parts if part in text] == []


async def test_reload(house: Household, agent: AgentAccess, ada: Person, page: Page) -> None:
    """A PIN survives a reload of EdgeHome, and goes with its person."""
    assert await house.hass.config_entries.async_reload(house.entry.entry_id)
    again = await Page(house).open(ada.token)
    assert (await again.shows())["pin"] == "set"
    answer = await house.ask(agent.token)
    assert (await again.answer(answer, pin=PIN))["result"] == {"taken": True}
    assert await house.ended(answer) == ("confirmed", "DONE")
    house.hass.config_entries.async_remove_subentry(house.entry, ada.subentry_id)
    await house.hass.async_block_till_done()
    assert house.entry.runtime_data.pins.state(ada.user.id) == "unset"
