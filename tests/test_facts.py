"""What gates know is recorded, and the record is enough to judge again."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, cast, override

import pytest

from custom_components.edgehome.devices import DeviceState, Makeup, ServiceFacts
from custom_components.edgehome.facts import Facts, House, RecordedHouse
from custom_components.edgehome.judge import Judgement, judge
from custom_components.edgehome.models import PrincipalKind
from custom_components.edgehome.policy.presets import PRESETS, STRICT
from tests.made_house import UNREAD, MadeHouse, proposing, request

POLICIES = {table.digest: table for table in PRESETS.values()}
LAMP: dict[str, Any] = {"supported_color_modes": ["brightness"], "brightness": 10, "rgb_color": (1, 2, 3)}
HEATING: dict[str, Any] = {"supported_features": 1, "min_temp": 7, "max_temp": 30, "temperature": 20.5}


class CountingHouse(MadeHouse):
    """A house that counts what it is asked."""

    @override
    def state(self, entity_id: str) -> DeviceState | None:
        self.asked[f"state {entity_id}"] += 1
        return super().state(entity_id)

    @override
    def service(self, service: str) -> ServiceFacts | None:
        self.asked[f"service {service}"] += 1
        return super().service(service)

    @override
    def validate(self, service: str, payload: Mapping[str, object]) -> str | None:
        self.asked[f"validate {service} {payload}"] += 1
        return super().validate(service, payload)

    @property
    def asked(self) -> Counter[str]:
        """How often each question was asked."""
        counter: Counter[str] = self.__dict__.setdefault("_asked", Counter())
        return counter


def house() -> MadeHouse:
    """A house with something of everything."""
    return (
        CountingHouse()
        .add("light.lamp", "Lamp", "on", room="Hall", **LAMP)
        .add("light.dim", "Dim", room="Hall", supported_color_modes=["onoff"])
        .add("light.gone", "Gone", "unavailable", room="Hall")
        .add("climate.heating", "Heating", "heat", **HEATING)
        .add("lock.door", "Door", "locked")
        .add("cover.garage", "Garage", "closed", device_class="garage", supported_features=15)
        .add("light.group", "Group", makeup=Makeup(kind="group", members=("light.lamp",)))
        .add("switch.magic", "Magic", makeup=UNREAD)
    )


PAYLOADS = [
    pytest.param(proposing("turn_on", device_alias="Lamp"), id="already so"),
    pytest.param(proposing("turn_off", device_alias="light.lamp"), id="ready"),
    pytest.param(proposing("toggle", device_alias="Lamp"), id="toggle"),
    pytest.param(proposing("set_brightness", device_alias="Lamp", params={"brightness": 12.5}), id="value"),
    pytest.param(proposing("turn_off", room="Hall", device_type="light"), id="a room"),
    pytest.param(proposing("set_brightness", room="Hall", device_type="light", params={"brightness": 5}), id="skips"),
    pytest.param({**proposing("open", device_alias="Garage"), "dry_run": True}, id="preview"),
    pytest.param(proposing("open", device_alias="Garage"), id="nobody to ask"),
    pytest.param(proposing("unlock", device_alias="Door"), id="denied"),
    pytest.param(proposing("status", room="Hall", device_type="light"), id="reading"),
    pytest.param(
        proposing("set_temperature", device_alias="Heating", params={"temperature": 70, "unit": "°F"}), id="unit"
    ),
    pytest.param(proposing("turn_on", device_alias="Group"), id="a group"),
    pytest.param(proposing("turn_on", device_alias="Magic"), id="opaque"),
    pytest.param(proposing("turn_on", device_alias="Nothing"), id="not found"),
    pytest.param(proposing("turn_on", room="Nowhere", device_type="light"), id="no room"),
    pytest.param(proposing("turn_on", device_type="light"), id="several"),
    pytest.param({"model_candidate": 5}, id="malformed"),
    pytest.param({"a": "{{ x }}"}, id="suspicious"),
]


def reads_of(judgement: Judgement) -> list[list[object]]:
    """What a record has of the reads, after a way through JSON."""
    reads = [read.to_json() for record in judgement.records for read in record.reads]
    return cast("list[list[object]]", json.loads(json.dumps(reads)))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_replay(payload: dict[str, object]) -> None:
    """On what was recorded the chain gives the same end again."""
    judgement = judge(request(payload), Facts(house()))
    recorded = RecordedHouse(reads_of(judgement), POLICIES)
    again = judge(request(payload), Facts(cast("House", recorded)))
    assert again.step == judgement.step or _ends(again) == _ends(judgement)
    assert again.gate == judgement.gate
    assert [record.passed for record in again.records] == [record.passed for record in judgement.records]


def _ends(judgement: Judgement) -> object:
    """A step as JSON, which tells no tuple from a list."""
    return json.dumps(judgement.step, default=lambda item: getattr(item, "__dict__", str(item)), sort_keys=True)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_the_house_is_asked_once(payload: dict[str, object]) -> None:
    """Every question goes to the house once: all gates see the same house."""
    made = house()
    judge(request(payload), Facts(made))
    assert isinstance(made, CountingHouse)
    assert set(made.asked.values()) <= {1}


def test_a_change_in_between_is_not_seen() -> None:
    """What one gate saw the next one sees."""
    made = house()
    facts = Facts(made)
    before = facts.state("light.lamp")
    made.states["light.lamp"] = DeviceState(state="off")
    assert facts.state("light.lamp") is before


def test_log() -> None:
    """Each gate's own reads are recorded, repeated questions without their answer."""
    facts = Facts(house())
    facts.lockdown()
    facts.standing("hermes", PrincipalKind.AGENT)
    first = facts.take_log()
    facts.lockdown()
    second = facts.take_log()
    assert [read.to_json() for read in first] == [
        ["lockdown", [], False],
        [
            "standing",
            ["hermes", "agent"],
            {
                "status": "active",
                "areas": [],
                "max_risk": 5,
                "requests_per_minute": 60,
                "pending_at_once": 3,
                "degrees_per_hour": None,
            },
        ],
    ]
    assert [read.to_json() for read in second] == [["lockdown", []]]
    assert facts.take_log() == ()


