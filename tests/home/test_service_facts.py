"""What the registered services enforce, and that the catalogue says the same as Home Assistant."""

from enum import IntFlag
from unittest.mock import patch

import pytest
from homeassistant.components.climate.const import ClimateEntityFeature
from homeassistant.components.cover.const import CoverEntityFeature
from homeassistant.components.light.const import ColorMode
from homeassistant.components.lock.const import LockEntityFeature
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.catalogue import OPERATIONS, climate, cover, light, lock
from custom_components.edgehome.chain import Pass, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import FieldFacts, ServiceFacts
from custom_components.edgehome.gates.capability import Capability
from custom_components.edgehome.home.service_facts import fault_in, service_facts
from custom_components.edgehome.listing import devices_for
from custom_components.edgehome.policy.presets import BALANCED
from tests.all_services import set_up_all
from tests.made_house import MadeHouse, asked, proposing

MODULE = "custom_components.edgehome.home.service_facts"

ASKED: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "light.turn_on": ((), ()),
    "light.turn_off": ((), ()),
    "switch.turn_on": ((), ()),
    "switch.turn_off": ((), ()),
    "input_boolean.turn_on": ((), ()),
    "input_boolean.turn_off": ((), ()),
    "fan.turn_on": ((32,), (32,)),
    "fan.turn_off": ((16,), (16,)),
    "fan.set_percentage": ((1,), (1,)),
    "fan.set_preset_mode": ((1, 8), (8,)),
    "fan.oscillate": ((2,), (2,)),
    "fan.set_direction": ((4,), (4,)),
    "cover.open_cover": ((1,), (1,)),
    "cover.close_cover": ((2,), (2,)),
    "cover.stop_cover": ((8,), (8,)),
    "cover.set_cover_position": ((4,), (4,)),
    "cover.set_cover_tilt_position": ((128,), (128,)),
    "valve.open_valve": ((1,), (1,)),
    "valve.close_valve": ((2,), (2,)),
    "valve.stop_valve": ((8,), (8,)),
    "valve.set_valve_position": ((4,), (4,)),
    "lock.lock": ((), ()),
    "lock.unlock": ((), ()),
    "lock.open": ((1,), (1,)),
    "climate.set_temperature": ((1, 2), (1, 2)),
    "climate.set_hvac_mode": ((), ()),
    "climate.set_fan_mode": ((8,), (8,)),
    "climate.set_swing_mode": ((32,), (32,)),
    "climate.set_preset_mode": ((16,), (16,)),
    "climate.set_humidity": ((4,), (4,)),
    "climate.turn_on": ((256,), (256,)),
    "climate.turn_off": ((128,), (128,)),
    "water_heater.set_temperature": ((1,), ()),
    "water_heater.set_operation_mode": ((2,), ()),
    "water_heater.turn_on": ((8,), ()),
    "water_heater.turn_off": ((8,), ()),
    "humidifier.turn_on": ((), ()),
    "humidifier.turn_off": ((), ()),
    "humidifier.set_humidity": ((), ()),
    "humidifier.set_mode": ((1,), (1,)),
    "media_player.turn_on": ((128,), (128,)),
    "media_player.turn_off": ((256,), (256,)),
    "media_player.media_play": ((16384,), (16384,)),
    "media_player.media_pause": ((1,), (1,)),
    "media_player.media_stop": ((4096,), (4096,)),
    "media_player.media_next_track": ((32,), (32,)),
    "media_player.media_previous_track": ((16,), (16,)),
    "media_player.volume_set": ((4,), (4,)),
    "media_player.volume_mute": ((8,), (8,)),
    "media_player.shuffle_set": ((32768,), (32768,)),
    "media_player.select_source": ((2048,), (2048,)),
    "media_player.select_sound_mode": ((65536,), (65536,)),
    "media_player.play_media": ((512,), (512,)),
    "vacuum.start": ((8192,), (8192,)),
    "vacuum.pause": ((4,), (4,)),
    "vacuum.stop": ((8,), (8,)),
    "vacuum.return_to_base": ((16,), (16,)),
    "vacuum.locate": ((512,), (512,)),
    "vacuum.set_fan_speed": ((32,), ()),
    "lawn_mower.start_mowing": ((1,), (1,)),
    "lawn_mower.pause": ((2,), (2,)),
    "lawn_mower.dock": ((4,), (4,)),
    "lawn_mower.stop": ((8,), (8,)),
    "alarm_control_panel.alarm_arm_home": ((1,), (1,)),
    "alarm_control_panel.alarm_arm_away": ((2,), (2,)),
    "alarm_control_panel.alarm_arm_night": ((4,), (4,)),
    "alarm_control_panel.alarm_disarm": ((), ()),
    "siren.turn_on": ((1,), (1,)),
    "siren.turn_off": ((2,), (2,)),
    "remote.turn_on": ((), ()),
    "remote.turn_off": ((), ()),
    "scene.turn_on": ((), ()),
    "script.turn_on": ((), ()),
    "script.turn_off": ((), ()),
    "button.press": ((), ()),
    "input_button.press": ((), ()),
    "number.set_value": ((), ()),
    "input_number.set_value": ((), ()),
    "counter.set_value": ((), ()),
    "select.select_option": ((), ()),
    "input_select.select_option": ((), ()),
    "text.set_value": ((), ()),
    "input_text.set_value": ((), ()),
    "date.set_value": ((), ()),
    "time.set_value": ((), ()),
    "datetime.set_value": ((), ()),
    "input_datetime.set_datetime": ((), ()),
    "timer.start": ((), ()),
    "timer.pause": ((), ()),
    "timer.cancel": ((), ()),
    "todo.add_item": ((1,), (1,)),
    "notify.send_message": ((), ()),
    "assist_satellite.announce": ((1,), (1,)),
    "update.install": ((1,), ()),
    "camera.turn_on": ((), ()),
    "camera.turn_off": ((), ()),
}
"""What the handlers of this release ask for, and what their descriptions offer."""


