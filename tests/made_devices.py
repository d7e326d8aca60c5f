"""A made house with one device of each domain, for tables over the whole catalogue. A device is called by its object id."""

from typing import Any

from custom_components.edgehome.chain import Pass, Refuse
from custom_components.edgehome.gates.capability import Capability
from custom_components.edgehome.plan import GatedCommand
from tests.made_house import MadeHouse, asked, proposing

EVERYTHING = 0x7FFFFF
"""All features that a device may have."""

DEVICES: dict[str, tuple[str, dict[str, Any]]] = {
    "light.lamp": (
        "on",
        {
            "brightness": 51,
            "supported_color_modes": ["rgb", "color_temp"],
            "min_color_temp_kelvin": 2000,
            "max_color_temp_kelvin": 6500,
        },
    ),
    "switch.relay": ("off", {}),
    "input_boolean.guests": ("off", {}),
    "fan.fan": (
        "on",
        {"percentage": 33, "percentage_step": 100 / 3, "preset_modes": ["eco", "boost"], "oscillating": False},
    ),
    "cover.blind": ("open", {"device_class": "blind", "current_position": 100, "current_tilt_position": 10}),
    "valve.water": ("closed", {"current_position": 0}),
    "lock.door": ("locked", {}),
    "climate.heating": (
        "heat",
        {
            "temperature": 20,
            "min_temp": 7,
            "max_temp": 30,
            "target_temp_step": 0.5,
            "hvac_modes": ["off", "heat", "cool"],
            "fan_modes": ["low", "high"],
            "swing_modes": ["on", "off"],
            "preset_modes": ["home", "away"],
            "min_humidity": 30,
            "max_humidity": 70,
        },
    ),
    "water_heater.boiler": (
        "eco",
        {"temperature": 50, "min_temp": 40, "max_temp": 65, "operation_list": ["off", "eco", "performance"]},
    ),
    "humidifier.mist": (
        "on",
        {"humidity": 45, "min_humidity": 30, "max_humidity": 60, "available_modes": ["auto", "sleep"]},
    ),
    "media_player.radio": (
        "playing",
        {"volume_level": 0.3, "source_list": ["Radio", "TV"], "sound_mode_list": ["music", "movie"]},
    ),
    "vacuum.robot": ("cleaning", {"fan_speed_list": ["quiet", "max"], "fan_speed": "quiet"}),
    "lawn_mower.mower": ("mowing", {}),
    "alarm_control_panel.alarm": ("disarmed", {}),
    "siren.siren": ("off", {"available_tones": ["fire", "bell"]}),
    "remote.remote": ("off", {"activity_list": ["TV", "Music"]}),
    "scene.evening": ("2026-11-01T00:00:00+00:00", {}),
    "script.goodnight": ("off", {}),
    "button.restart": ("unknown", {}),
    "input_button.bell": ("unknown", {}),
    "number.limit": ("10", {"min": 5, "max": 20, "step": 0.5, "unit_of_measurement": "A"}),
    "input_number.level": ("3", {"min": -10, "max": 10, "step": 1}),
    "counter.visits": ("3", {"minimum": None, "maximum": 100, "step": 5}),
    "select.program": ("wool", {"options": ["wool", "cotton"]}),
    "input_select.mode": ("day", {"options": ["day", "night"]}),
    "text.label": ("old", {"min": 2, "max": 8, "pattern": "[a-z]+$", "mode": "text"}),
    "input_text.note": ("old", {"min": 0, "max": 100, "mode": "text"}),
    "date.birthday": ("2026-01-01", {}),
    "time.bedtime": ("06:00:00", {}),
    "datetime.start": ("2026-01-01T06:00:00+00:00", {}),
    "input_datetime.wake": ("06:00:00", {"has_date": False, "has_time": True}),
    "timer.eggs": ("active", {}),
    "todo.shopping": ("2", {}),
    "notify.phone": ("unknown", {}),
    "assist_satellite.kitchen": ("idle", {}),
    "update.firmware": ("on", {}),
    "camera.yard": ("idle", {}),
}
"""State and attributes of each; all have every feature."""


def house_of_all(**changed: dict[str, Any]) -> MadeHouse:
    """One of each. ``changed`` are other attributes by object id; ``state`` among them is the state."""
    house = MadeHouse()
    for entity_id, (state, attributes) in DEVICES.items():
        name = entity_id.partition(".")[2]
        more = {"supported_features": EVERYTHING, **attributes, **changed.get(name, {})}
        house.add(entity_id, name, str(more.pop("state", state)), device_class=more.pop("device_class", None), **more)
    return house


def wish(intent: str, name: str, **params: object) -> dict[str, object]:
    """A proposal on one of them."""
    return proposing(intent, device_alias=name, params=params)


def fitted(intent: str, name: str, params: dict[str, Any], house: MadeHouse | None = None) -> GatedCommand:
    """The action that the capability gate makes of a wish."""
    step, _ = asked(Capability, house or house_of_all(), wish(intent, name, **params))
    assert isinstance(step, Pass), step
    (action,) = step.context.actions
    return action


def refused(intent: str, name: str, params: dict[str, Any], house: MadeHouse | None = None) -> Refuse:
    """The capability gate's refusal of a wish."""
    step, _ = asked(Capability, house or house_of_all(), wish(intent, name, **params))
    assert isinstance(step, Refuse), step
    return step
