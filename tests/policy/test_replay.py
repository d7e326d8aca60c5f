"""What another table would have said: requests alike are told once, how often and when last, and what cannot be told is."""

from collections.abc import Iterable
from typing import Any

import pytest

from custom_components.edgehome.policy.decision import FLOOR_OPAQUE, Decision, decide_all
from custom_components.edgehome.policy.question import Inputs, Question
from custom_components.edgehome.policy.replay import MOST_TRIED, Difference, Replay, depends_on, replayed
from custom_components.edgehome.policy.requirement import NO_TERMS, Terms
from custom_components.edgehome.policy.rule import HomeCondition, PolicyRule, Subject, Verdict
from custom_components.edgehome.policy.table import UNREADABLE, PolicyTable

ALLOW, CONFIRM, DENY = Verdict.ALLOW, Verdict.CONFIRM, Verdict.DENY
HOME = HomeCondition(states=("home",))
NIGHT = HomeCondition(entity_id="input_boolean.night", states=("on",))
PIN, ANNAS = Terms(pin=True), Terms(approvers=("anna",), seconds=20)


def table_of(*rows: dict[str, Any]) -> PolicyTable:
    """A table of rows that allow, called a, b, c and so on."""
    rules = (PolicyRule(**{"id": "abcdefgh"[number], "verdict": ALLOW, **row}) for number, row in enumerate(rows))
    return PolicyTable(name="made", rules=tuple(rules))


EVERYTHING, ASKING, NOTHING = table_of({}), table_of({"verdict": CONFIRM}), UNREADABLE
WITH_PIN = table_of({"verdict": CONFIRM, "terms": PIN})


def about(name: str, operation: str = "turn_on", **more: Any) -> Question:
    """A question about one action on a lamp."""
    subject = {name: more.pop(name) for name in ("is_known", "area_id") if name in more}
    return Question(**{"name": name, "subjects": (Subject(operation, "light", 1, **subject),), **more})


def asked(*questions: Question, principal: str = "Hermes", **more: Any) -> str:
    """A request as it is kept."""
    kept = {"principal_id": principal.casefold(), "principal": principal, "questions": questions}
    return Inputs(**{**kept, **more}).to_json()


def days(*texts: str) -> list[tuple[str, str]]:
    """One request a day."""
    return [(f"2026-11-{day:02}T00:00:00+00:00", text) for day, text in enumerate(texts, 1)]


def told(replay: Replay) -> list[tuple[str, int]]:
    """What is different, and how often."""
    return [(one.about, one.times) for one in replay.differences]


LAMP, STOVE = about("Lamp"), about("Stove")


def test_alike() -> None:
    """Requests alike are one difference: how often, and when last."""
    recorded = days(
        asked(LAMP), asked(STOVE), asked(LAMP), asked(LAMP, principal="Iris"), asked(about("Lamp", "turn_off"))
    )
    found = replayed(recorded, EVERYTHING, ASKING)
    assert (found.looked_at, found.unreadable) == (5, 0)
    assert found.differences[0] == Difference(
        principal="Hermes",
        operation="turn_on",
        about="Lamp",
        before=Decision(verdict=ALLOW, rule="a"),
        after=Decision(verdict=CONFIRM, rule="a"),
        times=2,
        last_at="2026-11-03T00:00:00+00:00",
        risk=1,
    )
    assert [(one.principal, one.operation, one.about, one.times) for one in found.differences[1:]] == [
        ("Iris", "turn_on", "Lamp", 1),
        ("Hermes", "turn_off", "Lamp", 1),
        ("Hermes", "turn_on", "Stove", 1),
    ]


def test_no_difference() -> None:
    """What would be decided as it was is counted and not told, by whatever rule."""
    other = table_of({"operations": ("turn_off",)}, {})
    assert replayed(days(asked(LAMP), asked(STOVE)), EVERYTHING, other) == Replay(
        looked_at=2, unreadable=0, differences=()
    )
    assert replayed([], EVERYTHING, NOTHING) == Replay(looked_at=0, unreadable=0, differences=())


def test_unreadable() -> None:
    """What cannot be read is counted; the others are told."""
    found = replayed(days("", asked(LAMP), "{}", "", asked()), EVERYTHING, NOTHING)
    assert (found.looked_at, found.unreadable, told(found)) == (5, 3, [("Lamp", 1)])


@pytest.mark.parametrize(
    ("names", "said"),
    [
        pytest.param(["A"], "A", id="one"),
        pytest.param(["A", "A", "B"], "A and 1 more", id="each once"),
        pytest.param(["A", "B", "C"], "A and 2 more", id="three"),
        pytest.param(["A", "B", "C", "D", "E"], "A and 4 more", id="more than three"),
    ],
)
def test_about(names: list[str], said: str) -> None:
    """A request is told by the riskiest of what it is about, and how many others there are."""
    (one,) = replayed(days(asked(*(about(name) for name in names))), EVERYTHING, NOTHING).differences
    assert one.about == said


