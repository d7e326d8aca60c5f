"""A call in Home Assistant's words becomes the same action as a proposal in the catalogue's, or is refused (R4, R6)."""

from typing import Any

import pytest

from custom_components.edgehome.catalogue import OPERATIONS
from custom_components.edgehome.chain import Pass, Ready, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import Makeup
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.gates.capability import Capability
from custom_components.edgehome.judge import judge
from custom_components.edgehome.plan import GatedCommand
from tests.made_devices import DEVICES, fitted, house_of_all
from tests.made_house import MadeHouse, asked, request

ENTITY = {entity_id.partition(".")[2]: entity_id for entity_id in DEVICES}


def call(service: str, name: str, data: dict[str, Any]) -> dict[str, Any]:
    """The call as agents who speak Home Assistant send it."""
    return {"service_call": {"service": service, "target": {"entity_id": ENTITY[name]}, "data": data}}


def acted(payload: dict[str, Any], house: MadeHouse | None = None) -> GatedCommand:
    """The action that a payload becomes."""
    step, _ = asked(Capability, house or house_of_all(), payload)
    assert isinstance(step, Pass), step
    (action,) = step.context.actions
    return action


def told(payload: dict[str, Any]) -> Refuse:
    """The refusal of a payload, whichever gate gives it."""
    step = judge(request(payload), Facts(house_of_all())).step
    assert isinstance(step, Refuse), step
    return step


