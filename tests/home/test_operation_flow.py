"""The form of an operation that the owner adds: what is offered, what is kept, and what is wrong with it."""

from typing import Any

import pytest
import voluptuous as vol
from homeassistant.core import HomeAssistant, SupportsResponse
from homeassistant.data_entry_flow import FlowResultType, InvalidData
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.service import async_set_service_schema
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.catalogue.left_out import LEFT_OUT
from custom_components.edgehome.devices import CustomField, CustomOperation
from custom_components.edgehome.home.operation_flow import NEVER
from tests.all_services import set_up_all

FIELDS: dict[str, Any] = {
    "depth": {"required": True, "selector": {"number": {"min": 1, "max": 9.5, "step": 0.5}}},
    "count": {"selector": {"number": None}},
    "any": {"selector": {"number": {"step": "any"}}},
    "loud": {"selector": {"boolean": {}}},
    "note": {"selector": {"text": None}},
    "way": {"selector": {"select": {"options": ["left", {"value": "right", "label": "To the right"}]}}},
    "more": {"collapsed": True, "fields": {"deep": {"selector": {"boolean": None}}}},
    "ways": {"selector": {"select": {"options": ["a"], "multiple": True}}},
    "where": {"selector": {"area": {}}},
    "what": {"selector": {"object": None}},
    "odd": {"selector": {}},
    "untold": {},
    "code": {"selector": {"text": None}},
    "pin": {"selector": {"number": {"min": 0}}},
    "password": {"selector": {"text": None}},
    "usercode": {"selector": {"text": None}},
}
KINDS: dict[str, dict[str, Any]] = {
    "depth": {"kind": "number", "low": 1, "high": 9.5, "step": 0.5, "required": True},
    "count": {"kind": "number", "low": None, "high": None, "step": 1, "required": False},
    "any": {"kind": "number", "low": None, "high": None, "step": None, "required": False},
    "loud": {"kind": "boolean", "required": False},
    "note": {"kind": "text", "required": False},
    "way": {"kind": "option", "options": ["left", "right"], "required": False},
    "deep": {"kind": "boolean", "required": False},
}
"""What of these agents can send."""
TARGET = {"entity": [{"integration": "made", "domain": ["vacuum", "lawn_mower"]}, {"domain": ["vacuum", "fan"]}]}
DETAILS: dict[str, Any] = {"verb": "wipe", "domain": "vacuum", "effect": "run", "risk": 3, "fields": ["depth"]}


def register(hass: HomeAssistant, name: str, described: dict[str, Any] | None = None, **more: Any) -> None:
    """An action on entities, as an integration registers it."""
    domain, _, service = name.partition(".")
    schema = more.pop("schema", cv.make_entity_service_schema({}))
    hass.services.async_register(domain, service, lambda _: None, schema=schema, **more)
    async_set_service_schema(hass, domain, service, {"description": "x", **(described or {})})


async def start(hass: HomeAssistant, entry: MockConfigEntry, kind: str = "operation", **context: str) -> Any:
    """Opens the form."""
    context = {"source": "user", **context}
    return await hass.config_entries.subentries.async_init((entry.entry_id, kind), context=context)  # type: ignore[arg-type]  # a plain context


async def answer(hass: HomeAssistant, shown: Any, user_input: dict[str, Any]) -> Any:
    """Fills a form in."""
    result = await hass.config_entries.subentries.async_configure(shown["flow_id"], user_input)
    await hass.async_block_till_done()
    return result


async def details(hass: HomeAssistant, entry: MockConfigEntry, service: str = "made.wipe") -> Any:
    """The second form, of an action."""
    shown = await answer(hass, await start(hass, entry), {"service": service})
    assert (shown["type"], shown["step_id"]) == (FlowResultType.FORM, "details")
    return shown


async def add(hass: HomeAssistant, entry: MockConfigEntry, service: str = "made.wipe", **changed: Any) -> Any:
    """Goes through both forms; the subentry that was made."""
    form = await details(hass, entry, service)
    said = {name: value for name, value in (DETAILS | changed).items() if name in form["data_schema"].schema}
    made = await answer(hass, form, said)
    assert made["type"] is FlowResultType.CREATE_ENTRY, made
    return list(entry.subentries.values())[-1]


