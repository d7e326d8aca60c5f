"""The page's other commands: languages, grants and PINs; only an approver's own log-in gets anywhere (R9)."""

from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.auth.models import TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN as LONG_LIVED

from custom_components.edgehome.confirmation.pins import PinState
from tests.confirmation.household import Household, Person
from tests.confirmation.lasting import ASK, grants, heat
from tests.confirmation.page import Page
from tests.real_home import AgentAccess, token_of


@pytest.fixture
async def ada(house: Household) -> Person:
    """An approver without a phone; everything is asked."""
    await house.rules(ASK)
    return await house.approver("Ada")


@pytest.fixture
async def page(house: Household, ada: Person) -> Page:
    """Her page, open."""
    return await Page(house).open(ada.token)


async def granted(house: Household, agent: AgentAccess, page: Page) -> dict[str, Any]:
    """A yes for a while, given on the page."""
    answer = await house.ask(agent.token, heat(26))
    assert (await page.answer(answer, "yes_for_a_while"))["result"] == {"taken": True}
    assert await house.ended(answer) == ("confirmed", "DONE")
    return answer


async def test_grant(house: Household, agent: AgentAccess, page: Page) -> None:
    """A yes for a while on the page is shown there with what it lets pass, by whom and how often, until it is ended."""
    answer = await house.ask(agent.token, heat(26))
    (question,) = (await page.shows())["questions"]
    assert (question["grantable"], question["pin"], question["risk"]) == (True, False, 2)
    await page.answer(answer, "yes_for_a_while")
    assert await house.ended(answer) == ("confirmed", "DONE")
    (shown,) = (await page.shows())["grants"]
    assert shown.pop("until") > question["asked_at"]
    what = {"agent": "Hermes", "actions": ["set the temperature of Hvac"], "by": ["Ada"], "used": 0}
    assert shown == {"id": answer["trace_id"], **what}
    await house.doors.ask(agent.token, "execute", heat(24))
    assert (await page.shows())["grants"][0]["used"] == 1
    assert (await page.command("edgehome/inbox/revoke", grant_id=answer["trace_id"]))["result"] == {"ended": True}
    assert (await page.shows())["grants"] == []


async def test_not_grantable(house: Household, agent: AgentAccess, page: Page) -> None:
    """From risk 4 on a yes for a while is not taken, and the question stays."""
    answer = await house.ask(agent.token)
    assert (await page.answer(answer, "yes_for_a_while"))["result"] == {"taken": False}
    assert await house.waits(answer)
    assert (await page.shows())["questions"][0]["grantable"] is False


@pytest.mark.parametrize(
    ("language", "what"),
    [
        pytest.param({}, "set the temperature of Hvac, Hall", id="none"),
        pytest.param({"language": "en"}, "set the temperature of Hvac, Hall", id="english"),
        pytest.param({"language": "de"}, "Temperatur stellen: Hvac, Hall", id="german"),
        pytest.param({"language": "zh-Hans"}, "设定温度 Hvac, Hall", id="chinese"),
        pytest.param({"language": "xx"}, "set the temperature of Hvac, Hall", id="another"),
    ],
)
async def test_language(house: Household, agent: AgentAccess, ada: Person, language: dict[str, str], what: str) -> None:
    """A page is written in its reader's language; the values stay as they are."""
    page = await Page(house).open(ada.token, **language)
    await house.ask(agent.token, heat(26))
    (question,) = (await page.shows())["questions"]
    assert question["actions"] == [{"what": what, "before": "21 °C", "after": "26 °C"}]


async def long_lived(house: Household, agent: AgentAccess, ada: Person) -> str:
    """A long-lived token of the approver, which an agent may hold."""
    return await token_of(house.hass, ada.user, None, LONG_LIVED)


async def foreign(house: Household, agent: AgentAccess, ada: Person) -> str:
    """The approver's log-in at another client."""
    return await token_of(house.hass, ada.user, "https://evil.example/")


async def person(house: Household, agent: AgentAccess, ada: Person) -> str:
    """Somebody who is no approver."""
    return (await house.person("Bob")).token


async def administrator(house: Household, agent: AgentAccess, ada: Person) -> str:
    """An administrator who is no approver."""
    return (await house.person("Root", GROUP_ID_ADMIN)).token


