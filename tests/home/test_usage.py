"""How far an agent may move a set point in an hour, and what is counted for it."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers.event import async_track_state_change_event
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.home.exposure import ASSISTANT
from custom_components.edgehome.home.usage import HOUR, MINUTE, Usage
from custom_components.edgehome.models import Principal, PrincipalKind
from custom_components.edgehome.plan import ExecutionPlan
from tests.made_house import request
from tests.made_traces import OTHER, asking, command
from tests.policy_editor.forms import put_in_force
from tests.real_home import AgentAccess, Doors, add_agent, proposing

HVAC = "climate.hvac"
FIVE = 5


class Clock:
    """The time that usage is counted with."""

    now = 1_000_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A clock that stands still until it is moved."""
    clock = Clock()
    with patch("custom_components.edgehome.home.usage.time", SimpleNamespace(monotonic=clock.monotonic)):
        yield clock


@pytest.fixture
async def heated(hass: HomeAssistant, home: MockConfigEntry, clock: Clock) -> MockConfigEntry:
    """A home in which everything is allowed; the heating is set to 21 degrees."""
    await put_in_force(hass, home, {"id": "all", "verdict": "allow"})
    assert set_point(hass) == 21
    return home


@pytest.fixture
async def mover(hass: HomeAssistant, heated: MockConfigEntry) -> AgentAccess:
    """An agent that may move a set point by five degrees in an hour."""
    return await add_agent(hass, heated, degrees_per_hour=FIVE)


def set_point(hass: HomeAssistant, entity_id: str = HVAC) -> float:
    """What the heating is set to."""
    state = hass.states.get(entity_id)
    assert state is not None
    return float(state.attributes["temperature"])


def to(temperature: float, name: str = "Hvac", **params: object) -> dict[str, Any]:
    """A proposal to set the heating."""
    return proposing("set_temperature", name, temperature=temperature, **params)


async def codes(doors: Doors, token: str, *temperatures: float) -> list[str]:
    """The codes that wishes are answered with, one after the other."""
    return [(await doors.ask(token, "execute", to(value)))["code"] for value in temperatures]


@pytest.mark.parametrize(
    ("temperatures", "expected"),
    [
        pytest.param([26], ["DONE"], id="as far as it may"),
        pytest.param([27], ["CHANGE_LIMIT"], id="too far at once"),
        pytest.param([15], ["CHANGE_LIMIT"], id="too far down"),
        pytest.param([24, 26], ["DONE", "DONE"], id="in two steps"),
        pytest.param([24, 27], ["DONE", "CHANGE_LIMIT"], id="too far in two steps"),
        pytest.param([24, 21], ["DONE", "CHANGE_LIMIT"], id="down counts like up"),
        pytest.param([24, 22, 23], ["DONE", "DONE", "CHANGE_LIMIT"], id="to and fro"),
        pytest.param([27, 26], ["CHANGE_LIMIT", "DONE"], id="what was refused is not counted"),
        pytest.param([26, 26, 25], ["DONE", "ALREADY_SO", "CHANGE_LIMIT"], id="what moves nothing is let through"),
    ],
)  # fmt: skip
async def test_added_up(
    hass: HomeAssistant, mover: AgentAccess, doors: Doors, temperatures: list[float], expected: list[str]
) -> None:
    """All moves of an hour are added, whichever way they go; what is refused moves nothing."""
    assert await codes(doors, mover.token, *temperatures) == expected
    done = [value for value, code in zip(temperatures, expected, strict=True) if code == "DONE"]
    assert set_point(hass) == ([21, *done])[-1]


async def test_told(mover: AgentAccess, doors: Doors) -> None:
    """The refusal says what the limit is, what is used, and what is left."""
    assert await codes(doors, mover.token, 24) == ["DONE"]
    answer = await doors.ask(mover.token, "execute", to(27))
    assert (answer["outcome"], answer["gate"]) == ("blocked", "policy")
    assert "may move Hvac by 5 degrees in an hour; 3 are used, and this is 3 more" in answer["message"]
    assert "by at most 2 degrees" in answer["hint"]


