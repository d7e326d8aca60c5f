"""Every row of the catalogue: what becomes of a right proposal, and which features, values and fields it asks for."""

from typing import Any

import pytest

from custom_components.edgehome.catalogue import OPERATIONS
from custom_components.edgehome.codes import Code
from tests.catalogue.rows import FITS, Looks
from tests.made_devices import DEVICES, EVERYTHING, fitted, house_of_all, refused

DOMAIN_OF = {entity_id.partition(".")[2]: entity_id.partition(".")[0] for entity_id in DEVICES}
ROWS = {f"{row.domain}.{row.intent}" for row in OPERATIONS}


@pytest.mark.parametrize(
    ("intent", "name", "params", "service", "data", "looks"),
    [pytest.param(*case, id=f"{case[1]} {case[0]} {' '.join(case[2])}".strip()) for case in FITS],
)
def test_fits(intent: str, name: str, params: dict[str, Any], service: str, data: dict[str, Any], looks: Looks) -> None:
    """A right proposal becomes one call in the service's own words, with what the device must show afterwards."""
    action = fitted(intent, name, params)
    assert (action.service, dict(action.data)) == (service, data)
    assert [(item.attribute, item.value) for item in action.expect] == looks


def test_every_row_is_tried() -> None:
    """The table above leaves no row out."""
    assert {f"{DOMAIN_OF[name]}.{intent}" for intent, name, *_ in FITS} == ROWS


