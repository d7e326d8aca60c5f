"""What never reaches the evidence: codes, PINs, tokens, keys (R12); and nothing longer or deeper than it may be."""

import re
from collections.abc import Mapping

REDACTED = "[redacted]"
_MAX_TEXT, _MAX_ITEMS, _MAX_DEPTH = 1000, 300, 12

_WORDS = r"pin(?:code)?|pass(?:word|wd|code|phrase)?|pwd|secret|token|credential|bearer|(?:api|access)[_ -]?key"
_SECRET_KEY = re.compile(
    rf"(?:^|[_. -])(?:{_WORDS}|auth|authorization|code|key)s?(?:$|[_. -])|pass(?:word|code)|(?:user|door|lock|alarm)_?(?:code|pin)",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TOKEN = re.compile(
    r"\beyJ[\w-]{8,}(?:\.[\w-]+)*|\b(?:bearer|token|secret|password|passcode)\b\W{1,3}(?:is\W{1,3})?\S+", re.IGNORECASE
)
_SPOKEN_SECRET = re.compile(rf"\b(?:code|{_WORDS})s?\b", re.IGNORECASE)
_DIGITS = re.compile(r"\d(?:[ -]?\d){2,}")


def redacted(value: object, depth: int = 0) -> object:
    """A copy fit for the evidence: secrets replaced, long texts and lists cut, anything strange named by its type.

    A value is a secret by its key, a token by its looks, and digits are one where the text speaks of a code or PIN.
    """
    if depth > _MAX_DEPTH:
        return "[too deep]"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        items = list(value.items())[:_MAX_ITEMS]
        return {_text(str(key)): _by_key(str(key), item, depth) for key, item in items}
    if isinstance(value, list | tuple):
        return [redacted(item, depth + 1) for item in value[:_MAX_ITEMS]]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return value if abs(value) < 10**15 else "[number too large]"
    return f"[{type(value).__name__}]"


def _text(value: str) -> str:
    clean = value[:_MAX_TEXT].encode("utf-8", "replace").decode()
    clean = _TOKEN.sub(REDACTED, clean)
    if _SPOKEN_SECRET.search(clean):
        clean = _DIGITS.sub(REDACTED, clean)
    return clean + ("…" if len(value) > _MAX_TEXT else "")


def _by_key(key: str, value: object, depth: int) -> object:
    is_secret = _SECRET_KEY.search(_CAMEL.sub("_", key)) and isinstance(value, str | int | float)
    return REDACTED if is_secret and not isinstance(value, bool) else redacted(value, depth + 1)
