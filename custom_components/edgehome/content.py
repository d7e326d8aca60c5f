"""What a payload contains: its size and depth within fixed bounds, and text that does not belong there.

Whatever is in it, reading stops at the bounds: time and memory do not depend on what was sent (R6, R14).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite

from .chain import Refuse
from .codes import Code

MAX_DEPTH, MAX_NODES, MAX_TEXT, MAX_TOTAL_TEXT, MAX_NUMBER = 6, 1500, 1000, 20_000, 10**12


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
            r"\b(?!media-source://)(?<!media-)[a-z][a-z0-9+.-]{1,15}://|\beyJ[\w-]{8,}\.[\w-]{8,}|\bbearer\s+\S{12,}"
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


type Path = tuple[str | int, ...]
"""The keys and numbers that lead to a value."""


def suspicions(payload: Mapping[str, object]) -> Iterator[tuple[Flag, str]]:
    """Every suspicious text of a payload with the path to it."""
    for path, value in _walk(payload):
        if isinstance(value, str) and not value.isalnum():
            yield from ((flag, written(path)) for flag in FLAGS if flag.pattern.search(value))


def oversized(payload: Mapping[str, object]) -> Refuse | None:
    """The refusal of a payload that is larger or deeper than any sensible one, or has numbers that are none."""
    text = 0
    for nodes, (path, value) in enumerate(_walk(payload), 1):
        if isinstance(value, str):
            text += len(value)
            too_much = len(value) > MAX_TEXT or text > MAX_TOTAL_TEXT
        elif isinstance(value, int | float):
            too_much = not ((isinstance(value, int) or isfinite(value)) and abs(value) <= MAX_NUMBER)
        else:
            too_much = isinstance(value, list | tuple | Mapping) and len(value) > MAX_NODES
        if too_much or nodes > MAX_NODES or len(path) > MAX_DEPTH:
            return Refuse(
                code=Code.TOO_LARGE,
                message="The request is larger or deeper than any sensible one.",
                hint="Send one intent, one target and its values.",
                field=written(path) or None,
            )
    return None


def written(path: Path) -> str:
    """A path for people: ``params.color[2]``; what cannot be printed in a key is a question mark."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            clean = "".join(letter if letter.isprintable() else "?" for letter in part[:40])
            text += f".{clean}" if text else clean
    return text


def _walk(payload: Mapping[str, object]) -> Iterator[tuple[Path, object]]:
    """Every key and value with the path to it, without recursion."""
    stack: list[tuple[Path, object]] = [((), payload)]
    while stack:
        path, value = stack.pop()
        yield path, value
        if isinstance(value, Mapping):
            for key, item in value.items():
                inner = (*path, str(key))
                stack.append((inner, item))
                yield inner, key
        elif isinstance(value, list | tuple):
            stack.extend(((*path, number), item) for number, item in enumerate(value[:MAX_NODES]))
