"""The policy table: the first rule that matches decides, the last row denies."""

from collections.abc import Iterable
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.policy.requirement import NO_TERMS, Terms
from custom_components.edgehome.policy.rule import PolicyRule, Subject, Verdict, severity
from custom_components.edgehome.policy.table import LAST_ROW, UNREADABLE, PolicyTable

WORDS = ("turn_on", "lock", "unlock", "open")
TYPES = ("light", "lock", "garage_door")
RISKS = st.integers(0, 5)


def subjects(names: Iterable[str], device_type: str, risk: int) -> list[Subject]:
    """An action under each of its names."""
    return [Subject(name, device_type, risk) for name in names]


verdicts = st.sampled_from(Verdict)
rules = st.builds(
    PolicyRule,
    id=st.text(min_size=1, max_size=5),
    verdict=verdicts,
    operations=st.lists(st.sampled_from(WORDS), max_size=2).map(tuple),
    device_types=st.lists(st.sampled_from(TYPES), max_size=2).map(tuple),
    risk=st.tuples(RISKS, RISKS),
)
tables = st.builds(PolicyTable, name=st.just("made"), rules=st.lists(rules, max_size=8).map(tuple))
names = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(tuple)


@pytest.mark.parametrize(
    ("rule", "operation", "device_type", "risk", "matches"),
    [
        pytest.param(PolicyRule(id="r", verdict=Verdict.ALLOW), "turn_on", "light", 0, True, id="everything"),
        pytest.param(PolicyRule(id="r", verdict=Verdict.ALLOW), "unlock", "lock", 5, True, id="everything else"),
        pytest.param(
            PolicyRule(id="r", verdict=Verdict.ALLOW, operations=("lock",)), "lock", "x", 3, True, id="operation"
        ),
        pytest.param(
            PolicyRule(id="r", verdict=Verdict.ALLOW, operations=("lock",)),
            "unlock",
            "x",
            3,
            False,
            id="other operation",
        ),
        pytest.param(
            PolicyRule(id="r", verdict=Verdict.ALLOW, device_types=("lock",)), "open", "lock", 3, True, id="device type"
        ),
        pytest.param(
            PolicyRule(id="r", verdict=Verdict.ALLOW, device_types=("lock",)), "open", "gate", 3, False, id="other type"
        ),
        pytest.param(PolicyRule(id="r", verdict=Verdict.ALLOW, risk=(2, 3)), "x", "x", 1, False, id="below"),
        pytest.param(PolicyRule(id="r", verdict=Verdict.ALLOW, risk=(2, 3)), "x", "x", 2, True, id="lower end"),
        pytest.param(PolicyRule(id="r", verdict=Verdict.ALLOW, risk=(2, 3)), "x", "x", 3, True, id="upper end"),
        pytest.param(PolicyRule(id="r", verdict=Verdict.ALLOW, risk=(2, 3)), "x", "x", 4, False, id="above"),
        pytest.param(PolicyRule(id="r", verdict=Verdict.ALLOW, risk=(3, 2)), "x", "x", 3, False, id="upside down"),
        pytest.param(PolicyRule(id="r", verdict=Verdict.ALLOW, operations=("",)), "x", "x", 3, False, id="empty word"),
        pytest.param(PolicyRule(id="r", verdict=Verdict.ALLOW, operations=("*",)), "x", "x", 3, False, id="a star"),
    ],
)
def test_match(rule: PolicyRule, operation: str, device_type: str, risk: int, matches: bool) -> None:
    """A rule speaks about exactly what it names."""
    assert (rule.failing(Subject(operation, device_type, risk)) is None) is matches


def test_first_match_wins() -> None:
    """The order decides, not the strictness."""
    table = PolicyTable(
        name="made",
        rules=(
            PolicyRule(id="first", operations=("lock",), verdict=Verdict.ALLOW),
            PolicyRule(id="second", verdict=Verdict.DENY),
        ),
    )
    assert table.decide(Subject("lock", "lock", 4)).id == "first"
    assert table.decide(Subject("unlock", "lock", 4)).id == "second"


def test_strictest_of_equals_is_the_first() -> None:
    """Of two rules that are as strict the one of the first name is told."""
    table = PolicyTable(
        name="made",
        rules=(
            PolicyRule(id="a", operations=("open",), verdict=Verdict.CONFIRM),
            PolicyRule(id="b", operations=("unlock",), verdict=Verdict.CONFIRM),
        ),
    )
    assert table.strictest(subjects(("open", "unlock"), "lock", 4))[0].id == "a"
    assert table.strictest(subjects(("unlock", "open"), "lock", 4))[0].id == "b"


def test_no_name_is_denied() -> None:
    """An action without a name is nothing that a rule allows."""
    table = PolicyTable(name="made", rules=(PolicyRule(id="all", verdict=Verdict.ALLOW),))
    assert table.strictest(subjects((), "light", 1)) == (LAST_ROW, NO_TERMS)


@pytest.mark.parametrize(("verdict", "rank"), [(Verdict.ALLOW, 0), (Verdict.CONFIRM, 1), (Verdict.DENY, 2)], ids=str)
def test_severity(verdict: Verdict, rank: int) -> None:
    """Allow is mildest, deny strictest."""
    assert severity(verdict) == rank


