"""The words of an ordinary day: what a person said, what the agent sent, and what must be so afterwards."""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum

type Look = str | Mapping[str, object]
"""How an entity must look: its state, or attributes of it with ``state`` among them."""
type Sent = Mapping[str, object]
"""What an agent sends to ``edgehome.execute``."""

_PLACES = {"name": "device_alias", "type": "device_type"}
_TARGETS = frozenset({"device_alias", "device_type", "room", "floor", "label", "device", "scope"})


class Verdict(StrEnum):
    """What must become of a request."""

    UNASKED = "unasked"
    ASKED = "asked"
    """A person is asked, says yes, and then it is done."""
    REFUSED = "refused"


@dataclass(frozen=True)
class Happening:
    """Something that happens before a request: somebody presses a switch, or a device notices something.

    With a service it is a call of the owner's; without one, ``data`` are payloads that devices say about their states.
    """

    service: str
    data: Mapping[str, object]
    then: Mapping[str, Look] = field(default_factory=dict)
    """What is waited for."""


@dataclass(frozen=True)
class Ask:
    """One request."""

    id: str
    at: str
    said: str
    sends: Sent
    then: Mapping[str, Look]
    """What is so after it was done."""
    _: KW_ONLY
    ends: str = "executed"
    """The outcome of a request that passes unasked."""
    verdict: Verdict = Verdict.UNASKED
    balanced: Verdict | None = None
    """The verdict under *balanced*, where it is another one."""
    code: str = "POLICY_DENIED"
    """The code, where it is refused."""
    kept: Mapping[str, Look] = field(default_factory=dict)
    """What is so after it was refused, and while a person is asked."""
    heard: Mapping[str, str] = field(default_factory=dict)
    """The last command that devices must have heard."""
    also: tuple[str, ...] = ()
    """Devices that may hear something beside those in ``then``."""
    silent: bool = False
    """No device may hear anything: it was done before."""
    answers: tuple[str, ...] = ()
    """What the answer's message must contain."""
    meanwhile: tuple[Happening, ...] = ()
    """What happens before."""

    def verdict_under(self, preset: str) -> Verdict:
        """What must become of it under a preset."""
        return self.balanced if preset == "balanced" and self.balanced else self.verdict


def short(sent: Sent) -> str:
    """What was sent, in one line."""
    if "commands" in sent:
        commands: list[Sent] = list(sent["commands"])  # type: ignore[call-overload]  # ``together`` made it
        return "; ".join(short(one if "service_call" in one else {"model_candidate": one}) for one in commands)
    ((form, content), *_) = sent.items()
    fields: dict[str, object] = dict(content)  # type: ignore[call-overload]  # ``do`` and ``ha`` made it
    values: dict[str, object] = fields.pop("params" if form == "model_candidate" else "data", {})  # type: ignore[assignment]
    if isinstance(target := fields.pop("target", None), dict):
        fields |= target
    words = [str(value) for value in fields.values()]
    return ", ".join([*words, *(f"{name} {value}" for name, value in values.items())])


def do(intent: str, **fields: object) -> Sent:
    """A proposal: where it is aimed, and its values. ``name`` and ``type`` are short for longer words."""
    named = {_PLACES.get(key, key): value for key, value in fields.items()}
    aim = {key: value for key, value in named.items() if key in _TARGETS}
    values = {key: value for key, value in named.items() if key not in _TARGETS}
    return {"model_candidate": {"intent": intent, **aim, **({"params": values} if values else {})}}


def ha(service: str, entity_id: object = None, *, at: Mapping[str, object] | None = None, **data: object) -> Sent:
    """A call in Home Assistant's own words."""
    target = at if at is not None else {"entity_id": entity_id} if entity_id is not None else None
    call: dict[str, object] = {"service": service}
    return {"service_call": call | ({"target": target} if target else {}) | ({"data": data} if data else {})}


def together(*sends: Sent) -> Sent:
    """Several in one request."""
    return {"commands": [sent.get("model_candidate", sent) for sent in sends]}


def each(entity_ids: Iterable[str], look: Look) -> dict[str, Look]:
    """The same look for several."""
    return dict.fromkeys(entity_ids, look)


def dim(percent: float) -> Look:
    """A lamp that is on with a brightness."""
    return {"state": "on", "brightness": round(percent * 2.55)}


def has(**attributes: object) -> Look:
    """Attributes, whatever the state."""
    return attributes


def by_hand(service: str, *entity_ids: str, **data: object) -> tuple[Happening, ...]:
    """Somebody of the family does it at the wall, in the app, or at the device."""
    return (Happening(service, {"entity_id": list(entity_ids), **data}),)


def notices(entity_id: str, payload: str, then: Mapping[str, Look] | None = None) -> tuple[Happening, ...]:
    """A device says something by itself."""
    return (Happening("", {entity_id: payload}, then or {}),)
