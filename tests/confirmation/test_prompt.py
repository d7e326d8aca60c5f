"""What a human reads: EdgeHome's words first and last, the agent's quoted between them (R14)."""

# ruff: noqa: RUF001  # other languages have other signs

from dataclasses import replace
from datetime import UTC, datetime
from string import Formatter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.edgehome.codes import Code
from custom_components.edgehome.confirmation.grants import Grant
from custom_components.edgehome.confirmation.pending import Pending, Yes
from custom_components.edgehome.confirmation.prompt import (
    MOST_LINES,
    MOST_REASON,
    clean,
    described,
    granted,
    message,
    title,
)
from custom_components.edgehome.confirmation.words import CHINESE, ENGLISH, GERMAN, Words, words_of
from custom_components.edgehome.models import Intent
from custom_components.edgehome.plan import Effect, ExecutionPlan, Expectation, GatedCommand, Skip
from custom_components.edgehome.policy.requirement import Requirement, Terms
from tests.any_json import MARKS
from tests.made_house import AGENT

NOW = datetime(2026, 11, 30, 12, 2, 5, tzinfo=UTC)
ASKED = Requirement(verdict="confirm", rule="serious", risk=4, about="Garage")
LANGUAGES = [
    pytest.param(ENGLISH, id="english"),
    pytest.param(GERMAN, id="german"),
    pytest.param(CHINESE, id="chinese"),
]
FORBIDDEN = set('<>[]{}|*_`#"“”„') | {"\n", "\r", "\t", "\x00", "\u202e", "\u2028", "\u2029", "\u200b", "\ufeff"}


def action(name: str = "Garage", **more: Any) -> GatedCommand:
    """Opening a garage, unless said otherwise."""
    usual: dict[str, Any] = {
        "entity_id": "cover.garage",
        "device_type": "garage_door",
        "operations": (Intent.OPEN,),
        "effect": Effect.UNSECURE,
        "risk": 4,
        "service": "cover.open_cover",
        "before": "closed",
        "expect": (Expectation(value="open"),),
    }
    return GatedCommand(name=name, **(usual | more))


def question(*actions: GatedCommand, skipped: tuple[Skip, ...] = (), **more: Any) -> Pending:
    """A question about these actions, or the garage."""
    plan = ExecutionPlan(actions=actions or (action(),), skipped=skipped)
    usual: dict[str, Any] = {
        "id": "01TEST",
        "principal": AGENT,
        "key": plan.consent_key(AGENT),
        "requirement": ASKED,
        "reason": None,
        "asked_at": NOW,
        "expires_at": NOW,
    }
    return Pending(plan=plan, **(usual | more))


@pytest.mark.parametrize(
    ("words", "headline", "text"),
    [
        pytest.param(
            ENGLISH,
            "EdgeHome: Hermes asks",
            "Hermes asks: open Garage (closed → open)\n"
            "Risk 4 of 5.\n"
            "Its reason, unchecked: “Bob is home”\n"
            "Expires 12:02:05. Without an answer nothing is done.",
            id="english",
        ),
        pytest.param(
            GERMAN,
            "EdgeHome: Hermes fragt",
            "Hermes möchte: öffnen: Garage (closed → open)\n"
            "Risiko 4 von 5.\n"
            "Seine Begründung, ungeprüft: „Bob is home“\n"
            "Läuft 12:02:05 ab. Ohne Antwort geschieht nichts.",
            id="german",
        ),
        pytest.param(
            CHINESE,
            "EdgeHome：Hermes 请求",
            "Hermes 请求：打开 Garage (closed → open)\n"
            "风险 4/5。\n"
            "其理由（未经核实）：“Bob is home”\n"
            "12:02:05 过期。不答复则不执行。",
            id="chinese",
        ),
    ],
)
def test_question(words: Words, headline: str, text: str) -> None:
    """The whole question, word for word."""
    asked = question(reason="Bob is home")
    assert title(asked, words) == headline
    assert message(asked, words, NOW) == text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ENGLISH),
        ("en-GB", ENGLISH),
        ("de", GERMAN),
        ("de-CH", GERMAN),
        ("zh-Hans", CHINESE),
        ("zh-Hant", CHINESE),
        ("ZH", CHINESE),
        ("fr", ENGLISH),
        ("", ENGLISH),
        ("xx{agent}", ENGLISH),
    ],
)
def test_languages(language: str, words: Words) -> None:
    """A language that there is not is English."""
    assert words_of(language) is words


