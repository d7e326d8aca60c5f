"""Execution: what a yes for a while covers is ready; who must use a PIN must have one (R9, R10)."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from custom_components.edgehome.chain import Ask, Ready, Refuse, settled
from custom_components.edgehome.codes import Code
from custom_components.edgehome.confirmation.grants import Grant
from custom_components.edgehome.confirmation.pending import Consent, Pending, Yes
from custom_components.edgehome.gates.execution import Execution
from custom_components.edgehome.policy.requirement import NO_TERMS, Terms
from custom_components.edgehome.policy.rule import PolicyRule, Verdict
from custom_components.edgehome.policy.table import PolicyTable
from tests.made_house import AGENT, MadeHouse, asked, brought_to, proposing

HEATING: dict[str, Any] = {"supported_features": 1, "min_temp": 7, "max_temp": 35, "hvac_modes": ["off", "heat"]}
ANNA = Yes(user_id="anna", approver_id="a", name="Anna", channel="page")
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
PIN = Terms(pin=True)


def house(terms: Terms = NO_TERMS, **more: Any) -> MadeHouse:
    """A heating and a garage under a rule with these terms; Anna can be reached."""
    rules = (PolicyRule(id="ask", risk=(1, 5), verdict=Verdict.CONFIRM, terms=terms),)
    made = MadeHouse(people=("Anna",), table=PolicyTable(name="made", rules=rules))
    made.add("climate.hall", "Heating", "heat", temperature=20, **HEATING)
    made.add("cover.garage", "Garage", "closed", device_class="garage", supported_features=15)
    return replace(made, **more)


def wish(temperature: float = 30) -> dict[str, object]:
    """The heating set to a value."""
    return proposing("set_temperature", device_alias="Heating", params={"temperature": temperature})


OPEN = proposing("open", device_alias="Garage")


def granted(payload: dict[str, object], **more: Any) -> Grant:
    """What Anna granted when the agent wanted this."""
    plan = settled(brought_to(Execution, house(), payload).plan)
    requirement = settled(brought_to(Execution, house(), payload).requirement)
    asked_for = Pending(
        id="01GRANT",
        principal=AGENT,
        plan=plan,
        key=plan.consent_key(AGENT),
        requirement=requirement,
        reason=None,
        asked_at=NOW,
        expires_at=NOW,
        given=[ANNA],
    )
    return replace(Grant.of(asked_for, NOW), **more)


@pytest.mark.parametrize(
    ("payload", "change", "step"),
    [
        pytest.param(wish(30), {}, Ready, id="the same"),
        pytest.param(wish(25), {}, Ready, id="narrower"),
        pytest.param(wish(31), {}, Ask, id="wider"),
        pytest.param(wish(19), {}, Ask, id="the other way"),
        pytest.param(OPEN, {}, Ask, id="another deed"),
        pytest.param(wish(30), {"granted": (granted(wish(30), behind=("zeus", "", "")),)}, Ask, id="another's grant"),
        pytest.param(wish(30), {"granted": ()}, Ask, id="no grant"),
        pytest.param(wish(30), {"needed": 2, "people": ("Anna", "Bert")}, Ask, id="two people now"),
        pytest.param(wish(30), {"people": ()}, Ready, id="nobody needs to be reached"),
        pytest.param(wish(30), {"cooling": 60}, Ready, id="no rest"),
        pytest.param(wish(30), {"open_questions": 99}, Ready, id="many questions"),
        pytest.param(OPEN, {"granted": (granted(OPEN),)}, Ask, id="risk 4, whatever was granted"),
    ],
)
def test_grant(payload: dict[str, object], change: dict[str, Any], step: type) -> None:
    """The same or less of what was granted to this caller is ready; all else is asked as usual."""
    made = house(**{"granted": (granted(wish(30)),), **change})
    answer, result = asked(Execution, made, payload)
    assert type(answer) is step
    is_ready = step is Ready
    assert getattr(answer, "grant", None) == ("01GRANT" if is_ready else None)
    evidence = {"granted_by": ["Anna (anna) by page"], "grant": "01GRANT"}
    assert (result.evidence == evidence) is is_ready


@pytest.mark.parametrize(
    ("terms", "step"),
    [
        pytest.param(NO_TERMS, Ready, id="any yes"),
        pytest.param(Terms(approvers=("a",)), Ready, id="she is named"),
        pytest.param(Terms(approvers=("Bert",)), Refuse, id="another is named, who is not there"),
        pytest.param(PIN, Refuse, id="a PIN, which nobody has"),
    ],
)
def test_rule_changed(terms: Terms, step: type) -> None:
    """A grant is as good as the rule that is in force now."""
    answer, _ = asked(Execution, house(terms, granted=(granted(wish(30)),)), wish(30))
    assert type(answer) is step


def test_second_grant() -> None:
    """Any of the caller's grants will do; the first that covers it is the one that is used."""
    made = house(granted=(granted(wish(25), id="01A"), granted(wish(30), id="01B"), granted(wish(30), id="01C")))
    assert [getattr(asked(Execution, made, wish(value))[0], "grant", None) for value in (24, 28)] == ["01A", "01B"]


