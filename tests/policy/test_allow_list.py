"""A policy as an allow-list: what it names is allowed where it says so, and everything else is denied."""

import datetime as dt
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.catalogue import OPERATIONS, operation
from custom_components.edgehome.catalogue.action import action_for
from custom_components.edgehome.catalogue.device_types import classes_of
from custom_components.edgehome.catalogue.operation import Operation
from custom_components.edgehome.devices import DeviceRecord, DeviceState
from custom_components.edgehome.models import Intent
from custom_components.edgehome.plan import GatedCommand
from custom_components.edgehome.policy.allow_list import allow_list_table, any_table
from custom_components.edgehome.policy.decision import decide, tool_question
from custom_components.edgehome.policy.document import MOST_RULES, DocumentError, table_of, to_document
from custom_components.edgehome.policy.lint import lint
from custom_components.edgehome.policy.rule import Subject, Verdict
from custom_components.edgehome.policy.space import known_deeds
from custom_components.edgehome.policy.table import LAST_ROW, PolicyTable
from tests.catalogue.rows import FITS

ALLOW, DENY = Verdict.ALLOW, Verdict.DENY
LIST: dict[str, Any] = {
    "version": 1,
    "allowed_services": [
        "light.turn_on",
        {"service": "cover.open_cover", "target": {"entity_id": ["cover.blind", "cover.shade"]}},
        {"service": "lock.lock", "target": {"area_id": "hall", "label_id": ["doors"]}},
        {"service": "switch.turn_off", "target": {"floor_id": "ground"}},
        "status",
    ],
    "allowed_tools": ["calculator", {"tool": "mail", "input": {"to": "anna", "n": 1}}],
}
ALLOWED = allow_list_table(LIST)
MAIL = {"tool": "mail"}


def on(*entities: str) -> dict[str, Any]:
    """Switching on of these lamps."""
    return {"service": "light.turn_on", "target": {"entity_id": list(entities)}}


@pytest.mark.parametrize(
    ("subject", "verdict"),
    [
        pytest.param(Subject("turn_on", "light", 1), ALLOW, id="a lamp on"),
        pytest.param(Subject("set_brightness", "light", 1), ALLOW, id="dimming is the same service"),
        pytest.param(Subject("set_color", "light", 5), ALLOW, id="whatever the risk"),
        pytest.param(Subject("turn_off", "light", 1), DENY, id="a lamp off"),
        pytest.param(Subject("toggle", "light", 1), DENY, id="toggling is not switching on"),
        pytest.param(Subject("turn_on", "switch", 2), DENY, id="another domain"),
        pytest.param(Subject("open", "blind", 1, entity_id="cover.blind"), ALLOW, id="a cover that is named"),
        pytest.param(Subject("open", "gate", 4, entity_id="cover.shade"), ALLOW, id="of any class"),
        pytest.param(Subject("open", "blind", 1, entity_id="cover.other"), DENY, id="a cover that is not"),
        pytest.param(Subject("close", "blind", 1, entity_id="cover.blind"), DENY, id="not closing"),
        pytest.param(Subject("open", "valve", 4, entity_id="cover.blind"), DENY, id="no valve"),
        pytest.param(Subject("open", "blind", 1, is_known=False), DENY, id="a cover that nobody names"),
        pytest.param(Subject("lock", "lock", 4, area_id="hall", labels=("doors", "x")), ALLOW, id="room and label"),
        pytest.param(Subject("lock", "lock", 4, area_id="hall"), DENY, id="the room only"),
        pytest.param(Subject("lock", "lock", 4, area_id="bed", labels=("doors",)), DENY, id="the label only"),
        pytest.param(Subject("unlock", "lock", 4, area_id="hall", labels=("doors",)), DENY, id="not unlocking"),
        pytest.param(Subject("turn_off", "outlet", 2, floor_id="ground"), ALLOW, id="an outlet on the floor"),
        pytest.param(Subject("turn_off", "switch", 2, floor_id="ground"), ALLOW, id="a switch on the floor"),
        pytest.param(Subject("turn_off", "switch", 2, floor_id="first"), DENY, id="on another floor"),
        pytest.param(Subject("turn_off", "switch", 2), DENY, id="on no floor"),
        pytest.param(Subject("status", "sensor", 0), ALLOW, id="reading"),
        pytest.param(Subject("", "", 0, tool="calculator"), ALLOW, id="a tool"),
        pytest.param(Subject("", "", 0, tool="calculator", tool_input=(("x", "1"),)), ALLOW, id="with any input"),
        pytest.param(Subject("", "", 0, tool="Calculator"), DENY, id="another tool"),
        pytest.param(Subject("", "", 0, tool="mail", tool_input=(("n", "1"), ("to", '"anna"'))), ALLOW, id="its input"),
        pytest.param(Subject("", "", 0, tool="mail", tool_input=(("to", '"anna"'),)), DENY, id="half its input"),
        pytest.param(Subject("", "", 0, tool="mail", tool_input=(("n", "2"), ("to", '"anna"'))), DENY, id="another input"),
        pytest.param(Subject("", "", 0, tool="mail"), DENY, id="no input"),
        pytest.param(Subject("turn_on", "light", 1, tool="light.turn_on"), DENY, id="a tool called like a service"),
    ],
)  # fmt: skip
def test_allowed(subject: Subject, verdict: Verdict) -> None:
    """What the list allows and what it denies."""
    assert ALLOWED.decide(subject).verdict is verdict


