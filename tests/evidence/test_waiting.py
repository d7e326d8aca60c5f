"""What the evidence keeps of requests that wait for a human, on a real file."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from custom_components.edgehome.codes import Code, GateName, Outcome
from custom_components.edgehome.endings import waiting
from custom_components.edgehome.evidence.record import NOTE, PENDING, note_of, row_of
from custom_components.edgehome.evidence.store import EvidenceStore
from custom_components.edgehome.models import ActionRequest
from custom_components.edgehome.plan import ExecutionPlan
from custom_components.edgehome.policy.requirement import Requirement
from custom_components.edgehome.trace import GateRecord, PipelineTrace
from tests.made_traces import asking, command, done, started

PLAN = ExecutionPlan(actions=(command(),))
REQUIREMENT = Requirement(verdict="confirm", rule="serious", risk=4, about="Lamp")
RECORDS = tuple(GateRecord(gate=gate, passed=True) for gate in GateName)


def pending(asked: ActionRequest) -> PipelineTrace:
    """A request that starts to wait, with the gates that it passed."""
    return replace(waiting(asked, PLAN, REQUIREMENT, 120), records=RECORDS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file is."""
    return tmp_path / "evidence.db"


@pytest.fixture
async def store(path: Path) -> AsyncGenerator[EvidenceStore]:
    """An open store."""
    store = EvidenceStore(path, asyncio.get_running_loop())
    await store.open()
    yield store
    await store.close_store()


