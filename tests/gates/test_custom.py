"""Operations that the owner added, through the gates: the same questions as for any other (R4)."""

from dataclasses import replace
from typing import Any, cast

import pytest

from custom_components.edgehome.chain import Ask, Pass, Ready, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import CustomField, CustomOperation, OwnersWord, ServiceFacts
from custom_components.edgehome.facts import Facts, House, RecordedHouse
from custom_components.edgehome.gates.capability import Capability
from custom_components.edgehome.gates.device_resolver import DeviceResolver
from custom_components.edgehome.gates.schema import Schema
from custom_components.edgehome.judge import judge
from custom_components.edgehome.listing import devices_for
from custom_components.edgehome.plan import GatedCommand
from custom_components.edgehome.policy.rule import PolicyRule, Verdict
from custom_components.edgehome.policy.table import PolicyTable
from tests.made_house import MadeHouse, asked, proposing, request
from tests.test_facts import POLICIES, reads_of

SEEK = CustomField(name="seek_position", kind="number", low=0, high=600, required=True)
WAY = CustomField(name="way", kind="option", options=("fast", "slow"))
LOUD = CustomField(name="loud", kind="boolean")
NOTE = CustomField(name="note", kind="text")
SEEKING = CustomOperation(
    name="seek", domain="media_player", service="media_player.media_seek", effect="adjust", risk=1,
    fields=(SEEK, WAY, LOUD, NOTE),
)  # fmt: skip
SPOT = CustomOperation(name="clean_spot", domain="vacuum", service="vacuum.clean_spot", effect="run", risk=2)


def house(*customs: CustomOperation, **words: Any) -> MadeHouse:
    """A house of players and a robot; ``words`` are the owner's about the radio."""
    made = (
        MadeHouse(customs=customs or (SEEKING, SPOT))
        .add("media_player.radio", "Radio", "playing", room="Kitchen", volume_level=0.3)
        .add("media_player.tv", "TV", "playing", room="Kitchen", device_class="tv")
        .add("vacuum.robot", "Robot", "docked", supported_features=0x7FFF)
    )
    if words:
        made.devices["media_player.radio"] = replace(made.devices["media_player.radio"], owner=OwnersWord(**words))
    return made


def seek(device: str = "Radio", **params: object) -> dict[str, object]:
    """A proposal in the owner's word."""
    return proposing("seek", device_alias=device, params={"seek_position": 30, **params})


def fitted(made: MadeHouse, payload: dict[str, object]) -> GatedCommand:
    """The action that the capability gate makes of it."""
    step, _ = asked(Capability, made, payload)
    assert isinstance(step, Pass), step
    (action,) = step.context.actions
    return action


def refused(made: MadeHouse, payload: dict[str, object]) -> Refuse:
    """The chain's refusal."""
    step = judge(request(payload), Facts(made)).step
    assert isinstance(step, Refuse), step
    return step


@pytest.mark.parametrize(
    ("payload", "service", "data"),
    [
        pytest.param(seek(), "media_player.media_seek", {"seek_position": 30}, id="what it needs"),
        pytest.param(
            seek(way="slow", loud=False, note="a b"), "media_player.media_seek",
            {"seek_position": 30, "way": "slow", "loud": False, "note": "a b"}, id="all values",
        ),
        pytest.param(proposing("clean_spot", device_alias="Robot"), "vacuum.clean_spot", {}, id="no values"),
        pytest.param(proposing("clean_spot", device_type="vacuum"), "vacuum.clean_spot", {}, id="by its type"),
        pytest.param(
            proposing("clean_spot", device_alias="Robot", params={}), "vacuum.clean_spot", {}, id="empty values"
        ),
    ],
)  # fmt: skip
def test_passes_the_whole_chain(payload: dict[str, object], service: str, data: dict[str, object]) -> None:
    """It is ready to be done, and is judged alike on what was recorded."""
    judgement = judge(request(payload), Facts(house()))
    assert isinstance(judgement.step, Ready), judgement.step
    (action,) = judgement.step.plan.actions
    assert (action.service, dict(action.data), action.expect, action.already_so) == (service, data, (), False)
    recorded = cast("House", RecordedHouse(reads_of(judgement), POLICIES))
    assert judge(request(payload), Facts(recorded)).step == judgement.step