SERVICES = sorted({row.service for row in OPERATIONS if row.service})
WORDS = sorted({f"{row.domain}.{row.intent.value}" for row in OPERATIONS})
EVERYTHING = sorted({*SERVICES, *WORDS})
"""All that can be listed: services, and operations in EdgeHome's own words."""
ON_OFF, OPEN_CLOSE = ("turn_on", "turn_off"), ("open", "close")
ALSO: dict[str, tuple[str, ...]] = {
    "lock.open": ("unlock",),
    "cover.set_cover_position": OPEN_CLOSE,
    "cover.set_position": OPEN_CLOSE,
    "cover.toggle": OPEN_CLOSE,
    "valve.set_valve_position": OPEN_CLOSE,
    "valve.set_position": OPEN_CLOSE,
    "valve.toggle": OPEN_CLOSE,
    "scene.run": ("activate",),
    "script.activate": ("run",),
    **{
        f"{domain}.toggle": ON_OFF
        for domain in (
            "light", "switch", "input_boolean", "fan", "climate", "humidifier", "media_player", "siren", "remote",
        )
    },
}  # fmt: skip
"""What is allowed with it, as it always is that, too."""
subjects = st.sampled_from(known_deeds()).flatmap(
    lambda deed: st.builds(
        Subject,
        st.just(deed[0]),
        st.just(deed[1]),
        st.integers(0, 5),
        st.just(deed[2]),
        st.sampled_from(["a.one", "a.two"]),
        st.just(""),
        st.sampled_from([None, "hall"]),
    )
)
targets = st.sampled_from(
    [None, {"entity_id": "a.one"}, {"area_id": ["hall"]}, {"entity_id": ["a.two"], "area_id": "hall"}]
)
entries = st.tuples(st.sampled_from(EVERYTHING) | st.sampled_from([*ALSO]), targets)


def is_at(target: dict[str, Any] | None, subject: Subject) -> bool:
    """Whether a target means the entity."""
    said, area = target or {}, str(subject.area_id)
    return subject.entity_id in said.get("entity_id", subject.entity_id) and area in said.get("area_id", area)


def does(service: str, subject: Subject) -> bool:
    """Whether a service or an operation is what is asked about, or always is that, too."""
    domain = service.partition(".")[0]
    names = {row.intent.value for row in OPERATIONS if service in {row.service, f"{row.domain}.{row.intent.value}"}}
    is_of_it = subject.device_type in (classes_of(domain) or (domain,))
    return is_of_it and subject.operation in {*names, *ALSO.get(service, ())}


@given(some=st.lists(entries, max_size=4), subject=subjects)
def test_everything_else_is_denied(some: list[tuple[str, dict[str, Any] | None]], subject: Subject) -> None:
    """Something is allowed exactly if a service of the list does it there; no word of the list denies or asks."""
    table = any_table({"allowed_services": [{"service": one, **({"target": at} if at else {})} for one, at in some]})
    is_listed = any(does(service, subject) and is_at(target, subject) for service, target in some)
    assert table.decide(subject).verdict is (ALLOW if is_listed else DENY)
    assert is_listed or table.decide(subject) is LAST_ROW


