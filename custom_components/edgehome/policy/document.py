"""A policy table as a document: how it is stored, exported and imported (no Home Assistant here).

Every row says only what it does not leave open; what it says may be one word or a list of them.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from ..catalogue.device_types import shortened, types_of
from .decision import FLOOR_OPAQUE, FLOOR_UNCERTAIN
from .requirement import Terms
from .rule import HomeCondition, PolicyRule, Verdict, as_json
from .space import DAYS
from .table import LAST_ROW, UNREADABLE, PolicyTable

VERSION = 1
MOST_RULES = 1000
RESERVED = frozenset({LAST_ROW.id, FLOOR_OPAQUE, FLOOR_UNCERTAIN})
"""Ids that rules of the owner may not have."""
_LONGEST = 100
_DAY = 24 * 60
_LARGEST = 2**63


class DocumentError(Exception):
    """A document that is no table: where, what is wrong, and what to do instead."""

    def __init__(self, field: str, message: str, hint: str) -> None:
        super().__init__(f"{field}: {message} {hint}".strip())
        self.field, self.message, self.hint = field, message, hint


def _several(value: object) -> object:
    return [value] if isinstance(value, str | int) and not isinstance(value, bool) else value


def _short(words: tuple[str, ...]) -> tuple[str, ...]:
    if any(len(word) > _LONGEST or not word.strip() for word in words):
        raise ValueError("a word is blank or too long")
    return words


def _range(value: object) -> object:
    """One risk as a range."""
    return [value, value] if isinstance(value, int) and not isinstance(value, bool) else value


def _of_objects(value: object) -> object:
    """One object as a list of one."""
    return [value] if isinstance(value, Mapping) else value


def _states(value: object) -> object:
    """Words of states; YAML reads on and off as something else."""
    said = _several("on" if value is True else "off" if value is False else value)
    words = {True: "on", False: "off"}
    return [words[one] if isinstance(one, bool) else one for one in said] if isinstance(said, list | tuple) else said


def _minutes(value: object) -> object:
    """A time of day as minutes; YAML reads 22:30 as a number of its own."""
    if isinstance(value, int) and not isinstance(value, bool):
        minutes = value // 60 if 3600 <= value <= _DAY * 60 and not value % 60 else value
        if value >= 60 and minutes <= _DAY:
            return minutes % _DAY
    found = re.fullmatch(r"(\d{1,2}):(\d{2})(?::00)?", value) if isinstance(value, str) else None
    if found is None or (minutes := int(found[1]) * 60 + int(found[2])) > _DAY or int(found[2]) > 59:
        raise ValueError("it is no time of day such as 22:30")
    return minutes % _DAY


def _is_plain(value: object) -> bool:
    """Whether every JSON can say it: no NaN, no infinity, no number of more than 64 bits."""
    if isinstance(value, Mapping):
        return all(_is_plain(one) for one in value.values())
    if isinstance(value, list | tuple):
        return all(_is_plain(one) for one in value)
    return not isinstance(value, int | float) or abs(value) < _LARGEST


_ABOUT_DEVICES = ("operations", "effects", "device_types", "entities", "areas", "floors", "labels", "risk")

type _Words = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=255)], ...],
    BeforeValidator(_several),
    Field(strict=False, max_length=200),
]
type _Time = Annotated[int, BeforeValidator(_minutes)]
type _Risk = Annotated[int, Field(ge=0, le=5)]

_FORM = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class _InState(BaseModel):
    model_config = _FORM

    entity: Annotated[str, Field(pattern=r"^[a-z0-9_]+\.[a-z0-9_]+$", max_length=255)]
    states: Annotated[_Words, BeforeValidator(_states), Field(min_length=1)]


class _Rule(BaseModel):
    model_config = _FORM

    id: Annotated[str, Field(pattern=r"^[a-z0-9_]{1,64}$")] = ""
    name: Annotated[str, Field(max_length=_LONGEST)] = ""
    verdict: Annotated[Verdict, Field(strict=False)]
    operations: Annotated[_Words, AfterValidator(_short)] = ()
    effects: Annotated[
        tuple[Literal["read", "adjust", "secure", "unsecure", "motion", "run"], ...],
        BeforeValidator(_several),
        Field(strict=False),
    ] = ()
    device_types: Annotated[_Words, AfterValidator(_short)] = ()
    risk: Annotated[tuple[_Risk, _Risk], BeforeValidator(_range), Field(strict=False)] = (0, 5)
    agents: _Words = ()
    speakers: _Words = ()
    origins: _Words = ()
    areas: _Words = ()
    floors: _Words = ()
    labels: _Words = ()
    entities: _Words = ()
    weekdays: Annotated[
        tuple[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"], ...],
        BeforeValidator(_several),
        Field(strict=False),
    ] = ()
    start: Annotated[_Time | None, Field(alias="from")] = None
    end: Annotated[_Time | None, Field(alias="to")] = None
    somebody_home: bool | None = None
    states: Annotated[tuple[_InState, ...], BeforeValidator(_of_objects), Field(strict=False)] = ()
    conditions: Annotated[tuple[dict[str, JsonValue], ...], BeforeValidator(_of_objects), Field(strict=False)] = ()
    tool: Annotated[str, Field(max_length=_LONGEST)] = ""
    input: dict[str, JsonValue] = {}
    approvers: _Words | None = None
    seconds: Annotated[int, Field(ge=10, le=900)] | None = None
    pin: bool = False

    @model_validator(mode="after")
    def _fits(self) -> _Rule:
        if self.risk[0] > self.risk[1]:
            raise ValueError("risk begins above its end")
        if (self.start is None) != (self.end is None):
            raise ValueError("from and to belong together")
        if self.input and not self.tool:
            raise ValueError("input belongs to a tool")
        if self.tool and any(getattr(self, name) != _Rule.model_fields[name].default for name in _ABOUT_DEVICES):
            raise ValueError("a rule about a tool says nothing about devices or risk")
        if self.approvers == ():
            raise ValueError("approvers names nobody: leave it out, then everybody who may is asked")
        if not _is_plain(self.input) or not _is_plain(self.conditions):
            raise ValueError("a number is none, or too large")
        if self.verdict is not Verdict.CONFIRM and (self.approvers or self.seconds or self.pin):
            raise ValueError("approvers, seconds and pin belong to confirm")
        return self

    def to_rule(self, rule_id: str) -> PolicyRule:
        presence = {True: ("home",), False: ("not_home",)}
        home = [HomeCondition(states=presence[self.somebody_home])] if self.somebody_home is not None else []
        home += [HomeCondition(entity_id=one.entity, states=one.states) for one in self.states]
        home += [HomeCondition(raw=as_json(one)) for one in self.conditions]
        return PolicyRule(
            id=rule_id,
            name=self.name,
            verdict=self.verdict,
            operations=tuple(one.strip().lower().replace(" ", "_") for one in self.operations),
            effects=self.effects,
            device_types=tuple(sorted({one for word in self.device_types for one in types_of(word)})),
            risk=self.risk,
            agents=self.agents,
            speakers=self.speakers,
            origins=self.origins,
            areas=self.areas,
            floors=self.floors,
            labels=self.labels,
            entities=self.entities,
            weekdays=tuple(sorted(DAYS.index(day) for day in set(self.weekdays))),
            hours=None if self.start is None or self.end is None else (self.start, self.end),
            home=tuple(home),
            tool=self.tool,
            tool_input=tuple(sorted((name, as_json(value)) for name, value in self.input.items())),
            terms=Terms(approvers=self.approvers or None, seconds=self.seconds, pin=self.pin),
        )


class _Document(BaseModel):
    model_config = _FORM

    version: Literal[1] = 1
    name: Annotated[str, Field(min_length=1, max_length=_LONGEST)] = "own"
    rules: Annotated[tuple[_Rule, ...], Field(strict=False, max_length=MOST_RULES)]


def table_of(document: object) -> PolicyTable:
    """The table that a document describes.

    Raises:
        DocumentError: it describes none.
    """
    try:
        found = _Document.model_validate(document)
    except ValidationError as error:
        raise _explained(error.errors(include_url=False)[0]) from error
    if found.name == UNREADABLE.name:
        raise DocumentError("name", "This name is taken.", "Give it another one.")
    ids = _ids(found.rules)
    return PolicyTable(
        name=found.name, rules=tuple(rule.to_rule(name) for rule, name in zip(found.rules, ids, strict=True))
    )


def to_document(table: PolicyTable) -> dict[str, Any]:
    """A table as a document, each row saying only what it does not leave open."""
    return {"version": VERSION, "name": table.name, "rules": [_said(rule) for rule in table.rules]}


def hash_of(document: Mapping[str, Any]) -> str:
    """What a document is known by; it does not change with what EdgeHome makes of it."""
    return hashlib.sha256(as_json(document).encode()).hexdigest()[:16]


def slug(words: str, taken: Iterable[str]) -> str:
    """An id made of words, unlike all that are taken."""
    plain = re.sub(r"[^a-z0-9]+", "_", words.casefold()).strip("_")[:50] or "rule"
    used = {*taken, *RESERVED}
    return next(
        one for number in range(1, MOST_RULES + 2) if (one := f"{plain}_{number}" if number > 1 else plain) not in used
    )


def _ids(rules: tuple[_Rule, ...]) -> list[str]:
    ids = [rule.id for rule in rules]
    for number, rule_id in enumerate(ids):
        if rule_id in RESERVED or (rule_id and rule_id in ids[:number]):
            hint = "Give it another one, or leave it out: EdgeHome gives it one."
            raise DocumentError(f"rules[{number}].id", f"The id {rule_id!r} is taken.", hint)
    for number, rule in enumerate(rules):
        if not ids[number]:
            ids[number] = slug(rule.name or " ".join([rule.verdict, *rule.operations[:1], rule.tool]), ids)
    return ids


def _said(rule: PolicyRule) -> dict[str, Any]:
    somebody: dict[tuple[str, ...], bool] = {("home",): True, ("not_home",): False}
    plain = {name: list(getattr(rule, name)) for name in _LISTS}
    told: dict[str, Any] = {
        "name": rule.name,
        **plain,
        "device_types": list(shortened(rule.device_types)),
        "risk": list(rule.risk) if rule.risk != (0, 5) else None,
        "weekdays": [DAYS[day] for day in rule.weekdays],
        "from": _clock(rule.hours[0]) if rule.hours else None,
        "to": _clock(rule.hours[1]) if rule.hours else None,
        "somebody_home": next((somebody[one.states] for one in rule.home if not (one.raw or one.entity_id)), None),
        "states": [{"entity": one.entity_id, "states": list(one.states)} for one in rule.home if one.entity_id],
        "conditions": [json.loads(one.raw) for one in rule.home if one.raw],
        "tool": rule.tool,
        "input": {name: json.loads(value) for name, value in rule.tool_input},
        "approvers": list(rule.terms.approvers) if rule.terms.approvers is not None else None,
        "seconds": rule.terms.seconds,
        "pin": rule.terms.pin or None,
    }
    said = {name: value for name, value in told.items() if value not in (None, "", [], {})}
    return {"id": rule.id, "verdict": rule.verdict.value, **said}


_LISTS = ("operations", "effects", "agents", "speakers", "origins", "areas", "floors", "labels", "entities")


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _explained(fault: ErrorDetails) -> DocumentError:
    """The first fault in words."""
    path = ""
    for part in fault["loc"]:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    kind = fault["type"]
    if kind == "extra_forbidden":
        return DocumentError(path, "There is no such field.", f"Fields of a rule are: {', '.join(FIELDS)}.")
    if kind == "missing":
        return DocumentError(path, "It is missing.", "Add it.")
    if hint := _HINTS.get(kind):
        return DocumentError(path, hint[0], hint[1])
    if kind in {"model_type", "dict_type"}:
        return DocumentError(path or "document", "It is no object.", "Write names and values.")
    return DocumentError(path, f"{fault['msg'].removeprefix('Value error, ')}.", "")


_HINTS = {
    "tuple_type": ("It is no list.", "Write a list, such as [a, b]."),
    "list_type": ("It is no list.", "Write a list, such as [a, b]."),
    "bool_type": ("It is neither.", "Write true or false."),
    "string_type": ("It is no text.", "Write a word."),
    "string_pattern_mismatch": (
        "It has characters that it may not have.",
        "Use small letters, digits and underscores.",
    ),
    "too_short": ("It says nothing.", "Name at least one."),
}

FIELDS = tuple(field.alias or name for name, field in _Rule.model_fields.items())
"""What a row may say."""
