"""DryRun: what exactly would happen?"""

from typing import Any

import pytest

from custom_components.edgehome.chain import NoChange, Pass, Preview, Read, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.gates.dry_run import DryRun
from tests.made_house import MadeHouse, asked, proposing

DIMMABLE: dict[str, Any] = {"supported_color_modes": ["brightness"]}


def house() -> MadeHouse:
    """Lamps in a room and a garage."""
    return (
        MadeHouse()
        .add("light.a", "A", "off", room="Hall", **DIMMABLE)
        .add("light.b", "B", "on", room="Hall", brightness=128, **DIMMABLE)
        .add("light.c", "C", "off", room="Hall", **DIMMABLE)
        .add("light.gone", "Gone", "unavailable", room="Hall", **DIMMABLE)
        .add("cover.garage", "Garage", "closed", device_class="garage", supported_features=15)
        .add("lock.front", "Front door", "unavailable")
    )


def lights(intent: str, **params: object) -> dict[str, object]:
    """A proposal on the lights of the hall."""
    return proposing(intent, room="Hall", device_type="light", params=params)


def test_plan() -> None:
    """The plan has what changes, what is left out and what is already so."""
    step, result = asked(DryRun, house(), lights("turn_on"))
    assert isinstance(step, Pass)
    plan = step.context.plan
    assert plan is not None
    assert plan.entity_ids == ("light.a", "light.c")
    assert plan.unchanged == ("light.b",)
    assert [(skip.entity_id, skip.code) for skip in plan.skipped] == [("light.gone", Code.ENTITY_UNAVAILABLE)]
    assert [action.payload for action in plan.actions] == [{"entity_id": ["light.a"]}, {"entity_id": ["light.c"]}]
    assert result.evidence == {"entities": ["light.a", "light.c"]}


@pytest.mark.parametrize("dry_run", [False, True], ids=["for real", "dry"])
@pytest.mark.parametrize(
    ("payload", "unchanged"),
    [
        pytest.param(proposing("turn_on", device_alias="B"), ("light.b",), id="on"),
        pytest.param(proposing("close", device_alias="Garage"), ("cover.garage",), id="closed"),
        pytest.param(
            proposing("set_brightness", device_alias="B", params={"brightness": 50}), ("light.b",), id="as bright"
        ),
    ],
)
def test_nothing_to_do(payload: dict[str, object], unchanged: tuple[str, ...], dry_run: bool) -> None:
    """What is already so ends here; nothing is called."""
    step, result = asked(DryRun, house(), {**payload, "dry_run": dry_run})
    assert isinstance(step, NoChange)
    assert result.passed
    assert (step.plan.actions, step.plan.unchanged) == ((), unchanged)


@pytest.mark.parametrize(
    ("payload", "verdict", "rule", "risk"),
    [
        pytest.param(proposing("turn_on", device_alias="A"), "allow", "harmless", 1, id="allowed"),
        pytest.param(proposing("open", device_alias="Garage"), "confirm", "serious", 4, id="to be confirmed"),
    ],
)
def test_preview(payload: dict[str, object], verdict: str, rule: str, risk: int) -> None:
    """A dry run ends with the plan and what it would require, also where nobody could be asked."""
    step, result = asked(DryRun, house(), {**payload, "dry_run": True})
    assert isinstance(step, Preview)
    assert result.passed
    assert (step.requirement.verdict, step.requirement.rule, step.requirement.risk) == (verdict, rule, risk)
    assert len(step.plan.actions) == 1


@pytest.mark.parametrize("dry_run", [False, True], ids=["for real", "dry"])
def test_payload_is_checked(dry_run: bool) -> None:
    """What the service's own schema does not take is refused, in a dry run too."""
    made = house()
    made.faults["light.turn_on"] = "value must be at most 100"
    step, result = asked(DryRun, made, {**lights("turn_on"), "dry_run": dry_run})
    assert isinstance(step, Refuse)
    assert (step.code, result.reason, result.passed) == (Code.PAYLOAD_INVALID, Code.PAYLOAD_INVALID, False)
    assert "value must be at most 100" in step.message
    assert step.field == "model_candidate.params"


@pytest.mark.parametrize(
    ("payload", "states"),
    [
        pytest.param(
            proposing("status", device_alias="B"),
            {
                "light.b": {
                    "entity_id": "light.b",
                    "name": "B",
                    "state": "on",
                    "attributes": {"brightness": 50},
                    "liveness": "current",
                }
            },
            id="a lamp in percent",
        ),
        pytest.param(
            proposing("status", device_alias="Front door"),
            {
                "lock.front": {
                    "entity_id": "lock.front",
                    "name": "Front door",
                    "state": "unavailable",
                    "attributes": {},
                    "liveness": "unavailable",
                }
            },
            id="unavailable is an answer",
        ),
    ],
)
def test_reading(payload: dict[str, object], states: dict[str, dict[str, object]]) -> None:
    """A reading ends with the present state."""
    step, result = asked(DryRun, house(), payload)
    assert isinstance(step, Read)
    assert result.passed
    assert step.states == {one: {**told, "reported": 0} for one, told in states.items()}


def test_reading_a_room() -> None:
    """A reading of a room has every device of it, the unavailable too."""
    step, _ = asked(DryRun, house(), lights("status"))
    assert isinstance(step, Read)
    assert list(step.states) == ["light.a", "light.b", "light.c", "light.gone"]
    assert step.plan.skipped == ()
