"""What the owner should look through once: what could be dangerous and says nothing about itself, and what cannot be read."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from homeassistant.config_entries import ConfigEntry, ConfigEntryState

from .house import HomeAssistantHouse
from .vetting import whole_reach

if TYPE_CHECKING:
    from ..data import EdgeHomeData

UNTYPED = frozenset({"button", "cover", "remote", "switch"})
"""Device types that could be anything."""


@dataclass(frozen=True, kw_only=True)
class Review:
    """Entity ids, by why they are listed."""

    untyped: tuple[str, ...]
    opaque: tuple[str, ...]


def loaded_parts(entry: ConfigEntry) -> EdgeHomeData | None:
    """The parts of a loaded EdgeHome."""
    parts: EdgeHomeData | None = entry.runtime_data if entry.state is ConfigEntryState.LOADED else None
    return parts


def unread_of(house: HomeAssistantHouse, entity_id: str) -> tuple[str, ...]:
    """What of an entity's doing cannot be read, whatever is done to it."""
    return whole_reach(house, entity_id).unread


def review(house: HomeAssistantHouse) -> Review:
    """What agents may name, could be dangerous, and the owner has said nothing about."""
    unsaid = [record for record in house.nameable(()) if record.owner is None]
    return Review(
        untyped=tuple(record.entity_id for record in unsaid if record.device_type in UNTYPED),
        opaque=tuple(record.entity_id for record in unsaid if not record.vetted and unread_of(house, record.entity_id)),
    )
