"""Counts the instances of the tests that docs/cases.md names, and writes the numbers into its tables.

A row names tests in backquotes: a file, or a file and a test, under ``tests/``; ``::test`` alone belongs to the file
before it. The last column is how many of them run.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "cases.md"
_NAMED = re.compile(r"`([\w/.]*(?:::\w+)?)`")
_RUNS = (
    ("tests", "--ignore", "tests/e2e"),
    ("tests/e2e", "-p", "no:homeassistant", "-p", "no:socket"),
)


def collected() -> list[str]:
    """The ids of all tests, without running them."""
    found: list[str] = []
    for run in _RUNS:
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *run]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        found += [line.removeprefix("tests/") for line in done.stdout.splitlines() if "::" in line]
    return found


def counted(row: str, tests: list[str]) -> str:
    """A row with the number of its tests' instances.

    Raises:
        ValueError: a test that is named is not there.
    """
    cells = row.split(" | ")
    file, total = "", 0
    for name in _NAMED.findall(cells[-2]):
        path, _, test = name.partition("::")
        file = path or file
        wanted = f"{file}::{test}" if test else f"{file}::"
        number = sum(item == wanted or item.startswith(f"{wanted}[" if test else wanted) for item in tests)
        if not number:
            raise ValueError(f"no such test: {wanted}")
        total += number
    return " | ".join([*cells[:-1], f"{total} |"])


def main() -> None:
    """Writes the numbers; with ``--check`` only says whether they are right."""
    tests = collected()
    lines = PAGE.read_text().splitlines()
    written = [
        counted(line, tests) if line.startswith("| ") and ".py" in line.rpartition(" | ")[0] else line for line in lines
    ]
    if "--check" in sys.argv:
        sys.exit(0 if written == lines else "docs/cases.md: run scripts/cases")
    PAGE.write_text("\n".join(written) + "\n")


if __name__ == "__main__":
    main()
