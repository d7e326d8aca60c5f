"""What would be done, and what came of it."""

from dataclasses import replace

import pytest

from custom_components.edgehome.codes import Code
from custom_components.edgehome.models import CustomVerb, Intent, Principal, Verb
from custom_components.edgehome.plan import (
    ActionResult,
    ExecutionPlan,
    ExecutionResult,
    GatedCommand,
    Skip,
    Verification,
)
from tests.made_house import AGENT
from tests.made_traces import command

LAMP = command(brightness_pct=80)
DOOR = replace(command("lock.door", "lock.lock"), risk=4)
PLAN = ExecutionPlan(actions=(LAMP, DOOR))


def test_risk() -> None:
    """A plan is as risky as its riskiest action; an empty one is harmless."""
    assert PLAN.risk == 4
    assert ExecutionPlan().risk == 0
    assert PLAN.entity_ids == ("light.lamp", "lock.door")


def test_payload() -> None:
    """The service's data has its target; the action stays as it is."""
    assert LAMP.payload == {"brightness_pct": 80, "entity_id": ["light.lamp"]}
    assert dict(LAMP.data) == {"brightness_pct": 80}


@pytest.mark.parametrize(
    ("operations", "wanted", "verb"),
    [
        pytest.param((Intent.TURN_ON,), "", "turn_on", id="one name"),
        pytest.param((Intent.TOGGLE, Intent.TURN_OFF), "", "turn_off", id="what it really does"),
        pytest.param((Intent.OPEN, Intent.UNLOCK), "", "unlock", id="the more telling one"),
        pytest.param((Intent.SET_POSITION, Intent.OPEN), "30 %", "set_position", id="values are told beside it"),
        pytest.param((CustomVerb("seek"),), "", "seek", id="the owner's word"),
        pytest.param((CustomVerb("seek"),), "seek_position 30", "seek", id="the owner's word with a value"),
    ],
)
def test_verb(operations: tuple[Verb, ...], wanted: str, verb: str) -> None:
    """People read what was asked for where values are sent, else what it really does."""
    action = replace(LAMP, operations=operations, wanted=wanted)
    assert (action.verb, action.operation) == (verb, operations[-1])


def test_target_is_the_judged_entity() -> None:
    """No value can put another entity in the place of the judged one."""
    assert command(entity_id_="x").payload["entity_id"] == ["light.lamp"]
    assert replace(LAMP, data={"entity_id": "lock.door"}).payload == {"entity_id": ["light.lamp"]}


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(ExecutionPlan(actions=(DOOR, LAMP)), id="order"),
        pytest.param(ExecutionPlan(actions=(LAMP,)), id="fewer"),
        pytest.param(ExecutionPlan(actions=(LAMP, DOOR, command("light.b"))), id="more"),
        pytest.param(ExecutionPlan(actions=(replace(LAMP, data={"brightness_pct": 81}), DOOR)), id="value"),
        pytest.param(ExecutionPlan(actions=(replace(LAMP, service="light.turn_off"), DOOR)), id="service"),
        pytest.param(ExecutionPlan(actions=(replace(LAMP, entity_id="light.b"), DOOR)), id="entity"),
        pytest.param(ExecutionPlan(actions=(replace(LAMP, key="0f1e"), DOOR)), id="another entity of the same id"),
        pytest.param(ExecutionPlan(actions=(replace(LAMP, before="on"), DOOR)), id="state before"),
        pytest.param(ExecutionPlan(actions=(replace(LAMP, before=None), DOOR)), id="no state before"),
    ],
)
def test_consent_is_for_one_plan(other: ExecutionPlan) -> None:
    """A yes to one plan is none to another (R9)."""
    assert other.consent_key(AGENT) != PLAN.consent_key(AGENT)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(replace(AGENT, id="zeus"), id="another agent"),
        pytest.param(replace(AGENT, speaker="anna"), id="somebody speaks"),
        pytest.param(replace(AGENT, area_id="kitchen"), id="spoken to somewhere"),
    ],
)
def test_consent_is_for_one_principal(other: Principal) -> None:
    """A yes to one principal is none to another; names change nothing."""
    assert PLAN.consent_key(other) != PLAN.consent_key(AGENT)
    assert PLAN.consent_key(replace(other, name="x", area_name="y", speaker_name="z")) == PLAN.consent_key(other)


@pytest.mark.parametrize(
    "same",
    [
        pytest.param(ExecutionPlan(actions=(LAMP, DOOR)), id="equal"),
        pytest.param(ExecutionPlan(actions=(replace(LAMP, name="Renamed"), DOOR)), id="name"),
        pytest.param(ExecutionPlan(actions=(LAMP, DOOR), unchanged=("light.c",)), id="what is already so"),
        pytest.param(ExecutionPlan(actions=(replace(LAMP, risk_reasons=("x",)), DOOR)), id="reasons"),
        pytest.param(ExecutionPlan(actions=(replace(LAMP, present="3 %", wanted="80 %"), DOOR)), id="words for people"),
        pytest.param(ExecutionPlan(actions=(replace(LAMP, area_id="hall"), DOOR)), id="area"),
    ],
)
def test_consent_outlives_what_does_not_matter(same: ExecutionPlan) -> None:
    """What changes nothing of what would be done changes nothing of the yes."""
    assert same.consent_key(AGENT) == PLAN.consent_key(AGENT)


def test_deeds() -> None:
    """A rejection is about what is done to what; another value is no other deed."""
    dimmer = replace(LAMP, data={"brightness_pct": 1})
    assert PLAN.deeds == ("turn_on light.lamp", "turn_on lock.door")
    assert ExecutionPlan(actions=(dimmer, DOOR)).deeds == PLAN.deeds
    assert ExecutionPlan().deeds == ()


def test_plan_description() -> None:
    """What a caller reads of a plan."""
    skip = Skip(entity_id="light.b", code=Code.ENTITY_UNAVAILABLE, message="B is unavailable.")
    assert ExecutionPlan(actions=(LAMP,), skipped=(skip,), unchanged=("light.c",)).describe() == {
        "risk": 1,
        "actions": [
            {
                "entity_id": "light.lamp",
                "name": "Lamp",
                "operation": "turn_on",
                "service": "light.turn_on",
                "data": {"brightness_pct": 80},
                "before": "off",
                "after": {},
                "undoable": False,
                "risk": 1,
            }
        ],
        "skipped": [{"entity_id": "light.b", "code": "ENTITY_UNAVAILABLE", "message": "B is unavailable."}],
        "unchanged": ["light.c"],
    }


@pytest.mark.parametrize(
    ("result", "described"),
    [
        pytest.param(
            ActionResult(entity_id="light.a", done=True, verification=Verification.VERIFIED, state="on"),
            {"entity_id": "light.a", "done": True, "verification": "verified", "state": "on", "error": None},
            id="done",
        ),
        pytest.param(
            ActionResult(entity_id="light.a", done=False, error="no"),
            {"entity_id": "light.a", "done": False, "verification": None, "state": None, "error": "no"},
            id="failed",
        ),
    ],
)
def test_result_description(result: ActionResult, described: dict[str, object]) -> None:
    """What a caller reads of a result."""
    assert ExecutionResult(results=(result,)).describe() == {"actions": [described], "final": True}


def test_operation_is_what_it_really_does() -> None:
    """Of an action's names the last is what is done."""
    action: GatedCommand = replace(DOOR, operations=(*DOOR.operations, *LAMP.operations))
    assert action.operation is LAMP.operations[-1]
