"""How many questions of one agent may wait at once, where the owner wants fewer than three."""

import asyncio

from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.confirmation.pending import Answer
from tests.confirmation.household import OPEN_GARAGE, Household, Person
from tests.real_home import AgentAccess, add_agent, proposing

WINDOW = proposing("open", "Kitchen Window")
OTHER_WINDOW = proposing("open", "Living Room Window")


async def codes(house: Household, agent: AgentAccess, *payloads: dict[str, object]) -> list[str]:
    """The codes that proposals are answered with, one after the other."""
    return [(await house.doors.ask(agent.token, "execute", payload))["code"] for payload in payloads]


async def test_one_at_once(hass: HomeAssistant, home: MockConfigEntry, house: Household, ada: Person) -> None:
    """With a limit of one the second question is refused, and nobody is asked; when the first has ended there is room."""
    agent = await add_agent(hass, home, pending_at_once=1)
    first = await house.ask(agent.token)
    answer = await house.doors.ask(agent.token, "execute", WINDOW)
    assert (answer["outcome"], answer["code"]) == ("blocked", "PENDING_LIMIT")
    assert answer["message"] == "1 of this agent's requests wait for a person already; more may not at once."
    questions = home.runtime_data.questions
    assert [one.id for one in questions.questions_for(ada.user.id)] == [first["trace_id"]]
    assert questions.answer(first["trace_id"], ada.user.id, Answer.YES, "page")
    assert await house.ended(first) == ("confirmed", "DONE")
    assert await codes(house, agent, WINDOW, OTHER_WINDOW) == ["WAITING", "PENDING_LIMIT"]


async def test_two_at_once(hass: HomeAssistant, home: MockConfigEntry, house: Household, ada: Person) -> None:
    """The limit is the one that the owner has set."""
    agent = await add_agent(hass, home, pending_at_once=2)
    wishes = [OPEN_GARAGE, WINDOW, OTHER_WINDOW]
    assert await codes(house, agent, *wishes) == ["WAITING", "WAITING", "PENDING_LIMIT"]


async def test_burst(hass: HomeAssistant, home: MockConfigEntry, house: Household, ada: Person) -> None:
    """Questions at the same moment do not slip through together."""
    agent = await add_agent(hass, home, pending_at_once=1)
    wishes = [OPEN_GARAGE, WINDOW, OTHER_WINDOW]
    answers = await asyncio.gather(*(house.doors.ask(agent.token, "execute", wish) for wish in wishes))
    assert sorted(answer["code"] for answer in answers) == ["PENDING_LIMIT", "PENDING_LIMIT", "WAITING"]
    assert len(home.runtime_data.questions.questions_for(ada.user.id)) == 1


async def test_each_agents_own(hass: HomeAssistant, home: MockConfigEntry, house: Household, ada: Person) -> None:
    """One agent's limit is no other's."""
    narrow = await add_agent(hass, home, pending_at_once=1)
    other = await add_agent(hass, home, "Apollo")
    assert await codes(house, narrow, OPEN_GARAGE, WINDOW) == ["WAITING", "PENDING_LIMIT"]
    assert await codes(house, other, OPEN_GARAGE, WINDOW, OTHER_WINDOW) == ["WAITING"] * 3


async def test_what_needs_no_yes(hass: HomeAssistant, home: MockConfigEntry, house: Household, ada: Person) -> None:
    """At the limit an agent may still do what needs no yes, read, and try out."""
    agent = await add_agent(hass, home, pending_at_once=1)
    assert await codes(
        house,
        agent,
        OPEN_GARAGE,
        proposing("turn_off", "Kitchen Lights"),
        proposing("status", "Front Door"),
        WINDOW | {"dry_run": True},
        WINDOW,
    ) == ["WAITING", "DONE", "STATUS", "PREVIEW", "PENDING_LIMIT"]


async def test_raised_while_one_waits(
    hass: HomeAssistant, home: MockConfigEntry, house: Household, ada: Person
) -> None:
    """A limit that the owner raises counts from then on."""
    agent = await add_agent(hass, home, pending_at_once=1)
    assert await codes(house, agent, OPEN_GARAGE, WINDOW) == ["WAITING", "PENDING_LIMIT"]
    subentry = home.subentries[agent.id]
    hass.config_entries.async_update_subentry(home, subentry, data={**subentry.data, "pending_at_once": 2})
    await hass.async_block_till_done()
    assert await codes(house, agent, WINDOW, OTHER_WINDOW) == ["WAITING", "PENDING_LIMIT"]
