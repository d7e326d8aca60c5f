"""Every code has a translation and a line in the docs; every file is small and named after its idea."""

import json
import re
from pathlib import Path

import pytest
import yaml

from custom_components.edgehome.catalogue import OPERATIONS
from custom_components.edgehome.codes import REFUSALS, Code
from custom_components.edgehome.confirmation.words import LANGUAGES, Words
from custom_components.edgehome.gates import GATES
from custom_components.edgehome.models import Intent
from tests.contracts.source import MODULES, PACKAGE, ROOT, name_of

EXCEPTIONS = json.loads((PACKAGE / "translations" / "en.json").read_text())["exceptions"]
RESERVED = frozenset(
    [
        "backup",
        "cast",
        "condition",
        "config",
        "diagnostics",
        "energy",
        "group",
        "hardware",
        "intent",
        "llm",
        "logbook",
        "media_source",
        "onboarding",
        "recorder",
        "repairs",
        "significant_change",
        "system_health",
        "trigger",
        "reproduce_state",
        "device_action",
        "device_condition",
        "device_trigger",
        "application_credentials",
        "ai_task",
        "air_quality",
        "alarm_control_panel",
        "assist_satellite",
        "binary_sensor",
        "button",
        "calendar",
        "camera",
        "climate",
        "conversation",
        "cover",
        "date",
        "datetime",
        "device_tracker",
        "event",
        "fan",
        "geo_location",
        "humidifier",
        "image",
        "image_processing",
        "infrared",
        "lawn_mower",
        "light",
        "lock",
        "media_player",
        "notify",
        "number",
        "radio_frequency",
        "remote",
        "scene",
        "select",
        "sensor",
        "siren",
        "stt",
        "switch",
        "text",
        "time",
        "todo",
        "tts",
        "update",
        "vacuum",
        "valve",
        "wake_word",
        "water_heater",
        "weather",
    ]
)
PLATFORMS_OF_OURS = {"diagnostics", "logbook", "repairs", "switch"}
DOCS_RULES = {
    rule
    for rule, status in yaml.safe_load((PACKAGE / "quality_scale.yaml").read_text())["rules"].items()
    if rule.startswith("docs-") and status == "done"
}


@pytest.mark.parametrize("code", sorted(REFUSALS))
def test_code_is_translated(code: Code) -> None:
    """An automation that is refused gets a sentence with the message, the hint and the trace."""
    message = EXCEPTIONS[code.lower()]["message"]
    assert {"{message}", "{hint}", "{trace_id}"} <= set(re.findall(r"\{\w+\}", message))


@pytest.mark.parametrize("code", sorted(Code))
def test_code_is_documented(code: Code) -> None:
    """docs/refusals.md has a line for it."""
    assert f"| `{code}` |" in (ROOT / "docs" / "refusals.md").read_text()


SHARED = {
    Code.SERVICE_NOT_FOUND: {"schema", "capability"},
    Code.UNSUPPORTED_FIELD: {"schema", "capability"},
    Code.OUT_OF_RANGE: {"schema", "capability"},
    Code.DEVICE_TYPE_MISMATCH: {"schema", "device_resolver"},
    Code.CONFLICT: {"schema", "device_resolver"},
}
"""The codes that more than one gate may give: a call in Home Assistant's words is held against the catalogue at once."""


def gates_of(code: Code) -> set[str]:
    """The gates that may refuse with a code."""
    return {gate.name.value for gate in GATES if code in gate.codes}


def test_refusals_of_gates_are_theirs_alone() -> None:
    """A code tells which gate refused, but for those that are listed here."""
    assert {code: gates_of(code) for code in REFUSALS if len(gates_of(code)) > 1} == SHARED


@pytest.mark.parametrize("code", sorted(REFUSALS))
def test_gates_are_documented(code: Code) -> None:
    """docs/refusals.md names all gates of a code, in their order."""
    text = (ROOT / "docs" / "refusals.md").read_text()
    (row,) = re.findall(rf"^\| `{code}` \|([^|]*)\|", text, re.MULTILINE)
    order = [gate.name.value for gate in GATES if code in gate.codes]
    assert row.strip() == ", ".join(order)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module(path: Path) -> None:
    """A module has a docstring, at most 400 lines and a name that says what it is."""
    text = path.read_text()
    assert text.startswith('"""')
    assert text.count("\n") <= 400
    assert path.stem not in {"helpers", "utils", "util", "common", "manager", "misc"}


def test_no_name_is_taken_for_a_platform() -> None:
    """Home Assistant would load a file or folder of these names as a platform."""
    top = {path.stem for path in PACKAGE.iterdir()}
    assert top & RESERVED == PLATFORMS_OF_OURS


@pytest.mark.parametrize("rule", sorted(DOCS_RULES))
def test_docs_rule_has_its_place(rule: str) -> None:
    """A docs rule that is marked done is named where it is fulfilled."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    assert [page for page in pages if f"<!-- {rule} -->" in page.read_text()]


@pytest.mark.parametrize("lock", sorted((ROOT / "locks").glob("*.txt")), ids=lambda path: path.name)
def test_locks_have_hashes_and_no_addresses(lock: Path) -> None:
    """A lock pins versions and hashes and leaves open where they come from."""
    text = lock.read_text()
    assert "://" not in text
    fewest = 50 if lock.name.startswith("ha-") else 2
    assert len(re.findall(r"^[\w.\[\]-]+==", text, re.MULTILINE)) > fewest
    assert all("--hash=sha256:" in part for part in re.split(r"^(?=[\w])", text, flags=re.MULTILINE)[1:])


CARRIED = sorted({row.intent for row in OPERATIONS})


@pytest.mark.parametrize("words", LANGUAGES, ids=["english", "german", "chinese"])
@pytest.mark.parametrize("intent", CARRIED)
def test_operation_has_a_verb(intent: Intent, words: Words) -> None:
    """What can be asked about is asked in words, in every language."""
    assert words.verbs[intent.value].strip()
