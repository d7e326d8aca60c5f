"""What a sequence of actions does, step by step, from what Home Assistant itself makes of it."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from homeassistant.helpers.script import async_validate_actions_config

from custom_components.edgehome.devices import Deed
from custom_components.edgehome.home.makeup.sequence import DEEPEST, MOST, deeds_in

type Step = dict[str, Any]


def call(action: str, entity_id: object = None, **data: object) -> Step:
    """A step that calls an action."""
    target = {"target": {"entity_id": entity_id}} if entity_id is not None else {}
    return {"action": action, **target, **({"data": data} if data else {})}


UNLOCK, LAMP = call("lock.unlock", "lock.door"), call("light.turn_on", "light.lamp")
UNLOCKED, LIT = ("lock.door", "unlock"), ("light.lamp", "turn_on")
IF_LIT = {"condition": "state", "entity_id": "light.lamp", "state": "on"}


async def read(hass: HomeAssistant, *steps: Step) -> tuple[Deed, ...]:
    """What is read from a validated sequence."""
    return deeds_in(hass, await async_validate_actions_config(hass, cv.SCRIPT_SCHEMA(list(steps))))


def told(deeds: tuple[Deed, ...]) -> list[tuple[str, ...]]:
    """The deeds on entities."""
    return [(deed.entity_id, *deed.verbs) for deed in deeds if deed.entity_id is not None]


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        pytest.param(UNLOCK, [UNLOCKED], id="call"),
        pytest.param({"service": "lock.unlock", "entity_id": "lock.door"}, [UNLOCKED], id="the old words"),
        pytest.param(call("lock.unlock", ["lock.door", "lock.shed"]), [UNLOCKED, ("lock.shed", "unlock")], id="several"),
        pytest.param({"action": "lock.unlock", "data": {"entity_id": "lock.door"}}, [UNLOCKED], id="among the values"),
        pytest.param({**UNLOCK, "enabled": False}, [], id="switched off"),
        pytest.param({**UNLOCK, "enabled": "{{ false }}"}, [UNLOCKED], id="perhaps switched off"),
        pytest.param(call("light.toggle", "light.lamp"), [("light.lamp", "turn_on", "turn_off")], id="toggle"),
        pytest.param(call("cover.toggle", "cover.gate"), [("cover.gate", "open", "close")], id="toggle of a cover"),
        pytest.param(call("homeassistant.toggle", "cover.gate"), [("cover.gate", "open", "close")], id="general toggle"),
        pytest.param(call("homeassistant.turn_on", "light.lamp"), [LIT], id="general"),
        pytest.param(call("homeassistant.turn_on", "script.other"), [("script.other", "run")], id="general, a script"),
        pytest.param(call("homeassistant.turn_on", "scene.other"), [("scene.other", "activate")], id="general, a scene"),
        pytest.param(call("cover.set_cover_position", "cover.gate", position=1), [("cover.gate", "set_position", "open")], id="a position"),
        pytest.param(call("cover.set_cover_position", "cover.gate", position=0), [("cover.gate", "set_position", "close")], id="position 0"),
        pytest.param(
            call("cover.set_cover_position", "cover.gate", position="{{ 3 }}"),
            [("cover.gate", "set_position", "open", "close")],
            id="any",
        ),
        pytest.param(call("alarm_control_panel.alarm_disarm", "alarm_control_panel.a"), [("alarm_control_panel.a", "disarm")], id="alarm"),
        pytest.param(
            call("light.turn_on", "light.a", brightness=9, color_name="red"),
            [("light.a", "set_brightness", "set_color", "turn_on")],
            id="what values set",
        ),
        pytest.param(call("script.other"), [("script.other", "run")], id="a script"),
        pytest.param(call("script.turn_on", "script.other"), [("script.other", "run")], id="a script, switched on"),
        pytest.param(call("scene.turn_on", "scene.other"), [("scene.other", "activate")], id="a scene"),
        pytest.param({"scene": "scene.other"}, [("scene.other", "activate")], id="a scene step"),
        pytest.param(call("scene.apply", entities={"lock.door": "unlocked"}), [UNLOCKED], id="states"),
        pytest.param({"choose": [{"conditions": [IF_LIT], "sequence": [UNLOCK]}]}, [UNLOCKED], id="choose"),
        pytest.param({"choose": [{"conditions": [IF_LIT], "sequence": [LAMP]}], "default": [UNLOCK]}, [LIT, UNLOCKED], id="default"),
        pytest.param({"if": [IF_LIT], "then": [UNLOCK]}, [UNLOCKED], id="if"),
        pytest.param({"if": [IF_LIT], "then": [LAMP], "else": [UNLOCK]}, [LIT, UNLOCKED], id="else"),
        pytest.param({"repeat": {"count": 3, "sequence": [UNLOCK]}}, [UNLOCKED], id="repeat"),
        pytest.param({"repeat": {"while": [IF_LIT], "sequence": [UNLOCK]}}, [UNLOCKED], id="while"),
        pytest.param({"repeat": {"for_each": [1], "sequence": [UNLOCK]}}, [UNLOCKED], id="for each"),
        pytest.param({"parallel": [LAMP, {"sequence": [UNLOCK]}]}, [LIT, UNLOCKED], id="parallel"),
        pytest.param({"sequence": [UNLOCK]}, [UNLOCKED], id="sequence"),
    ],
)  # fmt: skip
async def test_read(hass: HomeAssistant, step: Step, expected: list[tuple[str, ...]]) -> None:
    """A step is read as what it does, and nothing of it is left unread."""
    deeds = await read(hass, step)
    assert told(deeds) == expected
    assert all(deed.entity_id for deed in deeds)


@pytest.mark.parametrize(
    "step",
    [
        pytest.param({"delay": 5}, id="delay"),
        pytest.param({"wait_template": "{{ true }}"}, id="wait"),
        pytest.param({"wait_for_trigger": [{"trigger": "event", "event_type": "x"}]}, id="wait for a trigger"),
        pytest.param(IF_LIT, id="condition"),
        pytest.param({"variables": {"x": 1}}, id="variables"),
        pytest.param({"stop": "enough"}, id="stop"),
        pytest.param(call("notify.phone", message="x"), id="a notification"),
        pytest.param(call("persistent_notification.create", message="x"), id="a note"),
        pytest.param(call("system_log.write", message="x"), id="a log line"),
        pytest.param(call("homeassistant.update_entity", "light.lamp"), id="an update of a state"),
    ],
)
async def test_silent(hass: HomeAssistant, step: Step) -> None:
    """What does nothing in the house is nothing."""
    assert await read(hass, step) == ()


@pytest.mark.parametrize(
    ("step", "why"),
    [
        pytest.param(call("{{ 'light.turn_on' }}", "light.lamp"), "only known when it runs", id="an action"),
        pytest.param(call("light.turn_on", "{{ 'light.lamp' }}"), "only known when it runs", id="a target"),
        pytest.param(
            {"action": "light.turn_on", "target": "{{ {} }}"}, "only known when it runs", id="the whole target"
        ),
        pytest.param({"action": "light.turn_on", "target": {"area_id": "{{ 'x' }}"}}, "only known", id="an area"),
        pytest.param({**LAMP, "data": "{{ {'area_id': 'hall'} }}"}, "only known when it runs", id="all values"),
        pytest.param({**LAMP, "data_template": "{{ {} }}"}, "only known when it runs", id="all values, the old word"),
        pytest.param(call("light.turn_on", "all"), "only known when it runs", id="everything"),
        pytest.param(call("light.turn_on"), "only known when it runs", id="no target"),
        pytest.param(call("shell_command.x"), "not in the catalogue", id="a shell"),
        pytest.param(call("rest_command.x"), "not in the catalogue", id="an address"),
        pytest.param(call("mqtt.publish", topic="x"), "not in the catalogue", id="mqtt"),
        pytest.param(call("automation.trigger", "automation.x"), "not in the catalogue", id="an automation"),
        pytest.param(call("homeassistant.restart"), "only known when it runs", id="a restart"),
        pytest.param(call("scene.apply", entities="{{ {} }}"), "only known when it runs", id="states"),
        pytest.param(call("scene.create", scene_id="x", snapshot_entities=["light.a"]), "only known", id="a new scene"),
        pytest.param({"event": "x"}, "the event x", id="an event"),
    ],
)
async def test_unread(hass: HomeAssistant, step: Step, why: str) -> None:
    """What is only decided while it runs, or nobody here knows, is told as that, also deep within."""
    for nested in (step, {"if": [IF_LIT], "then": [{"parallel": [step]}]}):
        deeds = await read(hass, LAMP, nested)
        assert LIT in told(deeds)
        assert [why in deed.why for deed in deeds if deed.entity_id is None] == [True]


@pytest.mark.parametrize("key", ["area_id", "floor_id", "label_id"])
@pytest.mark.parametrize("action", ["lock.unlock", "cover.open_cover", "light.turn_on"])
async def test_places(
    hass: HomeAssistant,
    area_registry: ar.AreaRegistry,
    floor_registry: fr.FloorRegistry,
    label_registry: lr.LabelRegistry,
    entity_registry: er.EntityRegistry,
    key: str,
    action: str,
) -> None:
    """A place is what of the action's own domain is there."""
    floor, label = floor_registry.async_create("Ground"), label_registry.async_create("Doors")
    area = area_registry.async_create("Hall", floor_id=floor.floor_id)
    for domain in ("lock", "cover", "light"):
        made = entity_registry.async_get_or_create(domain, "test", "1", suggested_object_id="one")
        entity_registry.async_update_entity(made.entity_id, area_id=area.id, labels={label.label_id})
    place = {"area_id": area.id, "floor_id": floor.floor_id, "label_id": label.label_id}[key]
    deeds = await read(hass, {"action": action, "target": {key: place}})
    assert [deed.entity_id for deed in deeds] == [f"{action.partition('.')[0]}.one"]


