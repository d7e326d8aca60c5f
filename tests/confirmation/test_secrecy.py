"""No nonce, token or address of a phone leaves its way: not in traces, answers, states, notifications, logs, files (R12)."""

import json
import logging
from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import async_capture_events

from tests.confirmation.household import GARAGE, NO, YES, Household, Person, edgehome_log
from tests.real_home import AgentAccess, proposing


def files_of(folder: Path) -> dict[str, str]:
    """What the files of a folder hold, byte by byte."""
    return {path.name: path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file()}


async def test_secrets(
    hass: HomeAssistant,
    house: Household,
    agent: AgentAccess,
    olga: Person,
    config_folder: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A whole day with a yes, a no, a forgery and a late tap: nothing that anybody reads holds a secret."""
    caplog.set_level(logging.DEBUG, "custom_components.edgehome")
    await house.options(escalate_after=0)
    ada, ben = await house.approver_with_phone("Ada", 1), await house.approver_with_phone("Ben", 2)
    events = async_capture_events(hass, "edgehome_decision")
    read: list[object] = []
    secrets = [ada.webhook_id, ben.webhook_id, ada.person.token, ben.person.token, agent.token, olga.token]
    traces = []
    for payload, button in ((proposing("open", "Garage Door"), YES), (proposing("open", "Kitchen Window"), NO)):
        answer = await house.ask(agent.token, payload)
        questions = [await ada.question(), await ben.question()]
        actions = [item["action"].removeprefix("EDGEHOME_") for one in questions for item in one["data"]["actions"]]
        secrets += [*actions, questions[0]["data"]["tag"]]
        read += [answer, await house.notifications(), [state.as_dict() for state in hass.states.async_all()]]
        await ben.tap(questions[0], button)
        await ada.tap(questions[0], button)
        await house.ended(answer)
        await ben.tap(questions[1], button)
        traces.append({"trace_id": answer["trace_id"]})
    await ben.switch_off()
    await hass.services.async_call("cover", "close_cover", {"entity_id": GARAGE}, blocking=True)
    await house.ask(agent.token)
    for trace in traces:
        read += [await house.doors.ask(token, "get_trace", trace) for token in (agent.token, olga.token)]
    read += [await house.doors.ask(agent.token, "list_devices", {}), await house.notifications()]
    read += [[state.as_dict() for state in hass.states.async_all()], house.entry.as_dict()]
    await hass.config_entries.async_unload(house.entry.entry_id)
    await hass.async_block_till_done()
    files = files_of(config_folder)
    texts = {
        "read": json.dumps(read, default=str),
        "log": edgehome_log(caplog),
        "files": " ".join(files.values()),
        "events": json.dumps([event.data for event in events], default=str),
    }
    assert "evidence.db" in files
    assert events
    assert len(set(secrets)) == 6 + (2 * 2 + 1) + (2 * 3 + 1)
    assert [(where, secret) for where, text in texts.items() for secret in secrets if secret in text] == []
