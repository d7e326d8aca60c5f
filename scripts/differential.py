"""The whole differential test: all entities and operations of both homes on both releases, and the page's section on it."""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import repeat
from pathlib import Path

from tests.house.differential import compared
from tests.house.differential_home import ProbedProcess, demo_home, generated
from tests.house.differential_verdicts import FALSE_REFUSAL, FAULTS, HONEST, STRICTER, VERDICTS, Finding, counted
from tests.house.process import DEFAULT_VERSION, ROOT
from tests.house.sweep import options, with_section

RELEASES = (DEFAULT_VERSION, "2026.11.0")
HOMES = ("demo", "generated")
AT_ONCE = 2
"""So many homes run at the same time."""
PAGE = ROOT / "docs" / "benchmarks.md"
HEADING = "## Differential test"
LISTED = (*FAULTS, FALSE_REFUSAL, HONEST)
"""Verdicts of which each kind of case is listed."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """The findings of one home on one release."""

    release: str
    home: str
    entities: int
    findings: tuple[Finding, ...]


def run(release: str, home: str, options: argparse.Namespace) -> Run:
    """Runs one home on one release."""
    with tempfile.TemporaryDirectory() as folder, ProbedProcess(Path(folder), release) as process:
        opening = demo_home(process) if home == "demo" else generated(process, options.seed, options.size)
        print(f"differential: {home} home, Home Assistant {release}", flush=True)
        with opening as opened:
            findings = asyncio.run(compared(opened, options.share, options.seed))
            print(release, home, dict(Counter(finding.verdict for finding in findings)), flush=True)
            for finding in findings:
                if finding.verdict in LISTED:
                    print(f"  {finding.line()}", flush=True)
            return Run(release=release, home=home, entities=len(opened.entity_ids), findings=tuple(findings))


def section(runs: Iterable[Run], command: str) -> str:
    """The page's section."""
    done = tuple(runs)
    lines = [
        HEADING,
        "",
        "`scripts/differential` asks the same twice, for every entity and operation, with values that fit, that are so already,",
        "that are out of range or unknown, and with the entity unplugged: first Home Assistant, as its owner; then, from the",
        "same state, EdgeHome, as an agent whom the policy allows everything. What Home Assistant refuses or silently ignores,",
        "EdgeHome must have refused at the right gate; what it does, EdgeHome must do. `tests/e2e/test_differential.py` runs a",
        "sample.",
        "",
        f"Measured on {datetime.now(UTC):%Y-%m-%d} with `{command}`.",
        "",
    ]
    for one in done:
        lines += [*_table(one), ""]
    lines += _cases(done)
    return "\n".join(lines).rstrip() + "\n"


def _table(one: Run) -> list[str]:
    total = Counter(finding.verdict for finding in one.findings)
    shown = [verdict for verdict in VERDICTS if total[verdict] or verdict in {*FAULTS, FALSE_REFUSAL}]
    count, literal = max(1, len(one.findings)), total[FALSE_REFUSAL] + total[STRICTER]
    head = f"### {one.home.capitalize()} home, Home Assistant {one.release}: {one.entities} entities, {len(one.findings)} probes"
    lines = [
        head,
        "",
        _refused(total[FALSE_REFUSAL], literal, count),
        f"Verified of what followed: {_verified(one)} %.",
        "",
    ]
    lines += [f"| domain | {' | '.join(shown)} |", f"|---|{'---|' * len(shown)}"]
    rows: list[tuple[str, Mapping[str, int]]] = [*sorted(counted(one.findings).items()), ("**all**", total)]
    lines += [f"| {name} | {' | '.join(str(counts.get(verdict, 0)) for verdict in shown)} |" for name, counts in rows]
    return lines


def _refused(false: int, literal: int, count: int) -> str:
    """Both ways to count: all that was refused though Home Assistant would do it, and without what a rule refuses."""
    return (
        f"Refused though Home Assistant would do it: {literal} ({100 * literal / count:.2f} %); without what a rule of"
        f" EdgeHome refuses on purpose: {false} ({100 * false / count:.2f} %, at most 0.5 %)."
    )


def _verified(one: Run) -> int:
    followed = [finding for finding in one.findings if finding.verdict == VERDICTS[0]]
    return round(100 * sum(finding.is_verified for finding in followed) / max(1, len(followed)))


def _cases(runs: tuple[Run, ...]) -> list[str]:
    """Each kind of case that is no agreement, once, with how often it came and an example."""
    cases: dict[tuple[str, ...], list[tuple[Run, Finding]]] = {}
    for one in runs:
        for finding in one.findings:
            if finding.verdict in LISTED or (finding.verdict == STRICTER and finding.why):
                code = finding.said.split()[1]
                cases.setdefault((finding.verdict, finding.domain, finding.intent, code, finding.why), []).append(
                    (one, finding)
                )
    if not cases:
        return ["No case is left to explain."]
    lines = [
        "### Cases that are no agreement",
        "",
        "| verdict | operation | chain | times | why | example |",
        "|---|---|---|---|---|---|",
    ]
    for (verdict, domain, intent, code, why), found in sorted(cases.items()):
        example = f"{found[0][1].probe}: Home Assistant {found[0][1].truth}".replace("|", "\\|")
        lines.append(f"| {verdict} | {domain} {intent} | {code} | {len(found)} | {why or '**open**'} | {example} |")
    return lines


def main() -> int:
    """Runs all that is asked for, writes the section and tells whether there is a fault."""
    chosen = options("scripts/differential", __doc__, RELEASES, HOMES, seed=1)
    wanted = [(release, home) for release in chosen.ha or RELEASES for home in chosen.home or HOMES]
    with ProcessPoolExecutor(AT_ONCE) as processes:
        runs = list(processes.map(run, *zip(*wanted, strict=True), repeat(chosen)))
    PAGE.write_text(
        with_section(PAGE.read_text(), HEADING, section(runs, " ".join(["scripts/differential", *sys.argv[1:]])))
    )
    return int(any(finding.verdict in FAULTS for one in runs for finding in one.findings))


if __name__ == "__main__":
    sys.exit(main())
