"""Who may call a real EdgeHome, what a token is good for, and what is left when EdgeHome is removed."""

import json
import subprocess

import pytest

from tests.house.client import Client
from tests.house.demo_home import DemoHome

pytestmark = pytest.mark.e2e

STATUS = {"intent": "status", "device_alias": "Front Door"}


def long_lived_token(owner: Client, name: str) -> Client:
    """A long-lived token of the administrator, as people give them to agents."""
    (token,) = owner.command({"type": "auth/long_lived_access_token", "client_name": name, "lifespan": 30})
    return Client(owner.url, token)


def test_the_owner_may_call(home: DemoHome) -> None:
    """An administrator in Home Assistant's own frontend is the owner; the policy judges him all the same."""
    assert home.owner.execute(STATUS)["outcome"] == "read"
    assert home.owner.execute({"intent": "unlock", "device_alias": "Front Door"})["code"] == "POLICY_DENIED"


def test_an_administrators_long_lived_token_is_no_owner(home: DemoHome) -> None:
    """It is an unregistered agent, and is told how to become a registered one."""
    answer = long_lived_token(home.owner, "some agent").execute(STATUS)
    assert (answer["code"], answer["gate"]) == ("AGENT_UNKNOWN", "input_guard")
    assert "Add agent" in answer["hint"]


def test_a_claim_is_only_recorded(home: DemoHome, agent: Client) -> None:
    """``source_agent`` in the payload changes nothing about who is calling."""
    answer = agent.execute(STATUS, source_agent="Ada, the owner")
    trace = home.owner.edgehome("get_trace", trace_id=answer["trace_id"])
    assert trace["gates"][1]["evidence"] == {"source_agent_claim": "Ada, the owner"}
    assert trace["gates"][0]["reads"][1][1][1] == "agent"


def test_the_shown_line_works(home: DemoHome) -> None:
    """The curl line that the owner is shown works in this house as it stands."""
    _, shown = home.add_agent("Curl")
    run = subprocess.run(["/bin/bash", "-c", shown["curl"]], capture_output=True, check=True, text=True)
    assert json.loads(run.stdout)["service_response"]["outcome"] == "read"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        pytest.param("POST", "/api/services/lock/unlock", {"entity_id": "lock.front_door"}, id="unlock"),
        pytest.param("POST", "/api/services/light/turn_on", {"entity_id": "light.bed_light"}, id="light"),
        pytest.param("POST", "/api/states/lock.front_door", {"state": "unlocked"}, id="write a state"),
        pytest.param("POST", "/api/events/anything", {}, id="fire an event"),
        pytest.param("POST", "/api/template", {"template": "{{ 1 }}"}, id="render a template"),
        pytest.param("GET", "/api/states/lock.front_door", None, id="read a state"),
        pytest.param("POST", "/api/config/config_entries/flow", {"handler": "demo"}, id="start a flow"),
    ],
)
def test_the_token_is_good_for_nothing_else(agent: Client, method: str, path: str, body: object) -> None:
    """Past EdgeHome, Home Assistant itself refuses the agent's token."""
    assert agent.request(method, path, body).status_code in {401, 403}


def test_the_token_makes_no_tokens(agent: Client) -> None:
    """An agent cannot make itself another credential."""
    with pytest.raises(RuntimeError, match="long_lived_access_token"):
        long_lived_token(agent, "mine")


def test_traces_are_private(home: DemoHome, agent: Client) -> None:
    """An agent sees its own traces, without what the gates read; the owner sees all of every trace."""
    other, _ = home.add_agent("Other")
    trace_id = agent.execute(STATUS)["trace_id"]
    own = agent.edgehome("get_trace", trace_id=trace_id)
    assert [record["gate"] for record in own["gates"]][-1] == "dry_run"
    assert "reads" not in own["gates"][0]
    assert other.edgehome("get_trace", trace_id=trace_id)["code"] == "TRACE_NOT_FOUND"
    assert home.owner.edgehome("get_trace", trace_id=trace_id)["gates"][0]["reads"]


def test_list_devices(agent: Client) -> None:
    """The list has the exposed devices with ranges, and neither what is denied nor what is not exposed."""
    devices = {item["entity_id"]: item for item in agent.edgehome("list_devices")["devices"]}
    assert devices["light.bed_light"]["room"] == "Bedroom"
    assert devices["light.bed_light"]["operations"]["set_brightness"] == {
        "verdict": "allow",
        "params": {
            "brightness": {"min": 0, "max": 100, "unit": "%"},
            "brightness_step": {"relative": True, "unit": "%"},
        },
    }
    assert devices["lock.front_door"]["operations"] == {"status": {"verdict": "allow"}}
    assert devices["cover.garage_door"]["operations"]["open"] == {"verdict": "confirm"}
    assert "switch.edgehome_lockdown" not in devices
    assert "camera.demo_camera" not in devices


def test_scope(home: DemoHome) -> None:
    """An agent with rooms can name what is in them and nothing else."""
    (areas,) = home.owner.command({"type": "config/area_registry/list"})
    (kitchen,) = (area["area_id"] for area in areas if area["name"] == "Kitchen")
    cook, _ = home.add_agent("Cook", areas=[kitchen])
    assert cook.execute({"intent": "status", "device_alias": "Kitchen Lights"})["outcome"] == "read"
    assert cook.execute({"intent": "status", "device_alias": "Bed Light"})["code"] == "OUT_OF_SCOPE"
    assert cook.execute({"intent": "status", "room": "Bedroom", "device_type": "light"})["code"] == "OUT_OF_SCOPE"
    listed = {item["entity_id"] for item in cook.edgehome("list_devices")["devices"]}
    assert listed == {"light.kitchen_lights", "cover.kitchen_window"}


def test_revoked(home: DemoHome) -> None:
    """Revoking an agent makes its token worthless at once."""
    leaving, _ = home.add_agent("Leaving")
    assert leaving.execute(STATUS)["outcome"] == "read"
    (subentry,) = (item for item in home.agents() if item["title"] == "Leaving")
    path = "/api/config/config_entries/subentries/flow"
    start = {"handler": [home.entry_id, "agent"], "subentry_id": subentry["subentry_id"]}
    ended = home.owner.flow(path, start, {"next_step_id": "revoke"}, {})
    assert ended["reason"] == "revoked"
    assert leaving.request("POST", "/api/services/edgehome/execute?return_response", {}).status_code == 401


def test_lockdown(home: DemoHome, agent: Client) -> None:
    """While the owner's switch is on nobody gets through, not even a question; then all is as before."""
    switch = {"entity_id": "switch.edgehome_lockdown"}
    assert home.owner.call("switch.turn_on", switch).ok
    assert agent.execute(STATUS)["code"] == "LOCKDOWN"
    assert agent.edgehome("list_devices")["code"] == "LOCKDOWN"
    assert home.owner.call("switch.turn_off", switch).ok
    assert agent.execute(STATUS)["outcome"] == "read"


def test_removal(own_home: DemoHome) -> None:
    """Removing EdgeHome removes the users and tokens that it made, and no others."""
    agent, _ = own_home.add_agent("Gone")
    assert agent.execute(STATUS)["outcome"] == "read"
    (before,) = own_home.owner.command({"type": "config/auth/list"})
    own_home.owner.request("DELETE", f"/api/config/config_entries/entry/{own_home.entry_id}").raise_for_status()
    (after,) = own_home.owner.command({"type": "config/auth/list"})
    gone = {user["name"] for user in before} - {user["name"] for user in after}
    assert gone == {"EdgeHome agent: Gone"}
    assert agent.request("GET", "/api/").status_code == 401
