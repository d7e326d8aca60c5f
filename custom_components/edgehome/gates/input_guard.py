"""Gate 1: may this caller send this at all? (R2, R3, R6, R14)

Asks for lockdown, the caller's standing and its rate, then reads every text and number of the payload within fixed
bounds: what is too large is refused before anything else looks at it, whatever is in it.
"""

from ..chain import Answer, GateContext, Pass, Refuse, passing, refusing
from ..codes import Code, GateName
from ..content import FLAGS, oversized, suspicions
from ..models import PrincipalKind

_REGISTER = "Ask the owner to add this agent under Settings > Devices & services > EdgeHome > Add agent."
_STANDING = {
    "unknown": (Code.AGENT_UNKNOWN, "EdgeHome does not know this caller.", _REGISTER),
    "foreign_frontend": (
        Code.AGENT_UNKNOWN,
        "This log-in does not come from an address that Home Assistant knows as its own.",
        "If you are the owner: set this address under Settings > System > Network. Agents are added under EdgeHome.",
    ),
    "disabled": (
        Code.AGENT_DISABLED,
        "The owner has paused this agent.",
        "Ask the owner to enable it again.",
    ),
    "expired": (
        Code.AGENT_EXPIRED,
        "This agent's access has expired.",
        "Ask the owner to renew its token.",
    ),
    "automation_off": (
        Code.AUTOMATION_OFF,
        "Calls without a user (automations) are off.",
        "The owner can allow them in EdgeHome's options.",
    ),
}


class InputGuard:
    """May this caller send this at all?"""

    name = GateName.INPUT_GUARD
    rules = ("R2", "R3", "R6", "R14", "R15")
    codes = frozenset(
        {Code.LOCKDOWN, Code.RATE_LIMIT, Code.TOO_LARGE}
        | {code for code, _, _ in _STANDING.values()}
        | {flag.code for flag in FLAGS}
    )
    steps: frozenset[type] = frozenset({Pass, Refuse})

    def evaluate(self, ctx: GateContext) -> Answer:
        """Refuses callers that may not call and payloads that nobody should read further."""
        refusal = _caller(ctx) or oversized(ctx.request.sent)
        if refusal:
            return refusing(refusal)
        verdicts = ctx.facts.flag_verdicts()
        noted: list[str] = []
        for flag, path in suspicions(ctx.request.sent):
            if verdicts.get(flag.name) == "note":
                noted.append(f"{flag.name}: {path}")
                continue
            return refusing(
                Refuse(
                    code=flag.code,
                    message=f"{path} contains {flag.what}.",
                    hint="Send plain words: the device's name, the room, the value.",
                    field=path,
                )
            )
        return passing(ctx, flags=noted)


def _caller(ctx: GateContext) -> Refuse | None:
    principal = ctx.request.principal
    if ctx.facts.lockdown():
        return Refuse(
            code=Code.LOCKDOWN,
            message="The house is in lockdown: nothing is accepted from anybody.",
            hint="An administrator can end it with EdgeHome's lockdown switch.",
        )
    standing = ctx.facts.standing(principal.id, principal.kind)
    if standing.status != "active":
        code, message, hint = _STANDING.get(standing.status, _STANDING["unknown"])
        return Refuse(code=code, message=message, hint=hint)
    if ctx.consent is not None or principal.kind is PrincipalKind.OWNER:
        # After a yes the request is not counted again: others that came meanwhile must not spoil it.
        return None
    if ctx.facts.usage(principal.id, ctx.request.trace_id) >= standing.requests_per_minute:
        return Refuse(
            code=Code.RATE_LIMIT,
            message=f"More than {standing.requests_per_minute} requests in a minute.",
            hint="Wait a minute, then send a new request with a new request_id.",
        )
    return None
