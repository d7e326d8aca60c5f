"""The form of an entity: what the owner may say, what is kept of it, and how it is taken back."""

from typing import Any

import pytest
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.home.owners_words import key_of
from custom_components.edgehome.home.vetting import config_hash

LAMP, COVER, LOCK, SCRIPT = "light.kitchen_lights", "cover.garage_door", "lock.front_door", "script.night"


async def start(hass: HomeAssistant, entry: MockConfigEntry, **context: str) -> Any:
    """Opens the form: a new one, or that of ``subentry_id``."""
    context = {"source": "user", **context}
    return await hass.config_entries.subentries.async_init((entry.entry_id, "entity"), context=context)  # type: ignore[arg-type]  # a plain context


async def answer(hass: HomeAssistant, shown: Any, user_input: dict[str, object]) -> Any:
    """Fills a form in."""
    result = await hass.config_entries.subentries.async_configure(shown["flow_id"], user_input)
    await hass.async_block_till_done()
    return result


async def say(hass: HomeAssistant, entry: MockConfigEntry, entity_id: str, **words: object) -> ConfigSubentry:
    """Goes through both forms; the subentry that was made."""
    details = await answer(hass, await start(hass, entry), {"entity": entity_id})
    assert (details["type"], details["step_id"]) == (FlowResultType.FORM, "details")
    made = await answer(hass, details, words)
    assert made["type"] is FlowResultType.CREATE_ENTRY
    return list(entry.subentries.values())[-1]


async def reconfigure(hass: HomeAssistant, entry: MockConfigEntry, subentry: ConfigSubentry) -> Any:
    """Opens the form of one that there is."""
    return await start(hass, entry, source="reconfigure", subentry_id=subentry.subentry_id)


def fields(form: Any) -> list[str]:
    """The fields of a form."""
    return [str(key) for key in form["data_schema"].schema]


def suggested(form: Any) -> dict[str, object]:
    """What the form shows before anybody types."""
    shown = {str(key): key for key in form["data_schema"].schema}
    return {
        name: key.description["suggested_value"] if key.description else key.default() for name, key in shown.items()
    }


async def with_script(hass: HomeAssistant) -> None:
    """A script to be vetted, and one that can be read."""
    scripts = {
        "night": {"alias": "Night", "sequence": [{"event": "somebody_listens"}]},
        "plain": {"alias": "Plain", "sequence": [{"action": "light.turn_off", "target": {"entity_id": LAMP}}]},
    }
    assert await async_setup_component(hass, "script", {"script": scripts})
    await hass.async_block_till_done()


ALL = ["aliases", "operations", "low", "high", "risk"]


@pytest.mark.parametrize(
    ("entity_id", "expected"),
    [
        pytest.param(LAMP, ALL, id="a lamp has one type"),
        pytest.param(COVER, ["aliases", "device_type", "operations", "low", "high", "risk"], id="a cover has several"),
        pytest.param(LOCK, ALL, id="without a registry entry"),
        pytest.param(SCRIPT, [*ALL, "vet"], id="a script that cannot be read can be vetted"),
        pytest.param("script.plain", ALL, id="one that can be read needs no vetting"),
    ],
)
async def test_fields(hass: HomeAssistant, home: MockConfigEntry, entity_id: str, expected: list[str]) -> None:
    """The form asks what makes sense for the entity."""
    await with_script(hass)
    form = await answer(hass, await start(hass, home), {"entity": entity_id})
    assert fields(form) == expected
    assert form["description_placeholders"]["entity_id"] == entity_id
    assert form["errors"] == {}


