"""Whether the values of a proposal fit a device: its own ranges and options, Home Assistant's, and the owner's (R6)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..chain import Refuse, listed
from ..codes import Code
from ..devices import DeviceRecord, DeviceState, FieldFacts, OwnersWord, ServiceFacts
from ..facts import Facts
from ..models import Intent, Verb
from ..plan import Effect, GatedCommand
from .operation import Operation, supports
from .values import Value


def kept_back(action: GatedCommand, owner: OwnersWord | None) -> Refuse | None:
    """The refusal of what the owner keeps back on an entity or on what it reaches, whatever it is called."""
    beyond = next((other for other in action.reaches if other.kept_back), None)
    if beyond is not None:
        return Refuse(
            code=Code.OWNERS_LIMIT,
            message=f"{action.name} would also {beyond.kept_back} {beyond.name}, and the owner does not let agents do that.",
            hint="Name the devices one by one and leave that one out.",
            field="model_candidate.device_alias",
        )
    if owner is None or action.effect is Effect.READ:
        return None
    if action.custom and owner.operations is None and (owner.low is not None or owner.high is not None):
        return Refuse(
            code=Code.OWNERS_LIMIT,
            message=f"The owner has set a range for {action.name}, and {action.verb} could leave it.",
            hint=f"The owner can allow {action.verb} there by naming it among the only operations.",
            field="model_candidate.intent",
        )
    if owner.operations is None:
        return None
    kept = next((name.value for name in action.operations if name.value not in owner.operations), None)
    if kept is None:
        return None
    return Refuse(
        code=Code.OWNERS_LIMIT,
        message=f"The owner does not let agents {kept.replace('_', ' ')} {action.name}.",
        hint=f"Allowed there: {listed(owner.operations, 20) or 'reading only'}.",
        field="model_candidate.intent",
        candidates=owner.operations,
    )


@dataclass(frozen=True, kw_only=True)
class Around:
    """What values are held against: the device as it is, the home, the service, and the owner's word, also on members."""

    state: DeviceState
    facts: Facts
    service: ServiceFacts
    owner: OwnersWord | None
    members: tuple[OwnersWord | None, ...] = ()


def with_values(
    action: GatedCommand, row: Operation, params: Mapping[str, object], around: Around
) -> GatedCommand | Refuse:
    """The action with its data and expectation in the service's own units, or why a value does not fit."""
    state, owner = around.state, around.owner
    # What was proposed says which values there are; who carries it out may do without some of them.
    params = {name: value for name, value in params.items() if name in row.params}
    params = {name: item.default for name, item in row.params.items() if item.default is not None} | dict(params)
    values: list[Value] = []
    end = _ENDS.get(action.operation) if action.entity_id.partition(".")[0] in _WITH_POSITION and not params else None
    if refusal := _beyond(action, "position", end, owner):
        return refusal
    for name, sent in params.items():
        parameter = row.params[name]
        if not supports(state, parameter.features):
            return _no_such_value(action, row, name, state)
        value = parameter.kind.resolve(name, sent, around.facts)
        converted = value if isinstance(value, Refuse) else parameter.kind.convert(name, value, action.name, state)
        if isinstance(converted, Refuse):
            return converted
        there = (known for member in action.members if (known := around.facts.state(member)) and known.is_available)
        if not all(parameter.kind.suits(value, known) for known in there):
            return _not_for_all(action, name)
        if not all(_takes(around.service.fields.get(item), state) for item in converted.data):
            return _no_such_value(action, row, name, state)
        for word in (owner, *around.members):
            if refusal := _beyond(action, name, converted.amount, word):
                return refusal
        values.append(converted)
    expect = [item for value in values for item in value.expect]
    by_value = any(item.attribute is None for item in expect)
    expect.extend(item for item in row.expect if not (by_value and item.attribute is None))
    return replace(
        action,
        data={key: item for value in values for key, item in value.data.items()},
        expect=tuple(expect),
        present=", ".join(value.present for value in values if value.present),
        wanted=", ".join(value.wanted for value in values if value.wanted),
        spans={key: item for value in values for key, item in value.span.items()},
    )


def _not_for_all(action: GatedCommand, name: str) -> Refuse:
    return Refuse(
        code=Code.UNSUPPORTED_FIELD,
        message=f"Not every member of {action.name} takes this {name.replace('_', ' ')} as it is.",
        hint="Send it in the words that all of them take, or name the devices one by one.",
        field=f"model_candidate.params.{name}",
    )


def _no_such_value(action: GatedCommand, row: Operation, name: str, state: DeviceState) -> Refuse:
    others = [item for item, other in row.params.items() if item != name and supports(state, other.features)]
    return Refuse(
        code=Code.UNSUPPORTED_FIELD,
        message=f"{action.name} has no {name.replace('_', ' ')}.",
        hint=f"{action.name} takes: {listed(others) or 'none of these values'}.",
        field=f"model_candidate.params.{name}",
        candidates=tuple(others),
    )


def _takes(facts: FieldFacts | None, state: DeviceState) -> bool:
    """Whether a field of the service is meant for this entity, as Home Assistant describes it."""
    if facts is None:
        return True
    by_attribute = any(set(words) & set(state.options(name)) for name, words in facts.attributes.items())
    by_feature = bool(facts.features) and supports(state, facts.features)
    return by_attribute or by_feature or not (facts.attributes or facts.features)


_ENDS: dict[Verb, float] = {Intent.OPEN: 100.0, Intent.CLOSE: 0.0}
"""What opening and closing is as a position (R5)."""
_WITH_POSITION = frozenset({"cover", "valve"})
_BESIDE = {"tilt": (), "humidity": ("humidifier",)}
"""Numbers beside the main one of a domain, which the owner's range is about; and where they are the main one."""


def within(described: Mapping[str, object], name: str, record: DeviceRecord) -> Mapping[str, object]:
    """What a device takes, narrowed to what the owner lets agents set."""
    owner = record.owner
    is_number = not described.keys() & {"values", "example", "relative"}
    if (
        owner is None
        or not is_number
        or name not in _RANGED
        or record.domain not in _BESIDE.get(name, (record.domain,))
    ):
        return described
    ends = {"min": (owner.low, max), "max": (owner.high, min)}
    for end, (own, narrower) in ends.items():
        told = described.get(end)
        if own is not None:
            described = {**described, end: narrower(told, own) if isinstance(told, int | float) else own}
    return described


_RANGED = frozenset(
    {
        "brightness", "humidity", "position", "speed", "temperature", "temperature_high", "temperature_low", "value",
        "volume",
    }
)  # fmt: skip
"""The numbers that an owner's range is about."""


def _beyond(action: GatedCommand, name: str, amount: float | None, owner: OwnersWord | None) -> Refuse | None:
    """Whether a number lies outside of the range that the owner lets agents use."""
    domain = action.entity_id.partition(".")[0]
    if owner is None or amount is None or domain not in _BESIDE.get(name, (domain,)):
        return None
    low, high = owner.low, owner.high
    if (low is None or amount >= low) and (high is None or amount <= high):
        return None
    ends = f"from {low:g}" if high is None else f"up to {high:g}" if low is None else f"from {low:g} to {high:g}"
    return Refuse(
        code=Code.OWNERS_LIMIT,
        message=f"The owner lets agents set {action.name} only {ends}; this would be {amount:g}.",
        hint=f"Send a value {ends}.",
        field=f"model_candidate.params.{name}",
    )
