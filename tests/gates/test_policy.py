"""Policy: does the owner allow it, for this caller, at this risk?"""

from math import inf
from typing import Any

import pytest

from custom_components.edgehome.chain import Pass, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import Deed, Makeup, Standing
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.gates.policy import Policy
from custom_components.edgehome.judge import judge
from custom_components.edgehome.policy.presets import BALANCED, STRICT
from custom_components.edgehome.policy.requirement import NO_TERMS, Terms
from custom_components.edgehome.policy.rule import PolicyRule, Verdict
from custom_components.edgehome.policy.table import UNREADABLE, PolicyTable
from tests.made_house import UNREAD, MadeHouse, asked, proposing, request

LAMP: dict[str, Any] = {
    "supported_color_modes": ["hs", "color_temp"],
    "min_color_temp_kelvin": 2000,
    "max_color_temp_kelvin": 6500,
}
HEATING: dict[str, Any] = {
    "supported_features": 1 | 16 | 128 | 256,
    "min_temp": 7,
    "max_temp": 35,
    "hvac_modes": ["off", "heat"],
    "preset_modes": ["away", "home"],
}


def house(table: PolicyTable = STRICT) -> MadeHouse:
    """A house under this table."""
    return (
        MadeHouse(table=table)
        .add("light.lamp", "Lamp", room="Hall", **LAMP)
        .add("lock.front", "Front door", "locked", room="Hall", supported_features=1)
        .add("cover.garage", "Garage", "closed", device_class="garage", supported_features=15)
        .add("cover.blind", "Blind", "closed", device_class="blind", supported_features=15)
        .add("climate.heating", "Heating", "heat", temperature=20, **HEATING)
        .add("switch.pump", "Pump")
        .add("switch.magic", "Magic", makeup=UNREAD)
    )


def wish(intent: str, device: str, **params: object) -> dict[str, object]:
    """A proposal on a named device."""
    return proposing(intent, device_alias=device, params=params)


@pytest.mark.parametrize(
    ("table", "payload", "verdict", "rule"),
    [
        pytest.param(STRICT, wish("turn_on", "Lamp"), "allow", "harmless", id="lamp"),
        pytest.param(STRICT, wish("set_brightness", "Lamp", brightness=5), "allow", "dimming", id="dim"),
        pytest.param(STRICT, wish("status", "Front door"), "allow", "harmless", id="read a lock"),
        pytest.param(STRICT, wish("open", "Garage"), "confirm", "serious", id="garage"),
        pytest.param(STRICT, wish("open", "Blind"), "allow", "harmless", id="blind"),
        pytest.param(STRICT, wish("turn_on", "Pump"), "allow", "harmless", id="plain switch"),
        pytest.param(STRICT, wish("turn_on", "Magic"), "confirm", "floor_opaque", id="opaque is never allowed unasked"),
        pytest.param(
            STRICT, wish("set_temperature", "Heating", temperature=22), "allow", "heating_small", id="set point"
        ),
        pytest.param(
            STRICT, wish("set_temperature", "Heating", temperature=27), "confirm", "heating_large", id="large jump"
        ),
        pytest.param(BALANCED, wish("lock", "Front door"), "allow", "locking", id="balanced locks"),
        pytest.param(
            BALANCED, wish("unlock", "Front door"), "confirm", "unlocking_asks", id="balanced unlocks if told"
        ),
        pytest.param(BALANCED, wish("open", "Front door"), "confirm", "locks_ask", id="balanced opens if told"),
    ],
)
def test_verdicts(table: PolicyTable, payload: dict[str, object], verdict: str, rule: str) -> None:
    """The first rule that matches decides; what it asks for is noted with its name."""
    step, result = asked(Policy, house(table), payload)
    assert isinstance(step, Pass)
    requirement = step.context.requirement
    assert requirement is not None
    assert (requirement.verdict, requirement.rule) == (verdict, rule)
    assert result.evidence == {"verdict": verdict, "rule": rule, "table": table.digest}


@pytest.mark.parametrize(
    ("table", "payload", "rule"),
    [
        pytest.param(STRICT, wish("lock", "Front door"), "no_locking", id="lock"),
        pytest.param(STRICT, wish("unlock", "Front door"), "no_unlocking", id="unlock"),
        pytest.param(STRICT, wish("open", "Front door"), "no_unlocking", id="the latch is judged as unlock too"),
    ],
)
def test_denied(table: PolicyTable, payload: dict[str, object], rule: str) -> None:
    """What a rule denies is refused with the rule's name."""
    step, result = asked(Policy, house(table), payload)
    assert isinstance(step, Refuse)
    assert (step.code, result.reason, result.passed) == (Code.POLICY_DENIED, Code.POLICY_DENIED, False)
    assert result.evidence == {"rule": rule}


