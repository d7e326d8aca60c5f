"""A home in the making: rooms, devices and their entities, drawn from one source of chance."""

from random import Random
from typing import Any

from .device_models import ASSUMABLE, DIAGNOSTIC, SENSOR_NAMES, Model
from .home_names import CHANNEL, FLOORS, ROOMS, THINGS, Namer, Word
from .home_plan import DevicePlan, EntityPlan, Floor, Flow, Follow, HomePlan, Room, Wire
from .wiring import Draft
from .wiring_more import sensor

TRIES = 40
LATE_SECONDS = (1.0, 2.0, 4.0)
ENTITIES_OF_A_ROOM, MOST_ROOMS = 12, 120
FOLLOWS = {
    Follow.AT_ONCE: 70,
    Follow.LATE: 6,
    Follow.NEVER: 5,
    Follow.OTHER: 4,
    Follow.UNAVAILABLE: 5,
    Follow.RESTORED: 5,
    Follow.ASSUMED: 5,
}


class House:
    """A home while it is planned."""

    def __init__(self, seed: int, size: int) -> None:
        self.seed = seed
        self.rng = Random(f"{seed}/{size}")  # noqa: S311 - the same seed must give the same home
        self.namer = Namer(self.rng)
        self.devices: list[DevicePlan] = []
        self.entities: list[EntityPlan] = []
        self.yaml: dict[str, Any] = {}
        self.flows: list[Flow] = []
        self.floors = tuple(
            Floor(name=(name := self.namer.name(word)), level=level, aliases=self.namer.other_names(word, name))
            for level, word in enumerate(FLOORS, -1)
        )
        self.rooms = self._rooms(min(max(size // ENTITIES_OF_A_ROOM, 5), MOST_ROOMS))

    def _rooms(self, count: int) -> tuple[Room, ...]:
        rooms: list[Room] = []
        names: set[str] = set()
        for index in range(count):
            word, number = ROOMS[index % len(ROOMS)], index // len(ROOMS) + 1
            suffix = f" {number}" if number > 1 else ""
            name = self.namer.name(word) + suffix
            while name in names:
                name += " B"
            names.add(name)
            slug = word.slug + suffix.replace(" ", "_")
            aliases = tuple(alias + suffix for alias in self.namer.other_names(word, name))
            rooms.append(Room(slug=slug, name=name, floor=self.rng.choice(self.floors).name, aliases=aliases))
        # Two rooms share an alias, as people's rooms do.
        first, second, *others = rooms
        shared = "Lounge"
        return (
            _with_alias(first, shared),
            _with_alias(second, shared),
            *others,
        )

    def chance(self, share: float) -> bool:
        """True in a share of all cases."""
        return self.rng.random() < share

    def room(self) -> Room | None:
        """Any room, at times none."""
        return self.rng.choice(self.rooms) if self.chance(0.92) else None

    def follow(self) -> Follow:
        """Any kind of follower."""
        return self.rng.choices(tuple(FOLLOWS), tuple(FOLLOWS.values()))[0]

    def add_device(
        self,
        model: Model,
        follow: Follow,
        room_for: int,
        *,
        registered: bool = True,
        plain: bool = False,
        coded: bool = False,
    ) -> None:
        """Adds a device of at most ``room_for`` entities.

        Without registry entry it has one entity and no device. A ``plain`` one is in the room of its device, shown, and
        asks for no code; a ``coded`` one asks for one.
        """
        word = self.rng.choice(THINGS[model.things or model.domain])
        room = self.room() if registered else None
        slug_room = self.rng.choice(self.rooms) if room is not None and self.chance(0.03) else room
        entity_id = self.namer.entity_id(model.domain, slug_room.slug if slug_room else "", word.slug)
        name = self.namer.name_in(room.name if room else None, word)
        key = f"d{len(self.devices):05}" if plain or (registered and not self._is_lone()) else None
        base = f"eh/{key or entity_id.replace('.', '-')}"
        draft, follow = self._drafted(model, f"{base}/main", follow if registered else at_hand(follow), plain, coded)
        place = room.name if room else None
        if key is not None:
            self.devices.append(
                DevicePlan(key=key, name=name, area=place, model=model.domain, availability=f"{base}/online")
            )
        self._add(
            draft,
            entity_id=entity_id,
            name=name,
            key=key,
            place=place,
            follow=follow,
            registered=registered,
            plain=plain,
        )
        if key is not None:
            extras = [kind for kind in model.sensors if self.chance(0.7)][: room_for - 1]
            for kind in extras:
                self._add_sensor(kind, entity_id, name, key, place, follow)

    def _drafted(self, model: Model, base: str, follow: Follow, plain: bool, coded: bool) -> tuple[Draft, Follow]:
        """A device that can follow like that, if one is found soon; else one that follows at once."""
        for _ in range(TRIES):
            draft = Draft(base=base, rng=self.rng)
            model.recipe(draft)
            asks = "code_format" in draft.facts
            if fitting(draft, model.domain, follow) is follow and (asks if coded else not (plain and asks)):
                return draft, follow
        return draft, Follow.AT_ONCE

    def _is_lone(self) -> bool:
        """Whether an entity has a registry entry but no device."""
        return self.chance(0.05)

    def _add_sensor(self, kind: str, of: str, name: str, key: str, place: str | None, follow: Follow) -> None:
        draft = Draft(base=f"eh/{key}/{kind}", rng=self.rng)
        sensor(draft, device_class=kind)
        word: Word = SENSOR_NAMES[kind]
        own = self.namer.name(word)
        entity_id = self.namer.entity_id("sensor", of.partition(".")[2], word.slug)
        draft.says(name=own)
        absent = follow if follow in {Follow.UNAVAILABLE, Follow.RESTORED} else Follow.AT_ONCE
        category = "diagnostic" if kind in DIAGNOSTIC else None
        self._add(
            draft, entity_id=entity_id, name=f"{name} {own}", key=key, place=place, follow=absent, category=category
        )

    def _add(
        self,
        draft: Draft,
        *,
        entity_id: str,
        name: str,
        key: str | None,
        place: str | None,
        follow: Follow,
        category: str | None = None,
        registered: bool = True,
        plain: bool = False,
    ) -> None:
        domain = entity_id.partition(".")[0]
        unique_id = f"eh-{self.seed}-{entity_id}" if registered else None
        # A lone entity goes into its room by itself; at times one leaves its device's room.
        own_area = registered and place is not None and not plain and (key is None or self.chance(0.06))
        if own_area and key is not None:
            place = self.rng.choice(self.rooms).name
            if "name" not in draft.config:
                # Home Assistant gives an entity of a device a room only if it has a name of its own.
                own = self.namer.name(CHANNEL)
                draft.says(name=own)
                name = f"{name} {own}"
        draft.says(default_entity_id=entity_id)
        draft.config.setdefault("name", None if key else name)
        if unique_id:
            draft.says(unique_id=unique_id)
        if category:
            draft.says(entity_category=category)
        if follow is Follow.ASSUMED:
            assume(draft)
        if follow in {Follow.UNAVAILABLE, Follow.RESTORED} and key is None:
            draft.says(availability_topic=f"{draft.base}/online")
        device_class = draft.config.get("device_class")
        self.entities.append(
            EntityPlan(
                entity_id=entity_id,
                name=name,
                platform="mqtt",
                unique_id=unique_id,
                device=key,
                area=place,
                own_area=own_area,
                aliases=self._aliases(domain) if registered else (),
                exposed=self.chance(0.2 if category else 0.75),
                hidden=registered and not plain and self.chance(0.04),
                category=category,
                device_class=device_class if isinstance(device_class, str) else None,
                facts=draft.facts,
                follow=follow,
                seconds=self.rng.choice(LATE_SECONDS) if follow is Follow.LATE else 0,
                config={key: draft.config[key] for key in sorted(draft.config)},
                wires=tuple(draft.wires),
                initial=draft.initial,
            )
        )

    def _aliases(self, domain: str) -> tuple[str, ...]:
        if not self.chance(0.12) or domain not in THINGS:
            return ()
        return (self.rng.choice(self.rng.choice(THINGS[domain]).names()),)

    def plan(self) -> HomePlan:
        """What was planned."""
        return HomePlan(
            seed=self.seed,
            floors=self.floors,
            rooms=self.rooms,
            devices=tuple(self.devices),
            entities=tuple(self.entities),
            yaml=self.yaml,
            flows=tuple(self.flows),
        )


def _with_alias(room: Room, alias: str) -> Room:
    return Room(slug=room.slug, name=room.name, floor=room.floor, aliases=(*room.aliases, alias))


def is_commanded(draft: Draft) -> bool:
    """Whether it has commands whose effect could be seen."""
    return any(wire.merges or wire.outcomes for wire in draft.wires)


def can_stray(draft: Draft) -> bool:
    """Whether it could follow to another value."""
    return any(wire.instead or (wire.merges and draft.config.get("brightness")) for wire in draft.wires)


def fitting(draft: Draft, domain: str, follow: Follow) -> Follow:
    """The kind of follower, if the entity can be one; else one that follows at once."""
    possible = {
        Follow.LATE: is_commanded(draft),
        Follow.NEVER: is_commanded(draft),
        Follow.OTHER: can_stray(draft),
        Follow.ASSUMED: domain in ASSUMABLE,
    }
    return follow if possible.get(follow, True) else Follow.AT_ONCE


def at_hand(follow: Follow) -> Follow:
    """What a device without a registry entry can be: Home Assistant forgets it when nobody announces it."""
    return Follow.AT_ONCE if follow is Follow.RESTORED else follow


def assume(draft: Draft) -> None:
    """Takes the state topics out: commands are heard and nothing is reported."""
    for key in draft.states:
        if key != "position_topic":  # Home Assistant demands it beside ``set_position_topic``
            del draft.config[key]
    draft.says(optimistic=True)
    draft.initial.clear()
    draft.wires[:] = [Wire(command=wire.command) for wire in draft.wires]
