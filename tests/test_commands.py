"""Several commands in one request: judged together, done together or not at all."""

from typing import Any

import pytest

from custom_components.edgehome.chain import NoChange, Preview, Read, Ready, Refuse
from custom_components.edgehome.codes import Code, GateName
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.judge import Judgement, judge
from tests.made_house import MadeHouse, request

DIMMABLE: dict[str, Any] = {"supported_color_modes": ["brightness"]}


def house() -> MadeHouse:
    """A hall with three lamps, one of them unplugged, and a garage."""
    return (
        MadeHouse()
        .add("light.a", "A", "off", room="Hall", **DIMMABLE)
        .add("light.b", "B", "on", room="Hall", brightness=128, **DIMMABLE)
        .add("light.gone", "Gone", "unavailable", room="Hall", **DIMMABLE)
        .add("light.bed", "Bed", "off", room="Bedroom", supported_color_modes=["onoff"])
        .add("lock.door", "Door", "locked")
        .add("cover.garage", "Garage", "closed", device_class="garage", supported_features=15)
    )


def on(name: str, **more: object) -> dict[str, object]:
    """One command."""
    return {"intent": "turn_on", "device_alias": name, **more}


def call(service: str, entity_id: object, **data: object) -> dict[str, object]:
    """One command in Home Assistant's words."""
    return {"service_call": {"service": service, "target": {"entity_id": entity_id}, "data": data}}


def judged(commands: object, **around: object) -> Judgement:
    """What the chain says to a request of several commands."""
    return judge(request({"commands": commands, **around}), Facts(house()))


def refusal(commands: object, **around: object) -> Refuse:
    """Its refusal."""
    step = judged(commands, **around).step
    assert isinstance(step, Refuse), step
    return step


@pytest.mark.parametrize(
    ("commands", "calls"),
    [
        pytest.param([on("A")], [("light.turn_on", "light.a", {})], id="one"),
        pytest.param(
            [on("A"), {"intent": "turn_off", "device_alias": "B"}],
            [("light.turn_on", "light.a", {}), ("light.turn_off", "light.b", {})],
            id="two",
        ),
        pytest.param(
            [{"intent": "turn_off", "room": "Hall", "device_type": "light"}, on("Bed")],
            [("light.turn_off", "light.b", {}), ("light.turn_on", "light.bed", {})],
            id="a room and a lamp: the unplugged member is skipped",
        ),
        pytest.param(
            [call("light.turn_on", "light.a", brightness=51), on("Bed")],
            [("light.turn_on", "light.a", {"brightness_pct": 20}), ("light.turn_on", "light.bed", {})],
            id="one of them in Home Assistant's words",
        ),
        pytest.param(
            [call("light.turn_on", ["light.a", "light.bed"])],
            [("light.turn_on", "light.a", {}), ("light.turn_on", "light.bed", {})],
            id="several ids in one",
        ),
        pytest.param([on("B"), on("A")], [("light.turn_on", "light.a", {})], id="one is so already"),
    ],
)
def test_ready(commands: list[object], calls: list[tuple[str, str, dict[str, object]]]) -> None:
    """All of them are one plan, in their order."""
    step = judged(commands).step
    assert isinstance(step, Ready)
    assert [(action.service, action.entity_id, dict(action.data)) for action in step.plan.actions] == calls


def test_what_is_skipped_is_told() -> None:
    """A member of a room that is left out does not stop the others."""
    step = judged([{"intent": "turn_off", "room": "Hall", "device_type": "light"}, on("Bed")]).step
    assert isinstance(step, Ready)
    assert [(skip.entity_id, skip.code) for skip in step.plan.skipped] == [("light.gone", Code.ENTITY_UNAVAILABLE)]
    assert step.plan.unchanged == ("light.a",)


def test_nothing_changes() -> None:
    """All of them are so already."""
    step = judged([on("B"), {"intent": "turn_off", "device_alias": "A"}]).step
    assert isinstance(step, NoChange)
    assert step.plan.unchanged == ("light.b", "light.a")


