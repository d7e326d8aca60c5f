"""How an entity's state comes in, and asking its device again, on Home Assistant's own entities (R7)."""

import asyncio
import logging
from datetime import timedelta
from typing import override

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.light import LightEntity
from homeassistant.components.light.const import ColorMode
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_component import DATA_INSTANCES
from homeassistant.helpers.update_coordinator import CoordinatorEntity, DataUpdateCoordinator, UpdateFailed
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.devices import Liveness, Source
from custom_components.edgehome.home import liveness
from custom_components.edgehome.home.liveness import LivenessReader

_LOGGER = logging.getLogger(__name__)


class Lamp(LightEntity):
    """A lamp that is on."""

    _attr_supported_color_modes = {ColorMode.ONOFF}  # noqa: RUF012  # Home Assistant's own way
    _attr_color_mode = ColorMode.ONOFF
    _attr_is_on = True

    def __init__(self, name: str) -> None:
        self._attr_name = name


class Pushed(Lamp):
    """Reports by itself."""

    _attr_should_poll = False


class Polled(Lamp):
    """Is asked."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.asked = 0
        self.fault: Exception | None = None
        self.answers = asyncio.Event()
        self.answers.set()

    async def async_update(self) -> None:
        """Answers, when it does."""
        self.asked += 1
        await self.answers.wait()
        if self.fault:
            raise self.fault


class PolledInAThread(Lamp):
    """Is asked, in the old way."""

    asked = 0

    def update(self) -> None:
        """Answers."""
        self.asked += 1


class Fetching(DataUpdateCoordinator[int]):
    """Asks for several lamps."""

    fault: Exception | None = None
    hangs: asyncio.Event | None = None
    asked = 0

    @override
    async def _async_update_data(self) -> int:
        self.asked += 1
        if self.hangs:
            await self.hangs.wait()
        if self.fault:
            raise self.fault
        return self.asked


class Together(CoordinatorEntity[DataUpdateCoordinator[int]], Lamp):
    """A lamp of a coordinator, available come what may."""

    def __init__(self, coordinator: DataUpdateCoordinator[int], name: str) -> None:
        super().__init__(coordinator)
        self._attr_name = name

    @property
    @override
    def available(self) -> bool:
        return True


class Quiet(Together):
    """A lamp that reports only what is new."""

    @callback
    @override
    def _handle_coordinator_update(self) -> None:
        return


def coordinator(hass: HomeAssistant, *, always_update: bool = False) -> Fetching:
    """A coordinator that asks every half minute; its entities report what is new, or always."""
    return Fetching(
        hass,
        _LOGGER,
        config_entry=None,
        name="lamps",
        update_interval=timedelta(seconds=30),
        always_update=always_update,
    )


async def reader(hass: HomeAssistant, *lamps: Entity) -> LivenessReader:
    """A reader over a home with these lamps."""
    assert await async_setup_component(hass, "light", {})
    await hass.data[DATA_INSTANCES]["light"].async_add_entities(lamps)
    await hass.async_block_till_done()
    return LivenessReader(hass)


async def test_sources(hass: HomeAssistant) -> None:
    """Each entity by how its state comes in; polling without a way to ask is none."""
    told: DataUpdateCoordinator[int] = DataUpdateCoordinator(hass, _LOGGER, config_entry=None, name="told")
    asked: DataUpdateCoordinator[int] = DataUpdateCoordinator(
        hass, _LOGGER, config_entry=None, name="asked", update_method=lambda: asyncio.sleep(0, 1)
    )
    seen = await reader(
        hass,
        Pushed("pushed"),
        Polled("polled"),
        PolledInAThread("thread"),
        Lamp("plain"),
        Together(coordinator(hass), "together"),
        Together(told, "told"),
        Together(asked, "asked"),
    )
    hass.states.async_set("light.ghost", "on")
    hass.states.async_set("nothing.there", "on")
    found = {
        name: (live.source, live.interval, live.can_fetch)
        for name in ("pushed", "polled", "thread", "plain", "together", "told", "asked", "ghost", "never")
        if (live := seen.of(f"light.{name}"))
    }
    assert found == {
        "pushed": (Source.PUSH, None, False),
        "polled": (Source.POLL, 30, True),
        "thread": (Source.POLL, 30, True),
        "plain": (Source.PUSH, None, False),
        "together": (Source.COORDINATOR, None, True),
        "told": (Source.COORDINATOR, None, False),
        "asked": (Source.COORDINATOR, None, True),
        "ghost": (Source.NOBODY, None, False),
        "never": (Source.NOBODY, None, False),
    }
    assert seen.of("nothing.there").source is Source.NOBODY


async def test_age(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """What is pushed may be still for days; what is polled may not."""
    seen = await reader(hass, Pushed("pushed"), Polled("polled"))
    freezer.tick(3 * 86_400)
    assert seen.of("light.pushed").age == pytest.approx(3 * 86_400, abs=5)
    assert not seen.of("light.pushed").is_stale
    assert seen.of("light.polled").is_stale


async def test_a_coordinator_that_hangs(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """One that never comes back from a fetch says for ever that the last one worked; its entities' age shows it."""
    asking = coordinator(hass, always_update=True)
    asking.hangs = asyncio.Event()
    quiet = coordinator(hass)
    seen = await reader(hass, Together(asking, "asked"), Together(quiet, "quiet"))
    assert (seen.of("light.asked").interval, seen.of("light.quiet").interval) == (30, None)
    freezer.tick(100)
    assert not seen.of("light.asked").is_stale
    freezer.tick(100)
    assert asking.last_update_success
    assert seen.of("light.asked").is_stale
    # Where entities report only what is new, their age says nothing.
    assert not seen.of("light.quiet").is_stale
    asking.hangs.set()
    assert await seen.fetch(["light.asked"]) == {"light.asked": True}
    assert not seen.of("light.asked").is_stale