async def machine(house: Household, agent: AgentAccess, ada: Person) -> str:
    """The agent's own token."""
    return agent.token


@pytest.mark.parametrize("who", [long_lived, foreign, person, administrator, machine], ids=lambda who: who.__name__)
async def test_refused(house: Household, agent: AgentAccess, ada: Person, page: Page, who: Any) -> None:
    """Nobody but an approver in his own session answers, ends a grant or sets a PIN."""
    answer = await granted(house, agent, page)
    other = await Page(house).open(await who(house, agent, ada))
    commands: list[tuple[str, dict[str, Any]]] = [
        ("answer", {"trace_id": answer["trace_id"], "answer": "yes_for_a_while"}),
        ("answer", {"trace_id": answer["trace_id"], "answer": "no", "pin": "1234"}),
        ("revoke", {"grant_id": answer["trace_id"]}),
        ("set_pin", {"new": "1234"}),
        ("set_pin", {"new": "1234", "old": None}),
    ]
    for kind, content in commands:
        packet = await other.command(f"edgehome/inbox/{kind}", **content)
        assert (packet["success"], packet["error"]["code"]) == (False, "unauthorized")
    assert grants(house) == 1
    users = [user.id for user in await house.hass.auth.async_get_users()]
    assert {house.entry.runtime_data.pins.state(user) for user in users} == {PinState.UNSET}


async def test_not_his_grant(house: Household, agent: AgentAccess, page: Page) -> None:
    """An approver of other rooms neither sees a grant nor ends it; one who could have given it does."""
    answer = await granted(house, agent, page)
    assert grants(house) == 1
    others = []
    for name, limits in (("Ben", {"areas": ["garage"]}), ("Cem", {"max_risk": 1})):
        others.append(await house.approver(name, 2, **limits))
    answer = await granted_again(house, agent, page)
    for one in others:
        his = await Page(house).open(one.token)
        assert (await his.shows())["grants"] == []
        assert (await his.command("edgehome/inbox/revoke", grant_id=answer["trace_id"]))["result"] == {"ended": False}
    assert grants(house) == 1


async def granted_again(house: Household, agent: AgentAccess, page: Page) -> dict[str, Any]:
    """The same after the owner changed something."""
    data = {"entity_id": "climate.hvac", "temperature": 21}
    await house.hass.services.async_call("climate", "set_temperature", data, blocking=True)
    return await granted(house, agent, page)


@pytest.mark.parametrize(
    ("new", "pin"),
    [
        pytest.param("2580", "ok", id="four digits"),
        pytest.param("258", "unfit", id="too short"),
        pytest.param("2" * 65, "unfit", id="too long"),
        pytest.param("s3cret" * 2000, "unfit", id="12 kB"),
        pytest.param(2580, "unfit", id="a number"),
        pytest.param(None, "unfit", id="null"),
        pytest.param(["2580"], "unfit", id="a list"),
        pytest.param({"pin": "2580"}, "unfit", id="an object"),
    ],
)
async def test_set_pin(page: Page, new: object, pin: str) -> None:
    """The answer says whether it is set, and repeats nothing of what was typed."""
    packet = await page.command("edgehome/inbox/set_pin", new=new)
    assert (packet["success"], packet["result"]) == (True, {"pin": pin})
    assert (await page.shows())["pin"] == {"ok": "set"}.get(pin, "unset")


@pytest.mark.parametrize(
    "content",
    [pytest.param({}, id="nothing"), pytest.param({"old": "s3cret"}, id="only the old one")],
)
async def test_set_pin_format(page: Page, content: dict[str, object]) -> None:
    """What is no command is refused without repeating what was typed."""
    packet = await page.command("edgehome/inbox/set_pin", **content)
    assert packet["error"]["code"] == "invalid_format"
    assert "s3cret" not in str(packet)


async def test_page_suffices(house: Household, agent: AgentAccess) -> None:
    """Who is reached by the page alone is waited for, with no phone and no page open; he answers when he opens it."""
    ben = await house.approver("Ben", page_suffices=True)
    answer = await house.ask(agent.token)
    page = await Page(house).open(ben.token)
    assert len((await page.shows())["questions"]) == 1
    assert (await page.answer(answer))["result"] == {"taken": True}
    assert await house.ended(answer) == ("confirmed", "DONE")
