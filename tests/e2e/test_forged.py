"""Answers that are none: wrong people, made-up buttons, scripts and automations. Recorded, and nothing is done."""

import pytest

from tests.house.client import Client
from tests.house.demo_home import DemoHome
from tests.house.looks import end_of, notes_of, state
from tests.house.phone import EVENT, Phone

pytestmark = pytest.mark.e2e

OPEN_GARAGE = {"intent": "open", "device_alias": "Garage Door"}
GARAGE = {"entity_id": "cover.garage_door"}


@pytest.fixture(scope="module")
def cleo(home: DemoHome) -> Client:
    """An administrator who is no approver."""
    return home.add_person("Cleo", admin=True)


@pytest.fixture(autouse=True)
def closed(home: DemoHome, phones: tuple[Phone, Phone]) -> None:
    """The garage is closed and the phones are empty when a test starts."""
    for phone in phones:
        phone.forget()
    assert home.owner.call("cover.close_cover", GARAGE).ok


def script(home: DemoHome, trace_id: str, name: str, *steps: object) -> str:
    """A script of these steps; its action."""
    key = f"{name}_{trace_id}".lower()
    assert (
        home.owner.post(f"/api/config/script/config/{key}", {"alias": key, "sequence": list(steps)})["result"] == "ok"
    )
    home.wait_for(f"script.{key}")
    return f"script.{key}"


def pressing(action: str) -> dict[str, object]:
    """A script's step that pretends that a button was pressed."""
    return {"event": EVENT, "event_data": {"action": action}}


def test_forged_answers(home: DemoHome, asker: Client, cleo: Client, phones: tuple[Phone, Phone]) -> None:
    """Right nonce and wrong user, made-up nonces, events by an administrator's token or an agent: nothing happens."""
    first, second = phones
    answer = asker.execute(OPEN_GARAGE)
    asked = first.question()
    action = asked["data"]["actions"][0]["action"]
    second.fire(EVENT, {"action": action})
    with Phone(asker, f"Agent {home.process.version}") as own:
        own.fire(EVENT, {"action": action})
    assert cleo.request("POST", f"/api/events/{EVENT}", {"action": action}).ok
    first.fire(EVENT, {"action": "EDGEHOME_" + "A" * 32})
    first.fire("mobile_app_notification_cleared", {"action": action})
    assert end_of(asker, answer, wait=1) == ("pending", "WAITING")
    assert state(home, "cover.garage_door") == "closed"
    assert len([note for note in notes_of(home, answer) if "forged_answer_of" in note]) == 3
    first.tap(asked, 1)
    assert end_of(asker, answer) == ("cancelled", "REJECTED")


def test_an_automation_cannot_answer(home: DemoHome, asker: Client, phones: tuple[Phone, Phone]) -> None:
    """An automation that fires the approval event, nonce and all, has no user behind it: nothing happens."""
    first, _ = phones
    answer = asker.execute(OPEN_GARAGE)
    asked = first.question()
    action = asked["data"]["actions"][0]["action"]
    forging = {"alias": "Forge", "triggers": [], "actions": [{"event": EVENT, "event_data": {"action": action}}]}
    assert home.owner.post("/api/config/automation/config/forge", forging)["result"] == "ok"
    home.wait_for("automation.forge")
    assert home.owner.call("automation.trigger", {"entity_id": "automation.forge"}).ok
    assert end_of(asker, answer, wait=1) == ("pending", "WAITING")
    assert "nobody" in [note.get("forged_answer_of") for note in notes_of(home, answer)]
    first.tap(asked, 1)
    assert end_of(asker, answer) == ("cancelled", "REJECTED")


def test_a_script_in_the_approvers_name(home: DemoHome, asker: Client, phones: tuple[Phone, Phone]) -> None:
    """A script that the approver himself runs in his own session has no action and no button that says yes."""
    first, _ = phones
    answer = asker.execute(OPEN_GARAGE)
    first.question()
    trace_id = answer["trace_id"]
    yes = {"trace_id": trace_id, "answer": "yes", "approve": True, "confirm": True}

    def calling(action: str, data: object) -> dict[str, object]:
        return {"action": f"edgehome.{action}", "data": data, "response_variable": "said", "continue_on_error": True}

    trying = script(
        home,
        trace_id,
        "trying",
        calling("execute", {**yes, "request_id": trace_id}),
        calling("execute", {"model_candidate": {"intent": "confirm", "device_alias": trace_id}, **yes}),
        calling("get_trace", yes),
        calling("list_devices", yes),
        pressing("EDGEHOME_" + "A" * 32),
        pressing(f"EDGEHOME_{trace_id}"),
        pressing("EDGEHOME_yes"),
    )
    assert home.owner.call(trying, {}).ok
    assert end_of(asker, answer, wait=1) == ("pending", "WAITING")
    assert state(home, "cover.garage_door") == "closed"
    taking_back = script(home, trace_id, "taking_back", calling("cancel", yes))
    assert home.owner.call(taking_back, {}).ok
    assert end_of(asker, answer) == ("cancelled", "CANCELLED")
    assert state(home, "cover.garage_door") == "closed"
    assert not any("answer" in note for note in notes_of(home, answer))


def test_a_script_in_other_names(
    home: DemoHome, asker: Client, cleo: Client, phones: tuple[Phone, Phone], people: tuple[Client, Client]
) -> None:
    """The right button in a script is a forgery, whoever runs it: an automation, others, the approver himself."""
    first, _ = phones
    _, ben = people
    answer = asker.execute(OPEN_GARAGE)
    asked = first.question()
    action = asked["data"]["actions"][0]["action"]
    trace_id = answer["trace_id"]
    forging = script(home, trace_id, "forging", pressing(action))
    runner = f"runner_{trace_id}".lower()
    running = {"alias": runner, "triggers": [], "actions": [{"action": forging}]}
    assert home.owner.post(f"/api/config/automation/config/{runner}", running)["result"] == "ok"
    home.wait_for(f"automation.{runner}")
    # Even the approver's own start of an automation is not his name: Home Assistant gives its run none.
    assert home.owner.call("automation.trigger", {"entity_id": f"automation.{runner}"}).ok
    for person in (ben, cleo, home.owner):
        assert person.call(forging, {}).ok
    assert end_of(asker, answer, wait=1) == ("pending", "WAITING")
    assert state(home, "cover.garage_door") == "closed"
    forged = [note["forged_answer_of"] for note in notes_of(home, answer) if "forged_answer_of" in note]
    assert sorted(forged) == sorted(["nobody", *(home.user_id(name) for name in ("Ben", "Cleo", "Ada"))])
    first.tap(asked, 1)
    assert end_of(asker, answer) == ("cancelled", "REJECTED")