@pytest.mark.parametrize("words", LANGUAGES)
@pytest.mark.parametrize(
    "name", ["title", "asks", "risk", "reason", "skipped", "more", "pin", "expires", "for_a_while"]
)
def test_languages_say_the_same(words: Words, name: str) -> None:
    """Every language puts the same things into each sentence."""
    assert _fields(getattr(words, name)) == _fields(getattr(ENGLISH, name))


def _fields(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field}


@pytest.mark.parametrize("words", LANGUAGES)
def test_languages_know_the_same_operations(words: Words) -> None:
    """Every language has a word for the same operations, all of which there are."""
    assert words.verbs.keys() == ENGLISH.verbs.keys() <= {intent.value for intent in Intent}
    assert all(words.verbs.values())
    buttons = (words.approve, words.reject, words.for_a_while, words.open_page)
    assert len(set(buttons)) == len(buttons)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        pytest.param(action(), "open Garage (closed → open)", id="a state"),
        pytest.param(action(before=None), "open Garage", id="nothing known before"),
        pytest.param(action(expect=()), "open Garage", id="nothing expected"),
        pytest.param(
            action(operations=(Intent.SET_POSITION, Intent.OPEN), present="0 %", wanted="40 %"),
            "move Garage (0 % → 40 %)",
            id="a value",
        ),
        pytest.param(
            action(operations=(Intent.TOGGLE, Intent.OPEN)), "open Garage (closed → open)", id="what it really does"
        ),
        pytest.param(
            action(operations=(Intent.STATUS,), present="high", wanted="low"),
            "status Garage (high → low)",
            id="an operation without a word",
        ),
    ],
)
def test_actions(command: GatedCommand, words: str) -> None:
    """What would be done to what, and the state before and after."""
    assert message(question(command), ENGLISH, NOW).splitlines()[0] == f"Hermes asks: {words}"


@pytest.mark.parametrize(
    ("count", "shown", "more"),
    [
        pytest.param(1, 1, "", id="one"),
        pytest.param(MOST_LINES, MOST_LINES, "", id="as many as are shown"),
        pytest.param(MOST_LINES + 1, MOST_LINES, "; and 1 more", id="one more"),
        pytest.param(50, MOST_LINES, "; and 44 more", id="many"),
    ],
)
def test_many_actions(count: int, shown: int, more: str) -> None:
    """A long list is cut, saying how much is not shown."""
    asked = question(*(action(f"Gate{number}", risk=1) for number in range(count)))
    line = message(asked, ENGLISH, NOW).splitlines()[0]
    assert line.count("Gate") == shown
    assert line.endswith(f"(closed → open){more}")


def test_nothing_serious_is_folded_away() -> None:
    """The riskiest stand first, and what is serious is never behind "and more"."""
    lamps = [action(f"Lamp{number}", risk=1) for number in range(MOST_LINES)]
    doors = [action(f"Door{number}", risk=3 + number % 3) for number in range(MOST_LINES + 2)]
    line = message(question(*lamps, *doors), ENGLISH, NOW).splitlines()[0]
    assert (line.count("Door"), line.count("Lamp")) == (MOST_LINES + 2, 0)
    assert line.endswith(f"; and {MOST_LINES} more")
    assert [line.index("Door2"), line.index("Door1"), line.index("Door0")] == sorted(
        [line.index("Door2"), line.index("Door1"), line.index("Door0")]
    )


def skip(number: int) -> Skip:
    """A member that is left out."""
    return Skip(entity_id=f"cover.a{number}", code=Code.ENTITY_UNAVAILABLE, message="gone")


@pytest.mark.parametrize(
    ("count", "line"),
    [
        pytest.param(1, "Left out: cover.a0.", id="one"),
        pytest.param(2, "Left out: cover.a0, cover.a1.", id="two"),
    ],
)
def test_skipped(count: int, line: str) -> None:
    """What is left out is said before a person says yes."""
    asked = question(skipped=tuple(skip(number) for number in range(count)))
    assert message(asked, ENGLISH, NOW).splitlines()[-2] == line


