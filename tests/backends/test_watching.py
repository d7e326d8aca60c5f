"""Whether devices follow: at once, late, never, to another value, and when somebody else acts meanwhile (R11)."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest
from homeassistant.core import Context, HomeAssistant, ServiceCall
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.backends import watching
from custom_components.edgehome.backends.homeassistant import HomeAssistantBackend
from custom_components.edgehome.backends.watching import OVERTAKEN
from custom_components.edgehome.plan import ExecutionResult, Expectation, GatedCommand, Verification
from tests.backends.test_homeassistant import action, ticket_for

LAMP, BLIND, LOCK = "light.bed_light", "cover.living_room_window", "lock.front_door"
ON = (Expectation(value="on"), Expectation(attribute="brightness", value=100, same=1, step=5))
OPEN = (
    Expectation(value="open", moving=("opening",)),
    Expectation(attribute="current_position", value=100, same=1, step=3),
)
LOCKED = (Expectation(value="locked", moving=("locking",), failed=("jammed",)),)
V = Verification


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is over sooner."""
    for name, seconds in {"LOOK": 0.03, "QUIET": 0.15, "STILL": 0.4, "MOVING": 1.0}.items():
        monkeypatch.setattr(watching, f"{name}_SECONDS", seconds)


type Deed = Callable[[HomeAssistant], object]
type Story = tuple[tuple[float, Deed], ...]


def shows(entity_id: str, state: str, context: Context | None = None, **attributes: object) -> Deed:
    """A device reports."""
    return lambda hass: hass.states.async_set(entity_id, state, attributes, context=context)


async def told(hass: HomeAssistant, home: MockConfigEntry, made: GatedCommand, story: Story) -> list[ExecutionResult]:
    """What the answer says and what the trace says in the end, while the story happens after the call."""

    async def happen() -> None:
        for seconds, deed in story:
            await asyncio.sleep(seconds)
            deed(hass)

    async def act(_: ServiceCall) -> None:
        hass.async_create_background_task(happen(), "story")

    hass.services.async_register("made", "act", act)
    backend, ticket = HomeAssistantBackend(hass), await ticket_for(home, made)
    first = await backend.execute(ticket)
    if not first.is_open:
        with pytest.raises(KeyError):
            await backend.follow(ticket)
        return [first]
    return [first, await backend.follow(ticket)]


def verifications(results: list[ExecutionResult]) -> list[Verification | None]:
    """What is said about the only device."""
    return [one.verification for result in results for one in result.results]


ANNA = Context(user_id="anna")
AUTOMATION = Context(parent_id="something that triggered it")


