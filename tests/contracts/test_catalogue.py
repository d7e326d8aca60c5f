"""Every action of Home Assistant on the catalogue's domains is a row or is left out for a reason; nothing else is named."""

import pytest
from homeassistant.core import HomeAssistant

from custom_components.edgehome.catalogue import DOMAINS
from custom_components.edgehome.catalogue.left_out import LEFT_OUT
from tests.all_services import complaints, set_up_all


async def test_every_action_has_its_place(hass: HomeAssistant) -> None:
    """What this release registers is in exactly one of the two lists, and both name nothing else."""
    registered = await set_up_all(hass)
    assert len(registered) > 150
    assert complaints(registered) == []


@pytest.mark.parametrize(
    ("registered", "complaint"),
    [
        pytest.param({"light.explode"}, "in no list: light.explode", id="a new action"),
        pytest.param(set(), "not registered: lock.unlock", id="a row that is gone"),
        pytest.param(set(), "not registered: scene.apply", id="a left-out action that is gone"),
    ],
)
def test_it_would_be_told(registered: set[str], complaint: str) -> None:
    """The comparison above finds what it looks for."""
    assert complaint in complaints(registered)


@pytest.mark.parametrize("service", sorted(LEFT_OUT))
def test_left_out_for_a_reason(service: str) -> None:
    """Each has a sentence that a person and a model can read, and belongs to a domain of the catalogue."""
    assert service.partition(".")[0] in DOMAINS
    assert len(LEFT_OUT[service]) > 20
    assert LEFT_OUT[service][0].islower()
