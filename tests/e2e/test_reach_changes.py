"""What cannot be read is asked about until the owner has vetted it, and what changes meanwhile ends a question."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from tests.e2e.conftest import RELEASES
from tests.house import reach_home
from tests.house.client import Client
from tests.house.demo_home import SUBENTRIES, DemoHome
from tests.house.looks import end_of, state
from tests.house.process import HomeAssistantProcess
from tests.house.reach_home import GARAGE, LAMP, LIGHT, OPEN, Step, call, helper

pytestmark = pytest.mark.e2e

OFF = {"entity_id": LAMP}
TRAP, FLAG = "script.subject", "input_boolean.flag"


@pytest.fixture(scope="module", params=RELEASES)
def reach(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoHome]:
    """A home of each release; its owner is an approver whose page suffices."""
    with HomeAssistantProcess(tmp_path_factory.mktemp("reach"), request.param) as process:
        home = reach_home.start(process)
        home.add_approver("Ada", page_suffices=True)
        yield home
        process.stop()
        assert process.complaints() == []


@pytest.fixture
def hermes(reach: DemoHome, request: pytest.FixtureRequest) -> Client:
    """A fresh agent for each test; the lamp is off and the garage closed."""
    assert reach.owner.call("light.turn_off", OFF).ok
    assert reach.owner.call("cover.close_cover", {"entity_id": GARAGE}).ok
    client, _ = reach.add_agent(f"Asker {request.node.name}"[:90])
    return client


def write_script(home: DemoHome, steps: Sequence[Step], name: str = "subject") -> None:
    """The owner writes a script, or changes it; agents may name it."""
    home.owner.post(f"/api/config/script/config/{name}", {"alias": name.title(), "sequence": list(steps)})
    home.wait_for(f"script.{name}")
    reach_home.expose(home)


def write_automation(home: DemoHome, action: Step) -> None:
    """The owner writes what a flag starts, or changes it."""
    body = {"alias": "Subject", "triggers": [{"trigger": "state", "entity_id": FLAG}]}
    home.owner.post("/api/config/automation/config/subject", {**body, "actions": [action]})
    # The configuration's own reload is not waited for by Home Assistant's answer.
    assert home.owner.call("automation.reload", {}).ok
    home.wait_for("automation.subject")


def vet(home: DemoHome, entity_id: str) -> None:
    """The owner says by the form that he knows what something does."""
    start = {"handler": [home.entry_id, "entity"]}
    ended = home.owner.flow(SUBENTRIES, start, {"entity": entity_id}, {"aliases": [], "operations": [], "vet": True})
    assert ended["type"] == "create_entry", ended


def forget(home: DemoHome) -> None:
    """The owner takes his words for entities back."""
    for item in home.subentries("entity"):
        remove = {"type": "config_entries/subentries/delete", "entry_id": home.entry_id}
        home.owner.command({**remove, "subentry_id": item["subentry_id"]})


def say_yes(home: DemoHome, answer: Mapping[str, Any]) -> bool:
    """The owner says yes on his page; whether it was taken."""
    yes = {"type": "edgehome/inbox/answer", "trace_id": answer["trace_id"], "answer": "yes"}
    return bool(home.owner.command(yes)[0]["taken"])


def run(agent: Client, device: str = TRAP, intent: str = "run") -> dict[str, Any]:
    """An agent starts something."""
    return agent.execute({"intent": intent, "device_alias": device})


ODD_LIGHT = call("{{ 'light.turn_on' }}", LAMP)


@pytest.mark.parametrize("steps", [[ODD_LIGHT], [LIGHT, {"event": "somebody_listens"}]], ids=["template", "event"])
def test_opaque_is_never_done_unasked(reach: DemoHome, hermes: Client, steps: list[Step]) -> None:
    """A script that cannot be read waits for a person, also by a script around it; a yes does it."""
    write_script(reach, steps)
    write_script(reach, [{"action": TRAP}], "around")
    for device in ("script.around", TRAP):
        answer = run(hermes, device)
        assert (answer["outcome"], answer["code"]) == ("pending", "WAITING")
        assert state(reach, LAMP) == "off"
    assert say_yes(reach, answer)
    assert end_of(hermes, answer) == ("confirmed", "DONE")
    assert state(reach, LAMP) == "on"


def test_vetted_until_it_changes(reach: DemoHome, hermes: Client) -> None:
    """What the owner has vetted by the form is done unasked, until its configuration is another one."""
    write_script(reach, [ODD_LIGHT])
    vet(reach, TRAP)
    assert run(hermes)["outcome"] == "executed"
    assert state(reach, LAMP) == "on"
    assert reach.owner.call("script.reload", {}).ok
    assert run(hermes)["outcome"] == "executed"
    write_script(reach, [ODD_LIGHT, {"event": "somebody_listens"}])
    assert run(hermes)["code"] == "WAITING"
    forget(reach)


def test_vetted_until_what_it_runs_changes(reach: DemoHome, hermes: Client) -> None:
    """A vetted script is not vetted any more when a script that it runs has changed."""
    write_script(reach, [ODD_LIGHT], "inner")
    write_script(reach, [{"action": "script.inner"}])
    vet(reach, TRAP)
    assert run(hermes)["outcome"] == "executed"
    write_script(reach, [ODD_LIGHT, {"event": "somebody_listens"}], "inner")
    assert run(hermes)["code"] == "WAITING"
    forget(reach)


@pytest.fixture
def flag(reach: DemoHome) -> Iterator[str]:
    """A helper of the owner, risk 2 by itself, that starts an automation which cannot be read."""
    (made,) = reach.owner.command({"type": "input_boolean/create", "name": "Flag"})
    write_automation(reach, {"event": "somebody_listens"})
    reach.wait_for(FLAG)
    reach_home.expose(reach)
    assert reach.owner.call("input_boolean.turn_off", {"entity_id": FLAG}).ok
    yield FLAG
    forget(reach)
    reach.owner.command({"type": "input_boolean/delete", "input_boolean_id": made["id"]})


def test_vetted_flag_until_its_automation_changes(reach: DemoHome, hermes: Client, flag: str) -> None:
    """A flag that starts something opaque is vetted together with what it starts."""
    assert run(hermes, flag, "turn_on")["code"] == "WAITING"
    vet(reach, flag)
    assert run(hermes, flag, "turn_on")["outcome"] == "executed"
    assert run(hermes, flag, "turn_off")["outcome"] == "executed"
    write_automation(reach, {"event": "somebody_else_listens"})
    assert run(hermes, flag, "turn_on")["code"] == "WAITING"


def test_opaque_automation_changed_meanwhile(reach: DemoHome, hermes: Client, flag: str) -> None:
    """A yes to a flag is one to what it started when the question was asked."""
    answer = run(hermes, flag, "turn_on")
    assert answer["code"] == "WAITING"
    write_automation(reach, ODD_LIGHT)
    say_yes(reach, answer)
    assert end_of(hermes, answer) == ("cancelled", "SUPERSEDED")
    assert [state(reach, item) for item in (flag, LAMP)] == ["off", "off"]


def test_vetted_group_until_its_member_changes(reach: DemoHome, hermes: Client) -> None:
    """A group of lamps that cannot be read is vetted with its members and what these do."""
    lamp = {"name": "Strange", "state": "{{ false }}", "turn_on": [ODD_LIGHT], "turn_off": []}
    made = helper(reach, "template", {"next_step_id": "light"}, lamp)
    reach.wait_for("light.strange")
    form = {"name": "Strangers", "entities": ["light.strange"], "hide_members": True, "all": False}
    helper(reach, "group", {"next_step_id": "light"}, form)
    reach.wait_for("light.strangers")
    reach_home.expose(reach)
    assert run(hermes, "light.strangers", "turn_on")["code"] == "WAITING"
    vet(reach, "light.strangers")
    dry = {"intent": "turn_on", "device_alias": "light.strangers"}
    assert hermes.execute(dry, dry_run=True)["requirement"]["verdict"] == "allow"
    changed = {
        **{key: lamp[key] for key in lamp if key != "name"},
        "turn_on": [ODD_LIGHT, {"event": "somebody_listens"}],
    }
    reach.owner.flow("/api/config/config_entries/options/flow", {"handler": made["result"]["entry_id"]}, changed)
    reach.wait_for("light.strange")
    assert hermes.execute(dry, dry_run=True)["requirement"]["verdict"] == "confirm"
    forget(reach)


def _more_in_the_old_group(home: DemoHome) -> None:
    home.owner.call("group.set", {"object_id": "covers", "entities": [GARAGE, "cover.hall_window"]})


def _less_in_the_old_group(home: DemoHome) -> None:
    home.owner.call("group.set", {"object_id": "covers", "entities": [GARAGE]})


def _more_in_the_scripts_sequence(home: DemoHome) -> None:
    write_script(home, [OPEN, call("cover.open_cover", "cover.hall_window")])


def _other_verb_in_the_script(home: DemoHome) -> None:
    write_script(home, [call("cover.close_cover", GARAGE)])


@pytest.mark.parametrize(
    ("device", "change"),
    [
        pytest.param("group.covers", _more_in_the_old_group, id="a member more"),
        pytest.param("group.covers", _less_in_the_old_group, id="a member less"),
        pytest.param(TRAP, _more_in_the_scripts_sequence, id="a step more"),
        pytest.param(TRAP, _other_verb_in_the_script, id="another step"),
    ],
)
def test_changed_meanwhile(reach: DemoHome, hermes: Client, device: str, change: Callable[[DemoHome], None]) -> None:
    """What somebody was asked about is not what would be done now: the question ends, a yes does nothing."""
    write_script(reach, [OPEN])
    reach.owner.call("group.set", {"object_id": "covers", "entities": [GARAGE, "cover.kitchen_window"]})
    answer = run(hermes, device, "open" if device.startswith("group.") else "run")
    assert answer["code"] == "WAITING"
    change(reach)
    say_yes(reach, answer)
    assert end_of(hermes, answer) == ("cancelled", "SUPERSEDED")
    assert state(reach, GARAGE) == "closed"


def test_opaque_changed_meanwhile(reach: DemoHome, hermes: Client) -> None:
    """A yes to something that cannot be read is one to what it was when the question was asked."""
    write_script(reach, [{"event": "somebody_listens"}])
    answer = run(hermes)
    assert answer["code"] == "WAITING"
    write_script(reach, [ODD_LIGHT])
    say_yes(reach, answer)
    assert end_of(hermes, answer) == ("cancelled", "SUPERSEDED")
    assert state(reach, LAMP) == "off"


def test_member_of_a_cover_group_meanwhile(reach: DemoHome, hermes: Client) -> None:
    """The same with a group of the owner's forms, whose members he changes by its options."""
    form = {"name": "Fleet", "entities": [GARAGE], "hide_members": False}
    made = helper(reach, "group", {"next_step_id": "cover"}, form)
    reach.wait_for("cover.fleet")
    reach_home.expose(reach)
    answer = run(hermes, "cover.fleet", "open")
    assert answer["code"] == "WAITING"
    more = {"entities": [GARAGE, "cover.kitchen_window"], "hide_members": False}
    reach.owner.flow("/api/config/config_entries/options/flow", {"handler": made["result"]["entry_id"]}, more)
    say_yes(reach, answer)
    assert end_of(hermes, answer)[0] == "cancelled"
    assert state(reach, GARAGE) == "closed"


