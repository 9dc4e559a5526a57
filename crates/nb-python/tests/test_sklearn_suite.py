"""The tests that scikit-learn has of its own estimators, run with those of this package in their place.

They are read from the installed release. Those that fail are the differences that the guide lists with reasons, no more and
no fewer.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import sklearn

SUITE = Path(sklearn.__file__).parent / "tests" / "test_naive_bayes.py"
GUIDE = Path(__file__).parents[3] / "docs" / "python.md"
FIXTURES = """
import numpy, pytest

@pytest.fixture
def global_random_seed():
    return 42

@pytest.fixture(params=[numpy.float32, numpy.float64])
def global_dtype(request):
    return request.param
"""


def differences() -> list[str]:
    """The names of tests in the table of the guide, in which `*` means anything."""
    table = re.search(r"^\| test of scikit-learn \|.*?\n\n", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert table, f"{GUIDE} has no table of the tests that fail"
    return re.findall(r"^\| `([^`]+)` \|", table[0], re.MULTILINE)


def outcomes(folder: Path) -> dict[str, str]:
    """Whether each test of scikit-learn passed, failed or was skipped."""
    text = SUITE.read_text(encoding="utf-8")
    text, replaced = re.subn(r"^from sklearn\.naive_bayes import", "from nbayes import", text, flags=re.MULTILINE)
    assert replaced == 1, "the suite imports its estimators otherwise"
    (folder / "test_naive_bayes.py").write_text(text, encoding="utf-8")
    (folder / "conftest.py").write_text(FIXTURES, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml", "report.xml", "test_naive_bayes.py"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    report = folder / "report.xml"
    assert run.returncode in (0, 1) and report.exists(), run.stdout + run.stderr
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        inside = {child.tag for child in case}
        outcome = "failed" if inside & {"failure", "error"} else "skipped" if "skipped" in inside else "passed"
        found[case.attrib["name"]] = outcome
    return found


@pytest.mark.skipif(not SUITE.exists(), reason="this scikit-learn comes without its tests")
def test_what_fails_is_what_the_guide_lists(tmp_path: Path) -> None:
    found = outcomes(tmp_path)
    failed = {name for name, outcome in found.items() if outcome == "failed"}
    listed = set()
    for pattern in differences():
        expression = re.compile(re.escape(pattern).replace(r"\*", ".*"))
        matching = {name for name in found if expression.fullmatch(name)}
        assert matching, f"scikit-learn {sklearn.__version__} has no test {pattern}"
        assert matching <= failed, f"listed as failing, but did not: {sorted(matching - failed)}"
        listed |= matching
    assert failed <= listed, f"failed without being listed: {sorted(failed - listed)}"
    assert sum(outcome == "passed" for outcome in found.values()) >= 70, "too few tests ran"
