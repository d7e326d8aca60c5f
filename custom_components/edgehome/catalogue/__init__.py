"""What can be done at all (R4): one table of operations per device domain. What is not here cannot be done.

What Home Assistant offers beside these rows, and why it is not here, is in ``left_out``.
"""

from ..models import Intent, Verb
from . import (
    alarm_control_panel,
    button,
    camera,
    climate,
    cover,
    fan,
    humidifier,
    lawn_mower,
    light,
    lock,
    media_player,
    moment,
    notify,
    number,
    remote,
    scene,
    script,
    select,
    siren,
    switch,
    text,
    timer,
    todo,
    update,
    vacuum,
    valve,
    water_heater,
)
from .operation import Operation
from .status import STATUS

OPERATIONS: tuple[Operation, ...] = (
    *light.OPERATIONS,
    *switch.OPERATIONS,
    *fan.OPERATIONS,
    *cover.OPERATIONS,
    *valve.OPERATIONS,
    *lock.OPERATIONS,
    *climate.OPERATIONS,
    *water_heater.OPERATIONS,
    *humidifier.OPERATIONS,
    *media_player.OPERATIONS,
    *vacuum.OPERATIONS,
    *lawn_mower.OPERATIONS,
    *alarm_control_panel.OPERATIONS,
    *siren.OPERATIONS,
    *remote.OPERATIONS,
    *scene.OPERATIONS,
    *script.OPERATIONS,
    *button.OPERATIONS,
    *number.OPERATIONS,
    *select.OPERATIONS,
    *text.OPERATIONS,
    *moment.OPERATIONS,
    *timer.OPERATIONS,
    *todo.OPERATIONS,
    *notify.OPERATIONS,
    *update.OPERATIONS,
    *camera.OPERATIONS,
)
"""Every row but ``status``, which is open to all domains."""

_ROWS: dict[tuple[str, Verb], Operation] = {(row.domain, row.intent): row for row in OPERATIONS}
DOMAINS = frozenset(row.domain for row in OPERATIONS)
"""The domains that can be operated."""


def operation(domain: str, intent: Verb) -> Operation | None:
    """The row of an intent on a domain."""
    return STATUS if intent is Intent.STATUS else _ROWS.get((domain, intent))


def operations_of(domain: str) -> tuple[Operation, ...]:
    """All rows of a domain, ``status`` last."""
    return (*_BY_DOMAIN.get(domain, ()), STATUS)


_BY_DOMAIN = {domain: tuple(row for row in OPERATIONS if row.domain == domain) for domain in DOMAINS}
