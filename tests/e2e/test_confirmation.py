"""A human says yes on a real phone client, to a real Home Assistant: first answer wins, forgeries do nothing."""

import pytest

from tests.house.client import Client
from tests.house.demo_home import DemoHome
from tests.house.looks import end_of, notes_of, state
from tests.house.phone import Phone

pytestmark = pytest.mark.e2e

OPEN_GARAGE = {"intent": "open", "device_alias": "Garage Door"}
GARAGE = {"entity_id": "cover.garage_door"}


@pytest.fixture(autouse=True)
def closed(home: DemoHome, request: pytest.FixtureRequest) -> None:
    """The garage is closed, the heat pump at 20 °C and the phones are empty when a test starts."""
    for phone in request.getfixturevalue("phones") if "phones" in request.fixturenames else ():
        phone.forget()
    assert home.owner.call("cover.close_cover", GARAGE).ok
    heat = {"entity_id": "climate.heatpump", "hvac_mode": "heat"}
    assert home.owner.call("climate.set_hvac_mode", heat).ok
    assert home.owner.call("climate.set_temperature", {**heat, "temperature": 20}).ok


def test_yes(home: DemoHome, asker: Client, phones: tuple[Phone, Phone]) -> None:
    """Pending at once; one yes opens the garage; the other phone is cleared and its late tap does nothing."""
    first, second = phones
    answer = asker.execute(OPEN_GARAGE, reason="The car is at the gate.")
    assert (answer["outcome"], answer["code"]) == ("pending", "WAITING")
    assert state(home, "cover.garage_door") == "closed"
    asked, also_asked = first.question(), second.question()
    assert asked["message"].startswith("Asker")
    assert "open Garage Door (closed → open)" in asked["message"]
    assert asked["data"]["actions"][0]["authenticationRequired"] is True
    first.tap(asked, 0)
    assert end_of(asker, answer) == ("confirmed", "DONE")
    assert state(home, "cover.garage_door") == "open"
    assert second.cleared() == also_asked["data"]["tag"]
    second.tap(also_asked, 1)
    assert end_of(asker, answer) == ("confirmed", "DONE")
    assert state(home, "cover.garage_door") == "open"


def test_no(home: DemoHome, asker: Client, phones: tuple[Phone, Phone]) -> None:
    """The first no ends it, and a yes that comes after is nothing; the same is not asked again at once."""
    first, second = phones
    answer = asker.execute(OPEN_GARAGE)
    asked, also_asked = first.question(), second.question()
    second.tap(also_asked, 1)
    assert end_of(asker, answer) == ("cancelled", "REJECTED")
    first.tap(asked, 0)
    assert state(home, "cover.garage_door") == "closed"
    assert asker.execute(OPEN_GARAGE)["code"] == "COOL_DOWN"


def test_waiting_within_the_call(home: DemoHome, asker: Client, phones: tuple[Phone, Phone]) -> None:
    """A call that waits too short gets pending, and the same request id joins the question."""
    first, _ = phones
    answer = asker.execute(OPEN_GARAGE, request_id="garage-1", wait=1)
    again = asker.execute(OPEN_GARAGE, request_id="garage-1")
    assert (answer["outcome"], again["outcome"]) == ("pending", "pending")
    assert again["trace_id"] == answer["trace_id"]
    first.tap(first.question(), 0)
    assert end_of(asker, answer) == ("confirmed", "DONE")
    assert asker.execute(OPEN_GARAGE, request_id="garage-1")["outcome"] == "confirmed"


def test_equal_requests_share_a_question(home: DemoHome, asker: Client, phones: tuple[Phone, Phone]) -> None:
    """The same wish twice is one question and one execution, with two traces."""
    first, _ = phones
    answers = [asker.execute(OPEN_GARAGE), asker.execute(OPEN_GARAGE)]
    first.tap(first.question(), 0)
    assert [end_of(asker, answer) for answer in answers] == [("confirmed", "DONE")] * 2
    assert answers[0]["trace_id"] != answers[1]["trace_id"]
    assert [note for note in notes_of(home, answers[1]) if "asked" in note] == []


def test_superseded(home: DemoHome, asker: Client, phones: tuple[Phone, Phone]) -> None:
    """Who changes the device meanwhile ends the question; a yes that comes then is nothing."""
    first, _ = phones
    warmer = {"intent": "set_temperature", "device_alias": "HeatPump", "params": {"temperature": 30}}
    answer = asker.execute(warmer)
    asked = first.question()
    assert home.owner.call("climate.set_hvac_mode", {"entity_id": "climate.heatpump", "hvac_mode": "off"}).ok
    assert end_of(asker, answer) == ("cancelled", "SUPERSEDED")
    first.tap(asked, 0)
    assert state(home, "climate.heatpump") == "off"


