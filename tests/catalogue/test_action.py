"""From a device and an intent to one effective action."""

from dataclasses import replace

import pytest

from custom_components.edgehome.catalogue.action import action_for, carrying, in_home_unit
from custom_components.edgehome.catalogue.device_types import device_type_of
from custom_components.edgehome.devices import DeviceRecord, DeviceState, OwnersWord
from custom_components.edgehome.models import Intent


def record(entity_id: str, device_class: str | None = None) -> DeviceRecord:
    """An entity as the registries know it."""
    return DeviceRecord(
        entity_id=entity_id, name="Thing", device_type=device_type_of(entity_id.partition(".")[0], device_class)
    )


@pytest.mark.parametrize(
    ("entity_id", "intent", "params", "state", "operations", "service"),
    [
        pytest.param("light.a", "turn_on", {}, "off", ["turn_on"], "light.turn_on", id="light on"),
        pytest.param("light.a", "toggle", {}, "off", ["toggle", "turn_on"], "light.turn_on", id="toggle when off"),
        pytest.param("light.a", "toggle", {}, "on", ["toggle", "turn_off"], "light.turn_off", id="toggle when on"),
        pytest.param("light.a", "toggle", {}, "unknown", ["toggle"], None, id="toggle when unknown"),
        pytest.param(
            "light.a",
            "turn_on",
            {"brightness": 5},
            "off",
            ["turn_on", "set_brightness"],
            "light.turn_on",
            id="on with brightness",
        ),
        pytest.param(
            "light.a",
            "turn_on",
            {"color": "red"},
            "off",
            ["turn_on", "set_color"],
            "light.turn_on",
            id="on with colour",
        ),
        pytest.param(
            "light.a",
            "turn_on",
            {"color_temperature": 3000},
            "off",
            ["turn_on", "set_color_temperature"],
            "light.turn_on",
            id="on with kelvin",
        ),
        pytest.param(
            "light.a",
            "turn_on",
            {"brightness": 0},
            "on",
            ["turn_on", "turn_off"],
            "light.turn_on",
            id="on with nothing",
        ),
        pytest.param(
            "light.a",
            "set_brightness",
            {"brightness": 0},
            "on",
            ["set_brightness", "turn_off"],
            "light.turn_on",
            id="dimmed to nothing",
        ),
        pytest.param("switch.a", "toggle", {}, "on", ["toggle", "turn_off"], "switch.turn_off", id="switch"),
        pytest.param("cover.a", "toggle", {}, "open", ["toggle", "close"], "cover.close_cover", id="open cover"),
        pytest.param("cover.a", "toggle", {}, "closed", ["toggle", "open"], "cover.open_cover", id="closed cover"),
        pytest.param("cover.a", "toggle", {}, "opening", ["toggle"], None, id="moving cover"),
        pytest.param(
            "cover.a",
            "set_position",
            {"position": 100},
            "closed",
            ["set_position", "open"],
            "cover.set_cover_position",
            id="position 100",
        ),
        pytest.param(
            "cover.a",
            "set_position",
            {"position": 1},
            "open",
            ["set_position", "open"],
            "cover.set_cover_position",
            id="position 1",
        ),
        pytest.param(
            "cover.a",
            "set_position",
            {"position": 0},
            "open",
            ["set_position", "close"],
            "cover.set_cover_position",
            id="position 0",
        ),
        pytest.param("lock.a", "open", {}, "locked", ["open", "unlock"], "lock.open", id="latch"),
        pytest.param("lock.a", "unlock", {}, "locked", ["unlock"], "lock.unlock", id="unlock"),
        pytest.param("lock.a", "toggle", {}, "locked", ["toggle"], None, id="a lock has no toggle (case 40)"),
        pytest.param("lock.a", "turn_on", {}, "locked", ["turn_on"], None, id="a lock has no on"),
        pytest.param(
            "climate.a", "set_mode", {"mode": "cool"}, "heat", ["set_mode"], "climate.set_hvac_mode", id="mode"
        ),
        pytest.param("light.a", "status", {}, "on", ["status"], None, id="status"),
        pytest.param("automation.a", "turn_on", {}, "on", ["turn_on"], None, id="a domain without operations"),
        pytest.param("script.a", "turn_on", {}, "off", ["turn_on", "run"], "script.turn_on", id="a script"),
    ],
)
def test_meaning(
    entity_id: str,
    intent: str,
    params: dict[str, object],
    state: str,
    operations: list[str],
    service: str | None,
) -> None:
    """The names under which an action is judged and the service that carries it out."""
    action = action_for(record(entity_id), Intent(intent), params, DeviceState(state=state))
    assert [name.value for name in action.operations] == operations
    assert action.operation == operations[-1]
    assert action.service == service
    assert action.before == state


def test_without_a_state() -> None:
    """Without a state nothing is known before."""
    action = action_for(record("light.a"), Intent.TOGGLE, {}, None)
    assert (action.operations, action.service, action.before) == ((Intent.TOGGLE,), None, None)


