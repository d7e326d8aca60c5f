"""Who is home, as Home Assistant's persons say."""

from homeassistant.const import STATE_HOME, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant

PERSON = "person"


def somebody(hass: HomeAssistant, states: tuple[str, ...]) -> bool | None:
    """Whether ``states`` (``home``, ``not_home``) say how it is: somebody is home, or nobody; None if nobody knows.

    One person at home suffices to know; that all are away is known only if all of them are known.
    """
    present = [state.state for state in hass.states.async_all(PERSON)]
    if STATE_HOME in present:
        return STATE_HOME in states
    if not present or {STATE_UNKNOWN, STATE_UNAVAILABLE} & set(present):
        return None
    return STATE_HOME not in states
