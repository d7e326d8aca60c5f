"""What can be looked at from outside: devices, how requests ended, and what happened to questions."""

from typing import Any

from .client import Client
from .demo_home import DemoHome


def state(home: DemoHome, entity_id: str) -> str:
    """An entity's state, read with the owner's token."""
    found = home.owner.state(entity_id)
    assert found is not None
    return str(found["state"])


def end_of(caller: Client, answer: dict[str, Any], wait: int = 20) -> tuple[str, str]:
    """How a request ended."""
    trace = caller.edgehome("get_trace", trace_id=answer["trace_id"], wait=wait)
    return trace["outcome"], trace["code"]


def notes_of(home: DemoHome, answer: dict[str, Any]) -> list[dict[str, Any]]:
    """What happened to a question, as the owner sees it."""
    notes: list[dict[str, Any]] = home.owner.edgehome("get_trace", trace_id=answer["trace_id"])["notes"]
    return notes
