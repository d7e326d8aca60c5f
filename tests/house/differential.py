"""The differential test: what Home Assistant does when its owner calls, beside what the chain says and does."""

import asyncio
import random
from collections.abc import Mapping
from typing import Any

from .differential_home import Opened
from .differential_line import Line
from .differential_probes import BY_CALLS, Probe, probes, situations
from .differential_values import Look
from .differential_verdicts import HONEST, UNCHANGED, Finding, explained, honest, judged

MOVING = frozenset(
    {"opening", "closing", "locking", "unlocking", "arming", "pending", "disarming", "returning", "buffering"}
)
VOLATILE = frozenset({"last_triggered", "finishes_at", "remaining", "media_position_updated_at", "entity_picture"})
"""Attributes that change by themselves."""
SOON, LATE, STILL, AT_LEAST = 2.2, 12.0, 0.25, 0.1
"""Seconds until an entity that is not on its way has ignored a call, until one that is has arrived, until it rests, and has been brought back."""
LATE_SHARE = 0.1
"""How many probes of slow devices are asked: each takes four times the device's delay."""
AT_ONCE, QUESTIONS = 16, 2
"""So many entities are asked at once, and so many questions may wait for a person."""


class Differential:
    """Asks the same of Home Assistant and of the chain."""

    def __init__(self, home: Opened, owner: Line, agent: Line) -> None:
        self._home = home
        self._owner = owner
        self._agent = agent
        self._questions = asyncio.Semaphore(QUESTIONS)
        self._kept: dict[tuple[str, str], Look] = {}

    async def everything(self, share: float = 1, seed: int = 0) -> list[Finding]:
        """All probes of the home's entities, or a seeded share of them."""
        places, chance = asyncio.Semaphore(AT_ONCE), random.Random(seed)  # noqa: S311  # a choice, not a secret
        seeds = {entity_id: chance.random() for entity_id in self._home.entity_ids}

        async def one(entity_id: str) -> list[Finding]:
            async with places:
                return await self._entity(entity_id, share, random.Random(seeds[entity_id]))  # noqa: S311

        found = await asyncio.gather(*(one(entity_id) for entity_id in seeds))
        return [finding for findings in found for finding in findings]

    async def _entity(self, entity_id: str, share: float, chance: random.Random) -> list[Finding]:
        findings: list[Finding] = []
        for situation in situations(entity_id.partition(".")[0]):
            if not await self._reach(entity_id, situation):
                continue
            everything = probes(entity_id, situation, self._owner.look(entity_id))
            part = share * LATE_SHARE if entity_id in self._home.late else share
            chosen = [probe for probe in everything if part >= 1 or chance.random() < part]
            for probe in chosen:
                findings.append(await self._compare(probe))  # noqa: PERF401  # one after the other
        return findings

    async def _reach(self, entity_id: str, situation: str) -> bool:
        """Brings an entity into a situation by its own actions, and remembers it; false if that looks like another."""
        if self._owner.look(entity_id).state != "unavailable":
            await self._go(entity_id, situation)
            await self._owner.call("probe.remember", {"entity_id": entity_id, "name": situation})
        look = self._owner.look(entity_id)
        is_new = all(other != look for (of, _), other in self._kept.items() if of == entity_id)
        self._kept[entity_id, situation] = look
        return is_new

    async def _go(self, entity_id: str, situation: str) -> None:
        for service, data in situations(entity_id.partition(".")[0])[situation]:
            await self._act(entity_id, service, data)

    async def _act(self, entity_id: str, service: str, data: Mapping[str, Any]) -> None:
        """The owner acts, and waits until the entity has come to rest."""
        await self._owner.call(service, {**data, "entity_id": entity_id})
        await self._owner.settle()
        await self._rest(entity_id)

    async def _rest(self, entity_id: str) -> None:
        if late := self._home.late.get(entity_id):
            # What it says in the end may be what it says already, and then nothing is heard of it.
            await self._owner.until(entity_id, lambda _: False, late + AT_LEAST)
        is_moving = self._owner.look(entity_id).state in MOVING or entity_id.startswith("cover.")
        still = STILL if is_moving else 0
        await self._owner.quiet(entity_id, lambda look: look.state not in MOVING, LATE, still)

    async def _reset(self, probe: Probe) -> Look:
        """The entity as it was in the situation; by its own actions where bringing back does not do. How it looks then."""
        kept = self._kept[probe.entity_id, probe.situation]
        if kept.state == "unavailable":
            return kept
        if probe.domain not in BY_CALLS and probe.entity_id not in self._home.by_calls:
            await self._owner.call("probe.restore", {"entity_id": probe.entity_id, "name": probe.situation})
        if not await self._owner.until(probe.entity_id, lambda look: _alike(look, kept), AT_LEAST):
            await self._go(probe.entity_id, probe.situation)
        if probe.again:
            payload = probe.deed.payload(probe.params, self._owner.look(probe.entity_id))
            await self._act(probe.entity_id, probe.deed.service, payload)
        before = self._owner.look(probe.entity_id)
        if probe.unplugged:
            await self._plug(probe, available=False)
        return before

    async def _plug(self, probe: Probe, *, available: bool) -> None:
        await self._owner.call("probe.available", {"entity_id": probe.entity_id, "available": available})
        await self._owner.until(probe.entity_id, lambda look: (look.state != "unavailable") is available, SOON)

    async def _compare(self, probe: Probe) -> Finding:
        truth, told = await self._truth(probe)
        before = await self._reset(probe)
        answer = await self._propose(probe)
        await self._owner.settle()
        if probe.unplugged:
            await self._plug(probe, available=True)
        followed = await self._follows(probe, before, wait=answer["outcome"] in {"executed", "confirmed"})
        after = self._owner.look(probe.entity_id)
        await self._rest(probe.entity_id)
        actions = (answer.get("result") or {}).get("actions") or [{}]
        verification = actions[0].get("verification")
        verdict = judged(probe.kind, truth, answer, verification, followed)
        if probe.entity_id in self._home.unfaithful and honest(verdict, answer, verification):
            verdict = HONEST
        verdict, why = explained(verdict, probe, answer, self._home.unfaithful)
        return Finding(
            verdict=verdict,
            why=why,
            probe=str(probe),
            domain=probe.domain,
            intent=probe.intent,
            kind=probe.kind,
            truth=f"{truth} {told}".strip(),
            said=f"{answer['outcome']} {answer['code']} at {answer['gate']} {verification or ''} {answer['message']}",
            shown=f"{before.state} → {after.state}",
            is_verified=verification == "verified",
        )

    async def _truth(self, probe: Probe) -> tuple[str, str]:
        """What Home Assistant does when the owner calls: refused, ignored, done, already, or nothing that shows."""
        before = await self._reset(probe)
        if dropped := None if probe.kind == "unavailable" else probe.deed.drops(probe.params, before):
            return "ignored", dropped
        payload = probe.deed.payload(probe.params, before)
        answer = await self._owner.call(probe.deed.service, {**payload, "entity_id": probe.entity_id})
        await self._owner.settle()
        if probe.unplugged:
            await self._plug(probe, available=True)
        if not answer["success"]:
            return "refused", str(answer["error"]["message"])[:160]
        was_so = probe.deed.shows(probe.params, before, before)
        followed = await self._follows(probe, before, wait=True)
        after = self._owner.look(probe.entity_id)
        await self._rest(probe.entity_id)
        if followed is None:
            return ("ignored", "") if probe.kind == "unavailable" else ("blind", "" if after != before else UNCHANGED)
        if not followed:
            return "ignored", after.state
        return ("already" if was_so else "done"), ""

    async def _follows(self, probe: Probe, before: Look, *, wait: bool) -> bool | None:
        """Whether the entity comes to look as wanted; None where nothing shows."""

        def shows(look: Look) -> bool:
            return bool(probe.deed.shows(probe.params, before, look))

        if probe.deed.shows(probe.params, before, self._owner.look(probe.entity_id)) is None:
            return None
        soon = SOON + self._home.late.get(probe.entity_id, 0)
        if wait and not await self._owner.until(probe.entity_id, shows, soon):
            is_moving = self._owner.look(probe.entity_id).state in MOVING
            return await self._owner.until(probe.entity_id, shows, LATE) if is_moving else False
        return shows(self._owner.look(probe.entity_id))

    async def _propose(self, probe: Probe) -> dict[str, Any]:
        candidate = {"intent": probe.intent, "device_alias": probe.entity_id, "params": dict(probe.params)}
        async with self._questions:
            answer = await self._agent.call(
                "edgehome.execute", {"model_candidate": candidate, "wait": 30}, response=True
            )
        if not answer["success"]:
            raise RuntimeError(f"{probe}: {answer['error']}")
        response: dict[str, Any] = answer["result"]["response"]
        return response


def _alike(look: Look, other: Look) -> bool:
    def lasting(attributes: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in attributes.items() if name not in VOLATILE}

    return look.state == other.state and lasting(look.attributes) == lasting(other.attributes)


async def compared(home: Opened, share: float = 1, seed: int = 0) -> list[Finding]:
    """All findings in a home, or those of a seeded share of the probes."""
    async with Line(home.owner) as truth, Line(home.agent) as door:
        await truth.follow()
        if home.wire:
            await truth.hear(*home.wire)
        return await Differential(home, truth, door).everything(share, seed)
