"""Covers: blinds, curtains, garage doors, gates (features after ``components/cover/const.py``).

Any position above 0 is an opening: it is judged as ``open`` (R5).
"""

from collections.abc import Mapping

from ..devices import DeviceState
from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, Parameter
from .values import Percent

OPEN_FEATURE, CLOSE_FEATURE, SET_POSITION_FEATURE, STOP_FEATURE, SET_TILT_FEATURE = (
    1,
    2,
    4,
    8,
    128,
)

_MOVING = ("opening", "closing")


def positioning(params: Mapping[str, object], _: DeviceState) -> tuple[Intent, ...]:
    """Position 0 closes, any other opens."""
    return (Intent.CLOSE if params.get("position") == 0 else Intent.OPEN,)


def toggling(_: Mapping[str, object], state: DeviceState) -> tuple[Intent, ...]:
    """What ``toggle`` does to a thing that is open or closed; half open it could be either."""
    if 0 < (state.number("current_position") or 0) < 100:
        return ()
    return {"open": (Intent.CLOSE,), "closed": (Intent.OPEN,)}.get(state.state, ())


OPERATIONS = (
    Operation(
        intent=Intent.OPEN,
        domain="cover",
        service="cover.open_cover",
        effect=Effect.MOTION,
        features=(OPEN_FEATURE,),
        expect=(
            Expectation(value="open", moving=("opening",)),
            Expectation(attribute="current_position", value=100, same=1, step=1, optional=True),
        ),
    ),
    Operation(
        intent=Intent.CLOSE,
        domain="cover",
        service="cover.close_cover",
        effect=Effect.MOTION,
        features=(CLOSE_FEATURE,),
        expect=(Expectation(value="closed", moving=("closing",)),),
    ),
    Operation(
        intent=Intent.TOGGLE,
        domain="cover",
        service=None,
        effect=Effect.MOTION,
        means=toggling,
    ),
    Operation(
        intent=Intent.STOP,
        domain="cover",
        service="cover.stop_cover",
        effect=Effect.MOTION,
        features=(STOP_FEATURE,),
    ),
    Operation(
        intent=Intent.SET_POSITION,
        domain="cover",
        service="cover.set_cover_position",
        effect=Effect.MOTION,
        features=(SET_POSITION_FEATURE,),
        params={
            "position": Parameter(kind=Percent(field="position", attribute="current_position", moving=_MOVING)),
        },
        needs=(frozenset({"position"}),),
        means=positioning,
    ),
    Operation(
        intent=Intent.SET_TILT,
        domain="cover",
        service="cover.set_cover_tilt_position",
        effect=Effect.MOTION,
        features=(SET_TILT_FEATURE,),
        params={
            "tilt": Parameter(
                kind=Percent(
                    field="tilt_position",
                    attribute="current_tilt_position",
                    moving=_MOVING,
                )
            ),
        },
        needs=(frozenset({"tilt"}),),
    ),
)
