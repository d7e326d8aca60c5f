"""Grants: what a yes for a while covers, how long, and that it never covers more than was seen (R9)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.confirmation.grants import GRANTED_FOR, Grant, GrantedAction, Grants
from custom_components.edgehome.confirmation.pending import Consent, Pending, Yes
from custom_components.edgehome.models import Intent
from custom_components.edgehome.plan import Effect, ExecutionPlan, GatedCommand
from custom_components.edgehome.policy.requirement import NO_TERMS, Requirement, Terms
from tests.made_house import AGENT

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ANNA = Yes(user_id="anna", approver_id="a", name="Anna", channel="page")
HEATING = GatedCommand(
    entity_id="climate.hall",
    name="Heating",
    device_type="thermostat",
    operations=(Intent.SET_TEMPERATURE,),
    effect=Effect.ADJUST,
    risk=3,
    area_id="hall",
    key="k1",
    service="climate.set_temperature",
    data={"temperature": 30, "hvac_mode": "heat"},
    spans={"temperature": (21, 30)},
    before="heat",
)
LAMP = replace(HEATING, entity_id="light.lamp", key="k2", service="light.turn_on", data={}, spans={}, risk=1)


def requirement(risk: int = 3, people: int = 1, terms: Terms = NO_TERMS) -> Requirement:
    """What the policy asks for now."""
    return Requirement(verdict="confirm", rule="serious", risk=risk, about="Heating", people=people, terms=terms)


def grant(*actions: GatedCommand, **more: Any) -> Grant:
    """What Anna granted for ten minutes."""
    plan = ExecutionPlan(actions=actions or (HEATING,))
    asked = Pending(
        id="01TEST",
        principal=AGENT,
        plan=plan,
        key=plan.consent_key(AGENT),
        requirement=requirement(plan.risk),
        reason=None,
        asked_at=NOW,
        expires_at=NOW,
        given=[ANNA],
    )
    return replace(Grant.of(asked, NOW), **more)


def valued(value: object, **data: object) -> GatedCommand:
    """The heating set to another value."""
    return replace(HEATING, data={**HEATING.data, "temperature": value, **data})


def test_of() -> None:
    """A grant is the question's: its id, caller, people, actions and areas; it holds for ten minutes."""
    made = grant(HEATING, LAMP)
    assert (made.id, made.behind, made.agent) == ("01TEST", ("hermes", "", ""), "Hermes")
    assert made.consent == Consent(key=made.consent.key, risk=3, given=(ANNA,))
    assert [action.entity_id for action in made.actions] == ["climate.hall", "light.lamp"]
    assert made.areas == ("hall",)
    assert grant(replace(HEATING, area_id=None), LAMP).areas == ("", "hall")
    assert made.until == NOW + timedelta(minutes=10) == NOW + GRANTED_FOR


@pytest.mark.parametrize(
    ("wanted", "covered"),
    [
        pytest.param(HEATING, True, id="the same"),
        pytest.param(replace(HEATING, before="off"), True, id="from another state"),
        pytest.param(replace(HEATING, name="Radiator", room="Hall"), True, id="renamed"),
        pytest.param(valued(25), True, id="between"),
        pytest.param(valued(25.5), True, id="between, no whole number"),
        pytest.param(valued(21), True, id="the one that was there"),
        pytest.param(valued(30.0), True, id="the same in another kind of number"),
        pytest.param(valued(20.9), False, id="below"),
        pytest.param(valued(30.1), False, id="above"),
        pytest.param(valued(float("nan")), False, id="no number"),
        pytest.param(valued(float("inf")), False, id="infinite"),
        pytest.param(valued("25"), False, id="a word"),
        pytest.param(valued(None), False, id="null"),
        pytest.param(valued([25]), False, id="a list"),
        pytest.param(valued(25, hvac_mode="cool"), False, id="another word"),
        pytest.param(valued(25, fan_mode="high"), False, id="a value more"),
        pytest.param(replace(HEATING, data={"temperature": 25}), False, id="a value less"),
        pytest.param(replace(HEATING, data={"hvac_mode": "heat"}), False, id="the other value less"),
        pytest.param(replace(HEATING, data={}), False, id="no values"),
        pytest.param(replace(HEATING, entity_id="climate.bath"), False, id="another entity"),
        pytest.param(replace(HEATING, key="k9"), False, id="another entity of this name"),
        pytest.param(replace(HEATING, key=""), False, id="no entry any more"),
        pytest.param(replace(HEATING, area_id="bath"), False, id="another area"),
        pytest.param(replace(HEATING, area_id=None), False, id="no area"),
        pytest.param(replace(HEATING, service="climate.turn_on"), False, id="another service"),
        pytest.param(replace(HEATING, service=None), False, id="no service"),
        pytest.param(replace(HEATING, operations=(Intent.TURN_ON,)), False, id="another operation"),
        pytest.param(
            replace(HEATING, operations=(Intent.SET_TEMPERATURE, Intent.TURN_ON)), False, id="an operation more"
        ),
        pytest.param(replace(HEATING, risk=2), True, id="less risk"),
        pytest.param(replace(HEATING, risk=4), False, id="more risk"),
        pytest.param(replace(HEATING, opaque=True), False, id="opaque now"),
        pytest.param(replace(HEATING, uncertain=True), False, id="uncertain now"),
    ],
)
def test_covers_action(wanted: GatedCommand, covered: bool) -> None:
    """Only the same deed, and no wider one."""
    assert GrantedAction.of(HEATING).covers(wanted) is covered
    assert grant(replace(HEATING, risk=3)).covers(ExecutionPlan(actions=(wanted,)), requirement()) is covered


