"""docs/operations.md, written from the catalogue: what can be done, with which values, at which risk, and what is left out."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from custom_components.edgehome.catalogue import DOMAINS, OPERATIONS, operations_of
from custom_components.edgehome.catalogue.device_types import DEVICE_TYPES, device_type_of
from custom_components.edgehome.catalogue.left_out import LEFT_OUT
from custom_components.edgehome.catalogue.operation import Operation, Parameter
from custom_components.edgehome.catalogue.risk import LARGE_JUMP, OPAQUE, base_risk, effect_on
from custom_components.edgehome.catalogue.values import (
    Color,
    Duration,
    Flag,
    Kelvin,
    Kind,
    Media,
    Moment,
    Option,
    OwnNumber,
    Percent,
    Seconds,
    Speech,
    Step,
    Temperature,
    Words,
)
from custom_components.edgehome.models import Intent

PAGE = Path(__file__).parents[1] / "docs" / "operations.md"

HEAD = """# Operations

<!-- docs-supported-devices -->
<!-- Written by scripts/operations from the catalogue; do not edit. -->
What can be done at all. What is not here cannot be done, whatever name it comes under. Every exposed entity of any
domain can be read with `status`, at risk 0. The owner can add operations of his own: `list_devices` names them where they
can be done.

Values are in the words of a proposal: percent (0-100) for brightness, position, tilt, volume, speed and humidity; kelvin
for a colour temperature; degrees in the home's unit, or in `unit`. Ranges, steps and choices are the device's own, and the
owner may narrow them for one entity. Nothing is clamped and nothing is rounded to fit: what the device does not take is
refused with what it would take.

*Features* are bits of the entity's `supported_features`, all of which it must have; `a or b` are alternatives. What Home
Assistant's own action asks for beyond them is asked for too.
"""

TYPES_HEAD = """## Device types, risk and effect

Risk goes from 0 (harmless) to 5 (critical). The *effect* is what it does to the house: `adjust` changes a setting, `secure`
and `unsecure` close and open what keeps somebody or something out, `motion` moves something, `run` starts something whose
end is not in the entity's state.
"""

FOOT = """## What else counts

* An action is judged under every name of what it really does: a `set_position` above 0 is `open` too and at 0 `close`; a
  light's brightness of 0 and a fan's speed of 0 are `turn_off`; a value set on a lamp or fan that is off is `turn_on`;
  `open` on a lock pulls the latch and is `unlock`; arming an alarm in a milder mode than the present one, or than one
  that nobody knows, is `disarm`; a `toggle` is what it does now.
* One is added for a set point that moves by more than {celsius:g} °C or {fahrenheit:g} °F, or from nobody knows where.
* At least {opaque} is running a scene, or a script that the owner has not vetted in its present form.
* At least 3 is an announcement with the wake word of a voice assistant, and media that is played from an address.
* The owner's risk for an entity stands in the place of all of these but the large set point.
* Locks and alarms with a code of their own need a default code in Home Assistant: agents give none.
"""

LEFT_HEAD = """## Left out

What Home Assistant offers on these domains and EdgeHome does not, and why. `toggle` is asked for as an intent, where the
tables above have it.
"""


def page() -> str:
    """The whole file."""
    parts = [HEAD, *(_domain(domain) for domain in dict.fromkeys(row.domain for row in OPERATIONS)), _types()]
    foot = FOOT.format(celsius=LARGE_JUMP["°C"], fahrenheit=LARGE_JUMP["°F"], opaque=OPAQUE)
    return "\n".join([*parts, foot, _left_out()])


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table without the columns that would be empty."""
    columns, cells = list(head), [list(row) for row in rows]
    kept = [place for place in range(len(columns)) if any(row[place] for row in cells)]
    lines = [columns, ["---"] * len(columns), *cells]
    return "".join("".join(f"| {line[place]} " if line[place] else "| " for place in kept) + "|\n" for line in lines)


def _domain(domain: str) -> str:
    rows = [row for row in operations_of(domain) if row.intent is not Intent.STATUS]
    table = _table(
        ("intent", "values", "Home Assistant's action", "features", "does nothing while"),
        ([f"`{row.intent}`", _values(row), _service(row), _features(row.features), _idle(row)] for row in rows),
    )
    return f"## {domain}\n\n{table}"


def _service(row: Operation) -> str:
    return f"`{row.service}`" if row.service else "as what it does now"


def _features(masks: tuple[int, ...]) -> str:
    return " or ".join(str(mask) for mask in masks)


def _idle(row: Operation) -> str:
    where = " and ".join(f"`{name}` is {value}" for name, value in row.idle_with.items())
    return ", ".join(row.idle_in) + (f", where {where}" if where else "")


