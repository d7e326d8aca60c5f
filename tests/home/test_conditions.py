"""Rules with conditions in Home Assistant's own words: Home Assistant says whether they are met, and doubt is strict (R2)."""

import json
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.const import EVENT_HOMEASSISTANT_STARTED
from homeassistant.core import CoreState, HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.const import DOMAIN
from custom_components.edgehome.home.conditions import Conditions, async_prepared
from tests.policy_editor.forms import put_in_force
from tests.real_home import AgentAccess, Doors, proposing

OFF = proposing("turn_off", "Kitchen Lights") | {"dry_run": True}
SENSOR, SWITCH = "sensor.outside", "input_boolean.holiday"
COLD: dict[str, Any] = {"condition": "numeric_state", "entity_id": SENSOR, "below": 5}
HOLIDAY: dict[str, Any] = {"condition": "state", "entity_id": SWITCH, "state": "on"}
GONE: dict[str, Any] = {"condition": "state", "entity_id": "sensor.gone", "state": "on"}
TEMPLATE: dict[str, Any] = {"condition": "template", "value_template": "{{ states('sensor.outside') | float < 5 }}"}
REST: dict[str, Any] = {"id": "rest", "verdict": "allow"}


def both(*conditions: dict[str, Any]) -> dict[str, Any]:
    """All of these."""
    return {"condition": "and", "conditions": list(conditions)}


def either(*conditions: dict[str, Any]) -> dict[str, Any]:
    """Any of these."""
    return {"condition": "or", "conditions": list(conditions)}


def raw(condition: dict[str, Any]) -> str:
    """A condition as the policy keeps it."""
    return json.dumps(condition, sort_keys=True, ensure_ascii=False)


MET, NOT_MET, UNTOLD = True, False, None
TABLE = [
    pytest.param(COLD, {SENSOR: "3"}, MET, id="a number below"),
    pytest.param(COLD, {SENSOR: "7"}, NOT_MET, id="a number above"),
    pytest.param(COLD, {}, UNTOLD, id="a number of nothing"),
    pytest.param(COLD, {SENSOR: "cold"}, UNTOLD, id="no number"),
    pytest.param(COLD, {SENSOR: "unavailable"}, UNTOLD, id="a number that is unavailable"),
    pytest.param(COLD, {SENSOR: "unknown"}, UNTOLD, id="a number that is unknown"),
    pytest.param(HOLIDAY, {SWITCH: "unavailable"}, UNTOLD, id="a state that is unavailable"),
    pytest.param({**COLD, "below": "sensor.limit"}, {SENSOR: "3"}, UNTOLD, id="a limit that is nowhere"),
    pytest.param(HOLIDAY, {SWITCH: "on"}, MET, id="a state"),
    pytest.param(HOLIDAY, {SWITCH: "off"}, NOT_MET, id="another state"),
    pytest.param(GONE, {}, UNTOLD, id="the state of nothing"),
    pytest.param(TEMPLATE, {SENSOR: "3"}, MET, id="a template"),
    pytest.param(TEMPLATE, {SENSOR: "7"}, NOT_MET, id="a template that says no"),
    pytest.param(TEMPLATE, {SENSOR: "cold"}, UNTOLD, id="a template that fails"),
    pytest.param(TEMPLATE, {}, UNTOLD, id="a template about nothing"),
    pytest.param(
        {"condition": "template", "value_template": "{{ 1 / 0 }}"}, {}, UNTOLD, id="a template that divides by zero"
    ),
    pytest.param(both(COLD, HOLIDAY), {SENSOR: "3", SWITCH: "on"}, MET, id="both"),
    pytest.param(both(COLD, HOLIDAY), {SENSOR: "3", SWITCH: "off"}, NOT_MET, id="one of both"),
    pytest.param(both(COLD, GONE), {SENSOR: "3"}, UNTOLD, id="both, and one is not told"),
    pytest.param(both(COLD, GONE), {SENSOR: "7"}, UNTOLD, id="both, and one that is told is not"),
    pytest.param(either(COLD, HOLIDAY), {SENSOR: "3", SWITCH: "off"}, MET, id="either"),
    pytest.param(either(COLD, HOLIDAY), {SENSOR: "7", SWITCH: "off"}, NOT_MET, id="neither"),
    pytest.param(either(COLD, GONE), {SENSOR: "3"}, UNTOLD, id="either, and one that is told is"),
    pytest.param(either(COLD, GONE), {SENSOR: "7"}, UNTOLD, id="either, and one is not told"),
    pytest.param({"condition": "not", "conditions": [HOLIDAY]}, {SWITCH: "off"}, MET, id="not so"),
    pytest.param({"condition": "not", "conditions": [GONE]}, {}, UNTOLD, id="not what is not told"),
    pytest.param(
        {"and": [COLD, {"or": [HOLIDAY, HOLIDAY]}]}, {SENSOR: "3", SWITCH: "on"}, MET, id="in each other, short"
    ),
    pytest.param({**HOLIDAY, "enabled": False}, {SWITCH: "on"}, UNTOLD, id="switched off"),
]


