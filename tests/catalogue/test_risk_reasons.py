"""What raises a risk above its base, and the owner's word in its place."""

from dataclasses import replace
from typing import Any

import pytest

from custom_components.edgehome.catalogue.action import action_for
from custom_components.edgehome.devices import OwnersWord
from custom_components.edgehome.models import Intent
from custom_components.edgehome.plan import GatedCommand
from tests.made_devices import house_of_all

ENTITY = {entity_id.partition(".")[2]: entity_id for entity_id in house_of_all().devices}


def action(
    intent: str, name: str, params: dict[str, Any], changed: dict[str, Any] | None = None, **record: Any
) -> GatedCommand:
    """The action of an intent on one of the devices."""
    house = house_of_all(**{name: changed or {}})
    device = replace(house.devices[ENTITY[name]], **record)
    return action_for(device, Intent(intent), params, house.states[ENTITY[name]])


@pytest.mark.parametrize(
    ("present", "mode", "operations", "risk"),
    [
        ("disarmed", "arm_home", ("arm_home",), 3),
        ("disarmed", "arm_night", ("arm_night",), 3),
        ("disarmed", "arm_away", ("arm_away",), 3),
        ("armed_home", "arm_home", ("arm_home",), 3),
        ("armed_home", "arm_night", ("arm_night",), 3),
        ("armed_home", "arm_away", ("arm_away",), 3),
        ("armed_night", "arm_home", ("arm_home", "disarm"), 5),
        ("armed_night", "arm_away", ("arm_away",), 3),
        ("armed_away", "arm_home", ("arm_home", "disarm"), 5),
        ("armed_away", "arm_night", ("arm_night", "disarm"), 5),
        ("armed_away", "arm_away", ("arm_away",), 3),
        ("armed_vacation", "arm_home", ("arm_home", "disarm"), 5),
        ("armed_vacation", "arm_away", ("arm_away",), 3),
        ("armed_custom_bypass", "arm_away", ("arm_away", "disarm"), 5),
        ("triggered", "arm_away", ("arm_away", "disarm"), 5),
        ("pending", "arm_away", ("arm_away", "disarm"), 5),
        ("arming", "arm_home", ("arm_home", "disarm"), 5),
        ("unknown", "arm_home", ("arm_home", "disarm"), 5),
        ("armed_away", "disarm", ("disarm",), 5),
    ],
)
def test_alarm(present: str, mode: str, operations: tuple[str, ...], risk: int) -> None:
    """Arming in a milder mode than the present one, or than one that nobody knows, disarms too (R5)."""
    made = action(mode, "alarm", {}, {"state": present})
    assert (made.operations, made.risk) == (operations, risk)


@pytest.mark.parametrize(
    ("message", "risk"),
    [
        ("Dinner is ready", 2),
        ("Alexa, open the door", 3),
        ("alexa open the door", 3),
        ("OK Google, unlock", 3),
        ("okay, nabu", 3),
        ("Hey Siri call mum", 3),
        ("hey jarvis", 3),
        ("Hey, Google", 3),
        ("Computer: red alert", 3),
        ("Cortana", 3),
        ("The computers are off", 2),
        ("Alexandra is home", 2),
        ("hey you", 2),
        ("ok", 2),
        ("a google of things", 2),
    ],
)
@pytest.mark.parametrize("name", ["radio", "phone", "kitchen"])
def test_wake_words(name: str, message: str, risk: int) -> None:
    """What is spoken to another assistant could do anything: it is at least serious."""
    made = action("announce", name, {"message": message})
    assert made.risk == risk
    assert ("it speaks to a voice assistant: 3" in made.risk_reasons) is (risk == 3)


@pytest.mark.parametrize(
    ("media", "risk"),
    [
        ("media-source://radio_browser/1", 1),
        ("spotify:track:1", 1),
        ("Morning Show", 1),
        ("https://example.com/a.mp3", 3),
        ("http://10.0.0.1/a", 3),
        ("rtsp://cam/1", 3),
        ("media-source://x/http://example.com", 3),
        ("MEDIA-SOURCE://x", 3),
        ("file:///etc/passwd", 3),
    ],
)
def test_addresses(media: str, risk: int) -> None:
    """What is played from an address is at least serious."""
    made = action("play_media", "radio", {"media": media})
    assert made.risk == risk
    assert ("it plays from an address: 3" in made.risk_reasons) is (risk == 3)


@pytest.mark.parametrize(
    ("params", "unit", "risk"),
    [
        ({"temperature_step": 5}, "°C", 2),
        ({"temperature_step": 5.1}, "°C", 3),
        ({"temperature_step": -5.1}, "°C", 3),
        ({"temperature_step": 9}, "°F", 2),
        ({"temperature_step": 9.1}, "°F", 3),
    ],
)
def test_large_steps(params: dict[str, Any], unit: str, risk: int) -> None:
    """A large step is a large jump."""
    house = house_of_all()
    state = replace(house.states["climate.heating"], unit=unit)
    made = action_for(house.devices["climate.heating"], Intent.SET_TEMPERATURE, params, state)
    assert made.risk == risk
    assert ("large set-point jump: +1" in made.risk_reasons) is (risk == 3)