# The alternatives of features, the values that it takes, and those that it needs.
ASKS: dict[str, tuple[tuple[int, ...], str, str]] = {
    "light.turn_on": ((), "brightness, color, color_temperature, transition", ""),
    "light.turn_off": ((), "transition", ""),
    "light.toggle": ((), "", ""),
    "light.set_brightness": ((), "brightness, brightness_step, transition", "brightness or brightness_step"),
    "light.set_color": ((), "color, brightness, transition", "color"),
    "light.set_color_temperature": ((), "color_temperature, brightness, transition", "color_temperature"),
    "switch.turn_on": ((), "", ""),
    "switch.turn_off": ((), "", ""),
    "switch.toggle": ((), "", ""),
    "input_boolean.turn_on": ((), "", ""),
    "input_boolean.turn_off": ((), "", ""),
    "input_boolean.toggle": ((), "", ""),
    "fan.turn_on": ((32,), "speed, preset", ""),
    "fan.turn_off": ((16,), "", ""),
    "fan.toggle": ((), "", ""),
    "fan.set_speed": ((1,), "speed", "speed"),
    "fan.set_preset": ((8,), "preset", "preset"),
    "fan.oscillate": ((2,), "value", "value"),
    "fan.set_direction": ((4,), "option", "option"),
    "cover.open": ((1,), "", ""),
    "cover.close": ((2,), "", ""),
    "cover.toggle": ((), "", ""),
    "cover.stop": ((8,), "", ""),
    "cover.set_position": ((4,), "position", "position"),
    "cover.set_tilt": ((128,), "tilt", "tilt"),
    "valve.open": ((1,), "", ""),
    "valve.close": ((2,), "", ""),
    "valve.toggle": ((), "", ""),
    "valve.stop": ((8,), "", ""),
    "valve.set_position": ((4,), "position", "position"),
    "lock.lock": ((), "", ""),
    "lock.unlock": ((), "", ""),
    "lock.open": ((1,), "", ""),
    "climate.set_temperature": (
        (),
        "temperature, temperature_step, temperature_low, temperature_high, mode",
        "temperature or temperature_step or temperature_high and temperature_low",
    ),
    "climate.set_mode": ((), "mode", "mode"),
    "climate.set_fan_mode": ((8,), "mode", "mode"),
    "climate.set_swing_mode": ((32,), "mode", "mode"),
    "climate.set_preset": ((16,), "preset", "preset"),
    "climate.set_humidity": ((4,), "humidity", "humidity"),
    "climate.turn_on": ((256,), "", ""),
    "climate.turn_off": ((128,), "", ""),
    "climate.toggle": ((), "", ""),
    "water_heater.set_temperature": ((1,), "temperature, temperature_step", "temperature or temperature_step"),
    "water_heater.set_mode": ((2,), "mode", "mode"),
    "water_heater.turn_on": ((8,), "", ""),
    "water_heater.turn_off": ((8,), "", ""),
    "humidifier.turn_on": ((), "", ""),
    "humidifier.turn_off": ((), "", ""),
    "humidifier.toggle": ((), "", ""),
    "humidifier.set_humidity": ((), "humidity", "humidity"),
    "humidifier.set_mode": ((1,), "mode", "mode"),
    "media_player.turn_on": ((128,), "", ""),
    "media_player.turn_off": ((256,), "", ""),
    "media_player.toggle": ((), "", ""),
    "media_player.play": ((16384,), "", ""),
    "media_player.pause": ((1,), "", ""),
    "media_player.stop": ((4096,), "", ""),
    "media_player.next": ((32,), "", ""),
    "media_player.previous": ((16,), "", ""),
    "media_player.set_volume": ((4,), "volume, volume_step", "volume or volume_step"),
    "media_player.mute": ((8,), "value", ""),
    "media_player.shuffle": ((32768,), "value", ""),
    "media_player.select_source": ((2048,), "source", "source"),
    "media_player.set_mode": ((65536,), "mode", "mode"),
    "media_player.play_media": ((512,), "media, option", "media"),
    "media_player.announce": ((1049088,), "message", "message"),
    "vacuum.start": ((8192,), "", ""),
    "vacuum.pause": ((4,), "", ""),
    "vacuum.stop": ((8,), "", ""),
    "vacuum.dock": ((16,), "", ""),
    "vacuum.locate": ((512,), "", ""),
    "vacuum.set_fan_mode": ((32,), "mode", "mode"),
    "lawn_mower.start": ((1,), "", ""),
    "lawn_mower.pause": ((2,), "", ""),
    "lawn_mower.dock": ((4,), "", ""),
    "lawn_mower.stop": ((8,), "", ""),
    "alarm_control_panel.arm_home": ((1,), "", ""),
    "alarm_control_panel.arm_away": ((2,), "", ""),
    "alarm_control_panel.arm_night": ((4,), "", ""),
    "alarm_control_panel.disarm": ((), "", ""),
    "siren.turn_on": ((1,), "option, volume", ""),
    "siren.turn_off": ((2,), "", ""),
    "siren.toggle": ((), "", ""),
    "remote.turn_on": ((), "option", ""),
    "remote.turn_off": ((), "", ""),
    "remote.toggle": ((), "", ""),
    "scene.activate": ((), "", ""),
    "scene.turn_on": ((), "", ""),
    "scene.run": ((), "", ""),
    "script.run": ((), "", ""),
    "script.turn_on": ((), "", ""),
    "script.activate": ((), "", ""),
    "script.stop": ((), "", ""),
    "button.press": ((), "", ""),
    "input_button.press": ((), "", ""),
    "number.set_value": ((), "value", "value"),
    "input_number.set_value": ((), "value", "value"),
    "counter.set_value": ((), "value", "value"),
    "select.select_option": ((), "option", "option"),
    "input_select.select_option": ((), "option", "option"),
    "text.set_value": ((), "value", "value"),
    "input_text.set_value": ((), "value", "value"),
    "date.set_value": ((), "value", "value"),
    "time.set_value": ((), "value", "value"),
    "datetime.set_value": ((), "value", "value"),
    "input_datetime.set_value": ((), "value", "value"),
    "timer.start": ((), "value", ""),
    "timer.pause": ((), "", ""),
    "timer.stop": ((), "", ""),
    "todo.add_item": ((1,), "message", "message"),
    "notify.announce": ((), "message", "message"),
    "assist_satellite.announce": ((1,), "message", "message"),
    "update.install": ((1,), "", ""),
    "camera.turn_on": ((1,), "", ""),
    "camera.turn_off": ((1,), "", ""),
}


def test_every_row_is_described() -> None:
    """The table has every row, and no other."""
    assert ASKS.keys() == ROWS


def _values(row: str) -> dict[str, Any]:
    """Values with which the row is right."""
    return next(params for intent, name, params, *_ in FITS if f"{DOMAIN_OF[name]}.{intent}" == row)


def _device(row: str) -> str:
    """The object id of the row's device."""
    domain = row.partition(".")[0]
    return next(name for name, other in DOMAIN_OF.items() if other == domain)


def _intent(row: str) -> str:
    return row.partition(".")[2]


