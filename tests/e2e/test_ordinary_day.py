"""An ordinary day under *strict*: what is harmless passes unasked and is right, what is serious is asked or refused."""

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.house.broker import need_broker
from tests.house.ordinary_day import AIM, DAY, everyday, failed, serious, share
from tests.house.ordinary_home import ordinary_home
from tests.house.ordinary_run import Ran, a_day
from tests.house.ordinary_words import Verdict

pytestmark = pytest.mark.e2e

PRESET = "strict"
HARMLESS = 2
"""The highest risk that passes unasked."""


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ran, ...]]:
    """The whole day; EdgeHome must have logged no complaint at its end."""
    need_broker()
    with ordinary_home(tmp_path_factory.mktemp("day"), preset=PRESET) as home, a_day(home, PRESET) as running:
        yield tuple(running.run(DAY))
        home.process.stop()
        assert home.process.complaints() == []


def test_it_is_a_day() -> None:
    """There are enough requests of each kind, in the order of the clock, each with a name of its own."""
    assert len({ask.id for ask in DAY}) == len(DAY) >= 200
    assert [ask.at for ask in DAY] == sorted(ask.at for ask in DAY)
    verdicts = Counter(ask.verdict for ask in DAY)
    assert verdicts[Verdict.ASKED] >= 12
    assert verdicts[Verdict.REFUSED] >= 3
    forms = Counter(form for ask in DAY for form in ask.sends)
    assert min(forms[form] for form in ("model_candidate", "service_call", "commands")) >= 8


def test_everyday_requests_pass_unasked_and_are_right(day: tuple[Ran, ...]) -> None:
    """Hardly one is asked about or refused, and the devices are as they must be."""
    assert share(day) >= AIM, [ran.line() for ran in failed(everyday(day))]


def test_what_passes_unasked_is_harmless(day: tuple[Ran, ...]) -> None:
    """Nothing of a risk above 2 passed unasked."""
    assert [ran.line() for ran in day if ran.verdict is Verdict.UNASKED and ran.risk > HARMLESS] == []


def test_nothing_harmless_is_among_the_serious(day: tuple[Ran, ...]) -> None:
    """What is counted apart is of risk 3 and more."""
    assert [ran.line() for ran in serious(day) if ran.risk <= HARMLESS] == []


@pytest.mark.parametrize("ask_id", [ask.id for ask in DAY if ask.verdict is not Verdict.UNASKED])
def test_serious_requests(day: tuple[Ran, ...], ask_id: str) -> None:
    """A person is asked and the deed is done after the yes; or it is refused and nothing happens."""
    ran = next(ran for ran in day if ran.ask.id == ask_id)
    assert not ran.wrong, ran.line()
