"""Alarms (features after ``components/alarm_control_panel/const.py``).

Arming in a milder mode than the present one lowers it: it is judged as disarming too (R5). Codes never come from agents;
the entity's own default code is used (R12).
"""

from collections.abc import Mapping

from ..devices import DeviceState
from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Meaning, Operation

ARM_HOME, ARM_AWAY, ARM_NIGHT = 1, 2, 4
_STRENGTH = {"disarmed": 0, "armed_home": 1, "armed_night": 2, "armed_away": 3, "armed_vacation": 3}
_UNKNOWN_STRENGTH = 4
"""A mode that is not known could be stronger than any: what follows it lowers it."""


def _arming(mode: str) -> Meaning:
    def means(_: Mapping[str, object], state: DeviceState) -> tuple[Intent, ...]:
        present = _STRENGTH.get(state.state, _UNKNOWN_STRENGTH)
        return (Intent.DISARM,) if present > _STRENGTH[mode] else ()

    return means


def _row(intent: Intent, service: str, feature: int, mode: str) -> Operation:
    return Operation(
        intent=intent,
        domain="alarm_control_panel",
        service=f"alarm_control_panel.{service}",
        effect=Effect.SECURE,
        features=(feature,),
        needs_code=("code_arm_required",),
        expect=(Expectation(value=mode, moving=("arming", "pending")),),
        means=_arming(mode),
    )


OPERATIONS = (
    _row(Intent.ARM_HOME, "alarm_arm_home", ARM_HOME, "armed_home"),
    _row(Intent.ARM_AWAY, "alarm_arm_away", ARM_AWAY, "armed_away"),
    _row(Intent.ARM_NIGHT, "alarm_arm_night", ARM_NIGHT, "armed_night"),
    Operation(
        intent=Intent.DISARM,
        domain="alarm_control_panel",
        service="alarm_control_panel.alarm_disarm",
        effect=Effect.UNSECURE,
        needs_code=("code_format",),
        expect=(Expectation(value="disarmed", moving=("disarming",)),),
    ),
)
