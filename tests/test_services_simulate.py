"""``edgehome.simulate`` over Home Assistant's real doors."""

from dataclasses import replace
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.policy.rule import HomeCondition, PolicyRule, Verdict
from custom_components.edgehome.policy.table import PolicyTable
from tests.real_home import AgentAccess, Doors, add_user, owner_token, proposing

GARAGE = proposing("open", "Garage Door")


async def test_for_an_agent(hass: HomeAssistant, agent: AgentAccess, doors: Doors, home: MockConfigEntry) -> None:
    """The owner sees what an agent would get; nothing is done, and no trace is kept."""
    owner = await owner_token(hass)
    before = {state.entity_id: state.state for state in hass.states.async_all()}
    told = await doors.ask(owner, "simulate", {"agent": "hermes", **proposing("turn_off", "Kitchen Lights")})
    assert told["would"] == "execute"
    assert told["plan"]["actions"][0]["service"] == "light.turn_off"
    told = await doors.ask(owner, "simulate", {"agent": "Hermes", **GARAGE})
    assert (told["would"], told["code"]) == ("refuse", "NO_APPROVER")
    states = {"cover.garage_door": {"state": "open"}}
    told = await doors.ask(owner, "simulate", {"agent": "Hermes", "states": states, **GARAGE})
    assert told["would"] == "no_change"
    assert {state.entity_id: state.state for state in hass.states.async_all()} == before
    assert await home.runtime_data.evidence.latest(agent.id, 5) == ()


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        pytest.param({"agent": "Nobody"}, "AGENT_UNKNOWN", id="no such agent"),
        pytest.param({"agent": 5}, "AGENT_UNKNOWN", id="no name"),
        pytest.param({"states": []}, "SCHEMA", id="no states"),
        pytest.param({"states": {"light.a": "on"}}, "SCHEMA", id="no state"),
        pytest.param({"nothing": 1}, "SCHEMA", id="no proposal"),
        pytest.param({"time": "tomorrow"}, "SCHEMA", id="no time"),
        pytest.param({"time": 1830}, "SCHEMA", id="a number"),
        pytest.param({"time": "2026-12-24T18:30+01:00"}, "SCHEMA", id="the time of another place"),
        pytest.param({"somebody_home": "yes"}, "SCHEMA", id="neither home nor away"),
        pytest.param({"speaker": "Nobody"}, "SCHEMA", id="nobody of this name"),
        pytest.param({"speaker": ["Ada"]}, "SCHEMA", id="no name of a person"),
        pytest.param({"origin": "Attic"}, "AREA_NOT_FOUND", id="no such room"),
        pytest.param({"origin": 5}, "AREA_NOT_FOUND", id="no name of a room"),
        pytest.param({"tool": " "}, "SCHEMA", id="no tool"),
        pytest.param({"tool": "calculator", "input": "2 + 2"}, "SCHEMA", id="no input"),
    ],
)
async def test_refused(
    hass: HomeAssistant, home: MockConfigEntry, doors: Doors, payload: dict[str, Any], code: str
) -> None:
    """What is wrong is said with its field."""
    told = await doors.ask(await owner_token(hass), "simulate", payload)
    assert told["code"] == code
    assert told["hint"]


@pytest.mark.parametrize(
    ("speaker", "origin", "would"),
    [
        pytest.param(None, None, "execute", id="nobody"),
        pytest.param("Ben", None, "refuse", id="by name"),
        pytest.param("id", None, "refuse", id="by id"),
        pytest.param(None, "kitchen", "refuse", id="in a room"),
        pytest.param(None, "Bedroom", "execute", id="in another room"),
    ],
)
async def test_who_speaks_and_where(
    hass: HomeAssistant,
    home: MockConfigEntry,
    agent: AgentAccess,
    doors: Doors,
    speaker: str | None,
    origin: str | None,
    would: str,
) -> None:
    """Rules by speaker and room are tried out without anybody speaking."""
    ben = await add_user(hass, "Ben", GROUP_ID_USER)
    rules = (
        PolicyRule(id="ben", verdict=Verdict.DENY, speakers=(ben.id,)),
        PolicyRule(id="kitchen", verdict=Verdict.DENY, origins=("kitchen",)),
        PolicyRule(id="rest", verdict=Verdict.ALLOW),
    )
    house = home.runtime_data.house
    house.owner_changed(replace(house.settings, policy=PolicyTable(name="made", rules=rules)))
    told = {"speaker": ben.id if speaker == "id" else speaker, "origin": origin}
    payload = {**{name: value for name, value in told.items() if value}, **proposing("turn_off", "Kitchen Lights")}
    answer = await doors.ask(await owner_token(hass), "simulate", {"agent": "Hermes", **payload})
    assert answer["would"] == would


