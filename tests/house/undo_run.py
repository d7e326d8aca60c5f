"""The undo test: each deed is done by an agent and taken back; then the whole home must look as before."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from .devices import ANSWER, ASK
from .differential_line import Line
from .differential_values import Look
from .undo_deeds import Deed, deeds, faithful_of, sets
from .undo_home import UndoHome
from .undo_looks import Ties, differences, is_told, snapshot
from .undo_starts import start

EXACT = "undone exactly"
TOLD = "undone but for what the plan says"
NO_WAY = "not undoable, and said so"
NOT_DONE = "not done in the first place"
NOT_EXACT, ELSE = "not as before", "something else changed"
REFUSED, LEFT, UNTRUE = "undo refused", "left alone without need", "said not undoable, and not refused"
VERDICTS = (EXACT, TOLD, NO_WAY, NOT_DONE, NOT_EXACT, ELSE, REFUSED, LEFT, UNTRUE)
FAULTS = (NOT_EXACT, ELSE, REFUSED, LEFT, UNTRUE)
DONE = frozenset({"executed", "confirmed", "partial"})
TRIES = 4
STILL, STEP, WAIT = 2.0, 0.05, 30
"""Seconds until a home that does not look as before will not any more, between two looks, and for a person's answer."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What came of one deed."""

    verdict: str
    deed: Deed
    params: Mapping[str, Any]
    answer: Mapping[str, Any]
    undone: Mapping[str, Any]
    differs: Mapping[str, str]

    def line(self) -> str:
        """The finding on one line."""
        values = ", ".join(f"{name}={value!r}" for name, value in self.params.items())
        parts = [f"{self.verdict}: {self.deed}({values})", _said(self.answer)]
        parts += [f"undo {_said(self.undone)} {self.undone.get('left_out') or ''}"] if self.undone else []
        parts += [f"{entity_id}: {what}" for entity_id, what in self.differs.items()]
        return " | ".join(parts)


def _said(answer: Mapping[str, Any]) -> str:
    return f"{answer['outcome']} {answer['code']}: {answer['message']}"


