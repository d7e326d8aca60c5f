"""What undo is known to do wrong: each kind of finding that is not as it should be, with its reason."""

from collections.abc import Iterable

from .undo_run import ELSE, FAULTS, LEFT, NOT_EXACT, REFUSED, Finding

HIDDEN = "a group's member that is hidden, or not shown to agents, was switched and is not taken back, and the plan says undoable"
NO_CODE = "the way back needs a code that the owner has not given, and the plan says undoable"
SPEED = "a fan's speed does not come back where the fan was off or ran by a preset"
WHITE = "the white of a lamp with four channels does not come back, though the shown colour does"
UNABLE = "a group's member that cannot show what the group was told is left alone, also where the group switched it on"
AUTOMATION = "what an automation of the home did because of it stays as it is, and undo does not say so"
DRIFT = "a lamp that shows its colour as xy does not give back what it was told: the colour drifts"
_CODES = {
    ("NEEDS_CODE", "alarm_control_panel"): NO_CODE,
    ("ALREADY_SO", "fan"): SPEED,
}
"""Undo's own refusals, by the domain that the deed was about."""
_UNNAMED = "something that you may not name"
_GROUPED = {"light", "cover"}
_LIGHT = {"rgb_color", "rgbw_color"}


def why(finding: Finding) -> str:
    """The known reason of a fault; empty if it is no fault, or a new one."""
    domain = finding.deed.domain
    if finding.verdict == REFUSED:
        return HIDDEN if _UNNAMED in finding.undone["message"] else _CODES.get((finding.undone["code"], domain), "")
    left_out = {item.get("entity_id", _UNNAMED) for item in finding.undone.get("left_out", ())}
    if _UNNAMED in left_out:
        return HIDDEN
    if finding.verdict == LEFT or left_out & finding.differs.keys():
        return UNABLE if domain in _GROUPED and len(finding.answer["plan"]["actions"]) == 1 else ""
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
