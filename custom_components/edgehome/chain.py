"""What a gate gets and what it may answer (no Home Assistant here).

A gate answers one ``Step`` and one ``GateResult``. There is no default step: a gate that raises, returns ``None``,
another type or a step outside its own ``steps`` blocks the request (R2).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from .codes import Code, GateName
from .confirmation.pending import Consent
from .facts import Facts
from .models import ActionRequest
from .plan import ExecutionPlan, GatedCommand, NormalizedCommand, Skip
from .policy.question import Inputs
from .policy.requirement import Requirement
from .proposal import Proposal


@dataclass(frozen=True, kw_only=True)
class GateContext:
    """One request on its way: what was sent, the house as it sees it, and what earlier gates added."""

    request: ActionRequest
    facts: Facts
    proposal: Proposal | None = None
    commands: tuple[NormalizedCommand, ...] = ()
    actions: tuple[GatedCommand, ...] = ()
    skipped: tuple[Skip, ...] = ()
    requirement: Requirement | None = None
    plan: ExecutionPlan | None = None
    consent: Consent | None = None

    def adding(
        self,
        *,
        proposal: Proposal | None = None,
        commands: tuple[NormalizedCommand, ...] = (),
        actions: tuple[GatedCommand, ...] | None = None,
        skipped: tuple[Skip, ...] = (),
        requirement: Requirement | None = None,
        plan: ExecutionPlan | None = None,
    ) -> GateContext:
        """The same request, one gate further."""
        return GateContext(
            request=self.request,
            facts=self.facts,
            proposal=proposal or self.proposal,
            commands=commands or self.commands,
            actions=self.actions if actions is None else actions,
            skipped=self.skipped + skipped,
            requirement=requirement or self.requirement,
            plan=plan or self.plan,
            consent=self.consent,
        )


@dataclass(frozen=True)
class Pass:
    """On to the next gate, with this context."""

    context: GateContext


@dataclass(frozen=True, kw_only=True)
class Refuse:
    """The request ends here. ``message`` is one plain sentence, ``hint`` says what to do instead."""

    code: Code
    message: str
    hint: str
    field: str | None = None
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True)
class Need:
    """The states of these entities have to be fetched before anything can be decided; then all is judged again."""

    entity_ids: tuple[str, ...]


@dataclass(frozen=True)
class NoChange:
    """Everything asked for is already so; nothing is called."""

    plan: ExecutionPlan


@dataclass(frozen=True)
class Read:
    """A ``status`` request is answered; no ticket is needed."""

    plan: ExecutionPlan
    states: Mapping[str, Mapping[str, object]]


@dataclass(frozen=True)
class Preview:
    """A dry run, or any request while the owner only ``watches``, ends with the plan and what it would require."""

    plan: ExecutionPlan
    requirement: Requirement
    watched: bool = False


@dataclass(frozen=True)
class Ask:
    """The plan may be executed once a human has said yes to it."""

    plan: ExecutionPlan
    requirement: Requirement


@dataclass(frozen=True)
class Ready:
    """The plan may be executed now; ``grant`` is the id of the yes for a while that covers it."""

    plan: ExecutionPlan
    grant: str | None = None


type Step = Pass | Refuse | Need | NoChange | Read | Preview | Ask | Ready
"""What a gate may answer. Anything else blocks."""

STEPS = (Pass, Refuse, Need, NoChange, Read, Preview, Ask, Ready)


@dataclass(frozen=True, kw_only=True)
class GateResult:
    """A gate's record: whether the request passed, why not, what the gate noted, and what the policy decided on."""

    passed: bool
    reason: Code | None = None
    evidence: Mapping[str, object] = field(default_factory=dict)
    inputs: Inputs | None = None


type Answer = tuple[Step, GateResult]
"""What ``Gate.evaluate`` returns."""


class Gate(Protocol):
    """One question in the chain; pure and synchronous."""

    @property
    def name(self) -> GateName:
        """The gate's name, that of its file."""
        ...

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that it enforces."""
        ...

    @property
    def codes(self) -> frozenset[Code]:
        """The refusals that it may give."""
        ...

    @property
    def steps(self) -> frozenset[type]:
        """The steps that it may answer."""
        ...

    def evaluate(self, ctx: GateContext) -> Answer:
        """Answers for this request."""
        ...


def passing(context: GateContext, **evidence: object) -> Answer:
    """On to the next gate."""
    return Pass(context), GateResult(passed=True, evidence=evidence)


def refusing(refusal: Refuse, **evidence: object) -> Answer:
    """The request ends here."""
    return refusal, GateResult(passed=False, reason=refusal.code, evidence=evidence)


def ending(step: Need | NoChange | Read | Preview | Ask | Ready, **evidence: object) -> Answer:
    """The chain is through, or needs something from outside."""
    return step, GateResult(passed=True, evidence=evidence)


def sift(
    ctx: GateContext, judge_one: Callable[[GatedCommand], GatedCommand | Refuse]
) -> tuple[GateContext, Refuse | None]:
    """Judges each action. In a named set the unfit are skipped and reported, elsewhere the first refusal stands.

    A set of which nothing is left is refused with the reason of its first member. Of several commands one refusal
    refuses all.
    """
    kept: list[GatedCommand] = []
    skipped: list[Skip] = []
    refused: dict[int, Refuse] = {}
    for action in ctx.actions:
        answer = judge_one(action)
        if isinstance(answer, GatedCommand):
            kept.append(answer)
            continue
        refused.setdefault(action.index, answer)
        skipped.append(Skip(entity_id=action.entity_id, code=answer.code, message=answer.message))
    alive = {action.index for action in kept}
    for index, refusal in refused.items():
        if index not in alive or not ctx.commands[index].is_set:
            return ctx, placed(refusal, ctx, index)
    return ctx.adding(actions=tuple(kept), skipped=tuple(skipped)), None


def placed(refusal: Refuse, ctx: GateContext, index: int) -> Refuse:
    """A refusal with its field where it stands in what was sent, and with the number of its command."""
    wanted = settled(ctx.proposal).wanted
    field = wanted[index].located(refusal.field) if refusal.field else refusal.field
    if wanted[index].place != "model_candidate":
        refusal = replace(refusal, message=refusal.message.replace("model_candidate", wanted[index].place))
    if len(wanted) == 1:
        return replace(refusal, field=field)
    place = wanted[index].place
    message = f"{place}: {refusal.message}" if place.startswith("commands") else refusal.message
    hint = f"{refusal.hint} Nothing of the request was done."
    return replace(refusal, field=field or place, message=message, hint=hint)


def settled[T](value: T | None) -> T:
    """What an earlier gate must have added; ``LookupError`` where it did not, which blocks the request (R2)."""
    if value is None:
        raise LookupError("an earlier gate added nothing")
    return value


def listed(words: Iterable[str], limit: int = 8) -> str:
    """Words in a row for a sentence, cut after ``limit``."""
    items = list(words)
    shown = ", ".join(items[:limit])
    return f"{shown} and {len(items) - limit} more" if len(items) > limit else shown
