"""Who is behind a call, over the real REST and websocket doors (R3)."""

from dataclasses import dataclass, field
from unittest.mock import patch

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_READ_ONLY, GROUP_ID_USER
from homeassistant.auth.models import TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN, TOKEN_TYPE_NORMAL
from homeassistant.core import Context, HomeAssistant, ServiceCall
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.agents.identity import async_principal
from custom_components.edgehome.models import Principal, PrincipalKind
from tests.real_home import OWN_URL, Doors, add_agent, add_user, token_of

NORMAL, LONG_LIVED = TOKEN_TYPE_NORMAL, TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN
AGENT, OWNER, AUTOMATION = PrincipalKind.AGENT, PrincipalKind.OWNER, PrincipalKind.AUTOMATION
UNREGISTERED, FOREIGN = PrincipalKind.UNREGISTERED, PrincipalKind.FOREIGN_FRONTEND
DOORS = pytest.mark.parametrize("door", [pytest.param("rest", id="REST"), pytest.param("websocket", id="websocket")])


@dataclass
class Probe:
    """Stands in ``edgehome.execute``'s place and notes who is calling; ``contexts`` replaces the call's own."""

    hass: HomeAssistant
    entry: MockConfigEntry
    contexts: list[Context] = field(default_factory=list)
    seen: list[Principal] = field(default_factory=list)

    async def handle(self, call: ServiceCall) -> None:
        """Notes the principal."""
        context = (*self.contexts, call.context)[0]
        self.seen.append(await async_principal(self.hass, self.entry.runtime_data.agents, context))


@pytest.fixture
def probe(hass: HomeAssistant, entry: MockConfigEntry) -> Probe:
    """The probe, registered; the home's addresses are set."""
    hass.config.internal_url, hass.config.external_url = OWN_URL, "https://home.example"
    probe = Probe(hass, entry)
    hass.services.async_register("edgehome", "who", probe.handle)
    return probe


async def call(doors: Doors, door: str, token: str) -> None:
    """Calls the probe."""
    await getattr(doors, door)(token, "who", {}, wanted=False)


@DOORS
@pytest.mark.parametrize(
    ("group", "token_type", "client_id", "kind"),
    [
        pytest.param(GROUP_ID_ADMIN, NORMAL, "http://ha.example:8123/", OWNER, id="frontend at the internal address"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "https://home.example/", OWNER, id="frontend at the external address"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "http://localhost:8123/", OWNER, id="frontend at localhost"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "http://127.0.0.1:8123/", OWNER, id="frontend at the loopback"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "http://[::1]:8123/", OWNER, id="frontend at the IPv6 loopback"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "http://homeassistant.local:8123/", OWNER, id="frontend at its mDNS name"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "http://10.10.10.10:8123/", OWNER, id="frontend at the machine's address"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "https://home-assistant.io/iOS", OWNER, id="companion on iOS"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "https://home-assistant.io/android", OWNER, id="companion on Android"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "https://example.com/app", FOREIGN, id="foreign OAuth client"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "https://home-assistant.io/", FOREIGN, id="not quite a companion"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "https://home-assistant.io/iOS/x", FOREIGN, id="below a companion's id"),
        pytest.param(
            GROUP_ID_ADMIN, NORMAL, "https://home-assistant.io.evil.example/iOS", FOREIGN, id="looks like one"
        ),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "https://ha.example:8123/", FOREIGN, id="another scheme"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "http://ha.example/", FOREIGN, id="another port"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "http://ha.example.evil:8123/", FOREIGN, id="begins like ours"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "http://localhost:4444/", FOREIGN, id="another service at localhost"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "http://localhost/", FOREIGN, id="localhost without a port"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "http://10.10.10.11:8123/", FOREIGN, id="another machine"),
        pytest.param(GROUP_ID_ADMIN, NORMAL, "homeassistant", FOREIGN, id="no address"),
        pytest.param(GROUP_ID_ADMIN, LONG_LIVED, None, UNREGISTERED, id="an administrator's long-lived token"),
        pytest.param(
            GROUP_ID_ADMIN, LONG_LIVED, "http://ha.example:8123/", UNREGISTERED, id="long-lived with our client id"
        ),
        pytest.param(GROUP_ID_USER, NORMAL, "http://ha.example:8123/", UNREGISTERED, id="a plain user's frontend"),
        pytest.param(GROUP_ID_USER, NORMAL, "https://home-assistant.io/iOS", UNREGISTERED, id="a plain user's phone"),
        pytest.param(GROUP_ID_USER, LONG_LIVED, None, UNREGISTERED, id="a plain user's long-lived token"),
        pytest.param(GROUP_ID_READ_ONLY, NORMAL, "http://ha.example:8123/", UNREGISTERED, id="a reader's frontend"),
    ],
)
async def test_people(
    hass: HomeAssistant,
    probe: Probe,
    doors: Doors,
    door: str,
    group: str,
    token_type: str,
    client_id: str | None,
    kind: PrincipalKind,
) -> None:
    """Only an administrator in this instance's own frontend or a companion app is the owner."""
    user = await add_user(hass, "Ada", group)
    await call(doors, door, await token_of(hass, user, client_id, token_type))
    assert [(seen.kind, seen.name) for seen in probe.seen] == [(kind, "Ada")]


