"""The probes: every operation of an entity's domain, in every situation, with values that fit and values that do not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, override

from .differential_deeds import DEEDS, Deed
from .differential_values import Look, Values

type Call = tuple[str, Mapping[str, Any]]
_SPARE = (("volume", 50), ("source", "x"))
"""A value that hardly any operation takes."""
_AGAIN_IS_ANOTHER = frozenset({"toggle", "next", "previous", "press", "add_item", "announce", "activate"})
_RUNS = frozenset({"scene", "script"})
STAYS_ON = "script.waiting"
"""The one script that is still running when it is started again."""
BY_CALLS = frozenset({"timer", "script"})
"""Domains whose entities have running parts: they are brought back by their own actions only."""


@dataclass(frozen=True, kw_only=True)
class Probe:
    """One thing to ask of one entity. ``again`` does it once before; ``unplugged`` makes the entity unavailable."""

    entity_id: str
    intent: str
    params: Mapping[str, Any] = field(default_factory=dict)
    kind: str = "fits"
    situation: str = "as found"
    again: bool = False
    unplugged: bool = False

    @property
    def domain(self) -> str:
        """The entity's domain."""
        return self.entity_id.partition(".")[0]

    @property
    def deed(self) -> Deed:
        """What it stands for."""
        return DEEDS[self.domain, self.intent]

    @override
    def __str__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.params.items())
        return f"{self.entity_id} {self.intent}({shown}) [{self.kind}, {self.situation}]"


def _switched(domain: str) -> dict[str, tuple[Call, ...]]:
    return {"off": ((f"{domain}.turn_off", {}),), "on": ((f"{domain}.turn_on", {}),)}


_MIDDLE = (("cover.set_cover_position", {"position": 50}), ("cover.set_cover_tilt_position", {"tilt_position": 50}))
SITUATIONS: dict[str, dict[str, tuple[Call, ...]]] = {
    **{domain: _switched(domain) for domain in ("switch", "input_boolean", "humidifier", "siren", "remote")},
    "light": {"off": (("light.turn_off", {}),), "on": (("light.turn_on", {"brightness_pct": 50}),)},
    "fan": {"off": (("fan.turn_off", {}),), "on": (("fan.turn_on", {}), ("fan.set_percentage", {"percentage": 67}))},
    "cover": {
        "closed": (("cover.close_cover", {}), ("cover.set_cover_tilt_position", {"tilt_position": 0})),
        "open": (("cover.open_cover", {}), ("cover.set_cover_tilt_position", {"tilt_position": 100})),
        "half open": (("cover.open_cover", {}), *_MIDDLE),
    },
    "valve": {
        "closed": (("valve.close_valve", {}), ("valve.set_valve_position", {"position": 0})),
        "open": (("valve.open_valve", {}), ("valve.set_valve_position", {"position": 100})),
    },
    "lock": {"locked": (("lock.lock", {}),), "unlocked": (("lock.unlock", {}),)},
    "climate": {"off": (("climate.set_hvac_mode", {"hvac_mode": "off"}),), "on": (("climate.turn_on", {}),), **{
        mode: (("climate.set_hvac_mode", {"hvac_mode": mode}),) for mode in ("heat", "heat_cool")
    }},
    "water_heater": {
        "off": (("water_heater.set_operation_mode", {"operation_mode": "off"}),),
        "on": (("water_heater.set_operation_mode", {"operation_mode": "eco"}), ("water_heater.turn_on", {})),
    },
    "media_player": {
        "off": (("media_player.turn_off", {}),),
        "playing": (
            ("media_player.turn_on", {}), ("media_player.media_play", {}),
            ("media_player.volume_set", {"volume_level": 0.5}), ("media_player.volume_mute", {"is_volume_muted": False}),
        ),
        "paused": (("media_player.turn_on", {}), ("media_player.media_pause", {})),
        "stopped": (("media_player.turn_on", {}), ("media_player.media_stop", {})),
    },
    "vacuum": {
        "docked": (("vacuum.stop", {}), ("vacuum.return_to_base", {})),
        "cleaning": (("vacuum.start", {}),),
        "paused": (("vacuum.start", {}), ("vacuum.pause", {})),
        "stopped": (("vacuum.start", {}), ("vacuum.stop", {})),
    },
    "lawn_mower": {
        "docked": (("lawn_mower.dock", {}),),
        "mowing": (("lawn_mower.start_mowing", {}),),
        "paused": (("lawn_mower.start_mowing", {}), ("lawn_mower.pause", {})),
    },
    "alarm_control_panel": {
        "disarmed": (("alarm_control_panel.alarm_disarm", {"code": "1234"}), ("alarm_control_panel.alarm_disarm", {})),
        "armed away": (
            ("alarm_control_panel.alarm_arm_away", {"code": "1234"}), ("alarm_control_panel.alarm_arm_away", {})
        ),
    },
    "timer": {
        "idle": (("timer.cancel", {}),),
        "active": (("timer.start", {"duration": 3600}),),
        "paused": (("timer.start", {"duration": 3600}), ("timer.pause", {})),
    },
    "counter": {"as found": (("counter.reset", {}),)},
    "script": {"as found": (("script.turn_off", {}),)},
}  # fmt: skip
"""How each domain's entities are brought into the states from which they are asked."""


