"""A yes for ten minutes, given on a real phone client to a real Home Assistant: what it covers and what ends it."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.house.client import Client
from tests.house.demo_home import DemoHome
from tests.house.looks import end_of, notes_of, state
from tests.house.phone import Phone

pytestmark = pytest.mark.e2e

CLOSE_GARAGE = {"intent": "close", "device_alias": "Garage Door"}
OPEN_GARAGE = {"intent": "open", "device_alias": "Garage Door"}
GARAGE = {"entity_id": "cover.garage_door"}
HEAT_PUMP = {"entity_id": "climate.heatpump", "hvac_mode": "heat"}
THREE = ["Approve", "Reject", "For 10 minutes"]
REJECT, FOR_A_WHILE = 1, 2


def open_garage(home: DemoHome) -> None:
    """The owner opens the garage through Home Assistant."""
    assert home.owner.call("cover.open_cover", GARAGE).ok


def close_garage(home: DemoHome) -> None:
    """The owner closes it."""
    assert home.owner.call("cover.close_cover", GARAGE).ok


def cool(home: DemoHome) -> None:
    """The owner puts the heat pump to 20 °C."""
    assert home.owner.call("climate.set_hvac_mode", HEAT_PUMP).ok
    assert home.owner.call("climate.set_temperature", {**HEAT_PUMP, "temperature": 20}).ok


def warmer(temperature: int) -> dict[str, object]:
    """A wish for a warmer hall."""
    return {"intent": "set_temperature", "device_alias": "HeatPump", "params": {"temperature": temperature}}


def titles(message: dict[str, Any]) -> list[str]:
    """What a notification's buttons say."""
    return [button["title"] for button in message["data"]["actions"]]


def grant(asker: Client, phone: Phone, candidate: object) -> dict[str, Any]:
    """An agent asks, a person says yes for ten minutes; the first answer."""
    answer = asker.execute(candidate)
    asked = phone.question()
    assert titles(asked) == THREE
    phone.tap(asked, FOR_A_WHILE)
    assert end_of(asker, answer) == ("confirmed", "DONE")
    assert phone.cleared() == asked["data"]["tag"]
    return answer


def is_asked_about(asker: Client, phone: Phone, candidate: object) -> dict[str, Any]:
    """That a request is asked about, and that this is the next that a phone hears of; the answer is no."""
    answer = asker.execute(candidate)
    assert answer["outcome"] == "pending"
    asked = phone.messages.get(timeout=15)
    phone.tap(asked, REJECT)
    assert end_of(asker, answer) == ("cancelled", "REJECTED")
    assert phone.cleared() == asked["data"]["tag"]
    return asked


@pytest.fixture(autouse=True)
def as_it_was(home: DemoHome, request: pytest.FixtureRequest) -> None:
    """The garage is open, the heat pump at 20 °C and the phones are empty when a test starts."""
    if "own_home" in request.fixturenames:
        return
    for phone in request.getfixturevalue("phones"):
        phone.forget()
    open_garage(home)
    cool(home)


def test_for_ten_minutes(home: DemoHome, asker: Client, phones: tuple[Phone, Phone]) -> None:
    """The same is done again unasked, for this agent and this deed; the owner takes it back and it is asked again."""
    first, second = phones
    # Before the grant: whatever the owner changes ends it.
    other, _ = home.add_agent(f"Other {home.process.version}")
    answer = grant(asker, first, CLOSE_GARAGE)
    assert state(home, "cover.garage_door") == "closed"
    assert titles(second.question()) == THREE
    second.cleared()

    open_garage(home)
    again = asker.execute(CLOSE_GARAGE)
    assert (again["outcome"], again["code"], again["gate"]) == ("confirmed", "DONE", "execution")
    assert state(home, "cover.garage_door") == "closed"
    assert not any("asked" in note for note in notes_of(home, again))
    told = [{key: note[key] for key in ("grant", "by") if key in note} for note in notes_of(home, answer)]
    assert [note for note in told if note][-2:] == [{"grant": "given"}, {"grant": "used", "by": again["trace_id"]}]

    open_garage(home)
    assert is_asked_about(other, first, CLOSE_GARAGE)["message"].startswith("Other")
    close_garage(home)
    assert titles(is_asked_about(asker, first, OPEN_GARAGE)) == ["Approve", "Reject"]

    open_garage(home)
    assert other.edgehome("cancel", trace_id=answer["trace_id"])["code"] == "TRACE_NOT_FOUND"
    assert home.owner.edgehome("cancel", trace_id=answer["trace_id"])["cancelled"] is True
    assert home.owner.edgehome("cancel", trace_id=answer["trace_id"])["cancelled"] is False
    is_asked_about(asker, first, CLOSE_GARAGE)
    assert state(home, "cover.garage_door") == "open"
    assert [note["used"] for note in notes_of(home, answer) if note.get("grant") == "ended"] == [1]


