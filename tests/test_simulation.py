"""What would happen: the chain itself, on supposed states, with every rule that was skipped and why."""

from typing import Any

import pytest

from custom_components.edgehome.chain import Ask, Ready, Refuse
from custom_components.edgehome.devices import Liveness, Makeup, Standing
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.judge import judge
from custom_components.edgehome.policy.presets import BALANCED, STRICT
from custom_components.edgehome.simulation import Supposition, simulated
from tests.made_house import MadeHouse, proposing, request


def house() -> MadeHouse:
    """A lamp, a lock and a garage."""
    return (
        MadeHouse(table=STRICT, people=("Anna",))
        .add("light.lamp", "Lamp", "on", brightness=100, supported_color_modes=["brightness"])
        .add("lock.door", "Door", "locked", supported_features=0)
        .add("cover.garage", "Garage", "closed", device_class="garage", supported_features=3)
        .add("switch.plug", "Plug", "on")
    )


def would(made: MadeHouse, intent: str, name: str, states: Any = None, **params: object) -> dict[str, Any]:
    """The simulation of a proposal."""
    return simulated(
        request(proposing(intent, device_alias=name, params=params)), made, Supposition(states=states or {})
    )


@pytest.mark.parametrize(
    ("intent", "name", "states", "expected"),
    [
        pytest.param("turn_off", "Lamp", {}, "execute", id="done"),
        pytest.param("turn_on", "Lamp", {}, "no_change", id="already so"),
        pytest.param("turn_on", "Lamp", {"light.lamp": {"state": "off"}}, "execute", id="if it were off"),
        pytest.param("turn_off", "Lamp", {"light.lamp": {"state": "unavailable"}}, "refuse", id="if it were unplugged"),
        pytest.param("open", "Garage", {}, "ask", id="asked"),
        pytest.param("open", "Garage", {"cover.garage": {"state": "open"}}, "no_change", id="if it were open"),
        pytest.param("unlock", "Door", {}, "refuse", id="denied"),
        pytest.param("status", "Door", {}, "read", id="read"),
        pytest.param("turn_off", "Nothing", {}, "refuse", id="not there"),
    ],
)
def test_would(intent: str, name: str, states: dict[str, Any], expected: str) -> None:
    """In one word what would become of a request now, or if states were others."""
    assert would(house(), intent, name, states)["would"] == expected


@pytest.mark.parametrize("intent", ["turn_off", "open", "unlock", "toggle", "press"])
@pytest.mark.parametrize("name", ["Lamp", "Door", "Garage", "Plug", "Nothing"])
def test_the_same_as_the_chain(intent: str, name: str) -> None:
    """The simulator says what the chain does: it is the chain."""
    wanted = request(proposing(intent, device_alias=name))
    step = judge(wanted, Facts(house())).step
    told = simulated(wanted, house(), Supposition())
    assert told["would"] == {Ready: "execute", Ask: "ask", Refuse: "refuse"}.get(type(step), "no_change")
    assert told.get("code") == (step.code.value if isinstance(step, Refuse) else told.get("code"))


def test_supposed_attributes() -> None:
    """What is supposed stands above what is so, attribute by attribute."""
    told = would(
        house(), "set_brightness", "Lamp", {"light.lamp": {"attributes": {"brightness": 51}}}, brightness_step=10
    )
    assert told["plan"]["actions"][0]["data"] == {"brightness_pct": 30}


def test_rules() -> None:
    """The rule that decides, and of each one before it the first condition that it does not meet."""
    (action,) = would(house(), "open", "Garage")["actions"]
    assert (action["verdict"], action["rule"], action["risk"]) == ("confirm", "serious", 4)
    assert action["because"] == ["garage_door: open has base risk 4"]
    (asked,) = action["asked"]
    assert asked["skipped"] == {
        "no_locking": "operations",
        "no_unlocking": "operations",
        "locks_ask": "device_types",
        "heating_small": "operations",
        "heating_large": "operations",
        "dimming": "operations",
        "harmless": "risk",
    }


def test_what_is_reached_is_asked_about_too() -> None:
    """A group's members stand beside it, each with its own rule."""
    made = house().add("light.group", "Group", "off", makeup=Makeup(kind="group", members=("lock.door", "light.lamp")))
    (action,) = would(made, "turn_on", "Group")["actions"]
    assert {item["entity_id"] for item in action["asked"]} == {"light.group", "lock.door", "light.lamp"}


def test_gates() -> None:
    """Each gate with its verdict; the one that refuses is the last."""
    told = would(house(), "unlock", "Door")
    assert [(gate["gate"], gate["passed"]) for gate in told["gates"]][-1] == ("policy", False)
    assert (told["code"], told["gate"]) == ("POLICY_DENIED", "policy")
    assert told["hint"]
    assert "plan" not in told


def test_nobody_counts() -> None:
    """Rate, open questions and rejections of the day do not matter; who may call does."""
    made = house()
    made.recent, made.open_questions, made.cooling = 10_000, 9, 600
    assert would(made, "open", "Garage")["would"] == "ask"
    assert made.counted == []
    made.stand = Standing(status="disabled")
    assert would(made, "open", "Garage")["code"] == "AGENT_DISABLED"


def test_nothing_is_fetched() -> None:
    """A state that would be fetched is taken for true, and that is said."""
    made = house()
    made.table = BALANCED
    made.alive["lock.door"] = Liveness(failing=True, can_fetch=True)
    told = would(made, "unlock", "Door")
    assert (told["would"], told["fetches"]) == ("refuse", ["lock.door"])
    made.alive["lock.door"] = Liveness(restored=True, can_fetch=True)
    told = would(made, "unlock", "Door")
    assert (told["would"], told["fetches"]) == ("ask", ["lock.door"])


def test_malformed() -> None:
    """What is no proposal is told as the chain tells it."""
    told = simulated(request({"nothing": 1}), house(), Supposition())
    assert (told["would"], told["code"], told["actions"]) == ("refuse", "SCHEMA", [])