@pytest.mark.parametrize(
    ("payload", "code", "field", "hint"),
    [
        pytest.param(
            seek(speed=5), Code.UNSUPPORTED_FIELD, ".params.speed",
            "seek takes: seek_position, way, loud, note.", id="an unknown value",
        ),
        pytest.param(
            seek(volume=5), Code.UNSUPPORTED_FIELD, ".params.volume",
            "seek takes: seek_position, way, loud, note.", id="a value of the catalogue",
        ),
        pytest.param(seek(seek_position="30"), Code.INVALID_OPTION, ".params.seek_position", "Send a number.", id="type"),
        pytest.param(
            seek(seek_position=601), Code.OUT_OF_RANGE, ".params.seek_position", "Send a number from 0 to 600.",
            id="range",
        ),
        pytest.param(seek(way="up"), Code.INVALID_OPTION, ".params.way", "Send one of: fast, slow.", id="option"),
        pytest.param(
            proposing("seek", device_alias="Radio", params={"way": "slow"}), Code.MISSING_FIELD,
            ".params.seek_position", "Add seek_position to params.", id="without what it needs",
        ),
        pytest.param(
            proposing("seek", device_alias="Radio"), Code.MISSING_FIELD, ".params.seek_position",
            "Add seek_position to params.", id="without values",
        ),
        pytest.param(
            proposing("seek", device_alias="Radio", params=[30]), Code.SCHEMA, ".params", "Send params as an object.",
            id="a list of values",
        ),
        pytest.param(
            proposing("seek", device_alias="Radio", params=None), Code.SCHEMA, ".params", "Send params as an object.",
            id="null for values",
        ),
        pytest.param(
            proposing("clean_spot", device_alias="Robot", params={"x": 1}), Code.UNSUPPORTED_FIELD, ".params.x",
            "clean_spot takes: no values.", id="it takes none",
        ),
        pytest.param(seek("Robot"), Code.UNSUPPORTED_OPERATION, ".intent", "With Robot", id="another domain"),
        pytest.param(
            proposing("seek", device_alias="Radio", device_id="x"), Code.SCHEMA, ".device_id", "", id="unknown field"
        ),
        pytest.param(proposing("seek"), Code.SCHEMA, ".device_alias", "Add device_alias", id="no target"),
        pytest.param(proposing("seek", device_alias="all"), Code.SCHEMA, ".device_alias", "", id="no name"),
        pytest.param(
            proposing("sing", device_alias="Radio"), Code.SCHEMA, ".intent", "", id="a word that nobody added"
        ),
        pytest.param(proposing("Seek", device_alias="Radio"), Code.SCHEMA, ".intent", "", id="upper case"),
    ],
)  # fmt: skip
def test_refused(payload: dict[str, object], code: Code, field: str, hint: str) -> None:
    """What it does not take, or not on this device, is refused with a repair."""
    step = refused(house(), payload)
    assert (step.code, step.field) == (code, f"model_candidate{field}")
    assert hint in step.hint


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")], ids=repr)
def test_no_number(value: float) -> None:
    """Ranges do not hold what is no number: the first gate does."""
    assert refused(house(), seek(seek_position=value)).code is Code.TOO_LARGE


@pytest.mark.parametrize(
    ("service", "code"),
    [
        pytest.param(None, Code.SERVICE_NOT_FOUND, id="its integration is gone"),
        pytest.param(ServiceFacts(required_features=(2,)), Code.UNSUPPORTED_OPERATION, id="a feature of the handler"),
        pytest.param(
            ServiceFacts(offered_features=(2,)), Code.UNSUPPORTED_OPERATION, id="a feature of the description"
        ),
        pytest.param(ServiceFacts(integrations=("roborock",)), Code.UNSUPPORTED_OPERATION, id="another integration"),
    ],
)
def test_what_home_assistant_asks_for(service: ServiceFacts | None, code: Code) -> None:
    """An entity for which the action is not is refused: Home Assistant would skip it and report success."""
    made = house()
    made.services["media_player.media_seek"] = service
    assert refused(made, seek()).code is code


def test_payload_that_does_not_fit() -> None:
    """What the action's own schema refuses is not called."""
    made = house()
    made.faults["media_player.media_seek"] = "not so"
    assert refused(made, seek()).code is Code.PAYLOAD_INVALID


