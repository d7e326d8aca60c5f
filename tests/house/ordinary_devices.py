"""The devices of the family's house: by the generator's recipes, with what is chosen for each."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from . import wiring, wiring_more
from .home_plan import Follow
from .wiring import Draft

type Recipe = Callable[[Draft], None]


@dataclass(frozen=True)
class Thing:
    """A device with one entity. ``picks`` are what is chosen for it, a ``rich`` one has all that is optional."""

    entity_id: str
    name: str
    room: str
    recipe: Recipe
    picks: tuple[str, ...] = ()
    rich: bool = False
    aliases: tuple[str, ...] = ()
    follow: Follow = Follow.AT_ONCE
    seconds: float = 0


def _lamp(
    entity_id: str,
    name: str,
    room: str,
    mode: str = "brightness",
    *aliases: str,
    topics: bool = False,
    follow: Follow = Follow.AT_ONCE,
) -> Thing:
    """A lamp; ``mode`` is what it can do beside on and off, and a colour's space where it has colours."""
    picks = ("color", mode, "OFF") if mode in {"rgb", "hs", "xy", "rgbw"} else (mode, "OFF")
    seconds = 1.0 if follow is Follow.LATE else 0
    return Thing(f"light.{entity_id}", name, room, wiring.light, picks, topics, aliases, follow, seconds)


def _cover(entity_id: str, name: str, room: str, kind: str, *, position: bool = True, first: str = "closed") -> Thing:
    picks = ("0" if first == "closed" else "100", first)
    recipe = partial(wiring.cover, device_class=kind)
    return Thing(f"cover.{entity_id}", name, room, recipe, picks, position)


def _sensor(entity_id: str, name: str, room: str, kind: str) -> Thing:
    return Thing(f"sensor.{entity_id}", name, room, partial(wiring_more.sensor, device_class=kind))


def _contact(entity_id: str, name: str, room: str, kind: str) -> Thing:
    return Thing(f"binary_sensor.{entity_id}", name, room, wiring_more.binary_sensor, (kind, "OFF"))


def _plug(entity_id: str, name: str, room: str, kind: str = "outlet", *aliases: str) -> Thing:
    return Thing(f"switch.{entity_id}", name, room, wiring.switch, (kind, "OFF"), aliases=aliases)


