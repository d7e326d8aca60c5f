"""What a policy table is asked about a request: all that a decision needs, small enough to keep (no Home Assistant here)."""

from dataclasses import dataclass

from pydantic import TypeAdapter

from .rule import Circumstances, HomeCondition, Subject


@dataclass(frozen=True, kw_only=True)
class Question:
    """One action: its subjects, one for each of its names, and those of everything that it reaches.

    ``acts`` is false for a read. ``opaque``: what it does cannot be read (R5). ``doubtful`` is the highest risk of what is in
    an unknown or assumed state, -1 if nothing is (R7). ``already_so``: nothing will be called.
    """

    name: str
    subjects: tuple[Subject, ...]
    reaches: tuple[tuple[Subject, ...], ...] = ()
    acts: bool = True
    opaque: bool = False
    doubtful: int = -1
    already_so: bool = False


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Everything that decided about one request, to be decided once more by another table.

    The fields of ``Circumstances``; ``holds`` are the conditions of the home that were looked at, None where nobody knew.
    """

    principal_id: str
    principal: str
    questions: tuple[Question, ...]
    speaker: str | None = None
    origin: str | None = None
    weekday: int = 0
    minute: int = 0
    holds: tuple[tuple[HomeCondition, bool | None], ...] = ()

    @classmethod
    def of(cls, principal: str, now: Circumstances, questions: tuple[Question, ...]) -> Inputs:
        """The inputs of a decision; ``principal`` is the caller's name."""
        return cls(
            principal_id=now.principal_id,
            principal=principal,
            questions=questions,
            speaker=now.speaker,
            origin=now.origin,
            weekday=now.weekday,
            minute=now.minute,
            holds=tuple(now.holds.items()),
        )

    @property
    def now(self) -> Circumstances:
        """How things were."""
        return Circumstances(
            principal_id=self.principal_id,
            speaker=self.speaker,
            origin=self.origin,
            weekday=self.weekday,
            minute=self.minute,
            holds=dict(self.holds),
        )

    def to_json(self) -> str:
        """The inputs as text, without what is as it usually is."""
        return _INPUTS.dump_json(self, exclude_defaults=True).decode()

    @classmethod
    def from_json(cls, text: str) -> Inputs:
        """The inputs again.

        Raises:
            ValueError: the text is none of inputs.
        """
        return _INPUTS.validate_json(text)


_INPUTS = TypeAdapter(Inputs)
