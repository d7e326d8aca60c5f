"""``edgehome.undo`` over Home Assistant's real doors, on the demo's devices."""

from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.home.exposure import ASSISTANT
from tests.real_home import AgentAccess, Doors, add_agent, proposing

BED, KITCHEN, CEILING = "light.bed_light", "light.kitchen_lights", "light.ceiling_lights"


async def call(hass: HomeAssistant, service: str, **data: object) -> None:
    """Somebody else acts."""
    domain, _, name = service.partition(".")
    await hass.services.async_call(domain, name, data, blocking=True)
    await hass.async_block_till_done()


def looks(hass: HomeAssistant, entity_id: str) -> tuple[str, int | None]:
    """State and brightness."""
    state = hass.states.get(entity_id)
    assert state is not None
    return state.state, state.attributes.get("brightness")


async def done(doors: Doors, agent: AgentAccess, intent: str, name: str, **params: object) -> dict[str, Any]:
    """A request that is carried out."""
    answer = await doors.ask(agent.token, "execute", proposing(intent, name, **params))
    assert answer["outcome"] == "executed", answer
    return answer


async def undo(doors: Doors, agent: AgentAccess, **payload: object) -> dict[str, Any]:
    """Takes something back."""
    answer: dict[str, Any] = await doors.ask(agent.token, "undo", payload)
    return answer


async def test_case_28(hass: HomeAssistant, agent: AgentAccess, doors: Doors) -> None:
    """On, dimmed, taken back: as bright as before, not off."""
    await call(hass, "light.turn_on", entity_id=KITCHEN, brightness=128)
    dimmed = await done(doors, agent, "set_brightness", "Kitchen Lights", brightness=77)
    assert dimmed["plan"]["actions"][0]["undoable"] is True
    assert dimmed["plan"]["actions"][0]["after"] == {"brightness": 196, "state": "on"}
    answer = await undo(doors, agent)
    assert (answer["outcome"], answer["code"]) == ("executed", "DONE")
    assert (answer["undoes"], answer["left_out"]) == (dimmed["trace_id"], [])
    assert looks(hass, KITCHEN) == ("on", 128)


async def test_only_the_last_one(hass: HomeAssistant, agent: AgentAccess, doors: Doors) -> None:
    """Each undo goes one deed further back; an undo is not taken back by the next."""
    await call(hass, "light.turn_on", entity_id=[KITCHEN, CEILING], brightness=100)
    await done(doors, agent, "set_brightness", "Kitchen Lights", brightness=80)
    await done(doors, agent, "turn_off", "Ceiling Lights")
    await doors.ask(agent.token, "execute", proposing("status", "Ceiling Lights"))
    await doors.ask(agent.token, "execute", proposing("unlock", "Front Door"))
    await undo(doors, agent)
    assert (looks(hass, CEILING), looks(hass, KITCHEN)) == (("on", 100), ("on", 204))
    await undo(doors, agent)
    assert (looks(hass, CEILING), looks(hass, KITCHEN)) == (("on", 100), ("on", 100))
    answer = await undo(doors, agent)
    assert (answer["outcome"], answer["code"]) == ("blocked", "NOTHING_TO_UNDO")


async def test_a_person_acted_since(hass: HomeAssistant, agent: AgentAccess, doors: Doors) -> None:
    """What is not as the request left it any more is left alone, and said."""
    await call(hass, "light.turn_on", entity_id=[KITCHEN, CEILING], brightness=100)
    off = {"commands": [{"intent": "turn_off", "device_alias": name} for name in ("Kitchen Lights", "Ceiling Lights")]}
    sent = await doors.ask(agent.token, "execute", off)
    await call(hass, "light.turn_on", entity_id=KITCHEN, brightness=10)
    answer = await undo(doors, agent, trace_id=sent["trace_id"])
    assert answer["outcome"] == "executed"
    assert answer["left_out"] == [{"entity_id": KITCHEN, "why": "it is not as the request left it"}]
    assert (looks(hass, KITCHEN), looks(hass, CEILING)) == (("on", 10), ("on", 100))
    again = await undo(doors, agent, trace_id=sent["trace_id"])
    assert (again["outcome"], again["code"]) == ("blocked", "NOTHING_TO_UNDO")
    assert "Kitchen Lights: it is not as the request left it" in again["message"]


async def test_through_the_chain(hass: HomeAssistant, agent: AgentAccess, doors: Doors) -> None:
    """Taking back is judged like any other request."""
    await call(hass, "light.turn_off", entity_id=BED)
    sent = await done(doors, agent, "turn_on", "Bed Light")
    preview = await undo(doors, agent, dry_run=True)
    assert (preview["outcome"], preview["plan"]["actions"][0]["service"]) == ("dry_run", "light.turn_off")
    assert looks(hass, BED)[0] == "on"
    answer = await undo(doors, agent, reason="{{ now() }}")
    assert (answer["outcome"], answer["code"]) == ("blocked", "TEMPLATE_TEXT")
    await call(hass, "switch.turn_on", entity_id="switch.edgehome_lockdown")
    answer = await undo(doors, agent, trace_id=sent["trace_id"])
    assert (answer["outcome"], answer["code"]) == ("blocked", "LOCKDOWN")
    assert looks(hass, BED)[0] == "on"