def test_a_tool() -> None:
    """A call of a tool is told by the tool."""
    call = Question(name="mail", subjects=(Subject("", "", 0, tool="mail"),))
    (one,) = replayed(days(asked(call)), NOTHING, table_of({"tool": "mail"})).differences
    assert (one.operation, one.about, one.is_wider) == ("mail", "mail", True)


@pytest.mark.parametrize(
    ("old", "new", "is_wider"),
    [
        pytest.param(NOTHING, EVERYTHING, True, id="denied, allowed"),
        pytest.param(NOTHING, ASKING, True, id="denied, asked"),
        pytest.param(ASKING, EVERYTHING, True, id="asked, allowed"),
        pytest.param(EVERYTHING, ASKING, False, id="allowed, asked"),
        pytest.param(ASKING, NOTHING, False, id="asked, denied"),
        pytest.param(WITH_PIN, ASKING, True, id="no PIN any more"),
        pytest.param(ASKING, WITH_PIN, False, id="a PIN now"),
        pytest.param(WITH_PIN, EVERYTHING, True, id="with a PIN, unasked"),
        pytest.param(
            table_of({"verdict": CONFIRM, "terms": Terms(approvers=("anna",))}),
            table_of({"verdict": CONFIRM, "terms": Terms(approvers=("bert",))}),
            True,
            id="another person",
        ),
    ],
)
def test_wider(old: PolicyTable, new: PolicyTable, is_wider: bool) -> None:
    """Whether more would have happened, or with less asked."""
    (one,) = replayed(days(asked(LAMP)), old, new).differences
    assert one.is_wider is is_wider


def test_order() -> None:
    """What is wider comes first, then what is most frequent, then by name."""
    old = table_of({"operations": ("turn_off",), "verdict": DENY}, {})
    new = table_of({"operations": ("turn_off",)}, {"verdict": DENY})
    often = [asked(about("Often"))] * 3
    rare = [asked(about("Zoo")), asked(about("Attic"))]
    wider = [asked(about("Wider", "turn_off"))]
    assert told(replayed(days(*rare, *often, *wider), old, new)) == [
        ("Wider", 1),
        ("Often", 3),
        ("Attic", 1),
        ("Zoo", 1),
    ]


AT_HOME = table_of({"home": (HOME,)}, {"verdict": CONFIRM})
AT_NIGHT = table_of({"home": (NIGHT,), "verdict": DENY}, {})
NOT_FOR_LAMPS = table_of({"device_types": ("lock",), "home": (HOME,), "verdict": DENY}, {})
ALL_THE_SAME = table_of({"home": (HOME,)}, {})
IN_THE_HALL = table_of({"device_types": ("lock",), "home": (HOME,)}, {"areas": ("hall",)}, {"verdict": CONFIRM})
PIN_AT_HOME = table_of({"home": (HOME,), "verdict": CONFIRM, "terms": PIN}, {"verdict": CONFIRM})


@pytest.mark.parametrize(
    ("new", "question", "holds", "after", "undecidable"),
    [
        pytest.param(AT_HOME, LAMP, (), CONFIRM, True, id="nobody looked"),
        pytest.param(AT_HOME, LAMP, ((NIGHT, True),), CONFIRM, True, id="nobody looked at that"),
        pytest.param(AT_HOME, LAMP, ((HOME, True),), None, False, id="somebody was home"),
        pytest.param(AT_HOME, LAMP, ((HOME, False),), CONFIRM, False, id="nobody was home"),
        pytest.param(AT_HOME, LAMP, ((HOME, None),), CONFIRM, False, id="nobody knew"),
        pytest.param(AT_NIGHT, LAMP, (), DENY, True, id="denied perhaps: the strictest that may be"),
        pytest.param(AT_NIGHT, LAMP, ((NIGHT, None),), DENY, False, id="nobody knew, so denied"),
        pytest.param(NOT_FOR_LAMPS, LAMP, (), None, False, id="a condition of something else"),
        pytest.param(ALL_THE_SAME, LAMP, (), None, False, id="all the same"),
        pytest.param(
            IN_THE_HALL,
            about("Lamp", is_known=False),
            (),
            CONFIRM,
            False,
            id="not for what is not named",
        ),
        pytest.param(
            PIN_AT_HOME,
            LAMP,
            (),
            CONFIRM,
            True,
            id="with a PIN or without",
        ),
    ],
)  # fmt: skip
def test_undecidable(
    new: PolicyTable,
    question: Question,
    holds: tuple[tuple[HomeCondition, bool | None], ...],
    after: Verdict | None,
    undecidable: bool,
) -> None:
    """What depends on something of the home that was not looked at cannot be told; what was looked at decides."""
    found = replayed(days(asked(question, holds=holds)), EVERYTHING, new).differences
    assert [(one.after.verdict, one.undecidable) for one in found] == ([] if after is None else [(after, undecidable)])


