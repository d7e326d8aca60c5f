"""The people of a house in this process: approvers, and companion apps on the real ``mobile_app`` integration."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from types import MappingProxyType
from typing import Any

import pytest
from aiohttp import WSMsgType
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry, ConfigEntryState, ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed
from pytest_homeassistant_custom_component.typing import MockHAClientWebSocket

from custom_components.edgehome.home.exposure import ASSISTANT
from custom_components.edgehome.policy.presets import PRESETS
from custom_components.edgehome.policy.rule import PolicyRule, Verdict
from custom_components.edgehome.policy.table import PolicyTable
from tests.real_home import Doors, add_user, proposing, token_of

EVENT = "mobile_app_notification_action"
OPEN_GARAGE = proposing("open", "Garage Door")
GARAGE = "cover.garage_door"
LATCH = "lock.openable_lock"
UNLATCH = proposing("open", "Openable Lock")
"""Opens a door for good: risk 5."""
YES, NO, FOR_A_WHILE = 0, 1, 2
"""Which of a question's buttons."""
PATIENCE = 10
"""Seconds after which a phone gives up waiting, so that a broken test ends; no test depends on it."""


CUT_OFF = pytest.mark.parametrize("expected_lingering_timers", [pytest.param(True, id="cut off")])
"""A test in which Home Assistant closes a phone's channel: aiohttp's heartbeat of it outlives the test."""


def edgehome_log(caplog: pytest.LogCaptureFixture) -> str:
    """What EdgeHome itself has logged, whatever the level."""
    return "\n".join(record.getMessage() for record in caplog.records if "edgehome" in record.name)


@dataclass(frozen=True, kw_only=True)
class Person:
    """A user who is logged in, an approver where ``subentry_id`` is given."""

    name: str
    user: User
    token: str
    subentry_id: str = ""


