"""The driver and a yes for a while: counted once it is carried out, nothing done when it ended meanwhile (R9)."""

from dataclasses import replace
from typing import Any

import pytest

from custom_components.edgehome.chain import settled
from custom_components.edgehome.confirmation.grants import Grant
from custom_components.edgehome.plan import ExecutionPlan
from custom_components.edgehome.policy.rule import PolicyRule, Verdict
from custom_components.edgehome.policy.table import PolicyTable
from tests.made_driver import Driver
from tests.made_house import MadeHouse, proposing
from tests.made_questions import answered, parked
from tests.made_traces import asking

ASK = PolicyTable(name="ask", rules=(PolicyRule(id="all", verdict=Verdict.CONFIRM),))
HEATING: dict[str, Any] = {"supported_features": 1, "min_temp": 7, "max_temp": 35, "hvac_modes": ["off", "heat"]}
DONE, SUPERSEDED = ("confirmed", "DONE"), ("cancelled", "SUPERSEDED")


def wish(trace_id: str, temperature: float = 25) -> Any:
    """The heating set to a value."""
    payload = proposing("set_temperature", device_alias="Heating", params={"temperature": temperature})
    return replace(asking(trace_id), payload=payload)


@pytest.fixture
async def driver() -> Driver:
    """A heating for which a yes for a while was given, up to 25 degrees."""
    house = MadeHouse(people=("Anna",), table=ASK).add("climate.hall", "Heating", "heat", temperature=20, **HEATING)
    driver = Driver(house=house)
    callers = await parked(driver, wish("01"))
    driver.confirmation.yes("01", for_a_while=True)
    assert await answered(callers) == [DONE]
    house.granted = driver.confirmation.in_force("hermes")
    assert [grant.id for grant in house.granted] == ["01"]
    return driver


async def test_used(driver: Driver) -> None:
    """What the grant covers is done at once, reads as confirmed, and is counted once."""
    assert (await driver.pipeline.submit(wish("02", 23))).answer()["outcome"] == "confirmed"
    assert driver.confirmation.used == [("01", "02")]
    assert [ticket.request.trace_id for ticket in driver.backend.tickets] == ["01", "02"]
    assert list(driver.confirmation.questions) == ["01"]
    assert settled(driver.evidence.closed[-1].plan) == driver.backend.executed[-1]


def end(driver: Driver) -> None:
    """The grant ends."""
    driver.house.granted = ()
    driver.home.revision += 1


def deny(driver: Driver) -> None:
    """The owner denies it."""
    driver.house.table = PolicyTable(name="no", rules=(PolicyRule(id="no", verdict=Verdict.DENY),))
    driver.home.revision += 1


def turn_up(driver: Driver) -> None:
    """The device changed: it is not the plan that was judged."""
    driver.home.change("climate.hall", "off")


@pytest.mark.parametrize(
    ("during", "end"),
    [
        pytest.param(end, SUPERSEDED, id="the grant ends"),
        pytest.param(deny, ("blocked", "POLICY_DENIED"), id="it is denied"),
        pytest.param(turn_up, SUPERSEDED, id="the device changes"),
    ],
)
async def test_while_the_intent_is_written(driver: Driver, during: Any, end: tuple[str, str]) -> None:
    """Nothing is done and nothing counted when it is not so any more at the moment of the deed."""
    driver.evidence.during = lambda: during(driver)
    await driver.pipeline.submit(wish("02"))
    assert driver.ends()[-1] == end
    assert (driver.confirmation.used, len(driver.backend.tickets)) == ([], 1)


async def test_another_grant_takes_over(driver: Driver) -> None:
    """When one grant ends and another covers the same, that one is counted."""

    def swap() -> None:
        first: Grant = driver.house.granted[0]
        driver.house.granted = (replace(first, id="other"),)
        driver.home.revision += 1

    driver.evidence.during = swap
    assert (await driver.pipeline.submit(wish("02"))).answer()["outcome"] == "confirmed"
    assert driver.confirmation.used == [("other", "02")]


async def test_a_failure_is_counted_too(driver: Driver) -> None:
    """A deed by a grant that fails was one."""
    driver.backend.error = RuntimeError()
    assert (await driver.pipeline.submit(wish("02"))).answer()["outcome"] == "unknown"
    assert driver.confirmation.used == [("01", "02")]


async def test_allowed_is_no_use(driver: Driver) -> None:
    """What the policy allows needs no grant and reads as executed."""
    driver.house.table = PolicyTable(name="all", rules=(PolicyRule(id="all", verdict=Verdict.ALLOW),))
    assert (await driver.pipeline.submit(wish("02"))).answer()["outcome"] == "executed"
    assert driver.confirmation.used == []
    assert driver.backend.executed[-1] != ExecutionPlan()