class Undoing:
    """Does deeds in a home and takes them back."""

    def __init__(self, home: UndoHome, owner: Line, agent: Line) -> None:
        self._home = home
        self._devices = home.home.devices
        self._owner = owner
        self._agent = agent
        self._ties = Ties(home.home.plan)
        self._groups = {entity.entity_id: entity.members for entity in home.home.plan.of(platform="group")}

    async def one(self, deed: Deed) -> Finding:
        """One deed, from a state of chance, and its undoing; from another state where it was not done."""
        chance = deed.chance
        for _ in range(TRIES):
            found = await self._one(deed, chance)
            if found.verdict != NOT_DONE:
                break
        return found

    async def _one(self, deed: Deed, chance: Random) -> Finding:
        for entity_id in (*deed.entity_ids, *sorted(self._ties.started(set(deed.entity_ids)))):
            await self._start(entity_id, chance)
        await self._rest()
        named = {
            part: None
            for name in deed.entity_ids
            for part in (self._groups.get(name, ()) if deed.domain == "group" else (name,))
        }
        params = deed.params({name: self._owner.look(name) for name in named}, chance)
        before = self._snapshot()
        answer = await self._ask("execute", model_candidate=deed.candidate(params), wait=WAIT)
        await self._rest()
        actions = (answer.get("plan") or {}).get("actions") or []
        found = Finding(
            verdict=NOT_DONE,
            deed=deed,
            params=params,
            answer=answer,
            undone={},
            differs={},
        )
        if answer["outcome"] not in DONE:
            return found
        if not any(item["undoable"] for item in actions):
            return await self._refused(found)
        return await self._taken_back(found, before, actions)

    async def _taken_back(self, found: Finding, before: Mapping[str, Look], actions: list[dict[str, Any]]) -> Finding:
        """Undo, which must bring back what was done and can be undone, and nothing else."""
        undone = await self._ask("undo", wait=WAIT)
        stays = {item["entity_id"] for item in actions if not item["undoable"]}
        lost = self._ties.around(stays) | self._ties.around(self._ties.started(stays))
        touched = self._ties.around({item["entity_id"] for item in actions})
        differs = await self._differences(before, touched, lost)
        told = {item["entity_id"] for item in actions if "undo_leaves" in item}
        told |= {member for name in told for member in self._groups.get(name, ())}
        left = [item for item in undone.get("left_out", ()) if not (told and "does not come back" in item["why"])]
        differs = {name: what for name, what in differs.items() if not (name in told and is_told(what))}
        if undone.get("undoes") != found.answer["trace_id"] or undone["outcome"] not in DONE:
            verdict = REFUSED
        elif differs:
            verdict = NOT_EXACT if touched & differs.keys() else ELSE
        else:
            verdict = LEFT if left else TOLD if told else EXACT
        return _with(found, verdict=verdict, undone=undone, differs=differs)

    async def _refused(self, found: Finding) -> Finding:
        """Undo of what cannot be undone, which must do nothing."""
        before = self._snapshot()
        self._devices.forget()
        undone = await self._ask("undo", trace_id=found.answer["trace_id"], wait=WAIT)
        differs = await self._differences(before, frozenset(), frozenset())
        heard = {command.entity_id: f"heard {command.payload}" for command in self._devices.commands()}
        is_refused = (undone["outcome"], undone["code"]) == ("blocked", "NOTHING_TO_UNDO") and not heard | differs
        return _with(found, verdict=NO_WAY if is_refused else UNTRUE, undone=undone, differs=heard | differs)

    async def _differences(
        self, before: Mapping[str, Look], touched: frozenset[str], lost: frozenset[str]
    ) -> dict[str, str]:
        """In what the home looks otherwise than before, once it has come to rest."""
        await self._rest()
        for _ in range(round(STILL / STEP)):
            found = differences(before, self._snapshot(), touched)
            if not (found := {name: what for name, what in found.items() if name not in lost}):
                break
            await asyncio.sleep(STEP)
        return found

    def _snapshot(self) -> dict[str, Look]:
        return snapshot(self._owner.looks, self._home.own)

    async def _start(self, entity_id: str, chance: Random) -> None:
        """The owner brings an entity into a state of chance, a group member by member."""
        for member in self._groups.get(entity_id, ()):
            await self._start(member, chance)
        if entity_id in self._groups:
            return
        for service, data in start(entity_id, self._owner.look(entity_id), chance):
            await self._owner.call(service, {**data, "entity_id": entity_id})
            await self._rest()

    async def _rest(self) -> None:
        """Waits until the devices have answered; machines on their way home arrive."""
        await self._owner.settle()
        for entity_id, look in list(self._owner.looks.items()):
            if look.state == "returning":
                (topic,) = self._home.home.plan[entity_id].initial
                self._devices.say(topic, '{"state": "docked"}')
                await self._owner.until(entity_id, lambda now: now.state == "docked", STILL)

    async def _ask(self, action: str, **data: Any) -> dict[str, Any]:
        answer = await self._agent.call(f"edgehome.{action}", data, response=True)
        if not answer["success"]:
            raise RuntimeError(f"{action} {data}: {answer['error']}")
        response: dict[str, Any] = answer["result"]["response"]
        return response


def _with(found: Finding, **changes: Any) -> Finding:
    return Finding(**{**vars(found), **changes})


def all_deeds(home: UndoHome, seed: int) -> list[Deed]:
    """All deeds of a home: its entities, its rooms and its floors."""
    listed = home.opened.agent.edgehome("list_devices")["devices"]
    faithful = faithful_of(home.home.plan)
    return deeds(listed, faithful, seed) + sets(listed, faithful, home.home.plan, seed)


async def undone(home: UndoHome, wanted: Iterable[Deed]) -> list[Finding]:
    """Does deeds one after the other and takes each back."""
    async with Line(home.opened.owner) as owner, Line(home.opened.agent) as agent:
        await owner.follow()
        await owner.hear(ASK, ANSWER)
        work = Undoing(home, owner, agent)
        return [await work.one(deed) for deed in wanted]


def counted(findings: Iterable[Finding]) -> Counter[str]:
    """How often each verdict came."""
    return Counter(finding.verdict for finding in findings)
