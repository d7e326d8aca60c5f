"""The catalogue against the actions that a real Home Assistant of each release lists."""

from pathlib import Path

import pytest

from custom_components.edgehome.catalogue import DOMAINS
from tests.all_services import complaints
from tests.e2e.conftest import RELEASES
from tests.house.client import Client
from tests.house.demo_home import DemoHome, onboard
from tests.house.process import HomeAssistantProcess

pytestmark = pytest.mark.e2e

CONFIGURATION = """
homeassistant:
  name: Catalogue
  unit_system: metric
  time_zone: Europe/Berlin
  internal_url: {url}
  external_url: {url}
api:
frontend:
"""


@pytest.mark.parametrize("release", RELEASES)
def test_every_action_has_its_place(release: str, tmp_path: Path) -> None:
    """What the release registers is in exactly one of the two lists, and both name nothing else."""
    with HomeAssistantProcess(tmp_path, release) as process:
        domains = "".join(f"{domain}:\n" for domain in sorted(DOMAINS))
        process.prepare(CONFIGURATION.format(url=process.url) + domains)
        process.start()
        home = DemoHome(process, Client(process.url, onboard(process.url)))
        home.wait_until_running()
        listed = home.owner.get("/api/services")
        registered = {
            f"{item['domain']}.{name}" for item in listed if item["domain"] in DOMAINS for name in item["services"]
        }
        assert complaints(registered) == []
