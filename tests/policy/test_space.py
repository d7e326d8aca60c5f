"""What rules can be asked about, cut into boxes: a rule's boxes hold what it speaks about, and what is left over is left over."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from custom_components.edgehome.catalogue import OPERATIONS
from custom_components.edgehome.catalogue.action import action_for
from custom_components.edgehome.catalogue.device_types import classes_of
from custom_components.edgehome.catalogue.operation import Operation
from custom_components.edgehome.devices import CustomOperation, DeviceRecord, DeviceState
from custom_components.edgehome.policy.rule import PolicyRule, Verdict
from custom_components.edgehome.policy.space import (
    DAYS,
    UNKNOWN,
    Box,
    Deed,
    Dimension,
    Space,
    TooManyPiecesError,
    deeds_for,
    known_deeds,
    left_over,
)
from custom_components.edgehome.policy.table import PolicyTable
from tests.catalogue.rows import FITS
from tests.policy.made_points import (
    AWAY,
    DEEDS,
    DEVICE_TABLES,
    DOUBTFUL_TABLES,
    HOME,
    LIT,
    OTHER,
    SUNNY,
    TABLES,
    TOOL_TABLES,
    Point,
    certainly,
    first,
    is_known,
    points,
)

SIZES = (0b111, 0b1111, 0b11)
"""Three dimensions with three, four and two values."""
BOXES = st.tuples(*(st.integers(1, size) for size in SIZES))
ALLOW = Verdict.ALLOW


def cells(box: Box) -> set[tuple[int, ...]]:
    """Every single point of a box."""
    return set(product(*([place for place in range(bits.bit_length()) if bits >> place & 1] for bits in box)))


@given(box=BOXES, covers=st.lists(BOXES, max_size=8))
@settings(max_examples=300)
def test_left_over(box: Box, covers: list[Box]) -> None:
    """Something is left over exactly if some point is in no cover; all of what is left over is in none."""
    rest = cells(box) - {cell for cover in covers for cell in cells(cover)}
    found = left_over(box, covers, 10_000)
    assert (found is None) is (not rest)
    assert found is None or (cells(found) and cells(found) <= rest)


@pytest.mark.parametrize(
    ("covers", "found"),
    [
        pytest.param([], (0b111, 0b1111, 0b11), id="nothing covers"),
        pytest.param([(0b111, 0b1111, 0b11)], None, id="itself"),
        pytest.param([(0b111, 0b1111, 0b01), (0b111, 0b1111, 0b10)], None, id="two halves"),
        pytest.param([(0b111, 0b1111, 0b01)], (0b111, 0b1111, 0b10), id="one half"),
        pytest.param([(0b011, 0b1111, 0b11), (0b110, 0b1111, 0b11)], None, id="two that overlap"),
        pytest.param([(0b101, 0b1111, 0b11), (0b111, 0b1011, 0b11)], (0b010, 0b0100, 0b11), id="a corner"),
    ],
)
def test_what_is_left(covers: list[Box], found: Box | None) -> None:
    """What no cover reaches, by example."""
    assert left_over(SIZES, covers, 100) == found


def test_too_many_pieces() -> None:
    """It gives up after so many pieces, and not before."""
    covers = [(1 << one, 0b1111, 0b11) for one in range(3)]
    assert left_over(SIZES, covers, 4) is None
    with pytest.raises(TooManyPiecesError):
        left_over(SIZES, covers, 1)


def place_of(space: Space, point: Point) -> Box:
    """Where a request lies: one bit in each dimension."""
    subject, now = point
    named: dict[str, object] = {
        "deed": (subject.operation, subject.device_type, subject.effect), "risk": subject.risk, "tool": subject.tool,
        "agents": now.principal_id, "speakers": now.speaker, "origins": now.origin, "areas": subject.area_id,
        "floors": subject.floor_id, "entities": subject.key, "weekday": now.weekday,
        "home ": _seen(point, "", ("home", "not_home")), "home light.x": _seen(point, "light.x", ("on", "off")),
        f"condition {SUNNY.raw}": UNKNOWN if now.holds.get(SUNNY) is None else now.holds.get(SUNNY),
        **{f"input {name}": value for name, value in subject.tool_input},
    }  # fmt: skip
    plain = tuple(1 << _index(dimension, named, now.minute) for dimension in space.dimensions)
    return plain + tuple(0b10 if label in subject.labels else 0b01 for label in space.labels)


def _seen(point: Point, entity_id: str, states: tuple[str, ...]) -> object:
    held = {one: met for one, met in point[1].holds.items() if one.entity_id == entity_id and not one.raw}
    if None in held.values():
        return UNKNOWN
    return next((state for state in states if all((state in one.states) is met for one, met in held.items())), OTHER)


def _index(dimension: Dimension, named: dict[str, object], minute: int) -> int:
    if dimension.name == "minute":
        return max(place for place, start in enumerate(dimension.values) if isinstance(start, int) and start <= minute)
    value = named[dimension.name]
    return dimension.values.index(value if value in dimension.values else None)


@given(table=DEVICE_TABLES | TOOL_TABLES)
@settings(max_examples=150)
def test_boxes(table: PolicyTable) -> None:
    """A request lies in a box of a rule exactly if the rule speaks about it beyond doubt."""
    space = Space(table.rules, DEEDS)
    boxes = {rule.id: space.boxes(rule) for rule in table.rules}
    for point in points(table):
        here = place_of(space, point)
        for rule in table.rules:
            inside = any(all(mine & its for mine, its in zip(here, box, strict=True)) for box in boxes[rule.id])
            assert inside is certainly(rule, point)


@given(table=DEVICE_TABLES | TOOL_TABLES | DOUBTFUL_TABLES)
@settings(max_examples=100)
def test_boxes_in_doubt(table: PolicyTable) -> None:
    """It lies in one of those in doubt exactly if the rule may speak about it; its own boxes are within them."""
    space = Space(table.rules, DEEDS)
    boxes = {rule.id: space.boxes(rule, in_doubt=True) for rule in table.rules}
    for point in points(table):
        here = place_of(space, point)
        for rule in table.rules:
            inside = any(all(mine & its for mine, its in zip(here, box, strict=True)) for box in boxes[rule.id])
            assert inside is (rule.failing(*point) is None)


@given(table=TABLES)
@settings(max_examples=30)
def test_the_first_decides(table: PolicyTable) -> None:
    """Where all is known of the home, the first rule that speaks beyond doubt is the one that the table decides by."""
    for point in filter(is_known, points(table)):
        assert table.decide(*point) is first(table, point)


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        pytest.param([{}], {"operation": "lock", "device_type": "lock"}, id="everything: any request"),
        pytest.param(
            [{"device_types": ("light",), "risk": (3, 5)}],
            {"operation": "turn_on", "device_type": "light", "risk": 3},
            id="a type and risks",
        ),
        pytest.param(
            [{"agents": ("hermes",), "areas": ("hall",), "weekdays": (2, 5), "hours": (1320, 360)}],
            {"operation": "lock", "device_type": "lock", "agents": "hermes", "areas": "hall", "weekday": "wed", "minute": "00:00"},
            id="who, where, when",
        ),
        pytest.param(
            [{"home": (HOME, LIT, SUNNY)}],
            {"operation": "lock", "device_type": "lock", "home ": "home", "home light.x": "on", f"condition {SUNNY.raw}": True},
            id="how the home is",
        ),
        pytest.param(
            [{"labels": ("doors", "outside")}],
            {"operation": "lock", "device_type": "lock", "labels": ["doors"]},
            id="one of its labels",
        ),
        pytest.param(
            [{"tool": "mail", "tool_input": (("to", '"a"'),)}], {"tool": "mail", "input to": '"a"'}, id="a tool"
        ),
    ],
)  # fmt: skip
def test_point(rules: list[dict[str, object]], told: dict[str, object]) -> None:
    """A point in words says only what the box does not leave open."""
    made = [PolicyRule(**{"id": "r", "verdict": ALLOW, **rule}) for rule in rules]  # type: ignore[arg-type]
    space = Space(made, DEEDS)
    assert space.point(space.boxes(made[0])[0]) == told


def test_any_other() -> None:
    """What is left over beside everything that rules name is called any other."""
    named = PolicyRule(id="r", verdict=ALLOW, agents=("hermes",))
    space = Space([named], DEEDS)
    rest = left_over(space.boxes(PolicyRule(id="all", verdict=ALLOW))[0], space.boxes(named), 100)
    assert rest
    assert space.point(rest) == {"operation": "lock", "device_type": "lock", "agents": "any other"}


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param({"risk": (4, 3)}, id="risks upside down"),
        pytest.param({"operations": ("unlock",), "device_types": ("light",)}, id="no such operation on a type"),
        pytest.param({"operations": ("lock",), "effects": ("unsecure",)}, id="no such effect of an operation"),
        pytest.param({"operations": ("dance",)}, id="no such operation"),
        pytest.param({"home": (HOME, AWAY)}, id="somebody and nobody is home"),
    ],
)
def test_no_box(rule: dict[str, object]) -> None:
    """What nothing can ever meet has no box."""
    made = PolicyRule(**{"id": "r", "verdict": ALLOW, **rule})  # type: ignore[arg-type]
    assert Space([made], DEEDS).boxes(made) == []


WHISTLE = CustomOperation(name="whistle", domain="vacuum", service="x.whistle", effect="motion", risk=2)
UNLISTED = CustomOperation(name="chime", domain="chimes", service="chimes.chime", effect="run", risk=2)


@pytest.mark.parametrize(
    ("deed", "customs", "known"),
    [
        pytest.param(("unlock", "lock", "unsecure"), (), True, id="unlocking"),
        pytest.param(("open", "garage_door", "unsecure"), (), True, id="opening a barrier unsecures"),
        pytest.param(("open", "blind", "motion"), (), True, id="opening a blind moves"),
        pytest.param(("open", "blind", "unsecure"), (), False, id="opening a blind unsecures nothing"),
        pytest.param(("status", "lock", "read"), (), True, id="reading"),
        pytest.param(("unlock", "light", "unsecure"), (), False, id="no lamp is unlocked"),
        pytest.param(("status", "sensor", "read"), (), True, id="reading a sensor"),
        pytest.param(("status", "binary_sensor", "read"), (), True, id="and one that is on or off"),
        pytest.param(("turn_on", "sensor", "adjust"), (), False, id="a sensor is only read"),
        pytest.param(("status", "weather", "read"), (), False, id="no word for the weather"),
        pytest.param(("set_position", "gate", "unsecure"), (), True, id="a position may open"),
        pytest.param(("set_position", "gate", "secure"), (), True, id="or close"),
        pytest.param(("set_position", "gate", "motion"), (), True, id="or be said by its own word"),
        pytest.param(("set_position", "blind", "unsecure"), (), False, id="that of a blind opens no barrier"),
        pytest.param(("toggle", "valve", "secure"), (), True, id="a toggle may close"),
        pytest.param(("arm_home", "alarm", "unsecure"), (), True, id="arming may lower an alarm"),
        pytest.param(("whistle", "vacuum", "motion"), (), False, id="nobody added it"),
        pytest.param(("whistle", "vacuum", "motion"), (WHISTLE,), True, id="the owner added it"),
        pytest.param(("chime", "chimes", "run"), (UNLISTED,), True, id="to a domain that is not in the catalogue"),
    ],
)
def test_known_deeds(deed: Deed, customs: tuple[CustomOperation, ...], known: bool) -> None:
    """Everything of the catalogue can be done, and what the owner added; nothing else."""
    assert (deed in known_deeds(customs)) is known


def reading(*kinds: str) -> PolicyTable:
    """A table with a rule about these types."""
    return PolicyTable(name="made", rules=(PolicyRule(id="r", verdict=ALLOW, device_types=kinds),))


@pytest.mark.parametrize(
    ("tables", "customs", "more"),
    [
        pytest.param([], (), [], id="no table"),
        pytest.param([reading()], (), [], id="no type"),
        pytest.param([reading("light", "sensor")], (), [], id="types that are known"),
        pytest.param([reading("weather")], (), [("status", "weather", "read")], id="one that is not"),
        pytest.param(
            [reading("weather", "sun"), reading("sun", "light", "person")],
            (),
            [("status", "weather", "read"), ("status", "sun", "read"), ("status", "person", "read")],
            id="each once, of both tables",
        ),
        pytest.param([reading("chimes")], (UNLISTED,), [], id="a type of the owner's operation"),
    ],
)  # fmt: skip
def test_deeds_for(tables: list[PolicyTable], customs: tuple[CustomOperation, ...], more: list[Deed]) -> None:
    """Whatever type a table names can be read."""
    assert deeds_for(tables, customs) == (*known_deeds(customs), *more)


ROWS_AND_KINDS = [(row, kind) for row in OPERATIONS for kind in classes_of(row.domain) or (row.domain,)]
STATES = ("on", "off", "open", "closed", "heat", "disarmed", "armed_away", "armed_home", "playing", "locked", "unknown")
RIGHT = [(service.partition(".")[0], intent, params) for intent, _, params, service, *_ in FITS]
"""Domain, intent and values of right proposals."""


@pytest.mark.parametrize(
    ("row", "kind"),
    [pytest.param(row, kind, id=f"{kind} {row.domain} {row.intent}") for row, kind in ROWS_AND_KINDS],
)
def test_whatever_is_asked_is_known(row: Operation, kind: str) -> None:
    """Whatever the policy is asked about an action is among what can be done: by its own word, and by what it means."""
    record = DeviceRecord(entity_id=f"{row.domain}.x", key="k", name="X", device_type=kind)
    sent = [{}, *(params for domain, intent, params in RIGHT if (domain, intent) == (row.domain, row.intent))]
    for params, state in product(sent, STATES):
        for subject in action_for(record, row.intent, params, DeviceState(state=state)).subjects:
            assert (subject.operation, subject.device_type, subject.effect) in known_deeds()


def test_days() -> None:
    """The week begins on Monday."""
    assert DAYS == ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