@pytest.mark.parametrize("service", EVERYTHING)
def test_each_service(service: str) -> None:
    """Every service that EdgeHome calls can be listed, and every operation; the rule can speak, and only of its domain."""
    table = any_table({"allowed_services": [service]})
    (rule,) = table.rules
    domain = service.partition(".")[0]
    assert {*rule.device_types} == {*(classes_of(domain) or (domain,))}
    assert {*rule.operations} >= {*ALSO.get(service, ())}
    assert lint(table) == ()
    assert table_of(to_document(table)) == table


STATES = (
    "on",
    "off",
    "open",
    "closed",
    "heat",
    "docked",
    "playing",
    "paused",
    "idle",
    "disarmed",
    "unlocked",
    "unknown",
)


def done(row: Operation, kind: str, params: dict[str, Any], state: str) -> GatedCommand:
    """What an operation is on something of this type and state."""
    record = DeviceRecord(entity_id=f"{row.domain}.x", key="k", name="X", device_type=kind)
    return action_for(record, row.intent, params, DeviceState(state=state))


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: f"{row.domain}.{row.intent}")
def test_what_is_listed_can_be_done(row: Operation) -> None:
    """With its service or its own word in the list an operation is allowed in some state: it is not listed in vain."""
    sent = [
        {},
        *(
            params
            for intent, _, params, service, *_ in FITS
            if (service.partition(".")[0], intent) == (row.domain, row.intent)
        ),
    ]
    for listed in dict.fromkeys((row.service or f"{row.domain}.{row.intent}", f"{row.domain}.{row.intent}")):
        table = any_table({"allowed_services": [listed]})
        for kind in classes_of(row.domain) or (row.domain,):
            actions = [done(row, kind, params, state) for params in sent for state in STATES]
            assert any(decide(table, one.question).verdict is ALLOW for one in actions)


@pytest.mark.parametrize(
    ("service", "row", "params", "state", "verdict"),
    [
        pytest.param("light.turn_on", ("light", "turn_on"), {}, "off", ALLOW, id="on"),
        pytest.param("light.turn_on", ("light", "set_brightness"), {"brightness": 50}, "off", ALLOW, id="dimmed on"),
        pytest.param("light.turn_on", ("light", "set_brightness"), {"brightness": 0}, "on", DENY, id="dimmed off"),
        pytest.param("light.turn_on", ("light", "turn_on"), {"brightness": 0}, "on", DENY, id="on with no brightness"),
        pytest.param("light.turn_on", ("light", "turn_off"), {}, "on", DENY, id="off"),
        pytest.param("light.turn_on", ("light", "toggle"), {}, "off", DENY, id="toggled on"),
        pytest.param("light.set_brightness", ("light", "set_brightness"), {"brightness": 50}, "on", ALLOW, id="dimmed"),
        pytest.param("light.set_brightness", ("light", "set_brightness"), {"brightness": 50}, "off", DENY, id="dimming is not switching on"),
        pytest.param("light.toggle", ("light", "toggle"), {}, "on", ALLOW, id="toggled off"),
        pytest.param("light.toggle", ("light", "turn_off"), {}, "on", ALLOW, id="what a toggle is"),
        pytest.param("light.toggle", ("light", "set_brightness"), {"brightness": 50}, "on", DENY, id="a toggle does not dim"),
        pytest.param("lock.open", ("lock", "open"), {}, "locked", ALLOW, id="the latch"),
        pytest.param("lock.open", ("lock", "lock"), {}, "unlocked", DENY, id="no locking"),
        pytest.param("lock.unlock", ("lock", "open"), {}, "locked", DENY, id="unlocking pulls no latch"),
        pytest.param("cover.set_cover_position", ("cover", "set_position"), {"position": 50}, "open", ALLOW, id="a position"),
        pytest.param("cover.set_cover_position", ("cover", "set_position"), {"position": 0}, "open", ALLOW, id="the lowest"),
        pytest.param("cover.set_cover_position", ("cover", "set_tilt"), {"tilt": 50}, "open", DENY, id="no tilt"),
        pytest.param("cover.open_cover", ("cover", "set_position"), {"position": 50}, "open", DENY, id="opening is no position"),
        pytest.param("fan.set_percentage", ("fan", "set_speed"), {"speed": 50}, "on", ALLOW, id="a speed"),
        pytest.param("fan.set_percentage", ("fan", "set_speed"), {"speed": 50}, "off", DENY, id="that switches on"),
        pytest.param("fan.set_percentage", ("fan", "set_speed"), {"speed": 0}, "on", DENY, id="or off"),
        pytest.param("alarm_control_panel.alarm_arm_home", ("alarm_control_panel", "arm_home"), {}, "disarmed", ALLOW, id="arming"),
        pytest.param("alarm_control_panel.alarm_arm_home", ("alarm_control_panel", "arm_home"), {}, "armed_away", DENY, id="that disarms"),
        pytest.param("climate.set_hvac_mode", ("climate", "set_mode"), {"mode": "heat"}, "cool", ALLOW, id="a mode"),
        pytest.param("climate.set_hvac_mode", ("climate", "set_mode"), {"mode": "off"}, "heat", DENY, id="that is off"),
        pytest.param("scene.turn_on", ("scene", "turn_on"), {}, "unknown", ALLOW, id="a scene"),
        pytest.param("scene.run", ("scene", "run"), {}, "unknown", ALLOW, id="in another word"),
    ],
)  # fmt: skip
def test_done(service: str, row: tuple[str, str], params: dict[str, Any], state: str, verdict: Verdict) -> None:
    """What a list with one service allows, by what the chain makes of a proposal."""
    found = operation(row[0], Intent(row[1]))
    assert found is not None
    action = done(found, classes_of(row[0])[0], params, state)
    assert decide(any_table({"allowed_services": [service]}), action.question).verdict is verdict


