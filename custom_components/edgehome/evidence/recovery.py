"""Gives everything that was on its way when Home Assistant died its end."""

import json
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime

from ..codes import Outcome
from ..endings import RESTARTED
from ..plan import OPEN, Verification
from .record import OUTCOME, PENDING, VERIFIED, Row

RESTART = {
    "outcome": Outcome.CANCELLED.value,
    "code": RESTARTED.code.value,
    "message": RESTARTED.message,
    "hint": RESTARTED.hint,
}
"""How the answer of a request changes that waited for a human when Home Assistant stopped."""


def recover(db: sqlite3.Connection) -> tuple[str, ...]:
    """Ends what is open; the trace ids of what was pending.

    What was executing is unknown, as its intent's own answer says (R11); what waited for a human is cancelled (R10);
    devices that were looked at when nobody could look any more did nobody knows what.
    """
    found = db.execute(
        "SELECT log.trace_id, log.kind, at, principal_id, request_id, digest, body FROM log JOIN open USING (trace_id, kind)"
    ).fetchall()
    for trace_id, kind, at, principal_id, request_id, digest, body in found:
        content = json.loads(body) | {"gates": [], "finished_at": datetime.now(UTC).isoformat()}
        if kind == PENDING:
            content["answer"] |= RESTART
        if kind == OUTCOME:
            content["answer"] = _given_up(content["answer"])
        row = Row(
            trace_id=trace_id,
            kind=VERIFIED if kind == OUTCOME else OUTCOME,
            at=at,
            principal_id=principal_id,
            request_id=request_id,
            digest=digest,
            body=json.dumps(content),
        )
        insert(db, row)
    db.execute("DELETE FROM open")
    return tuple(trace_id for trace_id, kind, *_ in found if kind == PENDING)


def _given_up(answer: Mapping[str, object]) -> dict[str, object]:
    """The answer of a request whose devices nobody looks at any more."""
    result = answer.get("result")
    if not isinstance(result, dict):
        return dict(answer)
    # What the evidence has cut is left as it is.
    actions = [
        action | {"verification": Verification.UNKNOWN.value}
        if isinstance(action, dict) and action.get("verification") in OPEN
        else action
        for action in result.get("actions") or ()
    ]
    return {
        **answer,
        "message": "Called; EdgeHome was stopped before the devices had come to an end.",
        "hint": "Ask for their status.",
        "result": {**result, "actions": actions, "final": True},
    }


def insert(db: sqlite3.Connection, row: Row) -> None:
    """Adds a row to the log."""
    db.execute(
        "INSERT INTO log (trace_id, kind, at, principal_id, request_id, digest, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            row.trace_id,
            row.kind,
            row.at,
            row.principal_id,
            row.request_id,
            row.digest,
            row.body,
        ),
    )
