"""Only watching: agents are told what would be done, and nothing is."""

from typing import Any

import pytest
from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_capture_events

from custom_components.edgehome.confirmation.pending import Answer
from custom_components.edgehome.const import DOMAIN
from custom_components.edgehome.policy_editor.repair import WATCHING
from tests.confirmation.household import OPEN_GARAGE, Household, Person
from tests.policy_editor.forms import edit, opened, rows_of, save
from tests.real_home import AgentAccess, proposing

OFF = proposing("turn_off", "Kitchen Lights")
LOCK, STATUS = proposing("unlock", "Front Door"), proposing("status", "Kitchen Lights")
SET: dict[str, Any] = {
    "model_candidate": {"intent": "turn_off", "device_type": "light", "room": "Kitchen", "params": {}}
}
TWO: dict[str, Any] = {
    "commands": [
        OFF["model_candidate"],
        proposing("set_brightness", "Ceiling Lights", brightness=20)["model_candidate"],
    ]
}


async def watch(hass: HomeAssistant, entry: MockConfigEntry, *, on: bool) -> None:
    """The owner only watches, or does not any more."""
    hass.config_entries.async_update_entry(entry, options={**entry.options, "watch": on})
    await hass.async_block_till_done()


@pytest.fixture
async def watching(hass: HomeAssistant, home: MockConfigEntry, house: Household, ada: Person) -> Household:
    """A house whose owner only watches; Ada could be asked."""
    await watch(hass, home, on=True)
    return house


def states(hass: HomeAssistant) -> dict[str, str]:
    """How everything is."""
    return {state.entity_id: state.state for state in hass.states.async_all()}


@pytest.mark.parametrize(
    ("payload", "verdict"),
    [
        pytest.param(OFF, "allow", id="would be done"),
        pytest.param(SET, "allow", id="a set"),
        pytest.param(TWO, "allow", id="two at once"),
        pytest.param(OFF | {"dry_run": True}, "allow", id="a dry run"),
        pytest.param(OFF | {"request_id": "r1"}, "allow", id="with an id"),
        pytest.param(OPEN_GARAGE, "confirm", id="would be asked"),
        pytest.param(OPEN_GARAGE | {"wait": 1}, "confirm", id="would be asked, and waited for"),
    ],
)
async def test_preview(
    hass: HomeAssistant, watching: Household, ada: Person, agent: AgentAccess, payload: dict[str, Any], verdict: str
) -> None:
    """Whatever would be done or asked ends as a preview: nothing is called, nothing moves, nobody is asked."""
    before = states(hass)
    calls = async_capture_events(hass, EVENT_CALL_SERVICE)
    answer = await watching.doors.ask(agent.token, "execute", payload)
    await hass.async_block_till_done()
    assert (answer["outcome"], answer["code"], answer["requirement"]["verdict"]) == ("dry_run", "PREVIEW", verdict)
    assert "nothing was called" in answer["message"]
    assert {event.data["domain"] for event in calls} == {"edgehome"}
    assert states(hass) == before
    assert watching.entry.runtime_data.questions.questions_for(ada.user.id) == ()
    assert await watching.notifications() == []


async def test_says_that_it_watches(watching: Household, agent: AgentAccess) -> None:
    """An agent that did not ask for a dry run is told why nothing was done."""
    answer = await watching.doors.ask(agent.token, "execute", OFF)
    assert "only watches" in answer["hint"]
    assert answer["plan"]["actions"][0]["service"] == "light.turn_off"


