"""Text that is no policy is refused: said why, kept as it was typed, and never more than read."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.policy.presets import STRICT
from custom_components.edgehome.policy_editor.flow import LONGEST_DOCUMENT
from tests.policy_editor.forms import asks_to_widen, opened, put_in_force, rules_in_force, save, sent, suggested

RULE = {"id": "a", "verdict": "deny"}
BOMB = (
    "rules: [{verdict: deny, conditions: [{condition: x, a: &a [x,x,x,x,x,x,x,x,x], b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a],"
    " c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b], d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c], e: [*d,*d,*d,*d,*d,*d,*d,*d,*d]}]}]"
)
"""Each line has nine times the one before: a few more, and no memory suffices."""


async def pasted(hass: HomeAssistant, entry: MockConfigEntry, text: str) -> Any:
    """The form that comes after a document was pasted in."""
    return await sent(hass, await opened(hass, entry, "document"), {"document": text})


def assert_refused(form: Any, entry: MockConfigEntry, text: str, said: str) -> None:
    """The form has come back with the text and the reason, and the policy is what it was."""
    assert (form["type"], form["step_id"]) == (FlowResultType.FORM, "document")
    assert list(form["errors"].values()) == ["wrong"]
    assert said in form["description_placeholders"]["problem"]
    assert suggested(form) == {"document": text}
    assert entry.runtime_data.house.policy() is STRICT
    assert "policy" not in entry.options


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("rules: [", "It is no YAML", id="broken"),
        pytest.param("rules: []\n\tname: x", "It is no YAML", id="tabs"),
        pytest.param("rules: *nowhere", "It is no YAML", id="an anchor that is nowhere"),
        pytest.param("---\nrules: []\n---\nrules: []", "It is no YAML", id="two documents"),
        pytest.param("rules: []\nname: \x07", "It is no YAML", id="control characters"),
        pytest.param("", "It is no object", id="nothing"),
        pytest.param("just words", "It is no object", id="words"),
        pytest.param("- verdict: deny", "It is no object", id="a list"),
        pytest.param("name: x", "rules: It is missing", id="no rules"),
        pytest.param("rules: deny", "rules: ", id="rules that are none"),
        pytest.param("rules: [deny]", "Rule 1: It is no object", id="a rule that is none"),
        pytest.param("rules: [{id: a}]", "Rule 1 (a): verdict: It is missing", id="no verdict"),
        pytest.param("rules: [{verdict: maybe}]", "Rule 1: verdict: ", id="a verdict that is none"),
        pytest.param("rules: [{verdict: deny, when: now}]", "Rule 1: when: There is no such field", id="no field"),
        pytest.param("rules: []\nversion: 2", "version: ", id="another version"),
        pytest.param("rules: []\nname: 5", "name: ", id="a number for a name"),
        pytest.param("rules: [{verdict: deny, from: '25:00', to: '26:00'}]", "it is no time of day", id="no time"),
        pytest.param("rules: [{verdict: deny, risk: [4, 2]}]", "risk begins above its end", id="risk upside down"),
        pytest.param("rules: [{verdict: deny, risk: [0, 6]}]", "Rule 1: risk[1]: ", id="no risk"),
        pytest.param("rules: [{verdict: deny, pin: true}]", "belong to confirm", id="a PIN on deny"),
        pytest.param("rules: [{id: a, verdict: deny}, {id: a, verdict: deny}]", "The id 'a' is taken", id="one id"),
        pytest.param("rules: [{verdict: deny, weekdays: someday}]", "Rule 1: weekdays[0]: ", id="no weekday"),
        pytest.param("rules: [{verdict: deny, somebody_home: maybe}]", "Rule 1: somebody_home: ", id="no presence"),
    ],
)
async def test_no_table(hass: HomeAssistant, home: MockConfigEntry, text: str, said: str) -> None:
    """What is wrong is told with its place."""
    assert_refused(await pasted(hass, home, text), home, text, said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("allowed_services: [shell_command.x]", "EdgeHome cannot do shell_command.x at all", id="service"),
        pytest.param("allowed_services: [light.*]", "EdgeHome cannot do light.* at all", id="a pattern"),
        pytest.param("allowed_services: light.turn_on", "allowed_services: It is no list", id="no list"),
        pytest.param("allowed_services: [5]", "allowed_services[0]: It names no service", id="a number"),
        pytest.param(
            "allowed_services: [{service: light.turn_on, target: {}}]",
            "It says no place",
            id="a target that says nothing",
        ),
        pytest.param(
            "allowed_services: [{service: light.turn_on, target: {device_id: x}}]",
            "There is no such field",
            id="target",
        ),
        pytest.param(
            "allowed_services: [{service: light.turn_on, target: {area_id: []}}]", "It names nothing", id="no area"
        ),
        pytest.param("allowed_tools: [{tool: ' '}]", "allowed_tools[0]: It names no tool", id="no tool"),
        pytest.param("allowed_tools: [{tool: a, with: b}]", "allowed_tools[0].with: ", id="a field of nothing"),
        pytest.param("allowed_tools: [a]\nversion: 2", "Only version 1 is known", id="another version"),
        pytest.param("allowed_tools: [a]\nrules: []", "rules: There is no such field", id="both forms at once"),
    ],
)
async def test_no_allow_list(hass: HomeAssistant, home: MockConfigEntry, text: str, said: str) -> None:
    """An allow-list that names what cannot be allowed, or nothing, allows nothing."""
    assert_refused(await pasted(hass, home, text), home, text, said)


@pytest.mark.parametrize(
    "tag",
    [
        pytest.param("!include secrets.yaml", id="include"),
        pytest.param("!include_dir_list .", id="include a folder"),
        pytest.param("!secret word", id="secret"),
        pytest.param("!env_var HOME", id="the surroundings"),
        pytest.param("!input x", id="an input of a blueprint"),
        pytest.param("!!python/object/apply:pathlib.Path.touch [{path}]", id="call"),
        pytest.param("!!python/object/apply:os.mkdir ['{path}']", id="another call"),
        pytest.param("!!python/object/new:pathlib.Path ['{path}']", id="make"),
        pytest.param("!!python/name:os.system", id="name"),
        pytest.param("!!python/module:os", id="module"),
        pytest.param("!!python/tuple [a]", id="tuple"),
    ],
)
async def test_tags(hass: HomeAssistant, home: MockConfigEntry, config_folder: Path, tag: str) -> None:
    """A document is only read: it includes nothing, reads no secret and calls nothing (R6)."""
    (config_folder / "secrets.yaml").write_text("word: very-secret")
    made = config_folder / "made"
    text = f"rules: [{{verdict: deny, name: {tag.format(path=made)}}}]"
    form = await pasted(hass, home, text)
    assert_refused(form, home, text, "It is no YAML")
    assert "very-secret" not in form["description_placeholders"]["problem"]
    assert not made.exists()


@pytest.mark.parametrize(
    "condition",
    [
        pytest.param("{condition: nonsense}", id="no condition"),
        pytest.param("{condition: numeric_state}", id="a condition that says nothing"),
        pytest.param("{}", id="nothing"),
        pytest.param("{condition: template, value_template: '{{ nothing'}", id="a template that is none"),
        pytest.param("{condition: and, conditions: [{condition: nonsense}]}", id="within another"),
    ],
)
async def test_conditions_that_are_none(hass: HomeAssistant, home: MockConfigEntry, condition: str) -> None:
    """A condition that Home Assistant does not know could never be known to be met: it is refused with its place."""
    text = f"rules: [{{verdict: deny, tool: a}}, {{verdict: deny, conditions: [{condition}]}}]"
    form = await pasted(hass, home, text)
    assert_refused(form, home, text, "Rule 2 ")
    assert "Home Assistant does not take its condition" in form["description_placeholders"]["problem"]


async def test_too_long(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A document that is too long is not even read; one that is just short enough is."""
    text = f"rules: [{{verdict: deny}}]\n# {'x' * LONGEST_DOCUMENT}"
    assert_refused(await pasted(hass, home, text), home, text, "It is too long")
    review = await pasted(hass, home, text[:LONGEST_DOCUMENT])
    assert not asks_to_widen(review)
    review = await pasted(hass, home, text[:LONGEST_DOCUMENT] + "x")
    assert_refused(review, home, text[:LONGEST_DOCUMENT] + "x", "It is too long")


