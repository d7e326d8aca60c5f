"""A call as agents who speak Home Assistant send it, translated back to the catalogue's words, or refused (R4, R6).

Values stay in Home Assistant's units until here: ``brightness`` 0-255, ``volume_level`` 0-1. What has no row is not done,
whatever name it comes under.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import ceil

from ..chain import Refuse, listed
from ..codes import Code
from ..models import NOW, TIMES, Intent, ServiceCall
from . import OPERATIONS, operation
from .left_out import LEFT_OUT
from .operation import Operation
from .values import Percent
from .values.color import NUMBERS


@dataclass(frozen=True, kw_only=True)
class Translation:
    """The fields of candidates, one for each target, and where each of their values stands in the call."""

    candidates: tuple[Mapping[str, object], ...]
    places: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Field:
    """A field of a service: the proposal's word for it, its number there, and the range in Home Assistant's units."""

    param: str
    factor: float = 1
    ends: tuple[float, float] | None = None


_OTHER_FIELDS: dict[str, dict[str, _Field]] = {
    "light": {
        "brightness": _Field("brightness", 100 / 255, (0, 255)),
        "brightness_step_pct": _Field("brightness_step"),
        "brightness_step": _Field("brightness_step", 100 / 255, (-255, 255)),
    },
    "climate": {"hvac_mode": _Field("mode")},
}
"""Fields that say the same as one of the catalogue's in another way."""

_STEPS: dict[str, tuple[str, Mapping[str, object]]] = {
    "media_player.volume_up": ("media_player.volume_set", {"volume_step": 10}),
    "media_player.volume_down": ("media_player.volume_set", {"volume_step": -10}),
}
"""Services without values, by what they mean here."""

_TARGETS = {
    "entity_id": "device_alias",
    "area_id": "room",
    "device_id": "device",
    "floor_id": "floor",
    "label_id": "label",
}
"""Home Assistant's targets by the proposal's words."""


def _primary(service: str) -> Operation | None:
    """The row that a service is by itself: the first one, for later rows only add a name for some of its values."""
    domain, _, name = service.partition(".")
    if name == "toggle":
        return operation(domain, Intent.TOGGLE)
    return next((row for row in OPERATIONS if row.service == service), None)


def _row(service: str, params: Mapping[str, object]) -> Operation | None:
    """The first row of a service that takes these values."""
    primary = _primary(service)
    rows = [primary] if primary and primary.service is None else [row for row in OPERATIONS if row.service == service]
    return next((row for row in rows if row and params.keys() <= row.params.keys()), None)


_SERVICES = tuple(dict.fromkeys(row.service for row in OPERATIONS if row.service))


def translated(call: ServiceCall) -> Translation | Refuse:
    """The candidates that a call means, or why there are none."""
    service = call.name
    if service is None:
        hint = 'Send service with domain and name, such as "light.turn_on".'
        return Refuse(
            code=Code.SCHEMA,
            message="service_call names no service, or several.",
            hint=hint,
            field="service_call.service",
        )
    if call.contradiction:
        message, name = call.contradiction
        return Refuse(code=Code.CONFLICT, message=message, hint="Say it once.", field=f"service_call.{name}")
    service, meant = _STEPS.get(service, (service, {}))
    if _primary(service) is None:
        return _script(call, service) or _not_in_catalogue(service, _domain_of(call))
    places: dict[str, str] = dict.fromkeys(meant, "service_call.service")
    params: dict[str, object] = dict(meant)
    data = {name: value for name, value in call.values.items() if name not in _TARGETS}
    fields = _fields(service)
    for name, value in data.items():
        known = fields.get(name)
        if value is None:
            hint = "Leave out what you do not mean."
            return Refuse(
                code=Code.SCHEMA, message=f"{name[:60]} is null.", hint=hint, field=f"service_call.{call.data_key}"
            )
        place = f"service_call.{call.data_key}.{name}"
        if known is None:
            return _no_such_field(service, name, place, tuple(fields))
        if known.param in params:
            message = f"{places[known.param].rpartition('.')[2]} and {name} say the same thing twice."
            return Refuse(code=Code.CONFLICT, message=message, hint="Send one of the two.", field=place)
        converted = _converted(known, name, value, place)
        if isinstance(converted, Refuse):
            return converted
        params[known.param], places[known.param] = converted, place
    row = _row(service, params)
    if row is None:
        message = f"{service} does not take {listed(params)} at once."
        hint = "Send them one after the other."
        return Refuse(code=Code.CONFLICT, message=message, hint=hint, field=f"service_call.{call.data_key}")
    return _aimed(call, row, params, places)


def _script(call: ServiceCall, service: str) -> Translation | None:
    """A script called by its own name, as Home Assistant has it; what is handed to it would be done unseen."""
    domain, _, name = service.partition(".")
    if domain != "script" or service in LEFT_OUT or call.target is not None or call.values or not name.isidentifier():
        return None
    candidate = {"intent": Intent.RUN.value, "device_alias": service, "params": {}}
    return Translation(
        candidates=(candidate,), places={"intent": "service_call.service", "device_alias": "service_call.service"}
    )


def _fields(service: str) -> dict[str, _Field]:
    """The fields of a service that the catalogue knows."""
    domain = service.partition(".")[0]
    found: dict[str, _Field] = {}
    for row in OPERATIONS:
        if row.service != service:
            continue
        for param, parameter in row.params.items():
            kind = parameter.kind
            is_fraction = isinstance(kind, Percent) and kind.sent == 1
            for name in kind.sends:
                found.setdefault(name, _Field(param, 100, (0, 1)) if is_fraction else _Field(param))
    taken = {param for row in OPERATIONS if row.service == service for param in row.params}
    return found | {name: item for name, item in _OTHER_FIELDS.get(domain, {}).items() if item.param in taken}


