"""What the review asks before a new policy is saved: the tick, and another look where somebody else was faster."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.policy.presets import BALANCED, PRESETS, STRICT
from tests.policy_editor.forms import (
    Row,
    asks_to_widen,
    edit,
    in_force,
    opened,
    put_in_force,
    rows_of,
    rules_in_force,
    save,
    sent,
)
from tests.real_home import AgentAccess, Doors, proposing

OFF, ON = proposing("turn_off", "Kitchen Lights"), proposing("turn_on", "Kitchen Lights")
UNLOCK = proposing("unlock", "Front Door")
NOBODY_CAN_BE_ASKED = "NO_APPROVER"
ALL_OFF: Row = {"id": "all_off", "verdict": "allow", "operations": ["turn_off"]}
TOOL: Row = {"id": "tool", "verdict": "allow", "tool": "calculator"}
ASK: Row = {"id": "ask", "verdict": "confirm", "operations": ["turn_off"], "seconds": 60}


def words(review: Any) -> str:
    """What the review says."""
    said: str = review["description_placeholders"]["review"]
    return said


async def test_wider_needs_the_tick(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors
) -> None:
    """What lets more through is shown with an example, and saved only with the tick."""
    rows = rows_of(await opened(hass, home, "rules"))
    review = await edit(
        hass, home, [{"id": "free", "verdict": "allow", "operations": ["unlock"]}, *rows[:1], *rows[2:]]
    )
    assert asks_to_widen(review)
    assert "unlock on lock" in words(review)
    for said in ({"widen": False}, {}):
        review = await sent(hass, review, said)
        assert (review["type"], review["errors"]) == (FlowResultType.FORM, {"widen": "not_confirmed"})
        assert asks_to_widen(review)
    assert home.runtime_data.house.policy() is STRICT
    assert (await doors.ask(agent.token, "execute", UNLOCK))["code"] == "POLICY_DENIED"
    await save(hass, review)
    assert (await doors.ask(agent.token, "execute", UNLOCK))["code"] == "DONE"


@pytest.mark.parametrize(
    ("before", "after", "is_wider"),
    [
        pytest.param([ALL_OFF], [ASK], False, id="asks now"),
        pytest.param([ALL_OFF], [], False, id="not mentioned any more"),
        pytest.param([ALL_OFF], [{**ALL_OFF, "verdict": "deny"}], False, id="denies now"),
        pytest.param([ALL_OFF], [{**ALL_OFF, "device_types": ["light"]}], False, id="for lights only"),
        pytest.param([ALL_OFF], [{**ALL_OFF, "id": "renamed", "name": "Off"}], False, id="called otherwise"),
        pytest.param([ASK], [{**ASK, "pin": True}], False, id="wants a PIN"),
        pytest.param([ASK], [{**ASK, "seconds": 30}], False, id="a shorter question"),
        pytest.param([ASK], [ALL_OFF], True, id="does not ask any more"),
        pytest.param([], [ASK], True, id="asks about what was denied"),
        pytest.param([{**ALL_OFF, "device_types": ["light"]}], [ALL_OFF], True, id="for everything"),
        pytest.param([{**ASK, "pin": True}], [ASK], True, id="wants no PIN any more"),
        pytest.param([ASK], [{**ASK, "seconds": 90}], True, id="a longer question"),
        pytest.param([TOOL], [{**TOOL, "input": {"a": 1}}], False, id="a tool with one input only"),
        pytest.param([TOOL], [{**TOOL, "verdict": "deny"}], False, id="a tool no more"),
        pytest.param([ASK], [ASK, TOOL], True, id="a tool too"),
        pytest.param([ASK], [ASK, {**TOOL, "verdict": "confirm"}], True, id="a tool too, with a yes"),
    ],
)
async def test_which_are_wider(
    hass: HomeAssistant, home: MockConfigEntry, before: list[Row], after: list[Row], is_wider: bool
) -> None:
    """The tick is asked for where more would happen or with less asked, and nowhere else; nobody has asked for anything."""
    await put_in_force(hass, home, *before)
    review = await edit(hass, home, after)
    assert asks_to_widen(review) is is_wider
    assert ("More would be let through" in words(review)) is is_wider
    assert "Nothing was asked in the last 30 days" in words(review)


async def test_what_was_asked(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """The review tries the new table on what was really asked for, and says who would get another answer, how often."""
    for payload in (OFF, ON, OFF):
        assert (await doors.ask(agent.token, "execute", payload))["code"] == "DONE"
    rows = rows_of(await opened(hass, home, "rules"))
    denied = {
        "id": "no_off",
        "name": "No lamps",
        "verdict": "deny",
        "operations": ["turn_off"],
        "device_types": ["light"],
    }
    review = await edit(hass, home, [denied, *rows])
    assert not asks_to_widen(review)
    assert "**2 of 3 requests of the last 30 days would be decided otherwise**" in words(review)
    row = "| Hermes | turn\\_off Kitchen Lights | 2 | allow (Everything harmless) | **deny** (No lamps) |"
    assert row in words(review)
    review = await edit(hass, home, rows)
    assert "All 3 requests of the last 30 days would be decided as they are now." in words(review)


async def test_changed_meanwhile(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """What somebody else saved during a review is not run over: the owner reads what is different now, and decides again."""
    await put_in_force(hass, home, ALL_OFF)
    mine = await edit(hass, home, [ASK])
    assert not asks_to_widen(mine)
    await put_in_force(hass, home, {**ALL_OFF, "verdict": "deny"})
    again = await sent(hass, mine, {})
    assert (again["type"], again["errors"]) == (FlowResultType.FORM, {"base": "changed_meanwhile"})
    assert asks_to_widen(again)
    assert rules_in_force(home) == [{**ALL_OFF, "verdict": "deny"}]
    refused = await sent(hass, again, {"widen": False})
    assert refused["errors"] == {"widen": "not_confirmed"}
    await save(hass, refused)
    assert rules_in_force(home) == [ASK]


async def test_a_tick_counts_for_what_was_read(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A tick that was given beside another policy does not count; one that is given after the new look does."""
    await put_in_force(hass, home, ASK)
    mine = await edit(hass, home, [ALL_OFF])
    assert asks_to_widen(mine)
    await put_in_force(hass, home, {"id": "none", "verdict": "deny"})
    again = await sent(hass, mine, {"widen": True})
    assert again["errors"] == {"base": "changed_meanwhile"}
    assert "deny (none) now" in words(again)
    assert rules_in_force(home) == [{"id": "none", "verdict": "deny"}]
    await save(hass, again)
    assert rules_in_force(home) == [ALL_OFF]


