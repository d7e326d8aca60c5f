"""The agents that the owner registered: one config subentry each."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.util import dt as dt_util

from ..const import (
    CONF_AREAS,
    CONF_DEGREES_PER_HOUR,
    CONF_ENABLED,
    CONF_EXPIRES_AT,
    CONF_MAX_RISK,
    CONF_PENDING_AT_ONCE,
    CONF_REQUESTS_PER_MINUTE,
    CONF_USER_ID,
    SUBENTRY_AGENT,
)
from ..devices import MOST_PENDING, Standing


@dataclass(frozen=True, kw_only=True)
class Agent:
    """A registered agent. ``id`` is its subentry's id, ``user_id`` the system user that EdgeHome made for it."""

    id: str
    name: str
    user_id: str
    enabled: bool
    expires_at: datetime
    max_risk: int
    areas: tuple[str, ...]
    requests_per_minute: int
    pending_at_once: int = MOST_PENDING
    degrees_per_hour: float | None = None

    @classmethod
    def from_subentry(cls, subentry: ConfigSubentry) -> Agent:
        """The agent that a subentry describes."""
        data = subentry.data
        return cls(
            id=subentry.subentry_id,
            name=subentry.title,
            user_id=data[CONF_USER_ID],
            enabled=data[CONF_ENABLED],
            expires_at=datetime.fromisoformat(data[CONF_EXPIRES_AT]),
            max_risk=int(data[CONF_MAX_RISK]),
            areas=tuple(data[CONF_AREAS]),
            requests_per_minute=int(data[CONF_REQUESTS_PER_MINUTE]),
            pending_at_once=int(data.get(CONF_PENDING_AT_ONCE, MOST_PENDING)),
            degrees_per_hour=data.get(CONF_DEGREES_PER_HOUR),
        )

    def standing(self) -> Standing:
        """The agent's state, scope and limits now."""
        status = "active" if self.enabled else "disabled"
        if dt_util.utcnow() >= self.expires_at:
            status = "expired"
        return Standing(
            status=status,
            areas=self.areas,
            max_risk=self.max_risk,
            requests_per_minute=self.requests_per_minute,
            pending_at_once=self.pending_at_once,
            degrees_per_hour=self.degrees_per_hour,
        )


class AgentRegister:
    """The agents in force, by id and by user."""

    def __init__(self, entry: ConfigEntry) -> None:
        self._by_id: Mapping[str, Agent] = MappingProxyType({})
        self.load(entry)

    def load(self, entry: ConfigEntry) -> None:
        """Takes the subentries in."""
        agents = [
            Agent.from_subentry(subentry)
            for subentry in entry.subentries.values()
            if subentry.subentry_type == SUBENTRY_AGENT
        ]
        self._by_id = MappingProxyType({agent.id: agent for agent in agents})

    def by_user(self, user_id: str) -> Agent | None:
        """The agent that calls with this user's credential."""
        return next((agent for agent in self._by_id.values() if agent.user_id == user_id), None)

    def called(self, name: str) -> Agent | None:
        """The agent with this id or name."""
        by_name = (agent for agent in self._by_id.values() if agent.name.casefold() == name.strip().casefold())
        return self._by_id.get(name) or next(by_name, None)

    def user_ids(self) -> frozenset[str]:
        """The users that belong to agents."""
        return frozenset(agent.user_id for agent in self._by_id.values())

    def standing(self, agent_id: str) -> Standing:
        """An agent's standing; one that is gone is unknown."""
        agent = self._by_id.get(agent_id)
        return agent.standing() if agent else Standing(status="unknown")