@pytest.mark.parametrize(
    ("opaque", "uncertain"), [pytest.param(True, False, id="opaque"), pytest.param(False, True, id="uncertain")]
)
def test_what_was_seen_as_such(opaque: bool, uncertain: bool) -> None:
    """What was opaque or uncertain when it was granted may be so, and may be plain."""
    granted = GrantedAction.of(replace(HEATING, opaque=opaque, uncertain=uncertain))
    assert granted.covers(replace(HEATING, opaque=opaque, uncertain=uncertain))
    assert granted.covers(HEATING)


def test_no_span() -> None:
    """Where the present value was not known only the very value is covered; a truth is no number."""
    granted = GrantedAction.of(replace(HEATING, spans={}))
    assert [granted.covers(valued(value)) for value in (30, 29, 0, -1, True)] == [True, False, False, False, False]
    assert not GrantedAction.of(replace(HEATING, spans={"temperature": (0, 30)})).covers(valued(False))  # noqa: FBT003


def test_later_changes_of_the_data_do_not_widen() -> None:
    """A grant keeps what was said yes to."""
    data: dict[str, object] = {"temperature": 30}
    granted = GrantedAction.of(replace(HEATING, data=data))
    data["temperature"] = 35
    assert not granted.covers(replace(HEATING, data={"temperature": 35}))


@pytest.mark.parametrize(
    ("actions", "covered"),
    [
        pytest.param((HEATING,), True, id="one of two"),
        pytest.param((LAMP, HEATING), True, id="both, in another order"),
        pytest.param((HEATING, replace(LAMP, entity_id="light.other")), False, id="one of them is new"),
        pytest.param((replace(LAMP, entity_id="light.other"), LAMP), False, id="the first is new"),
    ],
)
def test_covers_plan(actions: tuple[GatedCommand, ...], covered: bool) -> None:
    """Everything in a plan must have been granted."""
    assert grant(HEATING, LAMP).covers(ExecutionPlan(actions=actions), requirement()) is covered


@pytest.mark.parametrize(
    ("wanted", "covered"),
    [
        pytest.param(requirement(), True, id="one person"),
        pytest.param(requirement(people=2), False, id="two people now"),
        pytest.param(requirement(terms=Terms(pin=True)), False, id="a PIN now"),
        pytest.param(requirement(terms=Terms(approvers=("a",))), True, id="she is named now"),
        pytest.param(requirement(terms=Terms(approvers=("b",))), False, id="another is named now"),
        pytest.param(requirement(terms=Terms(approvers=())), False, id="nobody is named now"),
        pytest.param(requirement(terms=Terms(seconds=1)), True, id="a shorter time to answer"),
    ],
)
def test_what_is_required_now(wanted: Requirement, covered: bool) -> None:
    """A yes for a while counts only while it is the yes that the policy asks for."""
    assert grant().covers(ExecutionPlan(actions=(HEATING,)), wanted) is covered


commands = st.builds(
    GatedCommand,
    entity_id=st.sampled_from(["climate.hall", "light.lamp"]),
    name=st.just("A"),
    device_type=st.just("x"),
    operations=st.sampled_from([(Intent.OPEN,), (Intent.SET_TEMPERATURE,)]),
    effect=st.just(Effect.ADJUST),
    risk=st.integers(0, 5),
    area_id=st.sampled_from([None, "hall"]),
    key=st.sampled_from(["", "k1"]),
    service=st.sampled_from(["x.y", "x.z"]),
    data=st.dictionaries(st.sampled_from(["a", "b"]), st.integers(0, 9)),
    spans=st.dictionaries(st.sampled_from(["a", "b"]), st.tuples(st.integers(0, 9), st.integers(0, 9))),
    opaque=st.booleans(),
    uncertain=st.booleans(),
)
plans = st.builds(ExecutionPlan, actions=st.lists(commands, min_size=1, max_size=3).map(tuple))


