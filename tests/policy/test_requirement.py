"""How a rule wants its yes, and that two rules together demand whatever each of them does."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.policy.requirement import NO_TERMS, Requirement, Terms

PEOPLE = ("a", "b", "c")
terms = st.builds(
    Terms,
    approvers=st.none() | st.lists(st.sampled_from(PEOPLE), unique=True).map(tuple),
    seconds=st.none() | st.integers(1, 600),
    pin=st.booleans(),
)


def may(asked: Terms) -> set[str]:
    """Who may say yes."""
    return set(PEOPLE) if asked.approvers is None else set(asked.approvers)


def effect(asked: Terms) -> tuple[set[str], bool, int | None, bool]:
    """What terms come to, whatever the order of names."""
    return may(asked), asked.approvers is None, asked.seconds, asked.pin


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        pytest.param(Terms(), Terms(), Terms(), id="nothing"),
        pytest.param(Terms(approvers=("a",)), Terms(), Terms(approvers=("a",)), id="people of one"),
        pytest.param(Terms(approvers=("a", "b")), Terms(approvers=("b", "c")), Terms(approvers=("b",)), id="of both"),
        pytest.param(Terms(approvers=("a",)), Terms(approvers=("b",)), Terms(approvers=()), id="nobody of both"),
        pytest.param(Terms(approvers=()), Terms(approvers=("a",)), Terms(approvers=()), id="nobody stays nobody"),
        pytest.param(Terms(approvers=()), Terms(), Terms(approvers=()), id="nobody is not everybody"),
        pytest.param(Terms(seconds=60), Terms(seconds=30), Terms(seconds=30), id="the shorter time"),
        pytest.param(Terms(seconds=60), Terms(), Terms(seconds=60), id="the time of one"),
        pytest.param(Terms(pin=True), Terms(), Terms(pin=True), id="a PIN of one"),
        pytest.param(Terms(pin=True), Terms(pin=True), Terms(pin=True), id="a PIN of both"),
        pytest.param(
            Terms(pin=True, seconds=60),
            Terms(approvers=("a",), seconds=20),
            Terms(approvers=("a",), seconds=20, pin=True),
            id="a bit of each",
        ),
    ],
)
def test_joined(one: Terms, other: Terms, both: Terms) -> None:
    """Whatever each of them demands, from either side."""
    assert one.joined(other) == both
    assert other.joined(one) == both


@given(one=terms, other=terms)
def test_neither_is_milder(one: Terms, other: Terms) -> None:
    """Both together let nobody say yes, no longer, and not without a PIN, where one of them would not."""
    both = one.joined(other)
    assert may(both) == may(one) & may(other)
    assert both.pin is (one.pin or other.pin)
    for each in (one, other):
        assert each.approvers is None or both.approvers is not None
        assert each.seconds is None or (both.seconds is not None and both.seconds <= each.seconds)


@given(one=terms, other=terms)
def test_order_does_not_matter(one: Terms, other: Terms) -> None:
    """From either side the effect is the same."""
    assert effect(one.joined(other)) == effect(other.joined(one))


@given(several=st.lists(terms, min_size=3, max_size=3))
def test_grouping_does_not_matter(several: list[Terms]) -> None:
    """Three rules come to the same in any order."""
    effects = [effect(one.joined(two).joined(three)) for one, two, three in permutations(several)]
    effects += [effect(one.joined(two.joined(three))) for one, two, three in permutations(several)]
    assert all(item == effects[0] for item in effects)


@given(asked=terms)
def test_nothing_adds_nothing(asked: Terms) -> None:
    """No terms change nothing, and the same terms twice are the same."""
    assert asked.joined(NO_TERMS) == NO_TERMS.joined(asked) == asked == asked.joined(asked)


@pytest.mark.parametrize(
    ("people", "asked", "more"),
    [
        pytest.param(1, NO_TERMS, {}, id="one person"),
        pytest.param(2, NO_TERMS, {"people": 2}, id="two people"),
        pytest.param(1, Terms(pin=True), {"pin": True}, id="a PIN"),
        pytest.param(2, Terms(pin=True), {"people": 2, "pin": True}, id="both"),
        pytest.param(1, Terms(approvers=("a",), seconds=9), {}, id="who is asked is nobody's business"),
    ],
)
def test_describe(people: int, asked: Terms, more: dict[str, object]) -> None:
    """A caller reads the verdict, the rule, the risk, and what is asked for beyond one person's yes."""
    asked_for = Requirement(verdict="confirm", rule="r", risk=4, about="Lamp", people=people, terms=asked)
    assert asked_for.describe() == {"verdict": "confirm", "rule": "r", "risk": 4, **more}
