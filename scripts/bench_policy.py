"""Measures the policy: 1,000 rules beside 10, beside cedarpy and casbin with equivalent rules; lint and review of a table.

Everything in one run, in turn. The rules allow one agent one operation on one type of device in one room; what no rule
mentions is denied: that is what all three can say alike. Their answers are compared first.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version

import casbin  # type: ignore[import-not-found]  # there for this script only
import cedarpy  # type: ignore[import-not-found]

from custom_components.edgehome.devices import CustomOperation
from custom_components.edgehome.policy.lint import Inventory, lint
from custom_components.edgehome.policy.presets import BALANCED, STRICT
from custom_components.edgehome.policy.question import Inputs, Question
from custom_components.edgehome.policy.rule import Circumstances, HomeCondition, PolicyRule, Subject, Verdict
from custom_components.edgehome.policy.space import known_deeds
from custom_components.edgehome.policy.table import PolicyTable
from custom_components.edgehome.policy_editor.review import reviewed
from tests.house.process import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"
START, END = "<!-- policy -->", "<!-- /policy -->"
FEW, MANY, ROUNDS, REQUESTS = 10, 1000, 30, 100
AGENTS, ROOMS = [f"agent{number}" for number in range(5)], [f"room{number}" for number in range(20)]
DEEDS = sorted({(operation, kind) for operation, kind, _ in known_deeds()})
_CASBIN = """
[request_definition]
r = sub, act, kind, room
[policy_definition]
p = sub, act, kind, room
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.sub == p.sub && r.act == p.act && r.kind == p.kind && r.room == p.room
"""


@dataclass(frozen=True)
class Ask:
    """One request: who, what, on what, where."""

    agent: str
    operation: str
    kind: str
    room: str


def asks(count: int, seed: int, deeds: Sequence[tuple[str, str]] = DEEDS) -> list[Ask]:
    """Requests, or what rules allow, each once."""
    chance = random.Random(seed)  # noqa: S311  # no secret
    found: dict[Ask, None] = {}
    while len(found) < count:
        found[Ask(chance.choice(AGENTS), *chance.choice(deeds), chance.choice(ROOMS))] = None
    return list(found)


def ours(allowed: Sequence[Ask]) -> Callable[[Ask], bool]:
    """EdgeHome's table."""
    rules = tuple(
        PolicyRule(
            id=f"r{number}",
            verdict=Verdict.ALLOW,
            agents=(one.agent,),
            operations=(one.operation,),
            device_types=(one.kind,),
            areas=(one.room,),
        )
        for number, one in enumerate(allowed)
    )
    table = PolicyTable(name="made", rules=rules)

    def decide(one: Ask) -> bool:
        subject = Subject(one.operation, one.kind, 1, entity_id=f"x.{one.kind}", area_id=one.room)
        return table.decide(subject, Circumstances(principal_id=one.agent)).verdict is Verdict.ALLOW

    return decide


def cedar(allowed: Sequence[Ask]) -> Callable[[Ask], bool]:
    """The same for Cedar, parsed once."""
    text = "\n".join(
        f'permit(principal == User::"{one.agent}", action == Action::"{one.operation}", resource) '
        f'when {{ context.kind == "{one.kind}" && context.room == "{one.room}" }};'
        for one in allowed
    )
    policies, entities = cedarpy.PolicySet.from_str(text), cedarpy.Entities.from_json_str("[]")

    def decide(one: Ask) -> bool:
        request = {
            "principal": {"type": "User", "id": one.agent},
            "action": {"type": "Action", "id": one.operation},
            "resource": {"type": "Device", "id": one.kind},
            "context": {"kind": one.kind, "room": one.room},
        }
        return bool(cedarpy.is_authorized(request, policies, entities).allowed)

    return decide


def casbins(allowed: Sequence[Ask]) -> Callable[[Ask], bool]:
    """The same for Casbin."""
    model = casbin.Model()
    model.load_model_from_text(_CASBIN)
    enforcer = casbin.Enforcer(model, enable_log=False)
    enforcer.add_policies([[one.agent, one.operation, one.kind, one.room] for one in allowed])
    return lambda one: bool(enforcer.enforce(one.agent, one.operation, one.kind, one.room))


