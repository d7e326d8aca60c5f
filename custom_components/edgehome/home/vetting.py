"""What the owner vets: everything that an entity does elsewhere, as a hash that changes when anything in it does (R5)."""

from typing import override

from ..catalogue import operations_of
from ..catalogue.reach import Reach, Surroundings, reach_of
from ..devices import DeviceRecord, DeviceState, Makeup
from ..models import Intent
from .makeup.reader import MakeupReader


class _Written(Surroundings):
    """Only what was written: enough for the hash, whatever the devices are."""

    def __init__(self, makeups: MakeupReader) -> None:
        self._makeups = makeups

    @override
    def makeup(self, entity_id: str) -> Makeup:
        return self._makeups.of(entity_id)

    @override
    def device(self, entity_id: str) -> DeviceRecord | None:
        return None

    @override
    def state(self, entity_id: str) -> DeviceState | None:
        return None


def whole_reach(around: Surroundings, entity_id: str) -> Reach:
    """What is reached and read of an entity, whatever is done to it."""
    rows = operations_of(entity_id.partition(".")[0])
    verbs = tuple(row.intent.value for row in rows if row.intent is not Intent.STATUS)
    return reach_of(entity_id, verbs, around)


def config_hash(makeups: MakeupReader, entity_id: str) -> str:
    """The hash of all that was written for an entity: its own, that of everything it runs and of what listens to it."""
    return whole_reach(_Written(makeups), entity_id).digest
