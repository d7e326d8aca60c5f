"""The owner edits the policy in Chromium: adds, drags, changes and removes rules, reads the review, saves, goes back."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.house.browser import NEEDS_CHROMIUM, page_of, picture
from tests.house.client import Client
from tests.house.demo_home import DemoHome

WHERE = "/config/integrations/integration/edgehome"
TALL = {"width": 1000, "height": 1300}
LAMP_ON = {"intent": "turn_on", "device_alias": "Bed Light"}

pytestmark = [pytest.mark.e2e, NEEDS_CHROMIUM]


def opened(page: Page, form: str) -> None:
    """One of the forms of the policy."""
    page.get_by_role("button", name="Configure").first.click()
    page.get_by_text(form).click()


def row(page: Page, name: str) -> Locator:
    """The row of a rule."""
    return page.locator(".item", has_text=name).first


def added(page: Page, name: str, verdict: str, kind: str) -> None:
    """A new rule about a kind of devices; it is the last one."""
    page.get_by_role("button", name="Add", exact=True).click()
    form = page.locator("dialog-form")
    form.locator("ha-selector-text input").first.fill(name)
    form.locator("ha-select").first.click()
    form.locator("ha-dropdown-item", has_text=verdict).first.click()
    # Its third choice, after the verdict and the operations; the button's words differ between the releases.
    form.locator("ha-selector-select").nth(2).locator("ha-button").first.click()
    page.locator("ha-picker-combo-box").get_by_text(kind, exact=True).first.click()
    picture(page, "policy_rule")
    form.get_by_role("button", name="Add", exact=True).last.click()
    expect(form.get_by_role("button", name="Add", exact=True).last).to_be_hidden()
    expect(row(page, name)).to_be_visible()


def dragged_to_the_top(page: Page, name: str) -> None:
    """The owner takes a row by its handle and lets it go above the first one."""
    handle = row(page, name).locator(".handle")
    handle.scroll_into_view_if_needed()
    start, end = handle.bounding_box(), page.locator(".item .handle").first.bounding_box()
    assert start
    assert end
    x, y, steps = start["x"] + 12, start["y"] + 12, 30
    page.mouse.move(x, y)
    page.mouse.down()
    page.wait_for_timeout(300)
    for step in range(1, steps + 1):
        page.mouse.move(x, y + (end["y"] - 8 - y) * step / steps)
        page.wait_for_timeout(20)
    page.mouse.up()


def submitted(page: Page) -> None:
    """Presses the button of the form."""
    page.get_by_role("button", name="Submit").click()


def finished(page: Page) -> None:
    """The form is closed once it is saved."""
    button = page.get_by_role("button", name=re.compile("Finish|Close"))
    button.last.click()
    expect(page.get_by_text("Before it is saved")).to_have_count(0)


def can_switch_on(agent: Client) -> str:
    """What becomes of an agent's wish for light."""
    return str(agent.execute(LAMP_ON)["code"])


def test_edit_and_go_back(own_home: DemoHome, browser: Browser) -> None:
    """A rule is added, dragged to the top and saved; what it hides must go first; then the old table comes back."""
    agent, _ = own_home.add_agent("Hermes")
    assert can_switch_on(agent) in {"DONE", "ALREADY_SO"}
    with page_of(browser, own_home.owner, WHERE, TALL) as page:
        opened(page, "Policy: edit the rules")
        expect(page.get_by_text("The first rule that speaks")).to_be_visible()
        expect(page.get_by_text("Never unlock")).to_be_visible()
        picture(page, "policy_rules")
        added(page, "No lamps", "Deny", "light")
        dragged_to_the_top(page, "No lamps")
        expect(page.locator(".item").first).to_contain_text("No lamps")
        submitted(page)
        expect(page.get_by_text("Some rules never speak")).to_be_visible()
        expect(page.get_by_text("hides it").first).to_be_visible()
        picture(page, "policy_lint")
        row(page, "Dim lamps").locator("ha-icon-button").last.click()
        row(page, "Everything harmless").locator("ha-icon-button").first.click()
        page.locator("dialog-form ha-selector-text input").first.fill("All that is harmless")
        page.locator("dialog-form").get_by_role("button", name="Save", exact=True).last.click()
        submitted(page)
        expect(page.get_by_text("would be decided otherwise")).to_be_visible()
        picture(page, "policy_review")
        submitted(page)
        finished(page)
        assert can_switch_on(agent) == "POLICY_DENIED"
        opened(page, "Policy: go back")
        expect(page.get_by_text("put in force again")).to_be_visible()
        picture(page, "policy_versions")
        page.get_by_role("radio").last.click()
        submitted(page)
        expect(page.get_by_text("More would be let through").first).to_be_visible()
        submitted(page)
        expect(page.get_by_text("turn the switch on if")).to_be_visible()
        page.locator("ha-selector-boolean").locator("ha-checkbox, ha-switch").click()
        picture(page, "policy_widen")
        submitted(page)
        finished(page)
    assert can_switch_on(agent) in {"DONE", "ALREADY_SO"}
    assert own_home.process.complaints() == []
