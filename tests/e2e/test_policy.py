"""The owner's own policy on a real Home Assistant: an allow-list, time and home, tools, watching; and who may write it."""

from typing import Any

import pytest

from tests.e2e.test_callers import long_lived_token
from tests.house.client import Client
from tests.house.demo_home import OPTIONS, DemoHome

ON, OFF = (
    {"intent": "turn_on", "device_alias": "Bed Light"},
    {"intent": "turn_off", "device_alias": "Bed Light"},
)
LIST = """
version: 1
allowed_services:
- light.turn_on
- service: lock.lock
  target: {entity_id: [lock.front_door]}
allowed_tools: [calculator, {tool: weather, input: {city: Bern}}]
"""
PARTY = """
rules:
- {id: party, verdict: deny, device_types: light, states: [{entity: switch.ac, states: [on]}]}
- {id: cold, verdict: deny, device_types: light, conditions: [{condition: state, entity_id: switch.decorative_lights, state: 'off'}]}
- {id: rest, verdict: allow}
"""

pytestmark = pytest.mark.e2e


def simulated(home: DemoHome, **wanted: object) -> dict[str, Any]:
    """What the owner is told about a wish."""
    return home.owner.edgehome("simulate", **wanted)


def lamp(home: DemoHome) -> str:
    """Whether the lamp is on."""
    state = home.owner.state("light.bed_light")
    assert state
    return str(state["state"])


def test_allow_list(own_home: DemoHome) -> None:
    """What is listed is done, all else is denied: other operations, other entities, other tools, other input."""
    agent, _ = own_home.add_agent("Hermes")
    review = own_home.change_policy("document", {"document": LIST})
    assert "More would be let through" in review["description_placeholders"]["review"]
    assert (
        agent.execute({"intent": "set_brightness", "device_alias": "Bed Light", "params": {"brightness": 40}})["code"]
        == "DONE"
    )
    denied = agent.execute(OFF)
    assert denied["code"] == "POLICY_DENIED"
    assert "no rule of the policy mentions it" in denied["message"]
    assert agent.execute({"intent": "lock", "device_alias": "Front Door"})["code"] in {"DONE", "ALREADY_SO"}
    assert agent.execute({"intent": "lock", "device_alias": "Kitchen Door"})["code"] in {"POLICY_DENIED", "NOT_EXPOSED"}
    assert agent.execute({"intent": "status", "device_alias": "Bed Light"})["code"] == "POLICY_DENIED"
    assert simulated(own_home, agent="Hermes", tool="calculator")["would"] == "execute"
    assert simulated(own_home, agent="Hermes", tool="weather", input={"city": "Bern"})["would"] == "execute"
    assert simulated(own_home, agent="Hermes", tool="weather", input={"city": "Rome"})["would"] == "refuse"
    assert simulated(own_home, agent="Hermes", tool="shell")["message"] == "tool shell is not on the allow-list"


def test_home_decides(own_home: DemoHome) -> None:
    """Rules that depend on the home: an entity's state, and a condition in Home Assistant's own words."""
    agent, _ = own_home.add_agent("Hermes")
    own_home.change_policy("document", {"document": PARTY})
    switch = own_home.owner.call
    assert switch("switch.turn_off", {"entity_id": "switch.ac"}).ok
    assert switch("switch.turn_on", {"entity_id": "switch.decorative_lights"}).ok
    assert agent.execute(OFF)["code"] in {"DONE", "ALREADY_SO"}
    assert switch("switch.turn_on", {"entity_id": "switch.ac"}).ok
    assert "'party'" in agent.execute(ON)["message"]
    assert switch("switch.turn_off", {"entity_id": "switch.ac"}).ok
    assert switch("switch.turn_off", {"entity_id": "switch.decorative_lights"}).ok
    assert "'cold'" in agent.execute(ON)["message"]
    assert switch("switch.turn_on", {"entity_id": "switch.decorative_lights"}).ok
    assert agent.execute(ON)["code"] == "DONE"
    assert own_home.process.complaints() == []


def test_watching(own_home: DemoHome) -> None:
    """While the owner only watches everything ends as a preview and nothing is called."""
    agent, _ = own_home.add_agent("Hermes")
    form = {
        "automations": False,
        "watch": True,
        "approvals": {"seconds": 120, "escalate_after": 30, "two_people": False},
        "flags": {"template": "block", "control": "block", "backend": "block", "injection": "note"},
    }
    own_home.owner.flow(OPTIONS, {"handler": own_home.entry_id}, {"next_step_id": "settings"}, form)
    before = lamp(own_home)
    wish = ON if before == "off" else OFF
    answer = agent.execute(wish)
    assert (answer["outcome"], answer["code"]) == ("dry_run", "PREVIEW")
    assert "only watches" in answer["hint"]
    assert agent.execute({"intent": "open", "device_alias": "Garage Door"})["outcome"] == "dry_run"
    assert lamp(own_home) == before
    own_home.owner.flow(OPTIONS, {"handler": own_home.entry_id}, {"next_step_id": "settings"}, form | {"watch": False})
    assert agent.execute(wish)["code"] == "DONE"


def test_not_with_a_long_lived_token(own_home: DemoHome) -> None:
    """An agent that was given an administrator's token cannot write its own rules (R15)."""
    stranger: Client = long_lived_token(own_home.owner, "some agent")
    document = "rules: [{verdict: allow}]"
    start = {"handler": own_home.entry_id}
    review = stranger.flow(OPTIONS, start, {"next_step_id": "document"}, {"document": document})
    ended = stranger.post(f"{OPTIONS}/{review['flow_id']}", {"widen": True})
    assert (ended["type"], ended["reason"]) == ("abort", "own_session_only")
    agent, _ = own_home.add_agent("Hermes")
    assert agent.execute({"intent": "unlock", "device_alias": "Front Door"})["code"] == "POLICY_DENIED"


def test_scripts_and_scenes_are_no_way_round(own_home: DemoHome) -> None:
    """What must not be set is not set by a script or scene either, under whatever name (R5)."""
    agent, _ = own_home.add_agent("Hermes")
    lamp = "light.bed_light"
    step = {"action": "light.turn_on", "target": {"entity_id": lamp}, "data": {"brightness": 30}}
    own_home.owner.post("/api/config/script/config/dims", {"alias": "Dims", "sequence": [step]})
    scene = {"scene_id": "evening", "entities": {lamp: {"state": "on", "brightness": 30}}}
    assert own_home.owner.call("scene.create", scene).ok
    for entity_id in ("script.dims", "scene.evening"):
        own_home.wait_for(entity_id)
    own_home.expose("script.dims", "scene.evening")
    rules = "rules: [{verdict: deny, operations: set_brightness}, {verdict: allow}]"
    own_home.change_policy("document", {"document": rules})
    assert (
        agent.execute({"intent": "set_brightness", "device_alias": lamp, "params": {"brightness": 30}})["code"]
        == "POLICY_DENIED"
    )
    assert agent.execute({"intent": "run", "device_alias": "script.dims"})["code"] == "POLICY_DENIED"
    assert agent.execute({"intent": "activate", "device_alias": "scene.evening"})["code"] == "POLICY_DENIED"
    assert agent.execute({"intent": "turn_on", "device_alias": lamp})["code"] in {"DONE", "ALREADY_SO"}