@pytest.mark.parametrize(
    ("made", "story", "expected"),
    [
        pytest.param(action(LAMP, "made.act", ON), ((0, shows(LAMP, "on", brightness=101)),), [V.VERIFIED], id="at once"),
        pytest.param(
            action(LAMP, "made.act", ON),
            ((0.06, shows(LAMP, "on", brightness=99)),),
            [V.WAITING, V.VERIFIED],
            id="late",
        ),
        pytest.param(action(LAMP, "made.act", ON), (), [V.WAITING, V.UNVERIFIED], id="never, and no report"),
        pytest.param(
            action(LAMP, "made.act", ON),
            ((0.05, shows(LAMP, "off")), (0.05, shows(LAMP, "off"))),
            [V.WAITING, V.MISMATCH],
            id="never, and reports that it is as it was",
        ),
        pytest.param(
            action(LAMP, "made.act", ON),
            ((0, shows(LAMP, "on", brightness=40)),),
            [V.WAITING, V.MISMATCH],
            id="to another value",
        ),
        pytest.param(
            action(LAMP, "made.act", ON),
            (
                (0, shows(LAMP, "on", brightness=20)),
                (0.05, shows(LAMP, "on", brightness=60)),
                (0.05, shows(LAMP, "on", brightness=100)),
            ),
            [V.WAITING, V.VERIFIED],
            id="slowly brighter",
        ),
        pytest.param(
            action(LAMP, "made.act", ON),
            ((0.05, shows(LAMP, "unavailable")),),
            [V.WAITING, V.UNKNOWN],
            id="unplugged after the call",
        ),
        pytest.param(
            action(LAMP, "made.act", ON),
            ((0.05, shows(LAMP, "unavailable")), (0.1, shows(LAMP, "on", brightness=100))),
            [V.WAITING, V.VERIFIED],
            id="away for a moment",
        ),
        pytest.param(
            action(LAMP, "made.act", ON), ((0.05, lambda hass: hass.states.async_remove(LAMP)),),
            [V.WAITING, V.UNKNOWN], id="removed",
        ),
        pytest.param(
            action(LAMP, "made.act", ON),
            ((0.05, shows(LAMP, "on", ANNA, brightness=10)),),
            [V.WAITING, V.UNVERIFIED],
            id="a person acts meanwhile",
        ),
        pytest.param(
            action(LAMP, "made.act", ON),
            ((0.05, shows(LAMP, "off", AUTOMATION, brightness=10)),),
            [V.WAITING, V.UNVERIFIED],
            id="an automation acts meanwhile",
        ),
        pytest.param(
            action(LAMP, "made.act", ON),
            ((0.05, shows(LAMP, "on", ANNA, brightness=100)),),
            [V.WAITING, V.VERIFIED],
            id="a person does the same",
        ),
        pytest.param(
            action(BLIND, "made.act", OPEN),
            (
                (0, shows(BLIND, "opening", current_position=30)),
                (0.5, shows(BLIND, "open", current_position=100)),
            ),
            [V.MOVING, V.VERIFIED],
            id="longer on its way than a lamp is waited for",
        ),
        pytest.param(
            action(BLIND, "made.act", OPEN),
            ((0, shows(BLIND, "opening", current_position=30)), (0.1, shows(BLIND, "open", current_position=50))),
            [V.MOVING, V.MISMATCH],
            id="stuck half way",
        ),
        pytest.param(
            action(BLIND, "made.act", OPEN),
            ((0, shows(BLIND, "opening", current_position=30)),),
            [V.MOVING, V.UNKNOWN],
            id="on its way for ever",
        ),
        pytest.param(
            action(LOCK, "made.act", LOCKED),
            ((0, shows(LOCK, "locking")), (0.1, shows(LOCK, "locked"))),
            [V.MOVING, V.VERIFIED],
            id="a lock that takes its time",
        ),
        pytest.param(
            action(LAMP, "made.act", ON), ((0, shows(LAMP, "on", assumed_state=True)),), [V.UNVERIFIED], id="only guessed"
        ),
        pytest.param(action(LAMP, "made.act"), (), [V.UNVERIFIED], id="nothing to compare"),
    ],
)  # fmt: skip
async def test_followed(
    hass: HomeAssistant, home: MockConfigEntry, made: GatedCommand, story: Story, expected: list[Verification]
) -> None:
    """What the answer says at once, and the trace in the end."""
    for entity_id, state in ((LAMP, "off"), (BLIND, "closed"), (LOCK, "unlocked")):
        hass.states.async_set(entity_id, state)
    before = hass.states.get(made.entity_id)
    assert before is not None
    results = await told(hass, home, replace(made, before=before.state), story)
    assert verifications(results) == expected
    assert [result.is_open for result in results] == [True] * (len(expected) - 1) + [False]


