"""Every order of requests, answers, changes and restarts: an execution always has what it needs, once (R8-R11, R13)."""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, override

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from custom_components.edgehome.chain import Ask, Ready, settled
from custom_components.edgehome.codes import Outcome
from custom_components.edgehome.confirmation.pending import Consent, State
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.judge import judge
from custom_components.edgehome.models import ActionRequest, Principal
from custom_components.edgehome.plan import ExecutionPlan, GatedCommand
from custom_components.edgehome.trace import Answered
from tests.confirmation.model_events import (
    AGENTS,
    ASK_ALL,
    CHANGES,
    HEATING,
    OTHERS,
    PEOPLE,
    SERIOUS,
    STATES,
    USUAL,
    heat,
)
from tests.made_driver import Driver, MadeTicket
from tests.made_questions import garages
from tests.made_traces import asking

DISPATCHED = {Outcome.EXECUTED, Outcome.CONFIRMED, Outcome.PARTIAL, Outcome.FAILED, Outcome.UNKNOWN}
NOT_COUNTED = Consent(key="", risk=-1, given=())


def deeds(plan: ExecutionPlan) -> list[object]:
    """What a plan does, in the test's own words."""
    return [(item.entity_id, item.service, sorted(item.data.items()), item.before) for item in plan.actions]


def narrower(granted: GatedCommand, wanted: GatedCommand) -> bool:
    """Whether a wanted temperature lies between what was there and what was granted; without values it is the same deed."""
    if "temperature" not in wanted.data:
        return wanted.data == granted.data
    present = float(granted.present.split()[0])
    ends = sorted((present, float(str(granted.data["temperature"]))))
    return ends[0] <= float(str(wanted.data["temperature"])) <= ends[1]


