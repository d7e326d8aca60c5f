"""A question's states, and the yes that comes of it (R9)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.confirmation.pending import Consent, Pending, State, Yes
from custom_components.edgehome.plan import ExecutionPlan
from custom_components.edgehome.policy.requirement import NO_TERMS, Requirement, Terms
from tests.made_house import AGENT
from tests.made_traces import command

PLAN = ExecutionPlan(actions=(command(),))
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ANNA, BERT = (
    Yes(user_id="anna", approver_id="a", name="Anna", channel="mobile"),
    Yes(user_id="bert", approver_id="b", name="Bert", channel="mobile"),
)
ANNA_AGAIN = Yes(user_id="anna", approver_id="a", name="Anna Smith", channel="page")

WAYS = {
    (State.PENDING, State.APPROVED),
    (State.PENDING, State.REJECTED),
    (State.PENDING, State.EXPIRED),
    (State.PENDING, State.SUPERSEDED),
    (State.PENDING, State.CANCELLED),
    (State.APPROVED, State.EXECUTING),
    (State.APPROVED, State.SUPERSEDED),
    (State.APPROVED, State.CANCELLED),
    (State.EXECUTING, State.EXECUTED),
    (State.EXECUTING, State.PARTIAL),
    (State.EXECUTING, State.FAILED),
    (State.EXECUTING, State.UNKNOWN),
}
NO_WAYS = set(product(State, State)) - WAYS


def asking_for(people: int = 1, terms: Terms = NO_TERMS, risk: int = 1) -> Requirement:
    """What a rule asks for."""
    return Requirement(verdict="confirm", rule="serious", risk=risk, about="Lamp", people=people, terms=terms)


def question(state: State = State.PENDING, people: int = 1, given: tuple[Yes, ...] = ()) -> Pending:
    """A question about a lamp."""
    return Pending(
        id="01TEST",
        principal=AGENT,
        plan=PLAN,
        key=PLAN.consent_key(AGENT),
        requirement=asking_for(people),
        reason=None,
        asked_at=NOW,
        expires_at=NOW + timedelta(seconds=120),
        state=state,
        given=list(given),
    )


@pytest.mark.parametrize(("here", "there"), sorted(WAYS))
def test_ways(here: State, there: State) -> None:
    """Every way of the table is open, once: who comes second finds it gone."""
    asked = question(here)
    assert asked.advance(here, there) is True
    assert asked.state is there
    assert asked.advance(here, there) is False
    assert asked.state is there


@pytest.mark.parametrize(("here", "there"), sorted(NO_WAYS))
def test_no_ways(here: State, there: State) -> None:
    """There is no other way, also from an end to itself; nothing is changed by trying."""
    asked = question(here)
    with pytest.raises(ValueError, match=f"no way from {here} to {there}"):
        asked.advance(here, there)
    assert asked.state is here


@pytest.mark.parametrize(("expected", "there"), sorted(WAYS))
@pytest.mark.parametrize("actual", sorted(State))
def test_compare_and_set(expected: State, there: State, actual: State) -> None:
    """A change counts only if the state is the expected one."""
    asked = question(actual)
    assert asked.advance(expected, there) is (actual is expected)
    assert asked.state is {True: there, False: actual}[actual is expected]


@pytest.mark.parametrize("first", [State.REJECTED, State.EXPIRED, State.SUPERSEDED, State.CANCELLED, State.APPROVED])
@pytest.mark.parametrize("second", [State.REJECTED, State.EXPIRED, State.SUPERSEDED, State.CANCELLED, State.APPROVED])
def test_the_first_answer_stands(first: State, second: State) -> None:
    """Of two answers at once the first one counts, the second does nothing."""
    asked = question()
    assert (asked.advance(State.PENDING, first), asked.advance(State.PENDING, second)) == (True, False)
    assert asked.state is first


@pytest.mark.parametrize(
    ("people", "answers", "last", "state"),
    [
        pytest.param(1, [ANNA], [True], State.APPROVED, id="one of one"),
        pytest.param(1, [ANNA, BERT], [True, False], State.APPROVED, id="too late"),
        pytest.param(1, [ANNA, ANNA], [True, False], State.APPROVED, id="twice"),
        pytest.param(2, [ANNA], [False], State.PENDING, id="one of two"),
        pytest.param(2, [ANNA, BERT], [False, True], State.APPROVED, id="two"),
        pytest.param(2, [ANNA, ANNA], [False, False], State.PENDING, id="the same person twice"),
        pytest.param(2, [ANNA, ANNA_AGAIN], [False, False], State.PENDING, id="over another channel"),
        pytest.param(2, [ANNA, ANNA, BERT], [False, False, True], State.APPROVED, id="twice and another"),
        pytest.param(3, [ANNA, BERT, BERT], [False, False, False], State.PENDING, id="two of three"),
    ],
)
def test_agree(people: int, answers: list[Yes], last: list[bool], state: State) -> None:
    """A question is approved by so many different people; each counts once."""
    asked = question(people=people)
    assert [asked.agree(yes) for yes in answers] == last
    assert asked.state is state


@pytest.mark.parametrize("state", sorted(set(State) - {State.PENDING}))
def test_a_late_yes(state: State) -> None:
    """A yes to a question that is not open changes nothing."""
    asked = question(state)
    assert asked.agree(ANNA) is False
    assert (asked.state, asked.given) == (state, [])


def test_a_no_between_two_yes() -> None:
    """One no ends a question for two, whoever says yes then."""
    asked = question(people=2)
    asked.agree(ANNA)
    assert asked.advance(State.PENDING, State.REJECTED)
    assert asked.agree(BERT) is False
    assert (asked.state, asked.given) == (State.REJECTED, [ANNA])


def test_consent() -> None:
    """The yes that comes of it is one to this plan, its risk, by those people."""
    asked = question(people=2)
    asked.agree(ANNA)
    asked.agree(BERT)
    assert asked.consent() == Consent(key=PLAN.consent_key(AGENT), risk=1, given=(ANNA, BERT))


KEY = PLAN.consent_key(AGENT)


@pytest.mark.parametrize(
    ("consent", "key", "risk", "people", "satisfied"),
    [
        pytest.param(Consent(key=KEY, risk=3, given=(ANNA,)), KEY, 3, 1, True, id="just this"),
        pytest.param(Consent(key=KEY, risk=3, given=(ANNA,)), KEY, 2, 1, True, id="less risk"),
        pytest.param(Consent(key=KEY, risk=3, given=(ANNA,)), KEY, 4, 1, False, id="more risk"),
        pytest.param(Consent(key=KEY, risk=3, given=(ANNA,)), "x", 3, 1, False, id="another plan"),
        pytest.param(Consent(key=KEY, risk=3, given=(ANNA,)), KEY, 3, 2, False, id="two are needed now"),
        pytest.param(Consent(key=KEY, risk=3, given=(ANNA, BERT)), KEY, 3, 1, True, id="one is enough now"),
        pytest.param(Consent(key=KEY, risk=3, given=(ANNA, ANNA_AGAIN)), KEY, 3, 2, False, id="one person twice"),
        pytest.param(Consent(key=KEY, risk=3, given=()), KEY, 3, 1, False, id="nobody"),
        pytest.param(Consent(key="", risk=-1, given=()), KEY, 0, 1, False, id="not yet"),
    ],
)
def test_satisfies(consent: Consent, key: str, risk: int, people: int, satisfied: bool) -> None:
    """A yes is enough only for its own plan, up to its risk, by enough people."""
    assert consent.satisfies(key, risk, asking_for(people)) is satisfied


@given(
    people=st.integers(1, 4),
    answers=st.lists(st.sampled_from(["a", "b", "c", "d"]) | st.none(), max_size=12),
)
def test_any_answers(people: int, answers: list[str | None]) -> None:
    """Whoever answers in whatever order (None says no): approved only by enough different people before any no."""
    asked = question(people=people)
    steps = [_answered(asked, user) for user in answers]
    before_the_no = answers[: ([*answers, None]).index(None)]
    enough = len(set(before_the_no)) >= people
    assert (asked.state is State.APPROVED) is enough
    assert steps.count(True) == (asked.state is not State.PENDING)
    assert len({yes.user_id for yes in asked.given}) == len(asked.given) <= people


def _answered(asked: Pending, user: str | None) -> bool:
    """One answer; whether it changed the state."""
    if user is None:
        return asked.advance(State.PENDING, State.REJECTED)
    return asked.agree(Yes(user_id=user, approver_id=user, name=user, channel="made"))


PIN, OF_ANNA = Terms(pin=True), Terms(approvers=("a",))
ANNA_WITH_PIN, BERT_WITH_PIN = replace(ANNA, with_pin=True), replace(BERT, with_pin=True)


@pytest.mark.parametrize(
    ("given", "people", "terms", "enough"),
    [
        pytest.param((ANNA,), 1, OF_ANNA, True, id="she who is named"),
        pytest.param((BERT,), 1, OF_ANNA, False, id="another than is named"),
        pytest.param((BERT, ANNA), 1, OF_ANNA, True, id="she among others"),
        pytest.param((BERT, ANNA), 2, OF_ANNA, False, id="others do not add up"),
        pytest.param((ANNA,), 1, Terms(approvers=("anna",)), False, id="a user is no approver's id"),
        pytest.param((ANNA, BERT), 1, Terms(approvers=()), False, id="nobody is named"),
        pytest.param((ANNA,), 1, PIN, False, id="without a PIN"),
        pytest.param((ANNA_WITH_PIN,), 1, PIN, True, id="with a PIN"),
        pytest.param((ANNA_WITH_PIN,), 1, NO_TERMS, True, id="a PIN that nobody wants"),
        pytest.param((ANNA_WITH_PIN, BERT), 2, PIN, False, id="one of two with a PIN"),
        pytest.param((ANNA_WITH_PIN, BERT_WITH_PIN), 2, PIN, True, id="both with a PIN"),
        pytest.param((ANNA, ANNA_WITH_PIN), 2, PIN, False, id="one person, with and without"),
        pytest.param((BERT_WITH_PIN, ANNA), 1, OF_ANNA.joined(PIN), False, id="one has the name, the other the PIN"),
        pytest.param((ANNA_WITH_PIN,), 1, OF_ANNA.joined(PIN), True, id="the name and the PIN"),
    ],
)
def test_terms(given: tuple[Yes, ...], people: int, terms: Terms, enough: bool) -> None:
    """Only those count who are named, only with a PIN where one is wanted, each person once."""
    consent = Consent(key=KEY, risk=3, given=given)
    requirement = asking_for(people, terms)
    assert consent.is_enough(3, requirement) is enough
    assert consent.satisfies(KEY, 3, requirement) is enough
    assert consent.satisfies("x", 3, requirement) is False
    assert consent.is_enough(4, requirement) is False


@pytest.mark.parametrize(
    ("risk", "people", "terms", "grantable"),
    [
        pytest.param(0, 1, NO_TERMS, True, id="harmless"),
        pytest.param(3, 1, NO_TERMS, True, id="risk 3"),
        pytest.param(4, 1, NO_TERMS, False, id="risk 4"),
        pytest.param(5, 1, NO_TERMS, False, id="risk 5"),
        pytest.param(3, 2, NO_TERMS, False, id="two people"),
        pytest.param(3, 1, PIN, False, id="a PIN"),
        pytest.param(3, 1, OF_ANNA, True, id="a certain person"),
        pytest.param(3, 1, Terms(seconds=20), True, id="a certain time"),
    ],
)
def test_grantable(risk: int, people: int, terms: Terms, grantable: bool) -> None:
    """A yes for a while is for what one person decides without a PIN, up to risk 3."""
    asked = question()
    asked.plan = ExecutionPlan(actions=(replace(command(), risk=risk), command()))
    asked.requirement = asking_for(people, terms, risk)
    assert asked.is_grantable is grantable
