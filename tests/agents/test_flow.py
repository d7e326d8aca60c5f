"""The forms of an agent, from the first question to a token that works, and back."""

import json
import shlex
from datetime import timedelta
from typing import Any

import pytest
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.agents.credentials import USER_PREFIX
from tests.real_home import AgentAccess, Doors, add_agent, proposing

FORM = {
    "name": "Hermes",
    "days": 30,
    "local_only": True,
    "max_risk": 3,
    "areas": ["kitchen"],
    "requests_per_minute": 60,
    "pending_at_once": 2,
    "degrees_per_hour": 4,
}


async def start(hass: HomeAssistant, entry: MockConfigEntry, **context: str) -> Any:
    """Opens the form: a new agent's, or the one of ``subentry_id``."""
    context = {"source": "user", **context}
    return await hass.config_entries.subentries.async_init((entry.entry_id, "agent"), context=context)  # type: ignore[arg-type]  # a plain context


async def reconfigure(hass: HomeAssistant, entry: MockConfigEntry, agent: AgentAccess, choice: str) -> Any:
    """Opens one of the forms of an agent that there is."""
    menu = await start(hass, entry, source="reconfigure", subentry_id=agent.id)
    assert menu["type"] is FlowResultType.MENU
    assert menu["menu_options"] == ["limits", "renew", "revoke"]
    return await answer(hass, menu, {"next_step_id": choice})


async def answer(hass: HomeAssistant, shown: Any, user_input: dict[str, object]) -> Any:
    """Fills a form in."""
    result = await hass.config_entries.subentries.async_configure(shown["flow_id"], user_input)
    await hass.async_block_till_done()
    return result


async def agent_users(hass: HomeAssistant) -> list[str]:
    """The users that EdgeHome made, by the names of their agents."""
    names = [user.name or "" for user in await hass.auth.async_get_users()]
    return sorted(name.removeprefix(USER_PREFIX) for name in names if name.startswith(USER_PREFIX))


def only(entry: MockConfigEntry) -> ConfigSubentry:
    """The one agent that there is."""
    (subentry,) = entry.subentries.values()
    return subentry


async def test_add(hass: HomeAssistant, home: MockConfigEntry, doors: Doors) -> None:
    """A new agent's token is shown once, works for EdgeHome, and the agent has the limits of the form."""
    form = await start(hass, home)
    assert (form["type"], form["step_id"], form["errors"]) == (FlowResultType.FORM, "user", {})
    shown = await answer(hass, form, {**FORM, "name": "  Hermes "})
    assert (shown["type"], shown["step_id"]) == (FlowResultType.FORM, "token")
    assert not home.subentries
    made = await answer(hass, shown, {})
    assert (made["type"], made["title"]) == (FlowResultType.CREATE_ENTRY, "Hermes")
    data = dict(only(home).data)
    expires_at = dt_util.parse_datetime(data.pop("expires_at"), raise_on_error=True)
    assert timedelta(days=29, hours=23) < expires_at - dt_util.utcnow() <= timedelta(days=30)
    user = await hass.auth.async_get_user(data.pop("user_id"))
    assert user is not None
    assert (user.name, user.local_only) == ("EdgeHome agent: Hermes", True)
    assert data == {
        "enabled": True,
        "local_only": True,
        "max_risk": 3,
        "areas": ["kitchen"],
        "requests_per_minute": 60,
        "pending_at_once": 2,
        "degrees_per_hour": 4,
    }
    token = shown["description_placeholders"]["token"]
    assert token not in str(home.as_dict())
    answered = await doors.ask(token, "execute", proposing("turn_off", "Kitchen Lights"))
    assert (answered["outcome"], answered["code"]) == ("executed", "DONE")


