"""What a kind of value is: from a proposed value to service data, or to a refusal (R6)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from ...chain import Refuse
from ...codes import Code
from ...devices import DeviceState
from ...facts import Facts
from ...plan import Expectation


@dataclass(frozen=True, kw_only=True)
class Value:
    """A value in the service's own words, how the entity looks once it followed, and both ends in words for people.

    ``span`` are the numbers from the present value to the wanted one, as the service takes them; ``amount`` is the
    number in the words of a proposal, for the owner's own range.
    """

    data: Mapping[str, object]
    expect: tuple[Expectation, ...] = ()
    present: str = ""
    wanted: str = ""
    span: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    amount: float | None = None


class Kind(Protocol):
    """A kind of value."""

    def resolve(self, name: str, value: object, facts: Facts) -> object | Refuse:
        """What the value stands for in this home, before any device is looked at."""
        return value

    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        """The value as service data, or why the device cannot take it."""
        ...

    def suits(self, value: object, member: DeviceState) -> bool:
        """Whether a member of a group takes the value as it is; Home Assistant would convert it silently (R6)."""
        return True

    @property
    def sends(self) -> tuple[str, ...]:
        """The fields of the service that it may fill."""
        name = getattr(self, "field", None)
        return (name,) if isinstance(name, str) else ()

    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        """What the device takes, for ``list_devices``; None if it takes none."""
        ...


def refuse(code: Code, name: str, message: str, hint: str, candidates: tuple[str, ...] = ()) -> Refuse:
    """A value that does not fit."""
    return Refuse(
        code=code,
        message=message,
        hint=hint,
        field=f"model_candidate.params.{name}",
        candidates=candidates,
    )


def plain(value: float) -> int | float:
    """A float without a fraction as an int, for people's eyes."""
    return value if isinstance(value, int) else int(value) if value.is_integer() else value


def span(name: str, present: float | None, wanted: float) -> dict[str, tuple[float, float]]:
    """The numbers between the present value and the wanted one."""
    return {} if present is None else {name: (min(present, wanted), max(present, wanted))}
