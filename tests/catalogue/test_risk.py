"""Base risk: the owner's first orientation, as the design's table has it."""

import pytest

from custom_components.edgehome.catalogue import OPERATIONS
from custom_components.edgehome.catalogue.device_types import DEVICE_TYPES, device_type_of
from custom_components.edgehome.catalogue.risk import UNLISTED, base_risk, effect_on
from custom_components.edgehome.models import Intent
from custom_components.edgehome.plan import Effect

OPERATED = {kind.word for kind in DEVICE_TYPES if kind.domain in {row.domain for row in OPERATIONS}}
ACTING = [item for item in Intent if item is not Intent.STATUS]


@pytest.mark.parametrize(
    ("device_type", "operation", "risk"),
    [
        ("light", Intent.TURN_ON, 1),
        ("light", Intent.SET_COLOR, 1),
        ("blind", Intent.OPEN, 1),
        ("curtain", Intent.CLOSE, 1),
        ("shade", Intent.SET_POSITION, 1),
        ("shutter", Intent.OPEN, 1),
        ("awning", Intent.OPEN, 1),
        ("thermostat", Intent.SET_TEMPERATURE, 2),
        ("thermostat", Intent.TURN_OFF, 2),
        ("switch", Intent.TURN_ON, 2),
        ("outlet", Intent.TURN_OFF, 2),
        ("window", Intent.CLOSE, 2),
        ("window", Intent.OPEN, 3),
        ("window", Intent.SET_POSITION, 3),
        ("cover", Intent.OPEN, 3),
        ("cover", Intent.CLOSE, 3),
        ("damper", Intent.OPEN, 3),
        ("garage_door", Intent.CLOSE, 3),
        ("garage_door", Intent.STOP, 3),
        ("garage_door", Intent.OPEN, 4),
        ("garage_door", Intent.TOGGLE, 4),
        ("garage_door", Intent.SET_POSITION, 4),
        ("gate", Intent.OPEN, 4),
        ("gate", Intent.CLOSE, 3),
        ("door", Intent.OPEN, 4),
        ("door", Intent.CLOSE, 3),
        ("lock", Intent.LOCK, 4),
        ("lock", Intent.UNLOCK, 4),
        ("lock", Intent.TOGGLE, 4),
        ("lock", Intent.OPEN, 5),
        ("valve", Intent.OPEN, 4),
        ("valve", Intent.SET_POSITION, 4),
        ("valve", Intent.CLOSE, 2),
        ("valve", Intent.STOP, 2),
        ("water_heater", Intent.SET_TEMPERATURE, 3),
        ("humidifier", Intent.SET_HUMIDITY, 2),
        ("fan", Intent.SET_SPEED, 1),
        ("speaker", Intent.SET_VOLUME, 1),
        ("speaker", Intent.ANNOUNCE, 2),
        ("tv", Intent.ANNOUNCE, 2),
        ("media_player", Intent.PLAY_MEDIA, 1),
        ("vacuum", Intent.START, 2),
        ("vacuum", Intent.DOCK, 1),
        ("mower", Intent.START, 2),
        ("alarm", Intent.ARM_AWAY, 3),
        ("alarm", Intent.DISARM, 5),
        ("siren", Intent.TURN_ON, 3),
        ("siren", Intent.TURN_OFF, 2),
        ("remote", Intent.TURN_ON, 3),
        ("scene", Intent.ACTIVATE, 1),
        ("script", Intent.RUN, 1),
        ("button", Intent.PRESS, 3),
        ("input_button", Intent.PRESS, 3),
        ("camera", Intent.TURN_ON, 2),
        ("camera", Intent.TURN_OFF, 3),
        ("update", Intent.INSTALL, 3),
        ("todo", Intent.ADD_ITEM, 1),
        ("notify", Intent.ANNOUNCE, 2),
        ("assist_satellite", Intent.ANNOUNCE, 2),
        ("number", Intent.SET_VALUE, 2),
        ("select", Intent.SELECT_OPTION, 2),
        ("text", Intent.SET_VALUE, 2),
        ("date", Intent.SET_VALUE, 2),
        ("input_boolean", Intent.TURN_ON, 2),
        ("input_datetime", Intent.SET_VALUE, 2),
        ("counter", Intent.SET_VALUE, 2),
        ("timer", Intent.START, 2),
    ],
)
def test_base_risk(device_type: str, operation: Intent, risk: int) -> None:
    """The table, row by row."""
    assert base_risk(device_type, operation) == risk


@pytest.mark.parametrize("device_type", ["automation", "person", "group", "", "Light", "no such thing"])
def test_unlisted_is_critical(device_type: str) -> None:
    """What is not in the table is critical until somebody says otherwise (R2)."""
    assert {base_risk(device_type, item) for item in ACTING} == {UNLISTED} == {5}


@pytest.mark.parametrize("device_type", ["light", "lock", "alarm", "no such thing"])
def test_reading_is_harmless(device_type: str) -> None:
    """``status`` is always 0."""
    assert base_risk(device_type, Intent.STATUS) == 0


@pytest.mark.parametrize("device_type", sorted(OPERATED))
def test_range(device_type: str) -> None:
    """Every risk of every type that can be operated is between 1 and 5; only reading is 0."""
    assert {base_risk(device_type, item) for item in ACTING} <= {1, 2, 3, 4, 5}


@pytest.mark.parametrize(
    ("device_type", "operation", "plain", "effect"),
    [
        ("garage_door", Intent.OPEN, Effect.MOTION, Effect.UNSECURE),
        ("garage_door", Intent.CLOSE, Effect.MOTION, Effect.SECURE),
        ("garage_door", Intent.STOP, Effect.MOTION, Effect.MOTION),
        ("gate", Intent.OPEN, Effect.MOTION, Effect.UNSECURE),
        ("door", Intent.OPEN, Effect.MOTION, Effect.UNSECURE),
        ("window", Intent.OPEN, Effect.MOTION, Effect.UNSECURE),
        ("cover", Intent.OPEN, Effect.MOTION, Effect.UNSECURE),
        ("cover", Intent.CLOSE, Effect.MOTION, Effect.SECURE),
        ("blind", Intent.OPEN, Effect.MOTION, Effect.MOTION),
        ("curtain", Intent.CLOSE, Effect.MOTION, Effect.MOTION),
        ("light", Intent.TURN_ON, Effect.ADJUST, Effect.ADJUST),
        ("garage_door", Intent.STATUS, Effect.READ, Effect.READ),
    ],
)
def test_effect(device_type: str, operation: Intent, plain: Effect, effect: Effect) -> None:
    """Moving what keeps somebody out secures or unsecures it; moving a blind moves it."""
    assert effect_on(device_type, operation, plain) is effect


def test_every_type_of_the_catalogue_is_listed() -> None:
    """What can be operated has a base risk of its own: none is critical because it was forgotten."""
    domains = {row.domain for row in OPERATIONS}
    types = {device_type_of(domain, None) for domain in domains} | OPERATED
    assert sorted(kind for kind in types if all(base_risk(kind, item) == UNLISTED for item in ACTING)) == []
