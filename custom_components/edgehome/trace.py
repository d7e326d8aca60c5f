"""What happened to one request, gate by gate: the evidence and the caller's answer (no Home Assistant here)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from .codes import Code, GateName, Outcome
from .facts import Read
from .models import ActionRequest
from .plan import ExecutionPlan
from .policy.question import Inputs


@dataclass(frozen=True, kw_only=True)
class GateRecord:
    """What one gate said, noted and read; ``inputs`` is what the policy decided on."""

    gate: GateName
    passed: bool
    reason: Code | None = None
    evidence: Mapping[str, object] = field(default_factory=dict)
    reads: tuple[Read, ...] = ()
    inputs: Inputs | None = None

    def to_json(self) -> dict[str, object]:
        """The record as evidence keeps it."""
        return {
            "gate": self.gate.value,
            "passed": self.passed,
            "reason": self.reason.value if self.reason else None,
            "evidence": dict(self.evidence),
            "reads": [read.to_json() for read in self.reads],
        }


class Answered(Protocol):
    """A request that has come to its end, now or earlier."""

    def answer(self) -> dict[str, object]:
        """The answer to the caller."""
        ...


@dataclass(frozen=True, kw_only=True)
class RecordedTrace:
    """A trace read back from the evidence. ``undo`` takes back what it did, which is ``done`` on these entities."""

    trace_id: str
    principal_id: str
    digest: str
    recorded_answer: Mapping[str, object]
    records: tuple[Mapping[str, object], ...] = ()
    about: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[Mapping[str, object], ...] = ()
    received_at: str = ""
    undo: tuple[Mapping[str, object], ...] = ()
    done: frozenset[str] = frozenset()

    def answer(self) -> dict[str, object]:
        """The answer that the caller got, or would have got."""
        return dict(self.recorded_answer)


@dataclass(frozen=True, kw_only=True)
class PipelineTrace:
    """One request from the door to its end. Times are UTC. ``is_open``: whether the devices followed is still looked at."""

    request: ActionRequest
    outcome: Outcome
    code: Code
    message: str
    gate: GateName | None = None
    hint: str | None = None
    field: str | None = None
    candidates: tuple[str, ...] = ()
    plan: ExecutionPlan | None = None
    result: Mapping[str, object] | None = None
    requirement: Mapping[str, object] | None = None
    records: tuple[GateRecord, ...] = ()
    finished_at: datetime | None = None
    is_open: bool = False

    def answer(self) -> dict[str, object]:
        """The answer to the caller. Optional keys are there only when they say something."""
        answer: dict[str, object] = {
            "trace_id": self.request.trace_id,
            "outcome": self.outcome.value,
            "code": self.code.value,
            "gate": self.gate.value if self.gate else None,
            "message": self.message,
            "hint": self.hint,
            "plan": self.plan.describe() if self.plan else None,
            "result": dict(self.result) if self.result is not None else None,
        }
        if self.field:
            answer["field"] = self.field
        if self.candidates:
            answer["candidates"] = list(self.candidates)
        if self.requirement:
            answer["requirement"] = dict(self.requirement)
        return answer