def test_policy_is_recorded_by_its_digest() -> None:
    """A table is named, not copied."""
    facts = Facts(house())
    assert facts.policy() is STRICT
    (read,) = facts.take_log()
    assert read.to_json() == ["policy", [], STRICT.digest]


@pytest.mark.parametrize(
    "attribute",
    [
        pytest.param({1, 2}, id="set"),
        pytest.param(object(), id="anything"),
        pytest.param(float("nan"), id="nan"),
        pytest.param(b"\xff", id="bytes"),
        pytest.param("\ud800", id="lone surrogate"),
        pytest.param({"a": {"b": (1, 2)}}, id="nested"),
    ],
)
def test_strange_attributes_can_be_recorded(attribute: object) -> None:
    """Whatever an integration puts into a state is recorded somehow, and can be read back."""
    facts = Facts(MadeHouse().add("light.lamp", "Lamp", "on", odd=attribute))
    facts.state("light.lamp")
    reads = [read.to_json() for read in facts.take_log()]
    recorded = RecordedHouse(json.loads(json.dumps(reads)), POLICIES)
    state = Facts(cast("House", recorded)).state("light.lamp")
    assert state is not None
    assert state.state == "on"


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(proposing("turn_off", device_alias="light.dim"), id="another device"),
        pytest.param(proposing("turn_off", device_alias="Lamp"), id="another way to name it"),
        pytest.param(proposing("turn_on", device_alias="light.lamp", params={"brightness": 1}), id="another value"),
    ],
)
def test_unrecorded_blocks(payload: dict[str, object]) -> None:
    """What was not recorded is not known: the replay of another request blocks (R2)."""
    judgement = judge(request(proposing("turn_off", device_alias="light.lamp")), Facts(house()))
    recorded = RecordedHouse(reads_of(judgement), POLICIES)
    again = judge(request(payload), Facts(cast("House", recorded)))
    assert again.records[-1].reason == "INTERNAL_ERROR"


def test_unrecorded_raises() -> None:
    """A question that was never asked has no answer."""
    recorded = cast("House", RecordedHouse([["lockdown", [], False]], POLICIES))
    assert recorded.lockdown() is False
    with pytest.raises(LookupError, match="not recorded: state"):
        recorded.state("light.lamp")


def test_no_other_questions() -> None:
    """A record answers the gates' questions and no others."""
    with pytest.raises(AttributeError):
        _ = RecordedHouse([], POLICIES).unlock


def test_unknown_policy_raises() -> None:
    """A record under a table that is gone cannot be replayed."""
    with pytest.raises(LookupError):
        RecordedHouse([["policy", [], "0000"]], POLICIES)


@pytest.mark.parametrize(
    ("attributes", "features", "number", "options"),
    [
        pytest.param({}, 0, None, (), id="nothing"),
        pytest.param({"supported_features": 3, "x": 1.5, "o": ["a", "b"]}, 3, 1.5, ("a", "b"), id="all"),
        pytest.param({"supported_features": None, "x": None, "o": None}, 0, None, (), id="nulls"),
        pytest.param({"supported_features": "3", "x": "1.5", "o": "ab"}, 0, None, (), id="texts"),
        pytest.param({"x": True, "o": ("a", 1)}, 0, None, ("a", "1"), id="truth and tuple"),
    ],
)
def test_state(attributes: dict[str, object], features: int, number: float | None, options: tuple[str, ...]) -> None:
    """Attributes of the wrong type say nothing."""
    state = DeviceState(state="on", attributes=attributes)
    assert (state.features, state.number("x"), state.options("o")) == (features, number, options)


@pytest.mark.parametrize(("state", "available"), [("on", True), ("unknown", True), ("unavailable", False), ("", True)])
def test_available(state: str, available: bool) -> None:
    """Only ``unavailable`` cannot be reached."""
    assert DeviceState(state=state).is_available is available
