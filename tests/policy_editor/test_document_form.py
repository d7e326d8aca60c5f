"""The policy as text: copied out, pasted in, by people's names, and in the form of an allow-list."""

from typing import Any

import pytest
import yaml
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.policy.presets import PRESETS
from tests.confirmation.household import Household, Person
from tests.policy_editor.forms import (
    asks_to_widen,
    in_force,
    opened,
    put_in_force,
    rules_in_force,
    save,
    sent,
    suggested,
)
from tests.real_home import AgentAccess, Doors, add_agent, proposing

OFF, ON = proposing("turn_off", "Kitchen Lights"), proposing("turn_on", "Kitchen Lights")
LOCK_STATUS = proposing("status", "Front Door")
EVERYTHING: list[dict[str, Any]] = [
    {
        "id": "night",
        "verdict": "confirm",
        "name": "At night: ask »loudly«",
        "operations": ["turn_off", "turn_on"],
        "effects": ["adjust"],
        "device_types": ["light", "outlet"],
        "risk": [1, 3],
        "areas": ["Kitchen"],
        "entities": ["light.kitchen_lights", "light.bed_light"],
        "weekdays": ["sat", "sun"],
        "from": "22:30",
        "to": "06:00",
        "somebody_home": False,
        "states": [{"entity": "lock.front_door", "states": ["locked", "off"]}],
        "conditions": [{"condition": "numeric_state", "entity_id": "sensor.outside", "below": 5}],
        "seconds": 45,
        "pin": True,
    },
    {"id": "sum", "verdict": "allow", "tool": "calculator", "input": {"expression": "1+1", "deep": {"a": [1, None]}}},
    {"id": "rest", "verdict": "deny", "name": "Nothing else"},
]


async def text_of(hass: HomeAssistant, entry: MockConfigEntry) -> str:
    """The policy in force, as the form shows it."""
    text: str = suggested(await opened(hass, entry, "document"))["document"]
    return text


async def pasted(hass: HomeAssistant, entry: MockConfigEntry, text: str) -> Any:
    """The form that comes after a document was pasted in."""
    return await sent(hass, await opened(hass, entry, "document"), {"document": text})


async def take(hass: HomeAssistant, entry: MockConfigEntry, text: str) -> None:
    """Pastes a document in and saves it."""
    await save(hass, await pasted(hass, entry, text))


def subentry_ids(entry: ConfigEntry) -> dict[str, str]:
    """Ids of what the owner has added, by name."""
    return {one.title: one.subentry_id for one in entry.subentries.values()}


@pytest.mark.parametrize("preset", PRESETS)
async def test_a_preset_copied_out_and_in(hass: HomeAssistant, home: MockConfigEntry, preset: str) -> None:
    """A preset that is copied out and pasted in again is that preset."""
    await save(hass, await sent(hass, await opened(hass, home, "preset"), {"preset": preset}))
    text = await text_of(hass, home)
    assert yaml.safe_load(text)["name"] == preset
    review = await pasted(hass, home, text)
    assert not asks_to_widen(review)
    await save(hass, review)
    assert home.runtime_data.house.policy() is PRESETS[preset]
    assert home.options["preset"] == preset


