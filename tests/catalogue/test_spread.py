"""What raises the risk of a whole request: several rooms, several doors."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.catalogue.spread import CRITICAL, spread
from custom_components.edgehome.models import Intent
from custom_components.edgehome.plan import Effect, GatedCommand, Reached


def beyond(entity_id: str, verb: str, risk: int, area: str | None = None, kind: str = "light") -> Reached:
    """Something that is reached."""
    return Reached(entity_id=entity_id, device_type=kind, verbs=(verb,), risk=risk, area_id=area)


def action(
    entity_id: str, *verbs: Intent, risk: int = 1, area: str | None = None, kind: str = "light", **more: Any
) -> GatedCommand:
    """An action with its risk."""
    return GatedCommand(
        entity_id=entity_id,
        name=entity_id,
        device_type=kind,
        operations=verbs or (Intent.TURN_ON,),
        effect=Effect.ADJUST,
        area_id=area,
        **{"own_risk": risk, "risk": risk, **more},
    )


OPEN, UNLOCK, BRIGHT, ACTIVATE = Intent.OPEN, Intent.UNLOCK, Intent.SET_BRIGHTNESS, Intent.ACTIVATE


@pytest.mark.parametrize(
    ("actions", "risks"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([action("light.a", area="hall")], [1], id="one"),
        pytest.param([action("light.a", area="hall"), action("light.b", area="hall")], [1, 1], id="one room"),
        pytest.param([action("light.a", area="hall"), action("light.b", area="bed")], [2, 2], id="two rooms"),
        pytest.param([action("light.a", area="hall"), action("light.b")], [1, 1], id="what is in no room is in none"),
        pytest.param([action("light.a"), action("light.b")], [1, 1], id="in no room at all"),
        pytest.param(
            [action("light.a", BRIGHT, area="hall"), action("light.b", BRIGHT, area="bed")], [1, 1], id="values may"
        ),
        pytest.param(
            [action("light.a", BRIGHT, area="hall"), action("light.b", area="bed"), action("light.c", area="bath")],
            [1, 2, 2],
            id="only what is done together",
        ),
        pytest.param(
            [action("switch.a", area="hall", kind="switch", risk=5), action("light.b", area="bed")], [5, 2], id="at most 5"
        ),
        pytest.param(
            [action("scene.a", ACTIVATE, reaches=(beyond("light.a", "turn_on", 1, "hall"), beyond("light.b", "turn_on", 1, "bed")))],
            [2],
            id="a scene over two rooms",
        ),
        pytest.param(
            [action("scene.a", ACTIVATE, reaches=(beyond("light.a", "turn_on", 1, "hall"), beyond("light.b", "turn_on", 1)))],
            [1],
            id="a scene over one room",
        ),
        pytest.param(
            [action("scene.a", ACTIVATE, risk=3, own_risk=1, reaches=(beyond("light.a", "turn_on", 1, "hall"),)), action("light.b", area="bed")],
            [3, 2],
            id="what is risky in no room is not raised",
        ),
        pytest.param(
            [
                action("switch.kettle", area="kitchen", kind="switch", risk=2),
                action("light.a", area="hall"),
                action("light.b", area="bed"),
            ],
            [2, 2, 2],
            id="one kettle and lamps in other rooms are no kettles in several rooms",
        ),
        pytest.param(
            [
                action("switch.a", area="kitchen", kind="switch", risk=2),
                action("switch.b", area="hall", kind="switch", risk=2),
                action("light.c", area="bed"),
            ],
            [3, 3, 2],
            id="two plugs are",
        ),
        pytest.param(
            [
                action("light.closet", area="bed", risk=2, own_risk=1, reaches=(beyond("switch.relay", "turn_on", 2, "bed", "switch"),)),
                action("light.b", area="hall"),
            ],
            [2, 2],
            id="a lamp on a relay is a lamp",
        ),
        pytest.param(
            [
                action("light.a", area="bed", risk=2, own_risk=1, reaches=(beyond("switch.a", "turn_on", 2, "bed", "switch"),)),
                action("light.b", area="hall", risk=2, own_risk=1, reaches=(beyond("switch.b", "turn_on", 2, None, "switch"),)),
            ],
            [2, 2],
            id="so are two",
        ),
        pytest.param(
            [
                action("scene.a", ACTIVATE, area="bed", kind="scene", risk=2, own_risk=1, reaches=(beyond("switch.a", "turn_on", 2, "bed", "switch"),)),
                action("scene.b", ACTIVATE, area="hall", kind="scene", risk=2, own_risk=1, reaches=(beyond("switch.b", "turn_on", 2, "hall", "switch"),)),
            ],
            [3, 3],
            id="scenes are what they do",
        ),
        pytest.param(
            [
                action("light.a", area="bed", risk=2, own_risk=1, reaches=(beyond("switch.a", "turn_on", 2, "bath", "switch"),)),
                action("switch.b", area="hall", kind="switch", risk=2),
            ],
            [3, 3],
            id="a lamp whose relay is in another room",
        ),
        pytest.param(
            [
                action(
                    "script.night",
                    Intent.RUN,
                    risk=2,
                    own_risk=1,
                    reaches=(
                        beyond("light.a", "turn_off", 1, "hall"),
                        beyond("light.b", "turn_off", 1, "bed"),
                        beyond("climate.c", "set_temperature", 2, "bed", "thermostat"),
                    ),
                )
            ],
            [2],
            id="an evening script",
        ),
        pytest.param(
            [action("lock.a", UNLOCK, kind="lock", risk=4), action("lock.b", UNLOCK, kind="lock", risk=4)], [5, 5], id="two locks"
        ),
        pytest.param(
            [action("lock.a", UNLOCK, kind="lock", risk=4), action("cover.b", OPEN, kind="garage_door", risk=4)],
            [5, 5],
            id="a lock and a garage door",
        ),
        pytest.param(
            [action("lock.a", UNLOCK, kind="lock", risk=4), action("cover.b", OPEN, kind="blind")], [4, 1], id="a blind is no door"
        ),
        pytest.param(
            [action("lock.a", Intent.LOCK, kind="lock", risk=4), action("lock.b", Intent.LOCK, kind="lock", risk=4)],
            [4, 4],
            id="locking several",
        ),
        pytest.param(
            [action("cover.a", Intent.SET_POSITION, OPEN, kind="gate", risk=4), action("cover.b", Intent.TOGGLE, OPEN, kind="door", risk=4)],
            [5, 5],
            id="by other names",
        ),
        pytest.param(
            [action("script.a", Intent.RUN, risk=4, reaches=(beyond("lock.a", "unlock", 4, kind="lock"), beyond("cover.b", "open", 4, kind="gate")))],
            [5],
            id="a script that opens two",
        ),
        pytest.param(
            [
                action("script.a", Intent.RUN, risk=4, reaches=(beyond("lock.a", "unlock", 4, kind="lock"),)),
                action("lock.a", UNLOCK, kind="lock", risk=4),
                action("light.a"),
            ],
            [4, 4, 1],
            id="the same door twice is one",
        ),
    ],
)  # fmt: skip
def test_spread(actions: list[GatedCommand], risks: list[int]) -> None:
    """What an action is together with its fellows, with the reason."""
    raised = spread(actions)
    assert [item.risk for item in raised] == risks
    for before, after in zip(actions, raised, strict=True):
        assert len(after.risk_reasons) == (after.risk > before.risk)


AREAS = st.sampled_from([None, "hall", "bed"])
RISKS = st.integers(0, 5)
REACHES = st.lists(
    st.builds(beyond, st.sampled_from(["lock.a", "lock.b", "light.c"]), st.sampled_from(["open", "unlock", "turn_on"]), RISKS, AREAS, st.sampled_from(["lock", "light", "gate"])),
    max_size=3,
).map(tuple)  # fmt: skip
ACTIONS = st.lists(
    st.builds(
        lambda number, verbs, risk, area, kind, reaches: action(
            f"x.{number}", *verbs, risk=risk, area=area, kind=kind, reaches=reaches
        ),
        st.integers(0, 9),
        st.lists(st.sampled_from(Intent), min_size=1, max_size=2),
        RISKS,
        AREAS,
        st.sampled_from(["lock", "light", "garage_door", "switch"]),
        REACHES,
    ),
    max_size=5,
)


@given(actions=ACTIONS, more=ACTIONS)
def test_it_only_raises(actions: list[GatedCommand], more: list[GatedCommand]) -> None:
    """No risk falls, none is above critical, nothing else changes, and more actions never lower any."""
    raised = spread(actions)
    assert [item.entity_id for item in raised] == [item.entity_id for item in actions]
    assert all(
        before.risk <= after.risk <= max(CRITICAL, before.risk) for before, after in zip(actions, raised, strict=True)
    )
    together = spread([*actions, *more])
    assert all(alone.risk <= after.risk for alone, after in zip(raised, together, strict=False))
