"""Every way that a question can end: what the caller is told, every phone is cleared, and late taps do nothing (R9, R10)."""

from collections.abc import Awaitable, Callable

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant

from custom_components.edgehome.home.exposure import ASSISTANT
from tests.confirmation.household import GARAGE, NO, OPEN_GARAGE, YES, Household, Person, Phone
from tests.real_home import AgentAccess, proposing


class Story:
    """A question that waits on the phones of Ada and Ben, and what may happen to it."""

    def __init__(self, house: Household, agent: AgentAccess, olga: Person, phones: tuple[Phone, Phone]) -> None:
        self.house, self.hass, self.agent, self.olga = house, house.hass, agent, olga
        self.ada, self.ben = phones

    async def begin(self) -> None:
        """The agent asks, and both phones show it."""
        self.answer = await self.house.ask(self.agent.token)
        self.asked, self.also_asked = await self.ada.question(), await self.ben.question()

    async def yes(self) -> None:
        await self.ada.tap(self.asked, YES)

    async def no(self) -> None:
        await self.ben.tap(self.also_asked, NO)

    async def silence(self) -> None:
        await self.house.later(121)

    async def cancelled_by_the_agent(self) -> None:
        await self.house.doors.ask(self.agent.token, "cancel", {"trace_id": self.answer["trace_id"]})

    async def cancelled_by_the_owner(self) -> None:
        await self.house.doors.ask(self.olga.token, "cancel", {"trace_id": self.answer["trace_id"]})

    async def other_hands(self) -> None:
        await self.hass.services.async_call("cover", "open_cover", {"entity_id": GARAGE}, blocking=True)

    async def moving(self) -> None:
        self.hass.states.async_set(GARAGE, "opening", self.hass.states.get(GARAGE).attributes)  # type: ignore[union-attr]  # it is there

    async def unplugged(self) -> None:
        self.hass.states.async_set(GARAGE, "unavailable")

    async def lockdown(self) -> None:
        switch = {"entity_id": "switch.edgehome_lockdown"}
        await self.hass.services.async_call("switch", "turn_on", switch, blocking=True)

    async def agent_paused(self) -> None:
        entry = self.house.entry
        subentry = entry.subentries[self.agent.id]
        self.hass.config_entries.async_update_subentry(entry, subentry, data={**subentry.data, "enabled": False})

    async def agent_limited(self) -> None:
        entry = self.house.entry
        subentry = entry.subentries[self.agent.id]
        self.hass.config_entries.async_update_subentry(entry, subentry, data={**subentry.data, "max_risk": 3})

    async def agent_removed(self) -> None:
        self.hass.config_entries.async_remove_subentry(self.house.entry, self.agent.id)

    async def unloaded(self) -> None:
        await self.hass.config_entries.async_unload(self.house.entry.entry_id)
        await self.hass.async_block_till_done()
        assert await self.hass.config_entries.async_setup(self.house.entry.entry_id)

    async def stopped(self) -> None:
        await self.house.entry.runtime_data.questions.async_cancel_all()


@pytest.fixture
async def story(house: Household, agent: AgentAccess, olga: Person) -> Story:
    """Ada and Ben are asked at once."""
    await house.options(escalate_after=0)
    phones = await house.approver_with_phone("Ada", 1), await house.approver_with_phone("Ben", 2)
    story = Story(house, agent, olga, phones)
    await story.begin()
    return story


type Ending = Callable[[Story], Awaitable[None]]


