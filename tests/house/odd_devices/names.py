"""The entity ids of the odd devices, for the tests: what is exposed to agents, and the two counts."""

LIVE = (
    "light.coordinated_light",
    "lock.coordinated_lock",
    "light.pushed_light",
    "lock.pushed_lock",
    "light.polled_light",
    "lock.polled_lock",
    "light.unfetched_light",
    "light.assumed_light",
    "lock.assumed_lock",
    "light.fed_light",
    "lock.fed_lock",
)
FOLLOWING = (
    "light.prompt_light",
    "light.late_light",
    "light.deaf_light",
    "light.stubborn_light",
    "light.dim_light",
    "light.losable_light",
    "lock.moving_lock",
    "lock.jamming_lock",
    "cover.moving_blind",
    "cover.stuck_blind",
    "cover.endless_blind",
    "climate.drifting_thermostat",
)
FETCHES, CALLS = "sensor.odd_fetches", "sensor.odd_calls"
