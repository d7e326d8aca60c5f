"""Every field of a row goes through the form and the file and comes back as it was."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.confirmation.household import Household, Person
from tests.policy_editor.forms import Row, asks_to_widen, edit, opened, put_in_force, rows_of, rules_in_force, save
from tests.real_home import AgentAccess

DENY: Row = {"id": "mine", "verdict": "deny", "name": "Mine"}
ASK: Row = {**DENY, "verdict": "confirm"}


@dataclass(frozen=True, kw_only=True)
class Ids:
    """What there is in this home to speak about."""

    agent: str
    approver: str
    user: str
    area: str
    floor: str
    label: str
    entity: str

    def put_into(self, value: Any) -> Any:
        """A value with the words ``<agent>`` and so on replaced."""
        if isinstance(value, Mapping):
            return {name: self.put_into(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self.put_into(one) for one in value]
        is_word = isinstance(value, str) and value.startswith("<")
        return getattr(self, value.strip("<>")) if is_word else value


@pytest.fixture
def ids(hass: HomeAssistant, agent: AgentAccess, house: Household, ada: Person) -> Ids:
    """An agent, an approver, a place of each kind, an entity."""
    entity = er.async_get(hass).async_get("light.kitchen_lights")
    assert entity is not None
    return Ids(
        agent=agent.id,
        approver=ada.subentry_id,
        user=ada.user.id,
        area=ar.async_get(hass).async_get_or_create("Kitchen").id,
        floor=fr.async_get(hass).async_create("Attic").floor_id,
        label=lr.async_get(hass).async_create("Precious").label_id,
        entity=entity.id,
    )


RULES: dict[str, Row] = {
    "id": DENY,
    "name": {**DENY, "name": "Änderungen »hier« | *alle*"},
    "verdict": {**DENY, "verdict": "allow"},
    "operations": {**DENY, "operations": ["turn_off", "set_temperature", "status"]},
    "device_types": {**DENY, "device_types": ["garage_door", "light"]},
    "a whole domain": {**DENY, "device_types": ["cover"]},
    "effects": {**DENY, "effects": ["read", "adjust", "secure", "unsecure", "motion", "run"]},
    "risk_from": {**DENY, "risk": [3, 5]},
    "risk_to": {**DENY, "risk": [0, 2]},
    "no risk": {**DENY, "risk": [0, 0]},
    "entities": {**DENY, "entities": ["<entity>", "lock.front_door", "light.nowhere"]},
    "areas": {**DENY, "areas": ["<area>", "nowhere"]},
    "floors": {**DENY, "floors": ["<floor>"]},
    "labels": {**DENY, "labels": ["<label>"]},
    "agents": {**DENY, "agents": ["<agent>", "automation", "gone"]},
    "speakers": {**DENY, "speakers": ["<user>"]},
    "origins": {**DENY, "origins": ["<area>"]},
    "weekdays": {**DENY, "weekdays": ["mon", "wed", "sun"]},
    "from": {**DENY, "from": "22:30", "to": "06:05"},
    "to": {**DENY, "from": "00:00", "to": "23:59"},
    "somebody": {**DENY, "somebody_home": True},
    "presence": {**DENY, "somebody_home": False},
    "states": {
        **DENY,
        "states": [
            {"entity": "lock.front_door", "states": ["locked", "locking"]},
            {"entity": "light.kitchen_lights", "states": ["off"]},
        ],
    },
    "conditions": {
        **DENY,
        "conditions": [
            {"condition": "numeric_state", "entity_id": "sensor.outside", "below": 5},
            {"condition": "template", "value_template": "{{ is_state('sun.sun', 'above_horizon') }}"},
        ],
    },
    "tool": {**DENY, "tool": "calculator"},
    "input": {**DENY, "tool": "calculator", "input": {"expression": "1+1", "deep": {"ä": [1, 2.5, None, True, ""]}}},
    "approvers": {**ASK, "approvers": ["<approver>"]},
    "seconds": {**ASK, "seconds": 10},
    "a long question": {**ASK, "seconds": 900},
    "pin": {**ASK, "pin": True},
    "everything": {
        **ASK,
        "operations": ["open"],
        "effects": ["unsecure"],
        "agents": ["<agent>"],
        "areas": ["<area>"],
        "floors": ["<floor>"],
        "labels": ["<label>"],
        "entities": ["<entity>"],
        "speakers": ["<user>"],
        "origins": ["<area>"],
        "device_types": ["garage_door"],
        "risk": [4, 5],
        "weekdays": ["sat"],
        "from": "12:00",
        "to": "13:00",
        "somebody_home": True,
        "states": [{"entity": "lock.front_door", "states": ["locked"]}],
        "conditions": [{"condition": "sun", "after": "sunset"}],
        "approvers": ["<approver>"],
        "seconds": 60,
        "pin": True,
    },
}
SAID_BY_THE_FORM = {"summary"}


@pytest.mark.parametrize("field", RULES)
async def test_round_trip(hass: HomeAssistant, home: MockConfigEntry, ids: Ids, field: str) -> None:
    """Opened and saved as it is shown, a rule stays word for word what it was, also after the next start."""
    rule = ids.put_into(RULES[field])
    await put_in_force(hass, home, rule)
    before = home.runtime_data.house.policy()
    assert rules_in_force(home) == [rule]
    review = await edit(hass, home, rows_of(await opened(hass, home, "rules")))
    assert not asks_to_widen(review)
    await save(hass, review)
    assert home.runtime_data.house.policy() == before
    assert await hass.config_entries.async_reload(home.entry_id)
    assert home.runtime_data.house.policy() == before
    assert [one.number for one in await home.runtime_data.book.async_versions()] == [2, 1]


async def test_every_field(hass: HomeAssistant, home: MockConfigEntry, ids: Ids) -> None:
    """No field of the form is forgotten here: each is filled in some rule, and shown."""
    form = await opened(hass, home, "rules")
    fields = set(form["data_schema"].schema["rules"].config["fields"])
    shown: set[str] = set()
    for rule in RULES.values():
        await put_in_force(hass, home, ids.put_into(rule))
        shown |= rows_of(await opened(hass, home, "rules"))[0].keys()
    assert shown == fields
    assert fields - RULES.keys() == SAID_BY_THE_FORM


async def test_saved_as_it_is_shown(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Rows that are saved as they are shown make no other table, and no new version."""
    await put_in_force(hass, home, {"id": "mine", "verdict": "deny"})
    before = home.runtime_data.house.policy()
    await save(hass, await edit(hass, home, rows_of(await opened(hass, home, "rules"))))
    assert home.runtime_data.house.policy() == before


@pytest.mark.parametrize("field", ["approvers", "speakers"])
async def test_people_who_are_gone(hass: HomeAssistant, home: MockConfigEntry, house: Household, field: str) -> None:
    """A rule about somebody who is gone can be opened and saved; the review tells of it."""
    ben = await house.approver("Ben")
    ids = {"approvers": ben.subentry_id, "speakers": ben.user.id}
    await put_in_force(hass, home, {**ASK, field: [ids[field]]})
    hass.config_entries.async_remove_subentry(home, ben.subentry_id)
    await hass.auth.async_remove_user(ben.user)
    await hass.async_block_till_done()
    review = await edit(hass, home, rows_of(await opened(hass, home, "rules")))
    assert f"names what is not there: {field}: " in review["description_placeholders"]["review"]
    before = home.runtime_data.house.policy()
    await save(hass, review)
    assert home.runtime_data.house.policy() == before