@pytest.mark.parametrize(
    ("intent", "name", "params", "owner", "risk", "reasons"),
    [
        pytest.param("unlock", "door", {}, 1, 1, ["the owner says 1"], id="below the base"),
        pytest.param("turn_on", "lamp", {}, 5, 5, ["the owner says 5"], id="above the base"),
        pytest.param("turn_on", "lamp", {}, 0, 0, ["the owner says 0"], id="nothing at all"),
        pytest.param("disarm", "alarm", {}, 2, 2, ["the owner says 2"], id="whatever it is called"),
        pytest.param("announce", "radio", {"message": "Alexa"}, 1, 1, ["the owner says 1"], id="wake words too"),
        pytest.param("status", "door", {}, 5, 0, ["lock: status has base risk 0"], id="not for reading"),
        pytest.param(
            "set_temperature", "heating", {"temperature": 29}, 1, 2, ["the owner says 1", "large set-point jump: +1"],
            id="a jump comes on top",
        ),
        pytest.param("turn_on", "lamp", {}, None, 1, ["light: turn_on has base risk 1"], id="the owner says nothing"),
    ],
)  # fmt: skip
def test_owners_risk(
    intent: str, name: str, params: dict[str, Any], owner: int | None, risk: int, reasons: list[str]
) -> None:
    """The owner's risk stands in the place of EdgeHome's own."""
    made = action(intent, name, params, owner=OwnersWord(risk=owner))
    assert (made.risk, list(made.risk_reasons)) == (risk, reasons)


@pytest.mark.parametrize(
    ("intent", "name", "params", "operations"),
    [
        pytest.param("set_speed", "fan", {"speed": 0}, ("set_speed", "turn_off"), id="no speed"),
        pytest.param("turn_on", "fan", {"speed": 0}, ("turn_on", "turn_off"), id="on with no speed"),
        pytest.param("set_speed", "fan", {"speed": 67}, ("set_speed",), id="another speed"),
        pytest.param("set_mode", "heating", {"mode": "off"}, ("set_mode", "turn_off"), id="mode off"),
        pytest.param("set_mode", "boiler", {"mode": "off"}, ("set_mode", "turn_off"), id="boiler off"),
        pytest.param("set_position", "water", {"position": 1}, ("set_position", "open"), id="valve a little open"),
        pytest.param("set_position", "water", {"position": 0}, ("set_position", "close"), id="valve closed"),
        pytest.param("toggle", "water", {}, ("toggle", "open"), id="valve toggled"),
        pytest.param("turn_on", "evening", {}, ("turn_on", "activate"), id="scene"),
        pytest.param("turn_on", "goodnight", {}, ("turn_on", "run"), id="script"),
        pytest.param(
            "set_brightness", "lamp", {"brightness_step": -20}, ("set_brightness", "turn_off"), id="dimmed to nothing",
        ),
        pytest.param(
            "turn_on", "fan", {"speed": 67}, ("turn_on", "set_speed"), id="on with a speed",
        ),
        pytest.param(
            "turn_on", "fan", {"preset": "eco"}, ("turn_on", "set_preset"), id="on with a preset",
        ),
    ],
)  # fmt: skip
def test_names(intent: str, name: str, params: dict[str, Any], operations: tuple[str, ...]) -> None:
    """An action is judged under all names of what it really does (R5)."""
    assert action(intent, name, params).operations == operations


@pytest.mark.parametrize(
    ("present", "intent", "params", "operations"),
    [
        ("off", "set_speed", {"speed": 67}, ("set_speed", "turn_on")),
        ("off", "set_preset", {"preset": "eco"}, ("set_preset", "turn_on")),
        ("unknown", "set_speed", {"speed": 67}, ("set_speed", "turn_on")),
    ],
)
def test_a_fan_that_is_off(present: str, intent: str, params: dict[str, Any], operations: tuple[str, ...]) -> None:
    """Setting a fan that is off, or that nobody knows of, switches it on."""
    assert action(intent, "fan", params, {"state": present}).operations == operations


@pytest.mark.parametrize(
    ("intent", "name", "params", "changed", "effect"),
    [
        pytest.param("open", "water", {}, {}, "unsecure", id="valve open"),
        pytest.param("close", "water", {}, {}, "secure", id="valve closed"),
        pytest.param("turn_off", "yard", {}, {}, "unsecure", id="camera off"),
        pytest.param("disarm", "alarm", {}, {}, "unsecure", id="disarm"),
        pytest.param(
            "set_position", "water", {"position": 100}, {}, "unsecure", id="valve open by its position",
        ),
        pytest.param(
            "arm_home", "alarm", {}, {"state": "armed_away"}, "unsecure", id="lowered",
        ),
    ],
)  # fmt: skip
def test_effects(intent: str, name: str, params: dict[str, Any], changed: dict[str, Any], effect: str) -> None:
    """What an action does to the house does not depend on its name (R5)."""
    assert action(intent, name, params, changed).effect.value == effect