@pytest.mark.parametrize("action", ["lock.unlock", "homeassistant.turn_on"])
async def test_a_group_as_a_target(hass: HomeAssistant, action: str) -> None:
    """Home Assistant expands ``group.*`` in a target: its members are acted on."""
    member = "lock.door" if action == "lock.unlock" else "light.lamp"
    hass.states.async_set("group.several", "on", {"entity_id": [member]})
    deeds = await read(hass, call(action, "group.several"))
    assert deeds
    assert {deed.entity_id for deed in deeds} & {member, "group.several"}


@pytest.mark.parametrize("action", ["script.toggle", "homeassistant.toggle"])
async def test_toggling_a_script_runs_it(hass: HomeAssistant, action: str) -> None:
    """A script that is toggled is run, for it seldom runs already."""
    (deed,) = await read(hass, call(action, "script.other"))
    assert "run" in deed.verbs


@pytest.mark.parametrize(
    ("known", "expected"),
    [pytest.param(True, ("lock.one", "unlock"), id="known"), pytest.param(False, None, id="unknown")],
)
async def test_device_action(
    hass: HomeAssistant, entity_registry: er.EntityRegistry, known: bool, expected: tuple[str, ...] | None
) -> None:
    """An action of a device names the registry's own id of an entity."""
    made = entity_registry.async_get_or_create("lock", "test", "1", suggested_object_id="one")
    step = {"device_id": "x", "domain": "lock", "type": "unlock", "entity_id": made.id if known else "f" * 32}
    (deed,) = deeds_in(hass, [step])
    assert (deed.entity_id and (deed.entity_id, *deed.verbs)) == expected


