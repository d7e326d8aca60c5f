"""What a probe's two answers mean together."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .differential_probes import Probe

FOLLOWED = "passed and followed"
REFUSED = "refused at the right gate"
ALREADY = "already so"
STRICTER = "stricter by rule"
HONEST = "device did not follow, and the answer said so"
AGAIN = "called again"
WRONG_GATE, LET_THROUGH = "wrong gate", "let through"
SILENT, FALSE_REST = "silent success", "false already so"
FALSE_REFUSAL = "false refusal"
BROKE = "broke"
OUT_OF_REACH = "not nameable"
VERDICTS = (
    FOLLOWED, REFUSED, ALREADY, STRICTER, HONEST, AGAIN, OUT_OF_REACH, WRONG_GATE, LET_THROUGH, SILENT, FALSE_REST,
    FALSE_REFUSAL, BROKE,
)  # fmt: skip
FAULTS = (WRONG_GATE, LET_THROUGH, SILENT, FALSE_REST, BROKE)
"""Verdicts that must not occur at all."""
UNCHANGED = "and nothing changed"
OUTSIDE = frozenset({"out of range", "invalid option", "unsupported field", "contradiction"})
"""Kinds of probes whose values do not fit: the chain may refuse them though Home Assistant takes them."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What came of one probe: ``truth`` is what Home Assistant did, ``said`` what the chain said."""

    verdict: str
    why: str
    probe: str
    domain: str
    intent: str
    kind: str
    truth: str
    said: str
    shown: str
    is_verified: bool

    def line(self) -> str:
        """The finding on one line."""
        why = f" ({self.why})" if self.why else ""
        return f"{self.verdict}{why}: {self.probe}; Home Assistant: {self.truth}; chain: {self.said}; {self.shown}"


NOT_CLAIMED = frozenset({"unverified", "waiting", "mismatch", "unknown"})
"""What an answer says of a device where it does not say that it followed."""


def judged(kind: str, truth: str, answer: Mapping[str, Any], verification: str | None, followed: bool | None) -> str:
    """What the two together mean."""
    outcome, gate = answer["outcome"], answer["gate"]
    if gate == "device_resolver":
        return OUT_OF_REACH
    if outcome == "blocked":
        return _blocked(kind, truth, answer)
    if outcome == "no_change":
        return ALREADY if truth == "already" or followed or (truth == "refused" and followed is None) else FALSE_REST
    is_refusal = truth in {"refused", "ignored"}
    if outcome not in {"executed", "confirmed"}:
        return LET_THROUGH if is_refusal else BROKE
    if followed is False:
        return LET_THROUGH if verification in NOT_CLAIMED else SILENT
    if is_refusal and followed is None:
        return LET_THROUGH
    return AGAIN if truth == "already" else FOLLOWED


def _blocked(kind: str, truth: str, answer: Mapping[str, Any]) -> str:
    gate, code = answer["gate"], answer["code"]
    if truth in {"refused", "ignored"}:
        right = {"freshness"} if kind == "unavailable" else {"capability"}
        right |= {"schema"} if kind == "contradiction" else set()
        right |= {"freshness"} if kind not in OUTSIDE else set()
        return REFUSED if gate in right else WRONG_GATE
    if kind == "unavailable" and truth == "already":
        return REFUSED if gate == "freshness" else WRONG_GATE
    if code == "NOTHING_TO_DO" and truth in {"already", "blind"}:
        return REFUSED
    return STRICTER if kind in OUTSIDE or "password" in answer["message"] else FALSE_REFUSAL


def honest(verdict: str, answer: Mapping[str, Any], verification: str | None) -> bool:
    """Whether the chain let something through that a device did not do, and said that it does not know, or that it failed."""
    return verdict == LET_THROUGH and (verification in NOT_CLAIMED or answer["outcome"] in {"failed", "unknown"})


_IDLE = "the test's devices change their state though they are not running; real ones have nothing to do"
_OFFER = "Home Assistant's own description of the action does not offer it for this entity, and the stricter holds"
_HALF_OPEN = "which way a half open one goes only Home Assistant knows: it remembers the last direction"
_NO_BRIGHTNESS = "Home Assistant takes brightness 0 as off, also of a lamp that has no brightness"
_REASONS: dict[tuple[str, str, str], tuple[str, str]] = {
    ("lawn_mower", "pause", "NOTHING_TO_DO"): (FALSE_REFUSAL, _IDLE),
    ("vacuum", "stop", "NOTHING_TO_DO"): (FALSE_REFUSAL, _IDLE),
    ("vacuum", "pause", "NOTHING_TO_DO"): (FALSE_REFUSAL, _IDLE),
    ("media_player", "pause", "NOTHING_TO_DO"): (FALSE_REFUSAL, _IDLE),
    ("alarm_control_panel", "disarm", "NEEDS_CODE"): (FALSE_REFUSAL, "it is disarmed already, so no code is asked for"),
    ("light", "set_brightness", "UNSUPPORTED_FIELD"): (STRICTER, _NO_BRIGHTNESS),
    ("fan", "set_preset", "UNSUPPORTED_OPERATION"): (STRICTER, _OFFER),
    ("fan", "set_preset", "UNSUPPORTED_FIELD"): (STRICTER, _OFFER),
    ("fan", "turn_on", "UNSUPPORTED_FIELD"): (STRICTER, _OFFER),
    ("cover", "toggle", "STATE_UNKNOWN"): (STRICTER, _HALF_OPEN),
    ("valve", "toggle", "STATE_UNKNOWN"): (STRICTER, _HALF_OPEN),
}
"""Refusals of what Home Assistant would do, by operation and code: what they are, and why."""


def explained(verdict: str, probe: Probe, answer: Mapping[str, Any], unfaithful: Mapping[str, str]) -> tuple[str, str]:
    """The verdict where its reason is known, and that reason."""
    if verdict in {LET_THROUGH, HONEST, SILENT, BROKE}:
        return verdict, unfaithful.get(probe.entity_id, "")
    if verdict != FALSE_REFUSAL:
        return verdict, ""
    return _REASONS.get((probe.domain, probe.intent, answer["code"]), (verdict, ""))


def counted(findings: Iterable[Finding]) -> dict[str, Counter[str]]:
    """The verdicts by domain."""
    counts: dict[str, Counter[str]] = {}
    for finding in findings:
        counts.setdefault(finding.domain, Counter())[finding.verdict] += 1
    return counts