async def test_an_hour_later(mover: AgentAccess, doors: Doors, clock: Clock) -> None:
    """Each move counts for an hour, not longer."""
    assert await codes(doors, mover.token, 24) == ["DONE"]
    clock.now += HOUR / 2
    assert await codes(doors, mover.token, 26, 25) == ["DONE", "CHANGE_LIMIT"]
    clock.now += HOUR / 2 - 1
    assert await codes(doors, mover.token, 25) == ["CHANGE_LIMIT"]
    clock.now += 2
    assert await codes(doors, mover.token, 23, 22) == ["DONE", "CHANGE_LIMIT"]
    clock.now += HOUR + 1
    assert await codes(doors, mover.token, 29, 28) == ["CHANGE_LIMIT", "DONE"]


@pytest.fixture
def way(hass: HomeAssistant, heated: MockConfigEntry) -> Iterator[list[float]]:
    """What the heating is set to, one after the other."""
    found = [set_point(hass)]

    @callback
    def look(_: Event[EventStateChangedData]) -> None:
        found.append(set_point(hass))

    stop = async_track_state_change_event(hass, HVAC, look)
    yield found
    stop()


async def at_once(entry: MockConfigEntry, agent: AgentAccess, *temperatures: float) -> list[str]:
    """The codes that wishes are answered with which come at the same moment: none is done before all are judged."""
    caller = Principal(kind=PrincipalKind.AGENT, id=agent.id, name="Hermes")
    requests = (request(to(value), caller) for value in temperatures)
    asked = (replace(one, trace_id=f"0{number}") for number, one in enumerate(requests))
    ended = await asyncio.gather(*(entry.runtime_data.pipeline.submit(one) for one in asked))
    return [str(one.answer()["code"]) for one in ended]


async def test_at_the_same_moment(heated: MockConfigEntry, mover: AgentAccess, way: list[float]) -> None:
    """Two requests that are each within the limit do not both slip through."""
    assert await at_once(heated, mover, 25, 17) == ["DONE", "CHANGE_LIMIT"]
    assert way == [21, 25]


async def test_over_the_door(mover: AgentAccess, doors: Doors, way: list[float]) -> None:
    """The same over the real door."""
    answers = await asyncio.gather(*(doors.ask(mover.token, "execute", to(value)) for value in (25, 17)))
    assert sorted(answer["code"] for answer in answers) == ["CHANGE_LIMIT", "DONE"]
    assert way in ([21, 25], [21, 17])


async def test_counted_as_moved(heated: MockConfigEntry, mover: AgentAccess, doors: Doors, way: list[float]) -> None:
    """Of requests at the same moment the second is counted from where the first has left the heating."""
    assert await at_once(heated, mover, 20, 22) == ["DONE", "DONE"]
    assert way == [21, 20, 22]
    assert await codes(doors, mover.token, 25) == ["CHANGE_LIMIT"]


async def test_what_does_not_count(
    hass: HomeAssistant, heated: MockConfigEntry, mover: AgentAccess, doors: Doors, owner: str
) -> None:
    """Another agent's moves, the owner's, those of the home itself and dry runs are not counted."""
    other = await add_agent(hass, heated, "Apollo", degrees_per_hour=FIVE)
    assert await codes(doors, other.token, 26) == ["DONE"]
    assert await codes(doors, owner, 16) == ["DONE"]
    target = {"entity_id": HVAC}
    await hass.services.async_call("climate", "set_temperature", {**target, "temperature": 21}, blocking=True)
    for value in (24, 18):
        assert (await doors.ask(mover.token, "execute", to(value) | {"dry_run": True}))["code"] == "PREVIEW"
    assert await codes(doors, mover.token, 26, 27) == ["DONE", "CHANGE_LIMIT"]


async def test_the_owner_has_no_limit(hass: HomeAssistant, heated: MockConfigEntry, doors: Doors, owner: str) -> None:
    """The owner moves it as far as he wants; an agent without a limit too."""
    free = await add_agent(hass, heated)
    for token in (owner, free.token):
        assert await codes(doors, token, 30, 10, 21) == ["DONE"] * 3


async def test_each_set_point_on_its_own(
    hass: HomeAssistant, heated: MockConfigEntry, mover: AgentAccess, doors: Doors
) -> None:
    """The limit is for each device."""
    async_expose_entity(hass, ASSISTANT, "climate.heatpump", should_expose=True)
    await hass.async_block_till_done()
    assert await codes(doors, mover.token, 26, 25) == ["DONE", "CHANGE_LIMIT"]
    for value, code in ((25, "DONE"), (24, "CHANGE_LIMIT")):
        assert (await doors.ask(mover.token, "execute", to(value, "HeatPump")))["code"] == code


