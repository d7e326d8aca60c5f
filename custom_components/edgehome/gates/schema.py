"""Gate 2: is it a well-formed proposal? (R6)

Strict: no unknown field, no text for a number, no blank or catch-all name, no values that contradict each other.
"""

from ..chain import Answer, GateContext, Pass, Refuse, passing, placed, refusing
from ..codes import Code, GateName
from ..models import Intent, ModelCandidate, Params
from ..request_forms import proposal_of

_CONTRADICTIONS = (
    ("temperature", "temperature_low"),
    ("temperature", "temperature_high"),
    ("temperature", "temperature_step"),
    ("brightness", "brightness_step"),
    ("volume", "volume_step"),
    ("color", "color_temperature"),
)
_TEMPERATURES = frozenset({"temperature", "temperature_low", "temperature_high", "temperature_step"})
_PARAMS = "model_candidate.params"


class Schema:
    """Is it a well-formed proposal?"""

    name = GateName.SCHEMA
    rules = ("R3", "R6")
    codes = frozenset(
        {
            Code.SCHEMA, Code.UNSUPPORTED_FORM, Code.CONFLICT, Code.SERVICE_NOT_FOUND, Code.UNSUPPORTED_FIELD,
            Code.OUT_OF_RANGE, Code.DEVICE_TYPE_MISMATCH,
        }
    )  # fmt: skip
    steps: frozenset[type] = frozenset({Pass, Refuse})

    def evaluate(self, ctx: GateContext) -> Answer:
        """Turns the payload into a ``Proposal`` or says which field is wrong."""
        is_bounded = "commands" not in ctx.request.own
        proposal = proposal_of(ctx.request.payload, ctx.facts.custom_operations, is_bounded=is_bounded)
        if isinstance(proposal, Refuse):
            return refusing(proposal)
        context = ctx.adding(proposal=proposal)
        for index, wanted in enumerate(proposal.wanted):
            candidate = wanted.candidate
            if refusal := _target(candidate) or _contradiction(candidate.intent, candidate.params):
                return refusing(placed(refusal, context, index))
        if len({wanted.verb is Intent.STATUS for wanted in proposal.wanted}) > 1:
            return refusing(_MIXED)
        return passing(context, source_agent_claim=proposal.source_agent)


_MIXED = Refuse(
    code=Code.CONFLICT,
    message="The request reads and acts at once.",
    hint="Send what reads in a request of its own.",
    field="commands",
)


_PLACES = ("room", "floor", "label", "device", "scope")


def _target(candidate: ModelCandidate) -> Refuse | None:
    sent = candidate.model_dump(include={"device_alias", "device_type", *_PLACES})
    given = {name: sent[name] for name in ("device_alias", "device_type", *_PLACES)}
    nulls = sorted(name for name in candidate.model_fields_set & given.keys() if given[name] is None)
    if candidate.device_alias and nulls == ["device_type"]:
        # A type beside a name only narrows it; without one the name stands as it is.
        nulls = []
    if nulls:
        return Refuse(
            code=Code.SCHEMA,
            message=f"Null: {', '.join(f'model_candidate.{name}' for name in nulls)}.",
            hint="Leave out what you do not mean; null never means everything.",
            field=f"model_candidate.{nulls[0]}",
        )
    places = [name for name in _PLACES if given[name]]
    beside = [name for name in places if name != "room"] if candidate.device_alias else places[1:]
    if beside:
        message = f"{beside[0]} stands beside {'device_alias' if candidate.device_alias else places[0]}."
        return _told_twice(message, beside[0])
    if candidate.device_alias or candidate.device_type or candidate.device:
        return None
    if places:
        return Refuse(
            code=Code.SCHEMA,
            message=f"{places[0]} alone does not say which devices are meant.",
            hint="Add device_type, such as light; for several types send one command for each.",
            field="model_candidate.device_type",
        )
    return Refuse(
        code=Code.SCHEMA,
        message="The proposal names no device.",
        hint="Add device_alias (a name), or device_type, with room, floor, label or scope for a whole set.",
        field="model_candidate.device_alias",
    )


def _told_twice(message: str, name: str) -> Refuse:
    hint = "Say in one way where: device_alias, room, floor, label, device or scope."
    return Refuse(code=Code.CONFLICT, message=message, hint=hint, field=f"model_candidate.{name}")


def _contradiction(intent: Intent, params: Params) -> Refuse | None:
    given = params.given()
    low, high = params.temperature_low, params.temperature_high
    pair = next((pair for pair in _CONTRADICTIONS if given.keys() >= set(pair)), None)
    if pair:
        return _conflict(f"{pair[0]} and {pair[1]} contradict each other.", "Send one of the two.", pair[1])
    if low is not None and high is not None and low > high:
        message = f"temperature_low {low} is above temperature_high {high}."
        return _conflict(message, "Send the lower one as temperature_low.", "temperature_low")
    zero = next((name for name in ("brightness", "speed") if given.get(name) == 0), None)
    if intent is Intent.TURN_ON and zero:
        return _conflict(f"turn_on with {zero} 0 contradicts itself.", "Send turn_off.", zero)
    if params.unit and not given.keys() & _TEMPERATURES:
        message = f"unit {params.unit} is given without a temperature."
        return _conflict(message, "Add temperature, or leave unit out.", "unit")
    return None


def _conflict(message: str, hint: str, name: str) -> Refuse:
    return Refuse(code=Code.CONFLICT, message=message, hint=hint, field=f"{_PARAMS}.{name}")