@dataclass
class Phone:
    """A companion app of one person. What arrived is read in its order; every message is confirmed, as the app does."""

    hass: HomeAssistant
    doors: Doors
    person: Person
    webhook_id: str
    arrived: list[dict[str, Any]] = field(default_factory=list)
    socket: MockHAClientWebSocket | None = None

    async def switch_on(self) -> None:
        """Opens the push channel."""
        self.socket = await self.doors.ws_client(access_token=self.person.token)
        channel = "mobile_app/push_notification_channel"
        await self._command(channel, webhook_id=self.webhook_id, support_confirm=True)

    async def switch_off(self) -> None:
        """Closes the push channel: the app was put aside; it can still tap what it shows."""
        assert self.socket is not None
        await self.settle()
        await self.socket.close()
        self.socket = None
        await self.hass.async_block_till_done()

    async def question(self) -> dict[str, Any]:
        """The next notification with buttons."""
        return await self._next(lambda message: bool(message.get("data", {}).get("actions")))

    async def cleared(self) -> str:
        """The tag of the next notification that is taken away."""
        message = await self._next(lambda message: message["message"] == "clear_notification")
        return str(message["data"]["tag"])

    async def everything(self) -> list[dict[str, Any]]:
        """All that has arrived and was not taken yet."""
        await self.hass.async_block_till_done()
        await self.settle()
        taken, self.arrived = self.arrived, []
        return taken

    async def last_words(self) -> list[str]:
        """The messages that came before Home Assistant closed the channel."""
        assert self.socket is not None
        said: list[str] = []
        while (packet := await self.socket.receive(timeout=PATIENCE)).type is WSMsgType.TEXT:
            said += [packet.json()["event"]["message"]]
        await self.socket.close()
        self.socket = None
        return said

    async def tap(self, question: Mapping[str, Any], button: int) -> None:
        """Taps a button."""
        await self.fire({"action": question["data"]["actions"][button]["action"], "tag": question["data"]["tag"]})

    async def fire(self, data: Mapping[str, object], event_type: str = EVENT) -> None:
        """Fires an event through the webhook, which asks for no token."""
        client = await self.doors.rest_client(self.person.token)
        body = {"type": "fire_event", "data": {"event_type": event_type, "event_data": dict(data)}}
        response = await client.post(f"/api/webhook/{self.webhook_id}", json=body, headers={"Authorization": ""})
        assert response.status == 200
        await self.hass.async_block_till_done()

    async def _next(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            for message in self.arrived:
                if wanted(message):
                    self.arrived.remove(message)
                    await self.settle()
                    return message
            await self._receive()

    async def settle(self) -> None:
        """Waits until Home Assistant has taken every confirmation: what it answers last comes after all that it sent before."""
        known = -1
        while known != len(self.arrived):
            known = len(self.arrived)
            await self._command("ping")

    async def _receive(self) -> dict[str, Any]:
        """Reads one packet; a message is confirmed and kept."""
        assert self.socket is not None
        packet: dict[str, Any] = await self.socket.receive_json(timeout=PATIENCE)
        if packet["type"] == "event":
            message = packet["event"]
            self.arrived.append(message)
            confirm = {"type": "mobile_app/push_notification_confirm", "webhook_id": self.webhook_id}
            await self.socket.send_json_auto_id(confirm | {"confirm_id": message["hass_confirm_id"]})
        return packet

    async def _command(self, kind: str, **content: object) -> None:
        assert self.socket is not None
        command = {"type": kind, **content}
        await self.socket.send_json_auto_id(command)
        while (packet := await self._receive()).get("id") != command["id"] or packet["type"] == "event":
            pass
        assert packet.get("success", True), packet


@dataclass(frozen=True)
class Household:
    """The house, its people and what they ask."""

    hass: HomeAssistant
    entry: ConfigEntry
    doors: Doors
    phones: list[Phone] = field(default_factory=list)

    async def end_of_the_day(self) -> None:
        """EdgeHome stops and every phone reads what it was sent last: what is not confirmed fails in Home Assistant."""
        if self.entry.state is ConfigEntryState.LOADED:
            await self.hass.config_entries.async_unload(self.entry.entry_id)
        for phone in self.phones:
            if phone.socket is not None:
                await phone.everything()
        for name in [name for name in PRESETS if name.startswith("made")]:
            del PRESETS[name]

    async def person(self, name: str, group: str = GROUP_ID_USER) -> Person:
        """Somebody with a log-in."""
        user = await add_user(self.hass, name, group)
        return Person(name=name, user=user, token=await token_of(self.hass, user))

    async def approver(self, name: str, order: int = 1, group: str = GROUP_ID_USER, **limits: object) -> Person:
        """Somebody who may say yes; ``limits`` are ``max_risk`` and ``areas``."""
        person = await self.person(name, group)
        data = {"user_id": person.user.id, "max_risk": 5, "areas": [], "order": order, **limits}
        subentry = ConfigSubentry(
            data=MappingProxyType(data), subentry_type="approver", title=name, unique_id=person.user.id
        )
        self.hass.config_entries.async_add_subentry(self.entry, subentry)
        await self.hass.async_block_till_done()
        return Person(name=name, user=person.user, token=person.token, subentry_id=subentry.subentry_id)

    async def phone(
        self, person: Person, name: str = "", *, on: bool = True, device_id: str = "", **app_data: object
    ) -> Phone:
        """A phone that a person registers over REST, with its push channel open."""
        client = await self.doors.rest_client(person.token)
        name = name or f"{person.name}s phone"
        registration = {
            "app_id": "edgehome.test",
            "app_name": "Test phone",
            "app_version": "1.0",
            "device_id": device_id or name,
            "device_name": name,
            "manufacturer": "Test",
            "model": "One",
            "os_name": "Test",
            "os_version": "1",
            "supports_encryption": False,
            "app_data": {"push_websocket_channel": True} | app_data,
        }
        response = await client.post("/api/mobile_app/registrations", json=registration)
        assert response.status == 201
        phone = Phone(self.hass, self.doors, person, (await response.json())["webhook_id"])
        await self.hass.async_block_till_done()
        self.phones.append(phone)
        if on:
            await phone.switch_on()
        return phone

    async def approver_with_phone(self, name: str, order: int = 1, **limits: object) -> Phone:
        """An approver and his phone."""
        return await self.phone(await self.approver(name, order, **limits))  # type: ignore[arg-type]  # limits are data

    async def owner(self) -> Person:
        """The owner, who reads all traces."""
        return await self.person("Olga", GROUP_ID_ADMIN)

    async def options(self, preset: str = "strict", **approvals: object) -> None:
        """The owner's choices about approvals."""
        chosen = {"preset": preset, "automations": True, "approvals": approvals}
        self.hass.config_entries.async_update_entry(self.entry, options=chosen)
        await self.hass.async_block_till_done()

    async def rules(self, *rules: PolicyRule, **approvals: object) -> None:
        """The owner puts these rules in force; what they do not mention is allowed."""
        table = PolicyTable(name=f"made {len(PRESETS)}", rules=(*rules, PolicyRule(id="rest", verdict=Verdict.ALLOW)))
        PRESETS[table.name] = table
        await self.options(table.name, **approvals)

    async def two_people(self, **approvals: object) -> None:
        """The owner wants two people for risk 5, and a lock that can be unlatched is exposed."""
        async_expose_entity(self.hass, ASSISTANT, LATCH, True)  # noqa: FBT003  # Home Assistant's signature
        await self.options("balanced", two_people=True, **approvals)

    async def ask(self, token: str, payload: Mapping[str, object] = OPEN_GARAGE, **more: object) -> dict[str, Any]:
        """A proposal to which a human must say yes: it waits now."""
        answer = await self.doors.ask(token, "execute", {**payload, **more})
        assert (answer["outcome"], answer["code"]) == ("pending", "WAITING"), answer
        return answer

    async def notes(self, owner: Person, answer: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What happened to a question, as the owner reads it."""
        trace = await self.doors.ask(owner.token, "get_trace", {"trace_id": answer["trace_id"]})
        return [{key: note[key] for key in note if key != "at"} for note in trace["notes"]]

    async def ended(self, answer: Mapping[str, Any]) -> tuple[str, str]:
        """The outcome and code of a request that comes to its end, as the evidence keeps them."""
        data = self.entry.runtime_data
        await data.pipeline.wait_for(answer["trace_id"], PATIENCE)
        trace = await data.evidence.trace(answer["trace_id"])
        return trace.recorded_answer["outcome"], trace.recorded_answer["code"]

    async def waits(self, answer: Mapping[str, Any]) -> bool:
        """Whether a question is open."""
        await self.hass.async_block_till_done()
        live = await self.entry.runtime_data.pipeline.wait_for(answer["trace_id"], 0)
        return live is not None and live.answer()["outcome"] == "pending"

    async def notifications(self) -> list[dict[str, Any]]:
        """Home Assistant's own notifications about questions, as everybody can read them."""
        socket = await self.doors.ws_client(access_token=(await self.person("Anybody")).token)
        await socket.send_json_auto_id({"type": "persistent_notification/get"})
        shown = (await socket.receive_json(timeout=PATIENCE))["result"]
        await socket.close()
        return [item for item in shown if item["notification_id"].startswith("edgehome_")]

    async def later(self, seconds: float) -> None:
        """Lets time go by, after every phone has confirmed what it got."""
        for phone in self.phones:
            if phone.socket is not None:
                await phone.settle()
        async_fire_time_changed(self.hass, dt_util.utcnow() + timedelta(seconds=seconds))
        await self.hass.async_block_till_done()

    def is_closed(self) -> bool:
        """Whether the garage is closed, as Home Assistant has it."""
        return self.hass.states.is_state(GARAGE, "closed")