@pytest.mark.parametrize("payload", [wish("turn_on", "Lamp"), wish("status", "Lamp")])
def test_unreadable(payload: dict[str, object]) -> None:
    """A policy that cannot be read allows nothing, not even reading, and says why (R2)."""
    step, result = asked(Policy, house(UNREADABLE), payload)
    assert isinstance(step, Refuse)
    assert result.reason is Code.POLICY_UNREADABLE


@pytest.mark.parametrize(
    ("moved", "limit", "temperature", "code"),
    [
        pytest.param(0, 3, 23, None, id="as far as it may"),
        pytest.param(0, 3, 23.5, Code.CHANGE_LIMIT, id="too far"),
        pytest.param(0, 3, 16.5, Code.CHANGE_LIMIT, id="too far down"),
        pytest.param(2, 3, 21, None, id="the rest"),
        pytest.param(2, 3, 21.5, Code.CHANGE_LIMIT, id="more than the rest"),
        pytest.param(3, 3, 20, None, id="nothing is moved"),
        pytest.param(50, None, 23, None, id="no limit"),
    ],
)
def test_degrees(moved: float, limit: float | None, temperature: float, code: Code | None) -> None:
    """A set point is moved as far as the agent may within an hour, up and down added."""
    made = MadeHouse(table=BALANCED).add("climate.a", "A", "heat", room="Hall", temperature=20, **HEATING)
    made.stand = Standing(status="active", degrees_per_hour=limit)
    made.degrees = {"climate.a": moved}
    _, result = asked(Policy, made, wish("set_temperature", "A", temperature=temperature))
    assert result.reason is code


@pytest.mark.parametrize(
    ("wanted", "limit", "code"),
    [
        pytest.param(23.0, 3, None, id="as far as it may"),
        pytest.param(24.0, 3, Code.CHANGE_LIMIT, id="too far"),
        pytest.param(inf, 3, Code.CHANGE_LIMIT, id="nobody knows how far"),
        pytest.param(30.0, None, None, id="no limit"),
    ],
)
def test_degrees_of_a_script(wanted: float, limit: float | None, code: Code | None) -> None:
    """What a script moves counts like what the agent moves itself."""
    step = Deed(entity_id="climate.a", verbs=("set_temperature",), temperature=wanted)
    made = MadeHouse(table=PolicyTable(name="all", rules=(PolicyRule(id="all", verdict=Verdict.ALLOW),)))
    made.add("climate.a", "A", "heat", room="Hall", temperature=20, **HEATING)
    made.add("script.warm", "Warm", "off", makeup=Makeup(kind="script", deeds={"run": (step,)}))
    made.stand = Standing(status="active", degrees_per_hour=limit)
    _, result = asked(Policy, made, wish("run", "Warm"))
    assert result.reason is code


@pytest.mark.parametrize(
    ("temperature", "code"), [(22, None), (23, Code.CHANGE_LIMIT)], ids=["from the measured one", "too far from it"]
)
def test_degrees_where_there_is_no_set_point(temperature: float, code: Code | None) -> None:
    """Where no set point is shown it is counted from the temperature that is measured."""
    made = MadeHouse(table=BALANCED).add("climate.a", "A", "heat", room="Hall", current_temperature=19, **HEATING)
    made.stand = Standing(status="active", degrees_per_hour=3)
    _, result = asked(Policy, made, wish("set_temperature", "A", temperature=temperature))
    assert result.reason is code


