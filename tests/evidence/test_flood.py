"""Refusals without end: one row a minute says what came and how often."""

from dataclasses import replace
from datetime import timedelta

import pytest

from custom_components.edgehome.codes import Code
from custom_components.edgehome.evidence.flood import ENDLESS, Flood
from custom_components.edgehome.trace import PipelineTrace
from tests.made_house import AGENT
from tests.made_traces import OTHER, asking, done


def refusal(after: float = 0, code: Code = Code.RATE_LIMIT, caller: str = "hermes") -> PipelineTrace:
    """A refusal that came so many seconds after the first."""
    asked = asking(principal=replace(AGENT, id=caller))
    asked = replace(asked, received_at=asked.received_at + timedelta(seconds=after))
    return replace(done(asked), code=code)


@pytest.mark.parametrize("code", sorted(ENDLESS))
def test_one_row_a_minute(code: Code) -> None:
    """Of many only the first of a minute is written; the next one says how many were not."""
    flood = Flood()
    said = [flood.unwritten(refusal(after, code)) for after in (0, 1, 30, 59.9, 60, 61, 300)]
    assert said == [0, None, None, None, 3, None, 1]


@pytest.mark.parametrize("code", sorted(set(Code) - ENDLESS))
def test_everything_else_is_written(code: Code) -> None:
    """What is no endless refusal is written each time."""
    flood = Flood()
    assert [flood.unwritten(refusal(code=code)) for _ in range(3)] == [0, 0, 0]


def test_callers_and_codes_are_counted_apart() -> None:
    """One caller's flood hides neither another caller nor another reason."""
    flood = Flood()
    said = [
        flood.unwritten(refusal()),
        flood.unwritten(refusal(caller=OTHER.id)),
        flood.unwritten(refusal(code=Code.LOCKDOWN)),
        flood.unwritten(refusal()),
    ]
    assert said == [0, 0, 0, None]


def test_memory_is_bounded() -> None:
    """However many callers come, only so many are remembered."""
    flood = Flood(most=3)
    said = [flood.unwritten(refusal(caller=f"c{number}")) for number in range(10)]
    assert said == [0] * 10
    assert len(flood._last) == 3