@pytest.mark.parametrize(
    ("entity_id", "sent", "kept"),
    [
        pytest.param(LAMP, {}, {"aliases": [], "operations": []}, id="nothing"),
        pytest.param(
            LAMP,
            {"aliases": [" Big Thing ", "", "Ding"], "operations": ["turn_on"], "low": 10, "high": 60.5, "risk": 4.0},
            {"aliases": ["Big Thing", "Ding"], "operations": ["turn_on"], "low": 10, "high": 60.5, "risk": 4},
            id="everything",
        ),
        pytest.param(LAMP, {"low": 0, "risk": 0}, {"aliases": [], "operations": [], "low": 0, "risk": 0}, id="zeros"),
        pytest.param(
            LAMP, {"low": 5, "high": 5}, {"aliases": [], "operations": [], "low": 5, "high": 5}, id="one value"
        ),
        pytest.param(
            COVER, {"device_type": "gate"}, {"aliases": [], "operations": [], "device_type": "gate"}, id="a type"
        ),
        pytest.param(LOCK, {"risk": 2}, {"aliases": [], "operations": [], "risk": 2}, id="without a registry entry"),
    ],
)
async def test_add(
    hass: HomeAssistant, home: MockConfigEntry, entity_id: str, sent: dict[str, object], kept: dict[str, object]
) -> None:
    """What was said is kept under the registry's id."""
    subentry = await say(hass, home, entity_id, **sent)
    key = key_of(hass, entity_id)
    assert dict(subentry.data) == {"entity": key, **kept}
    state = hass.states.get(entity_id)
    assert state is not None
    assert (subentry.title, subentry.unique_id) == (state.name, key)


