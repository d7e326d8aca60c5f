"""What the owner has chosen: the entry's options as one frozen value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .const import CONF_AUTOMATIONS, CONF_FLAGS, CONF_PRESET
from .policy.presets import PRESETS, STRICT
from .policy.table import PolicyTable

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
    """The owner's choices in force."""

    policy: PolicyTable = STRICT
    automations: bool = False
    lockdown: bool = False
    flags: Mapping[str, str] = field(default_factory=lambda: dict(DEFAULT_FLAGS))

    @classmethod
    def from_options(cls, options: Mapping[str, Any], *, lockdown: bool) -> Settings:
        """The options as settings.

        Raises:
            KeyError: the options name a policy that there is not; nothing may be allowed on a guess (R2).
        """
        return cls(
            policy=PRESETS[options[CONF_PRESET]],
            automations=bool(options.get(CONF_AUTOMATIONS)),
            lockdown=lockdown,
            flags={**DEFAULT_FLAGS, **options.get(CONF_FLAGS, {})},
        )
