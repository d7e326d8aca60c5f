"""What requests were decided on, kept for thirty days, so that a new policy can be tried on them."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.codes import GateName
from custom_components.edgehome.endings import waiting
from custom_components.edgehome.evidence.policies import KEPT, Decided
from custom_components.edgehome.evidence.store import EvidenceStore
from custom_components.edgehome.plan import ExecutionPlan
from custom_components.edgehome.policy.document import table_of
from custom_components.edgehome.policy.presets import STRICT
from custom_components.edgehome.policy.question import Inputs, Question
from custom_components.edgehome.policy.replay import replayed
from custom_components.edgehome.policy.requirement import Requirement
from custom_components.edgehome.policy.rule import HomeCondition, Subject
from custom_components.edgehome.trace import GateRecord, PipelineTrace
from tests.made_traces import asking, command, done, started
from tests.real_home import AgentAccess, Doors, proposing

OFF = proposing("turn_off", "Kitchen Lights")
DENY_ALL = table_of({"rules": [{"id": "none", "verdict": "deny"}]})
LAMP = Question(name="Lamp", subjects=(Subject("turn_on", "light", 1, "adjust", "light.lamp", "abc", "hall"),))
INPUTS = Inputs(principal_id="hermes", principal="Hermes", questions=(LAMP,), weekday=3, minute=750)


def records(*inputs: Inputs | None) -> tuple[GateRecord, ...]:
    """What gates said, the policy once for each of these."""
    return (
        GateRecord(gate=GateName.SCHEMA, passed=True),
        *(GateRecord(gate=GateName.POLICY, passed=True, inputs=one) for one in inputs),
    )


def ended(trace_id: str, *inputs: Inputs | None, at: datetime | None = None) -> PipelineTrace:
    """A request that came to its end."""
    asked = asking(trace_id)
    return replace(done(replace(asked, received_at=at or datetime.now(UTC))), records=records(*inputs))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file is."""
    return tmp_path / "evidence.db"


@pytest.fixture
async def store(path: Path) -> AsyncGenerator[EvidenceStore]:
    """An open store."""
    store = EvidenceStore(path, asyncio.get_running_loop())
    await store.open()
    yield store
    await store.close_store()


async def add(store: EvidenceStore, trace_id: str, age: timedelta, body: str) -> None:
    """A row as an earlier day has written it."""
    values = (trace_id, (datetime.now(UTC) - age).isoformat(), body)
    await store._do(lambda db: db.execute("INSERT INTO decision VALUES (?, ?, ?)", values), durable=True)


async def ids(store: EvidenceStore) -> list[str]:
    """The requests of which is known what they were decided on."""
    return [one.trace_id for one in await store.decisions()]


async def test_kept(store: EvidenceStore) -> None:
    """What a request was decided on is kept under its trace, with its time, and read back as it was."""
    trace = ended("01", INPUTS)
    store.close(trace)
    (kept,) = await store.decisions()
    assert kept == Decided(trace_id="01", at=trace.request.received_at.isoformat(), body=INPUTS.to_json())
    assert Inputs.from_json(kept.body) == INPUTS


@pytest.mark.parametrize(
    "inputs",
    [
        pytest.param(INPUTS, id="plain"),
        pytest.param(replace(INPUTS, speaker="anna", origin="hall"), id="a voice"),
        pytest.param(
            replace(
                INPUTS,
                holds=(
                    (HomeCondition(states=("home",)), True),
                    (HomeCondition(entity_id="lock.a", states=("locked",)), None),
                    (HomeCondition(raw='{"condition": "sun", "after": "sunset"}'), False),
                ),
            ),
            id="the home",
        ),
        pytest.param(
            replace(
                INPUTS,
                questions=(
                    replace(
                        LAMP,
                        reaches=((Subject("unlock", "lock", 4, is_known=False, labels=("a", "b")),), LAMP.subjects),
                        opaque=True,
                        doubtful=4,
                        already_so=True,
                    ),
                    LAMP,
                ),
            ),
            id="what it reaches",
        ),
        pytest.param(
            replace(
                INPUTS,
                questions=(
                    Question(
                        name="t", subjects=(Subject("", "", 0, tool="t", tool_input=(("a", '"Ü"'),)),), acts=False
                    ),
                ),
            ),
            id="a tool",
        ),
    ],
)
def test_word_for_word(inputs: Inputs) -> None:
    """Everything that decides is in the text, and nothing that is as it usually is."""
    assert Inputs.from_json(inputs.to_json()) == inputs
    assert "is_known" not in INPUTS.to_json()