def options(form: Any, name: str) -> list[str]:
    """What a field of a form offers."""
    field = next(value for key, value in form["data_schema"].schema.items() if key == name)
    offered: list[str] = field.config["options"]
    return offered


def defaults(form: Any) -> dict[str, Any]:
    """What the form shows before anybody types."""
    return {
        str(key): key.description["suggested_value"] if key.description else key.default()
        for key in form["data_schema"].schema
    }


@pytest.fixture
async def wipe(hass: HomeAssistant, home: MockConfigEntry) -> MockConfigEntry:
    """EdgeHome in a house with an action that is in no catalogue."""
    register(hass, "made.wipe", {"fields": FIELDS, "target": TARGET})
    return home


@pytest.mark.parametrize(
    ("name", "more", "offered"),
    [
        pytest.param("made.act", {}, True, id="on entities"),
        pytest.param("made.act", {"supports_response": SupportsResponse.OPTIONAL}, True, id="it may answer"),
        pytest.param("light.blink", {}, True, id="of a domain of the catalogue"),
        pytest.param("made.act", {"supports_response": SupportsResponse.ONLY}, False, id="it only answers"),
        pytest.param("made.act", {"schema": None}, False, id="without a schema"),
        pytest.param("made.act", {"schema": vol.Schema({})}, False, id="a schema of its own"),
        pytest.param("made.toggle", {}, False, id="a toggle"),
        pytest.param("made.toggle_tilt", {}, False, id="a toggle of something"),
        pytest.param("light.turn_on", {}, False, id="in the catalogue"),
        *(pytest.param(f"{domain}.act", {}, False, id=f"never {domain}") for domain in sorted(NEVER)),
    ],
)  # fmt: skip
async def test_offered(
    hass: HomeAssistant, home: MockConfigEntry, name: str, more: dict[str, Any], offered: bool
) -> None:
    """Actions on entities that are not in the catalogue; what reaches whatever the owner wrote stays out (R4)."""
    register(hass, "made.other")
    register(hass, name, **more)
    form = await start(hass, home)
    assert (form["step_id"], name in options(form, "service")) == ("user", offered)
    assert options(form, "service") == sorted(options(form, "service"))
    if not offered:
        with pytest.raises(InvalidData):
            await answer(hass, form, {"service": name})


