"""What may become of a call to a lamp or a lock."""

from typing import ClassVar, override

from .base import Reading
from .kinds import STILL, OddLight, OddLock


class LateLight(OddLight):
    """Follows after ``seconds``; a newer call replaces one that was still to come."""

    @override
    async def follow(self, wish: Reading) -> None:
        """Follows late."""
        self.later(self.seconds, wish)


class DeafLight(OddLight):
    """Swallows the call."""

    @override
    async def follow(self, wish: Reading) -> None:
        """Reports nothing."""


class StubbornLight(OddLight):
    """Never follows, but says after ``seconds`` how it is: as before."""

    @override
    async def follow(self, wish: Reading) -> None:
        """Reports its old state again."""
        self.later(self.seconds, {})


class DimLight(OddLight):
    """Follows at once, but 40 percentage points darker than asked, and never darker than 1 %."""

    @override
    async def follow(self, wish: Reading) -> None:
        """Follows to another value."""
        if "brightness" in wish:
            wish["brightness"] = max(wish["brightness"] - 102, 3)
        await super().follow(wish)


class LosableLight(OddLight):
    """Is unavailable ``seconds`` after a call, until it is set available again or reset."""

    @override
    async def follow(self, wish: Reading) -> None:
        """Goes away."""
        self.later(self.seconds, {"available": False})


class MovingLock(OddLock):
    """Says that it is locking or unlocking, and is done after ``seconds``; unlocked in the beginning."""

    first: ClassVar[Reading] = {"is_locked": False, **STILL}

    @override
    async def follow(self, wish: Reading) -> None:
        """Begins to move."""
        locking = bool(wish["is_locked"])
        self.real |= {**STILL, "is_locking": locking, "is_unlocking": not locking}
        await self.report()
        self.later(self.seconds, self.end(locking=locking))

    def end(self, *, locking: bool) -> Reading:
        """How the move ends."""
        return {"is_locked": locking, **STILL}


class JammingLock(MovingLock):
    """Jams when it is locked; unlocking works, from jammed too."""

    @override
    def end(self, *, locking: bool) -> Reading:
        """Locking ends in a jam."""
        return {"is_locked": False, **STILL, "is_jammed": locking}