def _converted(known: _Field, name: str, value: object, place: str) -> object | Refuse:
    """A value in the proposal's unit; out of Home Assistant's own range it is refused there (R6)."""
    numbers = NUMBERS.get(name)
    if numbers is not None and numbers != (len(value) if isinstance(value, list | tuple) else 0):
        hint = f"Send {numbers} numbers." if numbers else "Send the name of a colour."
        return Refuse(code=Code.SCHEMA, message=f"{name} is no such colour.", hint=hint, field=place)
    if known.ends is None or isinstance(value, bool) or not isinstance(value, int | float):
        return value
    low, high = known.ends
    if low <= value <= high:
        converted = round(value * known.factor, 2)
        if not 0 < abs(converted) < 1:
            return converted
        message = f"{name} {value:g} is less than one percent."
        hint = f"Send 0 or at least {ceil(100 / known.factor) / 100:g}."
        return Refuse(code=Code.OUT_OF_RANGE, message=message, hint=hint, field=place)
    hint = f"Send {name} from {low:g} to {high:g}"
    hint += f": {value / 100:g} if you mean {value:g} percent." if high == 1 and value <= 100 else "."
    return Refuse(code=Code.OUT_OF_RANGE, message=f"{name} {value:g} is out of range.", hint=hint, field=place)


def _aimed(
    call: ServiceCall, row: Operation, params: Mapping[str, object], places: Mapping[str, str]
) -> Translation | Refuse:
    """One candidate for each entity or area that is named."""
    target, place = call.aim
    if stray := next((name for name in target if name not in _TARGETS), None):
        hint = f"A target has one of: {', '.join(_TARGETS)}."
        return Refuse(
            code=Code.SCHEMA, message=f"Unknown target {stray[:60]}.", hint=hint, field=f"{place}.{stray[:60]}"
        )
    if len(target) != 1:
        message = "The call names no target." if not target else "The call names its target in several ways."
        hint = 'Add target, such as {"entity_id": "light.kitchen"}.'
        return Refuse(code=Code.SCHEMA if not target else Code.CONFLICT, message=message, hint=hint, field=place)
    ((name, named),) = ((name, target[name]) for name in _TARGETS if name in target)
    names = named if isinstance(named, list | tuple) else [named]
    if all(isinstance(one, str) for one in names):
        names = list(dict.fromkeys(names))
    if not names or len(names) > MOST_TARGETS:
        hint = f"Send 1 to {MOST_TARGETS} ids."
        return Refuse(code=Code.SCHEMA, message=f"{name} has {len(names)} ids.", hint=hint, field=f"{place}.{name}")
    # An id of another domain is no target of this action: Home Assistant would skip it silently.
    wrong = next((one for one in names if name == "entity_id" and not str(one).startswith(f"{row.domain}.")), None)
    if wrong is not None:
        message = f"{str(wrong)[:100]!r} is no {row.domain}, and {call.name} is for those only."
        hint = f"Send ids that start with {row.domain}., in lower case; all and none are no ids."
        return Refuse(code=Code.DEVICE_TYPE_MISMATCH, message=message, hint=hint, field=f"{place}.{name}")
    key = _TARGETS[name]
    fixed: dict[str, object] = {} if name == "entity_id" else {"device_type": row.domain}
    return Translation(
        candidates=tuple({"intent": row.intent.value, key: one, **fixed, "params": params} for one in names),
        places={
            "intent": "service_call.service",
            "params": f"service_call.{call.data_key}",
            "device_type": f"{place}.{name}",
            **places,
            key: f"{place}.{name}",
        },
    )


MOST_TARGETS = 20


def _domain_of(call: ServiceCall) -> str:
    """The domain of the entities that a call is aimed at."""
    named = call.aim[0].get("entity_id")
    first = named[0] if isinstance(named, list | tuple) and named else named
    return first.partition(".")[0] if isinstance(first, str) else ""


def _not_in_catalogue(service: str, aimed_at: str) -> Refuse:
    domain, _, name = service.partition(".")
    meant = f"{aimed_at}.{name}"
    near = (
        (meant,)
        if meant in _SERVICES
        else tuple(get_close_matches(service, _SERVICES, 3, 0.6))
        or tuple(item for item in _SERVICES if item.startswith(f"{domain}."))
    )
    why = LEFT_OUT.get(service)
    reads = domain in {"sensor", "binary_sensor"} or name.startswith(("get", "read"))
    hint = (
        "Send model_candidate with the intent status to read."
        if reads
        else f"There is: {listed(near) or 'nothing like it'}."
    )
    return Refuse(
        code=Code.SERVICE_NOT_FOUND,
        message=f"{service} cannot be called through EdgeHome" + (f": {why}." if why else "."),
        hint=hint,
        field="service_call.service",
        candidates=near,
    )


_CODES = frozenset({"code", "pin", "password"})


def _no_such_field(service: str, name: str, place: str, fields: tuple[str, ...]) -> Refuse:
    hint = f"{service} takes: {listed(fields) or 'no values'}."
    if name.casefold() in TIMES:
        hint = NOW
    if name in _CODES:
        hint = "Agents give no codes: EdgeHome uses the default code that the owner has set for the entity."
    return Refuse(
        code=Code.UNSUPPORTED_FIELD,
        message=f"{service} does not take {name[:60]} from agents.",
        hint=hint,
        field=place,
        candidates=fields,
    )
