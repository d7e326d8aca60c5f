"""What a caller asks for, once its form is understood (no Home Assistant here)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .devices import CustomOperation
from .models import ModelCandidate, Verb


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """One of the things that are asked for, and where it and its values stand in the payload.

    ``custom`` is the owner's own operation, where one is asked for, and ``values`` are its values. ``places`` are the
    values' own places in the payload, where the candidate was translated from another form.
    """

    candidate: ModelCandidate
    custom: CustomOperation | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    place: str = "model_candidate"
    places: Mapping[str, str] = field(default_factory=dict)

    @property
    def verb(self) -> Verb:
        """What is asked for."""
        return self.custom.verb if self.custom else self.candidate.intent

    def located(self, path: str) -> str:
        """Where something of the candidate stands in what was really sent."""
        name = path.rpartition(".")[2]
        if name in self.places:
            return self.places[name]
        if ".params." in path and "params" in self.places:
            return self.places["params"]
        return self.place + path.removeprefix("model_candidate") if path.startswith("model_candidate") else path


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """All that a caller asks for at once: judged together, done together or not at all."""

    wanted: tuple[Wanted, ...]
    dry_run: bool = False
    source_agent: str | None = None
