"""What would happen if an agent asked for something: ``judge`` itself, on the house as it is or as it is supposed to be.

Nothing is recorded, counted, fetched or done (no Home Assistant here).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from .chain import Ask, Need, NoChange, Preview, Read, Ready, Refuse, Step
from .devices import DeviceState
from .endings import closing
from .facts import Facts, House, Supposed
from .judge import Judgement, judge
from .models import ActionRequest
from .plan import GatedCommand
from .policy.decision import circumstances, decide
from .policy.rule import Circumstances
from .policy.table import PolicyTable

_WOULD: Mapping[type[Step], str] = {
    Ready: "execute",
    Ask: "ask",
    NoChange: "no_change",
    Read: "read",
    Preview: "preview",
    Refuse: "refuse",
}


def simulated(request: ActionRequest, house: House, states: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """What would become of a request; ``states`` are entities that are supposed to be in another state.

    A state that would have to be fetched first is taken for true; ``fetches`` names those.
    """
    supposed = cast("House", Supposed(house, {one: _supposed(house, one, told) for one, told in states.items()}))
    fetched: dict[str, bool] = {}
    judged = judge(request, Facts(supposed))
    while isinstance(judged.step, Need) and not fetched.keys() >= set(judged.step.entity_ids):
        fetched |= dict.fromkeys(judged.step.entity_ids, True)
        judged = judge(request, Facts(supposed, fetched))
    now = circumstances(house.policy(), request.principal, supposed)
    return {
        **_verdict(request, judged),
        "fetches": sorted(fetched),
        "gates": [_gate(record.to_json()) for record in judged.records],
        "actions": [_explained(action, house.policy(), now) for action in judged.context.actions],
    }


def _supposed(house: House, entity_id: str, told: Mapping[str, object]) -> DeviceState:
    """The present state with what is supposed of it."""
    present = house.state(entity_id) or DeviceState(state="unknown")
    attributes = told.get("attributes")
    more = attributes if isinstance(attributes, Mapping) else {}
    return replace(present, state=str(told.get("state", present.state)), attributes={**present.attributes, **more})


def _verdict(request: ActionRequest, judged: Judgement) -> dict[str, object]:
    step = judged.step
    would = _WOULD.get(type(step), "refuse")
    if isinstance(step, Ready | Ask):
        asked = {"requirement": step.requirement.describe()} if isinstance(step, Ask) else {}
        return {"would": would, "plan": step.plan.describe(), **asked}
    answer = closing(request, step, judged.gate, ()).answer()
    wanted = ("code", "gate", "message", "hint", "field", "candidates", "plan", "requirement", "result")
    return {"would": would, **{name: answer[name] for name in wanted if answer.get(name) is not None}}


def _gate(record: Mapping[str, object]) -> dict[str, object]:
    return {name: record[name] for name in ("gate", "passed", "reason", "evidence")}


def _explained(action: GatedCommand, table: PolicyTable, now: Circumstances) -> dict[str, object]:
    """An action with its risk and what each rule said about it, under each of its names and of all that it reaches."""
    decision = decide(table, action.question, now)
    return {
        "entity_id": action.entity_id,
        "operations": [name.value for name in action.operations],
        "risk": action.risk,
        "because": list(action.risk_reasons),
        "verdict": decision.verdict.value,
        "rule": decision.rule,
        "asked": list(_asked(action, table, now)),
    }


def _asked(action: GatedCommand, table: PolicyTable, now: Circumstances) -> Iterator[dict[str, object]]:
    for subject in (*action.subjects, *(subject for other in action.reaches for subject in other.subjects)):
        rule, skipped = table.explain(subject, now)
        yield {
            "entity_id": subject.entity_id,
            "operation": subject.operation,
            "device_type": subject.device_type,
            "risk": subject.risk,
            "rule": rule.id,
            "verdict": rule.verdict.value,
            "skipped": skipped,
        }
