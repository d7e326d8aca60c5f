"""What is true after Home Assistant died while EdgeHome was executing (R8, R11, R13)."""

import sqlite3
import threading
import time
from pathlib import Path

import pytest
import requests

from tests.house.demo_home import DemoHome

pytestmark = pytest.mark.e2e

SWITCH_ON = {"intent": "turn_on", "device_alias": "Slow Lamp"}
PATIENCE = 15


def calls(home: DemoHome) -> list[str]:
    """The calls that reached the slow lamp: it writes each down itself."""
    path = home.process.folder / "slow_light.calls"
    return path.read_text().split() if path.exists() else []


def rows(folder: Path) -> list[tuple[str, str]]:
    """Trace ids and kinds in the evidence file, read past EdgeHome."""
    database = sqlite3.connect(f"file:{folder / 'edgehome' / 'evidence.db'}?mode=ro", uri=True)
    with database:
        return database.execute("SELECT trace_id, kind FROM log ORDER BY seq").fetchall()


def test_killed_while_executing(own_home: DemoHome) -> None:
    """The intent was durable before the lamp was called; after the start it is unknown, and nothing is done again."""
    agent, _ = own_home.add_agent("Hermes")
    # Home Assistant keeps new users in memory for its first minutes; the power cut comes later than that.
    own_home.process.stop()
    own_home.process.start()
    own_home.wait_until_running()

    def send() -> None:
        with pytest.raises(requests.RequestException):
            agent.execute(SWITCH_ON, request_id="power-cut")

    sending = threading.Thread(target=send)
    sending.start()
    deadline = time.monotonic() + PATIENCE
    while not calls(own_home) and time.monotonic() < deadline:
        time.sleep(0.02)
    own_home.process.kill()
    sending.join()
    assert calls(own_home) == ["on"]
    assert [kind for _, kind in rows(own_home.process.folder)] == ["intent"]

    own_home.process.start()
    own_home.wait_until_running()
    again = agent.execute(SWITCH_ON, request_id="power-cut")
    assert (again["outcome"], again["code"]) == ("unknown", "INTERRUPTED")
    assert "status" in again["hint"]
    trace = agent.edgehome("get_trace", trace_id=again["trace_id"])
    assert (trace["outcome"], trace["plan"]["actions"][0]["entity_id"]) == ("unknown", "light.slow_lamp")
    assert calls(own_home) == ["on"]
    assert [kind for _, kind in rows(own_home.process.folder)] == ["intent", "outcome"]


def test_stopped_while_executing(own_home: DemoHome) -> None:
    """An ordinary stop says the same, and at once."""
    agent, _ = own_home.add_agent("Hermes")
    sending = threading.Thread(target=lambda: agent.request(
        "POST", "/api/services/edgehome/execute?return_response",
        {"model_candidate": SWITCH_ON, "request_id": "stop"},
    ))  # fmt: skip
    sending.start()
    deadline = time.monotonic() + PATIENCE
    while not calls(own_home) and time.monotonic() < deadline:
        time.sleep(0.02)
    own_home.process.stop()
    sending.join()
    assert [kind for _, kind in rows(own_home.process.folder)] == ["intent", "outcome"]

    own_home.process.start()
    own_home.wait_until_running()
    again = agent.execute(SWITCH_ON, request_id="stop")
    assert (again["outcome"], again["code"]) == ("unknown", "INTERRUPTED")
    assert calls(own_home) == ["on"]
