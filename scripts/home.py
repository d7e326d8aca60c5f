"""A generated home to look at."""

import argparse
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.house.broker import MISSING, MOSQUITTO
from tests.house.demo_home import OWNER
from tests.house.generated import LARGEST, SMALLEST, plan
from tests.house.generated_home import GeneratedHome, generated_home
from tests.house.process import DEFAULT_VERSION, ROOT

FOLDER = ROOT / ".home"


def described(home: GeneratedHome, curl: str) -> str:
    """What a developer wants to know of a running home."""
    took = ", ".join(f"{step} {seconds:.1f} s" for step, seconds in home.times.items())
    domains = Counter(entity.domain for entity in home.plan.entities)
    kinds = Counter(entity.follow.value for entity in home.plan.entities)
    return "\n".join(
        (
            f"home: up after {sum(home.times.values()):.0f} s ({took})",
            f"home: {len(home.plan.rooms)} rooms, {len(home.plan.devices)} devices, {len(home.plan.entities)} entities",
            "  " + ", ".join(f"{count} {domain}" for domain, count in domains.most_common()),
            "  devices follow: " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()),
            "",
            f"Look for yourself: {home.process.url}   user {OWNER['username']}, password {OWNER['password']}",
            f"The devices' broker: 127.0.0.1:{home.broker.port}, their topics: eh/#   The plan: {home.process.folder}/plan.json",
            "As the agent, from a shell:\n",
            f"  {curl}",
            "\nCtrl-C ends the home.",
        )
    )


def main() -> int:
    """Starts the home and keeps it up."""
    parser = argparse.ArgumentParser(prog="scripts/home", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="another seed is another home")
    parser.add_argument("--size", type=int, default=300, help=f"entities, {SMALLEST} to {LARGEST}")
    parser.add_argument("--ha", default=DEFAULT_VERSION, metavar="RELEASE", help="the Home Assistant release")
    options = parser.parse_args()
    if not SMALLEST <= options.size <= LARGEST:
        parser.error(f"--size is {SMALLEST} to {LARGEST}")
    if not MOSQUITTO.exists():
        print(f"home: {MISSING}", file=sys.stderr)
        return 2
    FOLDER.mkdir(exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="home-", dir=FOLDER) as folder:
        try:
            print(
                f"home: starting Home Assistant {options.ha}, twice, for devices that only the first run saw",
                flush=True,
            )
            (Path(folder) / "plan.json").write_text(plan(options.seed, options.size).dump())
            with generated_home(Path(folder), options.ha, seed=options.seed, size=options.size) as home:
                _, shown = home.add_agent("Hermes")
                print(described(home, shown["curl"]), flush=True)
                signal.pause()
        except KeyboardInterrupt:
            print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