async def test_nothing_to_offer(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """A home without such actions."""
    form = await start(hass, entry)
    assert (form["type"], form["reason"]) == (FlowResultType.ABORT, "no_actions")


@pytest.mark.parametrize(
    "service",
    [
        pytest.param("cover.toggle_cover_tilt", id="toggle of a tilt"),
        pytest.param("script.toggle", id="toggle of a script"),
        pytest.param("media_player.media_play_pause", id="a toggle by another name"),
    ],
)
async def test_no_toggle_is_offered(hass: HomeAssistant, entry: MockConfigEntry, service: str) -> None:
    """Which way it goes is judged by the present state, and the owner's row has none."""
    assert LEFT_OUT[service].startswith("which way it goes")
    await set_up_all(hass)
    assert service not in options(await start(hass, entry), "service")


async def test_details(hass: HomeAssistant, wipe: MockConfigEntry) -> None:
    """The form knows the action's word, its domains and the values whose selectors say what they are."""
    form = await details(hass, wipe)
    assert form["description_placeholders"] == {"service": "made.wipe"}
    assert form["errors"] == {}
    assert defaults(form) == {"verb": "wipe", "domain": "vacuum", "effect": "run", "risk": 3, "fields": []}
    assert options(form, "domain") == ["vacuum", "lawn_mower", "fan"]
    assert options(form, "effect") == ["adjust", "secure", "unsecure", "motion", "run"]
    assert options(form, "fields") == list(KINDS)


@pytest.mark.parametrize(
    ("described", "domains"),
    [
        pytest.param({}, ["made"], id="nothing told"),
        pytest.param({"target": None}, ["made"], id="no target"),
        pytest.param({"target": {"entity": [{"integration": "made"}]}}, ["made"], id="no domain"),
        pytest.param({"target": {"entity": [{"domain": ["fan", "fan"]}, {"domain": ["fan"]}]}}, ["fan"], id="the same"),
    ],
)
async def test_without_values(
    hass: HomeAssistant, home: MockConfigEntry, described: dict[str, Any], domains: list[str]
) -> None:
    """An action without values asks for none; one that tells no domain is for its own."""
    register(hass, "made.wipe", described)
    form = await details(hass, home)
    assert list(defaults(form)) == ["verb", "domain", "effect", "risk"]
    assert options(form, "domain") == domains


@pytest.mark.parametrize(
    ("changed", "title"),
    [
        pytest.param({}, "wipe", id="as it stands"),
        pytest.param({"verb": "a1"}, "a1", id="a short word"),
        pytest.param({"verb": "a" * 40}, "a" * 40, id="a long word"),
        pytest.param({"domain": "fan", "effect": "secure", "risk": 0.0}, "wipe", id="other choices"),
        pytest.param({"fields": list(KINDS)}, "wipe", id="all values"),
        pytest.param({"fields": ["way", "depth"]}, "wipe", id="in the owner's order"),
    ],
)
async def test_add(hass: HomeAssistant, wipe: MockConfigEntry, changed: dict[str, Any], title: str) -> None:
    """What was said is kept with what the action's description says about its values."""
    subentry = await add(hass, wipe, **changed)
    said = DETAILS | changed
    fields = [{"name": name, **KINDS[name]} for name in said["fields"]]
    assert dict(subentry.data) == {**said, "risk": int(said["risk"]), "service": "made.wipe", "fields": fields}
    assert isinstance(subentry.data["risk"], int)
    assert (subentry.title, subentry.unique_id) == (title, title)


async def test_known_at_once(hass: HomeAssistant, wipe: MockConfigEntry) -> None:
    """The gates know it from then on, and no more when it is removed."""
    subentry = await add(hass, wipe, fields=["depth", "way"])
    house = wipe.runtime_data.house
    depth = CustomField(name="depth", kind="number", low=1, high=9.5, step=0.5, required=True)
    way = CustomField(name="way", kind="option", options=("left", "right"))
    custom = CustomOperation(
        name="wipe", domain="vacuum", service="made.wipe", effect="run", risk=3, fields=(depth, way)
    )
    assert house.custom_operations() == (custom,)
    hass.config_entries.async_remove_subentry(wipe, subentry.subentry_id)
    await hass.async_block_till_done()
    assert house.custom_operations() == ()


NO_VERBS = ["", "a", "Wipe", "wipe it", "wipe-it", "1wipe", "_wipe", "wipé", "a" * 41, "wipe\n"]


@pytest.mark.parametrize(
    ("changed", "errors"),
    [
        *(pytest.param({"verb": verb}, {"verb": "no_verb"}, id=f"word {verb!r}"[:20]) for verb in NO_VERBS),
        pytest.param({"verb": "turn_on"}, {"verb": "taken"}, id="a word of the catalogue"),
        pytest.param({"verb": "status"}, {"verb": "taken"}, id="reading"),
        pytest.param({"verb": "old"}, {"verb": "taken"}, id="another of the owner's"),
        pytest.param({"fields": []}, {"fields": "needed"}, id="a needed value is left out"),
        pytest.param({"fields": ["count"]}, {"fields": "needed"}, id="another value instead"),
    ],
)
@pytest.mark.parametrize("step", ["details", "reconfigure"])
async def test_faults(
    hass: HomeAssistant, wipe: MockConfigEntry, step: str, changed: dict[str, Any], errors: dict[str, str]
) -> None:
    """A fault is told, what was typed stays in the form, and put right it is taken."""
    await add(hass, wipe, verb="old")
    if step == "details":
        form = await details(hass, wipe)
    else:
        subentry = await add(hass, wipe)
        form = await start(hass, wipe, source="reconfigure", subentry_id=subentry.subentry_id)
    typed = {**DETAILS, "domain": "fan", "effect": "motion", "risk": 5, **changed}
    again = await answer(hass, form, typed)
    assert (again["step_id"], again["errors"]) == (step, errors)
    assert defaults(again) == typed
    done = await answer(hass, again, DETAILS)
    assert done["type"] is (FlowResultType.CREATE_ENTRY if step == "details" else FlowResultType.ABORT)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"domain": "lock"}, id="a domain that it is not for"),
        pytest.param({"effect": "read"}, id="reading is no effect"),
        pytest.param({"effect": "explode"}, id="an effect that there is not"),
        pytest.param({"risk": 6}, id="a risk above critical"),
        pytest.param({"risk": -1}, id="a risk below nothing"),
        pytest.param({"fields": ["code"]}, id="a secret value"),
        pytest.param({"fields": ["where"]}, id="a value that cannot be told"),
        pytest.param({"verb": 5}, id="a number for a word"),
        pytest.param({"other": 1}, id="another field"),
    ],
)
async def test_what_the_form_does_not_take(hass: HomeAssistant, wipe: MockConfigEntry, changed: dict[str, Any]) -> None:
    """The form takes only what it shows."""
    form = await details(hass, wipe)
    with pytest.raises(InvalidData):
        await answer(hass, form, DETAILS | changed)