async def test_one_that_reports_only_what_is_new(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """An entity that keeps still while others of its coordinator report is no older than they are."""
    asking = coordinator(hass, always_update=True)
    seen = await reader(hass, Quiet(asking, "quiet"), Together(asking, "other"))
    for _ in range(10):
        freezer.tick(30)
        await asking.async_refresh()
    quiet = seen.of("light.quiet")
    assert quiet.age == pytest.approx(300, abs=5)
    assert (quiet.is_stale, seen.of("light.other").is_stale) == (False, False)
    freezer.tick(200)
    assert (seen.of("light.quiet").is_stale, seen.of("light.other").is_stale) == (True, True)


async def test_polling_switched_off(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """Where the owner has switched polling off, a state is old soon, and can be asked for."""
    polled, lamp = Polled("polled"), Together(coordinator(hass), "together")
    seen = await reader(hass, polled, lamp)
    polled.platform.config_entry = entry = MockConfigEntry()
    object.__setattr__(entry, "pref_disable_polling", True)
    assert [seen.of(f"light.{name}").interval for name in ("polled", "together")] == [0, 0]
    freezer.tick(60)
    assert seen.of("light.polled").is_stale
    assert await seen.fetch(["light.polled"]) == {"light.polled": True}
    assert not seen.of("light.polled").is_stale


async def test_coordinator(hass: HomeAssistant) -> None:
    """One that fails while its entities stay available is seen, and asked once for all of them."""
    asking = coordinator(hass)
    seen = await reader(hass, Together(asking, "a"), Together(asking, "b"))
    asking.fault = UpdateFailed("away")
    await asking.async_refresh()
    assert hass.states.is_state("light.a", "on")
    assert (
        seen.of("light.a")
        == Liveness(source=Source.COORDINATOR, failing=True, age=seen.of("light.a").age, can_fetch=True)
        or seen.of("light.a").failing
    )
    before = asking.asked
    assert await seen.fetch(["light.a", "light.b"]) == {"light.a": False, "light.b": False}
    assert asking.asked == before + 1
    asking.fault = None
    assert await LivenessReader(hass).fetch(["light.a"]) == {"light.a": True}
    assert not seen.of("light.a").is_stale


async def test_asked_again_soon(hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came of a fetch stands for a while: agents do not drive a cloud to its limits."""
    polled = Polled("polled")
    seen = await reader(hass, polled)
    before = polled.asked
    assert [await seen.fetch(["light.polled"]) for _ in range(3)] == [{"light.polled": True}] * 3
    assert polled.asked == before + 1
    monkeypatch.setattr(liveness, "REST_SECONDS", 0)
    assert await seen.fetch(["light.polled"]) == {"light.polled": True}
    assert polled.asked == before + 2


@pytest.mark.parametrize("fault", [OSError("away"), RuntimeError("broken")])
async def test_a_poll_that_fails(hass: HomeAssistant, fault: Exception, caplog: pytest.LogCaptureFixture) -> None:
    """A device that does not answer is not taken for one that did; Home Assistant alone would rewrite its state."""
    polled = Polled("polled")
    seen = await reader(hass, polled)
    polled.fault = fault
    reported = hass.states.get("light.polled").last_reported  # type: ignore[union-attr]  # it is there
    assert await seen.fetch(["light.polled"]) == {"light.polled": False}
    assert hass.states.get("light.polled").last_reported == reported  # type: ignore[union-attr]  # it is there
    assert "Traceback" not in caplog.text


async def test_nothing_to_ask_with(hass: HomeAssistant) -> None:
    """A refresh that fetches nothing does not count."""
    told: DataUpdateCoordinator[int] = DataUpdateCoordinator(hass, _LOGGER, config_entry=None, name="told")
    seen = await reader(hass, Pushed("pushed"), Lamp("plain"), Together(told, "told"))
    names = ["light.pushed", "light.plain", "light.told", "light.never"]
    assert await seen.fetch(names) == dict.fromkeys(names, False)


async def test_too_slow(hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that takes too long has not answered; the others have, and it is not broken off."""
    slow, quick = Polled("slow"), PolledInAThread("quick")
    seen = await reader(hass, slow, quick)
    monkeypatch.setattr(liveness, "FETCH_SECONDS", 0.2)
    slow.answers.clear()
    assert await seen.fetch(["light.slow", "light.quick"]) == {"light.slow": False, "light.quick": True}
    slow.answers.set()
    await hass.async_block_till_done()
    assert not slow._update_staged  # Home Assistant's own mark


async def test_while_home_assistant_asks(hass: HomeAssistant) -> None:
    """A poll that is on its way is waited for: its answer is older than the question."""
    polled = Polled("polled")
    seen = await reader(hass, polled)
    polled.answers.clear()
    poll = hass.async_create_task(polled.async_update_ha_state(force_refresh=True))
    await asyncio.sleep(0)
    before = polled.asked
    fetch = hass.async_create_task(seen.fetch(["light.polled"]))
    await asyncio.sleep(0.1)
    assert (polled.asked, fetch.done()) == (before, False)
    polled.answers.set()
    assert await fetch == {"light.polled": True}
    assert polled.asked == before + 1
    await poll


async def test_at_the_same_time(hass: HomeAssistant) -> None:
    """Requests that come together share one fetch; one that hangs is not begun again and again."""
    asking, polled = coordinator(hass), Polled("polled")
    seen = await reader(hass, Together(asking, "a"), polled)
    before = asking.asked, polled.asked
    polled.answers.clear()
    fetches = [hass.async_create_task(seen.fetch(["light.a", "light.polled"])) for _ in range(40)]
    await asyncio.sleep(0.05)
    assert (asking.asked, polled.asked) == (before[0] + 1, before[1] + 1)
    polled.answers.set()
    assert await asyncio.gather(*fetches) == [{"light.a": True, "light.polled": True}] * 40


async def test_a_device_that_hangs(hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each request waits its time; there is one task for all of them, and nothing piles up."""
    monkeypatch.setattr(liveness, "FETCH_SECONDS", 0.1)
    monkeypatch.setattr(liveness, "REST_SECONDS", 0)
    polled = Polled("polled")
    seen = await reader(hass, polled)
    polled.answers.clear()
    before = polled.asked
    for _ in range(5):
        assert await seen.fetch(["light.polled"]) == {"light.polled": False}
    assert polled.asked == before + 1
    polled.answers.set()
    await asyncio.sleep(0.01)
    assert await seen.fetch(["light.polled"]) == {"light.polled": True}


async def test_only_so_many(hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is beyond the bound counts as not asked."""
    monkeypatch.setattr(liveness, "MOST_FETCHES", 1)
    seen = await reader(hass, Polled("one"), Polled("two"))
    assert await seen.fetch(["light.one", "light.two"]) == {"light.one": True, "light.two": False}


class Odd(Polled):
    """Cannot even say how it is."""

    @property
    @override
    def is_on(self) -> bool:
        if self.asked > 2:
            raise ValueError("odd")
        return True


async def test_one_that_is_odd(hass: HomeAssistant) -> None:
    """A device that fails in any way takes no other with it."""
    odd, good = Odd("odd"), Polled("good")
    seen = await reader(hass, odd, good)
    odd.asked = 9
    assert await seen.fetch(["light.odd", "light.good"]) == {"light.odd": False, "light.good": True}


async def test_a_poll_that_breaks_off(hass: HomeAssistant) -> None:
    """An integration that cancels its own poll has not answered."""
    polled = Polled("polled")
    seen = await reader(hass, polled)
    polled.fault = asyncio.CancelledError()  # type: ignore[assignment]  # a fault of its own kind
    assert await seen.fetch(["light.polled"]) == {"light.polled": False}


async def test_a_coordinator_that_is_over(hass: HomeAssistant) -> None:
    """One that was shut down asks nobody."""
    asking = coordinator(hass)
    seen = await reader(hass, Together(asking, "a"))
    await asking.async_shutdown()
    assert not seen.of("light.a").can_fetch
    assert await seen.fetch(["light.a"]) == {"light.a": False}
