"""One row of the catalogue: what an intent means for a domain."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ..devices import DeviceState
from ..models import Intent, Verb
from ..plan import Effect, Expectation
from .values import Kind


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A value that an operation takes.

    ``features`` are alternatives of feature masks that the device must have; ``default`` is sent where nothing is said.
    """

    kind: Kind
    features: tuple[int, ...] = ()
    default: object = None


type Meaning = Callable[[Mapping[str, object], DeviceState], tuple[Intent, ...]]
"""All that an operation really does, given its values and the present state, the most telling last; empty if that
cannot be told."""


type Carrier = Callable[[Mapping[str, object], DeviceState], Intent | None]
"""Which other operation carries one out, given its values and the present state; None if it does itself."""


@dataclass(frozen=True, kw_only=True)
class Operation:
    """An intent on a domain.

    ``service`` None means that the operation is carried out as what it ``means``. ``features`` are alternatives of
    feature masks, one of which the device must have. ``idle_in`` are states in which it would do nothing, while Home
    Assistant reports success; ``idle_with`` are attributes that make it so. ``needs_code`` names attributes: where one is set, the entity needs a code of its own
    (R12). ``by`` says which other row carries it out now. ``needs`` are alternatives of parameter sets, one of which must be
    given in full.
    """

    intent: Verb
    domain: str
    service: str | None
    effect: Effect
    features: tuple[int, ...] = ()
    idle_in: tuple[str, ...] = ()
    idle_with: Mapping[str, str] = field(default_factory=dict)
    needs_code: tuple[str, ...] = ()
    params: Mapping[str, Parameter] = field(default_factory=dict)
    needs: tuple[frozenset[str], ...] = ()
    expect: tuple[Expectation, ...] = ()
    means: Meaning | None = None
    by: Carrier | None = None


_STATES = (
    "on", "off", "open", "closed", "locked", "unlocked", "heat", "docked", "cleaning", "mowing", "playing", "paused", "idle",
    "disarmed", "armed_away", "armed_home", "unknown",
)  # fmt: skip
_VALUES = (0, 50, 100, True, False, "off", "heat", "auto", None)


def meanings(row: Operation) -> tuple[tuple[Intent, ...], ...]:
    """All that an operation may really be besides itself, nothing included: tried on all sorts of states and values."""
    if row.means is None:
        return ()
    sent: list[Mapping[str, object]] = [{}, *({name: value} for name in row.params for value in _VALUES)]
    states = [DeviceState(state=state) for state in _STATES]
    tried = (row.means(params, state) for params in sent for state in states)
    return tuple(dict.fromkeys(tried))


def supports(state: DeviceState, alternatives: tuple[int, ...]) -> bool:
    """Whether the device has all bits of at least one mask; no mask asks for nothing."""
    return not alternatives or any(mask & state.features == mask for mask in alternatives)


def is_idle(row: Operation, state: DeviceState) -> bool:
    """Whether the operation would do nothing in the present state."""
    return state.state in row.idle_in and all(
        state.attributes.get(key) == value for key, value in row.idle_with.items()
    )


def by_state(state: DeviceState) -> tuple[Intent, ...]:
    """What ``toggle`` does to a thing that is on or off."""
    return {"on": (Intent.TURN_OFF,), "off": (Intent.TURN_ON,)}.get(state.state, ())


def turning_off(domain: str, features: tuple[int, ...] = ()) -> Operation:
    """The row of ``turn_off`` for a domain whose things are on or off."""
    return Operation(
        intent=Intent.TURN_OFF,
        domain=domain,
        service=f"{domain}.turn_off",
        effect=Effect.ADJUST,
        features=features,
        expect=(Expectation(value="off"),),
    )


def toggling(domain: str, effect: Effect = Effect.ADJUST) -> Operation:
    """The row of ``toggle`` for a domain whose things are on or off: carried out as what it means now."""
    return Operation(
        intent=Intent.TOGGLE,
        domain=domain,
        service=None,
        effect=effect,
        means=lambda _, state: by_state(state),
    )


def synonyms(domain: str, meant: Intent, others: tuple[Intent, ...]) -> Iterator[Operation]:
    """The rows of other words for an operation that runs something: each is carried out, and judged, as what it means."""
    for intent in others:
        yield Operation(
            intent=intent, domain=domain, service=None, effect=Effect.RUN, means=lambda _params, _state: (meant,)
        )