async def test_too_many_rules(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A table has a thousand rules at most."""
    rules = [{"verdict": "deny", "tool": f"t{number}"} for number in range(1001)]
    text = yaml.safe_dump({"rules": rules})
    assert_refused(await pasted(hass, home, text), home, text, "rules: ")


async def test_hidden_rules(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A document is looked through like rows: a rule that never speaks stops it."""
    text = yaml.safe_dump({"rules": [RULE, {"id": "b", "verdict": "allow"}]})
    form = await pasted(hass, home, text)
    assert form["errors"] == {"base": "lint"}
    assert "**b** never speaks: a hides it" in form["description_placeholders"]["problem"]
    assert suggested(form) == {"document": text}
    assert home.runtime_data.house.policy() is STRICT


async def test_mended(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """The form that came back is mended and sent again."""
    form = await pasted(hass, home, "rules: [")
    await save(hass, await sent(hass, form, {"document": "rules: [{id: a, verdict: deny}]"}))
    assert rules_in_force(home) == [RULE]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("rules: [{verdict: deny, conditions: [&a {condition: x, y: *a}]}]", id="within itself"),
        pytest.param("rules: [{verdict: deny, conditions: [{condition: x, y: {1: a, b: c}}]}]", id="mixed names"),
        pytest.param(
            "rules: [{verdict: deny, conditions: [{condition: x, y: {2026-01-01: a}}]}]", id="a day as a name"
        ),
        pytest.param("rules: [{verdict: deny, states: [{entity: '', states: [on]}]}]", id="an entity without a name"),
        pytest.param("allowed_tools: [{tool: t, input: {d: 2026-01-01}}]", id="a day in an allow-list"),
        pytest.param("rules: []\nname: 2026-13-45", id="no day"),
        pytest.param("rules: []\nname: !!int many", id="no number"),
        pytest.param("[" * 5000, id="too deep"),
        pytest.param(BOMB, id="a bomb"),
    ],
)
async def test_odd_yaml(hass: HomeAssistant, home: MockConfigEntry, text: str) -> None:
    """What YAML stumbles over, and what it can say and a policy cannot keep, is refused like everything else."""
    assert_refused(await pasted(hass, home, text), home, text, "")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("rules: []\nname: !!bool maybe", id="neither true nor false"),
        pytest.param("rules: []\nname: !!timestamp soon", id="no time"),
        pytest.param("rules: [{verdict: deny, from: 25:00, to: 26:00}]", id="an hour that there is not"),
    ],
)
async def test_found_what_breaks_the_form(hass: HomeAssistant, home: MockConfigEntry, text: str) -> None:
    """Whatever is wrong with the text, the form comes back with it."""
    form = await pasted(hass, home, text)
    assert_refused(form, home, text, "")


async def test_nothing_is_saved_of_what_breaks_the_form(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """What is refused does not touch a policy of the owner's own either."""
    await put_in_force(hass, home, RULE)
    assert (await pasted(hass, home, "rules: ["))["errors"] == {"document": "wrong"}
    assert rules_in_force(home) == [RULE]
