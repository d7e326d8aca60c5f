"""The matrix of agents, operations, device types, risks and presets, as matrix.md says it, cell by cell."""

from pathlib import Path

import pytest

from custom_components.edgehome.catalogue import operation
from custom_components.edgehome.catalogue.device_types import domain_of
from custom_components.edgehome.catalogue.risk import base_risk, effect_on
from custom_components.edgehome.chain import GateContext, Pass, Preview
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import DeviceState, Standing
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.gates.dry_run import DryRun
from custom_components.edgehome.gates.policy import Policy
from custom_components.edgehome.models import Intent, ModelCandidate
from custom_components.edgehome.plan import GatedCommand
from custom_components.edgehome.policy.presets import BALANCED, STRICT
from custom_components.edgehome.policy.space import known_deeds
from custom_components.edgehome.proposal import Proposal, Wanted
from tests.made_house import MadeHouse, request

PAGE = Path(__file__).with_name("matrix.md")
CEILINGS = {"any agent": 5, "an agent up to risk 2": 2}
TABLES = {"strict": STRICT, "balanced": BALANCED}


def rows() -> list[tuple[str, str, int, list[str]]]:
    """The rows of the page: device type, operation, risk, and the cells."""
    found = []
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 8 and cells[2].isdigit():
            kind, operations, risk, *verdicts = cells
            found += [(kind, name.strip(), int(risk), verdicts) for name in operations.split(",")]
    return found


def action(kind: str, name: str, risk: int) -> GatedCommand:
    """The operation on a device of this type, under all names that it has whatever the device's state."""
    intent = Intent(name)
    row = operation(domain_of(kind), intent)
    assert row is not None
    means = row.means({}, DeviceState(state="unknown")) if row.means else ()
    return GatedCommand(
        entity_id=f"{domain_of(kind)}.a",
        name="A",
        device_type=kind,
        operations=(intent, *(one for one in means if one is not intent)),
        effect=effect_on(kind, intent, row.effect),
        risk=risk,
        service=None if intent is Intent.STATUS else f"{domain_of(kind)}.{name}",
    )


def said(kind: str, name: str, risk: int, ceiling: int, preset: str, *, watch: bool = False) -> str:
    """What becomes of it in the words of the page."""
    house = MadeHouse(table=TABLES[preset], stand=Standing(status="active", max_risk=ceiling), watch=watch)
    context = GateContext(
        request=request({}),
        facts=Facts(house),
        proposal=Proposal(wanted=(Wanted(candidate=ModelCandidate(intent=Intent(name), device_alias="A")),)),
        actions=(action(kind, name, risk),),
    )
    step, result = Policy().evaluate(context)
    if not isinstance(step, Pass):
        return {Code.POLICY_DENIED: "deny", Code.RISK_TOO_HIGH: "too high"}[result.reason or Code.INTERNAL_ERROR]
    assert step.context.requirement is not None
    verdict = {"allow": "allow", "confirm": "ask"}[step.context.requirement.verdict]
    if not watch or name == "status":
        return verdict
    ended, _ = DryRun().evaluate(step.context)
    assert isinstance(ended, Preview)
    return f"({verdict})"


@pytest.mark.parametrize(("kind", "name", "risk", "cells"), rows(), ids=lambda value: str(value)[:40])
def test_matrix(kind: str, name: str, risk: int, cells: list[str]) -> None:
    """Every cell is what the chain says."""
    assert risk == base_risk(kind, Intent(name))
    told = [said(kind, name, risk, ceiling, preset) for ceiling in CEILINGS.values() for preset in TABLES]
    assert [*told, said(kind, name, risk, 5, "strict", watch=True)] == cells


def test_nothing_is_missing() -> None:
    """Every operation on every type of device stands in the matrix, once."""
    there = [(name, kind) for kind, name, _, _ in rows()]
    # Nobody can ask for what only scripts do to automations.
    assert sorted(there) == sorted({(name, kind) for name, kind, _ in known_deeds() if kind != "automation"})
