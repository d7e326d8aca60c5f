"""What a large home costs: judging, finding and following changes with 100 and with 10,000 entities, in one run.

Entities are real ones, registered, on devices, in rooms on floors, with labels and aliases; groups of both kinds hold some of
them, and an automation listens to one. What counts is the ratio.
"""

import argparse
import asyncio
import logging
import statistics
import tempfile
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import override

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.light import LightEntity
from homeassistant.components.light.const import ColorMode
from homeassistant.components.switch import SwitchEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_component import DATA_INSTANCES
from homeassistant.helpers.entity_platform import EntityPlatform
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_test_home_assistant

from custom_components.edgehome.chain import Preview, Refuse
from custom_components.edgehome.home.exposure import ASSISTANT
from custom_components.edgehome.home.house import HomeAssistantHouse
from custom_components.edgehome.judge import judge
from custom_components.edgehome.models import ActionRequest, Principal, PrincipalKind
from tests.house.process import ROOT

SMALL, LARGE, ROOM = 100, 10_000, 20
PAGE = ROOT / "docs" / "benchmarks.md"
START, END = "<!-- scale -->", "<!-- /scale -->"
type Times = defaultdict[str, list[float]]
OWNER = Principal(kind=PrincipalKind.OWNER, id="owner", name="Ada")
HERE = Principal(kind=PrincipalKind.OWNER, id="owner", name="Ada", area_id="room_3")
MEMBERS = [f"light.made_{number}" for number in range(0, 20, 2)]


def _device(number: int) -> DeviceInfo:
    return DeviceInfo(identifiers={("made", str(number))}, name=f"Thing {number}")


class Lamp(LightEntity):
    """A lamp that can be dimmed."""

    _attr_should_poll = False
    _attr_has_entity_name = True
    _attr_name = None
    _attr_is_on = False
    _attr_color_mode = ColorMode.BRIGHTNESS
    _attr_supported_color_modes = {ColorMode.BRIGHTNESS}  # noqa: RUF012  # as Home Assistant declares it

    def __init__(self, number: int) -> None:
        self._attr_unique_id = str(number)
        self._attr_device_info = _device(number)

    @override
    async def async_turn_on(self, **_: object) -> None:
        """Does nothing: the automation's deed is only read."""


class Relay(SwitchEntity):
    """A switch."""

    _attr_should_poll = False
    _attr_has_entity_name = True
    _attr_name = None
    _attr_is_on = False

    def __init__(self, number: int) -> None:
        self._attr_unique_id = str(number)
        self._attr_device_info = _device(number)


