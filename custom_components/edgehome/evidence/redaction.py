"""What never reaches the evidence: codes, PINs, tokens, keys (R12); and nothing longer or deeper than it may be."""

import re
from collections.abc import Mapping
from functools import lru_cache

REDACTED = "[redacted]"
CUT = "[cut]"
_MAX_TEXT, _MAX_KEY, _MAX_ITEMS, _MAX_DEPTH = 1000, 100, 300, 12
BUDGET = 80_000
"""Characters of text that one record may have in all."""

_NOT_BEFORE, _NOT_AFTER = r"(?<![a-z])", r"(?![a-z])"
_WORDS = (
    r"(?:(?:user|door|lock|alarm|pin|pass)[_ -]?)?(?:code|pin|word|key)|pass|passwd|passphrase|pwd|secret|token|credential"
    r"|nonce|bearer|auth|authorization|(?:api|access)[_ -]?(?:key|token)"
)
_SECRET_KEY = re.compile(rf"{_NOT_BEFORE}(?:{_WORDS})s?\d*{_NOT_AFTER}", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TOKEN = re.compile(
    r"(?<![a-z0-9])eyJ[\w-]{8,}(?:\.[\w-]+)*"
    rf"|{_NOT_BEFORE}(?:bearer|token|secret|password|passcode|nonce){_NOT_AFTER}\W{{1,3}}(?:is\W{{1,3}})?\S+",
    re.IGNORECASE,
)
_SPOKEN_SECRET = re.compile(rf"{_NOT_BEFORE}(?:{_WORDS})s?{_NOT_AFTER}", re.IGNORECASE)
_DIGITS = re.compile(r"\d(?:[ -]?\d){2,}")


def redacted(value: object, spared: frozenset[str] = frozenset(), budget: int = BUDGET) -> object:
    """A copy fit for the evidence: secrets replaced, long texts and lists cut, anything strange named by its type.

    A value is a secret by its key, a token by its looks, and digits are one where the text speaks of a code or PIN.
    Keys in ``spared`` are EdgeHome's own words. Beyond ``budget`` characters everything is cut.
    """
    return _Copy(spared, budget).of(value, 0)


@lru_cache(512)
def names_secret(key: str) -> bool:
    """Whether a value is a secret by its key."""
    return _SECRET_KEY.search(_CAMEL.sub("_", key)) is not None


class _Copy:
    """One copy on its way, with what is left of its budget."""

    def __init__(self, spared: frozenset[str], budget: int) -> None:
        self._spared = spared
        self._left = budget

    def of(self, value: object, depth: int) -> object:
        """The copy of a part."""
        if depth > _MAX_DEPTH:
            return "[too deep]"
        if self._left <= 0:
            return CUT
        self._left -= 4
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            items = list(value.items())[:_MAX_ITEMS]
            return {self._text(str(key)): self._by_key(str(key), item, depth) for key, item in items}
        if isinstance(value, list | tuple):
            return [self.of(item, depth + 1) for item in value[:_MAX_ITEMS]]
        if isinstance(value, bool) or value is None:
            return value
        if isinstance(value, int | float):
            return value if abs(value) < 10**15 else "[number too large]"
        return f"[{type(value).__name__}]"

    def _by_key(self, key: str, value: object, depth: int) -> object:
        if value is None or isinstance(value, bool) or key in self._spared or not names_secret(key[:_MAX_KEY]):
            return self.of(value, depth + 1)
        return REDACTED

    def _text(self, value: str) -> str:
        if len(value) < _MAX_TEXT and value.isascii() and value.replace("_", "").isalpha() and value[:3] != "eyJ":
            # Words without digits: nothing in them can be a code or a token.
            self._left -= len(value)
            return value
        clean = value[: min(_MAX_TEXT, max(self._left, 0))].encode("utf-8", "replace").decode()
        self._left -= len(clean)
        cut = "…" if len(clean) < len(value) else ""
        clean = _TOKEN.sub(REDACTED, clean)
        if _SPOKEN_SECRET.search(clean):
            clean = _DIGITS.sub(REDACTED, clean)
        return clean + cut
