"""DeviceResolver: which entities are meant, and what does the request reach?"""

from dataclasses import replace

import pytest

from custom_components.edgehome.chain import Pass, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import Makeup, Standing
from custom_components.edgehome.gates.device_resolver import DeviceResolver
from custom_components.edgehome.models import Intent
from custom_components.edgehome.plan import Effect
from tests.made_house import UNREAD, MadeHouse, asked, proposing

OLD_GROUP = Makeup(kind="group", members=("lock.front", "light.bed", "light.hidden", "light.nowhere"), as_members=True)


def house() -> MadeHouse:
    """Two rooms with lights, a lock, covers, and things that may not be named."""
    made = (
        MadeHouse()
        .add("light.ceiling", "Ceiling", "on", room="Kitchen")
        .add("light.counter", "Counter", room="Kitchen")
        .add("light.bed", "Bed lamp", room="Bedroom")
        .add("light.desk_a", "Desk", room="Bedroom")
        .add("light.desk_b", "Desk", room="Kitchen")
        .add("lock.front", "Front door", "locked", room="Kitchen", supported_features=1)
        .add("cover.garage", "Garage", "closed", device_class="garage", supported_features=15)
        .add("cover.blind", "Blind", "open", room="Bedroom", device_class="blind", supported_features=15)
        .add("climate.heating", "Heating", "heat", room="Bedroom", temperature=20)
        .add("switch.router", "Router", "on", exposed=False)
        .add("light.hidden", "Hidden", targetable=False)
        .add("light.group", "All lamps", makeup=Makeup(kind="group", members=("light.bed", "light.desk_a")))
        .add("group.old", "Old group", makeup=OLD_GROUP)
        .add("switch.template", "Magic", makeup=UNREAD)
    )
    made.aliases["licht"] = {"light.bed"}
    return made


def named(name: str, **more: object) -> dict[str, object]:
    """Switching on something by its name."""
    return proposing("turn_on", device_alias=name, **more)


@pytest.mark.parametrize(
    ("payload", "entity_ids", "is_set"),
    [
        pytest.param(named("Ceiling"), ["light.ceiling"], False, id="name"),
        pytest.param(named(" cEILING "), ["light.ceiling"], False, id="case and blanks aside"),
        pytest.param(named("licht"), ["light.bed"], False, id="alias"),
        pytest.param(named("light.ceiling"), ["light.ceiling"], False, id="entity id"),
        pytest.param(named("Desk", room="Kitchen"), ["light.desk_b"], False, id="name and room"),
        pytest.param(named("Ceiling", device_type="light"), ["light.ceiling"], False, id="name and type"),
        pytest.param(
            proposing("turn_on", room="Kitchen", device_type="light"),
            ["light.ceiling", "light.counter", "light.desk_b"],
            True,
            id="the lights of a room",
        ),
        pytest.param(proposing("close", device_type="garage door"), ["cover.garage"], False, id="the only one"),
        pytest.param(
            proposing("set_temperature", room="Bedroom", device_type="climate", params={"temperature": 21}),
            ["climate.heating"],
            True,
            id="a room with one",
        ),
    ],
)
def test_found(payload: dict[str, object], entity_ids: list[str], is_set: bool) -> None:
    """A name means its device, a room with a type all its devices of that type; nothing else is reached."""
    step, result = asked(DeviceResolver, house(), payload)
    assert isinstance(step, Pass)
    assert result.passed
    assert [action.entity_id for action in step.context.actions] == entity_ids
    (command,) = step.context.commands
    assert command.entity_ids == tuple(entity_ids)
    assert command.is_set is is_set
    assert command.source_agent == "hermes"


@pytest.mark.parametrize("intent", ["turn_on", "turn_off"])
def test_the_same_target_for_on_and_off(intent: str) -> None:
    """The verb has no say in what a name means (case 4)."""
    step, _ = asked(DeviceResolver, house(), proposing(intent, device_alias="licht"))
    assert isinstance(step, Pass)
    assert [action.entity_id for action in step.context.actions] == ["light.bed"]


