"""What an owner reads before a table is saved: what is wrong with it, where it is milder, and what it would have changed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..devices import CustomOperation
from ..policy.compare import Widening, widenings
from ..policy.lint import Finding, Inventory, Kind, lint
from ..policy.replay import Difference, Replay, replayed
from ..policy.space import deeds_for
from ..policy.table import LAST_ROW, PolicyTable

MOST_SHOWN = 25
"""So many differences are listed; the others are counted."""


@dataclass(frozen=True, kw_only=True)
class Review:
    """Everything that was found out about a table before it is saved."""

    findings: tuple[Finding, ...]
    wider: tuple[Widening, ...]
    replay: Replay

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What stops the save."""
        return tuple(one for one in self.findings if one.is_error)

    @property
    def is_wider(self) -> bool:
        """Whether anything would be let through that is not now."""
        return bool(self.wider) or any(one.is_wider for one in self.replay.differences)


def reviewed(
    old: PolicyTable,
    new: PolicyTable,
    customs: Sequence[CustomOperation],
    home: Inventory,
    recorded: Iterable[tuple[str, str]],
) -> Review:
    """Looks through a new table; it takes its time, so not on the event loop."""
    findings = lint(new, customs, home)
    if any(one.is_error for one in findings):
        return Review(findings=findings, wider=(), replay=Replay(looked_at=0, unreadable=0, differences=()))
    wider = tuple(widenings(old, new, deeds_for((old, new), customs)))
    return Review(findings=findings, wider=wider, replay=replayed(recorded, old, new))


def errors_in_words(review: Review, table: PolicyTable, names: Mapping[str, str]) -> str:
    """What stops the save, a line each; ``names`` are those of ids."""
    return "\n".join(f"- {_found(one, table, names)}" for one in review.errors)


def in_words(review: Review, table: PolicyTable, now: PolicyTable, names: Mapping[str, str]) -> str:
    """The review as the form shows it; ``names`` are those of ids."""
    if review.errors:
        return errors_in_words(review, table, names)
    parts = (_warnings(review, table, names), _wider(review, table, now, names), _changes(review, table, now, names))
    return "\n\n".join(part for part in parts if part)


def _warnings(review: Review, table: PolicyTable, names: Mapping[str, str]) -> str:
    lines = [f"- {_found(one, table, names)}" for one in review.findings if not one.is_error]
    return "**Look at this**\n\n" + "\n".join(lines) if lines else ""


def _found(one: Finding, table: PolicyTable, names: Mapping[str, str]) -> str:
    rule = f"**{_cell(table.title(one.rule))}**"
    match one.kind:
        case Kind.HIDDEN:
            hiders = " and ".join(_cell(table.title(other)) for other in one.by)
            verb = "hides" if len(one.by) == 1 else "together hide"
            decides = f"{_cell(table.title(str(one.witness.get('decided_by'))))} decides {_request(one.witness, names)}"
            return f"{rule} never speaks: {hiders} {verb} it. For instance, {decides}. Drag it above, or remove it."
        case Kind.IMPOSSIBLE:
            return f"{rule} never speaks: there is no such operation on such a device."
        case Kind.UNDECIDED:
            return f"{rule}: it could not be found out whether it ever speaks; the rules above cut it into too many pieces."
        case Kind.NOT_HERE:
            return f"{rule} is about nothing that agents may name in this home."
        case Kind.ALSO_ON:
            return f"{rule} also switches on things of high risk: {_cell(one.about)}."
        case Kind.NO_PIN:
            return f"{rule} asks for a PIN, and no approver has one: it refuses until one is set on EdgeHome's page."
        case Kind.NOTHING:
            return f"**Nothing is allowed**: {one.about}."
        case Kind.UNTOLD:
            return f"{rule} is about who spoke, or where: only Assist tells that, so it never speaks for an agent with a token of its own."
        case Kind.GONE:
            return f"{rule} names what is not there: {_cell(one.about)}."


def _request(witness: Mapping[str, object], names: Mapping[str, str]) -> str:
    """A request in a line."""
    said = {name: value for name, value in witness.items() if name != "decided_by"}
    what = " on ".join(str(said.pop(name)) for name in ("operation", "device_type") if name in said)
    others = ", ".join(_detail(name, value, names) for name, value in said.items())
    return f"{what or 'a request'}{f' ({others})' if others else ''}"


