"""An agent that wants another temperature, and Ada who says yes for ten minutes."""

from typing import Any

from homeassistant.util import dt as dt_util

from custom_components.edgehome.policy.rule import PolicyRule, Verdict
from tests.confirmation.household import FOR_A_WHILE, Household, Phone
from tests.real_home import AgentAccess, proposing

ASK = PolicyRule(id="ask", risk=(1, 5), verdict=Verdict.CONFIRM)
HEATING = "climate.hvac"


def heat(temperature: float) -> dict[str, Any]:
    """The heating set to a value."""
    return proposing("set_temperature", "Hvac", temperature=temperature)


async def grant(house: Household, agent: AgentAccess, ada: Phone, wish: dict[str, Any] | None = None) -> dict[str, Any]:
    """The agent asks for 26 degrees, there are 21, and Ada says yes for ten minutes."""
    answer = await house.ask(agent.token, wish or heat(26))
    await ada.tap(await ada.question(), FOR_A_WHILE)
    assert await house.ended(answer) == ("confirmed", "DONE")
    await house.hass.async_block_till_done()
    return answer


async def back(house: Household, temperature: float = 21) -> None:
    """Somebody sets the heating by hand."""
    data = {"entity_id": HEATING, "temperature": temperature}
    await house.hass.services.async_call("climate", "set_temperature", data, blocking=True)


async def code(house: Household, agent: AgentAccess, wish: dict[str, Any]) -> str:
    """How a wish is answered at once: done by a grant, or waiting for a person."""
    answer = await house.doors.ask(agent.token, "execute", wish)
    assert (answer["outcome"], answer["code"]) in {("confirmed", "DONE"), ("pending", "WAITING")}, answer
    return str(answer["outcome"])


def grants(house: Household) -> int:
    """How many grants are in force."""
    return len(house.entry.runtime_data.questions.grants.in_force(dt_util.utcnow()))
