"""Execution: may it be done now?"""

from dataclasses import replace

import pytest

from custom_components.edgehome.chain import Ask, GateContext, Ready, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.confirmation.pending import Consent, Yes
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.gates.execution import Execution
from custom_components.edgehome.plan import ExecutionPlan
from custom_components.edgehome.policy.requirement import Requirement
from tests.made_house import AGENT, UNREAD, MadeHouse, asked, brought_to, proposing, request


def house() -> MadeHouse:
    """A lamp and a garage."""
    return (
        MadeHouse()
        .add("light.lamp", "Lamp")
        .add("cover.garage", "Garage", "closed", device_class="garage", supported_features=15)
        .add("switch.magic", "Magic", makeup=UNREAD)
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
            "open Garage needs a person's yes, and nobody can be reached now.",
            "rule 'serious' asks for it (Garage, risk 4)",
            id="garage",
        ),
        pytest.param(
            proposing("turn_on", device_alias="Magic"),
            "turn_on Magic needs a person's yes, and nobody can be reached now.",
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


OPEN_GARAGE = proposing("open", device_alias="Garage")


@pytest.mark.parametrize(
    ("people", "needed", "message"),
    [
        pytest.param((), 1, "needs a person's yes, and nobody can be reached now.", id="nobody"),
        pytest.param((), 2, "needs the yes of 2 people, and nobody can be reached now.", id="nobody of two"),
        pytest.param(("Anna",), 2, "needs the yes of 2 people, and only 1 can be reached now.", id="one of two"),
    ],
)
def test_too_few_to_ask(people: tuple[str, ...], needed: int, message: str) -> None:
    """Where not enough people can be reached, nobody is asked at all (R10)."""
    made = house()
    made.people, made.needed = people, needed
    step, _ = asked(Execution, made, OPEN_GARAGE)
    assert isinstance(step, Refuse)
    assert (step.code, step.message) == (Code.NO_APPROVER, f"open Garage {message}")


@pytest.mark.parametrize(
    ("people", "needed"),
    [
        pytest.param(("Anna",), 1, id="one"),
        pytest.param(("Anna", "Bert"), 1, id="one of two"),
        pytest.param(("Anna", "Bert"), 2, id="both"),
    ],
)
def test_asks(people: tuple[str, ...], needed: int) -> None:
    """What needs a yes is asked about with exactly the plan, and who can answer is on record."""
    made = house()
    made.people, made.needed = people, needed
    step, result = asked(Execution, made, OPEN_GARAGE)
    assert isinstance(step, Ask)
    assert (step.plan, step.requirement.people) == (brought_to(Execution, made, OPEN_GARAGE).plan, needed)
    assert result.evidence == {"approvers": list(people)}


@pytest.mark.parametrize(("seconds", "code"), [(1, Code.COOL_DOWN), (60, Code.COOL_DOWN), (0, None)])
def test_cool_down(seconds: int, code: Code | None) -> None:
    """What was rejected a moment ago is not asked again, however often it is sent."""
    made = house()
    made.people, made.cooling = ("Anna",), seconds
    step, result = asked(Execution, made, OPEN_GARAGE)
    assert (result.reason, getattr(step, "code", None)) == (code, code)


@pytest.mark.parametrize(
    ("waiting", "step", "code"),
    [
        pytest.param(0, Ask, None, id="none"),
        pytest.param(2, Ask, None, id="a third question"),
        pytest.param(3, Refuse, Code.PENDING_LIMIT, id="a fourth question"),
        pytest.param(99, Refuse, Code.PENDING_LIMIT, id="many"),
    ],
)
def test_open_questions(waiting: int, step: type, code: Code | None) -> None:
    """A caller may have three questions open at a time."""
    made = house()
    made.people, made.open_questions = ("Anna",), waiting
    answer, result = asked(Execution, made, OPEN_GARAGE)
    assert type(answer) is step
    assert result.reason is code


def test_open_questions_spare_what_is_allowed() -> None:
    """What needs no yes is done however many questions wait."""
    made = house()
    made.open_questions = 99
    step, _ = asked(Execution, made, proposing("turn_on", device_alias="Lamp"))
    assert isinstance(step, Ready)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"people": ()}, id="nobody can be reached any more"),
        pytest.param({"people": ("Anna",), "cooling": 60}, id="an equal one was rejected"),
        pytest.param({"people": ("Anna",), "open_questions": 99}, id="many wait"),
    ],
)
def test_once_asked(change: dict[str, object]) -> None:
    """Once somebody was asked it does not matter whether somebody could be asked again: the question stands."""
    context = brought_to(Execution, replace(house(), **change), OPEN_GARAGE)  # type: ignore[arg-type]
    answer, _ = Execution().evaluate(replace(context, consent=Consent(key="", risk=-1, given=())))
    assert isinstance(answer, Ask)


