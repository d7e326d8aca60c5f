"""What must be fulfilled before a plan may be executed, and how a rule wants its yes given (no Home Assistant here)."""

from dataclasses import dataclass

DEFAULT_SECONDS = 120
"""How long a question lasts where nobody says otherwise."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """How a rule wants its yes: by whom, within how long, with a PIN or not.

    ``approvers`` are ids of approvers, None is everybody who may; ``seconds`` None is the owner's default.
    """

    approvers: tuple[str, ...] | None = None
    seconds: int | None = None
    pin: bool = False

    def joined(self, other: Terms) -> Terms:
        """The terms of two rules that both ask: whatever each of them demands."""
        if self.approvers is None or other.approvers is None:
            approvers = other.approvers if self.approvers is None else self.approvers
        else:
            approvers = tuple(one for one in self.approvers if one in other.approvers)
        seconds = min((value for value in (self.seconds, other.seconds) if value is not None), default=None)
        return Terms(approvers=approvers, seconds=seconds, pin=self.pin or other.pin)


NO_TERMS = Terms()
"""One person's yes, whoever may."""


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """What must be fulfilled, the rule that says so, and the device it is about."""

    verdict: str
    rule: str
    risk: int
    about: str
    people: int = 1
    terms: Terms = NO_TERMS

    def describe(self) -> dict[str, object]:
        """The requirement as a caller reads it; only what is asked for beyond one person's yes is named."""
        more: dict[str, object] = {"people": self.people} if self.people > 1 else {}
        if self.terms.pin:
            more["pin"] = True
        return {"verdict": self.verdict, "rule": self.rule, "risk": self.risk, **more}
