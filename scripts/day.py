"""An ordinary day on real Home Assistants: prints what was not done as it should, and writes docs/ordinary-day.md."""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.house.ordinary_day import AIM, DAY, PARTS, everyday, failed, serious, share
from tests.house.ordinary_home import PLAN, ordinary_home
from tests.house.ordinary_run import Ran, a_day
from tests.house.ordinary_words import Verdict, short
from tests.house.process import DEFAULT_VERSION, ROOT

RELEASES = (DEFAULT_VERSION, "2026.11.0")
PRESETS = ("strict", "balanced")
USUAL = ((DEFAULT_VERSION, "strict"), (DEFAULT_VERSION, "balanced"), ("2026.11.0", "strict"))
SLOW = 0.5
"""Seconds from which on an answer is slow: most take a few hundredths."""
PAGE = ROOT / "docs" / "ordinary-day.md"
INTRO = f"""# An ordinary day

What a family says to its house from morning to midnight, as an agent sends it, to a real Home Assistant with {len(PLAN.entities)}
entities: lamps that dim and lamps that do not, an unplugged one, a slow one and one that reports nothing, lamps that a
motion automation drives too, a template light, groups, scenes, scripts, blinds, heating, fans, speakers, a vacuum cleaner,
timers, helpers, and an annexe whose people speak German. `scripts/day` writes this page; `tests/e2e/test_ordinary_day.py`
runs the same day.

What is harmless must be done without a word, and it must be the right thing: after each request the devices are looked at
with the owner's token, and what each device heard is counted, so that nothing else was switched. The aim is {AIM:.0%}.
What is serious stands in the list too and is counted apart: there a person must be asked, says yes on the phone, and then it
is done (`pending → confirmed`); or it must be refused (`blocked`). `partial` is right where a lamp of the room is unplugged or
cannot do what is asked, and all others did it."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """A day on a release, under a preset."""

    release: str
    preset: str
    day: tuple[Ran, ...]
    complaints: tuple[str, ...]
    """What EdgeHome wrote into Home Assistant's log."""

    @property
    def name(self) -> str:
        """What it is called on the page."""
        return f"{self.preset}, Home Assistant {self.release}"


def lived(release: str, preset: str) -> Run:
    """Lives the day once, and prints what was not as it should."""
    print(f"day: {preset}, Home Assistant {release}", flush=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        ordinary_home(Path(folder), release, preset) as home,
        a_day(home, preset) as day,
    ):
        done = tuple(day.run(DAY))
        one = Run(release=release, preset=preset, day=done, complaints=tuple(home.process.complaints()))
    for ran in failed(one.day):
        print(f"  {ran.line()}", flush=True)
    for line in one.complaints:
        print(f"  {line}", flush=True)
    print(f"  {share(one.day):.1%} of {len(everyday(one.day))} everyday requests unasked and right", flush=True)
    return one


def page(runs: Sequence[Run], command: str) -> str:
    """The whole page: counts, what is not as it should be, and the list as the first run has it."""
    lines = [INTRO, "", f"Measured on {datetime.now(UTC):%Y-%m-%d} with `{command}`.", "", *_counts(runs)]
    lines += ["", "## Not as it should be", "", *_faults(runs)]
    lines += ["", "## Right, but slow", "", *_slow(runs[0])]
    for title, asks in PARTS:
        lines += ["", f"## {title}", "", *_list(runs[0], {ask.id for ask in asks})]
    return "\n".join(lines) + "\n"


def _counts(runs: Sequence[Run]) -> Iterator[str]:
    yield "| run | everyday requests | unasked and right | share | serious ones | asked | refused | as they must be |"
    yield "|---|---|---|---|---|---|---|---|"
    for one in runs:
        plain, grave = everyday(one.day), serious(one.day)
        asked, refused = (sum(ran.verdict is verdict for ran in grave) for verdict in (Verdict.ASKED, Verdict.REFUSED))
        right, as_must = len(plain) - len(failed(plain)), len(grave) - len(failed(grave))
        counts = (len(plain), right, f"{share(one.day):.1%}", len(grave), asked, refused, as_must)
        yield f"| {one.name} | {' | '.join(map(str, counts))} |"


def _faults(runs: Sequence[Run]) -> Iterator[str]:
    """Each request that failed in a run, once, with the runs in which it did."""
    found: dict[str, list[tuple[Run, Ran]]] = {}
    for one in runs:
        for ran in failed(one.day):
            found.setdefault(ran.ask.id, []).append((one, ran))
    if not found:
        yield "Nothing."
        return
    yield "| request | sent | risk | what came | in |"
    yield "|---|---|---|---|---|"
    for cases in found.values():
        ran = cases[0][1]
        where = "all runs" if len(cases) == len(runs) else "; ".join(one.name for one, _ in cases)
        came = f"{ran.outcome} {ran.code}: {ran.message} ({'; '.join(ran.wrong)})"
        yield _row(f"{ran.ask.at} {ran.ask.said}", f"`{short(ran.ask.sends)}`", _risk(ran), came, where)


def _slow(one: Run) -> Iterator[str]:
    """What was done right and took long: a device that is slow itself, or one that the answer waited for in vain."""
    found = [ran for ran in one.day if not ran.wrong and ran.seconds > SLOW]
    if not found:
        yield "Nothing."
        return
    yield f"In the run *{one.name}*, answers that took over {SLOW} s, and of what they could not say whether it followed."
    yield ""
    yield "| request | sent | seconds | not known of |"
    yield "|---|---|---|---|"
    for ran in found:
        sent, unknown = f"`{short(ran.ask.sends)}`", ", ".join(ran.unverified)
        yield _row(f"{ran.ask.at} {ran.ask.said}", sent, f"{ran.seconds:.1f}", unknown or "-")


def _list(one: Run, ids: set[str]) -> Iterator[str]:
    yield "| at | said | sent | risk | outcome | right? |"
    yield "|---|---|---|---|---|---|"
    for ran in one.day:
        if ran.ask.id in ids:
            right = "**no**" if ran.wrong else "yes"
            yield _row(ran.ask.at, ran.ask.said, f"`{short(ran.ask.sends)}`", _risk(ran), ran.outcome, right)


def _risk(ran: Ran) -> str:
    """The risk; what was refused before it had one has none."""
    return "-" if ran.outcome == "blocked" and not ran.risk else str(ran.risk)


def _row(*cells: object) -> str:
    return f"| {' | '.join(str(cell).replace('|', '\\|') for cell in cells)} |"


def main() -> int:
    """Lives the days that are asked for, writes the page, and tells whether the aim was missed."""
    parser = argparse.ArgumentParser(prog="scripts/day", description=__doc__)
    parser.add_argument("--ha", choices=RELEASES, action="append")
    parser.add_argument("--preset", choices=PRESETS, action="append")
    options = parser.parse_args()
    chosen = [(release, preset) for release in options.ha or RELEASES[:1] for preset in options.preset or PRESETS]
    runs = [lived(*one) for one in (chosen if options.ha or options.preset else USUAL)]
    PAGE.write_text(page(runs, " ".join(["scripts/day", *sys.argv[1:]])))
    missed = any(share(one.day) < AIM or failed(serious(one.day)) or one.complaints for one in runs)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
