"""EdgeHome: the one safe door between AI agents and a home."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates
from homeassistant.config_entries import SIGNAL_CONFIG_ENTRY_CHANGED, ConfigEntry, ConfigEntryChange
from homeassistant.const import EVENT_COMPONENT_LOADED, EVENT_HOMEASSISTANT_CLOSE, Platform
from homeassistant.core import Event, HassJob, HomeAssistant, callback
from homeassistant.exceptions import ConfigEntryError, ConfigEntryNotReady
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.service import async_get_all_descriptions
from homeassistant.helpers.start import async_at_started
from homeassistant.helpers.typing import ConfigType

from .agents.credentials import async_remove_others, async_remove_user
from .agents.register import AgentRegister
from .announcement import async_announce
from .backends.homeassistant import HomeAssistantBackend
from .confirmation.approvers import ApproverRegister
from .confirmation.broker import Broker
from .confirmation.inbox import async_setup_inbox
from .confirmation.phones import MOBILE_APP, Phones
from .confirmation.pins import Pins
from .const import DOMAIN, EVIDENCE_FILE
from .data import EdgeHomeConfigEntry, EdgeHomeData
from .evidence.store import EvidenceStore
from .home.house import HomeAssistantHouse
from .home.names import NameIndex
from .home.owners_words import OwnersWords
from .home.records import ASSISTANT
from .lockdown import Lockdown
from .panel import async_hide, async_setup_static, async_show
from .pipeline import Pipeline
from .policy.table import UNREADABLE
from .posture import async_check
from .services import async_setup_services
from .settings import Settings

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)
PLATFORMS = (Platform.SWITCH,)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Registers the actions, so that automations that name them are valid while the entry is not loaded."""
    async_setup_services(hass)
    async_setup_inbox(hass)
    await async_setup_static(hass)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: EdgeHomeConfigEntry) -> bool:
    """Opens the evidence, reads the owner's settings and builds the chain.

    Raises:
        ConfigEntryError: the policy cannot be read; nothing is accepted.
        ConfigEntryNotReady: the evidence cannot be written; nothing is accepted, Home Assistant tries again.
    """
    lockdown = Lockdown(hass)
    await lockdown.async_load()
    try:
        settings = Settings.from_options(entry.options, lockdown=lockdown.engaged)
    except KeyError as error:
        raise ConfigEntryError(translation_domain=DOMAIN, translation_key="policy_unreadable") from error
    evidence = EvidenceStore(Path(hass.config.path(DOMAIN, EVIDENCE_FILE)), hass.loop)
    try:
        cancelled = await evidence.open()
        await _keep_policy(evidence, settings)
    except (OSError, sqlite3.Error) as error:
        await evidence.close_store()
        raise ConfigEntryNotReady(
            translation_domain=DOMAIN,
            translation_key="evidence_unreadable",
            translation_placeholders={"error": str(error)},
        ) from error
    # Also when something below fails: it would go on writing.
    entry.async_on_unload(evidence.close_store)
    evidence.announce = partial(async_announce, hass)
    await async_get_all_descriptions(hass)
    words = OwnersWords(hass, entry)
    names = NameIndex(hass, words.aliases)
    entry.async_on_unload(names.async_start())
    agents = AgentRegister(entry)
    approvers, phones, pins = ApproverRegister(hass, entry), Phones(hass), Pins(hass)
    await phones.async_load()
    await pins.async_load()
    pins.keep_only(approvers.user_ids())
    entry.async_on_unload(await approvers.async_start())
    questions = Broker(hass, approvers, phones, pins, evidence, settings=settings, salt=entry.entry_id)
    entry.async_on_unload(questions.mobile.async_start())
    house = HomeAssistantHouse(hass, names=names, words=words, agents=agents, questions=questions, settings=settings)
    pipeline = Pipeline(
        house,
        evidence,
        HomeAssistantBackend(hass),
        questions,
        lambda way, trace_id: entry.async_create_background_task(hass, way, f"edgehome {trace_id}"),
    )
    entry.runtime_data = EdgeHomeData(
        agents=agents,
        house=house,
        names=names,
        words=words,
        evidence=evidence,
        pipeline=pipeline,
        lockdown=lockdown,
        approvers=approvers,
        phones=phones,
        pins=pins,
        questions=questions,
    )
    await async_remove_others(hass, agents.user_ids())
    _listen(hass, entry, cancelled)
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    await async_show(hass)
    return True