@pytest.mark.parametrize(
    ("ending", "outcome", "code", "state"),
    [
        pytest.param(Story.yes, "confirmed", "DONE", "open", id="a yes"),
        pytest.param(Story.no, "cancelled", "REJECTED", "closed", id="a no"),
        pytest.param(Story.silence, "cancelled", "EXPIRED", "closed", id="silence"),
        pytest.param(Story.cancelled_by_the_agent, "cancelled", "CANCELLED", "closed", id="its agent"),
        pytest.param(Story.cancelled_by_the_owner, "cancelled", "CANCELLED", "closed", id="the owner"),
        pytest.param(Story.other_hands, "no_change", "ALREADY_SO", "open", id="opened by hand"),
        pytest.param(Story.moving, "cancelled", "SUPERSEDED", "opening", id="another state"),
        pytest.param(Story.unplugged, "blocked", "ENTITY_UNAVAILABLE", "unavailable", id="unplugged"),
        pytest.param(Story.lockdown, "blocked", "LOCKDOWN", "closed", id="lockdown"),
        pytest.param(Story.agent_paused, "blocked", "AGENT_DISABLED", "closed", id="agent paused"),
        pytest.param(Story.agent_limited, "blocked", "RISK_TOO_HIGH", "closed", id="agent limited"),
        pytest.param(Story.agent_removed, "blocked", "AGENT_UNKNOWN", "closed", id="agent removed"),
        pytest.param(Story.unloaded, "cancelled", "STOPPED", "closed", id="EdgeHome unloaded"),
        pytest.param(Story.stopped, "cancelled", "CANCELLED", "closed", id="Home Assistant stops"),
    ],
)
async def test_ends(hass: HomeAssistant, story: Story, ending: Ending, outcome: str, code: str, state: str) -> None:
    """The end is recorded, both phones and Home Assistant's notification are cleared, and a late yes is nothing."""
    assert story.asked["data"]["tag"] == story.also_asked["data"]["tag"]
    assert len(await story.house.notifications()) == 1
    await ending(story)
    await hass.async_block_till_done()
    assert await story.house.ended(story.answer) == (outcome, code)
    cleared = [await story.ada.cleared(), await story.ben.cleared()]
    assert cleared == [story.asked["data"]["tag"]] * 2
    assert await story.house.notifications() == []
    await story.ada.tap(story.asked, YES)
    await story.ben.tap(story.also_asked, YES)
    await story.ada.tap(story.asked, NO)
    assert await story.house.ended(story.answer) == (outcome, code)
    assert hass.states.is_state(GARAGE, state)
    assert [await story.ada.everything(), await story.ben.everything()] == [[], []]


async def test_already_so_by_other_hands(story: Story) -> None:
    """What is as wanted meanwhile needs no yes any more: nothing was done, and nobody is asked (R9)."""
    answer = await story.house.ask(story.agent.token, proposing("set_temperature", "Hvac", temperature=30))
    asked = await story.ada.question()
    wanted = {"entity_id": "climate.hvac", "temperature": 30}
    await story.hass.services.async_call("climate", "set_temperature", wanted, blocking=True)
    assert await story.house.ended(answer) == ("no_change", "ALREADY_SO")
    assert await story.ada.cleared() == asked["data"]["tag"]
    assert await story.house.waits(story.answer)


async def test_crash(hass: HomeAssistant, story: Story) -> None:
    """What waited when Home Assistant died is cancelled at the next start, the phones are cleared, a tap is nothing (R10)."""
    data = story.house.entry.runtime_data
    data.evidence.close = lambda _: None
    await hass.config_entries.async_unload(story.house.entry.entry_id)
    await hass.async_block_till_done()
    assert [len(await story.ada.everything()), len(await story.ben.everything())] == [1, 1]
    assert await hass.config_entries.async_setup(story.house.entry.entry_id)
    await hass.async_block_till_done()
    assert await story.house.ended(story.answer) == ("cancelled", "RESTARTED")
    assert [await story.ada.cleared(), await story.ben.cleared()] == [story.asked["data"]["tag"]] * 2
    await story.ada.tap(story.asked, YES)
    assert story.house.is_closed()


async def not_exposed(story: Story) -> None:
    """The owner takes the garage back from the agents."""
    async_expose_entity(story.hass, ASSISTANT, GARAGE, False)  # noqa: FBT003  # Home Assistant's signature


async def another_room(story: Story) -> None:
    """The agent gets other rooms."""
    entry = story.house.entry
    subentry = entry.subentries[story.agent.id]
    story.hass.config_entries.async_update_subentry(entry, subentry, data={**subentry.data, "areas": ["kitchen"]})


