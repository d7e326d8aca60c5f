"""The owner's forms in Chromium."""

import pytest
from playwright.sync_api import Browser, expect

from tests.house.browser import DESK, NEEDS_CHROMIUM, page_of, picture
from tests.house.client import Client
from tests.house.demo_home import DemoHome
from tests.house.looks import end_of, notes_of
from tests.house.phone import Phone

WHERE = "/config/integrations/integration/edgehome"
OPEN_GARAGE = {"intent": "open", "device_alias": "Garage Door"}

pytestmark = [pytest.mark.e2e, NEEDS_CHROMIUM]


def test_forms(own_home: DemoHome, browser: Browser) -> None:
    """The owner adds an approver and an agent by clicking; the token that is shown once works."""
    with page_of(browser, own_home.owner, WHERE, DESK) as page:
        page.get_by_text("Add approver").first.click()
        expect(page.get_by_text("A person whose yes lets an agent")).to_be_visible()
        page.get_by_role("button", name="Submit").click()
        page.get_by_role("button", name="Finish").click()
        page.get_by_text("Add agent").first.click()
        page.locator("ha-selector-text input").first.fill("Iris")
        page.get_by_role("button", name="Submit").click()
        token = page.locator("code").first.inner_text().strip()
        page.get_by_role("button", name="Submit").click()
        page.get_by_role("button", name="Finish").click()
    kinds = own_home.owner.command({"type": "config_entries/subentries/list", "entry_id": own_home.entry_id})[0]
    assert sorted((item["subentry_type"], item["title"]) for item in kinds) == [("agent", "Iris"), ("approver", "Ada")]
    agent = Client(own_home.process.url, token)
    assert agent.execute({"intent": "status", "device_alias": "Front Door"})["outcome"] == "read"


def test_approver_with_two_phones(own_home: DemoHome, browser: Browser) -> None:
    """The owner chooses one of two phones and that the page suffices: one is asked, and without any it waits."""
    agent, _ = own_home.add_agent("Hermes")
    other, _ = own_home.add_agent("Iris")
    with Phone(own_home.owner, "Old phone") as old, Phone(own_home.owner, "New phone") as new:
        with page_of(browser, own_home.owner, WHERE, DESK) as page:
            page.get_by_text("Add approver").first.click()
            expect(page.get_by_text("A person whose yes lets an agent")).to_be_visible()
            expect(page.get_by_text("Count this person as reachable also without a phone")).to_be_visible()
            page.locator("ha-selector-boolean ha-switch").click()
            picture(page, "add_approver")
            page.get_by_role("button", name="Submit").click()
            expect(page.get_by_text("Choose the phones")).to_be_visible()
            page.locator("ha-selector-select").get_by_text("New phone").click()
            picture(page, "choose_phones")
            page.get_by_role("button", name="Submit").click()
            page.get_by_role("button", name="Finish").click()
            expect(page.get_by_role("button", name="Finish")).to_have_count(0)
        answer = agent.execute(OPEN_GARAGE)
        new.tap(new.question(), 0)
        assert end_of(agent, answer) == ("confirmed", "DONE")
        assert [note["phones"] for note in notes_of(own_home, answer) if "asked" in note] == [1]
        assert old.messages.empty()
    assert own_home.owner.call("cover.close_cover", {"entity_id": "cover.garage_door"}).ok
    waiting = other.execute(OPEN_GARAGE)
    assert waiting["outcome"] == "pending"
    yes = {"type": "edgehome/inbox/answer", "trace_id": waiting["trace_id"], "answer": "yes"}
    assert own_home.owner.command(yes) == [{"taken": True}]
    assert end_of(other, waiting) == ("confirmed", "DONE")
    assert own_home.repairs() == []
