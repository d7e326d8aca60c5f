"""The homes of the undo test: generated ones, whose owner shows all to an agent that may do everything."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from .differential_home import Opened, opened, operated
from .generated import plan
from .generated_home import GeneratedHome
from .home_plan import Follow, HomePlan
from .process import HomeAssistantProcess
from .wiring import CODE

PRESET = "balanced"
OWN = frozenset({"edgehome", "mobile_app"})
"""Integrations whose entities are part of no deed: EdgeHome's own, and the phone that was asked."""


@dataclass(frozen=True, kw_only=True)
class UndoHome:
    """A running home, its agent and its owner, who says yes to everything; ``own`` are part of no deed."""

    home: GeneratedHome
    opened: Opened
    own: frozenset[str]


def mended(home: HomePlan) -> HomePlan:
    """The same home, all of whose devices are there and follow at once, but for those that report nothing."""
    entities = tuple(
        entity if entity.follow is Follow.ASSUMED else replace(entity, follow=Follow.AT_ONCE, seconds=0)
        for entity in home.entities
    )
    return replace(home, entities=entities)


@contextmanager
def running(folder: Path, release: str, home: HomePlan) -> Iterator[GeneratedHome]:
    """A home whose locks and alarms have the owner's default code; EdgeHome must have logged no complaint at its end."""
    made = GeneratedHome.up(HomeAssistantProcess(folder, release), home, preset=PRESET)
    try:
        for entity in home.entities:
            if entity.domain in {"lock", "alarm_control_panel"} and entity.is_registered:
                give_code(made, entity.entity_id)
        yield made
        made.process.stop()
        if complaints := made.process.complaints():
            raise AssertionError("\n".join(complaints))
    finally:
        made.stop()


def give_code(home: GeneratedHome, entity_id: str, code: str | None = CODE) -> None:
    """The owner gives a lock or alarm a default code, or takes it away."""
    options = {"options_domain": entity_id.partition(".")[0], "options": {"default_code": code}}
    home.owner.command({"type": "config/entity_registry/update", "entity_id": entity_id, **options})


@contextmanager
def undo_home(folder: Path, release: str, *, seed: int, size: int, mend: bool = False) -> Iterator[UndoHome]:
    """A generated home of a seed and size."""
    home = mended(plan(seed, size)) if mend else plan(seed, size)
    with running(folder, release, home) as made, opened(made, shown(made), {}) as found:
        yield UndoHome(home=made, opened=found, own=own_entities(made))


def shown(home: GeneratedHome) -> set[str]:
    """What the owner shows to agents: all that the catalogue has operations for, and groups of the old kind."""
    return operated(home) | {group.entity_id for group in home.plan.of("group")}


def own_entities(home: GeneratedHome) -> frozenset[str]:
    """The entities of EdgeHome and of phones."""
    (entries,) = home.owner.command({"type": "config/entity_registry/list"})
    return frozenset(entry["entity_id"] for entry in entries if entry["platform"] in OWN)
