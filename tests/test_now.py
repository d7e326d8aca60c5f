"""Times, delays and repetitions: EdgeHome acts now, and says so."""

from typing import Any

import pytest

from custom_components.edgehome.chain import Ready, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.judge import judge
from custom_components.edgehome.models import NOW
from tests.made_house import MadeHouse, proposing, request

LAMP = {"intent": "turn_on", "device_alias": "Lamp"}
CALL = {"service": "light.turn_on", "target": {"entity_id": "light.lamp"}}


def refusal(payload: dict[str, Any]) -> Refuse:
    """The chain's refusal."""
    made = MadeHouse().add("light.lamp", "Lamp").add("light.at_8", "Lamp every night")
    step = judge(request(payload), Facts(made)).step
    assert isinstance(step, Refuse), step
    return step


@pytest.mark.parametrize(
    "field",
    ["delay", "at", "when", "in", "after", "until", "every", "schedule", "Delay", "time", "duration", "repeat", "cron"],
)
@pytest.mark.parametrize(
    ("payload", "path"),
    [
        pytest.param(lambda name: {"model_candidate": LAMP, name: 5}, "", id="beside the candidate"),
        pytest.param(lambda name: {"model_candidate": {**LAMP, name: 5}}, "model_candidate.", id="in it"),
        pytest.param(
            lambda name: {"model_candidate": {**LAMP, "params": {name: 5}}}, "model_candidate.params.", id="in params"
        ),
        pytest.param(lambda name: {"service_call": {**CALL, name: 5}}, "service_call.", id="in a call"),
        pytest.param(lambda name: {"commands": [{**LAMP, name: 5}]}, "commands[0].", id="in a command"),
        pytest.param(lambda name: {"commands": [LAMP], name: 5}, "", id="beside commands"),
        pytest.param(
            lambda name: {"service_call": {**CALL, "data": {name: 5}}}, "service_call.data.", id="in a call's values",
        ),
        pytest.param(
            lambda name: {"commands": [LAMP, {name: 5}]}, "commands[1].", id="as a command, as in a script",
        ),
    ],
)  # fmt: skip
def test_fields(field: str, payload: Any, path: str) -> None:
    """A field that asks for another time is refused with what to do instead."""
    step = refusal(payload(field))
    assert step.hint == NOW
    assert step.field == f"{path}{field}"


@pytest.mark.parametrize(
    "name",
    [
        "Lamp in ten minutes", "Lamp in 10 minutes", "Lamp in 1 hour", "lamp after two hours", "Lamp in a few seconds",
        "Lamp every day", "Lamp every two hours", "Lamp each morning", "Lamp tomorrow", "Lamp tonight", "Lamp at 7",
        "Lamp at 7:30", "Lamp at 7 pm", "Lamp when I am home", "LAMP TOMORROW",
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", ["candidate", "command"])
def test_names(name: str, form: str) -> None:
    """A time in the name of a device that there is not."""
    candidate = {**LAMP, "device_alias": name}
    step = refusal({"model_candidate": candidate} if form == "candidate" else {"commands": [candidate]})
    assert (step.code, step.hint) == (Code.ENTITY_NOT_FOUND, NOW)
    assert "time or a repetition" in step.message


@pytest.mark.parametrize(
    "name", ["Lamp in the hall", "Everyday lamp", "Lamp at the door", "Minutes", "After eight lamp"]
)
def test_names_without_a_time(name: str) -> None:
    """Words that only look like it."""
    assert refusal(proposing("turn_on", device_alias=name)).hint != NOW


def test_a_device_may_be_called_so() -> None:
    """A name that a device has is its name."""
    made = MadeHouse().add("light.at_8", "Lamp every night")
    step = judge(request(proposing("turn_on", device_alias="Lamp every night")), Facts(made)).step
    assert isinstance(step, Ready)
