"""Home Assistant's own conversations as a door: a real chat log, LLM API and voice device; only the model is a script."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.house.client import Client
from tests.house.demo_home import DemoHome
from tests.house.phone import Phone
from tests.house.process import HomeAssistantProcess

from .conftest import RELEASES

MODEL = "conversation.scripted_model"
YES = 0


@dataclass
class Assist:
    """A home with voice devices in three rooms, and two agents of which the owner gave one to the model."""

    home: DemoHome
    api: str
    other: Client
    kitchen: str = ""
    bedroom: str = ""
    garage: str = ""

    def script(self, *calls: tuple[str, dict[str, Any]]) -> str:
        """What is said, so that the model makes these calls."""
        return json.dumps({"api": [self.api], "calls": [[f"edgehome__{name}", args] for name, args in calls]})

    def said(self, who: Client, *calls: tuple[str, dict[str, Any]], device_id: str | None = None) -> dict[str, Any]:
        """What the model came to, when somebody said that over his connection."""
        where = {"device_id": device_id} if device_id else {}
        command = {"type": "conversation/process", "text": self.script(*calls), "agent_id": MODEL, **where}
        (answer,) = who.command(command)
        return spoken(answer)

    def heard(self, *calls: tuple[str, dict[str, Any]], device_id: str) -> dict[str, Any]:
        """What the model came to, when a voice device heard that."""
        body = {"text": self.script(*calls), "device_id": device_id}
        answer = self.home.owner.post("/api/services/scripted_model/hear?return_response", body)
        return spoken(answer["service_response"])

    def device_of(self, entity_id: str) -> str:
        """The device that an entity is of."""
        (entry,) = self.home.owner.command({"type": "config/entity_registry/get", "entity_id": entity_id})
        return str(entry["device_id"])

    def ear_on(self, entity_id: str) -> str:
        """Makes a voice device of the device that an entity is of."""
        device_id = self.device_of(entity_id)
        self.home.owner.call("scripted_model.listen", {"device_id": device_id}).raise_for_status()
        return device_id


def spoken(answer: dict[str, Any]) -> dict[str, Any]:
    """What the model said, in its JSON."""
    said: dict[str, Any] = json.loads(answer["response"]["speech"]["plain"]["speech"])
    return said


@pytest.fixture(scope="module", params=RELEASES)
def assist(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assist]:
    """A home of this module."""
    with HomeAssistantProcess(tmp_path_factory.mktemp("assist"), request.param) as process:
        home = DemoHome.start(process, more="scripted_model:\n")
        home.add_agent("Hermes")
        other, _ = home.add_agent("Zeus", areas=["bedroom"])
        hermes = next(one for one in home.agents() if one["title"] == "Hermes")
        assist = Assist(home, f"edgehome-{hermes['subentry_id'].lower()}", other)
        assist.kitchen, assist.bedroom, assist.garage = (
            assist.ear_on(entity_id) for entity_id in ("light.kitchen_lights", "light.bed_light", "cover.garage_door")
        )
        yield assist
        process.stop()
        assert process.complaints() == []


def entities(result: dict[str, Any]) -> list[str]:
    """What an answer's plan acts on."""
    return [action["entity_id"] for action in result["data"]["plan"]["actions"]]


def turned(assist: Assist, entity_id: str) -> str:
    """Whether a lamp is on."""
    state = assist.home.owner.state(entity_id)
    assert state is not None
    return str(state["state"])


OFF, ON = {"intent": "turn_off", "device_type": "light"}, {"intent": "turn_on", "device_type": "light"}


def test_the_room_of_the_voice_device(assist: Assist) -> None:
    """Without a room the lights of the room are meant that it is said in, and no others; somewhere else it is refused."""
    before = turned(assist, "light.bed_light")
    for wish, state in ((OFF, "off"), (ON, "on")):
        (done,) = assist.heard(("execute", wish), device_id=assist.kitchen)["results"]
        assert (done["data"]["outcome"], entities(done)) == ("executed", ["light.kitchen_lights"])
        assert turned(assist, "light.kitchen_lights") == state
    assert turned(assist, "light.bed_light") == before
    (refused,) = assist.heard(("execute", OFF), device_id=assist.garage)["results"]
    assert (refused["data"]["code"], refused["error"]) == ("AMBIGUOUS_TARGET", True)
    assert refused["data"]["message"].startswith("There is no light in Garage, where this was said")
    (only,) = assist.heard(("execute", {"intent": "status", "device_type": "garage_door"}), device_id=assist.kitchen)[
        "results"
    ]
    assert only["data"]["outcome"] == "read"