@callback
def _listen(hass: HomeAssistant, entry: EdgeHomeConfigEntry, cancelled: Sequence[str]) -> None:
    """Follows whatever the owner changes, as long as the entry is loaded. ``cancelled`` are questions of before."""
    data = entry.runtime_data
    questions, phones, approvers = data.questions, data.phones, data.approvers

    @callback
    def engage_or_release() -> None:
        data.house.owner_changed(Settings.from_options(entry.options, lockdown=data.lockdown.engaged))
        questions.grants.end_all("the lockdown changed")

    @callback
    def exposure_changed() -> None:
        questions.grants.end_all("what agents may name has changed")

    @callback
    def phone_changed(_: ConfigEntryChange, changed: ConfigEntry) -> None:
        if changed.domain == MOBILE_APP:
            phones.tell_missing(approvers.all())

    @callback
    def check(hass: HomeAssistant) -> None:
        async_check(hass, has_agents=bool(data.agents.user_ids()))

    async def describe(_: Event) -> None:
        # An integration came later: what its actions ask of entities is read before anybody may call them.
        await async_get_all_descriptions(hass)

    async def clear_phones(_: HomeAssistant) -> None:
        await questions.mobile.clear_everywhere(cancelled, approvers.all())

    async def close(_: Event) -> None:
        await _stop(entry)

    phones.tell_missing(approvers.all())
    for stop in (
        async_dispatcher_connect(hass, SIGNAL_CONFIG_ENTRY_CHANGED, phone_changed),
        async_listen_entity_updates(hass, ASSISTANT, exposure_changed),
        async_at_started(hass, check),
        async_at_started(hass, clear_phones),
        # Before the stop event: with it the phones' channels are closed.
        hass.async_add_shutdown_job(HassJob(questions.async_cancel_all, "edgehome questions")),
        data.lockdown.async_listen(engage_or_release),
        entry.add_update_listener(_owner_changed),
        hass.bus.async_listen(EVENT_COMPONENT_LOADED, describe),
        hass.bus.async_listen(EVENT_HOMEASSISTANT_CLOSE, close),
    ):
        entry.async_on_unload(stop)


async def async_unload_entry(hass: HomeAssistant, entry: EdgeHomeConfigEntry) -> bool:
    """Breaks off what is running, writes the evidence out and closes it."""
    unloaded = await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
    if unloaded:
        async_hide(hass)
        await _stop(entry)
    return unloaded


async def async_remove_entry(hass: HomeAssistant, entry: EdgeHomeConfigEntry) -> None:
    """Removes the users and tokens that EdgeHome made. The evidence stays: it is the owner's."""
    await async_remove_others(hass, ())
    for domain, issue_id in list(ir.async_get(hass).issues):
        if domain == DOMAIN:
            ir.async_delete_issue(hass, DOMAIN, issue_id)
    await Lockdown(hass).async_remove()
    await Phones(hass).async_remove()
    await Pins(hass).async_remove()


async def _stop(entry: EdgeHomeConfigEntry) -> None:
    await entry.runtime_data.pipeline.stop()
    await entry.runtime_data.evidence.close_store()


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
    try:
        settings = Settings.from_options(entry.options, lockdown=data.lockdown.engaged)
    except KeyError:
        # A policy that cannot be read denies everything (R2); the reload tells the owner why.
        data.house.owner_changed(Settings(policy=UNREADABLE, lockdown=data.lockdown.engaged))
        hass.config_entries.async_schedule_reload(entry.entry_id)
        return
    data.questions.settings = settings
    data.house.owner_changed(settings)
    await _keep_policy(data.evidence, settings)
    data.questions.changed()
    async_check(hass, has_agents=bool(data.agents.user_ids()))


async def _keep_policy(evidence: EvidenceStore, settings: Settings) -> None:
    await evidence.keep_policy(settings.policy, json.dumps(asdict(settings.policy)))