@pytest.mark.parametrize(
    ("step", "is_read"),
    [
        pytest.param({"device_id": "x", "domain": "mobile_app", "type": "notify"}, True, id="a notification"),
        pytest.param({"device_id": "x", "domain": "zha", "type": "squawk"}, False, id="another integration's"),
    ],
)
async def test_other_device_actions(hass: HomeAssistant, step: Step, is_read: bool) -> None:
    """A phone's notification is nothing; what an integration does by itself cannot be read."""
    assert [deed.entity_id for deed in deeds_in(hass, [step])] == ([] if is_read else [None])


async def test_an_entity_by_the_registrys_id(hass: HomeAssistant, entity_registry: er.EntityRegistry) -> None:
    """A target by the registry's own id is that entity."""
    made = entity_registry.async_get_or_create("lock", "test", "1", suggested_object_id="one")
    assert told(await read(hass, call("lock.unlock", made.id))) == [("lock.one", "unlock")]


def test_bounds(hass: HomeAssistant) -> None:
    """What is longer or deeper than EdgeHome reads is not read; an unknown step neither."""
    step: Step = LAMP
    for _ in range(DEEPEST + 2):
        step = {"sequence": [step]}
    assert [deed.entity_id for deed in deeds_in(hass, [step])] == [None]
    many = [call("light.turn_on", f"light.l{number}") for number in range(MOST + 1)]
    assert [deed.entity_id for deed in deeds_in(hass, many)] == [None]
    assert len(deeds_in(hass, many[:MOST])) == MOST
    assert [deed.why for deed in deeds_in(hass, [{"nonsense": 1}])] == ["an unknown step"]
