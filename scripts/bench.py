"""The benchmark: what the door costs, as ratios taken in one run.

Everything that is compared is measured alternately, call by call, so that whatever else the machine does falls on
both sides. The limit for a guarded call is the bare call plus one durable write: nothing that writes its evidence
before it acts can be faster (R8).
"""

import argparse
import asyncio
import os
import platform
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from itertools import cycle
from pathlib import Path

from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_test_home_assistant

from custom_components.edgehome.chain import Ready
from custom_components.edgehome.judge import judge
from custom_components.edgehome.models import ActionRequest, Principal, PrincipalKind
from tests.house.client import Client
from tests.house.demo_home import DemoHome
from tests.house.process import DEFAULT_VERSION, ROOT, HomeAssistantProcess

LIGHT = "light.bed_light"
REFUSALS: dict[str, dict[str, object]] = {
    "input_guard": {"intent": "turn_on", "device_alias": "{{ x }}"},
    "schema": {"intent": "turn_on", "device_alias": "all"},
    "device_resolver": {"intent": "turn_on", "room": "Bathroom", "device_type": "light"},
    "capability": {"intent": "set_brightness", "device_alias": "Bed Light", "params": {"brightness": 255}},
    "freshness": {"intent": "turn_on", "device_alias": "Attic Lamp"},
    "policy": {"intent": "unlock", "device_alias": "Front Door"},
    "execution": {"intent": "open", "device_alias": "Garage Door"},
}
WARM_UP = 40
type Times = defaultdict[str, list[float]]


def timed(times: Times, name: str, what: Callable[[], object]) -> None:
    """Runs something and notes how long it took, in milliseconds."""
    start = time.perf_counter()
    what()
    times[name].append((time.perf_counter() - start) * 1000)


