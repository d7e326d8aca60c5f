"""R1: only backends actuate, only the driver calls a backend, with a ticket that only the evidence store issues."""

from pathlib import Path

import pytest

from tests.contracts.source import MODULES, PACKAGE, calls_in, imports_of, name_of, names_in

MAY_ACTUATE = ("backends/", "confirmation/channels/")
ACTUATING = frozenset(
    {
        "async_call", "call_service", "async_call_from_config", "async_set_internal", "async_reproduce_state",
        "async_handle", "async_converse", "async_execute_script", "async_run_script", "async_fire_internal",
    }
)  # fmt: skip
DOORS = ("services.py", "http.py", "websocket_api.py", "llm_tools.py")


def others(*allowed: str) -> list[Path]:
    """All modules but those whose path starts so."""
    return [path for path in MODULES if not name_of(path).startswith(allowed)]


@pytest.mark.parametrize("path", others(*MAY_ACTUATE), ids=name_of)
def test_nobody_else_actuates(path: Path) -> None:
    """No other module calls an action, runs a script, handles an intent or writes states."""
    assert not calls_in(path) & ACTUATING
    assert "states.async_set" not in path.read_text()
    assert "services.call" not in path.read_text()


@pytest.mark.parametrize("path", others("backends/", "__init__.py"), ids=name_of)
def test_backends_are_put_in_by_the_setup_only(path: Path) -> None:
    """Nobody but the set-up knows a backend; the driver gets it handed."""
    assert not {name for name in imports_of(path) if name.startswith("backends/")}


@pytest.mark.parametrize("path", others("backends/", "pipeline.py"), ids=name_of)
def test_only_the_driver_executes(path: Path) -> None:
    """``execute`` of a backend is called by the pipeline alone (SQL and flows have names of their own)."""
    text = path.read_text()
    assert "backend.execute(" not in text
    assert "_backend" not in names_in(path)


@pytest.mark.parametrize("path", others("evidence/store.py"), ids=name_of)
def test_only_the_store_issues_tickets(path: Path) -> None:
    """No other module makes a ticket, not even by copying one."""
    assert "ExecutionTicket" not in calls_in(path)
    assert "ExecutionTicket.__new__" not in path.read_text()


@pytest.mark.parametrize("path", others("judge.py", "pipeline.py", "gates/"), ids=name_of)
def test_only_the_pipeline_runs_gates(path: Path) -> None:
    """Nobody else imports a gate or the tuple of gates."""
    assert not {name for name in imports_of(path) if name.startswith("gates/")}
    assert "evaluate" not in calls_in(path)


@pytest.mark.parametrize("door", [name for name in DOORS if (PACKAGE / name).is_file()])
def test_doors_enter_the_pipeline(door: str) -> None:
    """Every door answers by ``door.py``, which submits to the pipeline; none knows gates, backends or how evidence is written."""
    assert "submit" in calls_in(PACKAGE / "door.py")
    for path in (PACKAGE / "door.py", PACKAGE / door):
        assert not {name for name in imports_of(path) if name.startswith(("gates/", "backends/", "evidence/"))}
    others = {name for name in imports_of(PACKAGE / door) if name.startswith("pipeline")}
    assert "door.py" in imports_of(PACKAGE / door)
    assert not others


def test_the_walk_finds_an_actuator(tmp_path: Path) -> None:
    """The contract itself would notice: a module that calls an action is seen as one."""
    path = tmp_path / "sly.py"
    path.write_text("async def f(hass):\n    await hass.services.async_call('lock', 'unlock', {})\n")
    assert calls_in(path) & ACTUATING == {"async_call"}
