"""Gate 2: is it a well-formed proposal? (R6)

Strict: no unknown field, no text for a number, no blank or catch-all name, no values that contradict each other.
"""

from difflib import get_close_matches

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ..chain import Answer, GateContext, Pass, Refuse, listed, passing, refusing
from ..codes import Code, GateName
from ..models import Intent, ModelCandidate, Params, Proposal

LATER_FORMS = ("service_call", "raw_input", "commands")
"""Shapes of a request that EdgeHome will take one day."""

_CONTRADICTIONS = (
    ("temperature", "temperature_low"),
    ("temperature", "temperature_high"),
    ("temperature", "temperature_step"),
    ("brightness", "brightness_step"),
    ("volume", "volume_step"),
    ("color", "color_temperature"),
)
_TEMPERATURES = frozenset({"temperature", "temperature_low", "temperature_high", "temperature_step", "value"})
_TARGET_WORDS = frozenset(
    {
        "entity_id",
        "target",
        "area_id",
        "device_id",
        "floor_id",
        "label_id",
        "entity",
        "area",
    }
)
_KNOWN = {
    (): tuple(Proposal.model_fields),
    ("model_candidate",): tuple(ModelCandidate.model_fields),
    ("model_candidate", "params"): tuple(Params.model_fields),
}


class Schema:
    """Is it a well-formed proposal?"""

    name = GateName.SCHEMA
    rules = ("R3", "R6")
    codes = frozenset({Code.SCHEMA, Code.UNSUPPORTED_FORM, Code.CONFLICT})
    steps: frozenset[type] = frozenset({Pass, Refuse})

    def evaluate(self, ctx: GateContext) -> Answer:
        """Turns the payload into a ``Proposal`` or says which field is wrong."""
        payload = ctx.request.payload
        if later := [form for form in LATER_FORMS if form in payload]:
            return refusing(
                Refuse(
                    code=Code.UNSUPPORTED_FORM,
                    message=f"EdgeHome does not take {later[0]} yet.",
                    hint="Send model_candidate with intent, device_alias or room and device_type, and params.",
                    field=later[0],
                )
            )
        try:
            proposal = Proposal.model_validate(payload)
        except ValidationError as error:
            return refusing(_explained(error))
        candidate = proposal.model_candidate
        if refusal := _target(candidate) or _contradiction(candidate.params):
            return refusing(refusal)
        return passing(ctx.adding(proposal=proposal), source_agent_claim=proposal.source_agent)


def _explained(error: ValidationError) -> Refuse:
    """The first fault as a sentence and a repair; unknown fields come last, what they say may be a consequence."""
    faults = sorted(
        error.errors(include_url=False, include_input=False),
        key=lambda f: f["type"] == "extra_forbidden",
    )
    fault = faults[0]
    # Union members and validators appear in the location; only the names of fields are of use to the caller.
    location = tuple(str(part) for part in fault["loc"])
    known = [part for part in location if part in _FIELD_NAMES]
    is_extra = fault["type"] == "extra_forbidden"
    path = ".".join(location if is_extra else known) or "model_candidate"
    message, hint, candidates = _words(fault, path, location)
    more = f" ({len(faults) - 1} more after it)" if len(faults) > 1 else ""
    return Refuse(
        code=Code.SCHEMA,
        message=message + more,
        hint=hint,
        field=path,
        candidates=candidates,
    )


def _words(fault: ErrorDetails, path: str, location: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
    if fault["type"] == "extra_forbidden":
        known = _KNOWN.get(location[:-1], ())
        if location[-1] in _TARGET_WORDS:
            return (
                f"Unknown field {path}.",
                "Name the target in device_alias, or room and device_type.",
                known,
            )
        near = tuple(get_close_matches(location[-1], known, 3))
        return (
            f"Unknown field {path}.",
            f"Fields here are: {listed(known, 30)}.",
            near or known,
        )
    if fault["type"] == "missing":
        return f"{path} is missing.", f"Add {path}.", ()
    if path == "model_candidate.intent":
        intents = tuple(Intent)
        return (
            "There is no such intent.",
            f"Intents are: {listed(intents, 50)}.",
            tuple(intents),
        )
    if fault["type"] == "value_error":
        return (
            f"{path} is not the name of one thing or place.",
            "Name one device or room; null, blank, all and none never mean everything.",
            (),
        )
    return (
        f"{path}: {fault['msg'].lower()}.",
        "Send a value of the right type; numbers are numbers, not text.",
        (),
    )


_FIELD_NAMES = frozenset(name for names in _KNOWN.values() for name in names)


def _target(candidate: ModelCandidate) -> Refuse | None:
    given = {"room": candidate.room, "device_alias": candidate.device_alias, "device_type": candidate.device_type}
    nulls = [name for name in candidate.model_fields_set & given.keys() if given[name] is None]
    if candidate.device_alias and nulls == ["device_type"]:
        # A type beside a name only narrows it; without one the name stands as it is.
        nulls = []
    if nulls:
        return Refuse(
            code=Code.SCHEMA,
            message=f"{min(nulls)} is null.",
            hint="Leave it out, or name one device or room; null never means everything.",
            field=f"model_candidate.{min(nulls)}",
        )
    if candidate.device_alias or candidate.device_type:
        return None
    return Refuse(
        code=Code.SCHEMA,
        message="The proposal names no device.",
        hint="Add device_alias (a name), or device_type, with room for a whole room.",
        field="model_candidate.device_alias",
    )


def _contradiction(params: Params) -> Refuse | None:
    given = params.given().keys()
    pair = next((pair for pair in _CONTRADICTIONS if given >= set(pair)), None)
    low, high = params.temperature_low, params.temperature_high
    if pair is None and low is not None and high is not None and low > high:
        pair = ("temperature_high", "temperature_low")
    if pair is None:
        return _lonely_unit(params) if "unit" in given and not given & _TEMPERATURES else None
    return Refuse(
        code=Code.CONFLICT,
        message=f"{pair[0]} and {pair[1]} contradict each other.",
        hint="Send one of the two, or the low one below the high one.",
        field=f"model_candidate.params.{pair[1]}",
    )


def _lonely_unit(params: Params) -> Refuse:
    return Refuse(
        code=Code.CONFLICT,
        message=f"unit {params.unit} is given without a temperature.",
        hint="Add temperature, or leave unit out.",
        field="model_candidate.params.unit",
    )
