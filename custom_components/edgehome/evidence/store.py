"""The evidence store: one SQLite file, one thread that writes it, one connection.

``intent`` returns only when its row is on the disk (``synchronous=FULL``, R8). Outcomes are committed in groups, at
the latest ``GROUP_SECONDS`` after they came. Rows are only added. What has an intent and no outcome when the store
opens was interrupted: it is closed as *unknown* (R11) and never done again.
"""

import asyncio
import json
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..codes import Code
from ..models import ActionRequest
from ..plan import ExecutionPlan
from ..policy.table import PolicyTable
from ..trace import PipelineTrace, RecordedTrace
from .flood import Flood
from .policies import SCHEMA as POLICY_SCHEMA
from .policies import Decided, PolicyVersion, decisions, keep_decision, keep_version, versions
from .record import INTENT, OUTCOME, PENDING, VERIFIED, note_of, row_of
from .recovery import insert, recover

_LOGGER = logging.getLogger(__name__)

GROUP_SECONDS = 0.1
SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS log (
    seq INTEGER PRIMARY KEY, trace_id TEXT NOT NULL, kind TEXT NOT NULL, at TEXT NOT NULL, principal_id TEXT NOT NULL,
    request_id TEXT, digest TEXT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS log_trace ON log (trace_id);
CREATE UNIQUE INDEX IF NOT EXISTS log_once ON log (trace_id, kind) WHERE kind <> 'note';
CREATE INDEX IF NOT EXISTS log_request ON log (principal_id, request_id) WHERE request_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS log_deeds ON log (principal_id, seq) WHERE kind = 'intent';
CREATE TABLE IF NOT EXISTS open (trace_id TEXT PRIMARY KEY, kind TEXT NOT NULL) WITHOUT ROWID;
"""
_AS_TOLD = frozenset({Code.DONE, Code.PARTLY_DONE})
_COLUMNS = "trace_id, principal_id, digest, at, body"


@dataclass(kw_only=True)
class ExecutionTicket:
    """The right to execute one plan, once. Only this module makes one, after the intent is durable (R1, R8)."""

    trace_id: str
    plan: ExecutionPlan
    context_id: str | None
    is_spent: bool = False

    def spend(self) -> None:
        """Uses the right up.

        Raises:
            RuntimeError: it was used before.
        """
        if self.is_spent:
            raise RuntimeError(f"the ticket of {self.trace_id} was used before")
        self.is_spent = True


type _Job[T] = Callable[[sqlite3.Connection], T]


class EvidenceStore:
    """Keeps traces. All work on the file happens in its own thread, in order."""

    def __init__(self, path: Path, loop: asyncio.AbstractEventLoop) -> None:
        self._path = path
        self._loop = loop
        self._jobs: queue.SimpleQueue[tuple[_Job[object], asyncio.Future[object] | None, bool] | None]
        self._jobs = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="edgehome-evidence", daemon=True)
        self._closing = False
        self._flood = Flood()
        self._written: dict[str, int] = {}
        self.announce: Callable[[PipelineTrace], None] = lambda _: None

    async def open(self) -> tuple[str, ...]:
        """Opens the file, makes its tables and closes what was interrupted; the trace ids of what waited for a human.

        Raises:
            sqlite3.Error: the file cannot be opened, read or written.
        """
        self._thread.start()
        return await self._do(recover, durable=True)

    async def close_store(self) -> None:
        """Writes what waits and closes the file."""
        if not self._closing:
            self._closing = True
            self._jobs.put(None)
            await self._loop.run_in_executor(None, self._thread.join)

    async def keep_policy(self, table: PolicyTable, body: str, *, by: str, how: str) -> None:
        """Keeps a policy table that is put in force: recorded decisions name it by its digest.

        Raises:
            sqlite3.Error: it could not be written.
        """
        await self._do(lambda db: keep_version(db, table, body, by, how), durable=True)

    async def policies(self) -> tuple[PolicyVersion, ...]:
        """Every policy table that was in force, the latest first."""
        return await self._do(versions)

    async def decisions(self) -> tuple[Decided, ...]:
        """What was decided on in the last 30 days, the earliest first."""
        return await self._do(decisions)

    async def find(self, request: ActionRequest) -> RecordedTrace | None:
        """The earlier trace of the same caller with the same request id (R13)."""
        values = (request.principal.id, request.request_id)
        return await self._do(lambda db: _select(db, "principal_id = ? AND request_id = ?", values))

    async def trace(self, trace_id: str) -> RecordedTrace | None:
        """The trace with this id, its end if it has one."""
        return await self._do(lambda db: _select(db, "trace_id = ?", (trace_id,)))

    async def latest(self, principal_id: str, number: int) -> tuple[RecordedTrace, ...]:
        """The latest traces of a caller that came to acting, the last one first."""

        def select(db: sqlite3.Connection) -> tuple[RecordedTrace, ...]:
            sql = "SELECT trace_id FROM log WHERE principal_id = ? AND kind = 'intent' ORDER BY seq DESC LIMIT ?"
            found = db.execute(sql, (principal_id, number)).fetchall()
            traces = (_select(db, "trace_id = ?", one) for one in found)
            return tuple(trace for trace in traces if trace)

        return await self._do(select)

    async def park(self, trace: PipelineTrace) -> None:
        """Makes it durable that a request waits for a human: what waits when the store opens again is cancelled (R10).

        Raises:
            sqlite3.Error: it could not be written; nobody may be asked.
        """

        def write(db: sqlite3.Connection) -> None:
            insert(db, row_of(trace, PENDING, trace.records))
            keep_decision(db, trace, trace.records)
            db.execute("INSERT INTO open VALUES (?, ?)", (trace.request.trace_id, PENDING))

        await self._do(write, durable=True)
        self._written[trace.request.trace_id] = len(trace.records)
        self.announce(trace)

    def note(self, request: ActionRequest, what: Mapping[str, object]) -> None:
        """Writes something that happened to a request, with the next group."""
        row = note_of(request, what)
        self._jobs.put((lambda db: insert(db, row), None, False))

    async def intent(self, trace: PipelineTrace) -> ExecutionTicket:
        """Makes the intent durable, then issues the ticket (R8).

        Raises:
            sqlite3.Error: it could not be written; nothing may be executed.
        """
        if trace.plan is None:
            raise ValueError("an intent needs a plan")
        records = trace.records[self._written.get(trace.request.trace_id, 0) :]

        def write(db: sqlite3.Connection) -> None:
            insert(db, row_of(trace, INTENT, records))
            keep_decision(db, trace, records)
            db.execute("INSERT OR REPLACE INTO open VALUES (?, ?)", (trace.request.trace_id, INTENT))

        await self._do(write, durable=True)
        self._written[trace.request.trace_id] = len(trace.records)
        return ExecutionTicket(
            trace_id=trace.request.trace_id,
            plan=trace.plan,
            context_id=trace.request.context_id,
        )

    def close(self, trace: PipelineTrace) -> None:
        """Writes a request's end with the next group; of a flood of refusals, one a minute."""
        # What has begun gets its end, whatever it is.
        has_begun = trace.request.trace_id in self._written
        unwritten = 0 if has_begun else self._flood.unwritten(trace)
        if unwritten is None:
            return
        # What the intent has told already is not told again.
        records = trace.records[self._written.pop(trace.request.trace_id, 0) :]

        def write(db: sqlite3.Connection) -> None:
            insert(db, row_of(trace, OUTCOME, records, unwritten))
            keep_decision(db, trace, records)
            if trace.is_open:
                db.execute("INSERT OR REPLACE INTO open VALUES (?, ?)", (trace.request.trace_id, OUTCOME))
            else:
                db.execute("DELETE FROM open WHERE trace_id = ?", (trace.request.trace_id,))

        self._jobs.put((write, None, False))
        self.announce(trace)

    def verify(self, trace: PipelineTrace) -> None:
        """Writes with the next group what became of the devices of a request that has ended; news if it is not good."""

        def write(db: sqlite3.Connection) -> None:
            insert(db, row_of(trace, VERIFIED, ()))
            db.execute("DELETE FROM open WHERE trace_id = ?", (trace.request.trace_id,))

        self._jobs.put((write, None, False))
        if trace.code not in _AS_TOLD:
            self.announce(trace)

    async def _do[T](self, job: _Job[T], *, durable: bool = False) -> T:
        if self._closing:
            raise sqlite3.ProgrammingError("the evidence store is closed")
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put((job, future, durable))  # type: ignore[arg-type]  # one queue carries jobs of all types
        return await future

    def _work(self) -> None:
        """The thread: takes jobs in order, commits at once for durable ones, else in groups."""
        db: sqlite3.Connection | None = None
        deadline = 0.0
        while True:
            waiting = db is not None and db.in_transaction
            try:
                item = self._jobs.get(timeout=max(0.0, deadline - time.monotonic()) if waiting else None)
            except queue.Empty:
                self._commit(db)
                continue
            if waiting and time.monotonic() >= deadline:
                # A steady stream of rows must not put its own commit off.
                self._commit(db)
                waiting = False
            if not waiting:
                deadline = time.monotonic() + GROUP_SECONDS
            if item is None:
                break
            job, future, durable = item
            try:
                db = _connected(db, self._path)
                answer = _done(db, job)
                if durable:
                    db.commit()
            except Exception as error:
                self._answer(future, None, error)
            else:
                self._answer(future, answer, None)
        self._commit(db)
        if db is not None:
            db.close()

    def _commit(self, db: sqlite3.Connection | None) -> None:
        try:
            if db is not None and db.in_transaction:
                db.commit()
        except sqlite3.Error:
            # The intents are safe; what was not committed shows as unknown at the next start (R11).
            _LOGGER.exception("Outcomes could not be written to the evidence")
            db.rollback()  # type: ignore[union-attr]  # db is not None here

    def _answer(
        self,
        future: asyncio.Future[object] | None,
        answer: object,
        error: Exception | None,
    ) -> None:
        if future is None:
            if error is not None:
                _LOGGER.error("A row could not be written to the evidence: %s", error)
            return

        def settle() -> None:
            if future.cancelled():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(answer)

        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(settle)


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA_VERSION:
        db.close()
        raise sqlite3.DatabaseError(f"the evidence was written by a newer EdgeHome (version {version})")
    db.executescript(_SCHEMA + POLICY_SCHEMA)
    db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
    db.execute("CREATE TEMP TABLE identity (value TEXT)")
    db.execute("INSERT INTO temp.identity VALUES (?)", (_identity(path),))
    return db


def _connected(db: sqlite3.Connection | None, path: Path) -> sqlite3.Connection:
    """The open file, or a new one if somebody removed or replaced it: what is written into it would be nowhere."""
    if db is not None and not _is_gone(db, path):
        return db
    if db is not None:
        _LOGGER.error("The evidence file was removed; a new one is begun")
        db.close()
    return _connect(path)


def _is_gone(db: sqlite3.Connection, path: Path) -> bool:
    """Whether the open file is not the one that is there any more. Looked at between groups only."""
    if db.in_transaction:
        return False
    opened = db.execute("SELECT value FROM temp.identity").fetchone()[0]
    return bool(opened != _identity(path))


def _identity(path: Path) -> str:
    try:
        found = path.stat()
    except OSError:
        return ""
    return f"{found.st_dev}:{found.st_ino}"


def _done[T](db: sqlite3.Connection, job: _Job[T]) -> T:
    """Does a job within the open transaction; one that fails takes nothing else back with it.

    On a full disk SQLite takes the whole transaction back by itself: then rows that waited for their commit are lost,
    which is said in the log, and what they were the outcome of shows as unknown at the next start (R11).
    """
    if not db.in_transaction:
        db.execute("BEGIN IMMEDIATE")
    db.execute("SAVEPOINT job")
    try:
        answer = job(db)
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK TO job")
            db.execute("RELEASE job")
        else:
            _LOGGER.error("SQLite took a group of rows back; outcomes that waited in it are lost")  # noqa: TRY400
        raise
    db.execute("RELEASE job")
    return answer


def _select(db: sqlite3.Connection, where: str, values: tuple[object, ...]) -> RecordedTrace | None:
    """The rows of one trace as one: its last answer, and the records of all."""
    rows = db.execute(f"SELECT {_COLUMNS} FROM log WHERE {where} ORDER BY seq", values).fetchall()  # noqa: S608  # no user text
    if not rows:
        return None
    contents = [json.loads(body) for *_, body in rows]
    trace_id, principal_id, digest, at, _ = rows[-1]
    return RecordedTrace(
        trace_id=trace_id,
        principal_id=principal_id,
        digest=digest,
        recorded_answer=next(content["answer"] for content in reversed(contents) if "answer" in content),
        about={key: contents[0].get(key) for key in ("principal", "door", "request")},
        records=tuple(record for content in contents for record in content.get("gates", ())),
        notes=tuple(content["note"] for content in contents if "note" in content),
        received_at=at,
        undo=tuple(way for content in contents for way in content.get("undo", ())),
        done=frozenset(next((ids for content in reversed(contents) if (ids := content.get("done")) is not None), ())),
    )
