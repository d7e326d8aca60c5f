"""The integration's source as syntax trees."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "custom_components" / "edgehome"
MODULES = sorted(PACKAGE.rglob("*.py"))

PURE_FOLDERS = ("gates", "policy", "catalogue")
PURE_FILES = (
    "chain.py",
    "codes.py",
    "content.py",
    "devices.py",
    "endings.py",
    "expectation.py",
    "facts.py",
    "judge.py",
    "simulation.py",
    "supposed.py",
    "staleness.py",
    "listing.py",
    "models.py",
    "pipeline.py",
    "plan.py",
    "ports.py",
    "proposal.py",
    "request_forms.py",
    "repair.py",
    "targets.py",
    "trace.py",
    "undoing.py",
    "way.py",
    "confirmation/fatigue.py",
    "confirmation/grants.py",
    "confirmation/pending.py",
    "confirmation/prompt.py",
    "confirmation/words.py",
    "evidence/record.py",
    "evidence/redaction.py",
)


def name_of(path: Path) -> str:
    """A module's path within the package."""
    return path.relative_to(PACKAGE).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse(path.read_text())


def pure_modules() -> list[Path]:
    """The modules that must not know Home Assistant."""
    return [path for path in MODULES if name_of(path).split("/")[0] in PURE_FOLDERS or name_of(path) in PURE_FILES]


def imports_of(path: Path) -> set[str]:
    """What a module imports: absolute names, and our own modules as paths within the package."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(str(node.module))
        elif isinstance(node, ast.ImportFrom):
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            found |= {name_of(target) for alias in node.names for target in _files(base, alias.name)}
    return found


def _files(base: Path, name: str) -> list[Path]:
    candidates = (base.with_suffix(".py"), base / "__init__.py", base / f"{name}.py", base / name / "__init__.py")
    return [candidate for candidate in candidates if candidate.is_file()]


def calls_in(path: Path) -> set[str]:
    """The last names of everything that a module calls: ``hass.services.async_call(...)`` is ``async_call``."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call):
            found |= {part.attr for part in [node.func] if isinstance(part, ast.Attribute)}
            found |= {part.id for part in [node.func] if isinstance(part, ast.Name)}
    return found


def names_in(path: Path) -> set[str]:
    """Every name and attribute that a module mentions."""
    nodes = list(ast.walk(tree_of(path)))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.attr for node in nodes if isinstance(node, ast.Attribute)}
