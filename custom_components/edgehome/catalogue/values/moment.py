"""Dates and times of day, as ISO 8601."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import override

from ...chain import Refuse
from ...codes import Code
from ...facts import DeviceState
from ...plan import Expectation
from .kind import Kind, Value, refuse

_EXAMPLES = {"date": "2026-12-24", "time": "07:30:00", "datetime": "2026-12-24T07:30:00"}


@dataclass(frozen=True, kw_only=True)
class Moment(Kind):
    """A date, a time of day, or both.

    ``kind`` None lets the entity say what it holds (``has_date``, ``has_time``: ``components/input_datetime``).
    """

    kind: str | None = None

    def _kind(self, state: DeviceState) -> str:
        has_date, has_time = (state.attributes.get(name) is True for name in ("has_date", "has_time"))
        return self.kind or ("datetime" if has_date and has_time else "date" if has_date else "time")

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        kind = self._kind(state)
        told = _iso(kind, value)
        if told is None:
            message = f"{device} takes a {kind.replace('datetime', 'date and time')}."
            return refuse(Code.INVALID_OPTION, name, message, f"Send it like {_EXAMPLES[kind]}.")
        # A date and time is reported in another time zone or form: it is not compared.
        expect = () if kind == "datetime" else (Expectation(value=told),)
        return Value(data={kind: told}, expect=expect, present=state.state, wanted=told)

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        return {"example": _EXAMPLES[self._kind(state)]}


def _iso(kind: str, value: object) -> str | None:
    """The value in Home Assistant's form, or None if it is none."""
    if not isinstance(value, str):
        return None
    try:
        if kind == "date":
            return date.fromisoformat(value).isoformat()
        if kind == "time":
            told = time.fromisoformat(value)
            return told.isoformat("seconds") if told.tzinfo is None else None
        return datetime.fromisoformat(value).isoformat(" ", "seconds") if len(value) > len("2026-12-24") else None
    except ValueError:
        return None
