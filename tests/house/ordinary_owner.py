"""What the family made by itself: groups, a template light, scenes, scripts, automations, helpers and players."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Extra:
    """An entity that the owner's YAML makes."""

    entity_id: str
    name: str
    platform: str
    room: str | None = None
    members: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


def call(action: str, *entity_ids: str, **data: object) -> dict[str, object]:
    """A step that calls an action on entities."""
    return {"action": action, "target": {"entity_id": list(entity_ids)}, **({"data": data} if data else {})}


def _state(entity_id: str, to: str, **more: object) -> dict[str, object]:
    """A trigger: an entity changes to a state."""
    return {"trigger": "state", "entity_id": entity_id, "to": to, **more}


PLAYERS = frozenset({"media_player.lounge_room", "media_player.walkman"})
"""Players of Home Assistant's demo that are in the home as they are: a television and a music player."""

KNOWN = ("media_player.study_stereo", "scene.relax", "scene.terrace_evening")
"""Of these the owner said: I know what it does."""
SPOTS = ("light.spot_left", "light.spot_right")
SCENES: dict[str, tuple[str, Mapping[str, object]]] = {
    "movie_night": (
        "Movie night",
        {
            "light.living_ceiling": "off",
            "light.arc_lamp": "off",
            "light.tv_backlight": {"state": "on", "brightness": 77},
            "cover.shutter_left": "closed",
        },
    ),
    "dinner": (
        "Dinner",
        {
            "light.pendant": {"state": "on", "brightness": 153},
            "light.sideboard": {"state": "on", "brightness": 77},
            "light.counter_lights": "off",
        },
    ),
    "bright": ("Bright morning", {"light.kitchen_ceiling": {"state": "on", "brightness": 255}}),
}
SCRIPTS: dict[str, tuple[str, list[Mapping[str, object]]]] = {
    "good_night": (
        "Good night",
        [
            {"action": "light.turn_off", "target": {"floor_id": "downstairs"}},
            call("cover.close_cover", "cover.shutter_left", "cover.shutter_right", "cover.parents_blind"),
            {"delay": {"milliseconds": 200}},
            call("light.turn_on", "light.bedside_left", "light.bedside_right", brightness_pct=20),
        ],
    ),
    "bedtime": (
        "Bedtime story",
        [
            call("light.turn_off", "light.mia_ceiling"),
            call("light.turn_on", "light.night_light", brightness_pct=15),
            {"action": "scene.turn_on", "target": {"entity_id": "scene.dinner"}},
        ],
    ),
    "wind_down": (
        "Wind down",
        [
            {
                "choose": [
                    {
                        "conditions": [{"condition": "state", "entity_id": "light.arc_lamp", "state": "on"}],
                        "sequence": [call("light.turn_on", "light.arc_lamp", brightness_pct=30)],
                    }
                ],
                "default": [call("light.turn_on", "light.reading_lamp", brightness_pct=30)],
            },
            {"action": "notify.persistent_notification", "data": {"message": "Time to rest"}},
        ],
    ),
    "warm_bath": (
        "Warm bathroom",
        [call("climate.set_temperature", "climate.bath", temperature=23), call("light.turn_on", "light.mirror")],
    ),
    "off_to_bed": (
        "Off to bed",
        [
            call("light.turn_off", "light.kitchen_ceiling", "light.entrance_lamp"),
            call("climate.set_temperature", "climate.living", temperature=17),
        ],
    ),
    "coming_in": ("Coming in", [call("lock.unlock", "lock.house_door"), call("light.turn_on", "light.entrance_lamp")]),
    "party": (
        "Party mode",
        [{"action": "light.turn_on", "target": {"entity_id": "{{ ['light.arc_lamp', 'light.pendant'] | random }}"}}],
    ),
}
AUTOMATIONS: dict[str, tuple[Mapping[str, object], list[Mapping[str, object]]]] = {
    "Hall light on motion": (
        _state("binary_sensor.entrance_motion", "on"),
        [call("light.turn_on", "light.entrance_lamp")],
    ),
    "Hall light off again": (
        _state("binary_sensor.entrance_motion", "off", **{"for": {"minutes": 3}}),
        [call("light.turn_off", "light.entrance_lamp")],
    ),
    "Bathroom light on motion": (
        _state("binary_sensor.bath_motion", "on"),
        [
            {"if": [{"condition": "sun", "after": "sunset"}], "then": [call("light.turn_on", "light.bath_ceiling")]},
            {"wait_for_trigger": [_state("binary_sensor.bath_motion", "off")], "timeout": {"minutes": 5}},
            call("light.turn_off", "light.bath_ceiling"),
        ],
    ),
    "Patio light not for ever": (
        _state("light.patio_wall", "on", **{"for": {"hours": 2}}),
        [call("light.turn_off", "light.patio_wall")],
    ),
    "Backlight follows the television": (
        _state("media_player.lounge_room", "playing"),
        [call("light.turn_on", "light.tv_backlight")],
    ),
    "Pasta is ready": (
        {"trigger": "event", "event_type": "timer.finished", "event_data": {"entity_id": "timer.pasta"}},
        [{"action": "notify.persistent_notification", "data": {"message": "Pasta!"}}],
    ),
    "Wake up": (
        {"trigger": "time", "at": "input_datetime.wake_up"},
        [
            call("cover.open_cover", "cover.parents_blind"),
            call("light.turn_on", "light.bedside_left", brightness_pct=10),
        ],
    ),
    "Cinema": (
        _state("input_select.house_mode", "cinema"),
        [{"action": "scene.turn_on", "target": {"entity_id": "scene.movie_night"}}],
    ),
    "Alarm sounds": (_state("alarm_control_panel.house", "triggered"), [call("siren.turn_on", "siren.house")]),
}
_RELAY = "switch.closet_relay"
YAML: dict[str, Any] = {
    "demo": {},
    "light": [
        {"platform": "group", "name": "Living room spots", "unique_id": "living_spots", "entities": list(SPOTS)},
    ],
    "group": {"ground_lamps": {"name": "Ground lamps", "entities": ["light.pendant", "light.entrance_lamp"]}},
    "media_player": [
        {
            "platform": "group",
            "name": "Kitchen radio",
            "unique_id": "kitchen_radio",
            "entities": ["media_player.kitchen"],
        },
        {
            "platform": "group",
            "name": "Bedroom speaker",
            "unique_id": "bedroom_speaker",
            "entities": ["media_player.bedroom"],
        },
        {
            "platform": "universal",
            "name": "Study stereo",
            "unique_id": "study_stereo",
            "children": ["media_player.walkman"],
        },
    ],
    "template": [
        {
            "light": [
                {
                    "name": "Closet light",
                    "unique_id": "closet_light",
                    "default_entity_id": "light.closet_light",
                    "state": f"{{{{ is_state('{_RELAY}', 'on') }}}}",
                    "turn_on": [call("switch.turn_on", _RELAY)],
                    "turn_off": [call("switch.turn_off", _RELAY)],
                }
            ]
        }
    ],
    "scene": [{"id": key, "name": name, "entities": dict(entities)} for key, (name, entities) in SCENES.items()],
    "script": {key: {"alias": name, "sequence": list(steps)} for key, (name, steps) in SCRIPTS.items()},
    "automation": [
        {"id": name.lower().replace(" ", "_"), "alias": name, "triggers": [trigger], "actions": actions}
        for name, (trigger, actions) in AUTOMATIONS.items()
    ],
    "input_boolean": {"guests": {"name": "Guest mode"}},
    "input_number": {"wake_volume": {"name": "Wake-up volume", "min": 0, "max": 100, "step": 5, "initial": 20}},
    "input_select": {"house_mode": {"name": "House mode", "options": ["normal", "cinema", "holiday"]}},
    "input_text": {"fridge_note": {"name": "Fridge note", "min": 0, "max": 60, "initial": "milk is out"}},
    "input_datetime": {"wake_up": {"name": "Wake-up time", "has_time": True, "has_date": False}},
    "input_button": {"dinner_bell": {"name": "Dinner bell"}},
    "counter": {"coffees": {"name": "Coffees", "initial": 0}},
    "timer": {"pasta": {"name": "Pasta timer", "duration": "00:09:00"}},
}

EXTRAS = (
    Extra("light.living_room_spots", "Living room spots", "group", "Living room", SPOTS, ("Spots",)),
    Extra("group.ground_lamps", "Ground lamps", "group", None, ("light.pendant", "light.entrance_lamp")),
    Extra("media_player.kitchen_radio", "Kitchen radio", "group", "Kitchen", (), ("Radio",)),
    Extra("media_player.bedroom_speaker", "Bedroom speaker", "group", "Bedroom"),
    Extra("media_player.study_stereo", "Study stereo", "universal", "Study"),
    Extra("light.shelf", "Shelf light", "switch_as_x", "Study", ("switch.shelf_relay",)),
    Extra("todo.groceries", "Groceries", "local_todo"),
    Extra("light.closet_light", "Closet light", "template", "Bedroom", (_RELAY,)),
    *(
        Extra(f"scene.{name.lower().replace(' ', '_')}", name, "homeassistant", None, tuple(entities))
        for name, entities in SCENES.values()
    ),
    *(Extra(f"script.{key}", name, "script") for key, (name, _) in SCRIPTS.items()),
    Extra("input_boolean.guests", "Guest mode", "input_boolean"),
    Extra("input_number.wake_volume", "Wake-up volume", "input_number", "Bedroom"),
    Extra("input_select.house_mode", "House mode", "input_select"),
    Extra("input_text.fridge_note", "Fridge note", "input_text", "Kitchen"),
    Extra("input_datetime.wake_up", "Wake-up time", "input_datetime", "Bedroom"),
    Extra("input_button.dinner_bell", "Dinner bell", "input_button"),
    Extra("counter.coffees", "Coffees", "counter", "Kitchen"),
    Extra("timer.pasta", "Pasta timer", "timer", "Kitchen"),
)
