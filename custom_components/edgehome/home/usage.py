"""How much each caller has sent and moved lately: kept in memory, so a restart forgets it."""

import time
from collections import defaultdict, deque

from ..models import ActionRequest
from ..plan import ExecutionPlan

MINUTE, HOUR = 60.0, 3600.0


class Usage:
    """Requests of the last minute, and set points that were moved in the last hour."""

    def __init__(self) -> None:
        self._requests: defaultdict[str, deque[tuple[float, str]]] = defaultdict(deque)
        self._moves: defaultdict[tuple[str, str], deque[tuple[float, float]]] = defaultdict(deque)
        self.revision = 0

    def count(self, request: ActionRequest) -> None:
        """Counts a request against its caller's rate, and forgets those of more than a minute ago."""
        recent = self._requests[request.principal.id]
        now = time.monotonic()
        recent.append((now, request.trace_id))
        while recent[0][0] < now - MINUTE:
            recent.popleft()

    def requests(self, principal_id: str, trace_id: str) -> int:
        """Requests of the last minute, but this one."""
        start = time.monotonic() - MINUTE
        return sum(1 for at, other in self._requests.get(principal_id, ()) if at >= start and other != trace_id)

    def move(self, principal_id: str, plan: ExecutionPlan) -> None:
        """Counts the set points that a plan moves, and forgets what was moved more than an hour ago."""
        now = time.monotonic()
        for action in plan.actions:
            reached = ((other.entity_id, other.degrees) for other in action.reaches)
            for entity_id, degrees in ((action.entity_id, action.degrees), *reached):
                if degrees:
                    moves = self._moves[principal_id, entity_id]
                    moves.append((now, degrees))
                    while moves[0][0] < now - HOUR:
                        moves.popleft()
                    self.revision += 1

    def moved(self, principal_id: str, entity_id: str) -> float:
        """Degrees by which a caller has moved an entity's set point in the last hour, up and down added."""
        start = time.monotonic() - HOUR
        return sum(degrees for at, degrees in self._moves.get((principal_id, entity_id), ()) if at >= start)
