"""Which deed is taken back, and what of it: tables over recorded traces and a made house."""

from dataclasses import replace
from typing import Any

import pytest

from custom_components.edgehome.catalogue.undo import restores, to_json
from custom_components.edgehome.devices import Makeup
from custom_components.edgehome.facts import Facts
from custom_components.edgehome.trace import RecordedTrace
from custom_components.edgehome.undoing import last_of, way_back
from tests.made_devices import fitted
from tests.made_house import AGENT, MadeHouse

A, B = "light.a", "light.b"
BEN, HALL = {"speaker": "ben"}, {"area_id": "hall"}


def lamps() -> MadeHouse:
    """Two lamps that are off, in two rooms."""
    made = MadeHouse().add(A, "A", "off", room="Hall", supported_color_modes=["onoff"])
    return made.add(B, "B", "off", room="Bed", supported_color_modes=["onoff"])


def deed(made: MadeHouse, trace_id: str = "1", *names: str, **more: Any) -> RecordedTrace:
    """A trace of switching lamps on; ``done`` are those that really were."""
    actions = [fitted("turn_on", name, {}, made) for name in names or ("A", "B")]
    done = more.pop("done", [action.entity_id for action in actions])
    return RecordedTrace(
        trace_id=trace_id,
        principal_id="hermes",
        digest="",
        recorded_answer={"outcome": more.pop("outcome", "executed")},
        about={"door": "edgehome.execute", "principal": more.pop("principal", {}), **more},
        done=frozenset(done),
        undo=tuple(to_json(way) for action in actions for way in restores(action, Facts(made))),
    )


def undoing(
    trace_id: str, of: str, outcome: str = "executed", door: str = "edgehome.undo", **principal: object
) -> RecordedTrace:
    """A trace of taking another one back."""
    made = lamps()
    return RecordedTrace(
        trace_id=trace_id,
        principal_id="hermes",
        digest="",
        recorded_answer={"outcome": outcome},
        about={"door": door, "request": {"undoes": of}, "principal": principal},
        done=frozenset({A}),
        undo=deed(made).undo,
    )


@pytest.mark.parametrize(
    ("traces", "found"),
    [
        pytest.param([], None, id="nothing was done"),
        pytest.param([deed(lamps(), "2"), deed(lamps(), "1")], "2", id="the last one"),
        pytest.param([undoing("3", "2"), deed(lamps(), "2"), deed(lamps(), "1")], "1", id="the last is taken back"),
        pytest.param([undoing("3", "2", "failed"), deed(lamps(), "2"), deed(lamps(), "1")], "2", id="in vain"),
        pytest.param([undoing("3", "2", "blocked"), deed(lamps(), "2")], "2", id="was refused"),
        pytest.param([undoing("4", "3"), undoing("3", "2"), deed(lamps(), "2")], "2", id="the undoing was taken back"),
        pytest.param([deed(lamps(), "2", done=[]), deed(lamps(), "1")], "1", id="the last one failed"),
        pytest.param([undoing("3", "2", door="llm.undo"), deed(lamps(), "2")], None, id="taken back by a conversation"),
        pytest.param([undoing("3", "2", door="edgehome.execute"), deed(lamps(), "2")], "3", id="no undoing"),
        pytest.param([deed(lamps(), "2", principal=BEN), deed(lamps(), "1")], "1", id="of somebody else"),
        pytest.param([deed(lamps(), "2", principal=HALL), deed(lamps(), "1")], "1", id="asked elsewhere"),
        pytest.param(
            [undoing("3", "2", **BEN), deed(lamps(), "2"), deed(lamps(), "1")], "2", id="somebody else took it back"
        ),
    ],
)
def test_last(traces: list[RecordedTrace], found: str | None) -> None:
    """The last deed that was carried out, can be taken back, and was not yet."""
    trace = last_of(traces, AGENT)
    assert (trace.trace_id if trace else None) == found


def switched(made: MadeHouse, *entity_ids: str) -> MadeHouse:
    """The lamps are on."""
    for entity_id in entity_ids:
        made.states[entity_id] = replace(made.states[entity_id], state="on")
    return made


def taken(made: MadeHouse, trace: RecordedTrace, areas: tuple[str, ...] = ()) -> tuple[list[str], list[str]]:
    """Which entities are taken back, and why the others are not."""
    way = way_back(trace, Facts(made), areas)
    return [str(command["device_alias"]) for command in way.commands], [item["why"] for item in way.left_out]


