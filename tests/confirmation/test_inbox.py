"""EdgeHome's page: only an approver's own log-in sees and answers questions there; an open page can be reached (R9, R10)."""

from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.auth.models import TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN as LONG_LIVED
from homeassistant.auth.models import TOKEN_TYPE_NORMAL as NORMAL

from tests.confirmation.household import CUT_OFF, LATCH, OPEN_GARAGE, UNLATCH, Household, Person
from tests.confirmation.page import Page
from tests.real_home import AgentAccess, proposing, token_of

FOREIGN = "https://evil.example/"
ANDROID = "https://home-assistant.io/android"
EMPTY = {"approver": True, "pin": "unset", "questions": [], "grants": []}
STRANGE = {**EMPTY, "approver": False}


@pytest.fixture
async def ada(house: Household) -> Person:
    """An approver without a phone."""
    return await house.approver("Ada")


@pytest.fixture
async def page(house: Household, ada: Person) -> Page:
    """Her page, open."""
    return await Page(house).open(ada.token)


async def test_page(house: Household, agent: AgentAccess, page: Page, olga: Person) -> None:
    """An open page reaches its approver; it shows the question and nothing secret, and its yes counts."""
    assert await page.shows() == EMPTY
    answer = await house.ask(agent.token, reason="The <b>car</b> is at the gate.")
    (question,) = (await page.shows())["questions"]
    assert question.pop("asked_at") < question.pop("expires_at")
    assert question == {
        "id": answer["trace_id"],
        "agent": "Hermes",
        "risk": 4,
        "reason": "The b car /b is at the gate.",
        "spoken": None,
        "actions": [{"what": "open Garage Door", "before": "closed", "after": "open"}],
        "skipped": [],
        "people": 1,
        "also": [],
        "unread": None,
        "doubtful": None,
        "pin": False,
        "grantable": False,
        "given": [],
        "mine": False,
    }
    assert (await page.answer(answer, "yes"))["result"] == {"taken": True}
    assert await house.ended(answer) == ("confirmed", "DONE")
    assert await page.shows() == EMPTY
    notes = await house.notes(olga, answer)
    assert notes[0] == {"asked": "Ada", "phones": 0, "page": True}
    assert notes[1]["channel"] == "page"


async def test_no(house: Household, agent: AgentAccess, page: Page) -> None:
    """A no on the page ends it; a click that comes later is not taken."""
    answer = await house.ask(agent.token)
    assert (await page.answer(answer, "no"))["result"] == {"taken": True}
    assert await house.ended(answer) == ("cancelled", "REJECTED")
    assert (await page.answer(answer, "yes"))["result"] == {"taken": False}
    assert house.is_closed()


async def test_page_and_phone(house: Household, agent: AgentAccess, ada: Person, page: Page) -> None:
    """The phone shows it too; the page's answer clears it there."""
    phone = await house.phone(ada)
    answer = await house.ask(agent.token)
    question = await phone.question()
    await page.answer(answer, "yes")
    assert await house.ended(answer) == ("confirmed", "DONE")
    assert await phone.cleared() == question["data"]["tag"]


async def test_closed_page(house: Household, agent: AgentAccess, page: Page) -> None:
    """A page that was closed reaches nobody (R10)."""
    second = await Page(house).open(await token_of(house.hass, await user_of(house, "Ada")))
    await page.close()
    await house.ask(agent.token)
    await second.close()
    answer = await house.doors.ask(agent.token, "execute", proposing("open", "Kitchen Window"))
    assert (answer["outcome"], answer["code"]) == ("blocked", "NO_APPROVER")


async def user_of(house: Household, name: str) -> Any:
    """The user of this name."""
    return next(user for user in await house.hass.auth.async_get_users() if user.name == name)


@pytest.mark.parametrize(
    ("client_id", "token_type"),
    [
        pytest.param(None, LONG_LIVED, id="a long-lived token"),
        pytest.param(FOREIGN, NORMAL, id="another client"),
    ],
)
async def test_not_her_own_session(
    house: Household, agent: AgentAccess, olga: Person, ada: Person, client_id: str | None, token_type: str
) -> None:
    """The approver's other credentials reach nobody and answer nothing: an agent may hold them; it is recorded (R9)."""
    page = await Page(house).open(await token_of(house.hass, ada.user, client_id, token_type))
    refused = await house.doors.ask(agent.token, "execute", OPEN_GARAGE)
    assert (refused["outcome"], refused["code"]) == ("blocked", "NO_APPROVER")
    await house.phone(ada)
    answer = await house.ask(agent.token)
    for word in ("yes", "yes_for_a_while", "no"):
        assert (await page.answer(answer, word))["error"]["code"] == "unauthorized"
    assert await house.waits(answer)
    forged = [note for note in await house.notes(olga, answer) if "forged_answer_of" in note]
    assert forged == [{"forged_answer_of": ada.user.id}] * 3


async def test_companion_app(house: Household, agent: AgentAccess, ada: Person) -> None:
    """The page in a companion app is her own session too."""
    page = await Page(house).open(await token_of(house.hass, ada.user, ANDROID))
    answer = await house.ask(agent.token)
    assert (await page.answer(answer, "yes"))["result"] == {"taken": True}
    assert await house.ended(answer) == ("confirmed", "DONE")


