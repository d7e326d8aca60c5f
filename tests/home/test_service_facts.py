"""What the registered services enforce, and that the catalogue says the same as Home Assistant."""

from enum import IntFlag

import pytest
from homeassistant.components.climate.const import ClimateEntityFeature
from homeassistant.components.cover.const import CoverEntityFeature
from homeassistant.components.light.const import ColorMode
from homeassistant.components.lock.const import LockEntityFeature
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.catalogue import OPERATIONS, climate, cover, light, lock
from custom_components.edgehome.facts import ServiceFacts
from custom_components.edgehome.home.service_facts import fault_in, service_facts

REQUIRED = {
    "light.turn_on": (),
    "light.turn_off": (),
    "switch.turn_on": (),
    "switch.turn_off": (),
    "cover.open_cover": (1,),
    "cover.close_cover": (2,),
    "cover.stop_cover": (8,),
    "cover.set_cover_position": (4,),
    "cover.set_cover_tilt_position": (128,),
    "lock.lock": (),
    "lock.unlock": (),
    "lock.open": (1,),
    "climate.set_temperature": (1, 2),
    "climate.set_hvac_mode": (),
    "climate.set_fan_mode": (8,),
    "climate.set_preset_mode": (16,),
    "climate.set_humidity": (4,),
    "climate.turn_on": (256,),
    "climate.turn_off": (128,),
}
"""What the handlers of this release ask for."""


def test_every_service_of_the_catalogue_is_here() -> None:
    """The table covers the catalogue, no more and no less."""
    assert {row.service for row in OPERATIONS if row.service} == REQUIRED.keys()


@pytest.mark.parametrize(
    ("service", "required"), [pytest.param(name, masks, id=name) for name, masks in REQUIRED.items()]
)
async def test_registered_service(
    hass: HomeAssistant, home: MockConfigEntry, service: str, required: tuple[int, ...]
) -> None:
    """Every service that the catalogue calls is registered, and asks for these features."""
    assert service_facts(hass, service) == ServiceFacts(required_features=required)


@pytest.mark.parametrize(
    ("service", "features"),
    [pytest.param(row.service, row.features, id=f"{row.domain} {row.intent}") for row in OPERATIONS if row.features],
)
def test_catalogue_asks_for_what_the_handler_asks(service: str, features: tuple[int, ...]) -> None:
    """The catalogue's own masks are those of the handler: what is offered will be taken."""
    assert features == REQUIRED[service]


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