class Confirmations(RuleBasedStateMachine):
    """A pipeline in a house where anything may happen in any order, and its own bookkeeping of who said what."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        house = garages().add("lock.door", "Door", "locked", supported_features=1)
        house.add("climate.hall", "Heating", "heat", temperature=20, **HEATING)
        self.driver = Driver(house=house)
        self.driver.backend.seen = self.dispatched
        house.waiting = self.waiting  # type: ignore[method-assign]  # as the broker counts
        house.grants = self.driver.confirmation.in_force  # type: ignore[method-assign]  # as the broker has them
        self.for_a_while: dict[str, datetime] = {}
        self.callers: list[asyncio.Task[Answered]] = []
        self.said_yes: dict[str, set[str]] = {}
        self.done_ids: Counter[tuple[str, str | None, str]] = Counter()
        self.number = 0
        self.sent: list[ActionRequest] = []
        self.change_mind(USUAL)

    def waiting(self, principal_id: str, trace_id: str) -> int:
        """How many other requests of a caller wait."""
        mine = [item for item in self.driver.confirmation.reserved if item.principal.id == principal_id]
        return sum(item.trace_id != trace_id for item in mine)

    def run(self, way: Coroutine[object, object, Any]) -> Any:
        """Runs something on the machine's own loop."""
        return self.loop.run_until_complete(way)

    async def turns(self, count: int) -> None:
        """Lets everything run so far and no further."""
        for _ in range(count):
            await asyncio.sleep(0)

    def dispatched(self, ticket: MadeTicket) -> None:
        """What must be true at the moment of every execution."""
        request = ticket.request
        own = request.request_id or request.trace_id
        self.done_ids[request.principal.id, request.request_id, own] += 1
        assert set(self.done_ids.values()) == {1}, "executed twice for one request id"
        assert request.trace_id not in [item.request.trace_id for item in self.driver.backend.tickets], (
            "one trace, twice"
        )
        assert request.trace_id in [item.request.trace_id for item in self.driver.evidence.intents], "no intent"
        now = judge(request, Facts(self.driver.house), consent=NOT_COUNTED).step
        assert isinstance(now, Ready | Ask), f"executed what is not allowed: {now}"
        assert deeds(now.plan) == deeds(ticket.plan), "executed another plan than the house has now"
        asked = self.driver.confirmation.questions.get(request.trace_id)
        has_yes = asked is not None and isinstance(now, Ask) and self.has_yes(ticket, now)
        assert has_yes or self.is_allowed(now) or self.has_grant(ticket), "executed without a yes to this plan"
        for action in ticket.plan.actions:
            self.follow(action.entity_id, ticket.plan)

    def has_yes(self, ticket: MadeTicket, now: Ask) -> bool:
        """Whether enough right people said yes to exactly this plan, as the machine itself remembers it."""
        question = self.driver.confirmation.questions[ticket.request.trace_id]
        people = self.said_yes.get(question.id, set())
        agreed = question.state is State.APPROVED and len(people) >= now.requirement.people
        return agreed and deeds(question.plan) == deeds(ticket.plan) and question.principal == ticket.request.principal

    @staticmethod
    def is_allowed(now: Ready | Ask) -> bool:
        """Whether nobody needs to be asked."""
        return isinstance(now, Ready) and now.grant is None

    def has_grant(self, ticket: MadeTicket) -> bool:
        """Whether a right person said yes for a while to this or more, in the machine's own words; never from risk 4 on."""
        asked = self.driver.confirmation.questions
        mine = [asked[item] for item, until in self.for_a_while.items() if self.driver.confirmation.now < until]
        mine = [item for item in mine if item.principal == ticket.request.principal and item.state is State.APPROVED]
        wanted = {(one.entity_id, one.service): one for one in ticket.plan.actions}
        seen = [{(one.entity_id, one.service): one for one in item.plan.actions} for item in mine]
        covering = [one for one in seen if wanted.keys() <= one.keys()]
        return ticket.plan.risk <= 3 and any(
            all(narrower(one[key], action) for key, action in wanted.items()) for one in covering
        )

    def follow(self, entity_id: str, plan: ExecutionPlan) -> None:
        """The device does as it is told."""
        expected = [item for action in plan.actions if action.entity_id == entity_id for item in action.expect]
        states = [str(item.value) for item in expected if item.attribute is None]
        attributes = {item.attribute: item.value for item in expected if item.attribute}
        present = self.driver.house.states[entity_id].state
        self.driver.home.change(entity_id, [*states, present][0], **attributes)

    @rule(
        principal=st.sampled_from(AGENTS),
        payload=st.sampled_from(SERIOUS),
        has_id=st.booleans(),
        wait=st.sampled_from([0, 50]),
        needed=st.sampled_from([1, 1, 2]),
        count=st.integers(0, 12),
    )
    def send_serious(
        self, principal: Principal, payload: dict[str, object], has_id: bool, wait: int, needed: int, count: int
    ) -> None:
        """Somebody wants what one or two people are asked about."""
        self.change_mind({"needed": needed})
        self.send(principal, payload, [None, f"r{self.number}"][has_id], wait)
        self.run(self.turns(count))

    @rule(principal=st.sampled_from(AGENTS), payload=st.sampled_from(OTHERS), count=st.integers(0, 12))
    def send_other(self, principal: Principal, payload: dict[str, object], count: int) -> None:
        """Somebody wants something else."""
        self.send(principal, payload, f"r{self.number}", 0)
        self.run(self.turns(count))

    @precondition(lambda self: self.sent)
    @rule(
        number=st.integers(0, 9),
        principal=st.none() | st.sampled_from(AGENTS),
        payload=st.none() | st.sampled_from(SERIOUS),
        wait=st.sampled_from([0, 50]),
        count=st.integers(0, 12),
    )
    def send_again(
        self, number: int, principal: Principal | None, payload: dict[str, object] | None, wait: int, count: int
    ) -> None:
        """Somebody sends an id again: the same request, another one, or another's."""
        earlier = self.sent[-1 - number % len(self.sent)]
        self.send(principal or earlier.principal, payload or earlier.payload, earlier.request_id, wait)
        self.run(self.turns(count))

    def send(self, principal: Principal, payload: Mapping[str, object], request_id: str | None, wait: int) -> None:
        """A door hands a request in."""
        self.number += 1
        request = asking(f"{self.number:04}T", request_id, principal)
        request = replace(request, payload={**payload, "request_id": request_id, "wait": wait})
        self.sent.append(request)
        self.callers.append(self.loop.create_task(self.driver.pipeline.submit(request)))

    @rule(count=st.integers(1, 12))
    def let_run(self, count: int) -> None:
        """Time goes by."""
        self.run(self.turns(count))

    @precondition(lambda self: self.driver.confirmation.open())
    @rule(
        number=st.integers(0, 9),
        people=st.lists(st.sampled_from(["anna", "bert"]), min_size=1, max_size=3),
        will=st.none() | st.sampled_from(CHANGES),
        count=st.integers(0, 12),
    )
    def say_yes(self, number: int, people: list[str], will: dict[str, Any] | None, count: int) -> None:
        """Those who may say yes in time, perhaps just after something else has changed."""
        questions = self.driver.confirmation.open()
        self.change_mind(will or {})
        for person in people:
            self.answer(questions[number % len(questions)], person)
        self.run(self.turns(count))

    @rule(
        principal=st.sampled_from(AGENTS),
        temperature=st.sampled_from([12, 24, 26, 28, 30]),
        payload=st.none() | st.sampled_from(SERIOUS),
        person=st.sampled_from(["anna", "bert"]),
        count=st.integers(0, 12),
    )
    def grant(
        self, principal: Principal, temperature: int, payload: dict[str, object] | None, person: str, count: int
    ) -> None:
        """Somebody wants something, and everything open is said yes to for ten minutes."""
        self.change_mind({**USUAL, "table": ASK_ALL})
        self.send(principal, payload or heat(temperature), None, 0)
        self.run(self.turns(12))
        for trace_id in self.driver.confirmation.open():
            question = self.driver.confirmation.questions[trace_id]
            if self.driver.confirmation.yes(trace_id, person, for_a_while=True):
                assert question.plan.risk <= 3, "a yes for a while to something serious"
                self.said_yes.setdefault(trace_id, set()).add(person)
                self.for_a_while[trace_id] = self.driver.confirmation.now + timedelta(minutes=10)
        self.run(self.turns(count))

    @rule(
        principal=st.sampled_from(AGENTS),
        temperature=st.sampled_from([11, 12, 19, 22, 24, 26, 28, 30]),
        present=st.sampled_from([12, 20, 26]),
        count=st.integers(0, 12),
    )
    def use(self, principal: Principal, temperature: int, present: int, count: int) -> None:
        """Somebody wants a temperature again, after other hands."""
        self.change_house(("climate.hall", "heat", {"temperature": present}))
        self.send(principal, heat(temperature), None, 0)
        self.run(self.turns(count))

    @precondition(lambda self: self.for_a_while)
    @rule(number=st.integers(0, 9))
    def revoke(self, number: int) -> None:
        """A yes for a while is taken back; before its first deed there is nothing to take back yet."""
        trace_id = list(self.for_a_while)[-1 - number % len(self.for_a_while)]
        if self.driver.confirmation.grants.end(trace_id, "taken back"):
            del self.for_a_while[trace_id]
            self.driver.home.revision += 1

    @rule(seconds=st.sampled_from([1, 300, 601]))
    def later(self, seconds: int) -> None:
        """Time goes by."""
        self.driver.confirmation.now += timedelta(seconds=seconds)
        settled_ones = {trace_id for trace_id, _ in self.driver.confirmation.settled}
        for trace_id in self.for_a_while.keys() - settled_ones:
            # The ten minutes begin when the first deed is done.
            self.for_a_while[trace_id] += timedelta(seconds=seconds)
        self.driver.home.revision += 1

    @precondition(lambda self: self.driver.confirmation.questions)
    @rule(number=st.integers(0, 99), person=st.sampled_from(PEOPLE), again=st.integers(1, 2))
    def say_yes_somehow(self, number: int, person: str, again: int) -> None:
        """Somebody says yes, once or twice, in time or too late, entitled or not."""
        for _ in range(again):
            self.answer(self.chosen(number), person)

    def answer(self, trace_id: str, person: str) -> None:
        """A yes reaches the port; the machine remembers those that count."""
        counts = trace_id in self.driver.confirmation.open() and person in {"anna", "bert"}
        self.said_yes.setdefault(trace_id, set()).update([person] * counts)
        self.driver.confirmation.yes(trace_id, person)

    @precondition(lambda self: self.driver.confirmation.questions)
    @rule(
        number=st.integers(0, 99),
        how=st.sampled_from(
            [
                lambda port, trace_id: port.no(trace_id),
                lambda port, trace_id: port.no(trace_id, "eve"),
                lambda port, trace_id: port.expire(trace_id),
                lambda port, trace_id: port.cancel(trace_id),
            ]
        ),
    )
    def end_question(self, number: int, how: Callable[[Any, str], bool]) -> None:
        """Somebody says no, nobody says anything, or the question is taken back."""
        how(self.driver.confirmation, self.chosen(number))

    def chosen(self, number: int) -> str:
        """One of the questions, the latest most often."""
        questions = list(self.driver.confirmation.questions)
        return questions[-1 - number % min(len(questions), 4)]

    @rule(change=st.sampled_from(STATES))
    def change_house(self, change: tuple[str, str, dict[str, Any]]) -> None:
        """Other hands."""
        entity_id, state, attributes = change
        self.driver.home.change(entity_id, state, **attributes)

    @rule(will=st.sampled_from(CHANGES))
    def change_circumstances(self, will: dict[str, Any]) -> None:
        """The owner decides otherwise, people come and go, limits are reached."""
        self.change_mind(will)

    def change_mind(self, will: dict[str, Any]) -> None:
        """Something else counts from now on."""
        for name, value in will.items():
            setattr(self.driver.house, name, value)
        self.driver.home.revision += 1

    @rule(slow=st.sampled_from([False, False, True]))
    def slow_devices(self, slow: bool) -> None:
        """Backends and disks are slow for a while."""
        self.unblock()
        self.driver.backend.acting, self.driver.evidence.writing = [(None, None), (asyncio.Event(), asyncio.Event())][
            slow
        ]

    def unblock(self) -> None:
        """What is slow comes to its end."""
        for event in (self.driver.backend.acting, self.driver.evidence.writing):
            (event or asyncio.Event()).set()

    @rule()
    def restart(self) -> None:
        """Home Assistant is restarted."""
        self.run(self.driver.pipeline.stop())
        assert self.driver.confirmation.open() == []
        self.driver.confirmation.grants.end_all("a restart")
        self.for_a_while.clear()
        self.driver.restart()

    @invariant()
    def one_end_each(self) -> None:
        """No request ends twice; what was dispatched never ends as if it had not been, nor the other way round."""
        ends = Counter(trace.request.trace_id for trace in self.driver.evidence.closed)
        assert set(ends.values()) <= {1}
        tickets = {ticket.request.trace_id for ticket in self.driver.backend.tickets}
        for trace in self.driver.evidence.closed:
            assert (trace.outcome in DISPATCHED) >= (trace.request.trace_id in tickets)
            joined = "One question together" in trace.message
            assert joined or (trace.outcome in DISPATCHED) <= (trace.request.trace_id in tickets)

    @invariant()
    def confirmed_by_somebody(self) -> None:
        """Who reads "confirmed" reads of a yes to the very plan that stands there, given for the same caller."""
        questions = [self.driver.confirmation.questions[item] for item, people in self.said_yes.items() if people]
        agreed = [(question.principal, deeds(question.plan)) for question in questions]
        ends = [trace for trace in self.driver.evidence.closed if trace.outcome is Outcome.CONFIRMED]
        by_grant = {trace_id for _, trace_id in self.driver.confirmation.used}
        ends = [end for end in ends if end.request.trace_id not in by_grant]
        assert [(end.request.principal, deeds(settled(end.plan))) in agreed for end in ends] == [True] * len(ends)
        asked = {trace.request.trace_id: deeds(settled(trace.plan)) for trace in self.driver.evidence.parked}
        assert [asked[end.request.trace_id] for end in ends] == [deeds(settled(end.plan)) for end in ends]

    @override
    def teardown(self) -> None:
        """In the end everything comes to exactly one end by itself, and leaves nothing behind."""
        self.unblock()
        for _ in range(5):
            self.run(self.turns(30))
            for trace_id in self.driver.confirmation.open():
                self.driver.confirmation.expire(trace_id)
        self.run(self.turns(30))
        assert [caller.done() for caller in self.callers] == [True] * self.number
        answers = [caller.result().answer() for caller in self.callers]
        ends = [trace.request.trace_id for trace in self.driver.evidence.closed]
        assert set(self.driver.house.counted) | {str(answer["trace_id"]) for answer in answers} == set(ends)
        assert sorted(ends) == sorted(set(ends))
        assert {trace.request.trace_id for trace in self.driver.evidence.parked} <= set(ends)
        assert (self.driver.home.watchers, self.driver.confirmation.reserved) == ([], [])
        assert (self.driver.pipeline._ways, self.driver.pipeline._claims, self.driver.pipeline._asking) == ({}, {}, {})
        self.loop.close()


def test_confirmations() -> None:
    """No order of events makes an execution without its yes, a second one, or a request without its end."""
    run_state_machine_as_test(Confirmations, settings=settings(max_examples=400, stateful_step_count=50, deadline=None))
