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
    CONF_PRESET,
    CONF_SECONDS,
    CONF_TWO_PEOPLE,
)
from .home.exposure import FOLLOWS_ASSIST, Exposure
from .policy.presets import PRESETS, STRICT
from .policy.table import PolicyTable

DEFAULT_SECONDS, DEFAULT_ESCALATE_AFTER = 120, 30

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
    """The owner's choices in force.

    ``seconds`` is how long a question lasts, ``escalate_after`` after how many the next approver is asked too (0: all at
    once), ``two_people`` asks two different people at risk 5.
    ``exposure`` is what agents may name.
    """

    policy: PolicyTable = STRICT
    automations: bool = False
    lockdown: bool = False
    seconds: int = DEFAULT_SECONDS
    escalate_after: int = DEFAULT_ESCALATE_AFTER
    two_people: bool = False
    exposure: Exposure = FOLLOWS_ASSIST
    flags: Mapping[str, str] = field(default_factory=lambda: dict(DEFAULT_FLAGS))

    @classmethod
    def from_options(cls, options: Mapping[str, Any], *, lockdown: bool) -> Settings:
        """The options as settings.

        Raises:
            KeyError: the options name a policy that there is not; nothing may be allowed on a guess (R2).
        """
        approvals = options.get(CONF_APPROVALS, {})
        return cls(
            policy=PRESETS[options[CONF_PRESET]],
            automations=bool(options.get(CONF_AUTOMATIONS)),
            lockdown=lockdown,
            seconds=int(approvals.get(CONF_SECONDS, DEFAULT_SECONDS)),
            escalate_after=int(approvals.get(CONF_ESCALATE_AFTER, DEFAULT_ESCALATE_AFTER)),
            two_people=bool(approvals.get(CONF_TWO_PEOPLE)),
            exposure=Exposure.from_options(options.get(CONF_EXPOSURE, {})),
            flags={**DEFAULT_FLAGS, **options.get(CONF_FLAGS, {})},
        )