@given(granted=plans, wanted=plans, risk=st.integers(0, 5))
def test_never_above_risk_3(granted: ExecutionPlan, wanted: ExecutionPlan, risk: int) -> None:
    """Whatever was granted, nothing of risk 4 or 5 is covered, nor anything riskier than what was granted."""
    for plan in (wanted, granted):
        covered = grant(*granted.actions).covers(plan, requirement(risk))
        assert not covered or plan.risk <= min(3, granted.risk)


@given(granted=plans, wanted=plans)
def test_never_wider(granted: ExecutionPlan, wanted: ExecutionPlan) -> None:
    """What is covered was seen: the same entities, services and fields, each value the granted one or on its span."""
    if not grant(*granted.actions).covers(wanted, requirement()):
        return
    for action in wanted.actions:
        twins = [one for one in granted.actions if (one.entity_id, one.key) == (action.entity_id, action.key)]
        assert [one for one in twins if one.service == action.service and _within(one, action)]


def _within(one: GatedCommand, action: GatedCommand) -> bool:
    spans = {name: one.spans.get(name, (1, 0)) for name in one.data}
    return one.data.keys() == action.data.keys() and all(
        value == one.data[name] or spans[name][0] <= value <= spans[name][1]  # type: ignore[operator]  # numbers here
        for name, value in action.data.items()
    )


@given(granted=plans)
def test_covers_itself(granted: ExecutionPlan) -> None:
    """What was granted is covered, up to risk 3."""
    assert grant(*granted.actions).covers(granted, requirement(granted.risk)) is (granted.risk <= 3)


type Told = list[tuple[str, str, int]]


@pytest.fixture
def told() -> Told:
    """Which grants ended, why, and how often they were used."""
    return []


@pytest.fixture
def grants(told: Told) -> Grants:
    """Nothing granted yet."""
    return Grants(lambda ended, why, used: told.append((ended.id, why, used)))


@pytest.mark.parametrize(
    ("seconds", "in_force"),
    [
        pytest.param(-1, True, id="before"),
        pytest.param(0, True, id="at once"),
        pytest.param(599.999, True, id="to the last moment"),
        pytest.param(600, False, id="ten minutes"),
        pytest.param(10**6, False, id="long after"),
    ],
)
def test_time(grants: Grants, told: Told, seconds: float, in_force: bool) -> None:
    """A grant holds for ten minutes, then ends by itself, once."""
    grants.give(grant())
    for _ in range(2):
        assert bool(grants.in_force(NOW + timedelta(seconds=seconds))) is in_force
    assert told == [("01TEST", "its time is over", 0)] * (not in_force)
    assert grants.revision == (not in_force)
    assert [bool(grants.in_force(NOW))] == [in_force]


def test_uses(grants: Grants, told: Told) -> None:
    """Uses are counted, and told at the end; a grant that is not in force is not used."""
    grants.give(grant())
    grants.give(grant(id="02TEST"))
    for grant_id in ("01TEST", "01TEST", "02TEST", "03TEST"):
        grants.use(grant_id)
    assert [grants.used(item) for item in ("01TEST", "02TEST", "03TEST")] == [2, 1, 0]
    assert [item.id for item in grants.in_force(NOW)] == ["01TEST", "02TEST"]
    grants.end_all("the owner said so")
    assert told == [("01TEST", "the owner said so", 2), ("02TEST", "the owner said so", 1)]
    grants.use("01TEST")
    assert (grants.used("01TEST"), grants.in_force(NOW), grants.revision) == (0, (), 2)


ENDS: list[Any] = [
    pytest.param(lambda grants: grants.end("01TEST", "x"), id="one"),
    pytest.param(lambda grants: grants.end_all("x"), id="all"),
    pytest.param(lambda grants: grants.in_force(NOW + GRANTED_FOR), id="its time"),
]


@pytest.mark.parametrize("end", ENDS)
def test_every_end_is_seen_by_who_executes(grants: Grants, told: Told, end: Callable[[Grants], object]) -> None:
    """Whoever judged with a grant sees that it ended: the revision changes, once for each."""
    grants.give(grant())
    before = grants.revision
    end(grants)
    end(grants)
    assert (grants.revision, len(told), grants.in_force(NOW)) == (before + 1, 1, ())
    assert grants.end("01TEST", "again") is False
