"""How a home looks, and in what it looks otherwise than before: what was touched may differ by its own rounding."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from .differential import VOLATILE
from .differential_values import Look
from .home_plan import HomePlan
from .undo_deeds import ACTING, closed

type Home = Mapping[str, Look]
_TONES = frozenset({"rgb_color", "rgbw_color", "rgbww_color"})
_SAME_COLOR = frozenset({"hs_color", "xy_color"})
"""The colour once more, in other numbers."""
_DEGREES = frozenset({"temperature", "target_temp_low", "target_temp_high"})
BRIGHTNESS, CHANNEL, MIRED, HALF = 1, 3, 1.0, 0.5
"""How far a lamp may be off: of 255, of a channel's 255, in mired; and what part of a step a set point."""


def snapshot(looks: Home, left_out: frozenset[str]) -> dict[str, Look]:
    """All states and attributes worth knowing: without those that change by themselves, and without some entities."""
    return {
        entity_id: Look(
            state=look.state,
            attributes={name: value for name, value in look.attributes.items() if name not in VOLATILE},
        )
        for entity_id, look in looks.items()
        if entity_id not in left_out
    }


def differences(before: Home, after: Home, touched: frozenset[str]) -> dict[str, str]:
    """The entities that look otherwise than before, and in what."""
    found: dict[str, str] = {}
    for entity_id in sorted(before.keys() | after.keys()):
        was, now = before.get(entity_id), after.get(entity_id)
        if was is None or now is None:
            found[entity_id] = "is new" if was is None else "is gone"
        elif was != now and (wrong := _wrong(was, now, rounds=entity_id in touched)):
            found[entity_id] = "; ".join(wrong)
    return found


_TOLD = frozenset({"percentage", "preset_mode"})


def is_told(what: str) -> bool:
    """Whether a difference is in nothing but what a fan remembers while it is off, which the plan says."""
    return {part.strip().partition(" ")[0] for part in what.split(";")} <= _TOLD


def _wrong(was: Look, now: Look, *, rounds: bool) -> list[str]:
    wrong = [] if _is_same_state(was, now) else [f"{was.state} → {now.state}"]
    for name in sorted(was.attributes.keys() | now.attributes.keys()):
        one, other = was.attributes.get(name), now.attributes.get(name)
        if one != other and not (rounds and _rounds(name, one, other, was)):
            wrong.append(f"{name} {one} → {other}")
    return wrong


def _is_same_state(was: Look, now: Look) -> bool:
    """Whether the states are equal, as numbers where they are numbers."""
    try:
        return was.state == now.state or float(was.state) == float(now.state)
    except ValueError:
        return False


def _rounds(name: str, one: Any, other: Any, was: Look) -> bool:
    """Whether an attribute is the same but for the entity's own rounding."""
    is_white = was.attributes.get("color_mode") == "color_temp"
    if name in _SAME_COLOR or (is_white and name in _TONES):
        return one is not None and other is not None
    if name in _TONES and isinstance(one, list) and isinstance(other, list):
        return all(abs(a - b) <= CHANNEL for a, b in zip(one, other, strict=True))
    if isinstance(one, bool) or not isinstance(one, int | float) or not isinstance(other, int | float):
        return False
    match name:
        case "brightness":
            return abs(one - other) <= BRIGHTNESS
        case "color_temp_kelvin":
            return abs(1e6 / one - 1e6 / other) <= MIRED
        case "volume_level":
            return abs(one - other) < 0.005
        case _ if name in _DEGREES:
            return abs(one - other) <= HALF * (was.number("target_temp_step") or 0.1)
    return False


class Ties:
    """Which entities are made of which, in a home."""

    def __init__(self, home: HomePlan) -> None:
        self._parts: defaultdict[str, set[str]] = defaultdict(set)
        self._wholes: defaultdict[str, set[str]] = defaultdict(set)
        self._started: defaultdict[str, set[str]] = defaultdict(set)
        for entity in home.entities:
            if entity.domain == "automation":
                self._started[entity.members[0]] |= set(entity.members[1:])
            for member in entity.members if entity.domain not in ACTING else ():
                self._parts[entity.entity_id].add(member)
                self._wholes[member].add(entity.entity_id)

    def parts(self, entity_ids: set[str]) -> set[str]:
        """These and all that they are made of."""
        return closed(entity_ids, self._parts)

    def started(self, entity_ids: set[str]) -> set[str]:
        """What the owner's automations do something to when one of these, or of what they are made of, is switched."""
        return {other for part in self.parts(entity_ids) for other in self._started.get(part, ())}

    def around(self, entity_ids: set[str]) -> frozenset[str]:
        """These, all that they are made of, and all that shows one of these."""
        return frozenset(closed(self.parts(entity_ids), self._wholes))
