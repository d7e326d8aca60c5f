"""A sample of the differential test: what Home Assistant does when its owner calls, beside what the chain says and does."""

import asyncio
from collections.abc import Iterator

import pytest

from custom_components.edgehome.catalogue import OPERATIONS
from tests.house.differential import compared
from tests.house.differential_deeds import DEEDS
from tests.house.differential_home import ProbedProcess, demo_home
from tests.house.differential_verdicts import FALSE_REFUSAL, FAULTS, FOLLOWED, REFUSED, Finding

from .conftest import RELEASES

pytestmark = pytest.mark.e2e

SHARE, SEED = 0.3, 7
MOST_FALSE_REFUSALS = 0.005


def test_every_operation_is_asked() -> None:
    """The test has its own words for each row of the catalogue, and for nothing else."""
    assert set(DEEDS) == {(row.domain, row.intent.value) for row in OPERATIONS}


@pytest.fixture(scope="module", params=RELEASES)
def findings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Finding]]:
    """What a seeded share of all probes finds in the demo home."""
    with (
        ProbedProcess(tmp_path_factory.mktemp("differential"), request.param) as process,
        demo_home(process) as home,
    ):
        yield asyncio.run(compared(home, SHARE, SEED))


def test_no_fault(findings: list[Finding]) -> None:
    """What Home Assistant refuses or ignores was refused at the right gate, and nothing counts as done that was not."""
    assert [finding.line() for finding in findings if finding.verdict in FAULTS] == []


def test_hardly_a_false_refusal(findings: list[Finding]) -> None:
    """What Home Assistant does, the chain does; each exception has an explanation."""
    refused = [finding for finding in findings if finding.verdict == FALSE_REFUSAL]
    assert [finding.line() for finding in refused if not finding.why] == []
    assert len(refused) <= MOST_FALSE_REFUSALS * len(findings), [finding.line() for finding in refused]


def test_both_sides_are_tried(findings: list[Finding]) -> None:
    """The sample has what passes and what is refused, in most domains."""
    assert {FOLLOWED, REFUSED} <= {finding.verdict for finding in findings}
    assert len({finding.domain for finding in findings}) > 25
