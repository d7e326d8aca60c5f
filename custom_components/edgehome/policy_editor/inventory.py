"""What there is in this home for rules to speak about."""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr

from ..confirmation.pins import PinState
from ..const import CONF_USER_ID, SUBENTRY_AGENT, SUBENTRY_APPROVER
from ..models import PrincipalKind
from ..policy.lint import Inventory


async def async_inventory(hass: HomeAssistant, entry: ConfigEntry) -> Inventory:
    """The home as the lint needs it."""
    data = entry.runtime_data
    registry = er.async_get(hass)
    return Inventory(
        devices=data.house.nameable(()),
        agents=frozenset(
            {one.subentry_id for one in entry.get_subentries_of_type(SUBENTRY_AGENT)} | {PrincipalKind.AUTOMATION.value}
        ),
        approvers={
            one.subentry_id: data.pins.state(one.data[CONF_USER_ID]) is PinState.SET
            for one in entry.get_subentries_of_type(SUBENTRY_APPROVER)
        },
        users=frozenset(user.id for user in await hass.auth.async_get_users() if user.is_active),
        areas=frozenset(area.id for area in ar.async_get(hass).async_list_areas()),
        floors=frozenset(floor.floor_id for floor in fr.async_get(hass).async_list_floors()),
        labels=frozenset(label.label_id for label in lr.async_get(hass).async_list_labels()),
        entities=frozenset(hass.states.async_entity_ids()) | {one.id for one in registry.entities.values()},
    )