@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param({"operations": ("turn_on", "turn_off")}, Code.OWNERS_LIMIT, id="kept back"),
        pytest.param({"operations": ("seek",)}, None, id="allowed"),
        pytest.param({"low": 1, "high": 2}, Code.OWNERS_LIMIT, id="it could leave the range"),
        pytest.param({"low": 1}, Code.OWNERS_LIMIT, id="it could go below"),
        pytest.param({"high": 2}, Code.OWNERS_LIMIT, id="it could go above"),
        pytest.param({"operations": ("seek",), "low": 1, "high": 2}, None, id="allowed beside a range"),
    ],
)
def test_owners_words(words: dict[str, Any], code: Code | None) -> None:
    """What the owner keeps back on an entity stays back, whatever he added."""
    step, _ = asked(Capability, house(**words), seek())
    assert (step.code if isinstance(step, Refuse) else None) is code


@pytest.mark.parametrize(
    ("own", "said", "risk"),
    [
        pytest.param(1, None, 1, id="the operation's"),
        pytest.param(5, None, 5, id="critical"),
        pytest.param(1, 4, 4, id="the entity's is higher"),
        pytest.param(4, 0, 4, id="the entity's is lower"),
    ],
)
def test_risk(own: int, said: int | None, risk: int) -> None:
    """The higher of the owner's two risks."""
    made = house(replace(SEEKING, risk=own), risk=said)
    action = fitted(made, seek())
    assert (action.risk, action.risk_reasons, action.verb) == (risk, ("the owner's own operation",), "seek")


@pytest.mark.parametrize(
    ("rules", "risk", "step"),
    [
        pytest.param(
            [PolicyRule(id="no", operations=("seek",), verdict=Verdict.DENY)], 0, Refuse, id="denied by its word"
        ),
        pytest.param(
            [PolicyRule(id="ask", operations=("seek",), verdict=Verdict.CONFIRM)], 0, Ask, id="asked by its word"
        ),
        pytest.param([PolicyRule(id="no", operations=("run",), verdict=Verdict.DENY)], 0, Ready, id="another word"),
        pytest.param([PolicyRule(id="no", device_types=("speaker",), verdict=Verdict.DENY)], 0, Refuse, id="by type"),
        pytest.param([PolicyRule(id="ask", risk=(3, 5), verdict=Verdict.CONFIRM)], 3, Ask, id="asked by its risk"),
        pytest.param([PolicyRule(id="ask", risk=(3, 5), verdict=Verdict.CONFIRM)], 2, Ready, id="below"),
    ],
)
def test_policy(rules: list[PolicyRule], risk: int, step: type) -> None:
    """Rules speak of it by its word, its risk and its device's type."""
    made = house(replace(SEEKING, risk=risk))
    made.people = ("Anna",)
    made.table = PolicyTable(name="made", rules=(*rules, PolicyRule(id="rest", verdict=Verdict.ALLOW)))
    assert type(judge(request(seek()), Facts(made)).step) is step


def test_above_the_agents_risk() -> None:
    """An agent's highest risk holds for it."""
    made = house(replace(SEEKING, risk=4))
    made.stand = replace(made.stand, max_risk=3)
    assert refused(made, seek()).code is Code.RISK_TOO_HIGH


@pytest.mark.parametrize("effect", ["adjust", "secure", "unsecure", "motion", "run"])
def test_effect(effect: str) -> None:
    """The effect is the owner's."""
    assert fitted(house(replace(SEEKING, effect=effect)), seek()).effect == effect


def test_a_room() -> None:
    """In a room those that cannot are left out, as with any operation."""
    made = house()
    made.services["media_player.media_seek"] = ServiceFacts(offered_features=(2,))
    made.states["media_player.tv"] = replace(made.states["media_player.tv"], attributes={"supported_features": 2})
    payload = proposing("seek", room="Kitchen", device_type="media_player", params={"seek_position": 1})
    step, _ = asked(Capability, made, payload)
    assert isinstance(step, Pass)
    assert [action.entity_id for action in step.context.actions] == ["media_player.tv"]
    assert [skip.entity_id for skip in step.context.skipped] == ["media_player.radio"]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        pytest.param({"exposed": False}, Code.NOT_EXPOSED, id="not exposed"),
        pytest.param({"targetable": False}, Code.NOT_TARGETABLE, id="hidden"),
    ],
)
def test_targets(changed: dict[str, Any], code: Code) -> None:
    """What cannot be named for the catalogue cannot be named for it."""
    made = house()
    made.devices["media_player.radio"] = replace(made.devices["media_player.radio"], **changed)
    step, _ = asked(DeviceResolver, made, seek())
    assert isinstance(step, Refuse)
    assert step.code is code


