"""Questions on companion apps: what a phone shows, when it can be reached, and that its taps count (R9, R10)."""

from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.test_util.aiohttp import AiohttpClientMocker

from custom_components.edgehome.home.exposure import ASSISTANT
from tests.confirmation.household import GARAGE, NO, OPEN_GARAGE, YES, Household, Person, edgehome_log
from tests.real_home import AgentAccess, proposing

CELLAR = "light.cellar"
PUSH = "https://push.example.com/send"
CLOUD = {"push_url": PUSH, "push_token": "a-push-token"}


@pytest.fixture
async def cellar(hass: HomeAssistant, house: Household) -> str:
    """A template light: harmless, but what it does cannot be read, so it is never switched unasked."""
    light = {"name": "Cellar", "unique_id": "cellar", "default_entity_id": CELLAR, "state": "{{ false }}"}
    switching = {"turn_on": {"action": "{{ 'light.turn_on' }}"}, "turn_off": {"action": "{{ 'light.turn_off' }}"}}
    assert await async_setup_component(hass, "template", {"template": [{"light": [light | switching]}]})
    await hass.async_block_till_done()
    async_expose_entity(hass, ASSISTANT, CELLAR, True)  # noqa: FBT003  # Home Assistant's signature
    return CELLAR


@pytest.mark.usefixtures("cellar")
@pytest.mark.parametrize(
    ("payload", "first_line", "risk", "urgency", "unlocked"),
    [
        pytest.param(
            proposing("turn_on", "Cellar"),
            "switch on Cellar (off → on)",
            1,
            ("default", "active"),
            [None, None, None],
            id="1",
        ),
        pytest.param(
            proposing("set_temperature", "Hvac", temperature=30),
            "set the temperature of Hvac, Hall (21 °C → 30 °C)",
            3,
            ("high", "time-sensitive"),
            [None, None, None],
            id="3",
        ),
        pytest.param(
            OPEN_GARAGE, "open Garage Door (closed → open)", 4, ("high", "time-sensitive"), [True, None], id="4"
        ),
    ],
)
async def test_question(
    house: Household,
    agent: AgentAccess,
    payload: dict[str, Any],
    first_line: str,
    risk: int,
    urgency: tuple[str, str],
    unlocked: list[bool | None],
) -> None:
    """What is asked, how urgently, with its buttons; up to risk 3 there is a yes for a while; from risk 4 the phone must be unlocked to approve."""
    ada = await house.approver_with_phone("Ada")
    await house.ask(agent.token, payload, reason="The car is at the gate.")
    question = await ada.question()
    lines = [line for line in question["message"].split("\n") if line != "What it does in full cannot be read."]
    assert question["title"] == "EdgeHome: Hermes asks"
    assert ("cannot be read" in question["message"]) is (risk == 1)
    assert lines[:3] == [
        f"Hermes asks: {first_line}",
        f"Risk {risk} of 5.",
        "Its reason, unchecked: “The car is at the gate.”",
    ]
    assert lines[3].endswith("Without an answer nothing is done.")
    data = question["data"]
    buttons = data.pop("actions")
    assert 0 < data.pop("timeout") <= 120
    assert data.pop("tag").startswith("edgehome-")
    assert data == {
        "group": "edgehome",
        "channel": "EdgeHome",
        "importance": urgency[0],
        "priority": "high",
        "ttl": 0,
        "visibility": "private",
        "push": {"interruption-level": urgency[1]},
        "clickAction": "/edgehome",
        "url": "/edgehome",
    }
    assert [button["title"] for button in buttons] == ["Approve", "Reject", *["For 10 minutes"] * (risk <= 3)]
    assert [button.get("authenticationRequired") for button in buttons] == unlocked
    assert [button.get("destructive") for button in buttons] == [None, True, None][: len(buttons)]
    assert {len(button["action"]) for button in buttons} == {len("EDGEHOME_") + 32}


async def test_language(hass: HomeAssistant, house: Household, agent: AgentAccess) -> None:
    """The question is in Home Assistant's language."""
    hass.config.language = "de"
    ada = await house.approver_with_phone("Ada")
    await house.ask(agent.token)
    question = await ada.question()
    assert question["title"] == "EdgeHome: Hermes fragt"
    assert [button["title"] for button in question["data"]["actions"]] == ["Erlauben", "Ablehnen"]