def test_cool_down_says_how_long() -> None:
    """The refusal names the plan and the seconds."""
    made = house()
    made.people, made.cooling = ("Anna",), 42
    step, _ = asked(Execution, made, OPEN_GARAGE)
    assert isinstance(step, Refuse)
    assert step.message == "open Garage was asked a short while ago, and nobody said yes."
    assert "42 seconds" in step.hint


def test_cool_down_spares_what_is_allowed() -> None:
    """What needs no yes is never cooled down."""
    made = house()
    made.cooling = 60
    step, _ = asked(Execution, made, proposing("turn_on", device_alias="Lamp"))
    assert isinstance(step, Ready)


ANNA, ANNA_ON_THE_PAGE, BERT = (
    Yes(user_id="anna", approver_id="a", name="Anna", channel="mobile"),
    Yes(user_id="anna", approver_id="a", name="Anna", channel="page"),
    Yes(user_id="bert", approver_id="b", name="Bert", channel="mobile"),
)


@pytest.mark.parametrize(
    ("key", "risk", "given", "needed", "step"),
    [
        pytest.param(None, 4, (ANNA,), 1, Ready, id="a yes to this plan"),
        pytest.param(None, 5, (ANNA,), 1, Ready, id="a yes to more risk"),
        pytest.param(None, 3, (ANNA,), 1, Ask, id="a yes to less risk"),
        pytest.param("0" * 64, 4, (ANNA,), 1, Ask, id="a yes to another plan"),
        pytest.param("", 4, (ANNA,), 1, Ask, id="a yes to nothing"),
        pytest.param(None, 4, (), 1, Ask, id="no yes"),
        pytest.param(None, 4, (ANNA,), 2, Ask, id="one of two"),
        pytest.param(None, 4, (ANNA, ANNA_ON_THE_PAGE), 2, Ask, id="one person twice"),
        pytest.param(None, 4, (ANNA, BERT), 2, Ready, id="two people"),
        pytest.param(None, 4, (ANNA, BERT), 1, Ready, id="one more than needed"),
    ],
)
def test_consent(key: str | None, risk: int, given: tuple[Yes, ...], needed: int, step: type) -> None:
    """Only the yes of enough people to exactly this plan at this risk makes it ready (R9)."""
    made = house()
    made.people, made.needed = ("Anna", "Bert"), needed
    context = brought_to(Execution, made, OPEN_GARAGE)
    assert context.plan is not None
    right = context.plan.consent_key(AGENT)
    consent = Consent(key=right if key is None else key, risk=risk, given=given)
    answer, _ = Execution().evaluate(replace(context, consent=consent))
    assert type(answer) is step


def test_consent_of_another_caller() -> None:
    """A yes to the same plan of another agent is none."""
    made = house()
    made.people = ("Anna",)
    context = brought_to(Execution, made, OPEN_GARAGE)
    assert context.plan is not None
    consent = Consent(key=context.plan.consent_key(replace(AGENT, id="zeus")), risk=5, given=(ANNA,))
    answer, _ = Execution().evaluate(replace(context, consent=consent))
    assert isinstance(answer, Ask)


def test_who_said_yes_is_on_record() -> None:
    """Who said yes, and how, is kept; they need not be reachable any more."""
    context = brought_to(Execution, house(), OPEN_GARAGE)
    assert context.plan is not None
    consent = Consent(key=context.plan.consent_key(AGENT), risk=4, given=(ANNA, BERT))
    answer, result = Execution().evaluate(replace(context, consent=consent))
    assert isinstance(answer, Ready)
    assert result.evidence == {"approved_by": ["Anna (anna) by mobile", "Bert (bert) by mobile"]}


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