async def test_who_acted_is_said(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """That somebody else acted is the reason why nothing can be said about the device."""
    hass.states.async_set(LAMP, "off")
    _, end = await told(hass, home, action(LAMP, "made.act", ON), ((0.05, shows(LAMP, "off", ANNA, brightness=1)),))
    assert [result.note for result in end.results] == [OVERTAKEN]
    assert end.describe()["final"] is True


async def test_jams_later(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A lock that says after a while that it could not has failed."""
    hass.states.async_set(LOCK, "unlocked")
    made = replace(action(LOCK, "made.act", LOCKED), before="unlocked")
    first, end = await told(hass, home, made, ((0, shows(LOCK, "locking")), (0.1, shows(LOCK, "jammed"))))
    assert verifications([first]) == [V.MOVING]
    assert [(one.done, one.verification, one.error) for one in end.results] == [(False, None, f"{LOCK} is jammed")]


async def test_drifting(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A reading that moves by itself says nothing about the set point."""
    warm = (Expectation(attribute="temperature", value=21, same=0.1, step=0.5),)
    hass.states.async_set("climate.hvac", "heat", {"temperature": 20, "current_temperature": 19})
    drift = tuple(
        (0.02, shows("climate.hvac", "heat", temperature=21 if step > 2 else 20, current_temperature=19 + step / 10))
        for step in range(6)
    )
    assert verifications(await told(hass, home, action("climate.hvac", "made.act", warm), drift)) == [
        V.WAITING,
        V.VERIFIED,
    ]


@pytest.mark.parametrize(
    ("story", "expected"),
    [
        pytest.param((), [V.WAITING, V.UNVERIFIED], id="no report since"),
        pytest.param(((0.01, shows(LAMP, "on", brightness=100)),), [V.VERIFIED], id="reports the same again"),
    ],
)
async def test_on_an_old_state(
    hass: HomeAssistant, home: MockConfigEntry, story: Story, expected: list[Verification]
) -> None:
    """A state that may be out of date proves nothing; a report since the call does."""
    hass.states.async_set(LAMP, "on", {"brightness": 100})
    made = replace(action(LAMP, "made.act", ON), stale=True)
    assert verifications(await told(hass, home, made, story)) == expected


@pytest.mark.parametrize(
    ("story", "expected"),
    [
        pytest.param(
            ((0, shows("light.group", "on")), (0.05, shows("light.a", "on")), (0.05, shows("light.b", "on"))),
            [V.WAITING, V.VERIFIED],
            id="all members, late",
        ),
        pytest.param(
            ((0, shows("light.group", "on")), (0.05, shows("light.a", "on"))),
            [V.WAITING, V.MISMATCH],
            id="one does not",
        ),
        pytest.param(
            ((0, shows("light.group", "on")), (0, shows("light.a", "on")), (0, shows("light.b", "unavailable"))),
            [V.VERIFIED],
            id="one cannot be reached",
        ),
    ],
)
async def test_group(hass: HomeAssistant, home: MockConfigEntry, story: Story, expected: list[Verification]) -> None:
    """A group has followed when all its members have that can be reached."""
    for entity_id in ("light.group", "light.a", "light.b"):
        hass.states.async_set(entity_id, "off")
    made = replace(action("light.group", "made.act", (Expectation(value="on"),)), members=("light.a", "light.b"))
    assert verifications(await told(hass, home, made, story)) == expected


@pytest.mark.parametrize(
    ("story", "expected"),
    [
        pytest.param((), [V.WAITING, V.UNVERIFIED], id="ignores it"),
        pytest.param(((0.01, shows(LAMP, "on", brightness=100)),), [V.VERIFIED], id="follows"),
        pytest.param(((0.01, shows(LAMP, "on", brightness=98)),), [V.VERIFIED], id="reports the old value again"),
    ],
)
async def test_a_small_change(
    hass: HomeAssistant, home: MockConfigEntry, story: Story, expected: list[Verification]
) -> None:
    """What looks as asked for before the call, within what a device may round, is verified by a report only."""
    hass.states.async_set(LAMP, "on", {"brightness": 98})
    assert verifications(await told(hass, home, action(LAMP, "made.act", ON), story)) == expected


async def test_nothing_stays_behind(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Whatever happens, nothing is listened to any more in the end."""
    before = dict(hass.bus.async_listeners())
    hass.states.async_set(LAMP, "off")
    stories: tuple[Story, ...] = ((), ((0, shows(LAMP, "on", brightness=100)),))
    for story in stories:
        await told(hass, home, action(LAMP, "made.act", ON), story)

    async def fail(_: ServiceCall) -> None:
        raise ValueError("odd")

    hass.services.async_register("made", "act", fail)
    await HomeAssistantBackend(hass).execute(await ticket_for(home, action(LAMP, "made.act", ON)))
    after: dict[Any, int] = dict(hass.bus.async_listeners())
    assert after == before


async def test_a_look_that_is_broken_off(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A stop ends the look."""
    before = dict(hass.bus.async_listeners())
    hass.states.async_set(LAMP, "off")

    async def accept(_: ServiceCall) -> None:
        await asyncio.sleep(0)

    hass.services.async_register("made", "act", accept)
    backend, ticket = HomeAssistantBackend(hass), await ticket_for(home, action(LAMP, "made.act", ON))
    await backend.execute(ticket)
    looking: Coroutine[object, object, ExecutionResult] = backend.follow(ticket)
    task = hass.async_create_task(looking)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert dict(hass.bus.async_listeners()) == before
