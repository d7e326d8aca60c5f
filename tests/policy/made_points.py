"""Every point of a small world, and what a table says there: what is found out by cutting boxes is held against it.

Nothing here knows how the policy cuts: each rule is asked about each point.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from hypothesis import strategies as st

from custom_components.edgehome.policy.requirement import NO_TERMS, Terms
from custom_components.edgehome.policy.rule import Circumstances, HomeCondition, PolicyRule, Subject, Verdict
from custom_components.edgehome.policy.table import LAST_ROW, PolicyTable

type Point = tuple[Subject, Circumstances]

DEEDS = (
    ("lock", "lock", "secure"),
    ("unlock", "lock", "unsecure"),
    ("open", "garage_door", "unsecure"),
    ("turn_on", "light", "adjust"),
)
"""All that can be done in this world."""
HOME, AWAY = HomeCondition(states=("home",)), HomeCondition(states=("not_home",))
LIT, DARK, PLUGGED = (HomeCondition(entity_id="light.x", states=one) for one in (("on",), ("off",), ("on", "off")))
SUNNY = HomeCondition(raw='{"condition": "sun"}')
OTHER = "other"
"""What no rule names."""

_WORDS = {
    "agents": ("hermes", "iris"),
    "speakers": ("anna", "bert"),
    "origins": ("hall", "bed"),
    "areas": ("hall", "bed"),
    "floors": ("ground", "first"),
    "entities": ("key-1", "key-2"),
    "labels": ("doors", "outside"),
}
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_INPUTS = {"to": ('"a"', '"b"'), "n": ("1", "2")}
_HOME: dict[str, tuple[tuple[HomeCondition, ...], tuple[str, ...]]] = {
    "home ": ((HOME, AWAY), ("home", "not_home")),
    "home light.x": ((LIT, DARK, PLUGGED), ("on", "off", OTHER)),
    f"condition {SUNNY.raw}": ((SUNNY,), ("True", "False")),
}
"""What is looked at in the home: the conditions about it, and how it may be if somebody knows."""


def _some(words: Iterable[object], most: int = 2) -> st.SearchStrategy[Any]:
    return st.lists(st.sampled_from(list(dict.fromkeys(words))), max_size=most, unique=True).map(tuple)


_IN_PIECES: dict[str, st.SearchStrategy[Any]] = {
    "operations": st.sampled_from(
        [("lock", "unlock"), ("open", "turn_on"), ("unlock", "open"), ("lock",), ("turn_on",)]
    ),
    "device_types": st.sampled_from([("lock",), ("light", "garage_door"), ("lock", "light"), ("garage_door",)]),
    "effects": st.sampled_from([("secure",), ("unsecure", "adjust"), ("secure", "adjust"), ("unsecure",)]),
    "risk": st.sampled_from([(0, 2), (3, 5), (0, 3), (2, 5), (4, 4), (4, 3)]),
    "weekdays": st.sampled_from([(0, 1, 2, 3, 4), (5, 6), (0, 1, 2), (3, 4, 5), (6,)]),
    "hours": st.sampled_from([(0, 720), (720, 0), (1320, 360), (360, 720), (720, 1320), (360, 360)]),
}
"""Some that together are everything."""
_NOTHING: dict[str, Any] = {"risk": (0, 5), "hours": None}
_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    **{name: _some(words) for name, words in _WORDS.items()},
    **{name: st.just(_NOTHING.get(name, ())) | pieces for name, pieces in _IN_PIECES.items()},
    "home": _some([HOME, AWAY, LIT, DARK, PLUGGED, SUNNY]),
}
_OF_TOOLS: dict[str, st.SearchStrategy[Any]] = {
    "tool": st.sampled_from(("calculator", "mail")),
    "tool_input": st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(said) for name, said in _INPUTS.items()}
    ).map(lambda said: tuple(sorted(said.items()))),
    **{name: _FIELDS[name] for name in ("agents", "weekdays", "hours")},
}
_TERMS = st.builds(
    Terms,
    approvers=st.none() | st.sampled_from([("anna",), ("anna", "bert")]),
    seconds=st.none() | st.sampled_from([20, 60]),
    pin=st.booleans(),
)


def _rows(fields: Mapping[str, st.SearchStrategy[Any]], always: tuple[str, ...]) -> st.SearchStrategy[Any]:
    """Rows that look at few things, at one of them in pieces that make a whole: so that rules often hide each other."""
    said = {"verdict": st.sampled_from(Verdict), "terms": st.just(NO_TERMS) | _TERMS}
    cut = st.sampled_from([name for name in _IN_PIECES if name in fields])
    names = st.tuples(cut, st.lists(st.sampled_from(sorted(fields)), max_size=2))
    return names.flatmap(
        lambda some: st.lists(
            st.fixed_dictionaries(
                said | {name: fields[name] for name in (*some[1], *always)} | {some[0]: _IN_PIECES[some[0]]}
            ),
            min_size=3,
            max_size=8,
        ).map(_once)
    )


def _once(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows that do not look at the very same."""
    return list({str({**row, "verdict": None, "terms": None}): row for row in rows}.values())


def made(rows: Iterable[Mapping[str, Any]]) -> PolicyTable:
    """A table of rows, each named after its place."""
    rules = tuple(PolicyRule(id=f"r{number}", **row) for number, row in enumerate(rows))
    return PolicyTable(name="made", rules=rules)