def measured(decide: Callable[[Ask], bool], requests: Sequence[Ask], rounds: int) -> float:
    """The median time of one decision, in microseconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for one in requests:
            decide(one)
        times.append((time.perf_counter() - start) / len(requests) * 1e6)
    return statistics.median(times)


def compared() -> list[str]:
    """The rows of the table of engines."""
    lines = []
    for name, make, rounds in (("EdgeHome", ours, ROUNDS), ("cedarpy", cedar, ROUNDS), ("casbin", casbins, 3)):
        figures = {}
        for count in (FEW, MANY):
            allowed = asks(count, 1)
            requests = [*allowed[: REQUESTS // 2], *asks(REQUESTS // 2, 2)]
            decide, expected = make(allowed), ours(allowed)
            wrong = sum(decide(one) is not expected(one) for one in requests)
            if wrong:
                raise RuntimeError(f"{name} decides {wrong} requests otherwise")
            figures[count] = measured(decide, requests, rounds)
        ratio = figures[MANY] / figures[FEW]
        lines.append(f"| {name} | {figures[FEW]:.2f} | {figures[MANY]:.2f} | {ratio:.2f} |")
    cold = [statistics.median(_cold(count) for _ in range(ROUNDS)) for count in (FEW, MANY)]
    lines.append(
        f"| EdgeHome, each subject for the first time | {cold[0]:.2f} | {cold[1]:.2f} | {cold[1] / cold[0]:.2f} |"
    )
    worst = []
    for count in (FEW, MANY):
        allowed = asks(count, 1, [("turn_on", kind) for kind in {kind for _, kind in DEEDS}][:10])
        worst.append(measured(ours(allowed), [*allowed[:50], *asks(50, 2, [("turn_on", "light")])], ROUNDS))
    lines.append(
        f"| EdgeHome, all rules about one operation | {worst[0]:.2f} | {worst[1]:.2f} | {worst[1] / worst[0]:.2f} |"
    )
    return lines


def _cold(count: int) -> float:
    """One decision on a subject of which nothing is remembered, on a table that was used for others before."""
    allowed = asks(count, 1)
    decide = ours(allowed)
    for one in asks(5 * REQUESTS, 3):
        decide(one)
    return measured(decide, [*allowed[: REQUESTS // 2], *asks(REQUESTS // 2, 2)], 1)


def random_table(count: int, seed: int) -> PolicyTable:
    """Rules of all sorts, many of them hidden."""
    chance = random.Random(seed)  # noqa: S311  # no secret
    operations, kinds = sorted({one for one, _ in DEEDS}), sorted({one for _, one in DEEDS})
    homes = [HomeCondition(states=("home",)), HomeCondition(entity_id="input_boolean.night", states=("on",))]

    def some(values: Sequence[str], most: int, often: float) -> tuple[str, ...]:
        return tuple(chance.sample(values, chance.randint(1, most))) if chance.random() < often else ()

    def rule(number: int) -> PolicyRule:
        low = chance.randint(0, 5)
        return PolicyRule(
            id=f"r{number}",
            verdict=chance.choice(list(Verdict)),
            operations=some(operations, 4, 0.6),
            device_types=some(kinds, 4, 0.6),
            risk=(low, chance.randint(low, 5)) if chance.random() < 0.4 else (0, 5),
            agents=some(AGENTS, 2, 0.3),
            areas=some(ROOMS, 3, 0.3),
            labels=some(["inside", "outside", "night"], 1, 0.3),
            weekdays=tuple(chance.sample(range(7), 3)) if chance.random() < 0.3 else (),
            hours=(chance.randint(0, 1439), chance.randint(0, 1439)) if chance.random() < 0.3 else None,
            home=(chance.choice(homes),) if chance.random() < 0.3 else (),
        )

    return PolicyTable(name="made", rules=tuple(rule(number) for number in range(count)))


def looked_through() -> list[str]:
    """The rows of the table of lint and review."""
    lines = []
    for count, tables in ((100, 20), (1000, 3)):
        times, found = [], 0
        for seed in range(tables):
            table = random_table(count, seed)
            start = time.perf_counter()
            found += sum(one.is_error for one in lint(table))
            times.append((time.perf_counter() - start) * 1000)
        what = f"lint of {count:,} rules of all sorts ({found / tables:.0f} of them never speak)"
        lines.append(f"| {what} | {statistics.median(times):.0f} | {max(times):.0f} |")
    recorded = [(datetime.now(UTC).isoformat(), _inputs(number)) for number in range(100_000)]
    customs: tuple[CustomOperation, ...] = ()
    times = []
    for _ in range(3):
        start = time.perf_counter()
        reviewed(STRICT, BALANCED, customs, Inventory(), recorded)
        times.append((time.perf_counter() - start) * 1000)
    what = "review of a preset against 100,000 recorded requests, 5,000 of them different"
    lines.append(f"| {what} | {statistics.median(times):.0f} | {max(times):.0f} |")
    return lines


def _inputs(number: int) -> str:
    operation, kind = DEEDS[number % len(DEEDS)]
    subject = Subject(
        operation, kind, number % 5, "adjust", f"x.{number % 250}", f"key{number % 250}", ROOMS[number % 20]
    )
    question = Question(name=f"Thing {number % 250}", subjects=(subject,))
    return Inputs(
        principal_id="a", principal="Hermes", questions=(question,), weekday=number % 7, minute=number % 5000 // 4
    ).to_json()


def main() -> int:
    """Measures and writes its part of docs/benchmarks.md."""
    print("bench: the policy beside cedarpy and casbin", flush=True)
    engines = "\n".join(compared())
    print("bench: lint and review", flush=True)
    looks = "\n".join(looked_through())
    part = f"""{START}
Measured on {datetime.now(UTC):%Y-%m-%d}. Rules that allow one agent one operation on one type of device in one room, the
same for all three engines (cedarpy {version("cedarpy")} with its policies parsed once, casbin {version("casbin")}); half of the requests are
allowed. Target: 1,000 rules ÷ 10 rules ≤ 2.

| engine | 10 rules, µs | 1,000 rules, µs | ratio |
|---|---|---|---|
{engines}

| what | median ms | slowest ms |
|---|---|---|
{looks}

Lint and review run outside the event loop. Target: 200 ms for the lint of 100 rules.
{END}"""
    text = PAGE.read_text()
    if START in text:
        head, _, rest = text.partition(START)
        text = head + part + rest.partition(END)[2]
    else:
        text = text.rstrip() + f"\n\n## The policy\n\n{part}\n"
    PAGE.write_text(text)
    print(part)
    return 0


if __name__ == "__main__":
    sys.exit(main())
