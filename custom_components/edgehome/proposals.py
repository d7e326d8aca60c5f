"""The forms in which a caller may say what it wants, each turned into candidates (no Home Assistant here).

* ``model_candidate``: one command in the catalogue's words;
* ``service_call``: one action in Home Assistant's words, translated back to them;
* ``commands``: several of these, judged together, done together or not at all.
"""

from collections.abc import Mapping
from dataclasses import replace

from pydantic import ValidationError

from .catalogue.service_call import translated
from .chain import Refuse, listed
from .codes import Code
from .models import MOST_COMMANDS, Envelope, ModelCandidate, Proposal, ServiceCall, Wanted
from .repair import EXAMPLE, explained

FORMS = ("model_candidate", "service_call", "commands")
LATER_FORMS = ("raw_input",)
"""Shapes of a request that EdgeHome will take one day."""

CANDIDATE = "model_candidate"


def proposal_of(payload: Mapping[str, object]) -> Proposal | Refuse:
    """What a payload asks for, or what is wrong with it."""
    if later := next((form for form in LATER_FORMS if form in payload), None):
        return Refuse(
            code=Code.UNSUPPORTED_FORM,
            message=f"EdgeHome does not take {later} yet.",
            hint="Send model_candidate with intent, device_alias or room and device_type, and params.",
            field=later,
        )
    given = [form for form in FORMS if form in payload]
    if len(given) != 1:
        return _no_form(payload) if not given else _several(given)
    around = {name: value for name, value in payload.items() if name != given[0]}
    try:
        envelope = Envelope.model_validate(around)
    except ValidationError as error:
        return explained(error)
    wanted = _forms(given[0], payload[given[0]])
    if isinstance(wanted, Refuse):
        return wanted
    return Proposal(wanted=wanted, dry_run=envelope.dry_run, source_agent=envelope.source_agent)


def _forms(form: str, sent: object) -> tuple[Wanted, ...] | Refuse:
    if form != "commands":
        return _one(form, sent, form)
    if not isinstance(sent, list | tuple) or not 1 <= len(sent) <= MOST_COMMANDS:
        hint = f'Send a list of 1 to {MOST_COMMANDS}, each like model_candidate, or {{"service_call": …}}.'
        return Refuse(code=Code.SCHEMA, message="commands is no list of commands.", hint=hint, field=form)
    wanted: list[Wanted] = []
    for number, item in enumerate(sent):
        place = f"commands[{number}]"
        is_call = isinstance(item, Mapping) and "service_call" in item
        found = _called(item, place) if is_call else _one(CANDIDATE, item, place)
        if isinstance(found, Refuse):
            return replace(found, message=f"{place}: {found.message}")
        wanted.extend(found)
    return tuple(wanted)


def _called(item: Mapping[str, object], place: str) -> tuple[Wanted, ...] | Refuse:
    if other := next((name for name in item if name != "service_call"), None):
        hint = "A command is a candidate or a service_call, not both."
        return Refuse(code=Code.CONFLICT, message=f"{other[:60]} stands beside service_call.", hint=hint, field=place)
    return _one("service_call", item["service_call"], f"{place}.service_call")


def _one(form: str, sent: object, place: str) -> tuple[Wanted, ...] | Refuse:
    """The candidates of one command, which stands at ``place`` in the payload."""
    if form == CANDIDATE:
        candidate = _candidate(sent)
        return (
            _moved(candidate, CANDIDATE, place) if isinstance(candidate, Refuse) else (_wanted(candidate, place, {}),)
        )
    try:
        call = ServiceCall.model_validate(sent)
    except ValidationError as error:
        return _moved(explained(error, (form,)), form, place)
    translation = translated(call)
    if isinstance(translation, Refuse):
        return _moved(translation, form, place)
    places = {name: place + path.removeprefix(form) for name, path in translation.places.items()}
    wanted: list[Wanted] = []
    for fields in translation.candidates:
        candidate = _candidate(fields)
        if isinstance(candidate, Refuse):
            name = (candidate.field or "").rpartition(".")[2]
            return replace(candidate, field=places.get(name, place))
        wanted.append(_wanted(candidate, place, places))
    return tuple(wanted)


def _wanted(candidate: ModelCandidate, place: str, places: Mapping[str, str]) -> Wanted:
    return Wanted(candidate=candidate, place=place, places=places)


def _candidate(sent: object) -> ModelCandidate | Refuse:
    try:
        return ModelCandidate.model_validate(sent)
    except ValidationError as error:
        return explained(error, (CANDIDATE,))


def _moved(refusal: Refuse, form: str, place: str) -> Refuse:
    """A refusal with its field where it stands in what was really sent."""
    field = refusal.field or form
    return replace(refusal, field=place + field.removeprefix(form) if field.startswith(form) else field)


def _no_form(payload: Mapping[str, object]) -> Refuse:
    if {"intent", "device_alias"} & payload.keys():
        message = "The proposal is not inside model_candidate."
    else:
        message = "model_candidate is missing."
    return Refuse(code=Code.SCHEMA, message=message, hint=f"Send {EXAMPLE}.", field=CANDIDATE)


def _several(given: list[str]) -> Refuse:
    return Refuse(
        code=Code.CONFLICT,
        message=f"{listed(given)} stand side by side.",
        hint="Send one of them; several commands go into commands.",
        field=given[1],
    )
