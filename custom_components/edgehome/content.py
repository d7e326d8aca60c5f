"""What a payload contains: its size and depth within fixed bounds, and text that does not belong there.

Whatever is in it, reading stops at the bounds: time and memory do not depend on what was sent (R6, R14).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite

from .chain import Refuse
from .codes import Code

MAX_DEPTH, MAX_NODES, MAX_TEXT, MAX_TOTAL_TEXT, MAX_NUMBER = 6, 200, 1000, 8000, 10**12


@dataclass(frozen=True, kw_only=True)
class Flag:
    """A kind of suspicious text."""

    name: str
    code: Code
    pattern: re.Pattern[str]
    what: str


FLAGS = (
    Flag(
        name="template",
        code=Code.TEMPLATE_TEXT,
        pattern=re.compile(r"\{\{|\{%|\{#"),
        what="a template mark; templates are never rendered",
    ),
    Flag(
        name="control",
        code=Code.CONTROL_CHARACTERS,
        pattern=re.compile(
            "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060-\u2069\ufeff"
            "\ud800-\udfff\U000e0000-\U000e007f]"
        ),
        what="invisible or control characters",
    ),
    Flag(
        name="backend",
        code=Code.BACKEND_TEXT,
        pattern=re.compile(
            r"\b[a-z][a-z0-9+.-]{1,15}://|\beyJ[\w-]{8,}\.[\w-]{8,}|\bbearer\s+\S{12,}"
            r"|\b(?:zigbee2mqtt|cmnd|tele|stat|homeassistant|shellies|tasmota|esphome)/\S+"
            r"|\b[\w-]+(?:/[\w+#-]+){1,8}/(?:set|get|cmnd|command)\b",
            re.IGNORECASE,
        ),
        what="an address, a token or a message topic",
    ),
    Flag(
        name="injection",
        code=Code.INJECTION_TEXT,
        pattern=re.compile(
            r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}"
            r"\b(?:above|previous|prior|earlier|instructions?|rules?|polic(?:y|ies))\b|\bsystem prompt\b",
            re.IGNORECASE | re.DOTALL,
        ),
        what="text that reads like an instruction to an assistant",
    ),
)
"""What the input guard looks for; the owner decides for each whether it blocks or is noted."""


def suspicions(payload: Mapping[str, object]) -> Iterator[tuple[Flag, str]]:
    """Every suspicious text of a payload with the path to it."""
    for path, value, _ in _walk(payload):
        if isinstance(value, str):
            yield from ((flag, path) for flag in FLAGS if flag.pattern.search(value))


def oversized(payload: Mapping[str, object]) -> Refuse | None:
    """The refusal of a payload that is larger or deeper than any sensible one, or has numbers that are none."""
    text = 0
    for nodes, (path, value, depth) in enumerate(_walk(payload)):
        if isinstance(value, str):
            text += len(value)
        too_much = (
            nodes > MAX_NODES
            or depth > MAX_DEPTH
            or text > MAX_TOTAL_TEXT
            or (isinstance(value, str) and len(value) > MAX_TEXT)
            or (isinstance(value, list | tuple | Mapping) and len(value) > MAX_NODES)
            or (isinstance(value, int | float) and not _is_sane(value))
        )
        if too_much:
            return Refuse(
                code=Code.TOO_LARGE,
                message="The request is larger or deeper than any sensible one.",
                hint="Send one intent, one target and its values.",
                field=path or None,
            )
    return None


def _is_sane(number: float) -> bool:
    """Whether a number is one: finite and below ``MAX_NUMBER``; compared without turning a huge int into a float."""
    return (isinstance(number, int) or isfinite(number)) and abs(number) <= MAX_NUMBER


def _walk(payload: Mapping[str, object]) -> Iterator[tuple[str, object, int]]:
    """Every key and value with its path and depth, without recursion."""
    stack: list[tuple[str, object, int]] = [("", payload, 0)]
    while stack:
        path, value, depth = stack.pop()
        yield path, value, depth
        if isinstance(value, Mapping):
            for key, item in value.items():
                name = "".join(letter if letter.isprintable() else "?" for letter in str(key)[:40])
                inner = f"{path}.{name}" if path else name
                stack.append((inner, item, depth + 1))
                yield path or inner, key, depth + 1
        elif isinstance(value, list | tuple):
            stack.extend((f"{path}[{number}]", item, depth + 1) for number, item in enumerate(value[:MAX_NODES]))
