"""Sirens (features after ``components/siren/const.py``)."""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, Parameter, toggling, turning_off
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
    turning_off("siren", (TURN_OFF,)),
    toggling("siren", Effect.RUN),
)
