"""Generated homes: a seed and a size give a plan, a plan gives a configuration and discovery messages."""

import json
from collections.abc import Iterator
from typing import Any

from .device_models import FIRST, MODELS, WEIGHTS
from .home_plan import DevicePlan, EntityPlan, Follow, HomePlan
from .house_builder import House
from .owner_made import HELPERS, furnish

SMALLEST, LARGEST = 50, 10_000
ROOM_FOR_ALL_KINDS = 150
"""From this size on, a home has lights, switches, covers and locks of each kind of follower without codes, and a lock and an alarm with one."""
SPECIAL = {
    Follow.LATE: ("fan", "water_heater"),
    Follow.NEVER: ("vacuum", "lawn_mower", "valve"),
    Follow.OTHER: ("number", "lock", "climate"),
    Follow.UNAVAILABLE: ("camera", "button", "image"),
    Follow.RESTORED: ("update", "alarm_control_panel", "notify"),
    Follow.ASSUMED: ("siren", "select", "humidifier"),
}
"""Each home has one of each kind, in one of these domains; the first of all other domains follow at once."""
DISCOVERY = "homeassistant"

BASE: dict[str, Any] = {
    "api": {},
    "config": {},
    "conversation": {},
    "frontend": {},
    "mobile_app": {},
    "logger": {"default": "warning", "logs": {"custom_components.edgehome": "info"}},
}


def plan(seed: int, size: int) -> HomePlan:
    """The home of a seed with exactly ``size`` entities, from 50 to 10,000.

    Every home has each model of device once, each kind of follower, and each helper.
    """
    if not SMALLEST <= size <= LARGEST:
        raise ValueError(f"a generated home has {SMALLEST} to {LARGEST} entities, not {size}")
    house = House(seed, size)
    special = {house.rng.choice(domains): follow for follow, domains in SPECIAL.items()}
    for model in FIRST:
        house.add_device(model, special.get(model.domain, Follow.AT_ONCE), 1, plain=model.domain == "switch")
    if size >= ROOM_FOR_ALL_KINDS:
        for model in (model for model in MODELS if model.domain in {"light", "switch", "cover", "lock"}):
            for follow in Follow:
                house.add_device(model, follow, 1, plain=True)
        for model in (model for model in FIRST if model.domain in {"lock", "alarm_control_panel"}):
            house.add_device(model, Follow.AT_ONCE, 1, plain=True, coded=True)
    sets = 1 + size // 400
    while (left := size - sets * HELPERS - len(house.entities)) > 0:
        (model,) = house.rng.choices(MODELS, WEIGHTS)
        house.add_device(model, house.follow(), left, registered=house.chance(0.94))
    for number in range(sets):
        furnish(house, number)
    return house.plan()


def configuration(home: HomePlan, url: str) -> str:
    """The content of ``configuration.yaml``: JSON, which is YAML."""
    core = {"name": f"Generated home {home.seed}", "unit_system": "metric", "time_zone": "Europe/Berlin"}
    core |= {"country": "DE", "internal_url": url, "external_url": url}
    return json.dumps({"homeassistant": core, **BASE, **home.yaml}, ensure_ascii=False, indent=1)


def discovery(home: HomePlan) -> Iterator[tuple[str, str, EntityPlan]]:
    """The discovery messages: topic, payload, and the entity that each announces."""
    devices = {device.key: device for device in home.devices}
    for entity in home.entities:
        if entity.platform == "mqtt":
            device = devices[entity.device] if entity.device else None
            topic = f"{DISCOVERY}/{entity.domain}/{entity.entity_id.partition('.')[2]}/config"
            payload = {**entity.config, **(_device(device) if device else {})}
            yield topic, json.dumps(payload, ensure_ascii=False, sort_keys=True), entity


def _device(device: DevicePlan) -> dict[str, object]:
    return {
        "availability_topic": device.availability,
        "device": {
            "identifiers": [device.key],
            "name": device.name,
            "manufacturer": "EdgeHome tests",
            "model": device.model,
        },
    }


def availability(home: HomePlan) -> Iterator[tuple[str, str]]:
    """The availability topics and what they say."""
    offline = {entity.device for entity in home.entities if entity.device and entity.follow is Follow.UNAVAILABLE}
    for device in home.devices:
        yield device.availability, "offline" if device.key in offline else "online"
    for entity in home.entities:
        if isinstance(topic := entity.config.get("availability_topic"), str):
            yield topic, "offline" if entity.follow is Follow.UNAVAILABLE else "online"
