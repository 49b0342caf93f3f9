"""`tilewright explore`: an address that answers until Ctrl-C; ports that cannot be had are told in a line."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection

import pytest

from tilewright.cli.main import main
from tilewright.explorer.server import Server


@contextmanager
def started(*words: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tilewright", "explore", "--no-open", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        try:
            yield running
        finally:
            running.kill()


@pytest.mark.usefixtures("heeded")
def test_it_serves_until_it_is_interrupted() -> None:
    with started() as running:
        assert running.stdout is not None
        line = running.stdout.readline()
        address, _, token = line.split()[-1].partition("/#token=")
        assert address.startswith("http://127.0.0.1:")
        assert len(token.strip()) >= 24
        connection = HTTPConnection(address.removeprefix("http://"), timeout=10)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        running.send_signal(signal.SIGINT)
        said, wrong = running.communicate(timeout=10)
        assert (running.returncode, wrong) == (0, "")
        assert said.rstrip().endswith("ended")


def test_a_port_that_is_taken_or_none_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with Server() as taken:
        for port in (taken.guard.port, -1, 65536):
            assert main(["explore", "--no-open", f"--port={port}"]) == 2
            said = capsys.readouterr().err
            assert str(port) in said
            assert said.count("\n") == 1
