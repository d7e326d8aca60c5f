"""The home's voice."""

from unittest.mock import patch

import pytest
from homeassistant.core import HomeAssistant

from custom_components.edgehome.home.speech import spoken

ENGINE = "custom_components.edgehome.home.speech.async_default_engine"


async def test_no_voice(hass: HomeAssistant) -> None:
    """Without text-to-speech there is none."""
    assert spoken(hass, "Dinner") is None


@pytest.mark.parametrize("engine", [None, ""])
async def test_no_engine(hass: HomeAssistant, engine: str | None) -> None:
    """Text-to-speech without an engine is no voice."""
    hass.config.components.add("tts")
    with patch(ENGINE, return_value=engine):
        assert spoken(hass, "Dinner") is None


@pytest.mark.parametrize(
    ("message", "media"),
    [
        pytest.param("Dinner", "media-source://tts/tts.voice?message=Dinner", id="a word"),
        pytest.param(
            "Dinner is ready!", "media-source://tts/tts.voice?message=Dinner%20is%20ready%21", id="a sentence"
        ),
        pytest.param(
            "a&voice=x#y?z", "media-source://tts/tts.voice?message=a%26voice%3Dx%23y%3Fz", id="no option slips in"
        ),
        pytest.param("../x", "media-source://tts/tts.voice?message=../x", id="a path stays a message"),
        pytest.param("Tür", "media-source://tts/tts.voice?message=T%C3%BCr", id="umlaut"),
    ],
)
async def test_voice(hass: HomeAssistant, message: str, media: str) -> None:
    """The message is the voice's only option."""
    hass.config.components.add("tts")
    with patch(ENGINE, return_value="tts.voice"):
        assert spoken(hass, message) == media