def situations(domain: str) -> Mapping[str, tuple[Call, ...]]:
    """The situations of a domain."""
    return SITUATIONS.get(domain, {"as found": ()})


def probes(entity_id: str, situation: str, look: Look) -> Iterator[Probe]:
    """All probes of an entity in one situation, in which it looks like this."""
    domain = entity_id.partition(".")[0]
    names = tuple(situations(domain))
    is_main = situation == names[-1 if domain in {"light", "fan", "siren"} else min(1, len(names) - 1)]
    for (of, intent), deed in DEEDS.items():
        if of != domain:
            continue
        base = Probe(entity_id=entity_id, intent=intent, situation=situation)
        first = next(params for params, kind in _params(deed, look) if kind == "fits")
        if look.state == "unavailable":
            yield _with(base, params=first, kind="unavailable")
            continue
        for params, kind in _params(deed, look):
            is_against = intent == "turn_on" and 0 in (params.get("brightness"), params.get("speed"))
            if kind == "fits" or is_main:
                yield _with(base, params=params, kind="contradiction" if is_against else kind)
        if is_main:
            if intent not in _AGAIN_IS_ANOTHER and (domain not in _RUNS or entity_id == STAYS_ON):
                yield _with(base, params=first, kind="already so", again=True)
            spare = next(item for item in _SPARE if item[0] not in deed.fields)
            yield _with(base, params={**first, spare[0]: spare[1]}, kind="unsupported field")
            if domain != "script":
                yield _with(base, params=first, kind="unavailable", unplugged=True)


def _with(base: Probe, **changes: Any) -> Probe:
    return Probe(**{**vars(base), **changes})


def _params(deed: Deed, look: Look) -> Iterator[tuple[dict[str, Any], str]]:
    for names in deed.sets():
        values = {name: deed.fields[name].source(look) for name in names}
        yield from ((params, "fits") for params in _fitting(values))
        if len(names) <= 1:
            for name, found in values.items():
                yield from (({name: value}, "out of range") for value in found.beyond)
                yield from (({name: value}, "invalid option") for value in found.strange)


def _fitting(values: Mapping[str, Values]) -> Iterator[dict[str, Any]]:
    """Values that fit, a low one no higher than a high one; something stands in where the entity offers nothing."""
    tried = [(found.fit or found.strange or (1,)) for found in values.values()]
    if len(tried) > 1:
        tried = [choice[-2:] for choice in tried]
    for choice in product(*tried):
        params = dict(zip(values, choice, strict=True))
        if "temperature_low" not in params or params["temperature_low"] <= params["temperature_high"]:
            yield params
