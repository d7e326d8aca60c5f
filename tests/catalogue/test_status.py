"""``status``: what a reader gets to know."""

import pytest

from custom_components.edgehome.catalogue.status import readable, trust
from custom_components.edgehome.devices import DeviceState, Liveness, Source


@pytest.mark.parametrize(
    ("entity_id", "attributes", "read"),
    [
        pytest.param(
            "light.a", {"brightness": 255, "color_mode": "hs"}, {"brightness": 100, "color_mode": "hs"}, id="l"
        ),
        pytest.param("light.a", {"brightness": None}, {}, id="a lamp that is off"),
        pytest.param("light.a", {"brightness": 1}, {"brightness": 0}, id="the least light"),
        pytest.param("cover.a", {"current_position": 0}, {"current_position": 0}, id="a closed cover"),
        pytest.param(
            "climate.a",
            {"current_temperature": 19.5, "temperature": 21, "hvac_action": "heating", "min_temp": 7},
            {"current_temperature": 19.5, "temperature": 21, "hvac_action": "heating"},
            id="thermostat",
        ),
        pytest.param(
            "sensor.a",
            {"unit_of_measurement": "W", "device_class": "power", "host": "10.0.0.5"},
            {"unit_of_measurement": "W", "device_class": "power"},
            id="sensor",
        ),
        pytest.param("lock.a", {"code_format": "^\\d{4}$", "changed_by": "Code 3"}, {}, id="lock"),
        pytest.param(
            "camera.a",
            {"access_token": "abc", "entity_picture": "/api/camera_proxy/camera.a?token=abc"},
            {},
            id="camera",
        ),
        pytest.param("alarm_control_panel.a", {"code_arm_required": True, "changed_by": "x"}, {}, id="alarm"),
        pytest.param("person.a", {"latitude": 52.1, "longitude": 4.3, "user_id": "u1"}, {}, id="person"),
        pytest.param("media_player.a", {"entity_picture": "/x?token=abc", "source": "TV"}, {"source": "TV"}, id="tv"),
        pytest.param("sun.sun", {"next_rising": "x", "elevation": 3}, {"next_rising": "x"}, id="sun"),
        pytest.param("light.a", {"friendly_name": "x", "supported_features": 1}, {}, id="nothing of interest"),
    ],
)
def test_only_what_is_listed(entity_id: str, attributes: dict[str, object], read: dict[str, object]) -> None:
    """Only listed attributes leave the house; no token, no code, no place (R12)."""
    state = DeviceState(state="x", attributes=attributes)
    assert readable(entity_id, "Thing", state, Liveness(age=61.4)) == {
        "entity_id": entity_id,
        "name": "Thing",
        "state": "x",
        "attributes": read,
        "liveness": "current",
        "reported": 61,
    }


@pytest.mark.parametrize(
    ("state", "liveness", "told"),
    [
        pytest.param(DeviceState(state="on"), Liveness(age=300_000), "current", id="pushed three days ago"),
        pytest.param(DeviceState(state="on"), Liveness(failing=True), "stale", id="the fetch fails"),
        pytest.param(DeviceState(state="on"), Liveness(failing=True, fetched=False), "stale", id="asked in vain"),
        pytest.param(DeviceState(state="on"), Liveness(restored=True), "stale", id="from before the start"),
        pytest.param(DeviceState(state="on"), Liveness(source=Source.NOBODY), "unbacked", id="written by hand"),
        pytest.param(DeviceState(state="on", attributes={"assumed_state": True}), Liveness(), "assumed", id="guessed"),
        pytest.param(DeviceState(state="unknown"), Liveness(), "unknown", id="unknown"),
        pytest.param(DeviceState(state="unavailable"), Liveness(failing=True), "unavailable", id="unavailable"),
    ],
)
def test_trust(state: DeviceState, liveness: Liveness, told: str) -> None:
    """How far a state can be believed is said with it."""
    assert trust(state, liveness) == told