@pytest.mark.parametrize("row", [row for row, (features, _, _) in ASKS.items() if features])
def test_features(row: str) -> None:
    """A device with all features but one of those that the row asks for cannot do it."""
    ((mask,), _, _) = ASKS[row]
    for bit in (1 << place for place in range(24) if mask >> place & 1):
        house = house_of_all(**{_device(row): {"supported_features": EVERYTHING & ~bit}})
        refusal = refused(_intent(row), _device(row), _values(row), house)
        assert (refusal.code, refusal.field) == (Code.UNSUPPORTED_OPERATION, "model_candidate.intent")
        assert _intent(row) not in refusal.candidates
        assert "status" in refusal.candidates


@pytest.mark.parametrize("row", [row for row, (features, takes, _) in ASKS.items() if not features and not takes])
def test_no_features(row: str) -> None:
    """What asks for no feature, every device of the domain can do; a toggle is what it does now."""
    carrier = {"fan.toggle": 16, "cover.toggle": 2, "valve.toggle": 1, "climate.toggle": 128}
    carrier |= {"media_player.toggle": 256, "siren.toggle": 1}
    house = house_of_all(**{_device(row): {"supported_features": carrier.get(row, 0)}})
    assert fitted(_intent(row), _device(row), {}, house).service


@pytest.mark.parametrize(("name", "position"), [("blind", 1), ("blind", 99), ("water", 1), ("water", 99)])
def test_half_open_is_no_direction(name: str, position: int) -> None:
    """A toggle of what is half open could go either way: nobody carries it out."""
    house = house_of_all(**{name: {"state": "open", "current_position": position}})
    assert fitted("toggle", name, {}, house).service is None


@pytest.mark.parametrize("row", sorted(ASKS))
def test_fields(row: str) -> None:
    """A value that the row does not take is refused with those that it takes."""
    _, takes, _ = ASKS[row]
    foreign = "tilt" if row != "cover.set_tilt" else "volume"
    refusal = refused(_intent(row), _device(row), {**_values(row), foreign: 50})
    assert (refusal.code, refusal.field) == (Code.UNSUPPORTED_FIELD, f"model_candidate.params.{foreign}")
    assert refusal.hint == f"{_intent(row)} takes: {takes or 'no values'}."
    assert ", ".join(refusal.candidates) == takes


@pytest.mark.parametrize("row", sorted(row for row, (_, _, needs) in ASKS.items() if needs))
def test_missing_fields(row: str) -> None:
    """Without the value that it needs the row is refused with its name."""
    _, _, needs = ASKS[row]
    refusal = refused(_intent(row), _device(row), {})
    assert (refusal.code, refusal.hint) == (Code.MISSING_FIELD, f"Add {needs} to params.")


def test_half_a_range_is_missing_the_other_half() -> None:
    """A range needs both ends."""
    for end in ("temperature_low", "temperature_high"):
        assert refused("set_temperature", "heating", {end: 20}).code is Code.MISSING_FIELD


@pytest.mark.parametrize(
    ("intent", "name", "params", "features", "field"),
    [
        pytest.param("turn_on", "fan", {"speed": 67}, 32, "speed", id="a fan without speeds"),
        pytest.param("turn_on", "fan", {"preset": "eco"}, 32 | 1, "preset", id="a fan without presets"),
        pytest.param("turn_on", "siren", {"option": "bell"}, 1, "option", id="a siren without tones"),
        pytest.param("turn_on", "siren", {"volume": 40}, 1 | 4, "volume", id="a siren without volume"),
        pytest.param("turn_on", "remote", {"option": "TV"}, 0, "option", id="a remote without activities"),
        pytest.param("set_temperature", "heating", {"temperature": 20}, 2, "temperature", id="a range only"),
        pytest.param("set_temperature", "heating", {"temperature_step": 1}, 2, "temperature_step", id="no step"),
        pytest.param(
            "set_temperature",
            "heating",
            {"temperature_low": 18, "temperature_high": 22},
            1,
            "temperature_low",
            id="one set point only",
        ),
    ],
)
def test_features_of_values(intent: str, name: str, params: dict[str, Any], features: int, field: str) -> None:
    """A value that the device has no feature for is refused."""
    refusal = refused(intent, name, params, house_of_all(**{name: {"supported_features": features}}))
    assert (refusal.code, refusal.field) == (Code.UNSUPPORTED_FIELD, f"model_candidate.params.{field}")
