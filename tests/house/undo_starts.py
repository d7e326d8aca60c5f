"""Starting states for the undo test: the owner brings an entity into a state that chance chooses, by its own actions."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from .differential_values import Look, plain
from .wiring import CODE

type Call = tuple[str, Mapping[str, Any]]
"""An action of Home Assistant and its values, without the entity."""
TEXTS = ("hello", "Grüße, 你好", "x", "two words")
_TONES = {"hs": 2, "rgb": 3, "xy": 3, "rgbw": 4, "rgbww": 5}
"""Colour modes, and how many channels each has; a lamp of ``xy`` is told red, green and blue."""


def start(entity_id: str, look: Look, chance: Random) -> tuple[Call, ...]:
    """What the owner does so that the entity is in a state of chance; nothing where it has none to choose."""
    domain = entity_id.partition(".")[0]
    draw = _STARTS.get(domain)
    return tuple(draw(domain, look, chance)) if draw and look.state != "unavailable" else ()


def on_grid(low: float, high: float, step: float, chance: Random) -> int | float:
    """Any number from ``low`` to ``high`` in steps."""
    return plain(round(low + step * chance.randint(0, int((high - low) / step + 1e-6)), 6))


def a_color(chance: Random) -> list[int]:
    """Red, green and blue, bright enough to be told apart from nothing."""
    channels = [chance.choice((0, chance.randint(0, 255))) for _ in range(3)]
    return channels if max(channels) > 60 else [*channels[:2], 255]


def _can(look: Look, feature: int) -> bool:
    return bool(int(look.attributes.get("supported_features") or 0) & feature)


def _words(look: Look, attribute: str) -> list[Any]:
    return list(look.attributes.get(attribute) or ())


def _switched(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    yield f"{domain}.{chance.choice(('turn_on', 'turn_off'))}", {}


def _light(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    """Lit in any way that it can be, or off after that."""
    modes = [mode for mode in _words(look, "supported_color_modes") if mode != "onoff"]
    data: dict[str, Any] = {"brightness": chance.choice((chance.randint(1, 255), 255, 3))} if modes else {}
    mode = chance.choice(modes) if modes else ""
    if mode == "color_temp":
        low, high = look.number("min_color_temp_kelvin") or 2200, look.number("max_color_temp_kelvin") or 6500
        data["color_temp_kelvin"] = chance.randint(int(low), int(high))
    elif mode == "hs":
        data["hs_color"] = [chance.randint(0, 3599) / 10, chance.randint(0, 1000) / 10]
    elif mode in {"rgbw", "rgbww"}:
        data[f"{mode}_color"] = [*a_color(chance), *(chance.randint(0, 255) for _ in range(_TONES[mode] - 3))]
    elif mode in _TONES:
        data["rgb_color"] = a_color(chance)
    if (effects := _words(look, "effect_list")) and chance.random() < 0.2:
        data["effect"] = chance.choice(effects)
    yield "light.turn_on", data
    if chance.random() < 0.4:
        yield "light.turn_off", {}


def _fan(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    yield "fan.turn_on", {}
    if _can(look, 1):
        yield "fan.set_percentage", {"percentage": on_grid(1, 100, look.number("percentage_step") or 1, chance)}
    if (presets := _words(look, "preset_modes")) and chance.random() < 0.5:
        yield "fan.set_preset_mode", {"preset_mode": chance.choice(presets)}
    if _can(look, 2):
        yield "fan.oscillate", {"oscillating": chance.random() < 0.5}
    if _can(look, 4):
        yield "fan.set_direction", {"direction": chance.choice(("forward", "reverse"))}
    if chance.random() < 0.4:
        yield "fan.turn_off", {}


def _cover(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    place = chance.choice((0, 100, chance.randint(1, 99)))
    if _can(look, 4):
        yield f"{domain}.set_{domain}_position", {"position": place}
    else:
        yield f"{domain}.{'open' if place else 'close'}_{domain}", {}
    if domain == "cover" and _can(look, 128):
        yield "cover.set_cover_tilt_position", {"tilt_position": chance.randint(0, 100)}


def _lock(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    yield f"lock.{chance.choice(('lock', 'unlock'))}", _code(look)


def _alarm(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    yield "alarm_control_panel.alarm_disarm", _code(look)
    arms = [word for word, feature in (("home", 1), ("away", 2), ("night", 4)) if _can(look, feature)]
    if arms and chance.random() < 0.6:
        yield f"alarm_control_panel.alarm_arm_{chance.choice(arms)}", _code(look)


def _code(look: Look) -> dict[str, Any]:
    return {"code": CODE} if look.attributes.get("code_format") else {}


def _climate(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    yield "climate.set_hvac_mode", {"hvac_mode": chance.choice(_words(look, "hvac_modes"))}
    low, high = look.number("min_temp") or 7, look.number("max_temp") or 35
    step = look.number("target_temp_step") or 0.5
    if _can(look, 1):
        yield "climate.set_temperature", {"temperature": on_grid(low, high, step, chance)}
    if _can(look, 2):
        ends = sorted(on_grid(low, high, step, chance) for _ in range(2))
        yield "climate.set_temperature", dict(zip(("target_temp_low", "target_temp_high"), ends, strict=True))
    for service, name, listed in (
        ("set_fan_mode", "fan_mode", "fan_modes"),
        ("set_preset_mode", "preset_mode", "preset_modes"),
        ("set_swing_mode", "swing_mode", "swing_modes"),
    ):
        if choices := _words(look, listed):
            yield f"climate.{service}", {name: chance.choice(choices)}
    if _can(look, 4):
        yield "climate.set_humidity", {"humidity": _humidity(look, chance)}


def _humidity(look: Look, chance: Random) -> int | float:
    return on_grid(look.number("min_humidity") or 0, look.number("max_humidity") or 100, 1, chance)


def _water_heater(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    if modes := _words(look, "operation_list"):
        yield "water_heater.set_operation_mode", {"operation_mode": chance.choice(modes)}
    low, high = look.number("min_temp") or 40, look.number("max_temp") or 60
    yield "water_heater.set_temperature", {"temperature": on_grid(low, high, 0.5, chance)}


def _humidifier(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    yield "humidifier.turn_on", {}
    yield "humidifier.set_humidity", {"humidity": _humidity(look, chance)}
    if modes := _words(look, "available_modes"):
        yield "humidifier.set_mode", {"mode": chance.choice(modes)}
    yield from _switched(domain, look, chance)


def _media_player(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    yield "media_player.turn_on", {}
    if _can(look, 4):
        yield "media_player.volume_set", {"volume_level": chance.randint(0, 100) / 100}
    if chance.random() < 0.4:
        yield "media_player.turn_off", {}


def _vacuum(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    if speeds := _words(look, "fan_speed_list"):
        yield "vacuum.set_fan_speed", {"fan_speed": chance.choice(speeds)}
    yield "vacuum.start", {}
    then = [word for word, feature in (("pause", 4), ("stop", 8), ("return_to_base", 16)) if _can(look, feature)]
    if then and chance.random() < 0.8:
        yield f"vacuum.{chance.choice(then)}", {}


def _lawn_mower(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    yield "lawn_mower.start_mowing", {}
    then = [word for word, feature in (("pause", 2), ("dock", 4)) if _can(look, feature)]
    if then and chance.random() < 0.7:
        yield f"lawn_mower.{chance.choice(then)}", {}


def _number(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    low, high, step = (look.number(name) for name in ("min", "max", "step"))
    yield f"{domain}.set_value", {"value": on_grid(low or 0, 100 if high is None else high, step or 1, chance)}


def _counter(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    yield "counter.set_value", {"value": chance.randint(0, 50)}


def _choice(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    yield f"{domain}.select_option", {"option": chance.choice(_words(look, "options"))}


def _text(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    yield f"{domain}.set_value", {"value": chance.choice(TEXTS)}


def a_clock(chance: Random) -> str:
    """Any time of day."""
    return f"{chance.randint(0, 23):02}:{chance.randint(0, 59):02}:00"


def _moment(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    if look.attributes.get("has_time") and not look.attributes.get("has_date"):
        yield "input_datetime.set_datetime", {"time": a_clock(chance)}


def _timer(domain: str, look: Look, chance: Random) -> Iterator[Call]:
    yield chance.choice((("timer.cancel", {}), ("timer.start", {"duration": 3600})))


type _Draw = Callable[[str, Look, Random], Iterator[Call]]
_STARTS: dict[str, _Draw] = {
    **dict.fromkeys(("switch", "input_boolean", "siren"), _switched),
    "light": _light,
    "fan": _fan,
    **dict.fromkeys(("cover", "valve"), _cover),
    "lock": _lock,
    "alarm_control_panel": _alarm,
    "climate": _climate,
    "water_heater": _water_heater,
    "humidifier": _humidifier,
    "media_player": _media_player,
    "vacuum": _vacuum,
    "lawn_mower": _lawn_mower,
    **dict.fromkeys(("number", "input_number"), _number),
    "counter": _counter,
    **dict.fromkeys(("select", "input_select"), _choice),
    **dict.fromkeys(("text", "input_text"), _text),
    "input_datetime": _moment,
    "timer": _timer,
}