def test_other_changes_leave_a_question(reach: DemoHome, hermes: Client) -> None:
    """What changes elsewhere in the home does not end a question."""
    answer = run(hermes, "group.covers", "open")
    assert answer["code"] == "WAITING"
    write_script(reach, [LIGHT], "elsewhere")
    write_automation(reach, LIGHT)
    assert say_yes(reach, answer)
    assert end_of(hermes, answer) == ("confirmed", "DONE")


def test_harmless_is_done(reach: DemoHome, hermes: Client) -> None:
    """Scenes, scripts and groups of lamps are done unasked, and the whole home can be put out."""
    for wish in (
        {"intent": "activate", "device_alias": "scene.party"},
        {"intent": "turn_off", "device_alias": "group.lamps"},
        {"intent": "run", "device_alias": "script.lamps"},
        {"intent": "turn_on", "device_alias": "light.cellar_lamp"},
        {"intent": "turn_off", "device_alias": "light.lamp_group"},
        {"intent": "turn_on", "device_alias": "group.lamps"},
    ):
        answer = hermes.execute(wish)
        assert (answer["outcome"], answer["code"]) == ("executed", "DONE"), wish
    answer = hermes.execute({"intent": "turn_off", "scope": "home", "device_type": "light"})
    assert [item["entity_id"] for item in answer["plan"]["skipped"]] == ["light.attic_lamp"]
    assert [state(reach, item) for item in (LAMP, "light.kitchen_lights", "light.cellar_lamp")] == ["off"] * 3
