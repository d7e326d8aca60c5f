"""What never reaches the evidence: codes, PINs, tokens, keys (R12); and nothing longer or deeper than it may be."""

import re
from collections.abc import Mapping

REDACTED = "[redacted]"
_MAX_TEXT, _MAX_ITEMS, _MAX_DEPTH = 500, 50, 6
_SECRET_KEY = re.compile(
    r"(?:^|[_.\-\s])(?:code|pin|pass|password|passwd|passcode|secret|token|key|auth|authorization)(?:$|[_.\-\s\d])",
    re.IGNORECASE,
)
_SECRET_TEXT = re.compile(
    r"\beyJ[\w-]{8,}\.[\w-]+\.?[\w-]*|\bbearer\s+\S+|\b(?:code|pin|password|passcode|secret|token)\b\W{0,3}(?:is\W{0,3})?\S+",
    re.IGNORECASE,
)  # fmt: skip


def redacted(value: object, depth: int = 0) -> object:
    """A copy fit for the evidence: secrets replaced, long texts and lists cut, anything strange named by its type."""
    if depth > _MAX_DEPTH:
        return "[too deep]"
    if isinstance(value, str):
        clean = value[:_MAX_TEXT].encode("utf-8", "replace").decode()
        return _SECRET_TEXT.sub(REDACTED, clean) + ("…" if len(value) > _MAX_TEXT else "")
    if isinstance(value, Mapping):
        items = list(value.items())[:_MAX_ITEMS]
        return {str(redacted(str(key))): _by_key(str(key), item, depth) for key, item in items}
    if isinstance(value, list | tuple):
        return [redacted(item, depth + 1) for item in value[:_MAX_ITEMS]]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value if abs(value) < 10**15 else "[number too large]"
    if isinstance(value, float):
        return value if abs(value) < 1e15 else "[number too large]"
    return f"[{type(value).__name__}]"


def _by_key(key: str, value: object, depth: int) -> object:
    return REDACTED if _SECRET_KEY.search(key) and value is not None else redacted(value, depth + 1)