KITCHEN = {"entity_id": "light.kitchen_lights"}


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        pytest.param("post", "/api/services/light/turn_off", KITCHEN, 401, id="no other action"),
        pytest.param("post", "/api/services/homeassistant/turn_off", KITCHEN, 401, id="no general action"),
        pytest.param(
            "post",
            "/api/services/switch/turn_on",
            {"entity_id": "switch.edgehome_lockdown"},
            401,
            id="not even EdgeHome's own switch",
        ),
        pytest.param("post", "/api/states/light.kitchen_lights", {"state": "off"}, 401, id="sets no state"),
        pytest.param("get", "/api/states/light.kitchen_lights", {}, 401, id="reads no state"),
        pytest.param("post", "/api/events/edgehome", {}, 401, id="fires no event"),
        pytest.param("post", "/api/template", {"template": "{{ states }}"}, 401, id="renders no template"),
    ],
)
async def test_token_opens_only_edgehome(
    hass: HomeAssistant,
    home: MockConfigEntry,
    doors: Doors,
    method: str,
    path: str,
    body: dict[str, object],
    status: int,
) -> None:
    """The token that the form shows is good for nothing but EdgeHome's door."""
    shown = await answer(hass, await start(hass, home), FORM)
    await answer(hass, shown, {})
    client = await doors.rest_client(shown["description_placeholders"]["token"])
    response = await client.request(method, path, json=body)
    assert response.status == status
    assert hass.states.is_state("light.kitchen_lights", "on")
    assert hass.states.is_state("switch.edgehome_lockdown", "off")


async def test_curl_line(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """The line to paste asks for the first device that this agent may name, at this instance's address."""
    hass.config.internal_url, hass.config.external_url = "http://ha.example:8123", "https://home.example"
    shown = await answer(hass, await start(hass, home), FORM)
    words = shlex.split(shown["description_placeholders"]["curl"])
    assert words[0] == "curl"
    assert f"Authorization: Bearer {shown['description_placeholders']['token']}" in words
    candidate = json.loads(words[words.index("-d") + 1])
    assert candidate == {"model_candidate": {"intent": "status", "device_alias": "cover.kitchen_window"}}
    assert words[-1] == "http://ha.example:8123/api/services/edgehome/execute?return_response"


@pytest.mark.parametrize(
    ("urls", "local_only", "base"),
    [
        pytest.param(("http://ha.example:8123", "https://home.example"), True, "http://ha.example:8123", id="local"),
        pytest.param(("http://ha.example:8123", "https://home.example"), False, "https://home.example", id="anywhere"),
        pytest.param(("http://ha.example:8123", None), False, "http://ha.example:8123", id="no external address"),
        pytest.param((None, None), True, "http://homeassistant.local:8123", id="no address at all"),
    ],
)
async def test_address(
    hass: HomeAssistant, home: MockConfigEntry, urls: tuple[str | None, str | None], local_only: bool, base: str
) -> None:
    """The address fits where the agent may call from, for a new agent and for a renewed one."""
    hass.config.internal_url, hass.config.external_url = urls
    hass.config.api = None
    shown = await answer(hass, await start(hass, home), {**FORM, "areas": [], "local_only": local_only})
    assert f" {base}/api/services" in shown["description_placeholders"]["curl"].replace("'", "")
    await answer(hass, shown, {})
    agent = AgentAccess(id=only(home).subentry_id, user_id="", token="")
    renewed = await answer(hass, await reconfigure(hass, home, agent, "renew"), {"days": 5})
    assert f" {base}/api/services" in renewed["description_placeholders"]["curl"].replace("'", "")


async def test_nothing_to_name(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """In a house without exposed devices the line still shows what a request looks like."""
    shown = await answer(hass, await start(hass, entry), {**FORM, "areas": []})
    assert "sun.sun" in shown["description_placeholders"]["curl"]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        pytest.param("", "name_blank", id="empty"),
        pytest.param("   ", "name_blank", id="blanks"),
        pytest.param("Apollo", "name_taken", id="taken"),
        pytest.param(" aPOLLO ", "name_taken", id="taken, written otherwise"),
    ],
)
async def test_name(hass: HomeAssistant, home: MockConfigEntry, name: str, error: str) -> None:
    """A blank or taken name is asked for again, nothing is made, and the other answers are kept."""
    await add_agent(hass, home, "Apollo")
    form = await answer(hass, await start(hass, home), {**FORM, "name": name})
    assert (form["type"], form["step_id"], form["errors"]) == (FlowResultType.FORM, "user", {"name": error})
    suggested = {str(key): key.description["suggested_value"] for key in form["data_schema"].schema}
    assert suggested == {**FORM, "name": name}
    assert await agent_users(hass) == ["Apollo"]
    shown = await answer(hass, form, FORM)
    assert shown["step_id"] == "token"


