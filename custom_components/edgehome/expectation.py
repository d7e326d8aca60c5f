"""Whether an entity looks as expected: before a call "already so", after it "followed" (no Home Assistant here)."""

from .devices import DeviceState
from .plan import Expectation


def is_already_so(expect: tuple[Expectation, ...], state: DeviceState) -> bool:
    """Whether nothing is left to do: all of it is so, known and at rest. In doubt it is not."""
    if state.is_assumed or is_moving(expect, state) or any(item.anew for item in expect):
        return False
    told = _told(expect, state)
    return bool(told) and all(_is(item, state, item.same) for item in told)


def has_followed(expect: tuple[Expectation, ...], state: DeviceState) -> bool:
    """Whether the device did what was asked, as far as it reports at all; a guessed state shows nothing."""
    told = [] if state.is_assumed else _told(expect, state)
    return bool(told) and all(_is(item, state, item.step) for item in told)


def has_failed(expect: tuple[Expectation, ...], state: DeviceState) -> bool:
    """Whether the device says itself that it could not."""
    return any(state.state in item.failed for item in expect)


def _told(expect: tuple[Expectation, ...], state: DeviceState) -> list[Expectation]:
    """What the device reports at all."""
    return [item for item in expect if not (item.optional and state.attributes.get(item.attribute or "") is None)]


def is_moving(expect: tuple[Expectation, ...], state: DeviceState) -> bool:
    """Whether the device is on its way."""
    return any(state.state in item.moving for item in expect)


def _is(item: Expectation, state: DeviceState, tolerance: float) -> bool:
    if item.attribute is None:
        if item.differs:
            return state.state not in {item.value, "unknown", "unavailable"}
        return (
            state.state == item.value
            if isinstance(item.value, str)
            else _near(_number(state.state), item.value, tolerance)
        )
    present = state.attributes.get(item.attribute)
    if isinstance(item.value, bool):
        return present is item.value
    if isinstance(item.value, str):
        return present == item.value
    if isinstance(item.value, tuple):
        return (
            isinstance(present, list | tuple)
            and len(present) == len(item.value)
            and all(_near(a, b, tolerance) for a, b in zip(present, item.value, strict=True))
        )
    return _near(present, item.value, tolerance)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _near(present: object, wanted: object, tolerance: float) -> bool:
    if isinstance(present, bool) or not isinstance(present, int | float) or not isinstance(wanted, int | float):
        return False
    return present == wanted or abs(present - wanted) < tolerance