@pytest.mark.parametrize(
    ("document", "ids"),
    [
        pytest.param(LIST, ["light_turn_on", "cover_open_cover", "lock_lock", "switch_turn_off", "status", "calculator", "mail"], id="all"),
        pytest.param({"allowed_tools": ["a", {"tool": "a"}, "A"]}, ["a", "a_2", "a_3"], id="twice"),
        pytest.param({"allowed_tools": ["Last row"]}, ["last_row_2"], id="EdgeHome's own"),
        pytest.param({"allowed_services": [" Light.Turn_On "]}, ["light_turn_on"], id="in other letters"),
        pytest.param({"allowed_services": [{"action": "light.turn_on"}]}, ["light_turn_on"], id="in Home Assistant's new word"),
        pytest.param({"allowed_services": []}, [], id="nothing"),
        pytest.param({"allowed_tools": None}, [], id="nothing at all"),
    ],
)  # fmt: skip
def test_ids(document: dict[str, Any], ids: list[str]) -> None:
    """Each entry is a rule with an id of its own."""
    assert [rule.id for rule in any_table(document).rules] == ids


def test_forms() -> None:
    """A list is told from EdgeHome's own form by its fields."""
    assert any_table({"allowed_tools": []}) == PolicyTable(name="allow-list", rules=())
    assert any_table({"allowed_tools": [], "name": "ours"}).name == "ours"
    assert any_table({"rules": []}) == PolicyTable(name="own", rules=())
    for no_list in (None, [], "light.turn_on", ["light.turn_on"]):
        with pytest.raises(DocumentError, match="It is no object"):
            any_table(no_list)


@pytest.mark.parametrize(
    ("document", "field", "message"),
    [
        pytest.param({"rules": []}, "rules", "There is no such field", id="both forms at once"),
        pytest.param({"denied_services": []}, "denied_services", "There is no such field", id="a list of what is denied"),
        pytest.param({"version": 2}, "version", "Only version 1", id="another version"),
        pytest.param({"version": None}, "version", "Only version 1", id="no version"),
        pytest.param({"allowed_services": "light.turn_on"}, "allowed_services", "It is no list", id="one word"),
        pytest.param({"allowed_tools": {"calculator": {}}}, "allowed_tools", "It is no list", id="tools by name"),
    ],
)  # fmt: skip
def test_bad_lists(document: dict[str, Any], field: str, message: str) -> None:
    """What is no list."""
    with pytest.raises(DocumentError) as caught:
        any_table({"allowed_tools": [], **document})
    assert (caught.value.field, message in str(caught.value)) == (field, True)


