"""The policy in the evidence: every version that was in force, and what was decided on in the last 30 days.

The latter are small: what a table needs to decide once more, so that a new one can be tried on what happened.
"""

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ..policy.question import Inputs
from ..policy.table import PolicyTable
from ..trace import GateRecord, PipelineTrace

KEPT = timedelta(days=30)
"""How long the inputs of decisions are kept."""

LARGEST, MOST = 20_000, 200_000
"""How many characters the inputs of one decision may have to be kept, and how many decisions are given back."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS policy (digest TEXT PRIMARY KEY, first_used TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS policy_version (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, digest TEXT NOT NULL, by TEXT NOT NULL, how TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS decision (trace_id TEXT PRIMARY KEY, at TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS decision_at ON decision (at);
"""


@dataclass(frozen=True, kw_only=True)
class PolicyVersion:
    """A table that was put in force. ``at`` is UTC, ISO 8601; ``body`` the table as JSON."""

    number: int
    at: str
    digest: str
    by: str
    how: str
    body: str


@dataclass(frozen=True, kw_only=True)
class Decided:
    """What one request was decided on. ``at`` is UTC, ISO 8601."""

    trace_id: str
    at: str
    body: str


def keep_version(db: sqlite3.Connection, table: PolicyTable, body: str, by: str, how: str) -> None:
    """Keeps a table under its digest, which recorded decisions name, and as the next version."""
    now = datetime.now(UTC).isoformat()
    db.execute("INSERT OR IGNORE INTO policy VALUES (?, ?, ?)", (table.digest, now, body))
    db.execute("INSERT INTO policy_version (at, digest, by, how) VALUES (?, ?, ?, ?)", (now, table.digest, by, how))


def versions(db: sqlite3.Connection) -> tuple[PolicyVersion, ...]:
    """Every version, the latest first."""
    sql = "SELECT number, at, digest, by, how, body FROM policy_version JOIN policy USING (digest) ORDER BY number DESC"
    names = ("number", "at", "digest", "by", "how", "body")
    return tuple(PolicyVersion(**dict(zip(names, row, strict=True))) for row in db.execute(sql).fetchall())


def keep_decision(db: sqlite3.Connection, trace: PipelineTrace, records: tuple[GateRecord, ...]) -> None:
    """Keeps what a request was decided on, if it came as far as the policy; the last judgement counts."""
    found: list[Inputs] = [record.inputs for record in records if record.inputs is not None]
    if found and len(text := found[-1].to_json()) <= LARGEST:
        forget_decisions(db)
        values = (trace.request.trace_id, trace.request.received_at.isoformat(), text)
        db.execute("INSERT OR REPLACE INTO decision VALUES (?, ?, ?)", values)


def forget_decisions(db: sqlite3.Connection) -> None:
    """Forgets what is older than it is kept."""
    db.execute("DELETE FROM decision WHERE at < ?", ((datetime.now(UTC) - KEPT).isoformat(),))


def decisions(db: sqlite3.Connection) -> tuple[Decided, ...]:
    """What was decided on in the time for which it is kept, the earliest first."""
    forget_decisions(db)
    rows = db.execute("SELECT trace_id, at, body FROM decision ORDER BY at DESC LIMIT ?", (MOST,)).fetchall()
    return tuple(Decided(trace_id=trace_id, at=at, body=body) for trace_id, at, body in reversed(rows))
