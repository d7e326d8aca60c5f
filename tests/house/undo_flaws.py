"""What undo is known to do wrong, each the shortest way to see it: a case fails as long as it is so."""

from collections.abc import Callable
from functools import partial

from .home_plan import Follow
from .undo_home import give_code
from .undo_known import AUTOMATION, DRIFT, FULLY_OPEN, HIDDEN, NO_CODE, NO_OFF, PAUSED, SPEED, WHITE
from .undo_scene import Scene
from .wiring import CODE

DONE = ("executed", "confirmed")


def check(home: Scene, entity_id: str, intent: str, *, arrives: bool = False, **params: object) -> None:
    """A deed is taken back exactly; or its plan says that it cannot be, and undo refuses."""
    before = home.looks()
    sent = home.execute(intent, device_alias=entity_id, params=params)
    assert sent["outcome"] in {*DONE, "partial"}, sent
    if arrives:
        home.arrive(entity_id)
    answer = home.undo(trace_id=sent["trace_id"])
    if any(action["undoable"] for action in sent["plan"]["actions"]):
        assert answer["outcome"] in DONE, answer
        assert answer["left_out"] == []
        assert home.differs(before, entity_id) == {}
    else:
        assert (answer["outcome"], answer["code"]) == ("blocked", "NOTHING_TO_UNDO")


def _a_machine(home: Scene) -> None:
    robots = home.home.plan.of("vacuum", follow=Follow.AT_ONCE)
    robot = next(one.entity_id for one in robots if "pause" in str(one.config["supported_features"]))
    home.act("vacuum.start", robot)
    home.act("vacuum.pause", robot)
    check(home, robot, "dock", arrives=True)


def _an_old_group(home: Scene) -> None:
    (group,) = home.home.plan.of("group")
    home.act("light.turn_off", group.members[0])
    home.hide(group.members[0], hidden=True)
    try:
        check(home, group.entity_id, "turn_on")
    finally:
        home.hide(group.members[0], hidden=False)


def _an_alarm(home: Scene) -> None:
    alarms = home.home.plan.of("alarm_control_panel", follow=Follow.AT_ONCE)
    alarm = next(one.entity_id for one in alarms if one.config.get("code") and not one.config["code_arm_required"])
    home.act("alarm_control_panel.alarm_disarm", alarm, code=CODE)
    give_code(home.home, alarm, None)
    try:
        check(home, alarm, "arm_away")
    finally:
        give_code(home.home, alarm)
        home.act("alarm_control_panel.alarm_disarm", alarm, code=CODE)


def _a_boiler(home: Scene) -> None:
    boilers = home.home.plan.of("water_heater", follow=Follow.AT_ONCE)
    boiler = next(one.entity_id for one in boilers if "power_command_topic" not in one.config)
    home.act("water_heater.set_operation_mode", boiler, operation_mode="off")
    check(home, boiler, "set_mode", mode="eco")


def _a_valve(home: Scene) -> None:
    valve = home.of("valve", reports_position=True).entity_id
    home.act("valve.set_valve_position", valve, position=100)
    check(home, valve, "set_position", position=60)


def _a_fan(home: Scene, *, on: bool) -> None:
    fan = home.of("fan", "preset_mode_command_topic", "percentage_command_topic").entity_id
    home.act("fan.turn_on", fan)
    home.act("fan.set_percentage", fan, percentage=40)
    home.act("fan.set_preset_mode", fan, preset_mode="auto")
    if not on:
        home.act("fan.turn_off", fan)
    check(home, fan, "set_speed", speed=70)


def _a_lamp(home: Scene, mode: str, **color: object) -> None:
    lamp = home.of("light", supported_color_modes=["color_temp", mode]).entity_id
    home.act("light.turn_on", lamp, brightness=200, **color)
    check(home, lamp, "turn_off")


def _an_automation(home: Scene) -> None:
    (automation,) = home.home.plan.of("automation")
    request, door = automation.members
    home.act("input_boolean.turn_off", request)
    home.act("cover.close_cover", door)
    check(home, request, "turn_on")


FLAWS: dict[str, Callable[[Scene], None]] = {
    PAUSED: _a_machine,
    HIDDEN: _an_old_group,
    NO_CODE: _an_alarm,
    NO_OFF: _a_boiler,
    FULLY_OPEN: _a_valve,
    f"{SPEED}: preset": partial(_a_fan, on=True),
    f"{SPEED}: off": partial(_a_fan, on=False),
    WHITE: partial(_a_lamp, mode="rgbw", rgbw_color=[59, 122, 211, 30]),
    AUTOMATION: _an_automation,
    DRIFT: partial(_a_lamp, mode="xy", rgb_color=[0, 0, 255]),
}
"""The cases, by what is wrong."""
