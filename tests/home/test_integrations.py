"""Actions that are for the entities of some integration only: Home Assistant would skip others and report success."""

from dataclasses import replace
from unittest.mock import patch

import pytest
from homeassistant.core import HomeAssistant

from custom_components.edgehome.chain import Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import ServiceFacts
from custom_components.edgehome.gates.capability import Capability
from custom_components.edgehome.home.service_facts import service_facts
from tests.home.test_service_facts import MODULE
from tests.made_house import MadeHouse, asked, proposing

ROBOROCK, DEMO, LIGHTS = {"integration": "roborock"}, {"integration": "demo"}, {"domain": ["light"]}


@pytest.mark.parametrize(
    ("target", "integrations"),
    [
        pytest.param({"entity": [{**ROBOROCK, "domain": ["vacuum"]}]}, ("roborock",), id="one"),
        pytest.param({"entity": [ROBOROCK, DEMO]}, ("roborock", "demo"), id="either"),
        pytest.param({"entity": [ROBOROCK, LIGHTS]}, (), id="one filter names none"),
        pytest.param({"entity": [LIGHTS]}, (), id="none"),
        pytest.param({"entity": []}, (), id="no filter"),
        pytest.param({}, (), id="no entities"),
        pytest.param(None, (), id="no target"),
    ],
)
async def test_described(hass: HomeAssistant, target: object, integrations: tuple[str, ...]) -> None:
    """Those that the description names; where one filter names none, all are meant."""
    hass.services.async_register("made", "up", lambda _: None)
    with patch(f"{MODULE}.async_get_cached_service_description", return_value={"target": target}):
        facts = service_facts(hass, "made.up")
    assert facts == ServiceFacts(integrations=integrations)


@pytest.mark.parametrize(
    ("platform", "integrations", "able"),
    [
        pytest.param("demo", (), True, id="for all"),
        pytest.param("demo", ("demo",), True, id="its own"),
        pytest.param("demo", ("roborock", "demo"), True, id="its own among others"),
        pytest.param("demo", ("roborock",), False, id="another"),
        pytest.param("", ("roborock",), False, id="nobody knows whose it is"),
    ],
)
def test_gate(platform: str, integrations: tuple[str, ...], able: bool) -> None:
    """An entity of another integration is refused, and told what it can do."""
    made = MadeHouse().add("vacuum.robot", "Robot", "docked", supported_features=0x7FFF)
    made.devices["vacuum.robot"] = replace(made.devices["vacuum.robot"], platform=platform)
    made.services["vacuum.start"] = ServiceFacts(integrations=integrations)
    step, _ = asked(Capability, made, proposing("start", device_alias="Robot"))
    assert (step.code if isinstance(step, Refuse) else None) is (None if able else Code.UNSUPPORTED_OPERATION)
