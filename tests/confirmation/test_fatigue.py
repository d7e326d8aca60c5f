"""How long a caller rests with what came to nothing (R9)."""

import pytest

from custom_components.edgehome.confirmation.fatigue import Fatigue
from custom_components.edgehome.confirmation.pending import State

OPEN, CLOSE = ("open cover.a",), ("close cover.a",)
NO, SILENCE, BACK = State.REJECTED, State.EXPIRED, State.CANCELLED


@pytest.mark.parametrize(
    ("ends", "at", "seconds"),
    [
        pytest.param([], 0, 0, id="nothing"),
        pytest.param([(0, NO)], 0, 60, id="a no"),
        pytest.param([(0, NO)], 59, 1, id="almost over"),
        pytest.param([(0, NO)], 60, 0, id="over"),
        pytest.param([(0, NO)], 10**9, 0, id="long over"),
        pytest.param([(0, SILENCE)], 0, 10, id="silence"),
        pytest.param([(0, BACK)], 0, 10, id="taken back"),
        pytest.param([(0, State.EXECUTED)], 0, 0, id="done"),
        pytest.param([(0, State.SUPERSEDED)], 0, 0, id="the house changed"),
        pytest.param([(0, NO), (5, SILENCE)], 5, 55, id="the longer rest counts"),
        pytest.param([(0, NO), (61, NO)], 61, 60, id="a second no"),
        pytest.param([(0, NO), (61, NO), (122, NO)], 122, 3600, id="the third no"),
        pytest.param([(0, NO), (61, NO), (3599, NO)], 3599, 3600, id="the third just within the hour"),
        pytest.param([(0, NO), (61, NO), (3600, NO)], 3600, 60, id="the first is forgotten"),
        pytest.param([(0, NO), (61, SILENCE), (72, NO)], 72, 60, id="silence is no no"),
        pytest.param([(0, SILENCE), (11, SILENCE), (22, SILENCE)], 22, 10, id="three times silence"),
        pytest.param([(0, NO), (61, NO), (122, NO), (3723, NO)], 3723, 60, id="after the long rest"),
    ],
)
def test_seconds(ends: list[tuple[float, State]], at: float, seconds: int) -> None:
    """Seconds until the same may be asked about again."""
    fatigue = Fatigue()
    for when, end in ends:
        fatigue.remember("hermes", OPEN, end, when)
    assert fatigue.seconds("hermes", OPEN, at) == seconds


@pytest.mark.parametrize(
    ("principal", "deeds", "seconds"),
    [
        pytest.param("hermes", OPEN, 60, id="the same"),
        pytest.param("zeus", OPEN, 0, id="another caller"),
        pytest.param("hermes", CLOSE, 0, id="another deed"),
        pytest.param("hermes", (*CLOSE, *OPEN), 60, id="together with another deed"),
        pytest.param("hermes", (), 0, id="no deed"),
    ],
)
def test_whose(principal: str, deeds: tuple[str, ...], seconds: int) -> None:
    """A caller rests with that deed, whatever comes along with it."""
    fatigue = Fatigue()
    fatigue.remember("hermes", OPEN, NO, 0)
    assert fatigue.seconds(principal, deeds, 0) == seconds
