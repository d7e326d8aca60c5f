"""What is wrong with a malformed proposal and how to mend it, in words that a model can act on (no Home Assistant here)."""

from difflib import get_close_matches
from typing import cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from .catalogue import OPERATIONS
from .chain import Refuse, listed
from .codes import Code
from .models import MOST_WAIT, NOW, TIMES, Envelope, Intent, ModelCandidate, Params, ServiceCall

_TARGET_WORDS = frozenset({"entity_id", "target", "area_id", "device_id", "floor_id", "label_id", "entity", "area"})
_PARAMS_IN_USE = tuple(dict.fromkeys([name for row in OPERATIONS for name in row.params] + ["unit"]))
_INTENTS_IN_USE = tuple(dict.fromkeys([row.intent.value for row in OPERATIONS] + [Intent.STATUS.value]))
_KNOWN: dict[tuple[str, ...], tuple[str, ...]] = {
    (): ("model_candidate", "service_call", "commands", *(name for name in Envelope.model_fields if name != "undoes")),
    ("service_call",): tuple(ServiceCall.model_fields),
    ("model_candidate",): tuple(ModelCandidate.model_fields),
    ("model_candidate", "params"): _PARAMS_IN_USE,
}
_FIELDS = frozenset(name for names in _KNOWN.values() for name in names) | frozenset(Params.model_fields)
EXAMPLE = '{"model_candidate": {"intent": "set_brightness", "device_alias": "Bed Light", "params": {"brightness": 80}}}'
_NEAR = 0.75

type _Advice = tuple[str, str, tuple[str, ...]]
"""Message, hint, candidates."""

_BY_TYPE = {
    "bool_type": ("is neither true nor false", "Send true or false, without quotes."),
    "string_too_long": ("is too long", "Shorten it."),
    "string_too_short": ("is blank", "Send a word, or leave it out."),
    "finite_number": ("is not a finite number", "Send a finite number."),
    "greater_than_equal": ("is out of range", f"It goes from 0 to {MOST_WAIT} seconds."),
    "less_than_equal": ("is out of range", f"It goes from 0 to {MOST_WAIT} seconds."),
    "float_type": ("is not a number", "Send the number alone, without % and without quotes."),
    "int_type": ("is not a whole number", "Send whole numbers, without quotes."),
    "literal_error": ("is not what it can be", "unit is '°C' or '°F'; scope is 'home', or say room, floor or label."),
}


def explained(error: ValidationError, at: tuple[str, ...] = ()) -> Refuse:
    """The first fault as a sentence and a repair; unknown fields come last, what they say may be a consequence.

    ``at`` is where the part stands that was looked at.
    """
    found = [{**fault, "loc": at + fault["loc"]} for fault in error.errors(include_url=False)]
    faults = sorted(cast("list[ErrorDetails]", found), key=_rank)
    fault = faults[0]
    path = _path(fault)
    message, hint, candidates = _advice(fault, path)
    others = list(dict.fromkeys(_path(other) for other in faults[1:] if _path(other) != path))
    if others:
        message += f" Wrong as well: {listed(others, 3)}."
    return Refuse(code=Code.SCHEMA, message=message, hint=hint, field=path, candidates=candidates)


def _rank(fault: ErrorDetails) -> int:
    """A wish for another time explains what else is wrong; an unknown field is explained by it."""
    if fault["type"] != "extra_forbidden":
        return 1
    return 0 if str(fault["loc"][-1]).casefold() in TIMES else 2


def _path(fault: ErrorDetails) -> str:
    """The field, without the union members and validators that pydantic puts between."""
    parts = [str(part) for part in fault["loc"]]
    if fault["type"] != "extra_forbidden":
        parts = [part for part in parts if part in _FIELDS]
    return ".".join("".join(c if c.isprintable() else "?" for c in part[:40]) for part in parts) or "model_candidate"


def _advice(fault: ErrorDetails, path: str) -> _Advice:
    kind = fault["type"]
    if kind == "extra_forbidden":
        return _unknown(fault, path)
    if kind == "missing":
        return f"{path} is missing.", f"Add {path}.", ()
    return _intent(fault["input"]) if path == "model_candidate.intent" else _value(fault, path)


def _value(fault: ErrorDetails, path: str) -> _Advice:
    kind, name = fault["type"], path.rpartition(".")[2]
    if kind in {"model_type", "dict_type"}:
        return f"{path} is not an object.", f"Send an object, not text or a list: {EXAMPLE}.", ()
    if kind == "string_pattern_mismatch":
        return "request_id has characters that are not allowed.", "Use 1 to 64 of A-Z a-z 0-9 . _ : -", ()
    if kind == "value_error":
        blank = isinstance(fault["input"], str) and not fault["input"].strip()
        message = f"{path} is blank." if blank else f"{path} is not the name of one thing or place."
        return message, "Name one device or room; null, blank, all and none never mean everything.", ()
    if name == "color":
        return (
            f"{path} is not a colour.",
            "Send a CSS colour name, or [red, green, blue], each a whole number 0-255.",
            (),
        )
    if kind == "string_type":
        hint = "Send text."
        if name in {"device_alias", "room", "device_type"}:
            hint = "One request names one device or room. Send one request for each, or room and device_type."
        return f"{path} is not text.", hint, ()
    what, hint = _BY_TYPE.get(kind, ("is of the wrong type", "Send a value of the right type."))
    return f"{path} {what}.", hint, ("°C", "°F") if kind == "literal_error" else ()


def _unknown(fault: ErrorDetails, path: str) -> _Advice:
    *parents, name = (str(part) for part in fault["loc"])
    known = _KNOWN.get(tuple(parents), ())
    if name in _TARGET_WORDS:
        return f"Unknown field {path}.", "Name the target in device_alias, or room and device_type.", known
    if name.casefold() in TIMES:
        return f"{path} asks for another time or for a repetition.", NOW, ()
    if name == "params" and not parents:
        return "params is not inside model_candidate.", f"Send {EXAMPLE}.", ()
    if name in _PARAMS_IN_USE and parents != ["model_candidate", "params"]:
        return f"{name} is not inside params.", f'Values go into params: {{"params": {{"{name}": …}}}}.', ()
    near = tuple(get_close_matches(name, known, 3, _NEAR))
    return f"Unknown field {path}.", f"Fields here are: {listed(known, 30)}.", near


def _intent(sent: object) -> _Advice:
    word = sent.strip().casefold().replace(" ", "_").rpartition(".")[2] if isinstance(sent, str) else ""
    near = tuple(get_close_matches(word, _INTENTS_IN_USE, 3, 0.7))
    hint = f"Did you mean {listed(near)}?" if near else f"Intents are: {listed(_INTENTS_IN_USE, 40)}."
    return "There is no such intent.", hint, near or _INTENTS_IN_USE
