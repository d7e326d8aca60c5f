"""What a large home costs: judging, finding and following changes with 100 and with 10,000 entities, in one run.

Entities are registered, have rooms, floors, labels and devices, and reach each other through groups. Everything is
measured alternately in both homes; what counts is the ratio.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_test_home_assistant

from custom_components.edgehome.home.house import HomeAssistantHouse
from custom_components.edgehome.judge import judge
from custom_components.edgehome.models import ActionRequest, Principal, PrincipalKind
from tests.house.process import ROOT

SMALL, LARGE, ROOM = 100, 10_000, 20
PAGE = ROOT / "docs" / "benchmarks.md"
START, END = "<!-- scale -->", "<!-- /scale -->"
type Times = defaultdict[str, list[float]]
OWNER = Principal(kind=PrincipalKind.OWNER, id="owner", name="Ada")
DIMMABLE = {"supported_color_modes": ["brightness"], "supported_features": 0}


async def furnish(hass: HomeAssistant, size: int) -> MockConfigEntry:
    """A home of lamps and switches, twenty in a room, with EdgeHome in it."""
    await async_setup_component(hass, "homeassistant", {})
    folder = Path(hass.config.config_dir) / "custom_components"
    folder.mkdir()
    (folder / "edgehome").symlink_to(ROOT / "custom_components" / "edgehome")
    hass.data.pop("custom_components", None)
    for domain in ("light", "switch"):
        await async_setup_component(hass, domain, {})
    maker = MockConfigEntry(domain="made")
    maker.add_to_hass(hass)
    areas, devices, entities = ar.async_get(hass), dr.async_get(hass), er.async_get(hass)
    rooms = [areas.async_create(f"Room {number}") for number in range(size // ROOM)]
    for number in range(size):
        domain = "light" if number % 2 == 0 else "switch"
        device = devices.async_get_or_create(config_entry_id=maker.entry_id, identifiers={("made", str(number))})
        devices.async_update_device(device.id, area_id=rooms[number // ROOM].id)
        entry = entities.async_get_or_create(
            domain,
            "made",
            str(number),
            config_entry=maker,
            device_id=device.id,
            original_name=f"Thing {number}",
            suggested_object_id=f"made_{number}",
        )
        attributes = {"friendly_name": f"Thing {number}"} | (DIMMABLE if domain == "light" else {})
        hass.states.async_set(entry.entity_id, "off", attributes)
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


def asking(**candidate: object) -> ActionRequest:
    """A request of the owner."""
    payload = {"model_candidate": candidate, "dry_run": True}
    return ActionRequest(
        trace_id="scale", principal=OWNER, door="scale", payload=payload, received_at=datetime.now(UTC)
    )


REQUESTS = {
    "a device by name": asking(intent="turn_on", device_alias="Thing 42"),
    "a device by its id": asking(intent="turn_on", device_alias="light.made_42"),
    "a room's lights": asking(intent="turn_on", room="Room 3", device_type="light"),
    "a name that is not there": asking(intent="turn_on", device_alias="Thing forty-two"),
    "a type that several have": asking(intent="turn_on", device_type="light"),
}


def _judged(house: HomeAssistantHouse, request: ActionRequest) -> object:
    return judge(request, house.facts())


def one_round(hass: HomeAssistant, edgehome: MockConfigEntry, times: Times, number: int) -> None:
    """Judges each kind of request, then renames, adds and removes an entity."""
    house = edgehome.runtime_data.house
    for name, request in REQUESTS.items():
        timed(times, f"judge: {name}", partial(_judged, house, request))
    entities = er.async_get(hass)
    timed(
        times,
        "registry: rename",
        lambda: entities.async_update_entity("switch.made_1", name=f"Renamed {number}"),
    )
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
                for number in range(rounds):
                    one_round(hass, edgehome, times[size], number)
                    await hass.async_block_till_done()
                await hass.async_stop(force=True)
    return times, memory


def table(times: dict[int, Times], memory: dict[int, float], rounds: int) -> str:
    """The figures as the page shows them."""
    lines = [
        f"Median of {rounds} rounds; `scripts/scale`.",
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