async def test_reconfigure(hass: HomeAssistant, wipe: MockConfigEntry) -> None:
    """The form shows what was said; its own word is not taken, and the action stays."""
    subentry = await add(hass, wipe, domain="fan", effect="motion", risk=5, fields=["depth", "loud"])
    form = await start(hass, wipe, source="reconfigure", subentry_id=subentry.subentry_id)
    assert form["description_placeholders"] == {"service": "made.wipe"}
    shown = {"verb": "wipe", "domain": "fan", "effect": "motion", "risk": 5, "fields": ["depth", "loud"]}
    assert defaults(form) == shown
    done = await answer(hass, form, shown | {"risk": 4})
    assert (done["type"], done["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    form = await start(hass, wipe, source="reconfigure", subentry_id=subentry.subentry_id)
    await answer(hass, form, DETAILS | {"verb": "mop"})
    (kept,) = wipe.subentries.values()
    fields = [{"name": "depth", **KINDS["depth"]}]
    assert dict(kept.data) == {**DETAILS, "verb": "mop", "service": "made.wipe", "fields": fields}
    assert (kept.title, kept.unique_id, kept.subentry_id) == ("mop", "mop", subentry.subentry_id)
    assert [item.name for item in wipe.runtime_data.house.custom_operations()] == ["mop"]


async def test_a_value_that_is_gone(hass: HomeAssistant, wipe: MockConfigEntry) -> None:
    """What the action does not take any more is not suggested."""
    subentry = await add(hass, wipe, fields=["depth", "loud"])
    async_set_service_schema(hass, "made", "wipe", {"target": TARGET, "fields": {"depth": FIELDS["depth"]}})
    form = await start(hass, wipe, source="reconfigure", subentry_id=subentry.subentry_id)
    assert (defaults(form)["fields"], options(form, "fields")) == (["depth"], ["depth"])


async def test_values_can_be_emptied(hass: HomeAssistant, wipe: MockConfigEntry) -> None:
    """Emptied values are gone, also where a frontend leaves empty fields out."""
    register(hass, "made.plain", {"fields": {"loud": FIELDS["loud"]}, "target": TARGET})
    subentry = await add(hass, wipe, "made.plain", fields=["loud"])
    form = await start(hass, wipe, source="reconfigure", subentry_id=subentry.subentry_id)
    await answer(hass, form, {name: value for name, value in DETAILS.items() if name != "fields"})
    (kept,) = wipe.subentries.values()
    assert kept.data["fields"] == []


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        pytest.param({"where": {"required": True, "selector": {"area": {}}}}, "where", id="an area"),
        pytest.param({"code": {"required": True, "selector": {"text": None}}}, "code", id="a secret"),
        pytest.param({"area_id": {"required": True, "selector": {"text": None}}}, "area_id", id="a target"),
        pytest.param(
            {"more": {"fields": {"what": {"required": True, "selector": {"object": None}}}}}, "what", id="in a section"
        ),
    ],
)
async def test_a_needed_value_that_nobody_can_send(
    hass: HomeAssistant, home: MockConfigEntry, fields: dict[str, Any], missing: str
) -> None:
    """An action that needs an area (``vacuum.clean_area``) would be refused by its own schema every time."""
    register(hass, "made.wipe", {"target": TARGET, "fields": {"depth": FIELDS["depth"], **fields}})
    form = await answer(hass, await start(hass, home), {"service": "made.wipe"})
    assert (form["type"], form["reason"]) == (FlowResultType.ABORT, "needs_more")
    assert form["description_placeholders"] == {"fields": missing}


