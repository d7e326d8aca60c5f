"""Repairs as the frontend drives them: opening one is no answer."""

import pytest

from tests.house.demo_home import DemoHome

FIX = "/api/repairs/issues/fix"

pytestmark = pytest.mark.e2e


def is_listed(home: DemoHome) -> bool:
    """Whether there is something to look through."""
    (answer,) = home.owner.command({"type": "repairs/list_issues"})
    return "look_through" in {issue["translation_key"] for issue in answer["issues"]}


def test_look_through(own_home: DemoHome) -> None:
    """The list is shown when it is opened; what the owner chooses is said, and then nothing is listed again."""
    own_home.expose("button.push")
    form = own_home.owner.post(FIX, {"handler": "edgehome", "issue_id": "look_through"})
    assert (form["type"], form["step_id"]) == ("form", "init")
    offered = {field["name"]: field["selector"]["entity"]["include_entities"] for field in form["data_schema"]}
    assert "button.push" in offered["harmless"]
    assert is_listed(own_home)
    ended = own_home.owner.post(f"{FIX}/{form['flow_id']}", {"harmless": ["button.push"]})
    assert ended["type"] == "create_entry"
    assert [one["title"] for one in own_home.subentries("entity")] == ["Push"]
    assert not is_listed(own_home)
