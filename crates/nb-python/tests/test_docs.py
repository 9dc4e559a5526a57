"""The examples of docstrings, of the guides and of `examples/` run, and print what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import runpy
import warnings
from pathlib import Path
from typing import Any

import matplotlib
import nbayes
import nbayes.display
import pytest

matplotlib.use("Agg")

PACKAGE = Path(__file__).parents[1]
GUIDES = [PACKAGE / "README.md", PACKAGE.parents[1] / "docs" / "python.md"]
MODULES = [module.name for module in pkgutil.walk_packages(nbayes.__path__, "nbayes.")]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("module", ["nbayes", *MODULES])
def test_docstrings(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module), optionflags=FLAGS).failed == 0


@pytest.mark.parametrize("name", nbayes.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    described = getattr(nbayes, name)
    assert described.__doc__
    for member in vars(described).values():
        if callable(member) and not member.__name__.startswith("_"):
            assert member.__doc__, f"{name}.{member.__name__} has no docstring"
    if name.endswith("NB"):
        assert ">>> " in described.__doc__
        for parameter in described().get_params():
            assert f"\n    {parameter} : " in described.__doc__, f"{name}: {parameter} is not described"


@pytest.mark.parametrize("name", nbayes.display.__all__)
def test_every_display_is_documented(name: str) -> None:
    described = getattr(nbayes.display, name)
    assert described.__doc__
    for member in vars(described).values():
        if callable(member) and not member.__name__.startswith("_"):
            assert member.__doc__, f"{name}.{member.__name__} has no docstring"
    if name.endswith("Display"):
        assert ">>> " in described.__doc__


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.name)
def test_guides(guide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All code of a guide runs in one session, in its own folder; text after it with `>>>` is compared."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    blocks = re.findall(r"^```python\n(.*?)^```", guide.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks, f"{guide} has no code"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number, block in enumerate(blocks):
            if ">>> " not in block:
                exec(compile(block, f"{guide.name}, block {number}", "exec"), names)
                continue
            test = doctest.DocTestParser().get_doctest(block, names, f"{guide.name}, block {number}", str(guide), 0)
            runner = doctest.DocTestRunner(optionflags=FLAGS)
            runner.run(test, clear_globs=False)
            names |= test.globs
            assert runner.summarize().failed == 0


@pytest.mark.parametrize("example", sorted((PACKAGE / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_examples(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An example prints what the end of its docstring says."""
    text = runpy.run_path(str(example), run_name="__main__")["__doc__"]
    expected = text.split("It prints:\n", 1)[1]
    assert capsys.readouterr().out.split() == expected.split()
