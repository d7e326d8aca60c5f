"""Rows that cannot be saved: the form comes back with what is wrong, and with everything as it was typed."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.policy.presets import STRICT
from tests.policy_editor.forms import Row, edit, opened, rows_of, save, sent, suggested

ROW: Row = {"id": "mine", "name": "Mine", "verdict": "allow", "operations": ["turn_off"]}
OTHER: Row = {"id": "other", "name": "Other", "verdict": "deny"}
ASKS: Row = {**ROW, "verdict": "confirm"}


def problem(form: Any) -> str:
    """What the form says is wrong."""
    said: str = form["description_placeholders"]["problem"]
    return said


def is_as_typed(form: Any, rows: list[Row], name: str = "mine") -> bool:
    """Whether the form has come back with what was typed."""
    assert (form["type"], form["step_id"]) == (FlowResultType.FORM, "rules")
    shown = [{key: row[key] for key in row if key != "summary"} for row in rows_of(form)]
    return (suggested(form)["name"], shown) == (
        name,
        [{key: row[key] for key in row if key != "summary"} for row in rows],
    )


def is_untouched(entry: MockConfigEntry) -> bool:
    """Whether the policy is still the one that it was."""
    return entry.runtime_data.house.policy() is STRICT and "policy" not in entry.options


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        pytest.param(
            [{**ROW, "risk_from": 4, "risk_to": 2}], "risk begins above its end", id="risk_from above risk_to"
        ),
        pytest.param([{**ROW, "from": "22:00:00"}], "from and to belong together", id="from without to"),
        pytest.param([{**ROW, "to": "06:00:00"}], "from and to belong together", id="to without from"),
        pytest.param([ROW, {**OTHER, "id": "mine"}], "The id 'mine' is taken", id="two rows with one id"),
        pytest.param([{**ROW, "id": "last_row"}], "The id 'last_row' is taken", id="the id of the last row"),
        pytest.param([{**ROW, "id": "floor_opaque"}], "The id 'floor_opaque' is taken", id="the id of the floor"),
        pytest.param([{**ROW, "id": "Mine"}], "Rule 1 (Mine): id: ", id="an id that is none"),
        pytest.param([{**ROW, "pin": True}], "approvers, seconds and pin belong to confirm", id="a PIN on allow"),
        pytest.param(
            [{**OTHER, "seconds": 30}], "approvers, seconds and pin belong to confirm", id="a question's time on deny"
        ),
        pytest.param([{**ROW, "tool": "calculator"}], "a rule about a tool says nothing about devices", id="a tool"),
        pytest.param([{**ROW, "input": {"a": 1}}], "input belongs to a tool", id="input without a tool"),
        pytest.param([OTHER, {**ROW, "name": "x" * 101}], "): name: ", id="a name that is too long"),
        pytest.param(
            [{**ROW, "operations": ["turn_off", ""]}],
            "Rule 1 (Mine): operations[1]: ",
            id="an operation without a name",
        ),
    ],
)
async def test_bad_rows(hass: HomeAssistant, home: MockConfigEntry, rows: list[Row], said: str) -> None:
    """What a rule cannot say is told with its place, and nothing that was typed is lost."""
    form = await edit(hass, home, rows)
    assert form["errors"] == {"base": "wrong"}
    assert said in problem(form)
    assert is_as_typed(form, rows)
    assert is_untouched(home)


async def test_a_name_that_is_too_long(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """The table's own name is looked at like the rows."""
    form = await edit(hass, home, [ROW], name="x" * 101)
    assert (form["errors"], problem(form).partition(":")[0]) == ({"base": "wrong"}, "name")
    assert is_as_typed(form, [ROW], "x" * 101)
    assert is_untouched(home)


