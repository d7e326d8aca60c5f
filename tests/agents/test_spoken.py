"""Who is behind a conversation whose model was given an agent's tools (R3)."""

import logging
from dataclasses import dataclass, field

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_READ_ONLY, GROUP_ID_USER
from homeassistant.auth.models import TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN, TOKEN_TYPE_NORMAL
from homeassistant.components.websocket_api.connection import ActiveConnection, current_connection
from homeassistant.components.websocket_api.http import WebSocketAdapter
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.agents.identity import AUTOMATION
from custom_components.edgehome.agents.spoken import async_spoken_principal
from custom_components.edgehome.models import Principal, PrincipalKind
from tests.real_home import OWN_URL, AgentAccess, Doors, add_agent, add_user, add_voice_device, token_of

_ADAPTER = WebSocketAdapter(logging.getLogger(__name__), {"connid": 1})
FRONTEND = f"{OWN_URL}/"
DOORS = pytest.mark.parametrize("door", [pytest.param("rest", id="REST"), pytest.param("websocket", id="websocket")])


@dataclass
class Conversation:
    """Notes who is behind what is said to the agent, over a real connection."""

    hass: HomeAssistant
    entry: MockConfigEntry
    agent_id: str
    device_id: str | None = None
    contexts: list[Context | None] = field(default_factory=list)
    heard: list[Principal] = field(default_factory=list)

    async def hear(self, call: ServiceCall) -> None:
        """Notes the principal."""
        context = (*self.contexts, call.context)[0]
        self.heard.append(await self.principal(context))

    async def principal(self, context: Context | None) -> Principal:
        """The principal of a conversation in this context."""
        agents = self.entry.runtime_data.agents
        return await async_spoken_principal(self.hass, agents, self.agent_id, context, self.device_id)


@pytest.fixture
def kitchen(hass: HomeAssistant, entry: MockConfigEntry) -> str:
    """A voice device in the kitchen."""
    return add_voice_device(hass, entry, "Kitchen")


@pytest.fixture
async def talk(hass: HomeAssistant, entry: MockConfigEntry, agent: AgentAccess, kitchen: str) -> Conversation:
    """A conversation with the agent, at the voice device in the kitchen."""
    hass.config.internal_url = OWN_URL
    talk = Conversation(hass, entry, agent.id, kitchen)
    hass.services.async_register("edgehome", "hear", talk.hear)
    return talk


@DOORS
@pytest.mark.parametrize(
    ("group", "client_id"),
    [
        pytest.param(GROUP_ID_ADMIN, FRONTEND, id="the owner in the frontend"),
        pytest.param(GROUP_ID_USER, FRONTEND, id="somebody else in the frontend"),
        pytest.param(GROUP_ID_USER, "https://home-assistant.io/android", id="somebody on the phone"),
    ],
)
async def test_a_person_speaks(
    hass: HomeAssistant, talk: Conversation, doors: Doors, door: str, group: str, client_id: str
) -> None:
    """Whoever is logged in is the speaker: never the owner, whose rights a model must not have."""
    user = await add_user(hass, "Anna", group)
    await getattr(doors, door)(await token_of(hass, user, client_id), "hear", {}, wanted=False)
    assert talk.heard == [
        Principal(
            kind=PrincipalKind.AGENT,
            id=talk.agent_id,
            name="Hermes",
            speaker=user.id,
            speaker_name="Anna",
            area_id="kitchen",
            area_name="Kitchen",
        )
    ]


@DOORS
@pytest.mark.parametrize(
    ("group", "token_type", "client_id", "kind"),
    [
        pytest.param(
            GROUP_ID_ADMIN,
            TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN,
            None,
            PrincipalKind.UNREGISTERED,
            id="an administrator's long-lived token",
        ),
        pytest.param(
            GROUP_ID_USER,
            TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN,
            None,
            PrincipalKind.UNREGISTERED,
            id="anybody's long-lived token",
        ),
        pytest.param(
            GROUP_ID_ADMIN,
            TOKEN_TYPE_NORMAL,
            "https://model.example/",
            PrincipalKind.FOREIGN_FRONTEND,
            id="an MCP client that logged in as the owner",
        ),
        pytest.param(
            GROUP_ID_USER,
            TOKEN_TYPE_NORMAL,
            "https://model.example/",
            PrincipalKind.UNREGISTERED,
            id="an MCP client that logged in as somebody",
        ),
    ],
)
async def test_a_machine_is_no_speaker(
    hass: HomeAssistant,
    talk: Conversation,
    doors: Doors,
    door: str,
    group: str,
    token_type: str,
    client_id: str | None,
    kind: PrincipalKind,
) -> None:
    """A token that was made for a machine does not borrow the agent's name."""
    user = await add_user(hass, "Anna", group)
    await getattr(doors, door)(await token_of(hass, user, client_id, token_type), "hear", {}, wanted=False)
    (heard,) = talk.heard
    assert (heard.kind, heard.id) == (kind, f"unregistered:{user.id}")
    assert (heard.speaker, heard.area_id) == (None, None)


