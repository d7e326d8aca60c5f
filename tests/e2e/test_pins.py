"""PINs on a real Home Assistant: set on the page, wanted there, locked after five wrong ones, reset by the owner."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.house.browser import NEEDS_CHROMIUM, PATIENCE, page_of, picture
from tests.house.client import Client
from tests.house.demo_home import DemoHome
from tests.house.looks import end_of, notes_of, state
from tests.house.phone import EVENT, Phone

pytestmark = [pytest.mark.e2e, NEEDS_CHROMIUM]

OPEN_GARAGE = {"intent": "open", "device_alias": "Garage Door"}
WARMER = {"intent": "set_temperature", "device_alias": "HeatPump", "params": {"temperature": 30}}
PIN, NEXT_PIN, WRONG = "Quittenbrot-4711", "Zwetschge-0815-neu", "falsch-12345678"


def set_pin(page: Page, pin: str) -> None:
    """A person sets his first PIN on the page."""
    page.locator("summary", has_text="Set PIN").click()
    page.get_by_label("New PIN").fill(pin)
    page.get_by_role("button", name="Set PIN").click()
    expect(page.get_by_text("Your PIN is set.")).to_be_visible()
    expect(page.locator("summary", has_text="Change PIN")).to_be_visible()


def say_yes(person: Client, answer: dict[str, Any], **pin: object) -> dict[str, Any]:
    """A yes over the page's own websocket command."""
    (taken,) = person.command({"type": "edgehome/inbox/answer", "trace_id": answer["trace_id"], "answer": "yes", **pin})
    result: dict[str, Any] = taken
    return result