async def test_only_what_came_to_the_policy(store: EvidenceStore) -> None:
    """A request that was refused before the policy leaves nothing to try a policy on."""
    store.close(ended("01"))
    store.close(ended("02", None))
    assert await ids(store) == []


async def test_the_last_judgement_counts(store: EvidenceStore) -> None:
    """A request that was judged twice is kept once, as it was judged last."""
    later = replace(INPUTS, minute=760)
    store.close(ended("01", INPUTS, later))
    (kept,) = await store.decisions()
    assert Inputs.from_json(kept.body) == later


async def test_once_for_each_request(store: EvidenceStore) -> None:
    """A request that waits, is carried out and ends is kept once, as it was judged last."""
    request = replace(asking("01"), received_at=datetime.now(UTC))
    requirement = Requirement(verdict="confirm", rule="serious", risk=4, about="Lamp")
    parked = waiting(request, ExecutionPlan(actions=(command(),)), requirement, 120)
    await store.park(replace(parked, records=records(INPUTS)))
    assert await ids(store) == ["01"]
    later = replace(INPUTS, minute=760)
    all_records = records(INPUTS) + records(later)
    await store.intent(replace(started(request), records=all_records))
    store.close(replace(done(request), records=all_records))
    (kept,) = await store.decisions()
    assert Inputs.from_json(kept.body) == later


@pytest.mark.parametrize(
    ("age", "is_kept"),
    [
        pytest.param(timedelta(days=0), True, id="today"),
        pytest.param(timedelta(days=29), True, id="29 days"),
        pytest.param(KEPT - timedelta(minutes=1), True, id="almost thirty days"),
        pytest.param(KEPT + timedelta(minutes=1), False, id="just over thirty days"),
        pytest.param(timedelta(days=400), False, id="last year"),
    ],
)
async def test_forgotten(store: EvidenceStore, age: timedelta, is_kept: bool) -> None:
    """What is older than thirty days is forgotten with the next decision."""
    assert timedelta(days=30) == KEPT
    await add(store, "old", age, INPUTS.to_json())
    store.close(ended("new", INPUTS))
    assert await ids(store) == (["old", "new"] if is_kept else ["new"])


async def test_nothing_else_is_forgotten(store: EvidenceStore) -> None:
    """What happened stays in the evidence for good: only what decisions were made on is forgotten."""
    store.close(ended("old", INPUTS, at=datetime.now(UTC) - timedelta(days=40)))
    store.close(ended("new", INPUTS))
    assert await ids(store) == ["new"]
    assert [await store.trace(one) is not None for one in ("old", "new")] == [True, True]


async def test_after_a_restart(store: EvidenceStore, path: Path) -> None:
    """Decisions are there at the next start, the earliest first."""
    for number, minutes in enumerate((5, 50, 1)):
        store.close(ended(f"0{number}", INPUTS, at=datetime.now(UTC) - timedelta(minutes=minutes)))
    await store.close_store()
    again = EvidenceStore(path, asyncio.get_running_loop())
    await again.open()
    assert await ids(again) == ["01", "00", "02"]
    await again.close_store()


async def test_tried_on_what_happened(store: EvidenceStore) -> None:
    """Another table is asked about what is kept; what cannot be read is counted and stops nothing."""
    for number in range(3):
        store.close(ended(f"0{number}", INPUTS))
    await add(store, "04", timedelta(hours=1), "no JSON")
    await add(store, "05", timedelta(hours=1), '{"principal_id": "x"}')
    kept = [(one.at, one.body) for one in await store.decisions()]
    found = replayed(kept, STRICT, DENY_ALL)
    assert (found.looked_at, found.unreadable) == (5, 2)
    (difference,) = found.differences
    assert (difference.principal, difference.operation, difference.about) == ("Hermes", "turn_on", "Lamp")
    assert (difference.times, difference.last_at) == (3, kept[-1][0])
    assert (difference.before.rule, difference.after.rule) == ("harmless", "none")
    assert replayed(kept, STRICT, STRICT).differences == ()