@pytest.mark.parametrize(
    ("payload", "max_risk", "code"),
    [
        pytest.param(wish("turn_on", "Lamp"), 1, None, id="as high as it may"),
        pytest.param(wish("turn_on", "Lamp"), 0, Code.RISK_TOO_HIGH, id="one too high"),
        pytest.param(wish("status", "Front door"), 0, None, id="reading has no risk"),
        pytest.param(wish("set_temperature", "Heating", temperature=27), 2, Code.RISK_TOO_HIGH, id="a raised risk"),
        pytest.param(wish("open", "Garage"), 3, Code.RISK_TOO_HIGH, id="garage"),
    ],
)
def test_ceiling(payload: dict[str, object], max_risk: int, code: Code | None) -> None:
    """No rule lifts an agent's highest risk."""
    everything = PolicyTable(name="all", rules=(PolicyRule(id="all", verdict=Verdict.ALLOW),))
    made = house(everything)
    made.stand = Standing(status="active", max_risk=max_risk)
    step, result = asked(Policy, made, payload)
    assert result.reason == code
    assert isinstance(step, Pass) is (code is None)


def test_the_strictest_of_a_room_counts() -> None:
    """What one member needs the whole request needs."""
    rules = (
        PolicyRule(id="risky", risk=(2, 5), verdict=Verdict.CONFIRM),
        PolicyRule(id="rest", verdict=Verdict.ALLOW),
    )
    made = (
        MadeHouse(table=PolicyTable(name="made", rules=rules))
        .add("climate.a", "A", "heat", room="Hall", temperature=20, **HEATING)
        .add("climate.b", "B", "heat", room="Hall", temperature=5, **HEATING)
    )
    payload = proposing("set_temperature", room="Hall", device_type="thermostat", params={"temperature": 21})
    step, _ = asked(Policy, made, payload)
    assert isinstance(step, Pass)
    assert step.context.requirement is not None
    requirement = step.context.requirement
    assert (requirement.verdict, requirement.risk, requirement.about) == ("confirm", 3, "B")


@pytest.mark.parametrize(
    ("payload", "needed", "people"),
    [
        pytest.param(wish("open", "Garage"), 1, 1, id="one person"),
        pytest.param(wish("open", "Garage"), 2, 2, id="two people"),
        pytest.param(wish("turn_on", "Lamp"), 2, 1, id="nobody is asked about a lamp"),
    ],
)
def test_people(payload: dict[str, object], needed: int, people: int) -> None:
    """How many must say yes is part of what is required."""
    made = house()
    made.needed = needed
    step, _ = asked(Policy, made, payload)
    assert isinstance(step, Pass)
    assert step.context.requirement is not None
    assert step.context.requirement.people == people


def test_what_is_already_so_needs_no_yes() -> None:
    """Of a room of which the serious part is done already, nobody is asked about it."""
    rules = (PolicyRule(id="risky", risk=(3, 5), verdict=Verdict.CONFIRM), PolicyRule(id="rest", verdict=Verdict.ALLOW))
    made = MadeHouse(table=PolicyTable(name="made", rules=rules)).add(
        "cover.a", "A", "open", room="Hall", device_class="garage", supported_features=15, current_position=100
    )
    step, _ = asked(Policy, made, proposing("open", device_alias="A"))
    assert isinstance(step, Pass)
    assert step.context.requirement is not None
    assert step.context.requirement.verdict == "allow"


@pytest.mark.parametrize(
    ("denied", "device_type", "payload"),
    [
        pytest.param("turn_on", "light", wish("turn_on", "Lamp"), id="on"),
        pytest.param("turn_on", "light", wish("toggle", "Lamp"), id="on by toggle"),
        pytest.param("turn_on", "light", wish("turn_on", "Lamp", brightness=50), id="on with brightness"),
        pytest.param("turn_on", "light", wish("set_brightness", "Lamp", brightness=50), id="on by brightness"),
        pytest.param("turn_on", "light", wish("set_color", "Lamp", color="red"), id="on by colour"),
        pytest.param("set_brightness", "light", wish("turn_on", "Lamp", brightness=50), id="dim by on"),
        pytest.param(
            "set_brightness", "light", wish("turn_on", "Lamp", brightness=50, color="red"), id="dim by on with colour"
        ),
        pytest.param(
            "set_brightness", "light", wish("set_color", "Lamp", brightness=50, color="red"), id="dim by colour"
        ),
        pytest.param("turn_off", "light", wish("set_brightness", "Lamp", brightness=0), id="off by brightness"),
        pytest.param("open", "garage_door", wish("toggle", "Garage"), id="open by toggle"),
        pytest.param("open", "garage_door", wish("set_position", "Garage", position=1), id="open by position"),
        pytest.param("close", "garage_door", wish("set_position", "Garage", position=0), id="close by position"),
        pytest.param("unlock", "lock", wish("open", "Front door"), id="unlock by open"),
        pytest.param("turn_off", "thermostat", wish("set_mode", "Heating", mode="off"), id="off by mode"),
    ],
)
def test_a_denial_cannot_be_dodged(denied: str, device_type: str, payload: dict[str, object]) -> None:
    """What is denied by one name is denied by every other that does the same (R5)."""
    rules = (
        PolicyRule(id="no", operations=(denied,), device_types=(device_type,), verdict=Verdict.DENY),
        PolicyRule(id="rest", verdict=Verdict.ALLOW),
    )
    made = house(PolicyTable(name="made", rules=rules))
    judgement = judge(request(payload), Facts(made))
    assert isinstance(judgement.step, Refuse), judgement.step
    assert judgement.step.code is Code.POLICY_DENIED