async def test_retry(hass: HomeAssistant, agent: AgentAccess, doors: Doors) -> None:
    """The same id gives the same trace and takes back once; for something else it is refused (R13)."""
    await call(hass, "light.turn_on", entity_id=KITCHEN, brightness=128)
    first = await done(doors, agent, "set_brightness", "Kitchen Lights", brightness=20)
    second = await done(doors, agent, "set_brightness", "Kitchen Lights", brightness=40)
    answer = await undo(doors, agent, request_id="u1")
    again = await undo(doors, agent, request_id="u1")
    assert (again["trace_id"], again["undoes"]) == (answer["trace_id"], second["trace_id"])
    assert looks(hass, KITCHEN) == ("on", 51)
    other = await undo(doors, agent, request_id="u1", trace_id=first["trace_id"])
    assert (other["outcome"], other["code"]) == ("blocked", "REQUEST_ID_CONFLICT")
    assert looks(hass, KITCHEN) == ("on", 51)


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        pytest.param({"trace_id": "nothing"}, "TRACE_NOT_FOUND", id="no such trace"),
        pytest.param({"trace_id": None}, "TRACE_NOT_FOUND", id="null"),
        pytest.param({"trace_id": 5}, "TRACE_NOT_FOUND", id="a number"),
        pytest.param({"commands": []}, "SCHEMA", id="another field"),
        pytest.param({"undoes": "x"}, "SCHEMA", id="EdgeHome's own field"),
        pytest.param({}, "NOTHING_TO_UNDO", id="nothing was done"),
    ],
)
async def test_refused(agent: AgentAccess, doors: Doors, payload: dict[str, object], code: str) -> None:
    """What cannot be taken back is refused with a reason."""
    answer = await undo(doors, agent, **payload)
    assert (answer["outcome"], answer["code"]) == ("blocked", code)
    assert answer["hint"]


async def test_what_has_no_way_back(hass: HomeAssistant, agent: AgentAccess, doors: Doors) -> None:
    """A deed that cannot be taken back says so in its plan, and the one before it is taken back."""
    await call(hass, "light.turn_off", entity_id=BED)
    await done(doors, agent, "turn_on", "Bed Light")
    assert await async_setup_component(hass, "timer", {"timer": {"eggs": {"name": "Eggs"}}})
    async_expose_entity(hass, ASSISTANT, "timer.eggs", True)  # noqa: FBT003  # Home Assistant's signature
    await hass.async_block_till_done()
    skipped = await doors.ask(agent.token, "execute", proposing("start", "Eggs", value="00:10:00"))
    assert skipped["plan"], skipped
    assert (skipped["outcome"], skipped["plan"]["actions"][0]["undoable"]) == ("executed", False)
    answer = await undo(doors, agent, trace_id=skipped["trace_id"])
    assert (answer["outcome"], answer["code"]) == ("blocked", "NOTHING_TO_UNDO")
    await undo(doors, agent)
    assert looks(hass, BED)[0] == "off"
    await call(hass, "timer.cancel", entity_id="timer.eggs")


async def test_only_ones_own(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """An agent takes back what it did itself; the owner what anybody did."""
    await call(hass, "light.turn_off", entity_id=BED)
    sent = await done(doors, agent, "turn_on", "Bed Light")
    other = await add_agent(hass, home, "Iris")
    assert (await undo(doors, other, trace_id=sent["trace_id"]))["code"] == "TRACE_NOT_FOUND"
    assert (await undo(doors, other))["code"] == "NOTHING_TO_UNDO"
    assert looks(hass, BED)[0] == "on"


async def test_a_dry_run_is_another_request(hass: HomeAssistant, agent: AgentAccess, doors: Doors) -> None:
    """An id of a dry run is not that of the deed, and the other way round (R13)."""
    await call(hass, "light.turn_off", entity_id=BED)
    await done(doors, agent, "turn_on", "Bed Light")
    assert (await undo(doors, agent, request_id="d1", dry_run=True))["outcome"] == "dry_run"
    assert (await undo(doors, agent, request_id="d1"))["code"] == "REQUEST_ID_CONFLICT"
    assert looks(hass, BED)[0] == "on"


async def test_nothing_to_undo_without_a_response(agent: AgentAccess, doors: Doors) -> None:
    """Where nobody reads the answer, nothing undone is an error with its words, though there is no trace of it."""
    status, body = await doors.rest(agent.token, "undo", {}, wanted=False)
    assert status == 400
    assert "There is nothing that can be taken back" in str(body)
