"""The gates, in the order in which every request passes them. This tuple is the order; nothing is found by globbing."""

from ..chain import Gate
from .capability import Capability
from .device_resolver import DeviceResolver
from .dry_run import DryRun
from .execution import Execution
from .freshness import Freshness
from .input_guard import InputGuard
from .policy import Policy
from .schema import Schema

GATES: tuple[Gate, ...] = (
    InputGuard(),
    Schema(),
    DeviceResolver(),
    Capability(),
    Freshness(),
    Policy(),
    DryRun(),
    Execution(),
)
