"""MQTT devices in the making: discovery message, wires, first states and facts of an entity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from .home_plan import ANY, ECHO, HALF_WAY, Wire

CODE = "1234"
"""The code of every generated lock and alarm that has one."""
CODED = "{{ %s }}:{{ code }}"
"""A command with its code, as ``UNLOCK:1234``: what is before the colon decides."""


@dataclass
class Draft:
    """An entity while its recipe writes it; topics lie under ``base``."""

    base: str
    rng: Random
    config: dict[str, Any] = field(default_factory=dict)
    wires: list[Wire] = field(default_factory=list)
    initial: dict[str, str] = field(default_factory=dict)
    facts: dict[str, object] = field(default_factory=dict)
    states: list[str] = field(default_factory=list)
    """The keys of the message that name state topics: left out, Home Assistant assumes."""

    def says(self, **config: object) -> None:
        """Puts more into the discovery message."""
        self.config.update(config)

    def knows(self, **facts: object) -> None:
        """Notes attributes that the state will have."""
        self.facts.update(facts)

    def chance(self, share: float) -> bool:
        """True in a share of all cases."""
        return self.rng.random() < share

    def topic(self, name: str) -> str:
        """A topic of the device."""
        return f"{self.base}/{name}"

    def reports(self, key: str, name: str, first: str) -> str:
        """A state topic and what it says first."""
        self.config[key] = self.topic(name)
        self.initial[self.topic(name)] = first
        self.states.append(key)
        return self.topic(name)

    def hears(
        self,
        key: str,
        name: str,
        outcomes: Mapping[str, Mapping[str, str]] | None = None,
        instead: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """A command topic and what its commands do; without outcomes they are only noted."""
        self.config[key] = self.topic(f"{name}/set")
        self.wires.append(Wire(command=self.topic(f"{name}/set"), outcomes=outcomes or {}, instead=instead or {}))

    def pair(self, command: str, state: str, name: str, first: str, other: str | None = None) -> str:
        """A command topic whose payload becomes the state; in a device that strays, ``other`` becomes it."""
        topic = self.reports(state, name, first)
        self.hears(command, name, {ANY: {topic: ECHO}}, {ANY: {topic: other}} if other else None)
        return topic

    def choice(self, options: Sequence[str]) -> str:
        """One of several."""
        return self.rng.choice(options)


def light(draft: Draft) -> None:
    """A lamp: JSON schema as of Zigbee2MQTT, or a topic for each value."""
    mode = draft.choice(("onoff", "brightness", "brightness", "color_temp", "color_temp", "color", "color"))
    modes = {"color_temp": ["color_temp"], "color": ["color_temp", draft.choice(("rgb", "hs", "xy", "rgbw"))]}
    if draft.chance(0.3):
        _light_of_topics(draft, mode)
        return
    names = modes.get(mode, [mode])
    draft.says(schema="json", supported_color_modes=names, brightness=mode != "onoff", color_temp_kelvin=True)
    if "color_temp" in names:
        draft.says(min_kelvin=2200, max_kelvin=6500)
    if mode == "color" and draft.chance(0.5):
        draft.says(effect=True, effect_list=["rainbow", "candle"])
        draft.knows(effect_list=["rainbow", "candle"])
    draft.knows(supported_color_modes=names)
    on = draft.chance(0.5)
    state = draft.topic("state")
    dimmed = ', "brightness": 128' if mode != "onoff" else ""
    colored = ', "color_mode": "color_temp", "color_temp": 2700' if "color_temp" in names else ""
    draft.reports("state_topic", "state", f'{{"state": "{"ON" if on else "OFF"}"{dimmed}{colored}}}')
    draft.config["command_topic"] = draft.topic("state/set")
    draft.wires.append(Wire(command=draft.topic("state/set"), merges=state))


def _light_of_topics(draft: Draft, mode: str) -> None:
    draft.pair("command_topic", "state_topic", "state", draft.choice(("ON", "OFF")))
    names = [mode] if mode in {"onoff", "brightness"} else ["color_temp"]
    if mode != "onoff":
        draft.pair("brightness_command_topic", "brightness_state_topic", "brightness", "128", HALF_WAY)
    if "color_temp" in names:
        draft.says(color_temp_kelvin=True, min_kelvin=2200, max_kelvin=6500)
        draft.pair("color_temp_command_topic", "color_temp_state_topic", "color_temp", "2700")
    draft.knows(supported_color_modes=names)


def switch(draft: Draft) -> None:
    """A relay, of a class or none."""
    if (device_class := draft.choice(("outlet", "switch", ""))) != "":
        draft.says(device_class=device_class)
    draft.pair("command_topic", "state_topic", "state", draft.choice(("ON", "OFF")))


def fan(draft: Draft) -> None:
    """A fan: on and off, and at times speed, presets, oscillation, direction."""
    draft.pair("command_topic", "state_topic", "state", draft.choice(("ON", "OFF")))
    if draft.chance(0.7):
        draft.pair("percentage_command_topic", "percentage_state_topic", "speed", "40", HALF_WAY)
    if draft.chance(0.4):
        draft.says(preset_modes=["auto", "sleep"])
        draft.knows(preset_modes=["auto", "sleep"])
        draft.pair("preset_mode_command_topic", "preset_mode_state_topic", "preset", "auto")
    if draft.chance(0.4):
        draft.pair("oscillation_command_topic", "oscillation_state_topic", "swing", "oscillate_off")
    if draft.chance(0.3):
        draft.pair("direction_command_topic", "direction_state_topic", "direction", "forward")


COVER_CLASSES = ("awning", "blind", "curtain", "damper", "door", "garage", "gate", "shade", "shutter", "window", "")


def cover(draft: Draft, device_class: str | None = None) -> None:
    """A cover of any class, with or without position and tilt."""
    chosen = draft.choice(COVER_CLASSES) if device_class is None else device_class
    if chosen:
        draft.says(device_class=chosen)
    if draft.chance(0.6):
        position = draft.pair("set_position_topic", "position_topic", "position", draft.choice(("0", "100")), HALF_WAY)
        draft.hears(
            "command_topic",
            "move",
            {"OPEN": {position: "100"}, "CLOSE": {position: "0"}, "STOP": {}},
            {"OPEN": {position: "40"}, "CLOSE": {position: "60"}},
        )
    else:
        state = draft.reports("state_topic", "state", draft.choice(("open", "closed")))
        draft.hears(
            "command_topic",
            "move",
            {"OPEN": {state: "open"}, "CLOSE": {state: "closed"}, "STOP": {state: "stopped"}},
            {"OPEN": {state: "opening"}, "CLOSE": {state: "closing"}},
        )
    if draft.chance(0.3):
        draft.pair("tilt_command_topic", "tilt_status_topic", "tilt", "50", HALF_WAY)


def valve(draft: Draft) -> None:
    """A valve, with or without position, stop and class."""
    if (device_class := draft.choice(("water", "gas", ""))) != "":
        draft.says(device_class=device_class)
    if draft.chance(0.4):
        draft.says(reports_position=True)
        draft.pair("command_topic", "state_topic", "state", draft.choice(("0", "100")), HALF_WAY)
    else:
        state = draft.reports("state_topic", "state", draft.choice(("open", "closed")))
        draft.hears(
            "command_topic",
            "state",
            {"OPEN": {state: "open"}, "CLOSE": {state: "closed"}},
            {"OPEN": {state: "opening"}, "CLOSE": {state: "closing"}},
        )
    if draft.chance(0.5):
        draft.says(payload_stop="STOP")


def lock(draft: Draft) -> None:
    """A lock, with or without code and latch."""
    state = draft.reports("state_topic", "state", draft.choice(("LOCKED", "LOCKED", "UNLOCKED")))
    outcomes = {"LOCK": {state: "LOCKED"}, "UNLOCK": {state: "UNLOCKED"}}
    if draft.chance(0.4):
        draft.says(payload_open="OPEN")
        outcomes["OPEN"] = {state: "OPEN"}
    if draft.chance(0.3):
        draft.says(code_format="^\\d{4}$", command_template=CODED % "value")
        draft.knows(code_format="^\\d{4}$")
    draft.hears("command_topic", "state", outcomes, {ANY: {state: "JAMMED"}})


def siren(draft: Draft) -> None:
    """A siren, with or without tones."""
    draft.says(support_volume_set=draft.chance(0.5), support_duration=draft.chance(0.5))
    if draft.chance(0.5):
        draft.says(available_tones=["fire", "burglar"], command_template="{{ value }}:{{ tone | default('') }}")
        draft.knows(available_tones=["fire", "burglar"])
    else:
        draft.says(command_template="{{ value }}")
    state = draft.reports("state_topic", "state", "OFF")
    draft.hears("command_topic", "state", {"ON": {state: "ON"}, "OFF": {state: "OFF"}})


def alarm_control_panel(draft: Draft) -> None:
    """An alarm: without code, with one that Home Assistant checks, or one that the device checks."""
    code = draft.choice(("", CODE, "REMOTE_CODE", "REMOTE_CODE_TEXT"))
    required = bool(code) and draft.chance(0.6)
    draft.says(code_arm_required=required, code_disarm_required=bool(code), code_trigger_required=required)
    if code:
        draft.says(code=code, command_template=CODED % "action")
        draft.knows(code_format="text" if code == "REMOTE_CODE_TEXT" else "number")
    draft.knows(code_arm_required=required)
    draft.says(supported_features=["arm_home", "arm_away", *(["arm_night", "trigger"] if draft.chance(0.5) else [])])
    state = draft.reports("state_topic", "state", draft.choice(("disarmed", "armed_away")))
    modes = ("home", "away", "night")
    outcomes = {f"ARM_{mode.upper()}": {state: f"armed_{mode}"} for mode in modes}
    outcomes |= {"DISARM": {state: "disarmed"}, "TRIGGER": {state: "triggered"}}
    draft.hears("command_topic", "state", outcomes, {f"ARM_{mode.upper()}": {state: "arming"} for mode in modes})
