"""Which phones are trusted to show a question: a push address that changed its host is looked at by the owner first (R9)."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from pytest_homeassistant_custom_component.test_util.aiohttp import AiohttpClientMocker

from custom_components.edgehome.const import DOMAIN
from tests.confirmation.household import OPEN_GARAGE, YES, Household, Phone
from tests.real_home import AgentAccess

PUSH = "https://push.example.com/send"
CLOUD = {"push_url": PUSH, "push_token": "a-push-token"}


@pytest.fixture
async def ada(house: Household, agent: AgentAccess, aioclient_mock: AiohttpClientMocker) -> Phone:
    """A phone with a push address that was asked once, so that its host is known."""
    aioclient_mock.post(PUSH, json={}, status=201)
    aioclient_mock.post("https://push.example.com/v2", json={}, status=201)
    aioclient_mock.post("https://evil.example/read", json={}, status=201)
    ada = await house.phone(await house.approver("Ada"), on=False, **CLOUD)
    answer = await house.ask(agent.token)
    await house.doors.ask(agent.token, "cancel", {"trace_id": answer["trace_id"]})
    assert await house.ended(answer) == ("cancelled", "CANCELLED")
    await house.hass.async_block_till_done()
    aioclient_mock.mock_calls.clear()
    house.entry.runtime_data.questions._fatigue._rests.clear()
    return ada


async def point(phone: Phone, push_url: str | None) -> None:
    """Who knows the webhook changes the phone's registration: it asks for no token."""
    client = await phone.doors.rest_client(phone.person.token)
    app_data = {"push_url": push_url, "push_token": "another"} if push_url else {"push_websocket_channel": True}
    data = {
        "app_version": "1.1", "device_name": "Adas phone", "manufacturer": "Test", "model": "One", "os_version": "1",
        "app_data": app_data,
    }  # fmt: skip
    body = {"type": "update_registration", "data": data}
    response = await client.post(f"/api/webhook/{phone.webhook_id}", json=body, headers={"Authorization": ""})
    assert response.status == 200
    await phone.hass.async_block_till_done()


def issues(hass: HomeAssistant) -> list[dict[str, Any]]:
    """What the owner reads under repairs about phones."""
    found = ir.async_get(hass).issues.values()
    return [dict(item.translation_placeholders or {}) for item in found if item.translation_key == "phone_changed"]


@pytest.mark.parametrize(
    ("push_url", "hosts"),
    [
        pytest.param(PUSH, ["push.example.com"], id="the same address"),
        pytest.param("https://push.example.com/v2", ["push.example.com"], id="the same host"),
    ],
)
async def test_same_host(
    house: Household,
    agent: AgentAccess,
    ada: Phone,
    aioclient_mock: AiohttpClientMocker,
    push_url: str,
    hosts: list[str],
) -> None:
    """A phone whose pushes go to the same host is asked as before."""
    await point(ada, push_url)
    await house.ask(agent.token)
    await house.hass.async_block_till_done()
    assert [str(call[1].host) for call in aioclient_mock.mock_calls] == hosts
    assert issues(house.hass) == []


async def test_another_host(
    house: Household, agent: AgentAccess, ada: Phone, aioclient_mock: AiohttpClientMocker
) -> None:
    """A phone whose pushes would go elsewhere is not asked; the owner is told which phone and where."""
    await point(ada, "https://evil.example/read")
    answer = await house.doors.ask(agent.token, "execute", OPEN_GARAGE)
    assert (answer["outcome"], answer["code"]) == ("blocked", "NO_APPROVER")
    assert aioclient_mock.mock_calls == []
    assert issues(house.hass) == [{"phone": "Adas phone", "host": "evil.example"}]


async def test_remembered(
    house: Household, agent: AgentAccess, ada: Phone, aioclient_mock: AiohttpClientMocker
) -> None:
    """What was known stays known over a restart."""
    await house.later(2)
    await house.hass.config_entries.async_unload(house.entry.entry_id)
    await point(ada, "https://evil.example/read")
    assert await house.hass.config_entries.async_setup(house.entry.entry_id)
    answer = await house.doors.ask(agent.token, "execute", OPEN_GARAGE)
    assert (answer["outcome"], answer["code"]) == ("blocked", "NO_APPROVER")
    assert aioclient_mock.mock_calls == []


