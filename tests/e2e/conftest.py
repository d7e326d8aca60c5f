"""Real Home Assistant processes for the end-to-end tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.client import Client
from tests.house.demo_home import DemoHome
from tests.house.process import HomeAssistantProcess

RELEASES = ("2026.10.4", "2026.11.0")


@pytest.fixture(scope="session", params=RELEASES)
def home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoHome]:
    """A demo home of each release, shared by the session; EdgeHome must have logged no complaint at its end."""
    with HomeAssistantProcess(tmp_path_factory.mktemp("home"), request.param) as process:
        yield DemoHome.start(process)
        process.stop()
        assert process.complaints() == []


@pytest.fixture(scope="session")
def agent(home: DemoHome) -> Client:
    """An agent that may do whatever the policy lets it."""
    client, _ = home.add_agent("Hermes")
    return client


@pytest.fixture(params=RELEASES)
def own_home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DemoHome]:
    """A demo home of one test alone, to be killed or emptied."""
    with HomeAssistantProcess(tmp_path, request.param) as process:
        yield DemoHome.start(process)
