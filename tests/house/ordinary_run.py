"""Runs an ordinary day: sends each request, lets a person answer where one is asked, and looks at what became of it."""

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .client import Client
from .generated_home import GeneratedHome
from .ordinary_words import Ask, Happening, Look, Verdict
from .phone import Phone

PATIENCE = 5.0
"""So many seconds a device may take until it is as it must be."""
ANSWER_SECONDS = 30
YES, NEAR = 0, 3
"""The button for yes; and how far a brightness or a colour may be off, of 255."""
UNASKED = frozenset({"executed", "partial", "no_change", "read"})
QUIET = frozenset({"no_change", "read"})
"""Outcomes after which no device has heard anything."""
_RISK = re.compile(r"\(risk (\d)\)")


@dataclass(frozen=True, kw_only=True)
class Ran:
    """What became of a request."""

    ask: Ask
    risk: int
    verdict: Verdict
    outcome: str
    """The first outcome, and after a person's yes the last one too."""
    code: str
    message: str
    wrong: tuple[str, ...]
    """What is not as it must be; empty if all is right."""
    unverified: tuple[str, ...]
    """What was done, but not seen to follow, in the answer's own words."""
    seconds: float

    @property
    def is_serious(self) -> bool:
        """Whether it counts apart: it is one of risk 3 to 5, and meant as such."""
        return self.ask.verdict is not Verdict.UNASKED

    def line(self) -> str:
        """One line for a person who reads what failed."""
        came = f"risk {self.risk}, {self.outcome} {self.code}: {self.message}"
        return f"{self.ask.id}, {self.ask.said!r}: {came} | {'; '.join(self.wrong)}"