@DOORS
@pytest.mark.parametrize(
    ("token_type", "client_id", "prefix"),
    [
        pytest.param(NORMAL, "http://ha.example:8123/", "", id="the owner is his user"),
        pytest.param(NORMAL, "https://example.com/app", "unregistered:", id="a foreign client is not"),
        pytest.param(LONG_LIVED, None, "unregistered:", id="a long-lived token is not"),
    ],
)
async def test_ids(
    hass: HomeAssistant, probe: Probe, doors: Doors, door: str, token_type: str, client_id: str | None, prefix: str
) -> None:
    """What a stranger sends with the owner's user is never taken for the owner's own requests."""
    user = await add_user(hass, "Ada")
    await call(doors, door, await token_of(hass, user, client_id, token_type))
    assert [seen.id for seen in probe.seen] == [f"{prefix}{user.id}"]


@DOORS
@pytest.mark.parametrize(
    ("external_url", "client_id"),
    [
        pytest.param("https://Home.Example", "https://home.example/", id="capital letters"),
        pytest.param("https://home.example:443", "https://home.example/", id="the scheme's own port"),
        pytest.param("https://home.example/", "https://home.example/", id="a slash at the end"),
    ],
)
async def test_address_written_otherwise(
    hass: HomeAssistant, probe: Probe, doors: Doors, door: str, external_url: str, client_id: str
) -> None:
    """A browser sends the address in its plain form, however the owner has written it in the settings."""
    hass.config.external_url = external_url
    await call(doors, door, await token_of(hass, await add_user(hass, "Ada"), client_id))
    assert [seen.kind for seen in probe.seen] == [OWNER]


@DOORS
async def test_agent(hass: HomeAssistant, entry: MockConfigEntry, probe: Probe, doors: Doors, door: str) -> None:
    """A registered agent is known by its user, whatever it says about itself."""
    agent = await add_agent(hass, entry, "Hermes")
    await call(doors, door, agent.token)
    assert probe.seen == [Principal(kind=AGENT, id=agent.id, name="Hermes")]


async def test_no_user(hass: HomeAssistant, probe: Probe) -> None:
    """A call without a user is automation."""
    await hass.services.async_call("edgehome", "who", {}, blocking=True)
    assert probe.seen == [Principal(kind=AUTOMATION, id="automation", name="Automation")]


@DOORS
async def test_no_user_on_the_owners_connection(
    hass: HomeAssistant, probe: Probe, doors: Doors, owner: str, door: str
) -> None:
    """What an automation does is automation, also when the owner's connection set it off."""
    probe.contexts = [Context()]
    await call(doors, door, owner)
    assert [seen.kind for seen in probe.seen] == [AUTOMATION]


@DOORS
async def test_token_of_another_user(hass: HomeAssistant, probe: Probe, doors: Doors, owner: str, door: str) -> None:
    """The owner's token does not make another user's call the owner's, not even another administrator's."""
    other = await add_user(hass, "Bob")
    probe.contexts = [Context(user_id=other.id)]
    await call(doors, door, owner)
    assert probe.seen == [Principal(kind=UNREGISTERED, id=f"unregistered:{other.id}", name="Bob")]


@DOORS
async def test_agents_user_on_the_owners_connection(
    hass: HomeAssistant, entry: MockConfigEntry, probe: Probe, doors: Doors, owner: str, door: str
) -> None:
    """A context that names an agent's user is the agent, whose connection it may be."""
    agent = await add_agent(hass, entry)
    probe.contexts = [Context(user_id=agent.user_id)]
    await call(doors, door, owner)
    assert [(seen.kind, seen.id) for seen in probe.seen] == [(AGENT, agent.id)]


async def test_user_without_a_connection(hass: HomeAssistant, probe: Probe) -> None:
    """An administrator's context that came over no connection is not the owner."""
    user = await add_user(hass, "Ada")
    await hass.services.async_call("edgehome", "who", {}, blocking=True, context=Context(user_id=user.id))
    assert probe.seen == [Principal(kind=UNREGISTERED, id=f"unregistered:{user.id}", name="Ada")]


async def test_user_that_is_gone(hass: HomeAssistant, probe: Probe) -> None:
    """A user that was removed is unregistered."""
    await hass.services.async_call("edgehome", "who", {}, blocking=True, context=Context(user_id="gone"))
    assert probe.seen == [Principal(kind=UNREGISTERED, id="unregistered:gone", name="unknown user")]


@DOORS
async def test_deactivated_administrator(hass: HomeAssistant, probe: Probe, doors: Doors, door: str) -> None:
    """An administrator who was deactivated while the call was on its way is the owner no more."""
    user = await add_user(hass, "Ada")

    async def deactivate(call: ServiceCall) -> None:
        user.is_active = False
        await probe.handle(call)

    hass.services.async_register("edgehome", "who", deactivate)
    await call(doors, door, await token_of(hass, user))
    assert [seen.kind for seen in probe.seen] == [UNREGISTERED]


async def test_cloud_address(hass: HomeAssistant, probe: Probe, doors: Doors) -> None:
    """The address that Home Assistant's cloud gives this instance is its own; the cloud itself is not installed here."""
    user = await add_user(hass, "Ada")
    with patch("custom_components.edgehome.agents.identity.get_url", return_value="https://abc.ui.example"):
        await call(doors, "rest", await token_of(hass, user, "https://abc.ui.example/"))
    await call(doors, "rest", await token_of(hass, user, "https://abc.ui.example/"))
    assert [seen.kind for seen in probe.seen] == [OWNER, FOREIGN]


async def test_instance_without_addresses(hass: HomeAssistant, probe: Probe, doors: Doors) -> None:
    """Where no address is set, the local ones still count."""
    hass.config.internal_url = hass.config.external_url = None
    for client_id in ("http://localhost:8123/", "http://home.example/"):
        await call(doors, "rest", await token_of(hass, await add_user(hass, client_id), client_id))
    assert [seen.kind for seen in probe.seen] == [OWNER, FOREIGN]
