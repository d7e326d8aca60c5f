"""The chain itself: whatever a gate does wrong blocks (R2), and whatever is sent gets an answer."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.chain import (
    Ask,
    Gate,
    GateContext,
    GateResult,
    NoChange,
    Pass,
    Preview,
    Read,
    Ready,
    Refuse,
)
from custom_components.edgehome.codes import REFUSALS, Code, GateName
from custom_components.edgehome.confirmation.pending import Consent
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.gates import GATES
from custom_components.edgehome.judge import Judgement, judge
from custom_components.edgehome.models import Envelope, Intent, ModelCandidate, Params
from custom_components.edgehome.plan import ExecutionPlan
from custom_components.edgehome.policy.requirement import Requirement
from tests.any_json import NUMBERS, nested, objects, values
from tests.made_driver import Driver
from tests.made_house import MadeHouse, proposing, request
from tests.made_traces import LAMP_ON, asking

PASSED, FAILED = GateResult(passed=True), GateResult(passed=False, reason=Code.INTERNAL_ERROR)
PLAN = ExecutionPlan()
YES = Consent(key="", risk=5, given=())
STEPS: dict[type, Any] = {
    Refuse: Refuse(code=Code.LOCKDOWN, message="m", hint="h"),
    NoChange: NoChange(PLAN),
    Read: Read(PLAN, {}),
    Preview: Preview(PLAN, Requirement(verdict="allow", rule="r", risk=0, about="x")),
    Ask: Ask(PLAN, Requirement(verdict="confirm", rule="r", risk=0, about="x")),
    Ready: Ready(PLAN),
}


class MadeGate:
    """A gate in the place of another, that answers something else."""

    def __init__(self, real: Gate, answer: Any) -> None:
        self.name, self.rules, self.codes, self.steps = real.name, real.rules, real.codes, real.steps
        self.answer = answer

    def evaluate(self, ctx: GateContext) -> Any:
        """What the test wants."""
        return self.answer(ctx)


def house() -> MadeHouse:
    """A house with a lamp that a request passes all gates for."""
    return MadeHouse().add("light.lamp", "Lamp")


def judged_with(gate: Gate, answer: Any) -> Judgement:
    """The chain with one gate in the place of another."""
    gates = [MadeGate(gate, answer) if real is gate else real for real in GATES]
    return judge(request(LAMP_ON), Facts(house()), gates)


def _raise(error: BaseException) -> Any:
    raise error


WRONG = [
    pytest.param(lambda _: _raise(RuntimeError("broken")), id="raises"),
    pytest.param(lambda _: _raise(LookupError("nothing")), id="misses what an earlier gate should have added"),
    pytest.param(lambda _: _raise(RecursionError()), id="runs in circles"),
    pytest.param(lambda _: _raise(AssertionError()), id="asserts"),
    pytest.param(lambda _: None, id="nothing"),
    pytest.param(lambda _: True, id="true"),
    pytest.param(lambda _: (), id="empty"),
    pytest.param(Pass, id="a step without a result"),
    pytest.param(lambda _: PASSED, id="a result without a step"),
    pytest.param(lambda ctx: (PASSED, Pass(ctx)), id="the wrong way round"),
    pytest.param(lambda ctx: [Pass(ctx), PASSED], id="a list"),
    pytest.param(lambda ctx: (Pass(ctx), True), id="true for a result"),
    pytest.param(lambda ctx: (Pass(ctx), PASSED, PASSED), id="three"),
    pytest.param(lambda _: (None, PASSED), id="no step"),
    pytest.param(lambda _: ("Pass", PASSED), id="the name of a step"),
    pytest.param(lambda _: (Pass, PASSED), id="the type of a step"),
    pytest.param(lambda ctx: (Pass(ctx), FAILED), id="passes what it did not pass"),
    pytest.param(lambda ctx: (Pass(replace(ctx, request=request({}))), PASSED), id="another request"),
    pytest.param(lambda ctx: (Pass(replace(ctx, facts=Facts(house()))), PASSED), id="another house"),
    pytest.param(lambda ctx: (Pass(replace(ctx, consent=YES)), PASSED), id="a yes that nobody gave"),
    pytest.param(lambda _: (Pass(None), PASSED), id="no context"),  # type: ignore[arg-type]  # that is the fault
    pytest.param(lambda _: (Refuse(code=Code.LOCKDOWN, message="m", hint="h"), PASSED), id="refuses and passes"),
    pytest.param(lambda _: (Refuse(code=Code.DONE, message="m", hint="h"), FAILED), id="a code that is no refusal"),
    pytest.param(lambda _: (Refuse(code="X", message="m", hint="h"), FAILED), id="no code"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.name)
@pytest.mark.parametrize("answer", WRONG)
def test_a_wrong_answer_blocks(gate: Gate, answer: Any) -> None:
    """Whatever a gate answers that is not its own step and result blocks."""
    judgement = judged_with(gate, answer)
    assert isinstance(judgement.step, Refuse)
    assert judgement.step.code is Code.INTERNAL_ERROR
    assert judgement.gate is gate.name
    assert (judgement.records[-1].passed, judgement.records[-1].reason) == (False, Code.INTERNAL_ERROR)


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.name)
def test_a_step_of_another_gate_blocks(gate: Gate) -> None:
    """A step that is right elsewhere is wrong here; none of a gate's foreign steps leads on."""
    foreign = [step for kind, step in STEPS.items() if kind not in gate.steps]
    judgements = [judged_with(gate, lambda _, step=step: (step, PASSED)) for step in foreign]
    assert foreign
    assert [judgement.step for judgement in judgements] == [judgements[0].step] * len(foreign)
    assert isinstance(judgements[0].step, Refuse)
    assert judgements[0].step.code is Code.INTERNAL_ERROR


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.name)
def test_a_code_of_another_gate_blocks(gate: Gate) -> None:
    """A gate refuses with its own codes only; any other is a fault, and refuses as well."""
    for code in sorted(REFUSALS - gate.codes):
        refusal = Refuse(code=code, message="m", hint="h")
        judgement = judged_with(gate, lambda _, step=refusal: (step, FAILED))
        assert isinstance(judgement.step, Refuse)
        assert judgement.step.code is Code.INTERNAL_ERROR


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.name)
def test_a_subclass_is_no_step(gate: Gate) -> None:
    """Something that only looks like a step is none."""

    class Lookalike(Pass):
        """A step that is none of the steps."""

    judgement = judged_with(gate, lambda ctx: (Lookalike(ctx), PASSED))
    assert isinstance(judgement.step, Refuse)
    assert judgement.step.code is Code.INTERNAL_ERROR