@pytest.mark.parametrize(
    ("preset", "is_wider", "code"),
    [pytest.param("balanced", True, NOBODY_CAN_BE_ASKED), pytest.param("strict", False, "POLICY_DENIED")],
)
async def test_preset(
    hass: HomeAssistant,
    home: MockConfigEntry,
    agent: AgentAccess,
    doors: Doors,
    preset: str,
    is_wider: bool,
    code: str,
) -> None:
    """A preset is reviewed like any other table; saved, it is in force under its name."""
    form = await opened(hass, home, "preset")
    review = await sent(hass, form, {"preset": preset})
    assert asks_to_widen(review) is is_wider
    assert home.runtime_data.house.policy() is STRICT
    await save(hass, review)
    assert home.runtime_data.house.policy() is PRESETS[preset]
    assert (home.options["preset"], home.options["policy_how"]) == (preset, "preset")
    assert (await doors.ask(agent.token, "execute", UNLOCK))["code"] == code


async def test_version_restored(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """An earlier version comes back as it was, reviewed against what is in force, and as a new version."""
    await put_in_force(hass, home, ALL_OFF)
    first = in_force(home)
    await put_in_force(hass, home, {**ALL_OFF, "verdict": "deny"})
    assert (await doors.ask(agent.token, "execute", OFF))["code"] == "POLICY_DENIED"
    review = await sent(hass, await opened(hass, home, "versions"), {"version": "2"})
    assert asks_to_widen(review)
    await save(hass, review)
    assert in_force(home) == first
    assert (await doors.ask(agent.token, "execute", OFF))["code"] == "DONE"
    versions = await home.runtime_data.book.async_versions()
    assert [(one.number, one.how) for one in versions][:2] == [(4, "version 2 restored"), (3, "document")]


async def test_a_presets_version_restored(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A version that is a preset is the preset again, under its name."""
    await save(hass, await sent(hass, await opened(hass, home, "preset"), {"preset": "balanced"}))
    await put_in_force(hass, home, ALL_OFF)
    await save(hass, await sent(hass, await opened(hass, home, "versions"), {"version": "2"}))
    assert home.options["preset"] == "balanced"
    assert home.runtime_data.house.policy() is BALANCED
