"""The home of an ordinary day: a generated home lives in the annexe, and a family with named rooms in the house.

The family's devices are made by the generator's own recipes, with what chance would choose written down.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, override

from .demo_home import SUBENTRIES
from .generated import plan as generated_plan
from .generated_home import GeneratedHome
from .home_plan import ABSENT, DevicePlan, EntityPlan, Floor, Flow, Follow, HomePlan, Room
from .house_builder import House
from .ordinary_devices import DEVICES, Thing
from .ordinary_owner import EXTRAS, KNOWN, PLAYERS, YAML, Extra
from .process import DEFAULT_VERSION, HomeAssistantProcess
from .wiring import Draft

SEED, SIZE = 49, 150
"""The annexe: its people speak German, and what they made is of every kind that the generator knows."""
FLOORS = (
    Floor(name="Downstairs", level=0, aliases=("Lower floor",)),
    Floor(name="Upstairs", level=1, aliases=("Upper floor",)),
    Floor(name="Outside", level=0),
)
ROOMS = (
    Room(slug="kitchen", name="Kitchen", floor="Downstairs"),
    Room(slug="living", name="Living room", floor="Downstairs", aliases=("Sitting room",)),
    Room(slug="dining", name="Dining room", floor="Downstairs"),
    Room(slug="entrance", name="Hall", floor="Downstairs", aliases=("Hallway",)),
    Room(slug="parents", name="Bedroom", floor="Upstairs", aliases=("Our bedroom",)),
    Room(slug="mia", name="Mia's room", floor="Upstairs", aliases=("Kids room",)),
    Room(slug="bath", name="Bathroom", floor="Upstairs"),
    Room(slug="study", name="Study", floor="Upstairs"),
    Room(slug="patio", name="Patio", floor="Outside"),
    Room(slug="drive", name="Driveway", floor="Outside"),
)
SHELF, SHELF_RELAY = "light.shelf", "switch.shelf_relay"
"""A relay that the owner made a lamp of; Home Assistant hides the relay."""
LABELS = {"Christmas": ("switch.christmas_tree", "light.window_star"), "Reading": ("light.reading_lamp",)}
"""Labels, and what wears them."""
GROCERIES = Flow(entity_id="todo.groceries", handler="local_todo", steps=({"todo_list_name": "Groceries"},))
SHELF_FLOW = Flow(
    entity_id=SHELF,
    handler="switch_as_x",
    steps=({"entity_id": SHELF_RELAY, "target_domain": "light", "invert": False},),
)
STEADY = frozenset({Follow.AT_ONCE, Follow.LATE, Follow.OTHER, Follow.ASSUMED})
"""Kinds of devices that are there and do as they are told when switched."""


@dataclass
class Picked(Draft):
    """A device with what is chosen for it: a ``rich`` one has all that is optional, ``picks`` are preferred."""

    picks: tuple[str, ...] = ()
    rich: bool = False

    @override
    def chance(self, share: float) -> bool:
        """Whether it has something that is optional."""
        return self.rich

    @override
    def choice(self, options: Sequence[str]) -> str:
        """What was picked, else the first."""
        return next((pick for pick in self.picks if pick in options), options[0])


class FamilyHouse(House):
    """The family's house in the making."""

    def __init__(self) -> None:
        super().__init__(SEED, SIZE)
        self.floors, self.rooms = FLOORS, ROOMS

    @override
    def chance(self, share: float) -> bool:
        """Everything is exposed, and nothing is left to chance."""
        return True

    @override
    def _aliases(self, domain: str) -> tuple[str, ...]:
        """Other names are written down."""
        return ()

    def furnish(self, thing: Thing) -> None:
        """Adds a device."""
        key = f"o{len(self.devices):04}"
        base = f"eh/{key}"
        draft = Picked(base=f"{base}/main", rng=self.rng, picks=thing.picks, rich=thing.rich)
        thing.recipe(draft)
        self.devices.append(
            DevicePlan(
                key=key,
                name=thing.name,
                area=thing.room,
                model=thing.entity_id.partition(".")[0],
                availability=f"{base}/online",
            )
        )
        self._add(
            draft,
            entity_id=thing.entity_id,
            name=thing.name,
            key=key,
            place=thing.room,
            follow=thing.follow,
            plain=True,
        )
        self.entities[-1] = replace(self.entities[-1], aliases=thing.aliases, seconds=thing.seconds)

    def note(self, extra: Extra) -> None:
        """Notes what the owner's YAML makes."""
        registered = extra.platform != "group" or not extra.entity_id.startswith("group.")
        self.entities.append(
            EntityPlan(
                entity_id=extra.entity_id,
                name=extra.name,
                platform=extra.platform,
                unique_id=extra.entity_id if registered else None,
                area=extra.room,
                own_area=extra.room is not None and extra.platform != "switch_as_x",
                aliases=extra.aliases,
                members=extra.members,
            )
        )


