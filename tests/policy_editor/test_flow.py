"""The forms of the policy: edit, review, save, restore, import."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.policy.presets import STRICT
from tests.real_home import AgentAccess, Doors, proposing


async def opened(hass: HomeAssistant, entry: MockConfigEntry, step: str) -> Any:
    """One of the forms of the options."""
    menu = await hass.config_entries.options.async_init(entry.entry_id)
    return await hass.config_entries.options.async_configure(menu["flow_id"], {"next_step_id": step})


async def sent(hass: HomeAssistant, form: Any, said: dict[str, object]) -> Any:
    """Fills a form in."""
    result = await hass.config_entries.options.async_configure(form["flow_id"], said)
    await hass.async_block_till_done()
    return result


def suggested(form: Any) -> dict[str, Any]:
    """What a form shows."""
    return {str(key): key.description["suggested_value"] for key in form["data_schema"].schema}


async def test_edit(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """A rule that is added on top decides from then on; saved unchanged, the table is the preset again."""
    off = proposing("turn_off", "Kitchen Lights")
    assert (await doors.ask(agent.token, "execute", off))["code"] == "DONE"
    form = await opened(hass, home, "rules")
    shown = suggested(form)
    assert [row["id"] for row in shown["rules"]] == [rule.id for rule in STRICT.rules]
    row = {"name": "No lamps", "verdict": "deny", "device_types": ["light"]}
    review = await sent(hass, form, {"name": "mine", "rules": [row, *shown["rules"]]})
    assert review["step_id"] == "rules"
    print(review["description_placeholders"]["problem"])
    rows = [one for one in shown["rules"] if one["id"] != "dimming"]
    review = await sent(hass, form, {"name": "mine", "rules": [row, *rows]})
    assert review["step_id"] == "review", review
    print(review["description_placeholders"]["review"])
    assert not review["data_schema"].schema
    saved = await sent(hass, review, {})
    assert saved["type"] is FlowResultType.CREATE_ENTRY
    on = proposing("turn_on", "Kitchen Lights")
    answer = await doors.ask(agent.token, "execute", on)
    print(answer)
    assert (answer["code"]) == "POLICY_DENIED"
    form = await opened(hass, home, "versions")
    print(form["data_schema"].schema)
    review = await sent(hass, form, {"version": "1"})
    print(review["description_placeholders"]["review"])
    refused = await sent(hass, review, {"widen": False})
    assert refused["errors"] == {"widen": "not_confirmed"}
    saved = await sent(hass, review, {"widen": True})
    assert saved["type"] is FlowResultType.CREATE_ENTRY
    assert (await doors.ask(agent.token, "execute", on))["code"] == "DONE"
    form = await opened(hass, home, "document")
    print(suggested(form)["document"])
    review = await sent(
        hass,
        form,
        {
            "document": "version: 1\nallowed_services: [light.turn_on, {service: switch.turn_off, target: {entity_id: [switch.ac]}}]\nallowed_tools: [calculator]\n"
        },
    )
    print(review["description_placeholders"])
    saved = await sent(hass, review, {"widen": True} if review["data_schema"].schema else {})
    print(
        (await doors.ask(agent.token, "execute", on))["code"], (await doors.ask(agent.token, "execute", off))["message"]
    )
    print(dict(home.options))
    form = await opened(hass, home, "rules")
    print(suggested(form)["rules"][1])
    form = await opened(hass, home, "document")
    print(suggested(form)["document"])
