"""Real Home Assistant processes for the end-to-end tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.house.browser import chromium
from tests.house.client import Client
from tests.house.demo_home import DemoHome
from tests.house.odd_devices.hands import Hands
from tests.house.odd_devices.names import FOLLOWING, LIVE
from tests.house.phone import Phone
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


@pytest.fixture(params=RELEASES)
def pin_home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DemoHome]:
    """A home of one test alone whose policy wants a PIN for opening the garage."""
    with HomeAssistantProcess(tmp_path, request.param) as process:
        yield DemoHome.start(process, more="pin_policy:\n")


@pytest.fixture(scope="session", params=RELEASES)
def odd_home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoHome]:
    """A demo home with the odd devices, shared by the session; its tests reset the ones that they use."""
    with HomeAssistantProcess(tmp_path_factory.mktemp("odd_home"), request.param) as process:
        home = DemoHome.start(process, more="odd_devices:\n")
        home.expose(*LIVE, *FOLLOWING)
        yield home
        process.stop()
        assert process.complaints() == []


@pytest.fixture
def hands(odd_home: DemoHome) -> Iterator[Hands]:
    """The odd devices as they began, and how to steer them; locking is allowed, so that only the devices stand in the way."""
    odd_home.set_options("balanced")
    hands = Hands(odd_home)
    hands.begin()
    yield hands
    hands.begin()


@pytest.fixture
def stranger(odd_home: DemoHome, request: pytest.FixtureRequest) -> Client:
    """An agent of one test alone among the odd devices."""
    client, _ = odd_home.add_agent(f"Odd {request.node.name}"[:90])
    return client


@pytest.fixture(scope="session")
def people(home: DemoHome) -> tuple[Client, Client]:
    """Ada, the owner, is asked first, Ben second."""
    ben = home.add_person("Ben")
    home.add_approver("Ada", order=1)
    home.add_approver("Ben", order=2)
    return home.owner, ben


@pytest.fixture(scope="module")
def phones(
    home: DemoHome, people: tuple[Client, Client], request: pytest.FixtureRequest
) -> Iterator[tuple[Phone, Phone]]:
    """A phone of each, both on; both people are asked at once."""
    ada, ben = people
    home.set_options(escalate_after=0)
    where = f"{request.module.__name__.rpartition('.')[2]} {home.process.version}"
    with Phone(ada, f"Ada {where}") as first, Phone(ben, f"Ben {where}") as second:
        yield first, second


@pytest.fixture
def asker(home: DemoHome, request: pytest.FixtureRequest) -> Client:
    """A fresh agent for each test: rejections of one do not cool another down."""
    client, _ = home.add_agent(f"Asker {request.node.name}"[:90])
    return client


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    with chromium() as browser:
        yield browser