async def test_in_the_homes_unit(hass: HomeAssistant, mover: AgentAccess, doors: Doors) -> None:
    """A move that is asked for in another unit counts as what it is here."""
    answer = await doors.ask(mover.token, "execute", to(78.8, unit="°F"))
    assert (answer["code"], set_point(hass)) == ("DONE", 26)
    assert await codes(doors, mover.token, 25) == ["CHANGE_LIMIT"]


async def test_in_steps(hass: HomeAssistant, mover: AgentAccess, doors: Doors) -> None:
    """A move that is asked for as a step counts as far as it goes."""
    step = proposing("set_temperature", "Hvac", temperature_step=3)
    assert [(await doors.ask(mover.token, "execute", step))["code"] for _ in range(2)] == ["DONE", "CHANGE_LIMIT"]
    assert set_point(hass) == 24


async def test_before_anybody_is_asked(hass: HomeAssistant, heated: MockConfigEntry, doors: Doors) -> None:
    """What is too far is refused, not asked about."""
    await put_in_force(hass, heated, {"id": "ask", "verdict": "confirm"})
    agent = await add_agent(hass, heated, "Apollo", degrees_per_hour=FIVE)
    assert await codes(doors, agent.token, 27, 26) == ["CHANGE_LIMIT", "NO_APPROVER"]


async def test_a_restart_forgets(
    hass: HomeAssistant, heated: MockConfigEntry, mover: AgentAccess, doors: Doors
) -> None:
    """What was moved is kept in memory only."""
    assert await codes(doors, mover.token, 26, 25) == ["DONE", "CHANGE_LIMIT"]
    assert await hass.config_entries.async_reload(heated.entry_id)
    assert await codes(doors, mover.token, 25) == ["DONE"]


def moving(*degrees: float, entity_id: str = HVAC) -> ExecutionPlan:
    """A plan that moves set points."""
    actions = (replace(command(entity_id), spans={"temperature": (20, 20 + value)}) for value in degrees)
    return ExecutionPlan(actions=tuple(actions))


def test_moves(clock: Clock) -> None:
    """Moves are added up for each caller and entity, up and down; each one counts for an hour."""
    usage = Usage()
    usage.move("a", moving(2))
    clock.now += 10
    usage.move("a", moving(-3))
    usage.move("a", moving(7, entity_id="climate.other"))
    usage.move("b", moving(4))
    assert [usage.moved(*key) for key in (("a", HVAC), ("a", "climate.other"), ("b", HVAC), ("c", HVAC))] == [
        5,
        7,
        4,
        0,
    ]
    clock.now += HOUR - 10
    assert usage.moved("a", HVAC) == 5
    clock.now += 0.5
    assert usage.moved("a", HVAC) == 3
    usage.move("a", moving(1))
    assert usage.moved("a", HVAC) == 4
    clock.now += 10
    assert (usage.moved("a", HVAC), usage.moved("b", HVAC)) == (1, 0)


def test_revision(clock: Clock) -> None:
    """What was judged before a move is looked at again: the revision tells."""
    usage = Usage()
    usage.move("a", moving(0))
    usage.move("a", ExecutionPlan(actions=(command(),)))
    assert usage.revision == 0
    usage.move("a", moving(1))
    assert usage.revision == 1


def test_requests(clock: Clock) -> None:
    """Requests of a caller within a minute are counted, the one that is looked at aside."""
    usage = Usage()
    for trace_id in ("1", "2", "3"):
        usage.count(asking(trace_id))
    usage.count(asking("4", principal=OTHER))
    assert [usage.requests("hermes", one) for one in ("3", "4", "9")] == [2, 3, 3]
    assert (usage.requests("zeus", "4"), usage.requests("nobody", "1")) == (0, 0)
    clock.now += MINUTE
    assert usage.requests("hermes", "9") == 3
    clock.now += 0.5
    assert usage.requests("hermes", "9") == 0
    usage.count(asking("5"))
    assert usage.requests("hermes", "9") == 1
