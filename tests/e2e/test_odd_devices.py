"""The odd devices by themselves: each is as odd as it says, on both releases, when its owner calls it."""

import time
from collections.abc import Iterator

import pytest

from tests.house.demo_home import DemoHome
from tests.house.odd_devices.hands import COORDINATED, Hands
from tests.house.odd_devices.names import CALLS, FETCHES, FOLLOWING, LIVE

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def odd(odd_home: DemoHome) -> Iterator[Hands]:
    """The odd devices as they began."""
    odd = Hands(odd_home)
    odd.begin()
    yield odd
    odd.begin()


@pytest.fixture(scope="module", autouse=True)
def fetches_before(odd: Hands) -> int:
    """How often the coordinator had fetched when the module began; it fails from then on, for the last test."""
    odd.set("lock.coordinated_lock", fails=True, state="unlocked")
    return odd.count(FETCHES, COORDINATED)


def test_exposed(odd: Hands) -> None:
    """All are there for agents, with unique ids; the counts are not."""
    agent, _ = odd.home.add_agent("Looker")
    listed = {item["entity_id"] for item in agent.edgehome("list_devices")["devices"]}
    assert listed >= {*LIVE, *FOLLOWING}
    assert not listed & {FETCHES, CALLS}
    (registry,) = odd.home.owner.command({"type": "config/entity_registry/list"})
    ours = {entry["entity_id"] for entry in registry if entry["platform"] == "odd_devices"}
    assert ours == {*LIVE, *FOLLOWING, FETCHES, CALLS}


@pytest.mark.parametrize(("entity_id", "service", "to"), [
    ("light.pushed_light", "light.turn_on", "on"),
    ("lock.pushed_lock", "lock.unlock", "unlocked"),
    ("light.fed_light", "light.turn_on", "on"),
    ("lock.fed_lock", "lock.unlock", "unlocked"),
])  # fmt: skip
def test_pushed(odd: Hands, entity_id: str, service: str, to: str) -> None:
    """A pushed device reports after a call, and else only when it is told to; Home Assistant cannot fetch it."""
    odd.begin(entity_id)
    begun = odd.state(entity_id)
    odd.do(service, entity_id)
    assert odd.state(entity_id) == to
    odd.set(entity_id, state=begun)
    before = odd.reported(entity_id)
    answer = odd.home.owner.call("homeassistant.update_entity", {"entity_id": entity_id})
    assert answer.ok
    # What is pushed is but written again as it was said last; the coordinator without a fetch writes nothing.
    assert (odd.reported(entity_id) > before) == ("pushed" in entity_id)
    odd.silent(entity_id)
    assert odd.state(entity_id) == to
    odd.report(entity_id)
    assert odd.state(entity_id) == begun


def test_polled(odd: Hands) -> None:
    """Polled devices are fetched each 5 s and after a call; while that fails, they are silent and yet available."""
    lamp, lock = both = ("light.polled_light", "lock.polled_lock")

    def states() -> tuple[str, ...]:
        return tuple(odd.state(one) for one in both)

    odd.begin(*both)
    odd.do("light.turn_on", lamp)
    odd.do("lock.unlock", lock)
    assert states() == ("on", "unlocked")
    odd.set(lamp, state="off")
    odd.set(lock, state="locked")
    odd.wait(lambda: states() == ("off", "locked"))

    odd.set(lamp, fails=True, state="on")
    odd.set(lock, fails=True, state="unlocked")
    before, fetches = [odd.reported(one) for one in both], [odd.count(FETCHES, one) for one in both]
    odd.wait(lambda: all(odd.count(FETCHES, one) > old for one, old in zip(both, fetches, strict=True)))
    odd.do("homeassistant.update_entity", lamp)
    odd.do("lock.lock", lock)
    assert states() == ("off", "locked")
    assert [odd.reported(one) for one in both] == before

    odd.set(lamp, fails=False)
    odd.do("homeassistant.update_entity", lamp)
    assert odd.state(lamp) == "on"
    odd.begin(*both)
    assert states() == ("off", "locked")


def test_unfetched(odd: Hands) -> None:
    """Home Assistant writes the old state again and again, though nothing was fetched."""
    odd.begin(lamp := "light.unfetched_light")
    odd.set(lamp, state="on")
    before = odd.reported(lamp)
    odd.wait(lambda: odd.reported(lamp) > before)
    odd.do("homeassistant.update_entity", lamp)
    assert (odd.state(lamp), odd.count(FETCHES, lamp)) == ("off", 0)
    odd.do("light.turn_on", lamp)
    assert odd.state(lamp) == "on"


@pytest.mark.parametrize(("entity_id", "service", "to"), [
    ("light.assumed_light", "light.turn_on", "on"), ("lock.assumed_lock", "lock.unlock", "unlocked"),
])  # fmt: skip
def test_assumed(odd: Hands, entity_id: str, service: str, to: str) -> None:
    """An assumed state says that it is one."""
    odd.begin(entity_id)
    odd.do(service, entity_id)
    assert odd.state(entity_id) == to
    assert odd.whole(entity_id)["attributes"]["assumed_state"] is True


def test_prompt_and_dim(odd: Hands) -> None:
    """One follows at once, one does not get as bright as asked."""
    odd.begin("light.prompt_light", "light.dim_light")
    odd.do("light.turn_on", "light.prompt_light", brightness_pct=80)
    assert odd.brightness("light.prompt_light") == 80
    odd.do("light.turn_on", "light.dim_light", brightness_pct=80)
    assert odd.brightness("light.dim_light") == 40
    odd.do("light.turn_off", "light.dim_light")
    assert odd.state("light.dim_light") == "off"


