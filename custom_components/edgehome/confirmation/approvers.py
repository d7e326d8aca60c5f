"""The people who may say yes: one config subentry each, and the phones that they themselves registered."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant

from ..const import CONF_AREAS, CONF_MAX_RISK, CONF_ORDER, CONF_USER_ID, SUBENTRY_APPROVER

MOBILE_APP = "mobile_app"


@dataclass(frozen=True, kw_only=True)
class Approver:
    """A person. ``areas`` empty means the whole home; the lowest ``order`` is asked first."""

    id: str
    name: str
    user_id: str
    max_risk: int
    areas: tuple[str, ...]
    order: int

    @classmethod
    def from_subentry(cls, subentry: ConfigSubentry) -> Approver:
        """The approver that a subentry describes."""
        data = subentry.data
        return cls(
            id=subentry.subentry_id,
            name=subentry.title,
            user_id=data[CONF_USER_ID],
            max_risk=int(data[CONF_MAX_RISK]),
            areas=tuple(data[CONF_AREAS]),
            order=int(data[CONF_ORDER]),
        )

    def may_say_yes(self, risk: int, areas: tuple[str, ...]) -> bool:
        """Whether this person may say yes to this risk in all of these areas."""
        return risk <= self.max_risk and (not self.areas or set(areas) <= set(self.areas))


class ApproverRegister:
    """The approvers in force, in the order of asking."""

    def __init__(self, entry: ConfigEntry) -> None:
        self._by_user: Mapping[str, Approver] = MappingProxyType({})
        self.load(entry)

    def load(self, entry: ConfigEntry) -> None:
        """Takes the subentries in."""
        approvers = [
            Approver.from_subentry(subentry)
            for subentry in entry.subentries.values()
            if subentry.subentry_type == SUBENTRY_APPROVER
        ]
        ordered = sorted(approvers, key=lambda approver: (approver.order, approver.name))
        self._by_user = MappingProxyType({approver.user_id: approver for approver in ordered})

    def by_user(self, user_id: str) -> Approver | None:
        """The approver that this user is."""
        return self._by_user.get(user_id)

    def all(self) -> tuple[Approver, ...]:
        """All, in the order of asking."""
        return tuple(self._by_user.values())


def phones_of(hass: HomeAssistant, user_id: str) -> tuple[ConfigEntry, ...]:
    """The companion devices that this user registered himself: nobody else's can answer in his name."""
    return tuple(
        entry for entry in hass.config_entries.async_loaded_entries(MOBILE_APP) if entry.data.get("user_id") == user_id
    )
