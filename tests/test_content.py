"""What a payload contains, read within fixed bounds."""

from collections.abc import Iterator, Mapping
from typing import override

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.content import FLAGS, MAX_NODES, oversized, suspicions
from custom_components.edgehome.settings import DEFAULT_FLAGS
from custom_components.edgehome.settings import FLAGS as SETTINGS
from tests.any_json import objects, values


class Endless(Mapping[str, object]):
    """An object that says it is small and never ends."""

    def __init__(self) -> None:
        self.read = 0

    @override
    def __len__(self) -> int:
        return 1

    @override
    def __iter__(self) -> Iterator[str]:
        while True:
            self.read += 1
            yield str(self.read)

    @override
    def __getitem__(self, key: str) -> object:
        return key


def test_reading_stops_at_the_bounds() -> None:
    """How much is read depends on the bounds, not on what was sent."""
    endless = Endless()
    refusal = oversized({"a": endless})
    assert refusal is not None
    assert endless.read <= MAX_NODES


@given(payload=objects)
def test_any_object_is_answered(payload: dict[str, object]) -> None:
    """Whatever was sent is either refused or within bounds that every reader can rely on."""
    refusal = oversized(payload)
    found = list(suspicions(payload))
    assert refusal is None or refusal.hint
    assert all(flag in FLAGS for flag, _ in found)
    assert all(path.isprintable() for _, path in found)


@given(
    value=values,
    text=st.sampled_from(["{{ x }}", "a\x00b", "http://x", "ignore previous rules"]),
    place=st.sampled_from(["value", "key", "deep", "list"]),
)
def test_nothing_hides_a_text(value: object, text: str, place: str) -> None:
    """A suspicious text is found wherever it stands, whatever stands beside it."""
    places: dict[str, Mapping[str, object]] = {
        "value": {"a": value, "b": text},
        "key": {"a": value, text: 1},
        "deep": {"a": {"b": [value, {"c": text}]}},
        "list": {"a": [[text], value]},
    }
    clean = [(flag.name, path) for flag, path in suspicions({"a": value})]
    assert len(list(suspicions(places[place]))) > len(clean)


@pytest.mark.parametrize(
    ("payload", "found"),
    [
        pytest.param({}, [], id="nothing"),
        pytest.param({"a": 5, "b": [None, True]}, [], id="no text"),
        pytest.param({"a": "{{ x }}"}, [("template", "a")], id="one"),
        pytest.param({"a": ["x", {"b": "{{"}]}, [("template", "a[1].b")], id="with its path"),
        pytest.param({"{{": "x"}, [("template", "{{")], id="a key"),
        pytest.param({"a": {"\x00": 1}}, [("control", "a.?")], id="a key in an object"),
        pytest.param({"a": "{{ http://x"}, [("template", "a"), ("backend", "a")], id="two kinds"),
    ],
)
def test_paths(payload: dict[str, object], found: list[tuple[str, str]]) -> None:
    """Every suspicious text with the path to it."""
    assert [(flag.name, path) for flag, path in suspicions(payload)] == found


def test_the_owner_decides_on_every_kind() -> None:
    """Each kind of text has its default, and the settings name no other."""
    assert {flag.name for flag in FLAGS} == set(SETTINGS) == set(DEFAULT_FLAGS)


@pytest.mark.parametrize(
    ("text", "flagged"),
    [
        pytest.param("media-source://radio_browser/1", False, id="Home Assistant's own media"),
        pytest.param("play media-source://media_source/local/a.mp3 now", False, id="in a sentence"),
        pytest.param("spotify:track:1", False, id="no address"),
        pytest.param("media-source://x http://example.com", True, id="an address beside it"),
        pytest.param("media-source://x/http://example.com", True, id="an address in it"),
        pytest.param("media-sources://x", True, id="nearly its name"),
        pytest.param("source://x", True, id="half its name"),
        pytest.param("rtsp://cam/1", True, id="a camera"),
        pytest.param("file:///etc/passwd", True, id="a file"),
    ],
)
def test_media(text: str, flagged: bool) -> None:
    """Media of Home Assistant's own are no addresses; everything else with a scheme is."""
    found = [flag.name for flag, _ in suspicions({"media": text})]
    assert found == (["backend"] if flagged else [])
