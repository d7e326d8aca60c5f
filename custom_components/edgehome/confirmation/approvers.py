"""The people who may say yes: one config subentry each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from homeassistant.auth import EVENT_USER_ADDED, EVENT_USER_REMOVED, EVENT_USER_UPDATED
from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import Event, HomeAssistant
from homeassistant.helpers import issue_registry as ir

from ..const import (
    CONF_AREAS,
    CONF_MAX_RISK,
    CONF_ORDER,
    CONF_PAGE_SUFFICES,
    CONF_PHONES,
    CONF_USER_ID,
    DOMAIN,
    SUBENTRY_APPROVER,
)

APPROVER_GONE = "approver_gone"


@dataclass(frozen=True, kw_only=True)
class Approver:
    """A person. ``areas`` empty means the whole home; the lowest ``order`` is asked first.

    ``phones`` are the config entries of the companion devices to ask on, empty means all that he registered;
    ``page_suffices``: he counts as somebody who can be reached without any (R10).
    """

    id: str
    name: str
    user_id: str
    max_risk: int
    areas: tuple[str, ...]
    order: int
    phones: tuple[str, ...] = ()
    page_suffices: bool = False

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
            phones=tuple(data.get(CONF_PHONES, ())),
            page_suffices=bool(data.get(CONF_PAGE_SUFFICES)),
        )

    def may_say_yes(self, risk: int, areas: tuple[str, ...]) -> bool:
        """Whether this person may say yes to this risk in all of these areas."""
        return risk <= self.max_risk and (not self.areas or set(areas) <= set(self.areas))


class ApproverRegister:
    """The approvers in force, in the order of asking. ``changed`` is told when a user came or went."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry) -> None:
        self._hass = hass
        self._by_user: Mapping[str, Approver] = MappingProxyType({})
        self._active: frozenset[str] = frozenset()
        self.revision = 0
        self.changed: Callable[[], None] = lambda: None
        self.load(entry)

    async def async_start(self) -> Callable[[], None]:
        """Reads which users are active and follows that; returns what stops it."""

        async def read(_: Event | None = None) -> None:
            users = await self._hass.auth.async_get_users()
            self._active = frozenset(user.id for user in users if user.is_active)
            self.revision += 1
            self._tell_who_is_gone()
            self.changed()

        await read()
        events = (EVENT_USER_ADDED, EVENT_USER_UPDATED, EVENT_USER_REMOVED)
        stops = [self._hass.bus.async_listen(event, read) for event in events]

        def stop() -> None:
            for one in stops:
                one()

        return stop

    def load(self, entry: ConfigEntry) -> None:
        """Takes the subentries in."""
        approvers = [
            Approver.from_subentry(subentry)
            for subentry in entry.subentries.values()
            if subentry.subentry_type == SUBENTRY_APPROVER
        ]
        ordered = sorted(approvers, key=lambda approver: (approver.order, approver.name))
        gone = self._by_user.keys() - {approver.user_id for approver in ordered}
        for user_id in gone:
            ir.async_delete_issue(self._hass, DOMAIN, f"{APPROVER_GONE}_{user_id}")
        self._by_user = MappingProxyType({approver.user_id: approver for approver in ordered})
        self.revision += 1
        if self._active:
            self._tell_who_is_gone()

    def _tell_who_is_gone(self) -> None:
        """Tells the owner of approvers whose user was deleted or deactivated: nobody asks them any more."""
        for user_id, approver in self._by_user.items():
            issue_id = f"{APPROVER_GONE}_{user_id}"
            if user_id in self._active:
                ir.async_delete_issue(self._hass, DOMAIN, issue_id)
                continue
            ir.async_create_issue(
                self._hass,
                DOMAIN,
                issue_id,
                is_fixable=False,
                severity=ir.IssueSeverity.WARNING,
                translation_key=APPROVER_GONE,
                translation_placeholders={"name": approver.name},
            )

    def by_user(self, user_id: str) -> Approver | None:
        """The approver that this user is, while the user is active."""
        return self._by_user.get(user_id) if user_id in self._active else None

    def user_ids(self) -> frozenset[str]:
        """The users of all approvers, active or not."""
        return frozenset(self._by_user)

    def able(self, risk: int, areas: tuple[str, ...], among: tuple[str, ...] | None = None) -> tuple[Approver, ...]:
        """Who may say yes to this risk in these areas, in the order of asking; ``among`` are those that a rule names."""
        return tuple(
            approver
            for approver in self.all()
            if approver.may_say_yes(risk, areas) and (among is None or approver.id in among)
        )

    def all(self) -> tuple[Approver, ...]:
        """All whose user is active, in the order of asking."""
        return tuple(approver for approver in self._by_user.values() if approver.user_id in self._active)
