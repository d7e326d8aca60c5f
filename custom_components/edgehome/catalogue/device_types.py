"""The everyday words for devices, each mapped to Home Assistant's domain and device class."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DeviceType:
    """A word. Without ``device_classes`` it means every entity of the domain."""

    word: str
    domain: str
    device_classes: tuple[str | None, ...] = ()

    def covers(self, domain: str, device_class: str | None) -> bool:
        """Whether an entity is of this type."""
        return domain == self.domain and (not self.device_classes or device_class in self.device_classes)


# Within a domain the narrow words come first: the first one that covers an entity is the entity's own type.
DEVICE_TYPES = (
    DeviceType("light", "light"),
    DeviceType("outlet", "switch", ("outlet",)),
    DeviceType("switch", "switch"),
    DeviceType("thermostat", "climate"),
    DeviceType("lock", "lock"),
    DeviceType("garage_door", "cover", ("garage",)),
    DeviceType("gate", "cover", ("gate",)),
    DeviceType("door", "cover", ("door",)),
    DeviceType("window", "cover", ("window",)),
    DeviceType("blind", "cover", ("blind",)),
    DeviceType("curtain", "cover", ("curtain",)),
    DeviceType("shade", "cover", ("shade",)),
    DeviceType("shutter", "cover", ("shutter",)),
    DeviceType("awning", "cover", ("awning",)),
    DeviceType("damper", "cover", ("damper",)),
    DeviceType("cover", "cover"),
    DeviceType("valve", "valve"),
    DeviceType("alarm", "alarm_control_panel"),
    DeviceType("speaker", "media_player", ("speaker", None)),
    DeviceType("tv", "media_player", ("tv",)),
    DeviceType("media_player", "media_player"),
    DeviceType("vacuum", "vacuum"),
    DeviceType("mower", "lawn_mower"),
    DeviceType("fan", "fan"),
    DeviceType("humidifier", "humidifier"),
    DeviceType("water_heater", "water_heater"),
    DeviceType("siren", "siren"),
    DeviceType("remote", "remote"),
    DeviceType("scene", "scene"),
    DeviceType("script", "script"),
    DeviceType("button", "button"),
    DeviceType("camera", "camera"),
    DeviceType("update", "update"),
    DeviceType("todo", "todo"),
    DeviceType("timer", "timer"),
    DeviceType("counter", "counter"),
    DeviceType("number", "number"),
    DeviceType("select", "select"),
    DeviceType("text", "text"),
    DeviceType("notify", "notify"),
    DeviceType("assist_satellite", "assist_satellite"),
    DeviceType("sensor", "sensor"),
    DeviceType("binary_sensor", "binary_sensor"),
)
"""All words, in the order in which they are tried."""

_SYNONYMS = {
    "climate": "thermostat", "heating": "thermostat", "air_conditioner": "thermostat", "lamp": "light", "bulb": "light",
    "shopping_list": "todo", "list": "todo", "alarm_control_panel": "alarm", "lawn_mower": "mower",
    "plug": "outlet", "socket": "outlet", "garage": "garage_door", "roller_shutter": "shutter", "television": "tv",
}  # fmt: skip
_BY_WORD = {kind.word: kind for kind in DEVICE_TYPES}
_BY_WORD |= {synonym: _BY_WORD[word] for synonym, word in _SYNONYMS.items()}


def device_type_of(domain: str, device_class: str | None) -> str:
    """An entity's own type: the narrowest word, or its domain where there is none."""
    return next(
        (kind.word for kind in DEVICE_TYPES if kind.covers(domain, device_class)),
        domain,
    )


def is_of_type(own_type: str, domain: str, wanted: str) -> bool:
    """Whether an entity answers to a word: its own type, or a word that covers its whole domain."""
    kind = _BY_WORD.get(_normal(wanted))
    if kind is None:
        return domain == _normal(wanted)
    return own_type == kind.word or (kind.domain == domain and not kind.device_classes)


def classes_of(domain: str) -> tuple[str, ...]:
    """The words for entities of a domain: what the owner may say that one of them is."""
    return tuple(kind.word for kind in DEVICE_TYPES if kind.domain == domain)


def types_of(word: str) -> tuple[str, ...]:
    """The types of devices that a word means: one, or all of a domain; a word that is none stands for itself."""
    kind = _BY_WORD.get(_normal(word))
    if kind is None:
        return (_normal(word),)
    return (kind.word,) if kind.device_classes else classes_of(kind.domain)


def shortened(types: tuple[str, ...]) -> tuple[str, ...]:
    """Types of devices in as few words as say the same."""
    whole = {
        one: kind.word
        for kind in DEVICE_TYPES
        if not kind.device_classes and set(classes_of(kind.domain)) <= set(types)
        for one in classes_of(kind.domain)
    }
    return tuple(dict.fromkeys(whole.get(one, one) for one in types))


def domain_of(word: str) -> str:
    """The domain that a word belongs to; unknown words stand for a domain themselves."""
    kind = _BY_WORD.get(_normal(word))
    return kind.domain if kind else _normal(word)


def words() -> tuple[str, ...]:
    """All words, for a hint."""
    return tuple(kind.word for kind in DEVICE_TYPES)


def _normal(word: str) -> str:
    """One form for a word: lower case, underscores, singular where the plural is plain."""
    text = word.strip().casefold().replace(" ", "_")
    singular = text.removesuffix("s")
    return singular if text not in _BY_WORD and singular in _BY_WORD else text
