"""What undo is known to do wrong: each kind of finding that is not as it should be, with its reason."""

from collections.abc import Iterable

from .undo_run import ELSE, FAULTS, NOT_EXACT, REFUSED, Finding

PAUSED = "a machine that was paused and is docked now cannot be paused: no way back, and the plan says undoable"
HIDDEN = "a hidden member that was switched through its old group cannot be named for its way back"
NO_CODE = "the way back needs a code that the owner has not given, and the plan says undoable"
NO_OFF = "a boiler that is switched off by its mode only is told turn_off, which it does not know"
FULLY_OPEN = "a valve that was at 100 % is told open, which it is already at any position above 0"
SPEED = "a fan's speed does not come back where the fan was off or ran by a preset"
WHITE = "the white of a lamp with four channels does not come back, though the shown colour does"
GROUP_AND_MEMBER = "a group and its members are in one request, and the way back names a member twice"
AUTOMATION = "what an automation of the home did because of it stays as it is, and undo does not say so"
DRIFT = "a lamp that shows its colour as xy does not give back what it was told: the colour drifts"
_CODES = {
    ("NOTHING_TO_DO", "vacuum"): PAUSED,
    ("NOTHING_TO_DO", "lawn_mower"): PAUSED,
    ("NOT_TARGETABLE", "group"): HIDDEN,
    ("NEEDS_CODE", "alarm_control_panel"): NO_CODE,
    ("UNSUPPORTED_OPERATION", "water_heater"): NO_OFF,
    ("ALREADY_SO", "valve"): FULLY_OPEN,
    ("ALREADY_SO", "fan"): SPEED,
}
"""Undo's own refusals, by the domain that the deed was about."""
_LIGHT = {"rgb_color", "rgbw_color"}


def why(finding: Finding) -> str:
    """The known reason of a fault; empty if it is no fault, or a new one."""
    domain = finding.deed.domain
    if finding.verdict == REFUSED:
        is_double = finding.undone["code"] == "CONFLICT" and finding.deed.place
        return GROUP_AND_MEMBER if is_double else _CODES.get((finding.undone["code"], domain), "")
    if finding.verdict in {ELSE, NOT_EXACT} and finding.set_off >= finding.differs.keys():
        return AUTOMATION
    if finding.verdict != NOT_EXACT:
        return ""
    attributes = {part.strip().split(" ")[0] for what in finding.differs.values() for part in what.split(";")}
    if {name.partition(".")[0] for name in finding.differs} == {"fan"} and attributes <= {"percentage", "preset_mode"}:
        return SPEED
    if "rgbw_color" in attributes and attributes <= _LIGHT:
        return WHITE
    return DRIFT if attributes == {"rgb_color"} else ""


def unexplained(findings: Iterable[Finding]) -> list[str]:
    """The faults of which no reason is known."""
    return [finding.line() for finding in findings if finding.verdict in FAULTS and not why(finding)]