SAME: list[tuple[str, dict[str, Any], tuple[str, dict[str, Any]]]] = [
    ("light.turn_on", {}, ("turn_on", {})),
    ("light.turn_on", {"brightness_pct": 80}, ("turn_on", {"brightness": 80})),
    ("light.turn_on", {"brightness": 204}, ("turn_on", {"brightness": 80})),
    ("light.turn_on", {"brightness": 255}, ("turn_on", {"brightness": 100})),
    ("light.turn_on", {"color_name": "red"}, ("turn_on", {"color": "red"})),
    ("light.turn_on", {"color_temp_kelvin": 2700}, ("turn_on", {"color_temperature": 2700})),
    ("light.turn_on", {"color_temp_kelvin": 2700, "brightness_pct": 5}, ("turn_on", {"color_temperature": 2700, "brightness": 5})),
    ("light.turn_off", {}, ("turn_off", {})),
    ("light.turn_off", {"transition": 3}, ("turn_off", {"transition": 3})),
    ("light.turn_on", {"brightness_pct": 20, "transition": 3}, ("turn_on", {"brightness": 20, "transition": 3})),
    ("light.toggle", {}, ("toggle", {})),
    ("switch.turn_on", {}, ("turn_on", {})),
    ("switch.turn_off", {}, ("turn_off", {})),
    ("switch.toggle", {}, ("toggle", {})),
    ("input_boolean.turn_on", {}, ("turn_on", {})),
    ("input_boolean.turn_off", {}, ("turn_off", {})),
    ("input_boolean.toggle", {}, ("toggle", {})),
    ("fan.turn_on", {}, ("turn_on", {})),
    ("fan.turn_on", {"percentage": 67, "preset_mode": "eco"}, ("turn_on", {"speed": 67, "preset": "eco"})),
    ("fan.turn_off", {}, ("turn_off", {})),
    ("fan.toggle", {}, ("toggle", {})),
    ("media_player.volume_up", {}, ("set_volume", {"volume_step": 10})),
    ("media_player.volume_down", {}, ("set_volume", {"volume_step": -10})),
    ("fan.set_percentage", {"percentage": 33}, ("set_speed", {"speed": 33})),
    ("fan.set_preset_mode", {"preset_mode": "eco"}, ("set_preset", {"preset": "eco"})),
    ("fan.oscillate", {"oscillating": True}, ("oscillate", {"value": True})),
    ("fan.set_direction", {"direction": "reverse"}, ("set_direction", {"option": "reverse"})),
    ("cover.open_cover", {}, ("open", {})),
    ("cover.close_cover", {}, ("close", {})),
    ("cover.toggle", {}, ("toggle", {})),
    ("cover.stop_cover", {}, ("stop", {})),
    ("cover.set_cover_position", {"position": 30}, ("set_position", {"position": 30})),
    ("cover.set_cover_tilt_position", {"tilt_position": 30}, ("set_tilt", {"tilt": 30})),
    ("valve.open_valve", {}, ("open", {})),
    ("valve.close_valve", {}, ("close", {})),
    ("valve.toggle", {}, ("toggle", {})),
    ("valve.stop_valve", {}, ("stop", {})),
    ("valve.set_valve_position", {"position": 0}, ("set_position", {"position": 0})),
    ("lock.lock", {}, ("lock", {})),
    ("lock.unlock", {}, ("unlock", {})),
    ("lock.open", {}, ("open", {})),
    ("climate.set_temperature", {"temperature": 21.5}, ("set_temperature", {"temperature": 21.5})),
    ("climate.set_temperature", {"target_temp_low": 18, "target_temp_high": 22}, ("set_temperature", {"temperature_low": 18, "temperature_high": 22})),
    ("climate.set_hvac_mode", {"hvac_mode": "off"}, ("set_mode", {"mode": "off"})),
    ("climate.set_fan_mode", {"fan_mode": "low"}, ("set_fan_mode", {"mode": "low"})),
    ("climate.set_swing_mode", {"swing_mode": "on"}, ("set_swing_mode", {"mode": "on"})),
    ("climate.set_preset_mode", {"preset_mode": "away"}, ("set_preset", {"preset": "away"})),
    ("climate.set_humidity", {"humidity": 50}, ("set_humidity", {"humidity": 50})),
    ("climate.turn_on", {}, ("turn_on", {})),
    ("climate.turn_off", {}, ("turn_off", {})),
    ("climate.toggle", {}, ("toggle", {})),
    ("water_heater.set_temperature", {"temperature": 55}, ("set_temperature", {"temperature": 55})),
    ("water_heater.set_operation_mode", {"operation_mode": "eco"}, ("set_mode", {"mode": "eco"})),
    ("water_heater.turn_on", {}, ("turn_on", {})),
    ("water_heater.turn_off", {}, ("turn_off", {})),
    ("humidifier.turn_on", {}, ("turn_on", {})),
    ("humidifier.turn_off", {}, ("turn_off", {})),
    ("humidifier.toggle", {}, ("toggle", {})),
    ("humidifier.set_humidity", {"humidity": 50}, ("set_humidity", {"humidity": 50})),
    ("humidifier.set_mode", {"mode": "auto"}, ("set_mode", {"mode": "auto"})),
    ("media_player.turn_on", {}, ("turn_on", {})),
    ("media_player.turn_off", {}, ("turn_off", {})),
    ("media_player.toggle", {}, ("toggle", {})),
    ("media_player.media_play", {}, ("play", {})),
    ("media_player.media_pause", {}, ("pause", {})),
    ("media_player.media_stop", {}, ("stop", {})),
    ("media_player.media_next_track", {}, ("next", {})),
    ("media_player.media_previous_track", {}, ("previous", {})),
    ("media_player.volume_set", {"volume_level": 0.57}, ("set_volume", {"volume": 57})),
    ("media_player.volume_set", {"volume_level": 1}, ("set_volume", {"volume": 100})),
    ("media_player.volume_set", {"volume_level": 0}, ("set_volume", {"volume": 0})),
    ("media_player.volume_mute", {"is_volume_muted": False}, ("mute", {"value": False})),
    ("media_player.shuffle_set", {"shuffle": True}, ("shuffle", {"value": True})),
    ("media_player.select_source", {"source": "TV"}, ("select_source", {"source": "TV"})),
    ("media_player.select_sound_mode", {"sound_mode": "movie"}, ("set_mode", {"mode": "movie"})),
    ("vacuum.start", {}, ("start", {})),
    ("vacuum.pause", {}, ("pause", {})),
    ("vacuum.stop", {}, ("stop", {})),
    ("vacuum.return_to_base", {}, ("dock", {})),
    ("vacuum.locate", {}, ("locate", {})),
    ("vacuum.set_fan_speed", {"fan_speed": "max"}, ("set_fan_mode", {"mode": "max"})),
    ("lawn_mower.start_mowing", {}, ("start", {})),
    ("lawn_mower.pause", {}, ("pause", {})),
    ("lawn_mower.dock", {}, ("dock", {})),
    ("lawn_mower.stop", {}, ("stop", {})),
    ("alarm_control_panel.alarm_arm_home", {}, ("arm_home", {})),
    ("alarm_control_panel.alarm_arm_away", {}, ("arm_away", {})),
    ("alarm_control_panel.alarm_arm_night", {}, ("arm_night", {})),
    ("alarm_control_panel.alarm_disarm", {}, ("disarm", {})),
    ("siren.turn_on", {"tone": "bell", "volume_level": 0.4}, ("turn_on", {"option": "bell", "volume": 40})),
    ("siren.turn_off", {}, ("turn_off", {})),
    ("siren.toggle", {}, ("toggle", {})),
    ("remote.turn_on", {"activity": "TV"}, ("turn_on", {"option": "TV"})),
    ("remote.turn_off", {}, ("turn_off", {})),
    ("remote.toggle", {}, ("toggle", {})),
    ("scene.turn_on", {}, ("activate", {})),
    ("script.turn_on", {}, ("run", {})),
    ("script.turn_off", {}, ("stop", {})),
    ("button.press", {}, ("press", {})),
    ("input_button.press", {}, ("press", {})),
    ("number.set_value", {"value": 12.5}, ("set_value", {"value": 12.5})),
    ("input_number.set_value", {"value": -4}, ("set_value", {"value": -4})),
    ("counter.set_value", {"value": 7}, ("set_value", {"value": 7})),
    ("select.select_option", {"option": "cotton"}, ("select_option", {"option": "cotton"})),
    ("input_select.select_option", {"option": "day"}, ("select_option", {"option": "day"})),
    ("text.set_value", {"value": "new"}, ("set_value", {"value": "new"})),
    ("input_text.set_value", {"value": "new"}, ("set_value", {"value": "new"})),
    ("timer.start", {}, ("start", {})),
    ("timer.pause", {}, ("pause", {})),
    ("timer.cancel", {}, ("stop", {})),
    ("todo.add_item", {"item": "Milk"}, ("add_item", {"message": "Milk"})),
    ("notify.send_message", {"message": "Dinner"}, ("announce", {"message": "Dinner"})),
    ("assist_satellite.announce", {"message": "Dinner"}, ("announce", {"message": "Dinner"})),
    ("update.install", {}, ("install", {})),
    ("camera.turn_on", {}, ("turn_on", {})),
    ("camera.turn_off", {}, ("turn_off", {})),
    ("light.turn_on", {"rgb_color": [255, 0, 0]}, ("turn_on", {"color": [255, 0, 0]})),
    ("light.turn_on", {"brightness_step_pct": 10}, ("set_brightness", {"brightness_step": 10})),
    ("light.turn_on", {"brightness_step": -51}, ("set_brightness", {"brightness_step": -20})),
    ("media_player.play_media", {"media_content_id": "x"}, ("play_media", {"media": "x"})),
    ("media_player.play_media", {"media_content_id": "x", "media_content_type": "url"}, ("play_media", {"media": "x", "option": "url"})),
    ("date.set_value", {"date": "2026-12-24"}, ("set_value", {"value": "2026-12-24"})),
    ("time.set_value", {"time": "07:30:00"}, ("set_value", {"value": "07:30"})),
    ("datetime.set_value", {"datetime": "2026-12-24 07:30:00"}, ("set_value", {"value": "2026-12-24T07:30"})),
    ("input_datetime.set_datetime", {"time": "07:30:00"}, ("set_value", {"value": "07:30"})),
]  # fmt: skip
"""Service, data, and the intent and values that mean the same."""


