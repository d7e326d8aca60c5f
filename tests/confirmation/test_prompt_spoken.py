"""Who said it to the agent, and where: whoever is asked reads it, cleaned as all names are (R14)."""

# ruff: noqa: RUF001  # other languages have other signs

from dataclasses import replace

import pytest

from custom_components.edgehome.confirmation.prompt import described, message
from custom_components.edgehome.confirmation.words import CHINESE, ENGLISH, GERMAN, Words
from tests.confirmation.test_prompt import question
from tests.made_house import AGENT


@pytest.mark.parametrize(
    ("speaker", "area", "words", "said"),
    [
        pytest.param("", "", ENGLISH, None, id="an agent by itself"),
        pytest.param("Anna", "", ENGLISH, "Said by Anna.", id="somebody"),
        pytest.param("", "Hall", ENGLISH, "Said in Hall.", id="somewhere"),
        pytest.param("Anna", "Hall", GERMAN, "Gesagt von Anna. Gesagt in: Hall.", id="German"),
        pytest.param("Anna", "Hall", CHINESE, "说话人：Anna。 说话地点：Hall。", id="Chinese"),
        pytest.param('A"nna<b>', "x\ny", ENGLISH, "Said by A nna b. Said in x y.", id="names are cleaned"),
    ],
)
def test_who_spoke(speaker: str, area: str, words: Words, said: str | None) -> None:
    """Whoever is asked reads who said it to the agent, and where, on the phone and on the page."""
    asked = question(principal=replace(AGENT, speaker_name=speaker, area_name=area))
    assert described(asked, "anna", words)["spoken"] == said
    lines = message(asked, words, asked.expires_at).splitlines()
    assert (said in lines) is (said is not None)
