"""The order of the gates is one tuple; it equals the files; none can let pass by default."""

from collections.abc import Callable

import pytest

from custom_components.edgehome.chain import (
    STEPS,
    Answer,
    Gate,
    GateContext,
    GateResult,
    Pass,
    Ready,
    Refuse,
)
from custom_components.edgehome.codes import REFUSALS, Code, GateName
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.gates import GATES
from custom_components.edgehome.judge import judge
from custom_components.edgehome.plan import ExecutionPlan
from tests.contracts.source import PACKAGE, ROOT
from tests.made_house import MadeHouse, proposing, request

ORDER = [
    "input_guard",
    "schema",
    "device_resolver",
    "capability",
    "freshness",
    "policy",
    "dry_run",
    "execution",
]


def test_order() -> None:
    """The design's order, and no other."""
    assert [gate.name.value for gate in GATES] == ORDER


def test_files() -> None:
    """One gate, one file: no file without a gate, no gate without a file."""
    files = {path.stem for path in (PACKAGE / "gates").glob("*.py")} - {"__init__"}
    assert files == set(ORDER) == set(GateName)


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.name)
def test_card(gate: Gate) -> None:
    """A gate lives in the file of its name, cites rules in its docstring, refuses with refusals, has a test table."""
    module = (PACKAGE / "gates" / f"{gate.name}.py").read_text()
    assert type(gate).__module__.endswith(f".gates.{gate.name}")
    assert all(rule in module.split('"""')[1] or f'"{rule}"' in module for rule in gate.rules)
    assert gate.rules
    assert gate.codes <= REFUSALS
    assert gate.steps <= set(STEPS)
    assert (ROOT / "tests" / "gates" / f"test_{gate.name}.py").is_file()


def test_only_the_last_gate_is_ready() -> None:
    """No gate but execution may say that a plan is ready."""
    assert [gate.name for gate in GATES if Ready in gate.steps] == [GateName.EXECUTION]


def house() -> MadeHouse:
    """A house in which the request passes every gate."""
    return MadeHouse().add("light.lamp", "Lamp", supported_color_modes=["onoff"])


PAYLOAD = proposing("turn_on", device_alias="Lamp")


def _raises(_: GateContext) -> Answer:
    raise RuntimeError("broken")


def _plan(ctx: GateContext) -> Answer:
    return Ready(ExecutionPlan()), GateResult(passed=True)


def _pass_unpassed(ctx: GateContext) -> Answer:
    return Pass(ctx), GateResult(passed=False)


def _another_request(ctx: GateContext) -> Answer:
    forged = GateContext(request=request({}), facts=ctx.facts)
    return Pass(forged), GateResult(passed=True)


def _foreign_code(_: GateContext) -> Answer:
    refusal = Refuse(code=Code.DONE, message="", hint="")
    return refusal, GateResult(passed=False, reason=Code.DONE)


BROKEN: dict[str, Callable[[GateContext], object]] = {
    "raises": _raises,
    "None": lambda _: None,
    "True": lambda _: True,
    "a context": lambda ctx: ctx,
    "a step alone": Pass,
    "no result": lambda ctx: (Pass(ctx), None),
    "a class for a step": lambda _: (Pass, GateResult(passed=True)),
    "a coroutine": lambda _: (object(), GateResult(passed=True)),
    "not passed": _pass_unpassed,
    "another request": _another_request,
    "a code that is not its own": _foreign_code,
}


class Replaced:
    """A gate with another answer."""

    def __init__(self, gate: Gate, answer: Callable[[GateContext], object]) -> None:
        self.name, self.rules, self.codes, self.steps = gate.name, gate.rules, gate.codes, gate.steps
        self._answer = answer

    def evaluate(self, ctx: GateContext) -> Answer:
        """The other answer."""
        return self._answer(ctx)  # type: ignore[return-value]  # that it is none is the point


def test_the_request_is_ready_when_no_gate_is_broken() -> None:
    """What follows shows something: with all gates whole the request would be executed."""
    assert isinstance(judge(request(PAYLOAD), Facts(house())).step, Ready)


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.name)
def test_a_broken_gate_blocks(gate: Gate, answer: Callable[[GateContext], object]) -> None:
    """Whatever a gate does wrong, the request ends there, blocked (R2)."""
    gates = [Replaced(one, answer) if one is gate else one for one in GATES]
    verdict = judge(request(PAYLOAD), Facts(house()), gates)
    assert isinstance(verdict.step, Refuse)
    assert (verdict.step.code, verdict.gate) == (Code.INTERNAL_ERROR, gate.name)
    assert verdict.records[-1].passed is False


@pytest.mark.parametrize("gate", GATES[:-1], ids=lambda gate: gate.name)
def test_no_gate_but_the_last_can_be_ready(gate: Gate) -> None:
    """A gate that jumps to the end blocks instead."""
    gates = [Replaced(one, _plan) if one is gate else one for one in GATES]
    verdict = judge(request(PAYLOAD), Facts(house()), gates)
    assert isinstance(verdict.step, Refuse)
    assert verdict.step.code is Code.INTERNAL_ERROR


@pytest.mark.parametrize("length", range(len(GATES)))
def test_a_chain_without_its_end_blocks(length: int) -> None:
    """No gates, or not all of them: nothing is allowed because nobody objected (R2)."""
    verdict = judge(request(PAYLOAD), Facts(house()), GATES[:length])
    assert isinstance(verdict.step, Refuse)
    assert verdict.step.code is Code.INTERNAL_ERROR