@dataclass
class Day:
    """A day in a running home, under a preset."""

    home: GeneratedHome
    agent: Client
    phone: Phone
    preset: str

    def run(self, asks: Iterable[Ask]) -> Iterator[Ran]:
        """Sends the requests one after the other."""
        for ask in asks:
            yield self._one(ask)

    def _one(self, ask: Ask) -> Ran:
        for happening in ask.meanwhile:
            self._happens(happening)
        self.home.settle()
        self.home.devices.forget()
        risk = self._risk(ask)
        begin = time.monotonic()
        first = self.agent.edgehome("execute", **ask.sends)
        seconds = time.monotonic() - begin
        verdict, wanted = _verdict(first), ask.verdict_under(self.preset)
        wrong = [] if verdict is wanted else [f"it was {verdict}, and must be {wanted}"]
        last = first
        if first["outcome"] == "pending":
            wrong += self._look(ask.kept, 0) if wanted is Verdict.ASKED else []
            last = self._answered(first["trace_id"], taken_back=wanted is Verdict.REFUSED)
        wrong += self._became(ask, first, last, wanted)
        outcomes = dict.fromkeys(str(answer["outcome"]) for answer in (first, last))
        return Ran(
            ask=ask,
            risk=risk,
            verdict=verdict,
            outcome=" → ".join(outcomes),
            code=str(last["code"]),
            message=str(first["message"]),
            wrong=tuple(wrong),
            unverified=_unverified(last),
            seconds=seconds,
        )

    def _happens(self, happening: Happening) -> None:
        if happening.service:
            response = self.home.owner.call(happening.service, happening.data)
            response.raise_for_status()
        else:
            for entity_id, payload in happening.data.items():
                entity = self.home.plan[entity_id]
                topic = next(iter(entity.initial))
                self.home.devices.say(topic, str(payload))
        self.home.settle()
        if late := self._look(happening.then, PATIENCE):
            raise RuntimeError(f"{happening}: {late}")

    def _risk(self, ask: Ask) -> int:
        """The risk, as a dry run tells it, or the refusal; what is only read has none."""
        around = {key: value for key, value in ask.sends.items() if key != "request_id"}
        answer = self.agent.edgehome("execute", **around, dry_run=True)
        if answer["plan"]:
            return int(answer["plan"]["risk"])
        told = _RISK.search(str(answer["message"]))
        return int(told[1]) if told else 0

    def _answered(self, trace_id: str, *, taken_back: bool) -> dict[str, Any]:
        """What comes of a question: a person says yes on the phone, unless nobody should have been asked."""
        if taken_back:
            self.agent.edgehome("cancel", trace_id=trace_id)
        else:
            self.phone.tap(self.phone.question(), YES)
        found = self.agent.edgehome("get_trace", trace_id=trace_id, wait=ANSWER_SECONDS)
        self.phone.forget()
        return found

    def _became(self, ask: Ask, first: Mapping[str, Any], last: Mapping[str, Any], wanted: Verdict) -> list[str]:
        """What is not as it must be, once it is over."""
        if wanted is Verdict.REFUSED:
            wrong = [] if first["code"] == ask.code else [f"the code is not {ask.code}"]
            return [*wrong, *self._look(ask.kept, 0), *self._heard(ask, first)]
        ends = ask.ends if wanted is Verdict.UNASKED else "confirmed"
        is_so = last["outcome"] == ends or (ends != "confirmed" and first["outcome"] == "pending")
        wrong = [] if is_so else [f"the outcome is {last['outcome']}, and must be {ends}"]
        wrong += [f"the answer does not say {word}" for word in ask.answers if word not in str(last["message"])]
        wrong += self._look(ask.then, PATIENCE)
        wrong += self._heard(ask, last)
        return wrong + self._told(last)

    def _look(self, looks: Mapping[str, Look], seconds: float) -> list[str]:
        """What does not look as it must, after at most so many seconds."""
        deadline = time.monotonic() + seconds
        left = dict(looks)
        while True:
            left = {entity_id: look for entity_id, look in left.items() if self._differs(entity_id, look)}
            if not left or time.monotonic() > deadline:
                return [found for entity_id, look in left.items() if (found := self._differs(entity_id, look))]
            time.sleep(0.05)

    def _differs(self, entity_id: str, look: Look) -> str:
        state = self.home.owner.state(entity_id)
        if state is None:
            return f"{entity_id} is not there"
        present = {**state["attributes"], "state": state["state"]}
        wanted = {"state": look} if isinstance(look, str) else look
        others = [
            f"{key} {present.get(key)}, not {value}"
            for key, value in wanted.items()
            if not fits(present.get(key), value)
        ]
        return f"{entity_id}: {', '.join(others)}" if others else ""

    def _heard(self, ask: Ask, last: Mapping[str, Any]) -> list[str]:
        """Which devices heard what is not theirs, or not what is."""
        self.home.settle()
        told = {command.entity_id for command in self.home.devices.commands()}
        allowed = set(ask.then) | set(ask.also) | set(ask.heard)
        allowed |= {member for name in ask.then for member in self._members(name)}
        if ask.silent or last["outcome"] in QUIET | {"blocked"}:
            allowed = set()
        wrong = [f"{entity_id} heard something too" for entity_id in sorted(told - allowed)]
        for entity_id, payload in ask.heard.items():
            heard = self.home.devices.payloads(entity_id)
            if not heard or heard[-1][1] != payload:
                wrong.append(f"{entity_id} heard {heard}, not {payload!r}")
        return wrong

    def _members(self, entity_id: str) -> tuple[str, ...]:
        return next((item.members for item in self.home.plan.entities if item.entity_id == entity_id), ())

    def _told(self, last: Mapping[str, Any]) -> list[str]:
        """What was read and is not so."""
        if last["outcome"] != "read":
            return []
        wrong = []
        for told in last["result"]["states"]:
            state = self.home.owner.state(told["entity_id"])
            if state is None or state["state"] != told["state"]:
                wrong.append(f"{told['entity_id']} was said to be {told['state']}")
        return wrong


def _unverified(answer: Mapping[str, Any]) -> tuple[str, ...]:
    done = (answer["result"] or {}).get("actions", ())
    return tuple(str(item["entity_id"]) for item in done if item["verification"] != "verified")


def _verdict(answer: Mapping[str, Any]) -> Verdict:
    if answer["outcome"] in UNASKED:
        return Verdict.UNASKED
    return Verdict.ASKED if answer["outcome"] == "pending" else Verdict.REFUSED


def fits(present: Any, wanted: Any) -> bool:
    """Whether a value is the wanted one; numbers need only be near."""
    if isinstance(wanted, list | tuple):
        return (
            isinstance(present, list)
            and len(present) == len(wanted)
            and all(fits(one, other) for one, other in zip(present, wanted, strict=True))
        )
    if isinstance(wanted, bool) or not isinstance(wanted, int | float):
        return bool(present == wanted)
    if not isinstance(present, int | float):
        return False
    return abs(present - wanted) <= (NEAR if isinstance(wanted, int) and wanted > 30 else 0.001)


@contextmanager
def a_day(home: GeneratedHome, preset: str) -> Iterator[Day]:
    """The day of a home: an agent, and Ada, who is asked on her phone."""
    agent, _ = home.add_agent("Hermes")
    home.add_approver("Ada")
    with Phone(home.owner, "Ada's phone") as phone:
        yield Day(home, agent, phone, preset)
