"""Sirens (features after ``components/siren/const.py``)."""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, Parameter, by_state
from .values import Option, Percent

TURN_ON, TURN_OFF, TONES, VOLUME_SET = 1, 2, 4, 8

OPERATIONS = (
    Operation(
        intent=Intent.TURN_ON,
        domain="siren",
        service="siren.turn_on",
        effect=Effect.RUN,
        features=(TURN_ON,),
        params={
            "option": Parameter(
                kind=Option(field="tone", options="available_tones", attribute=None, shows=False), features=(TONES,)
            ),
            "volume": Parameter(
                kind=Percent(field="volume_level", attribute="", sent=1, whole=False, shows=False),
                features=(VOLUME_SET,),
            ),
        },
        expect=(Expectation(value="on"),),
    ),
    Operation(
        intent=Intent.TURN_OFF,
        domain="siren",
        service="siren.turn_off",
        effect=Effect.ADJUST,
        features=(TURN_OFF,),
        expect=(Expectation(value="off"),),
    ),
    Operation(
        intent=Intent.TOGGLE,
        domain="siren",
        service=None,
        effect=Effect.RUN,
        means=lambda _, state: by_state(state),
    ),
)