async def test_a_value_that_is_needed_now(hass: HomeAssistant, wipe: MockConfigEntry) -> None:
    """An action that came to need what nobody can send is told so where it is changed, too."""
    subentry = await add(hass, wipe)
    where = {"required": True, "selector": {"area": {}}}
    async_set_service_schema(hass, "made", "wipe", {"target": TARGET, "fields": {**FIELDS, "where": where}})
    form = await start(hass, wipe, source="reconfigure", subentry_id=subentry.subentry_id)
    assert (form["type"], form["reason"]) == (FlowResultType.ABORT, "needs_more")


@pytest.mark.parametrize(
    "described",
    [
        pytest.param({"selector": {"text": {"type": "password"}}}, id="a password by its selector"),
        pytest.param({"selector": {"text": {"multiple": True}}}, id="several texts"),
    ],
)
async def test_texts_that_are_none(hass: HomeAssistant, home: MockConfigEntry, described: dict[str, Any]) -> None:
    """Secrets are no agent's (R12), and a list is no text."""
    register(hass, "made.wipe", {"target": TARGET, "fields": {"note": FIELDS["note"], "other": described}})
    assert options(await details(hass, home), "fields") == ["note"]


async def test_targets_are_no_values(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A value must not add entities to the judged one (R6)."""
    fields = {name: {"selector": {"text": None}} for name in ("note", "area_id", "device_id", "floor_id", "label_id")}
    register(hass, "made.wipe", {"target": TARGET, "fields": fields})
    assert options(await details(hass, home), "fields") == ["note"]


async def test_it_can_be_allowed_on_an_entity(hass: HomeAssistant, wipe: MockConfigEntry) -> None:
    """Where the owner names the only operations of an entity, his own are among them."""
    await add(hass, wipe, verb="mop", domain="fan")
    form = await answer(hass, await start(hass, wipe, "entity"), {"entity": "fan.made"})
    assert "mop" in options(form, "operations")


async def test_one_that_was_taken_out_stays_until_the_owner_says_otherwise(
    hass: HomeAssistant, wipe: MockConfigEntry
) -> None:
    """An entity whose only operation is gone can do nothing; saving its form for another reason allows nothing more."""
    subentry = await add(hass, wipe, verb="mop", domain="fan")
    form = await answer(hass, await start(hass, wipe, "entity"), {"entity": "fan.made"})
    await answer(hass, form, {"operations": ["mop"]})
    hass.config_entries.async_remove_subentry(wipe, subentry.subentry_id)
    await hass.async_block_till_done()
    (word,) = wipe.get_subentries_of_type("entity")
    form = await start(hass, wipe, "entity", source="reconfigure", subentry_id=word.subentry_id)
    assert "mop" in options(form, "operations")
    done = await answer(hass, form, {"aliases": ["Whirl"], "operations": ["mop"]})
    assert (done["type"], done["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    (word,) = wipe.get_subentries_of_type("entity")
    assert word.data["operations"] == ["mop"]