@pytest.mark.parametrize(
    ("entry", "field", "message"),
    [
        pytest.param(None, "", "It names no service", id="nothing"),
        pytest.param(["light.turn_on"], "", "It names no service", id="a list"),
        pytest.param({}, "", "It names no service", id="no service"),
        pytest.param({"service": 5}, "", "It names no service", id="a number"),
        pytest.param({"action": 5}, "", "It names no service", id="a number in Home Assistant's new word"),
        pytest.param({"action": "light.turn_on", "service": "light.turn_on"}, ".action", "There is no such field", id="both words"),
        pytest.param({"action": "light.turn_on", "data": {}}, ".data", "There is no such field", id="data, in the new word"),
        pytest.param("ligth.turn_on", "", "Did you mean light.turn_on", id="a slip"),
        pytest.param("", "", "EdgeHome cannot do", id="an empty word"),
        pytest.param("*", "", "EdgeHome cannot do", id="a star"),
        pytest.param("light", "", "EdgeHome cannot do", id="a domain"),
        pytest.param("light.*", "", "EdgeHome cannot do", id="all of a domain"),
        pytest.param("homeassistant.turn_on", "", "EdgeHome cannot do homeassistant.turn_on", id="for any domain"),
        pytest.param("homeassistant.restart", "", "EdgeHome cannot do", id="a restart"),
        pytest.param("shell_command.x", "", "EdgeHome cannot do", id="a shell command"),
        pytest.param("mqtt.publish", "", "EdgeHome cannot do", id="a message"),
        pytest.param("automation.trigger", "", "EdgeHome cannot do", id="an automation"),
        pytest.param("None", "", "EdgeHome cannot do", id="the word for nothing"),
        pytest.param({"service": "light.turn_on", "data": {}}, ".data", "There is no such field", id="data"),
        pytest.param({"service": "light.turn_on", "entity_id": "light.x"}, ".entity_id", "There is no such field", id="an entity beside"),
        pytest.param({"service": "light.turn_on", "target": {}}, ".target", "It says no place", id="an empty target"),
        pytest.param({"service": "light.turn_on", "target": []}, ".target", "It says no place", id="a target that is a list"),
        pytest.param({"service": "light.turn_on", "target": "light.x"}, ".target", "It says no place", id="a target that is a word"),
        pytest.param({"service": "light.turn_on", "target": ""}, ".target", "It says no place", id="a target of no letters"),
        pytest.param({"service": "light.turn_on", "target": {"entity_id": []}}, ".target.entity_id", "It names nothing", id="no entity"),
        pytest.param({"service": "light.turn_on", "target": {"entity_id": None}}, ".target.entity_id", "It names nothing", id="nothing"),
        pytest.param({"service": "light.turn_on", "target": {"entity_id": ""}}, ".target.entity_id", "It names nothing", id="an empty id"),
        pytest.param({"service": "light.turn_on", "target": {"area_id": ["hall", 5]}}, ".target.area_id", "It names nothing", id="a number"),
        pytest.param({"service": "light.turn_on", "target": {"area_id": ["hall", ""]}}, ".target.area_id", "It names nothing", id="one empty id"),
        pytest.param({"service": "light.turn_on", "target": {"area_id": "hall", "label_id": []}}, ".target.label_id", "It names nothing", id="no label"),
        pytest.param({"service": "light.turn_on", "target": {"device_id": "x"}}, ".target.device_id", "There is no such field", id="a device"),
    ],
)  # fmt: skip
def test_bad_services(entry: object, field: str, message: str) -> None:
    """What cannot be allowed: above all, a place that says nothing is not everywhere (R6)."""
    with pytest.raises(DocumentError) as caught:
        any_table({"allowed_services": ["light.turn_off", entry]})
    assert (caught.value.field, message in str(caught.value)) == (f"allowed_services[1]{field}", True)