@pytest.mark.parametrize(
    ("payload", "code", "field"),
    [
        pytest.param(named("light.typo"), Code.ENTITY_NOT_FOUND, "device_alias", id="unknown id"),
        pytest.param(named("Ceilin"), Code.ENTITY_NOT_FOUND, "device_alias", id="nearly a name"),
        pytest.param(named("LIGHT.CEILING"), Code.ENTITY_NOT_FOUND, "device_alias", id="upper case id"),
        pytest.param(named("light.ceiling, light.bed"), Code.ENTITY_NOT_FOUND, "device_alias", id="comma list"),
        pytest.param(named("light.*"), Code.ENTITY_NOT_FOUND, "device_alias", id="pattern"),
        pytest.param(named("light"), Code.ENTITY_NOT_FOUND, "device_alias", id="domain"),
        pytest.param(named("Kitchen"), Code.ENTITY_NOT_FOUND, "device_alias", id="a room for a device"),
        pytest.param(named("Desk"), Code.AMBIGUOUS_TARGET, "device_alias", id="two of one name"),
        pytest.param(proposing("turn_on", device_type="light"), Code.AMBIGUOUS_TARGET, "device_type", id="several"),
        pytest.param(proposing("turn_on", device_type="fan"), Code.ENTITY_NOT_FOUND, "device_type", id="none of it"),
        pytest.param(
            proposing("turn_on", room="Bathroom", device_type="light"), Code.AREA_NOT_FOUND, "room", id="unknown room"
        ),
        pytest.param(
            proposing("turn_on", room="Kitchen", device_type="cover"),
            Code.ENTITY_NOT_FOUND,
            "device_type",
            id="none of it in the room",
        ),
        pytest.param(named("Router"), Code.NOT_EXPOSED, "device_alias", id="not exposed"),
        pytest.param(named("switch.router"), Code.NOT_EXPOSED, "device_alias", id="not exposed by id"),
        pytest.param(named("Hidden"), Code.NOT_TARGETABLE, "device_alias", id="hidden"),
        pytest.param(named("light.hidden"), Code.NOT_TARGETABLE, "device_alias", id="hidden by id"),
        pytest.param(named("Ceiling", room="Bedroom"), Code.ENTITY_NOT_FOUND, "device_alias", id="in another room"),
        pytest.param(named("Garage", room="Bedroom"), Code.ENTITY_NOT_FOUND, "device_alias", id="in no room"),
        pytest.param(
            named("Ceiling", device_type="lock"), Code.DEVICE_TYPE_MISMATCH, "device_alias", id="another type"
        ),
        pytest.param(named("Ceiling", room="Bathroom"), Code.AREA_NOT_FOUND, "room", id="a name in no room"),
    ],
)
def test_not_found(payload: dict[str, object], code: Code, field: str) -> None:
    """What is unknown, ambiguous or not for agents is refused; nothing widens and nothing is corrected."""
    step, result = asked(DeviceResolver, house(), payload)
    assert isinstance(step, Refuse)
    assert (step.code, result.reason, result.passed) == (code, code, False)
    assert step.field == f"model_candidate.{field}"
    assert step.hint


@pytest.mark.parametrize(
    ("payload", "entity_ids"),
    [
        pytest.param(named("Ceiling"), ["light.ceiling"], id="name"),
        pytest.param(named("Desk"), ["light.desk_b"], id="only one of two is in scope"),
        pytest.param(proposing("lock", device_type="lock"), ["lock.front"], id="the only one in scope"),
    ],
)
def test_scope_allows(payload: dict[str, object], entity_ids: list[str]) -> None:
    """An agent reaches what is in its rooms."""
    made = house()
    made.stand = Standing(status="active", areas=("kitchen",))
    step, _ = asked(DeviceResolver, made, payload)
    assert isinstance(step, Pass)
    assert [action.entity_id for action in step.context.actions] == entity_ids


@pytest.mark.parametrize(
    ("payload", "code", "field"),
    [
        pytest.param(named("Bed lamp"), Code.OUT_OF_SCOPE, "device_alias", id="name"),
        pytest.param(named("light.bed"), Code.OUT_OF_SCOPE, "device_alias", id="entity id"),
        pytest.param(named("Garage"), Code.OUT_OF_SCOPE, "device_alias", id="in no room"),
        pytest.param(proposing("turn_on", room="Bedroom", device_type="light"), Code.OUT_OF_SCOPE, "room", id="room"),
        pytest.param(proposing("open", device_type="blind"), Code.ENTITY_NOT_FOUND, "device_type", id="none in scope"),
    ],
)
def test_scope_refuses(payload: dict[str, object], code: Code, field: str) -> None:
    """An agent does not reach what is outside its rooms."""
    made = house()
    made.stand = Standing(status="active", areas=("kitchen",))
    step, _ = asked(DeviceResolver, made, payload)
    assert isinstance(step, Refuse)
    assert (step.code, step.field) == (code, f"model_candidate.{field}")


def test_scope_bounds_candidates() -> None:
    """The candidates of an unknown room come from the agent's own rooms (R6)."""
    made = house()
    made.stand = Standing(status="active", areas=("kitchen",))
    step, _ = asked(DeviceResolver, made, proposing("turn_on", room="Bedrom", device_type="light"))
    assert isinstance(step, Refuse)
    assert step.code is Code.AREA_NOT_FOUND
    assert "Bedroom" not in f"{step.candidates} {step.message} {step.hint}"


