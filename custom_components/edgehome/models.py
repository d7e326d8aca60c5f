"""What crosses the doors: the proposal of an agent and the envelope around it (no Home Assistant here).

A ``ModelCandidate`` is untrusted and strict: no unknown field, no coercion of types, no NaN (R6).
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FiniteFloat,
    StringConstraints,
)

NO_NAMES = frozenset({"all", "none", "*", "any", "everything", "null"})
"""Words that other systems read as "every entity" or "no entity"; here they are no name (R6)."""


REQUEST_ID = r"[A-Za-z0-9._:-]{1,64}"
"""What a caller's request id may look like."""


MOST_WAIT = 50
"""How long a caller may wait for a human within one call, in seconds."""


TIMES = frozenset(
    {
        "after", "at", "at_time", "cron", "date", "datetime", "delay", "delay_seconds", "duration", "end", "every",
        "for", "in", "in_minutes", "in_seconds", "interval", "minutes", "recurrence", "repeat", "schedule", "seconds",
        "start_time", "time", "timer", "timestamp", "trigger", "until", "when",
    }
)  # fmt: skip
"""Fields by which agents ask for another time."""
NOW = "EdgeHome does what it is asked now. Ask again when it is time; what shall happen by itself is the owner's automation."
"""What an agent is told that wants something to happen later, or again and again."""


class Intent(StrEnum):
    """The backend-neutral verbs of the catalogue."""

    TURN_ON = "turn_on"
    TURN_OFF = "turn_off"
    TOGGLE = "toggle"
    SET_BRIGHTNESS = "set_brightness"
    SET_COLOR = "set_color"
    SET_COLOR_TEMPERATURE = "set_color_temperature"
    SET_TEMPERATURE = "set_temperature"
    SET_MODE = "set_mode"
    SET_FAN_MODE = "set_fan_mode"
    SET_PRESET = "set_preset"
    SET_HUMIDITY = "set_humidity"
    OPEN = "open"
    CLOSE = "close"
    STOP = "stop"
    SET_POSITION = "set_position"
    SET_TILT = "set_tilt"
    LOCK = "lock"
    UNLOCK = "unlock"
    ARM_HOME = "arm_home"
    ARM_AWAY = "arm_away"
    ARM_NIGHT = "arm_night"
    DISARM = "disarm"
    SET_VOLUME = "set_volume"
    MUTE = "mute"
    PLAY = "play"
    PAUSE = "pause"
    NEXT = "next"
    PREVIOUS = "previous"
    SELECT_SOURCE = "select_source"
    PLAY_MEDIA = "play_media"
    ANNOUNCE = "announce"
    START = "start"
    DOCK = "dock"
    SET_SPEED = "set_speed"
    SET_VALUE = "set_value"
    SELECT_OPTION = "select_option"
    PRESS = "press"
    OSCILLATE = "oscillate"
    SET_DIRECTION = "set_direction"
    SET_SWING_MODE = "set_swing_mode"
    SHUFFLE = "shuffle"
    LOCATE = "locate"
    ADD_ITEM = "add_item"
    INSTALL = "install"
    ACTIVATE = "activate"
    RUN = "run"
    STATUS = "status"


class CustomVerb(str):
    """An intent that the owner added, beside those of the catalogue."""

    __slots__ = ()

    @property
    def value(self) -> str:
        """The word, as with an ``Intent``."""
        return str(self)


type Verb = Intent | CustomVerb
"""What can be asked for."""


def _name(text: str) -> str:
    if not text.strip():
        raise ValueError("blank name")
    if text.strip().casefold() in NO_NAMES:
        raise ValueError("not a name")
    return text


def _unit(value: object) -> object:
    return {"C": "°C", "F": "°F"}.get(value, value) if isinstance(value, str) else value


type Name = Annotated[str, StringConstraints(max_length=100), AfterValidator(_name)]
type Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]
type Number = FiniteFloat
type Channel = Annotated[int, Field(ge=0, le=255)]
type Share = Annotated[FiniteFloat, Field(ge=0, le=1)]
type Color = (
    Annotated[tuple[Channel, Channel, Channel], Field(strict=False)]
    | Annotated[tuple[Channel, Channel, Channel, Channel], Field(strict=False)]
    | Annotated[tuple[Channel, Channel, Channel, Channel, Channel], Field(strict=False)]
    | Annotated[tuple[Share, Share], Field(strict=False)]
)
"""Red, green and blue; with the white, or both whites, of lamps that have them; or x and y of the CIE 1931 colour space."""

_STRICT = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Params(BaseModel):
    """The values of a proposal.

    Percent for brightness, position, tilt, volume, speed and humidity (0-100); kelvin for
    colour temperature; the home's temperature unit unless ``unit`` says otherwise.
    """

    model_config = _STRICT

    brightness: Number | None = None
    color: Word | Color | None = None
    color_temperature: Number | None = None
    temperature: Number | None = None
    temperature_low: Number | None = None
    temperature_high: Number | None = None
    humidity: Number | None = None
    mode: Word | None = None
    position: Number | None = None
    tilt: Number | None = None
    volume: Number | None = None
    speed: Number | None = None
    source: Word | None = None
    preset: Word | None = None
    option: Word | None = None
    value: Number | Word | bool | None = None
    media: Word | None = None
    message: Word | None = None
    brightness_step: Number | None = None
    temperature_step: Number | None = None
    volume_step: Number | None = None
    transition: Number | None = None
    unit: Annotated[Literal["°C", "°F"], BeforeValidator(_unit)] | None = None

    def given(self) -> dict[str, object]:
        """The values that were sent, by name."""
        sent = self.model_fields_set
        return {
            name: value for name in Params.model_fields if name in sent and (value := getattr(self, name)) is not None
        }