@pytest.mark.parametrize(
    ("entry", "field", "message"),
    [
        pytest.param(None, "", "It names no tool", id="nothing"),
        pytest.param("", "", "It names no tool", id="an empty word"),
        pytest.param({"tool": "  "}, "", "It names no tool", id="blanks"),
        pytest.param({"tool": ["mail"]}, "", "It names no tool", id="a list"),
        pytest.param({"name": "mail"}, "", "It names no tool", id="another field"),
        pytest.param({"tool": "mail", "arguments": {}}, ".arguments", "There is no such field", id="a field beside"),
        pytest.param({"tool": "mail", "input": ["anna"]}, ".input", "It is no object", id="a list of inputs"),
        pytest.param({"tool": "mail", "input": None}, ".input", "It is no object", id="no input"),
    ],
)
def test_bad_tools(entry: object, field: str, message: str) -> None:
    """What names no tool."""
    with pytest.raises(DocumentError) as caught:
        any_table({"allowed_tools": ["calculator", entry]})
    assert (caught.value.field, message in str(caught.value)) == (f"allowed_tools[1]{field}", True)


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(LIST, id="a whole list"),
        pytest.param({"allowed_tools": [{"tool": "mail", "input": {"to": "Zoë"}}]}, id="other letters"),
        pytest.param({"name": "x" * 100, "allowed_tools": []}, id="a long name"),
        pytest.param({"allowed_tools": ["x" * 100]}, id="a long name of a tool"),
        pytest.param({"allowed_services": [on("x" * 255)]}, id="a long id"),
        pytest.param({"allowed_tools": ["a"] * MOST_RULES}, id="as many rules as there may be"),
        pytest.param({"allowed_services": EVERYTHING}, id="everything that can be listed"),
    ],
)
def test_kept(document: dict[str, Any]) -> None:
    """A list becomes a table that is the same after it was kept as a document."""
    table = any_table(document)
    again = table_of(json.loads(json.dumps(to_document(table))))
    assert again == table
    assert again.digest == table.digest


@pytest.mark.parametrize(
    ("document", "field", "message"),
    [
        pytest.param({"name": "x" * 101}, "name", "at most 100", id="a long name"),
        pytest.param({"name": ""}, "name", "at least 1", id="no name"),
        pytest.param({"name": 5}, "name", "It is no text", id="a number for a name"),
        pytest.param({"name": "unreadable"}, "name", "This name is taken", id="the name of what cannot be read"),
        pytest.param({"allowed_tools": ["a", "x" * 101]}, "allowed_tools[1].name", "at most 100", id="a long name of a tool"),
        pytest.param({"allowed_services": ["status", on("x" * 256)]}, "allowed_services[1].entities[0]", "at most 255", id="a long id"),
        pytest.param({"allowed_services": [on(*["x"] * 201)]}, "allowed_services[0].entities", "200", id="too many ids"),
        pytest.param({"allowed_tools": ["a"] * (MOST_RULES + 1)}, "rules", "1000", id="one rule too many"),
        pytest.param({"allowed_services": ["status"] * 600, "allowed_tools": ["a"] * 401}, "rules", "1000", id="too many in both"),
        pytest.param({"allowed_tools": [MAIL | {"input": {"on": dt.date(2026, 1, 1)}}]}, "allowed_tools[0].input.on", "JSON", id="a day"),
        pytest.param({"allowed_services": ["status"], "allowed_tools": ["a", MAIL | {"input": {"a": {1: 2, "b": 3}}}]}, "allowed_tools[1].input.a.dict[1].[key]", "It is no text", id="a number for a name"),
        pytest.param({"allowed_tools": ["a", MAIL | {"input": {"n": float("nan")}}]}, "allowed_tools[1].input.n.float", "finite", id="no number"),
    ],
)  # fmt: skip
def test_no_document(document: dict[str, Any], field: str, message: str) -> None:
    """What no document may say no list may: refused at its place in the list."""
    with pytest.raises(DocumentError) as caught:
        any_table({"allowed_tools": [], **document})
    assert (caught.value.field, message in str(caught.value)) == (field, True)


def test_letters_are_met() -> None:
    """An input beyond English letters is allowed as it is said."""
    table = any_table({"allowed_tools": [{"tool": "mail", "input": {"to": "Zoë"}}]})
    assert decide(table, tool_question("mail", {"to": "Zoë"})).verdict is ALLOW
    assert decide(table, tool_question("mail", {"to": "Zoe"})).verdict is DENY