def plan() -> HomePlan:
    """The whole home."""
    annexe = generated_plan(SEED, SIZE)
    house = FamilyHouse()
    for thing in DEVICES:
        house.furnish(thing)
    for extra in EXTRAS:
        house.note(extra)
    house.entities[:] = [replace(one, hidden=one.hidden or one.entity_id == SHELF_RELAY) for one in house.entities]
    both = house.plan()
    return replace(
        annexe,
        floors=annexe.floors + both.floors,
        rooms=annexe.rooms + both.rooms,
        devices=annexe.devices + both.devices,
        entities=annexe.entities + both.entities,
        yaml=_joined(annexe.yaml, YAML),
        flows=(*annexe.flows, GROCERIES, SHELF_FLOW),
    )


def _joined(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Two configurations in one: lists one behind the other, tables side by side."""
    joined: dict[str, Any] = dict(one)
    for key, value in other.items():
        present = joined.get(key)
        joined[key] = [*(present or ()), *value] if isinstance(value, list) else {**(present or {}), **value}
    return joined


PLAN = plan()


def there(domain: str, *rooms: str, floor: str = "", steady: bool = True) -> tuple[str, ...]:
    """What agents may name of a domain in rooms, on a floor, or in the whole home: by default what can follow."""
    names = set(rooms) | {room.name for room in PLAN.rooms if room.floor == floor}
    return tuple(
        entity.entity_id
        for entity in PLAN.of(domain, exposed=True)
        if (not names or entity.area in names)
        and not entity.hidden
        and (not steady or entity.follow in STEADY)
        and not (steady and any(PLAN[member].follow in ABSENT for member in entity.members))
    )


@dataclass
class OrdinaryHome(GeneratedHome):
    """A running ordinary home."""

    plan: HomePlan = field(default=PLAN, kw_only=True)

    @override
    def furnish(self) -> None:
        """Furnishes as every generated home, sticks the labels on, and of the demo's things exposes only its players."""
        super().furnish()
        made = self.owner.command(*({"type": "config/label_registry/create", "name": name} for name in LABELS))
        ids = {label["name"]: label["label_id"] for label in made}
        update = "config/entity_registry/update"
        self.owner.command(
            *(
                {"type": update, "entity_id": entity_id, "labels": [ids[name]]}
                for name, wearers in LABELS.items()
                for entity_id in wearers
            )
        )
        present = {str(state["entity_id"]) for state in self.owner.get("/api/states")}
        planned = {entity.entity_id for entity in self.plan.entities}
        expose = {"type": "homeassistant/expose_entity", "assistants": ["conversation"]}
        self.owner.command(
            {**expose, "entity_ids": sorted(present - planned - PLAYERS), "should_expose": False},
            {**expose, "entity_ids": sorted(PLAYERS), "should_expose": True},
        )

    @override
    def set_up(self, preset: str = "strict", *, automations: bool = False) -> str:
        """Sets EdgeHome up; the owner then says of what it cannot read what he knows of it."""
        self.entry_id = super().set_up(preset, automations=automations)
        for entity_id in KNOWN:
            step = self.owner.post(SUBENTRIES, {"handler": [self.entry_id, "entity"]})
            path = f"{SUBENTRIES}/{step['flow_id']}"
            self.owner.post(path, {"entity": entity_id})
            self.owner.post(path, {"aliases": [], "operations": [], "vet": True})
        return self.entry_id


@contextmanager
def ordinary_home(folder: Path, release: str = DEFAULT_VERSION, preset: str = "strict") -> Iterator[GeneratedHome]:
    """A running ordinary home, stopped at the end."""
    home = OrdinaryHome.up(HomeAssistantProcess(folder, release), PLAN, preset=preset)
    try:
        yield home
    finally:
        home.stop()