def rows(path: Path, sql: str = "SELECT trace_id, kind FROM log ORDER BY seq") -> list[tuple[object, ...]]:
    """What another process would see in the file now."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        return db.execute(sql).fetchall()


async def written(store: EvidenceStore) -> None:
    """Everything that came before is on the disk."""
    await store._do(lambda _: None, durable=True)


async def reopened(path: Path) -> tuple[EvidenceStore, tuple[str, ...]]:
    """The store after a restart, and the requests that waited for a human."""
    store = EvidenceStore(path, asyncio.get_running_loop())
    return store, await store.open()


async def test_park_is_on_the_disk(store: EvidenceStore, path: Path) -> None:
    """When a human is asked, everybody can see that the request waits (R8)."""
    await store.park(pending(asking(request_id="r1")))
    assert rows(path) == [("01TEST", "pending")]
    assert rows(path, "SELECT trace_id, kind FROM open") == [("01TEST", "pending")]
    found = await store.find(asking("02TEST", "r1"))
    assert found is not None
    assert (found.trace_id, found.answer()["outcome"], found.answer()["code"]) == ("01TEST", "pending", "WAITING")


async def test_the_whole_way(store: EvidenceStore, path: Path) -> None:
    """Pending, intent, outcome: one row each, and nothing is open after the end."""
    asked = asking(request_id="r1")
    await store.park(pending(asked))
    await store.intent(replace(started(asked), records=RECORDS * 2))
    assert rows(path, "SELECT trace_id, kind FROM open") == [("01TEST", "intent")]
    store.close(replace(done(asked), records=RECORDS * 2))
    await written(store)
    assert rows(path) == [("01TEST", "pending"), ("01TEST", "intent"), ("01TEST", "outcome")]
    assert rows(path, "SELECT * FROM open") == []
    found = await store.trace("01TEST")
    assert found is not None
    assert found.answer() == done(asked).answer()


async def test_gates_are_told_once(store: EvidenceStore, path: Path) -> None:
    """Each row has the gates that the rows before it do not have; together they are all, in order."""
    asked = asking()
    await store.park(pending(asked))
    await store.intent(replace(started(asked), records=RECORDS * 2))
    store.close(replace(done(asked), records=RECORDS * 2 + RECORDS[:1]))
    await written(store)
    told = [len(json.loads(str(body))["gates"]) for (body,) in rows(path, "SELECT body FROM log ORDER BY seq")]
    assert told == [8, 8, 1]
    found = await store.trace("01TEST")
    assert found is not None
    assert [record["gate"] for record in found.records] == [gate.value for gate in GateName] * 2 + ["input_guard"]


async def test_an_end_without_an_intent(store: EvidenceStore, path: Path) -> None:
    """What ends without a yes is closed: pending and outcome, nothing open."""
    await store.park(pending(asking()))
    store.close(replace(done(asking()), outcome=Outcome.CANCELLED, code=Code.REJECTED))
    await written(store)
    assert rows(path) == [("01TEST", "pending"), ("01TEST", "outcome")]
    assert rows(path, "SELECT * FROM open") == []


async def test_park_twice(store: EvidenceStore, path: Path) -> None:
    """A request waits once; a second row is refused and leaves nothing half written."""
    await store.park(pending(asking()))
    with pytest.raises(sqlite3.IntegrityError):
        await store.park(pending(asking()))
    assert rows(path) == [("01TEST", "pending")]
    assert rows(path, "SELECT trace_id, kind FROM open") == [("01TEST", "pending")]


@pytest.mark.parametrize("code", [Code.LOCKDOWN, Code.AGENT_DISABLED, Code.AGENT_EXPIRED, Code.RATE_LIMIT])
@pytest.mark.parametrize("begun", [PENDING, "intent"])
async def test_a_flood_drowns_no_end(store: EvidenceStore, path: Path, code: Code, begun: str) -> None:
    """What has begun gets its end, however many refusals like it come in the same minute."""
    begin: dict[str, Callable[[], Awaitable[object]]] = {
        PENDING: lambda: store.park(pending(asking())),
        "intent": lambda: store.intent(started(asking())),
    }
    await begin[begun]()
    store.close(replace(done(asking("02TEST")), outcome=Outcome.BLOCKED, code=code))
    store.close(replace(done(asking("03TEST")), outcome=Outcome.BLOCKED, code=code))
    store.close(replace(done(asking()), outcome=Outcome.BLOCKED, code=code))
    await written(store)
    assert rows(path) == [("01TEST", begun), ("02TEST", "outcome"), ("01TEST", "outcome")]
    assert rows(path, "SELECT * FROM open") == []


async def test_restart_is_no(path: Path) -> None:
    """What waited when Home Assistant died ends as cancelled, once, and its caller gets that again (R10, R13)."""
    store, _ = await reopened(path)
    await store.park(pending(asking("01TEST", "r1")))
    await store.park(pending(asking("02TEST")))
    await store.intent(started(asking("02TEST")))
    await store.park(pending(asking("03TEST")))
    store.close(replace(done(asking("03TEST")), outcome=Outcome.CANCELLED, code=Code.EXPIRED))
    await store.close_store()

    store, waited = await reopened(path)
    first, second, third = [await store.trace(f"0{number}TEST") for number in (1, 2, 3)]
    again = await store.find(asking("04TEST", "r1"))
    await store.close_store()
    assert waited == ("01TEST",)
    assert first is not None
    assert second is not None
    assert third is not None
    assert (first.answer()["outcome"], first.answer()["code"]) == ("cancelled", "RESTARTED")
    assert "that is no" in str(first.answer()["message"])
    assert (second.answer()["outcome"], second.answer()["code"]) == ("unknown", "INTERRUPTED")
    assert (third.answer()["outcome"], third.answer()["code"]) == ("cancelled", "EXPIRED")
    assert again == first
    assert rows(path, "SELECT * FROM open") == []

    store, waited = await reopened(path)
    await store.close_store()
    assert waited == ()
    assert rows(path, "SELECT count(*) FROM log WHERE kind = 'outcome'") == [(3,)]


async def test_restart_keeps_what_was_asked(path: Path) -> None:
    """The end that a restart gives has the plan, and the gates are not told twice."""
    store, _ = await reopened(path)
    await store.park(pending(asking()))
    await store.close_store()
    store, _ = await reopened(path)
    found = await store.trace("01TEST")
    await store.close_store()
    assert found is not None
    assert found.answer()["plan"] == PLAN.describe()
    assert [record["gate"] for record in found.records] == [gate.value for gate in GateName]


async def test_notes(store: EvidenceStore, path: Path) -> None:
    """What people do is kept in order, as many notes as there are, and changes no answer."""
    asked = asking(request_id="r1")
    await store.park(pending(asked))
    store.note(asked, {"asked": "Anna", "phones": 1})
    store.note(asked, {"asked": "Anna", "phones": 1})
    store.note(asked, {"answer": "yes", "by": "Anna", "channel": "mobile"})
    found = await store.find(asking("02TEST", "r1"))
    assert found is not None
    assert [{**note, "at": None} for note in found.notes] == [
        {"at": None, "asked": "Anna", "phones": 1},
        {"at": None, "asked": "Anna", "phones": 1},
        {"at": None, "answer": "yes", "by": "Anna", "channel": "mobile"},
    ]
    assert found.answer()["outcome"] == "pending"
    await written(store)
    assert rows(path)[1:] == [("01TEST", "note")] * 3


async def test_a_note_after_the_end(store: EvidenceStore) -> None:
    """A late answer is kept as well, and the end stays what it is."""
    await store.park(pending(asking()))
    store.close(done(asking()))
    store.note(asking(), {"late": "anna"})
    found = await store.trace("01TEST")
    assert found is not None
    assert found.answer()["outcome"] == "executed"
    assert [note["late"] for note in found.notes] == ["anna"]


def test_note_row() -> None:
    """A note is found like its request and has no secret (R12)."""
    row = note_of(asking(request_id="r1"), {"answer": "yes", "pin": "47114711", "nonce": "47114711"})
    assert (row.trace_id, row.kind, row.principal_id, row.request_id) == ("01TEST", NOTE, "hermes", "r1")
    assert "47114711" not in row.body
    assert json.loads(row.body)["note"]["answer"] == "yes"


def test_pending_row() -> None:
    """The row of a request that waits says what is asked about and what is required."""
    body = json.loads(row_of(pending(asking()), PENDING, RECORDS).body)
    assert (body["answer"]["outcome"], body["finished_at"]) == ("pending", None)
    assert body["answer"]["requirement"] == {"verdict": "confirm", "rule": "serious", "risk": 4}
    assert len(body["gates"]) == 8


def _remove(path: Path) -> None:
    path.unlink()


def _replace(path: Path) -> None:
    path.unlink()
    path.write_bytes(b"")


@pytest.mark.parametrize("away", [_remove, _replace])
async def test_a_removed_file(store: EvidenceStore, path: Path, away: Callable[[Path], None]) -> None:
    """A file that somebody removed or replaced is begun anew: no ticket is issued on rows that are nowhere (R8)."""
    await store.intent(started(asking("01TEST")))
    away(path)
    await store.intent(started(asking("02TEST")))
    assert rows(path) == [("02TEST", "intent")]
    store.close(done(asking("02TEST")))
    await written(store)
    assert rows(path) == [("02TEST", "intent"), ("02TEST", "outcome")]


async def test_a_removed_file_while_waiting(store: EvidenceStore, path: Path) -> None:
    """The way of a request that waited while the file was removed goes on in the new one."""
    await store.park(pending(asking()))
    _remove(path)
    ticket = await store.intent(replace(started(asking()), records=RECORDS * 2))
    assert ticket.plan == PLAN
    assert rows(path) == [("01TEST", "intent")]
    assert rows(path, "SELECT trace_id, kind FROM open") == [("01TEST", "intent")]


async def test_a_full_disk_parks_nothing(store: EvidenceStore, path: Path) -> None:
    """A question that cannot be written raises, and leaves no half of it (R8)."""
    pages = await store._do(lambda db: db.execute("PRAGMA page_count").fetchone()[0])
    await store._do(lambda db: db.execute(f"PRAGMA max_page_count={pages}").fetchone())
    long = pending(asking(reason="x" * 400, model_candidate={"y" * 90: ["z" * 400] * 49}))
    with pytest.raises(sqlite3.OperationalError, match="full"):
        await store.park(long)
    assert rows(path) == []
    assert rows(path, "SELECT * FROM open") == []