@pytest.mark.parametrize("group", [pytest.param("system-users", id="a person"), pytest.param(GROUP_ID_ADMIN, id="an administrator")])  # fmt: skip
async def test_no_approver(house: Household, agent: AgentAccess, olga: Person, page: Page, group: str) -> None:
    """Who is no approver sees no question and answers none, an administrator neither."""
    bob = await house.person("Bob", group)
    others = await Page(house).open(bob.token)
    answer = await house.ask(agent.token)
    assert await others.shows() == STRANGE
    assert (await others.answer(answer, "yes"))["error"]["code"] == "unauthorized"
    assert await house.waits(answer)
    forged = [note for note in await house.notes(olga, answer) if "forged_answer_of" in note]
    assert forged == [{"forged_answer_of": bob.user.id}]


async def test_agent(house: Household, agent: AgentAccess, olga: Person, page: Page) -> None:
    """The agent's own token sees nothing and answers nothing."""
    answer = await house.ask(agent.token)
    own = await Page(house).open(agent.token)
    assert await own.shows() == STRANGE
    assert (await own.answer(answer, "yes"))["error"]["code"] == "unauthorized"
    assert await house.waits(answer)
    assert {"forged_answer_of": agent.user_id} in await house.notes(olga, answer)


async def test_not_his_question(house: Household, agent: AgentAccess, olga: Person, page: Page) -> None:
    """An approver of other rooms does not see it and has no say in it."""
    ben = await house.approver("Ben", 2, areas=["hall"])
    others = await Page(house).open(ben.token)
    answer = await house.ask(agent.token)
    assert await others.shows() == EMPTY
    assert (await others.answer(answer, "yes"))["result"] == {"taken": False}
    assert await house.waits(answer)
    assert {"forged_answer_of": ben.user.id} in await house.notes(olga, answer)


async def test_two_people(house: Household, agent: AgentAccess, ada: Person, page: Page) -> None:
    """The page says who has said yes, and whether I have; twice mine is once."""
    await house.two_people()
    ben = await Page(house).open((await house.approver("Ben", 2)).token)
    answer = await house.ask(agent.token, UNLATCH)
    assert (await page.answer(answer, "yes"))["result"] == {"taken": True}
    await page.answer(answer, "yes")
    shown = [(await one.shows())["questions"][0] for one in (page, ben)]
    assert [(item["people"], item["given"], item["mine"]) for item in shown] == [
        (2, ["Ada"], True),
        (2, ["Ada"], False),
    ]
    assert house.hass.states.is_state(LATCH, "locked")
    await ben.answer(answer, "yes")
    assert await house.ended(answer) == ("confirmed", "DONE")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param({"answer": "yes"}, id="no id"),
        pytest.param({"trace_id": 7, "answer": "yes"}, id="an id that is a number"),
        pytest.param({"trace_id": "x"}, id="no answer"),
        pytest.param({"trace_id": "x", "answer": "YES"}, id="another word"),
        pytest.param({"trace_id": "x", "answer": True}, id="true"),
        pytest.param({"trace_id": "x", "answer": 1}, id="an answer that is a number"),
        pytest.param({"trace_id": "x", "answer": None}, id="null"),
        pytest.param({"trace_id": "x", "answer": ["yes"]}, id="a list"),
        pytest.param({"trace_id": "x", "yes": True}, id="as it was before"),
        pytest.param({"trace_id": "x", "answer": "yes", "user_id": "y"}, id="in another's name"),
    ],
)
async def test_format(house: Household, page: Page, content: dict[str, object]) -> None:
    """Only a yes or a no to a question is an answer."""
    result = await page.command("edgehome/inbox/answer", **content)
    assert result["error"]["code"] == "invalid_format"


async def test_no_such_question(page: Page) -> None:
    """An answer to nothing is not taken."""
    assert (await page.answer({"trace_id": "01JDXW3Z5N8Q9K2M4P6R7S8T9V"}, "yes"))["result"] == {"taken": False}


async def test_not_loaded(house: Household, page: Page) -> None:
    """While EdgeHome is not loaded the commands say so."""
    await house.hass.config_entries.async_unload(house.entry.entry_id)
    commands: list[tuple[str, dict[str, str]]] = [
        ("subscribe", {}),
        ("answer", {"trace_id": "x", "answer": "yes"}),
        ("revoke", {"grant_id": "x"}),
        ("set_pin", {"new": "1234"}),
    ]
    for kind, content in commands:
        assert (await page.command(f"edgehome/inbox/{kind}", **content))["error"]["code"] == "not_found"


@CUT_OFF
async def test_deactivated(house: Household, agent: AgentAccess, ada: Person, page: Page) -> None:
    """An approver who is locked out can be reached by no page."""
    await house.hass.auth.async_update_user(ada.user, is_active=False)
    await house.hass.async_block_till_done()
    answer = await house.doors.ask(agent.token, "execute", OPEN_GARAGE)
    assert (answer["outcome"], answer["code"]) == ("blocked", "NO_APPROVER")
