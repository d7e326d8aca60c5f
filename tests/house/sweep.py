"""What the sweeps over whole homes share: their options, and their sections of a page."""

import argparse
import re
from collections.abc import Iterable


def options(
    prog: str, description: str | None, releases: Iterable[str], homes: Iterable[str], seed: int
) -> argparse.Namespace:
    """Which releases and homes, and how much of them."""
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument("--ha", choices=list(releases), action="append")
    parser.add_argument("--home", choices=list(homes), action="append")
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--size", type=int, default=300)
    parser.add_argument("--share", type=float, default=1)
    return parser.parse_args()


def with_section(page: str, heading: str, new: str) -> str:
    """The page with a section exchanged, or added at its end; the others stay."""
    before, found, after = page.partition(f"\n{heading}\n")
    others = re.search(r"^## ", after, re.MULTILINE)
    kept = f"\n{after[others.start() :]}" if found and others else ""
    return f"{before.rstrip()}\n\n{new}{kept}"
