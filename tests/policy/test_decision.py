"""What the table and the floor say about one action."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.catalogue.action import action_for
from custom_components.edgehome.catalogue.reach import with_reach
from custom_components.edgehome.devices import Deed, Makeup
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.models import Intent
from custom_components.edgehome.plan import Effect, GatedCommand
from custom_components.edgehome.policy.decision import FLOOR_OPAQUE, FLOOR_UNCERTAIN, Decision, decide
from custom_components.edgehome.policy.presets import STRICT
from custom_components.edgehome.policy.requirement import NO_TERMS, Terms
from custom_components.edgehome.policy.rule import PolicyRule, Verdict, severity
from custom_components.edgehome.policy.table import UNREADABLE, PolicyTable
from tests.made_house import MadeHouse

ALLOWING = PolicyTable(name="made", rules=(PolicyRule(id="all", verdict=Verdict.ALLOW),))
DENYING = PolicyTable(name="made", rules=(PolicyRule(id="no", verdict=Verdict.DENY),))


def action(
    *operations: Intent,
    device_type: str = "switch",
    risk: int = 2,
    opaque: bool = False,
    service: str | None = "x.y",
    uncertain: bool = False,
) -> GatedCommand:
    """An action with these names."""
    return GatedCommand(
        entity_id="switch.a",
        name="A",
        device_type=device_type,
        operations=operations,
        effect=Effect.ADJUST,
        risk=risk,
        service=service,
        opaque=opaque,
        uncertain=uncertain,
    )


@pytest.mark.parametrize(
    ("table", "asked", "verdict", "rule"),
    [
        pytest.param(STRICT, action(Intent.TURN_ON), Verdict.ALLOW, "harmless", id="allowed"),
        pytest.param(
            STRICT,
            action(Intent.OPEN, Intent.UNLOCK, device_type="lock", risk=5),
            Verdict.DENY,
            "no_unlocking",
            id="the strictest of both names",
        ),
        pytest.param(
            STRICT,
            action(Intent.UNLOCK, Intent.OPEN, device_type="lock", risk=5),
            Verdict.DENY,
            "no_unlocking",
            id="in any order",
        ),
        pytest.param(ALLOWING, action(Intent.TURN_ON, opaque=True), Verdict.CONFIRM, FLOOR_OPAQUE, id="opaque"),
        pytest.param(
            STRICT, action(Intent.TURN_ON, risk=3, opaque=True), Verdict.CONFIRM, "serious", id="asked anyway"
        ),
        pytest.param(DENYING, action(Intent.TURN_ON, opaque=True), Verdict.DENY, "no", id="opaque is not lifted"),
        pytest.param(
            STRICT, action(Intent.STATUS, risk=0, opaque=True, service=None), Verdict.ALLOW, "harmless", id="reading"
        ),
        pytest.param(
            ALLOWING,
            action(Intent.OPEN, risk=3, uncertain=True),
            Verdict.CONFIRM,
            FLOOR_UNCERTAIN,
            id="guessed, serious",
        ),
        pytest.param(
            ALLOWING, action(Intent.OPEN, risk=2, uncertain=True), Verdict.ALLOW, "all", id="guessed, harmless"
        ),
        pytest.param(DENYING, action(Intent.OPEN, risk=3, uncertain=True), Verdict.DENY, "no", id="guessed, denied"),
        pytest.param(UNREADABLE, action(Intent.TURN_ON), Verdict.DENY, "last_row", id="no table"),
        pytest.param(ALLOWING, action(), Verdict.DENY, "last_row", id="no name"),
    ],
)
def test_decide(table: PolicyTable, asked: GatedCommand, verdict: Verdict, rule: str) -> None:
    """The verdict and the rule that gave it."""
    assert decide(table, asked.question) == Decision(verdict=verdict, rule=rule)


@given(
    verdict=st.sampled_from(Verdict),
    operations=st.lists(st.sampled_from(Intent), min_size=1, max_size=3),
    risk=st.integers(0, 5),
)
def test_opaque_never_widens(verdict: Verdict, operations: list[Intent], risk: int) -> None:
    """What cannot be read is judged at least as strictly, and never allowed unasked (R5)."""
    table = PolicyTable(name="made", rules=(PolicyRule(id="all", verdict=verdict),))
    plain = decide(table, action(*operations, risk=risk).question).verdict
    opaque = decide(table, action(*operations, risk=risk, opaque=True).question).verdict
    assert severity(opaque) >= severity(plain)
    assert opaque is not Verdict.ALLOW


WITH_PIN, ANNAS = Terms(pin=True), Terms(approvers=("anna",), seconds=20)


@pytest.mark.parametrize(
    ("asked", "terms"),
    [
        pytest.param(action(Intent.OPEN), WITH_PIN, id="the rule's"),
        pytest.param(action(Intent.OPEN, Intent.UNLOCK), WITH_PIN.joined(ANNAS), id="those of all names"),
        pytest.param(action(Intent.UNLOCK, Intent.OPEN), WITH_PIN.joined(ANNAS), id="in any order"),
        pytest.param(action(Intent.OPEN, opaque=True), WITH_PIN, id="opaque, asked anyway"),
        pytest.param(action(Intent.TURN_ON, Intent.OPEN, opaque=True, risk=4), WITH_PIN, id="one of both names"),
        pytest.param(action(Intent.TURN_ON, opaque=True), NO_TERMS, id="the floor asks for any yes"),
        pytest.param(action(Intent.TURN_ON, uncertain=True, risk=3), NO_TERMS, id="the floor, guessed"),
    ],
)
def test_terms(asked: GatedCommand, terms: Terms) -> None:
    """The terms of all rules that ask; the floor never takes any away."""
    rules = (
        PolicyRule(id="open", operations=("open",), verdict=Verdict.CONFIRM, terms=WITH_PIN),
        PolicyRule(id="unlock", operations=("unlock",), verdict=Verdict.CONFIRM, terms=ANNAS),
        PolicyRule(id="rest", verdict=Verdict.ALLOW),
    )
    decision = decide(PolicyTable(name="made", rules=rules), asked.question)
    assert (decision.verdict, decision.terms) == (Verdict.CONFIRM, terms)


UNSECURING = PolicyTable(
    name="made",
    rules=(
        PolicyRule(id="no", effects=("unsecure",), verdict=Verdict.DENY),
        PolicyRule(id="all", verdict=Verdict.ALLOW),
    ),
)


@pytest.mark.parametrize(
    ("entity_id", "verbs"),
    [
        pytest.param("cover.garage", ("open",), id="opening"),
        pytest.param("cover.garage", ("close", "open"), id="either way"),
        pytest.param("cover.garage", ("open", "close"), id="either way, as toggles are read"),
        pytest.param("lock.door", ("unlock", "lock"), id="a lock, either way"),
        pytest.param("alarm_control_panel.alarm", ("disarm", "arm_away"), id="an alarm, either way"),
    ],
)
def test_what_is_reached_may_unsecure(entity_id: str, verbs: tuple[str, ...]) -> None:
    """A rule about what unsecures speaks about a script that may do it."""
    house = (
        MadeHouse()
        .add("cover.garage", "Garage", "closed", device_class="garage")
        .add("lock.door", "Door", "locked")
        .add("alarm_control_panel.alarm", "Alarm", "armed_away")
        .add("script.s", "S", makeup=Makeup(kind="script", deeds={"run": (Deed(entity_id=entity_id, verbs=verbs),)}))
    )
    record = house.devices["script.s"]
    asked = with_reach(action_for(record, Intent.RUN, {}, house.states["script.s"]), record, Facts(house))
    assert decide(UNSECURING, asked.question).verdict is Verdict.DENY