def test_dry_run() -> None:
    """A preview of all, with the strictest verdict."""
    step = judged([on("A"), {"intent": "open", "device_alias": "Garage"}], dry_run=True).step
    assert isinstance(step, Preview)
    assert step.plan.entity_ids == ("light.a", "cover.garage")
    assert (step.requirement.verdict, step.requirement.risk) == ("confirm", 4)


def test_reading_several() -> None:
    """Several may be read at once, the unplugged too."""
    step = judged([{"intent": "status", "device_alias": name} for name in ("B", "Gone", "Door")]).step
    assert isinstance(step, Read)
    assert {entity_id: state["state"] for entity_id, state in step.states.items()} == {
        "light.b": "on",
        "light.gone": "unavailable",
        "lock.door": "locked",
    }


PLACE = "commands[1]"
NOTHING = "Nothing of the request was done."


@pytest.mark.parametrize(
    ("second", "code", "field"),
    [
        pytest.param({"intent": "explode", "device_alias": "A"}, Code.SCHEMA, ".intent", id="no intent"),
        pytest.param({"intent": "turn_on"}, Code.SCHEMA, ".device_alias", id="no target"),
        pytest.param(on("all"), Code.SCHEMA, ".device_alias", id="all"),
        pytest.param(on("Bed", naem="x"), Code.SCHEMA, ".naem", id="unknown field"),
        pytest.param(on("Bed", params={"brightness": "5"}), Code.SCHEMA, ".params.brightness", id="text"),
        pytest.param(on("Bed", params={"brightness": 0}), Code.CONFLICT, ".params.brightness", id="contradiction"),
        pytest.param(on("Nowhere"), Code.ENTITY_NOT_FOUND, ".device_alias", id="nothing there"),
        pytest.param({"intent": "turn_on", "room": "X", "device_type": "light"}, Code.AREA_NOT_FOUND, ".room", id="room"),
        pytest.param(on("A"), Code.CONFLICT, ".device_alias", id="the same lamp again"),
        pytest.param(
            {"intent": "turn_off", "room": "Hall", "device_type": "light"}, Code.CONFLICT, ".device_type",
            id="the same lamp in a room",
        ),
        pytest.param(on("Bed", params={"brightness": 5}), Code.UNSUPPORTED_FIELD, ".params.brightness", id="no dimmer"),
        pytest.param(on("Door"), Code.UNSUPPORTED_OPERATION, ".intent", id="no such operation"),
        pytest.param(on("Gone"), Code.ENTITY_UNAVAILABLE, "", id="unplugged"),
        pytest.param(call("light.explode", "light.bed"), Code.SERVICE_NOT_FOUND, ".service_call.service", id="no action"),
        pytest.param(
            call("light.turn_on", "light.bed", brightness=999), Code.OUT_OF_RANGE, ".service_call.data.brightness",
            id="out of range there",
        ),
        pytest.param(
            call("light.turn_on", "light.bed", brightness=99), Code.UNSUPPORTED_FIELD, ".service_call.data.brightness",
            id="no dimmer there",
        ),
        pytest.param(call("light.turn_on", "lock.door"), Code.DEVICE_TYPE_MISMATCH, ".service_call.target.entity_id", id="other"),
        pytest.param(call("light.turn_on", "light.a"), Code.CONFLICT, ".service_call.target.entity_id", id="again there"),
        pytest.param({"service_call": 5}, Code.SCHEMA, ".service_call", id="no call"),
        pytest.param({**call("light.turn_on", "light.bed"), "intent": "x"}, Code.CONFLICT, "", id="both forms"),
        pytest.param({"commands": []}, Code.SCHEMA, ".intent", id="commands in commands"),
        pytest.param({"model_candidate": on("Bed")}, Code.SCHEMA, ".intent", id="a candidate in its wrapping"),
        pytest.param({"raw_input": "x"}, Code.SCHEMA, ".intent", id="plain words"),
        pytest.param([on("Bed")], Code.SCHEMA, "", id="a list in the list"),
        pytest.param("turn on", Code.SCHEMA, "", id="text"),
        pytest.param(None, Code.SCHEMA, "", id="null"),
        pytest.param(5, Code.SCHEMA, "", id="a number"),
    ],
)  # fmt: skip
def test_one_refusal_refuses_all(second: object, code: Code, field: str) -> None:
    """One command that cannot be done, and none is: the refusal names it and the field in it."""
    step = refusal([on("A"), second])
    assert (step.code, step.field) == (code, f"{PLACE}{field}")
    assert step.message.startswith(PLACE)