def test_undecidable_as_before() -> None:
    """What cannot be told is told as such, even where the strictest that may be is what was decided."""
    (one,) = replayed(days(asked(LAMP)), ASKING, AT_HOME).differences
    assert (one.before.verdict, one.after.verdict, one.undecidable) == (CONFIRM, CONFIRM, True)


def test_undecidable_by_what_it_reaches() -> None:
    """So it is with what a request reaches."""
    lock = (Subject("unlock", "lock", 4),)
    found = replayed(days(asked(about("Scene", reaches=(lock,)))), EVERYTHING, NOT_FOR_LAMPS).differences
    assert [(one.after.verdict, one.undecidable) for one in found] == [(DENY, True)]


def test_undecidable_apart() -> None:
    """What could be told and what could not are two differences."""
    recorded = days(asked(LAMP, holds=((HOME, False),)), asked(LAMP))
    found = replayed(recorded, EVERYTHING, AT_HOME).differences
    assert sorted((one.undecidable, one.times) for one in found) == [(False, 1), (True, 1)]


HALL = (Subject("unlock", "lock", 4, area_id="hall"),)
SOMEWHERE = Question(name="Script", subjects=(Subject("unlock", "lock", 4, is_known=False),))


@pytest.mark.parametrize(
    ("table", "question", "unseen", "depends"),
    [
        pytest.param(AT_HOME, LAMP, (HOME,), True, id="it is asked for"),
        pytest.param(AT_HOME, LAMP, (), False, id="nothing was not looked at"),
        pytest.param(AT_HOME, LAMP, (NIGHT,), False, id="it is not asked for"),
        pytest.param(AT_HOME, LAMP, (NIGHT, HOME), True, id="one of both is asked for"),
        pytest.param(ALL_THE_SAME, LAMP, (HOME,), False, id="whatever it is, the verdict is the same"),
        pytest.param(PIN_AT_HOME, LAMP, (HOME,), True, id="with a PIN or without"),
        pytest.param(NOT_FOR_LAMPS, LAMP, (HOME,), False, id="something else asks for it"),
        pytest.param(NOT_FOR_LAMPS, about("Scene", reaches=(HALL,)), (HOME,), True, id="what it reaches asks for it"),
        pytest.param(AT_HOME, about("Lamp", already_so=True), (HOME,), False, id="nobody is asked about what is so"),
        pytest.param(AT_HOME, about("Lamp", opaque=True), (HOME,), False, id="the floor asks anyway"),
        pytest.param(
            table_of({"areas": ("hall",), "home": (HOME,)}, {"verdict": CONFIRM}), SOMEWHERE, (HOME,), False, id="asked anyway, as nobody knows where"
        ),
        pytest.param(
            table_of({"areas": ("hall",), "verdict": DENY}, {"home": (HOME,)}, {"verdict": CONFIRM}), SOMEWHERE, (HOME,), False, id="denied anyway, as nobody knows where"
        ),
        pytest.param(table_of({"home": (HOME, NIGHT)}, {"verdict": CONFIRM}), LAMP, (HOME, NIGHT), True, id="both together"),
        pytest.param(table_of({"home": (HOME,)}, {"home": (NIGHT,)}, {}), LAMP, (HOME, NIGHT), False, id="three ways to the same"),
    ],
)  # fmt: skip
def test_depends_on(table: PolicyTable, question: Question, unseen: tuple[HomeCondition, ...], depends: bool) -> None:
    """What was not looked at is tried out, each way it may have been."""
    assert depends_on(table, Inputs.from_json(asked(question)), unseen) is depends


@pytest.mark.parametrize(
    ("holds", "depends"),
    [
        pytest.param(True, False, id="it held, so the other does not matter"),
        pytest.param(False, True, id="it did not, so the other decides"),
        pytest.param(None, False, id="nobody knew, so it is denied or asked either way"),
    ],
)
def test_depends_on_the_rest(holds: bool | None, depends: bool) -> None:
    """What was looked at stays as it was."""
    table = table_of({"home": (HOME,), "verdict": DENY}, {"home": (NIGHT,)}, {"verdict": CONFIRM})
    inputs = Inputs.from_json(asked(LAMP, holds=((HOME, holds),)))
    assert depends_on(table, inputs, (NIGHT,)) is depends


