"""The rules as a form: edited, reviewed, saved, and in force at once."""

from collections.abc import Callable

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.policy.document import hash_of, to_document
from custom_components.edgehome.policy.presets import STRICT
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
    suggested,
)
from tests.real_home import AgentAccess, Doors, proposing

OFF = proposing("turn_off", "Kitchen Lights")
LAMPS: Row = {"id": "lamps", "verdict": "deny", "operations": ["turn_on", "turn_off"], "device_types": ["light"]}
OFFS: Row = {"id": "offs", "verdict": "allow", "operations": ["turn_off"]}
KITCHEN: Row = {"verdict": "allow", "operations": ["turn_off"], "entities": ["light.kitchen_lights"]}


async def test_shown(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """The form shows the rules in force in their order; a preset's name is not offered for what will be the owner's own."""
    shown = suggested(await opened(hass, home, "rules"))
    assert shown["name"] == "own"
    assert [row["id"] for row in shown["rules"]] == [rule.id for rule in STRICT.rules]
    assert shown["rules"][0] == {
        "id": "no_locking",
        "name": STRICT.rules[0].name,
        "verdict": "deny",
        "operations": ["lock"],
        "risk_from": 4,
        "risk_to": 5,
        "summary": "Deny · lock · risk 4-5",
    }


async def test_own_name_is_shown(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A table of the owner keeps its name; one that is saved without a name has a plain one."""
    await put_in_force(hass, home, LAMPS)
    assert suggested(await opened(hass, home, "rules"))["name"] == "mine"
    await save(hass, await edit(hass, home, [LAMPS], name="  "))
    assert in_force(home)["name"] == "own"


@pytest.mark.parametrize(
    ("change", "order"),
    [
        pytest.param(lambda rows: [KITCHEN, *rows], ["allow_turn_off", "lamps", "offs"], id="added on top"),
        pytest.param(lambda rows: rows[::-1], ["offs", "lamps"], id="dragged into another order"),
        pytest.param(lambda rows: [{**rows[0], "verdict": "allow"}, rows[1]], ["lamps", "offs"], id="changed"),
        pytest.param(lambda rows: rows[1:], ["offs"], id="deleted"),
    ],
)
async def test_edit(
    hass: HomeAssistant,
    home: MockConfigEntry,
    agent: AgentAccess,
    doors: Doors,
    change: Callable[[list[Row]], list[Row]],
    order: list[str],
) -> None:
    """Whatever is done to the rows is in force as soon as it was reviewed and saved, and not before."""
    await put_in_force(hass, home, LAMPS, OFFS)
    assert (await doors.ask(agent.token, "execute", OFF))["code"] == "POLICY_DENIED"
    review = await edit(hass, home, change(rows_of(await opened(hass, home, "rules"))))
    assert asks_to_widen(review)
    assert (await doors.ask(agent.token, "execute", OFF))["code"] == "POLICY_DENIED"
    assert hash_of(to_document(home.runtime_data.house.policy())) == home.options["policy"]
    await save(hass, review)
    assert (await doors.ask(agent.token, "execute", OFF))["code"] == "DONE"
    assert [rule["id"] for rule in rules_in_force(home)] == order
    assert (home.options["preset"], home.options["policy_how"]) == ("own", "edited")
    assert hash_of(to_document(home.runtime_data.house.policy())) == home.options["policy"]


async def test_a_preset_is_edited(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """What is added to a preset's rows makes a table of the owner; the preset stays what it is."""
    rows = rows_of(await opened(hass, home, "rules"))
    row = {"name": "No lamps", "verdict": "deny", "device_types": ["light"], "operations": ["turn_off"]}
    review = await edit(hass, home, [row, *rows])
    assert not asks_to_widen(review)
    await save(hass, review)
    answer = await doors.ask(agent.token, "execute", OFF)
    assert answer["code"] == "POLICY_DENIED"
    assert "'No lamps' (no_lamps)" in answer["message"]
    assert [rule["id"] for rule in rules_in_force(home)] == ["no_lamps", *(rule.id for rule in STRICT.rules)]
    form = await opened(hass, home, "preset")
    await save(hass, await sent(hass, form, {"preset": "strict"}))
    assert (await doors.ask(agent.token, "execute", OFF))["code"] == "DONE"
    assert home.runtime_data.house.policy() is STRICT


async def test_no_rules(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """A table without rules denies everything, and is none that cannot be read."""
    review = await edit(hass, home, [])
    assert not asks_to_widen(review)
    await save(hass, review)
    assert (await doors.ask(agent.token, "execute", OFF))["code"] == "POLICY_DENIED"
    assert home.runtime_data.book.problem == ""
    assert rows_of(await opened(hass, home, "rules")) == []


async def test_settings_keep_the_policy(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Changing other options leaves the policy alone, and saving a policy leaves the other options alone."""
    await put_in_force(hass, home, LAMPS)
    assert home.options["automations"] is True
    before = in_force(home)
    form = await opened(hass, home, "settings")
    flags = {"template": "block", "control": "block", "backend": "block", "injection": "note"}
    approvals = {"seconds": 120, "escalate_after": 30, "two_people": False}
    said = {"watch": False, "automations": False, "approvals": approvals, "flags": flags}
    assert (await sent(hass, form, said))["type"] is FlowResultType.CREATE_ENTRY
    assert home.options["automations"] is False
    assert (in_force(home), home.runtime_data.book.problem) == (before, "")
