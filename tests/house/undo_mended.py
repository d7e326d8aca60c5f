"""What undo did wrong once: each the shortest way to see it."""

from collections.abc import Callable
from functools import partial

from .home_plan import Follow
from .undo_home import give_code
from .undo_looks import is_told
from .undo_scene import Scene
from .wiring import CODE

DONE = ("executed", "confirmed")


def check(home: Scene, entity_id: str, intent: str, *, arrives: bool = False, **params: object) -> None:
    """A deed is taken back exactly; or its plan says that it cannot be, and undo refuses."""
    before = home.looks()
    sent = home.execute(intent, device_alias=entity_id, params=params)
    if sent["outcome"] not in {*DONE, "partial"}:
        raise RuntimeError(f"not done in the first place: {sent}")
    if arrives:
        home.arrive(entity_id)
    answer = home.undo(trace_id=sent["trace_id"])
    if any(action["undoable"] for action in sent["plan"]["actions"]):
        leaves = {action["undo_leaves"] for action in sent["plan"]["actions"] if "undo_leaves" in action}
        assert answer["outcome"] in DONE, answer
        assert [item["why"] for item in answer["left_out"]] == [f"{what} does not come back" for what in leaves]
        assert {what for what in home.differs(before, entity_id).values() if not (leaves and is_told(what))} == set()
    else:
        assert (answer["outcome"], answer["code"]) == ("blocked", "NOTHING_TO_UNDO")


def _a_machine(home: Scene) -> None:
    robots = home.home.plan.of("vacuum", follow=Follow.AT_ONCE)
    robot = next(one.entity_id for one in robots if "pause" in str(one.config["supported_features"]))
    home.act("vacuum.start", robot)
    home.act("vacuum.pause", robot)
    check(home, robot, "dock", arrives=True)


def _a_member(home: Scene, put_away: Callable[..., None], **how: bool) -> None:
    """A group of relays, some of which are on already; one that is not is put away, and back in the end."""
    (group,) = (group for group in home.home.plan.of("switch", platform="group"))
    first, *others = group.members
    home.act("switch.turn_off", first)
    home.act("switch.turn_on", *others)
    put_away(home, first, **how)
    try:
        check(home, group.entity_id, "turn_on")
    finally:
        put_away(home, first, **{word: not value for word, value in how.items()})


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


def _a_group(home: Scene) -> None:
    plain = home.of("light", supported_color_modes=["onoff"]).entity_id
    dimmed = home.of("light", schema="json", brightness=True).entity_id
    form = {"name": "Both", "entities": [plain, dimmed], "hide_members": False, "all": False}
    start = {"handler": "group", "show_advanced_options": False}
    home.home.owner.flow("/api/config/config_entries/flow", start, {"next_step_id": "light"}, form)
    home.show("light.both", shown=True)
    home.act("light.turn_off", plain, dimmed)
    home.act("light.turn_on", dimmed, brightness=200)
    try:
        check(home, "light.both", "set_brightness", brightness=50)
    finally:
        home.home.owner.command({"type": "config/entity_registry/remove", "entity_id": "light.both"})


def _an_automation(home: Scene) -> None:
    (automation,) = home.home.plan.of("automation")
    request, door = automation.members
    home.act("input_boolean.turn_off", request)
    home.act("cover.close_cover", door)
    check(home, request, "turn_on")


MENDED: dict[str, Callable[[Scene], None]] = {
    "a machine that was paused": _a_machine,
    "a boiler that is off by its mode": _a_boiler,
    "a valve that was open in full": _a_valve,
    "a fan that ran by a preset": partial(_a_fan, on=True),
    "a fan that was off and remembers a speed": partial(_a_fan, on=False),
    "an automation that opens a gate": _an_automation,
    "a hidden member of a group": partial(_a_member, put_away=Scene.hide, hidden=True),
    "a member that is not shown to agents": partial(_a_member, put_away=Scene.show, shown=False),
    "an alarm that needs a code that is not there": _an_alarm,
    "a lamp with a white of its own": partial(_a_lamp, mode="rgbw", rgbw_color=[59, 122, 211, 30]),
    "a lamp that shows its colour as xy": partial(_a_lamp, mode="xy", rgb_color=[0, 0, 255]),
    "a group of which one lamp is plain": _a_group,
}
"""What was wrong once."""