@pytest.mark.parametrize("place", range(3))
def test_the_place_is_right(place: int) -> None:
    """Wherever it stands."""
    commands: list[object] = [on("A"), on("Bed"), on("B")]
    commands[place] = on("Nowhere")
    step = refusal(commands)
    assert step.field == f"commands[{place}].device_alias"
    assert step.hint.endswith(NOTHING)


def test_alone_it_speaks_plainly() -> None:
    """One command needs no number."""
    step = refusal([on("Nowhere")])
    assert (step.field, step.message) == ("commands[0].device_alias", "There is no device called 'Nowhere'.")


@pytest.mark.parametrize(
    "commands",
    [
        pytest.param([], id="none"),
        pytest.param([on("A")] * 101, id="too many"),
        pytest.param({}, id="an object"),
        pytest.param({"0": on("A")}, id="numbered"),
        pytest.param("turn on A", id="text"),
        pytest.param(None, id="null"),
        pytest.param(1, id="a number"),
        pytest.param(on("A"), id="one without a list"),
    ],
)
def test_no_list(commands: object) -> None:
    """Between one and a hundred, in a list."""
    step = refusal(commands)
    assert (step.code, step.field) == (Code.SCHEMA, "commands")
    assert "1 to 100" in step.hint


def test_a_hundred() -> None:
    """A hundred are taken."""
    made = MadeHouse()
    for number in range(100):
        made.add(f"light.l{number}", f"L{number}")
    step = judge(request({"commands": [on(f"L{number}") for number in range(100)]}), Facts(made)).step
    assert isinstance(step, Ready)
    assert len(step.plan.actions) == 100


@pytest.mark.parametrize("order", [1, -1])
def test_reading_and_acting(order: int) -> None:
    """A request reads or acts."""
    step = refusal([on("A"), {"intent": "status", "device_alias": "B"}][::order])
    assert (step.code, step.field) == (Code.CONFLICT, "commands")


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param({"model_candidate": on("A"), "commands": [on("B")]}, id="candidate and commands"),
        pytest.param({"model_candidate": on("A"), "service_call": {}}, id="candidate and call"),
        pytest.param({"service_call": {}, "commands": []}, id="call and commands"),
    ],
)
def test_one_form(payload: dict[str, object]) -> None:
    """The forms do not stand side by side."""
    judgement = judge(request(payload), Facts(house()))
    assert isinstance(judgement.step, Refuse)
    assert (judgement.step.code, judgement.gate) == (Code.CONFLICT, GateName.SCHEMA)


def test_a_denied_one_denies_all() -> None:
    """The policy's no to one is a no to all; an allowed one does not slip through."""
    step = refusal([on("A"), {"intent": "unlock", "device_alias": "Door"}])
    assert step.code is Code.POLICY_DENIED


def test_a_room_of_which_nothing_is_left() -> None:
    """A room in which nothing can do it refuses the request, although the other command could be done."""
    dim = {"intent": "set_brightness", "room": "Bedroom", "device_type": "light", "params": {"brightness": 5}}
    step = refusal([on("A"), dim])
    assert (step.code, step.field) == (Code.UNSUPPORTED_FIELD, f"{PLACE}.params.brightness")


@pytest.mark.parametrize("second", [{"intent": "turn_on", "x": 1, "y": 2}, on("Bed", params={"brightness": "5"})])
def test_messages_name_what_was_sent(second: object) -> None:
    """A message does not speak of a model_candidate that nobody sent."""
    assert "model_candidate" not in refusal([on("A"), second]).message