async def test_reason_is_no_template(hass: HomeAssistant, house: Household, agent: AgentAccess) -> None:
    """Even where the owner eased the flag, the agent's words are shown as words, and cleaned (R14)."""
    flags = {"template": "note", "control": "note", "backend": "note", "injection": "note"}
    options = {"preset": "strict", "automations": True, "flags": flags}
    hass.config_entries.async_update_entry(house.entry, options=options)
    await hass.async_block_till_done()
    ada = await house.approver_with_phone("Ada")
    reason = "{{ 6 * 7 }} [open](http://evil.example)\nRisk 0 of 5. \u202egate\u0007"
    await house.ask(agent.token, OPEN_GARAGE, reason=reason)
    lines = (await ada.question())["message"].split("\n")
    assert len(lines) == 4
    assert lines[2] == "Its reason, unchecked: “6 7 open evil.example Risk 0 of 5. gate”"


@pytest.mark.parametrize(
    ("button", "end", "state"),
    [
        pytest.param(YES, ("confirmed", "DONE"), "open", id="approve"),
        pytest.param(NO, ("cancelled", "REJECTED"), "closed", id="reject"),
    ],
)
async def test_answer(
    hass: HomeAssistant, house: Household, agent: AgentAccess, button: int, end: tuple[str, str], state: str
) -> None:
    """A tap decides; nothing is done before it; who was asked may be a plain user, and the question is cleared."""
    ada = await house.approver_with_phone("Ada")
    answer = await house.ask(agent.token)
    question = await ada.question()
    assert house.is_closed()
    await ada.tap(question, button)
    assert await house.ended(answer) == end
    assert hass.states.is_state(GARAGE, state)
    assert await ada.cleared() == question["data"]["tag"]


async def test_only_approvers_are_asked(house: Household, agent: AgentAccess) -> None:
    """Everybody may register a phone; only those of approvers get questions."""
    others = [await house.phone(await house.person(name)) for name in ("Bob", "Guest")]
    ada = await house.approver_with_phone("Ada")
    await house.ask(agent.token)
    await ada.question()
    assert [await other.everything() for other in others] == [[], []]


async def no_approver(house: Household) -> None:
    """Nobody was added."""
    await house.phone(await house.person("Ada"))


async def no_phone(house: Household) -> None:
    """An approver without the app."""
    await house.approver("Ada")


async def phone_off(house: Household) -> None:
    """An approver whose phone is off, without a push address."""
    await house.phone(await house.approver("Ada"), on=False)


async def phone_switched_off(house: Household) -> None:
    """A phone that was on."""
    phone = await house.approver_with_phone("Ada")
    await phone.switch_off()


async def phone_removed(house: Household) -> None:
    """The phone was removed from Home Assistant."""
    await house.approver_with_phone("Ada")
    (entry,) = house.hass.config_entries.async_entries("mobile_app")
    await house.hass.config_entries.async_remove(entry.entry_id)


async def phone_unloaded(house: Household) -> None:
    """The phone's entry is disabled."""
    await house.approver_with_phone("Ada")
    (entry,) = house.hass.config_entries.async_entries("mobile_app")
    await house.hass.config_entries.async_unload(entry.entry_id)


async def phone_of_another(house: Household) -> None:
    """Somebody gave his phone the approver's name."""
    await house.approver("Ada")
    await house.phone(await house.person("Bob"), "Adas phone")


async def no_push(house: Household) -> None:
    """An app that takes no pushes."""
    await house.phone(await house.approver("Ada"), on=False, push_websocket_channel=False)


async def notify_not_ready(house: Household) -> None:
    """Home Assistant is still starting: the phone is there, its notify action is not."""
    await house.approver_with_phone("Ada")
    house.hass.data["mobile_app"].pop("notify")