@pytest.mark.parametrize("number", range(len(GATES)))
def test_a_missing_gate_blocks(number: int) -> None:
    """Without any one of the gates the others do not add up to an execution, but for the two that only refuse."""
    gates = GATES[:number] + GATES[number + 1 :]
    step = judge(request(LAMP_ON), Facts(house()), gates).step
    only_refuse = {GateName.INPUT_GUARD, GateName.FRESHNESS, GateName.CAPABILITY}
    assert isinstance(step, Ready) is (GATES[number].name in only_refuse)


def test_no_gates() -> None:
    """An empty chain blocks."""
    judgement = judge(request(LAMP_ON), Facts(house()), ())
    assert isinstance(judgement.step, Refuse)
    assert (judgement.step.code, judgement.gate, judgement.records) == (Code.INTERNAL_ERROR, None, ())


def test_the_order() -> None:
    """Every gate is asked, in the order of the tuple, and none after the one that ends the request."""
    through = judge(request(LAMP_ON), Facts(house()))
    assert isinstance(through.step, Ready)
    assert [record.gate for record in through.records] == [gate.name for gate in GATES]
    ended = judge(request(proposing("turn_on", device_alias="Nothing")), Facts(house()))
    assert [record.gate for record in ended.records] == ["input_guard", "schema", "device_resolver"]
    assert ended.gate is GateName.DEVICE_RESOLVER


