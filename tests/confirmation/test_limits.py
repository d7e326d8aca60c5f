"""How much an agent may ask: open questions, rest after a no, and taking back (R9, bypass 30)."""

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.confirmation.household import GARAGE, NO, OPEN_GARAGE, YES, Household, Person, Phone
from tests.real_home import AgentAccess, add_agent, proposing

WINDOW = proposing("open", "Kitchen Window")
WISHES = [OPEN_GARAGE, WINDOW, *(proposing("set_temperature", "Hvac", temperature=value) for value in (30, 31, 32, 33))]
"""Six plans to which a human must say yes."""


class Clock:
    """The time that rests are measured with."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A clock that stands still."""
    clock = Clock()
    with patch("custom_components.edgehome.confirmation.broker.time", SimpleNamespace(monotonic=clock.monotonic)):
        yield clock


@pytest.fixture
async def ada(house: Household) -> Phone:
    """The phone of the one approver."""
    return await house.approver_with_phone("Ada")


async def ends(house: Household, agent: AgentAccess, wishes: list[dict[str, Any]]) -> list[str]:
    """The codes that wishes are answered with at once."""
    return [(await house.doors.ask(agent.token, "execute", wish))["code"] for wish in wishes]


async def reject(house: Household, agent: AgentAccess, ada: Phone, wish: dict[str, Any]) -> None:
    """The agent asks and Ada says no."""
    answer = await house.ask(agent.token, wish)
    await ada.tap(await ada.question(), NO)
    assert await house.ended(answer) == ("cancelled", "REJECTED")


async def test_open_questions(house: Household, agent: AgentAccess, ada: Phone) -> None:
    """Three at most wait; the others are refused, also in a burst; when one has ended there is room again."""
    assert await ends(house, agent, WISHES[:4]) == ["WAITING", "WAITING", "WAITING", "PENDING_LIMIT"]
    questions = [await ada.question() for _ in range(3)]
    assert await ada.everything() == []
    await ada.tap(questions[0], NO)
    await ada.cleared()
    assert await ends(house, agent, WISHES[4:]) == ["WAITING", "PENDING_LIMIT"]


async def test_burst(house: Household, agent: AgentAccess, ada: Phone) -> None:
    """Many at the same moment do not slip through together."""
    answers = await asyncio.gather(*(house.doors.ask(agent.token, "execute", wish) for wish in WISHES))
    assert sorted(answer["code"] for answer in answers) == ["PENDING_LIMIT"] * 3 + ["WAITING"] * 3
    assert len([message for message in await ada.everything() if "actions" in message["data"]]) == 3


async def test_burst_of_equal_requests(house: Household, agent: AgentAccess, ada: Phone) -> None:
    """Equal requests share one question, and each counts as waiting."""
    answers = await asyncio.gather(*(house.doors.ask(agent.token, "execute", OPEN_GARAGE) for _ in range(5)))
    assert sorted(answer["code"] for answer in answers) == ["PENDING_LIMIT"] * 2 + ["WAITING"] * 3
    assert len(await ada.everything()) == 1


async def test_limits_are_each_agents_own(
    hass: HomeAssistant, home: MockConfigEntry, house: Household, agent: AgentAccess, ada: Phone
) -> None:
    """One agent's open questions do not stop another."""
    other = await add_agent(hass, home, "Apollo")
    assert await ends(house, agent, WISHES[:4]) == ["WAITING"] * 3 + ["PENDING_LIMIT"]
    assert await ends(house, other, [OPEN_GARAGE]) == ["WAITING"]


async def test_at_the_limit(house: Household, agent: AgentAccess, ada: Phone) -> None:
    """An agent with three open questions may still do what needs no yes, look, and take back."""
    answers = [await house.ask(agent.token, wish) for wish in WISHES[:3]]
    assert await ends(house, agent, [proposing("turn_off", "Kitchen Lights")]) == ["DONE"]
    assert await ends(house, agent, [OPEN_GARAGE | {"dry_run": True}]) == ["PREVIEW"]
    assert "devices" in await house.doors.ask(agent.token, "list_devices", {})
    trace = await house.doors.ask(agent.token, "get_trace", {"trace_id": answers[0]["trace_id"]})
    assert trace["outcome"] == "pending"
    taken_back = await house.doors.ask(agent.token, "cancel", {"trace_id": answers[0]["trace_id"]})
    assert (taken_back["trace_id"], taken_back["cancelled"]) == (answers[0]["trace_id"], True)


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        pytest.param(0, "COOL_DOWN", id="at once"),
        pytest.param(58, "COOL_DOWN", id="within the minute"),
        pytest.param(61, "WAITING", id="after a minute"),
    ],
)
async def test_rest_after_a_no(
    house: Household, agent: AgentAccess, ada: Phone, clock: Clock, seconds: float, code: str
) -> None:
    """What was rejected is not asked again for a minute."""
    await reject(house, agent, ada, OPEN_GARAGE)
    clock.now += seconds
    assert await ends(house, agent, [OPEN_GARAGE]) == [code]


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        pytest.param(61, "COOL_DOWN", id="a minute is not enough"),
        pytest.param(3590, "COOL_DOWN", id="within the hour"),
        pytest.param(3601, "WAITING", id="after an hour"),
    ],
)
async def test_rest_after_the_third_no(
    house: Household, agent: AgentAccess, ada: Phone, clock: Clock, seconds: float, code: str
) -> None:
    """What was rejected three times within an hour is not asked again for an hour."""
    for _ in range(3):
        await reject(house, agent, ada, OPEN_GARAGE)
        clock.now += 61
    clock.now += seconds - 61
    assert await ends(house, agent, [OPEN_GARAGE]) == [code]


