"""MQTT devices in the making: heating, machines, values, and what only reports or only hears."""

from .home_plan import ANY, ECHO, HALF_WAY
from .wiring import Draft

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
"""A picture of one point (PNG, base64)."""


def climate(draft: Draft) -> None:
    """A thermostat or air conditioner, with one target, a range, or both a fan and presets."""
    cools = draft.chance(0.4)
    modes = ["off", "heat", "cool", "heat_cool"] if cools else ["off", "heat", *(["auto"] if draft.chance(0.5) else [])]
    draft.says(modes=modes, min_temp=7, max_temp=30, temp_step=0.5, temperature_unit="C")
    draft.knows(hvac_modes=modes, min_temp=7, max_temp=30, target_temp_step=0.5)
    draft.pair("mode_command_topic", "mode_state_topic", "mode", draft.choice(modes))
    draft.pair("temperature_command_topic", "temperature_state_topic", "target", "20.5", HALF_WAY)
    draft.reports("current_temperature_topic", "current", "19.5")
    if cools:
        draft.pair("temperature_low_command_topic", "temperature_low_state_topic", "low", "19", HALF_WAY)
        draft.pair("temperature_high_command_topic", "temperature_high_state_topic", "high", "24", HALF_WAY)
        draft.says(fan_modes=["auto", "low", "high"])
        draft.pair("fan_mode_command_topic", "fan_mode_state_topic", "fan", "auto")
    if draft.chance(0.4):
        draft.says(preset_modes=["eco", "away"])
        draft.pair("preset_mode_command_topic", "preset_mode_state_topic", "preset", "eco")
    if draft.chance(0.2):
        draft.says(min_humidity=30, max_humidity=80)
        draft.pair("target_humidity_command_topic", "target_humidity_state_topic", "humidity", "50", HALF_WAY)


def water_heater(draft: Draft) -> None:
    """A boiler with modes, and at times a power switch."""
    draft.says(modes=["off", "eco", "performance"], min_temp=40, max_temp=65, temperature_unit="C")
    draft.knows(operation_list=["off", "eco", "performance"], min_temp=40, max_temp=65)
    mode = draft.pair("mode_command_topic", "mode_state_topic", "mode", draft.choice(("off", "eco")))
    draft.pair("temperature_command_topic", "temperature_state_topic", "target", "50", HALF_WAY)
    draft.reports("current_temperature_topic", "current", "48")
    if draft.chance(0.5):
        draft.hears("power_command_topic", "power", {"ON": {mode: "eco"}, "OFF": {mode: "off"}})


def humidifier(draft: Draft) -> None:
    """A humidifier or dryer, with or without modes."""
    device_class = draft.choice(("humidifier", "dehumidifier"))
    draft.says(device_class=device_class, min_humidity=30, max_humidity=80)
    draft.knows(min_humidity=30, max_humidity=80)
    draft.pair("command_topic", "state_topic", "state", draft.choice(("ON", "OFF")))
    draft.pair(
        "target_humidity_command_topic", "target_humidity_state_topic", "target", draft.choice(("40", "55")), HALF_WAY
    )
    if draft.chance(0.5):
        draft.says(modes=["normal", "boost"])
        draft.knows(available_modes=["normal", "boost"])
        draft.pair("mode_command_topic", "mode_state_topic", "mode", "normal")


def vacuum(draft: Draft) -> None:
    """A cleaning robot with more or fewer features."""
    features = ["start", "stop", "return_home"]
    features += [feature for feature in ("pause", "locate", "clean_spot") if draft.chance(0.6)]
    state = draft.reports("state_topic", "state", '{"state": "docked", "fan_speed": "medium"}')
    activities = {"start": "cleaning", "pause": "paused", "stop": "idle", "return_to_base": "returning"}
    outcomes = {command: {state: f'{{"state": "{activity}"}}'} for command, activity in activities.items()}
    outcomes |= {"clean_spot": outcomes["start"], "locate": {}}
    draft.hears("command_topic", "state", outcomes, {ANY: {state: '{"state": "error"}'}})
    if draft.chance(0.6):
        features.append("fan_speed")
        draft.says(fan_speed_list=["min", "medium", "max"])
        draft.knows(fan_speed_list=["min", "medium", "max"])
        draft.hears("set_fan_speed_topic", "speed", {ANY: {state: f'{{"fan_speed": "{ECHO}"}}'}})
    draft.says(supported_features=features)


