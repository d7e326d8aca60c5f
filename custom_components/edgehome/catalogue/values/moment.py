"""Dates and times of day, as ISO 8601, and how long something lasts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import cast, override

from ...chain import Refuse
from ...codes import Code
from ...devices import DeviceState
from ...plan import Expectation
from .kind import Kind, Value, plain, refuse

_EXAMPLES = {"date": "2026-12-24", "time": "07:30:00", "datetime": "2026-12-24T07:30:00"}


@dataclass(frozen=True, kw_only=True)
class Moment(Kind):
    """A date, a time of day, or both.

    ``kind`` None lets the entity say what it holds (``has_date``, ``has_time``: ``components/input_datetime``).
    """

    kind: str | None = None

    @property
    @override
    def sends(self) -> tuple[str, ...]:
        return (self.kind,) if self.kind else tuple(_EXAMPLES)

    def _kind(self, state: DeviceState) -> str:
        has_date, has_time = (state.attributes.get(name) is True for name in ("has_date", "has_time"))
        return self.kind or ("datetime" if has_date and has_time else "date" if has_date else "time")

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        kind = self._kind(state)
        told = _iso(kind, value)
        if told is None:
            message = f"{device} takes a {kind.replace('datetime', 'date and time')}."
            return refuse(
                Code.INVALID_OPTION, name, message, f"Send it like {_EXAMPLES[kind]}, in the home's own time."
            )
        # A date and time is reported in another time zone or form: it is not compared.
        expect = () if kind == "datetime" else (Expectation(value=told),)
        return Value(data={kind: told}, expect=expect, present=state.state, wanted=told)

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        return {"example": _EXAMPLES[self._kind(state)]}


def _iso(kind: str, value: object) -> str | None:
    """The value in Home Assistant's form, or None if it is none: what would be cut off is none either (R6)."""
    if not isinstance(value, str):
        return None
    try:
        if kind == "date":
            return date.fromisoformat(value).isoformat()
        if kind == "time":
            clock = time.fromisoformat(value)
            return clock.isoformat("seconds") if clock.tzinfo is None and not clock.microsecond else None
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    is_whole = len(value) > len("2026-12-24") and not moment.microsecond and moment.tzinfo is None
    return moment.isoformat(" ", "seconds") if is_whole else None


@dataclass(frozen=True, kw_only=True)
class Duration(Kind):
    """How long a timer runs: seconds, or ``HH:MM:SS``; more than nothing, less than a day."""

    field: str

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        seconds = _seconds(value)
        if seconds is None or not 0 < seconds < _DAY:
            hint = 'Send seconds, or hours, minutes and seconds such as "00:10:00"; less than a day.'
            return refuse(Code.INVALID_OPTION, name, f"{device} takes how long it shall run.", hint)
        told = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        return Value(data={self.field: told}, wanted=told, expect=(Expectation(value="active", anew=True),))

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        return {"example": "00:10:00", "unit": "HH:MM:SS or seconds"}


@dataclass(frozen=True, kw_only=True)
class Seconds(Kind):
    """How many seconds a change takes; it changes nothing about where it ends."""

    field: str
    most: float

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        seconds = cast("float", value)
        if not 0 <= seconds <= self.most:
            hint = f"Send a number from 0 to {plain(self.most)}, in seconds."
            return refuse(Code.OUT_OF_RANGE, name, f"{name} {plain(seconds)} is out of range for {device}.", hint)
        return Value(data={self.field: plain(seconds)}, wanted=f"within {plain(seconds)} s")

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        return {"min": 0, "max": plain(self.most), "unit": "s"}


_DAY = 86_400
_CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)(?::([0-5]\d))?")


def _seconds(value: object) -> int | None:
    """Whole seconds, or None."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return int(value) if value == int(value) else None
    found = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds
