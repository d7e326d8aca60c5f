"""The attributes that EdgeHome reads at all. Others (access tokens, pictures, codes) never reach a gate or a record (R12)."""

from .status import EVERYWHERE, WORTH_KNOWING

_ABLE = frozenset(
    {
        "activity_list", "assumed_state", "available_modes", "available_tones", "code_arm_required", "code_format",
        "fan_modes", "fan_speed_list", "hvac_modes", "max", "max_color_temp_kelvin", "max_humidity", "max_temp", "min",
        "min_color_temp_kelvin", "min_humidity", "min_temp", "mode", "operation_list", "options", "pattern",
        "percentage_step", "preset_modes", "sound_mode_list", "source_list", "step", "supported_color_modes",
        "supported_features", "swing_modes", "target_temp_step",
    }
)  # fmt: skip

ATTRIBUTES = (
    _ABLE
    | frozenset(EVERYWHERE)
    | frozenset(name for names in WORTH_KNOWING.values() for name in names)
    | {"brightness", "rgbw_color", "rgbww_color", "xy_color"}
)
"""What devices can do, and how they are."""
