"""What would happen if an agent asked for something: ``judge`` itself, on the house as it is or as it is supposed to be.

Nothing is recorded, counted, fetched or done (no Home Assistant here).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

from .chain import Ask, Need, NoChange, Preview, Read, Ready, Refuse, Step
from .codes import Code
from .devices import DeviceState
from .endings import closing
from .facts import Facts, House
from .judge import Judgement, judge
from .models import ActionRequest, Principal
from .plan import GatedCommand
from .policy.decision import circumstances, decide, tool_question
from .policy.rule import Circumstances, Verdict
from .policy.table import LAST_ROW, PolicyTable
from .supposed import Supposed

_WOULD: Mapping[type[Step], str] = {
    Ready: "execute",
    Ask: "ask",
    NoChange: "no_change",
    Read: "read",
    Preview: "preview",
    Refuse: "refuse",
}


@dataclass(frozen=True, kw_only=True)
class Supposition:
    """What is supposed: entities in other states, another weekday and minute of the day, whether somebody is home."""

    states: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    now: tuple[int, int] | None = None
    somebody_home: bool | None = None

    def of(self, house: House) -> House:
        """The house as it is supposed to be."""
        states = {one: _supposed(house, one, told) for one, told in self.states.items()}
        return cast("House", Supposed(house, states, self.now, self.somebody_home))


SUPPOSABLE = ("states", "time", "somebody_home")
"""Fields of a simulation that say what is supposed."""


def supposition(payload: Mapping[str, object]) -> Supposition | Refuse:
    """What a simulation supposes, or what is wrong with it. ``time`` is ISO 8601, in the home's own time."""
    states, time, somebody = payload.get("states", {}), payload.get("time"), payload.get("somebody_home")
    if not isinstance(states, Mapping) or not all(isinstance(told, Mapping) for told in states.values()):
        hint = 'Send them like {"light.kitchen": {"state": "on", "attributes": {"brightness": 128}}}.'
        return Refuse(code=Code.SCHEMA, message="states is no object of states.", hint=hint, field="states")
    if somebody is not None and not isinstance(somebody, bool):
        hint = "Send true or false, or leave it out."
        return Refuse(code=Code.SCHEMA, message="somebody_home is neither.", hint=hint, field="somebody_home")
    now = None
    if time is not None:
        try:
            at = datetime.fromisoformat(time) if isinstance(time, str) else None
        except ValueError:
            at = None
        if at is None or at.tzinfo is not None:
            hint = "Send a local time such as 2026-12-24T18:30."
            return Refuse(code=Code.SCHEMA, message="time is no local time.", hint=hint, field="time")
        now = (at.weekday(), at.hour * 60 + at.minute)
    return Supposition(states=states, now=now, somebody_home=somebody)


_VERDICTS = {Verdict.ALLOW: "execute", Verdict.CONFIRM: "ask", Verdict.DENY: "refuse"}


def simulated_tool(
    principal: Principal, tool: str, sent: Mapping[str, object], house: House, supposed: Supposition
) -> dict[str, object]:
    """What the policy says to a call of a tool (R16)."""
    table, house = house.policy(), supposed.of(house)
    now = circumstances(table, principal, house)
    question = tool_question(tool, sent)
    decision = decide(table, question, now)
    rule, skipped = table.explain(question.subjects[0], now)
    answer: dict[str, object] = {"would": _VERDICTS[decision.verdict], "tool": tool}
    if rule is LAST_ROW:
        answer |= {"code": Code.POLICY_DENIED.value, "message": f"tool {tool} is not on the allow-list"}
    return {**answer, "verdict": decision.verdict.value, "rule": decision.rule, "skipped": skipped}


def simulated(request: ActionRequest, house: House, supposing: Supposition) -> dict[str, object]:
    """What would become of a request.

    A state that would have to be fetched first is taken for true; ``fetches`` names those.
    """
    supposed = supposing.of(house)
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
        may = [one.id for one in table.speaking(subject, now)]
        yield {
            "entity_id": subject.entity_id,
            "operation": subject.operation,
            "device_type": subject.device_type,
            "risk": subject.risk,
            "rule": rule.id,
            "verdict": rule.verdict.value,
            "skipped": skipped,
            **({"may_speak": may} if len(may) > 1 else {}),
        }
