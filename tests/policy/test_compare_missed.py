"""Where a new table is milder and the comparison does not tell it yet: each with what would be right."""

import pytest

from custom_components.edgehome.policy.compare import widenings
from custom_components.edgehome.policy.requirement import Terms
from custom_components.edgehome.policy.rule import Circumstances, HomeCondition, Subject
from custom_components.edgehome.policy.table import PolicyTable
from tests.policy.made_points import AWAY, DEEDS, HOME, LIT, Point, said
from tests.policy.test_compare import CONFIRM, DENY, IF_LIT, ON_MONDAYS, lets_more, table_of

TARGETS = pytest.mark.xfail(strict=True, reason="a space knows nothing of what is done to something that is not told")
GONE = pytest.mark.xfail(strict=True, reason="where an entity is unavailable all but that is unknown, and not untrue")
USUAL = pytest.mark.xfail(strict=True, reason="joined() takes no time for no demand, demands_less() for the usual one")
UNAVAILABLE = HomeCondition(entity_id="light.x", states=("unavailable",))
IN_HALL, IF_GONE = {"areas": ("hall",)}, {"home": (UNAVAILABLE,)}
ANYWAY = [{"verdict": CONFIRM, "home": (HOME,)}, {"verdict": CONFIRM, "home": (AWAY,)}]


@pytest.mark.parametrize(
    ("old", "new", "point"),
    [
        pytest.param(
            table_of({**ON_MONDAYS, **IN_HALL}, {**IN_HALL, "verdict": DENY}, {}),
            table_of(ON_MONDAYS, {**IN_HALL, "verdict": DENY}, {}),
            (Subject("lock", "lock", 4, "secure", is_known=False), Circumstances()),
            id="a script on a lock that is not told",
            marks=TARGETS,
        ),
        pytest.param(
            table_of({**IF_LIT, "verdict": CONFIRM}, IF_GONE),
            table_of(IF_GONE, {**IF_LIT, "verdict": CONFIRM}),
            (Subject("lock", "lock", 4, "secure"), Circumstances(holds={LIT: None, UNAVAILABLE: True})),
            id="an entity that is unavailable",
            marks=GONE,
        ),
        pytest.param(
            table_of(*ANYWAY, {"verdict": CONFIRM, "terms": Terms(seconds=500)}),
            table_of(*ANYWAY, {"verdict": CONFIRM, "terms": Terms(seconds=900)}),
            (Subject("lock", "lock", 4, "secure"), Circumstances(holds={HOME: None, AWAY: None})),
            id="the time of one rule and no time of another",
            marks=USUAL,
        ),
    ],
)
def test_not_missed(old: PolicyTable, new: PolicyTable, point: Point) -> None:
    """Where the tables themselves are milder, something is told."""
    assert lets_more(said(new, point), said(old, point))
    assert list(widenings(old, new, DEEDS))
