"""The home's voice: what Home Assistant's text-to-speech makes of a message."""

from urllib.parse import quote

from homeassistant.components.tts import async_default_engine
from homeassistant.core import HomeAssistant

TTS = "tts"


def spoken(hass: HomeAssistant, message: str) -> str | None:
    """The media id that speaks a message (``components/tts/media_source.py``), or None if there is no voice."""
    if TTS not in hass.config.components:
        return None
    engine = async_default_engine(hass)
    return f"media-source://{TTS}/{engine}?message={quote(message)}" if engine else None