def _values(row: Operation) -> str:
    always = set.intersection(*(set(names) for names in row.needs)) if row.needs else set()
    one_of = len(row.needs) > 1
    told: list[str] = []
    for name, parameter in row.params.items():
        needed = " (needed)" if name in always else " (one is needed)" if one_of else ""
        told.append(f"`{name}`{needed}: {_value(parameter)}")
    return "; ".join(told)


def _value(parameter: Parameter) -> str:
    text = _kind(parameter.kind)
    if parameter.features:
        text += f", feature {_features(parameter.features)}"
    if parameter.default is not None:
        text += f", {str(parameter.default).lower()} unless said otherwise"
    return text


def _kind(kind: Kind) -> str:  # noqa: C901, PLR0912  # one line for each kind of value
    match kind:
        case Percent():
            return _percent(kind)
        case Step():
            return (
                f"{'degrees' if isinstance(kind.of, Temperature) else 'percent'} more or less than `{kind.attribute}`"
            )
        case Temperature():
            low, high = kind.default
            return f"degrees, `min_temp` to `max_temp` (where it names none {low:g} to {high:g} °C)"
        case Kelvin():
            return "kelvin, `min_color_temp_kelvin` to `max_color_temp_kelvin` (where it names none 2000 to 6500)"
        case Color():
            return "a CSS colour name, or `[red, green, blue]`, each 0-255, or the numbers of the lamp's own color mode"
        case OwnNumber():
            return _number(kind)
        case Option():
            words = " or ".join(f"`{word}`" for word in kind.always)
            return words or f"one of the entity's `{kind.options}`"
        case Seconds():
            return f"seconds, 0-{kind.most:g}"
        case Duration():
            return "seconds, or like 00:10:00"
        case Moment():
            forms = {"date": "2026-12-24", "time": "07:30:00", "datetime": "2026-12-24T07:30:00"}
            return (
                f"like {forms[kind.kind]}" if kind.kind else "a date, a time or both, as `has_date` and `has_time` say"
            )
        case Words():
            return "text within `min`, `max` and `pattern`; none that is a password" if kind.shows else "text"
        case Flag():
            return "`true` or `false`"
        case Media():
            return "a media id that the player knows; no speech"
        case Speech():
            return "text, spoken with the home's default voice"
        case _:
            raise TypeError(f"no words for {type(kind).__name__}")


def _percent(kind: Percent) -> str:
    text = "percent" if kind.limits is None else f"percent, `{kind.limits[0]}` to `{kind.limits[1]}`"
    if kind.whole:
        text += ", whole"
    if kind.grid:
        text += f", in steps of `{kind.grid}`"
    if kind.sent == 1:
        text += f" (`{kind.field}` 0-1)"
    return text


def _number(kind: OwnNumber) -> str:
    step = f", in steps of `{kind.step}`" if kind.step else ""
    return f"a {'whole ' if kind.whole else ''}number, `{kind.low}` to `{kind.high}`{step}"


def _types() -> str:
    words = {kind.word: kind for kind in DEVICE_TYPES if kind.domain in DOMAINS}
    lines = []
    for word, kind in words.items():
        classes = ", ".join(item or "none" for item in kind.device_classes) or "any other"
        lines.append([f"`{word}`", f"{kind.domain}, {classes}", _risks(word, kind.domain), _effects(word, kind.domain)])
    plain = sorted(domain for domain in DOMAINS if device_type_of(domain, None) == domain and domain not in words)
    lines += [[f"`{domain}`", domain, _risks(domain, domain), _effects(domain, domain)] for domain in plain]
    return f"{TYPES_HEAD}\n{_table(('device type', 'Home Assistant', 'risk', 'effect'), lines)}"


def _risks(device_type: str, domain: str) -> str:
    by_risk: defaultdict[int, list[str]] = defaultdict(list)
    for row in operations_of(domain):
        if row.intent is not Intent.STATUS:
            by_risk[base_risk(device_type, row.intent)].append(row.intent.value)
    return "; ".join(f"{risk}: {', '.join(names)}" for risk, names in sorted(by_risk.items()))


def _effects(device_type: str, domain: str) -> str:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in operations_of(domain):
        if row.intent is not Intent.STATUS:
            found[effect_on(device_type, row.intent, row.effect).value].append(row.intent.value)
    if len(found) == 1:
        return next(iter(found))
    return "; ".join(f"{effect}: {', '.join(names)}" for effect, names in found.items())


def _left_out() -> str:
    by_reason: defaultdict[str, list[str]] = defaultdict(list)
    for service, reason in LEFT_OUT.items():
        by_reason[reason].append(f"`{service}`")
    return f"{LEFT_HEAD}\n{_table(('why', 'actions'), ([reason, ', '.join(names)] for reason, names in by_reason.items()))}"


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"{PAGE.name}: {len(OPERATIONS)} operations, {len(LEFT_OUT)} actions left out")