def durable_writer(folder: Path) -> Callable[[], object]:
    """One row of an evidence entry's size into SQLite, on the disk when it returns."""
    database = sqlite3.connect(folder / "bare.db", isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE log (seq INTEGER PRIMARY KEY, body TEXT)")
    body = "x" * 4000
    return lambda: database.execute("INSERT INTO log (body) VALUES (?)", (body,))


def over_rest(home: DemoHome, agent: Client, rounds: int) -> Times:
    """Bare, guarded, the durable write, and a refusal at each gate, one after the other."""
    times: Times = defaultdict(list)
    write = durable_writer(home.process.folder)
    levels = cycle((30, 70, 40, 80, 50, 90))
    for number in range(rounds + WARM_UP):
        if number == WARM_UP:
            times.clear()
        level = next(levels)
        timed(times, "bare", partial(home.owner.call, "light.turn_on", {"entity_id": LIGHT, "brightness_pct": level}))
        timed(times, "write", write)
        candidate = {"intent": "set_brightness", "device_alias": "Bed Light", "params": {"brightness": level - 5}}
        timed(times, "guarded", partial(agent.execute, candidate))
        for gate, refused in REFUSALS.items():
            timed(times, f"refused by {gate}", partial(agent.execute, refused))
    return times


async def in_process(rounds: int) -> Times:
    """``judge`` beside a bare blocking call, in one Home Assistant."""
    times: Times = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        async with async_test_home_assistant(config_dir=folder) as hass:
            await _compare(hass, times, rounds)
            await hass.async_stop(force=True)
    return times


async def _compare(hass: HomeAssistant, times: Times, rounds: int) -> None:
    await async_setup_component(hass, "homeassistant", {})
    (Path(hass.config.config_dir) / "custom_components").mkdir()
    (Path(hass.config.config_dir) / "custom_components" / "edgehome").symlink_to(
        ROOT / "custom_components" / "edgehome"
    )
    await async_setup_component(hass, "demo", {"demo": {}})
    await hass.async_block_till_done()
    hass.data.pop("custom_components", None)
    entry = MockConfigEntry(domain="edgehome", options={"preset": "strict"})
    entry.add_to_hass(hass)
    await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    house = entry.runtime_data.house
    principal = Principal(kind=PrincipalKind.OWNER, id="owner", name="Ada")
    levels = cycle((30, 70, 40, 80, 50, 90))
    for number in range(rounds + WARM_UP):
        if number == WARM_UP:
            times.clear()
        level = next(levels)
        start = time.perf_counter()
        data = {"entity_id": LIGHT, "brightness_pct": level}
        await hass.services.async_call("light", "turn_on", data, blocking=True, context=Context())
        times["bare call"].append((time.perf_counter() - start) * 1000)
        candidate = {"intent": "set_brightness", "device_alias": "Bed Light", "params": {"brightness": level - 5}}
        request = ActionRequest(
            trace_id="bench",
            principal=principal,
            door="bench",
            payload={"model_candidate": candidate},
            received_at=datetime.now(UTC),
        )
        start = time.perf_counter()
        verdict = judge(request, house.facts())
        times["judge"].append((time.perf_counter() - start) * 1000)
        if not isinstance(verdict.step, Ready):
            raise TypeError(verdict.step)


def at(values: list[float], percent: int) -> float:
    """A percentile."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def report(release: str, rest: Times, inner: Times, rounds: int) -> str:
    """The page."""
    lines = [
        f"| guarded `light.turn_on` ÷ (bare REST call + one durable write) | {at(rest['guarded'], p) / (at(rest['bare'], p) + at(rest['write'], p)):.2f} (p{p}) | ≤ 1.5 |"
        for p in (50, 99)
    ]
    lines += [
        f"| `judge` ÷ bare blocking call in process | {at(inner['judge'], p) / at(inner['bare call'], p):.2f} (p{p}) | ≤ 1 |"
        for p in (50, 99)
    ]
    lines += [
        f"| refusal by {gate} ÷ bare REST call | {at(rest[f'refused by {gate}'], 50) / at(rest['bare'], 50):.2f} (p50) | ≤ 1.2 |"
        for gate in REFUSALS
    ]
    table = "\n".join(lines)
    raw = "\n".join(
        f"| {name} | {at(values, 50):.2f} | {at(values, 99):.2f} |" for name, values in (rest | inner).items()
    )
    return f"""# Benchmarks

`scripts/bench` measures EdgeHome beside Home Assistant alone, in one run, call by call in turn, and writes this page.
Ratios matter; the milliseconds below them are this machine's. Nothing here is asserted in a test.

Measured on {datetime.now(UTC):%Y-%m-%d}: Home Assistant {release} (in process: {DEFAULT_VERSION}), Python {platform.python_version()}, {os.cpu_count()} cores
({platform.machine()}, {platform.system()}), {rounds} rounds.

| what | ratio | target |
|---|---|---|
{table}

| measured | p50 ms | p99 ms |
|---|---|---|
{raw}

"One durable write" is one row of 4 kB into SQLite with `synchronous=FULL`, on the same disk. A guarded call cannot be
faster than the bare call plus that write: the intent is on the disk before the device is called (rule R8).
"""


def main() -> int:
    """Measures and writes docs/benchmarks.md."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--ha", default=DEFAULT_VERSION, metavar="RELEASE")
    parser.add_argument("--rounds", type=int, default=500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, HomeAssistantProcess(Path(folder), options.ha) as process:
        print(f"bench: over REST, Home Assistant {options.ha}, {options.rounds} rounds", flush=True)
        home = DemoHome.start(process)
        agent, _ = home.add_agent("Bench", requests_per_minute=60000)
        rest = over_rest(home, agent, options.rounds)
    print("bench: in process", flush=True)
    inner = asyncio.run(in_process(options.rounds))
    page = report(options.ha, rest, inner, options.rounds)
    (ROOT / "docs").mkdir(exist_ok=True)
    path = ROOT / "docs" / "benchmarks.md"
    # What scripts/differential wrote below stays.
    _, heading, others = (path.read_text() if path.exists() else "").partition("\n## Differential test")
    path.write_text(page + heading + others)
    print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
