"""Requests, plans and traces made of plain values."""

from dataclasses import replace
from datetime import UTC, datetime

from custom_components.edgehome.codes import Code, GateName, Outcome
from custom_components.edgehome.endings import interrupted
from custom_components.edgehome.models import ActionRequest, Intent, Principal
from custom_components.edgehome.plan import Effect, ExecutionPlan, GatedCommand
from custom_components.edgehome.trace import PipelineTrace
from tests.made_house import AGENT, proposing, request

LAMP_ON = proposing("turn_on", device_alias="Lamp")
OTHER = Principal(kind=AGENT.kind, id="zeus", name="Zeus")


def command(entity_id: str = "light.lamp", service: str = "light.turn_on", **data: object) -> GatedCommand:
    """One call on one entity."""
    return GatedCommand(
        entity_id=entity_id,
        name="Lamp",
        device_type="light",
        operations=(Intent.TURN_ON,),
        effect=Effect.ADJUST,
        risk=1,
        service=service,
        data=data,
        before="off",
    )


def asking(
    trace_id: str = "01TEST",
    request_id: str | None = None,
    principal: Principal = AGENT,
    **more: object,
) -> ActionRequest:
    """A request that switches a lamp on."""
    payload = {**LAMP_ON, **more} | ({"request_id": request_id} if request_id else {})
    return replace(request(payload, principal), trace_id=trace_id)


def started(asked: ActionRequest) -> PipelineTrace:
    """What is kept of a request before it is dispatched."""
    return replace(interrupted(asked), plan=ExecutionPlan(actions=(command(),)))


def done(asked: ActionRequest) -> PipelineTrace:
    """A request that was executed."""
    return replace(
        started(asked),
        outcome=Outcome.EXECUTED,
        code=Code.DONE,
        gate=GateName.EXECUTION,
        message="Done, and the device followed.",
        hint=None,
        result={"actions": []},
        finished_at=datetime(2026, 11, 30, 12, 0, 1, tzinfo=UTC),
    )
