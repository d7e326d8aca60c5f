"""The closed sets of words that an answer is made of.

A code is one upper-case noun phrase that says what is wrong or what happened. Codes are stable: agents branch on
them, ``translations/en.json`` (``exceptions``) and ``docs/refusals.md`` explain each, and a contract test keeps it so.
"""

from enum import StrEnum


class GateName(StrEnum):
    """The gates by the names of their files, in no order: the order is ``gates.GATES``."""

    INPUT_GUARD = "input_guard"
    SCHEMA = "schema"
    DEVICE_RESOLVER = "device_resolver"
    CAPABILITY = "capability"
    FRESHNESS = "freshness"
    POLICY = "policy"
    DRY_RUN = "dry_run"
    EXECUTION = "execution"


class Outcome(StrEnum):
    """How a request ended, as the caller is told (R11)."""

    BLOCKED = "blocked"
    PENDING = "pending"
    CONFIRMED = "confirmed"
    DRY_RUN = "dry_run"
    EXECUTED = "executed"
    PARTIAL = "partial"
    NO_CHANGE = "no_change"
    READ = "read"
    FAILED = "failed"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


class Code(StrEnum):
    """Why a request ended as it did."""

    # Ends that are no refusals.
    DONE = "DONE"
    PARTLY_DONE = "PARTLY_DONE"
    NOT_FOLLOWED = "NOT_FOLLOWED"
    PREVIEW = "PREVIEW"
    ALREADY_SO = "ALREADY_SO"
    STATUS = "STATUS"
    WAITING = "WAITING"

    # Input guard: may this caller send this at all?
    LOCKDOWN = "LOCKDOWN"
    AGENT_UNKNOWN = "AGENT_UNKNOWN"
    AGENT_DISABLED = "AGENT_DISABLED"
    AGENT_EXPIRED = "AGENT_EXPIRED"
    AUTOMATION_OFF = "AUTOMATION_OFF"
    RATE_LIMIT = "RATE_LIMIT"
    PENDING_LIMIT = "PENDING_LIMIT"
    TOO_LARGE = "TOO_LARGE"
    TEMPLATE_TEXT = "TEMPLATE_TEXT"
    CONTROL_CHARACTERS = "CONTROL_CHARACTERS"
    INJECTION_TEXT = "INJECTION_TEXT"
    BACKEND_TEXT = "BACKEND_TEXT"

    # Schema: is it a well-formed proposal?
    SCHEMA = "SCHEMA"
    UNSUPPORTED_FORM = "UNSUPPORTED_FORM"
    CONFLICT = "CONFLICT"

    # Device resolver: which entities?
    ENTITY_NOT_FOUND = "ENTITY_NOT_FOUND"
    AMBIGUOUS_TARGET = "AMBIGUOUS_TARGET"
    AREA_NOT_FOUND = "AREA_NOT_FOUND"
    AMBIGUOUS_AREA = "AMBIGUOUS_AREA"
    NOT_EXPOSED = "NOT_EXPOSED"
    NOT_TARGETABLE = "NOT_TARGETABLE"
    OUT_OF_SCOPE = "OUT_OF_SCOPE"
    DEVICE_TYPE_MISMATCH = "DEVICE_TYPE_MISMATCH"
    NEEDS_EXPANSION = "NEEDS_EXPANSION"
    UNSUPPORTED_OPERATION = "UNSUPPORTED_OPERATION"

    # Capability: can each of them do it, with these values?
    UNSUPPORTED_FIELD = "UNSUPPORTED_FIELD"
    MISSING_FIELD = "MISSING_FIELD"
    OUT_OF_RANGE = "OUT_OF_RANGE"
    UNIT_MISMATCH = "UNIT_MISMATCH"
    INVALID_OPTION = "INVALID_OPTION"
    SERVICE_NOT_FOUND = "SERVICE_NOT_FOUND"
    NEEDS_CODE = "NEEDS_CODE"
    OWNERS_LIMIT = "OWNERS_LIMIT"

    # Freshness: do we know the present state?
    ENTITY_MISSING = "ENTITY_MISSING"
    ENTITY_UNAVAILABLE = "ENTITY_UNAVAILABLE"
    STATE_UNKNOWN = "STATE_UNKNOWN"
    STATE_STALE = "STATE_STALE"
    NOTHING_TO_DO = "NOTHING_TO_DO"

    # Policy: does the owner allow it?
    POLICY_DENIED = "POLICY_DENIED"
    POLICY_UNREADABLE = "POLICY_UNREADABLE"
    RISK_TOO_HIGH = "RISK_TOO_HIGH"
    CHANGE_LIMIT = "CHANGE_LIMIT"

    # Dry run: what exactly would happen?
    PAYLOAD_INVALID = "PAYLOAD_INVALID"

    # Execution: may it be done now, and was it?
    NO_APPROVER = "NO_APPROVER"
    PIN_NOT_SET = "PIN_NOT_SET"
    COOL_DOWN = "COOL_DOWN"
    REJECTED = "REJECTED"
    EXPIRED = "EXPIRED"
    CANCELLED = "CANCELLED"
    RESTARTED = "RESTARTED"
    SUPERSEDED = "SUPERSEDED"
    STOPPED = "STOPPED"
    BACKEND_FAILED = "BACKEND_FAILED"
    TIMED_OUT = "TIMED_OUT"
    INTERRUPTED = "INTERRUPTED"

    # The chain itself.
    INTERNAL_ERROR = "INTERNAL_ERROR"
    EVIDENCE_UNAVAILABLE = "EVIDENCE_UNAVAILABLE"
    REQUEST_ID_CONFLICT = "REQUEST_ID_CONFLICT"
    TRACE_NOT_FOUND = "TRACE_NOT_FOUND"
    NOTHING_TO_UNDO = "NOTHING_TO_UNDO"
    OWNER_ONLY = "OWNER_ONLY"


REFUSALS = frozenset(
    code
    for code in Code
    if code
    not in {Code.DONE, Code.PARTLY_DONE, Code.NOT_FOLLOWED, Code.PREVIEW, Code.ALREADY_SO, Code.STATUS, Code.WAITING}
)
"""Every code that tells a caller what went wrong and what to do instead."""