async def test_mended(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """The form that came back is mended and sent again; nothing is shown as wrong any more."""
    form = await edit(hass, home, [{**ASKS, "risk_from": 4, "risk_to": 2}])
    review = await sent(hass, form, {"name": "mine", "rules": [{**ASKS, "risk_from": 2, "risk_to": 4}]})
    assert review["errors"] == {}
    await save(hass, review)
    assert home.runtime_data.house.policy().rules[0].risk == (2, 4)


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        pytest.param(
            [{"id": "all", "name": "Everything", "verdict": "deny"}, ROW],
            ["**Mine** never speaks: Everything hides it"],
            id="hidden by one",
        ),
        pytest.param(
            [
                {"id": "low", "name": "Low", "verdict": "deny", "risk_to": 2},
                {"id": "high", "name": "High", "verdict": "deny", "risk_from": 3},
                ROW,
            ],
            ["**Mine** never speaks: Low and High together hide it"],
            id="hidden by two together",
        ),
        pytest.param(
            [{**ROW, "operations": ["lock"], "device_types": ["light"]}],
            ["**Mine** never speaks: there is no such operation on such a device."],
            id="impossible",
        ),
        pytest.param(
            [
                {"id": "t", "name": "Sums", "verdict": "deny", "tool": "calculator"},
                {"name": "One sum", "verdict": "allow", "tool": "calculator", "input": {"expression": "1+1"}},
            ],
            ["**One sum** never speaks: Sums hides it"],
            id="a tool",
        ),
    ],
)
async def test_lint(hass: HomeAssistant, home: MockConfigEntry, rows: list[Row], named: list[str]) -> None:
    """A rule that never speaks stops the save; the form names it and what hides it, and keeps the rows as typed."""
    form = await edit(hass, home, rows)
    assert form["errors"] == {"base": "lint"}
    assert [words for words in named if words not in problem(form)] == []
    assert is_as_typed(form, rows)
    assert is_untouched(home)


async def test_all_hidden_rules_are_named(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Below a rule that speaks about everything, each of the others is named, in their order."""
    rows = rows_of(await opened(hass, home, "rules"))
    form = await edit(hass, home, [OTHER, *rows])
    lines = problem(form).splitlines()
    assert [f"**{rule.name}**" in line for rule, line in zip(STRICT.rules, lines, strict=True)] == [True] * len(lines)
    assert is_as_typed(form, [OTHER, *rows])


@pytest.mark.parametrize(
    ("row", "said"),
    [
        pytest.param({"entities": ["light.nowhere"]}, "names what is not there: entities: light.nowhere", id="entity"),
        pytest.param({"areas": ["attic"]}, "names what is not there: areas: attic", id="area"),
        pytest.param({"agents": ["zeus"]}, "names what is not there: agents: zeus", id="agent"),
        pytest.param({"speakers": ["eve"]}, "names what is not there: speakers: eve", id="user"),
        pytest.param(
            {"verdict": "confirm", "approvers": ["eve"]}, "names what is not there: approvers: eve", id="approver"
        ),
        pytest.param(
            {"device_types": ["vacuum"], "operations": []}, "is about nothing that agents may name", id="type"
        ),
        pytest.param({"verdict": "confirm", "pin": True}, "asks for a PIN, and no approver has one", id="PIN"),
    ],
)
async def test_warnings(hass: HomeAssistant, home: MockConfigEntry, row: Row, said: str) -> None:
    """What may be a mistake is told in the review, and does not stop the save."""
    review = await edit(hass, home, [{**ROW, **row}])
    assert review["step_id"] == "review"
    assert f"**Mine** {said}" in review["description_placeholders"]["review"]
    await save(hass, review)
    assert home.runtime_data.house.policy().rules[0].id == "mine"


async def test_no_warnings(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """About what is there nothing is said."""
    review = await edit(hass, home, [{**ROW, "entities": ["light.kitchen_lights"], "areas": ["kitchen"]}])
    assert review["step_id"] == "review"
    assert "Look at this" not in review["description_placeholders"]["review"]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param({"colour": "red"}, id="no such field"),
        pytest.param({"risk": [0, 5]}, id="a field of the document"),
        pytest.param({"verdict": "maybe"}, id="no verdict"),
        pytest.param({"verdict": None}, id="no verdict at all"),
        pytest.param({"risk_to": 6}, id="no risk"),
        pytest.param({"risk_from": -1}, id="below all risks"),
        pytest.param({"seconds": 9}, id="a question too short"),
        pytest.param({"seconds": 901}, id="a question too long"),
        pytest.param({"effects": ["explode"]}, id="no effect"),
        pytest.param({"weekdays": ["someday"]}, id="no weekday"),
        pytest.param({"from": "25:00:00"}, id="no time"),
        pytest.param({"presence": "everybody"}, id="no presence"),
        pytest.param({"entities": ["kitchen lights"]}, id="no entity id"),
        pytest.param({"states": [{"entity": "sun.sun"}]}, id="an entity without states"),
        pytest.param({"conditions": [{"condition": "numeric_state"}]}, id="a condition that says nothing"),
    ],
)
async def test_what_is_not_offered(hass: HomeAssistant, home: MockConfigEntry, row: Row) -> None:
    """What the form does not offer is not taken at all."""
    with pytest.raises(InvalidData):
        await edit(hass, home, [{**ROW, **row}])
    assert is_untouched(home)


async def test_a_row_without_a_verdict(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A rule that says nothing is none."""
    with pytest.raises(InvalidData):
        await edit(hass, home, [{"id": "mine", "operations": ["turn_off"]}])
    assert is_untouched(home)