def test_beside_others() -> None:
    """It may stand among commands, and a refusal names its place there."""
    made = house()
    off = {"intent": "start", "device_alias": "Robot"}
    good: dict[str, object] = {
        "commands": [{"intent": "seek", "device_alias": "Radio", "params": {"seek_position": 5}}, off]
    }
    step = judge(request(good), Facts(made)).step
    assert isinstance(step, Ready)
    assert [action.service for action in step.plan.actions] == ["media_player.media_seek", "vacuum.start"]
    bad: dict[str, object] = {
        "commands": [off, {"intent": "seek", "device_alias": "Radio", "params": {"seek_position": "x"}}]
    }
    assert refused(made, bad).field == "commands[1].params.seek_position"
    flat: dict[str, object] = {"commands": [off, {"intent": "seek", "device_alias": "Radio", "params": 5}]}
    assert refused(made, flat).field == "commands[1].params"


@pytest.mark.parametrize("service", ["media_player.media_seek", "vacuum.clean_spot"])
def test_not_in_home_assistants_words(service: str) -> None:
    """It is asked for by its word only: a ``service_call`` of the same action is none of the catalogue's."""
    target = {"entity_id": "vacuum.robot"}
    step, _ = asked(Schema, house(), {"service_call": {"service": service, "target": target}})
    assert isinstance(step, Refuse)
    assert step.code is Code.SERVICE_NOT_FOUND


def listed(made: MadeHouse, entity_id: str) -> dict[str, Any]:
    """What ``list_devices`` says can be done on one device."""
    (shown,) = devices_for(made, [made.devices[entity_id]], made.stand)
    return cast("dict[str, Any]", shown["operations"])


def test_listed() -> None:
    """It is shown with its values and verdict, on the devices of its domain only."""
    made = house()
    assert listed(made, "media_player.radio")["seek"] == {
        "verdict": "allow",
        "params": {
            "seek_position": {"values": "number", "min": 0, "max": 600},
            "way": {"values": ["fast", "slow"]},
            "loud": {"values": "boolean"},
            "note": {"values": "text"},
        },
    }
    assert listed(made, "vacuum.robot")["clean_spot"] == {"verdict": "allow"}
    assert "seek" not in listed(made, "vacuum.robot")
    assert "clean_spot" not in listed(made, "media_player.radio")


@pytest.mark.parametrize(
    ("custom", "words", "max_risk", "shown"),
    [
        pytest.param(replace(SEEKING, risk=3), {}, 5, "confirm", id="must be asked for"),
        pytest.param(replace(SEEKING, risk=3), {}, 2, None, id="above the agent's risk"),
        pytest.param(SEEKING, {"operations": ("turn_on",)}, 5, None, id="kept back"),
        pytest.param(SEEKING, {"operations": ("seek",)}, 5, "allow", id="allowed by its word"),
        pytest.param(SEEKING, {"high": 40}, 5, None, id="it could leave the range"),
    ],
)
def test_listed_for_whom(custom: CustomOperation, words: dict[str, Any], max_risk: int, shown: str | None) -> None:
    """What this agent may not do is not shown."""
    made = house(custom, **words)
    made.stand = replace(made.stand, max_risk=max_risk)
    assert listed(made, "media_player.radio").get("seek", {}).get("verdict") == shown


@pytest.mark.parametrize(
    "service",
    [
        pytest.param(ServiceFacts(required_features=(2,)), id="a feature"),
        pytest.param(ServiceFacts(integrations=("roborock",)), id="another integration"),
        pytest.param(None, id="its integration is gone"),
    ],
)
def test_what_cannot_be_done_is_not_listed(service: ServiceFacts | None) -> None:
    """``list_devices`` and the gate say the same."""
    made = house()
    made.services["media_player.media_seek"] = service
    assert "seek" not in listed(made, "media_player.radio")


def test_the_listed_range_is_the_gates() -> None:
    """The owner's range is about the volume of a player: it is neither held nor shown for other numbers."""
    made = house(operations=("seek",), low=10, high=40)
    assert fitted(made, seek(seek_position=500)).data == {"seek_position": 500}
    assert listed(made, "media_player.radio")["seek"]["params"]["seek_position"]["max"] == 600