@pytest.mark.parametrize(
    ("service", "data", "meant"),
    [pytest.param(*case, id=f"{case[0]} {case[1]}") for case in SAME],
)
def test_same_action(service: str, data: dict[str, Any], meant: tuple[str, dict[str, Any]]) -> None:
    """A call and the proposal that means the same are one action: same names, risk, data and expectation."""
    domain, (intent, params) = service.partition(".")[0], meant
    name = next(name for name, entity_id in ENTITY.items() if entity_id.startswith(f"{domain}."))
    made, wanted = acted(call(service, name, data)), fitted(intent, name, params)
    assert made.service == wanted.service
    assert (made.operations, made.risk, made.effect) == (wanted.operations, wanted.risk, wanted.effect)
    assert (made.data, made.expect) == (wanted.data, wanted.expect)


def test_every_service_is_tried() -> None:
    """The table above leaves no service of the catalogue out."""
    tried = {service for service, *_ in SAME}
    assert {row.service for row in OPERATIONS if row.service} == {
        item for item in tried if not item.endswith((".toggle", ".volume_up", ".volume_down"))
    }


@pytest.mark.parametrize("brightness", [3, 51, 100, 128, 200, 254])
def test_brightness_comes_back_the_same(brightness: int) -> None:
    """What is sent as 0-255 arrives at Home Assistant as just that."""
    percent = acted(call("light.turn_on", "lamp", {"brightness": brightness})).data["brightness_pct"]
    assert isinstance(percent, int | float)
    assert round(255 * percent / 100) == brightness


