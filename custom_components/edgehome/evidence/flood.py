"""Refusals that a caller can send without end: one row a minute says what came and how often, so the disk stays free."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from ..codes import Code
from ..trace import PipelineTrace

ENDLESS = frozenset(
    {
        Code.RATE_LIMIT, Code.AGENT_UNKNOWN, Code.AGENT_DISABLED, Code.AGENT_EXPIRED, Code.AUTOMATION_OFF,
        Code.LOCKDOWN, Code.REQUEST_ID_CONFLICT,
    }
)  # fmt: skip
"""What is refused before the rate counts, or because of it."""
_MINUTE = timedelta(minutes=1)


@dataclass
class Flood:
    """Counts by caller and code; ``most`` callers are remembered, beyond that the oldest are forgotten."""

    most: int = 1000
    _last: dict[tuple[str, Code], tuple[datetime, int]] = field(default_factory=dict)

    def unwritten(self, trace: PipelineTrace) -> int | None:
        """How many like this were not written since the last that was; None if this one is not written either."""
        if trace.code not in ENDLESS:
            return 0
        key, now = (trace.request.principal.id, trace.code), trace.request.received_at
        last = self._last.pop(key, None)
        if last and now - last[0] < _MINUTE:
            self._last[key] = (last[0], last[1] + 1)
            return None
        self._last[key] = (now, 0)
        while len(self._last) > self.most:
            del self._last[next(iter(self._last))]
        return last[1] if last else 0
