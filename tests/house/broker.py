"""An MQTT broker of the tests' own, on the loopback interface."""

import os
import socket
import subprocess
import time
from pathlib import Path
from typing import Self

import pytest

from .process import free_port

MOSQUITTO = Path("/usr/sbin/mosquitto")
MISSING = f"{MOSQUITTO} is missing (Debian: apt-get install mosquitto)"
START_SECONDS = 15
CONFIGURATION = """
listener {port} 127.0.0.1
allow_anonymous true
persistence false
max_queued_messages 0
max_inflight_messages 0
log_dest stdout
log_type error
log_type warning
"""


def need_broker() -> None:
    """Skips a test where there is no broker; fails it where ``EDGEHOME_BROKER=needed``."""
    if MOSQUITTO.exists():
        return
    if os.environ.get("EDGEHOME_BROKER") == "needed":
        pytest.fail(MISSING)
    pytest.skip(MISSING)


class Broker:
    """Starts and stops ``mosquitto``; it keeps nothing beyond its end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it and waits until it listens.

        Raises:
            RuntimeError: there is none, it ended, or did not listen in time.
        """
        if not MOSQUITTO.exists():
            raise RuntimeError(MISSING)
        self.folder.mkdir(parents=True, exist_ok=True)
        configuration = self.folder / "mosquitto.conf"
        configuration.write_text(CONFIGURATION.format(port=self.port))
        with (self.folder / "mosquitto.log").open("ab") as log:
            self._process = subprocess.Popen(
                [MOSQUITTO, "-c", configuration], stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )
        deadline = time.monotonic() + START_SECONDS
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.05)
            else:
                return
        self.stop()
        raise RuntimeError(f"mosquitto did not start:\n{(self.folder / 'mosquitto.log').read_text()}")

    def stop(self) -> None:
        """Stops it."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
