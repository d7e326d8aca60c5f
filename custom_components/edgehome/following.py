"""Follows whatever the owner changes, and Home Assistant's own start and stop, while the entry is loaded."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates
from homeassistant.config_entries import SIGNAL_CONFIG_ENTRY_CHANGED, ConfigEntry, ConfigEntryChange
from homeassistant.const import EVENT_COMPONENT_LOADED, EVENT_HOMEASSISTANT_CLOSE
from homeassistant.core import Event, HassJob, HomeAssistant, callback
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.service import async_get_all_descriptions
from homeassistant.helpers.start import async_at_started

from .agents.credentials import async_remove_user
from .confirmation.phones import MOBILE_APP
from .const import CONF_POLICY_BY, CONF_POLICY_HOW
from .data import EdgeHomeConfigEntry
from .home.exposure import ASSISTANT
from .policy.table import PolicyTable
from .policy_editor.book import PolicyBook
from .policy_editor.repair import async_tell_policy, async_tell_watching
from .posture import async_check
from .repairs import async_look_through
from .settings import Settings


@callback
def follow(hass: HomeAssistant, entry: EdgeHomeConfigEntry, cancelled: Sequence[str]) -> None:
    """Starts to follow; ends with the entry. ``cancelled`` are the questions that a restart has ended."""
    data = entry.runtime_data
    data.phones.tell_missing(data.approvers.all())

    async def describe(_: Event) -> None:
        # An integration came later: what its actions ask of entities is read before anybody may call them.
        await async_get_all_descriptions(hass)

    async def clear_phones(_: HomeAssistant) -> None:
        await data.questions.mobile.clear_everywhere(cancelled, data.approvers.all())

    async def prepare(_: HomeAssistant) -> None:
        await async_prepare(entry)

    async def close(_: Event) -> None:
        await stop(entry)

    for unfollow in (
        async_dispatcher_connect(hass, SIGNAL_CONFIG_ENTRY_CHANGED, partial(_entry_changed, hass, entry)),
        async_listen_entity_updates(hass, ASSISTANT, partial(_exposure_changed, hass, entry)),
        async_at_started(hass, partial(_look, entry)),
        async_at_started(hass, prepare),
        async_at_started(hass, clear_phones),
        # Before the stop event: with it the phones' channels are closed.
        hass.async_add_shutdown_job(HassJob(data.questions.async_cancel_all, "edgehome questions")),
        data.lockdown.async_listen(partial(_engaged_or_released, entry)),
        entry.add_update_listener(_owner_changed),
        hass.bus.async_listen(EVENT_COMPONENT_LOADED, describe),
        hass.bus.async_listen(EVENT_HOMEASSISTANT_CLOSE, close),
    ):
        entry.async_on_unload(unfollow)


async def stop(entry: EdgeHomeConfigEntry) -> None:
    """Breaks off what is running, and writes the evidence out."""
    await entry.runtime_data.pipeline.stop()
    await entry.runtime_data.evidence.close_store()


@callback
def _engaged_or_released(entry: EdgeHomeConfigEntry) -> None:
    data = entry.runtime_data
    data.house.owner_changed(
        Settings.from_options(entry.options, policy=data.house.policy(), lockdown=data.lockdown.engaged)
    )
    data.questions.grants.end_all("the lockdown changed")


@callback
def _exposure_changed(hass: HomeAssistant, entry: EdgeHomeConfigEntry) -> None:
    data = entry.runtime_data
    data.questions.grants.end_all("what agents may name has changed")
    data.house.owner_changed(data.house.settings)
    if hass.is_running:
        async_look_through(hass, entry)


@callback
def _entry_changed(hass: HomeAssistant, entry: EdgeHomeConfigEntry, _: ConfigEntryChange, changed: ConfigEntry) -> None:
    if changed.domain == MOBILE_APP:
        entry.runtime_data.phones.tell_missing(entry.runtime_data.approvers.all())
    if hass.is_running:
        async_check(hass, has_agents=bool(entry.runtime_data.agents.user_ids()))


@callback
def _look(entry: EdgeHomeConfigEntry, hass: HomeAssistant) -> None:
    """Tells the owner what he should know of this home."""
    async_tell_policy(hass, entry)
    async_tell_watching(hass, watching=entry.runtime_data.house.watching())
    async_check(hass, has_agents=bool(entry.runtime_data.agents.user_ids()))
    async_look_through(hass, entry)


async def _owner_changed(hass: HomeAssistant, entry: EdgeHomeConfigEntry) -> None:
    """Takes changed options and agents in, and removes the users of agents that are gone."""
    data = entry.runtime_data
    before = data.agents.user_ids()
    data.agents.load(entry)
    data.approvers.load(entry)
    data.names.renamed(data.words.load(entry))
    data.pins.keep_only(data.approvers.user_ids())
    data.phones.tell_missing(data.approvers.all())
    data.questions.grants.end_all("the owner changed EdgeHome's settings")
    # Only users of agents that are gone: a form may be open whose agent is not there yet.
    for user_id in before - data.agents.user_ids():
        await async_remove_user(hass, user_id)
    table = data.book.in_force(entry.options)
    settings = Settings.from_options(entry.options, policy=table, lockdown=data.lockdown.engaged)
    data.questions.settings = settings
    data.house.owner_changed(settings)
    await async_prepare(entry)
    await async_keep(data.book, table, entry.options)
    data.questions.changed()
    _look(entry, hass)


async def async_prepare(entry: EdgeHomeConfigEntry) -> None:
    """Prepares the conditions of the policy in force that only Home Assistant can tell."""
    data = entry.runtime_data
    await data.conditions.async_load(one.raw for one in data.house.policy().conditions if one.raw)


async def async_keep(
    book: PolicyBook, table: PolicyTable, options: Mapping[str, Any], *, at_start: bool = False
) -> None:
    """Keeps the table that is in force with the evidence, and who put it there."""
    by, how = options.get(CONF_POLICY_BY, ""), options.get(CONF_POLICY_HOW, "options")
    await book.async_keep(table, by, how, at_start=at_start)
