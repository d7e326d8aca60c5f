"""Anything in any field of any form: judged by the gates, never an exception, and the answer is bounded."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from custom_components.edgehome.catalogue import OPERATIONS
from custom_components.edgehome.catalogue.left_out import LEFT_OUT
from custom_components.edgehome.chain import Ready, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.judge import judge
from custom_components.edgehome.models import Intent, Params, ServiceCall
from tests.any_json import objects, values
from tests.made_devices import DEVICES, house_of_all
from tests.made_house import request

MOST_TEXT = 4000
"""Characters of a refusal."""

SERVICES = sorted({row.service for row in OPERATIONS if row.service} | LEFT_OUT.keys())
FIELDS = (
    "brightness",
    "brightness_pct",
    "volume_level",
    "temperature",
    "value",
    "code",
    "entity_id",
    "position",
    "date",
)

names = (
    st.sampled_from([entity_id.partition(".")[2] for entity_id in DEVICES]) | st.sampled_from(sorted(DEVICES)) | values
)
numbers = st.integers(-300, 300) | st.floats(-300, 300)
params = st.dictionaries(st.sampled_from(sorted(Params.model_fields)), numbers | values, max_size=3)
candidates = st.fixed_dictionaries(
    {"intent": st.sampled_from([item.value for item in Intent]) | values},
    optional={"device_alias": names, "room": names, "device_type": values, "params": params | values},
)
ids = st.sampled_from(sorted(DEVICES)) | values
targets = st.dictionaries(st.sampled_from(("entity_id", "area_id", "device_id", "x")), ids | st.lists(ids, max_size=3))
data = st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=8), numbers | ids, max_size=3)
calls = st.fixed_dictionaries(
    {"service": st.sampled_from(SERVICES) | values},
    optional={
        "target": targets | values,
        "data": data | values,
        "service_data": data | values,
        **{name: values for name in ServiceCall.model_fields if name in {"action", "domain"}},
    },
)
commands = st.lists(candidates | st.fixed_dictionaries({"service_call": calls | values}) | values, max_size=4)
payloads = st.one_of(
    st.fixed_dictionaries({"model_candidate": candidates | values}, optional={"dry_run": st.booleans() | values}),
    st.fixed_dictionaries({"service_call": calls | values}, optional={"dry_run": st.booleans() | values}),
    st.fixed_dictionaries({"commands": commands | values}, optional={"dry_run": st.booleans() | values}),
    objects,
)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(payload=payloads)
def test_any_payload(payload: dict[str, Any]) -> None:
    """A step of a gate within the rules; a refusal says what is wrong, briefly, and what to do instead."""
    made = house_of_all()
    judgement = judge(request(payload), Facts(made))
    assert judgement.records
    assert judgement.records[-1].reason is not Code.INTERNAL_ERROR
    step = judgement.step
    if isinstance(step, Refuse):
        texts = (step.message, step.hint, step.field or "", *step.candidates)
        assert sum(map(len, texts)) < MOST_TEXT
        assert step.message
        assert step.hint
    if isinstance(step, Ready):
        assert len(step.plan.actions) <= len(DEVICES)
        assert all(action.service in SERVICES and action.service not in LEFT_OUT for action in step.plan.actions)
        # Nobody was asked: what is locked stays so, and no code went along.
        assert all(action.risk <= 2 for action in step.plan.actions)
        assert all("code" not in action.data for action in step.plan.actions)