def lawn_mower(draft: Draft) -> None:
    """A mower that starts, docks, and at times pauses."""
    state = draft.reports("activity_state_topic", "activity", "docked")
    wrong = {ANY: {state: "error"}}
    draft.hears("start_mowing_command_topic", "mow", {ANY: {state: "mowing"}}, wrong)
    draft.hears("dock_command_topic", "dock", {ANY: {state: "docked"}}, wrong)
    if draft.chance(0.6):
        draft.hears("pause_command_topic", "pause", {ANY: {state: "paused"}}, wrong)


def scene(draft: Draft) -> None:
    """A scene that a hub keeps."""
    draft.says(payload_on="ON")
    draft.hears("command_topic", "scene")


def button(draft: Draft) -> None:
    """A button, of a class or none."""
    if (device_class := draft.choice(("identify", "restart", ""))) != "":
        draft.says(device_class=device_class)
    draft.hears("command_topic", "press")


def number(draft: Draft) -> None:
    """A number with a range and a step."""
    low, high, step = draft.rng.choice(((0, 100, 1), (0, 60, 5), (-10, 10, 0.5)))
    draft.says(min=low, max=high, step=step)
    draft.knows(min=low, max=high, step=step)
    draft.pair("command_topic", "state_topic", "value", "5", HALF_WAY)


def select(draft: Draft) -> None:
    """A choice of programmes."""
    options = ["eco", "normal", "intensive", "ökologisch"][: draft.rng.randint(2, 4)]
    draft.says(options=options)
    draft.knows(options=options)
    draft.pair("command_topic", "state_topic", "option", options[0], options[-1])


def text(draft: Draft) -> None:
    """A display, or a password that is not shown."""
    draft.says(min=0, max=32, mode=draft.choice(("text", "text", "password")))
    draft.pair("command_topic", "state_topic", "text", "hello", "something else")


def update(draft: Draft) -> None:
    """A firmware, old or new, that can be installed or not."""
    latest = draft.choice(("1.0.0", "1.1.0"))
    state = draft.reports("state_topic", "version", f'{{"installed_version": "1.0.0", "latest_version": "{latest}"}}')
    draft.says(device_class="firmware")
    if draft.chance(0.7):
        draft.says(payload_install="INSTALL")
        new = f'{{"installed_version": "{latest}", "latest_version": "{latest}"}}'
        draft.hears("command_topic", "install", {"INSTALL": {state: new}})


def camera(draft: Draft) -> None:
    """A camera that sends single pictures."""
    draft.says(image_encoding="b64")
    draft.reports("topic", "picture", PIXEL)


def image(draft: Draft) -> None:
    """A picture of an event."""
    draft.says(image_encoding="b64", content_type="image/png")
    draft.reports("image_topic", "picture", PIXEL)


def notify(draft: Draft) -> None:
    """A speaker that says what it is sent."""
    draft.hears("command_topic", "say")


SENSORS = (
    ("temperature", "°C", "21.5"),
    ("humidity", "%", "45"),
    ("battery", "%", "88"),
    ("power", "W", "12.5"),
    ("energy", "kWh", "103.2"),
    ("illuminance", "lx", "120"),
    ("pressure", "hPa", "1013"),
    ("signal_strength", "dBm", "-60"),
)


def sensor(draft: Draft, device_class: str | None = None) -> None:
    """A measured value, or a text without class."""
    if device_class is None and draft.chance(0.15):
        draft.reports("state_topic", "state", draft.choice(("ok", "läuft", "正常")))
        return
    rows = [row for row in SENSORS if device_class in {None, row[0]}]
    kind, unit, value = draft.rng.choice(rows)
    draft.says(device_class=kind, unit_of_measurement=unit)
    draft.knows(unit_of_measurement=unit)
    draft.reports("state_topic", "state", value)


BINARY_CLASSES = (
    "door",
    "window",
    "motion",
    "occupancy",
    "smoke",
    "moisture",
    "gas",
    "lock",
    "garage_door",
    "problem",
    "",
)


def binary_sensor(draft: Draft) -> None:
    """A contact or detector."""
    if device_class := draft.choice(BINARY_CLASSES):
        draft.says(device_class=device_class)
    draft.reports("state_topic", "state", draft.choice(("ON", "OFF")))