@DOORS
async def test_another_agent_stays_itself(hass: HomeAssistant, talk: Conversation, doors: Doors, door: str) -> None:
    """An agent that talks to a model with another's tools is judged as itself, wherever it says that it stands."""
    zeus = await add_agent(hass, talk.entry, "Zeus")
    await getattr(doors, door)(zeus.token, "hear", {}, wanted=False)
    assert talk.heard == [Principal(kind=PrincipalKind.AGENT, id=zeus.id, name="Zeus")]


@DOORS
async def test_a_borrowed_context(hass: HomeAssistant, talk: Conversation, doors: Doors, door: str) -> None:
    """A context that names somebody else than the connection's user makes nobody a speaker."""
    anna, bert = await add_user(hass, "Anna", GROUP_ID_USER), await add_user(hass, "Bert", GROUP_ID_USER)
    talk.contexts.append(Context(user_id=anna.id))
    await getattr(doors, door)(await token_of(hass, bert, FRONTEND), "hear", {}, wanted=False)
    assert talk.heard[0].kind is PrincipalKind.UNREGISTERED


@pytest.mark.parametrize("context", [pytest.param(None, id="none"), pytest.param(Context(), id="of nobody")])
async def test_a_voice_device(talk: Conversation, context: Context | None) -> None:
    """Where nobody is logged in, the agent is told where it is spoken to, and no speaker."""
    heard = await talk.principal(context)
    assert (heard.kind, heard.id, heard.speaker, heard.area_id) == (
        PrincipalKind.AGENT,
        talk.agent_id,
        None,
        "kitchen",
    )


async def test_a_user_without_a_connection(hass: HomeAssistant, talk: Conversation) -> None:
    """Something that runs in a user's name, and not over his connection, is nobody's speech."""
    user = await add_user(hass, "Anna", GROUP_ID_USER)
    assert (await talk.principal(Context(user_id=user.id))).kind is PrincipalKind.UNREGISTERED


@pytest.mark.parametrize(
    "device",
    [
        pytest.param(None, id="none is told"),
        pytest.param("nowhere", id="one that is not there"),
        pytest.param("lamp", id="a lamp"),
    ],
)
async def test_no_ear(hass: HomeAssistant, talk: Conversation, doors: Doors, kitchen: str, device: str | None) -> None:
    """What is no voice device is nowhere, whatever is told; where nobody speaks it is an automation's call."""
    if device == "lamp":
        made = dr.async_get(hass).async_get_or_create(config_entry_id=talk.entry.entry_id, identifiers={("x", "lamp")})
        dr.async_get(hass).async_update_device(made.id, area_id="kitchen")
        device = made.id
    talk.device_id = device
    assert await talk.principal(None) == AUTOMATION
    user = await add_user(hass, "Anna", GROUP_ID_USER)
    await doors.rest(await token_of(hass, user, FRONTEND), "hear", {}, wanted=False)
    assert (talk.heard[0].speaker, talk.heard[0].area_id) == (user.id, None)


async def test_a_satellite_elsewhere(hass: HomeAssistant, talk: Conversation, kitchen: str) -> None:
    """The room of the satellite's own entity counts before its device's, as in Home Assistant's own agent."""
    hall = ar.async_get(hass).async_get_or_create("Hall")
    entities = er.async_get(hass)
    (voice,) = er.async_entries_for_device(entities, kitchen)
    assert (await talk.principal(None)).area_id == "kitchen"
    entities.async_update_entity(voice.entity_id, name="Ear", area_id=hall.id)
    assert (await talk.principal(None)).area_id == hall.id


async def test_a_device_without_a_room(hass: HomeAssistant, talk: Conversation, kitchen: str) -> None:
    """A voice device that is in no room is nowhere."""
    dr.async_get(hass).async_update_device(kitchen, area_id=None)
    assert ((await talk.principal(None)).area_id, (await talk.principal(None)).area_name) == (None, "")


