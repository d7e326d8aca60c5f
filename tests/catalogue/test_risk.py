"""Base risk: the owner's first orientation, as the design's table has it."""

import pytest

from custom_components.edgehome.catalogue import OPERATIONS
from custom_components.edgehome.catalogue.device_types import DEVICE_TYPES
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
    ],
)
def test_base_risk(device_type: str, operation: Intent, risk: int) -> None:
    """The table, row by row."""
    assert base_risk(device_type, operation) == risk


@pytest.mark.parametrize(
    "device_type", ["alarm", "valve", "siren", "script", "scene", "button", "camera", "", "Light", "no such thing"]
)
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