async def test_for_the_owner_only(agent: AgentAccess, doors: Doors) -> None:
    """An agent does not get to know the rules, not even its own."""
    told = await doors.ask(agent.token, "simulate", GARAGE)
    assert (told["code"], "actions" in told) == ("OWNER_ONLY", False)


NIGHT = PolicyRule(id="night", verdict=Verdict.DENY, hours=(22 * 60, 6 * 60), weekdays=(4, 5))
ALONE = PolicyRule(id="alone", verdict=Verdict.CONFIRM, home=(HomeCondition(states=("not_home",)),))
PARTY = PolicyRule(
    id="party", verdict=Verdict.DENY, home=(HomeCondition(entity_id="input_boolean.party", states=("on",)),)
)
REST = PolicyRule(id="rest", verdict=Verdict.ALLOW)
SUMS = PolicyRule(id="sums", verdict=Verdict.ALLOW, tool="calculator")
CITY = PolicyRule(id="city", verdict=Verdict.CONFIRM, tool="weather", tool_input=(("city", '"Bern"'),))


@pytest.mark.parametrize(
    ("supposed", "rule"),
    [
        pytest.param({"time": "2026-12-05T23:30", "somebody_home": True}, "night", id="saturday night"),
        pytest.param({"time": "2026-12-06T23:30", "somebody_home": True}, "rest", id="sunday night"),
        pytest.param({"time": "2026-12-05T21:59", "somebody_home": True}, "rest", id="saturday evening"),
        pytest.param({"time": "2026-12-05T12:00", "somebody_home": False}, "alone", id="nobody is home"),
        pytest.param(
            {"time": "2026-12-05T12:00", "somebody_home": True, "states": {"input_boolean.party": {"state": "on"}}},
            "party",
            id="an entity in another state",
        ),
    ],
)
async def test_supposed(
    hass: HomeAssistant, home: MockConfigEntry, doors: Doors, supposed: dict[str, Any], rule: str
) -> None:
    """Another time, somebody home or not, an entity in another state: the rule that decides then."""
    hass.states.async_set("input_boolean.party", "off")
    table = PolicyTable(name="made", rules=(NIGHT, ALONE, PARTY, REST))
    home.runtime_data.house.owner_changed(replace(home.runtime_data.house.settings, policy=table))
    payload = {**supposed, **proposing("turn_off", "Kitchen Lights")}
    told = await doors.ask(await owner_token(hass), "simulate", payload)
    assert told["actions"][0]["rule"] == rule


@pytest.mark.parametrize(
    ("payload", "would", "rule"),
    [
        pytest.param({"tool": "calculator"}, "execute", "sums", id="allowed"),
        pytest.param({"tool": "weather", "input": {"city": "Bern"}}, "ask", "city", id="with this input"),
        pytest.param({"tool": "weather", "input": {"city": "Rome"}}, "refuse", "last_row", id="with another"),
        pytest.param({"tool": "browser"}, "refuse", "last_row", id="not listed"),
    ],
)
async def test_tools(
    hass: HomeAssistant, home: MockConfigEntry, doors: Doors, payload: dict[str, Any], would: str, rule: str
) -> None:
    """A tool is allowed by rules that name it only; one that is not listed is denied (R16)."""
    table = PolicyTable(name="made", rules=(SUMS, CITY, REST))
    home.runtime_data.house.owner_changed(replace(home.runtime_data.house.settings, policy=table))
    told = await doors.ask(await owner_token(hass), "simulate", payload)
    assert (told["would"], told["rule"]) == (would, rule)
    denied = f"tool {payload['tool']} is not on the allow-list"
    assert told.get("message") == (denied if would == "refuse" else None)
