"""The kinds of MQTT devices in generated homes, and how frequent each is."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from . import wiring, wiring_more
from .home_names import words
from .wiring import Draft


class Model(NamedTuple):
    """A kind of device: what its main entity is, how frequent it is, and what sensors it may have besides."""

    domain: str
    recipe: Callable[[Draft], None]
    weight: int
    sensors: tuple[str, ...] = ()
    things: str = ""


FIRST = (
    Model("light", wiring.light, 16, ("signal_strength",)),
    Model("switch", wiring.switch, 10, ("power", "energy")),
    Model("cover", partial(wiring.cover, device_class="garage"), 1, (), "garage"),
    Model("climate", wiring_more.climate, 4, ("temperature", "battery")),
    Model("lock", wiring.lock, 3, ("battery",)),
    Model("fan", wiring.fan, 3, ("power",)),
    Model("valve", wiring.valve, 2, ("battery",)),
    Model("water_heater", wiring_more.water_heater, 1, ("power",)),
    Model("humidifier", wiring_more.humidifier, 1, ("humidity",)),
    Model("vacuum", wiring_more.vacuum, 1, ("battery",)),
    Model("lawn_mower", wiring_more.lawn_mower, 1, ("battery",)),
    Model("alarm_control_panel", wiring.alarm_control_panel, 1, ("battery",)),
    Model("siren", wiring.siren, 1),
    Model("button", wiring_more.button, 2),
    Model("number", wiring_more.number, 2),
    Model("select", wiring_more.select, 2),
    Model("text", wiring_more.text, 1),
    Model("update", wiring_more.update, 1),
    Model("camera", wiring_more.camera, 1),
    Model("image", wiring_more.image, 1),
    Model("notify", wiring_more.notify, 1),
    Model("scene", wiring_more.scene, 2),
    Model("sensor", partial(wiring_more.sensor, device_class="temperature"), 10, ("humidity", "battery")),
    Model("binary_sensor", wiring_more.binary_sensor, 12, ("battery", "signal_strength")),
)
"""What every home has once."""
MODELS = (
    *FIRST,
    Model("cover", wiring.cover, 8, ("battery",)),
    Model("sensor", wiring_more.sensor, 10),
)
WEIGHTS = tuple(model.weight for model in MODELS)
ASSUMABLE = frozenset(
    {
        "light",
        "switch",
        "fan",
        "cover",
        "valve",
        "lock",
        "siren",
        "humidifier",
        "number",
        "select",
        "text",
        "lawn_mower",
    }
)
"""Domains in which MQTT assumes that a command worked if there is no state topic."""
DIAGNOSTIC = frozenset({"battery", "signal_strength"})
SENSOR_NAMES = dict(
    zip(
        ("temperature", "humidity", "battery", "power", "energy", "signal_strength"),
        words("""
Temperature / Temperatur / 温度
Humidity / Luftfeuchte / 湿度
Battery / Batterie / 电池
Power / Leistung / 功率
Energy / Energie / 电量
Signal / Funkstärke / 信号
"""),
        strict=True,
    )
)
