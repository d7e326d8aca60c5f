"""One thing after the other in a home where an agent undoes, people act, and a person is asked on a real phone."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .client import Client
from .differential_values import Look
from .generated import plan
from .generated_home import GeneratedHome
from .home_plan import EntityPlan, Follow
from .phone import Phone
from .undo_home import mended, own_entities, running, shown
from .undo_looks import Ties, differences, snapshot

YES, NO = 0, 1
WAIT = 20
OFFLINE, ONLINE = "offline", "online"


@dataclass
class Scene:
    """A home in which all is exposed and all devices follow, its agent, and its owner's phone."""

    home: GeneratedHome
    agent: Client
    phone: Phone
    own: frozenset[str]
    asked: list[str] = field(default_factory=list)
    """What the person was asked, in order."""

    def looks(self) -> dict[str, Look]:
        """The whole home as it is now, once its devices have answered."""
        self.home.settle()
        states = self.home.owner.get("/api/states")
        return snapshot(
            {item["entity_id"]: Look(state=item["state"], attributes=item["attributes"]) for item in states}, self.own
        )

    def act(self, service: str, *entity_ids: str, **data: object) -> None:
        """A person does something in Home Assistant."""
        response = self.home.owner.call(service, {"entity_id": list(entity_ids), **data})
        assert response.ok, response.text
        self.home.settle()

    def execute(self, intent: str, tap: int = YES, **candidate: object) -> dict[str, Any]:
        """The agent proposes; where a person is asked, she answers."""
        return self._answered(self.agent.execute({"intent": intent, **candidate}), tap)

    def undo(self, tap: int = YES, **data: object) -> dict[str, Any]:
        """The agent takes something back; where a person is asked, she answers."""
        return self._answered(self.agent.edgehome("undo", **data), tap)

    def _answered(self, answer: dict[str, Any], tap: int) -> dict[str, Any]:
        if answer["outcome"] == "pending":
            question = self.phone.question()
            self.asked.append(question["message"])
            self.phone.tap(question, tap)
            answer |= self.agent.edgehome("get_trace", trace_id=answer["trace_id"], wait=WAIT)
        self.home.settle()
        return answer

    def differs(self, before: Mapping[str, Look], *touched: str, but: tuple[str, ...] = ()) -> dict[str, str]:
        """In what the home looks otherwise than before, but for some entities and what shows them."""
        ties = Ties(self.home.plan)
        found = differences(before, self.looks(), ties.around(set(touched)))
        left_out = ties.around(set(but)) if but else frozenset()
        return {entity_id: what for entity_id, what in found.items() if entity_id not in left_out}

    def plug(self, entity_id: str, *, in_: bool) -> None:
        """Someone pulls a device's plug, or puts it back."""
        entity = self.home.plan[entity_id]
        device = next(device for device in self.home.plan.devices if device.key == entity.device)
        self.home.devices.say(device.availability, ONLINE if in_ else OFFLINE)
        self.home.wait_for_state(entity_id, lambda seen: (seen["state"] != "unavailable") is in_)

    def hide(self, entity_id: str, *, hidden: bool) -> None:
        """The owner hides an entity in Home Assistant, or does so no more."""
        update = {"type": "config/entity_registry/update", "entity_id": entity_id}
        self.home.owner.command({**update, "hidden_by": "user" if hidden else None})

    def arrive(self, entity_id: str) -> None:
        """A machine that is on its way home arrives there."""
        (topic,) = self.home.plan[entity_id].initial
        self.home.devices.say(topic, '{"state": "docked"}')
        self.home.wait_for_state(entity_id, lambda seen: seen["state"] == "docked")

    def show(self, *entity_ids: str, shown: bool) -> None:
        """The owner shows entities to agents, or hides them."""
        expose = {"type": "homeassistant/expose_entity", "assistants": ["conversation"], "should_expose": shown}
        self.home.owner.command({**expose, "entity_ids": list(entity_ids)})

    def of(self, domain: str, *keys: str, **facts: object) -> EntityPlan:
        """The first faithful device of a domain that agents may name, whose discovery message has these keys and values."""
        return next(
            entity
            for entity in self.home.plan.of(domain, follow=Follow.AT_ONCE, platform="mqtt")
            if entity.is_registered and not entity.hidden and not entity.category and "code_format" not in entity.facts
            if entity.config.keys() >= set(keys) and facts.items() <= entity.config.items()
        )


@contextmanager
def scene(folder: Path, release: str, *, seed: int, size: int) -> Iterator[Scene]:
    """A mended home of a seed and size."""
    with running(folder, release, mended(plan(seed, size))) as home:
        home.expose(*shown(home))
        agent, _ = home.add_agent("Hermes")
        home.add_approver("Ada")
        with Phone(home.owner, "Ada") as phone:
            yield Scene(home=home, agent=agent, phone=phone, own=own_entities(home))
