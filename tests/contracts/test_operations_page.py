"""docs/operations.md is what scripts/operations makes of the catalogue."""

import re
from runpy import run_path

import pytest

from custom_components.edgehome.catalogue import OPERATIONS
from custom_components.edgehome.catalogue.left_out import LEFT_OUT
from tests.contracts.source import ROOT

SCRIPT = run_path(str(ROOT / "scripts" / "operations.py"))
TEXT: str = SCRIPT["page"]()


def test_the_page_is_up_to_date() -> None:
    """The committed file equals the generated one; scripts/operations writes it anew."""
    assert SCRIPT["PAGE"].read_text() == TEXT


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: f"{row.domain}.{row.intent}")
def test_every_row_is_there(row: object) -> None:
    """Each row stands under its domain with its values and its action."""
    item = next(item for item in OPERATIONS if item is row)
    section = re.search(rf"^## {item.domain}\n(.*?)^## ", TEXT, re.MULTILINE | re.DOTALL)
    assert section
    (line,) = [line for line in section[1].splitlines() if line.startswith(f"| `{item.intent}` |")]
    assert all(f"`{name}`" in line for name in item.params)
    assert (item.service or "as what it does now") in line


@pytest.mark.parametrize("service", sorted(LEFT_OUT))
def test_every_action_that_is_left_out_is_there(service: str) -> None:
    """With the reason in the same row."""
    (line,) = [
        line for line in TEXT.splitlines() if f"`{service}`" in line.rpartition(" | ")[2] or f"`{service}`," in line
    ]
    assert LEFT_OUT[service] in line