def test_all_of_it() -> None:
    """What is as it was left is taken back."""
    made = lamps()
    trace = deed(made)
    assert taken(switched(made, A, B), trace) == ([A, B], [])


def test_what_was_not_done() -> None:
    """What failed then is left alone, whatever somebody made of it since."""
    made = lamps()
    trace = deed(made, done=[A])
    assert taken(switched(made, A, B), trace) == ([A], [])


def test_another_device_of_that_id() -> None:
    """An id that means another device now is left alone."""
    made = lamps()
    trace = deed(made)
    trace = RecordedTrace(**{**vars(trace), "undo": tuple({**way, "key": "old"} for way in trace.undo)})
    assert taken(switched(made, A, B), trace) == ([], ["it is another device now"] * 2)


def test_what_may_not_be_named() -> None:
    """Of a device outside of the caller's rooms, or that is exposed no more, nothing is told."""
    made = lamps()
    trace = deed(made)
    made = switched(made, B)
    way = way_back(trace, Facts(made), ("hall",))
    assert {"why": "something that you may not name"} in way.left_out
    assert not any(item.get("entity_id") == B for item in way.left_out)


def test_a_room_with_its_group() -> None:
    """Lamps that were switched by themselves and by their group are taken back once."""
    made = lamps().add(
        "light.g", "G", "off", supported_color_modes=["onoff"], makeup=Makeup(kind="group", members=(A, B))
    )
    trace = deed(made, "1", "A", "B", "G")
    commands, _ = taken(switched(made, A, B, "light.g"), trace)
    assert sorted(commands) in ([A, B], [A, B, "light.g"])
    assert len(commands) == len(set(commands))


@pytest.mark.parametrize(
    ("areas", "commands", "left_out"),
    [
        pytest.param((), [A, B], [], id="everywhere"),
        pytest.param(("hall",), [A], ["something that you may not name"], id="the other is in another room"),
    ],
)
def test_a_room_with_a_group_that_reaches_beyond(
    areas: tuple[str, ...], commands: list[str], left_out: list[str]
) -> None:
    """A group with a lamp elsewhere, and one of its lamps by itself: the other one is not forgotten."""
    made = lamps().add("light.g", "G", "off", room="Hall", supported_color_modes=["onoff"])
    alone, whole = deed(made, "1", "A"), deed(made, "1", "G")
    grouped = tuple({**way, "members": [A, B]} for way in whole.undo)
    made.makeups["light.g"] = Makeup(kind="group", members=(A, B))
    trace = RecordedTrace(**{**vars(alone), "undo": alone.undo + grouped, "done": frozenset({A, "light.g"})})
    found = taken(switched(made, A, B, "light.g"), trace, areas)
    assert (sorted(found[0]), found[1]) == (commands, left_out)


def test_other_members() -> None:
    """A group that has got another member is left alone as a whole."""
    made = lamps().add(
        "light.g", "G", "off", supported_color_modes=["onoff"], makeup=Makeup(kind="group", members=(A,))
    )
    trace = deed(made, "1", "G")
    trace = RecordedTrace(**{**vars(trace), "undo": tuple({**way, "members": [A]} for way in trace.undo)})
    made = switched(made, A, "light.g")
    made.makeups["light.g"] = Makeup(kind="group", members=(A, B))
    assert taken(made, trace) == ([], ["it has other members now"])


@pytest.mark.parametrize(
    ("entity_id", "state", "attributes", "intent", "params"),
    [
        ("input_number.a", "abc", {"min": 0, "max": 9, "step": 1}, "set_value", {"value": 3}),
        ("input_number.a", "", {"min": 0, "max": 9, "step": 1}, "set_value", {"value": 3}),
        ("input_number.a", "nan", {"min": 0, "max": 9, "step": 1}, "set_value", {"value": 3}),
        (A, "on", {"supported_color_modes": ["color_temp"], "color_mode": "color_temp", "brightness": 9,
                   "color_temp_kelvin": float("nan")}, "turn_off", {}),
        ("input_text.a", "hello", {"max": 100}, "set_value", {"value": "door code 483951"}),
    ],
)  # fmt: skip
def test_no_way_back(
    entity_id: str, state: str, attributes: dict[str, Any], intent: str, params: dict[str, Any]
) -> None:
    """What shows no value has nothing to go back to, and what the evidence would not keep is not kept (R12)."""
    made = MadeHouse().add(entity_id, "A", state, supported_features=0x7FFFFF, **attributes)
    assert restores(fitted(intent, "A", params, made), Facts(made)) == ()
