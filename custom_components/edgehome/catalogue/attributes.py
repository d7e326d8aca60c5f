"""The attributes that EdgeHome reads at all. Others (access tokens, pictures, codes) never reach a gate or a record (R12)."""

from .status import EVERYWHERE, WORTH_KNOWING

_ABLE = frozenset(
    {
        "assumed_state", "fan_modes", "hvac_modes", "max_color_temp_kelvin", "max_humidity", "max_temp",
        "min_color_temp_kelvin", "min_humidity", "min_temp", "preset_modes", "supported_color_modes",
        "supported_features", "target_temp_step",
    }
)  # fmt: skip

ATTRIBUTES = (
    _ABLE
    | frozenset(EVERYWHERE)
    | frozenset(name for names in WORTH_KNOWING.values() for name in names)
    | {"brightness"}
)
"""What devices can do, and how they are."""
