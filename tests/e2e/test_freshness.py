"""What is known of a device, on a real Home Assistant: the state counts only while it is true (R7)."""

import time
from typing import Any

import pytest

from tests.house.client import Client
from tests.house.demo_home import DemoHome
from tests.house.odd_devices.hands import COORDINATED, Hands
from tests.house.odd_devices.names import CALLS, FETCHES

pytestmark = pytest.mark.e2e

REST = 3.2
"""Seconds that what came of a fetch stands for the next one."""
LATE_AFTER = 47
"""Seconds until a device that is polled every 5 seconds is late: three polls, and half a minute."""


def ask(stranger: Client, intent: str, entity_id: str, **params: object) -> tuple[str, str]:
    """The outcome and code of a request."""
    answer = stranger.execute({"intent": intent, "device_alias": entity_id, "params": params})
    return answer["outcome"], answer["code"]


def verification(answer: dict[str, Any]) -> str:
    """What is said of the only action."""
    (action,) = answer["result"]["actions"]
    return str(action["verification"])


def test_a_coordinator_that_fails(hands: Hands, stranger: Client) -> None:
    """Its entities stay available, and are asked for: harmless things are done unverified, serious ones refused."""
    lock, light = "lock.coordinated_lock", "light.coordinated_light"
    hands.set(lock, fails=True)
    hands.report(lock)
    assert hands.state(lock) == "locked"
    fetched = hands.count(FETCHES, COORDINATED)
    assert ask(stranger, "unlock", lock) == ("blocked", "STATE_STALE")
    assert hands.count(FETCHES, COORDINATED) == fetched + 1
    assert hands.count(CALLS, lock) == 0
    assert ask(stranger, "lock", lock) == ("blocked", "NO_APPROVER")
    assert ask(stranger, "toggle", light)[0] == "executed"
    answer = stranger.execute({"intent": "turn_off", "device_alias": light})
    assert (answer["outcome"], answer["code"]) == ("executed", "DONE")
    (read,) = stranger.execute({"intent": "status", "device_alias": lock})["result"]["states"]
    assert (read["state"], read["liveness"]) == ("locked", "stale")
    # Within a few seconds agents cannot make it ask the device again and again.
    assert hands.count(FETCHES, COORDINATED) <= fetched + 4


def test_a_coordinator_that_is_back(hands: Hands, stranger: Client) -> None:
    """One real fetch shows that the state is true, or what it is by now."""
    lock = "lock.coordinated_lock"
    hands.set(lock, fails=True)
    hands.report(lock)
    hands.set(lock, fails=False, state="unlocked")
    time.sleep(REST)
    assert hands.state(lock) == "locked"
    assert ask(stranger, "unlock", lock) == ("no_change", "ALREADY_SO")
    assert hands.state(lock) == "unlocked"
    assert ask(stranger, "lock", lock) == ("executed", "DONE")


def test_a_push_device_that_is_still(hands: Hands, stranger: Client) -> None:
    """What reports by itself is current however long it said nothing, and is never asked."""
    time.sleep(1)
    assert ask(stranger, "lock", "lock.pushed_lock") == ("no_change", "ALREADY_SO")
    (read,) = stranger.execute({"intent": "status", "device_alias": "lock.pushed_lock"})["result"]["states"]
    assert (read["liveness"], read["reported"] >= 1) == ("current", True)
    assert ask(stranger, "unlock", "lock.pushed_lock") == ("blocked", "NO_APPROVER")
    assert ask(stranger, "turn_on", "light.fed_light") == ("executed", "DONE")


def test_polled_ten_times_late(hands: Hands, stranger: Client) -> None:
    """Polls that do not come make a state old; then the device is asked, and what it says counts."""
    lock, light = "lock.polled_lock", "light.polled_light"
    assert ask(stranger, "lock", lock) == ("no_change", "ALREADY_SO")
    hands.set(lock, fails=True)
    hands.set(light, fails=True)
    time.sleep(LATE_AFTER)
    assert hands.state(lock) == "locked"
    assert ask(stranger, "unlock", lock) == ("blocked", "STATE_STALE")
    assert ask(stranger, "lock", lock) == ("blocked", "NO_APPROVER")
    answer = stranger.execute({"intent": "turn_off", "device_alias": light})
    assert (answer["outcome"], answer["code"], verification(answer)) == ("executed", "DONE", "waiting")
    hands.set(lock, fails=False, state="unlocked")
    time.sleep(REST)
    assert ask(stranger, "unlock", lock) == ("no_change", "ALREADY_SO")


def test_a_refresh_that_fetches_nothing(hands: Hands, stranger: Client, odd_home: DemoHome) -> None:
    """Home Assistant's own refresh writes the old state anew; for EdgeHome that makes nothing younger or older."""
    light = "light.unfetched_light"
    hands.set(light, state="on")
    assert odd_home.owner.call("homeassistant.update_entity", {"entity_id": light}).ok
    (read,) = stranger.execute({"intent": "status", "device_alias": light})["result"]["states"]
    assert (read["state"], read["liveness"]) == ("off", "current")


def test_assumed(hands: Hands, stranger: Client) -> None:
    """What is only guessed is done where it is harmless, never "already so", and asked about where it is serious."""
    answer = stranger.execute({"intent": "turn_off", "device_alias": "light.assumed_light"})
    assert (answer["outcome"], verification(answer)) == ("executed", "unverified")
    assert ask(stranger, "lock", "lock.assumed_lock") == ("blocked", "NO_APPROVER")


def test_written_by_hand(hands: Hands, stranger: Client, odd_home: DemoHome) -> None:
    """A state with nothing behind it is no device (case 26)."""
    ghost = {"state": "unlocked", "attributes": {"friendly_name": "Ghost door"}}
    odd_home.owner.request("POST", "/api/states/lock.ghost_door", ghost).raise_for_status()
    odd_home.expose("lock.ghost_door")
    assert ask(stranger, "lock", "lock.ghost_door") == ("blocked", "ENTITY_MISSING")
    answer = stranger.execute({"intent": "status", "device_alias": "lock.ghost_door"})
    assert "no device behind it" in answer["message"]
    odd_home.owner.request("DELETE", "/api/states/lock.ghost_door").raise_for_status()