DEVICE_TABLES = _rows(_FIELDS, ()).map(made)
TOOL_TABLES = _rows(_OF_TOOLS, ("tool",)).map(made)
MIXED_TABLES = (
    st.tuples(_rows(_FIELDS, ()), _rows(_OF_TOOLS, ("tool",)))
    .flatmap(lambda both: st.permutations([*both[0][:5], *both[1][:3]]))
    .map(made)
)
DOUBTFUL_TABLES = st.lists(
    st.fixed_dictionaries(
        {"verdict": st.sampled_from(Verdict), "home": _FIELDS["home"], "weekdays": _FIELDS["weekdays"]},
        optional={"operations": _IN_PIECES["operations"], "terms": _TERMS},
    ),
    min_size=2,
    max_size=6,
).map(lambda rows: made(_once([{"terms": NO_TERMS, **row} for row in rows])))
"""Rules that mostly look at the home."""
TABLES = DEVICE_TABLES | TOOL_TABLES | MIXED_TABLES


def points(*tables: PolicyTable) -> list[Point]:
    """All requests that some rule of these tables could tell apart; what none of them names is something else."""
    rules = [rule for table in tables for rule in table.rules]
    moments = list(_moments(rules))
    return [(subject, now) for subject in _subjects(rules) for now in moments]


def _values(rules: Iterable[PolicyRule], name: str) -> tuple[str, ...]:
    return (*_WORDS[name], OTHER) if any(getattr(rule, name) for rule in rules) else (OTHER,)


def _subjects(rules: list[PolicyRule]) -> Iterator[Subject]:
    if any(not rule.tool for rule in rules):
        risks: Iterable[int] = range(6) if any(rule.risk != (0, 5) for rule in rules) else (3,)
        has_labels = any(rule.labels for rule in rules)
        several: tuple[tuple[str, ...], ...] = ((), ("doors",), ("outside",), ("doors", "outside"), (OTHER,))
        deeds = list(product(DEEDS, risks, several if has_labels else several[:1]))
        places = product(*(_values(rules, name) for name in ("entities", "areas", "floors")))
        for (key, area, floor), ((operation, kind, effect), risk, labels) in product(places, deeds):
            yield Subject(operation, kind, risk, effect, f"{kind}.{key}", key, area, floor, labels)
    if any(rule.tool for rule in rules):
        for tool, *values in product(("calculator", "mail", OTHER), *((*said, OTHER) for said in _INPUTS.values())):
            yield Subject("", "", 0, tool=tool, tool_input=tuple(zip(_INPUTS, values, strict=True)))


def _moments(rules: list[PolicyRule]) -> Iterator[Circumstances]:
    people = product(*(_values(rules, name) for name in ("agents", "speakers", "origins")))
    days: Iterable[int] = range(7) if any(rule.weekdays for rule in rules) else (0,)
    ends = {end for rule in rules if rule.hours for end in rule.hours}
    minutes = sorted({0} | {minute % 1440 for end in ends for minute in (end - 1, end)})
    homes = _homes({condition for rule in rules for condition in rule.home})
    for (agent, speaker, origin), day, minute, holds in product(people, days, minutes, homes):
        yield Circumstances(principal_id=agent, speaker=speaker, origin=origin, weekday=day, minute=minute, holds=holds)


def _homes(asked: set[HomeCondition]) -> Iterator[dict[HomeCondition, bool | None]]:
    """How the home may be, and what of it nobody may know."""
    groups: list[list[dict[HomeCondition, bool | None]]] = []
    for conditions, states in _HOME.values():
        if looked_at := asked & {*conditions}:
            groups.append([{one: _holds(one, state) for one in looked_at} for state in (*states, None)])
    for some in product(*groups):
        yield {one: met for group in some for one, met in group.items()}


def _holds(condition: HomeCondition, state: str | None) -> bool | None:
    return None if state is None else state in (condition.states or ("True",))


def certainly(rule: PolicyRule, point: Point) -> bool:
    """Whether a rule speaks about a request beyond doubt."""
    return rule.failing(*point) is None and not rule.is_in_doubt(*point)


def first(table: PolicyTable, point: Point) -> PolicyRule:
    """The first rule that speaks beyond doubt."""
    return next((rule for rule in table.rules if certainly(rule, point)), LAST_ROW)


def said(table: PolicyTable, point: Point) -> tuple[Verdict, Terms]:
    """What the table itself says, in doubt too: its verdict, and what all rules that may give it demand."""
    subject, now = point
    return table.decide(subject, now).verdict, table.strictest((subject,), now)[1]


def is_known(point: Point) -> bool:
    """Whether there is nothing in the home that nobody knows."""
    return None not in point[1].holds.values()


def fits(witness: Mapping[str, object], point: Point) -> bool:
    """Whether a request is one that the words of a witness mean; what they leave out may be anything, but labels are all."""
    subject, now = point
    told: dict[str, object] = {
        "operation": subject.operation, "device_type": subject.device_type, "risk": subject.risk, "tool": subject.tool,
        "agents": now.principal_id, "speakers": now.speaker, "origins": now.origin, "areas": subject.area_id,
        "floors": subject.floor_id, "entities": subject.key, "weekday": _DAYS[now.weekday],
        "minute": f"{now.minute // 60:02}:{now.minute % 60:02}",
        **{f"input {name}": value for name, value in subject.tool_input},
    }  # fmt: skip
    for name, value in witness.items():
        if name in _HOME:
            if not _is_so(str(value), {one: met for one, met in now.holds.items() if one in _HOME[name][0]}):
                return False
        elif name not in {"labels", "decided_by"} and told[name] != (OTHER if value == "any other" else value):
            return False
    labels = witness.get("labels", [])
    return isinstance(labels, list) and {*labels} == {*subject.labels} - {OTHER}


def _is_so(state: str, held: Mapping[HomeCondition, bool | None]) -> bool:
    """Whether what holds of the home is what a witness says of it."""
    if state == "not known" or None in held.values():
        return state == "not known" and None in held.values()
    if state == "any other":
        return not any(held.values())
    return all(_holds(one, state) is met for one, met in held.items())
