"""The page in Chromium, at a phone's width, in Home Assistant's own frontend."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.house.browser import NEEDS_CHROMIUM, PATIENCE, page_of, picture
from tests.house.client import Client
from tests.house.demo_home import DemoHome
from tests.house.phone import Phone

OPEN_GARAGE = {"intent": "open", "device_alias": "Garage Door"}
CLOSE_GARAGE = {"intent": "close", "device_alias": "Garage Door"}
GARAGE = {"entity_id": "cover.garage_door"}

pytestmark = [pytest.mark.e2e, NEEDS_CHROMIUM]


def test_page(own_home: DemoHome, browser: Browser) -> None:
    """An approver with the page open can be asked, approves and rejects there; another person sees nothing."""
    agent, _ = own_home.add_agent("Hermes")
    ben = own_home.add_person("Ben")
    own_home.add_approver("Ada")
    with page_of(browser, ben) as others, page_of(browser, own_home.owner) as page:
        expect(page.get_by_text("Nothing waits for you.")).to_be_visible(timeout=PATIENCE)
        expect(others.get_by_text("You are not an approver")).to_be_visible(timeout=PATIENCE)
        answer = agent.execute(OPEN_GARAGE, reason="The car is at the gate.")
        assert answer["outcome"] == "pending"
        card = page.locator("article")
        expect(card).to_contain_text("Hermes asks")
        expect(card).to_contain_text("closed → open")
        expect(others.locator("article")).to_have_count(0)
        picture(page, "inbox")
        card.get_by_role("button", name="Approve").click()
        expect(page.get_by_text("Nothing waits for you.")).to_be_visible()
        assert agent.edgehome("get_trace", trace_id=answer["trace_id"], wait=10)["outcome"] == "confirmed"

        answer = agent.execute(CLOSE_GARAGE, reason="It is <b>cold</b>.")
        expect(card.locator("blockquote")).to_contain_text("cold")
        expect(card.locator("b")).to_have_count(0)
        page.get_by_role("button", name="Reject").click()
        assert agent.edgehome("get_trace", trace_id=answer["trace_id"], wait=10)["code"] == "REJECTED"
    assert agent.execute({"intent": "open", "device_alias": "Hall Window"})["code"] == "NO_APPROVER"


def test_grant_on_the_page(own_home: DemoHome, browser: Browser) -> None:
    """A yes for ten minutes is given and listed with its end and count there, and ended there; others see none of it."""
    agent, _ = own_home.add_agent("Hermes")
    ben = own_home.add_person("Ben")
    own_home.add_approver("Ada")
    assert own_home.owner.call("cover.open_cover", GARAGE).ok
    with page_of(browser, ben) as others, page_of(browser, own_home.owner) as page:
        expect(others.get_by_text("You are not an approver")).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_text("Nothing waits for you.")).to_be_visible(timeout=PATIENCE)
        answer = agent.execute(CLOSE_GARAGE, reason="It is getting cold.")
        expect(page.locator("article").get_by_role("button")).to_have_text(["Reject", "For 10 minutes", "Approve"])
        picture(page, "inbox_for_a_while")
        page.get_by_role("button", name="For 10 minutes").click()
        grant = page.locator("section")
        expect(grant).to_contain_text("May be done without asking: Hermes")
        expect(grant).to_contain_text("close Garage Door")
        expect(grant.locator("small")).to_contain_text(re.compile(r"until \d+:\d\d.* · used 0\u00d7 · by Ada"))
        assert agent.edgehome("get_trace", trace_id=answer["trace_id"], wait=10)["outcome"] == "confirmed"
        assert own_home.owner.call("cover.open_cover", GARAGE).ok
        assert agent.execute(CLOSE_GARAGE)["outcome"] == "confirmed"
        expect(grant.locator("small")).to_contain_text("used 1\u00d7")
        expect(page.locator("article")).to_have_count(0)
        picture(page, "inbox_grant")
        for what in ("article", "section", "input", "details"):
            expect(others.locator(f"edgehome-inbox {what}")).to_have_count(0)
        with pytest.raises(RuntimeError, match="unauthorized"):
            ben.command({"type": "edgehome/inbox/revoke", "grant_id": answer["trace_id"]})
        expect(grant).to_have_count(1)
        page.get_by_role("button", name="End it").click()
        expect(grant).to_have_count(0)
        assert own_home.owner.call("cover.open_cover", GARAGE).ok
        assert agent.execute(CLOSE_GARAGE)["outcome"] == "pending"
        expect(page.locator("article")).to_have_count(1)


def test_only_own_sessions_answer(own_home: DemoHome) -> None:
    """A long-lived token of the approver, another person and the agent are refused and recorded; nothing happens."""
    agent, _ = own_home.add_agent("Hermes")
    own_home.add_approver("Ada")
    ben = own_home.add_person("Ben")
    (token,) = own_home.owner.command({"type": "auth/long_lived_access_token", "client_name": "x", "lifespan": 1})
    with Phone(own_home.owner, "Ada's phone"):
        answer = agent.execute(OPEN_GARAGE)
        yes = {"type": "edgehome/inbox/answer", "trace_id": answer["trace_id"], "answer": "yes"}
        for caller in (Client(own_home.process.url, token), ben, agent):
            for command in (
                yes,
                {**yes, "answer": "yes_for_a_while"},
                {"type": "edgehome/inbox/revoke", "grant_id": answer["trace_id"]},
                {"type": "edgehome/inbox/set_pin", "new": "1234"},
            ):
                with pytest.raises(RuntimeError, match="unauthorized"):
                    caller.command(command)
        seen = own_home.owner.edgehome("get_trace", trace_id=answer["trace_id"])
        assert seen["outcome"] == "pending"
        assert len([note for note in seen["notes"] if "forged_answer_of" in note]) == 6
