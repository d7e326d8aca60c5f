"""The catalogue: what can be done at all (R4)."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from custom_components.edgehome.catalogue import DOMAINS, OPERATIONS, operation, operations_of
from custom_components.edgehome.catalogue.operation import Operation, by_state, meanings, supports
from custom_components.edgehome.catalogue.status import STATUS
from custom_components.edgehome.chain import Pass, Refuse
from custom_components.edgehome.codes import Code
from custom_components.edgehome.devices import DeviceState
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.gates.capability import Capability
from custom_components.edgehome.judge import judge
from custom_components.edgehome.models import Intent, Params
from custom_components.edgehome.plan import Effect
from tests.catalogue.rows import FITS
from tests.made_devices import DEVICES, house_of_all, wish
from tests.made_house import MadeHouse, asked, proposing, request


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


MEANINGS: dict[str, str] = {
    "light.turn_on": "turn_on / turn_off / turn_on set_brightness / set_brightness / turn_on set_color / set_color / turn_on set_color_temperature / set_color_temperature",
    "light.set_brightness": "turn_on / turn_off / turn_on set_brightness / set_brightness",
    "light.set_color": "turn_on / turn_off / turn_on set_brightness / set_brightness / turn_on set_color / set_color",
    "light.set_color_temperature": "turn_on / turn_off / turn_on set_brightness / set_brightness / turn_on set_color_temperature / set_color_temperature",
    "fan.turn_on": "nothing / turn_off / set_speed / set_preset",
    "fan.set_speed": "nothing / turn_on / turn_off",
    "fan.set_preset": "nothing / turn_on",
    "cover.toggle": "nothing / open / close",
    "cover.set_position": "open / close",
    "valve.toggle": "nothing / open / close",
    "valve.set_position": "open / close",
    "lock.open": "unlock",
    "climate.set_temperature": "nothing / set_mode / set_mode turn_on / set_mode turn_off",
    "climate.set_mode": "nothing / turn_on / turn_off",
    "water_heater.set_mode": "nothing / turn_on / turn_off",
    "alarm_control_panel.arm_home": "nothing / disarm",
    "alarm_control_panel.arm_away": "nothing / disarm",
    "alarm_control_panel.arm_night": "nothing / disarm",
    "scene.turn_on": "activate",
    "scene.run": "activate",
    "script.turn_on": "run",
    "script.activate": "run",
    **{
        f"{domain}.toggle": "nothing / turn_on / turn_off"
        for domain in (
            "light", "switch", "input_boolean", "fan", "climate", "humidifier", "media_player", "siren", "remote",
        )
    },
}  # fmt: skip
"""All that an operation may be besides itself, for every row that may be anything."""


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: f"{row.domain}.{row.intent}")
def test_meanings(row: Operation) -> None:
    """What an operation may really be, each once; what has only one meaning has none listed."""
    found = meanings(row)
    assert len({*found}) == len(found)
    told = {" ".join(meant) or "nothing" for meant in found}
    assert told == {*MEANINGS.get(f"{row.domain}.{row.intent}", "").split(" / ")} - {""}


def lasts(row: Operation) -> set[Intent]:
    """The most telling of all that an operation may be."""
    return {meant[-1] for meant in meanings(row) if meant}


STATES = (
    "on", "off", "open", "closed", "opening", "locked", "unlocked", "jammed", "heat", "heat_cool", "eco", "docked",
    "cleaning", "mowing", "playing", "standby", "disarmed", "armed_away", "armed_night", "armed_vacation", "triggered",
    "unknown", "unavailable",
)  # fmt: skip
DOMAIN_OF = {entity_id.partition(".")[2]: entity_id.partition(".")[0] for entity_id in DEVICES}


@pytest.mark.parametrize(
    ("intent", "name", "params"),
    [pytest.param(*case[:3], id=f"{case[1]} {case[0]} {' '.join(case[2])}") for case in FITS],
)
def test_what_the_chain_makes_of_it(intent: str, name: str, params: dict[str, Any]) -> None:
    """Whatever a right proposal turns out to be, in any state, is one of the meanings."""
    row = operation(DOMAIN_OF[name], Intent(intent))
    assert row is not None
    seen = set()
    for more in ({}, *({"state": state} for state in STATES)):
        step, _ = asked(Capability, house_of_all(**{name: more}), wish(intent, name, **params))
        if isinstance(step, Pass):
            (action,) = step.context.actions
            seen.add(action.operations[-1])
    assert seen
    assert seen <= {row.intent, *lasts(row)}


ANY_VALUE = st.sampled_from((0, 1, 50, 100, 0.0, 0.4, -50, "off", "heat", "eco", True, False, None)) | st.floats(
    -100, 100
)
ANY_ATTRIBUTE = st.none() | st.integers(-1, 256) | st.text(max_size=3)


@pytest.mark.parametrize(
    "row", [row for row in OPERATIONS if row.means is not None], ids=lambda row: f"{row.domain}.{row.intent}"
)
@settings(max_examples=50)
@given(data=st.data())
def test_whatever_it_means(row: Operation, data: st.DataObject) -> None:
    """Whatever the values, several at once, the state and the attributes: what it means is one of the meanings."""
    params = data.draw(st.fixed_dictionaries({}, optional=dict.fromkeys(row.params, ANY_VALUE)))
    attributes = data.draw(
        st.fixed_dictionaries(
            {}, optional=dict.fromkeys(("brightness", "current_position", "percentage"), ANY_ATTRIBUTE)
        )
    )
    state = DeviceState(state=data.draw(st.sampled_from(STATES) | st.text(max_size=5)), attributes=attributes)
    assert row.means is not None
    meant = row.means(params, state)
    assert {*meant[-1:]} <= lasts(row)
    assert meant or () in meanings(row)