def files_with(folder: Path, *secrets: str) -> list[str]:
    """The files of a configuration folder, its log included, that have one of these in plain text."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            found += [f"{path}: {secret}" for secret in secrets if secret.encode() in content]
    return found


def test_life_of_a_pin(pin_home: DemoHome, browser: Browser) -> None:
    """Not set, set, wrong five times, locked beyond a restart, reset by the owner, set anew, right; and never in plain text."""
    home, owner = pin_home, pin_home.owner
    agents = [home.add_agent(name)[0] for name in ("Hermes", "Iris", "Argus")]
    asker, other, third = agents
    home.add_approver("Ada")
    with Phone(owner, "Ada's phone") as phone:
        refused = asker.execute(OPEN_GARAGE)
        assert (refused["code"], refused["gate"]) == ("PIN_NOT_SET", "execution")
        with page_of(browser, owner) as page:
            set_pin(page, PIN)
        answer = asker.execute(OPEN_GARAGE)
        assert (answer["outcome"], answer["requirement"]["pin"]) == ("pending", True)
        asked = phone.question()
        to_page, no = asked["data"]["actions"]
        assert to_page == {"action": "URI", "title": "Open EdgeHome", "uri": "/edgehome"}
        assert no["title"] == "Reject"
        assert "with your PIN" in asked["message"]
        phone.fire(EVENT, to_page)
        assert say_yes(owner, answer) == {"taken": False, "pin": "wrong"}
        for wrong in (WRONG, 4711, [PIN]):
            assert say_yes(owner, answer, pin=wrong) == {"taken": False, "pin": "wrong"}
        with page_of(browser, owner) as page:
            page.get_by_label("PIN", exact=True).fill(WRONG)
            page.get_by_role("button", name="Approve").click()
            expect(page.locator("p.said")).to_contain_text("locked after five wrong tries")
        (issue,) = home.repairs()
        assert (issue["translation_key"], issue["translation_placeholders"]) == ("pin_locked", {"name": "Ada"})
        assert say_yes(owner, answer, pin=PIN) == {"taken": False, "pin": "locked"}
        assert end_of(asker, answer, wait=1) == ("pending", "WAITING")
        assert state(home, "cover.garage_door") == "closed"
        assert len([note for note in notes_of(home, answer) if "mistyped_by" in note]) == 6
        assert other.execute(OPEN_GARAGE)["code"] == "PIN_NOT_SET"
        phone.tap(asked, 1)
        assert end_of(asker, answer) == ("cancelled", "REJECTED")

    home.process.stop()
    home.process.start()
    home.wait_until_running()
    assert [issue["translation_key"] for issue in home.repairs()] == ["pin_locked"]
    with Phone(owner, "Ada's other phone") as phone:
        assert other.execute(OPEN_GARAGE)["code"] == "PIN_NOT_SET"
        home.change_approver("Ada", forget_pin=True)
        assert home.repairs() == []
        assert other.execute(OPEN_GARAGE)["code"] == "PIN_NOT_SET"
        with page_of(browser, owner) as page:
            set_pin(page, NEXT_PIN)
            answer = third.execute(OPEN_GARAGE)
            phone.question()
            assert say_yes(owner, answer, pin=PIN) == {"taken": False, "pin": "wrong"}
            page.get_by_label("PIN", exact=True).fill(NEXT_PIN)
            page.get_by_role("button", name="Approve").click()
            expect(page.get_by_text("Nothing waits for you.")).to_be_visible()
        assert end_of(third, answer) == ("confirmed", "DONE")
    assert state(home, "cover.garage_door") == "open"
    home.process.stop()
    assert files_with(home.process.folder, PIN, NEXT_PIN, WRONG) == []
    assert home.process.complaints() == []


def test_question_with_a_pin(pin_home: DemoHome, browser: Browser) -> None:
    """The page has a field for the PIN; what is typed outlives another question; a wrong one is told, the right one counts."""
    home = pin_home
    asker, _ = home.add_agent("Hermes")
    other, _ = home.add_agent("Iris")
    ben = home.add_person("Ben")
    home.add_approver("Ada")
    with page_of(browser, ben) as others, page_of(browser, home.owner) as page:
        expect(others.get_by_text("You are not an approver")).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_text("Nothing waits for you.")).to_be_visible(timeout=PATIENCE)
        set_pin(page, PIN)
        page.reload()
        expect(page.locator("summary", has_text="Change PIN")).to_be_visible(timeout=PATIENCE)
        answer = asker.execute(OPEN_GARAGE, reason="The car is at the gate.")
        field = page.get_by_label("PIN", exact=True)
        expect(field).to_be_visible()
        expect(page.locator("article").get_by_role("button")).to_have_text(["Reject", "Approve"])
        picture(page, "inbox_pin")
        field.press_sequentially("fal")
        other.execute(WARMER)
        expect(page.locator("article")).to_have_count(2)
        expect(field).to_have_value("fal")
        expect(field).to_be_focused()
        page.keyboard.type("sch")
        expect(field).to_have_value("falsch")
        card = page.locator("article", has_text="Hermes asks")
        card.get_by_role("button", name="Approve").click()
        expect(page.get_by_text("That PIN is wrong.")).to_be_visible()
        expect(field).to_have_value("")
        assert state(home, "cover.garage_door") == "closed"
        field.fill(PIN)
        card.get_by_role("button", name="Approve").click()
        expect(card).to_have_count(0)
        expect(page.get_by_text("That PIN is wrong.")).to_have_count(0)
        assert end_of(asker, answer) == ("confirmed", "DONE")
        expect(page.locator("article")).to_contain_text("Iris asks")
        for what in ("article", "section", "input", "details"):
            expect(others.locator(f"edgehome-inbox {what}")).to_have_count(0)
    assert state(home, "cover.garage_door") == "open"


def test_changing_a_pin(pin_home: DemoHome, browser: Browser) -> None:
    """Who has a PIN must give it to set another; what is no PIN is told."""
    home = pin_home
    asker, _ = home.add_agent("Hermes")
    home.add_approver("Ada")
    with page_of(browser, home.owner) as page:
        set_pin(page, PIN)
        old, new = page.get_by_label("Present PIN"), page.get_by_label("New PIN")
        change = page.get_by_role("button", name="Change PIN")
        for given, wanted, told in (
            (WRONG, NEXT_PIN, "That PIN is wrong."),
            (PIN, "123", "A PIN has 4 to 64 characters."),
            (PIN, NEXT_PIN, "Your PIN is set."),
        ):
            old.fill(given)
            new.fill(wanted)
            change.click()
            expect(page.get_by_text(told, exact=True)).to_be_visible()
        answer = asker.execute(OPEN_GARAGE)
        assert say_yes(home.owner, answer, pin=PIN) == {"taken": False, "pin": "wrong"}
        assert say_yes(home.owner, answer, pin=NEXT_PIN) == {"taken": True}
    assert end_of(asker, answer) == ("confirmed", "DONE")


def test_tries_outlive_a_power_cut(pin_home: DemoHome) -> None:
    """A wrong try is written down before it is compared: killing Home Assistant gains none."""
    home = pin_home
    home.add_approver("Ada")
    setting = {"type": "edgehome/inbox/set_pin", "new": NEXT_PIN}
    assert home.owner.command({**setting, "new": PIN}) == [{"pin": "ok"}]
    # Home Assistant keeps new users in memory for its first minutes; the power cut comes later than that.
    home.process.stop()
    home.process.start()
    home.wait_until_running()
    tries = [{**setting, "old": WRONG}] * 3
    assert home.owner.command(*tries) == [{"pin": "wrong"}] * 3
    home.process.kill()
    home.process.start()
    home.wait_until_running()
    assert home.owner.command(*tries) == [{"pin": "wrong"}, {"pin": "locked"}, {"pin": "locked"}]
    assert home.owner.command({**setting, "old": PIN}) == [{"pin": "locked"}]
    assert [issue["translation_key"] for issue in home.repairs()] == ["pin_locked"]