@DOORS
@pytest.mark.parametrize("at_an_ear", [True, False])
async def test_who_wants_it_later(
    hass: HomeAssistant, talk: Conversation, doors: Doors, door: str, at_an_ear: bool
) -> None:
    """Home Assistant 2026.10 drops the user of "in a minute, …"; whoever is no person stays who he is all the same."""
    talk.contexts.append(Context())
    talk.device_id = talk.device_id if at_an_ear else None
    zeus = await add_agent(hass, talk.entry, "Zeus")
    anna = await add_user(hass, "Anna", GROUP_ID_USER)
    guest = await add_user(hass, "Guest", GROUP_ID_READ_ONLY)
    machine = await token_of(hass, anna, None, TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN)
    person, onlooker = await token_of(hass, anna, FRONTEND), await token_of(hass, guest, FRONTEND)
    for token in (zeus.token, machine, onlooker, person):
        await getattr(doors, door)(token, "hear", {}, wanted=False)
    nobody = (PrincipalKind.AGENT, talk.agent_id) if at_an_ear else (PrincipalKind.AUTOMATION, "automation")
    assert [(one.kind, one.id) for one in talk.heard] == [
        (PrincipalKind.AGENT, zeus.id),
        (PrincipalKind.UNREGISTERED, f"unregistered:{anna.id}"),
        (PrincipalKind.UNREGISTERED, f"unregistered:{guest.id}"),
        nobody,
    ]
    # It may be a voice device that she set up, or an automation that she started.
    assert talk.heard[-1].speaker is None


@DOORS
async def test_a_guest_who_may_only_look(hass: HomeAssistant, talk: Conversation, doors: Doors, door: str) -> None:
    """Who may not control the home himself gets nobody to do it for him."""
    guest = await add_user(hass, "Guest", GROUP_ID_READ_ONLY)
    await getattr(doors, door)(await token_of(hass, guest, FRONTEND), "hear", {}, wanted=False)
    assert talk.heard[0].kind is PrincipalKind.UNREGISTERED


@pytest.mark.parametrize("at_an_ear", [True, False])
@pytest.mark.parametrize("is_its_own", [True, False])
@pytest.mark.parametrize("over_a_connection", [True, False])
async def test_an_integration_that_listens(
    hass: HomeAssistant, talk: Conversation, doors: Doors, at_an_ear: bool, is_its_own: bool, over_a_connection: bool
) -> None:
    """Some voice devices speak in the name of their integration's own user: nobody speaks there.

    No other user of the system's may say so, such as the Supervisor's, whoever set the device up.
    """
    voip = await hass.auth.async_create_system_user("Voice over IP")
    entry = MockConfigEntry(domain="voip", data={"user": voip.id if is_its_own else "somebody"})
    entry.add_to_hass(hass)
    talk.device_id = add_voice_device(hass, entry, "Hall") if at_an_ear else None
    context = Context(user_id=voip.id)
    if over_a_connection:
        talk.contexts.append(context)
        anna = await add_user(hass, "Anna", GROUP_ID_USER)
        await doors.rest(await token_of(hass, anna, FRONTEND), "hear", {}, wanted=False)
        (heard,) = talk.heard
    else:
        heard = await talk.principal(context)
    is_ear = at_an_ear and is_its_own
    assert heard.kind is (PrincipalKind.AGENT if is_ear else PrincipalKind.UNREGISTERED)
    assert heard.speaker is None


@pytest.mark.parametrize("context", [Context(), None], ids=["nobody", "none"])
async def test_what_the_supervisor_sends(hass: HomeAssistant, talk: Conversation, context: Context | None) -> None:
    """A request with a user and without a token is that user's, also where the context has lost him."""
    supervisor = await hass.auth.async_create_system_user("Supervisor")
    connection = ActiveConnection(_ADAPTER, hass, lambda _: None, supervisor, None, None)
    token = current_connection.set(connection)
    try:
        heard = await talk.principal(context)
    finally:
        current_connection.reset(token)
    assert (heard.kind, heard.id) == (PrincipalKind.UNREGISTERED, f"unregistered:{supervisor.id}")


@pytest.mark.parametrize("at_an_ear", [True, False])
async def test_a_token_that_was_revoked(hass: HomeAssistant, talk: Conversation, at_an_ear: bool) -> None:
    """An agent whose token is gone by the time that something is carried out stays itself."""
    zeus = await add_agent(hass, talk.entry, "Zeus")
    user = await hass.auth.async_get_user(zeus.user_id)
    assert user is not None
    (refresh,) = user.refresh_tokens.values()
    connection = ActiveConnection(_ADAPTER, hass, lambda _: None, user, refresh, None)
    hass.auth.async_remove_refresh_token(refresh)
    talk.device_id = talk.device_id if at_an_ear else None
    token = current_connection.set(connection)
    try:
        heard = [await talk.principal(context) for context in (Context(user_id=user.id), Context())]
    finally:
        current_connection.reset(token)
    assert [one.id for one in heard] == [zeus.id, zeus.id]


async def test_an_agent_that_is_gone(talk: Conversation) -> None:
    """A conversation may outlive its agent: the chain then finds no such agent."""
    talk.agent_id = "gone"
    assert (await talk.principal(None)).id == "gone"