async def test_own_rules_copied_out_and_in(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """What is copied out says everything as it was written, and pasted in again changes nothing."""
    await put_in_force(hass, home, *EVERYTHING)
    before = home.runtime_data.house.policy()
    text = await text_of(hass, home)
    assert yaml.safe_load(text) == {"version": 1, "name": "mine", "rules": EVERYTHING}
    assert rules_in_force(home)[0]["areas"] == ["kitchen"]
    assert "»loudly«" in text
    review = await pasted(hass, home, text)
    assert not asks_to_widen(review)
    await save(hass, review)
    assert home.runtime_data.house.policy() == before
    assert [one.number for one in await home.runtime_data.book.async_versions()] == [2, 1]


async def test_entities_are_kept_by_the_registry(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Entities are shown by their entity ids and kept by the registry's own."""
    await put_in_force(hass, home, {"id": "a", "verdict": "deny", "entities": ["light.kitchen_lights", "sun.sun"]})
    entry = er.async_get(hass).async_get("light.kitchen_lights")
    assert entry is not None
    assert rules_in_force(home)[0]["entities"] == [entry.id, "sun.sun"]
    assert yaml.safe_load(await text_of(hass, home))["rules"][0]["entities"] == ["light.kitchen_lights", "sun.sun"]


async def test_yaml_as_people_write_it(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Times and states without quotes are taken for what is meant, one word for a list of one."""
    text = """
rules:
  - verdict: deny
    operations: turn_off
    from: 22:30
    to: 24:00
    weekdays: mon
    risk: 1
    states: {entity: light.bed_light, states: on}
"""
    await take(hass, home, text)
    assert in_force(home) == {
        "version": 1,
        "name": "own",
        "rules": [
            {
                "id": "deny_turn_off",
                "verdict": "deny",
                "operations": ["turn_off"],
                "from": "22:30",
                "to": "00:00",
                "weekdays": ["mon"],
                "risk": [1, 1],
                "states": [{"entity": "light.bed_light", "states": ["on"]}],
            }
        ],
    }
    await take(hass, home, "rules: [{verdict: deny, states: [{entity: light.bed_light, states: [on, off, yes]}]}]")
    assert rules_in_force(home)[0]["states"] == [{"entity": "light.bed_light", "states": ["on", "off", "on"]}]


async def test_agents_by_name(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """A document calls agents by their names; what is kept is who they are, whatever they are called later."""
    other = await add_agent(hass, home, "Apollo")
    await put_in_force(
        hass,
        home,
        {"id": "not_apollo", "verdict": "deny", "agents": "Apollo"},
        {"id": "all", "verdict": "allow", "operations": ["turn_off", "turn_on"], "agents": ["Apollo", "Hermes"]},
    )
    ids = subentry_ids(home)
    assert [rule["agents"] for rule in rules_in_force(home)] == [[ids["Apollo"]], [ids["Apollo"], ids["Hermes"]]]
    assert (await doors.ask(other.token, "execute", OFF))["code"] == "POLICY_DENIED"
    assert (await doors.ask(agent.token, "execute", OFF))["code"] == "DONE"
    subentry = home.subentries[other.id]
    hass.config_entries.async_update_subentry(home, subentry, title="Zeus")
    await hass.async_block_till_done()
    assert (await doors.ask(other.token, "execute", OFF))["code"] == "POLICY_DENIED"
    rules = yaml.safe_load(await text_of(hass, home))["rules"]
    assert [rule["agents"] for rule in rules] == [["Zeus"], ["Zeus", "Hermes"]]


async def test_approvers_by_name(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, house: Household, ada: Person
) -> None:
    """A document calls approvers by their names; only who is named may say yes."""
    ben = await house.approver("Ben", page_suffices=True)
    await put_in_force(
        hass, home, {"id": "ask", "verdict": "confirm", "operations": "turn_off", "approvers": "Ben", "seconds": 20}
    )
    assert rules_in_force(home)[0]["approvers"] == [ben.subentry_id]
    assert yaml.safe_load(await text_of(hass, home))["rules"][0]["approvers"] == ["Ben"]
    await house.ask(agent.token, OFF)
    questions = home.runtime_data.questions
    assert len(questions.questions_for(ben.user.id)) == 1
    assert questions.questions_for(ada.user.id) == ()


async def test_names_that_nobody_has(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess) -> None:
    """A name that nobody has stays as it is, and the review tells of it; the automations are called so."""
    rule = {"id": "a", "verdict": "deny", "agents": ["Nobody", "automation"]}
    text = yaml.safe_dump({"name": "mine", "rules": [rule]})
    review = await pasted(hass, home, text)
    assert "names what is not there: agents: Nobody." in review["description_placeholders"]["review"]
    await save(hass, review)
    assert rules_in_force(home) == [rule]
    assert yaml.safe_load(await text_of(hass, home))["rules"] == [rule]


async def test_allow_list(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """An allow-list is a policy: what it names is allowed there, everything else is denied."""
    text = """
version: 1
allowed_services:
  - service: light.turn_on
    target: {entity_id: light.kitchen_lights}
  - service: light.turn_off
    target: {area_id: [bedroom, living_room]}
  - lock.unlock
allowed_tools: [{tool: calculator, input: {expression: 1+1}}]
"""
    review = await pasted(hass, home, text)
    assert asks_to_widen(review)
    await save(hass, review)
    codes = {
        "on": ON,
        "off": OFF,
        "off elsewhere": proposing("turn_off", "Ceiling Lights"),
        "unlock": proposing("unlock", "Front Door"),
        "lock": proposing("lock", "Front Door"),
        "read": LOCK_STATUS,
    }
    found = {name: (await doors.ask(agent.token, "execute", payload))["code"] for name, payload in codes.items()}
    assert found == {
        "on": "ALREADY_SO",
        "off": "POLICY_DENIED",
        "off elsewhere": "DONE",
        "unlock": "DONE",
        "lock": "POLICY_DENIED",
        "read": "POLICY_DENIED",
    }
    assert in_force(home)["name"] == "allow-list"
    assert [rule["id"] for rule in rules_in_force(home)] == [
        "light_turn_on",
        "light_turn_off",
        "lock_unlock",
        "calculator",
    ]


async def test_allow_list_copied_out(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A policy that came as an allow-list is copied out in EdgeHome's own form, which means the same."""
    await take(hass, home, "{name: short, allowed_services: [status, cover.open_cover], allowed_tools: [calculator]}")
    before = home.runtime_data.house.policy()
    text = await text_of(hass, home)
    assert yaml.safe_load(text).keys() == {"version", "name", "rules"}
    await take(hass, home, text)
    assert home.runtime_data.house.policy() == before


async def test_names_that_two_have(hass: HomeAssistant, home: MockConfigEntry, house: Household) -> None:
    """Where an agent and an approver have one name, the text keeps their ids: pasted in again nothing changes."""
    agent = await add_agent(hass, home, "Ada")
    await house.approver("Ada", page_suffices=True)
    await put_in_force(hass, home, {"id": "mine", "verdict": "deny", "agents": [agent.id]})
    before = home.runtime_data.house.policy()
    text = suggested(await opened(hass, home, "document"))["document"]
    await save(hass, await sent(hass, await opened(hass, home, "document"), {"document": text}))
    assert home.runtime_data.house.policy() == before
