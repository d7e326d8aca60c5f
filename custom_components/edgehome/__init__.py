"""EdgeHome: the one safe door between AI agents and a home."""

import sqlite3
from functools import partial
from pathlib import Path

from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryNotReady
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.service import async_get_all_descriptions
from homeassistant.helpers.typing import ConfigType

from .agents.credentials import async_remove_others
from .agents.register import AgentRegister
from .announcement import async_announce
from .backends.homeassistant import HomeAssistantBackend
from .confirmation.approvers import ApproverRegister
from .confirmation.broker import Broker
from .confirmation.inbox import async_setup_inbox
from .confirmation.phones import Phones
from .confirmation.pins import Pins
from .const import DOMAIN, EVIDENCE_FILE
from .data import EdgeHomeConfigEntry, EdgeHomeData
from .evidence.store import EvidenceStore
from .following import async_keep, follow, stop
from .home.conditions import Conditions
from .home.house import HomeAssistantHouse
from .home.makeup.reader import MakeupReader
from .home.names import NameIndex
from .home.owners_words import OwnersWords
from .llm_api import AgentAPIs
from .lockdown import Lockdown
from .panel import async_hide, async_setup_static, async_show
from .pipeline import Pipeline
from .policy_editor.book import PolicyBook, async_forget
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
        ConfigEntryNotReady: the evidence cannot be written; nothing is accepted, Home Assistant tries again.
    """
    lockdown = Lockdown(hass)
    await lockdown.async_load()
    evidence = EvidenceStore(Path(hass.config.path(DOMAIN, EVIDENCE_FILE)), hass.loop)
    try:
        cancelled = await evidence.open()
        book = PolicyBook(hass, evidence)
        await book.async_load()
        table = book.in_force(entry.options)
        await async_keep(book, table, entry.options, at_start=True)
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
    settings = Settings.from_options(entry.options, policy=table, lockdown=lockdown.engaged)
    conditions = Conditions(hass)
    entry.async_on_unload(conditions.async_unload)
    await async_get_all_descriptions(hass)
    makeups = MakeupReader(hass)
    entry.async_on_unload(makeups.async_start())
    words = OwnersWords(hass, entry, makeups)
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
    house = HomeAssistantHouse(
        hass,
        names=names,
        words=words,
        makeups=makeups,
        agents=agents,
        questions=questions,
        settings=settings,
        conditions=conditions,
    )
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
        makeups=makeups,
        evidence=evidence,
        pipeline=pipeline,
        lockdown=lockdown,
        approvers=approvers,
        phones=phones,
        pins=pins,
        questions=questions,
        book=book,
        conditions=conditions,
    )
    entry.async_on_unload(AgentAPIs(hass, entry).async_start())
    await async_remove_others(hass, agents.user_ids())
    follow(hass, entry, cancelled)
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    await async_show(hass)
    return True


async def async_unload_entry(hass: HomeAssistant, entry: EdgeHomeConfigEntry) -> bool:
    """Breaks off what is running, writes the evidence out and closes it."""
    unloaded = await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
    if unloaded:
        async_hide(hass)
        await stop(entry)
    return unloaded


async def async_remove_entry(hass: HomeAssistant, entry: EdgeHomeConfigEntry) -> None:
    """Removes the users and tokens that EdgeHome made. The evidence stays: it is the owner's."""
    await async_remove_others(hass, ())
    for domain, issue_id in list(ir.async_get(hass).issues):
        if domain == DOMAIN:
            ir.async_delete_issue(hass, DOMAIN, issue_id)
    await Lockdown(hass).async_remove()
    await async_forget(hass)
    await Phones(hass).async_remove()
    await Pins(hass).async_remove()
