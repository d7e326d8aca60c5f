"""``status``: what a reader gets to know about an entity. Only what is listed here leaves the house (R12)."""

from ..devices import DeviceState, Liveness, Source
from ..models import Intent
from ..plan import Effect
from .operation import Operation

STATUS = Operation(intent=Intent.STATUS, domain="*", service=None, effect=Effect.READ)

EVERYWHERE = ("unit_of_measurement", "device_class")
WORTH_KNOWING: dict[str, tuple[str, ...]] = {
    "light": ("color_mode", "rgb_color", "color_temp_kelvin", "effect"),
    "cover": ("current_position", "current_tilt_position"),
    "valve": ("current_position",),
    "climate": (
        "current_temperature", "temperature", "target_temp_low", "target_temp_high", "current_humidity", "humidity",
        "hvac_action", "fan_mode", "preset_mode", "swing_mode",
    ),
    "water_heater": ("current_temperature", "temperature", "operation_mode"),
    "humidifier": ("current_humidity", "humidity", "mode", "action"),
    "fan": ("percentage", "preset_mode", "oscillating", "direction"),
    "media_player": (
        "volume_level", "is_volume_muted", "source", "sound_mode", "shuffle", "media_title", "media_artist",
        "media_album_name", "app_name",
    ),
    "vacuum": ("fan_speed", "battery_level"),
    "remote": ("current_activity",),
    "counter": ("minimum", "maximum"),
    "timer": ("duration", "remaining", "finishes_at"),
    "input_datetime": ("has_date", "has_time"),
    "update": ("installed_version", "latest_version", "in_progress"),
    "weather": ("temperature", "humidity", "wind_speed", "pressure"),
    "sun": ("next_rising", "next_setting"),
}  # fmt: skip


def trust(state: DeviceState, liveness: Liveness) -> str:
    """How far a state can be believed: ``current``, ``stale``, ``assumed``, ``unknown``, ``unavailable`` or ``unbacked``."""
    if state.state in {"unavailable", "unknown"}:
        return state.state
    if liveness.source is Source.NOBODY:
        return "unbacked"
    if liveness.is_stale:
        return "stale"
    return "assumed" if state.is_assumed else "current"


def readable(entity_id: str, name: str, state: DeviceState, liveness: Liveness) -> dict[str, object]:
    """An entity's state as a reader gets it: brightness in percent, everything else as Home Assistant has it.

    ``reported`` is how many seconds ago it was reported; that alone says nothing where a device reports changes only.
    """
    domain = entity_id.partition(".")[0]
    attributes = {
        key: state.attributes[key]
        for key in (*WORTH_KNOWING.get(domain, ()), *EVERYWHERE)
        if state.attributes.get(key) is not None
    }
    brightness = state.number("brightness")
    if domain == "light" and brightness is not None:
        attributes["brightness"] = round(brightness / 2.55)
    return {
        "entity_id": entity_id,
        "name": name,
        "state": state.state,
        "attributes": attributes,
        "liveness": trust(state, liveness),
        "reported": round(liveness.age),
    }