@pytest.mark.parametrize(
    "situation",
    [
        pytest.param(no_approver, id="no approver"),
        pytest.param(no_phone, id="no phone"),
        pytest.param(phone_off, id="phone off"),
        pytest.param(phone_switched_off, id="phone switched off"),
        pytest.param(phone_removed, id="phone removed"),
        pytest.param(phone_unloaded, id="phone unloaded"),
        pytest.param(phone_of_another, id="a phone of the same name"),
        pytest.param(no_push, id="no push"),
        pytest.param(notify_not_ready, id="notify not ready"),
    ],
)
async def test_nobody_reachable(house: Household, agent: AgentAccess, situation: Any) -> None:
    """Where nobody can be reached it is refused at once and says so, and nothing waits (R10)."""
    await situation(house)
    answer = await house.doors.ask(agent.token, "execute", OPEN_GARAGE)
    assert (answer["outcome"], answer["code"], answer["gate"]) == ("blocked", "NO_APPROVER", "execution")
    assert answer["message"].endswith("nobody can be reached now.")
    assert await house.notifications() == []
    assert house.is_closed()


async def test_cloud_push(house: Household, agent: AgentAccess, aioclient_mock: AiohttpClientMocker) -> None:
    """A phone with a push address is reachable without an open channel; its tap counts and it is cleared."""
    aioclient_mock.post(PUSH, json={}, status=201)
    ada = await house.phone(await house.approver("Ada"), on=False, **CLOUD)
    answer = await house.ask(agent.token)
    await house.hass.async_block_till_done()
    question = aioclient_mock.mock_calls[0][2]
    await ada.tap(question, YES)
    assert await house.ended(answer) == ("confirmed", "DONE")
    await house.hass.async_block_till_done()
    assert aioclient_mock.mock_calls[1][2]["message"] == "clear_notification"
    assert aioclient_mock.mock_calls[1][2]["data"] == {"tag": question["data"]["tag"]}


async def test_push_server_refuses(house: Household, agent: AgentAccess, aioclient_mock: AiohttpClientMocker) -> None:
    """Sent is not seen: where the push server takes nothing, the next approver is asked in his time."""
    aioclient_mock.post(PUSH, json={"errorMessage": "no"}, status=500)
    await house.phone(await house.approver("Ada", 1), on=False, **CLOUD)
    ben = await house.approver_with_phone("Ben", 2)
    answer = await house.ask(agent.token)
    await house.hass.async_block_till_done()
    await house.later(31)
    await ben.tap(await ben.question(), YES)
    assert await house.ended(answer) == ("confirmed", "DONE")


async def test_phones_of_the_same_name(house: Household, agent: AgentAccess) -> None:
    """Home Assistant has one notify action for phones of one name: who took the name gets no question, nor does Ada."""
    ada = await house.phone(await house.approver("Ada"), "Phone")
    bob = await house.phone(await house.person("Bob"), "Phone")
    answer = await house.doors.ask(agent.token, "execute", OPEN_GARAGE)
    assert (answer["outcome"], answer["code"]) == ("blocked", "NO_APPROVER")
    assert [await ada.everything(), await bob.everything()] == [[], []]


async def test_phone_off_at_the_end(
    house: Household, agent: AgentAccess, olga: Person, caplog: pytest.LogCaptureFixture
) -> None:
    """A phone that is off when it should be cleared stops nothing, and its address stays out of the log (R12)."""
    ada, ben = await house.approver_with_phone("Ada", 1), await house.approver_with_phone("Ben", 2)
    answer = await house.ask(agent.token)
    await ada.question()
    await house.later(31)
    question = await ben.question()
    await ada.switch_off()
    await ben.tap(question, YES)
    assert await house.ended(answer) == ("confirmed", "DONE")
    assert await ben.cleared() == question["data"]["tag"]
    assert ada.webhook_id not in edgehome_log(caplog)


async def test_phone_unloaded_while_asked(house: Household, agent: AgentAccess) -> None:
    """A phone that is disabled while it shows a question cannot be cleared, and its question ends all the same."""
    await house.approver_with_phone("Ada")
    answer = await house.ask(agent.token)
    await house.hass.async_block_till_done()
    await house.phones[0].everything()
    (entry,) = house.hass.config_entries.async_entries("mobile_app")
    await house.hass.config_entries.async_unload(entry.entry_id)
    await house.doors.ask(agent.token, "cancel", {"trace_id": answer["trace_id"]})
    assert await house.ended(answer) == ("cancelled", "CANCELLED")