def test_late(odd: Hands) -> None:
    """It follows when its time has come, and not at all if it is overtaken."""
    odd.begin(lamp := "light.late_light")
    odd.set(lamp, seconds=1)
    odd.do("light.turn_on", lamp)
    assert odd.state(lamp) == "off"
    odd.wait(lambda: odd.state(lamp) == "on")

    odd.set(lamp, seconds=2, state="off")
    odd.report(lamp)
    odd.do("light.turn_on", lamp, brightness_pct=80)
    odd.set(lamp, seconds=0)
    odd.do("light.turn_on", lamp, brightness_pct=20)
    assert odd.brightness(lamp) == 20
    odd.silent(lamp, 2.5)


def test_deaf_and_stubborn(odd: Hands) -> None:
    """The call arrives at both; one reports nothing, the other that it is as before."""
    deaf, stubborn = "light.deaf_light", "light.stubborn_light"
    odd.begin(deaf, stubborn)
    before, calls = odd.reported(stubborn), (odd.count(CALLS, deaf), odd.count(CALLS, stubborn))
    odd.do("light.turn_on", stubborn)
    assert odd.reported(stubborn) == before
    odd.do("light.turn_on", deaf)
    assert (odd.count(CALLS, deaf), odd.count(CALLS, stubborn)) == (calls[0] + 1, calls[1] + 1)
    odd.silent(deaf)
    assert [odd.state(lamp) for lamp in (deaf, stubborn)] == ["off", "off"]
    assert odd.reported(stubborn) > before
    assert odd.whole(stubborn)["last_updated"] < before


def test_losable(odd: Hands) -> None:
    """It is gone a second after a call, until it is brought back."""
    odd.begin(lamp := "light.losable_light")
    odd.do("light.turn_on", lamp)
    assert odd.state(lamp) == "off"
    odd.wait(lambda: odd.state(lamp) == "unavailable")
    odd.set(lamp, available=True)
    odd.report(lamp)
    assert odd.state(lamp) == "off"


def test_blinds(odd: Hands) -> None:
    """One arrives, one gets stuck half-way and looks open, one moves until it is stopped."""
    moving, stuck, endless = blinds = ("cover.moving_blind", "cover.stuck_blind", "cover.endless_blind")
    odd.begin(*blinds)
    assert [odd.state(blind) for blind in blinds] == ["closed"] * 3
    for blind in blinds:
        odd.do("cover.open_cover", blind)
        assert (odd.state(blind), odd.whole(blind)["attributes"]["current_position"]) == ("opening", 0)
    odd.wait(lambda: [odd.state(blind) for blind in blinds] == ["open", "open", "opening"])
    assert odd.whole(moving)["attributes"]["current_position"] == 100
    assert odd.whole(stuck)["attributes"]["current_position"] == 50
    odd.silent(endless)

    odd.set(moving, seconds=1)
    odd.do("cover.close_cover", moving)
    assert odd.state(moving) == "closing"
    odd.wait(lambda: odd.state(moving) == "closed")
    odd.do("cover.set_cover_position", moving, position=30)
    odd.do("cover.stop_cover", moving)
    odd.do("cover.stop_cover", endless)
    assert [odd.state(blind) for blind in blinds] == ["closed", "open", "closed"]


def test_locks(odd: Hands) -> None:
    """One locks in 3 s, one jams and can be unlocked again."""
    moving, jamming = "lock.moving_lock", "lock.jamming_lock"
    odd.begin(moving, jamming)
    for lock in (moving, jamming):
        assert odd.state(lock) == "unlocked"
        odd.do("lock.lock", lock)
        assert odd.state(lock) == "locking"
    odd.wait(lambda: odd.state(jamming) == "jammed")
    assert odd.state(moving) == "locking"
    odd.wait(lambda: odd.state(moving) == "locked")
    odd.do("lock.unlock", jamming)
    assert odd.state(jamming) == "unlocking"
    odd.wait(lambda: odd.state(jamming) == "unlocked")


def test_drifting(odd: Hands) -> None:
    """The set point follows at once; the room drifts by itself."""
    odd.begin(thermostat := "climate.drifting_thermostat")
    odd.do("climate.set_temperature", thermostat, temperature=22.5)
    first = odd.whole(thermostat)
    assert (first["state"], first["attributes"]["temperature"]) == ("heat", 22.5)
    time.sleep(2.2)
    second = odd.whole(thermostat)["attributes"]
    assert second["temperature"] == 22.5
    assert 0.1 < abs(second["current_temperature"] - first["attributes"]["current_temperature"]) < 0.4
    odd.do("climate.turn_off", thermostat)
    assert odd.state(thermostat) == "off"


def test_strangers(odd: Hands) -> None:
    """The actions refuse what is no odd device, and a state that it cannot have."""
    for data in ({"entity_id": "light.bed_light"}, {"entity_id": "light.late_light", "state": "locked"}):
        assert odd.home.owner.call("odd_devices.set", data).status_code == 400


def test_coordinated(odd: Hands, fetches_before: int) -> None:
    """The coordinator fetches each 30 s; while that fails, its devices are available, and silent after the first."""
    lamp, lock = "light.coordinated_light", "lock.coordinated_lock"
    odd.wait(lambda: odd.count(FETCHES, COORDINATED) > fetches_before, 32)
    assert odd.state(lock) == "locked"  # it is unlocked, but no fetch has told since the module began
    odd.do("light.turn_on", lamp)
    assert odd.state(lamp) == "off"
    odd.silent(lock)
    odd.set(lock, fails=False)
    odd.report(lamp)
    assert (odd.state(lamp), odd.state(lock)) == ("on", "unlocked")
    odd.do("lock.lock", lock)
    assert odd.state(lock) == "locked"