async def test_changed_while_asked(
    house: Household, agent: AgentAccess, ada: Phone, aioclient_mock: AiohttpClientMocker
) -> None:
    """To an address that came while a question is open goes no question, at most that one is over."""
    answer = await house.ask(agent.token)
    await house.hass.async_block_till_done()
    aioclient_mock.mock_calls.clear()
    await point(ada, "https://evil.example/read")
    await house.doors.ask(agent.token, "cancel", {"trace_id": answer["trace_id"]})
    assert await house.ended(answer) == ("cancelled", "CANCELLED")
    await house.hass.async_block_till_done()
    assert {call[2]["message"] for call in aioclient_mock.mock_calls} <= {"clear_notification"}


async def trust(house: Household, ada: Phone) -> None:
    """The owner saves the approver's form."""
    flows = house.hass.config_entries.subentries
    context: Any = {"source": "reconfigure", "subentry_id": ada.person.subentry_id}
    form = await flows.async_init((house.entry.entry_id, "approver"), context=context)
    await flows.async_configure(form["flow_id"], {"max_risk": 5, "areas": [], "order": 1, "page_suffices": False})
    await house.hass.async_block_till_done()


async def test_trusted_again(
    house: Household, agent: AgentAccess, ada: Phone, aioclient_mock: AiohttpClientMocker
) -> None:
    """When the owner has saved the approver's form the new address is right, and the repair is gone."""
    await point(ada, "https://evil.example/read")
    assert (await house.doors.ask(agent.token, "execute", OPEN_GARAGE))["code"] == "NO_APPROVER"
    await trust(house, ada)
    assert issues(house.hass) == []
    answer = await house.ask(agent.token)
    await house.hass.async_block_till_done()
    assert [str(call[1].host) for call in aioclient_mock.mock_calls] == ["evil.example"]
    await ada.tap(aioclient_mock.mock_calls[0][2], YES)
    assert await house.ended(answer) == ("confirmed", "DONE")


async def test_back_again(house: Household, agent: AgentAccess, ada: Phone) -> None:
    """A phone that has its old address again is asked again, and the repair is gone."""
    await point(ada, "https://evil.example/read")
    assert (await house.doors.ask(agent.token, "execute", OPEN_GARAGE))["code"] == "NO_APPROVER"
    await point(ada, PUSH)
    await house.ask(agent.token)
    assert issues(house.hass) == []


async def test_local_phone_that_gets_an_address(
    house: Household, agent: AgentAccess, ada: Phone, aioclient_mock: AiohttpClientMocker
) -> None:
    """A phone that had none and gets one is looked at too: the question would leave the house."""
    ben = await house.approver_with_phone("Ben", 2)
    await ada.hass.auth.async_remove_user(ada.person.user)
    await ada.hass.async_block_till_done()
    answer = await house.ask(agent.token)
    await ben.tap(await ben.question(), YES)
    assert await house.ended(answer) == ("confirmed", "DONE")
    await house.hass.services.async_call("cover", "close_cover", {"entity_id": "cover.garage_door"}, blocking=True)
    await ben.switch_off()
    await point(ben, "https://evil.example/read")
    answer = await house.doors.ask(agent.token, "execute", OPEN_GARAGE)
    assert (answer["outcome"], answer["code"]) == ("blocked", "NO_APPROVER")


async def test_forgotten_with_edgehome(house: Household, ada: Phone, hass_storage: dict[str, Any]) -> None:
    """What is remembered goes when EdgeHome is removed; there are hosts in it, no addresses and no tokens (R12)."""
    await house.later(2)
    stored = hass_storage[f"{DOMAIN}.phones"]["data"]
    assert list(stored["hosts"].values()) == ["push.example.com"]
    assert "a-push-token" not in str(stored)
    await house.hass.config_entries.async_remove(house.entry.entry_id)
    await house.hass.async_block_till_done()
    assert f"{DOMAIN}.phones" not in hass_storage
