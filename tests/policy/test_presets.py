"""The tables that an owner can start from, exactly as the design has them."""

import pytest

from custom_components.edgehome.policy.presets import BALANCED, PRESETS, STRICT
from custom_components.edgehome.policy.rule import Subject, Verdict
from custom_components.edgehome.policy.table import PolicyTable

AFTER_LOCKS = [
    (None, "lock", (3, 5), "confirm"),
    ("set_temperature", "thermostat", (0, 2), "allow"),
    ("set_temperature", "thermostat", (3, 5), "confirm"),
    ("set_brightness", "light", (0, 5), "allow"),
    (None, None, (0, 2), "allow"),
    (None, None, (3, 5), "confirm"),
]


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        pytest.param(
            STRICT,
            [("lock", None, (4, 5), "deny"), ("unlock", None, (4, 5), "deny"), *AFTER_LOCKS],
            id="strict",
        ),
        pytest.param(
            BALANCED,
            [("lock", None, (0, 5), "allow"), ("unlock", None, (0, 5), "confirm"), *AFTER_LOCKS],
            id="balanced",
        ),
    ],
)
def test_rows(table: PolicyTable, rows: list[tuple[object, ...]]) -> None:
    """The table, row by row."""
    told = [(*rule.operations, *rule.device_types, rule.risk, rule.verdict.value) for rule in table.rules]
    assert told == [tuple(word for word in row if word is not None) for row in rows]


@pytest.mark.parametrize(
    ("operation", "device_type", "risk", "strict", "balanced"),
    [
        ("turn_on", "light", 1, "allow", "allow"),
        ("set_brightness", "light", 5, "allow", "allow"),
        ("set_color", "light", 3, "confirm", "confirm"),
        ("lock", "lock", 4, "deny", "allow"),
        ("lock", "lock", 3, "confirm", "allow"),
        ("unlock", "lock", 4, "deny", "confirm"),
        ("unlock", "lock", 5, "deny", "confirm"),
        ("unlock", "lock", 2, "allow", "confirm"),
        ("open", "lock", 5, "confirm", "confirm"),
        ("status", "lock", 0, "allow", "allow"),
        ("set_temperature", "thermostat", 2, "allow", "allow"),
        ("set_temperature", "thermostat", 3, "confirm", "confirm"),
        ("open", "garage_door", 4, "confirm", "confirm"),
        ("disarm", "alarm", 5, "confirm", "confirm"),
        ("anything", "anything", 6, "deny", "deny"),
        ("anything", "anything", -1, "deny", "deny"),
    ],
)
def test_verdicts(operation: str, device_type: str, risk: int, strict: str, balanced: str) -> None:
    """What both tables say, case by case."""
    assert STRICT.decide(Subject(operation, device_type, risk)).verdict == strict
    assert BALANCED.decide(Subject(operation, device_type, risk)).verdict == balanced


@pytest.mark.parametrize("table", PRESETS.values(), ids=PRESETS.keys())
def test_ids(table: PolicyTable) -> None:
    """Every rule has a name of its own, for a refusal to tell."""
    ids = [rule.id for rule in table.rules]
    assert len(set(ids)) == len(ids)
    assert "last_row" not in ids


@pytest.mark.parametrize("table", PRESETS.values(), ids=PRESETS.keys())
def test_nothing_serious_is_allowed_unasked(table: PolicyTable) -> None:
    """From risk 3 on, only what makes the house safer or dims a lamp goes unasked."""
    allowed = {
        one for rule in table.rules if rule.risk[1] >= 3 and rule.verdict is Verdict.ALLOW for one in rule.operations
    }
    assert allowed <= {"lock", "set_brightness"}


def test_names() -> None:
    """The tables by their names."""
    assert PRESETS == {"strict": STRICT, "balanced": BALANCED}
