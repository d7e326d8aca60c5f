"""The tables that an owner can start from (no Home Assistant here)."""

from .rule import PolicyRule, Verdict
from .table import PolicyTable

_AFTER_LOCKS = (
    PolicyRule(id="locks_ask", name="Ask about locks", device_types=("lock",), risk=(3, 5), verdict=Verdict.CONFIRM),
    PolicyRule(
        id="heating_small",
        name="Small changes of the heating",
        operations=("set_temperature",),
        device_types=("thermostat",),
        risk=(0, 2),
        verdict=Verdict.ALLOW,
    ),
    PolicyRule(
        id="heating_large",
        name="Large changes of the heating",
        operations=("set_temperature",),
        device_types=("thermostat",),
        risk=(3, 5),
        verdict=Verdict.CONFIRM,
    ),
    PolicyRule(
        id="dimming",
        name="Dim lamps",
        operations=("set_brightness",),
        device_types=("light",),
        verdict=Verdict.ALLOW,
    ),
    PolicyRule(id="harmless", name="Everything harmless", risk=(0, 2), verdict=Verdict.ALLOW),
    PolicyRule(id="serious", name="Ask about everything serious", risk=(3, 5), verdict=Verdict.CONFIRM),
)

STRICT = PolicyTable(
    name="strict",
    rules=(
        PolicyRule(id="no_locking", name="Never lock", operations=("lock",), risk=(4, 5), verdict=Verdict.DENY),
        PolicyRule(id="no_unlocking", name="Never unlock", operations=("unlock",), risk=(4, 5), verdict=Verdict.DENY),
        *_AFTER_LOCKS,
    ),
)
"""The default: agents never lock or unlock; what is serious needs a human's yes."""

BALANCED = PolicyTable(
    name="balanced",
    rules=(
        PolicyRule(id="locking", name="Lock", operations=("lock",), verdict=Verdict.ALLOW),
        PolicyRule(id="unlocking_asks", name="Ask before unlocking", operations=("unlock",), verdict=Verdict.CONFIRM),
        *_AFTER_LOCKS,
    ),
)
"""Agents may lock, and may unlock with a human's yes."""

PRESETS = {table.name: table for table in (STRICT, BALANCED)}
"""The tables by their names."""