def test_a_person_speaks(assist: Assist) -> None:
    """The owner who speaks lends the model nothing: an agent's wish it stays, and the evidence says who spoke where."""
    unlock = {"intent": "unlock", "device_alias": "Front Door"}
    (refused,) = assist.said(assist.home.owner, ("execute", unlock), device_id=assist.kitchen)["results"]
    assert refused["data"]["code"] == "POLICY_DENIED"
    trace = assist.home.owner.edgehome("get_trace", trace_id=refused["data"]["trace_id"])
    assert trace["caller"] | {"id": None} == {
        "kind": "agent",
        "id": None,
        "name": "Hermes",
        "speaker": assist.home.user_id("Ada"),
        "speaker_name": "Ada",
        "area_id": "kitchen",
        "area_name": "Kitchen",
    }
    assert trace["door"] == "llm.execute"


def test_another_agent_stays_itself(assist: Assist) -> None:
    """An agent that talks to a model with another's tools gets no further than by itself, wherever it says it stands."""
    lamp = {"intent": "turn_off", "device_alias": "Kitchen Lights"}
    (refused,) = assist.said(assist.other, ("execute", lamp), device_id=assist.kitchen)["results"]
    assert refused["data"]["code"] == "OUT_OF_SCOPE"
    own = {"intent": "turn_off", "device_type": "light"}
    (done,) = assist.said(assist.other, ("execute", own), device_id=assist.kitchen)["results"]
    assert [
        done["data"]["outcome"] in {"executed", "no_change"},
        "light.kitchen_lights" in str(done["data"]["plan"]),
    ] == [
        True,
        False,
    ]


def test_a_machine_is_no_speaker(assist: Assist) -> None:
    """A long-lived token of the owner is refused at this door as at every other, and told of no device."""
    lasting = {"type": "auth/long_lived_access_token", "client_name": "a script", "lifespan": 1}
    (token,) = assist.home.owner.command(lasting)
    told = assist.said(Client(assist.home.process.url, token), ("execute", ON), device_id=assist.kitchen)
    assert told["results"][0]["data"]["code"] == "AGENT_UNKNOWN"
    assert "Kitchen Lights" not in told["prompt"]


def test_automations_are_off(assist: Assist) -> None:
    """An automation that talks to the model is an automation: off until the owner lets them act."""
    text = assist.script(("execute", OFF))
    actions = [
        {"action": "conversation.process", "data": {"text": text, "agent_id": MODEL}, "response_variable": "said"}
    ]
    notice = {"notification_id": "said", "message": "{{ said.response.speech.plain.speech | tojson }}"}
    actions.append({"action": "persistent_notification.create", "data": notice})
    automation = {"alias": "Talks", "triggers": [{"trigger": "event", "event_type": "talk"}], "actions": actions}
    owner = assist.home.owner
    owner.post("/api/config/automation/config/talks", automation)
    before = turned(assist, "light.kitchen_lights")
    told: list[str] = []
    for _ in range(15):
        # Home Assistant takes a moment until it listens to a new automation.
        owner.post("/api/events/talk")
        time.sleep(1)
        (notices,) = owner.command({"type": "persistent_notification/get"})
        if told := [one["message"] for one in notices if one["notification_id"] == "said"]:
            break
    assert len(told) == 1
    assert "AUTOMATION_OFF" in told[0]
    assert turned(assist, "light.kitchen_lights") == before


def test_undone_twice(assist: Assist) -> None:
    """Undo again goes one deed further back, also for somebody who talks."""
    for level in (80, 50):
        lamp = {"intent": "turn_on", "device_alias": "Bed Light", "params": {"brightness": level}}
        (done,) = assist.heard(("execute", lamp), device_id=assist.bedroom)["results"]
        assert done["data"]["outcome"] == "executed", done
    levels = []
    for _ in range(2):
        (undone,) = assist.heard(("undo", {}), device_id=assist.bedroom)["results"]
        assert undone["data"]["outcome"] == "executed", undone
        state = assist.home.owner.state("light.bed_light")
        assert state is not None
        levels.append(state["attributes"].get("brightness"))
    assert levels[0] == 204
    assert levels[1] != 128


def test_what_is_wanted_later(assist: Assist) -> None:
    """Home Assistant carries "in 1 second, …" out by itself: whoever is not a person stays who he is."""
    (pipelines,) = assist.home.owner.command({"type": "assist_pipeline/pipeline/list"})
    pipeline: dict[str, object] = {key: value for key, value in pipelines["pipelines"][0].items() if key != "id"}
    pipeline |= {"conversation_engine": MODEL, "conversation_language": "en", "prefer_local_intents": True}
    command = {"type": "assist_pipeline/pipeline/update", "pipeline_id": pipelines["pipelines"][0]["id"]}
    assist.home.owner.command(command | pipeline)
    lasting = {"type": "auth/long_lived_access_token", "client_name": "another script", "lifespan": 1}
    (token,) = assist.home.owner.command(lasting)
    script = assist.script(("execute", {"intent": "toggle", "device_alias": "Kitchen Lights"}))
    assist.home.owner.call("scripted_model.teach", {"words": "make a change", "script": script}).raise_for_status()
    changed = []
    for client in (assist.home.owner, Client(assist.home.process.url, token), assist.other):
        before = turned(assist, "light.kitchen_lights")
        client.talk("in 1 second make a change", assist.kitchen)
        time.sleep(4)
        changed.append(turned(assist, "light.kitchen_lights") != before)
    assert changed == [True, False, False]


