"""Execution: may it be done now?"""

import pytest

from custom_components.edgehome.chain import GateContext, Ready, Refuse, Requirement
from custom_components.edgehome.codes import Code
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.gates.execution import Execution
from custom_components.edgehome.plan import ExecutionPlan
from tests.made_house import MadeHouse, asked, brought_to, proposing, request


def house() -> MadeHouse:
    """A lamp and a garage."""
    return (
        MadeHouse()
        .add("light.lamp", "Lamp")
        .add("cover.garage", "Garage", "closed", device_class="garage", supported_features=15)
        .add("switch.magic", "Magic", opaque=True)
    )


def test_allowed_is_ready() -> None:
    """What the policy allows may be done, exactly as planned."""
    made, payload = house(), proposing("turn_on", device_alias="Lamp")
    step, result = asked(Execution, made, payload)
    assert isinstance(step, Ready)
    assert result.passed
    assert step.plan == brought_to(Execution, made, payload).plan
    assert step.plan.entity_ids == ("light.lamp",)


@pytest.mark.parametrize(
    ("payload", "message", "reason"),
    [
        pytest.param(
            proposing("open", device_alias="Garage"),
            "open Garage needs a person's yes, and there is nobody to ask.",
            "rule 'serious' asks for it: Garage has risk 4",
            id="garage",
        ),
        pytest.param(
            proposing("turn_on", device_alias="Magic"),
            "turn_on Magic needs a person's yes, and there is nobody to ask.",
            "cannot see what Magic does",
            id="opaque",
        ),
    ],
)
def test_nobody_to_ask(payload: dict[str, object], message: str, reason: str) -> None:
    """What needs a yes is refused at once, saying why and that there is nobody to ask (R10)."""
    step, result = asked(Execution, house(), payload)
    assert isinstance(step, Refuse)
    assert (step.code, result.reason, result.passed) == (Code.NO_APPROVER, Code.NO_APPROVER, False)
    assert step.message == message
    assert reason in step.hint


@pytest.mark.parametrize("verdict", ["confirm", "deny", "", "ALLOW", "allowed", "yes"])
def test_only_allow_is_allowed(verdict: str) -> None:
    """Every other word than ``allow`` asks for a person."""
    context = GateContext(
        request=request({}),
        facts=Facts(MadeHouse()),
        plan=ExecutionPlan(),
        requirement=Requirement(verdict=verdict, rule="made", risk=0, about="Lamp"),
    )
    step, _ = Execution().evaluate(context)
    assert isinstance(step, Refuse)
    assert step.code is Code.NO_APPROVER


@pytest.mark.parametrize(
    "context",
    [
        pytest.param(GateContext(request=request({}), facts=Facts(MadeHouse())), id="nothing"),
        pytest.param(
            GateContext(request=request({}), facts=Facts(MadeHouse()), plan=ExecutionPlan()), id="no requirement"
        ),
        pytest.param(
            GateContext(
                request=request({}),
                facts=Facts(MadeHouse()),
                requirement=Requirement(verdict="allow", rule="made", risk=0, about="Lamp"),
            ),
            id="no plan",
        ),
    ],
)
def test_what_earlier_gates_did_not_add(context: GateContext) -> None:
    """Without a plan or a requirement there is no answer; the chain blocks (R2)."""
    with pytest.raises(LookupError):
        Execution().evaluate(context)
