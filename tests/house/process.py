"""A Home Assistant process on the loopback interface, in a folder of its own."""

import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import requests

ROOT = Path(__file__).parents[2]
DEFAULT_VERSION = "2026.10.4"
HTTP_DEFAULTS = {
    "cors_allowed_origins": ["https://cast.home-assistant.io"],
    "login_attempts_threshold": -1,
    "ip_ban_enabled": True,
    "ssl_profile": "modern",
    "use_x_frame_options": True,
    "created_at": "2026-01-01T00:00:00+00:00",
    "error": None,
    "error_message": None,
}
START_SECONDS, STOP_SECONDS = 90, 60


def environment(version: str) -> Path:
    """The virtual environment of a Home Assistant release."""
    return ROOT / (".venv" if version == DEFAULT_VERSION else f".venv-{version}")


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class HomeAssistantProcess:
    """Starts, stops and kills ``hass``. Its configuration must be there before the first start."""

    def __init__(self, folder: Path, version: str = DEFAULT_VERSION) -> None:
        self.folder = folder
        self.version = version
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def prepare(self, configuration: str) -> None:
        """Writes the configuration, listens on the loopback only, and links the integration in."""
        storage = self.folder / ".storage"
        storage.mkdir(parents=True, exist_ok=True)
        (self.folder / "configuration.yaml").write_text(configuration)
        (self.folder / "automations.yaml").write_text("[]")
        (self.folder / "scripts.yaml").write_text("{}")
        http = {**HTTP_DEFAULTS, "server_host": ["127.0.0.1"], "server_port": self.port}
        # The form of 2026.10's store, which 2026.11 migrates (components/http/config.py).
        self._seed(
            "http", {"version": 2, "minor_version": 2}, {"stable": http, "pending": None, "yaml_migration_done": True}
        )
        # Onboarding would set up integrations that ask the internet; the owner still goes through its other steps.
        self._seed("onboarding", {"version": 4, "minor_version": 1}, {"done": ["core_config", "analytics"]})
        self._link(ROOT / "custom_components" / "edgehome", self.folder / "custom_components" / "edgehome")
        for domain in ("slow_light", "pin_policy", "odd_devices", "scripted_model"):
            self._install(domain)

    def _install(self, domain: str) -> None:
        """Installs a test's own component; its manifest is written here, for a repository may hold one manifest only."""
        target = self.folder / "custom_components" / domain
        for source in (ROOT / "tests" / "house" / domain).glob("*.py"):
            self._link(source, target / source.name)
        manifest: dict[str, object] = {
            "domain": domain,
            "name": domain.replace("_", " ").capitalize(),
            "version": "1.0.0",
            "iot_class": "assumed_state",
        }
        manifest |= {"codeowners": [], "documentation": "https://example.com", "requirements": []}
        (target / "manifest.json").write_text(json.dumps(manifest))

    @staticmethod
    def _link(source: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_symlink():
            target.symlink_to(source)

    def _seed(self, key: str, version: dict[str, int], data: dict[str, object]) -> None:
        (self.folder / ".storage" / key).write_text(json.dumps({**version, "key": key, "data": data}))

    def start(self) -> None:
        """Starts the process and waits until its API answers.

        Raises:
            RuntimeError: it ended, or did not answer in time; the message has the end of its log.
        """
        with (self.folder / "console.log").open("ab") as console:
            self._process = subprocess.Popen(
                [environment(self.version) / "bin" / "hass", "--config", self.folder, "--log-no-color"],
                stdout=console,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env={
                    **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
                    "PYTHONDONTWRITEBYTECODE": "1",
                    "SETUP_PORT": str(self.port),
                },
                start_new_session=True,
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process.poll() is not None or "Setup failed for 'api'" in self.log():
                break
            try:
                requests.get(f"{self.url}/manifest.json", timeout=2)
            except requests.RequestException:
                time.sleep(0.2)
            else:
                return
        self.kill()
        raise RuntimeError(f"Home Assistant did not start:\n{self.log()[-4000:]}")

    def stop(self) -> None:
        """Stops the process as a user would; kills it if it does not end."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Kills the process at once, as a power cut would."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def log(self) -> str:
        """Everything that the process printed."""
        return (self.folder / "console.log").read_text(errors="replace")

    def complaints(self) -> list[str]:
        """The warnings and errors that EdgeHome itself logged."""
        return [
            line
            for line in self.log().splitlines()
            if "custom_components.edgehome" in line and (" WARNING " in line or " ERROR " in line)
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()