@pytest.mark.parametrize(
    ("params", "attributes", "unit", "risk"),
    [
        pytest.param({"temperature": 25}, {"temperature": 20}, "°C", 2, id="five degrees"),
        pytest.param({"temperature": 25.1}, {"temperature": 20}, "°C", 3, id="more than five"),
        pytest.param({"temperature": 14.9}, {"temperature": 20}, "°C", 3, id="down too"),
        pytest.param({"temperature": 77}, {"temperature": 68}, "°F", 2, id="nine fahrenheit"),
        pytest.param({"temperature": 77.1}, {"temperature": 68}, "°F", 3, id="more than nine"),
        pytest.param({"temperature_low": 10}, {"target_temp_low": 18}, "°C", 3, id="lower end"),
        pytest.param({"temperature_high": 30}, {"target_temp_high": 22}, "°C", 3, id="upper end"),
        pytest.param({"temperature": 30}, {"temperature": None}, "°C", 3, id="nothing to compare"),
        pytest.param(
            {"temperature": 30}, {"temperature": True, "current_temperature": 27}, "°C", 2, id="the present temperature"
        ),
    ],
)
def test_large_jump(params: dict[str, object], attributes: dict[str, object], unit: str, risk: int) -> None:
    """A set point that moves far raises the risk by one, and says so."""
    state = DeviceState(state="heat", attributes=attributes, unit=unit)
    action = action_for(record("climate.a"), Intent.SET_TEMPERATURE, params, state)
    assert action.risk == risk
    assert ("large set-point jump: +1" in action.risk_reasons) is (risk == 3)


def test_risk_ends_at_five() -> None:
    """No risk is above critical."""
    state = DeviceState(state="heat", attributes={"temperature": 20})
    boiler = replace(record("water_heater.a"), owner=OwnersWord(risk=5))
    assert action_for(boiler, Intent.SET_TEMPERATURE, {"temperature": 60}, state).risk == 5


@pytest.mark.parametrize(
    ("params", "unit", "converted"),
    [
        pytest.param({"temperature": 68.0, "unit": "°F"}, "°C", {"temperature": 20.0}, id="to celsius"),
        pytest.param({"temperature": 20.0, "unit": "°C"}, "°F", {"temperature": 68.0}, id="to fahrenheit"),
        pytest.param({"temperature": 20.0, "unit": "°C"}, "°C", {"temperature": 20.0}, id="the home's own"),
        pytest.param({"temperature": 68.0}, "°C", {"temperature": 68.0}, id="never silently"),
        pytest.param(
            {"temperature_low": 64.4, "temperature_high": 71.6, "unit": "°F"},
            "°C",
            {"temperature_low": 18.0, "temperature_high": 22.0},
            id="a range",
        ),
        pytest.param({"brightness": 50.0, "unit": "°F"}, "°C", {"brightness": 50.0}, id="no temperature"),
        pytest.param({}, "°C", {}, id="nothing"),
    ],
)
def test_home_unit(params: dict[str, object], unit: str, converted: dict[str, object]) -> None:
    """Temperatures are converted only where the proposal names another unit (R6)."""
    assert in_home_unit(params, unit) == converted


@pytest.mark.parametrize(
    ("domain", "intent", "state", "params", "service"),
    [
        pytest.param("light", Intent.TURN_ON, "off", {}, "light.turn_on", id="itself"),
        pytest.param("light", Intent.TOGGLE, "on", {}, "light.turn_off", id="what it means"),
        pytest.param("light", Intent.TOGGLE, "unknown", {}, None, id="nobody knows what it means"),
        pytest.param("cover", Intent.SET_POSITION, "closed", {"position": 5}, "cover.set_cover_position", id="its own"),
        pytest.param("fan", Intent.SET_SPEED, "on", {"speed": 50}, "fan.set_percentage", id="a fan that is on"),
        pytest.param("fan", Intent.SET_SPEED, "off", {"speed": 50}, "fan.turn_on", id="a fan that is off"),
        pytest.param("fan", Intent.SET_SPEED, "on", {"speed": 0}, "fan.turn_off", id="a speed of 0"),
        pytest.param("fan", Intent.SET_PRESET, "off", {"preset": "auto"}, "fan.turn_on", id="a preset from off"),
        pytest.param("camera", Intent.STATUS, "idle", {}, None, id="status has no service"),
    ],
)
def test_carrying(domain: str, intent: Intent, state: str, params: dict[str, object], service: str | None) -> None:
    """The row that carries an action out, in the device's present state."""
    record = DeviceRecord(entity_id=f"{domain}.a", name="Thing", device_type=domain)
    features = 1 | 8 | 16 | 32
    present = DeviceState(state=state, attributes={"supported_features": features})
    action = action_for(record, intent, params, present)
    row = carrying(action)
    assert action.service == service
    assert row is None or row.service == service


@pytest.mark.parametrize("domain", ["person", "group", "automation", "homeassistant", "shell_command", "mqtt", ""])
def test_nothing_carries(domain: str) -> None:
    """What is not in the catalogue cannot be done (R4)."""
    intents = [item for item in Intent if item is not Intent.STATUS]
    record = DeviceRecord(entity_id=f"{domain}.a", name="Thing", device_type=domain)
    actions = [action_for(record, intent, {}, DeviceState(state="on")) for intent in intents]
    assert [(carrying(action), action.service) for action in actions] == [(None, None)] * len(intents)
