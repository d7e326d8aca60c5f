"""What it takes to bring entities into given states: scenes."""

from collections.abc import Iterator, Mapping

from ...catalogue import DOMAINS, OPERATIONS
from ...devices import Deed
from ...models import Intent

_OF_STATE = {
    (row.domain, item.value): row.intent.value
    for row in reversed(OPERATIONS)
    for item in row.expect
    if item.attribute is None and not item.differs
}
"""The operation that brings an entity of a domain into a state."""

_POSITIONED = frozenset({"cover", "valve"})


def deeds_to_reach(states: object) -> Iterator[Deed]:
    """What is done to bring entities into states: by entity id, a state or an object with ``state``."""
    if not isinstance(states, Mapping):
        yield Deed(why="states that are only known when it runs")
        return
    for entity_id, wanted in states.items():
        state = wanted.get("state") if isinstance(wanted, Mapping) else getattr(wanted, "state", wanted)
        domain = str(entity_id).partition(".")[0]
        if domain not in DOMAINS:
            yield Deed(why=f"a state of {entity_id}, which is not in the catalogue")
            continue
        verbs = [_OF_STATE.get((domain, told), Intent.SET_MODE.value) for told in (_word(state),)]
        if domain in _POSITIONED:
            # A position among the attributes decides, whatever the state says.
            verbs = ["close"] if _word(state) == "closed" else ["open"]
        yield Deed(entity_id=str(entity_id), verbs=tuple(verbs))


def _word(state: object) -> str:
    return {True: "on", False: "off"}.get(state, str(state)) if isinstance(state, bool) else str(state)