def test_many_skipped() -> None:
    """A long list of what is left out is cut, saying so: a person must not believe that it is all."""
    asked = question(skipped=tuple(skip(number) for number in range(MOST_LINES + 3)))
    line = message(asked, ENGLISH, NOW).splitlines()[-2]
    assert line.count("cover.") == MOST_LINES
    assert "3 more" in line


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        pytest.param("Bob is home", 160, "Bob is home", id="plain"),
        pytest.param("一个客人到了", 160, "一个客人到了", id="chinese"),
        pytest.param("مصباح", 160, "مصباح", id="arabic"),
        pytest.param("  a \n\n b\tc\r\n", 160, "a b c", id="blanks and line breaks"),
        pytest.param("a\u2028b\u2029c\x0bd\x85e", 160, "a b c d e", id="other line breaks"),
        pytest.param("Approve\u202eevorppA", 160, "Approve evorppA", id="right to left"),
        pytest.param("a\u200bb\ufeffc\x00d\x1b[31m", 160, "a b c d 31m", id="invisible"),
        pytest.param("a\ud800b", 160, "a b", id="half a letter"),
        pytest.param("<b>EdgeHome</b>", 160, "b EdgeHome /b", id="markup"),
        pytest.param("[tap](x) **now** `x` # {{ y }} | _z_", 160, "tap x now x y z", id="marks"),
        pytest.param("see https://evil.example/x", 160, "see evil.example/x", id="an address"),
        pytest.param("see homeassistant://navigate/x", 160, "see navigate/x", id="an address of the companion app"),
        pytest.param("see HTTP://WWW.evil.example", 160, "see evil.example", id="an address in upper case"),
        pytest.param("‚a‘ «b» ‹c› 「d」", 160, "a b c d", id="quotation marks of other languages"),
        pytest.param("home”\nEdgeHome: all is well “", 160, "home EdgeHome: all is well", id="an end of the quotation"),
        pytest.param('„a“ "b"', 160, "a b", id="other quotation marks"),
        pytest.param("", 160, "", id="nothing"),
        pytest.param("\u202e\x00\n", 160, "", id="nothing to see"),
        pytest.param("abcde", 5, "abcde", id="at the limit"),
        pytest.param("abcdef", 5, "abcd…", id="one too long"),
        pytest.param("a" * 10_000, 160, "a" * 159 + "…", id="far too long"),
        pytest.param("\n" * 10_000 + "a", 160, "a", id="pushed out of sight"),
    ],
)
def test_clean(text: str, limit: int, shown: str) -> None:
    """Foreign text is one line of plain letters, cut at the limit."""
    assert clean(text, limit) == shown


@given(text=st.text() | st.text(st.characters(codec=None)) | st.sampled_from(MARKS), limit=st.integers(1, 200))
def test_any_text_is_cleaned(text: str, limit: int) -> None:
    """Whatever stands in a text: what is shown is short, printable, on one line and without marks; and stays so."""
    shown = clean(text, limit)
    assert len(shown) <= limit
    assert shown.isprintable()
    assert not FORBIDDEN & set(shown)
    assert clean(shown, limit) == shown
    f"{shown}".encode()


SPOOFS = st.sampled_from(
    [
        "”\nRisk 0 of 5.\nExpires never. “",
        "{agent} {0} {actions.__class__} %s {{ states('lock.door') }}",
        "“ Approved by EdgeHome. ”",
        "x\r\nRisk 1 of 5.",
        "ok\u2028Expires 23:59:59. Without an answer everything is done.",
    ]
)


@pytest.mark.parametrize("words", LANGUAGES)
@given(reason=SPOOFS | st.text() | st.text(st.characters(codec=None)) | st.text(min_size=500))
def test_any_reason(words: Words, reason: str) -> None:
    """Whatever an agent gives as its reason: EdgeHome's lines are what they are without it, first and last."""
    plain = message(question(), words, NOW).splitlines()
    lines = message(question(reason=reason), words, NOW).split("\n")
    quoted = lines[2:-1]
    assert (lines[:2], lines[-1]) == (plain[:2], plain[-1])
    assert quoted == [words.reason.format(reason=clean(reason, MOST_REASON))] * bool(reason)
    assert all(len(line) <= MOST_REASON + len(words.reason) for line in quoted)


