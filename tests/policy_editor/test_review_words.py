"""What the review says in words: names are no marks of the page, and nothing is left out without being counted."""

import re
from typing import Any

import pytest
import yaml
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.home.test_review import say
from tests.policy_editor.forms import Row, edit, opened, sent
from tests.real_home import AgentAccess, Doors, add_agent, proposing

LINK = "[Click](http://evil.example)"
OFF: Row = {"id": "mine", "verdict": "deny", "operations": ["turn_off"]}


def words(review: Any) -> str:
    """What the review says."""
    said: str = review["description_placeholders"]["review"]
    return said


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param({"name": LINK, "areas": ["nowhere"]}, id="a rule's name"),
        pytest.param({"name": "Mine", "agents": [LINK]}, id="an agent's name"),
    ],
)
async def test_marks_of_a_document(hass: HomeAssistant, home: MockConfigEntry, rule: Row) -> None:
    """A document that comes from elsewhere puts no links into the review (R14)."""
    text = yaml.safe_dump({"rules": [{**OFF, **rule}]})
    review = await sent(hass, await opened(hass, home, "document"), {"document": text})
    assert "names what is not there" in words(review)
    assert LINK not in words(review)


async def test_marks_of_a_device(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A device that calls itself something puts no links into the review (R14)."""
    er.async_get(hass).async_update_entity("light.kitchen_lights", name=LINK)
    await say(hass, home, "light.kitchen_lights", risk=4)
    review = await edit(hass, home, [{"id": "dim", "verdict": "allow", "operations": ["set_brightness"]}])
    assert "also switches on things of high risk" in words(review)
    assert LINK not in words(review)


async def test_how_many_are_wider(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Where more is wider than is listed, the review says how many."""
    rule: Row = {"verdict": "allow", "operations": ["unlock"]}
    rows = [{**rule, "id": f"l{number}", "entities": [f"lock.l{number}"]} for number in range(40)]
    review = await edit(hass, home, rows)
    lines = [line for line in words(review).splitlines() if line.startswith("- unlock")]
    found = re.search(r"^- … and (\d+) more\.$", words(review), re.MULTILINE)
    assert found is not None
    assert len(lines) == 25
    assert len(lines) + int(found[1]) >= len(rows)


async def test_marks_of_an_agent(hass: HomeAssistant, home: MockConfigEntry, doors: Doors) -> None:
    """An agent with an odd name puts none into what is listed, neither as a witness nor as who asked."""
    agent: AgentAccess = await add_agent(hass, home, LINK)
    answer = await doors.ask(agent.token, "execute", proposing("turn_off", "Kitchen Lights"))
    assert answer["code"] == "DONE"
    review = await edit(
        hass, home, [{"id": "free", "verdict": "allow", "operations": ["unlock"], "agents": [agent.id]}]
    )
    assert "More would be let through" in words(review)
    assert "would be decided otherwise" in words(review)
    assert words(review).count("Click") > 1
    assert LINK not in words(review)


async def test_marks_of_what_is_wrong(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """What stops a save puts none into the form either."""
    form = await edit(hass, home, [{**OFF, "name": LINK}, {**OFF, "id": "other", "name": f"**{LINK}**"}])
    said = form["description_placeholders"]["problem"]
    assert (form["errors"], said.count("Click"), LINK in said) == ({"base": "lint"}, 3, False)