def test_who_was_asked_is_not_answered_by_a_grant() -> None:
    """Once a person was asked only that yes counts."""
    made = house(granted=(granted(wish(30)),))
    context = replace(brought_to(Execution, made, wish(30)), consent=Consent(key="", risk=-1, given=()))
    assert isinstance(Execution().evaluate(context)[0], Ask)


@pytest.mark.parametrize(
    ("people", "pins", "needed", "terms", "code"),
    [
        pytest.param(("Anna",), (), 1, PIN, Code.PIN_NOT_SET, id="nobody has one"),
        pytest.param(("Anna",), ("Anna",), 1, PIN, None, id="she has one"),
        pytest.param(("Anna", "Bert"), ("Bert",), 1, PIN, None, id="one of two has one"),
        pytest.param(("Anna", "Bert"), ("Bert",), 2, PIN, Code.PIN_NOT_SET, id="both must have one"),
        pytest.param(("Anna", "Bert"), ("Anna", "Bert"), 2, PIN, None, id="both have one"),
        pytest.param((), (), 1, PIN, Code.NO_APPROVER, id="nobody is there"),
        pytest.param((), ("Anna",), 1, PIN, Code.NO_APPROVER, id="who has one is not there"),
        pytest.param(("Anna",), ("Anna",), 2, PIN, Code.NO_APPROVER, id="only one is there"),
        pytest.param(("Anna",), (), 1, NO_TERMS, None, id="no PIN is wanted"),
        pytest.param(("Anna",), ("Anna",), 1, Terms(approvers=("Bert",)), Code.NO_APPROVER, id="another is named"),
        pytest.param(("Anna", "Bert"), ("Bert",), 1, Terms(approvers=("Bert",), pin=True), None, id="he has one"),
        pytest.param(
            ("Anna", "Bert"), ("Anna",), 1, Terms(approvers=("Bert",), pin=True), Code.PIN_NOT_SET, id="he has none"
        ),
        pytest.param(("Anna",), ("Anna",), 1, Terms(approvers=()), Code.NO_APPROVER, id="nobody is named"),
    ],
)
def test_pin(people: tuple[str, ...], pins: tuple[str, ...], needed: int, terms: Terms, code: Code | None) -> None:
    """Where a PIN is wanted somebody must have one that can be used, or it is refused at once (R10)."""
    answer, result = asked(Execution, house(terms, people=people, pins=pins, needed=needed), OPEN)
    assert (result.reason, isinstance(answer, Ask)) == (code, code is None)


def test_messages() -> None:
    """The refusals say what is missing and what to do."""
    no_pin, _ = asked(Execution, house(PIN), OPEN)
    assert isinstance(no_pin, Refuse)
    assert no_pin.message.startswith("open Garage needs a person's yes with a PIN")
    assert "sets his PIN on EdgeHome's page" in no_pin.hint
    nobody, _ = asked(Execution, house(Terms(approvers=("Bert",))), OPEN)
    assert isinstance(nobody, Refuse)
    assert "only certain people may say yes to it" in nobody.hint


@pytest.mark.parametrize("with_pin", [True, False])
def test_consent_with_pin(with_pin: bool) -> None:
    """The yes to this very plan counts only with a PIN where one is wanted, also when the rule came meanwhile."""
    context = brought_to(Execution, house(PIN), OPEN)
    key = settled(context.plan).consent_key(AGENT)
    consent = Consent(key=key, risk=4, given=(replace(ANNA, with_pin=with_pin),))
    answer, _ = Execution().evaluate(replace(context, consent=consent))
    assert type(answer) is (Ready if with_pin else Ask)
