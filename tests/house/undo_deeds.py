"""The deeds of the undo test: what each entity, room and floor can do, with values and a state before that chance chooses."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, override

from custom_components.edgehome.catalogue import operation
from custom_components.edgehome.catalogue.operation import Operation, supports
from custom_components.edgehome.devices import DeviceState
from custom_components.edgehome.models import Intent

from .differential_values import Look, plain
from .home_plan import Follow, HomePlan
from .undo_starts import TEXTS, a_clock, a_color, on_grid

type Place = tuple[tuple[str, str], ...]
"""The names by which a proposal means a set: a room or floor, and a device type."""
DRAWS = 2
"""So many times each operation of each entity is done, each time from another state and with other values."""
LONGEST = 2
"""So many seconds a lamp fades at most: the generated ones answer at once."""
SETS = {"light": "light", "switch": "switch", "cover": "cover", "fan": "fan", "lock": "lock", "climate": "thermostat"}
"""Domains of which a room or floor is asked as a set, and the word for all of each."""
ACTING = frozenset({"automation", "scene", "script"})
"""What does something to its members, and does not show them."""
_CLASHES = (
    {"color", "color_temperature"},
    {"brightness", "brightness_step"},
    {"volume", "volume_step"},
    {"speed", "preset"},
    {"temperature", "temperature_step"},
    {"temperature", "temperature_low"},
    {"temperature", "temperature_high"},
    {"temperature_step", "temperature_low"},
    {"temperature_step", "temperature_high"},
)
"""Values that are not sent together."""


@dataclass(frozen=True, kw_only=True)
class Deed:
    """One operation on one entity, or on a set that ``place`` names; ``entity_ids`` are all that it is about."""

    intent: str
    entity_ids: tuple[str, ...]
    place: Place = ()
    number: int = 0
    seed: int = 0

    @property
    def domain(self) -> str:
        """The domain of what it is about."""
        return self.entity_ids[0].partition(".")[0]

    @property
    def chance(self) -> Random:
        """What chooses its values and the state before it: the same each time."""
        return Random(f"{self.seed}/{self}")  # noqa: S311  # a choice, not a secret

    def candidate(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The proposal."""
        aim = dict(self.place) or {"device_alias": self.entity_ids[0]}
        return {"intent": self.intent, **aim, "params": dict(params)}

    def params(self, looks: Mapping[str, Look], chance: Random) -> dict[str, Any]:
        """Values that fit the first of some entities that takes any, as they look now."""
        for entity_id, look in looks.items():
            row = operation(entity_id.partition(".")[0], Intent(self.intent))
            if row and (found := fitting(row, look, chance)):
                return found
        return {}

    @override
    def __str__(self) -> str:
        where = " ".join(value for _, value in self.place) or self.entity_ids[0]
        return f"{self.intent} {where} #{self.number}"


def deeds(listed: Sequence[Mapping[str, Any]], faithful: frozenset[str], seed: int) -> list[Deed]:
    """All that ``list_devices`` offers of the faithful entities."""
    return [
        Deed(intent=intent, entity_ids=(device["entity_id"],), number=number, seed=seed)
        for device in listed
        if device["entity_id"] in faithful
        for intent in device["operations"]
        if intent != Intent.STATUS
        for number in range(DRAWS)
    ]


def sets(listed: Sequence[Mapping[str, Any]], faithful: frozenset[str], home: HomePlan, seed: int) -> list[Deed]:
    """Rooms and floors with at least two entities of a domain, all of them faithful: all that one of these offers."""
    floors = {room.name: room.floor for room in home.rooms}
    found: defaultdict[Place, list[Mapping[str, Any]]] = defaultdict(list)
    for device in listed:
        word, room = SETS.get(device["entity_id"].partition(".")[0]), device["room"]
        for where in (("room", room), ("floor", floors[room])) if word and room else ():
            found[where, ("device_type", str(word))].append(device)
    wanted: list[Deed] = []
    for place, devices in found.items():
        ids = tuple(device["entity_id"] for device in devices)
        if len(ids) > 1 and faithful.issuperset(ids):
            intents = sorted({intent for device in devices for intent in device["operations"]} - {Intent.STATUS})
            wanted += [Deed(intent=intent, entity_ids=ids, place=place, seed=seed) for intent in intents]
    return wanted


