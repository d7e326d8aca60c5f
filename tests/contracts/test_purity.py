"""Gates, policy, catalogue, facts, models and evidence records know no Home Assistant; gates are synchronous."""

import ast
from pathlib import Path

import pytest

from tests.contracts.source import PACKAGE, imports_of, name_of, names_in, pure_modules, tree_of

IMPURE = frozenset(
    {
        "open",
        "print",
        "input",
        "exec",
        "eval",
        "compile",
        "globals",
        "getattr",
        "setattr",
        "now",
        "utcnow",
        "today",
        "environ",
    }
)
OUTSIDE = frozenset(
    {
        "asyncio",
        "threading",
        "socket",
        "subprocess",
        "os",
        "random",
        "time",
        "sqlite3",
        "pathlib",
        "aiohttp",
        "requests",
    }
)
GATES = sorted((PACKAGE / "gates").glob("*.py"))


@pytest.mark.parametrize("path", pure_modules(), ids=name_of)
def test_no_home_assistant(path: Path) -> None:
    """A pure module imports no Home Assistant."""
    assert not {name for name in imports_of(path) if name.split(".")[0] in {"homeassistant", "voluptuous", "probatio"}}


@pytest.mark.parametrize("path", pure_modules(), ids=name_of)
def test_pure_modules_import_pure_modules(path: Path) -> None:
    """Nor does it through another module of ours."""
    pure = {name_of(other) for other in pure_modules()} | {
        "__init__.py",
        "confirmation/__init__.py",
        "evidence/__init__.py",
    }
    assert {name for name in imports_of(path) if name.endswith(".py")} <= pure


@pytest.mark.parametrize("path", GATES, ids=name_of)
def test_gates_are_synchronous(path: Path) -> None:
    """No gate awaits, yields control or defines a coroutine."""
    waiting = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Global, ast.Nonlocal)
    assert not [node for node in ast.walk(tree_of(path)) if isinstance(node, waiting)]


@pytest.mark.parametrize("path", GATES, ids=name_of)
def test_gates_touch_nothing_outside(path: Path) -> None:
    """No gate reads a clock, a file, the environment or chance: all it knows comes from its context."""
    assert not names_in(path) & IMPURE
    assert not {name for name in imports_of(path) if name.split(".")[0] in OUTSIDE}
