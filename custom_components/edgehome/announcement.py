"""The event of a decision: lets automations announce or flash a lamp, and the logbook tell it.

It carries no secret, no word of the agent and no way to answer (R12, R14).
"""

from homeassistant.core import Context, HomeAssistant, callback

from .codes import Outcome
from .const import DOMAIN
from .trace import PipelineTrace

EVENT_DECISION = f"{DOMAIN}_decision"


@callback
def async_announce(hass: HomeAssistant, trace: PipelineTrace) -> None:
    """Fires the event; reads are nobody's news."""
    if trace.outcome is Outcome.READ:
        return
    actions = trace.plan.actions if trace.plan else ()
    hass.bus.async_fire(
        EVENT_DECISION,
        {
            "trace_id": trace.request.trace_id,
            "caller": trace.request.principal.name,
            "caller_kind": trace.request.principal.kind.value,
            "outcome": trace.outcome.value,
            "code": trace.code.value,
            "gate": trace.gate.value if trace.gate else None,
            "operations": sorted({action.operation.value for action in actions}),
            "entity_ids": [action.entity_id for action in actions][:50],
            "risk": trace.plan.risk if trace.plan else None,
            "verdict": trace.requirement.get("verdict") if trace.requirement else None,
            "rule": trace.requirement.get("rule") if trace.requirement else None,
        },
        context=Context(parent_id=trace.request.context_id),
    )
