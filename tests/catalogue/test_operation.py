"""The catalogue: what can be done at all (R4)."""

from collections import Counter
from typing import Any

import pytest

from custom_components.edgehome.catalogue import DOMAINS, OPERATIONS, operation, operations_of
from custom_components.edgehome.catalogue.operation import Operation, by_state, supports
from custom_components.edgehome.catalogue.status import STATUS
from custom_components.edgehome.chain import Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import DeviceState
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.judge import judge
from custom_components.edgehome.models import Intent, Params
from custom_components.edgehome.plan import Effect
from tests.made_house import MadeHouse, proposing, request


def test_one_row_each() -> None:
    """An intent means one thing on a domain."""
    counts = Counter((row.domain, row.intent) for row in OPERATIONS)
    assert set(counts.values()) == {1}


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: f"{row.domain}.{row.intent}")
def test_row(row: Operation) -> None:
    """A service belongs to the row's own domain; a row without one says what it means; values are words of a proposal."""
    service = row.service or f"{row.domain}.as_meant"
    assert service.startswith(f"{row.domain}.")
    assert row.service is not None or row.means is not None
    assert row.effect is not Effect.READ
    assert row.params.keys() <= Params.model_fields.keys()
    assert all(names <= row.params.keys() for names in row.needs)
    assert all(isinstance(mask, int) and mask > 0 for mask in row.features)


@pytest.mark.parametrize(
    ("domain", "intent", "found"),
    [
        ("light", Intent.TURN_ON, True),
        ("lock", Intent.TURN_ON, False),
        ("lock", Intent.TURN_OFF, False),
        ("lock", Intent.TOGGLE, False),
        ("cover", Intent.TURN_ON, False),
        ("script", Intent.TOGGLE, False),
        ("automation", Intent.TURN_OFF, False),
        ("homeassistant", Intent.TOGGLE, False),
        ("alarm_control_panel", Intent.UNLOCK, False),
        ("automation", Intent.RUN, False),
        ("remote", Intent.RUN, False),
        ("camera", Intent.TOGGLE, False),
        ("climate", Intent.STATUS, True),
        ("shell_command", Intent.STATUS, True),
        ("", Intent.TURN_ON, False),
    ],
)
def test_lookup(domain: str, intent: Intent, found: bool) -> None:
    """A row is found for what can be done, and ``status`` for everything."""
    assert (operation(domain, intent) is not None) is found


@pytest.mark.parametrize("domain", [*sorted(DOMAINS), "person"])
def test_status_comes_last(domain: str) -> None:
    """Everything can be read."""
    assert operations_of(domain)[-1] is STATUS
    assert all(row.domain == domain for row in operations_of(domain)[:-1])


@pytest.mark.parametrize(
    ("features", "alternatives", "able"),
    [
        pytest.param(0, (), True, id="nothing asked"),
        pytest.param(0, (1,), False, id="nothing there"),
        pytest.param(1, (1,), True, id="there"),
        pytest.param(3, (1,), True, id="more than that"),
        pytest.param(1, (3,), False, id="half of a mask"),
        pytest.param(2, (1, 2), True, id="the other alternative"),
        pytest.param("3", (1,), False, id="text is no mask"),
        pytest.param(None, (1,), False, id="no mask"),
    ],
)
def test_features(features: object, alternatives: tuple[int, ...], able: bool) -> None:
    """A device needs all bits of one mask."""
    state = DeviceState(state="on", attributes={"supported_features": features})
    assert supports(state, alternatives) is able


@pytest.mark.parametrize(
    ("state", "meaning"),
    [
        ("on", (Intent.TURN_OFF,)),
        ("off", (Intent.TURN_ON,)),
        ("unknown", ()),
        ("unavailable", ()),
        ("", ()),
        ("ON", ()),
    ],
)
def test_toggle(state: str, meaning: tuple[Intent, ...]) -> None:
    """Toggling means something only where the state is known."""
    assert by_state(DeviceState(state=state)) == meaning


@pytest.mark.parametrize("state", ["on", "off"])
def test_toggle_takes_no_values(state: str) -> None:
    """A value on a toggle is a value of another operation, whatever the lamp's state."""
    lamp: dict[str, Any] = {"supported_color_modes": ["brightness"]}
    house = MadeHouse().add("light.lamp", "Lamp", state, **lamp)
    payload = proposing("toggle", device_alias="Lamp", params={"brightness": 50})
    step = judge(request(payload), Facts(house)).step
    assert isinstance(step, Refuse)
    assert step.code is Code.UNSUPPORTED_FIELD
