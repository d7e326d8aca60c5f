"""What can be done at all (R4): one table of operations per device domain. What is not here cannot be done."""

from ..models import Intent
from . import climate, cover, light, lock, switch
from .operation import Operation
from .status import STATUS

OPERATIONS: tuple[Operation, ...] = (
    *light.OPERATIONS,
    *switch.OPERATIONS,
    *cover.OPERATIONS,
    *lock.OPERATIONS,
    *climate.OPERATIONS,
)
"""Every row but ``status``, which is open to all domains."""

_ROWS = {(row.domain, row.intent): row for row in OPERATIONS}
DOMAINS = frozenset(row.domain for row in OPERATIONS)
"""The domains that can be operated."""


def operation(domain: str, intent: Intent) -> Operation | None:
    """The row of an intent on a domain."""
    return STATUS if intent is Intent.STATUS else _ROWS.get((domain, intent))


def operations_of(domain: str) -> tuple[Operation, ...]:
    """All rows of a domain, ``status`` last."""
    return (*(row for row in OPERATIONS if row.domain == domain), STATUS)
