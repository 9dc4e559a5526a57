"""The types that the stubs give the compiled part are those that it has."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SETTINGS = Path(__file__).parents[1] / "pyproject.toml"


def test_the_stubs_are_those_of_the_compiled_part() -> None:
    pytest.importorskip("mypy.stubtest")
    command = [sys.executable, "-m", "mypy.stubtest", "nbayes._core", "--mypy-config-file", str(SETTINGS)]
    done = subprocess.run(command, cwd=SETTINGS.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
