"""The tables that an owner can start from (no Home Assistant here)."""

from .rule import PolicyRule, Verdict
from .table import PolicyTable

_AFTER_LOCKS = (
    PolicyRule(id="locks_ask", device_types=("lock",), risk=(3, 5), verdict=Verdict.CONFIRM),
    PolicyRule(
        id="heating_small",
        operations=("set_temperature",),
        device_types=("thermostat",),
        risk=(0, 2),
        verdict=Verdict.ALLOW,
    ),
    PolicyRule(
        id="heating_large",
        operations=("set_temperature",),
        device_types=("thermostat",),
        risk=(3, 5),
        verdict=Verdict.CONFIRM,
    ),
    PolicyRule(
        id="dimming",
        operations=("set_brightness",),
        device_types=("light",),
        verdict=Verdict.ALLOW,
    ),
    PolicyRule(id="harmless", risk=(0, 2), verdict=Verdict.ALLOW),
    PolicyRule(id="serious", risk=(3, 5), verdict=Verdict.CONFIRM),
)

STRICT = PolicyTable(
    name="strict",
    rules=(
        PolicyRule(id="no_locking", operations=("lock",), risk=(4, 5), verdict=Verdict.DENY),
        PolicyRule(id="no_unlocking", operations=("unlock",), risk=(4, 5), verdict=Verdict.DENY),
        *_AFTER_LOCKS,
    ),
)
"""The default: agents never lock or unlock; what is serious needs a human's yes."""

BALANCED = PolicyTable(
    name="balanced",
    rules=(
        PolicyRule(id="locking", operations=("lock",), verdict=Verdict.ALLOW),
        PolicyRule(id="unlocking_asks", operations=("unlock",), verdict=Verdict.CONFIRM),
        *_AFTER_LOCKS,
    ),
)
"""Agents may lock, and may unlock with a human's yes."""

PRESETS = {table.name: table for table in (STRICT, BALANCED)}
"""The tables by their names."""
