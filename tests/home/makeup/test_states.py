"""What it takes to bring entities into states."""

import pytest
from homeassistant.core import State

from custom_components.edgehome.home.makeup.states import deeds_to_reach

LOCK, COVER, ALARM = "lock.door", "cover.gate", "alarm_control_panel.house"


@pytest.mark.parametrize(
    ("entity_id", "state", "verb"),
    [
        pytest.param("light.a", "on", "turn_on", id="on"),
        pytest.param("light.a", True, "turn_on", id="YAML's on"),
        pytest.param("light.a", False, "turn_off", id="YAML's off"),
        pytest.param("light.a", {"state": "off", "brightness": 3}, "turn_off", id="with values"),
        pytest.param("light.a", State("light.a", "on"), "turn_on", id="a state object"),
        pytest.param(LOCK, "unlocked", "unlock", id="unlocked"),
        pytest.param(LOCK, "unlocking", "unlock", id="unlocking"),
        pytest.param(LOCK, "locked", "lock", id="locked"),
        pytest.param(LOCK, "locking", "lock", id="locking"),
        pytest.param(LOCK, "open", "open", id="latch"),
        pytest.param(LOCK, "opening", "open", id="latch, on the way"),
        pytest.param(LOCK, "{{ x }}", "unlock", id="whatever it will be"),
        pytest.param(COVER, "open", "open", id="cover open"),
        pytest.param(COVER, "opening", "open", id="cover on the way"),
        pytest.param(COVER, "closed", "close", id="cover closed"),
        pytest.param(COVER, {"state": "closed", "current_position": 100}, "open", id="a position decides"),
        pytest.param(COVER, "{{ x }}", "open", id="a cover, whatever it will be"),
        pytest.param(ALARM, "disarmed", "disarm", id="disarmed"),
        pytest.param(ALARM, "armed_away", "arm_away", id="armed"),
        pytest.param("climate.a", "heat", "set_mode", id="a mode"),
        pytest.param("vacuum.a", "cleaning", "start", id="cleaning"),
    ],
)
def test_states(entity_id: str, state: object, verb: str) -> None:
    """The operations that bring an entity into a state hold the one that really does."""
    (deed,) = deeds_to_reach({entity_id: state})
    assert deed.entity_id == entity_id
    assert verb in deed.verbs


@pytest.mark.parametrize(
    "states",
    [
        pytest.param({"group.all": "on"}, id="a group"),
        pytest.param({"automation.x": "on"}, id="outside of the catalogue"),
        pytest.param("{{ x }}", id="a template"),
        pytest.param(None, id="nothing"),
    ],
)
def test_unread(states: object) -> None:
    """What is not known before it runs, or in no catalogue, cannot be read."""
    (deed,) = deeds_to_reach(states)
    assert deed.entity_id is None
    assert deed.why
