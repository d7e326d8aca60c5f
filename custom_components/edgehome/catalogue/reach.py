"""What an action reaches beyond its own entity: members, scenes, scripts, wrappers, automations (R5).

Bounded in depth and number: what goes further counts as something that cannot be read.
"""

from dataclasses import dataclass, replace

from ..devices import DeviceRecord
from ..facts import Facts, House
from ..models import CustomVerb, Intent, Verb
from ..plan import Effect, GatedCommand, Reached
from .risk import OPAQUE, base_risk, effect_on

DEEPEST, MOST = 6, 200
_WHATEVER = "*"
_RUNNING = frozenset({Intent.ACTIVATE.value, Intent.RUN.value})
_TOO_FAR = "more than EdgeHome follows"


@dataclass(frozen=True)
class Reach:
    """What is reached, and what of it cannot be read."""

    actions: tuple[Reached, ...]
    unread: tuple[str, ...]


def with_reach(action: GatedCommand, record: DeviceRecord, facts: Facts | House) -> GatedCommand:
    """An action with everything that it does elsewhere; its risk is that of the riskiest part."""
    if action.effect is Effect.READ:
        return action
    reach = reach_of(record.entity_id, tuple(name.value for name in action.operations), facts)
    is_opaque = bool(reach.unread) and not record.vetted
    action = replace(action, own_risk=action.risk)
    risk, reasons = action.risk, list(action.risk_reasons)
    riskiest = max(reach.actions, key=lambda item: item.risk, default=None)
    if riskiest and riskiest.risk > risk:
        risk = riskiest.risk
        reasons.append(f"it reaches {riskiest.entity_id} ({riskiest.verbs[-1]}): {risk}")
    if is_opaque:
        reasons.append(f"cannot be read: {', '.join(reach.unread[:3])}")
        is_run = _RUNNING & {name.value for name in action.operations}
        if is_run and (record.owner is None or record.owner.risk is None):
            risk = max(risk, OPAQUE)
    return replace(action, risk=risk, risk_reasons=tuple(reasons), opaque=is_opaque, reaches=reach.actions)


def reach_of(entity_id: str, verbs: tuple[str, ...], facts: Facts | House) -> Reach:
    """Everything that is done elsewhere when these verbs are done to an entity."""
    found: dict[tuple[str, tuple[str, ...]], Reached] = {}
    unread: dict[str, None] = {}
    waiting = [(entity_id, verbs, 0)]
    seen = {(entity_id, verbs)}
    while waiting:
        here, done, depth = waiting.pop()
        makeup = facts.makeup(here)
        nexts = [(member, done) for member in makeup.members]
        for verb in (*done, _WHATEVER):
            for deed in makeup.deeds.get(verb, ()):
                if deed.entity_id is None:
                    unread[deed.why] = None
                else:
                    nexts.append((deed.entity_id, deed.verbs))
        for there, what in nexts:
            if (there, what) in seen:
                continue
            if depth >= DEEPEST or len(seen) > MOST:
                unread[_TOO_FAR] = None
                break
            seen.add((there, what))
            waiting.append((there, what, depth + 1))
            if there != entity_id and (record := facts.device(there)):
                found[there, what] = _reached(record, what)
    return Reach(actions=tuple(found.values()), unread=tuple(unread))


def _reached(record: DeviceRecord, verbs: tuple[str, ...]) -> Reached:
    names = [_verb(verb) for verb in verbs]
    risk = max((base_risk(record.device_type, name) for name in names), default=0)
    if record.owner and record.owner.risk is not None:
        risk = record.owner.risk
    effects = [effect_on(record.device_type, name, Effect.ADJUST) for name in names]
    return Reached(
        entity_id=record.entity_id,
        device_type=record.device_type,
        verbs=verbs,
        risk=risk,
        area_id=record.area_id,
        unsecures=Effect.UNSECURE in effects,
    )


def _verb(word: str) -> Verb:
    return Intent(word) if word in Intent else CustomVerb(word)
