"""A trace as rows of the log.

One when it starts to wait for a human (*pending*), one when it is about to act (*intent*), one when it has ended
(*outcome*), and one where it took longer to see whether the devices followed (*verified*); between them what happened
to it (*note*).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from ..catalogue.undo import to_json
from ..models import ActionRequest
from ..trace import GateRecord, PipelineTrace
from .redaction import redacted

PENDING, INTENT, OUTCOME, VERIFIED, NOTE = "pending", "intent", "outcome", "verified", "note"
_OWN_WORDS = frozenset({"code"})
"""Keys of EdgeHome's own: here a refusal's code."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row of the log. ``at`` is the time of receipt in UTC, ISO 8601."""

    trace_id: str
    kind: str
    at: str
    principal_id: str
    request_id: str | None
    digest: str
    body: str


def row_of(trace: PipelineTrace, kind: str, records: tuple[GateRecord, ...], unwritten: int = 0) -> Row:
    """The row that keeps this trace with these of its records.

    ``unwritten`` says how many refusals like it were not written before it.
    """
    request = trace.request
    actions = trace.plan.actions if trace.plan else ()
    body = {
        "principal": {
            "kind": request.principal.kind.value,
            "id": request.principal.id,
            "name": request.principal.name,
            "speaker": request.principal.speaker,
            "speaker_name": request.principal.speaker_name,
            "area_id": request.principal.area_id,
            "area_name": request.principal.area_name,
        },
        "door": request.door,
        "context_id": request.context_id,
        "request": redacted(request.payload, budget=20_000),
        "answer": redacted(trace.answer(), _OWN_WORDS),
        "gates": [redacted(record.to_json()) for record in records],
        "unwritten": unwritten,
        "done": _done(trace),
        "undo": [to_json(way) for action in actions for way in action.restores] if kind == INTENT else [],
        "finished_at": trace.finished_at.isoformat() if trace.finished_at else None,
    }
    return Row(
        trace_id=request.trace_id,
        kind=kind,
        at=request.received_at.isoformat(),
        principal_id=request.principal.id,
        request_id=request.request_id,
        digest=request.digest,
        body=json.dumps(body, default=str),
    )


def _done(trace: PipelineTrace) -> list[str] | None:
    """The entities that the request was carried out on, all of them: the answer is cut where it is long."""
    actions = trace.result.get("actions") if trace.result else None
    if not isinstance(actions, list | tuple):
        return None
    return [str(action["entity_id"]) for action in actions if isinstance(action, Mapping) and action.get("done")]


def note_of(request: ActionRequest, what: Mapping[str, object]) -> Row:
    """The row that keeps something that happened to a request."""
    return Row(
        trace_id=request.trace_id,
        kind=NOTE,
        at=request.received_at.isoformat(),
        principal_id=request.principal.id,
        request_id=request.request_id,
        digest=request.digest,
        body=json.dumps({"note": redacted({"at": datetime.now(UTC).isoformat(), **what})}),
    )
