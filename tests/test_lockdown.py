"""Lockdown as a value: in force at once, told to listeners, kept over restarts."""

import asyncio
import json
from contextlib import suppress
from importlib.util import find_spec, module_from_spec
from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant

from custom_components.edgehome.lockdown import Lockdown

pytestmark = pytest.mark.usefixtures("real_files")


@pytest.fixture
def real_files(config_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Home Assistant's storage as it is: the tests' own surroundings keep everything in memory."""
    spec = find_spec("homeassistant.helpers.storage")
    assert spec is not None
    assert spec.loader is not None
    storage = module_from_spec(spec)
    spec.loader.exec_module(storage)
    monkeypatch.setattr("custom_components.edgehome.lockdown.Store", storage.Store)


async def loaded(hass: HomeAssistant) -> Lockdown:
    """Lockdown as a start of Home Assistant finds it."""
    lockdown = Lockdown(hass)
    await lockdown.async_load()
    return lockdown


async def test_off_at_first(hass: HomeAssistant) -> None:
    """Nothing stored means released."""
    assert (await loaded(hass)).engaged is False


@pytest.mark.parametrize(
    ("steps", "engaged"),
    [
        pytest.param((True,), True, id="engaged"),
        pytest.param((False,), False, id="released"),
        pytest.param((True, False), False, id="engaged, then released"),
        pytest.param((False, True), True, id="released, then engaged"),
        pytest.param((True, True), True, id="engaged twice"),
    ],
)
async def test_kept(hass: HomeAssistant, steps: tuple[bool, ...], engaged: bool) -> None:
    """The last word counts, now and after a restart."""
    lockdown = Lockdown(hass)
    for step in steps:
        await lockdown.async_set(engaged=step)
    assert lockdown.engaged is engaged
    assert (await loaded(hass)).engaged is engaged


async def test_listeners(hass: HomeAssistant) -> None:
    """Listeners are told when it is in force already, until they stop listening."""
    lockdown = Lockdown(hass)
    told: list[tuple[str, bool]] = []
    stop_first = lockdown.async_listen(lambda: told.append(("first", lockdown.engaged)))
    stop_second = lockdown.async_listen(lambda: told.append(("second", lockdown.engaged)))
    await lockdown.async_set(engaged=True)
    stop_first()
    await lockdown.async_set(engaged=False)
    stop_second()
    await lockdown.async_set(engaged=True)
    assert list(dict.fromkeys(told)) == [("first", True), ("second", True), ("second", False)]


async def test_engaged_for_good_although_a_listener_fails(hass: HomeAssistant) -> None:
    """A listener that fails takes nothing away: the others are told and the lockdown is kept (R2)."""
    lockdown = Lockdown(hass)
    told: list[bool] = []

    def fail() -> None:
        raise KeyError("preset")

    lockdown.async_listen(fail)
    lockdown.async_listen(lambda: told.append(lockdown.engaged))
    with suppress(KeyError):
        await lockdown.async_set(engaged=True)
    assert lockdown.engaged
    assert told == [True]
    assert (await loaded(hass)).engaged


WRONG = {"version": 1, "minor_version": 1, "key": "edgehome.lockdown"}


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="empty"),
        pytest.param("{half a fi", id="cut off"),
        pytest.param(json.dumps(WRONG | {"data": None}), id="null"),
        pytest.param(json.dumps(WRONG | {"data": {"engaged": None}}), id="neither on nor off"),
        pytest.param(json.dumps(WRONG | {"data": {}}), id="nothing said"),
    ],
)
async def test_unreadable(hass: HomeAssistant, config_folder: Path, content: str) -> None:
    """A file that cannot be read means engaged, at every start until an administrator releases it (R2, R15)."""
    path = config_folder / ".storage" / "edgehome.lockdown"
    path.parent.mkdir()
    path.write_text(content)
    assert (await loaded(hass)).engaged
    assert (await loaded(hass)).engaged
    await (await loaded(hass)).async_set(engaged=False)
    assert not (await loaded(hass)).engaged


async def test_engaged_while_a_release_is_being_written(hass: HomeAssistant) -> None:
    """Who engages last has the last word, at once and throughout."""
    lockdown = Lockdown(hass)
    await lockdown.async_set(engaged=True)
    told: list[bool] = []
    lockdown.async_listen(lambda: told.append(lockdown.engaged))
    await asyncio.gather(lockdown.async_set(engaged=False), lockdown.async_set(engaged=True))
    assert lockdown.engaged
    assert set(told) == {True}
    assert (await loaded(hass)).engaged


async def test_forgotten(hass: HomeAssistant) -> None:
    """Removing EdgeHome removes its lockdown."""
    lockdown = Lockdown(hass)
    await lockdown.async_set(engaged=True)
    await lockdown.async_remove()
    assert (await loaded(hass)).engaged is False