def test_done_by_other_hands(home: DemoHome, asker: Client, phones: tuple[Phone, Phone]) -> None:
    """What somebody else has done meanwhile needs no yes any more."""
    first, _ = phones
    lamp = {"intent": "turn_on", "device_alias": "Odd Lamp"}
    assert home.owner.call("light.turn_off", {"entity_id": "light.odd_lamp"}).ok
    answer = asker.execute(lamp)
    asked = first.question()
    assert home.owner.call("light.turn_on", {"entity_id": "light.odd_lamp"}).ok
    assert end_of(asker, answer) == ("no_change", "ALREADY_SO")
    assert first.cleared() == asked["data"]["tag"]


def test_cancelled_by_the_agent(asker: Client, phones: tuple[Phone, Phone]) -> None:
    """An agent may take its own question back; there is no action that says yes."""
    answer = asker.execute(OPEN_GARAGE)
    assert asker.edgehome("cancel", trace_id=answer["trace_id"])["cancelled"] is True
    assert end_of(asker, answer) == ("cancelled", "CANCELLED")
    services = next(item for item in asker.get("/api/services") if item["domain"] == "edgehome")["services"]
    assert sorted(services) == ["cancel", "execute", "get_trace", "list_devices", "simulate", "undo"]


def test_expiry(home: DemoHome, asker: Client, phones: tuple[Phone, Phone]) -> None:
    """Silence is no."""
    home.set_options(seconds=10, escalate_after=0)
    answer = asker.execute(OPEN_GARAGE)
    assert end_of(asker, answer, wait=20) == ("cancelled", "EXPIRED")
    assert state(home, "cover.garage_door") == "closed"
    home.set_options(escalate_after=0)


def test_escalation(home: DemoHome, asker: Client, phones: tuple[Phone, Phone]) -> None:
    """Who does not answer is not waited for: after a while the next is asked too, and may answer."""
    first, second = phones
    home.set_options(escalate_after=3)
    answer = asker.execute(OPEN_GARAGE)
    first.question()
    assert second.messages.empty()
    second.tap(second.question(), 0)
    assert end_of(asker, answer) == ("confirmed", "DONE")
    asked = [(note["asked"], note["phones"]) for note in notes_of(home, answer) if "asked" in note]
    assert asked == [("Ada", 1), ("Ben", 1)]
    home.set_options(escalate_after=0)


def test_two_people(home: DemoHome, asker: Client, phones: tuple[Phone, Phone]) -> None:
    """What is critical needs two different people, if the owner wants it; one person twice is one."""
    first, second = phones
    home.set_options(preset="balanced", escalate_after=0, two_people=True)
    answer = asker.execute({"intent": "open", "device_alias": "Openable Lock"})
    asked, also_asked = first.question(), second.question()
    first.tap(asked, 0)
    first.tap(asked, 0)
    assert end_of(asker, answer, wait=1) == ("pending", "WAITING")
    second.tap(also_asked, 0)
    assert end_of(asker, answer) == ("confirmed", "DONE")
    assert state(home, "lock.openable_lock") == "open"
    home.set_options(escalate_after=0)


def test_nobody_there_and_restart_while_pending(own_home: DemoHome) -> None:
    """Without a phone it is refused at once; what waited when Home Assistant died is cancelled, a late tap is nothing (R10)."""
    asker, _ = own_home.add_agent("Asker")
    own_home.add_approver("Ada")
    own_home.process.stop()
    own_home.process.start()
    own_home.wait_until_running()
    assert asker.execute(OPEN_GARAGE)["code"] == "NO_APPROVER"
    with Phone(own_home.owner, "Ada's phone") as phone:
        answer = asker.execute(OPEN_GARAGE, request_id="before")
        asked = phone.question()
        own_home.process.kill()
        own_home.process.start()
        own_home.wait_until_running()
        assert end_of(asker, answer, wait=0) == ("cancelled", "RESTARTED")
        phone.tap(asked, 0)
        assert asker.execute(OPEN_GARAGE, request_id="before")["code"] == "RESTARTED"
        assert state(own_home, "cover.garage_door") == "closed"


def test_a_stop_clears_the_phones(own_home: DemoHome) -> None:
    """When Home Assistant is stopped in order, the question is taken off the phone first, and cancelled (R10)."""
    asker, _ = own_home.add_agent("Asker")
    own_home.add_approver("Ada")
    with Phone(own_home.owner, "Ada's phone") as phone:
        answer = asker.execute(OPEN_GARAGE)
        asked = phone.question()
        own_home.process.stop()
        assert phone.cleared() == asked["data"]["tag"]
    own_home.process.start()
    own_home.wait_until_running()
    assert end_of(asker, answer, wait=0) == ("cancelled", "CANCELLED")
    assert state(own_home, "cover.garage_door") == "closed"