def test_not_wider(home: DemoHome, asker: Client, phones: tuple[Phone, Phone]) -> None:
    """Values between the one that was and the one that was granted are covered, one beyond is asked about."""
    first, _ = phones
    grant(asker, first, warmer(30))
    cool(home)
    assert asker.execute(warmer(28))["outcome"] == "confirmed"
    cool(home)
    asked = is_asked_about(asker, first, warmer(31))
    assert "20 °C → 31 °C" in asked["message"]


def lock_down_and_release(home: DemoHome) -> None:
    """The owner's lockdown, on and off."""
    for action in ("turn_on", "turn_off"):
        assert home.owner.call(f"switch.{action}", {"entity_id": "switch.edgehome_lockdown"}).ok


def expose_less_and_more(home: DemoHome) -> None:
    """The owner changes what agents may name, be it another device."""
    change = {
        "type": "homeassistant/expose_entity",
        "assistants": ["conversation"],
        "entity_ids": ["fan.living_room_fan"],
    }
    for should_expose in (False, True):
        home.owner.command({**change, "should_expose": should_expose})


def change_options(home: DemoHome) -> None:
    """The owner changes EdgeHome's options, and changes them back."""
    home.set_options(escalate_after=0, seconds=90)
    home.set_options(escalate_after=0)


def change_an_agent(home: DemoHome) -> None:
    """The owner adds another agent."""
    home.add_agent("Newcomer")


@pytest.mark.parametrize("change", [lock_down_and_release, expose_less_and_more, change_options, change_an_agent])
def test_what_the_owner_changes_ends_it(
    home: DemoHome, asker: Client, phones: tuple[Phone, Phone], change: Callable[[DemoHome], None]
) -> None:
    """Lockdown, exposure, options, agents: after any change the same is asked about again."""
    first, _ = phones
    answer = grant(asker, first, CLOSE_GARAGE)
    open_garage(home)
    change(home)
    is_asked_about(asker, first, CLOSE_GARAGE)
    assert state(home, "cover.garage_door") == "open"
    assert any(note.get("grant") == "ended" for note in notes_of(home, answer))


def test_ended_by_the_agent(home: DemoHome, asker: Client, phones: tuple[Phone, Phone]) -> None:
    """The agent may give its grant back."""
    first, _ = phones
    answer = grant(asker, first, CLOSE_GARAGE)
    assert asker.edgehome("cancel", trace_id=answer["trace_id"])["cancelled"] is True
    open_garage(home)
    is_asked_about(asker, first, CLOSE_GARAGE)


def test_a_restart_ends_it(own_home: DemoHome) -> None:
    """A grant lives in memory: after a restart it is asked about again."""
    asker, _ = own_home.add_agent("Asker")
    own_home.add_approver("Ada")
    open_garage(own_home)
    with Phone(own_home.owner, "Ada's phone") as phone:
        grant(asker, phone, CLOSE_GARAGE)
    own_home.process.stop()
    own_home.process.start()
    own_home.wait_until_running()
    open_garage(own_home)
    with Phone(own_home.owner, "Ada's other phone") as phone:
        is_asked_about(asker, phone, CLOSE_GARAGE)
    assert own_home.process.complaints() == []
