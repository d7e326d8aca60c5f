"""Blinds that arrive, get stuck, or move for ever."""

from collections.abc import Mapping
from typing import Any, ClassVar, override

from homeassistant.components.cover import ATTR_POSITION, CoverDeviceClass, CoverEntity, CoverEntityFeature

from .base import Odd, Reading


def at(position: int) -> Reading:
    """A blind that stands there."""
    standing = {"is_opening": False, "is_closing": False}
    return {"current_cover_position": position, "is_closed": position == 0, **standing}


class MovingBlind(Odd, CoverEntity):
    """Says that it moves, and arrives after ``seconds``; its position changes only then. Closed in the beginning."""

    _attr_device_class = CoverDeviceClass.BLIND
    _attr_supported_features = (
        CoverEntityFeature.OPEN | CoverEntityFeature.CLOSE | CoverEntityFeature.STOP | CoverEntityFeature.SET_POSITION
    )
    first: ClassVar[Reading] = at(0)
    states: ClassVar[Mapping[str, Reading]] = {"open": at(100), "closed": at(0)}

    @override
    async def async_open_cover(self, **kwargs: Any) -> None:
        """Opens."""
        await self.receive(at(100))

    @override
    async def async_close_cover(self, **kwargs: Any) -> None:
        """Closes."""
        await self.receive(at(0))

    @override
    async def async_set_cover_position(self, **kwargs: Any) -> None:
        """Moves to a position."""
        await self.receive(at(kwargs[ATTR_POSITION]))

    @override
    async def async_stop_cover(self, **kwargs: Any) -> None:
        """Stops where it was last."""
        self.forget()
        await super().follow(at(self.real["current_cover_position"]))

    @override
    async def follow(self, wish: Reading) -> None:
        """Begins to move."""
        way = wish["current_cover_position"] - self.real["current_cover_position"]
        self.real |= {"is_opening": way > 0, "is_closing": way < 0}
        await self.report()
        self.arrive(wish)

    def arrive(self, wish: Reading) -> None:
        """Ends where it was to go."""
        self.later(self.seconds, wish)


class StuckBlind(MovingBlind):
    """Stops half-way, wherever it was to go."""

    @override
    def arrive(self, wish: Reading) -> None:
        """Ends in the middle."""
        self.later(self.seconds, at(50))


class EndlessBlind(MovingBlind):
    """Moves until it is stopped or reset."""

    @override
    def arrive(self, wish: Reading) -> None:
        """Never ends."""
