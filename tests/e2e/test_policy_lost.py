"""The owner's own policy is lost: everything is denied, a repair says why, and the owner mends it by clicking."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.house.browser import DESK, NEEDS_CHROMIUM, page_of, picture
from tests.house.client import Client
from tests.house.demo_home import DemoHome

LAMP_ON = {"intent": "turn_on", "device_alias": "Bed Light"}
LAMP_OFF = {"intent": "turn_off", "device_alias": "Bed Light"}
ONLY_ON = "version: 1\nname: only on\nrules:\n- {verdict: allow, operations: turn_on, device_types: light}\n"

pytestmark = pytest.mark.e2e


def file_of(home: DemoHome) -> Path:
    """Where EdgeHome keeps the owner's tables."""
    return home.process.folder / ".storage" / "edgehome.policy"


def codes(agent: Client) -> tuple[str, str]:
    """What becomes of switching a lamp off and on."""
    return str(agent.execute(LAMP_OFF)["code"]), str(agent.execute(LAMP_ON)["code"])


def broken(path: Path) -> None:
    """Half of the file is missing."""
    path.write_text(path.read_text()[: len(path.read_text()) // 2])


def gone(path: Path) -> None:
    """Somebody removed the file."""
    path.unlink()


def changed_by_hand(path: Path) -> None:
    """Somebody allowed something past EdgeHome."""
    stored = json.loads(path.read_text())
    for table in stored["data"]["tables"].values():
        table["rules"].append({"verdict": "allow"})
    path.write_text(json.dumps(stored))


@pytest.mark.parametrize("harm", [broken, gone, changed_by_hand], ids=lambda harm: harm.__name__)
def test_denied_until_it_is_mended(own_home: DemoHome, harm: Callable[[Path], None]) -> None:
    """Whatever happened to the file, nothing is allowed; the version before it is put in force again by the repair."""
    agent, _ = own_home.add_agent("Hermes")
    own_home.change_policy("document", {"document": ONLY_ON})
    assert codes(agent)[0] == "POLICY_DENIED"
    own_home.process.stop()
    harm(file_of(own_home))
    own_home.process.start()
    own_home.wait_until_running()
    assert codes(agent) == ("POLICY_UNREADABLE", "POLICY_UNREADABLE")
    assert "policy_unreadable" in {one["translation_key"] for one in own_home.repairs()}
    start = {"handler": "edgehome", "issue_id": "policy_unreadable"}
    form = own_home.owner.post("/api/repairs/issues/fix", start)
    labels = {one["label"]: one["value"] for one in form["data_schema"][0]["selector"]["select"]["options"]}
    wanted = next(value for label, value in labels.items() if "only on" in label)
    ended = own_home.owner.post(f"/api/repairs/issues/fix/{form['flow_id']}", {"table": wanted})
    assert ended["type"] == "create_entry"
    own_home.wait_until_running()
    assert codes(agent)[0] == "POLICY_DENIED"
    assert codes(agent)[1] in {"DONE", "ALREADY_SO"}
    assert "policy_unreadable" not in {one["translation_key"] for one in own_home.repairs()}


@NEEDS_CHROMIUM
def test_mended_by_clicking(own_home: DemoHome, browser: Browser) -> None:
    """The owner finds the repair in Home Assistant, reads why, and chooses the version that was in force."""
    agent, _ = own_home.add_agent("Hermes")
    own_home.change_policy("document", {"document": ONLY_ON})
    own_home.process.stop()
    broken(file_of(own_home))
    own_home.process.start()
    own_home.wait_until_running()
    with page_of(browser, own_home.owner, "/config/repairs", DESK) as page:
        page.get_by_text("The policy cannot be read, so everything is denied").first.click()
        expect(page.get_by_text("EdgeHome denies everything, because")).to_be_visible()
        page.get_by_role("radio").first.click()
        picture(page, "policy_repair")
        page.get_by_role("button", name="Submit").click()
        expect(page.get_by_text("EdgeHome denies everything, because")).to_have_count(0)
    own_home.wait_until_running()
    assert codes(agent)[0] == "POLICY_DENIED"
    assert codes(agent)[1] in {"DONE", "ALREADY_SO"}