@pytest.mark.parametrize(("condition", "states", "met"), TABLE)
@pytest.mark.parametrize("verdict", ["deny", "allow"])
async def test_asked_of_home_assistant(
    hass: HomeAssistant,
    home: MockConfigEntry,
    agent: AgentAccess,
    doors: Doors,
    condition: dict[str, Any],
    states: dict[str, str],
    met: bool | None,
    verdict: str,
) -> None:
    """A rule speaks where its condition is met, and not where it is not; where that cannot be told the strictest counts."""
    for entity_id, state in states.items():
        hass.states.async_set(entity_id, state)
    rest = {**REST, "verdict": "deny" if verdict == "allow" else "allow"}
    rule = {"id": "sometimes", "verdict": verdict, "conditions": [condition]}
    await put_in_force(hass, home, rule, rest)
    assert home.runtime_data.house.meets(raw(condition)) is met
    answer = await doors.ask(agent.token, "execute", OFF)
    decides = {True: verdict, False: rest["verdict"], None: "deny"}[met]
    assert answer["code"] == {"allow": "PREVIEW", "deny": "POLICY_DENIED"}[decides]


async def test_followed(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """Every request is judged by how things are then."""
    await put_in_force(hass, home, {"id": "cold", "verdict": "deny", "conditions": [COLD]}, REST)
    codes = []
    for state in ("3", "7", "cold", "4.9", "5"):
        hass.states.async_set(SENSOR, state)
        codes.append((await doors.ask(agent.token, "execute", OFF))["code"])
    assert codes == ["POLICY_DENIED", "PREVIEW", "POLICY_DENIED", "POLICY_DENIED", "PREVIEW"]


async def test_found_devices(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A condition of a device, which names its entity by the registry's own id, is told like any other."""
    entry = er.async_get(hass).async_get("light.kitchen_lights")
    assert entry is not None
    is_on = {
        "condition": "device",
        "domain": "light",
        "type": "is_on",
        "device_id": entry.device_id,
        "entity_id": entry.id,
    }
    await put_in_force(hass, home, {"id": "on", "verdict": "deny", "conditions": [is_on]}, REST)
    house, target = home.runtime_data.house, {"entity_id": "light.kitchen_lights"}
    assert house.meets(raw(is_on)) is True
    await hass.services.async_call("light", "turn_off", target, blocking=True)
    assert house.meets(raw(is_on)) is False


async def test_all_of_a_rule(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """A rule with several conditions speaks where all of them are met."""
    await put_in_force(hass, home, {"id": "both", "verdict": "deny", "conditions": [COLD, HOLIDAY]}, REST)
    codes = {}
    for cold, holiday in (("3", "on"), ("3", "off"), ("7", "on"), ("7", "off")):
        hass.states.async_set(SENSOR, cold)
        hass.states.async_set(SWITCH, holiday)
        codes[cold, holiday] = (await doors.ask(agent.token, "execute", OFF))["code"]
    assert [key for key, code in codes.items() if code == "POLICY_DENIED"] == [("3", "on")]


@pytest.mark.usefixtures("core")
async def test_sun(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """The sun is where Home Assistant says."""
    await hass.config.async_set_time_zone("UTC")
    hass.config.latitude, hass.config.longitude = 0.0, 0.0
    day = {"condition": "sun", "after": "sunrise", "before": "sunset"}
    night = {"condition": "not", "conditions": [day]}
    conditions = Conditions(hass)
    await conditions.async_load([raw(day), raw(night)])
    for time, is_day in (("12:00", True), ("23:00", False), ("03:00", False), ("09:00", True)):
        freezer.move_to(f"2027-03-21 {time}:00+00:00")
        assert (conditions.meets(raw(day)), conditions.meets(raw(night))) == (is_day, not is_day)
    conditions.async_unload()


async def test_prepared_again(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """After a change the conditions of the policy in force are ready, and no others are kept; what stays is not made anew."""
    hass.states.async_set(SENSOR, "3")
    hass.states.async_set(SWITCH, "on")
    house, kept = home.runtime_data.house, home.runtime_data.conditions._checkers
    await put_in_force(hass, home, {"id": "a", "verdict": "deny", "conditions": [COLD, HOLIDAY]}, REST)
    assert (house.meets(raw(COLD)), house.meets(raw(HOLIDAY))) == (True, True)
    cold, holiday = kept[raw(COLD)], kept[raw(HOLIDAY)]
    await put_in_force(hass, home, {"id": "a", "verdict": "deny", "conditions": [COLD, TEMPLATE]}, REST)
    assert [house.meets(raw(one)) for one in (COLD, TEMPLATE, HOLIDAY)] == [True, True, None]
    assert kept.keys() == {raw(COLD), raw(TEMPLATE)}
    assert kept[raw(COLD)] is cold
    assert (holiday._unloaded, cold._unloaded) == (True, False)
    await put_in_force(hass, home, REST)
    assert (kept, cold._unloaded) == ({}, True)


async def test_unloaded(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """With EdgeHome its conditions end, and with the next start they are there again."""
    hass.states.async_set(SENSOR, "3")
    await put_in_force(hass, home, {"id": "a", "verdict": "deny", "conditions": [COLD, TEMPLATE]}, REST)
    house, checkers = home.runtime_data.house, list(home.runtime_data.conditions._checkers.values())
    assert await hass.config_entries.async_unload(home.entry_id)
    assert [one._unloaded for one in checkers] == [True, True]
    assert house.meets(raw(COLD)) is None
    assert await hass.config_entries.async_setup(home.entry_id)
    await hass.async_block_till_done()
    assert home.runtime_data.house is not house
    assert home.runtime_data.house.meets(raw(COLD)) is True


async def test_while_home_assistant_starts(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Until Home Assistant has started nothing is known of conditions: what they are about may not be there yet."""
    hass.states.async_set(SENSOR, "3")
    await put_in_force(hass, home, {"id": "a", "verdict": "deny", "conditions": [COLD]}, REST)
    assert await hass.config_entries.async_unload(home.entry_id)
    hass.set_state(CoreState.starting)
    assert await hass.config_entries.async_setup(home.entry_id)
    await hass.async_block_till_done()
    assert home.runtime_data.house.meets(raw(COLD)) is None
    hass.set_state(CoreState.running)
    hass.bus.async_fire(EVENT_HOMEASSISTANT_STARTED)
    await hass.async_block_till_done()
    assert home.runtime_data.house.meets(raw(COLD)) is True


async def test_what_cannot_be_prepared(
    hass: HomeAssistant, home: MockConfigEntry, caplog: pytest.LogCaptureFixture
) -> None:
    """A condition that Home Assistant does not know is told in the log; the others are ready all the same."""
    hass.states.async_set(SENSOR, "3")
    conditions = Conditions(hass)
    await conditions.async_load([raw({"condition": "nonsense"}), "no JSON {", raw(COLD), raw({"condition": "state"})])
    assert [conditions.meets(one) for one in (raw(COLD), "no JSON {", "never wanted")] == [True, None, None]
    told = [record for record in caplog.records if record.name.startswith(f"custom_components.{DOMAIN}")]
    assert len([one for one in told if "cannot be used" in one.getMessage()]) == 3
    conditions.async_unload()
    assert conditions.meets(raw(COLD)) is None


async def test_prepared(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A condition that is ready can be looked at as often as one likes."""
    checker = await async_prepared(hass, raw(COLD))
    hass.states.async_set(SENSOR, "3")
    assert checker.async_check() is True
    hass.states.async_set(SENSOR, "7")
    assert checker.async_check() is False
    checker.async_unload()
