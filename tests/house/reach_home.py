"""A demo home in which a lock, a garage door and an alarm can be reached in every way that Home Assistant offers."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .demo_home import DemoHome
from .process import HomeAssistantProcess

type Step = Mapping[str, object]

LOCK, GARAGE, ALARM, LAMP = "lock.front_door", "cover.garage_door", "alarm_control_panel.house", "light.bed_light"


def call(action: str, entity_id: object, **data: object) -> dict[str, object]:
    """A step that calls an action on something."""
    return {"action": action, "target": {"entity_id": entity_id}, **({"data": data} if data else {})}


UNLOCK, OPEN = call("lock.unlock", LOCK), call("cover.open_cover", GARAGE)
DISARM, LIGHT = call("alarm_control_panel.alarm_disarm", ALARM), call("light.turn_on", LAMP)
IF_LIT = {"condition": "state", "entity_id": LAMP, "state": "on"}

DOORS_SCRIPTS: dict[str, list[Step]] = {
    "plain": [UNLOCK],
    "choose": [{"choose": [{"conditions": [IF_LIT], "sequence": [LIGHT]}, {"conditions": [], "sequence": [UNLOCK]}]}],
    "choose_default": [{"choose": [{"conditions": [IF_LIT], "sequence": [LIGHT]}], "default": [UNLOCK]}],
    "if_then": [{"if": [IF_LIT], "then": [UNLOCK]}],
    "if_else": [{"if": [IF_LIT], "then": [LIGHT], "else": [UNLOCK]}],
    "repeat": [{"repeat": {"count": 2, "sequence": [UNLOCK]}}],
    "parallel": [{"parallel": [LIGHT, {"sequence": [{"delay": 1}, UNLOCK]}]}],
    "sequence": [{"sequence": [LIGHT, UNLOCK]}],
    "nested": [{"action": "script.plain"}],
    "by_turn_on": [call("script.turn_on", "script.plain")],
    "by_toggle": [call("script.toggle", "script.plain")],
    "homeassistant_on": [call("homeassistant.turn_on", "script.plain")],
    "scene_on": [call("scene.turn_on", "scene.away")],
    "scene_step": [{"scene": "scene.away"}],
    "scene_applied": [{"action": "scene.apply", "data": {"entities": {LOCK: "unlocked"}}}],
    "scene_opening": [{"action": "scene.apply", "data": {"entities": {LOCK: "opening"}}}],
    "pulls_latch": [call("lock.open", "lock.openable_lock")],
    "on_group": [call("lock.unlock", "group.locks")],
    "on_lock_group": [call("lock.unlock", "lock.all_locks")],
    "on_sneaky": [call("light.turn_on", "light.sneaky")],
    "dims_sneaky": [call("light.turn_on", "light.sneaky_level", brightness_pct=10)],
    "deep": [{"if": [IF_LIT], "then": [{"repeat": {"count": 1, "sequence": [{"parallel": [{"action": "script.nested"}]}]}}]}],
    "at_any_label": [{"action": "lock.unlock", "target": {"label_id": "doors"}}],
    "at_any_area": [{"action": "lock.unlock", "target": {"area_id": "entrance"}}],
    "at_any_floor": [{"action": "lock.unlock", "target": {"floor_id": "ground"}}],
}  # fmt: skip
"""Each of them unlocks a door."""

OPAQUE_SCRIPTS: dict[str, list[Step]] = {
    "odd": [call("{{ 'light.turn_on' }}", LAMP)],
    "odd_target": [{"action": "light.turn_on", "target": {"entity_id": "{{ 'light.bed_light' }}"}}],
    "odd_data": [{**LIGHT, "data": "{{ {'area_id': 'garage'} }}"}],
    "odd_event": [{"event": "somebody_listens"}],
    "odd_webhook": [{"action": "conversation.process", "data": {"text": "unlock the front door"}}],
    "odd_all": [call("light.turn_on", "all")],
    "odd_nested": [{"action": "script.odd"}],
}
OTHER_SCRIPTS: dict[str, list[Step]] = {
    "opens": [OPEN],
    "disarms": [DISARM],
    "lamps": [
        {"action": "light.turn_off", "target": {"area_id": "kitchen"}},
        call("light.turn_on", LAMP, brightness_pct=10),
        {"delay": 1},
        {"action": "notify.persistent_notification", "data": {"message": "Good night"}},
    ],
    "switches_wrapped": [call("switch.turn_on", "switch.ac")],
}

AUTOMATIONS: dict[str, tuple[Step, Step]] = {
    "by state": ({"trigger": "state", "entity_id": "input_boolean.porch"}, OPEN),
    "by template": (
        {"trigger": "template", "value_template": "{{ is_state('input_select.by_template', 'go') }}"},
        OPEN,
    ),
    "by states.": (
        {"trigger": "template", "value_template": "{{ states.input_number.by_states.state|int > 5 }}"},
        OPEN,
    ),
    "by target": ({"trigger": "switch.turned_on", "target": {"entity_id": "switch.decorative_lights"}}, UNLOCK),
    "by button": ({"trigger": "state", "entity_id": "input_button.trap"}, DISARM),
    "by odd button": ({"trigger": "state", "entity_id": "input_button.odd"}, {"event": "somebody_listens"}),
    "by timer": ({"trigger": "timer.finished", "target": {"entity_id": "timer.by_target"}}, OPEN),
    "by event": (
        {"trigger": "event", "event_type": "timer.finished", "event_data": {"entity_id": "timer.by_event"}},
        OPEN,
    ),
}


def _light(name: str, **actions: Sequence[Step]) -> dict[str, object]:
    more = {"level": "{{ 128 }}"} if "set_level" in actions else {}
    unique_id = name.lower().replace(" ", "_")
    states = {"name": name, "unique_id": unique_id, "state": "{{ false }}", "turn_on": [], "turn_off": []}
    return {**states, **more, **actions}


TEMPLATES = [
    {"light": [_light("Sneaky", turn_on=[UNLOCK]), _light("Sneaky Level", set_level=[UNLOCK])]},
    {
        "switch": [{"name": "Magic", "unique_id": "magic", "state": "{{ false }}", "turn_on": [OPEN], "turn_off": []}],
        "button": [{"name": "Bell", "unique_id": "bell", "press": [DISARM]}],
        "lock": [
            {"name": "House Door", "unique_id": "house_door", "state": "{{ 'locked' }}", "lock": [], "unlock": []}
        ],
        "cover": [
            {
                "name": "Fake Blind",
                "unique_id": "fake_blind",
                "device_class": "blind",
                "state": "{{ 'closed' }}",
                "open_cover": [UNLOCK],
                "close_cover": [],
            }
        ],
        "number": [
            {
                "name": "Level",
                "unique_id": "level",
                "state": "{{ 1 }}",
                "min": 0,
                "max": 10,
                "step": 1,
                "set_value": [UNLOCK],
            }
        ],
    },
]
MORE: dict[str, object] = {
    "group": {
        "locks": {"entities": [LOCK]},
        "outer": {"entities": ["group.locks"]},
        "stuff": {"entities": [LAMP, LOCK]},
        "covers": {"entities": [GARAGE, "cover.kitchen_window"]},
        "lamps": {"entities": [LAMP, "light.kitchen_lights"]},
        "sneaks": {"entities": ["light.sneaky", LAMP]},
    },
    "lock": [{"platform": "group", "name": "All locks", "entities": [LOCK]}],
    "cover": [{"platform": "group", "name": "All covers", "entities": [GARAGE]}],
    "light reach": [
        {"platform": "group", "name": "Sneaky group", "entities": ["light.sneaky", LAMP]},
        {"platform": "group", "name": "Lamp group", "entities": [LAMP, "light.kitchen_lights"]},
    ],
    "alarm_control_panel": [{"platform": "manual", "name": "House", "arming_time": 0, "code_arm_required": False}],
    "scene": [
        {"name": "Away", "entities": {LOCK: "unlocked"}},
        {"name": "Night", "entities": {LAMP: "off", GARAGE: "open"}},
        {"name": "Calm", "entities": {ALARM: "disarmed"}},
        {"name": "Party", "entities": {LAMP: {"state": "on", "brightness": 200}, "light.kitchen_lights": "on"}},
    ],
    "input_button": {"trap": {"name": "Trap"}, "odd": {"name": "Odd"}, "free": {"name": "Free"}},
    "input_select": {"by_template": {"name": "Choice", "options": ["stay", "go"]}},
    "input_number": {"by_states": {"name": "Count", "min": 0, "max": 10}},
    "timer": {"by_target": {"name": "Eggs", "duration": 60}, "by_event": {"name": "Tea", "duration": 60}},
    "template reach": TEMPLATES,
    "automation reach": [
        {"id": name.replace(" ", "_"), "alias": name, "triggers": [trigger], "actions": [action]}
        for name, (trigger, action) in AUTOMATIONS.items()
    ],
    "script reach": {
        name: {"alias": name, "sequence": list(steps)}
        for name, steps in {**DOORS_SCRIPTS, **OPAQUE_SCRIPTS, **OTHER_SCRIPTS}.items()
    },
}


def start(process: HomeAssistantProcess, preset: str = "strict") -> DemoHome:
    """Starts the home, names its places, and makes what only the owner's forms make."""
    more = "".join(f"{key}: {json.dumps(value)}\n" for key, value in MORE.items())
    home = DemoHome.start(process, preset=preset, more=more)
    home.wait_for("alarm_control_panel.house")
    owner = home.owner
    (floor, label) = owner.command(
        {"type": "config/floor_registry/create", "name": "Ground"},
        {"type": "config/label_registry/create", "name": "Doors"},
    )
    (area,) = owner.command(
        {"type": "config/area_registry/create", "name": "Entrance", "floor_id": floor["floor_id"]},
    )
    update = {"type": "config/entity_registry/update", "entity_id": "lock.house_door", "name": "House Door"}
    owner.command({**update, "area_id": area["area_id"], "labels": [label["label_id"]]})
    owner.command({**update, "entity_id": "light.sneaky", "name": "Sneaky", "area_id": area["area_id"]})
    helper(home, "switch_as_x", {"entity_id": "switch.ac", "target_domain": "lock"})
    shown = {"type": "config/entity_registry/update", "entity_id": "switch.ac", "hidden_by": None}
    owner.command(shown)
    helper(
        home,
        "group",
        {"next_step_id": "light"},
        {"name": "Hidden group", "entities": ["light.sneaky_level", LAMP], "hide_members": False, "all": False},
    )
    (cover,) = owner.command({"type": "config/entity_registry/get", "entity_id": GARAGE})
    relay = {"name": "Relay", "turn_on": [], "turn_off": [], "device_id": cover["device_id"]}
    helper(home, "template", {"next_step_id": "switch"}, relay)
    by_device = {"device_id": cover["device_id"], "domain": "cover", "entity_id": cover["id"], "type": "open"}
    at_device = {"action": "cover.open_cover", "target": {"device_id": cover["device_id"]}}
    for name, step in (("by_device", by_device), ("at_device", at_device)):
        owner.post(f"/api/config/script/config/{name}", {"alias": name, "sequence": [step]})
        home.wait_for(f"script.{name}")
    expose(home)
    assert owner.call("alarm_control_panel.alarm_arm_away", {"entity_id": ALARM}).ok
    return home


def helper(home: DemoHome, domain: str, *steps: Mapping[str, object]) -> Any:
    """Makes a helper, as the owner does it by its form."""
    return home.owner.flow("/api/config/config_entries/flow", {"handler": domain}, *steps)


def expose(home: DemoHome) -> None:
    """Agents may name everything that has a state in the home."""
    ids = [state["entity_id"] for state in home.owner.get("/api/states") if not state["entity_id"].startswith("sun.")]
    home.owner.command(
        {
            "type": "homeassistant/expose_entity",
            "assistants": ["conversation"],
            "entity_ids": ids,
            "should_expose": True,
        }
    )
