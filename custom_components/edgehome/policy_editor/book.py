"""The owner's own tables, in a file of their own, each under its hash; the options say which is in force (R15).

A table is written before the options name it. Every version that was in force is kept with the evidence too, so that one can
be restored when the file is lost.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.storage import Store

from ..const import CONF_POLICY, CONF_PRESET, DOMAIN
from ..evidence.policies import PolicyVersion
from ..evidence.store import EvidenceStore
from ..policy.document import DocumentError, hash_of, table_of, to_document
from ..policy.presets import PRESETS
from ..policy.table import UNREADABLE, PolicyTable

OWN = "own"
"""Stands in the options for a table that the owner wrote."""


class _Stored(TypedDict):
    tables: dict[str, dict[str, Any]]


class PolicyBook:
    """The tables that can be in force. While ``problem`` says something, the one that is cannot be read (R2)."""

    def __init__(self, hass: HomeAssistant, evidence: EvidenceStore) -> None:
        self._hass = hass
        self._evidence = evidence
        self._store = _store(hass)
        self._tables: dict[str, PolicyTable] = {}
        self._unread = ""
        self._kept = ""
        self.problem = ""

    async def async_load(self) -> None:
        """Reads the file; a table that is not what its hash says is left out."""
        was_there = await self._hass.async_add_executor_job(Path(self._store.path).exists)
        self._unread = "its file is broken" if was_there else "its file is gone"
        try:
            stored = await self._store.async_load()
            documents = dict(stored["tables"]) if stored else {}
        except (HomeAssistantError, NotImplementedError, OSError, KeyError, TypeError, ValueError) as error:
            self._unread = f"its file cannot be read ({error})"
            return
        for digest, document in documents.items():
            try:
                if hash_of(document) == digest:
                    self._tables[digest] = table_of(document)
                else:
                    self._unread = "its file was changed by something else than EdgeHome"
            except (DocumentError, TypeError, AttributeError) as error:
                self._unread = f"it is no table: {error}"

    def in_force(self, options: Mapping[str, Any]) -> PolicyTable:
        """The table that the options name; one that cannot be read denies everything, and ``problem`` says why."""
        preset, digest = options.get(CONF_PRESET), options.get(CONF_POLICY)
        table = PRESETS.get(preset) if isinstance(preset, str) and preset != OWN else self._tables.get(str(digest))
        self.problem = ""
        if table is None:
            self.problem = self._unread if preset == OWN else f"there is no preset {preset!r}"
            return UNREADABLE
        return table

    async def async_write(self, table: PolicyTable, before: PolicyTable) -> None:
        """Writes a table beside the one that is in force until the options name the new one.

        Raises:
            OSError, HomeAssistantError: it could not be written; nothing has changed.
        """
        kept = [to_document(one) for one in (before, table) if one != UNREADABLE]
        documents = {hash_of(one): one for one in kept}
        await self._store.async_save({"tables": documents})
        # Home Assistant only logs what it could not write.
        written = await _store(self._hass).async_load()
        digest = hash_of(to_document(table))
        if written is None or digest not in written["tables"]:
            raise HomeAssistantError("the policy could not be written")
        self._tables, self._unread = {digest: table}, "it is not in its file"
        if before != UNREADABLE:
            self._tables[hash_of(to_document(before))] = before

    async def async_keep(self, table: PolicyTable, by: str, how: str, *, at_start: bool = False) -> None:
        """Keeps a table that is in force now as the next version, unless it is the latest one.

        One that is another ``at_start`` than it was before was changed by nobody here: a preset of a newer EdgeHome.

        Raises:
            sqlite3.Error: it could not be kept.
        """
        if table == UNREADABLE or table.digest == self._kept:
            return
        latest = (await self._evidence.policies())[:1]
        if latest and at_start:
            by, how = "", "update of EdgeHome"
        if not latest or latest[0].digest != table.digest:
            document = to_document(table)
            body = json.dumps({"hash": hash_of(document), "table": document})
            await self._evidence.keep_policy(table, body, by=by, how=how)
        self._kept = table.digest

    async def async_versions(self) -> tuple[PolicyVersion, ...]:
        """Every version that was in force, the latest first."""
        return await self._evidence.policies()


def document_of(version: PolicyVersion) -> dict[str, Any]:
    """The table of a version, as a document.

    Raises:
        DocumentError: it is not what its hash says.
    """
    try:
        kept = json.loads(version.body)
        document: dict[str, Any] = kept["table"]
        is_whole = hash_of(document) == kept["hash"]
    except (ValueError, KeyError, TypeError) as error:
        raise DocumentError("version", "It cannot be read.", "Choose another one.") from error
    if not is_whole:
        raise DocumentError("version", "It is not what it was.", "Choose another one.")
    return document


async def async_forget(hass: HomeAssistant) -> None:
    """Forgets the tables, when EdgeHome is removed; the versions stay with the evidence."""
    await _store(hass).async_remove()


def _store(hass: HomeAssistant) -> Store[_Stored]:
    return Store(hass, 1, f"{DOMAIN}.policy", atomic_writes=True)