class ModelCandidate(BaseModel):
    """What an agent proposes: untrusted until the chain has resolved it."""

    model_config = _STRICT

    intent: Annotated[Intent, Field(strict=False)]
    room: Name | None = None
    device_alias: Name | None = None
    device_type: Name | None = None
    floor: Name | None = None
    label: Name | None = None
    device: Name | None = None
    scope: Literal["home"] | None = None
    params: Params = Params()


_TARGET_KEYS = frozenset({"entity_id", "area_id", "device_id", "floor_id", "label_id"})


class ServiceCall(BaseModel):
    """An action of Home Assistant as agents who speak it send it: ``service`` or ``action``, ``target``, ``data``."""

    model_config = _STRICT

    service: Word | None = None
    action: Word | None = None
    domain: Word | None = None
    target: dict[str, object] | None = None
    data: dict[str, object] | None = None
    service_data: dict[str, object] | None = None

    @property
    def name(self) -> str | None:
        """``light.turn_on``, also where domain and service are sent apart; None if it is not told, or told twice."""
        name = self.service or self.action
        if name is None or (self.service and self.action):
            return None
        return name if "." in name else f"{self.domain}.{name}" if self.domain else None

    @property
    def contradiction(self) -> tuple[str, str] | None:
        """What is said twice and differently, and where: nothing of a call is dropped silently (R6)."""
        name = self.name or ""
        if self.domain is not None and name.partition(".")[0] != self.domain:
            return f"domain {self.domain[:60]} is not that of {name[:60]}.", "domain"
        if self.data is not None and self.service_data is not None:
            return "data and service_data stand side by side.", "service_data"
        stray = next((key for key in self.values if self.target is not None and key in _TARGET_KEYS), None)
        return (f"{stray} stands in {self.data_key} beside target.", f"{self.data_key}.{stray}") if stray else None

    @property
    def data_key(self) -> str:
        """Where its values stand."""
        return "service_data" if self.service_data is not None else "data"

    @property
    def values(self) -> dict[str, object]:
        """Its values, a target among them included."""
        return {**(self.data or {}), **(self.service_data or {})}

    @property
    def aim(self) -> tuple[dict[str, object], str]:
        """Its target, and where that stands: Home Assistant takes it among the values too."""
        if self.target is not None:
            return self.target, "service_call.target"
        return {
            name: value for name, value in self.values.items() if name.endswith("_id")
        }, f"service_call.{self.data_key}"


MOST_COMMANDS = 100
"""How many commands one request may have."""


class Envelope(BaseModel):
    """What a caller may send to ``edgehome.execute`` around what it wants."""

    model_config = _STRICT

    dry_run: bool = False
    request_id: Annotated[str, StringConstraints(pattern=f"^{REQUEST_ID}$")] | None = None
    reason: Annotated[str, StringConstraints(max_length=500)] | None = None
    wait: Annotated[Number, Field(ge=0, le=MOST_WAIT)] = 0
    source_agent: Annotated[str, StringConstraints(max_length=100)] | None = None
    undoes: Annotated[str, StringConstraints(max_length=100)] | None = None


class PrincipalKind(StrEnum):
    """Who may stand behind a call (R3). ``foreign_frontend`` is an administrator's log-in from an unknown address."""

    AGENT = "agent"
    OWNER = "owner"
    AUTOMATION = "automation"
    UNREGISTERED = "unregistered"
    FOREIGN_FRONTEND = "foreign_frontend"


@dataclass(frozen=True, kw_only=True)
class Principal:
    """Who is calling, taken from the connection, never from the payload (R3).

    ``id`` is the agent's subentry id, ``automation``, the owner's user id, or ``unregistered:`` and a user id. An agent
    that somebody talks to has a ``speaker``, the id of that person's user, where he is logged in, and the ``area_id`` of
    the voice device, where it has one; with their names.
    """

    kind: PrincipalKind
    id: str
    name: str
    speaker: str | None = None
    speaker_name: str = ""
    area_id: str | None = None
    area_name: str = ""

    @property
    def behind(self) -> tuple[str, str, str]:
        """What tells a request's caller from every other: a yes to one is none to another (R9)."""
        return self.id, self.speaker or "", self.area_id or ""


@dataclass(frozen=True, kw_only=True)
class ActionRequest:
    """The envelope of one call: what was sent, by whom, through which door, when (UTC).

    ``own`` are the fields of the payload that EdgeHome wrote itself: no agent's text, and as long as they have to be.
    """

    trace_id: str
    principal: Principal
    door: str
    payload: Mapping[str, object]
    received_at: datetime
    context_id: str | None = None
    own: frozenset[str] = frozenset()

    @property
    def sent(self) -> dict[str, object]:
        """What the caller sent of it."""
        return {name: value for name, value in self.payload.items() if name not in self.own}

    @property
    def request_id(self) -> str | None:
        """The caller's own id for this request (R13), if it is a valid one."""
        value = self.payload.get("request_id")
        return value if isinstance(value, str) and re.fullmatch(REQUEST_ID, value) else None

    @property
    def wait(self) -> float:
        """Seconds that the caller waits for a human, 0-50: below the time-outs of REST and MCP."""
        value = self.payload.get("wait")
        return (
            value if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST_WAIT else 0
        )

    @cached_property
    def digest(self) -> str:
        """What the request is, for telling a retry from another request: all but ``wait`` and ``reason`` (R13)."""
        content = {key: value for key, value in self.payload.items() if key not in {"wait", "reason", "request_id"}}
        try:
            text = json.dumps(content, sort_keys=True, default=repr)
        except RecursionError, TypeError, ValueError:
            # Deeper or larger than JSON can say: the guard refuses it, and a retry is refused alike.
            text = "unreadable"
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