@pytest.mark.parametrize(
    ("payload", "code", "is_kept"),
    [
        pytest.param(OFF, "DONE", True, id="done"),
        pytest.param(OFF | {"dry_run": True}, "PREVIEW", True, id="a dry run"),
        pytest.param(proposing("turn_on", "Kitchen Lights"), "ALREADY_SO", True, id="already so"),
        pytest.param(proposing("status", "Front Door"), "STATUS", True, id="read"),
        pytest.param(proposing("unlock", "Front Door"), "POLICY_DENIED", True, id="denied"),
        pytest.param(proposing("close", "Garage Door"), "ALREADY_SO", True, id="closed already"),
        pytest.param(proposing("open", "Garage Door"), "NO_APPROVER", True, id="nobody to ask"),
        pytest.param(proposing("turn_off", "Nowhere"), "ENTITY_NOT_FOUND", False, id="no such device"),
        pytest.param(proposing("turn_off", "AC"), "NOT_EXPOSED", False, id="not exposed"),
        pytest.param(proposing("set_brightness", "Kitchen Lights"), "MISSING_FIELD", False, id="without a value"),
        pytest.param({"nothing": 1}, "SCHEMA", False, id="no proposal"),
        pytest.param(OFF | {"reason": "{{ states }}"}, "TEMPLATE_TEXT", False, id="a template"),
    ],
)
async def test_of_requests(
    home: MockConfigEntry, agent: AgentAccess, doors: Doors, payload: dict[str, Any], code: str, is_kept: bool
) -> None:
    """Every request that came to the policy is kept, whatever became of it; one that was refused before is not."""
    answer = await doors.ask(agent.token, "execute", payload)
    assert answer["code"] == code
    kept = await home.runtime_data.evidence.decisions()
    assert [one.trace_id for one in kept] == ([answer["trace_id"]] if is_kept else [])
    found = [Inputs.from_json(one.body) for one in kept]
    assert [(one.principal_id, one.principal) for one in found] == [(agent.id, "Hermes")] * is_kept


async def test_repeated(home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """A request that is sent again is no other one."""
    for _ in range(3):
        assert (await doors.ask(agent.token, "execute", OFF | {"request_id": "r1"}))["code"] == "DONE"
    assert len(await home.runtime_data.evidence.decisions()) == 1


async def test_tried_out_only(home: MockConfigEntry, agent: AgentAccess, doors: Doors, owner: str) -> None:
    """What the owner only simulates is no request."""
    told = await doors.ask(owner, "simulate", {"agent": "Hermes", **OFF})
    assert told["would"] == "execute"
    assert await home.runtime_data.evidence.decisions() == ()


async def test_who_was_home(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """Whether somebody was home is looked at always: a table that asks for it can be tried on what happened."""
    away = table_of(
        {"rules": [{"id": "away", "verdict": "deny", "somebody_home": False}, {"id": "r", "verdict": "allow"}]}
    )
    for state in ("home", "not_home", "unknown"):
        hass.states.async_set("person.anna", state)
        assert (await doors.ask(agent.token, "execute", OFF | {"dry_run": True}))["code"] == "PREVIEW"
    kept = [(one.at, one.body) for one in await home.runtime_data.evidence.decisions()]
    assert [[met for _, met in Inputs.from_json(body).holds] for _, body in kept] == [
        [True, False],
        [False, True],
        [None, None],
    ]
    (difference,) = replayed(kept, STRICT, away).differences
    assert (difference.times, difference.after.rule, difference.undecidable) == (2, "away", False)


async def test_other_conditions_are_not_guessed(
    hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors
) -> None:
    """What a new table asks about the home, and nobody looked at then, is told as what it is: not to be decided."""
    rule = {"id": "locked", "verdict": "deny", "states": [{"entity": "lock.front_door", "states": ["locked"]}]}
    table = table_of({"rules": [rule, {"id": "rest", "verdict": "allow"}]})
    assert (await doors.ask(agent.token, "execute", OFF))["code"] == "DONE"
    kept = [(one.at, one.body) for one in await home.runtime_data.evidence.decisions()]
    (difference,) = replayed(kept, STRICT, table).differences
    assert (difference.undecidable, difference.after.verdict.value) == (True, "deny")
