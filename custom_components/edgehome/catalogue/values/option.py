"""Words that the device lists itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import override

from ...chain import Refuse, listed
from ...codes import Code
from ...devices import DeviceState
from ...plan import Expectation
from .kind import Kind, Value, refuse


@dataclass(frozen=True, kw_only=True)
class Option(Kind):
    """One of the words that the device lists in an attribute. ``attribute`` None compares the state itself.

    ``shows`` false: the device does not show what was chosen. ``always`` are words that every device knows.
    """

    field: str
    options: str
    attribute: str | None
    shows: bool = True
    always: tuple[str, ...] = ()

    def _options(self, state: DeviceState) -> tuple[str, ...]:
        return self.always + state.options(self.options)

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        options = self._options(state)
        if value not in options:
            return refuse(
                Code.INVALID_OPTION,
                name,
                f"{device} has no {name} {value!r}.",
                f"Send one of: {listed(options, 20)}." if options else f"{device} has no choice of {name}.",
                options,
            )
        present = state.attributes.get(self.attribute, "") if self.attribute else state.state
        return Value(
            data={self.field: value},
            expect=(Expectation(attribute=self.attribute, value=str(value)),) if self.shows else (),
            present="" if present is None else str(present),
            wanted=str(value),
        )

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        options = self._options(state)
        return {"values": list(options)} if options else None