def _detail(name: str, value: object, names: Mapping[str, str]) -> str:
    kind, _, about = name.partition(" ")
    if kind == "home" and not about:
        return {"home": "somebody is home", "not_home": "nobody is home"}.get(str(value), "nobody knows who is home")
    if kind == "home":
        return _cell(f"{about} is {value}")
    if kind == "condition":
        return {True: "its condition is met", False: "its condition is not met"}.get(value is True, "")
    if kind == "minute":
        return f"at {value}"
    said = {"speakers": "said by", "origins": "said in"}.get(kind, kind)
    return f"{said} {about}{' ' if about else ''}{_plain(value, names)}"


def _plain(value: object, names: Mapping[str, str]) -> str:
    said = value if isinstance(value, list | tuple) else [value]
    return _cell(", ".join(names.get(str(one), str(one)) for one in said))


def _wider(review: Review, table: PolicyTable, now: PolicyTable, names: Mapping[str, str]) -> str:
    lines = [
        f"- {_request(one.witness, names)}: {_says(now, one.before, names)} now, **{_says(table, one.rule, names)}** then"
        for one in review.wider[:MOST_SHOWN]
    ]
    more = len(review.wider) - MOST_SHOWN
    lines += [f"- … and {more} more."] if more > 0 else []
    return "**More would be let through, for instance**\n\n" + "\n".join(lines) if lines else ""


def _changes(review: Review, table: PolicyTable, now: PolicyTable, names: Mapping[str, str]) -> str:
    replay = review.replay
    if not replay.looked_at:
        return "Nothing was asked in the last 30 days, so there is nothing to compare."
    unread = f" ({replay.unreadable} could not be read)" if replay.unreadable else ""
    if not replay.differences:
        return f"All {replay.looked_at} requests of the last 30 days{unread} would be decided as they are now."
    times = sum(one.times for one in replay.differences)
    head = f"**{times} of {replay.looked_at} requests of the last 30 days{unread} would be decided otherwise**"
    rows = ["| Who | What | How often | Now | Then |", "|---|---|---|---|---|"]
    rows += [_row(one, table, now, names) for one in replay.differences[:MOST_SHOWN]]
    more = len(replay.differences) - MOST_SHOWN
    return head + "\n\n" + "\n".join(rows) + (f"\n\n… and {more} more kinds." if more > 0 else "")


def _row(one: Difference, table: PolicyTable, now: PolicyTable, names: Mapping[str, str]) -> str:
    spoke = f" for {names.get(one.speaker, one.speaker)}" if one.speaker else ""
    where = f" in {names.get(one.origin, one.origin)}" if one.origin else ""
    what = _cell(f"{one.operation} {one.about}")
    then = f"**{one.after.verdict.value}** ({_cell(table.title(one.after.rule))})"
    if one.undecidable:
        then = "depends on what nobody looked at then"
    mark = "⚠ " if one.is_wider and not one.undecidable else ""
    before = f"{one.before.verdict.value} ({_cell(now.title(one.before.rule))})"
    return f"| {_cell(one.principal + spoke + where)} | {what} | {one.times} | {before} | {mark}{then} |"


def _says(table: PolicyTable, rule_id: str, names: Mapping[str, str]) -> str:
    """What a rule says, how it wants its yes, and its name."""
    rule = next((one for one in table.rules if one.id == rule_id), LAST_ROW)
    terms = [
        "with a PIN" if rule.terms.pin else "",
        f"by {', '.join(names.get(one, one) for one in rule.terms.approvers)}" if rule.terms.approvers else "",
        f"within {rule.terms.seconds} s" if rule.terms.seconds else "",
    ]
    said = " ".join(part for part in (rule.verdict.value, *terms) if part)
    return f"{_cell(said)} ({_cell(table.title(rule_id))})"


def _cell(words: str) -> str:
    """Names are agents' and owners' words: they must not become marks of the page (R14)."""
    return "".join("\\" + one if one in "|*_[]<>`#!~\\" else one for one in words.replace("\n", " "))[:120]
