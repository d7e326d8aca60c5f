"""What may happen in the house of the model: wishes, states of devices, changes of circumstances."""

from typing import Any

from custom_components.edgehome.devices import Standing
from custom_components.edgehome.models import Principal, PrincipalKind
from custom_components.edgehome.policy.presets import BALANCED, STRICT
from custom_components.edgehome.policy.rule import PolicyRule, Verdict
from custom_components.edgehome.policy.table import UNREADABLE, PolicyTable
from tests.made_house import AGENT, proposing
from tests.made_traces import OTHER

OWNER = Principal(kind=PrincipalKind.OWNER, id="u1", name="Owner")
AGENTS = (AGENT, AGENT, OTHER, OWNER)
PEOPLE = ("anna", "bert", "eve", "hermes")
ALLOW_ALL = PolicyTable(name="allow", rules=(PolicyRule(id="all", verdict=Verdict.ALLOW),))
ASK_ALL = PolicyTable(name="ask", rules=(PolicyRule(id="all", verdict=Verdict.CONFIRM),))
SERIOUS: tuple[dict[str, object], ...] = (
    proposing("open", device_alias="Garage"),
    proposing("open", device_alias="Garage"),
    proposing("open", device_alias="cover.garage"),
    proposing("toggle", device_alias="Garage"),
    proposing("set_position", device_alias="Garage", params={"position": 50}),
    proposing("set_position", device_alias="Garage", params={"position": 40}),
    proposing("open", device_alias="Other"),
    proposing("unlock", device_alias="Door"),
)
HEATING: dict[str, Any] = {"supported_features": 1, "min_temp": 7, "max_temp": 35, "hvac_modes": ["off", "heat"]}


def heat(temperature: int) -> dict[str, object]:
    """The heating set to a value."""
    return proposing("set_temperature", device_alias="Heating", params={"temperature": temperature})


OTHERS: tuple[dict[str, object], ...] = (
    proposing("close", device_alias="Garage"),
    proposing("lock", device_alias="Door"),
    proposing("turn_on", device_alias="Lamp"),
    proposing("status", device_alias="Garage"),
    {**proposing("open", device_alias="Garage"), "dry_run": True},
    proposing("open", device_alias="Nothing"),
)
STATES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("cover.garage", "closed", {"current_position": 0}),
    ("cover.garage", "closed", {"temperature": 21.5}),
    ("cover.garage", "closing", {"current_position": 30}),
    ("cover.garage", "open", {"current_position": 100}),
    ("cover.garage", "unavailable", {}),
    ("cover.garage", "unknown", {}),
    ("cover.other", "closed", {"current_position": 0}),
    ("cover.other", "open", {"current_position": 100}),
    ("lock.door", "locked", {}),
    ("lock.door", "unlocked", {}),
    ("light.lamp", "off", {}),
)
USUAL: dict[str, Any] = {
    "table": STRICT,
    "locked_down": False,
    "stand": Standing(status="active", requests_per_minute=10**5),
    "needed": 1,
    "people": ("Anna", "Bert"),
    "cooling": 0,
    "recent": 0,
}
TWO_OR_ONE: tuple[dict[str, Any], ...] = ({"needed": 2}, {"needed": 1})
CHANGES: tuple[dict[str, Any], ...] = (
    *[USUAL] * 6,
    *TWO_OR_ONE * 3,
    *[{"table": ASK_ALL}] * 3,
    {"table": BALANCED},
    {"table": ALLOW_ALL},
    {"table": UNREADABLE},
    {"locked_down": True},
    {"stand": Standing(status="disabled")},
    {"stand": Standing(status="active", max_risk=3)},
    {"people": ()},
    {"cooling": 60},
    {"recent": 10**6},
)
"""Mostly back to what is usual: where nothing is allowed, nothing can go wrong."""
