"""The register of agents: who they are and how they stand."""

from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.agents.register import Agent, AgentRegister
from custom_components.edgehome.const import DOMAIN
from custom_components.edgehome.devices import Standing

NOW = "2026-11-30T12:00:00+00:00"
DATA = {
    "user_id": "user-1",
    "enabled": True,
    "expires_at": "2026-12-30T12:00:00+00:00",
    "local_only": True,
    "max_risk": 3,
    "areas": ["kitchen", "hall"],
    "requests_per_minute": 20,
}


def subentry(subentry_id: str, kind: str = "agent", **changes: object) -> ConfigSubentry:
    """A subentry as the owner's form makes it."""
    return ConfigSubentry(
        data=MappingProxyType({**DATA, **changes}),
        subentry_type=kind,
        title=subentry_id.title(),
        unique_id=None,
        subentry_id=subentry_id,
    )


def register_of(hass: HomeAssistant, *subentries: ConfigSubentry) -> tuple[MockConfigEntry, AgentRegister]:
    """An entry with these subentries and its register."""
    entry = MockConfigEntry(domain=DOMAIN)
    entry.add_to_hass(hass)
    for one in subentries:
        hass.config_entries.async_add_subentry(entry, one)
    return entry, AgentRegister(entry)


async def test_agent_from_subentry() -> None:
    """Everything that the form wrote is read."""
    assert Agent.from_subentry(subentry("hermes")) == Agent(
        id="hermes",
        name="Hermes",
        user_id="user-1",
        enabled=True,
        expires_at=datetime(2026, 12, 30, 12, tzinfo=UTC),
        max_risk=3,
        areas=("kitchen", "hall"),
        requests_per_minute=20,
    )


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        pytest.param({}, "active", id="active"),
        pytest.param({"enabled": False}, "disabled", id="paused"),
        pytest.param({"expires_at": "2026-11-30T12:00:01+00:00"}, "active", id="in its last second"),
        pytest.param({"expires_at": NOW}, "expired", id="at its very end"),
        pytest.param({"expires_at": "2026-11-30T13:00:00+02:00"}, "expired", id="past, in another time zone"),
        pytest.param({"expires_at": "2020-01-01T00:00:00+00:00", "enabled": False}, "expired", id="paused and expired"),
    ],
)
async def test_standing(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, changes: dict[str, Any], status: str
) -> None:
    """An agent's state now, with its scope and limits."""
    freezer.move_to(NOW)
    _, register = register_of(hass, subentry("hermes", **changes))
    assert register.standing("hermes") == Standing(
        status=status, areas=("kitchen", "hall"), max_risk=3, requests_per_minute=20
    )


async def test_unknown(hass: HomeAssistant) -> None:
    """Who is not registered is unknown."""
    _, register = register_of(hass, subentry("hermes"))
    assert register.standing("apollo") == Standing(status="unknown")
    assert register.by_user("user-2") is None
    assert register.by_user("") is None


async def test_by_user(hass: HomeAssistant) -> None:
    """Agents are found by their users, and only agents: other subentries do not call."""
    _, register = register_of(
        hass,
        subentry("hermes"),
        subentry("apollo", user_id="user-2"),
        subentry("approver", kind="approver", user_id="user-3"),
    )
    found = register.by_user("user-2")
    assert found is not None
    assert found.id == "apollo"
    assert register.by_user("user-3") is None
    assert register.user_ids() == {"user-1", "user-2"}
    assert register.standing("approver") == Standing(status="unknown")


async def test_load(hass: HomeAssistant) -> None:
    """Loading again takes changes, new agents and agents that went."""
    first, second = subentry("hermes"), subentry("apollo", user_id="user-2")
    entry, register = register_of(hass, first)
    hass.config_entries.async_update_subentry(entry, first, data={**DATA, "enabled": False})
    hass.config_entries.async_add_subentry(entry, second)
    assert (register.standing("hermes").status, register.standing("apollo").status) == ("active", "unknown")
    register.load(entry)
    assert (register.standing("hermes").status, register.standing("apollo").status) == ("disabled", "active")
    hass.config_entries.async_remove_subentry(entry, "hermes")
    register.load(entry)
    assert (register.standing("hermes").status, register.standing("apollo").status) == ("unknown", "active")
    assert register.user_ids() == {"user-2"}


async def test_no_agents(hass: HomeAssistant) -> None:
    """Without agents nobody is known."""
    _, register = register_of(hass)
    assert register.user_ids() == frozenset()