async def furnish(hass: HomeAssistant, size: int) -> MockConfigEntry:
    """A home of lamps and switches, twenty in a room, with EdgeHome in it."""
    await async_setup_component(hass, "homeassistant", {})
    folder = Path(hass.config.config_dir) / "custom_components"
    folder.mkdir()
    (folder / "edgehome").symlink_to(ROOT / "custom_components" / "edgehome")
    hass.data.pop("custom_components", None)
    groups = {"lamps": {"entities": MEMBERS}, "outer": {"entities": ["group.lamps"]}}
    listening = {
        "triggers": [{"trigger": "state", "entity_id": "switch.made_1"}],
        "actions": [{"action": "light.turn_on", "target": {"entity_id": MEMBERS[0]}}],
    }
    await async_setup_component(hass, "group", {"group": groups})
    await async_setup_component(hass, "automation", {"automation": [listening]})
    light_group = {"platform": "group", "name": "All lamps", "entities": MEMBERS}
    await async_setup_component(hass, "light", {"light": [light_group]})
    await async_setup_component(hass, "switch", {})
    maker = MockConfigEntry(domain="made")
    maker.add_to_hass(hass)
    areas, devices, entities = ar.async_get(hass), dr.async_get(hass), er.async_get(hass)
    floor, label = fr.async_get(hass).async_create("Ground"), lr.async_get(hass).async_create("Often")
    rooms = [areas.async_create(f"Room {number}", floor_id=floor.floor_id) for number in range(size // ROOM)]
    made: dict[str, list[Entity]] = {"light": [], "switch": []}
    for number in range(size):
        domain = "light" if number % 2 == 0 else "switch"
        device = devices.async_get_or_create(config_entry_id=maker.entry_id, **_device(number))
        devices.async_update_device(device.id, area_id=rooms[number // ROOM].id)
        entry = entities.async_get_or_create(
            domain,
            "made",
            str(number),
            config_entry=maker,
            device_id=device.id,
            suggested_object_id=f"made_{number}",
        )
        labels = {label.label_id} if number < ROOM else set()
        entities.async_update_entity(entry.entity_id, aliases=[f"Other {number}"], labels=labels)
        made[domain].append(Lamp(number) if domain == "light" else Relay(number))
    for domain, things in made.items():
        platform = EntityPlatform(
            hass=hass,
            logger=logging.getLogger(__name__),
            domain=domain,
            platform_name="made",
            platform=None,
            scan_interval=timedelta(minutes=1),
            entity_namespace=None,
        )
        platform.config_entry = maker
        hass.data[DATA_INSTANCES][domain]._platforms["made"] = platform  # noqa: SLF001  # as a config entry's set-up does
        await platform.async_add_entities(things)
    async_expose_entity(hass, ASSISTANT, "group.outer", should_expose=True)
    await hass.async_block_till_done()
    edgehome = MockConfigEntry(domain="edgehome", options={"preset": "strict"})
    edgehome.add_to_hass(hass)
    await hass.config_entries.async_setup(edgehome.entry_id)
    await hass.async_block_till_done()
    return edgehome


def timed(times: Times, name: str, what: Callable[[], object]) -> None:
    """Runs something and notes how long it took, in milliseconds."""
    start = time.perf_counter()
    what()
    times[name].append((time.perf_counter() - start) * 1000)


def asking(principal: Principal = OWNER, **candidate: object) -> ActionRequest:
    """A request of the owner."""
    payload = {"model_candidate": candidate, "dry_run": True}
    return ActionRequest(
        trace_id="scale", principal=principal, door="scale", payload=payload, received_at=datetime.now(UTC)
    )


REQUESTS = {
    "a device by name": asking(intent="turn_on", device_alias="Thing 42"),
    "a device by its alias": asking(intent="turn_on", device_alias="Other 42"),
    "a device by its id": asking(intent="turn_on", device_alias="light.made_42"),
    "a room's lights": asking(intent="turn_on", room="Room 3", device_type="light"),
    "the lights of the voice device's room": asking(HERE, intent="turn_on", device_type="light"),
    "the lights with a label": asking(intent="turn_on", label="Often", device_type="light"),
    "a group in a group, by its members": asking(intent="turn_on", device_alias="group.outer"),
    "a light group": asking(intent="turn_on", device_alias="All lamps"),
    "a switch that an automation listens to": asking(intent="turn_on", device_alias="Thing 1"),
    "a name that is not there": asking(intent="turn_on", device_alias="Thing forty-two"),
    "a type that several have": asking(intent="turn_on", device_type="light"),
}


REFUSED = frozenset({"a name that is not there", "a type that several have"})


def check(house: HomeAssistantHouse) -> None:
    """That each request comes to what is to be measured.

    Raises:
        RuntimeError: one does not.
    """
    for name, request in REQUESTS.items():
        step = judge(request, house.facts()).step
        if not isinstance(step, Refuse if name in REFUSED else Preview):
            raise RuntimeError(f"{name}: {step}")  # noqa: TRY004  # it is no argument


def _judged(house: HomeAssistantHouse, request: ActionRequest) -> object:
    return judge(request, house.facts())


def one_round(hass: HomeAssistant, edgehome: MockConfigEntry, times: Times, number: int) -> None:
    """Judges each kind of request, then renames, adds and removes an entity, and judges again."""
    house = edgehome.runtime_data.house
    for name, request in REQUESTS.items():
        timed(times, f"judge: {name}", partial(_judged, house, request))
    entities = er.async_get(hass)
    timed(
        times,
        "registry: rename",
        lambda: entities.async_update_entity("switch.made_3", name=f"Renamed {number}"),
    )
    timed(times, "judge: the first request after that", partial(_judged, house, REQUESTS["a light group"]))
    timed(
        times,
        "registry: add",
        lambda: entities.async_get_or_create("light", "late", str(number), suggested_object_id=f"late_{number}"),
    )
    timed(times, "registry: remove", lambda: entities.async_remove(f"light.late_{number}"))
    timed(
        times,
        "state: add without registry entry",
        lambda: hass.states.async_set(f"light.loose_{number}", "off", {"friendly_name": f"Loose {number}"}),
    )
    timed(times, "state: remove", lambda: hass.states.async_remove(f"light.loose_{number}"))


async def measure(rounds: int) -> tuple[dict[int, Times], dict[int, float]]:
    """Times in both homes, and what EdgeHome's set-up allocates in each, in MB."""
    times: dict[int, Times] = {size: defaultdict(list) for size in (SMALL, LARGE)}
    memory: dict[int, float] = {}
    for size in (SMALL, LARGE):
        with tempfile.TemporaryDirectory() as folder:
            async with async_test_home_assistant(config_dir=folder) as hass:
                edgehome = await furnish(hass, size)
                await hass.config_entries.async_unload(edgehome.entry_id)
                tracemalloc.start()
                await hass.config_entries.async_setup(edgehome.entry_id)
                memory[size] = tracemalloc.get_traced_memory()[0] / 1e6
                tracemalloc.stop()
                check(edgehome.runtime_data.house)
                for number in range(rounds):
                    one_round(hass, edgehome, times[size], number)
                    await hass.async_block_till_done()
                await hass.async_stop(force=True)
    return times, memory


def table(times: dict[int, Times], memory: dict[int, float], rounds: int) -> str:
    """The figures as the page shows them."""
    lines = [
        f"Median of {rounds} rounds; `scripts/bench scale`.",
        "",
        f"| what | {SMALL} entities, ms | {LARGE:,} entities, ms | ratio |",
        "|---|---|---|---|",
    ]
    for name in times[SMALL]:
        small, large = (statistics.median(times[size][name]) for size in (SMALL, LARGE))
        lines.append(f"| {name} | {small:.3f} | {large:.3f} | {large / small:.2f} |")
    lines.append(f"| memory of EdgeHome's set-up, MB | {memory[SMALL]:.1f} | {memory[LARGE]:.1f} | |")
    return "\n".join(lines)


def main() -> None:
    """Measures and writes the table into docs/benchmarks.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    figures = table(*asyncio.run(measure(rounds)), rounds)
    print(figures)
    page = PAGE.read_text()
    before, _, rest = page.partition(START)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{START}\n{figures}\n{END}{after}")


if __name__ == "__main__":
    main()