DEVICES = (
    _lamp("kitchen_ceiling", "Kitchen ceiling", "Kitchen", "color_temp"),
    _lamp("counter_lights", "Counter lights", "Kitchen", "brightness", "Worktop"),
    _lamp("hood_light", "Hood light", "Kitchen", "onoff"),
    _lamp("living_ceiling", "Living room ceiling", "Living room", "brightness", topics=True),
    _lamp("arc_lamp", "Arc lamp", "Living room", "rgb", "Big lamp"),
    _lamp("reading_lamp", "Reading lamp", "Living room", "color_temp", topics=True),
    _lamp("tv_backlight", "TV backlight", "Living room", "hs", "Ambilight"),
    _lamp("window_star", "Window star", "Living room", "onoff"),
    _lamp("spot_left", "Left spot", "Living room"),
    _lamp("spot_right", "Right spot", "Living room"),
    _lamp("pendant", "Pendant", "Dining room", "color_temp"),
    _lamp("sideboard", "Sideboard lamp", "Dining room"),
    _lamp("cabinet", "Cabinet light", "Dining room", follow=Follow.UNAVAILABLE),
    _lamp("entrance_lamp", "Hall light", "Hall"),
    _lamp("stairs", "Stair light", "Hall", "onoff", topics=True, follow=Follow.ASSUMED),
    _lamp("parents_ceiling", "Bedroom ceiling", "Bedroom", "color_temp"),
    _lamp("bedside_left", "Bedside lamp left", "Bedroom", "xy", "Anna's lamp"),
    _lamp("bedside_right", "Bedside lamp right", "Bedroom", "xy", "Tom's lamp"),
    _lamp("mia_ceiling", "Mia's ceiling", "Mia's room"),
    _lamp("night_light", "Night light", "Mia's room", "rgbw", "Moon"),
    _lamp("bath_ceiling", "Bathroom ceiling", "Bathroom", "onoff"),
    _lamp("mirror", "Mirror light", "Bathroom", "color_temp"),
    _lamp("study_lamp", "Study lamp", "Study", "color_temp", follow=Follow.LATE),
    _lamp("string_lights", "String lights", "Patio", "onoff"),
    _lamp("patio_wall", "Patio wall light", "Patio"),
    _lamp("drive_lamp", "Driveway lamp", "Driveway", "onoff"),
    _plug("espresso", "Espresso machine", "Kitchen", "outlet", "Coffee maker"),
    _plug("kettle", "Kettle", "Kitchen"),
    _plug("christmas_tree", "Christmas tree", "Living room"),
    _plug("fan_heater", "Fan heater", "Bathroom"),
    _plug("closet_relay", "Closet relay", "Bedroom", "switch"),
    _plug("shelf_relay", "Shelf light", "Study", "switch"),
    _plug("printer", "Printer", "Study"),
    _cover("kitchen_blind", "Kitchen blind", "Kitchen", "blind"),
    _cover("shutter_left", "Left shutter", "Living room", "shutter"),
    _cover("shutter_right", "Right shutter", "Living room", "shutter"),
    _cover("curtain", "Curtain", "Living room", "curtain", position=False),
    _cover("parents_blind", "Bedroom blind", "Bedroom", "blind"),
    _cover("mia_blind", "Mia's blind", "Mia's room", "blind"),
    _cover("study_shade", "Roller shade", "Study", "shade"),
    _cover("awning", "Awning", "Patio", "awning"),
    _cover("roof_window", "Roof window", "Bathroom", "window"),
    _cover("car_door", "Garage door", "Driveway", "garage"),
    _cover("drive_gate", "Drive gate", "Driveway", "gate", position=False),
    Thing("climate.living", "Living room heating", "Living room", wiring_more.climate, ("heat",)),
    Thing("climate.parents", "Bedroom heating", "Bedroom", wiring_more.climate, ("heat",)),
    Thing("climate.bath", "Towel radiator", "Bathroom", wiring_more.climate, ("heat",)),
    Thing("climate.study", "Air conditioning", "Study", wiring_more.climate, ("off",), rich=True, aliases=("AC",)),
    Thing("fan.hood", "Extractor hood", "Kitchen", wiring.fan, ("OFF",), rich=True),
    Thing("fan.parents", "Bedroom fan", "Bedroom", wiring.fan, ("OFF",), rich=True),
    Thing("humidifier.parents", "Mist maker", "Bedroom", wiring_more.humidifier, ("OFF",), rich=True),
    Thing("vacuum.robby", "Robby", "Hall", wiring_more.vacuum, rich=True, aliases=("Vacuum",)),
    Thing("lawn_mower.shaun", "Shaun", "Patio", wiring_more.lawn_mower, rich=True),
    Thing("water_heater.tank", "Hot water tank", "Bathroom", wiring_more.water_heater, ("eco",), rich=True),
    Thing("valve.garden_tap", "Garden tap", "Patio", wiring.valve, ("water", "closed")),
    Thing("lock.house_door", "House door", "Hall", wiring.lock, ("LOCKED",)),
    Thing("alarm_control_panel.house", "House alarm", "Hall", wiring.alarm_control_panel, ("disarmed",)),
    Thing("siren.house", "House siren", "Hall", wiring.siren),
    Thing("camera.porch", "Porch camera", "Driveway", wiring_more.camera),
    Thing("button.router", "Restart router", "Study", wiring_more.button, ("restart",)),
    Thing("number.aquarium", "Aquarium level", "Living room", wiring_more.number),
    Thing("select.washer", "Washing programme", "Bathroom", wiring_more.select),
    Thing("notify.kitchen", "Kitchen intercom", "Kitchen", wiring_more.notify),
    Thing("update.doorbell", "Doorbell firmware", "Hall", wiring_more.update, ("1.1.0",), rich=True),
    Thing("scene.relax", "Relax", "Living room", wiring_more.scene),
    _sensor("kitchen_temperature", "Kitchen temperature", "Kitchen", "temperature"),
    _sensor("patio_thermometer", "Outside thermometer", "Patio", "temperature"),
    _sensor("bath_humidity", "Bathroom humidity", "Bathroom", "humidity"),
    _sensor("washer_power", "Washing machine power", "Bathroom", "power"),
    _contact("kitchen_window", "Kitchen window", "Kitchen", "window"),
    _contact("back_door", "Back door", "Kitchen", "door"),
    _contact("entrance_motion", "Hall motion", "Hall", "motion"),
    _contact("bath_motion", "Bathroom motion", "Bathroom", "motion"),
)
"""All devices; unplugged is the cabinet light, slow the study lamp, and the stair light reports nothing."""
