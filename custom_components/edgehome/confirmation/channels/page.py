"""EdgeHome's own page: who has it open in a session that may answer."""

from collections import Counter
from collections.abc import Callable


class PageChannel:
    """Counts open pages by user; a closed page reaches nobody."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    def opened(self, user_id: str) -> Callable[[], None]:
        """A page was opened; returns what says that it was closed."""
        self._open[user_id] += 1

        def close() -> None:
            self._open[user_id] -= 1

        return close

    def is_open(self, user_id: str) -> bool:
        """Whether this user has the page open."""
        return self._open[user_id] > 0
