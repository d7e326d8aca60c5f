"""Locks (features after ``components/lock/const.py``). ``open`` pulls the latch: it is judged as ``unlock`` too (R5)."""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation

OPEN_FEATURE = 1

OPERATIONS = (
    Operation(
        intent=Intent.LOCK,
        domain="lock",
        service="lock.lock",
        effect=Effect.SECURE,
        needs_code=("code_format",),
        expect=(Expectation(value="locked", moving=("locking",), failed=("jammed",)),),
    ),
    Operation(
        intent=Intent.UNLOCK,
        domain="lock",
        service="lock.unlock",
        effect=Effect.UNSECURE,
        needs_code=("code_format",),
        expect=(Expectation(value="unlocked", moving=("unlocking",), failed=("jammed",)),),
    ),
    Operation(
        intent=Intent.OPEN,
        domain="lock",
        service="lock.open",
        effect=Effect.UNSECURE,
        needs_code=("code_format",),
        features=(OPEN_FEATURE,),
        expect=(Expectation(value="open", moving=("opening",)),),
        means=lambda _params, _state: (Intent.UNLOCK,),
    ),
)
