"""Home Assistant's own notification: tells everybody that something waits, and gives nobody a way to answer (R12)."""

import json

import pytest
from homeassistant.core import HomeAssistant

from tests.confirmation.household import OPEN_GARAGE, YES, Household
from tests.real_home import AgentAccess, proposing


async def test_shown(house: Household, agent: AgentAccess) -> None:
    """What the phone says, without buttons; everybody can read it."""
    ada = await house.approver_with_phone("Ada")
    answer = await house.ask(agent.token, reason="The car is at the gate.")
    question = await ada.question()
    (shown,) = await house.notifications()
    assert shown.pop("created_at")
    assert shown.keys() == {"notification_id", "title", "message"}
    assert (shown["title"], shown["message"]) == (question["title"], question["message"])
    assert shown["notification_id"] == f"edgehome_{answer['trace_id']}"


async def test_without_secrets(house: Household, agent: AgentAccess) -> None:
    """No nonce, no tag, no address of a phone: it is read by every user and every agent (R12)."""
    ada = await house.approver_with_phone("Ada")
    await house.ask(agent.token)
    question = await ada.question()
    text = json.dumps(await house.notifications())
    secrets = [button["action"].removeprefix("EDGEHOME_") for button in question["data"]["actions"]]
    secrets += [question["data"]["tag"], ada.webhook_id, ada.person.token, agent.token]
    assert [secret for secret in secrets if secret in text] == []


async def test_one_for_each_question(house: Household, agent: AgentAccess) -> None:
    """Two questions are two notifications; the end of one takes only its own away."""
    ada = await house.approver_with_phone("Ada")
    garage = await house.ask(agent.token)
    first = await ada.question()
    window = await house.ask(agent.token, proposing("open", "Kitchen Window"))
    await ada.question()
    assert len(await house.notifications()) == 2
    await ada.tap(first, YES)
    assert await house.ended(garage) == ("confirmed", "DONE")
    ids = [shown["notification_id"] for shown in await house.notifications()]
    assert ids == [f"edgehome_{window['trace_id']}"]


async def test_one_for_equal_requests(house: Household, agent: AgentAccess) -> None:
    """A request that joins another shows no second notification."""
    await house.approver_with_phone("Ada")
    await house.ask(agent.token)
    await house.ask(agent.token)
    assert len(await house.notifications()) == 1


async def test_dismissed(hass: HomeAssistant, house: Household, agent: AgentAccess) -> None:
    """Everybody may dismiss it: that is no answer, the question stands, and its end is no error."""
    ada = await house.approver_with_phone("Ada")
    answer = await house.ask(agent.token)
    await hass.services.async_call("persistent_notification", "dismiss_all", blocking=True)
    assert await house.waits(answer)
    await ada.tap(await ada.question(), YES)
    assert await house.ended(answer) == ("confirmed", "DONE")


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(OPEN_GARAGE | {"dry_run": True}, id="a preview"),
        pytest.param(proposing("unlock", "Front Door"), id="what is denied"),
        pytest.param(proposing("turn_off", "Kitchen Lights"), id="what is allowed"),
    ],
)
async def test_not_shown(house: Household, agent: AgentAccess, payload: dict[str, object]) -> None:
    """Where nobody is asked nothing is shown."""
    ada = await house.approver_with_phone("Ada")
    await house.doors.ask(agent.token, "execute", payload)
    assert await house.notifications() == []
    assert await ada.everything() == []


async def test_agents_words_are_plain(house: Household, agent: AgentAccess) -> None:
    """The notification is Markdown: the agent's words become no link, no image, no heading (R14)."""
    await house.approver_with_phone("Ada")
    reason = "# Click ![x](y) [here](z) <b>now</b> `code` **or** _else_ | a"
    await house.ask(agent.token, reason=reason)
    (shown,) = await house.notifications()
    line = shown["message"].split("\n")[2]
    assert line == "Its reason, unchecked: “Click ! x y here z b now /b code or else a”"