async def test_abandoned(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A form that is left while the token is shown takes its user back, and only that."""
    kept = await add_agent(hass, home, "Apollo")
    shown = await answer(hass, await start(hass, home), FORM)
    token = shown["description_placeholders"]["token"]
    assert await agent_users(hass) == ["Apollo", "Hermes"]
    hass.config_entries.subentries.async_abort(shown["flow_id"])
    await hass.async_block_till_done()
    assert await agent_users(hass) == ["Apollo"]
    assert hass.auth.async_validate_access_token(token) is None
    assert hass.auth.async_validate_access_token(kept.token) is not None


@pytest.mark.parametrize(
    "ending",
    [
        pytest.param("left", id="the other is left"),
        pytest.param("completed", id="the other is completed"),
        pytest.param("untouched", id="the other stays open while the options change"),
    ],
)
async def test_two_forms_at_once(hass: HomeAssistant, home: MockConfigEntry, ending: str) -> None:
    """What becomes of one form does not touch the token that another one is showing."""
    first = await answer(hass, await start(hass, home), FORM)
    other = await answer(hass, await start(hass, home), {**FORM, "name": "Apollo"})

    async def leave() -> None:
        hass.config_entries.subentries.async_abort(other["flow_id"])

    async def complete() -> None:
        await answer(hass, other, {})

    async def change() -> None:
        hass.config_entries.async_update_entry(home, options={**home.options, "automations": False})

    await {"left": leave, "completed": complete, "untouched": change}[ending]()
    await hass.async_block_till_done()
    assert hass.auth.async_validate_access_token(first["description_placeholders"]["token"]) is not None
    assert (await answer(hass, first, {}))["type"] is FlowResultType.CREATE_ENTRY


async def test_user_gone_before_the_end(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """An agent whose user somebody removed meanwhile is not added."""
    shown = await answer(hass, await start(hass, home), FORM)
    (user,) = [user for user in await hass.auth.async_get_users() if user.name == "EdgeHome agent: Hermes"]
    await hass.auth.async_remove_user(user)
    ended = await answer(hass, shown, {})
    assert (ended["type"], ended["reason"]) == (FlowResultType.ABORT, "user_gone")
    assert not home.subentries


async def test_limits(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """Changed limits are in force at once; everything else stays."""
    before = dict(only(home).data)
    form = await reconfigure(hass, home, agent, "limits")
    defaults = {str(key): key.default() for key in form["data_schema"].schema if key != "degrees_per_hour"}
    assert defaults == {
        "enabled": True, "max_risk": 5, "areas": [], "requests_per_minute": 6000, "pending_at_once": 3,
    }  # fmt: skip
    changes = {
        "enabled": False, "max_risk": 1, "areas": ["hall"], "requests_per_minute": 5, "pending_at_once": 1,
        "degrees_per_hour": 2,
    }  # fmt: skip
    ended = await answer(hass, form, changes)
    assert (ended["type"], ended["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    assert dict(only(home).data) == {**before, **changes}
    answered = await doors.ask(agent.token, "execute", proposing("status", "Hvac"))
    assert (answered["outcome"], answered["code"]) == ("blocked", "AGENT_DISABLED")


async def test_renew(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """The new token works, the old one is dead, the end of its days is the new one."""
    form = await reconfigure(hass, home, agent, "renew")
    assert (form["type"], form["step_id"]) == (FlowResultType.FORM, "renew")
    shown = await answer(hass, form, {"days": 5})
    assert (shown["type"], shown["step_id"]) == (FlowResultType.FORM, "renewed")
    expires_at = dt_util.parse_datetime(only(home).data["expires_at"], raise_on_error=True)
    assert timedelta(days=4, hours=23) < expires_at - dt_util.utcnow() <= timedelta(days=5)
    status, _ = await doors.rest(agent.token, "execute", proposing("status", "Hvac"))
    assert status == 401
    token = shown["description_placeholders"]["token"]
    assert (await doors.ask(token, "execute", proposing("status", "Hvac")))["outcome"] == "read"
    ended = await answer(hass, shown, {})
    assert (ended["type"], ended["reason"]) == (FlowResultType.ABORT, "renewed")
    assert (await doors.ask(token, "execute", proposing("status", "Hvac")))["outcome"] == "read"


async def test_renewed_and_left(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess) -> None:
    """A renewed token stays good when the last form is closed without a word."""
    shown = await answer(hass, await reconfigure(hass, home, agent, "renew"), {"days": 5})
    hass.config_entries.subentries.async_abort(shown["flow_id"])
    await hass.async_block_till_done()
    assert hass.auth.async_validate_access_token(shown["description_placeholders"]["token"]) is not None


async def test_renew_without_a_user(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess) -> None:
    """An agent whose user was removed cannot be renewed, and the form says so."""
    user = await hass.auth.async_get_user(agent.user_id)
    assert user is not None
    await hass.auth.async_remove_user(user)
    ended = await answer(hass, await reconfigure(hass, home, agent, "renew"), {"days": 5})
    assert (ended["type"], ended["reason"]) == (FlowResultType.ABORT, "user_gone")


async def test_renew_while_not_loaded(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess) -> None:
    """Also while EdgeHome is not loaded the new token is shown: the old one is gone already."""
    await hass.config_entries.async_unload(home.entry_id)
    shown = await answer(hass, await reconfigure(hass, home, agent, "renew"), {"days": 5})
    assert (shown["type"], shown["step_id"]) == (FlowResultType.FORM, "renewed")
    assert hass.auth.async_validate_access_token(shown["description_placeholders"]["token"]) is not None


async def test_revoke(hass: HomeAssistant, home: MockConfigEntry, agent: AgentAccess, doors: Doors) -> None:
    """A revoked agent's token is dead and the agent is paused; it stays listed, and renewing it ends the pause."""
    form = await reconfigure(hass, home, agent, "revoke")
    assert (form["type"], form["step_id"]) == (FlowResultType.FORM, "revoke")
    ended = await answer(hass, form, {})
    assert (ended["type"], ended["reason"]) == (FlowResultType.ABORT, "revoked")
    assert only(home).data["enabled"] is False
    status, _ = await doors.rest(agent.token, "execute", proposing("status", "Hvac"))
    assert status == 401
    shown = await answer(hass, await reconfigure(hass, home, agent, "renew"), {"days": 5})
    token = shown["description_placeholders"]["token"]
    assert only(home).data["enabled"] is True
    answered = await doors.ask(token, "execute", proposing("status", "Hvac"))
    assert answered["code"] == "STATUS"
    status, _ = await doors.rest(agent.token, "execute", proposing("status", "Hvac"))
    assert status == 401


async def test_forms_belong_to_edgehome(home: MockConfigEntry) -> None:
    """These are the kinds of subentries, and an agent can be changed."""
    assert set(home.supported_subentry_types) == {"agent", "approver", "entity", "operation"}
    assert home.supported_subentry_types["agent"] == {"supports_reconfigure": True}
