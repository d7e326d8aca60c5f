"""The page in Chromium, at a phone's width, in Home Assistant's own frontend."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.house.client import Client
from tests.house.demo_home import DemoHome, tokens_for_browser
from tests.house.phone import Phone

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 390, "height": 780}
PATIENCE = 20_000
OPEN_GARAGE = {"intent": "open", "device_alias": "Garage Door"}

is_needed = os.environ.get("EDGEHOME_BROWSER") == "needed"
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(not CHROMIUM.exists() and not is_needed, reason="Chromium is missing"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield chromium
        chromium.close()


@contextmanager
def page_of(
    browser: Browser, person: Client, path: str = "/edgehome", size: dict[str, int] | None = None
) -> Iterator[Page]:
    """A page of the frontend, as this person sees it."""
    context = browser.new_context(viewport=size or PHONE)  # type: ignore[arg-type]  # width and height
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('hassTokens', {json.dumps(tokens_for_browser(person))})")
    page.goto(person.url + path)
    yield page
    context.close()


def test_page(own_home: DemoHome, browser: Browser) -> None:
    """An approver with the page open can be asked, approves and rejects there; another person sees nothing."""
    agent, _ = own_home.add_agent("Hermes")
    ben = own_home.add_person("Ben")
    own_home.add_approver("Ada")
    with page_of(browser, ben) as others, page_of(browser, own_home.owner) as page:
        expect(page.get_by_text("Nothing waits for you.")).to_be_visible(timeout=PATIENCE)
        expect(others.get_by_text("You are not an approver")).to_be_visible(timeout=PATIENCE)
        answer = agent.execute(OPEN_GARAGE, reason="The car is at the <b>gate</b>.")
        assert answer["outcome"] == "pending"
        card = page.locator("article")
        expect(card).to_contain_text("Hermes asks")
        expect(card).to_contain_text("closed → open")
        expect(card.locator("b")).to_have_count(0)
        expect(others.locator("article")).to_have_count(0)
        card.get_by_role("button", name="Approve").click()
        expect(page.get_by_text("Nothing waits for you.")).to_be_visible()
        assert agent.edgehome("get_trace", trace_id=answer["trace_id"], wait=10)["outcome"] == "confirmed"

        answer = agent.execute({"intent": "close", "device_alias": "Garage Door"})
        page.get_by_role("button", name="Reject").click()
        assert agent.edgehome("get_trace", trace_id=answer["trace_id"], wait=10)["code"] == "REJECTED"
    assert agent.execute({"intent": "open", "device_alias": "Hall Window"})["code"] == "NO_APPROVER"


def test_forms(own_home: DemoHome, browser: Browser) -> None:
    """The owner adds an approver and an agent by clicking; the token that is shown once works."""
    where = "/config/integrations/integration/edgehome"
    with page_of(browser, own_home.owner, where, {"width": 1000, "height": 900}) as page:
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


def test_only_own_sessions_answer(own_home: DemoHome) -> None:
    """A long-lived token of the approver, and another person, are refused and recorded; nothing happens."""
    agent, _ = own_home.add_agent("Hermes")
    own_home.add_approver("Ada")
    ben = own_home.add_person("Ben")
    (token,) = own_home.owner.command({"type": "auth/long_lived_access_token", "client_name": "x", "lifespan": 1})
    with Phone(own_home.owner, "Ada's phone"):
        answer = agent.execute(OPEN_GARAGE)
        for caller in (Client(own_home.process.url, token), ben):
            with pytest.raises(RuntimeError, match="unauthorized"):
                caller.command({"type": "edgehome/inbox/answer", "trace_id": answer["trace_id"], "yes": True})
        seen = own_home.owner.edgehome("get_trace", trace_id=answer["trace_id"])
        assert seen["outcome"] == "pending"
        assert len([note for note in seen["notes"] if "forged_answer_of" in note]) == 2