@pytest.mark.parametrize(
    ("change", "code", "states"),
    [
        pytest.param(not_exposed, "NOT_EXPOSED", ["superseded"], id="not exposed any more"),
        pytest.param(another_room, "OUT_OF_SCOPE", ["superseded"], id="out of the agent's rooms"),
    ],
)
async def test_everything_is_judged_again(story: Story, change: Ending, code: str, states: list[str]) -> None:
    """All gates look at the house as it is then: at once when the owner changes something, else after the yes (R9)."""
    await change(story)
    await story.yes()
    assert await story.house.ended(story.answer) == ("blocked", code)
    assert story.house.is_closed()
    notes = await story.house.notes(story.olga, story.answer)
    assert [note["state"] for note in notes if "state" in note] == states


async def battery(story: Story) -> None:
    """The door reports something that nobody asked about."""
    state = story.hass.states.get(GARAGE)
    assert state is not None
    story.hass.states.async_set(GARAGE, state.state, {**state.attributes, "battery": 12})


async def another_device(story: Story) -> None:
    """Another cover moves."""
    await story.hass.services.async_call("cover", "open_cover", {"entity_id": "cover.kitchen_window"}, blocking=True)


async def another_policy(story: Story) -> None:
    """The owner chooses a policy that says the same about this."""
    await story.house.options("balanced", escalate_after=0)


async def phones_off(story: Story) -> None:
    """Both apps are put aside, then the door reports something: a tap needs no push channel."""
    await story.ada.switch_off()
    await story.ben.switch_off()
    await battery(story)


async def more_requests(story: Story) -> None:
    """The agent uses its rate up."""
    for _ in range(3):
        await story.house.doors.ask(story.agent.token, "execute", proposing("status", "Hvac"))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(battery, id="another attribute"),
        pytest.param(another_device, id="another device"),
        pytest.param(another_policy, id="another policy with the same verdict"),
        pytest.param(phones_off, id="phones put aside"),
        pytest.param(more_requests, id="other requests"),
    ],
)
async def test_stands(story: Story, change: Ending) -> None:
    """What does not change the plan does not end the question, and the yes counts."""
    await change(story)
    assert await story.house.waits(story.answer)
    await story.yes()
    assert await story.house.ended(story.answer) == ("confirmed", "DONE")
    assert story.hass.states.is_state(GARAGE, "open")


async def test_equal_request_joins(story: Story) -> None:
    """The same wish while one waits is no second question: one yes, one execution, two traces (R9)."""
    again = await story.house.ask(story.agent.token, OPEN_GARAGE, reason="Hurry up!")
    assert [await story.ada.everything(), await story.ben.everything()] == [[], []]
    calls = []
    story.hass.bus.async_listen("call_service", lambda event: calls.append(event.data["service"]))
    await story.yes()
    assert await story.house.ended(story.answer) == await story.house.ended(again) == ("confirmed", "DONE")
    assert story.answer["trace_id"] != again["trace_id"]
    assert calls.count("open_cover") == 1


async def test_repeated_request(story: Story) -> None:
    """The same request id while one waits is the same request; its answer afterwards is the end (R13)."""
    payload = proposing("open", "Kitchen Window") | {"request_id": "window-1"}
    first = await story.house.ask(story.agent.token, payload)
    again = await story.house.ask(story.agent.token, payload)
    assert first["trace_id"] == again["trace_id"]
    await story.ada.tap(await story.ada.question(), YES)
    assert await story.house.ended(first) == ("confirmed", "DONE")
    assert (await story.house.doors.ask(story.agent.token, "execute", payload))["outcome"] == "confirmed"


async def test_waiting_in_the_call(house: Household, agent: AgentAccess) -> None:
    """A call that waits long enough is answered with the end."""
    ada = await house.approver_with_phone("Ada")
    asking = house.hass.async_create_task(house.doors.ask(agent.token, "execute", OPEN_GARAGE | {"wait": 5}))
    await ada.tap(await ada.question(), YES)
    answer = await asking
    assert (answer["outcome"], answer["code"]) == ("confirmed", "DONE")


async def test_automation_without_a_response(hass: HomeAssistant, house: Household) -> None:
    """An automation that wants no response is not stopped by a question, and its wish is done after the yes."""
    ada = await house.approver_with_phone("Ada")
    await hass.services.async_call("edgehome", "execute", OPEN_GARAGE, blocking=True)
    assert house.is_closed()
    await ada.tap(await ada.question(), YES)
    await ada.cleared()
    await hass.async_block_till_done(wait_background_tasks=True)
    assert hass.states.is_state(GARAGE, "open")
