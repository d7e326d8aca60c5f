"""Free text, spoken text, media, and yes or no."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import override

from ...chain import Refuse
from ...codes import Code
from ...devices import DeviceState
from ...facts import Facts
from ...plan import Expectation
from .kind import Kind, Value, plain, refuse


@dataclass(frozen=True, kw_only=True)
class Words(Kind):
    """Text within the entity's own length and pattern (``components/text``). What is secret is no agent's (R12)."""

    field: str
    shows: bool = True

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        if not isinstance(value, str):
            return refuse(Code.INVALID_OPTION, name, f"{device} takes text.", "Send text.")
        if state.attributes.get("mode") == "password":
            message = f"{device} holds a password, and agents set none."
            return refuse(Code.UNSUPPORTED_FIELD, name, message, "The owner sets it in Home Assistant.")
        low, high = state.number("min") or 0, state.number("max")
        if len(value) < low or (high is not None and len(value) > high):
            ends = f"{plain(low)} to {plain(high)}" if high is not None else f"at least {plain(low)}"
            message = f"The text has {len(value)} characters, which {device} does not take."
            return refuse(Code.OUT_OF_RANGE, name, message, f"Send {ends} characters.")
        pattern = state.attributes.get("pattern")
        if isinstance(pattern, str) and not _matches(pattern, value):
            message = f"The text does not have the form that {device} takes."
            return refuse(Code.INVALID_OPTION, name, message, f"It must match {pattern!r}.")
        expect = (Expectation(value=value),) if self.shows else ()
        return Value(data={self.field: value}, expect=expect, present=state.state if self.shows else "", wanted=value)

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        return {"values": "text"} if state.attributes.get("mode") != "password" else None


def _matches(pattern: str, text: str) -> bool:
    """As Home Assistant matches it (``components/text``: ``re.match``); a pattern that is none matches nothing."""
    try:
        return re.match(pattern, text) is not None
    except re.error:
        return False


@dataclass(frozen=True, kw_only=True)
class Flag(Kind):
    """True or false; ``attribute`` is where the device shows it."""

    field: str
    attribute: str | None = None

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        if not isinstance(value, bool):
            return refuse(Code.INVALID_OPTION, name, f"{name} is true or false here.", "Send true or false.")
        expect = (Expectation(attribute=self.attribute, value=value),) if self.attribute else ()
        present = state.attributes.get(self.attribute or "")
        told = {True: "on", False: "off"}
        return Value(
            data={self.field: value},
            expect=expect,
            present=told.get(present, "") if isinstance(present, bool) else "",
            wanted=told[value],
        )

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        return {"values": [True, False]}


@dataclass(frozen=True)
class Media(Kind):
    """Something to play, by its id; which ids a player knows only the player knows."""

    @property
    @override
    def sends(self) -> tuple[str, ...]:
        return ("media_content_id",)

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        if str(value).startswith("media-source://tts"):
            return refuse(Code.INVALID_OPTION, name, "Speech is no media.", "Send announce with message instead.")
        return Value(data={"media_content_id": value}, wanted=str(value))

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        return {"values": "a media id that the player knows, such as media-source://…"}


@dataclass(frozen=True)
class Speech(Kind):
    """Words to speak on a player: Home Assistant's default voice makes a media id of them."""

    @override
    def resolve(self, name: str, value: object, facts: Facts) -> object | Refuse:
        if spoken := facts.speech(str(value)):
            return (str(value), spoken)
        message = "This home has no voice (text-to-speech) to announce with."
        return refuse(Code.SERVICE_NOT_FOUND, name, message, "The owner can add one in Home Assistant.")

    @override
    def convert(self, name: str, value: object, device: str, state: DeviceState) -> Value | Refuse:
        message, spoken = value if isinstance(value, tuple) else (str(value), str(value))
        data = {"media_content_id": spoken, "media_content_type": "music", "announce": True}
        return Value(data=data, wanted=f"“{message}”")

    @override
    def describe(self, state: DeviceState) -> Mapping[str, object] | None:
        return {"values": "text to speak"}