def faithful_of(home: HomePlan) -> frozenset[str]:
    """The entities that do at once what they are told, and so does all that stands behind them."""
    good = {entity.entity_id: entity.follow is Follow.AT_ONCE for entity in home.entities}
    behind: defaultdict[str, set[str]] = defaultdict(set)
    for entity in home.entities:
        behind[entity.entity_id] |= set(entity.members)
        if entity.domain == "automation":
            behind[entity.members[0]] |= set(entity.members[1:])
    return frozenset(name for name in good if all(good.get(part, True) for part in closed({name}, behind)))


def closed(first: set[str], steps: Mapping[str, set[str]]) -> set[str]:
    """All that is reached from some entities, these included."""
    found, waiting = set(first), list(first)
    while waiting:
        new = steps.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def fitting(row: Operation, look: Look, chance: Random) -> dict[str, Any]:
    """Values of chance that an operation takes on an entity that looks like this."""
    state = DeviceState(state=look.state, attributes=look.attributes, unit="°C")
    able: dict[str, Mapping[str, Any]] = {
        name: told
        for name, parameter in row.params.items()
        if supports(state, parameter.features) and (told := parameter.kind.describe(state)) is not None
    }
    needs = [sorted(names) for names in row.needs if names <= able.keys()]
    if row.needs and not needs:
        return {}
    names = chance.choice(needs) if needs else []
    for name in able:
        if name not in names and chance.random() < 0.5 and not any({name, other} in _CLASHES for other in names):
            names.append(name)
    if len({"temperature_low", "temperature_high"} & set(names)) == 1:
        names = [name for name in names if not name.startswith("temperature_")]
    params = {name: _value(name, able, look, chance) for name in names}
    if "temperature_low" in params:
        ends = sorted((params["temperature_low"], params["temperature_high"]))
        params["temperature_low"], params["temperature_high"] = ends
    return params


def _value(name: str, able: Mapping[str, Mapping[str, Any]], look: Look, chance: Random) -> Any:
    told = able[name]
    if told.get("relative"):
        target = _value(name.removesuffix("_step"), able, look, chance)
        return plain(round(target - _PRESENT[name](look), 1)) or 1
    if "example" in told:
        is_clock = ":" in told["example"] and "T" not in told["example"]
        return a_clock(chance) if is_clock else told["example"]
    if isinstance(choices := told.get("values"), list):
        return chance.choice(choices)
    if name == "color":
        return chance.choice((a_color(chance), a_color(chance), "orange", "blue"))
    if "values" in told:
        return chance.choice(TEXTS)
    low, high = told.get("min", 0), told.get("max", 100)
    high = min(high, LONGEST) if name == "transition" else high
    step = told.get("step") or (_STEP[name](look) if name in _STEP else 1)
    return on_grid(low, high, step, chance)


def _degree(look: Look) -> float:
    return look.number("target_temp_step") or 0.5


_STEP: dict[str, Callable[[Look], float]] = {
    "speed": lambda look: look.number("percentage_step") or 1,
    "temperature": _degree,
    "temperature_low": _degree,
    "temperature_high": _degree,
}
"""The steps of values whose range does not tell them."""
_PRESENT: dict[str, Callable[[Look], float]] = {
    "brightness_step": lambda look: (look.number("brightness") or 0) / 2.55,
    "temperature_step": lambda look: look.number("temperature") or 0,
    "volume_step": lambda look: (look.number("volume_level") or 0) * 100,
}
"""What a step starts from, in the words of a proposal."""