def test_every_service_of_the_catalogue_is_here() -> None:
    """The table covers the catalogue, no more and no less."""
    assert {row.service for row in OPERATIONS if row.service} == ASKED.keys()


async def test_registered_services(hass: HomeAssistant) -> None:
    """Every service that the catalogue calls is registered, and asks for these features."""
    await set_up_all(hass)
    found = {name: service_facts(hass, name) for name in ASKED}
    assert {name: (facts.required_features, facts.offered_features) for name, facts in found.items() if facts} == ASKED


@pytest.mark.parametrize(
    ("service", "features"),
    [pytest.param(row.service, row.features, id=f"{row.domain} {row.intent}") for row in OPERATIONS if row.features],
)
def test_catalogue_asks_for_what_the_handler_asks(service: str, features: tuple[int, ...]) -> None:
    """What has the catalogue's features has the handler's and the description's: what is offered will be taken."""
    for alternatives in ASKED[service]:
        assert all(any(mask & own == mask for mask in alternatives) for own in features) or not alternatives


COLOR_MODES = ("hs", "xy", "rgb", "rgbw", "rgbww")
FIELDS: dict[str, dict[str, FieldFacts]] = {
    "light.turn_on": {
        "transition": FieldFacts(features=(32,)),
        "effect": FieldFacts(features=(4,)),
        "flash": FieldFacts(features=(8,)),
        "brightness_pct": FieldFacts(
            attributes={"supported_color_modes": ("brightness", "color_temp", *COLOR_MODES)}
        ),
        "brightness": FieldFacts(attributes={"supported_color_modes": ("brightness", "color_temp", *COLOR_MODES)}),
        "color_temp_kelvin": FieldFacts(attributes={"supported_color_modes": ("color_temp", *COLOR_MODES)}),
        "rgb_color": FieldFacts(attributes={"supported_color_modes": COLOR_MODES}),
        "white": FieldFacts(attributes={"supported_color_modes": ("white",)}),
    },
    "fan.turn_on": {"percentage": FieldFacts(features=(1,)), "preset_mode": FieldFacts(features=(8,))},
    "climate.set_temperature": {
        "temperature": FieldFacts(features=(1,)),
        "target_temp_low": FieldFacts(features=(2,)),
        "target_temp_high": FieldFacts(features=(2,)),
    },
    "siren.turn_on": {
        "tone": FieldFacts(features=(4,)), "volume_level": FieldFacts(features=(8,)),
        "duration": FieldFacts(features=(16,)),
    },
    "remote.turn_on": {"activity": FieldFacts(features=(4,))},
    "switch.turn_on": {},
    "lock.unlock": {},
}  # fmt: skip


@pytest.mark.parametrize(("service", "fields"), [pytest.param(*item, id=item[0]) for item in FIELDS.items()])
async def test_fields(hass: HomeAssistant, service: str, fields: dict[str, FieldFacts]) -> None:
    """Which entities a field is meant for, those in sections included."""
    await set_up_all(hass)
    facts = service_facts(hass, service)
    assert facts is not None
    assert {name: facts.fields.get(name) for name in fields} == fields


