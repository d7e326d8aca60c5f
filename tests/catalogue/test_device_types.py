"""Device types: the everyday words for entities."""

import pytest

from custom_components.edgehome.catalogue.device_types import (
    DEVICE_TYPES,
    device_type_of,
    domain_of,
    is_of_type,
    words,
)


@pytest.mark.parametrize(
    ("domain", "device_class", "word"),
    [
        ("light", None, "light"),
        ("switch", None, "switch"),
        ("switch", "outlet", "outlet"),
        ("switch", "switch", "switch"),
        ("climate", None, "thermostat"),
        ("lock", None, "lock"),
        ("cover", None, "cover"),
        ("cover", "garage", "garage_door"),
        ("cover", "gate", "gate"),
        ("cover", "door", "door"),
        ("cover", "window", "window"),
        ("cover", "blind", "blind"),
        ("cover", "curtain", "curtain"),
        ("cover", "shade", "shade"),
        ("cover", "shutter", "shutter"),
        ("cover", "awning", "awning"),
        ("cover", "damper", "damper"),
        ("cover", "something new", "cover"),
        ("valve", "water", "valve"),
        ("alarm_control_panel", None, "alarm"),
        ("media_player", None, "speaker"),
        ("media_player", "speaker", "speaker"),
        ("media_player", "tv", "tv"),
        ("media_player", "receiver", "media_player"),
        ("vacuum", None, "vacuum"),
        ("lawn_mower", None, "mower"),
        ("binary_sensor", "door", "binary_sensor"),
        ("sensor", "lock", "sensor"),
        ("camera", None, "camera"),
        ("script", None, "script"),
    ],
)
def test_own_type(domain: str, device_class: str | None, word: str) -> None:
    """An entity has the narrowest word that covers it, or its domain."""
    assert device_type_of(domain, device_class) == word


@pytest.mark.parametrize(
    ("own_type", "domain", "wanted", "is_one"),
    [
        ("light", "light", "light", True),
        ("light", "light", " LIGHT ", True),
        ("light", "light", "lamp", True),
        ("light", "light", "lights", True),
        ("light", "light", "lighting", False),
        ("outlet", "switch", "switch", True),
        ("outlet", "switch", "outlet", True),
        ("switch", "switch", "outlet", False),
        ("thermostat", "climate", "climate", True),
        ("thermostat", "climate", "thermostat", True),
        ("garage_door", "cover", "garage_door", True),
        ("garage_door", "cover", "garage door", True),
        ("garage_door", "cover", "Garage Door", True),
        ("garage_door", "cover", "cover", True),
        ("garage_door", "cover", "door", False),
        ("garage_door", "cover", "blind", False),
        ("cover", "cover", "blind", False),
        ("binary_sensor", "binary_sensor", "door", False),
        ("tv", "media_player", "media_player", True),
        ("tv", "media_player", "speaker", False),
        ("camera", "camera", "camera", True),
        ("camera", "camera", "light", False),
        ("lock", "lock", "light", False),
        ("light", "light", "", False),
    ],
)
def test_answers_to(own_type: str, domain: str, wanted: str, is_one: bool) -> None:
    """An entity answers to its own type and to the word for its whole domain, to nothing else."""
    assert is_of_type(own_type, domain, wanted) is is_one


@pytest.mark.parametrize(
    ("word", "domain"),
    [
        ("light", "light"),
        ("Thermostat", "climate"),
        ("climate", "climate"),
        ("garage door", "cover"),
        ("mower", "lawn_mower"),
        ("camera", "camera"),
        ("no such thing", "no_such_thing"),
    ],
)
def test_domain(word: str, domain: str) -> None:
    """A word belongs to one domain; unknown words are taken as a domain and so find nothing else."""
    assert domain_of(word) == domain


def test_words_are_said_once() -> None:
    """Every word means one thing."""
    assert len(set(words())) == len(words()) == len(DEVICE_TYPES)


@pytest.mark.parametrize("kind", DEVICE_TYPES, ids=lambda kind: kind.word)
def test_every_word_is_reachable(kind: object) -> None:
    """No word is hidden by one before it."""
    found = [item for item in DEVICE_TYPES if item is kind]
    (item,) = found
    device_class = (item.device_classes or (None,))[0]
    others = {"media_player": "receiver"}
    assert device_type_of(item.domain, others.get(item.word, device_class)) == item.word