@given(operation=st.text(), device_type=st.text(), risk=st.integers())
def test_last_row_denies(operation: str, device_type: str, risk: int) -> None:
    """Without a rule that matches, everything is denied."""
    assert UNREADABLE.decide(Subject(operation, device_type, risk)) is LAST_ROW
    assert LAST_ROW.verdict is Verdict.DENY


@given(table=tables, names=names, device_type=st.sampled_from(TYPES), risk=RISKS)
def test_strictest_is_never_milder(table: PolicyTable, names: tuple[str, ...], device_type: str, risk: int) -> None:
    """The verdict on an action is as strict as that on each of its names, and is one of them (R5)."""
    whole = severity(table.strictest(subjects(names, device_type, risk))[0].verdict)
    each = [severity(table.decide(Subject(name, device_type, risk)).verdict) for name in names]
    assert whole == max(each)


@given(table=tables, names=names, more=st.sampled_from(WORDS), device_type=st.sampled_from(TYPES), risk=RISKS)
def test_another_name_never_widens(
    table: PolicyTable, names: tuple[str, ...], more: str, device_type: str, risk: int
) -> None:
    """An action with one name more is judged at least as strictly."""
    before = severity(table.strictest(subjects(names, device_type, risk))[0].verdict)
    assert severity(table.strictest(subjects((*names, more), device_type, risk))[0].verdict) >= before


@given(table=tables, deny=rules, at=st.integers(0, 8), names=names, device_type=st.sampled_from(TYPES), risk=RISKS)
def test_a_deny_never_widens(
    table: PolicyTable, deny: PolicyRule, at: int, names: tuple[str, ...], device_type: str, risk: int
) -> None:
    """A denying rule, wherever it is put, makes no verdict milder."""
    rule = PolicyRule(
        id="no", verdict=Verdict.DENY, operations=deny.operations, device_types=deny.device_types, risk=deny.risk
    )
    stricter = PolicyTable(name="made", rules=(*table.rules[:at], rule, *table.rules[at:]))
    before = severity(table.strictest(subjects(names, device_type, risk))[0].verdict)
    assert severity(stricter.strictest(subjects(names, device_type, risk))[0].verdict) >= before


@given(table=tables, names=names, device_type=st.sampled_from(TYPES), risk=RISKS)
def test_only_a_rule_allows(table: PolicyTable, names: tuple[str, ...], device_type: str, risk: int) -> None:
    """Whatever decides is a rule of the table or the last row."""
    assert table.strictest(subjects(names, device_type, risk))[0] in (*table.rules, LAST_ROW)


@given(one=tables, other=tables)
def test_digest_tells_tables_apart(one: PolicyTable, other: PolicyTable) -> None:
    """Two tables have the same digest exactly if they are equal."""
    assert (one.digest == other.digest) is (one == other)


def test_digest_knows_name_and_order() -> None:
    """A table of another name or order is another table."""
    first, second = PolicyRule(id="a", verdict=Verdict.ALLOW), PolicyRule(id="b", verdict=Verdict.DENY)
    digests = {
        PolicyTable(name="made", rules=(first, second)).digest,
        PolicyTable(name="made", rules=(second, first)).digest,
        PolicyTable(name="other", rules=(first, second)).digest,
    }
    assert len(digests) == 3


OPEN_PIN = PolicyRule(id="open", operations=("open",), verdict=Verdict.CONFIRM, terms=Terms(pin=True))
UNLOCK_ANNA = PolicyRule(
    id="unlock", operations=("unlock",), verdict=Verdict.CONFIRM, terms=Terms(approvers=("anna",), seconds=20)
)
LOCK_MILD = PolicyRule(id="lock", operations=("lock",), verdict=Verdict.ALLOW, terms=Terms(pin=True, seconds=1))
NO_TURNING = PolicyRule(id="on", operations=("turn_on",), verdict=Verdict.DENY)
BOTH = Terms(approvers=("anna",), seconds=20, pin=True)


@pytest.mark.parametrize("rules", list(permutations((OPEN_PIN, UNLOCK_ANNA, LOCK_MILD, NO_TURNING))))
@pytest.mark.parametrize(
    ("names", "rule", "terms"),
    [
        pytest.param(("open",), "open", Terms(pin=True), id="one name"),
        pytest.param(("open", "unlock"), "open", BOTH, id="two names"),
        pytest.param(("unlock", "open"), "unlock", BOTH, id="the other way round"),
        pytest.param(("lock", "unlock"), "unlock", UNLOCK_ANNA.terms, id="a milder rule's terms are not added"),
        pytest.param(("open", "unlock", "turn_on"), "on", NO_TERMS, id="a denial has none"),
    ],
)
def test_terms(rules: tuple[PolicyRule, ...], names: tuple[str, ...], rule: str, terms: Terms) -> None:
    """All rules that ask add their terms, whatever their order in the table and that of the names."""
    found, joined = PolicyTable(name="made", rules=rules).strictest(subjects(names, "lock", 4))
    assert (found.id, joined) == (rule, terms)


def test_digest_knows_terms() -> None:
    """A table whose rule wants a PIN is another table."""
    plain = PolicyRule(id="open", operations=("open",), verdict=Verdict.CONFIRM)
    digests = {PolicyTable(name="made", rules=(rule,)).digest for rule in (plain, OPEN_PIN)}
    assert len(digests) == 2