@pytest.mark.parametrize("intent", ["turn_on", "turn_off"])
def test_an_old_group_is_its_members(intent: str) -> None:
    """A ``group.*`` is called as its members, each once, also those of a group within; the unfit are left out later."""
    made = house().add(
        "group.outer", "Outer", makeup=replace(OLD_GROUP, members=("group.old", "light.bed", "group.outer"))
    )
    step, _ = asked(DeviceResolver, made, proposing(intent, device_alias="Outer"))
    assert isinstance(step, Pass)
    assert [action.entity_id for action in step.context.actions] == ["lock.front", "light.hidden", "light.bed"]
    (command,) = step.context.commands
    assert command.is_set


def test_another_group_is_called_itself() -> None:
    """A group that is an entity of its own is called, and reaches its members."""
    step, _ = asked(DeviceResolver, house(), named("All lamps"))
    assert isinstance(step, Pass)
    (action,) = step.context.actions
    assert action.entity_id == "light.group"
    assert [(item.entity_id, item.verbs) for item in action.reaches] == [
        ("light.bed", ("turn_on",)),
        ("light.desk_a", ("turn_on",)),
    ]


def test_reading_a_group() -> None:
    """Reading a group is reading the group, not its members."""
    step, _ = asked(DeviceResolver, house(), proposing("status", device_alias="Old group"))
    assert isinstance(step, Pass)
    assert [(action.entity_id, action.reaches) for action in step.context.actions] == [("group.old", ())]


def test_a_group_takes_part_once() -> None:
    """A member that is also named by itself is meant twice (R6)."""
    wishes = [{"intent": "turn_on", "device_alias": name} for name in ("Old group", "Bed lamp")]
    step, _ = asked(DeviceResolver, house(), {"commands": wishes})
    assert isinstance(step, Refuse)
    assert step.code is Code.CONFLICT


@pytest.mark.parametrize(
    ("payload", "operations", "risk", "effect"),
    [
        pytest.param(named("Ceiling"), (Intent.TURN_ON,), 1, Effect.ADJUST, id="light"),
        pytest.param(
            proposing("toggle", device_alias="Ceiling"), (Intent.TOGGLE, Intent.TURN_OFF), 1, Effect.ADJUST, id="toggle"
        ),
        pytest.param(proposing("unlock", device_alias="Front door"), (Intent.UNLOCK,), 4, Effect.UNSECURE, id="unlock"),
        pytest.param(
            proposing("open", device_alias="Front door"),
            (Intent.OPEN, Intent.UNLOCK),
            5,
            Effect.UNSECURE,
            id="pulling the latch is unlocking",
        ),
        pytest.param(proposing("open", device_alias="Garage"), (Intent.OPEN,), 4, Effect.UNSECURE, id="garage open"),
        pytest.param(proposing("close", device_alias="Garage"), (Intent.CLOSE,), 3, Effect.SECURE, id="garage close"),
        pytest.param(
            proposing("set_position", device_alias="Garage", params={"position": 1}),
            (Intent.SET_POSITION, Intent.OPEN),
            4,
            Effect.UNSECURE,
            id="a little open is open",
        ),
        pytest.param(
            proposing("toggle", device_alias="Garage"),
            (Intent.TOGGLE, Intent.OPEN),
            4,
            Effect.UNSECURE,
            id="toggle of a closed garage opens it",
        ),
        pytest.param(
            proposing("set_position", device_alias="Blind", params={"position": 100}),
            (Intent.SET_POSITION, Intent.OPEN),
            1,
            Effect.MOTION,
            id="blind",
        ),
        pytest.param(proposing("status", device_alias="Front door"), (Intent.STATUS,), 0, Effect.READ, id="status"),
        pytest.param(
            proposing("set_temperature", device_alias="Heating", params={"temperature": 25}),
            (Intent.SET_TEMPERATURE,),
            2,
            Effect.ADJUST,
            id="five degrees",
        ),
        pytest.param(
            proposing("set_temperature", device_alias="Heating", params={"temperature": 25.5}),
            (Intent.SET_TEMPERATURE,),
            3,
            Effect.ADJUST,
            id="a large jump",
        ),
    ],
)
def test_meaning(payload: dict[str, object], operations: tuple[Intent, ...], risk: int, effect: Effect) -> None:
    """Synonyms become what they do, with the risk of what they do (R5)."""
    step, result = asked(DeviceResolver, house(), payload)
    assert isinstance(step, Pass)
    (action,) = step.context.actions
    assert (action.operations, action.risk, action.effect) == (operations, risk, effect)
    assert list(result.evidence) == ["risk"]


def test_opaque_is_marked() -> None:
    """What cannot be read goes on as opaque."""
    step, _ = asked(DeviceResolver, house(), named("Magic"))
    assert isinstance(step, Pass)
    assert [action.opaque for action in step.context.actions] == [True]