PIN, ANNA = Terms(pin=True), Terms(approvers=("anna", "bert"), seconds=30)
HEAT_A = PolicyRule(id="risky", operations=("set_temperature",), risk=(3, 5), verdict=Verdict.CONFIRM, terms=ANNA)
HEAT_B = PolicyRule(id="small", operations=("set_temperature",), risk=(0, 2), verdict=Verdict.CONFIRM, terms=PIN)
UNLOCK = PolicyRule(id="unlock", operations=("unlock",), verdict=Verdict.CONFIRM, terms=PIN)
OPEN = PolicyRule(id="open", operations=("open",), verdict=Verdict.CONFIRM, terms=ANNA)
REST = PolicyRule(id="rest", verdict=Verdict.ALLOW)


def rooms(temperatures: tuple[int, ...]) -> MadeHouse:
    """Heatings of one room, set to these temperatures."""
    made = MadeHouse()
    for number, present in enumerate(temperatures):
        made.add(f"climate.h{number}", f"H{number}", "heat", room="Hall", temperature=present, **HEATING)
    return made


@pytest.mark.parametrize("rules", [(HEAT_A, HEAT_B, REST), (HEAT_B, HEAT_A, REST)], ids=["large first", "small first"])
@pytest.mark.parametrize(
    ("temperatures", "verdict", "terms"),
    [
        pytest.param((5,), "confirm", ANNA, id="one large jump"),
        pytest.param((20,), "confirm", PIN, id="one small step"),
        pytest.param((20, 5), "confirm", PIN.joined(ANNA), id="both"),
        pytest.param((5, 20), "confirm", PIN.joined(ANNA), id="the other way round"),
        pytest.param((21, 5), "confirm", ANNA, id="what is already so asks for nothing"),
        pytest.param((5, 21), "confirm", ANNA, id="what is already so asks for nothing, last"),
        pytest.param((21,), "allow", NO_TERMS, id="all is so"),
    ],
)
def test_terms_of_all_actions(
    rules: tuple[PolicyRule, ...], temperatures: tuple[int, ...], verdict: str, terms: Terms
) -> None:
    """Whatever is demanded for any action that will be called is demanded for the request."""
    made = rooms(temperatures)
    made.table = PolicyTable(name="made", rules=rules)
    payload = proposing("set_temperature", room="Hall", device_type="thermostat", params={"temperature": 21})
    step, _ = asked(Policy, made, payload)
    assert isinstance(step, Pass)
    assert step.context.requirement is not None
    assert (step.context.requirement.verdict, step.context.requirement.terms) == (verdict, terms)


@pytest.mark.parametrize("rules", [(UNLOCK, OPEN, REST), (OPEN, UNLOCK, REST)], ids=["unlock first", "open first"])
def test_terms_of_all_names(rules: tuple[PolicyRule, ...]) -> None:
    """No order of rules that are as strict loses a PIN: opening a door unlocks it."""
    step, _ = asked(Policy, house(PolicyTable(name="made", rules=rules)), wish("open", "Front door"))
    assert isinstance(step, Pass)
    assert step.context.requirement is not None
    assert step.context.requirement.terms == PIN.joined(ANNA)


def test_terms_of_what_is_allowed_do_not_count() -> None:
    """Terms say how a yes is given: a rule that allows asks for none."""
    table = PolicyTable(name="made", rules=(PolicyRule(id="all", verdict=Verdict.ALLOW, terms=PIN),))
    step, _ = asked(Policy, house(table), wish("turn_on", "Lamp"))
    assert isinstance(step, Pass)
    assert step.context.requirement is not None
    assert step.context.requirement.terms == NO_TERMS
