"""Phones that cannot be asked, and what the owner is told about them."""

import pytest

from tests.house.demo_home import DemoHome
from tests.house.looks import notes_of
from tests.house.phone import Phone

pytestmark = pytest.mark.e2e

OPEN_GARAGE = {"intent": "open", "device_alias": "Garage Door"}


def told(home: DemoHome) -> list[str]:
    """What Repairs shows of EdgeHome."""
    return [issue["translation_key"] for issue in home.repairs()]


def test_two_phones_of_one_name(own_home: DemoHome) -> None:
    """Home Assistant notifies one of them: the other's owner counts as not asked, and it is told."""
    agent, _ = own_home.add_agent("Hermes")
    ben = own_home.add_person("Ben")
    own_home.add_approver("Ada", order=1)
    own_home.add_approver("Ben", order=2)
    with Phone(own_home.owner, "Pixel 9") as first, Phone(ben, "Pixel_9") as second:
        answer = agent.execute(OPEN_GARAGE)
        second.question()
        asked = [(note["asked"], note["phones"]) for note in notes_of(own_home, answer) if "asked" in note]
        assert asked == [("Ada", 0), ("Ben", 1)]
        assert first.messages.empty()
    assert told(own_home) == ["phone_unnamed"]


def test_a_chosen_phone_is_gone(own_home: DemoHome) -> None:
    """A chosen phone whose registration is deleted is told, until the owner has chosen anew."""
    agent, _ = own_home.add_agent("Hermes")
    own_home.add_approver("Ada")
    with Phone(own_home.owner, "Old phone"), Phone(own_home.owner, "New phone") as new:
        entries = own_home.owner.get("/api/config/config_entries/entry?domain=mobile_app")
        ids = {entry["title"]: entry["entry_id"] for entry in entries}
        own_home.change_approver("Ada", phones=[ids["Old phone"]])
        assert told(own_home) == []
        gone = own_home.owner.request("DELETE", f"/api/config/config_entries/entry/{ids['Old phone']}")
        gone.raise_for_status()
        assert told(own_home) == ["phone_gone"]
        assert agent.execute(OPEN_GARAGE)["code"] == "NO_APPROVER"
        own_home.change_approver("Ada", phones=[ids["New phone"]])
        assert told(own_home) == []
        assert agent.execute(OPEN_GARAGE)["outcome"] == "pending"
        new.question()
