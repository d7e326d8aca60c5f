"""How it shows that an entity did what was asked: its state and attributes held against the values."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from .differential_values import Look

type Params = Mapping[str, Any]
type Shows = Callable[[Params, Look, Look], bool | None]
"""Whether the second look is what the values ask for, given the first; None where nothing shows."""
ZONE = ZoneInfo("Europe/Berlin")


def is_in(*states: str) -> Shows:
    """The state is one of these."""
    return lambda _params, _before, after: after.state in states


def is_not(*states: str) -> Shows:
    """The state is known and none of these."""
    return lambda _params, _before, after: after.state not in {*states, "unknown", "unavailable"}


def turns(params: Params, before: Look, after: Look) -> bool:
    """A cover or valve goes the other way; which way a half open one goes only Home Assistant knows."""
    position = before.number("current_position")
    if position is not None and 0 < position < 100:
        return after.number("current_position") != position and after.state in {"open", "closed"}
    return after.state in {"open", "closed"} and after.state != before.state


def flips(off: str = "off") -> Shows:
    """The state is the other one."""
    return lambda _params, before, after: (after.state == off) != (before.state == off)


def changes(attribute: str | None = None) -> Shows:
    """Something is different from before: a moment that counts up."""
    return lambda _params, before, after: (
        after.state != before.state
        if attribute is None
        else after.attributes.get(attribute) != before.attributes.get(attribute)
    )


def near(name: str, attribute: str | None, factor: float = 1, off_by: float = 0.01, default: Any = None) -> Shows:
    """A number is what was asked for, if it was asked for."""

    def shows(params: Params, _: Look, after: Look) -> bool | None:
        if (wanted := params.get(name, default)) is None:
            return True
        if attribute is None:
            return _is_near(_float(after.state), wanted * factor, off_by)
        return _is_near(after.number(attribute), wanted * factor, off_by)

    return shows


def warm(name: str, attribute: str) -> Shows:
    """A set point is what was asked for, to half of the device's own step: more is no rounding."""

    def shows(params: Params, before: Look, after: Look) -> bool | None:
        step = after.number("target_temp_step") or 0.1
        return near(name, attribute, off_by=step / 2 + 0.001)(params, before, after)

    return shows


def moved(name: str, attribute: str, factor: float = 1, off_by: float = 0.01) -> Shows:
    """A number lies a step from where it was."""

    def shows(params: Params, before: Look, after: Look) -> bool | None:
        was = before.number(attribute)
        if name not in params or was is None:
            return True
        return _is_near(after.number(attribute), was + params[name] * factor, off_by)

    return shows


def same(name: str, attribute: str | None, default: Any = None) -> Shows:
    """A word or a flag is what was asked for, if it was asked for."""

    def shows(params: Params, _: Look, after: Look) -> bool | None:
        wanted = params.get(name, default)
        return wanted is None or (after.attributes.get(attribute) if attribute else after.state) == wanted

    return shows


def unless_off(part: Shows) -> Shows:
    """Players that are off show none of their values."""
    return lambda params, before, after: None if after.state == "off" else part(params, before, after)


def both(*parts: Shows) -> Shows:
    """All of these."""
    return lambda params, before, after: all(part(params, before, after) for part in parts)


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _is_near(present: float | None, wanted: float, off_by: float) -> bool:
    return present is not None and abs(present - wanted) <= off_by


_COLOR_ROUNDING = 12
"""Lamps that tell their colour as xy show blue as [11, 0, 255]: measured, not chosen."""
_COLORS = {"blue": (0, 0, 255), "red": (255, 0, 0)}


def shows_light(params: Params, before: Look, after: Look) -> bool:
    """A light shows what was asked for; nothing of brightness is off."""
    if params.get("brightness") == 0:
        return after.state == "off"
    checks = [after.state == "on"]
    checks.append(bool(near("brightness", "brightness", 2.55, 2)(params, before, after)))
    if (step := params.get("brightness_step")) is not None:
        was = before.number("brightness") or 0
        checks.append(_is_near(after.number("brightness"), max(0, min(255, was + step * 2.55)), 4))
    if (color := params.get("color")) is not None:
        shown = after.attributes.get("rgb_color") or ()
        wanted = _COLORS.get(color, ()) if isinstance(color, str) else color
        pairs = list(zip(shown, wanted, strict=False))
        checks.append(bool(pairs) and all(abs(one - other) <= _COLOR_ROUNDING for one, other in pairs))
    if (kelvin := params.get("color_temperature")) is not None:
        checks.append(_is_near(after.number("color_temp_kelvin"), kelvin, 2 * kelvin * kelvin / 1e6))
    return all(checks)


def shows_moment(params: Params, _: Look, after: Look) -> bool:
    """A date, a time, or both as one moment."""
    value = str(params.get("value"))
    if "T" not in value:
        return after.state == value
    try:
        wanted = datetime.fromisoformat(value).replace(tzinfo=ZONE)
        shown = datetime.fromisoformat(after.state)
    except ValueError:
        return False
    return wanted == (shown if shown.tzinfo else shown.replace(tzinfo=ZONE))


def shows_fan(params: Params, before: Look, after: Look) -> bool:
    """A fan runs as asked; no speed is off."""
    if params.get("speed") == 0:
        return after.state == "off"
    parts = (near("speed", "percentage", off_by=1), same("preset", "preset_mode"))
    return after.state == "on" and all(part(params, before, after) for part in parts)


def opened(params: Params, _: Look, after: Look) -> bool:
    """A cover or valve is open, all the way where it shows how far."""
    position = after.number("current_position")
    return after.state == "open" and position in {None, 100}