async def test_rejections_are_forgotten(house: Household, agent: AgentAccess, ada: Phone, clock: Clock) -> None:
    """A third rejection after more than an hour is a first one again."""
    for pause in (61, 3700, 61):
        await reject(house, agent, ada, OPEN_GARAGE)
        clock.now += pause
    assert await ends(house, agent, [OPEN_GARAGE]) == ["WAITING"]


async def test_rest_is_about_the_deed(
    hass: HomeAssistant, home: MockConfigEntry, house: Household, agent: AgentAccess, ada: Phone, clock: Clock
) -> None:
    """Another value does not dodge the rest; other deeds and other agents are free, and so is a preview."""
    await reject(house, agent, ada, WISHES[2])
    other = await add_agent(hass, home, "Apollo")
    assert await ends(house, agent, [WISHES[2], WISHES[3], WISHES[3] | {"dry_run": True}]) == [
        "COOL_DOWN",
        "COOL_DOWN",
        "PREVIEW",
    ]
    assert await ends(house, agent, [WINDOW]) == ["WAITING"]
    assert await ends(house, other, [WISHES[2]]) == ["WAITING"]


@pytest.mark.parametrize(
    ("seconds", "code"), [pytest.param(8, "COOL_DOWN", id="at once"), pytest.param(11, "WAITING", id="later")]
)
async def test_rest_after_silence(
    house: Household, agent: AgentAccess, ada: Phone, clock: Clock, seconds: float, code: str
) -> None:
    """After a question that nobody answered, and one that was taken back, phones rest for a little while."""
    silent = await house.ask(agent.token, WINDOW)
    taken_back = await house.ask(agent.token)
    await house.doors.ask(agent.token, "cancel", {"trace_id": taken_back["trace_id"]})
    await house.later(121)
    await house.later(121)
    assert await house.ended(silent) == ("cancelled", "EXPIRED")
    clock.now += seconds
    assert await ends(house, agent, [WINDOW, OPEN_GARAGE]) == [code, code]


async def test_no_rest_after_a_yes(house: Household, agent: AgentAccess, ada: Phone, clock: Clock) -> None:
    """What was approved may be asked again at once."""
    answer = await house.ask(agent.token)
    await ada.tap(await ada.question(), YES)
    assert await house.ended(answer) == ("confirmed", "DONE")
    await house.hass.services.async_call("cover", "close_cover", {"entity_id": GARAGE}, blocking=True)
    assert await ends(house, agent, [OPEN_GARAGE]) == ["WAITING"]


async def test_taken_back(house: Household, agent: AgentAccess, ada: Phone, olga: Person) -> None:
    """The agent takes its question back, once; there is nothing to take back the second time."""
    answer = await house.ask(agent.token)
    payload = {"trace_id": answer["trace_id"]}
    assert (await house.doors.ask(agent.token, "cancel", payload))["cancelled"] is True
    assert await house.ended(answer) == ("cancelled", "CANCELLED")
    assert (await house.doors.ask(agent.token, "cancel", payload))["cancelled"] is False
    assert (await house.doors.ask(olga.token, "cancel", payload))["cancelled"] is False
    assert house.is_closed()


async def test_one_of_two_is_taken_back(house: Household, agent: AgentAccess, ada: Phone) -> None:
    """A request that joined an equal one can be taken back too: what says that it waits can be stopped."""
    await house.ask(agent.token)
    joined = await house.ask(agent.token)
    payload = {"trace_id": joined["trace_id"]}
    assert (await house.doors.ask(agent.token, "cancel", payload))["cancelled"] is True
    assert await house.ended(joined) == ("cancelled", "CANCELLED")


async def test_others_take_nothing_back(
    hass: HomeAssistant, home: MockConfigEntry, house: Household, agent: AgentAccess, ada: Phone
) -> None:
    """Another agent, a person and an automation cannot take it back; the question waits on."""
    answer = await house.ask(agent.token)
    payload = {"trace_id": answer["trace_id"]}
    other = await add_agent(hass, home, "Apollo")
    bob = await house.person("Bob")
    assert (await house.doors.ask(other.token, "cancel", payload))["code"] == "TRACE_NOT_FOUND"
    assert (await house.doors.ask(bob.token, "cancel", payload))["code"] == "AGENT_UNKNOWN"
    assert (await house.doors.ask(ada.person.token, "cancel", payload))["code"] == "AGENT_UNKNOWN"
    automation: Any = await hass.services.async_call("edgehome", "cancel", payload, blocking=True, return_response=True)
    assert automation["code"] == "TRACE_NOT_FOUND"
    assert await house.waits(answer)
