"""What becomes of devices after the answer, in the evidence file (R11)."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from custom_components.edgehome.endings import executed
from custom_components.edgehome.evidence.store import EvidenceStore
from custom_components.edgehome.plan import ActionResult, ExecutionResult, Verification
from custom_components.edgehome.trace import PipelineTrace
from tests.evidence.test_store import reopened, rows
from tests.made_traces import asking, started

FIRST = Verification.VERIFIED, Verification.MOVING, Verification.WAITING


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


def ended(*verifications: Verification) -> PipelineTrace:
    """A request whose devices did this."""
    results = tuple(
        ActionResult(entity_id=f"light.{number}", done=True, verification=one, state="on")
        for number, one in enumerate(verifications)
    )
    return executed(started(asking(request_id="r1")), ExecutionResult(results=results))


async def said(store: EvidenceStore) -> tuple[object, ...]:
    """What the trace says of each device, and whether that is the last word."""
    found = await store.trace("01TEST")
    assert found is not None
    result = found.answer()["result"]
    assert isinstance(result, dict)
    return (*(action["verification"] for action in result["actions"]), result["final"])


async def test_the_end_stands_beside_the_answer(store: EvidenceStore, path: Path) -> None:
    """Rows are only added; who asks gets the last word, also by the request's own id."""
    await store.intent(started(asking(request_id="r1")))
    store.close(ended(*FIRST))
    assert await said(store) == ("verified", "moving", "waiting", False)
    store.verify(ended(Verification.VERIFIED, Verification.VERIFIED, Verification.MISMATCH))
    assert await said(store) == ("verified", "verified", "mismatch", True)
    again = await store.find(asking("02TEST", "r1"))
    assert again is not None
    assert again.answer()["code"] == "NOT_FOLLOWED"
    await store.close_store()
    assert rows(path) == [("01TEST", "intent"), ("01TEST", "outcome"), ("01TEST", "verified")]
    assert rows(path, "SELECT * FROM open") == []


async def test_stopped_meanwhile(path: Path) -> None:
    """Nobody looked to the end: what was open is unknown, once; what was verified stays so."""
    store, _ = await reopened(path)
    await store.intent(started(asking(request_id="r1")))
    store.close(ended(*FIRST))
    await store.close_store()
    for _ in range(2):
        store, waited = await reopened(path)
        assert waited == ()
        assert await said(store) == ("verified", "unknown", "unknown", True)
        await store.close_store()
    assert [kind for _, kind in rows(path)] == ["intent", "outcome", "verified"]


async def test_what_is_final_is_left_alone(path: Path) -> None:
    """An end is not opened again."""
    store, _ = await reopened(path)
    await store.intent(started(asking(request_id="r1")))
    store.close(ended(Verification.UNVERIFIED))
    await store.close_store()
    store, _ = await reopened(path)
    assert await said(store) == ("unverified", True)
    await store.close_store()
    assert [kind for _, kind in rows(path)] == ["intent", "outcome"]


@pytest.mark.parametrize(
    ("verification", "told"),
    [
        pytest.param(Verification.VERIFIED, 0, id="as it was told"),
        pytest.param(Verification.UNVERIFIED, 0, id="nothing is known"),
        pytest.param(Verification.MISMATCH, 1, id="something else"),
    ],
)
async def test_news(store: EvidenceStore, verification: Verification, told: int) -> None:
    """An owner is told when a device did not do what was said."""
    news: list[PipelineTrace] = []
    store.announce = news.append
    store.verify(replace(ended(verification), is_open=False))
    assert len(news) == told


async def test_many_devices_stopped_meanwhile(path: Path) -> None:
    """What was too long for the evidence and was cut keeps nobody from starting again."""
    for number in (100, 230, 260, 400):
        folder = path.with_name(f"{number}.db")
        store, _ = await reopened(folder)
        await store.intent(started(asking(request_id="r1")))
        store.close(ended(*[Verification.WAITING] * number))
        await store.close_store()
        store, _ = await reopened(folder)
        found = await store.trace("01TEST")
        assert found is not None
        assert "stopped" in str(found.answer()["message"])
        await store.close_store()
