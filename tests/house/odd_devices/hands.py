"""The owner's hands on the odd devices, for the tests."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.house.demo_home import DemoHome

COORDINATED = "coordinator"
"""The source that the coordinated devices share, as it is counted."""
PATIENCE = 8


@dataclass
class Hands:
    """Steers the devices of a home, and looks at them."""

    home: DemoHome

    def do(self, service: str, entity_id: str, **data: object) -> None:
        """A call that succeeds."""
        response = self.home.owner.call(service, {"entity_id": entity_id, **data})
        if not response.ok:
            raise AssertionError(f"{service} of {entity_id}: {response.text}")

    def set(self, entity_id: str, **how: object) -> None:
        """Changes a device itself: fails, seconds, available, state."""
        self.do("odd_devices.set", entity_id, **how)

    def report(self, entity_id: str) -> None:
        """Lets a device report."""
        self.do("odd_devices.report", entity_id)

    def begin(self, *entity_ids: str) -> None:
        """Resets these devices, or all."""
        data = {"entity_id": list(entity_ids)} if entity_ids else {}
        self.home.owner.call("odd_devices.reset", data).raise_for_status()

    def whole(self, entity_id: str) -> dict[str, Any]:
        """An entity's state object; its ``last_reported`` may be old, see ``reported``."""
        state = self.home.owner.state(entity_id)
        if state is None:
            raise AssertionError(f"not there: {entity_id}")
        return state

    def state(self, entity_id: str) -> str:
        """An entity's state."""
        return str(self.whole(entity_id)["state"])

    def reported(self, entity_id: str) -> str:
        """When an entity reported last: the API keeps the state's JSON and would tell an older time."""
        template = f"{{{{ states.{entity_id}.last_reported.isoformat('T', 'microseconds') }}}}"
        response = self.home.owner.request("POST", "/api/template", {"template": template})
        response.raise_for_status()
        return response.text

    def brightness(self, entity_id: str) -> int:
        """How bright a lamp is, in percent."""
        return round(float(self.whole(entity_id)["attributes"]["brightness"]) / 2.55)

    def count(self, sensor: str, what: str) -> int:
        """How often something was counted."""
        return int(self.whole(sensor)["attributes"]["counts"].get(what, 0))

    def wait(self, until: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Waits until something is true."""
        deadline = time.monotonic() + seconds
        while not until():
            if time.monotonic() > deadline:
                raise AssertionError("it did not happen")
            time.sleep(0.1)

    def silent(self, entity_id: str, seconds: float = 1.5) -> None:
        """An entity reports nothing for a while."""
        before = self.reported(entity_id)
        time.sleep(seconds)
        if (after := self.reported(entity_id)) != before:
            raise AssertionError(f"{entity_id} reported at {after}")