async def test_the_owner_is_told(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """As long as nothing is done for anybody the owner is told so; not longer."""
    issues = ir.async_get(hass)
    assert issues.async_get_issue(DOMAIN, WATCHING) is None
    await watch(hass, home, on=True)
    assert issues.async_get_issue(DOMAIN, WATCHING)
    await watch(hass, home, on=False)
    assert issues.async_get_issue(DOMAIN, WATCHING) is None


async def test_the_owner_too(hass: HomeAssistant, watching: Household, owner: str) -> None:
    """It holds for everybody."""
    assert (await watching.doors.ask(owner, "execute", OFF))["code"] == "PREVIEW"
    assert hass.states.is_state("light.kitchen_lights", "on")


async def test_automations_too(hass: HomeAssistant, watching: Household) -> None:
    """Calls without a user are previews as well."""
    answer = await hass.services.async_call("edgehome", "execute", OFF, blocking=True, return_response=True)
    assert answer is not None
    assert answer["code"] == "PREVIEW"
    assert hass.states.is_state("light.kitchen_lights", "on")


async def test_what_is_refused_stays_refused(watching: Household, agent: AgentAccess) -> None:
    """Watching lifts nothing: what the policy denies is denied, what is no proposal is none."""
    ask = watching.doors.ask
    assert (await ask(agent.token, "execute", LOCK))["code"] == "POLICY_DENIED"
    assert (await ask(agent.token, "execute", proposing("turn_off", "Nowhere")))["code"] == "ENTITY_NOT_FOUND"
    assert (await ask(agent.token, "execute", {"nothing": 1}))["code"] == "SCHEMA"


async def test_reading_reads(watching: Household, agent: AgentAccess) -> None:
    """Reading is no deed: states are read, devices listed."""
    answer = await watching.doors.ask(agent.token, "execute", STATUS)
    assert (answer["outcome"], answer["code"]) == ("read", "STATUS")
    assert answer["result"]["states"][0]["state"] == "on"
    assert (await watching.doors.ask(agent.token, "list_devices", {}))["devices"]


async def test_already_so(watching: Household, agent: AgentAccess) -> None:
    """Where nothing would be called anyway, that is said."""
    answer = await watching.doors.ask(agent.token, "execute", proposing("turn_on", "Kitchen Lights"))
    assert (answer["outcome"], answer["code"]) == ("no_change", "ALREADY_SO")


async def test_undo(hass: HomeAssistant, home: MockConfigEntry, house: Household, agent: AgentAccess) -> None:
    """What was done before is not taken back while the owner only watches."""
    assert (await house.doors.ask(agent.token, "execute", OFF))["code"] == "DONE"
    await watch(hass, home, on=True)
    assert (await house.doors.ask(agent.token, "undo", {}))["code"] == "PREVIEW"
    assert hass.states.is_state("light.kitchen_lights", "off")
    await watch(hass, home, on=False)
    assert (await house.doors.ask(agent.token, "undo", {}))["code"] == "DONE"
    assert hass.states.is_state("light.kitchen_lights", "on")


async def test_switched_off_again(
    hass: HomeAssistant, home: MockConfigEntry, watching: Household, ada: Person, agent: AgentAccess
) -> None:
    """Afterwards everything is done and asked as ever."""
    for payload in (OFF, OPEN_GARAGE):
        assert (await watching.doors.ask(agent.token, "execute", payload))["code"] == "PREVIEW"
    await watch(hass, home, on=False)
    assert (await watching.doors.ask(agent.token, "execute", OFF))["code"] == "DONE"
    assert hass.states.is_state("light.kitchen_lights", "off")
    answer = await watching.ask(agent.token)
    assert watching.entry.runtime_data.questions.answer(answer["trace_id"], ada.user.id, Answer.YES, "page")
    assert await watching.ended(answer) == ("confirmed", "DONE")


async def test_switched_on_during_a_question(
    hass: HomeAssistant, home: MockConfigEntry, house: Household, ada: Person, agent: AgentAccess
) -> None:
    """A question that is open when the owner starts to watch is taken back: a yes does nothing any more."""
    answer = await house.ask(agent.token)
    await watch(hass, home, on=True)
    assert not house.entry.runtime_data.questions.answer(answer["trace_id"], ada.user.id, Answer.YES, "page")
    assert await house.ended(answer) == ("dry_run", "PREVIEW")
    assert house.is_closed()


async def test_what_was_watched_is_reviewed(
    hass: HomeAssistant, home: MockConfigEntry, watching: Household, agent: AgentAccess
) -> None:
    """What agents asked for meanwhile is what a new policy is tried on."""
    for payload in (OFF, OPEN_GARAGE, LOCK):
        await watching.doors.ask(agent.token, "execute", payload)
    rows = rows_of(await opened(hass, home, "rules"))
    review = await edit(hass, home, [{"id": "no_off", "verdict": "deny", "operations": ["turn_off"]}, *rows])
    assert (
        "**1 of 3 requests of the last 30 days would be decided otherwise**"
        in (review["description_placeholders"]["review"])
    )
    await save(hass, review)
    assert (await watching.doors.ask(agent.token, "execute", OFF))["code"] == "POLICY_DENIED"