DESCRIBED = {
    "description": "x",
    "target": {"entity": [{"domain": ["light"], "supported_features": [1]}, {"supported_features": [6, 8]}]},
    "fields": {
        "open": {"selector": {}},
        "warm": {"filter": {"supported_features": [2]}},
        "more": {"fields": {"deep": {"filter": {"attribute": {"mode": ["a", "b"]}}}, "free": {}}},
        "odd": None,
    },
}


@pytest.mark.parametrize(
    ("target", "offered"),
    [
        pytest.param({"entity": [{"supported_features": [1]}, {"supported_features": [6]}]}, (1, 6), id="either"),
        pytest.param({"entity": [{"supported_features": [1]}, {"domain": ["light"]}]}, (), id="one asks for nothing"),
        pytest.param({"entity": []}, (), id="no filter"),
        pytest.param({}, (), id="no entities"),
        pytest.param(None, (), id="no target"),
    ],
)
async def test_offered(hass: HomeAssistant, target: object, offered: tuple[int, ...]) -> None:
    """The description's own alternatives; where one filter asks for nothing, none are asked."""
    described = {**DESCRIBED, "target": target}
    hass.services.async_register("made", "up", lambda _: None)
    with patch(f"{MODULE}.async_get_cached_service_description", return_value=described):
        facts = service_facts(hass, "made.up")
    assert facts == ServiceFacts(
        offered_features=offered,
        fields={"warm": FieldFacts(features=(2,)), "deep": FieldFacts(attributes={"mode": ("a", "b")})},
    )


@pytest.mark.parametrize(
    ("required", "offered", "features", "able"),
    [
        pytest.param((1,), (2,), 1, False, id="the description asks for more"),
        pytest.param((1,), (2,), 2, False, id="the handler asks for more"),
        pytest.param((1,), (2,), 3, True, id="both are met"),
        pytest.param((), (2,), 2, True, id="the description alone"),
        pytest.param((1, 2), (2,), 2, True, id="an alternative of the handler"),
        pytest.param((), (), 0, True, id="neither"),
    ],
)
def test_the_stricter_holds(required: tuple[int, ...], offered: tuple[int, ...], features: int, able: bool) -> None:
    """An entity must be fit for the handler and for the description."""
    made = MadeHouse().add("lock.door", "Door", "locked", supported_features=features)
    made.services["lock.unlock"] = ServiceFacts(required_features=required, offered_features=offered)
    step, _ = asked(Capability, made, proposing("unlock", device_alias="Door"))
    assert isinstance(step, Pass) is able
    made.table = BALANCED
    (entry,) = devices_for(made, (made.devices["lock.door"],), made.stand)
    operations = entry["operations"]
    assert isinstance(operations, dict)
    assert ("unlock" in operations) is able


@pytest.mark.parametrize(
    ("field", "able"),
    [
        pytest.param(FieldFacts(features=(1024,)), False, id="a feature that it lacks"),
        pytest.param(FieldFacts(features=(2,)), True, id="a feature that it has"),
        pytest.param(FieldFacts(attributes={"supported_color_modes": ("white",)}), False, id="a mode it lacks"),
        pytest.param(FieldFacts(attributes={"supported_color_modes": ("rgb", "x")}), True, id="a mode it has"),
        pytest.param(
            FieldFacts(features=(1024,), attributes={"supported_color_modes": ("rgb",)}),
            True,
            id="either is enough",
        ),
        pytest.param(FieldFacts(), True, id="no filter"),
    ],
)
def test_fields_are_meant_for_some(field: FieldFacts, able: bool) -> None:
    """A value whose field is not meant for the entity is refused, as Home Assistant's own form would not show it."""
    made = MadeHouse().add("light.a", "A", "on", supported_features=2, supported_color_modes=["rgb"])
    made.services["light.turn_on"] = ServiceFacts(fields={"brightness_pct": field})
    payload = proposing("set_brightness", device_alias="A", params={"brightness": 50})
    step, _ = asked(Capability, made, payload)
    assert (step.code if isinstance(step, Refuse) else None) is (None if able else Code.UNSUPPORTED_FIELD)


