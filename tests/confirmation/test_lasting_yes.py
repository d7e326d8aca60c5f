"""A yes for ten minutes: what it lets pass unasked, what not, and what ends it (R9)."""

from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from homeassistant.util import dt as dt_util

from custom_components.edgehome.policy.requirement import Terms
from custom_components.edgehome.policy.rule import PolicyRule, Verdict
from tests.confirmation.household import FOR_A_WHILE, YES, Household, Person, Phone
from tests.confirmation.lasting import ASK, HEATING, back, code, grant, grants, heat
from tests.real_home import AgentAccess, add_agent, proposing


class Clock:
    """The time by which grants end."""

    def __init__(self) -> None:
        self.now = dt_util.utcnow()

    def utcnow(self) -> Any:
        return self.now


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A clock that stands still."""
    clock = Clock()
    with patch("custom_components.edgehome.confirmation.lasting.dt_util", SimpleNamespace(utcnow=clock.utcnow)):
        yield clock


@pytest.fixture
async def ada(house: Household) -> Phone:
    """The phone of the one approver; everything is asked."""
    await house.rules(ASK)
    return await house.approver_with_phone("Ada")


async def test_story(house: Household, agent: AgentAccess, olga: Person, ada: Phone) -> None:
    """After the first deed equal and narrower wishes pass, are counted, and the owner reads who granted them."""
    answer = await grant(house, agent, ada)
    traces = []
    for temperature, present in ((26, 21), (24, 21), (22, 26), (21, 26)):
        await back(house, present)
        done = await house.doors.ask(agent.token, "execute", heat(temperature))
        assert (done["outcome"], done["code"]) == ("confirmed", "DONE")
        assert house.hass.states.get(HEATING).attributes["temperature"] == temperature  # type: ignore[union-attr]  # it is there
        traces.append(done["trace_id"])
    assert [message["message"] for message in await ada.everything()] == ["clear_notification"]
    questions = house.entry.runtime_data.questions
    assert questions.grants.used(answer["trace_id"]) == 4
    trace = await house.doors.ask(olga.token, "get_trace", {"trace_id": traces[0]})
    evidence = trace["gates"][-1]["evidence"]
    person = f"Ada ({ada.person.user.id}) by companion app"
    assert evidence == {"granted_by": [person], "grant": answer["trace_id"]}
    await house.doors.ask(agent.token, "cancel", {"trace_id": answer["trace_id"]})
    notes = [note for note in await house.notes(olga, answer) if "grant" in note]
    assert notes[0].pop("until") > dt_util.utcnow().isoformat()
    assert notes == [
        {"grant": "given"},
        *({"grant": "used", "by": used} for used in traces),
        {"grant": "ended", "why": "it was taken back", "used": 4},
    ]


@pytest.mark.parametrize(
    ("wish", "outcome"),
    [
        pytest.param(heat(26), "confirmed", id="the same"),
        pytest.param(heat(24), "confirmed", id="less"),
        pytest.param(heat(27), "pending", id="more"),
        pytest.param(heat(20), "pending", id="the other way"),
        pytest.param(proposing("set_temperature", "climate.hvac", temperature=24), "confirmed", id="by its id"),
        pytest.param(proposing("turn_off", "Hvac"), "pending", id="another operation"),
        pytest.param(proposing("turn_on", "Bed Light"), "pending", id="another device"),
    ],
)
async def test_what_passes(
    house: Household, agent: AgentAccess, ada: Phone, wish: dict[str, Any], outcome: str
) -> None:
    """What is no wider passes, all else is asked as usual."""
    await grant(house, agent, ada)
    await back(house)
    assert await code(house, agent, wish) == outcome


async def test_who_passes(house: Household, agent: AgentAccess, ada: Phone) -> None:
    """Another agent's wish is asked; so is one of the owner's."""
    apollo = await add_agent(house.hass, house.entry, "Apollo")
    await grant(house, agent, ada)
    await back(house)
    assert await code(house, apollo, heat(24)) == "pending"
    assert await code(house, agent, heat(24)) == "confirmed"


async def test_yes_is_once(house: Household, agent: AgentAccess, ada: Phone) -> None:
    """A plain yes lets nothing else pass."""
    answer = await house.ask(agent.token, heat(26))
    await ada.tap(await ada.question(), YES)
    assert await house.ended(answer) == ("confirmed", "DONE")
    await back(house)
    assert (grants(house), await code(house, agent, heat(26))) == (0, "pending")


@pytest.mark.parametrize(
    ("seconds", "outcome"),
    [
        pytest.param(599, "confirmed", id="within ten minutes"),
        pytest.param(600, "pending", id="after ten minutes"),
    ],
)
async def test_time(
    house: Household, agent: AgentAccess, olga: Person, ada: Phone, clock: Clock, seconds: float, outcome: str
) -> None:
    """It holds for ten minutes, used or not."""
    answer = await grant(house, agent, ada)
    await back(house)
    clock.now += timedelta(seconds=seconds)
    assert await code(house, agent, heat(26)) == outcome
    ended = [note for note in await house.notes(olga, answer) if note.get("grant") == "ended"]
    assert [note["why"] for note in ended] == ["its time is over"] * (outcome == "pending")


@pytest.mark.parametrize("end", ["no", "expired", "cancelled"])
async def test_nothing_came_of_it(house: Household, agent: AgentAccess, ada: Phone, end: str) -> None:
    """A question that ended without a deed grants nothing, whatever is tapped afterwards."""
    answer = await house.ask(agent.token, heat(26))
    question = await ada.question()
    if end == "no":
        await ada.tap(question, 1)
    elif end == "cancelled":
        await house.doors.ask(agent.token, "cancel", {"trace_id": answer["trace_id"]})
    else:
        await house.later(121)
        await house.later(121)
    assert (await house.ended(answer))[0] == "cancelled"
    await ada.tap(question, FOR_A_WHILE)
    assert grants(house) == 0


async def test_superseded(house: Household, agent: AgentAccess, ada: Phone) -> None:
    """A yes for a while to a plan that is not the same any more does nothing and grants nothing."""
    answer = await house.ask(agent.token, heat(26))
    question = await ada.question()
    await house.rules(PolicyRule(id="no", risk=(1, 5), verdict=Verdict.DENY))
    await ada.tap(question, FOR_A_WHILE)
    assert (await house.ended(answer))[0] != "confirmed"
    assert grants(house) == 0


async def test_stricter_rule(house: Household, agent: AgentAccess, ada: Phone) -> None:
    """A rule that is put in force past all listeners is still the one that counts: a PIN is wanted now."""
    await grant(house, agent, ada)
    await back(house)
    house.entry.runtime_data.house.settings.policy.__dict__.pop("digest", None)
    strict = PolicyRule(id="pin", risk=(1, 5), verdict=Verdict.CONFIRM, terms=Terms(pin=True))
    with patch.object(type(house.entry.runtime_data.house.settings.policy), "speaking", lambda *_: iter([strict])):
        answer = await house.doors.ask(agent.token, "execute", heat(26))
    assert (answer["outcome"], answer["code"]) == ("blocked", "PIN_NOT_SET")


async def test_end_is_always_noted(house: Household, agent: AgentAccess, olga: Person, ada: Phone) -> None:
    """However often it was used, the owner reads how it ended and how often it was used."""
    answer = await grant(house, agent, ada)
    questions = house.entry.runtime_data.questions
    for _ in range(120):
        questions.use(answer["trace_id"], questions._recent[answer["trace_id"]])
    questions.cancel(answer["trace_id"])
    ended = [note for note in await house.notes(olga, answer) if note.get("grant") == "ended"]
    assert [note["used"] for note in ended] == [120]
