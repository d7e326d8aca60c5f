"""Whether an entity looks as expected: before a call "already so", after it "followed" (no Home Assistant here)."""

from .facts import DeviceState
from .plan import Expectation


def is_met(expect: tuple[Expectation, ...], state: DeviceState) -> bool:
    """Whether everything expected is so; nothing expected is never met.

    An attribute that the device does not have says nothing where the state itself is expected too (a cover without a
    position is open when it says so).
    """
    by_state = any(item.attribute is None for item in expect)
    judged = [
        item
        for item in expect
        if item.attribute is None or not by_state or state.attributes.get(item.attribute) is not None
    ]
    return bool(judged) and all(_is(item, state) for item in judged)


def is_moving(expect: tuple[Expectation, ...], state: DeviceState) -> bool:
    """Whether the device is on its way."""
    return any(state.state in item.moving for item in expect)


def _is(item: Expectation, state: DeviceState) -> bool:
    if item.attribute is None:
        if item.differs:
            return state.state not in {item.value, "unknown", "unavailable"}
        return state.state == item.value
    present = state.attributes.get(item.attribute)
    if isinstance(item.value, str):
        return present == item.value
    if isinstance(item.value, tuple):
        return (
            isinstance(present, list | tuple)
            and len(present) == len(item.value)
            and all(
                isinstance(a, int | float) and abs(a - b) <= item.step for a, b in zip(present, item.value, strict=True)
            )
        )
    if isinstance(present, bool) or not isinstance(present, int | float):
        return False
    return present == item.value or abs(present - item.value) < item.step
