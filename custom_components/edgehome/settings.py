"""What the owner has chosen: the entry's options as one frozen value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .const import (
    CONF_APPROVALS,
    CONF_AUTOMATIONS,
    CONF_ESCALATE_AFTER,
    CONF_EXPOSURE,
    CONF_FLAGS,
    CONF_SECONDS,
    CONF_TWO_PEOPLE,
    CONF_WATCH,
)
from .home.exposure import FOLLOWS_ASSIST, Exposure
from .policy.presets import STRICT
from .policy.requirement import DEFAULT_SECONDS
from .policy.table import PolicyTable

DEFAULT_ESCALATE_AFTER = 30

FLAGS = ("template", "control", "backend", "injection")
"""Kinds of suspicious text that the input guard looks for."""

DEFAULT_FLAGS: Mapping[str, str] = {
    "template": "block",
    "control": "block",
    "backend": "block",
    "injection": "note",
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The owner's choices in force; with ``watch`` every request ends as a preview.

    ``seconds`` is how long a question lasts, ``escalate_after`` after how many the next approver is asked too (0: all at
    once), ``two_people`` asks two different people at risk 5.
    ``exposure`` is what agents may name.
    """

    policy: PolicyTable = STRICT
    watch: bool = False
    automations: bool = False
    lockdown: bool = False
    seconds: int = DEFAULT_SECONDS
    escalate_after: int = DEFAULT_ESCALATE_AFTER
    two_people: bool = False
    exposure: Exposure = FOLLOWS_ASSIST
    flags: Mapping[str, str] = field(default_factory=lambda: dict(DEFAULT_FLAGS))

    @classmethod
    def from_options(cls, options: Mapping[str, Any], *, policy: PolicyTable, lockdown: bool) -> Settings:
        """The options as settings; ``policy`` is the table that they name."""
        approvals = options.get(CONF_APPROVALS, {})
        return cls(
            policy=policy,
            watch=bool(options.get(CONF_WATCH)),
            automations=bool(options.get(CONF_AUTOMATIONS)),
            lockdown=lockdown,
            seconds=int(approvals.get(CONF_SECONDS, DEFAULT_SECONDS)),
            escalate_after=int(approvals.get(CONF_ESCALATE_AFTER, DEFAULT_ESCALATE_AFTER)),
            two_people=bool(approvals.get(CONF_TWO_PEOPLE)),
            exposure=Exposure.from_options(options.get(CONF_EXPOSURE, {})),
            flags={**DEFAULT_FLAGS, **options.get(CONF_FLAGS, {})},
        )