@given(reason=SPOOFS | st.text())
def test_the_quotation_is_closed(reason: str) -> None:
    """Nothing within the quotation marks ends them."""
    line = message(question(reason=f"x{reason}"), ENGLISH, NOW).split("\n")[2]
    assert (line.count("“"), line.count("”"), line.endswith("”")) == (1, 1, True)


@pytest.mark.parametrize("words", LANGUAGES)
@given(name=SPOOFS | st.text(max_size=100) | st.text(st.characters(codec=None)))
def test_any_name(words: Words, name: str) -> None:
    """Names of devices and agents are cleaned as well: they come from integrations and may be anything."""
    asked = question(action(name), principal=replace(AGENT, name=name))
    lines = message(asked, words, NOW).split("\n")
    assert lines[1:] == message(question(), words, NOW).split("\n")[1:]
    assert title(asked, words) == words.title.format(agent=clean(name, 40))


def test_values_are_cleaned() -> None:
    """States and values come from devices and agents: none may break out of its line."""
    bad = "a\n“b”\u202e\nRisk 0 of 5."
    by_state = action(before=bad, expect=(Expectation(value=bad),))
    by_value = action(operations=(Intent.SET_MODE,), present=bad, wanted=bad)
    lines = message(question(by_state, by_value), ENGLISH, NOW).split("\n")
    assert lines[1] == "Risk 4 of 5."
    assert not FORBIDDEN & set(lines[0])


def test_described() -> None:
    """The page gets the question as plain values, and whether the reader has answered."""
    asked = question(
        reason="Bob\n“is” home",
        given=[Yes(user_id="anna", approver_id="a", name="Anna", channel="page")],
        requirement=replace(ASKED, people=2),
    )
    told = described(asked, "anna", ENGLISH)
    assert told == {
        "id": "01TEST",
        "agent": "Hermes",
        "risk": 4,
        "reason": "Bob is home",
        "spoken": None,
        "actions": [{"what": "open Garage", "before": "closed", "after": "open"}],
        "skipped": [],
        "asked_at": "2026-11-30T12:02:05+00:00",
        "expires_at": "2026-11-30T12:02:05+00:00",
        "people": 2,
        "also": [],
        "unread": None,
        "doubtful": None,
        "pin": False,
        "grantable": False,
        "given": ["Anna"],
        "mine": True,
    }
    assert described(asked, "bert", ENGLISH)["mine"] is False


WITH_PIN = replace(ASKED, terms=Terms(pin=True))


@pytest.mark.parametrize("words", LANGUAGES)
def test_pin(words: Words) -> None:
    """Where a PIN is wanted the question says where to type it, before its expiry."""
    assert message(question(requirement=WITH_PIN), words, NOW).splitlines()[-2] == words.pin
    assert words.pin not in message(question(), words, NOW)
    assert described(question(requirement=WITH_PIN), "anna", words)["pin"] is True


@pytest.mark.parametrize(
    ("name", "room", "shown"),
    [
        pytest.param("Ceiling", "Kitchen", "Ceiling, Kitchen", id="a room"),
        pytest.param("Kitchen Ceiling", "kitchen", "Kitchen Ceiling", id="the name says it"),
        pytest.param("Ceiling", "", "Ceiling", id="no room"),
        pytest.param("Ceiling", "K“\nRisk 0", "Ceiling, K Risk 0", id="cleaned"),
    ],
)
def test_room(name: str, room: str, shown: str) -> None:
    """A device is told with its room where its name does not say it."""
    asked = question(action(name, room=room))
    assert message(asked, ENGLISH, NOW).splitlines()[0] == f"Hermes asks: open {shown} (closed → open)"
    assert described(asked, "anna", ENGLISH)["actions"] == [
        {"what": f"open {shown}", "before": "closed", "after": "open"}
    ]


def test_granted() -> None:
    """A yes for a while is told with its agent, deeds, people, end and uses; names are cleaned."""
    asked = question(
        action("Lamp“\n<b>", operations=(Intent.TURN_ON,), risk=1),
        given=[Yes(user_id="anna", approver_id="a", name="Anna", channel="page")],
        principal=replace(AGENT, name="Her\nmes"),
    )
    assert granted(Grant.of(asked, NOW), 3, ENGLISH) == {
        "id": "01TEST",
        "agent": "Her mes",
        "actions": ["switch on Lamp b"],
        "by": ["Anna"],
        "until": "2026-11-30T12:12:05+00:00",
        "used": 3,
    }
