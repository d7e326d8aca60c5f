"""What a human reads: EdgeHome's own sentence first and last, the agent's words quoted between (R14; no Home Assistant).

Nothing of the agent is rendered, formatted or believed; it is cleaned, capped and put in quotation marks.
"""

import re
import unicodedata
from datetime import datetime

from ..plan import ExecutionPlan, GatedCommand
from .grants import Grant
from .pending import Pending
from .words import Words

MOST_REASON, MOST_LINES, SERIOUS = 160, 6, 3


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
    if also := _also(pending.plan, words):
        lines.append(words.also.format(actions="; ".join(also)))
    if any(action.opaque for action in pending.plan.actions):
        lines.append(words.unread)
    if doubtful := _doubtful(pending.plan, words):
        lines.append(doubtful)
    if spoken := _spoken(pending, words):
        lines.append(spoken)
    if pending.reason:
        lines.append(words.reason.format(reason=clean(pending.reason, MOST_REASON)))
    if pending.plan.skipped:
        names = [skip.entity_id for skip in pending.plan.skipped[:MOST_LINES]]
        if len(pending.plan.skipped) > MOST_LINES:
            names.append(words.more.format(count=len(pending.plan.skipped) - MOST_LINES))
        lines.append(words.skipped.format(names=", ".join(names)))
    if pending.requirement.terms.pin:
        lines.append(words.pin)
    lines.append(words.expires.format(time=f"{expires:%H:%M:%S}"))
    return "\n".join(lines)


def described(pending: Pending, user_id: str, words: Words) -> dict[str, object]:
    """The question for the page, which puts everything in as plain text."""
    return {
        "id": pending.id,
        "agent": clean(pending.principal.name, 40),
        "risk": pending.plan.risk,
        "reason": clean(pending.reason, MOST_REASON) if pending.reason else None,
        "spoken": _spoken(pending, words),
        "actions": [
            {
                "what": _deed(action, words),
                "before": clean(_before(action), 60),
                "after": clean(_after(action), 60),
            }
            for action in pending.plan.actions
        ],
        "also": _also(pending.plan, words),
        "unread": words.unread if any(action.opaque for action in pending.plan.actions) else None,
        "doubtful": _doubtful(pending.plan, words),
        "skipped": [skip.entity_id for skip in pending.plan.skipped],
        "asked_at": pending.asked_at.isoformat(),
        "expires_at": pending.expires_at.isoformat(),
        "people": pending.requirement.people,
        "pin": pending.requirement.terms.pin,
        "grantable": pending.is_grantable,
        "given": [yes.name for yes in pending.given],
        "mine": user_id in {yes.user_id for yes in pending.given},
    }


def granted(grant: Grant, used: int, words: Words) -> dict[str, object]:
    """A yes that holds for a while, for the page."""
    return {
        "id": grant.id,
        "agent": clean(grant.agent, 40),
        "actions": [f"{_verb_in(words, action.verb)} {clean(action.name, 60)}" for action in grant.actions],
        "by": [yes.name for yes in grant.consent.given],
        "until": grant.until.isoformat(),
        "used": used,
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
    before, after = clean(_before(action), 60), clean(_after(action), 60)
    change = f" ({before} → {after})" if after and before else ""
    return f"{_deed(action, words)}{change}"


def _deed(action: GatedCommand, words: Words) -> str:
    """What is done to what, with its room where the name does not say it."""
    name, room = clean(action.name, 60), clean(action.room, 40)
    where = f", {room}" if room and room.casefold() not in name.casefold() else ""
    return f"{_verb_in(words, action.verb)} {name}{where}"


def _also(plan: ExecutionPlan, words: Words) -> list[str]:
    """What the plan does beyond what it names, the riskiest first; what is harmless is only counted."""
    reached = {(other.entity_id, other.verbs): other for action in plan.actions for other in action.reaches}
    ranked = sorted(reached.values(), key=lambda other: -other.risk)
    shown = [other for number, other in enumerate(ranked) if number < MOST_LINES or other.risk >= SERIOUS]
    also = [f"{_verb_in(words, other.verbs[-1])} {clean(other.name or other.entity_id, 60)}" for other in shown]
    return [*also, words.more.format(count=len(ranked) - len(shown))] if len(ranked) > len(shown) else also


def _spoken(pending: Pending, words: Words) -> str | None:
    """Who said it to the agent, and where, as far as that is known."""
    by, where = clean(pending.principal.speaker_name, 40), clean(pending.principal.area_name, 40)
    told = [words.spoken_by.format(name=by)] if by else []
    return " ".join([*told, words.spoken_in.format(room=where)] if where else told) or None


def _doubtful(plan: ExecutionPlan, words: Words) -> str | None:
    """What is shown and may be out of date."""
    names = [clean(action.name, 60) for action in plan.actions if action.stale]
    shown = names[:MOST_LINES]
    if len(names) > MOST_LINES:
        shown.append(words.more.format(count=len(names) - MOST_LINES))
    return words.stale.format(names=", ".join(shown)) if names else None


def _verb_in(words: Words, verb: str) -> str:
    return words.verbs.get(verb, verb.replace("_", " "))


def _before(action: GatedCommand) -> str:
    """The value that changes, else the state."""
    return action.present or ("" if action.wanted else action.before or "")


def _after(action: GatedCommand) -> str:
    """How the device would be afterwards: the value that is sent, else the state that is expected."""
    if action.wanted or not action.expect:
        return action.wanted
    expected = action.expect[0]
    return "on" if expected.differs else str(expected.value)