@pytest.mark.parametrize("brightness", [1, 2])
def test_less_than_one_percent(brightness: int) -> None:
    """It is refused, and the repair is in Home Assistant's unit and works to the letter."""
    refusal = told(call("light.turn_on", "lamp", {"brightness": brightness}))
    assert (refusal.code, refusal.field) == (Code.OUT_OF_RANGE, "service_call.data.brightness")
    assert refusal.hint == "Send 0 or at least 2.55."
    assert acted(call("light.turn_on", "lamp", {"brightness": 2.55})).data == {"brightness_pct": 1}


@pytest.mark.parametrize(
    ("call", "code"),
    [
        pytest.param({"service": "script.good_night"}, None, id="by its own name"),
        pytest.param({"action": "script.good_night"}, None, id="as an action"),
        pytest.param({"domain": "script", "service": "good_night"}, None, id="in two parts"),
        pytest.param({"service": "script.bad_night"}, Code.ENTITY_NOT_FOUND, id="no such script"),
        pytest.param(
            {"service": "script.good_night", "data": {"door": "lock.front"}},
            Code.SERVICE_NOT_FOUND,
            id="with variables",
        ),
        pytest.param(
            {"service": "script.good_night", "target": {"entity_id": "lock.front"}},
            Code.SERVICE_NOT_FOUND,
            id="with a target",
        ),
        pytest.param({"service": "script.reload"}, Code.SERVICE_NOT_FOUND, id="an action of all scripts"),
    ],
)
def test_a_script_by_its_own_name(call: dict[str, Any], code: Code | None) -> None:
    """A script is run as Home Assistant's own users call it; what is handed to it would be done unseen."""
    made = MadeHouse().add("script.good_night", "Good night").add("lock.front", "Front", "locked")
    made.makeups["script.good_night"] = Makeup(kind="script", deeds={"run": ()})
    step = judge(request({"service_call": call}), Facts(made)).step
    if code is None:
        assert isinstance(step, Ready)
        assert [action.payload for action in step.plan.actions] == [{"entity_id": ["script.good_night"]}]
        return
    assert isinstance(step, Refuse)
    assert step.code is code