def test_what_a_model_is_told(assist: Assist) -> None:
    """The model gets EdgeHome's tools only, what it may name, and the room; in the form that models take."""
    told = assist.heard(device_id=assist.kitchen)
    assert [tool["name"].removeprefix("edgehome__") for tool in told["tools"]] == [
        "execute",
        "list_devices",
        "get_trace",
        "cancel",
        "undo",
    ]
    assert all(tool["parameters"]["type"] == "object" for tool in told["tools"])
    assert "- Kitchen Lights (light, Kitchen)" in told["prompt"]
    assert "speaks to you in Kitchen" in told["prompt"]


def test_rules_by_speaker_and_room(assist: Assist) -> None:
    """A rule about who speaks, or where, speaks at this door: it counts for that person or room, and for no other."""
    ben = assist.home.add_person("Ben")
    rules = f"""
rules:
  - id: ben_not
    speakers: [{assist.home.user_id("Ben")}]
    verdict: deny
  - id: kitchen_not
    origins: [kitchen]
    device_types: [fan]
    verdict: deny
  - id: rest
    risk: [0, 2]
    verdict: allow
"""
    assist.home.change_policy("document", {"document": rules})
    try:
        lamp, fan = (
            {"intent": "toggle", "device_alias": "Bed Light"},
            {"intent": "turn_on", "device_alias": "Ceiling Fan"},
        )
        (denied,) = assist.said(ben, ("execute", lamp))["results"]
        assert denied["data"]["code"] == "POLICY_DENIED"
        assert "ben_not" in denied["data"]["message"]
        (done,) = assist.said(assist.home.owner, ("execute", lamp))["results"]
        assert done["data"]["outcome"] == "executed"
        (there,) = assist.heard(("execute", fan), device_id=assist.kitchen)["results"]
        assert there["data"]["code"] == "POLICY_DENIED"
        (elsewhere,) = assist.heard(("execute", fan), device_id=assist.bedroom)["results"]
        assert elsewhere["data"]["outcome"] in {"executed", "no_change"}
    finally:
        assist.home.set_options("strict")


def test_one_wish_of_two_people(assist: Assist) -> None:
    """The same wish of another speaker is a question of its own, and whoever is asked reads who said it, and where (R9)."""
    home = assist.home
    home.add_approver("Ada")
    garage = ("execute", {"intent": "open", "device_alias": "Garage Door", "reason": "The car waits."})
    with Phone(home.owner, "Ada's phone") as phone:
        (first,) = assist.said(home.owner, garage)["results"]
        assert "Said by Ada." in phone.question()["message"].splitlines()
        (second,) = assist.heard(garage, device_id=assist.kitchen)["results"]
        asked = phone.question()
        assert "Said in Kitchen." in asked["message"].splitlines()
        assert [one["data"]["outcome"] for one in (first, second)] == ["pending", "pending"]
        phone.tap(asked, YES)
        sent = {"trace_id": second["data"]["trace_id"], "wait": 20}
        (done,) = assist.heard(("get_trace", sent), device_id=assist.kitchen)["results"]
        assert done["data"]["outcome"] == "confirmed"
        (other,) = assist.said(home.owner, ("get_trace", {"trace_id": first["data"]["trace_id"], "wait": 20}))[
            "results"
        ]
        assert other["data"]["outcome"] in {"no_change", "cancelled"}


def test_an_agent_that_is_gone(assist: Assist) -> None:
    """Once its agent is removed a model has no tools at all."""
    home = assist.home
    home.add_agent("Iris")
    iris = next(one for one in home.agents() if one["title"] == "Iris")
    entry = {"entry_id": home.entry_id, "subentry_id": iris["subentry_id"]}
    home.owner.command({"type": "config_entries/subentries/delete", **entry})
    gone = Assist(home, f"edgehome-{iris['subentry_id'].lower()}", assist.other)
    command = {"type": "conversation/process", "text": gone.script(("execute", ON)), "agent_id": MODEL}
    (answer,) = home.owner.command(command)
    assert answer["response"]["response_type"] == "error"
