"""A house in which some things are otherwise than they are: what a simulation asks (no Home Assistant here)."""

from collections.abc import Mapping

from .devices import DeviceState, Liveness
from .facts import House


class Supposed:
    """A house in which some entities are in other states, and nobody has sent anything lately: for simulations.

    ``now`` is another weekday and minute of the day, ``somebody_home`` whether somebody is.
    """

    def __init__(
        self,
        house: House,
        states: Mapping[str, DeviceState],
        now: tuple[int, int] | None = None,
        somebody_home: bool | None = None,
    ) -> None:
        self._house = house
        self._states = dict(states)
        self._now = now
        self._somebody_home = somebody_home

    def __getattr__(self, question: str) -> object:
        return getattr(self._house, question)

    def state(self, entity_id: str) -> DeviceState | None:
        """The state that is supposed, else the present one."""
        return self._states.get(entity_id) or self._house.state(entity_id)

    def liveness(self, entity_id: str) -> Liveness:
        """What is supposed is current."""
        return Liveness() if entity_id in self._states else self._house.liveness(entity_id)

    def moment(self) -> tuple[int, int]:
        """The time that is supposed, else the present one."""
        return self._now or self._house.moment()

    def holds(self, entity_id: str, states: tuple[str, ...]) -> bool | None:
        """Whether what is supposed is in one of these states, else what is."""
        if not entity_id and self._somebody_home is not None:
            return ("home" if self._somebody_home else "not_home") in states
        people = [state.state for one, state in self._states.items() if one.startswith("person.")]
        if not entity_id and people:
            # Of the others it is not known here where they are.
            return "home" in states if "home" in people else None
        supposed = self._states.get(entity_id)
        if supposed is None:
            return self._house.holds(entity_id, states)
        is_unknown = supposed.state in {"unknown", "unavailable"} and supposed.state not in states
        return None if is_unknown else supposed.state in states

    def meets(self, condition: str) -> bool | None:
        """Conditions in Home Assistant's own words cannot be told of what is only supposed."""
        is_otherwise = bool(self._states) or self._now is not None
        return None if is_otherwise else self._house.meets(condition)

    def usage(self, principal_id: str, trace_id: str) -> int:
        """Nothing lately."""
        return 0

    def moved(self, principal_id: str, entity_id: str) -> float:
        """Nothing lately."""
        return 0.0

    def waiting(self, principal_id: str, trace_id: str) -> int:
        """Nothing waits."""
        return 0

    def cool_down(self, principal_id: str, deeds: tuple[str, ...]) -> int:
        """Nothing was rejected."""
        return 0