@pytest.mark.parametrize(
    "question",
    ["lockdown", "standing", "usage", "flag_verdicts", "devices_named", "state", "service", "policy", "validate"],
)
async def test_a_house_that_cannot_tell(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that fails to answer any question blocks, and nothing is called."""
    driver = Driver(house=house())
    monkeypatch.setattr(driver.house, question, lambda *_: _raise(OSError("gone")))
    answer = (await driver.pipeline.submit(asking())).answer()
    assert (answer["outcome"], answer["code"]) == ("blocked", "INTERNAL_ERROR")
    assert driver.backend.executed == []


names = st.sampled_from(["Lamp", "light.lamp", "Hall", "all", "", "Lamp\u202e"]) | values
fields = st.fixed_dictionaries(
    {},
    optional={
        "intent": st.sampled_from([item.value for item in Intent]) | values,
        "device_alias": names,
        "room": names,
        "device_type": st.sampled_from(["light", "lock", "cover"]) | values,
        "params": st.dictionaries(st.sampled_from(sorted(Params.model_fields)), values, max_size=3) | values,
    },
)
payloads = st.fixed_dictionaries(
    {"model_candidate": fields | values},
    optional=dict.fromkeys(Envelope.model_fields, values),
)


@given(payload=payloads | objects)
def test_any_payload_is_answered(payload: dict[str, object]) -> None:
    """Whatever stands in whatever field: there is a judgement, and only a proposal is ever ready."""
    made = house().add("lock.door", "Door", "locked", room="Hall").add("light.b", "B", room="Hall")
    judgement = judge(request(payload), Facts(made))
    assert judgement.records
    assert judgement.records[-1].reason is not Code.INTERNAL_ERROR
    ready = isinstance(judgement.step, Ready)
    assert not ready or ModelCandidate.model_validate(payload["model_candidate"]).intent is not Intent.UNLOCK


@given(value=values, name=st.sampled_from(sorted(Params.model_fields)))
def test_any_value_is_answered(value: object, name: str) -> None:
    """Any value under any name of a value: a lamp is never told what it did not say that it can."""
    payload = proposing("turn_on", device_alias="Lamp", params={name: value})
    step = judge(request(payload), Facts(house())).step
    plans = [step.plan.actions[0].data] if isinstance(step, Ready) else []
    assert plans in ([], [{}])


@pytest.mark.parametrize(
    "value",
    [
        *(pytest.param(number, id=f"{str(number)[:20]}") for number in NUMBERS if number not in {0, 255, 1}),
        pytest.param("x" * 10**6, id="a million letters"),
        pytest.param([0] * 10**5, id="a long list"),
        pytest.param({str(number): number for number in range(10**4)}, id="a wide object"),
        pytest.param(nested(10**5), id="a deep object"),
        pytest.param([[[[[[[[1]]]]]]]], id="deep lists"),
        pytest.param("\ud800", id="half a letter"),
        pytest.param("a\x00b", id="nul"),
    ],
)
@pytest.mark.parametrize(
    "place",
    [
        pytest.param(lambda value: {"model_candidate": value}, id="candidate"),
        pytest.param(lambda value: {**LAMP_ON, "reason": value}, id="reason"),
        pytest.param(lambda value: {**LAMP_ON, "request_id": value}, id="request id"),
        pytest.param(lambda value: {**LAMP_ON, "x": value}, id="unknown field"),
        pytest.param(lambda value: proposing("turn_on", device_alias=value), id="name"),
        pytest.param(lambda value: proposing(value, device_alias="Lamp"), id="intent"),
        pytest.param(
            lambda value: proposing("set_brightness", device_alias="Lamp", params={"brightness": value}), id="value"
        ),
    ],
)
async def test_extremes_are_refused(value: object, place: Any) -> None:
    """Values that no caller has a reason to send are refused by the first two gates, and kept as a trace (bypass 21)."""
    driver = Driver(house=house())
    answer = (await driver.pipeline.submit(replace(asking(), payload=place(value)))).answer()
    assert answer["outcome"] == "blocked"
    assert answer["gate"] in {"input_guard", "schema"}
    assert driver.backend.executed == []
    assert len(driver.evidence.closed) == 1
