"""What a human reads: EdgeHome's own sentence first and last, the agent's words quoted between (R14; no Home Assistant).

Nothing of the agent is rendered, formatted or believed; it is cleaned, capped and put in quotation marks.
"""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime

from ..plan import GatedCommand
from .pending import Pending

MOST_REASON, MOST_LINES, SERIOUS = 160, 6, 3


@dataclass(frozen=True, kw_only=True)
class Words:
    """A language."""

    title: str
    asks: str
    risk: str
    reason: str
    skipped: str
    more: str
    expires: str
    approve: str
    reject: str
    operations: dict[str, str]


ENGLISH = Words(
    title="EdgeHome: {agent} asks",
    asks="{agent} asks: {actions}",
    risk="Risk {risk} of 5.",
    reason="Its reason, unchecked: “{reason}”",
    skipped="Left out: {names}.",
    more="and {count} more",
    expires="Expires {time}. Without an answer nothing is done.",
    approve="Approve",
    reject="Reject",
    operations={
        "turn_on": "switch on", "turn_off": "switch off", "open": "open", "close": "close", "lock": "lock",
        "unlock": "unlock", "set_position": "move", "set_temperature": "set the temperature of",
        "set_brightness": "dim", "stop": "stop",
    },
)  # fmt: skip
GERMAN = Words(
    title="EdgeHome: {agent} fragt",
    asks="{agent} möchte: {actions}",
    risk="Risiko {risk} von 5.",
    reason="Seine Begründung, ungeprüft: „{reason}“",
    skipped="Ausgelassen: {names}.",
    more="und {count} weitere",
    expires="Läuft {time} ab. Ohne Antwort geschieht nichts.",
    approve="Erlauben",
    reject="Ablehnen",
    operations={
        "turn_on": "einschalten:", "turn_off": "ausschalten:", "open": "öffnen:", "close": "schließen:",
        "lock": "verriegeln:", "unlock": "entriegeln:", "set_position": "bewegen:",
        "set_temperature": "Temperatur stellen:", "set_brightness": "dimmen:", "stop": "anhalten:",
    },
)  # fmt: skip
CHINESE = Words(
    title="EdgeHome：{agent} 请求",
    asks="{agent} 请求：{actions}",
    risk="风险 {risk}/5。",
    reason="其理由（未经核实）：“{reason}”",
    skipped="已略过：{names}。",
    more="另有 {count} 项",
    expires="{time} 过期。不答复则不执行。",
    approve="同意",
    reject="拒绝",
    operations={
        "turn_on": "打开", "turn_off": "关闭", "open": "打开", "close": "关上", "lock": "上锁", "unlock": "解锁",
        "set_position": "移动", "set_temperature": "设定温度", "set_brightness": "调光", "stop": "停止",
    },
)  # fmt: skip


def words_of(language: str) -> Words:
    """The words of a language, English where there are none."""
    if language.startswith("de"):
        return GERMAN
    return CHINESE if language.lower().startswith("zh") else ENGLISH


def title(pending: Pending, words: Words) -> str:
    """The headline."""
    return words.title.format(agent=clean(pending.principal.name, 40))


def message(pending: Pending, words: Words, expires: datetime) -> str:
    """The question; ``expires`` in the reader's own time zone."""
    # The riskiest first, and nothing that matters is folded away.
    ranked = sorted(pending.plan.actions, key=lambda action: -action.risk)
    shown = [action for number, action in enumerate(ranked) if number < MOST_LINES or action.risk >= SERIOUS]
    actions = [_action(action, words) for action in shown]
    if len(ranked) > len(shown):
        actions.append(words.more.format(count=len(ranked) - len(shown)))
    agent = clean(pending.principal.name, 40)
    lines = [words.asks.format(agent=agent, actions="; ".join(actions)), words.risk.format(risk=pending.plan.risk)]
    if pending.reason:
        lines.append(words.reason.format(reason=clean(pending.reason, MOST_REASON)))
    if pending.plan.skipped:
        names = [skip.entity_id for skip in pending.plan.skipped[:MOST_LINES]]
        if len(pending.plan.skipped) > MOST_LINES:
            names.append(words.more.format(count=len(pending.plan.skipped) - MOST_LINES))
        lines.append(words.skipped.format(names=", ".join(names)))
    lines.append(words.expires.format(time=f"{expires:%H:%M:%S}"))
    return "\n".join(lines)


def described(pending: Pending, user_id: str) -> dict[str, object]:
    """The question for the page, which puts everything in as plain text."""
    return {
        "id": pending.id,
        "agent": clean(pending.principal.name, 40),
        "risk": pending.plan.risk,
        "reason": clean(pending.reason, MOST_REASON) if pending.reason else None,
        "actions": [
            {
                "name": clean(action.name, 60),
                "operation": _verb(action),
                "before": clean(_before(action), 60),
                "after": clean(_after(action), 60),
            }
            for action in pending.plan.actions
        ],
        "skipped": [skip.entity_id for skip in pending.plan.skipped],
        "asked_at": pending.asked_at.isoformat(),
        "expires_at": pending.expires_at.isoformat(),
        "people": pending.people,
        "given": [yes.name for yes in pending.given],
        "mine": user_id in {yes.user_id for yes in pending.given},
    }


def clean(text: str, limit: int) -> str:
    """Foreign text on one line, without what cannot be seen or could look like markup, a quotation mark or an address."""
    visible = "".join(letter if letter.isprintable() and not _is_mark(letter) else " " for letter in text)
    plain = " ".join(_ADDRESS.sub(" ", visible).split())
    return plain[: limit - 1] + "…" if len(plain) > limit else plain


_MARKUP = frozenset("<>[]{}|*_`#\"'＂〃＇´")
_ADDRESS = re.compile(r"\bwww\.|\b[a-z][a-z0-9+.-]{1,20}://", re.IGNORECASE)


def _is_mark(letter: str) -> bool:
    return letter in _MARKUP or unicodedata.category(letter) in {"Pi", "Pf", "Ps", "Pe"}


def _action(action: GatedCommand, words: Words) -> str:
    verb = words.operations.get(_verb(action), _verb(action).replace("_", " "))
    before, after = clean(_before(action), 60), clean(_after(action), 60)
    change = f" ({before} → {after})" if after and before else ""
    return f"{verb} {clean(action.name, 60)}{change}"


def _verb(action: GatedCommand) -> str:
    """What was asked for where values are sent, else what it really does."""
    return (action.operations[0] if action.wanted else action.operation).value


def _before(action: GatedCommand) -> str:
    """The value that changes, else the state."""
    return action.present or ("" if action.wanted else action.before or "")


def _after(action: GatedCommand) -> str:
    """How the device would be afterwards: the value that is sent, else the state that is expected."""
    if action.wanted or not action.expect:
        return action.wanted
    expected = action.expect[0]
    return "on" if expected.differs else str(expected.value)