def test_not_what_it_could_not_be() -> None:
    """What is decided the same whatever the home was is told as that, or as what cannot be told."""
    new = table_of({"operations": ("turn_on",), "home": (HOME,)}, {"home": (HOME, NIGHT), "verdict": DENY}, {})
    holds = [((HOME, first), (NIGHT, second)) for first in (True, False) for second in (True, False)]
    assert not replayed(days(*(asked(LAMP, holds=some) for some in holds)), EVERYTHING, new).differences
    assert all(one.undecidable for one in replayed(days(asked(LAMP)), EVERYTHING, new).differences)


@pytest.mark.parametrize("more", [pytest.param(0, id="so many"), pytest.param(1, id="one more")])
def test_too_many_to_try(more: int) -> None:
    """Beside too many conditions it counts as one that depends on them, though nothing does."""
    unseen = tuple(HomeCondition(entity_id=f"light.{number}", states=("on",)) for number in range(MOST_TRIED + more))
    table = table_of(*({"home": (one,)} for one in unseen), {})
    inputs = Inputs.from_json(asked(LAMP))
    assert depends_on(table, inputs, unseen) is bool(more)
    assert [one.undecidable for one in replayed(days(asked(LAMP)), EVERYTHING, table).differences] == [True] * more


def some(*verdicts: tuple[str, Verdict, Terms]) -> tuple[PolicyTable, list[Question]]:
    """A table with a rule for each operation, and a question about each."""
    rows = ({"operations": (name,), "verdict": verdict, "terms": terms} for name, verdict, terms in verdicts)
    return table_of(*rows), [about(name, name) for name, _, _ in verdicts]


ONE, TWO = ("one", ALLOW, NO_TERMS), ("two", CONFIRM, PIN)


@pytest.mark.parametrize(
    ("verdicts", "decision"),
    [
        pytest.param([], Decision(verdict=DENY, rule="last_row"), id="nothing"),
        pytest.param([ONE], Decision(verdict=ALLOW, rule="a"), id="allowed"),
        pytest.param([ONE, TWO], Decision(verdict=CONFIRM, rule="b", terms=PIN), id="one of them asks"),
        pytest.param([TWO, ONE], Decision(verdict=CONFIRM, rule="a", terms=PIN), id="in any order"),
        pytest.param([TWO, ("no", DENY, NO_TERMS), ONE], Decision(verdict=DENY, rule="b"), id="one of them is denied"),
        pytest.param([ONE, ("also", ALLOW, NO_TERMS)], Decision(verdict=ALLOW, rule="a"), id="the first of equals"),
        pytest.param(
            [("plain", CONFIRM, NO_TERMS), TWO],
            Decision(verdict=CONFIRM, rule="a", terms=PIN),
            id="what both demand",
        ),
        pytest.param(
            [TWO, ("three", CONFIRM, Terms(approvers=("anna", "bert"), seconds=60)), ("four", CONFIRM, ANNAS)],
            Decision(verdict=CONFIRM, rule="a", terms=Terms(approvers=("anna",), seconds=20, pin=True)),
            id="what all demand",
        ),
        pytest.param(
            [TWO, ("no", DENY, NO_TERMS), ("four", CONFIRM, ANNAS)],
            Decision(verdict=DENY, rule="b"),
            id="what is denied demands nothing",
        ),
    ],
)
def test_decide_all(verdicts: list[tuple[str, Verdict, Terms]], decision: Decision) -> None:
    """The strictest verdict over a whole request, the first of equals, and all that those demand."""
    table, questions = some(*verdicts)
    assert decide_all(table, questions) == decision


@pytest.mark.parametrize(
    ("table", "questions", "decision"),
    [
        pytest.param(ASKING, [about("Lamp", already_so=True)], Decision(verdict=ALLOW, rule="a"), id="nobody is asked"),
        pytest.param(NOTHING, [about("Lamp", already_so=True)], Decision(verdict=DENY, rule="last_row"), id="still denied"),
        pytest.param(ASKING, [about("Lamp", already_so=True), STOVE], Decision(verdict=CONFIRM, rule="a"), id="the other is asked"),
        pytest.param(EVERYTHING, [about("Lamp", opaque=True, already_so=True)], Decision(verdict=ALLOW, rule=FLOOR_OPAQUE), id="nothing opaque happens"),
    ],
)  # fmt: skip
def test_already_so(table: PolicyTable, questions: Iterable[Question], decision: Decision) -> None:
    """What is already so asks for nothing, but a denial stays."""
    assert decide_all(table, questions) == decision
