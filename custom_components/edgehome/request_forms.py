"""The forms in which a caller may say what it wants, each turned into candidates (no Home Assistant here).

* ``model_candidate``: one command in the catalogue's words;
* ``service_call``: one action in Home Assistant's words, translated back to them;
* ``commands``: several of these, judged together, done together or not at all.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pydantic import ValidationError

from .catalogue.service_call import translated
from .chain import Refuse, listed
from .codes import Code
from .devices import CustomOperation
from .models import MOST_COMMANDS, Envelope, Intent, ModelCandidate, ServiceCall
from .proposal import Proposal, Wanted
from .repair import EXAMPLE, explained

FORMS = ("model_candidate", "service_call", "commands")
LATER_FORMS = ("raw_input",)
"""Shapes of a request that EdgeHome will take one day."""

CANDIDATE = "model_candidate"


type Customs = Callable[[], tuple[CustomOperation, ...]]
"""Gives the operations that the owner added."""


def proposal_of(payload: Mapping[str, object], customs: Customs, *, is_bounded: bool = True) -> Proposal | Refuse:
    """What a payload asks for, or what is wrong with it; what EdgeHome wrote itself may have any number of commands."""
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
    wanted = _forms(given[0], payload[given[0]], customs, is_bounded=is_bounded)
    if isinstance(wanted, Refuse):
        return wanted
    return Proposal(wanted=wanted, dry_run=envelope.dry_run, source_agent=envelope.source_agent)


def _forms(form: str, sent: object, customs: Customs, *, is_bounded: bool) -> tuple[Wanted, ...] | Refuse:
    if form != "commands":
        return _one(form, sent, form, customs)
    if not isinstance(sent, list | tuple) or not sent or (is_bounded and len(sent) > MOST_COMMANDS):
        hint = f'Send a list of 1 to {MOST_COMMANDS}, each like model_candidate, or {{"service_call": …}}.'
        return Refuse(code=Code.SCHEMA, message="commands is no list of commands.", hint=hint, field=form)
    wanted: list[Wanted] = []
    for number, item in enumerate(sent):
        place = f"commands[{number}]"
        is_call = isinstance(item, Mapping) and "service_call" in item
        found = _called(item, place, customs) if is_call else _one(CANDIDATE, item, place, customs)
        if isinstance(found, Refuse):
            return replace(found, message=f"{place}: {found.message}")
        wanted.extend(found)
    return tuple(wanted)


def _called(item: Mapping[str, object], place: str, customs: Customs) -> tuple[Wanted, ...] | Refuse:
    if other := next((name for name in item if name != "service_call"), None):
        hint = "A command is a candidate or a service_call, not both."
        return Refuse(code=Code.CONFLICT, message=f"{other[:60]} stands beside service_call.", hint=hint, field=place)
    return _one("service_call", item["service_call"], f"{place}.service_call", customs)


def _one(form: str, sent: object, place: str, customs: Customs) -> tuple[Wanted, ...] | Refuse:
    """The candidates of one command, which stands at ``place`` in the payload."""
    if form == CANDIDATE:
        found = _custom(sent, customs) or _candidate(sent)
        return _moved(found, CANDIDATE, place) if isinstance(found, Refuse) else (replace(found, place=place),)
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
        one = _candidate(fields)
        if isinstance(one, Refuse):
            name = (one.field or "").rpartition(".")[2]
            return replace(one, field=places.get(name, place))
        wanted.append(replace(one, place=place, places=places))
    return tuple(wanted)


def _candidate(sent: object) -> Wanted | Refuse:
    try:
        return Wanted(candidate=ModelCandidate.model_validate(sent))
    except ValidationError as error:
        return explained(error, (CANDIDATE,))


def _custom(sent: object, customs: Customs) -> Wanted | Refuse | None:
    """A candidate that asks for one of the owner's own operations; its values are that operation's own."""
    intent = sent.get("intent") if isinstance(sent, Mapping) else None
    if not isinstance(sent, Mapping) or not isinstance(intent, str) or intent in Intent:
        return None
    custom = next((item for item in customs() if item.name == intent), None)
    if custom is None:
        return None
    values = sent.get("params", {})
    if not isinstance(values, Mapping):
        hint = "Send params as an object."
        return Refuse(code=Code.SCHEMA, message="params is no object.", hint=hint, field="model_candidate.params")
    # Its target is read as with every candidate; the intent only fills the place of one.
    found = _candidate({**sent, "intent": Intent.RUN.value, "params": {}})
    return found if isinstance(found, Refuse) else replace(found, custom=custom, values=dict(values))


def _moved(refusal: Refuse, form: str, place: str) -> Refuse:
    """A refusal with its field where it stands in what was really sent."""
    field = refusal.field or form
    message = refusal.message.replace(form, place)
    return replace(
        refusal, message=message, field=place + field.removeprefix(form) if field.startswith(form) else field
    )


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
