"""Capability: what needs a code of its own needs a default code from the owner; agents give none (R12)."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.edgehome.chain import Pass, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.evidence.store import EvidenceStore
from custom_components.edgehome.gates.capability import Capability
from custom_components.edgehome.listing import devices_for
from custom_components.edgehome.pipeline import Pipeline
from custom_components.edgehome.policy.presets import BALANCED
from tests.made_devices import house_of_all, wish
from tests.made_driver import Driver
from tests.made_house import MadeHouse, asked, request

LOCK, ALARM = "lock.door", "alarm_control_panel.alarm"


def house(attributes: dict[str, Any], *, has_code: bool = False) -> MadeHouse:
    """A lock and an alarm with these attributes, with a default code or without."""
    made = house_of_all(door={"state": "jammed", **attributes}, alarm={"state": "armed_vacation", **attributes})
    for entity_id in (LOCK, ALARM):
        made.devices[entity_id] = replace(made.devices[entity_id], has_code=has_code)
    made.table = BALANCED
    return made


DIGITS, NUMBER, ARMING = {"code_format": "^\\d{4}$"}, {"code_format": "number"}, {"code_arm_required": True}


@pytest.mark.parametrize(
    ("attributes", "name", "intent", "needs"),
    [
        pytest.param(DIGITS, "door", "lock", True, id="lock"),
        pytest.param(DIGITS, "door", "unlock", True, id="unlock"),
        pytest.param(DIGITS, "door", "open", True, id="latch"),
        pytest.param({"code_format": None}, "door", "unlock", False, id="a lock without a code"),
        pytest.param({}, "door", "unlock", False, id="a lock that says nothing"),
        pytest.param(NUMBER, "alarm", "disarm", True, id="disarm"),
        pytest.param(NUMBER, "alarm", "arm_home", False, id="arming may need none"),
        pytest.param(ARMING, "alarm", "arm_home", True, id="arm home"),
        pytest.param(ARMING, "alarm", "arm_away", True, id="arm away"),
        pytest.param(ARMING, "alarm", "arm_night", True, id="arm night"),
        pytest.param({"code_arm_required": False}, "alarm", "arm_away", False, id="arming needs none"),
        pytest.param({**NUMBER, "code_arm_required": False}, "alarm", "disarm", True, id="only disarming"),
        pytest.param(DIGITS, "door", "status", False, id="reading"),
    ],
)
def test_needs_code(attributes: dict[str, Any], name: str, intent: str, needs: bool) -> None:
    """Without a default code it is refused, with one it goes on; the list offers the same."""
    entity_id = LOCK if name == "door" else ALARM
    for has_code in (False, True):
        made = house(attributes, has_code=has_code)
        step, _ = asked(Capability, made, wish(intent, name))
        refused = isinstance(step, Refuse)
        assert refused is (needs and not has_code)
        (entry,) = devices_for(made, (made.devices[entity_id],), made.stand)
        operations = entry["operations"]
        assert isinstance(operations, dict)
        assert (intent in operations) is not refused
        if isinstance(step, Refuse):
            assert step.code is Code.NEEDS_CODE
            assert "default code" in step.hint
        else:
            assert isinstance(step, Pass)
            assert "code" not in step.context.actions[0].data


SECRET = "471147"
SENT: dict[str, tuple[dict[str, Any], Code, str]] = {
    "in params": (wish("unlock", "door", code=SECRET), Code.SCHEMA, "model_candidate.params.code"),
    "beside params": (
        {"model_candidate": {"intent": "unlock", "device_alias": "door", "code": SECRET}},
        Code.SCHEMA, "model_candidate.code",
    ),
    "beside the candidate": ({**wish("unlock", "door"), "code": SECRET}, Code.SCHEMA, "code"),
    "a pin": ({**wish("disarm", "alarm"), "pin": SECRET}, Code.SCHEMA, "pin"),
    "in a call's data": (
        {"service_call": {"service": "lock.unlock", "target": {"entity_id": LOCK}, "data": {"code": SECRET}}},
        Code.UNSUPPORTED_FIELD, "service_call.data.code",
    ),
    "in an alarm's data": (
        {
            "service_call": {
                "service": "alarm_control_panel.alarm_disarm",
                "data": {"entity_id": ALARM, "code": SECRET},
            }
        },
        Code.UNSUPPORTED_FIELD, "service_call.data.code",
    ),
    "in old words": (
        {"service_call": {"service": "lock.lock", "service_data": {"entity_id": LOCK, "code": int(SECRET)}}},
        Code.UNSUPPORTED_FIELD, "service_call.service_data.code",
    ),
    "in a command": (
        {"commands": [{"intent": "unlock", "device_alias": "door", "params": {"code": SECRET}}]},
        Code.SCHEMA, "commands[0].params.code",
    ),
    "in a command's call": (
        {"commands": [{"service_call": {"service": "lock.unlock", "data": {"entity_id": LOCK, "code": SECRET}}}]},
        Code.UNSUPPORTED_FIELD, "commands[0].service_call.data.code",
    ),
}  # fmt: skip


@pytest.fixture
async def store(hass: HomeAssistant, tmp_path: Path) -> AsyncIterator[EvidenceStore]:
    """A real evidence file."""
    store = EvidenceStore(tmp_path / "evidence.db", hass.loop)
    await store.open()
    yield store
    await store.close_store()


def bytes_in(folder: Path) -> bytes:
    """Everything that was written there."""
    return b"".join(path.read_bytes() for path in folder.iterdir())


@pytest.mark.parametrize(("payload", "code", "field"), [pytest.param(*case, id=name) for name, case in SENT.items()])
async def test_codes_of_agents(
    hass: HomeAssistant, store: EvidenceStore, tmp_path: Path, payload: dict[str, Any], code: Code, field: str
) -> None:
    """A code that an agent sends is refused at its place, and is in no answer and in no byte of the evidence."""
    driver = Driver(house=house(DIGITS, has_code=True))
    pipeline: Pipeline[Any] = Pipeline(driver.home, store, driver.backend, driver.confirmation, driver.start)
    answer = (await pipeline.submit(request(payload))).answer()
    assert (answer["outcome"], answer["code"], answer["field"]) == ("blocked", code, field)
    await store.close_store()
    assert SECRET not in json.dumps(answer)
    kept = bytes_in(tmp_path)
    assert b"unlock" in kept or b"disarm" in kept or b"lock.lock" in kept
    assert SECRET.encode() not in kept
