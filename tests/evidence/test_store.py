"""The evidence store, on a real file with its real thread."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from custom_components.edgehome.codes import Code
from custom_components.edgehome.evidence.record import OUTCOME, row_of
from custom_components.edgehome.evidence.store import SCHEMA_VERSION, EvidenceStore
from custom_components.edgehome.plan import ExecutionPlan, Skip
from custom_components.edgehome.policy.presets import BALANCED, STRICT
from tests.made_traces import OTHER, asking, command, done, started


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file is; its folder is not there yet."""
    return tmp_path / "edgehome" / "evidence.db"


@pytest.fixture
async def store(path: Path) -> AsyncGenerator[EvidenceStore]:
    """An open store."""
    store = EvidenceStore(path, asyncio.get_running_loop())
    assert await store.open() == ()
    yield store
    await store.close_store()


def rows(path: Path, sql: str = "SELECT trace_id, kind FROM log ORDER BY seq") -> list[tuple[object, ...]]:
    """What another process would see in the file now."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        return db.execute(sql).fetchall()


async def reopened(path: Path) -> tuple[EvidenceStore, tuple[str, ...]]:
    """The store after a restart, and the requests that waited for a human."""
    store = EvidenceStore(path, asyncio.get_running_loop())
    return store, await store.open()


async def test_intent_is_on_the_disk(store: EvidenceStore, path: Path) -> None:
    """When the ticket is there, everybody can see the intent: nothing waits in memory (R8)."""
    trace = started(asking(request_id="r1"))
    ticket = await store.intent(trace)
    assert rows(path) == [("01TEST", "intent")]
    assert rows(path, "SELECT trace_id, kind FROM open") == [("01TEST", "intent")]
    assert (ticket.trace_id, ticket.plan, ticket.context_id) == ("01TEST", trace.plan, None)


async def test_every_commit_reaches_the_disk(store: EvidenceStore) -> None:
    """The writer waits for the disk (``synchronous=FULL``) and keeps a write-ahead log."""
    assert await store._do(lambda db: db.execute("PRAGMA synchronous").fetchone()) == (2,)
    assert await store._do(lambda db: db.execute("PRAGMA journal_mode").fetchone()) == ("wal",)


async def test_intent_needs_a_plan(store: EvidenceStore, path: Path) -> None:
    """Without a plan there is no ticket and no row."""
    with pytest.raises(ValueError, match="plan"):
        await store.intent(replace(started(asking()), plan=None))
    assert rows(path) == []


async def test_one_ticket_for_one_trace(store: EvidenceStore, path: Path) -> None:
    """A second intent of the same trace is refused and leaves nothing half written."""
    await store.intent(started(asking()))
    with pytest.raises(sqlite3.IntegrityError):
        await store.intent(started(asking()))
    assert rows(path) == [("01TEST", "intent")]
    await store.intent(started(asking("02TEST")))
    assert rows(path) == [("01TEST", "intent"), ("02TEST", "intent")]


async def test_outcome_joins_a_group(store: EvidenceStore, path: Path) -> None:
    """Ends are written with the next durable row at the latest, in the order in which they came."""
    await store.intent(started(asking()))
    store.close(done(asking()))
    store.close(done(asking("02TEST")))
    await store.intent(started(asking("03TEST")))
    assert rows(path) == [("01TEST", "intent"), ("01TEST", "outcome"), ("02TEST", "outcome"), ("03TEST", "intent")]
    assert rows(path, "SELECT trace_id, kind FROM open") == [("03TEST", "intent")]


async def test_outcome_is_written_by_itself(store: EvidenceStore, path: Path) -> None:
    """A last end does not wait for another request."""
    store.close(done(asking()))
    async with asyncio.timeout(10):
        while not rows(path):  # noqa: ASYNC110  # another process has no event to wait for
            await asyncio.sleep(0.02)
    assert rows(path) == [("01TEST", "outcome")]


async def test_close_writes_everything(path: Path) -> None:
    """Closing the store writes what waits; closing again does nothing."""
    store, _ = await reopened(path)
    for number in range(50):
        store.close(done(asking(f"{number:02}TEST")))
    await store.close_store()
    await store.close_store()
    assert len(rows(path)) == 50


async def test_closed_store_refuses(path: Path) -> None:
    """After its end the store gives no ticket: nothing is executed (R2, R8)."""
    store, _ = await reopened(path)
    await store.close_store()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        await store.intent(started(asking()))
    store.close(done(asking()))
    assert rows(path) == []


async def test_a_bad_end_spoils_nothing(store: EvidenceStore, path: Path) -> None:
    """An end that cannot be written is left out; the others of its group are kept."""
    store.close(done(asking("01TEST")))
    store.close(done(asking("01TEST")))
    store.close(done(asking("02TEST")))
    await store.intent(started(asking("03TEST")))
    assert rows(path) == [("01TEST", "outcome"), ("02TEST", "outcome"), ("03TEST", "intent")]


async def test_find(store: EvidenceStore) -> None:
    """A repeated request is found by its caller and id, with its latest row (R13)."""
    asked = asking(request_id="r1")
    assert await store.find(asked) is None
    await store.intent(started(asked))
    found = await store.find(asking("02TEST", "r1"))
    assert found is not None
    assert (found.trace_id, found.principal_id, found.digest) == ("01TEST", "hermes", asked.digest)
    assert found.answer()["outcome"] == "unknown"
    store.close(done(asked))
    found = await store.find(asking("02TEST", "r1"))
    assert found is not None
    assert found.answer() == done(asked).answer()
    assert found.received_at == "2026-11-30T12:00:00+00:00"


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(asking(request_id="r2"), id="another id"),
        pytest.param(asking(request_id="r1", principal=OTHER), id="another caller"),
        pytest.param(asking(), id="no id"),
        pytest.param(asking(request_id="r' OR '1'='1"), id="an id that is none"),
    ],
)
async def test_not_found(store: EvidenceStore, asked: object) -> None:
    """Another caller or id finds nothing."""
    store.close(done(asking(request_id="r1")))
    assert await store.find(asked) is None  # type: ignore[arg-type]  # the table's values are requests


async def test_found_word_for_word(store: EvidenceStore) -> None:
    """A repeated request gets word for word what the first one got, also about what was left out (R13)."""
    skip = Skip(entity_id="light.b", code=Code.ENTITY_UNAVAILABLE, message="B is unavailable.")
    trace = replace(done(asking(request_id="r1")), plan=ExecutionPlan(actions=(command(),), skipped=(skip,)))
    store.close(trace)
    found = await store.find(asking("02TEST", "r1"))
    assert found is not None
    assert found.answer() == trace.answer()


async def test_trace(store: EvidenceStore) -> None:
    """A trace is found by its id, its end if it has one."""
    await store.intent(started(asking()))
    found = await store.trace("01TEST")
    assert found is not None
    assert found.answer()["outcome"] == "unknown"
    store.close(done(asking()))
    found = await store.trace("01TEST")
    assert found is not None
    assert found.answer()["outcome"] == "executed"
    assert await store.trace("02TEST") is None


async def test_recovery_says_unknown(path: Path) -> None:
    """What was executing when Home Assistant died ends as unknown, once (R11)."""
    store, _ = await reopened(path)
    await store.intent(started(asking("01TEST", "r1")))
    await store.intent(started(asking("02TEST")))
    store.close(done(asking("02TEST")))
    await store.close_store()

    store, waited = await reopened(path)
    found = await store.find(asking("03TEST", "r1"))
    await store.close_store()
    assert waited == ()
    assert found is not None
    assert (found.trace_id, found.answer()["outcome"], found.answer()["code"]) == ("01TEST", "unknown", "INTERRUPTED")
    assert rows(path) == [("01TEST", "intent"), ("02TEST", "intent"), ("02TEST", "outcome"), ("01TEST", "outcome")]

    store, waited = await reopened(path)
    await store.close_store()
    assert waited == ()
    assert len(rows(path)) == 4


async def test_recovery_after_a_crash(store: EvidenceStore, path: Path, tmp_path: Path) -> None:
    """A copy of the files taken while the store is open is what a power cut leaves: the intent is in it (R8)."""
    await store.intent(started(asking()))
    copy = tmp_path / "after" / path.name
    copy.parent.mkdir()
    for file in path.parent.iterdir():
        (copy.parent / file.name).write_bytes(file.read_bytes())
    survivor, waited = await reopened(copy)
    found = await survivor.trace("01TEST")
    await survivor.close_store()
    assert waited == ()
    assert found is not None
    assert found.answer()["code"] == "INTERRUPTED"


async def test_newer_version_refuses(path: Path) -> None:
    """A file of a newer EdgeHome is not touched."""
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    store = EvidenceStore(path, asyncio.get_running_loop())
    with pytest.raises(sqlite3.DatabaseError, match="newer EdgeHome"):
        await store.open()
    await store.close_store()
    assert rows(path, "SELECT name FROM sqlite_master") == []


@pytest.fixture
def no_evidence(path: Path) -> bytes:
    """A file that is something else, and what is in it."""
    content = b"this is no database, whatever its name says" * 99
    path.parent.mkdir()
    path.write_bytes(content)
    return content


async def test_unreadable_file_refuses(path: Path, no_evidence: bytes) -> None:
    """A file that is no evidence is refused and kept."""
    store = EvidenceStore(path, asyncio.get_running_loop())
    with pytest.raises(sqlite3.DatabaseError):
        await store.open()
    await store.close_store()
    assert _content(path) == no_evidence


def _content(path: Path) -> bytes:
    return path.read_bytes()


async def test_unwritable_path_refuses(path: Path) -> None:
    """Where there can be no file, opening raises what its description says."""
    path.parent.write_text("a file where the folder should be")
    store = EvidenceStore(path, asyncio.get_running_loop())
    with pytest.raises((OSError, sqlite3.Error)):
        await store.open()
    await store.close_store()


async def test_full_disk_gives_no_ticket(store: EvidenceStore, path: Path) -> None:
    """When the intent cannot be written there is no ticket, and the store goes on when it can again (R8)."""
    pages = await store._do(lambda db: db.execute("PRAGMA page_count").fetchone()[0])
    await store._do(lambda db: db.execute(f"PRAGMA max_page_count={pages}").fetchone())
    long = started(asking(reason="x" * 400, model_candidate={"y" * 90: ["z" * 400] * 49}))
    with pytest.raises(sqlite3.OperationalError, match="full"):
        await store.intent(long)
    assert rows(path) == []
    await store._do(lambda db: db.execute("PRAGMA max_page_count=1000000").fetchone())
    await store.intent(long)
    assert rows(path) == [("01TEST", "intent")]


async def test_locked_file_gives_no_ticket(store: EvidenceStore, path: Path) -> None:
    """While somebody else writes the file there is no ticket."""
    await store._do(lambda db: db.execute("PRAGMA busy_timeout=0").fetchone(), durable=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            await store.intent(started(asking()))
        other.execute("ROLLBACK")
    await store.intent(started(asking()))
    assert rows(path) == [("01TEST", "intent")]


async def test_policy_is_kept_once(store: EvidenceStore, path: Path) -> None:
    """A table is kept under its digest; keeping it again changes nothing."""
    await store.keep_policy(STRICT, "{}", by="Anna", how="preset")
    await store.keep_policy(STRICT, "other", by="", how="edited")
    await store.keep_policy(BALANCED, "[]", by="Bert", how="document")
    kept = rows(path, "SELECT digest, body FROM policy ORDER BY body DESC")
    assert kept == [(STRICT.digest, "{}"), (BALANCED.digest, "[]")]
    told = [(one.number, one.digest, one.by, one.how, one.body) for one in await store.policies()]
    assert told == [
        (3, BALANCED.digest, "Bert", "document", "[]"),
        (2, STRICT.digest, "", "edited", "{}"),
        (1, STRICT.digest, "Anna", "preset", "{}"),
    ]


async def test_rows_are_what_was_recorded(store: EvidenceStore, path: Path) -> None:
    """The file has the row as it was made."""
    trace = done(asking(request_id="r1"))
    store.close(trace)
    await store.intent(started(asking("02TEST")))
    row = row_of(trace, OUTCOME, trace.records)
    sql = "SELECT trace_id, kind, at, principal_id, request_id, digest, body FROM log WHERE trace_id = '01TEST'"
    assert rows(path, sql) == [(row.trace_id, row.kind, row.at, row.principal_id, row.request_id, row.digest, row.body)]


async def test_many_at_once(store: EvidenceStore, path: Path) -> None:
    """Requests at the same time each get their own ticket and row."""
    tickets = await asyncio.gather(*(store.intent(started(asking(f"{number:02}TEST"))) for number in range(20)))
    assert [ticket.trace_id for ticket in tickets] == [f"{number:02}TEST" for number in range(20)]
    assert all(isinstance(ticket.plan, ExecutionPlan) for ticket in tickets)
    assert len(rows(path)) == 20


async def test_a_caller_that_went_away(store: EvidenceStore, path: Path) -> None:
    """A cancelled wait does not stop the thread."""
    waiting = asyncio.ensure_future(store.intent(started(asking())))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await store.intent(started(asking("02TEST")))
    assert rows(path) == [("01TEST", "intent"), ("02TEST", "intent")]
