"""How long a caller rests with something that came to nothing, so that nobody is worn down (no Home Assistant here)."""

from collections import defaultdict

from .pending import State

SHORT_REST, COOL_DOWN, LONG_COOL_DOWN = 10, 60, 3600
"""Seconds until the same may be asked again: after nobody answered, after a no, and after the third no in that time."""
MOST_REJECTIONS = 3

_REST = {State.REJECTED: COOL_DOWN, State.EXPIRED: SHORT_REST, State.CANCELLED: SHORT_REST}


class Fatigue:
    """What came to nothing, by caller and deed, whatever the values. Times are seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._rests: defaultdict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)

    def remember(self, principal_id: str, deeds: tuple[str, ...], end: State, now: float) -> None:
        """A question ended: lets the caller rest with it, longer when it was the third no within the hour."""
        seconds = _REST.get(end)
        if seconds is None:
            return
        for deed in deeds:
            recent = [item for item in self._rests[principal_id, deed] if now - item[0] < LONG_COOL_DOWN]
            rejected = sum(until - at >= COOL_DOWN for at, until in recent)
            is_third = seconds == COOL_DOWN and rejected >= MOST_REJECTIONS - 1
            self._rests[principal_id, deed] = [*recent, (now, now + (LONG_COOL_DOWN if is_third else seconds))]

    def seconds(self, principal_id: str, deeds: tuple[str, ...], now: float) -> int:
        """Seconds until the same may be asked about again."""
        ends = [until for deed in deeds for _, until in self._rests.get((principal_id, deed), ())]
        return max(0, int(max(ends, default=now) - now))
