"""Which values to try on an entity, read from its own attributes: some that fit, some beyond, some that do not exist."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Look:
    """How an entity looks at one moment."""

    state: str
    attributes: Mapping[str, Any] = field(default_factory=dict)

    def number(self, attribute: str) -> float | None:
        """A numeric attribute, or None."""
        value = self.attributes.get(attribute)
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


@dataclass(frozen=True, kw_only=True)
class Values:
    """Values that fit, that lie out of range, and that do not exist."""

    fit: tuple[Any, ...] = ()
    beyond: tuple[Any, ...] = ()
    strange: tuple[Any, ...] = ()


type Source = Callable[[Look], Values]


def fixed(*fit: Any, beyond: tuple[Any, ...] = (), strange: tuple[Any, ...] = ()) -> Source:
    """The same values for every entity."""
    return lambda _: Values(fit=fit, beyond=beyond, strange=strange)


PERCENT = fixed(0, 1, 40, 100, beyond=(-1, 101))
PLACES = fixed(0, 30, 100, beyond=(-1, 101))
"""Positions: in tens, for the demo's covers and valves know no others."""


def options(attribute: str) -> Source:
    """All words that an attribute lists, and one that it does not."""
    return lambda look: Values(fit=tuple(look.attributes.get(attribute) or ()), strange=("no_such_word",))


def span(low: str, high: str, step: str | None = None, *, default: tuple[float, float] = (0, 100)) -> Source:
    """Both ends and the middle of a range that attributes name, and what lies just beyond."""

    def values(look: Look) -> Values:
        found = look.number(low), look.number(high)
        ends = tuple(plain(other if end is None else end) for end, other in zip(found, default, strict=True))
        grid = (look.number(step) if step else None) or 1
        middle = plain(round(ends[0] + round((ends[1] - ends[0]) / 2 / grid) * grid, 6))
        return Values(fit=(ends[0], middle, ends[1]), beyond=(plain(ends[0] - grid), plain(ends[1] + grid)))

    return values


def speeds(look: Look) -> Values:
    """The speeds that a fan really has, and one between two."""
    step = look.number("percentage_step") or 1
    fit = {round(step), round(step * round(50 / step)), 100}
    between = (round(1.5 * step),) if step > 4 else ()
    return Values(fit=(0, *sorted(fit)), beyond=(-1, 101, *between))


def words(look: Look) -> Values:
    """Texts of a length that fits, and of one that does not."""
    low, high = int(look.number("min") or 0), int(look.number("max") or 200)
    pattern = look.attributes.get("pattern")
    text = "1" * max(low, 1) if pattern and "[0-9]" in str(pattern) else "hello"[:high].ljust(low, "x")
    beyond: tuple[str, ...] = ("x" * (high + 1),) if high < 200 else ()
    beyond += ("x" * (low - 1),) if low > 1 else ()
    return Values(fit=(text,), beyond=beyond, strange=("§§§",) if pattern else ())


def moments(look: Look) -> Values:
    """A date, a time, or both, as the entity has it; and the other kind."""
    has_date, has_time = look.attributes.get("has_date"), look.attributes.get("has_time")
    if has_date and has_time:
        return Values(fit=("2026-12-24T07:30:00",), strange=("07:30:00", "soon"))
    if has_date:
        return Values(fit=("2026-12-24",), beyond=("2026-02-30",), strange=("07:30:00",))
    return Values(fit=("07:30:00",), beyond=("25:00:00",), strange=("2026-12-24",))


def plain(value: float) -> int | float:
    """A float without a fraction as an int."""
    return int(value) if float(value).is_integer() else value
