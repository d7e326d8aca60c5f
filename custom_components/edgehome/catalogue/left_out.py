"""What Home Assistant offers on the catalogue's domains and EdgeHome does not, and why (R4).

A contract test holds the rows and this list against the actions that a real Home Assistant registers: each is in one of
the two.
"""

_SAID_EXACTLY = "which way it goes depends on the present state: the chain carries it out as what it means"
_SAY = "which way it goes depends on the present state: say which one is meant"
_OTHER_WORDS = "another operation says the same"
_STEPS = "how far it goes is the player's own: the chain carries it out as a volume_step of ten percent"
_BLIND = "what it does is not in any state: it cannot be judged or looked at"
_AUTHORING = "it changes what the owner has written"
_DATA = "it reads or writes data outside of the device"
_SELDOM = "agents have no word for it yet"

LEFT_OUT: dict[str, str] = {
    "light.toggle": _SAID_EXACTLY,
    "switch.toggle": _SAID_EXACTLY,
    "input_boolean.toggle": _SAID_EXACTLY,
    "fan.toggle": _SAID_EXACTLY,
    "cover.toggle": _SAID_EXACTLY,
    "cover.toggle_cover_tilt": _SAY,
    "valve.toggle": _SAID_EXACTLY,
    "climate.toggle": _SAID_EXACTLY,
    "humidifier.toggle": _SAID_EXACTLY,
    "media_player.toggle": _SAID_EXACTLY,
    "media_player.media_play_pause": _SAY,
    "siren.toggle": _SAID_EXACTLY,
    "remote.toggle": _SAID_EXACTLY,
    "script.toggle": _SAY,
    "fan.increase_speed": f"{_OTHER_WORDS}: set_speed",
    "fan.decrease_speed": f"{_OTHER_WORDS}: set_speed",
    "cover.open_cover_tilt": f"{_OTHER_WORDS}: set_tilt with 100",
    "cover.close_cover_tilt": f"{_OTHER_WORDS}: set_tilt with 0",
    "media_player.volume_up": _STEPS,
    "media_player.volume_down": _STEPS,
    "water_heater.set_away_mode": f"{_OTHER_WORDS}: set_mode",
    "input_number.increment": f"{_OTHER_WORDS}: set_value",
    "input_number.decrement": f"{_OTHER_WORDS}: set_value",
    "counter.increment": f"{_OTHER_WORDS}: set_value",
    "counter.decrement": f"{_OTHER_WORDS}: set_value",
    "counter.reset": f"{_OTHER_WORDS}: set_value",
    "select.select_first": f"{_OTHER_WORDS}: select_option",
    "select.select_last": f"{_OTHER_WORDS}: select_option",
    "select.select_next": f"{_OTHER_WORDS}: select_option",
    "select.select_previous": f"{_OTHER_WORDS}: select_option",
    "input_select.select_first": f"{_OTHER_WORDS}: select_option",
    "input_select.select_last": f"{_OTHER_WORDS}: select_option",
    "input_select.select_next": f"{_OTHER_WORDS}: select_option",
    "input_select.select_previous": f"{_OTHER_WORDS}: select_option",
    "cover.stop_cover_tilt": _SELDOM,
    "climate.set_swing_horizontal_mode": _SELDOM,
    "media_player.media_seek": _SELDOM,
    "media_player.repeat_set": _SELDOM,
    "media_player.join": _SELDOM,
    "media_player.unjoin": _SELDOM,
    "media_player.clear_playlist": _SELDOM,
    "vacuum.clean_spot": _SELDOM,
    "vacuum.clean_area": _SELDOM,
    "alarm_control_panel.alarm_arm_vacation": _SELDOM,
    "timer.change": _SELDOM,
    "alarm_control_panel.alarm_arm_custom_bypass": "it arms the alarm without some of its sensors",
    "alarm_control_panel.alarm_trigger": "it raises an alarm; no agent has a reason to",
    "vacuum.send_command": _BLIND,
    "remote.send_command": _BLIND,
    "remote.learn_command": _BLIND,
    "remote.delete_command": _AUTHORING,
    "timer.finish": "it starts whatever waits for the end of the timer",
    "scene.apply": "it sets any state on any entity",
    "scene.create": _AUTHORING,
    "scene.delete": _AUTHORING,
    "scene.reload": _AUTHORING,
    "script.reload": _AUTHORING,
    "timer.reload": _AUTHORING,
    "input_boolean.reload": _AUTHORING,
    "input_button.reload": _AUTHORING,
    "input_datetime.reload": _AUTHORING,
    "input_number.reload": _AUTHORING,
    "input_select.reload": _AUTHORING,
    "input_text.reload": _AUTHORING,
    "input_select.set_options": _AUTHORING,
    "update.skip": _AUTHORING,
    "update.clear_skipped": _AUTHORING,
    "media_player.browse_media": _DATA,
    "media_player.search_media": _DATA,
    "todo.get_items": _DATA,
    "todo.update_item": "the items of a list are not in its state: what it changes cannot be judged",
    "todo.remove_item": "the items of a list are not in its state: what it removes cannot be judged",
    "todo.remove_completed_items": "the items of a list are not in its state: what it removes cannot be judged",
    "notify.persistent_notification": "it is not on an entity; EdgeHome's own notifications stand there",
    "camera.snapshot": _DATA,
    "camera.record": _DATA,
    "camera.play_stream": _DATA,
    "camera.enable_motion_detection": _BLIND,
    "camera.disable_motion_detection": _BLIND,
    "assist_satellite.start_conversation": "it speaks to people in an agent's name and listens",
    "assist_satellite.ask_question": "it speaks to people in an agent's name and listens",
}
"""Each action by the reason why it is in no row."""

BY_STATE = frozenset(name for name, why in LEFT_OUT.items() if why in {_SAID_EXACTLY, _SAY})
"""Actions whose direction depends on the present state: nobody can add one as it is."""