@pytest.mark.parametrize(
    ("constant", "feature"),
    [
        pytest.param(climate.TARGET_TEMPERATURE, ClimateEntityFeature.TARGET_TEMPERATURE, id="target temperature"),
        pytest.param(
            climate.TARGET_TEMPERATURE_RANGE, ClimateEntityFeature.TARGET_TEMPERATURE_RANGE, id="temperature range"
        ),
        pytest.param(climate.TARGET_HUMIDITY, ClimateEntityFeature.TARGET_HUMIDITY, id="humidity"),
        pytest.param(climate.FAN_MODE, ClimateEntityFeature.FAN_MODE, id="fan mode"),
        pytest.param(climate.PRESET_MODE, ClimateEntityFeature.PRESET_MODE, id="preset mode"),
        pytest.param(climate.TURN_OFF_FEATURE, ClimateEntityFeature.TURN_OFF, id="climate off"),
        pytest.param(climate.TURN_ON_FEATURE, ClimateEntityFeature.TURN_ON, id="climate on"),
        pytest.param(cover.OPEN_FEATURE, CoverEntityFeature.OPEN, id="open"),
        pytest.param(cover.CLOSE_FEATURE, CoverEntityFeature.CLOSE, id="close"),
        pytest.param(cover.SET_POSITION_FEATURE, CoverEntityFeature.SET_POSITION, id="position"),
        pytest.param(cover.STOP_FEATURE, CoverEntityFeature.STOP, id="stop"),
        pytest.param(cover.SET_TILT_FEATURE, CoverEntityFeature.SET_TILT_POSITION, id="tilt"),
        pytest.param(lock.OPEN_FEATURE, LockEntityFeature.OPEN, id="unlatch"),
    ],
)
def test_feature_constants(constant: int, feature: IntFlag) -> None:
    """The pure catalogue's numbers are Home Assistant's."""
    assert constant == feature.value


def test_brightness_modes() -> None:
    """Every colour mode but on/off and unknown can be dimmed."""
    assert {mode.value for mode in ColorMode} - {"onoff", "unknown"} == light.BRIGHTNESS_MODES


@pytest.mark.parametrize(
    "service",
    [
        pytest.param("light.explode", id="unknown service"),
        pytest.param("nothing.turn_on", id="unknown domain"),
        pytest.param("turn_on", id="no domain"),
        pytest.param("", id="nothing"),
    ],
)
async def test_unregistered_service(hass: HomeAssistant, home: MockConfigEntry, service: str) -> None:
    """There are no facts about a service that there is not, and no payload is right for it."""
    assert service_facts(hass, service) is None
    assert fault_in(hass, service, {}) == "there is no such action"


async def test_plain_handler_asks_for_nothing(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """About a handler that is no entity service nothing is known, and without a schema every payload fits."""
    assert service_facts(hass, "edgehome.execute") == ServiceFacts()
    assert fault_in(hass, "edgehome.execute", {"anything": object()}) is None


LAMP = {"entity_id": ["light.kitchen_lights"]}


@pytest.mark.parametrize(
    ("service", "payload"),
    [
        pytest.param("light.turn_on", LAMP, id="plain"),
        pytest.param("light.turn_on", {**LAMP, "brightness_pct": 80}, id="percent"),
        pytest.param("light.turn_on", {**LAMP, "color_name": "darkblue"}, id="colour name"),
        pytest.param("light.turn_on", {**LAMP, "rgb_color": [255, 0, 0]}, id="rgb"),
        pytest.param(
            "cover.set_cover_position", {"entity_id": ["cover.living_room_window"], "position": 30}, id="position"
        ),
        pytest.param("climate.set_temperature", {"entity_id": ["climate.hvac"], "temperature": 21.5}, id="set point"),
    ],
)
async def test_payload_fits(
    hass: HomeAssistant, home: MockConfigEntry, service: str, payload: dict[str, object]
) -> None:
    """A right payload has no fault, and looking at it changes nothing in it."""
    given = dict(payload)
    assert fault_in(hass, service, payload) is None
    assert payload == given


@pytest.mark.parametrize(
    ("service", "payload", "named"),
    [
        pytest.param("light.turn_on", {**LAMP, "brightness_pct": 101}, "brightness_pct", id="too bright"),
        pytest.param("light.turn_on", {**LAMP, "warp": 9}, "warp", id="unknown field"),
        pytest.param("light.turn_on", {}, "entity_id", id="no target"),
        pytest.param("cover.set_cover_position", {"entity_id": ["cover.hall_window"]}, "position", id="value missing"),
        pytest.param(
            "climate.set_temperature", {"entity_id": ["climate.hvac"]}, "temperature", id="one of several missing"
        ),
    ],
)
async def test_payload_with_a_fault(
    hass: HomeAssistant, home: MockConfigEntry, service: str, payload: dict[str, object], named: str
) -> None:
    """A wrong payload is said to be so, with the field, and nothing is called."""
    before = hass.states.get("light.kitchen_lights")
    assert named in str(fault_in(hass, service, payload))
    assert hass.states.get("light.kitchen_lights") == before
