"""The whole undo test: all operations of all entities, rooms and floors of generated homes, and the page's section on it."""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import repeat
from pathlib import Path
from random import Random

from tests.house.process import DEFAULT_VERSION, ROOT
from tests.house.sweep import options, with_section
from tests.house.undo_home import undo_home
from tests.house.undo_run import EXACT, FAULTS, NO_WAY, NOT_DONE, TOLD, Finding, all_deeds, counted, undone

RELEASES = (DEFAULT_VERSION, "2026.11.0")
HOMES = {"generated": "some devices follow late, never or otherwise", "mended": "the same one, all devices follow"}
AT_ONCE = 2
"""So many homes run at the same time."""
PAGE = ROOT / "docs" / "benchmarks.md"
HEADING = "## Undo"
INTRO = """`scripts/undo` does every operation that `list_devices` offers an agent, on every entity whose device does what it is told, and
on rooms and floors as sets: from a state that chance and the owner choose, with values of chance; policy *balanced*, a
person says yes on a phone. Then `edgehome.undo` must bring back what was changed, and the whole home is compared with how
it was: what was touched within the entity's own rounding (brightness 1 of 255, colours 3 of 255, white 1 mired, set points
half a step), all else to the letter. "But for what the plan says": everything but `undo_leaves`, a speed that a fan remembers while
it is off. What the plan says is not undoable, undo must refuse and call nothing. "Not done" is
what was refused, or was so already, in each of four states. `tests/e2e/test_undo.py` runs a sample."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """The findings of one home on one release."""

    release: str
    home: str
    findings: tuple[Finding, ...]

    @property
    def entities(self) -> int:
        """How many entities it was about."""
        return len({entity_id for finding in self.findings for entity_id in finding.deed.entity_ids})


def run(release: str, home: str, options: argparse.Namespace) -> Run:
    """Runs one home on one release, and prints what is not as it should be."""
    print(f"undo: {home} home, Home Assistant {release}", flush=True)
    size = {"seed": options.seed, "size": options.size}
    with (
        tempfile.TemporaryDirectory() as folder,
        undo_home(Path(folder), release, **size, mend=home == "mended") as made,
    ):
        deeds = all_deeds(made, options.seed)
        chance = Random(options.seed)  # noqa: S311  # a choice, not a secret
        deeds = deeds if options.share >= 1 else [deed for deed in deeds if chance.random() < options.share]
        findings = asyncio.run(undone(made, deeds))
    print(release, home, dict(counted(findings)), flush=True)
    for finding in findings:
        if finding.verdict in FAULTS:
            print(f"  {finding.line()}", flush=True)
    return Run(release=release, home=home, findings=tuple(findings))


def section(runs: Sequence[Run], command: str) -> str:
    """The page's section."""
    lines = [HEADING, "", INTRO, "", f"Measured on {datetime.now(UTC):%Y-%m-%d} with `{command}`.", ""]
    lines += [*_summary(runs), "", *_operations(runs), "", *_faults(runs)]
    return "\n".join(lines).rstrip() + "\n"


_HEAD = ("tried", "undone exactly", "but for what the plan says", "not undoable", "not done", "faults")


def _row(findings: Iterable[Finding]) -> str:
    counts = counted(findings)
    good = (counts[EXACT], counts[TOLD], counts[NO_WAY], counts[NOT_DONE])
    shown = (counts.total(), *good, sum(counts[fault] for fault in FAULTS))
    return " | ".join(str(count) for count in shown)


def _table(first: str) -> list[str]:
    return [f"| {first} | {' | '.join(_HEAD)} |", f"|---|{'---|' * len(_HEAD)}"]


def _summary(runs: Sequence[Run]) -> Iterator[str]:
    yield from _table("home | entities")[:1]
    yield f"|---|---|{'---|' * len(_HEAD)}"
    for one in runs:
        yield f"| {one.home} ({HOMES[one.home]}), {one.release} | {one.entities} | {_row(one.findings)} |"


def _operations(runs: Sequence[Run]) -> Iterator[str]:
    """All operations, over all homes."""
    found: dict[str, list[Finding]] = {}
    for one in runs:
        for finding in one.findings:
            as_set = ", room or floor" if finding.deed.place else ""
            found.setdefault(f"{finding.deed.domain} `{finding.deed.intent}`{as_set}", []).append(finding)
    yield from _table("operation, over all homes")
    for name, findings in sorted(found.items()):
        yield f"| {name} | {_row(findings)} |"
    yield f"| **all** | {_row(finding for one in runs for finding in one.findings)} |"


def _faults(runs: Sequence[Run]) -> Iterator[str]:
    """Each kind of fault once, with how often it came and an example."""
    cases: dict[str, list[Finding]] = {}
    for one in runs:
        for finding in one.findings:
            if finding.verdict in FAULTS:
                cases.setdefault(finding.verdict, []).append(finding)
    if not cases:
        yield "No fault is left."
        return
    yield from ("### Faults of undo", "", "| verdict | times | operations | example |", "|---|---|---|---|")
    for verdict, found in sorted(cases.items()):
        operations = Counter(f"{finding.deed.domain} {finding.deed.intent}" for finding in found)
        example = found[0].line().replace("|", "\\|")
        example = example if len(example) < 420 else f"{example[:420]} …"
        named = ", ".join(name for name, _ in operations.most_common(6))
        yield f"| {verdict} | {len(found)} | {named} | {example} |"


def main() -> int:
    """Runs all that is asked for, writes the section and tells whether there is a fault."""
    chosen = options("scripts/undo", __doc__, RELEASES, HOMES, seed=41)
    wanted = [(release, home) for release in chosen.ha or RELEASES for home in chosen.home or HOMES]
    with ProcessPoolExecutor(AT_ONCE) as processes:
        runs = list(processes.map(run, *zip(*wanted, strict=True), repeat(chosen)))
    PAGE.write_text(with_section(PAGE.read_text(), HEADING, section(runs, " ".join(["scripts/undo", *sys.argv[1:]]))))
    return int(any(finding.verdict in FAULTS for one in runs for finding in one.findings))


if __name__ == "__main__":
    sys.exit(main())