async def test_taken(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """One entity has one form."""
    await say(hass, home, LAMP)
    again = await answer(hass, await start(hass, home), {"entity": LAMP})
    assert (again["step_id"], again["errors"]) == ("user", {"entity": "taken"})
    details = await answer(hass, again, {"entity": COVER})
    assert details["step_id"] == "details"


async def test_taken_under_another_name(
    hass: HomeAssistant, home: MockConfigEntry, entity_registry: er.EntityRegistry
) -> None:
    """A renamed entity is the same one."""
    await say(hass, home, LAMP)
    entity_registry.async_update_entity(LAMP, new_entity_id="light.galley")
    await hass.async_block_till_done()
    again = await answer(hass, await start(hass, home), {"entity": "light.galley"})
    assert again["errors"] == {"entity": "taken"}


@pytest.mark.parametrize("step", ["details", "reconfigure"])
async def test_low_above_high(hass: HomeAssistant, home: MockConfigEntry, step: str) -> None:
    """A range upside down is told, and what was typed stays in the form."""
    if step == "details":
        form = await answer(hass, await start(hass, home), {"entity": LAMP})
    else:
        form = await reconfigure(hass, home, await say(hass, home, LAMP, low=1, high=2))
    assert form["step_id"] == step
    again = await answer(hass, form, {"low": 60, "high": 10, "aliases": ["Ding"], "operations": ["turn_on"]})
    assert (again["step_id"], again["errors"]) == (step, {"high": "low_above_high"})
    shown = suggested(again)
    assert (shown["low"], shown["high"], shown["aliases"], shown["operations"]) == (60, 10, ["Ding"], ["turn_on"])
    done = await answer(hass, again, {"low": 10, "high": 60})
    assert done["type"] in {FlowResultType.CREATE_ENTRY, FlowResultType.ABORT}


async def test_change_and_take_out(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """The form shows what was said; what is emptied is taken out again."""
    words: dict[str, object] = {"aliases": ["Ding"], "operations": ["open"], "low": 10, "high": 60, "risk": 4}
    subentry = await say(hass, home, COVER, device_type="gate", **words)
    form = await reconfigure(hass, home, subentry)
    assert suggested(form) == {"device_type": "gate", **words}
    done = await answer(hass, form, {"high": 50})
    assert (done["type"], done["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    (kept,) = home.subentries.values()
    assert dict(kept.data)["high"] == 50
    assert kept.data.keys() & {"low", "risk", "device_type"} == set()
    assert kept.data["entity"] == key_of(hass, COVER)


async def test_lists_can_be_emptied(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Emptied aliases and operations are gone, also where a frontend leaves empty fields out."""
    subentry = await say(hass, home, LAMP, aliases=["Ding"], operations=["turn_on"])
    await answer(hass, await reconfigure(hass, home, subentry), {})
    (kept,) = home.subentries.values()
    assert (kept.data["aliases"], kept.data["operations"]) == ([], [])


async def test_empty_lists_are_taken(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Lists that are sent empty are empty."""
    subentry = await say(hass, home, LAMP, aliases=["Ding"], operations=["turn_on"])
    await answer(hass, await reconfigure(hass, home, subentry), {"aliases": [], "operations": []})
    (kept,) = home.subentries.values()
    assert (kept.data["aliases"], kept.data["operations"]) == ([], [])


async def test_renamed_entity(hass: HomeAssistant, home: MockConfigEntry, entity_registry: er.EntityRegistry) -> None:
    """The form of a renamed entity speaks of its new id and keeps its key."""
    subentry = await say(hass, home, LAMP, risk=3)
    entity_registry.async_update_entity(LAMP, new_entity_id="light.galley")
    await hass.async_block_till_done()
    form = await reconfigure(hass, home, subentry)
    assert form["description_placeholders"]["entity_id"] == "light.galley"
    await answer(hass, form, {"risk": 4})
    (kept,) = home.subentries.values()
    assert (kept.data["entity"], kept.data["risk"]) == (subentry.data["entity"], 4)


@pytest.mark.parametrize("tick", [True, False])
async def test_vet(hass: HomeAssistant, home: MockConfigEntry, tick: bool) -> None:
    """Ticking keeps the hash of the present configuration; the tick shows as long as it is the same."""
    await with_script(hass)
    subentry = await say(hass, home, SCRIPT, vet=tick)
    assert subentry.data.get("vetted") == (config_hash(home.runtime_data.makeups, SCRIPT) if tick else None)
    assert "vet" not in subentry.data
    form = await reconfigure(hass, home, subentry)
    assert suggested(form)["vet"] is tick
    await answer(hass, form, {"vet": False})
    (kept,) = home.subentries.values()
    assert "vetted" not in kept.data


async def test_a_changed_script_is_not_ticked(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Another configuration than the vetted one: the form asks again."""
    await with_script(hass)
    subentry = await say(hass, home, SCRIPT, vet=True)
    hass.config_entries.async_update_subentry(home, subentry, data={**subentry.data, "vetted": "0" * 64})
    await hass.async_block_till_done()
    assert suggested(await reconfigure(hass, home, subentry))["vet"] is False


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param({"risk": 6}, id="a risk above critical"),
        pytest.param({"risk": -1}, id="a risk below nothing"),
        pytest.param({"low": "much"}, id="text for a number"),
        pytest.param({"operations": ["explode"]}, id="an operation that there is not"),
        pytest.param({"operations": ["unlock"]}, id="an operation of another domain"),
        pytest.param({"device_type": "lock"}, id="a type of another domain"),
        pytest.param({"vet": True}, id="vetting what has no configuration"),
        pytest.param({"other": 1}, id="another field"),
    ],
)
async def test_what_the_form_does_not_take(hass: HomeAssistant, home: MockConfigEntry, sent: dict[str, object]) -> None:
    """The form takes only what it shows."""
    form = await answer(hass, await start(hass, home), {"entity": COVER})
    with pytest.raises(InvalidData):
        await answer(hass, form, sent)


@pytest.mark.parametrize("entity_id", ["sensor.outside_temperature", "automation.x", "nonsense", ""])
async def test_which_entities(hass: HomeAssistant, home: MockConfigEntry, entity_id: str) -> None:
    """Only entities of the catalogue's domains."""
    with pytest.raises(InvalidData):
        await answer(hass, await start(hass, home), {"entity": entity_id})
